//! 4.10: fire kept back, at whoever charges. Section 17.3.1, A-103.

use super::Days;
use super::clause::Clause;
use super::event::Cause;
use super::field::{self, Field};
use super::order::{Decision, Order, Shot};
use super::sequence::{self, Given, Phase};
use super::shooting::aim::{Bearing, Firer};
use super::shooting::plan::Plan;
use super::shooting::weapon::{self, Quarry};
use super::shooting::{fire, volley};
use engine::{BySide, Flow, Side, StandSet, Umpire, UnitId, Verdict, View};

/// Asks both sides whose units kept fire back and are charged.
pub fn advance(umpire: &mut Umpire<'_, Days>, asked: bool) -> Flow<Days> {
    if asked {
        return Flow::Done;
    }
    umpire.replace(Phase::Defending { asked: true });
    let field = umpire.state();
    let able = |side: Side| field.present(side).any(|(id, _)| !targets(field, id).is_empty());
    sequence::ask(BySide(Side::BOTH.map(able)), Decision::Defend).unwrap_or(Flow::Done)
}

/// Stands a unit may still fire in defence: whoever runs or evades has lost its reserve.
pub fn reserve(field: &Field, unit: UnitId) -> u8 {
    let turn = &field::troops(field, unit).turn;
    let ready = weapon::ready(field, unit).len() as u8;
    let left = turn.reserved.min(ready.saturating_sub(turn.fired));
    if turn.evaded || !weapon::silence(field, unit).is_empty() { 0 } else { left }
}

/// The stands whose fire is spent. Whoever was drawn up anew since has mixed them with the others.
fn spent(field: &Field, unit: UnitId) -> StandSet {
    let turn = &field::troops(field, unit).turn;
    if turn.reformed { StandSet::default() } else { turn.fired_by }
}

/// Whether a battery has fired at somebody else this turn: it has one target, but for several who charge it
/// (days.10.1-g).
fn has_another_mark(field: &Field, unit: UnitId, at: UnitId) -> bool {
    let chargers = field::chargers(field, unit);
    let other = field::troops(field, unit).turn.fired_at.filter(|mark| *mark != at);
    field::is_battery(field, unit) && other.is_some_and(|mark| !chargers.contains(&mark))
}

/// The chargers a unit can fire at with what it kept back.
pub fn targets(field: &Field, unit: UnitId) -> Vec<Shot> {
    if reserve(field, unit) == 0 {
        return Vec::new();
    }
    let Some(firer) = Firer::of(field, unit) else { return Vec::new() };
    let chargers = field::chargers(field, unit).into_iter();
    let fair = chargers.filter(|id| weapon::spared(field, unit, Quarry::Unit(*id)).is_empty());
    let spent = spent(field, unit);
    let free = |id: &UnitId| firer.sheet(Quarry::Unit(*id)).bearings().iter().any(|one| !spent.has(one.stand));
    let bears = fair.filter(|id| !has_another_mark(field, unit, *id)).filter(free);
    bears.map(|at| Shot { unit, at: Some(at), general: None, stands: None, passing: false }).collect()
}

/// Judges defensive fire.
pub fn check(view: &View<'_, Days>, side: Side, order: &Order) -> Verdict {
    read(view, side, order).1
}

