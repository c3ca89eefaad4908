//! Keeps points and poses: where a body stands and which way it faces, in whole micrometres and millidegrees.

use serde::{Deserialize, Serialize};

use crate::angle::Angle;
use crate::length::Length;
use crate::vec2::Vec2;

/// A place on the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(from = "(Length, Length)", into = "(Length, Length)")]
pub struct Point {
    /// Distance from the west edge.
    pub x: Length,
    /// Distance from the south edge.
    pub y: Length,
}

impl Point {
    /// A place from its two distances.
    #[inline]
    pub const fn new(x: Length, y: Length) -> Self {
        Point { x, y }
    }

    /// The place for working geometry, exactly.
    #[inline]
    pub fn vec(self) -> Vec2 {
        Vec2 { x: self.x.as_f64(), y: self.y.as_f64() }
    }

    /// The nearest place in whole micrometres.
    #[inline]
    pub fn from_vec(place: Vec2) -> Self {
        Point { x: Length::from_um(place.x), y: Length::from_um(place.y) }
    }

    /// The distance to another place.
    #[inline]
    pub fn distance(self, other: Point) -> Length {
        Length::from_um(self.vec().distance(other.vec()))
    }
}

impl From<(Length, Length)> for Point {
    #[inline]
    fn from((x, y): (Length, Length)) -> Self {
        Point { x, y }
    }
}

impl From<Point> for (Length, Length) {
    #[inline]
    fn from(point: Point) -> Self {
        (point.x, point.y)
    }
}

/// Where a body stands: the middle of its front edge (its flag) and the way it faces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(from = "(Length, Length, Angle)", into = "(Length, Length, Angle)")]
pub struct Pose {
    /// The flag: the middle of the front edge.
    pub at: Point,
    /// The bearing of the front.
    pub facing: Angle,
}

impl From<(Length, Length, Angle)> for Pose {
    #[inline]
    fn from((x, y, facing): (Length, Length, Angle)) -> Self {
        Pose { at: Point { x, y }, facing }
    }
}

impl From<Pose> for (Length, Length, Angle) {
    #[inline]
    fn from(pose: Pose) -> Self {
        (pose.at.x, pose.at.y, pose.facing)
    }
}

impl Pose {
    /// A pose from its flag and facing.
    #[inline]
    pub const fn new(at: Point, facing: Angle) -> Self {
        Pose { at, facing }
    }

    /// The direction of the front, of length one.
    #[inline]
    pub fn forward(self) -> Vec2 {
        self.facing.unit()
    }

    /// The direction of the right hand, of length one.
    #[inline]
    pub fn right(self) -> Vec2 {
        self.facing.unit().perp_right()
    }

    /// From the body's own frame (x to the right, y forward, origin at the flag) to the table.
    #[inline]
    pub fn to_world(self, local: Vec2) -> Vec2 {
        let forward = self.forward();
        self.at.vec() + forward.perp_right() * local.x + forward * local.y
    }

    /// From the table to the body's own frame.
    #[inline]
    pub fn to_local(self, world: Vec2) -> Vec2 {
        let forward = self.forward();
        let offset = world - self.at.vec();
        Vec2 { x: offset.dot(forward.perp_right()), y: offset.dot(forward) }
    }

    /// The pose so much further along its facing.
    #[inline]
    pub fn ahead(self, by: Length) -> Pose {
        self.shifted(self.forward() * by.as_f64())
    }

    /// The pose so much further to its right, or to its left where the length is negative.
    pub fn sideways(self, by: Length) -> Pose {
        self.shifted(self.right() * by.as_f64())
    }

    /// The pose turned clockwise on its flag.
    pub fn turned(self, by: Angle) -> Pose {
        Pose { at: self.at, facing: self.facing + by }
    }

    /// The pose moved, with its facing kept.
    pub fn shifted(self, by: Vec2) -> Pose {
        Pose { at: Point::from_vec(self.at.vec() + by), facing: self.facing }
    }

    /// The about-turn on the spot: the footprint stays and the flag passes to the opposite edge.
    pub fn about(self, depth: Length) -> Pose {
        let rear = self.ahead(-depth);
        Pose { at: rear.at, facing: self.facing.reversed() }
    }
}
