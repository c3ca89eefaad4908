//! skeleton: owner = fire. P6: direct and indirect fire, both sides at once (R15, R18, R63, R67, R68), buildings (R69), then `cycle::after_fire`.

use super::Guns;
use super::field::Field;
use super::order::Order;
use super::sequence::Given;
use engine::{Flow, Side, Umpire, UnitId, Verdict, View};

/// Turns the page.
pub fn advance(_umpire: &mut Umpire<'_, Guns>, _asked: bool) -> Flow<Guns> {
    Flow::Done
}

/// Judges targets.
pub fn check(_view: &View<'_, Guns>, _side: Side, _order: &Order) -> Verdict {
    Verdict::fine()
}

/// Fires.
pub fn execute(_umpire: &mut Umpire<'_, Guns>, _given: Given) {}

/// Enemies a battery may fire at over open sights now.
pub fn targets(_field: &Field, _battery: UnitId) -> Vec<UnitId> {
    Vec::new()
}
