//! A battle some of whose seats are taken by bots, with its type erased: what a terminal or a server plays against.

use crate::fight::number;
use bots::{Bot, Leash, Level, Opponents};
use engine::battle::{Motion, SubmitError};
use engine::facade::{self, Draft};
use engine::game::{Game, TypedGame};
use engine::replay::{ReplayError, ReplayFile};
use engine::thoughts::Thoughts;
use engine::{BySide, Seed, Side, Telling, Viewer};
use rules::{StartError, dispatch};
use std::time::{Duration, Instant};

/// A battle with bots in some seats.
pub trait Duel {
    /// The battle.
    fn game(&self) -> &dyn Game;
    /// The battle, to act in.
    fn game_mut(&mut self) -> &mut dyn Game;
    /// Who sits on a side; nobody made of code where it is empty.
    fn bot(&self, side: Side) -> Option<Level>;
    /// Lets a bot answer if one is asked; says whether one was.
    fn bot_turn(&mut self) -> Result<bool, SubmitError>;
    /// What a fresh bot of this level would do in a side's place, on what that side can see.
    fn advice(&self, side: Side, level: Level) -> Option<Draft>;
    /// What it would weigh before that, and what it would have in mind; nothing where the side is asked nothing.
    fn thoughts(&self, side: Side, level: Level) -> Option<Thoughts>;
}

/// Starts a battle; the dice come from `seed`, and so does what the bots bring of chance.
pub fn start(
    setup: &str,
    house: Option<&str>,
    seed: Seed,
    seats: BySide<Option<Level>>,
) -> Result<Box<dyn Duel>, StartError> {
    let ruleset = rules::ruleset_of(setup).unwrap_or_default();
    if ruleset.is_empty() {
        // Let the reader say what is wrong with the file.
        rules::start(setup, house, seed)?;
    }
    let duel = dispatch!(ruleset.as_str(), R => {
        TypedGame::<R>::start(setup, house, seed).map(|game| boxed(game, seed, seats))
    });
    duel.ok_or(StartError::UnknownRuleset(ruleset))?.map_err(StartError::Faults)
}

/// Takes a battle up where a replay leaves it. The bots are shown every old question once more, so that they go on as if
/// there had been no break.
pub fn resume(replay: &ReplayFile, seats: BySide<Option<Level>>) -> Result<Box<dyn Duel>, StartError> {
    let id = replay.header.ruleset.as_str();
    let duel = dispatch!(id, R => resume_typed::<R>(replay, seats));
    duel.ok_or_else(|| StartError::UnknownRuleset(id.to_owned()))?
}

