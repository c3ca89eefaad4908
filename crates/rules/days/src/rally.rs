//! skeleton: owner = morale
//! 2.6: rally tests of both sides. Sections 17.2.8 to 17.2.11, D.4.

use super::Days;
use super::field::{Few, Field};
use super::order::Order;
use super::sequence::Given;
use engine::{Flow, Side, Umpire, Verdict, View};

/// Asks both sides who helps whom, then rolls.
pub fn advance(_umpire: &mut Umpire<'_, Days>, _asked: bool) -> Flow<Days> {
    Flow::Done
}

/// Units of a side that must or may try.
pub fn triers(_field: &Field, _side: Side) -> Few {
    Few::new()
}

/// Judges who helps whom.
pub fn check(_view: &View<'_, Days>, _side: Side, _order: &Order) -> Verdict {
    Verdict::default()
}

/// Rolls.
pub fn execute(_umpire: &mut Umpire<'_, Days>, _given: Given) {}
