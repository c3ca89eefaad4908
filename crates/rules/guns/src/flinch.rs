//! P8: flinch tests, fire on those who break, and what the results demand (flinch-a to -q, failed-a to -j, passed-a to
//! -g, R20 to R31, R62, R66, R82).

pub mod aim;
#[cfg(test)]
pub(super) mod bench;
pub mod footing;
pub mod outcome;
pub mod perimeter;
pub mod room;
#[cfg(test)]
mod tests;

use super::clause::Clause;
use super::event::{GunsEvent, Retreat};
use super::field::{self, Field};
use super::order::{Decision, Order};
use super::sequence::{self, Given, Phase};
use super::settings::FlinchDamage;
use super::unit::{ChargeStage, Cycle};
use super::{Guns, forced, hidden, retreat};
use engine::{BySide, Event, Flow, Reckoning, Side, Umpire, UnitId, Verdict, View, Who};
use footing::Footing;
use serde::{Deserialize, Serialize};
use table::SLACK;

pub use outcome::release;

/// What comes next in the step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stage {
    /// All tests.
    #[default]
    Tests,
    /// Charge by charge, what they demand.
    Results,
    /// Foot that failed may lie down.
    LieDown,
    /// Nothing more.
    Over,
}

/// Where the step has got to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Flinching {
    stage: Stage,
    /// The one charger of a charge pressed on; everybody where there is none.
    only: Option<UnitId>,
    /// Chargers whose result is still to be carried out, in the order of the dice.
    queue: Vec<UnitId>,
    /// By how much those tested passed or failed (R31).
    margins: Vec<(UnitId, i32)>,
    /// Batteries whose owner has chosen, defenders who were tested.
    done: Vec<UnitId>,
    /// Foot that failed and may lie down.
    halted: Vec<UnitId>,
}

impl Flinching {
    /// The process repeated for one charger that presses on (retirefire-d).
    pub fn pressing(unit: UnitId) -> Flinching {
        Flinching { only: Some(unit), ..Flinching::default() }
    }

    fn margin(&self, unit: UnitId) -> i32 {
        self.margins.iter().find(|(id, _)| *id == unit).map_or(0, |(_, margin)| *margin)
    }
}

/// Turns the page.
pub fn advance(umpire: &mut Umpire<'_, Guns>, mut flinching: Flinching) -> Flow<Guns> {
    match flinching.stage {
        Stage::Tests => {
            test_all(umpire, &mut flinching);
            flinching.stage = Stage::Results;
        }
        Stage::Results => match flinching.queue.first().copied() {
            Some(unit) => {
                if let Some(battery) = carry_out(umpire, &mut flinching, unit) {
                    let owner = umpire.state().side_of(battery);
                    umpire.replace(Phase::Flinch(flinching));
                    return Flow::Ask(Who::One(owner), Decision::Abandon { battery });
                }
                flinching.queue.remove(0);
            }
            None => flinching.stage = Stage::LieDown,
        },
        Stage::LieDown => {
            flinching.stage = Stage::Over;
            let question = ask_to_lie_down(umpire.state(), &flinching.halted);
            umpire.replace(Phase::Flinch(flinching));
            return question.unwrap_or(Flow::Again);
        }
        Stage::Over => {
            forced::disturb(umpire);
            return Flow::Done;
        }
    }
    umpire.replace(Phase::Flinch(flinching));
    Flow::Again
}

/// Asks the owners of foot that failed whether it lies down.
pub fn ask_to_lie_down(field: &Field, halted: &[UnitId]) -> Option<Flow<Guns>> {
    let units: Vec<UnitId> = Side::BOTH.into_iter().flat_map(|side| outcome::of_side(field, halted, side)).collect();
    let has_choice = BySide(Side::BOTH.map(|side| !outcome::of_side(field, &units, side).is_empty()));
    sequence::ask(has_choice, Decision::LieDown { units })
}

/// All first tests, in the order of the dice (R79).
fn test_all(umpire: &mut Umpire<'_, Guns>, flinching: &mut Flinching) {
    let tested = match flinching.only {
        Some(unit) => vec![unit],
        None => {
            let waiting = aim::chargers(umpire.state(), |stage| stage == ChargeStage::Tested);
            for unit in &waiting {
                take_aim(umpire, *unit);
            }
            aim::chargers(umpire.state(), |stage| stage == ChargeStage::Tested)
        }
    };
    let mut results = Vec::with_capacity(tested.len());
    for unit in &tested {
        let Some(at) = aim::target(umpire.state(), *unit) else { continue };
        let field = umpire.state();
        if !field::is_there(field, *unit) {
            continue;
        }
        let passed = if !field::is_there(field, at) || !aim::needs_test(field, at) {
            true
        } else {
            let margin = take_test(umpire, *unit, Some(at), false);
            flinching.margins.extend(margin.map(|margin| (*unit, margin)));
            margin.is_some_and(|margin| margin >= 0)
        };
        results.push((*unit, passed));
    }
    // Nobody's result counts before all have rolled: chargers who fail were still there to be counted (R24).
    for (unit, passed) in results {
        let (stage, clause) =
            if passed { (ChargeStage::Passed, Clause::PressesOn) } else { (ChargeStage::Failed, Clause::FailedHalts) };
        outcome::set_stage(umpire, unit, stage, clause);
    }
    flinching.queue = tested;
}

