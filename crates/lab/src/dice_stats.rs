//! The dice of one battle: how often each face came up, whether that is likely, and who was lucky.

use crate::stats::{ChiSquare, chi_square};
use engine::replay::{self, ReplayFile};
use engine::{BySide, Die, Roll, Side, Telling};
use rules::{StartError, dispatch};
use serde::Serialize;
use std::collections::BTreeMap;

/// One kind of die.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DieStats {
    /// Such as `d6`, or `d10 from 0`.
    pub die: String,
    /// How often it was thrown.
    pub thrown: u64,
    /// Face and count.
    pub faces: Vec<(u8, u64)>,
    /// The mean a fair die has.
    pub fair_mean: f64,
    /// The mean of all throws.
    pub mean: f64,
    /// The mean of each side's throws; nothing where a side threw none.
    pub mean_by_side: BySide<Option<f64>>,
    /// Throws of each side.
    pub thrown_by_side: BySide<u64>,
    /// Whether the faces are as even as luck makes them.
    pub chi_square: Option<ChiSquare>,
}

/// The dice of a whole battle.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DiceStats {
    /// Throws of any number of dice.
    pub rolls: u64,
    /// By kind of die.
    pub dice: Vec<DieStats>,
}

#[derive(Default)]
struct Count {
    faces: BTreeMap<u8, BySide<u64>>,
}

/// Counts rolls.
pub fn count<'r>(rolls: impl IntoIterator<Item = &'r Roll>) -> DiceStats {
    let mut kinds: BTreeMap<Die, Count> = BTreeMap::new();
    let mut total = 0;
    for roll in rolls {
        total += 1;
        for (die, pip) in roll.pool.dice().zip(&roll.pips) {
            kinds.entry(die).or_default().faces.entry(*pip).or_default()[roll.by] += 1;
        }
    }
    DiceStats { rolls: total, dice: kinds.into_iter().map(|(die, count)| sum_up(die, &count)).collect() }
}

fn sum_up(die: Die, count: &Count) -> DieStats {
    let of = |face: u8| count.faces.get(&face).copied().unwrap_or_default();
    let faces: Vec<(u8, u64)> = die.faces().map(|face| (face, of(face).0.iter().sum())).collect();
    let counts: Vec<u64> = faces.iter().map(|face| face.1).collect();
    let mean = |pick: &dyn Fn(u8) -> u64| {
        let thrown: u64 = die.faces().map(pick).sum();
        let pips: u64 = die.faces().map(|face| u64::from(face) * pick(face)).sum();
        (thrown > 0).then(|| pips as f64 / thrown as f64)
    };
    let name = if die.first == 1 { format!("d{}", die.sides) } else { format!("d{} from {}", die.sides, die.first) };
    DieStats {
        die: name,
        thrown: counts.iter().sum(),
        fair_mean: f64::from(die.first) + (f64::from(die.sides) - 1.0) / 2.0,
        mean: mean(&|face| of(face).0.iter().sum()).unwrap_or_default(),
        mean_by_side: BySide::from_fn(|side| mean(&|face| of(face)[side])),
        thrown_by_side: BySide::from_fn(|side| die.faces().map(|face| of(face)[side]).sum()),
        chi_square: chi_square(&counts),
        faces,
    }
}

/// Plays a replay and counts its dice.
pub fn of_replay(file: &ReplayFile) -> Result<DiceStats, StartError> {
    let id = file.header.ruleset.as_str();
    let stats = dispatch!(id, R => of_typed::<R>(file));
    stats.ok_or_else(|| StartError::UnknownRuleset(id.to_owned()))?
}

fn of_typed<R: Telling>(file: &ReplayFile) -> Result<DiceStats, StartError> {
    let battle = replay::play::<R>(file, None)?;
    Ok(count(battle.events().iter().flat_map(|event| &event.rolls)))
}

/// Both sides' means beside each other, for whoever wants to know who was lucky.
pub fn luck(stats: &DieStats, side: Side) -> Option<f64> {
    stats.mean_by_side[side].map(|mean| mean - stats.fair_mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Pool;

    #[test]
    fn faces_and_sides_are_counted() {
        let roll = |pool: Pool, pips: &[u8], by| Roll { pool, pips: pips.iter().copied().collect(), by };
        let rolls = [
            roll(Pool::d6(3), &[6, 6, 1], Side::A),
            roll(Pool::d6(1), &[2], Side::B),
            roll(Pool::one(Die::D10_FROM_ZERO), &[0], Side::B),
        ];
        let stats = count(&rolls);
        assert_eq!((stats.rolls, stats.dice.len()), (3, 2));
        let d6 = &stats.dice[0];
        assert_eq!((d6.die.as_str(), d6.thrown), ("d6", 4));
        assert_eq!(d6.faces, [(1, 1), (2, 1), (3, 0), (4, 0), (5, 0), (6, 2)]);
        assert!((d6.mean - 3.75).abs() < 1e-12 && (d6.fair_mean - 3.5).abs() < 1e-12);
        assert!(luck(d6, Side::A).is_some_and(|luck| luck > 0.8) && luck(d6, Side::B).is_some_and(|luck| luck < -1.0));
        assert_eq!(stats.dice[1].die, "d10 from 0");
        assert!(count(&[]).dice.is_empty());
    }
}
