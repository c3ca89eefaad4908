//! Keeps angles: whole millidegrees, clockwise from north as on a compass.

use std::f64::consts::{FRAC_1_SQRT_2, PI};
use std::fmt;
use std::ops::{Add, Neg, Sub};
use std::str::FromStr;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::length::{plain_decimal, write_thousandths};
use crate::trig;
use crate::vec2::Vec2;

const FULL: i32 = 360_000;
const HALF: i32 = 180_000;
const QUARTER: i32 = 90_000;
const EIGHTH: i32 = 45_000;
/// Nobody writes an angle of more degrees than this on purpose.
const MOST_DEGREES: f64 = 1e6;

/// An angle or a compass bearing in whole millidegrees, at least 0° and below 360°.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Angle(i32);

/// Why a text or number is no angle.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is no angle: expected degrees, such as 45 or 22.5")]
pub struct AngleError(String);

impl Angle {
    /// Towards +y, 0°.
    pub const NORTH: Angle = Angle(0);
    /// Towards +x, 90°.
    pub const EAST: Angle = Angle(QUARTER);
    /// Towards -y, 180°.
    pub const SOUTH: Angle = Angle(HALF);
    /// Towards -x, 270°.
    pub const WEST: Angle = Angle(HALF + QUARTER);

    /// The nearest millidegree, wrapped into one turn; what is not finite is 0°.
    pub fn degrees(degrees: f64) -> Self {
        let wrapped = (degrees * 1_000.0).round() % f64::from(FULL);
        Angle::millidegrees(wrapped as i32)
    }

    /// So many whole degrees, wrapped.
    #[inline]
    pub const fn whole(degrees: i32) -> Self {
        Angle(degrees.rem_euclid(360) * 1_000)
    }

    /// So many millidegrees, wrapped.
    #[inline]
    pub const fn millidegrees(millidegrees: i32) -> Self {
        Angle(millidegrees.rem_euclid(FULL))
    }

    /// The angle in degrees, at least 0 and below 360.
    pub fn as_degrees(self) -> f64 {
        f64::from(self.0) / 1_000.0
    }

    /// The angle in millidegrees, at least 0 and below 360 000.
    #[inline]
    pub const fn as_millidegrees(self) -> i32 {
        self.0
    }

    /// The angle in millidegrees with its sign: clockwise positive, in (-180 000, 180 000].
    #[inline]
    pub const fn signed(self) -> i32 {
        if self.0 > HALF { self.0 - FULL } else { self.0 }
    }

    /// How far two bearings lie apart the short way round, from 0° to 180°.
    pub const fn apart(self, other: Angle) -> Angle {
        let clockwise = (self.0 - other.0).rem_euclid(FULL);
        Angle(if clockwise > HALF { FULL - clockwise } else { clockwise })
    }

    /// The opposite bearing.
    pub const fn reversed(self) -> Self {
        Angle((self.0 + HALF) % FULL)
    }

    /// Sine and cosine.
    ///
    /// Quadrants and octants are folded on the whole number, so 0°, 90°, 180° and 270° are exact and every symmetry
    /// (quarter turns, mirroring, complement) holds to the bit.
    pub fn sin_cos(self) -> (f64, f64) {
        let within = self.0 % QUARTER;
        let (sin, cos) = if within > EIGHTH {
            let (sin, cos) = first_octant(QUARTER - within);
            (cos, sin)
        } else {
            first_octant(within)
        };
        match self.0 / QUARTER {
            0 => (sin, cos),
            1 => (cos, 0.0 - sin),
            2 => (0.0 - sin, 0.0 - cos),
            _ => (0.0 - cos, sin),
        }
    }

