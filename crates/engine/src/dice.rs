//! Dice: pools, rolls and where the pips come from.
//!
//! A chapter never holds a die; it asks the umpire for a pool. Behind the umpire stand seeded dice (play), scripted
//! dice (cases) or, for odds, every face in turn ([`crate::odds`]).

use crate::ids::Side;
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// One kind of die.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Die {
    /// How many faces.
    pub sides: u8,
    /// The lowest face: 1 nearly always, 0 for a D10 numbered 0 to 9.
    pub first: u8,
}

impl Die {
    /// The ordinary cube.
    pub const D6: Die = Die::new(6);
    /// A D10 numbered 0 to 9.
    pub const D10_FROM_ZERO: Die = Die { sides: 10, first: 0 };

    /// A die numbered from 1.
    pub const fn new(sides: u8) -> Die {
        Die { sides, first: 1 }
    }

    /// Its faces.
    pub fn faces(self) -> impl Iterator<Item = u8> + Clone {
        (0..self.sides).map(move |face| self.first.saturating_add(face))
    }
}

/// The dice thrown together: up to three kinds at once, such as `2d6+1d8`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pool {
    groups: [(u8, Die); 3],
}

/// More dice than this are never thrown at once, whatever a house rule says.
pub const MOST_DICE: u8 = 60;

impl Pool {
    /// `count` dice of one kind.
    pub const fn of(count: u8, die: Die) -> Pool {
        let count = if count > MOST_DICE { MOST_DICE } else { count };
        Pool { groups: [(count, die), (0, Die::D6), (0, Die::D6)] }
    }

    /// `count` six-sided dice.
    pub const fn d6(count: u8) -> Pool {
        Pool::of(count, Die::D6)
    }

    /// One die.
    pub const fn one(die: Die) -> Pool {
        Pool::of(1, die)
    }

    /// This pool with more dice beside it.
    pub fn and(mut self, count: u8, die: Die) -> Pool {
        let room = MOST_DICE.saturating_sub(u8::try_from(self.len()).unwrap_or(MOST_DICE));
        if let Some(empty) = self.groups.iter_mut().find(|group| group.0 == 0) {
            *empty = (count.min(room), die);
        }
        self
    }

    /// Every die of the pool in order.
    pub fn dice(self) -> impl Iterator<Item = Die> + Clone {
        self.groups.into_iter().flat_map(|(count, die)| std::iter::repeat_n(die, count as usize))
    }

    /// How many dice.
    pub fn len(self) -> usize {
        self.groups.iter().map(|group| group.0 as usize).sum()
    }

    /// Whether there is nothing to throw.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether every pip is a face of its die.
    fn shows(self, pips: &[u8]) -> bool {
        self.len() == pips.len() && self.dice().zip(pips).all(|(die, pip)| die.faces().any(|face| face == *pip))
    }

    /// Whether a script's pool means this one: a script says `1d10` whatever the lowest face is.
    fn looks_like(self, other: Pool) -> bool {
        self.dice().map(|die| die.sides).eq(other.dice().map(|die| die.sides))
    }
}

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (count, die) in self.groups.iter().filter(|group| group.0 > 0) {
            if !first {
                f.write_str("+")?;
            }
            write!(f, "{count}d{}", die.sides)?;
            first = false;
        }
        if first { f.write_str("no dice") } else { Ok(()) }
    }
}

impl FromStr for Pool {
    type Err = DiceError;
    fn from_str(text: &str) -> Result<Pool, DiceError> {
        let bad = || DiceError::NotAPool(text.to_owned());
        let mut pool = Pool::d6(0);
        for (n, group) in text.trim().split('+').enumerate() {
            let (count, sides) = group.trim().split_once(['d', 'D']).ok_or_else(bad)?;
            let count: u8 = count.trim().parse().map_err(|_| bad())?;
            let sides: u8 = sides.trim().parse().map_err(|_| bad())?;
            let together = pool.len() + usize::from(count);
            if n >= 3 || count == 0 || together > usize::from(MOST_DICE) || !(2..=100).contains(&sides) {
                return Err(bad());
            }
            pool = pool.and(count, Die::new(sides));
        }
        Ok(pool)
    }
}

/// The faces that came up, in the order of the pool.
pub type Pips = SmallVec<[u8; 8]>;

