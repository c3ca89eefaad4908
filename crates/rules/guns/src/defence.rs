//! Lining and holding cover (R59, R76): who may, how close, how many. Deployment and plans ask the same.

use super::field::{self, Field, cover_of, facts, is_ablaze, is_perimeter};
use engine::{FeatureId, Side, UnitId};
use table::terrain::Feature;
use table::{Length, Outline, Quad, SLACK, Vec2};

/// Whether men crowd into a feature as a garrison, for whom there is only so much room.
pub fn is_garrisoned(feature: &Feature) -> bool {
    is_perimeter(feature.kind) && !feature.shape.is_line()
}

/// Elements that find room in an area: each takes twice its own ground.
pub fn capacity(feature: &Feature, width: Length) -> u32 {
    const ROOM: f64 = 2.0;
    let element = width.as_f64() * width.as_f64();
    // A hair more, so that what fits exactly is not cut by the way numbers are kept.
    (area(feature) / (ROOM * element) + 1e-6) as u32
}

/// Elements of a side that hold a place, one unit left out.
pub fn holders(field: &Field, side: Side, at: FeatureId, but: UnitId) -> u32 {
    let units = field.present(side).filter(|(id, piece)| *id != but && piece.own.defending == Some(at));
    units.map(|(id, _)| u32::from(field::count(field, id))).sum()
}

/// Whether a place has room for a unit beside those who hold it.
pub fn has_room(field: &Field, unit: UnitId, at: FeatureId, feature: &Feature) -> bool {
    let crowd = holders(field, field.side_of(unit), at, unit) + u32::from(field::count(field, unit));
    !is_garrisoned(feature) || crowd <= capacity(feature, facts(field, unit).width())
}

/// Whether a feature gives cover to be defended, and to whom: all that is wrong with it, told of the unit.
pub fn unfit(field: &Field, at: FeatureId, on_foot: bool) -> Vec<String> {
    let Some(feature) = field.ground().features.get(at.index()) else {
        return vec!["there is no such cover".to_owned()];
    };
    let name = field::feature_name(feature);
    let mut reasons = Vec::new();
    if cover_of(feature.kind).is_none() {
        reasons.push(format!("{name} gives no cover"));
    }
    if is_ablaze(field, at) {
        reasons.push(format!("{name} is on fire"));
    }
    if !on_foot {
        reasons.push("only foot defends cover".to_owned());
    }
    reasons
}

/// Whether troops who stand so are where they can defend a feature: their front rank along a line, all of them in an
/// area. The reason why not otherwise.
pub fn misplaced(feature: &Feature, elements: &[Quad], front: usize, width: Length) -> Option<String> {
    let name = field::feature_name(feature);
    if feature.shape.is_line() {
        let front_rank = elements.get(..front).unwrap_or(elements);
        let text = format!("its front rank must stand within half an element of {name} and face across it");
        return (!lines(feature, front_rank, width)).then_some(text);
    }
    (!is_inside(feature, elements)).then(|| format!("it is not all inside {name}"))
}

/// Whether a front rank lines a linear cover: every element close behind it, and facing across it.
fn lines(feature: &Feature, front_rank: &[Quad], width: Length) -> bool {
    let reach = (width.half() + SLACK).as_f64();
    let lined = |quad: &Quad| {
        let (left, right) = quad.front_edge();
        let middle = left.lerp(right, 0.5);
        let ahead = (middle - quad.centre).normalised();
        let across = (quad.centre, middle + ahead * (reach + 1.0));
        feature.shape.distance(middle) <= reach && !feature.shape.clip(across).is_empty()
    };
    !front_rank.is_empty() && front_rank.iter().all(lined)
}

/// Whether every element has its middle in an area.
pub fn is_inside(feature: &Feature, elements: &[Quad]) -> bool {
    let within = |quad: &Quad| feature.shape.contains(quad.centre);
    !feature.shape.is_line() && !elements.is_empty() && elements.iter().all(within)
}

fn area(feature: &Feature) -> f64 {
    if let Outline::Disc { radius, .. } = feature.shape.outline() {
        return std::f64::consts::PI * radius.as_f64() * radius.as_f64();
    }
    feature.shape.parts().map(polygon_area).sum()
}

fn polygon_area(corners: &[Vec2]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| a.cross(*b)).sum::<f64>().abs() * 0.5
}
