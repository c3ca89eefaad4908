//! Line of sight: R19. A view is a straight line from an eye to a place; ground, woods and houses stop it, and for fire
//! so do bodies of close- and loose-order troops.
//!
//! An element looks from the ends and the middle of its front edge, a general or an observer from the middle of his
//! stand; a target is seen by its middle or one of its corners. Whoever looks many times from one unit at another makes
//! a [`Lane`] once: it knows which bodies could stand in the way.

use super::field::{Field, distance, elements, facts, is_hidden, is_there, spacing};
use engine::{FeatureId, Side, UnitId};
use smallvec::SmallVec;
use table::terrain::{Feature, TerrainKind};
use table::{Bounds, Length, Outline, Quad, SLACK, SightRule, Sightline, Vec2, convex, is_clear};

/// How far from its very corner an element looks and is seen: nobody looks along the flank of friends drawn up exactly
/// before him.
const HAIR: f64 = 0.01;

/// How ground and bodies stop a view.
struct Rule {
    /// How much of a wood or of houses can be looked through by somebody inside, or at him.
    inside: Length,
}

impl SightRule for Rule {
    fn feature_blocks(&self, feature: &Feature, inside: Length, line: &Sightline) -> bool {
        let holds_an_end = || feature.shape.contains(line.from) || feature.shape.contains(line.to);
        if hides(feature.kind) {
            return if holds_an_end() { inside > self.inside + SLACK } else { inside > SLACK };
        }
        // A hill on which one of the two stands joins their levels and is no wall between them.
        feature.level > 0 && !feature.shape.is_line() && rises_above(feature, line) && !holds_an_end()
    }

    fn body_blocks(&self, level: u8, line: &Sightline) -> bool {
        level >= line.from_level.min(line.to_level)
    }
}

/// Woods and houses stop the eye; bushes and corn do not.
pub fn hides(kind: TerrainKind) -> bool {
    matches!(kind, TerrainKind::Woods | TerrainKind::Orchard | TerrainKind::Building | TerrainKind::Town)
}

/// Whether the ground of a feature lies anywhere above the straight line between the levels of the two ends.
fn rises_above(feature: &Feature, line: &Sightline) -> bool {
    let (from, to) = (f64::from(line.from_level), f64::from(line.to_level));
    let height = f64::from(feature.level);
    if height <= from.min(to) {
        return false;
    }
    let at = |fraction: f64| from + (to - from) * fraction;
    let stretches = feature.shape.clip((line.from, line.to));
    stretches.iter().any(|(enter, leave)| height > at(*enter).min(at(*leave)) + f64::EPSILON)
}

/// What may stand between one unit, or one pair of eyes, and what it looks at.
pub struct Lane<'f> {
    field: &'f Field,
    rule: Rule,
    bodies: SmallVec<[(usize, Quad, u8); 8]>,
}

