//! Charges: who would run, what it costs to find out.

use super::scene::Scene;
use super::shooting;
use engine::UnitId;
use rules::guns::field::{Field, defended, facts, flinch_distance, is_mounted, is_perimeter, skirmishes, troops};
use rules::guns::flinch;
use rules::guns::order::{Move, Order, Shot};
use rules::guns::plot;

/// Faces of the die of the flinch test.
const FACES: f64 = 10.0;

/// The chance that a unit goes in, with so much damage still to be expected before the test.
pub fn chance(field: &Field, unit: UnitId, at: UnitId, expected: f64) -> f64 {
    let total = f64::from(flinch::reckoning(field, unit, Some(at)).whole());
    // Each point counts twice: status falls and damage is deducted; being shot at counts once more.
    let shot_at = if expected > 0.05 { 1.0 } else { 0.0 };
    ((total - 2.0 * expected - shot_at) / FACES).clamp(0.0, 1.0)
}

/// What a charge promises in points of status, and the chance that it goes in.
pub fn promise(scene: &Scene<'_, '_>, unit: UnitId, at: UnitId) -> (f64, f64) {
    let field = scene.field();
    let own = troops(field, unit);
    let target = troops(field, at);
    let near = flinch_distance(field, at);
    let suffered = shooting::at_distance(field, at, unit, near);
    let chance = if skirmishes(field, at) { 1.0 } else { chance(field, unit, at, suffered) };
    let status = f64::from(target.status);
    let held = defended(field, at).is_some_and(|(_, feature)| is_perimeter(feature.kind));
    let gain = if facts(field, at).is_battery() {
        status
    } else if held {
        0.25 * status
    } else if skirmishes(field, at) {
        0.1
    } else {
        scene.temper.rout * status
    };
    // Horse that flinches is out of it for bounds, foot only stands where it is.
    let setback = if is_mounted(field, unit) { 0.25 } else { 0.1 } * f64::from(own.status);
    let worn = 0.12 * f64::from(own.status);
    let loss = suffered * scene.temper.caution + (1.0 - chance) * setback + chance * worn;
    (chance * gain - loss, chance)
}

/// The best charge of a unit, if it is good enough.
pub fn best(scene: &Scene<'_, '_>, unit: UnitId) -> Option<(f64, Move)> {
    let field = scene.field();
    let mut best: Option<(f64, Move)> = None;
    for (at, legs) in plot::charge_targets(field, unit) {
        let (gain, chance) = promise(scene, unit, at);
        if chance < scene.temper.least_chance || gain < scene.temper.least_gain {
            continue;
        }
        if best.as_ref().is_none_or(|(most, _)| gain > *most) {
            best = Some((gain, Move::Charge { unit, at, legs, led_by: None }));
        }
    }
    best
}

/// Cavalry charged by cavalry: better to ride than to be ridden over, while the heart is there.
pub fn counter(scene: &Scene<'_, '_>, able: &[Shot]) -> Order {
    let field = scene.field();
    let mut units = Vec::new();
    for shot in able {
        if !units.contains(&shot.unit) && chance(field, shot.unit, shot.at, 0.0) >= 0.4 {
            units.push(shot.unit);
        }
    }
    if units.is_empty() { Order::Pass } else { Order::CounterCharge { units } }
}

/// Going on against a further enemy.
pub fn press_on(scene: &Scene<'_, '_>, unit: UnitId, among: &[UnitId]) -> Order {
    let field = scene.field();
    let likely = among.iter().map(|at| (chance(field, unit, *at, 0.0), *at)).filter(|(chance, _)| *chance >= 0.5);
    match likely.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((_, at)) => Order::PressOn { at },
        None => Order::Pass,
    }
}
