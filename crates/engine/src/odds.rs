//! Exact odds: every face of every die in turn, through the very resolver the umpire uses.
//!
//! A [`Spread`] counts ways, not fractions, so nothing is rounded until a person reads it.

use crate::dice::{Pips, Pool};
use crate::reckoning::{Line, Reckoning, Step};
use serde::{Deserialize, Serialize};

/// The whole to which odds are rounded when their exact numbers grow out of bounds; its square still fits.
const PARTS: u128 = 1 << 60;

/// How many ways each result can come about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spread<T> {
    ways: Vec<(T, u128)>,
    total: u128,
}

impl<T: Ord + Clone> Spread<T> {
    /// One result, surely.
    pub fn certain(result: T) -> Spread<T> {
        Spread { ways: vec![(result, 1)], total: 1 }
    }

    /// Every face of every die of a pool through a resolver. Pools are small; large ones go through [`Spread::sum_of`].
    pub fn of_pool(pool: Pool, mut resolve: impl FnMut(&[u8]) -> T) -> Spread<T> {
        let dice: Vec<_> = pool.dice().collect();
        let mut pips: Pips = dice.iter().map(|die| die.first).collect();
        let mut ways: Vec<(T, u128)> = Vec::new();
        loop {
            ways.push((resolve(&pips), 1));
            let next = dice.iter().zip(pips.iter_mut()).find_map(|(die, pip)| {
                let more = pip.saturating_sub(die.first) < die.sides.saturating_sub(1) && *pip < u8::MAX;
                *pip = if more { *pip + 1 } else { die.first };
                more.then_some(())
            });
            if next.is_none() {
                break;
            }
        }
        Spread::gather(ways)
    }

    /// From results and their ways.
    pub fn gather(mut ways: Vec<(T, u128)>) -> Spread<T> {
        ways.sort_by(|a, b| a.0.cmp(&b.0));
        let mut merged: Vec<(T, u128)> = Vec::with_capacity(ways.len().min(16));
        for (result, count) in ways {
            match merged.last_mut() {
                Some(last) if last.0 == result => last.1 += count,
                _ => merged.push((result, count)),
            }
        }
        let total = merged.iter().map(|way| way.1).sum();
        Spread { ways: merged, total }.reduced()
    }

    /// The same odds told in other words.
    pub fn map<U: Ord + Clone>(&self, mut tell: impl FnMut(&T) -> U) -> Spread<U> {
        Spread::gather(self.ways.iter().map(|(result, count)| (tell(result), *count)).collect())
    }

    /// What follows each result, taken together.
    pub fn then<U: Ord + Clone>(&self, mut follow: impl FnMut(&T) -> Spread<U>) -> Spread<U> {
        let branches: Vec<Spread<U>> = self.ways.iter().map(|(result, _)| follow(result)).collect();
        let common = branches.iter().try_fold(1u128, |lcm, spread| {
            (lcm / gcd(lcm, spread.total).max(1)).checked_mul(spread.total).filter(|lcm| *lcm > 0)
        });
        let Some(common) = common.filter(|common| self.total.checked_mul(*common).is_some()) else {
            let rounded: Vec<Spread<U>> = branches.iter().map(Spread::rounded).collect();
            return self.rounded().weighed(rounded, |_| 1);
        };
        self.weighed(branches, |spread| common / spread.total.max(1))
    }

    fn weighed<U: Ord + Clone>(&self, branches: Vec<Spread<U>>, scale: impl Fn(&Spread<U>) -> u128) -> Spread<U> {
        let mut ways = Vec::new();
        for ((_, count), spread) in self.ways.iter().zip(branches) {
            let weight = count * scale(&spread);
            ways.extend(spread.ways.into_iter().map(|(result, n)| (result, n * weight)));
        }
        Spread::gather(ways)
    }

