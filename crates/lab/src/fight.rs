//! One battle between bots, in memory.

use bots::{Level, Opponents};
use engine::battle::Keep;
use engine::{Battle, BySide, Deed, Leaving, Outcome, Seed, Side, State, SubmitError};

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
    /// Why the first of them was refused.
    pub first_refusal: Option<String>,
    /// Units each side lost.
    pub lost: BySide<u32>,
}

/// The dice of the battle with this seed, as a replay's header names them.
pub fn dice_seed(seed: Seed) -> Seed {
    seed.derive("dice", 0)
}

/// A small number out of a seed, for bots.
pub(crate) fn number(seed: Seed, label: &str) -> u64 {
    u64::from_le_bytes(seed.derive(label, 0).0[..8].try_into().unwrap_or_default())
}

/// Fights one battle. The same state, seed and levels give the same battle.
pub fn fight<R: Opponents>(state: State<R>, seed: Seed, levels: BySide<Level>, keep: Keep) -> (Battle<R>, Fought) {
    let mut players = [R::bot(levels[Side::A], number(seed, "a")), R::bot(levels[Side::B], number(seed, "b"))];
    let mut battle = Battle::seeded(state, dice_seed(seed), keep);
    let mut fought = Fought {
        outcome: None,
        fault: None,
        turns: 0,
        decisions: 0,
        refused: 0,
        first_refusal: None,
        lost: BySide::default(),
    };
    while let Some(side) = battle.awaited() {
        if battle.decisions() >= MOST_DECISIONS {
            fought.fault = Some(format!("more than {MOST_DECISIONS} decisions"));
            break;
        }
        if let Err(fault) = answer(&mut battle, side, players[side.index()].as_mut(), &mut fought) {
            fought.fault = Some(fault);
            break;
        }
    }
    fought.outcome = battle.outcome().cloned();
    fought.turns = battle.state().turn();
    fought.decisions = battle.decisions();
    fought.lost = losses(&battle);
    if fought.outcome.is_none() && fought.fault.is_none() {
        fought.fault = Some(battle.fault().map_or("the battle stopped without an end".to_owned(), ToString::to_string));
    }
    (battle, fought)
}

/// Lets a bot answer the question; what it may not do is counted, and declined in its stead.
fn answer<R: Opponents>(
    battle: &mut Battle<R>,
    side: Side,
    player: &mut dyn bots::Bot<R>,
    fought: &mut Fought,
) -> Result<(), String> {
    match battle.decide(side, |view, asked| player.choose(view, asked, side)).map(|_| ()) {
        Ok(()) => Ok(()),
        Err(SubmitError::Refused(verdict)) => {
            fought.refused += 1;
            if fought.first_refusal.is_none() {
                let notes = verdict.refusals.iter().map(|note| format!("{} [{}]", note.text, note.clause));
                fought.first_refusal = Some(notes.collect::<Vec<_>>().join("; "));
            }
            let fallback = battle.decide(side, |view, asked| R::fallback(view, asked, side));
            fallback.map(|_| ()).map_err(|error| format!("the fallback is refused: {error}"))
        }
        Err(other) => Err(other.to_string()),
    }
}

/// Units that left the table as a loss.
fn losses<R: Opponents>(battle: &Battle<R>) -> BySide<u32> {
    let mut lost = BySide::default();
    for event in battle.events() {
        if let Deed::Removed { unit, why } = &event.deed
            && *why != Leaving::Spent
        {
            lost[battle.state().side_of(*unit)] += 1;
        }
    }
    lost
}