/// Reads an order with all reasons against it.
pub fn read(field: &Field, side: Side, order: &Order) -> (Plan, Verdict) {
    let (mut plan, mut verdict) = (Plan::default(), Verdict::fine());
    let shots = match order {
        Order::Pass => return (plan, verdict),
        Order::Fire { shots, reserve, arson } if reserve.is_empty() && arson.is_empty() => shots,
        _ => return (plan, Verdict::refused(Clause::HoldingFireBack, "only fire that was kept back can be given now")),
    };
    let mut units: Vec<UnitId> = shots.iter().map(|shot| shot.unit).collect();
    units.sort_unstable();
    units.dedup();
    for unit in units {
        if !weapon::is_own(field, side, unit) {
            verdict.refuse(Clause::SayingWhoFires, "that is no unit of yours").about(unit);
            continue;
        }
        let mut left = reserve(field, unit);
        for (clause, why) in weapon::silence(field, unit) {
            verdict.refuse(clause, why).about(unit);
        }
        let Some(firer) = Firer::of(field, unit).filter(|_| left > 0) else {
            verdict.refuse(Clause::UnfiredStandsOnly, "it has kept no fire back").about(unit);
            continue;
        };
        let mut used: Vec<u8> = Vec::new();
        // Who names no target fires at everybody who charges it.
        let at_will = shots.iter().any(|shot| shot.unit == unit && shot.at.is_none() && shot.general.is_none());
        let all = if at_will { targets(field, unit) } else { Vec::new() };
        let named = shots.iter().filter(|shot| shot.unit == unit && !at_will);
        for shot in named.chain(&all) {
            let Some(mut bearings) = judge(field, &firer, shot, &used, &mut verdict) else { continue };
            let most = shot.stands.unwrap_or(u8::MAX).min(left);
            bearings.truncate(usize::from(most));
            let Some(mut aim) = volley::take(field, &firer, quarry(shot), &bearings) else {
                verdict.refuse(Clause::OneShotATurn, "no stand that kept its fire is left").about(unit);
                continue;
            };
            aim.defensive = true;
            left = left.saturating_sub(bearings.len() as u8);
            used.extend(bearings.iter().map(|bearing| bearing.stand));
            plan.aims.push(aim);
        }
    }
    (plan, verdict)
}

fn quarry(shot: &Shot) -> Quarry {
    Quarry::Unit(shot.at.unwrap_or(shot.unit))
}

/// The stands of a unit that bear on a charger and have not fired at another.
fn judge(field: &Field, firer: &Firer<'_>, shot: &Shot, used: &[u8], verdict: &mut Verdict) -> Option<Vec<Bearing>> {
    let unit = firer.unit;
    let charger = shot.at.filter(|at| field::chargers(field, unit).contains(at));
    let Some(at) = charger.filter(|_| shot.general.is_none() && !shot.passing) else {
        verdict.refuse(Clause::OnlyAtYourChargers, "fire kept back is for those who charge this very unit").about(unit);
        return None;
    };
    let spared = weapon::spared(field, unit, Quarry::Unit(at));
    for (clause, why) in &spared {
        verdict.refuse(*clause, *why).about(unit);
    }
    let sheet = firer.sheet(Quarry::Unit(at));
    let spent = spent(field, unit);
    let free = |bearing: &Bearing| !used.contains(&bearing.stand) && !spent.has(bearing.stand);
    let bearings: Vec<Bearing> = sheet.bearings().into_iter().filter(free).collect();
    if has_another_mark(field, unit, at) {
        verdict.refuse(Clause::OneTargetForABattery, "the battery has fired at another target this turn").about(unit);
        return None;
    }
    if spared.is_empty() && bearings.is_empty() {
        let mut told: Vec<Clause> = Vec::new();
        if sheet.bears() {
            told.push(Clause::OneShotATurn);
            verdict.refuse(Clause::OneShotATurn, "no stand that kept its fire is left").about(unit);
        }
        for why in sheet.stands.iter().filter_map(|stand| stand.as_ref().err()) {
            let (clause, text) = why.reason(field, unit);
            if !told.contains(&clause) {
                told.push(clause);
                verdict.refuse(clause, text).about(unit);
            }
        }
    }
    (spared.is_empty() && !bearings.is_empty()).then_some(bearings)
}

/// Fires.
pub fn execute(umpire: &mut Umpire<'_, Days>, given: Given) {
    umpire.replace(Phase::Defending { asked: true });
    let field = umpire.state();
    let plan =
        |side: Side| given[side].as_ref().map(|order| read(field, side, order).0.cited(field)).unwrap_or_default();
    let plans = BySide(Side::BOTH.map(plan));
    fire::all(umpire, &plans, Cause::DefensiveFire);
}
