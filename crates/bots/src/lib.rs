//! Players made of code. A bot sees a view, is asked a decision and answers with an order; it brings its own
//! randomness and never touches the battle's dice.

pub mod awi;
pub mod days;
pub mod fpw;
pub mod guns;
pub mod random;

use engine::facade::{self, Draft};
use engine::game::{Game, TypedGame};
use engine::{Asked, Ruleset, Side, Telling, View, Viewer};
use std::fmt;
use std::str::FromStr;

/// A player.
pub trait Bot<R: Ruleset>: Send {
    /// Answers a decision. The order must be legal; [`Ruleset::fallback`] always is.
    fn choose(&mut self, view: &View<'_, R>, asked: &Asked<R>, side: Side) -> R::Order;
}

/// How good a player is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Any candidate, all alike.
    Random,
    /// Has a plan and minds the odds.
    Careful,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: &'static [Level] = &[Level::Random, Level::Careful];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Careful => "careful",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = String;
    fn from_str(text: &str) -> Result<Level, String> {
        Level::ALL.iter().copied().find(|level| level.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Level::ALL.iter().map(|level| level.name()).collect();
            format!("there is no bot called `{text}`; there are: {}", names.join(", "))
        })
    }
}

/// A ruleset that can be played by bots.
pub trait Opponents: Ruleset {
    /// A player of this level; the same seed plays the same way.
    fn bot(level: Level, seed: u64) -> Box<dyn Bot<Self>>;
}

/// A player whose rulebook is known only when the program runs: for servers and terminals.
pub trait Seat: Send {
    /// Answers for a side what it is asked now; nothing where it is asked nothing, or the battle is of another rulebook.
    fn choose(&mut self, game: &dyn Game, side: Side) -> Option<Draft>;
}

struct TypedSeat<R: Ruleset>(Box<dyn Bot<R>>);

impl<R: Telling> Seat for TypedSeat<R> {
    fn choose(&mut self, game: &dyn Game, side: Side) -> Option<Draft> {
        let battle = &game.as_any().downcast_ref::<TypedGame<R>>()?.battle;
        let asked = battle.asked().filter(|asked| asked.who.includes(side))?;
        let view = battle.view(Viewer::Side(side));
        if view.sealed(side).is_some() {
            return None;
        }
        let order = self.0.choose(&view, asked, side);
        Some(facade::encode::<R>(&view, &order))
    }
}

/// A player of this level for a ruleset; the same seed plays the same way.
pub fn seat(ruleset: &str, level: Level, seed: u64) -> Option<Box<dyn Seat>> {
    rules::dispatch!(ruleset, R => Box::new(TypedSeat::<R>(R::bot(level, seed))) as Box<dyn Seat>)
}
