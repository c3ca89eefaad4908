//! Formations: shape, files and gaps. Written in files and orders as a word with what differs from the usual behind it:
//! `line`, `line*4` (four files), `extended/19mm` (squeezed gaps), `assault*3`. Section C.

use book::words;
use engine::UnitId;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use table::Length;

words! {
    /// How closely men stand.
    Spacing { Close = "close", Loose = "loose", Extended = "extended", }
    /// How a unit is drawn up. `Line` is also the line of squadrons, `Squadrons` a squadron in a column of them.
    Shape {
        Line = "line", Loose = "loose", Extended = "extended", Assault = "assault", Route = "route",
        Squadrons = "squadrons", Limbered = "limbered", Deployed = "deployed",
    }
}

/// How a unit is drawn up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Formation {
    /// The shape.
    pub shape: Shape,
    /// Elements in a full rank; zero for the usual number.
    pub files: u8,
    /// Gaps between neighbours where they are not what the order asks for.
    pub gap: Option<Length>,
}

/// Why a text is no formation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is no formation: expected line, loose, extended, assault, route, squadrons, limbered or deployed, with `*4` for four files and `/15mm` for gaps of that width"
)]
pub struct NoFormation(String);

impl Formation {
    /// The usual way to stand in a shape.
    pub const fn usual(shape: Shape) -> Formation {
        Formation { shape, files: 0, gap: None }
    }

    /// The files of a unit of so many elements.
    pub fn files_of(self, count: u8) -> u8 {
        let usual = match self.shape {
            Shape::Route | Shape::Limbered | Shape::Deployed => 1,
            Shape::Assault => 2,
            _ => count,
        };
        let asked = if self.files == 0 || self.shape == Shape::Route { usual } else { self.files };
        asked.clamp(1, count.max(1))
    }

    /// The ranks of a unit of so many elements.
    pub fn ranks_of(self, count: u8) -> u8 {
        count.max(1).div_ceil(self.files_of(count))
    }

    /// The order in which it stands, squeezed gaps taken into account (R60).
    pub fn spacing(self, width: Length, count: u8) -> Spacing {
        let declared = self.shape.spacing();
        if count <= 1 {
            return declared;
        }
        let gap = self.gap.unwrap_or(self.shape.gap(width));
        let holds = |spacing: Spacing| gap + table::SLACK >= spacing.gap(width);
        match declared {
            Spacing::Extended if holds(Spacing::Extended) => Spacing::Extended,
            Spacing::Extended | Spacing::Loose if holds(Spacing::Loose) => Spacing::Loose,
            _ => Spacing::Close,
        }
    }
}

impl Spacing {
    /// The least gap between neighbours.
    pub fn gap(self, width: Length) -> Length {
        match self {
            Spacing::Close => Length::ZERO,
            Spacing::Loose => width.half(),
            Spacing::Extended => width,
        }
    }

    /// Close or loose: formed, as far as spacing goes (R21).
    pub const fn is_formed(self) -> bool {
        matches!(self, Spacing::Close | Spacing::Loose)
    }
}

impl Shape {
    /// The order it declares.
    pub const fn spacing(self) -> Spacing {
        match self {
            Shape::Loose => Spacing::Loose,
            Shape::Extended | Shape::Deployed => Spacing::Extended,
            _ => Spacing::Close,
        }
    }

    /// The gap it asks for.
    pub fn gap(self, width: Length) -> Length {
        self.spacing().gap(width)
    }
}

impl fmt::Display for Formation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.shape.word())?;
        if self.files > 0 {
            write!(f, "*{}", self.files)?;
        }
        match self.gap {
            Some(gap) => write!(f, "/{gap}"),
            None => Ok(()),
        }
    }
}

impl FromStr for Formation {
    type Err = NoFormation;

    fn from_str(text: &str) -> Result<Formation, NoFormation> {
        let wrong = || NoFormation(text.to_owned());
        let (rest, gap) = match text.split_once('/') {
            Some((rest, gap)) => (rest, Some(gap.trim().parse::<Length>().map_err(|_| wrong())?)),
            None => (text, None),
        };
        let (word, files) = match rest.split_once('*') {
            Some((word, files)) => {
                (word, files.trim().parse::<u8>().ok().filter(|files| *files > 0).ok_or_else(wrong)?)
            }
            None => (rest, 0),
        };
        let shape = Shape::parse(word.trim()).ok_or_else(wrong)?;
        if gap.is_some_and(Length::is_negative) {
            return Err(wrong());
        }
        Ok(Formation { shape, files, gap })
    }
}

impl Serialize for Formation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Formation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Formation, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Units that move as one.
pub type Group = Vec<UnitId>;
