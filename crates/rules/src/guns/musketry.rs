//! skeleton: owner = fire. P7: small arms and rapid-fire weapons, both sides at once (R12, R14, R15, R74, R83), then `generals::risk`.

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

/// Enemies a unit may fire at now.
pub fn targets(_field: &Field, _unit: UnitId) -> Vec<UnitId> {
    Vec::new()
}

/// P8.2: a charger that passed fires on a target about to retire (R28): one shot, damage at once.
pub fn fire_on_breakers(_umpire: &mut Umpire<'_, Guns>, _charger: UnitId, _target: UnitId) {}