/// Whom the charge really meets: whoever stands across its path, nobody if the enemy is out of reach (R20).
fn take_aim(umpire: &mut Umpire<'_, Guns>, unit: UnitId) {
    let field = umpire.state();
    let Some(at) = aim::target(field, unit) else { return };
    if !field::is_there(field, at) {
        return;
    }
    let across = aim::across_the_way(field, unit, at);
    let at = across.unwrap_or(at);
    let barred = !aim::may_go_for(field, unit, at);
    let short = barred || aim::gap(field, unit, at) > aim::left(field, unit) + SLACK;
    if across.is_some() && !barred {
        let event = Event::own(Clause::FlinchBeforeContact, GunsEvent::ChargeTurns { unit, at });
        hidden::announce(umpire, unit, event);
    }
    if short {
        outcome::set_stage(umpire, unit, ChargeStage::Short, Clause::ChargeWithoutContact);
    }
}

/// One flinch test. By how much it was passed, negative where it failed; nothing where the unit is too worn to take it.
pub fn take_test(umpire: &mut Umpire<'_, Guns>, unit: UnitId, at: Option<UnitId>, second: bool) -> Option<i32> {
    let field = umpire.state();
    if !field::may_charge_by_status(field, unit) {
        outcome::set_stage(umpire, unit, ChargeStage::Failed, Clause::TooWornToTest);
        return None;
    }
    let (side, pool) = (field.side_of(unit), field.charts().flinch.die.value.0);
    let reckoning = reckoning(field, unit, at);
    let total = reckoning.whole();
    let roll = umpire.roll(pool, side);
    let margin = total - roll.single();
    let shown = total.clamp(i32::from(i8::MIN), i32::from(i8::MAX)) as i8;
    let passed = margin >= 0;
    let clause = if second { Clause::SecondFlinch } else { Clause::FlinchRoll };
    let event = Event::own(clause, GunsEvent::Flinch { unit, at, total: shown, passed, second })
        .also_if(!second && at.is_some(), Clause::ChargeNeedsTest)
        .also_if(second, Clause::StoppedAtPerimeter);
    let event = event.also_if(!second && at.is_some(), Clause::FlinchBeforeContact);
    let lately = umpire.state().settings().flinch_damage == FlinchDamage::ThisBound;
    let event = event.also_if(lately, Clause::FlinchDamageChoice);
    let event = event.also_if(at.is_none(), Clause::DefenderFlinch).rolled(roll).because(reckoning);
    hidden::announce(umpire, unit, event);
    if passed {
        release(umpire, unit, Clause::ReleasedByTest);
    }
    Some(margin)
}

/// Carries the result of one charge out. A battery whose owner must choose first stops it.
fn carry_out(umpire: &mut Umpire<'_, Guns>, flinching: &mut Flinching, unit: UnitId) -> Option<UnitId> {
    let field = umpire.state();
    if !field::is_there(field, unit) {
        return None;
    }
    match aim::stage(field, unit) {
        Some(ChargeStage::Passed) => go_in(umpire, flinching, unit),
        Some(ChargeStage::Failed) => {
            fail(umpire, flinching, unit);
            None
        }
        _ => None,
    }
}

/// A charger that would not go in. Who fails against an enemy who passes is simply charged by him (R31).
fn fail(umpire: &mut Umpire<'_, Guns>, flinching: &mut Flinching, unit: UnitId) {
    let field = umpire.state();
    let Some(at) = aim::target(field, unit) else { return };
    let charged = aim::goes_in_on(field, at, unit);
    // Who was driven off already does not halt as well.
    if field::troops(field, unit).bound.retired || charged {
        return;
    }
    if field::is_mounted(field, unit) {
        let before = field::is_there(field, at).then_some(at);
        retreat::retire(umpire, unit, before, Retreat::FellBack);
    } else if outcome::halt_foot(umpire, unit) {
        flinching.halted.push(unit);
    }
}

/// A charger that goes in.
fn go_in(umpire: &mut Umpire<'_, Guns>, flinching: &mut Flinching, unit: UnitId) -> Option<UnitId> {
    let field = umpire.state();
    let at = aim::target(field, unit)?;
    // Whoever shares an enemy with a charger dealt with before has his goal already.
    if field::troops(field, unit).bound.goal.is_some() {
        return None;
    }
    if !field::is_there(field, at) {
        outcome::aim_at(umpire, unit, at, false);
        return None;
    }
    if aim::evades(field, at) {
        outcome::evade(umpire, at, unit);
        return None;
    }
    if field::facts(field, at).is_battery() && field::troops(field, at).cycle != Cycle::Limbered {
        let deployed = field::troops(field, at).cycle == Cycle::Deployed;
        if deployed && !flinching.done.contains(&at) && outcome::has_refuge(field, at) {
            flinching.done.push(at);
            return Some(at);
        }
        outcome::aim_at(umpire, unit, at, true);
        return None;
    }
    let mounted = field::is_mounted(field, unit) && field::is_mounted(field, at);
    if !mounted && aim::goes_in_on(field, at, unit) {
        compare_margins(umpire, flinching, unit, at);
        return None;
    }
    if perimeter::stands_behind(field, at, unit) {
        storm(umpire, flinching, unit, at);
        return None;
    }
    let meets = aim::stage(field, at) == Some(ChargeStage::Passed) || field::troops(field, at).beaten;
    if mounted && meets {
        outcome::aim_at(umpire, unit, at, true);
    } else {
        drive_off(umpire, flinching, unit, at, Retreat::Charged);
    }
    None
}

