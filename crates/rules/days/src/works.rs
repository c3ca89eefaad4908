//! skeleton: owner = staff
//! Engineers at work, fords looked for, woods found out, barricades. Sections 11, 15.4, 15.5, 15.8-b, 17.5.6, A-77, A-82 to A-84.

use super::Days;
use super::field::Field;
use super::order::Order;
use engine::{FeatureId, Side, Umpire, UnitId, Verdict, View};
use table::terrain::Feature;

/// Judges `Work` and `SearchFord`.
pub fn check(_view: &View<'_, Days>, _side: Side, _order: &Order) -> Verdict {
    Verdict::default()
}

/// Carries them out: work is entered; it is counted at the end of the Movement Phase.
pub fn execute(_umpire: &mut Umpire<'_, Days>, _side: Side, _order: &Order) {}

/// 4.13: counts a phase for everybody at work who did nothing else, and finishes what is done.
pub fn count_phases(_umpire: &mut Umpire<'_, Days>) {}

/// After a move: woods nobody knew within 2" are diced for by the moving side.
pub fn find_woods(_umpire: &mut Umpire<'_, Days>, _unit: UnitId) {}

/// How far along a river, a stream or a wall a place lies, where it is drawn as a line.
pub fn along(feature: &table::terrain::Feature, place: table::Vec2) -> Option<f64> {
    let table::Outline::Line { points, .. } = feature.shape.outline() else { return None };
    let mut best: Option<(f64, f64)> = None;
    let mut before = 0.0;
    for pair in points.windows(2) {
        let [from, to] = pair else { continue };
        let (from, way) = (from.vec(), to.vec() - from.vec());
        let length = way.length();
        let on = (place - from).dot(way.normalised()).clamp(0.0, length);
        let aside = (from + way.normalised() * on).distance(place);
        if best.is_none_or(|(least, _)| aside < least) {
            best = Some((aside, before + on));
        }
        before += length;
    }
    best.map(|(_, along)| along)
}

/// The features of the table with their numbers.
pub fn features(field: &Field) -> impl Iterator<Item = (FeatureId, &Feature)> {
    field.ground().numbered().map(|(id, feature)| (FeatureId(id.0), feature))
}

/// The feature with this number.
pub fn feature(field: &Field, id: FeatureId) -> Option<&Feature> {
    field.ground().features.get(usize::from(id.0))
}
