//! skeleton: owner = muster. Points of a force (B4), line by line.

use super::field::Field;
use engine::Side;
use engine::telling::ForceLine;

/// A side's force line by line.
pub fn lines(_field: &Field, _side: Side) -> Vec<ForceLine> {
    Vec::new()
}
