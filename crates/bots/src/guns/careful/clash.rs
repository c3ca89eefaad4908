//! Charges: who would run, who goes in together, what it costs to find out.

use super::plan::Aim;
use super::scene::Scene;
use super::shooting;
use engine::{CommanderId, UnitId};
use rules::guns::field::{
    Field, elements_at, facts, flinch_distance, is_foot, is_formed, is_mounted, present, skirmishes, troops,
    uses_small_arms,
};
use rules::guns::flinch::footing::{Footing, numbers, outnumbers};
use rules::guns::flinch::perimeter;
use rules::guns::generals;
use rules::guns::order::{Move, Order, Shot, Step};
use rules::guns::plot;
use rules::guns::plot::route::{Route, Standing};
use rules::guns::plot::space::Bodies;
use table::Length;
use table::march::Leg;

/// Faces of the die of the flinch test.
const FACES: f64 = 10.0;
/// No more than so many go for one enemy.
const MOST: usize = 3;

/// A charge somebody could make.
struct Chance {
    unit: UnitId,
    legs: Vec<Leg>,
    /// Where it would be tested.
    stop: Standing,
}

/// The general who would lead a unit.
fn leader(field: &Field, unit: UnitId) -> Option<CommanderId> {
    generals::attached(field, unit).find(|id| plot::charge::leader_objection(field, unit, *id).is_none())
}

/// The chance that a unit goes in, so many elements charging with it, with so much damage to be expected before the
/// test.
pub fn chance(field: &Field, unit: UnitId, at: UnitId, together: u32, expected: f64) -> f64 {
    let mut footing = Footing::of(field, unit, Some(at));
    footing.first_charge |= troops(field, unit).charges == 0;
    footing.led |= leader(field, unit).is_some();
    footing.outnumbers = outnumbers(field.charts(), together, numbers(field, at));
    footing.volleyed |= is_foot(field, at) && uses_small_arms(field, at) && !troops(field, at).reforming;
    footing.disordered |= troops(field, unit).charged_last;
    let total = f64::from(footing.reckoning(field.charts()).whole());
    // Each point counts twice: status falls, and damage is deducted.
    let chance = ((total - 2.0 * expected) / FACES).clamp(0.0, 1.0);
    let left = f64::from(troops(field, unit).status) - expected;
    if left < f64::from(facts(field, unit).charge_limit) { chance * 0.5 } else { chance }
}

/// What enemy fire is likely to do to a charger who goes for him, so many sharing it.
fn suffered(field: &Field, unit: UnitId, at: UnitId, sharing: usize) -> f64 {
    if troops(field, at).reforming {
        return 0.0;
    }
    // Chargers are harder to hit.
    shooting::at_distance(field, at, unit, flinch_distance(field, at)) * 0.75 / sharing as f64
}

/// What it is worth to drive an enemy from where he stands.
fn prize(scene: &Scene<'_, '_>, unit: UnitId, at: UnitId) -> f64 {
    let field = scene.field();
    let target = troops(field, at);
    let status = f64::from(target.status);
    let place = scene.worth_under(at) * scene.temper.place * (0.4 + scene.lateness());
    let worth = if facts(field, at).is_battery() {
        status + 1.0
    } else if perimeter::stands_behind(field, at, unit) {
        return 0.2 * status + 0.6 * place;
    } else if skirmishes(field, at) {
        return 0.1;
    } else {
        scene.temper.rout * status + if target.retirements > 0 { 0.5 } else { 0.0 }
    };
    worth + place
}

/// What a charge of these units together promises in points of status, and the chance that one goes in.
fn promise(scene: &Scene<'_, '_>, units: &[UnitId], at: UnitId) -> (f64, f64) {
    let field = scene.field();
    let together: u32 = units.iter().map(|unit| numbers(field, *unit)).sum();
    let (mut fails, mut loss) = (1.0, 0.0);
    for unit in units {
        let own = f64::from(troops(field, *unit).status);
        let hurt = suffered(field, *unit, at, units.len());
        let goes = if is_formed(field, at) || facts(field, at).is_battery() {
            chance(field, *unit, at, together, hurt)
        } else {
            1.0
        };
        fails *= 1.0 - goes;
        // Horse that flinches is out of it for bounds, foot only stands where it is; who goes in has to reform.
        let setback = if is_mounted(field, *unit) { 0.3 } else { 0.06 } * own;
        let worn = scene.temper.worn * own;
        loss += hurt * scene.temper.caution + (1.0 - goes) * setback + goes * worn;
        if scene.plan.guarded_by(*unit).is_some() {
            loss += scene.temper.leave_post * 3.0;
        } else if troops(field, *unit).defending.is_some() {
            loss += scene.temper.leave_post;
        }
    }
    let first = units.first().copied().unwrap_or(at);
    let breaks = 1.0 - fails;
    (breaks * prize(scene, first, at) - loss, breaks)
}

/// What a unit on its own could promise itself of an enemy in reach, with a friend or two beside it.
pub fn hope(scene: &Scene<'_, '_>, unit: UnitId, at: UnitId) -> f64 {
    let (gain, chance) = promise(scene, &[unit], at);
    if chance >= scene.temper.least_chance { gain } else { f64::NEG_INFINITY }
}

