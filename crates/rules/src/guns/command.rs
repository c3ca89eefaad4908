//! skeleton: owner = command. P1: nominations, activation dice, who responds (A4, R44-R51). `Order::Pass` names nobody; for the dice it lets the house deal them as well as it can, so it is always legal. Brigades are brigade-level commands.

use super::Guns;
use super::clause::Clause;
use super::field::Field;
use super::order::Order;
use super::sequence::Given;
use engine::{BySide, CommandId, Flow, Side, Umpire, Verdict, View};
use serde::{Deserialize, Serialize};

/// Where activation has got to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activating {
    /// Brigades are named.
    #[default]
    Nominate,
    /// Dice are rolled for them, then dealt.
    Roll,
    /// Units find out whether they respond.
    Respond,
}

/// Turns the page.
pub fn advance(_umpire: &mut Umpire<'_, Guns>, _activating: Activating) -> Flow<Guns> {
    Flow::Done
}

/// Judges nominations.
pub fn check_nominate(_view: &View<'_, Guns>, _side: Side, _order: &Order) -> Verdict {
    Verdict::fine()
}

/// Writes them down.
pub fn execute_nominate(_umpire: &mut Umpire<'_, Guns>, _given: Given) {}

/// Judges a deal of dice (activate-d).
pub fn check_allot(_view: &View<'_, Guns>, _dice: &[u8], _brigades: &[CommandId], _order: &Order) -> Verdict {
    Verdict::fine()
}

/// Deals them.
pub fn execute_allot(
    _umpire: &mut Umpire<'_, Guns>,
    _dice: &BySide<Vec<u8>>,
    _brigades: &BySide<Vec<CommandId>>,
    _given: Given,
) {
}

/// Why a brigade that goes on with its order may not end there: farther from its objective than it began (R50).
pub fn drift(_field: &Field, _brigade: CommandId, _ends: &[(engine::UnitId, table::Vec2)]) -> Option<(Clause, String)> {
    None
}