/// One throw, with who threw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roll {
    /// What was thrown.
    pub pool: Pool,
    /// What came up.
    pub pips: Pips,
    /// Who threw.
    pub by: Side,
}

impl Roll {
    /// The sum of the pips.
    pub fn total(&self) -> i32 {
        self.pips.iter().map(|&pip| i32::from(pip)).sum()
    }

    /// The first pip, for throws of one die.
    pub fn single(&self) -> i32 {
        self.pips.first().map_or(0, |&pip| i32::from(pip))
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.pool)?;
        self.pips.iter().try_for_each(|pip| write!(f, " {pip}"))
    }
}

impl Serialize for Roll {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What can go wrong with dice; only scripts can make it happen.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DiceError {
    /// Not a pool.
    #[error("`{0}` is not a pool of dice; write 3d6 or 2d6+1d8")]
    NotAPool(String),
    /// Not a scripted throw.
    #[error("`{0}` is not a scripted throw; write \"3d6: 4 2 6\"")]
    NotAThrow(String),
    /// The script has another throw next.
    #[error("the rules throw {wanted}, the script has {scripted} next")]
    WrongDie {
        /// What the rules asked for.
        wanted: String,
        /// What the script offers.
        scripted: String,
    },
    /// The script has a face the die does not bear.
    #[error("the rules throw {wanted}, and no such die shows the script's {scripted}")]
    NotAFace {
        /// What the rules asked for.
        wanted: String,
        /// What the script offers.
        scripted: String,
    },
    /// The script is at its end.
    #[error("the rules throw {0}, but the script has no dice left")]
    Missing(String),
    /// The script was not used up.
    #[error("the script still holds {0}, which the rules never threw")]
    Leftover(String),
}

/// A source of pips.
pub trait Dice: Send {
    /// Throws a pool.
    fn throw(&mut self, pool: Pool) -> Result<Pips, DiceError>;
}

/// The secret number a battle's dice come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seed(pub [u8; 32]);

impl Seed {
    /// A seed from a plain number, for simulations and tests.
    pub fn from_number(number: u64) -> Seed {
        Seed(*blake3::hash(&number.to_le_bytes()).as_bytes())
    }

    /// What players may see while the battle lasts.
    pub fn commitment(self) -> String {
        blake3::hash(&self.0).to_hex().to_string()
    }

