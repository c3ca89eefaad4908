//! Figures every rulebook's chart is made of: bounded numbers, lengths, dice and shares. House rules may change a figure
//! within its bounds, so that no overlay can ask for a million dice.

use engine::chart::Bounded;
use engine::{Cited, Pool};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use table::Length;

/// A number of dice.
pub type DiceCount = Bounded<0, 20>;
/// A score to reach.
pub type Need = Bounded<1, 12>;
/// A modifier.
pub type Modifier = Bounded<-10, 10>;
/// A small count.
pub type Count = Bounded<0, 100>;

/// A length a house rule may set: never negative, never longer than any table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Reach(pub Length);

impl Serialize for Reach {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Reach {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let length = Length::deserialize(deserializer)?;
        // tidy: allow(a bound on house rules, not a figure of the book)
        if length.is_negative() || length > Length::whole_inches(120) {
            return Err(D::Error::custom(format!("{length} is outside 0in to 120in")));
        }
        Ok(Reach(length))
    }
}

/// A length to divide by: at least an inch, never longer than any table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct LongReach(Length);

impl LongReach {
    /// The length.
    pub const fn get(self) -> Length {
        self.0
    }
}

impl<'de> Deserialize<'de> for LongReach {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Reach(length) = Reach::deserialize(deserializer)?;
        if length < Length::whole_inches(1) {
            return Err(D::Error::custom(format!("{length} is less than an inch")));
        }
        Ok(LongReach(length))
    }
}

/// Dice written `2d6`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Throw(pub Pool);

impl Serialize for Throw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Throw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pool: Pool = String::deserialize(deserializer)?.parse().map_err(D::Error::custom)?;
        if pool.len() > 6 {
            return Err(D::Error::custom(format!("{pool} is more than six dice")));
        }
        Ok(Throw(pool))
    }
}

/// A share, such as 40/100.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct Share([i32; 2]);

impl Share {
    /// Whether `part` of `whole` reaches the share.
    pub fn reached(self, part: u32, whole: u32) -> bool {
        whole > 0 && i64::from(part) * i64::from(self.0[1]) >= i64::from(self.0[0]) * i64::from(whole)
    }

    /// How much of the share `part` of `whole` has used up: a fraction to compare.
    pub fn used(self, part: u32, whole: u32) -> (i64, i64) {
        (i64::from(part) * i64::from(self.0[1]), i64::from(self.0[0]).max(1) * i64::from(whole.max(1)))
    }

    /// The share of a length, halves and the like.
    pub fn of(self, length: Length) -> Length {
        length * self.0[0] / self.0[1]
    }

    /// In whole per cent, for people.
    pub fn percent(self) -> i32 {
        self.0[0] * 100 / self.0[1]
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let [part, whole] = <[i32; 2]>::deserialize(deserializer)?;
        if part < 0 || whole < 1 || part > whole || whole > 1000 {
            return Err(D::Error::custom(format!("[{part}, {whole}] is not a share between 0 and 1")));
        }
        Ok(Share([part, whole]))
    }
}

/// A bounded figure as a plain one, papers kept.
pub fn plain<const A: i32, const B: i32>(figure: Cited<Bounded<A, B>>) -> Cited<i32> {
    figure.map(Bounded::get)
}
