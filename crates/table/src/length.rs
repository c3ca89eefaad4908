//! Keeps lengths: whole micrometres, how they are read, written and shown to people.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// The one tolerance of "within", "touching" and "clear of": a tenth of a millimetre.
pub const SLACK: Length = Length(100);

/// The greatest number below one half.
const BELOW_HALF: f64 = 0.499_999_999_999_999_94;

const UM_PER_INCH: i32 = 25_400;
/// No table is longer than this, so a longer text is a slip of the pen.
const LONGEST_TEXT_UM: f64 = 100_000_000.0;

/// A length in whole micrometres; all arithmetic saturates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Length(i32);

/// The unit in which a length is shown to people.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Inches, shown as `4.5″`.
    #[default]
    Inch,
    /// Centimetres, shown as `20 cm`.
    Centimetre,
}

/// Why a text is no length.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LengthError {
    /// The number has no unit, or one that is not known.
    #[error("`{0}` is no length: expected a number with a unit, such as 8in, 20cm, 150mm or 6ft")]
    NoUnit(String),
    /// What stands before the unit is not a plain decimal number.
    #[error("`{0}` is no length: expected a plain decimal number before the unit, such as 8in or -1.5in")]
    NoNumber(String),
    /// The length is longer than any table.
    #[error("`{0}` is no length for a table: expected at most 100 metres")]
    TooLong(String),
}

impl Length {
    /// No length at all.
    pub const ZERO: Length = Length(0);
    /// The longest length there is, a little over two kilometres.
    pub const MAX: Length = Length(i32::MAX);

    /// So many micrometres.
    #[inline]
    pub const fn um(micrometres: i32) -> Self {
        Length(micrometres)
    }

    /// The nearest whole micrometre, halves away from zero; what is not a number is zero.
    #[inline]
    pub fn from_um(micrometres: f64) -> Self {
        // The cast cuts towards zero, saturates and turns NaN into zero. What is added is the greatest number below one
        // half: with it cutting gives to the bit what rounding gives, and needs no call on targets without the order.
        Length((micrometres + BELOW_HALF.copysign(micrometres)) as i32)
    }

    /// So many whole inches.
    #[inline]
    pub const fn whole_inches(inches: i32) -> Self {
        Length(inches.saturating_mul(UM_PER_INCH))
    }

    /// So many inches, rounded to the nearest micrometre.
    pub fn inches(inches: f64) -> Self {
        Length::from_um(inches * 25_400.0)
    }

    /// So many centimetres, rounded to the nearest micrometre.
    pub fn cm(centimetres: f64) -> Self {
        Length::from_um(centimetres * 10_000.0)
    }

    /// So many millimetres, rounded to the nearest micrometre.
    pub fn mm(millimetres: f64) -> Self {
        Length::from_um(millimetres * 1_000.0)
    }

    /// The length in micrometres.
    #[inline]
    pub const fn as_um(self) -> i32 {
        self.0
    }

    /// The length in micrometres, for geometry.
    #[inline]
    pub fn as_f64(self) -> f64 {
        f64::from(self.0)
    }

    /// The length in inches.
    pub fn as_inches(self) -> f64 {
        self.as_f64() / 25_400.0
    }

    /// The length in centimetres.
    pub fn as_cm(self) -> f64 {
        self.as_f64() / 10_000.0
    }

    /// The length multiplied by any factor and rounded.
    #[inline]
    pub fn times(self, factor: f64) -> Self {
        Length::from_um(self.as_f64() * factor)
    }

    /// Half the length; an odd micrometre is rounded towards zero.
    #[inline]
    pub const fn half(self) -> Self {
        Length(self.0 / 2)
    }

    /// The length without its sign.
    #[inline]
    pub const fn abs(self) -> Self {
        Length(self.0.saturating_abs())
    }

    /// Whether the length is below zero.
    #[inline]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// The length as people say it: one decimal, and none where it is zero.
    pub fn show(self, unit: Unit) -> String {
        let (tenth, mark) = match unit {
            Unit::Inch => (UM_PER_INCH / 10, "″"),
            Unit::Centimetre => (1_000, " cm"),
        };
        let tenth = i64::from(tenth);
        let size = i64::from(self.0).abs();
        let tenths = (size + tenth / 2) / tenth;
        let sign = if self.0 < 0 && tenths > 0 { "-" } else { "" };
        match (tenths / 10, tenths % 10) {
            (whole, 0) => format!("{sign}{whole}{mark}"),
            (whole, rest) => format!("{sign}{whole}.{rest}{mark}"),
        }
    }
}

