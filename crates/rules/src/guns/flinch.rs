//! skeleton: owner = charges. P8: flinch tests (flinch-a to -q, R20-R27), fire on breakers, retirements, evading skirmishers (R62), mutual charges (R30, R31), failed foot and horse; owners choose to lie down and to abandon guns (R66).

use super::Guns;
use super::field::Field;
use super::order::Order;
use super::sequence::Given;
use engine::{Flow, Reckoning, Umpire, UnitId, Verdict};
use serde::{Deserialize, Serialize};

/// Where the step has got to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Flinching {}

/// Turns the page.
pub fn advance(_umpire: &mut Umpire<'_, Guns>, _flinching: Flinching) -> Flow<Guns> {
    Flow::Done
}

/// Judges who lies down.
pub fn check_lie_down(_units: &[UnitId], _order: &Order) -> Verdict {
    Verdict::fine()
}

/// They lie down.
pub fn execute_lie_down(_umpire: &mut Umpire<'_, Guns>, _units: &[UnitId], _given: Given) {}

/// Judges gunners' choice.
pub fn check_abandon(_order: &Order) -> Verdict {
    Verdict::fine()
}

/// Gunners stay or run.
pub fn execute_abandon(_umpire: &mut Umpire<'_, Guns>, _battery: UnitId, _given: Given) {}

/// The total a unit tests against, line by line, as everything stands now. `at`: whom it charges.
pub fn reckoning(_field: &Field, _unit: UnitId, _at: Option<UnitId>) -> Reckoning {
    Reckoning::new()
}
