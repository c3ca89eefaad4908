//! skeleton: owner = fire. Blast areas: blocks laid on the table, joined by full faces, who lies under them (blast-a to -e, R68).

use super::field::Field;
use engine::UnitId;
use table::{Point, Quad};

/// The rectangles of a battery's blocks for a marker and a pattern.
pub fn blocks(_field: &Field, _battery: UnitId, _point: Point, _pattern: &[(i8, i8)]) -> Vec<Quad> {
    Vec::new()
}

/// The pattern the house lays where the player gives none: side by side over the target.
pub fn usual_pattern(_field: &Field, _battery: UnitId) -> Vec<(i8, i8)> {
    Vec::new()
}
