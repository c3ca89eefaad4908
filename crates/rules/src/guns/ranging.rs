//! skeleton: owner = fire. P2: markers for indirect fire, observers and their sight, new observers (R67).

use super::Guns;
use super::field::Field;
use super::order::Order;
use super::sequence::Given;
use engine::{Flow, Side, Umpire, UnitId, Verdict, View};

/// Turns the page.
pub fn advance(_umpire: &mut Umpire<'_, Guns>, _asked: bool) -> Flow<Guns> {
    Flow::Done
}

/// Judges markers and patterns.
pub fn check(_view: &View<'_, Guns>, _side: Side, _order: &Order) -> Verdict {
    Verdict::fine()
}

/// Lays them.
pub fn execute(_umpire: &mut Umpire<'_, Guns>, _given: Given) {}

/// Enemies a battery may be told to fire at indirectly.
pub fn targets(_field: &Field, _battery: UnitId) -> Vec<UnitId> {
    Vec::new()
}
