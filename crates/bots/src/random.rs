//! The random player: every candidate is as good as any other.

use crate::Bot;
use engine::{Asked, Lots, Ruleset, Side, View};

/// Picks among candidates, all alike.
pub struct Random(Lots);

impl Random {
    /// The same seed plays the same way.
    pub fn new(seed: u64) -> Random {
        Random(Lots::new(seed))
    }
}

impl<R: Ruleset> Bot<R> for Random {
    fn choose(&mut self, view: &View<'_, R>, asked: &Asked<R>, side: Side) -> R::Order {
        R::any(view, asked, side, &mut self.0)
    }
}
