//! What the enemy's rifles would do to a unit somewhere, and whether it could bear that to the end of the day.

use super::scene::Scene;
use super::shooting::at_distance;
use super::ways::onto;
use engine::{FeatureId, Side, UnitId};
use rules::guns::field::{Field, facts, is_foot, is_perimeter, known, surely_beyond, troops, uses_small_arms};
use rules::guns::nearby::Nearby;
use table::Vec2;

/// What is left of a volley at men in houses or works, roughly.
const INDOORS: f64 = 0.55;
/// The share of its status a unit gives for a place that counts.
const BEARS: f64 = 0.8;
/// Bounds it looks ahead while it is not winning: after so many the fire will have found somebody else. Who is winning
/// looks to the end.
const HORIZON: f64 = 4.0;

/// How many of ours each enemy could shoot at: he shoots at one of them.
pub fn choices(field: &Field, side: Side) -> Vec<(UnitId, f64)> {
    let own = Nearby::present(field, side);
    known(field, side.other())
        .map(|(id, _)| id)
        .filter(|id| uses_small_arms(field, *id) && !facts(field, *id).is_battery())
        .map(|id| {
            let (quad, reach) = (field.unit(id).quad(), facts(field, id).weapon.extreme);
            let near = own.around(quad, reach).filter(|(_, other)| !surely_beyond(quad, other, reach)).count();
            (id, near as f64)
        })
        .collect()
}

/// The damage a unit has to expect of rifles in a bound if its middle were here, the enemy's fire being shared out among
/// all he can reach.
pub fn danger(scene: &Scene<'_, '_>, unit: UnitId, here: Vec2) -> f64 {
    let field = scene.field();
    let now = field.unit(unit).quad();
    let quad = now.shifted(here - now.centre);
    let mut sum = 0.0;
    for (id, other) in scene.enemies.around(&quad, scene.rifles) {
        let reach = facts(field, id).weapon.extreme;
        let Some((_, choice)) = scene.choices.iter().find(|(one, _)| *one == id) else { continue };
        if troops(field, id).broken || surely_beyond(&quad, other, reach) {
            continue;
        }
        let apart = table::gap(&quad, other);
        if apart > reach {
            continue;
        }
        let counted = if surely_beyond(now, other, reach) { choice + 1.0 } else { choice.max(1.0) };
        sum += at_distance(field, id, unit, apart) / counted;
    }
    sum
}

/// Whether a unit that goes to a place now would still be there at the end.
pub fn bears(scene: &Scene<'_, '_>, unit: UnitId, place: FeatureId) -> bool {
    let field = scene.field();
    let Some(way) = onto(scene, unit, place) else { return true };
    let there = field.unit(unit).quad().centre + way;
    let houses = is_foot(field, unit) && scene.feature(place).is_some_and(|it| is_perimeter(it.kind));
    let loss = danger(scene, unit, there) * if houses { INDOORS } else { 1.0 };
    let bounds = if scene.plan.lead > 0 { scene.bounds_left() } else { scene.bounds_left().min(HORIZON) };
    loss * bounds <= BEARS * f64::from(troops(field, unit).status)
}
