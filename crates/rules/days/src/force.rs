//! skeleton: owner = muster
//! What a force costs, line by line. Sections 5 and 6, B.2.

use super::field::Field;
use engine::Side;
use engine::telling::ForceLine;

/// A side's force, command by command.
pub fn lines(_field: &Field, _side: Side) -> Vec<ForceLine> {
    Vec::new()
}
