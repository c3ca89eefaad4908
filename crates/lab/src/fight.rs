//! One battle between bots, in memory.

use crate::clock;
use bots::{Bot, Leash, Level, Opponents};
use engine::battle::Keep;
use engine::{Asked, Battle, BySide, Deed, Leaving, Outcome, Seed, Side, State, SubmitError, View};
use serde::Serialize;
use std::time::Duration;

/// A battle of more decisions than this is endless, and a fault.
pub const MOST_DECISIONS: u32 = 20_000;

/// How much those who look ahead may think about a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Thinking {
    /// As many imagined orders as their level has where nobody waits: the same seed gives the same battle.
    #[default]
    Usual,
    /// So many imagined orders.
    Orders(u32),
    /// As long as where people wait for them, in CPU time, so that other work on the machine does not count. No two runs
    /// need be alike.
    Clock,
}

/// How long a player took for its answers, where that is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Pace {
    /// The longest it took for one, in CPU time.
    pub slowest: Duration,
    /// Answers that came after its level's deadline.
    pub overruns: u32,
}

impl Pace {
    fn note(&mut self, level: Level, took: Duration) {
        self.slowest = self.slowest.max(took);
        self.overruns += u32::from(took > Duration::from_millis(u64::from(level.deadline())));
    }

    /// Two players' answers as one's.
    pub fn and(self, other: Pace) -> Pace {
        Pace { slowest: self.slowest.max(other.slowest), overruns: self.overruns + other.overruns }
    }
}

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
    /// How long each side's answers took; measured by [`Thinking::Clock`] only.
    pub paces: BySide<Pace>,
}

/// Two players and how they think.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// How good each is.
    pub levels: BySide<Level>,
    /// How much they may think.
    pub thinking: Thinking,
}

impl Pair {
    /// Two who think as much as is usual where nobody waits.
    pub fn usual(levels: BySide<Level>) -> Pair {
        Pair { levels, thinking: Thinking::Usual }
    }
}

/// The dice of the battle with this seed, as a replay's header names them.
pub fn dice_seed(seed: Seed) -> Seed {
    seed.derive("dice", 0)
}

/// A small number out of a seed, for bots.
pub(crate) fn number(seed: Seed, label: &str) -> u64 {
    u64::from_le_bytes(seed.derive(label, 0).0[..8].try_into().unwrap_or_default())
}

/// Fights one battle. The same state, seed and players give the same battle, unless they think by the clock.
pub fn fight<R: Opponents>(state: State<R>, seed: Seed, pair: Pair, keep: Keep) -> (Battle<R>, Fought) {
    let Pair { levels, thinking } = pair;
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
        paces: BySide::default(),
    };
    while let Some(side) = battle.awaited() {
        if battle.decisions() >= MOST_DECISIONS {
            fought.fault = Some(format!("more than {MOST_DECISIONS} decisions"));
            break;
        }
        let player = players[side.index()].as_mut();
        let mut thinker = Thinker { player, level: levels[side], thinking, pace: &mut fought.paces[side] };
        let choose = |view: &View<'_, R>, asked: &Asked<R>| thinker.choose(view, asked, side);
        if let Err(fault) = answer(&mut battle, side, choose, &mut fought.refused, &mut fought.first_refusal) {
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

/// A player at a question.
struct Thinker<'a, R: Opponents> {
    player: &'a mut dyn Bot<R>,
    level: Level,
    thinking: Thinking,
    pace: &'a mut Pace,
}

impl<R: Opponents> Thinker<'_, R> {
    fn choose(&mut self, view: &View<'_, R>, asked: &Asked<R>, side: Side) -> R::Order {
        match self.thinking {
            Thinking::Usual => self.player.choose(view, asked, side),
            Thinking::Orders(orders) => self.player.ponder(view, asked, side, &mut Leash::nodes(orders)),
            Thinking::Clock => {
                let patience = Duration::from_millis(u64::from(self.level.patience()));
                let (order, took) = clock::timed(|| {
                    let began = clock::thread_cpu();
                    let watch = || clock::thread_cpu().saturating_sub(began) >= patience;
                    self.player.ponder(view, asked, side, &mut Leash::watched(&watch))
                });
                self.pace.note(self.level, took);
                order
            }
        }
    }
}

/// Lets a player answer the question; what it may not do is counted, and declined in its stead.
fn answer<R: Opponents>(
    battle: &mut Battle<R>,
    side: Side,
    choose: impl FnOnce(&View<'_, R>, &Asked<R>) -> R::Order,
    refused: &mut u32,
    first_refusal: &mut Option<String>,
) -> Result<(), String> {
    match battle.decide(side, choose).map(|_| ()) {
        Ok(()) => Ok(()),
        Err(SubmitError::Refused(verdict)) => {
            *refused += 1;
            if first_refusal.is_none() {
                let notes = verdict.refusals.iter().map(|note| format!("{} [{}]", note.text, note.clause));
                *first_refusal = Some(notes.collect::<Vec<_>>().join("; "));
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