    /// The compass bearing of a vector; the zero vector, and what is no number, points north.
    pub fn of(vector: Vec2) -> Angle {
        if vector.x.is_nan() || vector.y.is_nan() {
            return Angle::NORTH;
        }
        let (across, along) = (vector.x.abs(), vector.y.abs());
        // Folding into the first octant makes bearings turn exactly with the vector in quarter turns.
        let first_quadrant = if across <= along {
            radians_to_millidegrees(trig::atan2(across, along))
        } else {
            QUARTER - radians_to_millidegrees(trig::atan2(along, across))
        };
        Angle::millidegrees(match (vector.x < 0.0, vector.y < 0.0) {
            (false, false) => first_quadrant,
            (false, true) => HALF - first_quadrant,
            (true, true) => HALF + first_quadrant,
            (true, false) => FULL - first_quadrant,
        })
    }

    /// The vector of length one that points along the bearing.
    #[inline]
    pub fn unit(self) -> Vec2 {
        let (sin, cos) = self.sin_cos();
        Vec2 { x: sin, y: cos }
    }

    /// The degrees as a plain number, as legs and charts write them.
    pub(crate) fn write_degrees(millidegrees: i32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_thousandths(f, i64::from(millidegrees), "")
    }
}

pub(crate) fn millidegrees_to_radians(millidegrees: f64) -> f64 {
    millidegrees * (PI / 180_000.0)
}

fn radians_to_millidegrees(radians: f64) -> i32 {
    (radians * (180_000.0 / PI)).round() as i32
}

/// Sine and cosine from 0° to 45°, with the exact values where there are any.
fn first_octant(millidegrees: i32) -> (f64, f64) {
    match millidegrees {
        0 => (0.0, 1.0),
        EIGHTH => (FRAC_1_SQRT_2, FRAC_1_SQRT_2),
        30_000 => (0.5, trig::sin_cos(millidegrees_to_radians(30_000.0)).1),
        _ => trig::sin_cos(millidegrees_to_radians(f64::from(millidegrees))),
    }
}

impl fmt::Display for Angle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_thousandths(f, i64::from(self.0), "°")
    }
}

impl FromStr for Angle {
    type Err = AngleError;

    /// Reads degrees with or without the sign `°`.
    fn from_str(text: &str) -> Result<Self, AngleError> {
        let trimmed = text.trim();
        let number = trimmed.strip_suffix('°').unwrap_or(trimmed).trim_end();
        plain_decimal(number)
            .filter(|degrees| degrees.abs() <= MOST_DEGREES)
            .map(Angle::degrees)
            .ok_or_else(|| AngleError(text.to_owned()))
    }
}

impl Serialize for Angle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            serializer.serialize_i32(self.0)
        } else if self.0 % 1_000 == 0 {
            serializer.serialize_i32(self.0 / 1_000)
        } else {
            serializer.serialize_f64(self.as_degrees())
        }
    }
}

impl<'de> Deserialize<'de> for Angle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(Degrees)
        } else {
            i32::deserialize(deserializer).map(Angle::millidegrees)
        }
    }
}

struct Degrees;

impl Visitor<'_> for Degrees {
    type Value = Angle;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of degrees such as 45 or 22.5")
    }

    fn visit_i64<E: serde::de::Error>(self, degrees: i64) -> Result<Angle, E> {
        self.visit_f64(degrees as f64)
    }

    fn visit_u64<E: serde::de::Error>(self, degrees: u64) -> Result<Angle, E> {
        self.visit_f64(degrees as f64)
    }

    fn visit_f64<E: serde::de::Error>(self, degrees: f64) -> Result<Angle, E> {
        // A comparison with NaN is false, so NaN is refused together with the infinities.
        if degrees.abs() <= MOST_DEGREES {
            Ok(Angle::degrees(degrees))
        } else {
            Err(E::custom(AngleError(degrees.to_string())))
        }
    }
}

impl Add for Angle {
    type Output = Angle;
    #[inline]
    fn add(self, other: Angle) -> Angle {
        Angle((self.0 + other.0) % FULL)
    }
}

impl Sub for Angle {
    type Output = Angle;
    #[inline]
    fn sub(self, other: Angle) -> Angle {
        Angle((self.0 - other.0).rem_euclid(FULL))
    }
}

impl Neg for Angle {
    type Output = Angle;
    #[inline]
    fn neg(self) -> Angle {
        Angle((FULL - self.0) % FULL)
    }
}
