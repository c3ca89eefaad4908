//! Keeps arcs and zones: what lies ahead of a body, to its flanks and behind it.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::angle::Angle;
use crate::pose::Pose;
use crate::shape::{Footprint, SLACK_UM};
use crate::vec2::{Vec2, greater};

/// Less than half a micrometre ahead is beside: no resting place can tell the difference, only rounding can.
const NOISE_UM: f64 = 0.5;

/// One side of a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flank {
    /// The left-hand side of somebody looking forward.
    Left,
    /// The right-hand side of somebody looking forward.
    Right,
}

impl Flank {
    /// The other side.
    pub const fn opposite(self) -> Flank {
        match self {
            Flank::Left => Flank::Right,
            Flank::Right => Flank::Left,
        }
    }
}

/// Where a place lies around a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Zone {
    /// Ahead, opening at 45° from the front corners.
    Front,
    /// To one side.
    Flank(Flank),
    /// Behind, opening at 45° from the rear corners.
    Rear,
}

/// Whether a place lies at most `half` to either side of straight ahead, seen from the flag.
///
/// The border is inside, with [`SLACK`](crate::SLACK). Up to 90° only what lies truly ahead counts.
pub fn within_arc(from: Pose, target: Vec2, half: Angle) -> bool {
    FrontArc { pose: from, half_width: 0.0, half }.contains(target)
}

/// The arc ahead of a body, opening outward from both front corners.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FrontArc {
    pose: Pose,
    half_width: f64,
    half: Angle,
}

impl FrontArc {
    /// The arc that opens by `half` outward from each front corner.
    pub fn from_corners(pose: Pose, footprint: Footprint, half: Angle) -> FrontArc {
        FrontArc { pose, half_width: greater(footprint.width.as_f64(), 0.0) * 0.5, half }
    }

    /// Whether a place lies in the arc, its border included with [`SLACK`](crate::SLACK).
    pub fn contains(&self, place: Vec2) -> bool {
        let local = self.pose.to_local(place);
        (self.half > Angle::EAST || local.y > NOISE_UM)
            && (self.half >= Angle::SOUTH || self.beyond_border(local.x.abs(), local.y) <= SLACK_UM)
    }

    /// Whether any part of a convex polygon lies in the arc.
    pub fn touches(&self, polygon: &[Vec2]) -> bool {
        if self.half > Angle::EAST {
            // What such an arc leaves out is convex, so a polygon is outside only with all its corners.
            return polygon.iter().any(|&place| self.contains(place));
        }
        let local: SmallVec<[Vec2; 8]> = polygon.iter().map(|&place| self.pose.to_local(place)).collect();
        let right = kept(&local, |place| self.beyond_border(place.x, place.y) - SLACK_UM);
        let both = kept(&right, |place| self.beyond_border(-place.x, place.y) - SLACK_UM);
        both.iter().any(|place| place.y > NOISE_UM)
    }

    /// How far a local place lies outside the right-hand border.
    fn beyond_border(&self, x: f64, y: f64) -> f64 {
        let (sin, cos) = self.half.sin_cos();
        (x - self.half_width) * cos - y * sin
    }
}

/// The part of a convex polygon that is not beyond a line.
fn kept(polygon: &[Vec2], beyond: impl Fn(Vec2) -> f64) -> SmallVec<[Vec2; 8]> {
    let mut kept = SmallVec::new();
    for (no, &place) in polygon.iter().enumerate() {
        let next = polygon.get(no + 1).or(polygon.first()).copied().unwrap_or(place);
        let (here, there) = (beyond(place), beyond(next));
        if here <= 0.0 {
            kept.push(place);
        }
        if (here <= 0.0) != (there <= 0.0) {
            kept.push(place.lerp(next, here / (here - there)));
        }
    }
    kept
}

/// The zone of a body in which a place lies; borders, with [`SLACK`](crate::SLACK), belong to the front first and then
/// to the rear.
pub fn zone(of: Pose, footprint: Footprint, point: Vec2) -> Zone {
    let local = of.to_local(point);
    let across = local.x.abs() - footprint.width.as_f64() * 0.5;
    let (ahead, behind) = (local.y, -(local.y + footprint.depth.as_f64()));
    let opens = |out: f64| out >= -SLACK_UM && across <= greater(out, 0.0) + SLACK_UM;
    if opens(ahead) {
        Zone::Front
    } else if opens(behind) {
        Zone::Rear
    } else if local.x < 0.0 {
        Zone::Flank(Flank::Left)
    } else {
        Zone::Flank(Flank::Right)
    }
}
