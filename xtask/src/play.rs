//! Bots against bots, for the golden battles and the fuzzer.

use bots::{Bot, Level, Opponents};
use engine::battle::Keep;
use engine::setup::{self, Mode};
use engine::{Battle, BySide, Seed, Side, Viewer};

/// A battle of more orders than this is endless.
const MOST_ORDERS: u32 = 20_000;

/// A battle with its two players.
pub struct Duel<R: Opponents> {
    /// The battle.
    pub battle: Battle<R>,
    players: [Box<dyn Bot<R>>; 2],
}

impl<R: Opponents> Duel<R> {
    /// Sets the battle of a set-up up; an error names the faults.
    pub fn new(text: &str, seed: Seed, levels: BySide<Level>) -> Result<Duel<R>, String> {
        let mustered = setup::muster::<R>(text, None, Mode::Battle).map_err(|faults| faults.to_string())?;
        let number = |side: &str| u64::from_le_bytes(seed.derive(side, 0).0[..8].try_into().unwrap_or_default());
        let players = [R::bot(levels[Side::A], number("a")), R::bot(levels[Side::B], number("b"))];
        Ok(Duel { battle: Battle::seeded(mustered.state, seed, Keep::Everything), players })
    }

    /// Plays to the end. Whatever a bot does wrong is an error: its orders are candidates, and those are legal.
    pub fn play(&mut self) -> Result<(), String> {
        while let (Some(side), Some(asked)) = (self.battle.awaited(), self.battle.asked()) {
            if self.battle.decisions() >= MOST_ORDERS {
                return Err(format!("no end after {MOST_ORDERS} orders"));
            }
            let no = asked.no;
            let order = self.players[side.index()].choose(&self.battle.view(Viewer::Side(side)), asked, side);
            let words = format!("{order:?}");
            self.battle.submit(side, no, order).map(drop).map_err(|error| format!("{error:?} for {words}"))?;
        }
        match (self.battle.fault(), self.battle.outcome()) {
            (Some(fault), _) => Err(fault.to_string()),
            (None, None) => Err("the battle stopped without an end".to_owned()),
            (None, Some(_)) => Ok(()),
        }
    }
}
