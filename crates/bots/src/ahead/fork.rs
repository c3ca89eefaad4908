//! Battles in the head: what a side can see, fought on with other dice.

use crate::leash::Leash;
use crate::{Bot, Manners};
use engine::battle::Keep;
use engine::{Battle, BySide, CommandId, Seed, Side, State, UnitId, View};
use table::Vec2;

/// An imagined battle of more orders than this is given up.
const MOST_ORDERS: u32 = 4_000;
/// So much of what a finished battle is worth depends on how clearly it ended: a hair's breadth may go the other way
/// with other dice.
const CLEARLY: f64 = 0.25;

/// Where an imagined battle ended.
pub struct End {
    /// From 0 (lost) to 1 (won).
    pub worth: f64,
    /// Units lost on each side since the question.
    pub lost: BySide<f64>,
    /// How far each of one's brigades went, in micrometres.
    pub marched: Vec<(CommandId, Vec2)>,
}

/// The moment from which ways are tried out.
pub struct Fork<'a, R: Manners> {
    start: &'a State<R>,
    side: Side,
    last: u16,
}

impl<'a, R: Manners> Fork<'a, R> {
    /// From what a side can see now, so many rounds on.
    pub fn of(view: &'a View<'_, R>, side: Side, rounds: u16) -> Fork<'a, R> {
        Fork { start: view.state(), side, last: view.turn().saturating_add(rounds) }
    }

    /// Fights on from an order, its player going on as he began, with these dice; nothing where time ran out.
    pub fn play(&self, order: &R::Order, hand: &R::Hand, seed: Seed, leash: &mut Leash<'_>) -> Option<End> {
        let mut battle: Battle<R> = Battle::seeded(self.start.clone(), seed, Keep::Nothing);
        let lots = u64::from_le_bytes(seed.0[..8].try_into().unwrap_or_default());
        let mut players = Side::BOTH.map(|side| if side == self.side { hand.clone() } else { R::manner(0, lots) });
        let mut going = battle.suppose(self.side, |_, _| order.clone()).is_ok();
        leash.spend(1);
        while let Some(side) = battle.awaited().filter(|_| going) {
            if battle.state().turn() > self.last || battle.decisions() > MOST_ORDERS {
                break;
            }
            if leash.left().is_none() && leash.is_over() {
                return None;
            }
            let player = &mut players[side.index()];
            going = battle.suppose(side, |view, asked| player.choose(view, asked, side)).is_ok();
            leash.spend(1);
        }
        Some(self.end(&battle))
    }

    fn end(&self, battle: &Battle<R>) -> End {
        let state = battle.state();
        let graded = R::standing(state, self.side);
        let worth = match battle.outcome().map(|outcome| outcome.winner) {
            Some(Some(winner)) if winner == self.side => 1.0 - CLEARLY + CLEARLY * graded,
            Some(Some(_)) => CLEARLY * graded,
            Some(None) => 0.5 - CLEARLY / 2.0 + CLEARLY * graded,
            None => graded,
        };
        let gone = |state: &State<R>, side: Side| {
            let lost = |unit: &UnitId| state.unit(*unit).side == side && is_gone(state, *unit);
            state.muster().unit_ids().filter(lost).count() as f64
        };
        let lost = BySide::from_fn(|side| gone(state, side) - gone(self.start, side));
        End { worth, lost, marched: self.marched(state) }
    }

    /// How far each of one's brigades went on average.
    fn marched(&self, end: &State<R>) -> Vec<(CommandId, Vec2)> {
        let mut sums: Vec<(CommandId, Vec2, f64)> = Vec::new();
        for (id, unit) in self.start.present(self.side) {
            let (Some(command), true) = (self.start.card(id).command, end.unit(id).is_present()) else { continue };
            let way = end.unit(id).pose().at.vec() - unit.pose().at.vec();
            match sums.iter_mut().find(|row| row.0 == command) {
                Some(row) => (row.1, row.2) = (row.1 + way, row.2 + 1.0),
                None => sums.push((command, way, 1.0)),
            }
        }
        sums.into_iter().map(|(command, sum, count)| (command, sum * (1.0 / count))).collect()
    }
}

fn is_gone<R: Manners>(state: &State<R>, unit: UnitId) -> bool {
    state.unit(unit).whereabouts == engine::Whereabouts::Gone
}
