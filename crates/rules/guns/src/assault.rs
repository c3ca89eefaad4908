//! P9: those who passed go forward, press on against further enemies, meet them, fight, break in or through (retirefire-c,
//! -d, quarters-a to -d, close-a to -m, cause-a, -h, -l, R29, R32 to R36, R75, R80).

pub mod forward;
pub mod outcome;

use super::clause::Clause;
use super::event::GunsEvent;
use super::field::{self, Field};
use super::flinch::{self, Flinching, aim};
use super::order::{Decision, Order};
use super::sequence::{Given, Phase};
use super::unit::ChargeStage;
use super::{Guns, disorder, forced, hidden, melee, shooting};
use engine::{Event, Flow, Side, Umpire, UnitId, Verdict, Who};
use serde::{Deserialize, Serialize};
use table::Length;

/// What comes next in the step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stage {
    /// Who is to go forward.
    #[default]
    Begin,
    /// Forward, one after another.
    Forward,
    /// Alignment, fights, outcomes.
    Fight,
    /// Winning cavalry may ride through.
    Ride,
    /// Foot that would not storm again may lie down.
    LieDown,
    /// Disorder, and the end.
    Over,
}

/// Where the step has got to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Assault {
    stage: Stage,
    /// Chargers still to go forward, in the order of the dice.
    queue: Vec<UnitId>,
    /// Enemies each charger has gone for this bound.
    tried: Vec<(UnitId, UnitId)>,
    /// Winning cavalry whose owner may choose to ride through.
    pub(super) riders: Vec<UnitId>,
    /// Beaten cavalry, with the enemy who beat it.
    pub(super) beaten: Vec<(UnitId, UnitId)>,
    /// Foot that failed its second test and may lie down.
    pub(super) halted: Vec<UnitId>,
}

/// Turns the page.
pub fn advance(umpire: &mut Umpire<'_, Guns>, mut assault: Assault) -> Flow<Guns> {
    match assault.stage {
        Stage::Begin => {
            forget_rides(umpire);
            assault.queue = aim::chargers(umpire.state(), |stage| stage == ChargeStage::Passed);
            assault.stage = Stage::Forward;
        }
        Stage::Forward => {
            if let Some(question) = go_forward(umpire, &mut assault) {
                umpire.replace(Phase::Assault(assault));
                return question;
            }
        }
        Stage::Fight => {
            fight_all(umpire, &mut assault);
            assault.stage = Stage::Ride;
        }
        Stage::Ride => match assault.riders.pop() {
            Some(unit) => {
                let question = outcome::may_ride_through(umpire.state(), unit, &assault.beaten);
                umpire.replace(Phase::Assault(assault));
                return if question {
                    Flow::Ask(Who::One(umpire.state().side_of(unit)), Decision::RideThrough { unit })
                } else {
                    Flow::Again
                };
            }
            None => assault.stage = Stage::LieDown,
        },
        Stage::LieDown => {
            assault.stage = Stage::Over;
            let question = flinch::ask_to_lie_down(umpire.state(), &assault.halted);
            umpire.replace(Phase::Assault(assault));
            return question.unwrap_or(Flow::Again);
        }
        Stage::Over => {
            end(umpire);
            return Flow::Done;
        }
    }
    umpire.replace(Phase::Assault(assault));
    Flow::Again
}

/// Who rode through last bound had this one to make use of it (R80).
fn forget_rides(umpire: &mut Umpire<'_, Guns>) {
    let rode: Vec<UnitId> =
        umpire.state().units().filter(|(_, unit)| unit.own.rode_through).map(|(id, _)| id).collect();
    for unit in rode {
        let event = Event::own(Clause::FreshContactNext, GunsEvent::RodeThrough { unit, rode: false });
        hidden::announce(umpire, unit, event);
    }
}

/// One step forward of the first in the queue: its advance, then the question whether it presses on.
fn go_forward(umpire: &mut Umpire<'_, Guns>, assault: &mut Assault) -> Option<Flow<Guns>> {
    let Some(unit) = assault.queue.first().copied() else {
        assault.stage = Stage::Fight;
        return None;
    };
    let field = umpire.state();
    if !field::is_there(field, unit) || aim::stage(field, unit) != Some(ChargeStage::Passed) {
        assault.queue.remove(0);
        return None;
    }
    if let Some(at) = aim::target(field, unit).filter(|at| !assault.tried.contains(&(unit, *at))) {
        assault.tried.push((unit, at));
    }
    if let Some(goal) = field::troops(field, unit).bound.goal {
        forward::go(umpire, unit, goal);
        return None;
    }
    let among = further(field, unit, &assault.tried);
    if among.is_empty() {
        assault.queue.remove(0);
        return None;
    }
    Some(Flow::Ask(Who::One(field.side_of(unit)), Decision::PressOn { unit, among }))
}