    /// Another seed that depends on this one and a label.
    pub fn derive(self, label: &str, number: u64) -> Seed {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(label.as_bytes());
        hasher.update(&number.to_le_bytes());
        Seed(*hasher.finalize().as_bytes())
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Seed {
    type Err = String;
    fn from_str(text: &str) -> Result<Seed, String> {
        let bad = || format!("`{text}` is not a seed of 64 hexadecimal digits");
        // Digits only: reading two by two would take `+0`.
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(bad());
        }
        let mut seed = [0; 32];
        for (n, byte) in seed.iter_mut().enumerate() {
            *byte = text.get(2 * n..2 * n + 2).and_then(|two| u8::from_str_radix(two, 16).ok()).ok_or_else(bad)?;
        }
        Ok(Seed(seed))
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Dice of a real battle. The way from a random word to a pip is ours and frozen by test vectors: a word is taken if
/// it is below the largest multiple of the faces, and thrown away otherwise, so every face is exactly as likely.
#[derive(Clone)]
pub struct Seeded(ChaCha12Rng);

impl Seeded {
    /// Dice from a seed.
    pub fn new(seed: Seed) -> Seeded {
        Seeded(ChaCha12Rng::from_seed(seed.0))
    }
}

fn pip(generator: &mut ChaCha12Rng, die: Die) -> u8 {
    let sides = u32::from(die.sides.max(1));
    let limit = u32::MAX - u32::MAX % sides;
    loop {
        let word = generator.next_u32();
        if word < limit {
            return die.first.saturating_add((word % sides) as u8);
        }
    }
}

impl Dice for Seeded {
    fn throw(&mut self, pool: Pool) -> Result<Pips, DiceError> {
        Ok(pool.dice().map(|die| pip(&mut self.0, die)).collect())
    }
}

/// Dice that fall as a case file says; a wrong, missing or leftover throw fails the case.
#[derive(Clone, Default, Debug)]
pub struct Scripted(VecDeque<(Pool, Pips)>);

impl Scripted {
    /// Puts throws such as `"3d6: 4 2 6"` at the end of the script.
    pub fn add(&mut self, text: &str) -> Result<(), DiceError> {
        let bad = || DiceError::NotAThrow(text.to_owned());
        let (pool, pips) = text.split_once(':').ok_or_else(bad)?;
        let pool: Pool = pool.parse()?;
        let pips: Pips = pips
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().map_err(|_| bad()))
            .collect::<Result<_, _>>()?;
        let fits = |(die, pip): (Die, &u8)| *pip <= die.sides && (*pip >= 1 || die.sides == 10);
        if pips.len() != pool.len() || !pool.dice().zip(&pips).all(fits) {
            return Err(bad());
        }
        self.0.push_back((pool, pips));
        Ok(())
    }

    /// A fault if any throw was not used.
    pub fn finish(&self) -> Result<(), DiceError> {
        match self.0.front() {
            None => Ok(()),
            Some((pool, pips)) => {
                Err(DiceError::Leftover(Roll { pool: *pool, pips: pips.clone(), by: Side::A }.to_string()))
            }
        }
    }
}

impl Dice for Scripted {
    fn throw(&mut self, pool: Pool) -> Result<Pips, DiceError> {
        match self.0.front() {
            None => Err(DiceError::Missing(pool.to_string())),
            Some((scripted, _)) if !scripted.looks_like(pool) => {
                Err(DiceError::WrongDie { wanted: pool.to_string(), scripted: scripted.to_string() })
            }
            // A script cannot know the lowest face of a D10: whether it shows 10 or 0 turns out only here.
            Some((scripted, pips)) if !pool.shows(pips) => Err(DiceError::NotAFace {
                wanted: pool.to_string(),
                scripted: Roll { pool: *scripted, pips: pips.clone(), by: Side::A }.to_string(),
            }),
            Some(_) => Ok(self.0.pop_front().map(|throw| throw.1).unwrap_or_default()),
        }
    }
}

/// The private randomness of whoever looks for orders: bots and candidate lists. Never the battle's dice.
#[derive(Clone)]
pub struct Lots(ChaCha12Rng);

impl Lots {
    /// Lots from a number.
    pub fn new(number: u64) -> Lots {
        Lots(ChaCha12Rng::from_seed(Seed::from_number(number).0))
    }

    /// A number below `bound`; 0 where the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).unwrap_or(u32::MAX).max(1);
        ((u64::from(self.0.next_u32()) * u64::from(bound)) >> 32) as usize
    }

    /// One item of a list.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / 4_294_967_296.0
    }

    /// Roughly normal, mean 0 and deviation 1: twelve unit lots less six, which needs no logarithm.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_from_seed_to_pips_is_frozen() {
        let mut dice = Seeded::new(Seed::from_number(1779));
        let first: Vec<u8> = dice.throw(Pool::d6(12)).unwrap().to_vec();
        let zero: Vec<u8> = dice.throw(Pool::of(6, Die::D10_FROM_ZERO)).unwrap().to_vec();
        let twenty: Vec<u8> = dice.throw(Pool::of(4, Die::new(20))).unwrap().to_vec();
        assert_eq!((first, zero, twenty), frozen());
    }

    fn frozen() -> (Vec<u8>, Vec<u8>, Vec<u8>) {
        (vec![5, 4, 4, 4, 2, 1, 5, 4, 2, 5, 5, 4], vec![0, 9, 4, 1, 5, 3], vec![18, 13, 10, 11])
    }

    #[test]
    fn scripts_refuse_wrong_missing_and_leftover_dice() {
        let mut script = Scripted::default();
        script.add("3d6: 4 2 6").unwrap();
        script.add("1d10:0").unwrap();
        assert!(matches!(script.throw(Pool::d6(2)), Err(DiceError::WrongDie { .. })));
        assert_eq!(script.throw(Pool::d6(3)).unwrap().as_slice(), [4, 2, 6]);
        assert!(script.finish().is_err());
        assert_eq!(script.throw(Pool::one(Die::D10_FROM_ZERO)).unwrap().as_slice(), [0]);
        assert!(matches!(script.throw(Pool::d6(1)), Err(DiceError::Missing(_))));
        assert!(script.finish().is_ok());
        for wrong in ["3d6", "3d6: 4 2", "1d6: 7", "1d6: 0", "0d6:", "1d1: 1", "99d6: 1", "x: 1"] {
            assert!(script.add(wrong).is_err(), "{wrong}");
        }
    }
}
