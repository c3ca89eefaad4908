//! skeleton: owner = deploy
//! 2.1: brigades off the table are announced, and come on in the Movement Phase. Section 16.5, A-127.

use super::Days;
use super::field::Field;
use super::order::Order;
use super::sequence::Given;
use engine::{CommandId, Flow, Side, Umpire, UnitId, Verdict, View};
use serde::{Deserialize, Serialize};
use table::Pose;

/// Who has been asked.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Arriving {}

/// Asks each side with absent brigades, whoever has the initiative first.
pub fn advance(_umpire: &mut Umpire<'_, Days>, _arriving: Arriving) -> Flow<Days> {
    Flow::Done
}

/// Judges announcements.
pub fn check(_view: &View<'_, Days>, _side: Side, _absent: &[CommandId], _order: &Order) -> Verdict {
    Verdict::default()
}

/// Announces; the leading stand is placed, the others wait behind the edge.
pub fn execute(_umpire: &mut Umpire<'_, Days>, _absent: &[CommandId], _given: Given) {}

/// Where a waiting unit's march begins: its front on the edge, in column, facing inward. None for units that do not wait.
pub fn entry_pose(_field: &Field, _unit: UnitId) -> Option<Pose> {
    None
}

/// A waiting unit has come on: it waits no more, and with the last of its brigade all of it has arrived.
pub fn entered(_umpire: &mut Umpire<'_, Days>, _unit: UnitId) {}
