//! skeleton: owner = words
//! Cards, badges and looks of units and generals.

use crate::Days;
use crate::field::Field;
use engine::scene::{Badge, Look};
use engine::{CommanderId, UnitId, View};

/// A unit's state at a glance.
pub fn badges(_field: &Field, _unit: UnitId) -> Vec<Badge> {
    Vec::new()
}

/// What the eye catches first.
pub fn looks(_field: &Field, _unit: UnitId) -> Vec<Look> {
    Vec::new()
}

/// A unit's card.
pub fn unit(view: &View<'_, Days>, unit: UnitId) -> Vec<String> {
    vec![view.card(unit).name.clone()]
}

/// A general's card.
pub fn officer(view: &View<'_, Days>, commander: CommanderId) -> Vec<String> {
    vec![view.muster().commander(commander).name.clone()]
}
