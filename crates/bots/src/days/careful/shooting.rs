//! Fire: who shoots at whom, and who keeps his fire for those who charge him.

use super::arms::close_range;
use super::plan::Plan;
use super::scene::{Field, Scene, hits_worth};
use engine::UnitId;
use rules::days::defence;
use rules::days::field::{self, facts, troops};
use rules::days::order::{Order, Reserve, Shot};
use rules::days::shooting::aim::Firer;
use rules::days::shooting::plan::{self, Aimed};
use rules::days::shooting::weapon::{self, Quarry};
use rules::days::shooting::{Aim, volley};
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

fn worth(field: &Field, plan: &Plan, aim: &Aim) -> f64 {
    let hits = mean_hits(aim);
    match aim.quarry {
        Quarry::General(_) => hits * GENERAL,
        Quarry::Unit(at) => {
            // Whoever charges is stopped by losses.
            let charges = troops(field, at).charge.is_some();
            // And whoever stands on the place that counts has to be got off it.
            let bars = plan.prize(field, at) > 0.0;
            hits_worth(field, at, hits) * if charges { 1.6 } else { 1.0 } * if bars { 1.5 } else { 1.0 }
        }
    }
}

/// Answers the Shooting Phase: everybody at all he bears on, or, where that may not be, each at one target.
pub fn fire(scene: &Scene<'_, '_>, goals: &Plan) -> Order {
    let (field, side) = (scene.field(), scene.side);
    let (mut shots, mut firsts, mut reserve) = (Vec::new(), Vec::new(), Vec::new());
    let mut aimed: Vec<Aimed<'_>> = Vec::new();
    for (unit, _) in field::present(field, side) {
        if !weapon::silence(field, unit).is_empty() {
            continue;
        }
        if waits_for_charge(field, unit) {
            reserve.push(Reserve { unit, stands: None });
            continue;
        }
        let Some(firer) = Firer::of(field, unit) else { continue };
        let sheets = firer.sheets();
        let one = Aimed { firer, sheets };
        let own = shots_of(field, goals, &one);
        aimed.push(one);
        firsts.extend(own.first().copied());
        shots.extend(own);
    }
    if shots.is_empty() && reserve.is_empty() {
        return Order::Pass;
    }
    // Everybody has taken aim by now: the judge need not have it done again.
    let allows = |order: &Order| plan::read_aimed(field, side, order, &aimed).1.is_legal();
    let order = Order::Fire { shots, reserve: reserve.clone(), arson: Vec::new() };
    if allows(&order) {
        return order;
    }
    let simple = Order::Fire { shots: firsts, reserve, arson: Vec::new() };
    if allows(&simple) { simple } else { Order::Pass }
}

fn allowed(scene: &Scene<'_, '_>, shots: &[Shot]) -> bool {
    scene.allows(&Order::Fire { shots: shots.to_vec(), reserve: Vec::new(), arson: Vec::new() })
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
fn shots_of(field: &Field, plan: &Plan, aimed: &Aimed<'_>) -> Vec<Shot> {
    let (firer, unit) = (&aimed.firer, aimed.firer.unit);
    let mut rows: Vec<(f64, Shot)> = Vec::new();
    for sheet in aimed.sheets.iter().filter(|sheet| sheet.bears()) {
        let Some(aim) = volley::take(field, firer, sheet.quarry, &sheet.bearings()) else { continue };
        let (at, general) = (sheet.quarry.unit(), sheet.quarry.general());
        rows.push((worth(field, plan, &aim), Shot { unit, at, general, stands: None, passing: false }));
    }
    rows.retain(|(value, _)| *value > 0.0);
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let most = if field::is_battery(field, unit) { 1 } else { rows.len() };
    rows.into_iter().map(|(_, shot)| shot).take(most).collect()
}

/// Answers with fire kept back.
pub fn defend(scene: &Scene<'_, '_>) -> Order {
    let (field, side) = (scene.field(), scene.side);
    let mut shots = Vec::new();
    for (unit, _) in field::present(field, side) {
        for shot in defence::targets(field, unit) {
            let mut more: Vec<Shot> = shots.clone();
            more.push(shot);
            if allowed(scene, &more) {
                shots = more;
            }
        }
    }
    if shots.is_empty() { Order::Pass } else { Order::Fire { shots, reserve: Vec::new(), arson: Vec::new() } }
}
