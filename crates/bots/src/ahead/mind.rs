//! What a player thought: every way on that it looked at, and what came of it in its head.

use super::fork::End;
use engine::{BySide, CommandId, Ruleset};
use table::Vec2;

/// One way on, and what came of it.
#[derive(Clone, Debug)]
pub struct Weighed<R: Ruleset> {
    /// The order it begins with.
    pub order: R::Order,
    /// The manner in which it goes on.
    pub manner: usize,
    /// How often it was fought through.
    pub tried: u32,
    sum: f64,
    squares: f64,
    lost: BySide<f64>,
    marched: Vec<(CommandId, Vec2)>,
}

impl<R: Ruleset> Weighed<R> {
    pub(super) fn new(order: R::Order, manner: usize) -> Weighed<R> {
        Weighed { order, manner, tried: 0, sum: 0.0, squares: 0.0, lost: BySide::default(), marched: Vec::new() }
    }

    pub(super) fn note(&mut self, end: &End) {
        self.tried += 1;
        self.sum += end.worth;
        self.squares += end.worth * end.worth;
        self.lost = BySide::from_fn(|side| self.lost[side] + end.lost[side]);
        for (command, way) in &end.marched {
            match self.marched.iter_mut().find(|row| row.0 == *command) {
                Some(row) => row.1 += *way,
                None => self.marched.push((*command, *way)),
            }
        }
    }

    fn share(&self) -> f64 {
        1.0 / f64::from(self.tried.max(1))
    }

    /// What it is worth, from 0 (the battle is lost) to 1 (won); a half where it was never tried.
    pub fn worth(&self) -> f64 {
        if self.tried == 0 { 0.5 } else { self.sum * self.share() }
    }

    /// Units each side lost on the way, on average.
    pub fn lost(&self) -> BySide<f64> {
        BySide::from_fn(|side| self.lost[side] * self.share())
    }

    /// How far each brigade went on average, in micrometres.
    pub fn marched(&self) -> impl Iterator<Item = (CommandId, Vec2)> + '_ {
        self.marched.iter().map(|(command, sum)| (*command, *sum * self.share()))
    }

    /// What chance leaves open of its worth, to either side: twice the deviation of the mean.
    pub fn give_or_take(&self) -> f64 {
        2.0 * self.open().sqrt()
    }

    /// The variance of the mean.
    fn open(&self) -> f64 {
        let mean = self.worth();
        // Two tries that ended alike do not make a certainty.
        (self.squares * self.share() - mean * mean).max(1e-4) * self.share()
    }
}

/// What a player thought about its last question.
#[derive(Clone, Debug)]
pub struct Mind<R: Ruleset> {
    /// The ways it looked at, the one it took first.
    pub ways: Vec<Weighed<R>>,
    /// Orders given in its head.
    pub spent: u32,
}
