//! skeleton: owner = table
//! What is drawn around a selected piece, and what is neither unit nor general: fires, wind, works, fords, absent troops.

use crate::Days;
use engine::scene::{ScenePiece, Sketch};
use engine::{CommanderId, UnitId, View};

/// Around a unit: arc and ranges, crest, command.
pub fn of_unit(_view: &View<'_, Days>, _unit: UnitId) -> Vec<Sketch> {
    Vec::new()
}

/// Around a general: how far his word goes.
pub fn of_commander(_view: &View<'_, Days>, _commander: CommanderId) -> Vec<Sketch> {
    Vec::new()
}

/// Everything else on the table.
pub fn extras(_view: &View<'_, Days>) -> Vec<ScenePiece> {
    Vec::new()
}
