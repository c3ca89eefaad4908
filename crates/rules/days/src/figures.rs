//! Figures of these books' own kinds: faces of a die, spans of pips, blows, wounds, tolls. Each is written in a chart as
//! a person would write it and refuses what makes no sense.

use book::words;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use table::Length;

words! {
    /// The column in which a target is shot at.
    TargetClass {
        Dispersed = "dispersed", Line = "line", Dense = "dense", Fast = "fast", Light = "light", Heavy = "heavy",
    }
    /// What a result makes of a unit.
    Condition {
        Good = "good", Disordered = "disordered", Shaken = "shaken", Routing = "routing", ToGround = "to ground",
    }
    /// Which way losers look.
    Turned { Enemy = "enemy", Away = "away", }
    /// What becomes of losers of a special kind.
    Fate { Captured = "captured", Destroyed = "destroyed", Major = "major", }
}

/// Reads and writes a figure through its text.
macro_rules! as_text {
    ($($name:ty),*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )*};
}

as_text!(Faces, Blow, Wound, Toll);

/// What each face of a die does, written `- - - H H HH`: stands taken from the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Faces([u8; 6]);

impl Faces {
    /// Stands a face takes.
    pub fn hits(self, pip: u8) -> u8 {
        self.0.get(usize::from(pip).wrapping_sub(1)).copied().unwrap_or(0)
    }

    /// Stands on each face, from one to six.
    pub const fn all(self) -> [u8; 6] {
        self.0
    }
}

impl FromStr for Faces {
    type Err = String;

    fn from_str(text: &str) -> Result<Faces, String> {
        let wrong = || format!("`{text}` is no row of a fire table: expected six of - H HH, such as `- - - H H HH`");
        let face = |word: &str| match word {
            "-" => Some(0),
            "H" => Some(1),
            "HH" => Some(2),
            _ => None,
        };
        let faces: Option<Vec<u8>> = text.split_whitespace().map(face).collect();
        faces.and_then(|faces| faces.try_into().ok()).map(Faces).ok_or_else(wrong)
    }
}

impl fmt::Display for Faces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, hits) in self.0.iter().enumerate() {
            let space = if n == 0 { "" } else { " " };
            write!(f, "{space}{}", ["-", "H", "HH"][usize::from(*hits).min(2)])?;
        }
        Ok(())
    }
}

/// What a hit does to a battery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Blow {
    Crew(u8),
    Horses(u8),
    GunDamaged,
    GunDestroyed,
}

impl FromStr for Blow {
    type Err = String;

    fn from_str(text: &str) -> Result<Blow, String> {
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            ["crew"] => Ok(Blow::Crew(1)),
            ["crew", count] => few(count).map(Blow::Crew),
            ["horse"] => Ok(Blow::Horses(1)),
            ["horse", count] => few(count).map(Blow::Horses),
            ["gun", "damaged"] => Ok(Blow::GunDamaged),
            ["gun", "destroyed"] => Ok(Blow::GunDestroyed),
            _ => Err(format!("`{text}` is no hit on guns: expected crew, crew 2, horse, gun damaged or gun destroyed")),
        }
    }
}

impl fmt::Display for Blow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Blow::Crew(1) => f.write_str("crew"),
            Blow::Crew(count) => write!(f, "crew {count}"),
            Blow::Horses(1) => f.write_str("horse"),
            Blow::Horses(count) => write!(f, "horse {count}"),
            Blow::GunDamaged => f.write_str("gun damaged"),
            Blow::GunDestroyed => f.write_str("gun destroyed"),
        }
    }
}

/// What a hit does to a general or an engineer party.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wound {
    /// Nothing.
    Unhurt,
    /// His horse is shot: he stays where he is in the next Movement Phase.
    Unhorsed,
    /// Away from his command for so many turns.
    Away(u8),
    /// So many pioneers.
    Pioneers(u8),
    /// Dead.
    Killed,
}

