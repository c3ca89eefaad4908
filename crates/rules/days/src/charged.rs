//! 4.1, 4.2, 4.7, 4.9: those who are charged are tested, and react. Sections 17.2.2-h, 17.4.16, C-17, A-02, A-57, A-118,
//!

pub mod generals;
pub mod react;

use super::Days;
use super::charge;
use super::clause::Clause;
use super::event::{ChargeEnd, Doing};
use super::field::{self, Few, Field, is_there, troops};
use super::morale::{self, Occasion};
use super::order::{Decision, Order};
use super::rout;
use super::sequence::{self, Given, Phase};
use super::unit::{ChargeKind, Part};
use engine::{Flow, Side, Umpire, UnitId, Who};
use serde::{Deserialize, Serialize};
use table::Point;

pub use react::{check, must_evade};

/// One side's units under charge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Charged {
    /// Whose units are tested.
    pub side: Side,
    /// Under which charges.
    pub kind: ChargeKind,
    /// Tested already.
    pub done: Vec<UnitId>,
    /// Generals on their own have been looked after.
    #[serde(default)]
    pub generals: bool,
}

impl Charged {
    /// A side's units under charges of a kind.
    pub fn of(side: Side, kind: ChargeKind) -> Charged {
        Charged { side, kind, done: Vec::new(), generals: false }
    }
}

/// Tests unit after unit, and asks whoever passed and has a choice.
pub fn advance(umpire: &mut Umpire<'_, Days>, mut charged: Charged) -> Flow<Days> {
    let (side, kind) = (charged.side, charged.kind);
    let Some((unit, by)) = next(umpire.state(), &charged) else {
        if charged.generals {
            return Flow::Done;
        }
        charged.generals = true;
        umpire.replace(Phase::Charged(charged));
        generals::evade(umpire, side, kind);
        return Flow::Again;
    };
    charged.done.push(unit);
    umpire.replace(Phase::Charged(charged));
    let against = by.first().copied();
    let passed = morale::being_charged(umpire, unit, &Occasion { against, ..Occasion::default() });
    let field = umpire.state();
    if !is_there(field, unit) || field::is_routing(field, unit) {
        return Flow::Again;
    }
    if !passed {
        // It stands where it is, and its own charge is over.
        stands(umpire, unit);
        charge::end(umpire, unit, ChargeEnd::Broken);
        return Flow::Again;
    }
    if react::has_choice(field, unit, &by) {
        return Flow::Ask(Who::One(side), Decision::React { unit, by: by.to_vec() });
    }
    settle_for(umpire, unit, &by);
    Flow::Again
}

/// The next unit to be tested, and who charges it.
fn next(field: &Field, charged: &Charged) -> Option<(UnitId, Few)> {
    // Most of the time nobody charges anybody.
    if !field::anybody_charges(field) {
        return None;
    }
    let waiting = field.present(charged.side).filter(|(id, _)| !charged.done.contains(id));
    let under = waiting.filter_map(|(id, _)| {
        let by = chargers(field, id, charged.kind);
        (!by.is_empty() && is_tested(field, id, &by, charged.kind)).then_some((id, by))
    });
    under.into_iter().next()
}

/// Whoever charges a unit in this way and has not reached it yet.
fn chargers(field: &Field, unit: UnitId, kind: ChargeKind) -> Few {
    let of_kind = |id: &UnitId| troops(field, *id).charge.as_ref().is_some_and(|charge| charge.kind == kind);
    field::chargers(field, unit).into_iter().filter(of_kind).collect()
}

/// Whether a unit is tested now: not if it is caught, runs, fights, or was tested on the spot.
fn is_tested(field: &Field, unit: UnitId, by: &[UnitId], kind: ChargeKind) -> bool {
    let own = troops(field, unit);
    let charges = || by.iter().filter_map(|id| troops(field, *id).charge.as_ref());
    let on_the_spot = match kind {
        ChargeKind::Declared => own.turn.stood,
        ChargeKind::Opportunity => charges().all(|charge| charge.counter),
    };
    !field::is_routing(field, unit)
        && !own.crew_away
        && field::facts(field, unit).part_kind() != Some(Part::Holders)
        && own.contact.is_empty()
        && !on_the_spot
        && !charges().any(|charge| charge.caught)
}

/// Without a choice, or declining one: it gives way if it must, else it stands.
fn settle_for(umpire: &mut Umpire<'_, Days>, unit: UnitId, by: &[UnitId]) {
    match by.first() {
        Some(charger) if must_evade(umpire.state(), unit, by) => evade(umpire, unit, *charger, None),
        _ => stands(umpire, unit),
    }
}

fn stands(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let guns = field::is_deployed(umpire.state(), unit);
    let clauses = [Clause::TargetsTestOnceAllHaveMoved, Clause::WhoHasToTest, Clause::GunnersUnderACharge];
    let clauses = if guns { &clauses[..] } else { &clauses[..2] };
    charge::did(umpire, unit, Doing::Stood, clauses);
}

/// Gets out of the way, citing what it obeys.
pub fn evade(umpire: &mut Umpire<'_, Days>, unit: UnitId, by: UnitId, to: Option<Point>) {
    let field = umpire.state();
    let guns = field::is_deployed(field, unit);
    let saved = field::is_limbered(field, unit);
    let screen = field::skirmishes(field, unit);
    let mut clauses = vec![Clause::WhereToEvade];
    if guns {
        clauses.extend([Clause::GunsAreLeftStanding, Clause::GunnersUnderACharge]);
    }
    if saved {
        clauses.push(Clause::SavingTheGuns);
    }
    if screen {
        clauses.extend([Clause::SkirmishersGiveWay, Clause::AScreenGoesTogether]);
    }
    if screen && to.is_some() {
        clauses.push(Clause::RunningToBrokenGround);
    }
    rout::evade(umpire, unit, by, to, &clauses);
}

/// Reacts.
pub fn execute(umpire: &mut Umpire<'_, Days>, unit: UnitId, by: &[UnitId], given: Given) {
    let Some((_, order)) = sequence::single(given) else { return };
    if !is_there(umpire.state(), unit) || field::is_routing(umpire.state(), unit) {
        return;
    }
    match (order, by.first()) {
        (Order::Evade { to }, Some(charger)) => evade(umpire, unit, *charger, to),
        (Order::Reform { formation, facing }, _) => react::reform(umpire, unit, formation, facing),
        _ => settle_for(umpire, unit, by),
    }
}
