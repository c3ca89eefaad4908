//! Charges: declared, of opportunity, by squadrons, against charges; both impulses, feints, charging home. Sections
//! 17.2.2 to 17.2.7, 17.4.2, 17.4.10 to 17.4.13, C.8, D.2, A-03 to.

pub mod drive;
pub mod feint;
pub mod going;
pub mod home;
pub mod impulse;
pub mod judgement;
#[cfg(test)]
mod tests;
pub mod way;
pub mod who;

use super::Days;
use super::clause::Clause;
use super::event::{ChargeEnd, DaysEvent, Doing};
use super::field::{self, Field, is_there, troops};
use super::hidden;
use super::morale;
use super::order::{Charger, Decision, Declaration, Order};
use super::sequence::{self, Given, Phase};
use super::unit::ChargeKind;
use engine::{Event, Flow, Side, Umpire, UnitId, Verdict, Who};
use serde::{Deserialize, Serialize};

pub use feint::{Feinting, advance_feints, check_feint, execute_feint};
pub use home::home;
pub use impulse::second_impulse;
pub use judgement::{check, judge};

/// One side's charges.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Charging {
    /// Who charges.
    pub side: Side,
    /// How.
    pub kind: ChargeKind,
    /// Whether it has been asked.
    pub asked: bool,
    /// Declared and not tried yet, in their order.
    pub queue: Vec<Declaration>,
}

impl Charging {
    /// A side's charges.
    pub fn of(side: Side, kind: ChargeKind) -> Charging {
        Charging { side, kind, asked: false, queue: Vec::new() }
    }
}

/// Asks, then tries one declaration after another.
pub fn advance(umpire: &mut Umpire<'_, Days>, mut charging: Charging) -> Flow<Days> {
    let (side, kind) = (charging.side, charging.kind);
    if !charging.asked {
        charging.asked = true;
        let has_choice = could_charge(umpire.state(), side, kind);
        umpire.replace(Phase::Charging(charging));
        let decision = match kind {
            ChargeKind::Declared => Decision::Charges,
            ChargeKind::Opportunity => Decision::Opportunity,
        };
        return if has_choice { Flow::Ask(Who::One(side), decision) } else { Flow::Again };
    }
    if charging.queue.is_empty() {
        return Flow::Done;
    }
    let next = charging.queue.remove(0);
    umpire.replace(Phase::Charging(charging));
    impulse::attempt(umpire, side, kind, &next);
    Flow::Again
}

/// Whether anybody of a side finds somebody to charge.
fn could_charge(field: &Field, side: Side, kind: ChargeKind) -> bool {
    if hidden::is_elusive(field, side) {
        return true;
    }
    let enemies: Vec<UnitId> = field::known(field, side.other()).map(|(id, _)| id).collect();
    field::present(field, side)
        .filter(|(unit, _)| who::able(field, kind, *unit).is_legal())
        .any(|(unit, _)| enemies.iter().any(|at| suggest(field, kind, unit, *at).is_some()))
}

/// Takes declarations down, in order from one side of the table to the other (days.17.2.2-a).
pub fn execute(umpire: &mut Umpire<'_, Days>, _kind: ChargeKind, given: Given) {
    let Some((side, Order::Charge { mut declarations })) = sequence::single(given) else { return };
    let field = umpire.state();
    let across = field::forward(field, side).perp_right();
    let place = |declaration: &Declaration| {
        let first = declaration.units.first().map(|charger| field.unit(charger.unit).pose().at.vec());
        first.map_or(0, |place| place.dot(across) as i64)
    };
    let from_the_right = match (declarations.first(), declarations.last()) {
        (Some(first), Some(last)) => place(first) > place(last),
        _ => false,
    };
    declarations.sort_by_cached_key(|one| if from_the_right { -place(one) } else { place(one) });
    if let Some(Phase::Charging(charging)) = umpire.phase() {
        charging.queue = declarations;
    }
}

/// A straight charge at a target, or one with a wheel that brings it there, if there is one.
pub fn suggest(field: &Field, kind: ChargeKind, unit: UnitId, at: UnitId) -> Option<Charger> {
    way::suggest(field, kind, unit, at)
}

/// A charge ends: announces it, and the test for losses it put off.
pub fn end(umpire: &mut Umpire<'_, Days>, unit: UnitId, why: ChargeEnd) {
    if troops(umpire.state(), unit).charge.is_none() {
        return;
    }
    let clause = match why {
        ChargeEnd::Feint => Clause::BreakingAChargeOff,
        ChargeEnd::TargetGone | ChargeEnd::OutOfReach | ChargeEnd::Blocked => Clause::HalfTheChargeLeft,
        ChargeEnd::FailedHome => Clause::StoppedTwoInchesShort,
        ChargeEnd::Broken => Clause::TheCounteredTestOnTheSpot,
        ChargeEnd::Fought => Clause::TheLastTestOfACharge,
    };
    hidden::announce(umpire, unit, Event::own(clause, DaysEvent::ChargeEnds { unit, why }));
    let field = umpire.state();
    let tested = matches!(why, ChargeEnd::FailedHome | ChargeEnd::Fought);
    if !tested && is_there(field, unit) && !field::is_routing(field, unit) && troops(field, unit).turn.shot_down > 0 {
        morale::casualties(umpire, unit);
    }
}

/// Remembers what a unit did until the turn ends.
pub(super) fn did(umpire: &mut Umpire<'_, Days>, unit: UnitId, doing: Doing, clauses: &[Clause]) {
    let Some((first, others)) = clauses.split_first() else { return };
    let event = Event::own(*first, DaysEvent::Did { unit, doing });
    let event = others.iter().fold(event, |event, clause| event.also(*clause));
    hidden::announce(umpire, unit, event);
}

/// The name people know a unit by.
pub(super) fn name(field: &Field, unit: UnitId) -> &str {
    &field.card(unit).name
}

/// Declining, which is always lawful; anything that answers another question is not.
pub(super) fn declined_or_misplaced(order: &Order, clause: Clause) -> Verdict {
    match order {
        Order::Pass => Verdict::fine(),
        _ => Verdict::refused(clause, "that is no answer to this question"),
    }
}