impl fmt::Display for Length {
    /// Inches where at most three decimals say the length exactly, millimetres otherwise.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let um = i64::from(self.0);
        // A thousandth of an inch is 25.4 µm.
        if um * 10 % 254 == 0 { write_thousandths(f, um * 10 / 254, "in") } else { write_thousandths(f, um, "mm") }
    }
}

/// Writes a number of thousandths as a decimal number without trailing zeros.
pub(crate) fn write_thousandths(f: &mut fmt::Formatter<'_>, thousandths: i64, mark: &str) -> fmt::Result {
    let sign = if thousandths < 0 { "-" } else { "" };
    let (whole, rest) = (thousandths.abs() / 1_000, thousandths.abs() % 1_000);
    if rest == 0 {
        return write!(f, "{sign}{whole}{mark}");
    }
    let decimals = format!("{rest:03}");
    write!(f, "{sign}{whole}.{}{mark}", decimals.trim_end_matches('0'))
}

/// Reads a plain decimal number; words such as `inf`, exponents and empty texts are refused.
pub(crate) fn plain_decimal(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if plain { text.parse().ok().filter(|number: &f64| number.is_finite()) } else { None }
}

impl FromStr for Length {
    type Err = LengthError;

    fn from_str(text: &str) -> Result<Self, LengthError> {
        const UNITS: [(&str, f64); 6] =
            [("in", 25_400.0), ("\"", 25_400.0), ("″", 25_400.0), ("cm", 10_000.0), ("mm", 1_000.0), ("ft", 304_800.0)];
        let trimmed = text.trim();
        let (number, um_per_unit) = UNITS
            .iter()
            .find_map(|(mark, um)| trimmed.strip_suffix(mark).map(|number| (number.trim_end(), *um)))
            .ok_or_else(|| LengthError::NoUnit(text.to_owned()))?;
        let number = plain_decimal(number).ok_or_else(|| LengthError::NoNumber(text.to_owned()))?;
        let um = number * um_per_unit;
        if um.abs() > LONGEST_TEXT_UM {
            return Err(LengthError::TooLong(text.to_owned()));
        }
        Ok(Length::from_um(um))
    }
}

impl Serialize for Length {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self) } else { serializer.serialize_i32(self.0) }
    }
}

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return i32::deserialize(deserializer).map(Length);
        }
        deserializer
            .deserialize_str(crate::length::Text { expected: "a length such as \"8in\" or \"20cm\"" })?
            .parse()
            .map_err(D::Error::custom)
    }
}

/// Accepts a text and nothing else, and says what kind of text was wanted.
pub(crate) struct Text {
    pub(crate) expected: &'static str,
}

impl serde::de::Visitor<'_> for Text {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }
}

impl Add for Length {
    type Output = Length;
    #[inline]
    fn add(self, other: Length) -> Length {
        Length(self.0.saturating_add(other.0))
    }
}

impl Sub for Length {
    type Output = Length;
    #[inline]
    fn sub(self, other: Length) -> Length {
        Length(self.0.saturating_sub(other.0))
    }
}

impl Neg for Length {
    type Output = Length;
    #[inline]
    fn neg(self) -> Length {
        Length(self.0.saturating_neg())
    }
}

impl AddAssign for Length {
    #[inline]
    fn add_assign(&mut self, other: Length) {
        *self = *self + other;
    }
}

impl SubAssign for Length {
    #[inline]
    fn sub_assign(&mut self, other: Length) {
        *self = *self - other;
    }
}

impl Sum for Length {
    fn sum<I: Iterator<Item = Length>>(lengths: I) -> Length {
        lengths.fold(Length::ZERO, Add::add)
    }
}

impl<'a> Sum<&'a Length> for Length {
    fn sum<I: Iterator<Item = &'a Length>>(lengths: I) -> Length {
        lengths.copied().sum()
    }
}

impl Mul<i32> for Length {
    type Output = Length;
    #[inline]
    fn mul(self, factor: i32) -> Length {
        Length(self.0.saturating_mul(factor))
    }
}

impl Div<i32> for Length {
    type Output = Length;
    /// Rounds towards zero; division by zero gives zero.
    #[inline]
    fn div(self, divisor: i32) -> Length {
        if divisor == 0 { Length::ZERO } else { Length(self.0.saturating_div(divisor)) }
    }
}
