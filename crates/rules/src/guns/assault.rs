//! skeleton: owner = charges. P9: those who passed go forward, press on against further enemies (R29), align (R75), fight, break in or through (R33-R36, R80).

use super::Guns;
use super::order::Order;
use super::sequence::Given;
use engine::{Flow, Umpire, UnitId, Verdict};
use serde::{Deserialize, Serialize};

/// Where the step has got to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Assault {}

/// Turns the page.
pub fn advance(_umpire: &mut Umpire<'_, Guns>, _assault: Assault) -> Flow<Guns> {
    Flow::Done
}

/// Judges a further target.
pub fn check_press_on(_among: &[UnitId], _order: &Order) -> Verdict {
    Verdict::fine()
}

/// Goes on, or stops.
pub fn execute_press_on(_umpire: &mut Umpire<'_, Guns>, _unit: UnitId, _given: Given) {}

/// Judges the choice of winning cavalry.
pub fn check_ride_through(_order: &Order) -> Verdict {
    Verdict::fine()
}

/// Rides through, or stays.
pub fn execute_ride_through(_umpire: &mut Umpire<'_, Guns>, _unit: UnitId, _given: Given) {}
