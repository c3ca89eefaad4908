//! P4 and P5: the sealed plans (D1), their check, counter-charges (R30). `Order::Pass` is the plan the house makes for a
//! side: every activated brigade goes straight forward as far as its duty asks, and nothing else moves; so it is always
//! legal.

pub mod charge;
mod check;
pub mod duty;
pub mod ground;
pub mod limits;
pub mod post;
pub mod route;
pub mod space;
#[cfg(test)]
mod tests;

use super::Guns;
use super::clause::Clause;
use super::event::GunsEvent;
use super::field::{self, Field, is_there, troops};
use super::formation::Formation;
use super::order::{Decision, Move, Order, Shot, Step};
use super::sequence::{Given, Phase, ask};
use super::unit::{Charge, ChargeStage, Observer};
use super::{cycle, disorder, hidden, pace, quarters};
use engine::{BySide, CommandId, Event, Flow, Side, Umpire, UnitId, Verdict, View};
use route::Route;
use serde::{Deserialize, Serialize};
use table::march::Leg;
use table::{Length, Pose};

/// Where plotting has got to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Plotting {
    /// Plans are made.
    #[default]
    Plot,
    /// Cavalry charged by cavalry answers.
    Counter,
    /// Charges move to their flinch points.
    Charge,
}

/// Turns the page.
pub fn advance(umpire: &mut Umpire<'_, Guns>, plotting: Plotting) -> Flow<Guns> {
    match plotting {
        Plotting::Plot => {
            let field = umpire.state();
            let choice = BySide::from_fn(|side| has_choice(field, side));
            ask(choice, Decision::Plot).unwrap_or_else(|| {
                execute(umpire, Given::default());
                Flow::Again
            })
        }
        Plotting::Counter => {
            let able = charge::able_to_counter(umpire.state());
            let choice = BySide::from_fn(|side| !able[side].is_empty());
            ask(choice, Decision::CounterCharge { able }).unwrap_or_else(|| {
                umpire.replace(Phase::Plotting(Plotting::Charge));
                Flow::Again
            })
        }
        Plotting::Charge => {
            quarters::charges(umpire);
            Flow::Done
        }
    }
}

/// Whether a side has anything to plan: troops that obey, guns to unlimber, generals, observers.
fn has_choice(field: &Field, side: Side) -> bool {
    let generals = field
        .commanders()
        .any(|(id, general)| field.muster().commander(id).side == side && general.is_present() && general.own.is_fit());
    generals
        || field.present(side).any(|(id, unit)| {
            let own = &unit.own;
            let guns = field::facts(field, id).is_battery() && limits::helpless(field, id).is_none();
            let crew = matches!(own.observer, Some(Observer::At(_))) || post::may_return(field, id);
            limits::idle(field, id).is_none()
                || guns
                || crew
                || own.rode_through
                || post::lie_down_objection(field, id).is_none()
        })
}

/// Judges a plan, telling every reason of every move.
pub fn check(view: &View<'_, Guns>, side: Side, order: &Order) -> Verdict {
    match order {
        Order::Pass => Verdict::fine(),
        Order::Plot { moves, groups } => check::judge(view, side, moves, groups),
        _ => Verdict::refused(Clause::BothSidesEachStep, "a plan is asked for"),
    }
}

/// Both plans lie open: announced, charges declared.
pub fn execute(umpire: &mut Umpire<'_, Guns>, given: Given) {
    let mut given = given;
    let field = umpire.state();
    let plans = BySide::from_fn(|side| match given[side].take() {
        Some(Order::Plot { moves, groups }) => (moves, groups),
        _ => (dutiful(field, side), Vec::new()),
    });
    for (side, (moves, groups)) in plans.iter() {
        hidden::announce_plan(umpire, side, moves.clone(), groups.clone());
    }
    for (_, (moves, _)) in plans.iter() {
        let mut charges: Vec<_> = moves
            .iter()
            .filter_map(|line| match line {
                Move::Charge { unit, at, led_by, .. } => Some((*unit, *at, *led_by)),
                _ => None,
            })
            .collect();
        charges.sort_by_key(|(unit, ..)| *unit);
        for (unit, at, led_by) in charges {
            let left = pace::full_move(umpire.state(), unit).0;
            let charge = Charge { at, stage: ChargeStage::Moving, left, led_by, counter: false, from: None };
            declare(umpire, unit, charge);
        }
    }
    cycle::announce_fire(umpire);
    umpire.replace(Phase::Plotting(Plotting::Counter));
}

/// Declares a charge; a second one running costs order (cause-i, R36).
fn declare(umpire: &mut Umpire<'_, Guns>, unit: UnitId, charge: Charge) {
    if !is_there(umpire.state(), unit) {
        return;
    }
    hidden::reveal(umpire, unit, Clause::AmbushedSilent);
    if troops(umpire.state(), unit).reforming {
        umpire.announce(Event::own(Clause::FreshContactNext, GunsEvent::Reforming { unit, reforming: false }));
    }
    let (again, counter) = (troops(umpire.state(), unit).charged_last, charge.counter);
    let from = Some(umpire.state().unit(unit).pose().at);
    let charge = Box::new(Charge { from, ..charge });
    let event =
        if counter { GunsEvent::CounterCharges { unit, charge } } else { GunsEvent::ChargeDeclared { unit, charge } };
    umpire.announce(
        Event::own(Clause::ChargeNeedsTest, event).also(Clause::ChargeLimiter).also_if(again, Clause::ChargeAgain),
    );
    if again {
        disorder::disorder(umpire, unit, Clause::ChargeAgain);
    }
}

