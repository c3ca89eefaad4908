//! skeleton: owner = movement. Full moves by formation (rate-a to -k, R57, R84), road bonus (R56), what ground costs along a path (terrain-a to -f, R54).

use super::clause::Clause;
use super::field::Field;
use engine::UnitId;
use table::Length;

/// The full move of a unit as it stands, and its clause.
pub fn full_move(_field: &Field, _unit: UnitId) -> (Length, Clause) {
    (Length::ZERO, Clause::LinePace)
}
