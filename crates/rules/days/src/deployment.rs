//! skeleton: owner = deploy
//! S4 to S7: generals diced for, scouting, what stays off or hides, setting up by maps or brigade by brigade. Section 16.

use super::Days;
use super::order::Order;
use super::sequence::{Given, Phase};
use engine::{CommandId, Flow, Side, Umpire, Verdict, View};
use serde::{Deserialize, Serialize};

/// How far setting up has got. Filled in by its owner.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Setting {}

/// Turns the page; ends by announcing turn 1 and replacing itself by `Phase::Turn { next: 0 }`.
pub fn advance(umpire: &mut Umpire<'_, Days>, _setting: Setting) -> Flow<Days> {
    umpire.replace(Phase::Turn { next: 0 });
    Flow::Again
}

/// Judges what stays off, who hides, where works lie.
pub fn check_reserves(_view: &View<'_, Days>, _side: Side, _order: &Order) -> Verdict {
    Verdict::default()
}

/// Judges a whole deployment.
pub fn check(_view: &View<'_, Days>, _side: Side, _order: &Order) -> Verdict {
    Verdict::default()
}

/// Judges one brigade's deployment.
pub fn check_brigade(_view: &View<'_, Days>, _side: Side, _left: &[Option<CommandId>], _order: &Order) -> Verdict {
    Verdict::default()
}

/// Keeps brigades off and hides units.
pub fn execute_reserves(_umpire: &mut Umpire<'_, Days>, _given: Given) {}

/// Sets everybody up.
pub fn execute(_umpire: &mut Umpire<'_, Days>, _given: Given) {}

/// Sets a brigade up.
pub fn execute_brigade(_umpire: &mut Umpire<'_, Days>, _left: &[Option<CommandId>], _given: Given) {}
