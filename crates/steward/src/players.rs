//! Seats taken by code: their seeds, how long they are waited for, and what they answer to whatever is no question of the
//! rulebook.

use crate::acts::{Refusal, RefusalKind};
use bots::seat::Question;
use bots::{Answer, Level, Seat};
use engine::facade::Draft;
use engine::game::Game;
use engine::{DecisionNo, Motion, Seed, Side, Viewer};
use wire::Hint;

/// Who is asked for advice.
pub const ADVISOR: Level = Level::Veteran;
/// Ways on that are told to whoever asks for advice.
const MOST_WAYS: usize = 3;

/// A bot's seed: the same for every bot that sits on this side of the battle, wherever it thinks.
pub fn seed_of(seed: Seed, side: Side) -> u64 {
    let seed = seed.derive("bot", side.index() as u64).0;
    let mut first = [0; 8];
    first.copy_from_slice(&seed[..8]);
    u64::from_le_bytes(first)
}

/// What a side is asked now, taken down by its player, with the number of the question.
pub fn asked(game: &dyn Game, player: &dyn Seat, side: Side) -> Option<(DecisionNo, Question)> {
    game.awaited().map(|(no, _)| no).zip(player.question(game, side))
}

/// The order that declines, which is always legal, with the number of the question.
pub fn declining(game: &dyn Game, side: Side) -> Option<(DecisionNo, Draft)> {
    game.awaited().map(|(no, _)| no).zip(game.board(Viewer::Side(side)).fallback())
}

/// What a bot answers to an offer: it lets a person take an order of his own back, and does not part before the end.
pub fn reply(game: &dyn Game, asker: Side) -> Option<Motion> {
    match game.offer()? {
        (by, Motion::TakeBack) if by == asker && game.may_take_back() == Some(asker) => Some(Motion::TakeBack),
        (by, _) if by == asker => Some(Motion::Decline),
        _ => None,
    }
}

/// Why a side gets no advice at all.
pub fn not_asked() -> Refusal {
    Refusal::new(RefusalKind::Untimely, "you are not asked anything now")
}

/// The advice in an advisor's answer.
pub fn hint(no: DecisionNo, answer: Option<Answer>) -> Result<Hint, Refusal> {
    let mut answer = answer.ok_or_else(|| Refusal::new(RefusalKind::Untimely, "there is nothing to advise"))?;
    answer.thoughts.rank(MOST_WAYS);
    Ok(Hint { no: no.0, thoughts: answer.thoughts })
}