    /// The same odds in whole parts of [`PARTS`], for spreads whose ways no longer fit: fifty dice have more ways than
    /// there are numbers, and nobody reads the seventeenth decimal.
    fn rounded(&self) -> Spread<T> {
        let shift = (128 - self.total.leading_zeros()).saturating_sub(64);
        let total = (self.total >> shift).max(1);
        let parts = |n: u128| ((n >> shift) * PARTS / total).max(1);
        let mut ways: Vec<(T, u128)> = self.ways.iter().map(|(result, n)| (result.clone(), parts(*n))).collect();
        // What rounding left over goes to the likeliest result, so that all rounded spreads have the same total.
        let sum: u128 = ways.iter().map(|way| way.1).sum();
        if let Some(likeliest) = ways.iter_mut().max_by_key(|way| way.1) {
            likeliest.1 = (likeliest.1 + PARTS).saturating_sub(sum).max(1);
        }
        let total = ways.iter().map(|way| way.1).sum();
        Spread { ways, total }
    }

    /// Results with their chances.
    pub fn chances(&self) -> impl Iterator<Item = (&T, f64)> {
        let total = self.total as f64;
        self.ways.iter().map(move |(result, count)| (result, *count as f64 / total))
    }

    /// The chance of whatever the question accepts.
    pub fn chance(&self, mut question: impl FnMut(&T) -> bool) -> f64 {
        let ways: u128 = self.ways.iter().filter(|(result, _)| question(result)).map(|way| way.1).sum();
        ways as f64 / self.total as f64
    }

    /// Ways of one result and all ways, in lowest terms.
    pub fn ways_of(&self, wanted: &T) -> (u128, u128) {
        (self.ways.iter().find(|(result, _)| result == wanted).map_or(0, |way| way.1), self.total)
    }

    fn reduced(mut self) -> Self {
        let common = self.ways.iter().fold(self.total, |acc, way| gcd(acc, way.1));
        if common > 1 {
            self.ways.iter_mut().for_each(|way| way.1 /= common);
            self.total /= common;
        }
        self
    }
}

impl Spread<i32> {
    /// The sum of `count` equal and independent dice of which one behaves like `die`: pools of any size by convolution.
    pub fn sum_of(count: usize, die: &Spread<i32>) -> Spread<i32> {
        (0..count).fold(Spread::certain(0), |sum, _| sum.plus(die))
    }

    /// The sum of two independent results.
    pub fn plus(&self, other: &Spread<i32>) -> Spread<i32> {
        if self.total.checked_mul(other.total).is_none() {
            return self.rounded().plus(&other.rounded());
        }
        let mut ways = Vec::with_capacity(self.ways.len() * other.ways.len());
        for (a, n) in &self.ways {
            ways.extend(other.ways.iter().map(|(b, m)| (a + b, n * m)));
        }
        Spread::gather(ways)
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.chances().map(|(result, chance)| f64::from(*result) * chance).sum()
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// One bar of a plot.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Chance {
    /// What happens.
    pub label: String,
    /// How likely, 0 to 1.
    pub chance: f64,
    /// The same as a fraction, exactly.
    pub exact: String,
}

/// Something that counts for a throw.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Factor {
    /// The clause that says so.
    pub clause: String,
    /// A few words.
    pub label: String,
    /// Its figure, as it counts: `5`, `+1`, `halved`.
    pub figure: String,
    /// Where the figure comes from, in a word or two.
    pub source: String,
    /// What the odds would lack or gain without it, such as `−0.5 hits`; nothing where it is no addition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub makes: Option<String>,
}

/// Odds as a person reads them: one plot for each thing in question.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Odds {
    /// What is being thrown for.
    pub title: String,
    /// The plot.
    pub bars: Vec<Chance>,
    /// What counts for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<Factor>,
    /// What may follow.
    pub then: Vec<Odds>,
}

impl Odds {
    /// A plot from a spread.
    pub fn plot<T: Ord + Clone>(title: impl Into<String>, spread: &Spread<T>, label: impl Fn(&T) -> String) -> Odds {
        let bars = spread
            .ways
            .iter()
            .map(|(result, count)| Chance {
                label: label(result),
                chance: *count as f64 / spread.total as f64,
                exact: exact(*count, spread.total),
            })
            .collect();
        Odds { title: title.into(), bars, ..Odds::default() }
    }

