//! skeleton: owner = fire
//! 3.1 to 3.4: declared fire of both sides at once. Section 17.3, C-02 to C-09.

pub mod arc;

use super::Days;
use super::field::Field;
use super::order::{Order, Shot};
use super::sequence::Given;
use engine::{Flow, Side, Umpire, UnitId, Verdict, View};
use table::Length;

/// Asks both sides for their targets, then tests who lost stands.
pub fn advance(_umpire: &mut Umpire<'_, Days>, _asked: bool) -> Flow<Days> {
    Flow::Done
}

/// Judges fire orders.
pub fn check(_view: &View<'_, Days>, _side: Side, _order: &Order) -> Verdict {
    Verdict::default()
}

/// Fires: I's dice, then N's; losses together at the end.
pub fn execute(_umpire: &mut Umpire<'_, Days>, _given: Given) {}

/// The targets each unit of a side may shoot at with at least one stand: what candidates and gestures offer.
pub fn targets(_field: &Field, _unit: UnitId) -> Vec<Shot> {
    Vec::new()
}

/// How far a unit can shoot.
pub fn range(_field: &Field, _unit: UnitId) -> Length {
    Length::ZERO
}
