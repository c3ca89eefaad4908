//! The five morale tests: scores, dice, results. Sections 17.2, fac, C-15 to C-17, A-11 to A-20.

mod factors;
mod flanks;
#[cfg(test)]
pub(super) mod tests;

use super::Days;
use super::charts::{Charts, Condition};
use super::clause::Clause;
use super::event::{DaysEvent, Doing, Test, TurnStep};
use super::field::{self, Few, Field};
use super::unit::{Arm, OrderState};
use super::{hidden, rout};
use engine::{CommanderId, Event, Reckoning, Umpire, UnitId};

pub use factors::{losses, shot_by};
pub use flanks::are_secure;

/// What a test is about, beyond the unit's own state.
#[derive(Clone, Debug, Default)]
pub struct Occasion {
    /// The charger's target, or the charger.
    pub against: Option<UnitId>,
    /// The general who tries to rally it.
    pub helped_by: Option<CommanderId>,
    /// Struck by a break-through.
    pub break_through: bool,
}

/// How a test went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tested {
    /// Passed.
    pub passed: bool,
    /// Score less roll.
    pub margin: i32,
}

/// The score to beat, line by line.
pub fn score(field: &Field, unit: UnitId, test: Test, occasion: &Occasion) -> Reckoning {
    factors::score(field, unit, test, occasion)
}

/// Whether a unit has a rung on the ladder of order at all.
pub fn has_order(field: &Field, unit: UnitId) -> bool {
    matches!(field::facts(field, unit).arm, Arm::Infantry | Arm::Cavalry | Arm::Artillery)
}

/// Rolls and announces; applies nothing.
pub fn roll(umpire: &mut Umpire<'_, Days>, unit: UnitId, test: Test, occasion: &Occasion) -> Tested {
    roll_citing(umpire, unit, test, occasion, &[])
}

/// The same under further clauses. No face of the die decides by itself: a score of nought or less always passes, one
/// of six or more never.
pub fn roll_citing(
    umpire: &mut Umpire<'_, Days>,
    unit: UnitId,
    test: Test,
    occasion: &Occasion,
    clauses: &[Clause],
) -> Tested {
    let field = umpire.state();
    let (side, pool) = (field.side_of(unit), field.charts().test.dice.value.0);
    let reckoning = score(field, unit, test, occasion);
    let superior = occasion.helped_by.is_some_and(|general| {
        let chain = field::chain(field, unit);
        chain.contains(&general) && chain.first() != Some(&general)
    });
    let countered = test == Test::BeingCharged && is_countered(field, unit, occasion.against);
    let total = reckoning.whole();
    let roll = umpire.roll(pool, side);
    let margin = total - roll.total();
    let passed = margin < 0;
    let tested =
        DaysEvent::Tested { unit, test, against: occasion.against, score: clamp(total), passed, margin: clamp(margin) };
    let event = Event::own(Clause::HowATestIsTaken, tested)
        .also(Clause::BeatTheScoreToPass)
        .also(called_for_by(test, occasion))
        .also_if(test != Test::Casualties, Clause::WhoHasToTest)
        .also_if(countered, Clause::TheCounteredTestOnTheSpot)
        .also_if(occasion.helped_by.is_some(), Clause::GeneralsWhoRallyTroops)
        .also_if(superior, Clause::ASuperiorLendsAHand)
        .also_if(superior, Clause::ChoosingAmongGenerals);
    let event = clauses.iter().fold(event, |event, clause| event.also(*clause));
    hidden::announce(umpire, unit, event.rolled(roll).because(reckoning));
    Tested { passed, margin }
}

/// Whether a unit is met by a charge against its own.
fn is_countered(field: &Field, unit: UnitId, by: Option<UnitId>) -> bool {
    let charge = by.and_then(|by| field::troops(field, by).charge.as_ref());
    charge.is_some_and(|charge| charge.counter && charge.at == unit)
}

fn clamp(figure: i32) -> i8 {
    figure.clamp(i32::from(i8::MIN), i32::from(i8::MAX)) as i8
}

/// The clause that calls for a test.
const fn called_for_by(test: Test, occasion: &Occasion) -> Clause {
    match test {
        Test::ToCharge => Clause::TestingToCharge,
        Test::BeingCharged if occasion.break_through => Clause::TestingUnderBreakThrough,
        Test::BeingCharged => Clause::TargetsTestOnceAllHaveMoved,
        Test::Casualties => Clause::TestingAfterFire,
        Test::ChargingHome => Clause::TheLastTestOfACharge,
        Test::Rally => Clause::WhatTheMoralePhaseDoes,
    }
}

