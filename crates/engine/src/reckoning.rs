//! A reckoning: how a number came about, line by line, each with its clause and where its value is printed.

use crate::chart::{Cited, Source};
use crate::clause::ClauseId;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::fmt;

/// A number in whole hundredths: halves and tenths are exact.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Fixed(pub i32);

impl Fixed {
    /// A whole number.
    pub const fn whole(number: i32) -> Fixed {
        Fixed(number.saturating_mul(100))
    }

    /// The whole part, rounded toward zero.
    pub const fn trunc(self) -> i32 {
        self.0 / 100
    }
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, size) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        match (size / 100, size % 100) {
            (whole, 0) => write!(f, "{sign}{whole}"),
            (whole, part) if part % 10 == 0 => write!(f, "{sign}{whole}.{}", part / 10),
            (whole, part) => write!(f, "{sign}{whole}.{part:02}"),
        }
    }
}

impl Serialize for Fixed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (serializer.is_human_readable(), self.0 % 100) {
            (true, 0) => serializer.serialize_i32(self.0 / 100),
            (true, _) => serializer.serialize_f64(f64::from(self.0) / 100.0),
            (false, _) => serializer.serialize_i32(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Fixed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            Ok(Fixed((f64::deserialize(deserializer)? * 100.0).round() as i32))
        } else {
            i32::deserialize(deserializer).map(Fixed)
        }
    }
}

/// What a line does to the sum above it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// A figure looked up; opens a reckoning or stands beside it.
    Look,
    /// Added.
    Add,
    /// Multiplied.
    Times,
    /// Halved.
    Halve,
    /// Doubled.
    Double,
}

/// One line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// The clause that says so.
    pub clause: ClauseId,
    /// A few words.
    pub label: Cow<'static, str>,
    /// What it does.
    pub step: Step,
    /// The figure.
    pub value: Fixed,
    /// Where the figure is printed.
    pub source: Source,
}

/// The whole sum.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Reckoning {
    /// Its lines in the order they count.
    pub lines: SmallVec<[Line; 6]>,
    /// What they come to.
    pub total: Fixed,
}

impl Reckoning {
    /// An empty reckoning.
    pub fn new() -> Reckoning {
        Reckoning::default()
    }

    /// A figure beside the sum: number of dice, score needed.
    pub fn look(
        &mut self,
        clause: impl Into<ClauseId>,
        label: impl Into<Cow<'static, str>>,
        value: Cited<i32>,
    ) -> &mut Self {
        self.line(clause.into(), label.into(), Step::Look, Fixed::whole(value.value), value.source)
    }

    /// A figure added to the sum.
    pub fn add(
        &mut self,
        clause: impl Into<ClauseId>,
        label: impl Into<Cow<'static, str>>,
        value: Cited<i32>,
    ) -> &mut Self {
        self.total = Fixed(self.total.0.saturating_add(Fixed::whole(value.value).0));
        self.line(clause.into(), label.into(), Step::Add, Fixed::whole(value.value), value.source)
    }

    /// A line already worked out in hundredths.
    pub fn line(
        &mut self,
        clause: ClauseId,
        label: Cow<'static, str>,
        step: Step,
        value: Fixed,
        source: Source,
    ) -> &mut Self {
        self.lines.push(Line { clause, label, step, value, source });
        self
    }

    /// The sum in whole numbers.
    pub fn whole(&self) -> i32 {
        self.total.trunc()
    }
}
