//! skeleton: owner = muster
//! What a case may say beyond a set-up: where the turn stands when it begins.

use super::field::Field;
use engine::{Faults, SheetTable};

/// Reads `after` and `start`, and puts the battle there.
pub fn arrange(_root: &mut SheetTable<'_, '_>, field: Field, _faults: &mut Faults) -> Option<Field> {
    Some(field)
}