/// Defenders of a perimeter stand and are fought for it, unless the house lets them flinch too (R27).
fn storm(umpire: &mut Umpire<'_, Guns>, flinching: &mut Flinching, unit: UnitId, at: UnitId) {
    let must_test = umpire.state().settings().defender_flinch && !flinching.done.contains(&at);
    if must_test && field::troops(umpire.state(), at).locked.is_empty() {
        flinching.done.push(at);
        if take_test(umpire, at, None, false).is_none_or(|margin| margin < 0) {
            drive_off(umpire, flinching, unit, at, Retreat::Charged);
            return;
        }
    }
    outcome::storm_at(umpire, unit, at);
}

/// Two units that both passed and are not both mounted: the surer one goes in, the other retires (R31).
fn compare_margins(umpire: &mut Umpire<'_, Guns>, flinching: &mut Flinching, unit: UnitId, at: UnitId) {
    let (own, theirs) = (flinching.margin(unit), flinching.margin(at));
    match own.cmp(&theirs) {
        std::cmp::Ordering::Greater => drive_off(umpire, flinching, unit, at, Retreat::Margin),
        std::cmp::Ordering::Less => drive_off(umpire, flinching, at, unit, Retreat::Margin),
        std::cmp::Ordering::Equal => {
            for halted in [unit, at] {
                outcome::set_stage(umpire, halted, ChargeStage::Failed, Clause::FailedHalts);
                flinching.queue.retain(|id| *id != halted || halted == unit);
            }
        }
    }
}

fn drive_off(umpire: &mut Umpire<'_, Guns>, flinching: &Flinching, unit: UnitId, at: UnitId, why: Retreat) {
    let field = umpire.state();
    let chargers: Vec<UnitId> = match flinching.only {
        Some(_) => vec![unit],
        None => aim::chargers(field, |stage| stage == ChargeStage::Passed),
    };
    let chargers: Vec<UnitId> = { chargers }.into_iter().filter(|id| aim::goes_in_on(field, *id, at)).collect();
    let flinched = field::is_mounted(field, at)
        && aim::stage(field, at) == Some(ChargeStage::Failed)
        && aim::target(field, at).is_some_and(|target| chargers.contains(&target));
    let why = if flinched { Retreat::FellBack } else { why };
    outcome::drive_off(umpire, at, &chargers, why);
}

/// Judges who lies down.
pub fn check_lie_down(view: &View<'_, Guns>, side: Side, units: &[UnitId], order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    match order {
        Order::Pass => {}
        Order::LieDown { units: chosen } => {
            for unit in chosen {
                if !units.contains(unit) || view.side_of(*unit) != side {
                    let why = "only foot with breech-loaders that has just failed its test may lie down";
                    verdict.refuse(Clause::FailedLiesDown, why).about(*unit);
                }
            }
        }
        _ => return Verdict::refused(Clause::FailedLiesDown, "say which of these units lie down, or none"),
    }
    verdict
}

/// They lie down.
pub fn execute_lie_down(umpire: &mut Umpire<'_, Guns>, units: &[UnitId], given: Given) {
    for side in Side::BOTH {
        let Some(Order::LieDown { units: chosen }) = &given[side] else { continue };
        for unit in outcome::of_side(umpire.state(), units, side) {
            if chosen.contains(&unit) {
                let event = Event::own(Clause::FailedLiesDown, GunsEvent::Prone { unit, prone: true });
                hidden::announce(umpire, unit, event);
            }
        }
    }
}

/// Judges gunners' choice.
pub fn check_abandon(order: &Order) -> Verdict {
    match order {
        Order::Pass | Order::Abandon => Verdict::fine(),
        _ => Verdict::refused(Clause::GunnersTookCover, "the gunners stand by their guns or leave them"),
    }
}

/// Gunners stay or run.
pub fn execute_abandon(umpire: &mut Umpire<'_, Guns>, battery: UnitId, given: Given) {
    let leave = given.0.iter().flatten().any(|order| *order == Order::Abandon);
    if leave && field::is_there(umpire.state(), battery) {
        umpire.announce(Event::own(Clause::GunnersTookCover, GunsEvent::Abandoned { battery }));
    }
}

/// The total a unit tests against, line by line, as everything stands now. `at`: whom it charges.
pub fn reckoning(field: &Field, unit: UnitId, at: Option<UnitId>) -> Reckoning {
    Footing::of(field, unit, at).reckoning(field.charts())
}
