//! Names of things inside one battle: dense numbers, so that rosters are plain vectors.
//!
//! In files and messages an id is a short word (`"u7"`, `"c2"`), which no other word of an order resembles; the façade
//! turns it into the piece's own key (`"@guards"`) and back. In the hash it is the bare number.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// One of the two sides. A is the side the set-up lists first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side listed first.
    A,
    /// The side listed second.
    B,
}

impl Side {
    /// Both sides in fixed order.
    pub const BOTH: [Side; 2] = [Side::A, Side::B];

    /// The enemy.
    pub const fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }

    /// 0 or 1.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// One value for each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BySide<T>(pub [T; 2]);

impl<T> BySide<T> {
    /// Makes a value for each side.
    pub fn from_fn(mut make: impl FnMut(Side) -> T) -> Self {
        BySide([make(Side::A), make(Side::B)])
    }

    /// Both values with their side.
    pub fn iter(&self) -> impl Iterator<Item = (Side, &T)> {
        Side::BOTH.into_iter().zip(self.0.iter())
    }
}

impl<T> std::ops::Index<Side> for BySide<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        match side {
            Side::A => &self.0[0],
            Side::B => &self.0[1],
        }
    }
}

impl<T> std::ops::IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::A => &mut self.0[0],
            Side::B => &mut self.0[1],
        }
    }
}

/// Whose eyes a board is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Viewer {
    /// A player.
    Side(Side),
    /// Somebody watching: sees what both sides can see.
    Spectator,
    /// Sees everything.
    Umpire,
}

impl Viewer {
    /// Whether this viewer shares the secrets of `side`.
    pub fn knows(self, side: Side) -> bool {
        match self {
            Viewer::Side(own) => own == side,
            Viewer::Spectator => false,
            Viewer::Umpire => true,
        }
    }
}

/// Decisions are numbered through a battle, so that an answer to an old question can be refused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct DecisionNo(pub u32);

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u16);

        impl $name {
            /// The letter that opens this kind of id in files and messages.
            pub const LETTER: char = $letter;

            /// Place in its roster.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", $letter, self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    serializer.serialize_u16(self.0)
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Word;
                impl Visitor<'_> for Word {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        write!(f, "a piece, written `@key` or `{}` and a number", $letter)
                    }
                    fn visit_str<E: Error>(self, text: &str) -> Result<$name, E> {
                        // Digits only: `parse` alone would take `u+5`, which the check of names does not know as an id.
                        text.strip_prefix($letter)
                            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
                            .and_then(|digits| digits.parse().ok())
                            .map($name)
                            .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
                    }
                }
                if deserializer.is_human_readable() {
                    deserializer.deserialize_str(Word)
                } else {
                    u16::deserialize(deserializer).map($name)
                }
            }
        }
    };
}

id!(
    /// A unit of the roster.
    UnitId, 'u'
);
id!(
    /// A commander of the roster.
    CommanderId, 'c'
);
id!(
    /// A link of the chain of command: a brigade, a division, a corps.
    CommandId, 'g'
);
id!(
    /// A terrain feature of the ground.
    FeatureId, 'f'
);
