//! Fire: who shoots at whom, and who keeps his fire for those who charge him.

use super::scene::{Field, Scene, hits_worth};
use super::volley::close_range;
use engine::UnitId;
use rules::days::defence;
use rules::days::field::{self, facts, troops};
use rules::days::order::{Order, Reserve, Shot};
use rules::days::shooting::weapon::Quarry;
use rules::days::shooting::{self, Aim};
use rules::days::unit::Arm;

/// A wounded or dead general is worth so much.
const GENERAL: f64 = 8.0;

/// The mean hits of a volley.
pub fn mean_hits(aim: &Aim) -> f64 {
    let dice = aim.sections.iter().flat_map(|section| section.dice.iter());
    dice.map(|die| {
        let all = die.faces.all();
        all.iter().map(|hits| f64::from(*hits)).sum::<f64>() / all.len() as f64
    })
    .sum()
}

fn worth(field: &Field, aim: &Aim) -> f64 {
    let hits = mean_hits(aim);
    match aim.quarry {
        Quarry::General(_) => hits * GENERAL,
        Quarry::Unit(at) => {
            // Whoever charges is stopped by losses.
            let charges = troops(field, at).charge.is_some();
            hits_worth(field, at, hits) * if charges { 1.6 } else { 1.0 }
        }
    }
}

/// Answers the Shooting Phase.
pub fn fire(scene: &Scene<'_, '_>) -> Order {
    let (field, side) = (scene.field(), scene.side);
    let (mut shots, mut reserve) = (Vec::new(), Vec::new());
    for (unit, _) in field::present(field, side) {
        if waits_for_charge(field, unit) {
            let keep = Reserve { unit, stands: None };
            if allowed(scene, &[], &[keep]) {
                reserve.push(keep);
                continue;
            }
        }
        shots.extend(shots_of(scene, unit));
    }
    let order = Order::Fire { shots: shots.clone(), reserve: reserve.clone(), arson: Vec::new() };
    if (shots.is_empty() && reserve.is_empty()) || !scene.allows(&order) { Order::Pass } else { order }
}

fn allowed(scene: &Scene<'_, '_>, shots: &[Shot], reserve: &[Reserve]) -> bool {
    scene.allows(&Order::Fire { shots: shots.to_vec(), reserve: reserve.to_vec(), arson: Vec::new() })
}

/// Whether a unit does better to let a charger come close before it fires.
fn waits_for_charge(field: &Field, unit: UnitId) -> bool {
    if facts(field, unit).arm != Arm::Infantry || field::skirmishes(field, unit) {
        return false;
    }
    let chargers = field::chargers(field, unit);
    let close = close_range(field, unit);
    !chargers.is_empty() && chargers.iter().all(|by| field::gap(field, unit, *by).as_f64() > close)
}

/// The shots of one unit, the best first: guns have one target, rifles as many as they bear on.
fn shots_of(scene: &Scene<'_, '_>, unit: UnitId) -> Vec<Shot> {
    let (field, side) = (scene.field(), scene.side);
    let mut rows: Vec<(f64, Shot)> = shooting::targets(field, unit)
        .into_iter()
        .filter_map(|shot| Some((worth(field, &shooting::volley_of(field, side, &shot)?), shot)))
        .filter(|(value, _)| *value > 0.0)
        .collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: Vec<Shot> = Vec::new();
    for (_, shot) in rows {
        if kept.iter().any(|one| one.passing || shot.passing) {
            continue;
        }
        kept.push(shot);
        if field::is_battery(field, unit) {
            break;
        }
        if kept.len() > 1 && !allowed(scene, &kept, &[]) {
            kept.pop();
        }
    }
    kept
}

/// Answers with fire kept back.
pub fn defend(scene: &Scene<'_, '_>) -> Order {
    let (field, side) = (scene.field(), scene.side);
    let mut shots = Vec::new();
    for (unit, _) in field::present(field, side) {
        for shot in defence::targets(field, unit) {
            let mut more: Vec<Shot> = shots.clone();
            more.push(shot);
            if allowed(scene, &more, &[]) {
                shots = more;
            }
        }
    }
    if shots.is_empty() { Order::Pass } else { Order::Fire { shots, reserve: Vec::new(), arson: Vec::new() } }
}
