//! skeleton: owner = command. P10: rally tests (R39, R41), end of reforming (R38), captured guns (R66), successors, release of whoever regrouped.

use super::Guns;
use super::field::Field;
use engine::{Umpire, UnitId};

/// Carries out the step.
pub fn carry_out(_umpire: &mut Umpire<'_, Guns>) {}

/// Whether a broken unit may test (R41).
pub fn may_test(_field: &Field, _unit: UnitId) -> bool {
    true
}
