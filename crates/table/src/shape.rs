//! Keeps footprints and the rectangles they cover on the table; `convex` measures between them and `outline` keeps
//! the shapes of terrain.

pub mod convex;
mod decompose;
mod disc;
mod outline;
mod rectangles;

use serde::{Deserialize, Serialize};

use crate::angle::Angle;
use crate::length::{Length, SLACK};
use crate::pose::Pose;
use crate::vec2::{Vec2, greater, lesser};

pub use outline::{Intervals, Outline, Shape, ShapeError};

/// The tolerance of [`SLACK`] for working geometry, in micrometres.
pub(crate) const SLACK_UM: f64 = SLACK.as_um() as f64;

/// The rectangle of a body, hanging behind the flag of its pose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Footprint {
    /// Length of the front edge.
    pub width: Length,
    /// From the front edge to the rear.
    pub depth: Length,
}

impl Footprint {
    /// A footprint from its two measures.
    #[inline]
    pub const fn new(width: Length, depth: Length) -> Self {
        Footprint { width, depth }
    }

    /// The rectangle covered by a body in this pose; negative measures count as zero.
    #[inline]
    pub fn quad(self, pose: Pose) -> Quad {
        self.quad_at(pose.at.vec(), pose.facing)
    }

    /// The rectangle with its flag at a place that need not be a whole micrometre.
    #[inline]
    pub(crate) fn quad_at(self, flag: Vec2, facing: Angle) -> Quad {
        self.quad_along(flag, facing.unit())
    }

    /// The same for a direction of length one that is known already.
    #[inline]
    pub fn quad_along(self, flag: Vec2, forward: Vec2) -> Quad {
        let half_width = greater(self.width.as_f64(), 0.0) * 0.5;
        let depth = greater(self.depth.as_f64(), 0.0);
        let sideways = forward.perp_right() * half_width;
        let back = forward * -depth;
        let (left, right) = (flag - sideways, flag + sideways);
        Quad {
            corners: [left, right, right + back, left + back],
            centre: flag + back * 0.5,
            radius: (half_width * half_width + depth * depth * 0.25).sqrt(),
        }
    }
}

/// A rectangle on the table with the circle around it.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Quad {
    /// Front left, front right, rear right, rear left.
    pub corners: [Vec2; 4],
    /// The middle.
    pub centre: Vec2,
    /// From the middle to a corner.
    pub radius: f64,
}

impl Quad {
    /// The rectangle moved.
    #[inline]
    pub fn shifted(self, by: Vec2) -> Quad {
        Quad { corners: self.corners.map(|corner| corner + by), centre: self.centre + by, radius: self.radius }
    }

    /// The corners as a slice, for [`convex`].
    #[inline]
    pub fn points(&self) -> &[Vec2] {
        &self.corners
    }

    /// A square that faces north around its middle.
    pub fn of_square(centre: Vec2, side: Length) -> Quad {
        let half = greater(side.as_f64(), 0.0) * 0.5;
        Footprint { width: side, depth: side }.quad_at(Vec2 { x: centre.x, y: centre.y + half }, Angle::NORTH)
    }

    /// The front edge from left to right.
    #[inline]
    pub fn front_edge(&self) -> (Vec2, Vec2) {
        (self.corners[0], self.corners[1])
    }

    /// The four edges: front, right, rear, left.
    #[inline]
    pub fn edges(&self) -> [(Vec2, Vec2); 4] {
        let [front_left, front_right, rear_right, rear_left] = self.corners;
        [(front_left, front_right), (front_right, rear_right), (rear_right, rear_left), (rear_left, front_left)]
    }

    /// The box around the corners.
    #[inline]
    pub fn bounds(&self) -> Bounds {
        Bounds::around(&self.corners)
    }

    /// Whether the circles around two rectangles come within a distance of each other.
    #[inline]
    fn circles_within(&self, other: &Quad, distance: f64) -> bool {
        let reach = self.radius + other.radius + distance;
        (other.centre - self.centre).length_squared() <= reach * reach
    }
}

/// The gap between two rectangles; zero where they touch or overlap.
pub fn gap(a: &Quad, b: &Quad) -> Length {
    Length::from_um(rectangles::gap(a, b))
}

/// Whether two rectangles overlap deeper than [`SLACK`].
#[inline]
pub fn quads_overlap(a: &Quad, b: &Quad) -> bool {
    a.circles_within(b, 0.0) && rectangles::penetration(a, b) > SLACK_UM
}

/// Whether the gap between two rectangles is at most [`SLACK`].
#[inline]
pub fn quads_touch(a: &Quad, b: &Quad) -> bool {
    // A hair more than the tolerance, so that rounding in the circles never decides.
    a.circles_within(b, SLACK_UM + 1.0) && rectangles::gap(a, b) <= SLACK_UM
}

/// A box along the axes of the table.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Bounds {
    /// The south-west corner.
    pub min: Vec2,
    /// The north-east corner.
    pub max: Vec2,
}

impl Bounds {
    /// The box around some places; around none it is the origin.
    #[inline]
    pub fn around(points: &[Vec2]) -> Bounds {
        let Some((&first, rest)) = points.split_first() else {
            return Bounds::default();
        };
        let start = Bounds { min: first, max: first };
        rest.iter().fold(start, |bounds, &point| bounds.joined(&Bounds { min: point, max: point }))
    }

    /// The box around two boxes.
    #[inline]
    pub fn joined(&self, other: &Bounds) -> Bounds {
        Bounds {
            min: Vec2 { x: lesser(self.min.x, other.min.x), y: lesser(self.min.y, other.min.y) },
            max: Vec2 { x: greater(self.max.x, other.max.x), y: greater(self.max.y, other.max.y) },
        }
    }

    /// The box with so much more room on every side.
    #[inline]
    pub fn grown(self, by: f64) -> Bounds {
        let by = Vec2 { x: by, y: by };
        Bounds { min: self.min - by, max: self.max + by }
    }

    /// Whether a place lies in the box, its border included.
    #[inline]
    pub fn contains(&self, place: Vec2) -> bool {
        place.x >= self.min.x && place.x <= self.max.x && place.y >= self.min.y && place.y <= self.max.y
    }

    /// Whether two boxes share a place, borders included.
    #[inline]
    pub fn meets(&self, other: &Bounds) -> bool {
        self.min.x <= other.max.x && other.min.x <= self.max.x && self.min.y <= other.max.y && other.min.y <= self.max.y
    }

    /// The square of the distance between two boxes; zero where they meet.
    #[inline]
    pub fn gap_squared(&self, other: &Bounds) -> f64 {
        let across = greater(greater(self.min.x - other.max.x, other.min.x - self.max.x), 0.0);
        let along = greater(greater(self.min.y - other.max.y, other.min.y - self.max.y), 0.0);
        across * across + along * along
    }

    /// The middle of the box.
    #[inline]
    pub fn centre(&self) -> Vec2 {
        (self.min + self.max) * 0.5
    }
}
