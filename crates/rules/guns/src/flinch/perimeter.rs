//! Defensive perimeters: who holds one, and against whom it counts (passed-b, -c, -e, -f, R35, R76).

use super::super::field::{self, Field};
use super::aim;
use engine::{FeatureId, UnitId};
use table::Quad;
use table::terrain::Feature;

/// The perimeter a unit holds, if it holds one.
pub fn holds(field: &Field, unit: UnitId) -> Option<(FeatureId, &Feature)> {
    let found = field::defended(field, unit)?;
    let able = field::is_foot(field, unit) && !field::facts(field, unit).screen && !aim::is_drawn_out(field, unit);
    (able && field::is_perimeter(found.1.kind)).then_some(found)
}

/// Whether a charge at this unit leads across the perimeter it holds, so that it stands and is fought for it.
pub fn stands_behind(field: &Field, unit: UnitId, charger: UnitId) -> bool {
    if field::troops(field, unit).broken {
        return false;
    }
    holds(field, unit).is_some_and(|(_, feature)| !is_past(field, charger, unit, feature))
}

/// Whether a unit is on the defender's side of a perimeter already.
pub fn is_past(field: &Field, charger: UnitId, defender: UnitId, feature: &Feature) -> bool {
    if field::troops(field, charger).inside {
        return true;
    }
    // Who stands at the edge is not inside yet, however little its front is over it.
    if !feature.shape.is_line() {
        return feature.shape.contains(field.unit(charger).quad().centre);
    }
    let (from, to) = (field::elements(field, charger), field::elements(field, defender));
    let Some((own, foe)) = nearest(&from, &to) else { return false };
    // Its rear tells where it came from: in contact its front may be over the wall already.
    let start = (own.corners[2] + own.corners[3]) * 0.5;
    feature.shape.clip((start, foe.centre)).is_empty()
}

/// The two elements nearest to each other.
pub fn nearest<'q>(a: &'q [Quad], b: &'q [Quad]) -> Option<(&'q Quad, &'q Quad)> {
    let pairs = a.iter().flat_map(|one| b.iter().map(move |other| (one, other)));
    pairs.min_by_key(|(one, other)| table::gap(one, other))
}
