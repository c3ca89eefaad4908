//! skeleton: owner = deploy
//! How a battle ends: points lost, objectives, margins, surrender. Section 18, B.3, C-23, A-85.

use super::Days;
use super::field::Field;
use super::order::Order;
use super::sequence::Given;
use engine::ruleset::Outcome;
use engine::{Flow, Side, Umpire, UnitId, Verdict, View};
use serde::{Deserialize, Serialize};

/// Who has been asked to give units up.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Surrendering {}

/// Points a side has lost so far, doubled so that halves stay whole.
pub fn lost_doubled(_field: &Field, _side: Side) -> u32 {
    0
}

/// Whether the battle is over before its limit: a loss limit, nobody left who does not rout.
pub fn check(_field: &Field) -> Option<Outcome> {
    None
}

/// How the battle ends at its turn limit.
pub fn at_limit(_field: &Field) -> Outcome {
    Outcome { winner: None, clause: String::new(), why: String::new() }
}

/// Asks each side with affected units, if the setting is on.
pub fn advance(_umpire: &mut Umpire<'_, Days>, _surrendering: Surrendering) -> Flow<Days> {
    Flow::Done
}

/// Judges a surrender.
pub fn check_surrender(_view: &View<'_, Days>, _units: &[UnitId], _order: &Order) -> Verdict {
    Verdict::default()
}

/// Gives units up.
pub fn execute_surrender(_umpire: &mut Umpire<'_, Days>, _units: &[UnitId], _given: Given) {}