/// Lets somebody think for as long as his level does where people wait.
fn in_time<T>(level: Level, think: impl FnOnce(&mut Leash<'_>) -> T) -> T {
    let (began, patience) = (Instant::now(), Duration::from_millis(u64::from(level.patience())));
    let watch = || began.elapsed() >= patience;
    think(&mut Leash::watched(&watch))
}

/// A bot in its seat.
type Seated<R> = (Level, Box<dyn Bot<R>>);

struct TypedDuel<R: Opponents + Telling> {
    game: TypedGame<R>,
    bots: BySide<Option<Seated<R>>>,
}

fn boxed<R: Opponents + Telling>(game: TypedGame<R>, seed: Seed, seats: BySide<Option<Level>>) -> Box<dyn Duel> {
    Box::new(seated(game, seed, seats))
}

fn seated<R: Opponents + Telling>(game: TypedGame<R>, seed: Seed, seats: BySide<Option<Level>>) -> TypedDuel<R> {
    let bots = BySide::from_fn(|side| {
        let label = if side == Side::A { "a" } else { "b" };
        seats[side].map(|level| (level, R::bot(level, number(seed, label))))
    });
    TypedDuel { game, bots }
}

fn resume_typed<R: Opponents + Telling>(
    replay: &ReplayFile,
    seats: BySide<Option<Level>>,
) -> Result<Box<dyn Duel>, StartError> {
    // The whole file is checked first, by the one reader that knows every way in which it can be wrong.
    drop(TypedGame::<R>::resume(replay, None)?);
    let header = &replay.header;
    let game = TypedGame::<R>::start(&header.setup, header.house.as_deref(), header.seed)?;
    let mut duel = seated(game, header.seed, seats);
    for (n, entry) in replay.entries.iter().enumerate() {
        let wrong = |error: SubmitError| ReplayError::Line { line: n + 2, what: error.to_string() };
        match (&entry.order, entry.motion) {
            (_, Some(motion)) => drop(duel.game.motion(entry.side, motion).map_err(wrong)?),
            (Some(draft), None) => {
                duel.recall(entry.side, draft);
                duel.game.submit(entry.side, entry.no.unwrap_or_default(), draft).map_err(wrong)?;
            }
            (None, None) => {}
        }
    }
    Ok(Box::new(duel))
}

impl<R: Opponents + Telling> TypedDuel<R> {
    fn choose(&mut self, side: Side) -> Option<R::Order> {
        let battle = &self.game.battle;
        let asked = battle.asked()?;
        let (level, bot) = self.bots[side].as_mut()?;
        Some(in_time(*level, |leash| bot.ponder(&battle.view(Viewer::Side(side)), asked, side, leash)))
    }

    /// What a fresh bot would do, where that is legal, and what it weighed before.
    fn advised(&self, side: Side, level: Level) -> Option<(Draft, Thoughts)> {
        let battle = &self.game.battle;
        let asked = battle.asked().filter(|asked| asked.who.includes(side))?;
        let view = battle.view(Viewer::Side(side));
        // Whoever asks twice is told the same.
        let mut bot = R::bot(level, u64::from(asked.no.0));
        let order = in_time(level, |leash| bot.ponder(&view, asked, side, leash));
        let draft = R::check(&view, asked, side, &order).is_legal().then(|| facade::encode::<R>(&view, &order))?;
        Some((draft, bots::seat::thoughts(&view, bot.as_ref(), side)))
    }

    /// Shows a bot an old question of its own and what the record says it answered.
    fn recall(&mut self, side: Side, draft: &Draft) {
        let battle = &self.game.battle;
        let (Some(asked), Some((_, bot))) = (battle.asked(), self.bots[side].as_mut()) else { return };
        let view = battle.view(Viewer::Side(side));
        if let Ok(order) = facade::decode::<R>(&view, draft) {
            bot.recall(&view, asked, side, &order);
        }
    }

    fn fallback(&self, side: Side) -> Option<R::Order> {
        let battle = &self.game.battle;
        Some(R::fallback(&battle.view(Viewer::Side(side)), battle.asked()?, side))
    }

    fn give(&mut self, side: Side, order: &R::Order) -> Result<(), SubmitError> {
        let no = self.game.battle.asked().map(|asked| asked.no).unwrap_or_default();
        let draft = facade::encode::<R>(&self.game.battle.view(Viewer::Side(side)), order);
        self.game.submit(side, no, &draft).map(|_| ())
    }
}

impl<R: Opponents + Telling> Duel for TypedDuel<R> {
    fn game(&self) -> &dyn Game {
        &self.game
    }

    fn game_mut(&mut self) -> &mut dyn Game {
        &mut self.game
    }

    fn bot(&self, side: Side) -> Option<Level> {
        self.bots[side].as_ref().map(|(level, _)| *level)
    }

    fn advice(&self, side: Side, level: Level) -> Option<Draft> {
        self.advised(side, level).map(|(draft, _)| draft)
    }

    fn thoughts(&self, side: Side, level: Level) -> Option<Thoughts> {
        self.advised(side, level).map(|(_, thoughts)| thoughts)
    }

    fn bot_turn(&mut self) -> Result<bool, SubmitError> {
        // A bot goes along with whatever its opponent wants to take back, and never parts in peace.
        if let Some((by, motion)) = self.game.battle.offer()
            && self.bots[by.other()].is_some()
        {
            let reply = if motion == Motion::TakeBack { motion } else { Motion::Decline };
            return self.game.motion(by.other(), reply);
        }
        let Some(side) = self.game.battle.awaited() else { return Ok(false) };
        let Some(order) = self.choose(side) else { return Ok(false) };
        match self.give(side, &order) {
            Err(SubmitError::Refused(_) | SubmitError::Unreadable(_)) => match self.fallback(side) {
                Some(order) => self.give(side, &order).map(|()| true),
                None => Ok(false),
            },
            other => other.map(|()| true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play_on(duel: &mut dyn Duel, most: usize) {
        for _ in 0..most {
            if !duel.bot_turn().unwrap() {
                return;
            }
        }
    }

    #[test]
    fn a_break_changes_nothing() {
        let setup = rules::scenario("awi/skirmish").unwrap().text;
        let seats = BySide([Some(Level::Careful), Some(Level::Random)]);
        let seed = Seed::from_number(11);
        let mut whole = start(setup, None, seed, seats).unwrap();
        play_on(whole.as_mut(), 40);
        let saved = ReplayFile::parse(&whole.game().replay().to_text()).unwrap();
        let mut resumed = resume(&saved, seats).unwrap();
        assert_eq!(resumed.game().hash(), whole.game().hash());
        play_on(whole.as_mut(), 100_000);
        play_on(resumed.as_mut(), 100_000);
        assert!(whole.game().outcome().is_some());
        assert_eq!(resumed.game().replay(), whole.game().replay());
    }
}
