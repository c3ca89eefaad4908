//! Keeps legs: the single movements of a march, with the words in which orders and cases write them.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::angle::{Angle, AngleError};
use crate::arc::Flank;
use crate::length::{Length, LengthError, Text};
use crate::pose::Point;

/// One movement of a march.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub enum Leg {
    /// Straight on.
    Ahead(Length),
    /// Straight back, facing kept.
    Back(Length),
    /// To the right, or to the left where the length is negative; facing kept.
    Sideways(Length),
    /// Round the front corner of one flank, towards that flank, by at most 180°.
    Wheel {
        /// The flank whose front corner stands still.
        pivot: Flank,
        /// How far.
        by: Angle,
    },
    /// Straight in a slanting direction, facing kept.
    Oblique {
        /// From the facing to the direction, clockwise; to the left where it is more than 180°.
        by: Angle,
        /// How far.
        go: Length,
    },
    /// On the flag, clockwise; to the left where it is more than 180°.
    Turn(Angle),
    /// About on the spot: the footprint stays and the flag passes to the opposite edge.
    About,
    /// The flag goes straight to a place, facing kept.
    Straight(Point),
}

/// Why a text is no leg.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LegError {
    /// The first word is not known, or the words after it do not fit.
    #[error(
        "`{0}` is no leg: expected one of `ahead 4in`, `back 2in`, `right 1in`, `left 1in`, `wheel left 30`, \
         `oblique right 45 3in`, `turn right 90`, `about`, `to 12in 30in`"
    )]
    Unknown(String),
    /// A length in it is wrong.
    #[error("in the leg `{leg}`: {error}")]
    Length {
        /// The whole text.
        leg: String,
        /// What is wrong with the length.
        error: LengthError,
    },
    /// An angle in it is wrong.
    #[error("in the leg `{leg}`: {error}")]
    Angle {
        /// The whole text.
        leg: String,
        /// What is wrong with the angle.
        error: AngleError,
    },
    /// An angle in it is out of bounds.
    #[error("in the leg `{0}`: expected an angle from 0 to 180 degrees")]
    TooFar(String),
}

impl fmt::Display for Leg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Leg::Ahead(by) => write!(f, "ahead {by}"),
            Leg::Back(by) => write!(f, "back {by}"),
            Leg::Sideways(by) if by.is_negative() => write!(f, "left {}", -by),
            Leg::Sideways(by) => write!(f, "right {by}"),
            Leg::Wheel { pivot, by } => {
                write!(f, "wheel {} ", side_name(pivot == Flank::Left))?;
                Angle::write_degrees(by.as_millidegrees(), f)
            }
            Leg::Oblique { by, go } => {
                f.write_str("oblique ")?;
                write_turn(by, f)?;
                write!(f, " {go}")
            }
            Leg::Turn(by) => {
                f.write_str("turn ")?;
                write_turn(by, f)
            }
            Leg::About => f.write_str("about"),
            Leg::Straight(point) => write!(f, "to {} {}", point.x, point.y),
        }
    }
}

fn side_name(left: bool) -> &'static str {
    if left { "left" } else { "right" }
}

/// Writes a signed turn as a side and a number of degrees.
fn write_turn(by: Angle, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{} ", side_name(by.signed() < 0))?;
    Angle::write_degrees(by.signed().abs(), f)
}

impl FromStr for Leg {
    type Err = LegError;

    fn from_str(text: &str) -> Result<Self, LegError> {
        let unknown = || LegError::Unknown(text.to_owned());
        let length =
            |words: &[&str]| words.concat().parse().map_err(|error| LegError::Length { leg: text.to_owned(), error });
        let angle = |word: &str| -> Result<Angle, LegError> {
            let angle: Angle = word.parse().map_err(|error| LegError::Angle { leg: text.to_owned(), error })?;
            // The text itself must say 0 to 180: wrapping must not turn 400 into 40.
            let said = crate::length::plain_decimal(word.trim_end_matches('°')).unwrap_or(-1.0);
            if (0.0..=180.0).contains(&said) { Ok(angle) } else { Err(LegError::TooFar(text.to_owned())) }
        };
        let flank = |word: &str| match word {
            "left" => Ok(Flank::Left),
            "right" => Ok(Flank::Right),
            _ => Err(unknown()),
        };
        let signed = |flank: Flank, by: Angle| if flank == Flank::Left { -by } else { by };

        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            ["about"] => Ok(Leg::About),
            ["ahead", by @ ..] => Ok(Leg::Ahead(length(by)?)),
            ["back", by @ ..] => Ok(Leg::Back(length(by)?)),
            ["right", by @ ..] => Ok(Leg::Sideways(length(by)?)),
            ["left", by @ ..] => Ok(Leg::Sideways(-length(by)?)),
            ["wheel", side, by] => Ok(Leg::Wheel { pivot: flank(side)?, by: angle(by)? }),
            ["turn", side, by] => Ok(Leg::Turn(signed(flank(side)?, angle(by)?))),
            ["oblique", side, by, go @ ..] => {
                Ok(Leg::Oblique { by: signed(flank(side)?, angle(by)?), go: length(go)? })
            }
            ["to", x, y] => Ok(Leg::Straight(Point::new(length(&[x])?, length(&[y])?))),
            ["to", x, x_unit, y, y_unit] => Ok(Leg::Straight(Point::new(length(&[x, x_unit])?, length(&[y, y_unit])?))),
            _ => Err(unknown()),
        }
    }
}

impl Serialize for Leg {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self) } else { Leg::serialize(self, serializer) }
    }
}

impl<'de> Deserialize<'de> for Leg {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let text = deserializer.deserialize_str(Text { expected: "a leg such as \"ahead 4in\" or \"about\"" })?;
            text.parse().map_err(D::Error::custom)
        } else {
            Leg::deserialize(deserializer)
        }
    }
}
