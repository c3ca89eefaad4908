//! Players made of code. A bot sees a view, is asked a decision and answers with an order; it brings its own
//! randomness and never touches the battle's dice.

pub mod awi;
pub mod random;

use engine::{Asked, Ruleset, Side, View};
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
