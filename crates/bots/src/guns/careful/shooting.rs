//! Fire: what it is likely to do, and at whom it does most.

use super::scene::Scene;
use engine::UnitId;
use rules::guns::event::Manner;
use rules::guns::field::{Field, count, facts, first_rank, is_deployed, present, troops, uses_small_arms};
use rules::guns::order::{Marking, Order, Shot};
use rules::guns::shooting::{Calculation, of_fire};
use rules::guns::{artillery, musketry, ranging, zone};
use table::Length;

/// Faces of the die.
const FACES: u8 = 10;

/// The mean damage of a calculation over all faces.
pub fn mean(field: &Field, calculation: &Calculation) -> f64 {
    let charts = field.charts();
    let sum: u32 = (1..=FACES).map(|face| u32::from(calculation.result(charts, face).1)).sum();
    f64::from(sum) / f64::from(FACES)
}

/// What a unit could do to another at a distance, everything else being as it is now. Rough: all of its first rank bears.
pub fn at_distance(field: &Field, firer: UnitId, target: UnitId, distance: Length) -> f64 {
    let facts = facts(field, firer);
    if distance > facts.weapon.extreme {
        return 0.0;
    }
    let (manner, counted) = if facts.is_battery() {
        (Manner::Direct, troops(field, firer).guns)
    } else if uses_small_arms(field, firer) {
        let rank = first_rank(field, firer).min(usize::from(count(field, firer)));
        (Manner::Musketry, rank as u8)
    } else {
        return 0.0;
    };
    mean(field, &of_fire(field, firer, target, manner, counted, distance))
}

/// What a point off a unit is worth: more when it brings the unit near its end, or takes the heart out of it.
pub fn worth(field: &Field, target: UnitId, damage: f64) -> f64 {
    let (own, facts) = (troops(field, target), facts(field, target));
    let status = f64::from(own.status.max(1));
    let kill = (damage / status).min(1.0);
    let tender = if own.status <= facts.charge_limit { 1.15 } else { 1.0 };
    let guns = if facts.is_battery() { 1.1 } else { 1.0 };
    damage * (0.6 + 0.8 * kill) * tender * guns
}

fn best(field: &Field, unit: UnitId, targets: &[UnitId], manner: Manner) -> Option<Shot> {
    let mut best: Option<(f64, UnitId)> = None;
    for at in targets {
        let bearing = zone::bearing(field, unit, *at);
        if bearing.counted == 0 {
            continue;
        }
        let damage = mean(field, &of_fire(field, unit, *at, manner, bearing.counted, bearing.range));
        let score = worth(field, *at, damage);
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, *at));
        }
    }
    best.map(|(_, at)| Shot { unit, at })
}

pub fn guns(scene: &Scene<'_, '_>) -> Order {
    let field = scene.field();
    let mut shots = Vec::new();
    for (unit, _) in present(field, scene.side).filter(|(id, _)| is_deployed(field, *id)) {
        // What is ranged in fires where it was told to.
        let ranged = troops(field, unit).registration.as_ref().is_some_and(|registration| registration.marked);
        if !ranged {
            shots.extend(best(field, unit, &artillery::targets(field, unit), Manner::Direct));
        }
    }
    Order::Fire { shots, hold: Vec::new() }
}

pub fn musketry(scene: &Scene<'_, '_>) -> Order {
    let field = scene.field();
    let mut shots = Vec::new();
    for (unit, _) in present(field, scene.side) {
        shots.extend(best(field, unit, &musketry::targets(field, unit), Manner::Musketry));
    }
    Order::Fire { shots, hold: Vec::new() }
}

/// Indirect fire: at what was ranged before, else at whoever has no cover and most to lose.
pub fn mark(scene: &Scene<'_, '_>) -> Order {
    let field = scene.field();
    let mut shots = Vec::new();
    for (battery, _) in present(field, scene.side).filter(|(id, _)| facts(field, *id).indirect && is_deployed(field, *id)) {
        let targets = ranging::targets(field, battery);
        let direct = artillery::targets(field, battery);
        let before = troops(field, battery).registration.as_ref().map(|registration| registration.at);
        let at = before.filter(|at| targets.contains(at)).or_else(|| {
            // Whoever can be seen over the sights is better shot at over the sights.
            let far = targets.iter().copied().filter(|at| !direct.contains(at));
            far.max_by_key(|at| (troops(field, *at).defending.is_none(), troops(field, *at).status))
        });
        if let Some(at) = at.filter(|_| direct.is_empty() || before.is_some()) {
            shots.push(Marking { battery, at, point: None, blocks: Vec::new() });
        }
    }
    if shots.is_empty() { Order::Pass } else { Order::Mark { shots } }
}
