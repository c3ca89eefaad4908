//! Fire: what it is likely to do, and at whom it does most.

use super::scene::Scene;
use engine::UnitId;
use rules::guns::event::Manner;
use rules::guns::field::{Field, count, facts, first_rank, troops, uses_small_arms};
use rules::guns::order::{Marking, Order, Shot};
use rules::guns::shooting::{Calculation, of_fire};
use rules::guns::{artillery, musketry, ranging, zone};
use std::collections::BTreeMap;
use table::Length;

/// Faces of the die.
const FACES: u8 = 10;
/// How much more damage to guns is worth: they reach everybody, and every point silences one.
const SILENCED: f64 = 1.4;
/// How much more damage to whoever stands on a place is worth, for each of its points: he is what holds it.
const ON_PLACE: f64 = 0.25;

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

/// What so much damage to a unit is worth after what it has to expect already: more when it brings the unit near its
/// end, or takes the heart out of it.
fn worth(scene: &Scene<'_, '_>, target: UnitId, damage: f64, before: f64) -> f64 {
    let field = scene.field();
    let (own, facts) = (troops(field, target), facts(field, target));
    let left = f64::from(own.status) - before;
    if left <= 0.0 {
        return 0.05 * damage;
    }
    let kill = (damage / left).min(1.0);
    let heart = f64::from(facts.charge_limit);
    let tames = if left >= heart && left - damage < heart { 1.35 } else { 1.0 };
    let charging = if own.charge.is_some() { 1.5 } else { 1.0 };
    let guns = if facts.is_battery() { SILENCED } else { 1.0 };
    let place = 1.0 + ON_PLACE * scene.worth_under(target);
    damage.min(left) * (0.6 + 0.9 * kill) * tames * charging * guns * place
}

/// Everybody chooses after the others, so that fire is heaped where it tells.
fn best(scene: &Scene<'_, '_>, able: Vec<(UnitId, Vec<UnitId>)>, manner: Manner) -> Vec<Shot> {
    let field = scene.field();
    let mut expected: BTreeMap<UnitId, f64> = BTreeMap::new();
    let mut shots = Vec::new();
    let mut able = able;
    // Whoever has least choice fires first.
    able.sort_by_key(|(unit, targets)| (targets.len(), *unit));
    for (unit, targets) in able {
        let mut best: Option<(f64, UnitId, f64)> = None;
        for at in targets {
            let bearing = zone::bearing(field, unit, at);
            if bearing.counted == 0 {
                continue;
            }
            let damage = mean(field, &of_fire(field, unit, at, manner, bearing.counted, bearing.range));
            let score = worth(scene, at, damage, expected.get(&at).copied().unwrap_or_default());
            if best.is_none_or(|(most, ..)| score > most) {
                best = Some((score, at, damage));
            }
        }
        if let Some((_, at, damage)) = best {
            *expected.entry(at).or_default() += damage;
            shots.push(Shot { unit, at });
        }
    }
    shots.sort_by_key(|shot| shot.unit);
    shots
}

pub fn guns(scene: &Scene<'_, '_>) -> Order {
    let field = scene.field();
    // What is ranged in fires where it was told to.
    let ranged = |unit: UnitId| troops(field, unit).registration.as_ref().is_some_and(|ranged| ranged.marked);
    let mut able = artillery::shots(field, scene.side);
    able.retain(|(unit, _)| !ranged(*unit));
    Order::Fire { shots: best(scene, able, Manner::Direct), hold: Vec::new() }
}

pub fn musketry(scene: &Scene<'_, '_>) -> Order {
    let able = musketry::shots(scene.field(), scene.side);
    Order::Fire { shots: best(scene, able, Manner::Musketry), hold: Vec::new() }
}

/// Indirect fire: at what was ranged before, else where it tells most.
pub fn mark(scene: &Scene<'_, '_>) -> Order {
    let field = scene.field();
    let direct = artillery::shots(field, scene.side);
    let mut shots = Vec::new();
    let mut expected: BTreeMap<UnitId, f64> = BTreeMap::new();
    for (battery, targets) in ranging::shots(field, scene.side) {
        let seen = direct.iter().find(|(id, _)| *id == battery).map_or(&[][..], |(_, seen)| seen);
        let before = troops(field, battery).registration.as_ref().map(|ranged| ranged.at);
        let damage = |at: UnitId| {
            let far = rules::guns::field::gap(field, battery, at);
            mean(field, &of_fire(field, battery, at, Manner::Indirect, troops(field, battery).guns, far))
        };
        let at = before.filter(|at| targets.contains(at)).or_else(|| {
            // Whoever can be seen over the sights is better shot at over the sights.
            let far = targets.iter().copied().filter(|at| !seen.contains(at));
            let score = |at: UnitId| worth(scene, at, damage(at), expected.get(&at).copied().unwrap_or_default());
            far.map(|at| (score(at), at)).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at)| at)
        });
        if let Some(at) = at.filter(|_| seen.is_empty() || before.is_some()) {
            *expected.entry(at).or_default() += damage(at);
            shots.push(Marking { battery, at, point: None, blocks: Vec::new() });
        }
    }
    if shots.is_empty() { Order::Pass } else { Order::Mark { shots } }
}