/// Being Charged: rolls and applies what a failure does (shaken or rout). True if it passed. Routers are not tested:
/// they run on.
pub fn being_charged(umpire: &mut Umpire<'_, Days>, unit: UnitId, occasion: &Occasion) -> bool {
    let field = umpire.state();
    if !field::is_there(field, unit) || field::is_routing(field, unit) {
        return false;
    }
    let tested = roll(umpire, unit, Test::BeingCharged, occasion);
    if tested.passed {
        return true;
    }
    let outcome = &umpire.charts().outcome;
    let rout_at = if occasion.break_through { outcome.breakthrough_rout_at } else { outcome.charged_rout_at };
    if !has_order(umpire.state(), unit) {
        // Staff and engineers hold no state: a failure only keeps them where they are.
        return false;
    }
    if tested.margin >= rout_at.value.get() {
        let clause = if occasion.break_through { Clause::GivingWayToIt } else { Clause::WhyTroopsRout };
        rout::begin(umpire, unit, occasion.against, clause);
    } else {
        worsen(umpire, unit, OrderState::Shaken, Clause::OtherWaysToLoseOrder);
    }
    false
}

/// Casualties: rolls and applies what a failure does. Whoever is committed to a charge is not tested in the Shooting
/// Phase but when his charge comes to nothing; routers never.
pub fn casualties(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let field = umpire.state();
    let committed = field.ledger().step == TurnStep::Shooting && field::troops(field, unit).charge.is_some();
    let exempt = committed || field::is_routing(field, unit) || !has_order(field, unit);
    if exempt || !field::is_there(field, unit) || factors::losses(field, unit) == 0 {
        return;
    }
    let by = factors::shot_by(field, unit);
    let tested = roll(umpire, unit, Test::Casualties, &Occasion { against: by, ..Occasion::default() });
    if tested.passed {
        return;
    }
    let lies_down = field::is_foot(umpire.state(), unit) && !field::facts(umpire.state(), unit).is_battery();
    match under_fire(umpire.charts(), lies_down, tested.margin) {
        Condition::Routing => rout::begin(umpire, unit, by, Clause::WhyTroopsRout),
        condition => {
            halt(umpire, unit);
            become_so(umpire, unit, condition, Clause::OtherWaysToLoseOrder);
        }
    }
}

/// What a failed test after losses makes of a unit; whoever does not rout is halted as well (C-17).
pub fn under_fire(charts: &Charts, on_foot: bool, margin: i32) -> Condition {
    let outcome = &charts.outcome;
    if margin >= outcome.shot_rout_at.value.get() {
        Condition::Routing
    } else if margin >= outcome.shot_shaken_at.value.get() {
        Condition::Shaken
    } else if on_foot {
        outcome.shot_halted_foot.value
    } else {
        outcome.shot_halted_others.value
    }
}

/// Neither the unit nor any part of it goes nearer to the enemy this turn.
fn halt(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    for body in bodies(umpire.state(), unit) {
        let did = DaysEvent::Did { unit: body, doing: Doing::Halted };
        hidden::announce(umpire, body, Event::own(Clause::HaltedByFire, did).also(Clause::HaltedForOneTurn));
    }
}

/// A unit and its parts, as far as they are on the table.
pub fn bodies(field: &Field, unit: UnitId) -> Few {
    let whole = field::whole(field, unit);
    let own = std::iter::once(whole).filter(|id| field::is_there(field, *id));
    own.chain(field::parts_out(field, whole)).collect()
}

/// What a result makes of a unit: never better than it was.
pub fn become_so(umpire: &mut Umpire<'_, Days>, unit: UnitId, condition: Condition, clause: Clause) {
    match condition {
        Condition::Good => {}
        Condition::Disordered => worsen(umpire, unit, OrderState::Disordered, clause),
        Condition::Shaken => worsen(umpire, unit, OrderState::Shaken, clause),
        Condition::Routing => rout::begin(umpire, unit, None, clause),
        Condition::ToGround => lie_down(umpire, unit, Clause::GoingToGround),
    }
}

/// A unit goes to ground.
fn lie_down(umpire: &mut Umpire<'_, Days>, unit: UnitId, clause: Clause) {
    let whole = field::whole(umpire.state(), unit);
    if !field::troops(umpire.state(), whole).to_ground {
        let event = Event::own(clause, DaysEvent::ToGround { unit: whole, down: true });
        hidden::announce(umpire, whole, event);
    }
}

/// A unit falls to a rung if it stands higher: never improves.
pub fn worsen(umpire: &mut Umpire<'_, Days>, unit: UnitId, to: OrderState, clause: Clause) {
    let field = umpire.state();
    let whole = field::whole(field, unit);
    if !has_order(field, whole) || field::order(field, whole) >= to {
        return;
    }
    let event = Event::own(clause, DaysEvent::OrderIs { unit: whole, order: to }).also(Clause::StatesOfOrder);
    hidden::announce(umpire, whole, event);
}
