//! skeleton: owner = move
//! 4.11: normal and forced-march moves. Sections 17.4.3 to 17.4.9, C-12 to C-14b.

use super::Days;
use super::order::Order;
use super::sequence::Given;
use engine::{Flow, Side, Umpire, Verdict, View};
use serde::{Deserialize, Serialize};

/// Whose moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Moving {
    /// Who moves.
    pub side: Side,
    /// Said that it has done.
    pub done: bool,
}

impl Moving {
    /// A side's moves.
    pub fn of(side: Side) -> Moving {
        Moving { side, done: false }
    }
}

/// Asks until the side has done.
pub fn advance(_umpire: &mut Umpire<'_, Days>, _moving: Moving) -> Flow<Days> {
    Flow::Done
}

/// Judges any order of this step: marches here, the rest in staff, detachment, works, arrival, hidden.
pub fn check(_view: &View<'_, Days>, _side: Side, _order: &Order) -> Verdict {
    Verdict::default()
}

/// Carries it out.
pub fn execute(_umpire: &mut Umpire<'_, Days>, _given: Given) {}