impl FromStr for Wound {
    type Err = String;

    fn from_str(text: &str) -> Result<Wound, String> {
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            ["unhurt" | "none"] => Ok(Wound::Unhurt),
            ["unhorsed"] => Ok(Wound::Unhorsed),
            ["away", turns] => few(turns).map(Wound::Away),
            ["pioneer"] => Ok(Wound::Pioneers(1)),
            ["pioneer", count] => few(count).map(Wound::Pioneers),
            ["killed"] => Ok(Wound::Killed),
            _ => Err(format!("`{text}` is no wound: expected unhurt, unhorsed, away 2, pioneer, pioneer 2 or killed")),
        }
    }
}

impl fmt::Display for Wound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wound::Unhurt => f.write_str("unhurt"),
            Wound::Unhorsed => f.write_str("unhorsed"),
            Wound::Away(turns) => write!(f, "away {turns}"),
            Wound::Pioneers(1) => f.write_str("pioneer"),
            Wound::Pioneers(count) => write!(f, "pioneer {count}"),
            Wound::Killed => f.write_str("killed"),
        }
    }
}

fn few(word: &str) -> Result<u8, String> {
    word.parse::<u8>().ok().filter(|count| (1..=12).contains(count)).ok_or_else(|| format!("`{word}` is not 1 to 12"))
}

/// What is taken off a move: a length, or all of it (`whole`), or no way at all (`barred`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Toll {
    Of(Length),
    Whole,
    Barred,
}

impl Toll {
    /// The length, where it is one.
    pub const fn length(self) -> Option<Length> {
        match self {
            Toll::Of(length) => Some(length),
            Toll::Whole | Toll::Barred => None,
        }
    }
}

impl FromStr for Toll {
    type Err = String;

    fn from_str(text: &str) -> Result<Toll, String> {
        match text {
            "barred" => Ok(Toll::Barred),
            "whole" => Ok(Toll::Whole),
            length => {
                let length: Length =
                    length.parse().map_err(|_| format!("`{text}` is no deduction: 2in, whole, barred"))?;
                // tidy: allow(a bound on house rules, not a figure of the book)
                let sound = !length.is_negative() && length <= Length::whole_inches(36);
                if sound { Ok(Toll::Of(length)) } else { Err(format!("{length} is outside 0in to 36in")) }
            }
        }
    }
}

impl fmt::Display for Toll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Toll::Of(length) => write!(f, "{length}"),
            Toll::Whole => f.write_str("whole"),
            Toll::Barred => f.write_str("barred"),
        }
    }
}

/// Pips from the one to the other; `[0, 0]` for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct Span([u8; 2]);

impl Span {
    /// Whether a pip lies in it.
    pub const fn holds(self, pip: u8) -> bool {
        self.0[0] > 0 && self.0[0] <= pip && pip <= self.0[1]
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let [from, to] = <[u8; 2]>::deserialize(deserializer)?;
        let none = from == 0 && to == 0;
        if none || (from >= 1 && from <= to && to <= 6) {
            return Ok(Span([from, to]));
        }
        Err(D::Error::custom(format!("[{from}, {to}] are no pips of a die: expected [2, 5], or [0, 0] for none")))
    }
}

/// So many to so many: `[3, 2]` is half as many again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct Ratio([u32; 2]);

impl Ratio {
    /// Whether `more` is at least so many times `fewer`.
    pub fn reached(self, more: u32, fewer: u32) -> bool {
        more > 0 && u64::from(more) * u64::from(self.0[1]) >= u64::from(fewer) * u64::from(self.0[0])
    }
}

impl<'de> Deserialize<'de> for Ratio {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let [more, fewer] = <[u32; 2]>::deserialize(deserializer)?;
        if fewer < 1 || more < fewer || more > 100 {
            return Err(D::Error::custom(format!("[{more}, {fewer}] does not tell how many stand against one")));
        }
        Ok(Ratio([more, fewer]))
    }
}
