//! Keeps vectors: working geometry in `f64` micrometres, which never rests in a state.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use crate::angle::Angle;

/// A place or a displacement in micrometres, x east and y north.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Vec2 {
    /// Towards the east.
    pub x: f64,
    /// Towards the north.
    pub y: f64,
}

impl Vec2 {
    /// The origin, or no displacement.
    pub const ZERO: Vec2 = Vec2 { x: 0.0, y: 0.0 };

    /// A vector from its two parts.
    #[inline]
    pub const fn new(x: f64, y: f64) -> Self {
        Vec2 { x, y }
    }

    /// The scalar product.
    #[inline]
    pub fn dot(self, other: Vec2) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// The z part of the cross product: positive when `other` lies anticlockwise of `self`.
    #[inline]
    pub fn cross(self, other: Vec2) -> f64 {
        self.x * other.y - self.y * other.x
    }

    /// The length.
    #[inline]
    pub fn length(self) -> f64 {
        self.length_squared().sqrt()
    }

    /// The square of the length.
    #[inline]
    pub fn length_squared(self) -> f64 {
        self.x * self.x + self.y * self.y
    }

    /// The vector of length one in the same direction; the zero vector stays zero.
    #[inline]
    pub fn normalised(self) -> Vec2 {
        let length = self.length();
        if length > 0.0 { Vec2 { x: self.x / length, y: self.y / length } } else { Vec2::ZERO }
    }

    /// The vector a quarter turn clockwise.
    #[inline]
    pub fn perp_right(self) -> Vec2 {
        Vec2 { x: self.y, y: -self.x }
    }

    /// The vector turned clockwise.
    #[inline]
    pub fn turned(self, by: Angle) -> Vec2 {
        let (sin, cos) = by.sin_cos();
        Vec2 { x: self.x * cos + self.y * sin, y: self.y * cos - self.x * sin }
    }

    /// The place that lies the given fraction of the way to the other; at 1 it is the other, to the bit.
    #[inline]
    pub fn lerp(self, other: Vec2, fraction: f64) -> Vec2 {
        if fraction.to_bits() == 1.0_f64.to_bits() {
            return other;
        }
        self + (other - self) * fraction
    }

    /// The distance to another place.
    #[inline]
    pub fn distance(self, other: Vec2) -> f64 {
        (other - self).length()
    }

    /// Whether both parts are finite numbers.
    #[inline]
    pub(crate) fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

/// The lesser of two numbers, and the second where they are equal.
///
/// `f64::min` may answer with either zero when both are zero, and targets differ in which.
#[inline]
pub(crate) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two numbers, and the second where they are equal; see [`lesser`].
#[inline]
pub(crate) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

impl Add for Vec2 {
    type Output = Vec2;
    #[inline]
    fn add(self, other: Vec2) -> Vec2 {
        Vec2 { x: self.x + other.x, y: self.y + other.y }
    }
}

impl AddAssign for Vec2 {
    #[inline]
    fn add_assign(&mut self, other: Vec2) {
        *self = *self + other;
    }
}

impl Sub for Vec2 {
    type Output = Vec2;
    #[inline]
    fn sub(self, other: Vec2) -> Vec2 {
        Vec2 { x: self.x - other.x, y: self.y - other.y }
    }
}

impl Mul<f64> for Vec2 {
    type Output = Vec2;
    #[inline]
    fn mul(self, factor: f64) -> Vec2 {
        Vec2 { x: self.x * factor, y: self.y * factor }
    }
}

impl Neg for Vec2 {
    type Output = Vec2;
    #[inline]
    fn neg(self) -> Vec2 {
        Vec2 { x: -self.x, y: -self.y }
    }
}
