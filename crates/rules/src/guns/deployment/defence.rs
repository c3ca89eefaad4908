//! Lining and holding cover (R59, R76): who may, how close, how many.

use super::super::field::{self, Field, cover_of, facts, is_ablaze, is_perimeter};
use super::super::formation::{Formation, Spacing};
use engine::{FeatureId, UnitId};
use table::terrain::Feature;
use table::{Length, Pose, SLACK, Vec2};

/// Elements that find room in an area: each takes twice its own ground.
pub fn capacity(feature: &Feature, width: Length) -> u32 {
    const ROOM: f64 = 2.0;
    let element = width.as_f64() * width.as_f64();
    let area: f64 = feature.shape.parts().map(area).sum();
    // A hair more, so that what fits exactly is not cut by the way numbers are kept.
    (area / (ROOM * element) + 1e-6) as u32
}

fn area(corners: &[Vec2]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let doubled: f64 = corners.iter().zip(next).map(|(a, b)| a.x * b.y - b.x * a.y).sum();
    doubled.abs() / 2.0
}

/// Whether men crowd into a feature as a garrison, for whom there is only so much room.
pub fn is_garrisoned(feature: &Feature) -> bool {
    is_perimeter(feature.kind) && !feature.shape.is_line()
}

/// Why a unit could not defend a feature from this place, but for want of room.
pub fn objection(field: &Field, unit: UnitId, pose: Pose, formation: Formation, at: FeatureId) -> Option<String> {
    let Some(feature) = field.ground().features.get(at.index()) else {
        return Some("there is nothing to defend".to_owned());
    };
    let name = field::feature_name(feature);
    if !facts(field, unit).is_foot(field::troops(field, unit)) {
        return Some("only foot defends cover".to_owned());
    }
    if cover_of(feature.kind).is_none() {
        return Some(format!("{name} gives no cover"));
    }
    if is_ablaze(field, at) {
        return Some(format!("{name} is on fire"));
    }
    if feature.shape.is_line() {
        return lines(field, unit, pose, formation, feature)
            .then_some(())
            .map_or_else(|| Some(format!("its front rank does not line {name}")), |()| None);
    }
    let elements = field::elements_at(field, unit, pose, formation);
    if !elements.iter().all(|element| feature.shape.contains(element.centre)) {
        return Some(format!("it is not inside {name}"));
    }
    let close = formation.spacing(facts(field, unit).width(), field::count(field, unit)) == Spacing::Close;
    if close && !is_garrisoned(feature) {
        return Some(format!("in {name} it must stand in loose order"));
    }
    None
}

/// Whether a front rank stands within half an element of a line, with most of its elements facing across it.
fn lines(field: &Field, unit: UnitId, pose: Pose, formation: Formation, feature: &Feature) -> bool {
    let half = facts(field, unit).width().half();
    let reach = (half + SLACK).as_f64();
    let files = usize::from(formation.files_of(field::count(field, unit)));
    let elements = field::elements_at(field, unit, pose, formation);
    let Some(front) = elements.get(..files.min(elements.len())) else { return false };
    let near = front.iter().all(|element| feature.shape.gap_to(element) <= reach);
    let forward = pose.forward();
    let across = front.iter().filter(|element| {
        let (left, right) = element.front_edge();
        let middle = (left + right) * 0.5;
        !feature.shape.clip((element.centre, middle + forward * reach)).is_empty()
    });
    near && across.count() * 2 >= front.len()
}
