//! Players made of code. A bot sees a view, is asked a decision and answers with an order; it brings its own
//! randomness and never touches the battle's dice.

pub mod ahead;
pub mod awi;
pub mod days;
pub mod fpw;
pub mod guns;
pub mod leash;
pub mod level;
pub mod random;
pub mod seat;

pub use leash::Leash;
pub use level::Level;
pub use seat::{Answer, Seat, seat, seat_of};

use ahead::{Ahead, Mind, Style};
use engine::{Asked, Ruleset, Side, State, View};

/// A player.
pub trait Bot<R: Ruleset>: Send {
    /// Answers a decision. The order must be legal; [`Ruleset::fallback`] always is.
    fn choose(&mut self, view: &View<'_, R>, asked: &Asked<R>, side: Side) -> R::Order;

    /// The same within limits of one's own; players who do not look ahead need none.
    fn ponder(&mut self, view: &View<'_, R>, asked: &Asked<R>, side: Side, _leash: &mut Leash<'_>) -> R::Order {
        self.choose(view, asked, side)
    }

    /// Is shown a question of the past and what was ordered then, so that it goes on as if it had given the order.
    fn recall(&mut self, view: &View<'_, R>, asked: &Asked<R>, side: Side, _order: &R::Order) {
        let _ = self.choose(view, asked, side);
    }

    /// What it thought about its last question, where it thinks.
    fn mind(&self) -> Option<&Mind<R>> {
        None
    }
}

/// A ruleset with several manners of careful play, for those who look ahead.
pub trait Manners: Ruleset {
    /// A careful player, who can be put at an imagined table as he is.
    type Hand: Bot<Self> + Clone;
    /// The names of the manners; the first is the careful player's own.
    const MANNERS: &'static [&'static str];
    /// How the veteran and the general look ahead.
    const STYLES: [Style; 2];
    /// A careful player of this manner.
    fn manner(no: usize, seed: u64) -> Self::Hand;
    /// How the battle stands for a side, from 0 (lost) to 1 (won).
    fn standing(state: &State<Self>, side: Side) -> f64;
    /// How much a question is worth thinking about.
    fn weight(asked: &Asked<Self>) -> Weight;
}

/// How much a question is worth thinking about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Weight {
    /// Nothing hangs on it.
    Light,
    /// It is asked for every unit again; what matters is in which manner the turn is played, so that only the first of
    /// a turn is thought about.
    FirstOfTurn,
    /// Every time.
    Heavy,
}

/// A ruleset that can be played by bots.
pub trait Opponents: Manners {
    /// A player of this level; the same seed plays the same way.
    fn bot(level: Level, seed: u64) -> Box<dyn Bot<Self>> {
        match level {
            Level::Random => Box::new(random::Random::new(seed)),
            Level::Careful => Box::new(Self::manner(0, seed)),
            Level::Veteran => Box::new(Ahead::new(seed, Self::STYLES[0])),
            Level::General => Box::new(Ahead::new(seed, Self::STYLES[1])),
        }
    }
}

impl<R: Manners> Opponents for R {}