impl<'f> Lane<'f> {
    /// A lane in which only ground counts: orders, observers, discovery.
    pub fn of_ground(field: &'f Field) -> Lane<'f> {
        let rule = Rule { inside: distance(field, &field.charts().combat.sight_inside) };
        Lane { field, rule, bodies: SmallVec::new() }
    }

    /// The lane between two units; for fire, bodies between them count.
    pub fn between(field: &'f Field, viewer: UnitId, at: UnitId, for_fire: bool) -> Lane<'f> {
        let around = field.unit(viewer).quad().bounds().joined(&field.unit(at).quad().bounds());
        Lane::within(field, Some(viewer), at, around, for_fire)
    }

    fn within(field: &'f Field, viewer: Option<UnitId>, at: UnitId, around: Bounds, for_fire: bool) -> Lane<'f> {
        let mut lane = Lane::of_ground(field);
        if !for_fire {
            return lane;
        }
        for side in Side::BOTH {
            for (id, unit) in field.present(side) {
                let involved = id == at || Some(id) == viewer;
                if involved || is_hidden(unit) || !unit.quad().bounds().meets(&around) || !is_body(field, id) {
                    continue;
                }
                let level = field.ground().level_at(unit.quad().centre);
                lane.bodies.push((id.index(), *unit.quad(), level));
            }
        }
        lane
    }

    /// Whether a place sees a place.
    pub fn is_open(&self, from: Vec2, to: Vec2) -> bool {
        let ground = self.field.ground();
        let line = Sightline { from, to, from_level: ground.level_at(from), to_level: ground.level_at(to) };
        is_clear(ground, &line, &self.rule, self.bodies.iter().map(|(no, quad, level)| (*no, quad, *level)))
    }

    /// Whether one element sees another by any of the lines that are looked along.
    pub fn element_sees(&self, eye: &Quad, target: &Quad) -> bool {
        eyes_of(eye).into_iter().any(|from| self.place_sees(from, target))
    }

    /// Whether a place sees any part of an element.
    pub fn place_sees(&self, from: Vec2, target: &Quad) -> bool {
        let inward = |corner: &Vec2| corner.lerp(target.centre, HAIR);
        self.is_open(from, target.centre) || target.corners.iter().any(|corner| self.is_open(from, inward(corner)))
    }
}

/// Whether a unit's body hides what is behind it: formed troops, never batteries.
fn is_body(field: &Field, id: UnitId) -> bool {
    !facts(field, id).is_battery() && spacing(field, id).is_formed()
}

/// Where an element looks from.
pub fn eyes_of(element: &Quad) -> [Vec2; 3] {
    let (left, right) = element.front_edge();
    [(left + right) * 0.5, left.lerp(right, HAIR), right.lerp(left, HAIR)]
}

/// Whether one of these rectangles, or a point, sees any part of a unit. `for_fire`: close- and loose-order bodies in
/// between block, but for the two units themselves.
pub fn sees_unit(field: &Field, eyes: &[Vec2], viewer: Option<UnitId>, at: UnitId, for_fire: bool) -> bool {
    if !is_there(field, at) || eyes.is_empty() {
        return false;
    }
    let around = Bounds::around(eyes).joined(&field.unit(at).quad().bounds());
    let lane = Lane::within(field, viewer, at, around, for_fire);
    let targets = elements(field, at);
    eyes.iter().any(|eye| targets.iter().any(|target| lane.place_sees(*eye, target)))
}

/// Whether a place sees some part of a unit that lies within a distance of it; any distance where there is no limit.
pub fn sees_unit_within(field: &Field, eye: Vec2, at: UnitId, limit: Option<Length>) -> bool {
    let lane = Lane::of_ground(field);
    is_there(field, at)
        && elements(field, at).iter().any(|element| {
            let nearest = convex::nearest_points(&[eye], element.points()).1;
            let parts = [nearest, element.centre].into_iter().chain(element.corners);
            parts.into_iter().any(|part| is_near(eye, part, limit) && lane.is_open(eye, part))
        })
}

/// Whether a point sees a feature.
pub fn sees_feature(field: &Field, eye: Vec2, feature: FeatureId) -> bool {
    sees_feature_within(field, eye, feature, None)
}

/// Whether a place sees some part of a feature that lies within a distance of it.
pub fn sees_feature_within(field: &Field, eye: Vec2, feature: FeatureId, limit: Option<Length>) -> bool {
    let Some(feature) = field.ground().features.get(feature.index()) else { return false };
    let lane = Lane::of_ground(field);
    places_of(feature, eye).into_iter().any(|place| is_near(eye, place, limit) && lane.is_open(eye, place))
}

fn is_near(eye: Vec2, place: Vec2, limit: Option<Length>) -> bool {
    limit.is_none_or(|limit| eye.distance(place) <= (limit + SLACK).as_f64())
}

/// Places by which a feature is seen: what is nearest of each of its parts, its corners and its middle.
fn places_of(feature: &Feature, eye: Vec2) -> SmallVec<[Vec2; 16]> {
    let shape = &feature.shape;
    let mut places: SmallVec<[Vec2; 16]> = shape.parts().map(|part| convex::nearest_points(&[eye], part).1).collect();
    if let Outline::Disc { centre, radius } = shape.outline() {
        let away = eye - centre.vec();
        let reach = radius.as_f64().min(away.length());
        places.push(centre.vec() + away.normalised() * reach);
    }
    places.push(shape.centre());
    places.extend(shape.corners());
    places
}

/// Whether one element (its front edge) sees one element of the target. For many pairs of the same two units make a
/// [`Lane`] once instead.
pub fn element_sees(field: &Field, eye: &Quad, viewer: UnitId, target: &Quad, at: UnitId, for_fire: bool) -> bool {
    let around = eye.bounds().joined(&target.bounds());
    Lane::within(field, Some(viewer), at, around, for_fire).element_sees(eye, target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::{Point, Shape};

    fn rule() -> Rule {
        Rule { inside: Length::cm(5.0) }
    }

    fn block(kind: TerrainKind, level: u8, west: f64, east: f64) -> Feature {
        let corner = |x: f64, y: f64| Point::new(Length::cm(x), Length::cm(y));
        let ring = vec![corner(west, 0.0), corner(east, 0.0), corner(east, 40.0), corner(west, 40.0)];
        let shape = Shape::new(Outline::Area(ring)).unwrap();
        Feature { key: "f".into(), name: String::new(), kind, shape, level, crests: Vec::new(), nature: Vec::new() }
    }

    fn line(from: f64, to: f64, levels: (u8, u8)) -> Sightline {
        let at = |x: f64| Point::new(Length::cm(x), Length::cm(20.0)).vec();
        Sightline { from: at(from), to: at(to), from_level: levels.0, to_level: levels.1 }
    }

    fn blocks(feature: &Feature, line: &Sightline) -> bool {
        let inside: f64 = feature.shape.clip((line.from, line.to)).iter().map(|(a, b)| b - a).sum();
        rule().feature_blocks(feature, Length::from_um(inside * line.from.distance(line.to)), line)
    }

    #[test]
    fn a_wood_between_blocks_and_hides_who_is_deep_inside() {
        let wood = block(TerrainKind::Woods, 0, 30.0, 50.0);
        assert!(blocks(&wood, &line(10.0, 70.0, (0, 0))));
        assert!(!blocks(&wood, &line(10.0, 35.0, (0, 0))), "five centimetres in can be seen");
        assert!(blocks(&wood, &line(10.0, 36.0, (0, 0))), "six cannot");
        assert!(!blocks(&wood, &line(46.0, 70.0, (0, 0))), "nor is the view out any different");
        assert!(blocks(&wood, &line(32.0, 40.0, (0, 0))), "within the wood it is the same");
        assert!(!blocks(&block(TerrainKind::Scrub, 0, 30.0, 50.0), &line(10.0, 70.0, (0, 0))));
    }

    #[test]
    fn ground_blocks_where_it_lies_above_the_line() {
        let hill = block(TerrainKind::Hill, 1, 30.0, 50.0);
        assert!(blocks(&hill, &line(10.0, 70.0, (0, 0))));
        assert!(!blocks(&hill, &line(10.0, 70.0, (1, 1))));
        assert!(!blocks(&hill, &line(40.0, 70.0, (1, 0))), "who stands on it looks down from it");
        assert!(blocks(&hill, &line(10.0, 70.0, (2, 0))), "the line falls below it at its far edge");
        assert!(!blocks(&hill, &line(10.0, 90.0, (2, 0))), "here it passes over");
    }

    #[test]
    fn bodies_block_unless_both_ends_are_higher() {
        assert!(rule().body_blocks(0, &line(0.0, 50.0, (0, 1))));
        assert!(!rule().body_blocks(0, &line(0.0, 50.0, (1, 1))));
        assert!(rule().body_blocks(1, &line(0.0, 50.0, (1, 2))));
    }
}
