//! One battle between bots, in memory.

use bots::{Level, Opponents};
use engine::battle::Keep;
use engine::{Battle, BySide, Outcome, Seed, Side, State, Viewer};

/// A battle of more decisions than this is endless, and a fault.
pub const MOST_DECISIONS: u32 = 20_000;

/// What came of a battle.
#[derive(Clone, PartialEq, Debug)]
pub struct Fought {
    /// How it ended; nothing where it did not.
    pub outcome: Option<Outcome>,
    /// The fault that stopped it.
    pub fault: Option<String>,
    /// Rounds played.
    pub turns: u16,
    /// Orders accepted.
    pub decisions: u32,
    /// Orders a bot gave that were refused.
    pub refused: u32,
}

/// Fights one battle. The same state, seed and levels give the same battle.
pub fn fight<R: Opponents>(state: State<R>, seed: Seed, levels: BySide<Level>, keep: Keep) -> (Battle<R>, Fought) {
    let number = |label: &str| u64::from_le_bytes(seed.derive(label, 0).0[..8].try_into().unwrap_or_default());
    let mut players = [R::bot(levels[Side::A], number("a")), R::bot(levels[Side::B], number("b"))];
    let mut battle = Battle::seeded(state, seed.derive("dice", 0), keep);
    let mut fought = Fought { outcome: None, fault: None, turns: 0, decisions: 0, refused: 0 };
    while let (Some(side), Some(no)) = (battle.awaited(), battle.asked().map(|asked| asked.no)) {
        if battle.decisions() >= MOST_DECISIONS {
            fought.fault = Some(format!("more than {MOST_DECISIONS} decisions"));
            break;
        }
        let order = {
            let view = battle.view(Viewer::Side(side));
            let Some(asked) = battle.asked() else { break };
            players[side.index()].choose(&view, asked, side)
        };
        if let Err(error) = battle.submit(side, no, order).map(|_| ()) {
            match error {
                engine::SubmitError::Refused(_) => {
                    fought.refused += 1;
                    let fallback = {
                        let view = battle.view(Viewer::Side(side));
                        let Some(asked) = battle.asked() else { break };
                        R::fallback(&view, asked, side)
                    };
                    if let Err(error) = battle.submit(side, no, fallback).map(|_| ()) {
                        fought.fault = Some(format!("the fallback is refused: {error}"));
                        break;
                    }
                }
                other => {
                    fought.fault = Some(other.to_string());
                    break;
                }
            }
        }
    }
    fought.outcome = battle.outcome().cloned();
    fought.turns = battle.state().turn();
    fought.decisions = battle.decisions();
    if fought.outcome.is_none() && fought.fault.is_none() {
        fought.fault = Some(battle.fault().map_or("the battle stopped without an end".to_owned(), ToString::to_string));
    }
    (battle, fought)
}
