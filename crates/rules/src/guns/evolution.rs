//! skeleton: owner = movement. Changes of formation: what they cost (evol-a to -g, R52, R53), which formations an arm may take (section C).

use super::clause::Clause;
use super::field::Field;
use super::formation::Formation;
use super::unit::Facts;
use engine::UnitId;
use table::Length;

/// The deduction for a change, and its clause; an error says why it cannot be made.
pub fn cost(_field: &Field, _unit: UnitId, _from: Formation, _to: Formation) -> Result<(Length, Clause), String> {
    Ok((Length::ZERO, Clause::OtherChanges))
}

/// Formations a unit may stand in (training, arm, numbers): for checks, prompts and candidates.
pub fn allowed(_field: &Field, _unit: UnitId) -> Vec<Formation> {
    Vec::new()
}

/// Why a unit may not stand in a formation at all, whatever it stands in now.
pub fn objection(_facts: &Facts, _mounted: bool, _formation: Formation, _count: u8) -> Option<(Clause, String)> {
    None
}
