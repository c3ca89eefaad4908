//! Keeps lines of sight: what a straight line crosses. What that does to the view is a rule, passed in.
//!
//! Features are asked before bodies, because there are fewer of them and they block more often.
//! There is no index: see the note at [`is_clear`].

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::length::Length;
use crate::pose::Point;
use crate::shape::{Quad, SLACK_UM, Shape, convex};
use crate::terrain::{Feature, FeatureId, Ground, TerrainKind};
use crate::vec2::Vec2;

/// A straight line from an eye to what it looks at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sightline {
    /// The eye.
    pub from: Vec2,
    /// What it looks at.
    pub to: Vec2,
    /// The level on which the eye stands.
    pub from_level: u8,
    /// The level on which its target stands.
    pub to_level: u8,
}

/// What the rulebook says about sight.
pub trait SightRule {
    /// Whether a feature blocks a line of which so much lies inside it.
    ///
    /// A line without a width is asked about when it is crossed, with a length of zero. Other features are asked about
    /// when more than [`SLACK`](crate::SLACK) of the line lies inside; running along a border counts as inside.
    fn feature_blocks(&self, feature: &Feature, inside: Length, line: &Sightline) -> bool;

    /// Whether a body on this level blocks a line that crosses it.
    fn body_blocks(&self, level: u8, line: &Sightline) -> bool;

    /// Whether the lengths inside all features of this kind are added before each of them is asked with the sum.
    fn pooled(&self, kind: TerrainKind) -> bool {
        let _ = kind;
        false
    }
}

/// A body that may stand in the way, kept ready for many lines.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Blocker {
    /// The caller's own number for the body.
    pub no: usize,
    /// Its rectangle.
    pub quad: Quad,
    /// The level on which it stands.
    pub level: u8,
}

impl Blocker {
    /// The body as [`is_clear`] takes it.
    pub fn body(&self) -> (usize, &Quad, u8) {
        (self.no, &self.quad, self.level)
    }
}

/// Something that blocks a line, and the stretch of the line inside it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Block {
    /// A piece of terrain.
    Feature {
        /// Its number on the table.
        id: FeatureId,
        /// Where the line first enters it.
        from: Point,
        /// Where the line last leaves it.
        to: Point,
    },
    /// A body.
    Body {
        /// The caller's own number for the body.
        no: usize,
        /// Where the line enters it.
        from: Point,
        /// Where the line leaves it.
        to: Point,
    },
}

/// What a line of sight met.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Sight {
    /// Everything that blocks: features first, then bodies, each in their order.
    pub blocks: SmallVec<[Block; 2]>,
}

impl Sight {
    /// Whether nothing blocks.
    pub fn is_clear(&self) -> bool {
        self.blocks.is_empty()
    }
}

/// Follows a line of sight and names everything that blocks it.
pub fn look(
    ground: &Ground,
    line: &Sightline,
    rule: &impl SightRule,
    bodies: impl IntoIterator<Item = (usize, Quad, u8)>,
) -> Sight {
    let ray = Ray::along(line);
    let met: SmallVec<[(FeatureId, &Feature, Crossing); 8]> = ground
        .numbered()
        .filter_map(|(id, feature)| ray.crossing(&feature.shape).map(|crossing| (id, feature, crossing)))
        .collect();
    let mut blocks = SmallVec::new();
    for &(id, feature, crossing) in &met {
        let inside = if rule.pooled(feature.kind) {
            met.iter().filter(|(_, other, _)| other.kind == feature.kind).map(|(_, _, other)| other.inside).sum()
        } else {
            crossing.inside
        };
        if rule.feature_blocks(feature, Length::from_um(inside), line) {
            blocks.push(Block::Feature { id, from: ray.place(crossing.enter), to: ray.place(crossing.leave) });
        }
    }
    for (no, quad, level) in bodies {
        if ray.crosses(&quad) && rule.body_blocks(level, line) {
            let (enter, leave) = convex::clip((line.from, line.to), &quad.corners).unwrap_or((0.0, 1.0));
            blocks.push(Block::Body { no, from: ray.place(enter), to: ray.place(leave) });
        }
    }
    Sight { blocks }
}

/// Whether nothing blocks a line of sight; stops at the first thing that does.
///
/// There is no index under it. On a table of 200 stands and 30 features most lines are settled in a fifth of a
/// microsecond, and a scan past everything takes little more than half of one (`benches/table.rs`); an index would have
/// to be kept up to date through every move to save a part of that.
pub fn is_clear<'a>(
    ground: &Ground,
    line: &Sightline,
    rule: &impl SightRule,
    bodies: impl IntoIterator<Item = (usize, &'a Quad, u8)>,
) -> bool {
    let ray = Ray::along(line);
    if !features_clear(ground, &ray, line, rule) {
        return false;
    }
    // A plain loop keeps its place in registers, which `any` over a long chain of adapters does not.
    for (_, quad, level) in bodies {
        if ray.crosses(quad) && rule.body_blocks(level, line) {
            return false;
        }
    }
    true
}

