//! Into houses and works: foot that can hold them goes in, in one bound or in several, for men inside are not driven off
//! by the first charge.

use super::scene::Scene;
use super::ways::placed;
use engine::{FeatureId, UnitId};
use rules::guns::defence;
use rules::guns::field::{count, elements_at, facts, formation, is_ablaze, is_foot, is_perimeter, troops};
use rules::guns::formation::{Formation, Shape};
use rules::guns::order::{Move, Step};
use rules::guns::plot::space::Bodies;
use table::march::Leg;
use table::terrain::Feature;
use table::{Length, Point, Pose, Vec2};

/// From nearer than this, in centimetres, a unit makes for the houses themselves.
const NEAR: f64 = 30.0;
/// Shares of the last part of the way that are tried, from the middle of the place back to its edge.
const DEPTHS: [f64; 5] = [1.0, 0.75, 0.5, 0.25, 0.0];
/// How far before the middle of a place that last part may begin, in micrometres.
const OUTSIDE: f64 = 300_000.0;
/// What a unit at the edge overlaps it by, in micrometres, so as to stand on it.
const OVERLAP: f64 = 2_000.0;

/// Into houses or a work that would hold it, or as far in as the move goes.
pub fn garrison(scene: &Scene<'_, '_>, unit: UnitId, place: FeatureId, bodies: &mut Bodies) -> Option<Move> {
    let field = scene.field();
    let feature = scene.feature(place).filter(|feature| is_perimeter(feature.kind) && !feature.shape.is_line())?;
    let held = troops(field, unit).defending == Some(place);
    if !is_foot(field, unit) || held || is_ablaze(field, place) {
        return None;
    }
    if feature.shape.gap_to(field.unit(unit).quad()) > Length::cm(NEAR).as_f64() {
        return None;
    }
    let (into, inside) = fitting(scene, unit, feature)?;
    let whole = vec![Step::Form(into), Step::March(vec![Leg::Straight(inside.at)])];
    if let Some(found) = placed(scene, unit, whole, Some(place), bodies) {
        return Some(found);
    }
    let now = formation(field, unit);
    let loose = facts(field, unit).loose || now.shape == Shape::Loose;
    let (shape, inside) = if loose { (into, inside) } else { (now, in_the_middle(scene, unit, now, feature)) };
    let steps: Vec<Step> = (shape != now).then_some(Step::Form(shape)).into_iter().collect();
    let edge = before_the_edge(scene, unit, shape, inside, feature)?;
    let from = field.unit(unit).quad().centre;
    let here = (from - feature.shape.centre()).length();
    DEPTHS.into_iter().find_map(|depth| {
        let at = edge.at.vec() + (inside.at.vec() - edge.at.vec()) * depth;
        let to = Pose { at: Point::from_vec(at), facing: inside.facing };
        let nearer =
            (facts(field, unit).footprint(shape, count(field, unit)).quad(to).centre - feature.shape.centre()).length();
        let gains = shape != now || nearer + OVERLAP < here;
        let mut all = steps.clone();
        all.push(Step::March(vec![Leg::Straight(to.at)]));
        if gains { placed(scene, unit, all, None, bodies) } else { None }
    })
}

/// The loose order in which all of a unit is inside, and where it stands then.
fn fitting(scene: &Scene<'_, '_>, unit: UnitId, feature: &Feature) -> Option<(Formation, Pose)> {
    let field = scene.field();
    (2..=count(field, unit)).rev().find_map(|files| {
        let into = Formation { shape: Shape::Loose, files, gap: None };
        let pose = in_the_middle(scene, unit, into, feature);
        defence::is_inside(feature, &elements_at(field, unit, pose, into)).then_some((into, pose))
    })
}

/// In the middle of a place, facing as it does.
fn in_the_middle(scene: &Scene<'_, '_>, unit: UnitId, into: Formation, feature: &Feature) -> Pose {
    let field = scene.field();
    let middle = feature.shape.centre();
    let flat = Pose { at: Point::from_vec(middle), facing: field.unit(unit).pose().facing };
    flat.shifted(middle - facts(field, unit).footprint(into, count(field, unit)).quad(flat).centre)
}

/// Where the unit would first stand on the place on its way to the middle.
fn before_the_edge(
    scene: &Scene<'_, '_>,
    unit: UnitId,
    shape: Formation,
    inside: Pose,
    feature: &Feature,
) -> Option<Pose> {
    let field = scene.field();
    let way: Vec2 = (feature.shape.centre() - field.unit(unit).quad().centre).normalised() * OUTSIDE;
    let outside = inside.shifted(way * -1.0);
    let quad = facts(field, unit).footprint(shape, count(field, unit)).quad(outside);
    let (first, _) = feature.shape.sweep(&quad, way).first().copied()?;
    Some(outside.shifted(way * (first + OVERLAP / OUTSIDE).min(1.0)))
}
