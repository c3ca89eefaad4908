//! skeleton: owner = movement. Skirmish screens (R61): thrown out, drawn in, status, losses to parents.

use super::Guns;
use super::field::Field;
use engine::{Umpire, UnitId};

/// The status a screen fires with: the mean of its parents', rounded down.
pub fn status(_field: &Field, _screen: UnitId) -> u8 {
    1
}

/// Deals damage of a screen to its parents, the nearest to the firer first (screen-d, R61).
pub fn losses(_field: &Field, _screen: UnitId, _firer: UnitId, _points: u8) -> Vec<(UnitId, u8)> {
    Vec::new()
}

/// After a parent is gone: its element leaves the screen.
pub fn orphan(_umpire: &mut Umpire<'_, Guns>, _parent: UnitId) {}