/// The charges of the army, best first, each enemy's chargers chosen together.
pub fn charges(scene: &Scene<'_, '_>) -> Vec<Move> {
    let field = scene.field();
    let mut by_target: Vec<(UnitId, Vec<Chance>)> = Vec::new();
    for (unit, piece) in present(field, scene.side) {
        let own = &piece.own;
        let able = plot::limits::idle(field, unit).is_none() || own.rode_through;
        if !able || facts(field, unit).is_battery() || facts(field, unit).screen {
            continue;
        }
        for (at, legs) in plot::charge_targets(field, unit) {
            let found = by_target.iter().position(|(id, _)| *id == at);
            let place = found.unwrap_or_else(|| {
                by_target.push((at, Vec::new()));
                by_target.len() - 1
            });
            let stop = stop(field, unit, at, &legs);
            by_target[place].1.push(Chance { unit, legs, stop });
        }
    }
    let mut charges: Vec<Move> = Vec::new();
    let mut taken: Vec<UnitId> = Vec::new();
    let mut bodies = Bodies::of(field, scene.side);
    while let Some((place, chosen)) = best_target(scene, &by_target, &taken, &bodies) {
        let (at, chances) = by_target.swap_remove(place);
        for unit in chosen {
            let Some(chance) = chances.iter().find(|chance| chance.unit == unit) else { continue };
            // Two who were chosen together may still get in each other's way: the better one goes.
            if !has_room(field, chance, &bodies) {
                continue;
            }
            taken.push(unit);
            bodies.put(field, unit, chance.stop);
            charges.push(Move::Charge { unit, at, legs: chance.legs.clone(), led_by: leader(field, unit) });
        }
    }
    charges
}

/// Where a charge halts to be tested: short of contact by the enemy's flinch distance, or where it starts if that is
/// nearer.
fn stop(field: &Field, unit: UnitId, at: UnitId, legs: &[Leg]) -> Standing {
    let contact = Route::plan(field, unit, &[Step::March(legs.to_vec())], None).end();
    let straight = legs.iter().map(|leg| if let Leg::Ahead(go) = leg { *go } else { Length::ZERO }).max();
    let back = flinch_distance(field, at).min(straight.unwrap_or_default());
    Standing { pose: contact.pose.shifted(contact.pose.forward() * -back.as_f64()), ..contact }
}

/// Whether no friend stands where a charge halts: whoever finds one there gets no farther.
fn has_room(field: &Field, chance: &Chance, bodies: &Bodies) -> bool {
    let elements = elements_at(field, chance.unit, chance.stop.pose, chance.stop.formation);
    bodies.in_the_way(field, chance.unit, &elements).is_none()
}

/// The enemy it pays most to go for, and who goes.
fn best_target(
    scene: &Scene<'_, '_>,
    by_target: &[(UnitId, Vec<Chance>)],
    taken: &[UnitId],
    bodies: &Bodies,
) -> Option<(usize, Vec<UnitId>)> {
    let mut best: Option<(f64, usize, Vec<UnitId>)> = None;
    for (place, (at, chances)) in by_target.iter().enumerate() {
        let open = |chance: &&Chance| !taken.contains(&chance.unit) && has_room(scene.field(), chance, bodies);
        let free: Vec<UnitId> = chances.iter().filter(open).map(|chance| chance.unit).collect();
        let Some((gain, chosen)) = best_group(scene, &free, *at) else { continue };
        if best.as_ref().is_none_or(|(most, ..)| gain > *most) {
            best = Some((gain, place, chosen));
        }
    }
    best.map(|(_, place, chosen)| (place, chosen))
}

/// Adds one charger after another while it pays.
fn best_group(scene: &Scene<'_, '_>, free: &[UnitId], at: UnitId) -> Option<(f64, Vec<UnitId>)> {
    let mut group: Vec<UnitId> = Vec::new();
    let mut now = (f64::NEG_INFINITY, 0.0);
    while group.len() < MOST {
        let more = free.iter().filter(|unit| !group.contains(unit)).map(|unit| {
            let mut with = group.clone();
            with.push(*unit);
            let (gain, chance) = promise(scene, &with, at);
            (gain, chance, *unit)
        });
        let Some((gain, chance, unit)) = more.max_by(|a, b| a.0.total_cmp(&b.0)) else { break };
        if gain <= now.0 {
            break;
        }
        now = (gain, chance);
        group.push(unit);
    }
    let desperate = scene.is_late() && scene.plan.lead <= 0 && scene.worth_under(at) > 0.0;
    let storms = desperate && group.iter().any(|unit| matches!(scene.aim(*unit), Aim::Take(_) | Aim::Hunt));
    let (least_gain, least_chance) =
        if storms { (-1.5, 0.2) } else { (scene.temper.least_gain, scene.temper.least_chance) };
    (now.0 >= least_gain && now.1 >= least_chance).then_some((now.0, group))
}

/// Cavalry charged by cavalry: better to ride than to be ridden over, while the heart is there.
pub fn counter(scene: &Scene<'_, '_>, able: &[Shot]) -> Order {
    let field = scene.field();
    let mut units = Vec::new();
    for shot in able {
        if !units.contains(&shot.unit) && chance(field, shot.unit, shot.at, numbers(field, shot.unit), 0.0) >= 0.4 {
            units.push(shot.unit);
        }
    }
    if units.is_empty() { Order::Pass } else { Order::CounterCharge { units } }
}

/// Going on against a further enemy.
pub fn press_on(scene: &Scene<'_, '_>, unit: UnitId, among: &[UnitId]) -> Order {
    let field = scene.field();
    let sure = |at: &UnitId| chance(field, unit, *at, numbers(field, unit), 0.0);
    let likely = among.iter().map(|at| (sure(at), *at)).filter(|(chance, _)| *chance >= 0.5);
    match likely.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((_, at)) => Order::PressOn { at },
        None => Order::Pass,
    }
}