/// Whether no feature blocks.
fn features_clear(ground: &Ground, ray: &Ray, line: &Sightline, rule: &impl SightRule) -> bool {
    let mut pool: SmallVec<[(&Feature, f64); 8]> = SmallVec::new();
    for feature in &ground.features {
        let Some(crossing) = ray.crossing(&feature.shape) else {
            continue;
        };
        if rule.pooled(feature.kind) {
            pool.push((feature, crossing.inside));
        } else if rule.feature_blocks(feature, Length::from_um(crossing.inside), line) {
            return false;
        }
    }
    !pool.iter().any(|(feature, _)| {
        let sum = pool.iter().filter(|(other, _)| other.kind == feature.kind).map(|(_, inside)| inside).sum();
        rule.feature_blocks(feature, Length::from_um(sum), line)
    })
}

/// The stretch of a line inside a feature.
#[derive(Clone, Copy)]
struct Crossing {
    enter: f64,
    leave: f64,
    /// In micrometres, summed over all stretches.
    inside: f64,
}

/// A line of sight with everything that is the same for all blockers: for rulebooks that follow it themselves.
pub struct Ray {
    from: Vec2,
    to: Vec2,
    along: Vec2,
    length: f64,
    half_length_squared: f64,
    middle: Vec2,
    half: Vec2,
}

impl Ray {
    /// The line made ready.
    #[inline]
    pub fn along(line: &Sightline) -> Ray {
        let along = line.to - line.from;
        let half = along * 0.5;
        Ray {
            from: line.from,
            to: line.to,
            along,
            length: along.length(),
            half_length_squared: along.length_squared() * 0.5,
            middle: line.from + half,
            half: Vec2 { x: half.x.abs(), y: half.y.abs() },
        }
    }

    fn place(&self, fraction: f64) -> Point {
        Point::from_vec(self.from.lerp(self.to, fraction))
    }

    /// The stretch inside a shape, or nothing where the line misses it.
    #[inline]
    fn crossing(&self, shape: &Shape) -> Option<Crossing> {
        let (middle, half) = shape.middle_and_half();
        let off = middle - self.middle;
        let apart = (off.x.abs() > half.x + self.half.x)
            | (off.y.abs() > half.y + self.half.y)
            | (self.along.cross(off).abs() > self.along.x.abs() * half.y + self.along.y.abs() * half.x);
        if apart { None } else { self.measure(shape) }
    }

    /// How much of the line lies inside a shape, as [`SightRule::feature_blocks`] is asked about it; nothing where it
    /// does not count.
    #[inline]
    pub fn inside(&self, shape: &Shape) -> Option<Length> {
        self.crossing(shape).map(|crossing| Length::from_um(crossing.inside))
    }

    #[inline(never)]
    fn measure(&self, shape: &Shape) -> Option<Crossing> {
        let intervals = shape.clip_near((self.from, self.to));
        let (enter, leave) = (intervals.first()?.0, intervals.last()?.1);
        let inside = intervals.iter().map(|(enter, leave)| leave - enter).sum::<f64>() * self.length;
        let counts = if shape.is_thin() {
            // Somebody who lines a wall sees over it.
            leave * self.length > SLACK_UM && (1.0 - enter) * self.length > SLACK_UM
        } else {
            inside > SLACK_UM
        };
        counts.then_some(Crossing { enter, leave, inside })
    }

    /// Whether the line overlaps a rectangle deeper than the tolerance.
    #[inline]
    pub fn crosses(&self, quad: &Quad) -> bool {
        // Seen from the middle of the line both tests are of the same kind, and one branch is cheaper than three.
        let off = quad.centre - self.middle;
        let (beside, ahead) = (self.along.cross(off).abs(), self.along.dot(off).abs());
        let reach = quad.radius * self.length;
        if (beside >= reach) | (ahead >= reach + self.half_length_squared) {
            return false;
        }
        self.crosses_closely(quad, off, beside, ahead)
    }

    /// Separating axes of a segment and a rectangle, without a square root.
    #[inline(never)]
    fn crosses_closely(&self, quad: &Quad, off: Vec2, beside: f64, ahead: f64) -> bool {
        let [front_left, front_right, _, rear_left] = quad.corners;
        let (sideways, back) = ((front_right - front_left) * 0.5, (rear_left - front_left) * 0.5);
        let slack = SLACK_UM * self.length;
        let across = self.along.cross(sideways).abs() + self.along.cross(back).abs();
        if across - beside <= slack {
            return false;
        }
        let extent = self.along.dot(sideways).abs() + self.along.dot(back).abs();
        if self.half_length_squared + extent - ahead <= slack {
            return false;
        }
        let deep_along = |half_edge: Vec2| {
            let squared = half_edge.length_squared();
            // The half extents of both along the edge, less the distance of their middles.
            let depth = squared + self.along.dot(half_edge).abs() * 0.5 - off.dot(half_edge).abs();
            depth > 0.0 && depth * depth > SLACK_UM * SLACK_UM * squared
        };
        if sideways.length_squared() > 0.0 && back.length_squared() > 0.0 {
            deep_along(sideways) && deep_along(back)
        } else {
            convex::overlaps(&[self.from, self.to], &quad.corners)
        }
    }
}
