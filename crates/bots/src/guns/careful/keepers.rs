//! Who keeps the places that count: whoever stands on one stays there, and to one that lies empty a single unit is sent,
//! whatever its brigade is about. A brigade may not go back once it has gone past (R48), so nobody leaves a place behind.

use engine::{FeatureId, Side, UnitId};
use rules::guns::field::{Field, brigade, facts, forward, is_mounted, may_advance_by_status, present, troops};
use rules::guns::pace;
use rules::guns::unit::Cycle;
use rules::guns::victory;
use table::Vec2;
use table::terrain::Feature;

/// Bounds a unit on horseback counts as slower on such an errand: foot can go into the houses, horse is worth more
/// elsewhere.
const MOUNTED: f64 = 0.7;
/// Bounds a unit counts as slower that cannot start at once: pinned, out of order, in a fight.
const BUSY: f64 = 3.0;
/// Bounds by which a unit counts as quicker whose brigade goes the same way anyway.
const SAME_WAY: f64 = 0.7;
/// Bounds by which a unit too worn to charge counts as quicker: it has nothing better to do.
const WORN: f64 = 0.4;
/// Bounds for every centimetre straight back: the rest of the brigade has to make up for it.
const BACKWARD: f64 = 0.6;

fn feature(field: &Field, place: FeatureId) -> Option<&Feature> {
    field.ground().features.get(place.index())
}

/// How far straight back somebody would have to go until he is level with the nearest part of a place.
pub fn back_to(place: &Feature, from: Vec2, ahead: Vec2) -> f64 {
    let bounds = place.shape.bounds();
    (from.dot(ahead) - bounds.min.dot(ahead).max(bounds.max.dot(ahead))).max(0.0)
}

/// Who stays on a place: men in its houses, else whoever has least left in him.
pub fn guard(field: &Field, side: Side, place: FeatureId) -> Option<UnitId> {
    let rank = |id: UnitId| {
        let own = troops(field, id);
        let stands = facts(field, id).is_battery() && own.cycle == Cycle::Deployed;
        (own.defending != Some(place), !stands, own.status, id)
    };
    victory::standing_on(field, side, feature(field, place)?).min_by_key(|id| rank(*id))
}

/// Who goes to an empty place: whoever is there first, so many bounds being left, `heading` telling where a unit's
/// brigade goes.
pub fn sent(
    field: &Field,
    side: Side,
    place: FeatureId,
    bounds_left: f64,
    taken: &[UnitId],
    heading: impl Fn(UnitId) -> Option<FeatureId>,
) -> Option<UnitId> {
    let place_feature = feature(field, place)?;
    let shape = &place_feature.shape;
    let ahead = forward(field, side);
    let mut best: Option<(f64, UnitId)> = None;
    for (id, unit) in present(field, side) {
        let facts = facts(field, id);
        let own = troops(field, id);
        if facts.is_battery() || !victory::may_hold(field, id) || taken.contains(&id) || brigade(field, id).is_none() {
            continue;
        }
        let quad = unit.quad();
        let onward = (shape.centre() - quad.centre).dot(ahead);
        if onward > 0.0 && !may_advance_by_status(field, id) {
            continue;
        }
        let back = back_to(place_feature, quad.centre, ahead) / 10_000.0;
        let mut bounds = shape.gap_to(quad) / pace::full_move(field, id).0.as_f64().max(1.0);
        bounds += back * BACKWARD;
        bounds += if is_mounted(field, id) { MOUNTED } else { 0.0 };
        bounds += if own.pinned || own.disorder.combat || !own.locked.is_empty() { BUSY } else { 0.0 };
        bounds -= if own.status < facts.charge_limit { WORN } else { 0.0 };
        bounds -= if heading(id) == Some(place) { SAME_WAY } else { 0.0 };
        if bounds <= bounds_left && best.is_none_or(|(least, _)| bounds < least) {
            best = Some((bounds, id));
        }
    }
    best.map(|(_, id)| id)
}