    /// Says what counts, line by line.
    pub fn counting(mut self, sum: &Reckoning) -> Odds {
        self.factors.extend(sum.lines.iter().map(|line| Factor::of(line, None)));
        self
    }

    /// The same, and what each addition makes: `worth` tells what is at stake when the additions come to so much.
    pub fn weighing(mut self, sum: &Reckoning, stake: Stake, worth: impl Fn(i32) -> f64) -> Odds {
        let total = sum.whole();
        let whole = worth(total);
        for line in &sum.lines {
            let makes = (line.step == Step::Add).then(|| stake.tell(whole - worth(total - line.value.trunc())));
            self.factors.push(Factor::of(line, makes));
        }
        self
    }

    /// Adds what may follow.
    pub fn followed_by(mut self, next: Odds) -> Odds {
        self.then.push(next);
        self
    }
}

/// What a factor adds to, or takes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stake {
    /// A chance: told in hundredths.
    Chance,
    /// A number of things, with the word for them.
    Mean(&'static str),
}

impl Stake {
    /// A difference in words; one that is lost in rounding is told as none.
    pub fn tell(self, by: f64) -> String {
        let sign = if by < 0.0 { '−' } else { '+' };
        match self {
            Stake::Chance if by.abs() < 0.005 => "no difference".to_owned(),
            Stake::Chance => format!("{sign}{:.0} %", by.abs() * 100.0),
            Stake::Mean(_) if by.abs() < 0.005 => "no difference".to_owned(),
            Stake::Mean(things) => format!("{sign}{:.2} {things}", by.abs()),
        }
    }
}

impl Factor {
    fn of(line: &Line, makes: Option<String>) -> Factor {
        let value = line.value.to_string();
        let figure = match line.step {
            Step::Look => value,
            Step::Add if line.value.0 >= 0 => format!("+{value}"),
            Step::Add => value,
            Step::Times => format!("×{value}"),
            Step::Halve => "halved".to_owned(),
            Step::Double => "doubled".to_owned(),
        };
        Factor {
            clause: line.clause.to_string(),
            label: line.label.to_string(),
            figure: figure.replace('-', "−"),
            source: line.source.to_string(),
            makes,
        }
    }
}

fn exact(count: u128, total: u128) -> String {
    let common = gcd(count, total).max(1);
    format!("{}/{}", count / common, total / common)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Cited;

    #[test]
    fn convolution_agrees_with_counting_every_face() {
        let die = Spread::of_pool(Pool::d6(1), |pips| i32::from(pips[0] >= 5));
        let counted = Spread::of_pool(Pool::d6(4), |pips| pips.iter().filter(|pip| **pip >= 5).count() as i32);
        assert_eq!(Spread::sum_of(4, &die), counted);
        assert_eq!(counted.ways_of(&4), (1, 81));
    }

    #[test]
    fn what_follows_keeps_the_total_whole() {
        let chain = Spread::of_pool(Pool::d6(1), |pips| pips[0]).then(|pip| {
            if *pip == 6 { Spread::of_pool(Pool::d6(1), |pips| u8::from(pips[0] == 6)) } else { Spread::certain(0) }
        });
        assert_eq!(chain.ways_of(&1), (1, 36));
    }

    #[test]
    fn what_a_factor_makes_is_what_the_odds_lack_without_it() {
        let mut sum = Reckoning::new();
        sum.look(crate::ClauseId("x.1"), "score needed", Cited::derived(4));
        sum.add(crate::ClauseId("x.2"), "behind a wall", Cited::derived(-1));
        let passes = |modifier: i32| Spread::of_pool(Pool::d6(1), |pips| i32::from(pips[0]) + modifier >= 4);
        let odds = Odds::plot("a test", &passes(-1), |hit| hit.to_string());
        let odds = odds.weighing(&sum, Stake::Chance, |modifier| passes(modifier).chance(|hit| *hit));
        let told: Vec<(&str, Option<&str>)> =
            odds.factors.iter().map(|factor| (factor.figure.as_str(), factor.makes.as_deref())).collect();
        assert_eq!(told, [("4", None), ("−1", Some("−17 %"))]);
    }
}
