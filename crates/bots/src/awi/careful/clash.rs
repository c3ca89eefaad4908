//! Hand to hand: exact odds of rounds, and what a fight of a few rounds is worth. Rounds are compared by the umpire's
//! own resolver and remembered, because the same dice meet again and again.

use super::scene::{Field, passes, share_left};
use rules::awi::melee::{Comparison, compare};
use rules::awi::unit::Class;

/// Most dice of one side that are told apart.
const MOST_DICE: usize = 9;
/// Modifiers further apart than this are alike.
const MOST_EDGE: i32 = 5;
/// Rounds one looks ahead.
pub const ROUNDS: usize = 4;
/// Marks of a party beyond this are not told apart.
const MOST_MARKS: usize = 20;
/// What a unit that ran and was not caught is still good for.
const RUNAWAY: f64 = 0.5;

/// One result of a round: marks lost by the second and the first party, and its chance.
type Result = (u8, u8, f64);

/// Odds of rounds met so far.
#[derive(Clone, Default)]
pub struct Clash {
    rounds: Vec<Option<Box<[Result]>>>,
}

/// One side of a fight.
#[derive(Clone, Copy, Debug)]
pub struct Party {
    /// Dice of all its units.
    pub dice: u8,
    /// Marks of all its units.
    pub marks: u8,
    /// How many units.
    pub units: u8,
    /// Marks of one unit at full strength.
    pub full: u8,
    /// What one fresh unit is worth.
    pub weight: f64,
    /// The class that tests worst.
    pub class: Class,
    /// What officers add to its tests.
    pub factor: i32,
    /// The chance that it is caught if it breaks.
    pub caught: f64,
}

impl Party {
    /// What it is worth with so many marks in all.
    fn worth(&self, marks: usize) -> f64 {
        let units = f64::from(self.units.max(1));
        self.weight * units * share_left(marks as f64 / units, f64::from(self.full))
    }

    /// Dice left with so many marks: units go one after the other.
    fn dice_left(&self, marks: usize) -> usize {
        let (units, all) = (usize::from(self.units.max(1)), usize::from(self.marks.max(1)));
        let standing = (marks * units).div_ceil(all).clamp(1, units);
        (usize::from(self.dice) * standing / units).min(MOST_DICE)
    }

    /// Joins another unit to it.
    pub fn joined(self, other: Party) -> Party {
        let units = self.units + other.units;
        Party {
            dice: self.dice + other.dice,
            marks: self.marks + other.marks,
            units,
            full: self.full.max(other.full),
            weight: (self.weight * f64::from(self.units) + other.weight * f64::from(other.units))
                / f64::from(units.max(1)),
            class: self.class.max(other.class),
            factor: self.factor.min(other.factor),
            caught: self.caught.max(other.caught),
        }
    }
}

impl Clash {
    /// Every result of a round of so many dice a side, the first having so much more added to each.
    fn round(&mut self, field: &Field, ours: usize, theirs: usize, edge: i32) -> &[Result] {
        let spread = (2 * MOST_EDGE + 1) as usize;
        let edge = edge.clamp(-MOST_EDGE, MOST_EDGE);
        let place = (ours * (MOST_DICE + 1) + theirs) * spread + (edge + MOST_EDGE) as usize;
        if self.rounds.is_empty() {
            self.rounds.resize_with((MOST_DICE + 1) * (MOST_DICE + 1) * spread, || None);
        }
        match self.rounds.get_mut(place) {
            Some(slot) => slot.get_or_insert_with(|| all_results(field, ours, theirs, edge)),
            None => &[],
        }
    }

