//! skeleton: owner = muster. How a battle ends (R81): losses, objectives, limit.

use super::clause::Clause;
use super::field::Field;
use engine::Outcome;

/// Whether somebody has won at the end of a bound.
pub fn check(_field: &Field) -> Option<Outcome> {
    None
}

/// Who has won when the last bound is over.
pub fn at_limit(_field: &Field) -> Outcome {
    Outcome { winner: None, clause: Clause::BattleEnd.id().to_owned(), why: String::new() }
}
