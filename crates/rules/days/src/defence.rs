//! skeleton: owner = fire
//! 4.10: fire kept back, at whoever charges. Section 17.3.1, A-103.

use super::Days;
use super::order::Order;
use super::sequence::Given;
use engine::{Flow, Side, Umpire, Verdict, View};

/// Asks both sides whose units kept fire back and are charged.
pub fn advance(_umpire: &mut Umpire<'_, Days>, _asked: bool) -> Flow<Days> {
    Flow::Done
}

/// Judges defensive fire.
pub fn check(_view: &View<'_, Days>, _side: Side, _order: &Order) -> Verdict {
    Verdict::default()
}

/// Fires.
pub fn execute(_umpire: &mut Umpire<'_, Days>, _given: Given) {}