    /// What a fight is worth to the first party: what the enemy loses by it less what it loses itself. `edge` is what
    /// is added to its dice beyond the enemy's, round by round.
    #[allow(clippy::needless_range_loop)] // `a` and `b` are marks left, and places in the tables only by the way
    pub fn value(&mut self, field: &Field, ours: &Party, theirs: &Party, edge: [i32; ROUNDS]) -> f64 {
        let (a0, b0) = (usize::from(ours.marks).min(MOST_MARKS), usize::from(theirs.marks).min(MOST_MARKS));
        let (our_worth, their_worth) = (ours.worth(a0), theirs.worth(b0));
        let stays = |party: &Party, marks: usize| {
            let each = marks.div_ceil(usize::from(party.units.max(1)));
            passes(field, party.class, each as u8, party.factor)
        };
        let our_nerve: [f64; MOST_MARKS + 1] = std::array::from_fn(|m| if m <= a0 { stays(ours, m) } else { 1.0 });
        let their_nerve: [f64; MOST_MARKS + 1] = std::array::from_fn(|m| if m <= b0 { stays(theirs, m) } else { 1.0 });
        let balance = |a: usize, b: usize| (their_worth - theirs.worth(b)) - (our_worth - ours.worth(a));
        let mut next = [[0.0f64; MOST_MARKS + 1]; MOST_MARKS + 1];
        for (a, row) in next.iter_mut().enumerate().take(a0 + 1) {
            for (b, cell) in row.iter_mut().enumerate().take(b0 + 1) {
                *cell = balance(a, b);
            }
        }
        for round in (0..ROUNDS).rev() {
            let mut now = next;
            for a in 1..=a0 {
                for b in 1..=b0 {
                    // The first round starts from the full strength of both; nothing else is asked of it.
                    if round == 0 && (a, b) != (a0, b0) {
                        continue;
                    }
                    let results = self.round(field, ours.dice_left(a), theirs.dice_left(b), edge[round]);
                    let mut sum = 0.0;
                    for &(won, lost, chance) in results {
                        let (a, b) = (a.saturating_sub(lost.into()), b.saturating_sub(won.into()));
                        let stand = if a == 0 || b == 0 { balance(a, b) } else { next[a][b] };
                        sum += chance
                            * match won.cmp(&lost) {
                                std::cmp::Ordering::Greater if b > 0 => {
                                    let kept = (1.0 - theirs.caught) * RUNAWAY * theirs.worth(b);
                                    let broken = balance(a, 0) - kept;
                                    their_nerve[b] * stand + (1.0 - their_nerve[b]) * broken
                                }
                                std::cmp::Ordering::Less if a > 0 => {
                                    let kept = (1.0 - ours.caught) * RUNAWAY * ours.worth(a);
                                    let broken = balance(0, b) + kept;
                                    our_nerve[a] * stand + (1.0 - our_nerve[a]) * broken
                                }
                                _ => stand,
                            };
                    }
                    now[a][b] = sum;
                }
            }
            next = now;
        }
        next[a0][b0]
    }
}

/// Valid scores, highest first, as the book's comparison takes them.
type Scores = Vec<(i8, ())>;

/// Every set of valid scores of so many dice, highest first, with its chance.
fn all_scores(field: &Field, dice: usize, added: i32) -> Vec<(Scores, f64)> {
    let from = field.charts().melee.valid_from.value.get();
    let valid: Vec<i8> = (1..=6).filter(|pip| *pip >= from).map(|pip| (pip + added) as i8).rev().collect();
    let miss = (6 - valid.len()) as f64 / 6.0;
    // Sets grow by faces from the highest down: so many dice show the highest face, so many of the rest the next.
    let mut sets: Vec<(Scores, usize, f64)> = vec![(Vec::new(), dice, 1.0)];
    for score in valid {
        let mut grown = Vec::new();
        for (scores, left, weight) in sets {
            let mut ways = weight;
            for count in 0..=left {
                let mut more = scores.clone();
                more.extend(std::iter::repeat_n((score, ()), count));
                grown.push((more, left - count, ways));
                ways *= (left - count) as f64 / (count + 1) as f64 / 6.0;
            }
        }
        sets = grown;
    }
    sets.into_iter().map(|(scores, left, ways)| (scores, (0..left).fold(ways, |chance, _| chance * miss))).collect()
}

fn all_results(field: &Field, ours: usize, theirs: usize, edge: i32) -> Box<[Result]> {
    let (own, enemy) = (all_scores(field, ours, edge), all_scores(field, theirs, 0));
    let mut chances = [[0.0f64; MOST_DICE + 1]; MOST_DICE + 1];
    for (a, p) in &own {
        for (b, q) in &enemy {
            let Comparison { wins, .. } = compare(a, b, |_, ()| {});
            chances[usize::from(wins[0]).min(MOST_DICE)][usize::from(wins[1]).min(MOST_DICE)] += p * q;
        }
    }
    let results = chances.iter().enumerate().flat_map(|(won, row)| {
        row.iter()
            .enumerate()
            .filter(|(_, chance)| **chance > 0.0)
            .map(move |(lost, chance)| (won as u8, lost as u8, *chance))
    });
    results.collect()
}