/// Further enemies straight ahead whom a charger can reach with what is left of its move (R29).
fn further(field: &Field, unit: UnitId, tried: &[(UnitId, UnitId)]) -> Vec<UnitId> {
    let left = aim::left(field, unit);
    if left <= Length::ZERO {
        return Vec::new();
    }
    let met = aim::ahead(field, unit, left);
    let Some((first, _)) = met.first().copied() else { return Vec::new() };
    let beside = first + field::distance(field, &field.charts().pace.standoff);
    // Nobody is charged through another: whoever stands further off than the first is behind him.
    let reached: Vec<UnitId> = { met }.into_iter().filter(|(way, _)| *way <= beside).map(|(_, id)| id).collect();
    let fresh = |at: &UnitId| {
        !tried.contains(&(unit, *at))
            && aim::may_go_for(field, unit, *at)
            && (!aim::needs_test(field, *at) || field::may_charge_by_status(field, unit))
    };
    { reached }.into_iter().filter(fresh).collect()
}

/// Judges a further target.
pub fn check_press_on(among: &[UnitId], order: &Order) -> Verdict {
    match order {
        Order::Pass => Verdict::fine(),
        Order::PressOn { at } if among.contains(at) => Verdict::fine(),
        _ => Verdict::refused(Clause::FollowOn, "name one of the enemies in its path within reach, or halt"),
    }
}

/// Goes on, or stops.
pub fn execute_press_on(umpire: &mut Umpire<'_, Guns>, unit: UnitId, given: Given) {
    let side = umpire.state().side_of(unit);
    let Some(Order::PressOn { at }) = given[side] else {
        if let Some(Phase::Assault(assault)) = umpire.phase() {
            assault.queue.retain(|waiting| *waiting != unit);
        }
        return;
    };
    let event = Event::own(Clause::FollowOn, GunsEvent::ChargeTurns { unit, at }).also(Clause::ProcessRepeated);
    hidden::announce(umpire, unit, event);
    let field = umpire.state();
    let by = aim::distance_to(field, unit, at) - field::flinch_distance(field, at);
    forward::take_ground(umpire, unit, by.max(Length::ZERO));
    if field::is_there(umpire.state(), unit) && field::is_there(umpire.state(), at) {
        flinch::outcome::set_stage(umpire, unit, ChargeStage::Tested, Clause::FlinchBeforeContact);
        umpire.begin(Phase::Flinch(Flinching::pressing(unit)));
    }
}

/// Judges the choice of winning cavalry.
pub fn check_ride_through(order: &Order) -> Verdict {
    match order {
        Order::Pass | Order::RideThrough => Verdict::fine(),
        _ => Verdict::refused(Clause::CavalryBreaksThrough, "the winners ride through the losers or stay"),
    }
}

/// Rides through, or stays.
pub fn execute_ride_through(umpire: &mut Umpire<'_, Guns>, unit: UnitId, given: Given) {
    let side = umpire.state().side_of(unit);
    let Some(Phase::Assault(assault)) = umpire.top() else { return umpire.fault("a ride outside the assault") };
    if given[side] == Some(Order::RideThrough) {
        outcome::ride_through(umpire, unit, &assault.beaten);
    }
}

/// All close combats: alignment, every die, then damage, then what follows.
fn fight_all(umpire: &mut Umpire<'_, Guns>, assault: &mut Assault) {
    outcome::let_go(umpire);
    let pairs = melee::pairs(umpire.state());
    for (attacker, defender) in &pairs {
        melee::align(umpire, *attacker, *defender);
    }
    let combats = melee::combats(umpire.state(), &pairs);
    let mut scores = Vec::with_capacity(combats.len());
    for combat in &combats {
        scores.push(melee::exchange(umpire, combat));
    }
    for score in &scores {
        melee::hurt(umpire, score);
    }
    shooting::bury(umpire);
    for (combat, score) in combats.iter().zip(&scores) {
        outcome::settle(umpire, assault, combat, score);
    }
    // The dice of the order are asked side A first, and a list is taken from its end.
    let field = umpire.state();
    assault.riders.sort_by_key(|unit| (field.side_of(*unit) == Side::A, std::cmp::Reverse(*unit)));
}

/// P9.5: who fought and who charged in vain is out of order (cause-a, -h, R36).
fn end(umpire: &mut Umpire<'_, Guns>) {
    let field = umpire.state();
    let mut shaken: Vec<(UnitId, Clause)> = Vec::new();
    for side in Side::BOTH {
        for (id, unit) in field.present(side) {
            if unit.own.bound.fought {
                shaken.push((id, Clause::DisorderedByMelee));
            } else if matches!(aim::stage(field, id), Some(ChargeStage::Passed | ChargeStage::Short)) {
                shaken.push((id, Clause::ChargeWithoutContact));
            }
        }
    }
    for (unit, clause) in shaken {
        disorder::disorder(umpire, unit, clause);
    }
    outcome::let_go(umpire);
    shooting::bury(umpire);
    forced::disturb(umpire);
}
