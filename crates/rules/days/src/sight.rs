//! skeleton: owner = fire
//! Who sees whom: fields of vision, woods and houses, crests, troops in the way. Section 16.3, C.5, A-45 to A-47.

use super::field::Field;
use engine::{CommanderId, Side, UnitId};
use table::{Quad, Vec2};

/// Whether a unit sees another: some stand of it, or its skirmishers, some stand of the other.
pub fn sees(_field: &Field, _viewer: UnitId, _target: UnitId) -> bool {
    true
}

/// Whether one stand of a unit sees one stand of another.
pub fn stand_sees(_field: &Field, _viewer: UnitId, _from: &Quad, _target: UnitId, _stand: &Quad) -> bool {
    true
}

/// Whether anybody of a side sees a unit.
pub fn seen_by(_field: &Field, _side: Side, _target: UnitId) -> bool {
    true
}

/// Whether anybody of a side sees a place on the table as an open stand would be seen.
pub fn place_seen_by(_field: &Field, _side: Side, _place: Vec2) -> bool {
    true
}

/// Whether a unit sees a general on his own.
pub fn sees_general(_field: &Field, _viewer: UnitId, _general: CommanderId) -> bool {
    true
}
