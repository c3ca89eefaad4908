//! P7: small arms and rapid-fire weapons, both sides at once (R12, R14, R15, R74, R83), and the fire of chargers on those
//! who run before them (R28).

use super::Guns;
use super::clause::Clause;
use super::event::{Cause, FireKind, Manner};
use super::field::{
    Field, facts, is_foot, is_formed, is_mounted, is_there, present, skirmishes, troops, uses_small_arms,
};
use super::nearby::Nearby;
use super::order::{Decision, Order, Shot};
use super::sequence::{Given, Phase, ask};
use super::shooting::judgement::{self, Reasons, reasons};
use super::shooting::{self, ReadyShot, Struck, bury, damage, declared, of_fire};
use super::unit::{Arm, Cycle};
use super::{cycle, generals, zone};
use engine::{BySide, Flow, Side, Umpire, UnitId, Verdict, View};

/// Turns the page.
pub fn advance(umpire: &mut Umpire<'_, Guns>, asked: bool) -> Flow<Guns> {
    if !asked {
        umpire.replace(Phase::Musketry { asked: true });
        let field = umpire.state();
        let choice = BySide([Side::A, Side::B].map(|side| anybody_can_fire(field, side)));
        if let Some(question) = ask(choice, Decision::Musketry) {
            return question;
        }
    }
    umpire.end();
    generals::risk(umpire);
    cycle::after_musketry(umpire);
    Flow::Again
}

fn anybody_can_fire(field: &Field, side: Side) -> bool {
    let enemies = Nearby::known(field, side.other());
    let able = |id: UnitId| silence(field, id).is_empty() && judgement::has_target(field, id, &enemies);
    present(field, side).any(|(id, _)| able(id))
}

/// Why a unit may not fire in this step.
pub fn silence(field: &Field, unit: UnitId) -> Reasons {
    let (facts, own) = (facts(field, unit), troops(field, unit));
    let mut all = judgement::silence(field, unit);
    if !facts.weapon.fires() {
        let clause = if is_mounted(field, unit) { Clause::CavalryInContact } else { Clause::ShortAndExtreme };
        all.push((clause, "it has no firearm"));
        return all;
    }
    if facts.weapon.artillery {
        all.push((Clause::ArtillerySixth, "guns fire in the step before this one"));
        return all;
    }
    let waits = facts.is_battery() && own.cycle == Cycle::Deployed && !own.bound.fires;
    all.extend(reasons(&[
        (own.charge.is_some(), Clause::RetiringFiredOn, "it charges, and fires only on those who run before it"),
        (
            facts.arm == Arm::Cavalry && own.mounted && !uses_small_arms(field, unit),
            Clause::MountedNeedsContact,
            "mounted troops fire only in extended order and with a long arm",
        ),
        (facts.is_battery() && own.cycle != Cycle::Deployed, Clause::GunCycle, "its guns are not in battery"),
        (waits, Clause::GunCycle, "its plan for this bound leaves no time to fire"),
    ]));
    all
}

/// Judges targets.
pub fn check(view: &View<'_, Guns>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    match order {
        Order::Pass => {}
        Order::Fire { shots, hold } => {
            judgement::check_shots(view, side, shots, silence, &mut verdict);
            if !hold.is_empty() {
                verdict.refuse(Clause::MusketrySeventh, "whoever is not named holds its fire anyway");
            }
        }
        _ => drop(verdict.refuse(Clause::MusketrySeventh, "the question is who fires at whom")),
    }
    verdict
}

/// Fires.
pub fn execute(umpire: &mut Umpire<'_, Guns>, given: Given) {
    let shots = in_order(umpire.state(), given);
    for shot in &shots {
        declared::fires(umpire, shot.unit, shot.at, true);
        if let Some(kind) = kind_of_fire(umpire.state(), shot.unit) {
            declared::under_fire(umpire, shot.at, kind);
        }
    }
    let ready: Vec<ReadyShot> =
        shots.iter().filter_map(|shot| ready(umpire.state(), *shot, Manner::Musketry)).collect();
    let struck: Vec<Struck> = ready.iter().map(|shot| shooting::throw(umpire, shot)).collect();
    for hit in struck {
        damage(umpire, hit.by, hit.at, hit.damage, Cause::Musketry);
    }
    bury(umpire);
}

/// Shots that were ordered, side by side and in the order of the roster (R79).
pub fn in_order(field: &Field, given: Given) -> Vec<Shot> {
    let mut all = Vec::new();
    for order in given.0.into_iter().flatten() {
        if let Order::Fire { mut shots, .. } = order {
            shots.sort_unstable();
            all.extend(shots.into_iter().filter(|shot| is_there(field, shot.unit) && is_there(field, shot.at)));
        }
    }
    all
}

/// A shot with its figures as everything stands; nothing where nobody has the target before him.
pub fn ready(field: &Field, shot: Shot, manner: Manner) -> Option<ReadyShot> {
    let bearing = zone::bearing(field, shot.unit, shot.at);
    let calculation = of_fire(field, shot.unit, shot.at, manner, bearing.counted, bearing.range);
    let shot = ReadyShot { by: shot.unit, at: shot.at, manner, range: bearing.range, calculation };
    (bearing.counted > 0).then_some(shot)
}

/// As what a unit's musketry counts for those it is aimed at (R26, R83).
fn kind_of_fire(field: &Field, firer: UnitId) -> Option<FireKind> {
    if skirmishes(field, firer) {
        return Some(FireKind::Skirmished);
    }
    (is_foot(field, firer) && is_formed(field, firer)).then_some(FireKind::Volleyed)
}

/// Enemies a unit may fire at now.
pub fn targets(field: &Field, unit: UnitId) -> Vec<UnitId> {
    if !silence(field, unit).is_empty() {
        return Vec::new();
    }
    judgement::targets(field, unit, &Nearby::known(field, field.side_of(unit).other()))
}

/// Everybody of a side who can fire now, with the enemies each may fire at, in roster order.
pub fn shots(field: &Field, side: Side) -> Vec<(UnitId, Vec<UnitId>)> {
    judgement::all_targets(field, side, silence)
}

/// P8.2: a charger that passed fires on a target about to retire (R28): one shot, damage at once. The target may be
/// finished by it and gone from the table.
pub fn fire_on_breakers(umpire: &mut Umpire<'_, Guns>, charger: UnitId, target: UnitId) {
    let field = umpire.state();
    let silent = is_mounted(field, charger) || !uses_small_arms(field, charger) || troops(field, charger).broken;
    if silent || !is_there(field, charger) || !is_there(field, target) {
        return;
    }
    let Some(shot) = ready(field, Shot { unit: charger, at: target }, Manner::Breakers) else { return };
    declared::fires_on_breakers(umpire, charger);
    let hit = shooting::throw(umpire, &shot);
    damage(umpire, hit.by, hit.at, hit.damage, Cause::Breaking);
    bury(umpire);
}
