//! skeleton: owner = fire
//! What a target is: its class, its cover, the grade of the fire at it. Section 13, C-01 to C-07, C.7, A-33 to A-35.

use super::charts::TargetClass;
use super::field::Field;
use super::settings::Weight;
use engine::UnitId;
use smallvec::SmallVec;
use table::Vec2;

/// Every class that fits a unit, cover seen from a place.
pub fn classes(_field: &Field, _target: UnitId, _from: Vec2) -> SmallVec<[TargetClass; 3]> {
    SmallVec::new()
}

/// The cover of a unit against somebody at a place: at least half of its stands have it.
pub fn cover(_field: &Field, _target: UnitId, _from: Vec2) -> Option<Weight> {
    None
}

/// Whether a unit is in square, or counts as in one of a group's.
pub fn in_square(_field: &Field, _unit: UnitId) -> bool {
    false
}