/// Judges counter-charges.
pub fn check_counter(view: &View<'_, Guns>, able: &[Shot], order: &Order) -> Verdict {
    let field: &Field = view;
    match order {
        Order::Pass => Verdict::fine(),
        Order::CounterCharge { units } => {
            let mut verdict = Verdict::fine();
            for (no, unit) in units.iter().enumerate() {
                if !able.iter().any(|shot| shot.unit == *unit) {
                    verdict.refuse(Clause::CavalryInContact, "it cannot ride against a charge").about(*unit);
                } else if units.iter().take(no).any(|other| other == unit) {
                    let text = format!("{} is named twice", limits::name(field, *unit));
                    verdict.refuse(Clause::CavalryInContact, text).about(*unit);
                }
            }
            verdict
        }
        _ => Verdict::refused(Clause::CavalryInContact, "cavalry to ride against those who charge it is asked for"),
    }
}

/// Declares them.
pub fn execute_counter(umpire: &mut Umpire<'_, Guns>, able: &BySide<Vec<Shot>>, given: Given) {
    for (side, order) in given.iter() {
        let Some(Order::CounterCharge { units }) = order else { continue };
        for shot in able[side].iter().filter(|shot| units.contains(&shot.unit)) {
            let left = pace::full_move(umpire.state(), shot.unit).0;
            let charge =
                Charge { at: shot.at, stage: ChargeStage::Moving, left, led_by: None, counter: true, from: None };
            declare(umpire, shot.unit, charge);
        }
    }
    umpire.replace(Phase::Plotting(Plotting::Charge));
}

/// P5: everything else moves, quarter by quarter.
pub fn move_all(umpire: &mut Umpire<'_, Guns>) {
    quarters::others(umpire);
}

/// The plan the house makes for a side that makes none: duty and nothing else.
pub fn dutiful(field: &Field, side: Side) -> Vec<Move> {
    let duties = duty::duties(field, side);
    duties.into_iter().map(|(unit, duty)| Move::March { unit, steps: duty.steps, defend: None }).collect()
}

/// What of its move a unit could spend this bound, and why it could not move at all (clause and words). For prompts,
/// candidates and bots.
pub fn allowance(field: &Field, unit: UnitId) -> Result<Length, (Clause, String)> {
    match limits::idle(field, unit) {
        Some(reason) => Err(reason),
        None if troops(field, unit).pinned => Err((Clause::Pinned, "it flinched and stays where it is".to_owned())),
        None => Ok(pace::full_move(field, unit).0),
    }
}

/// Enemies a unit could charge this bound as far as anybody can see, with the legs that take it there.
pub fn charge_targets(field: &Field, unit: UnitId) -> Vec<(UnitId, Vec<Leg>)> {
    charge::targets(field, unit)
}

/// Progress a brigade's duty asks for and what a plan gives it, toward the enemy's baseline (R48).
pub fn duty(field: &Field, brigade: CommandId, moves: &[Move]) -> (Length, Length) {
    let side = field.muster().command(brigade).side;
    let duties = duty::duties(field, side);
    let ways = moves.iter().filter_map(|line| way_of(field, line));
    check::tally(field, brigade, &ways.collect(), &duties)
}

/// The brigades of a side for which a plan gains less ground than their duty asks, or leads away from what they were
/// sent to (R48, R50).
pub fn short_of_duty(field: &Field, side: Side, moves: &[Move]) -> Vec<CommandId> {
    let duties = duty::duties(field, side);
    let ways: check::Ways = moves.iter().filter_map(|line| way_of(field, line)).collect();
    let fails = |brigade: &CommandId| {
        let (need, given) = check::tally(field, *brigade, &ways, &duties);
        let ends = duty::ends_of(field, *brigade, |unit| ways.get(&unit).map(Route::end_within));
        given < need || super::command::drift(field, *brigade, &ends).is_some()
    };
    let activated = field::brigades(field, side).filter(|brigade| duty::is_activated(field, *brigade));
    activated.filter(fails).collect()
}

fn way_of(field: &Field, line: &Move) -> Option<(UnitId, Route)> {
    match line {
        Move::March { unit, steps, defend } if is_there(field, *unit) => {
            Some((*unit, Route::defending(field, *unit, steps, None, *defend)))
        }
        Move::Charge { unit, at, legs, .. } if is_there(field, *unit) && is_there(field, *at) => {
            Some((*unit, charge::lay(field, *unit, *at, legs, None).ok()?.route))
        }
        _ => None,
    }
}

/// What a plan costs a unit: what it uses up, the full move that counts against, where it ends and how.
pub fn move_cost(field: &Field, unit: UnitId, steps: &[Step]) -> (Length, Length, Pose, Formation) {
    let route = Route::plan(field, unit, steps, None);
    let end = route.end();
    (route.cost, route.full, end.pose, end.formation)
}

/// The way of a unit from where it stands, at the pace of the group it moves with this bound.
pub fn route_of(field: &Field, unit: UnitId, steps: &[Step], defend: Option<engine::FeatureId>) -> Route {
    let pace = check::group_pace(field, &field.ledger().groups, unit);
    Route::defending(field, unit, steps, pace, defend)
}
