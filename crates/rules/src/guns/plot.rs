//! skeleton: owner = movement. P4 and P5: the sealed plans (D1, R22, R48, R49, R53-R59, R63, R73, R84), their check, counter-charges (R30). `Order::Pass` is the plan the house makes for a side: every activated brigade goes straight forward as far as its duty asks, nothing else moves; so it is always legal.

use super::Guns;
use super::clause::Clause;
use super::field::Field;
use super::order::{Move, Order, Shot};
use super::sequence::Given;
use engine::{BySide, CommandId, Flow, Side, Umpire, UnitId, Verdict, View};
use serde::{Deserialize, Serialize};
use table::Length;
use table::march::Leg;

/// Where plotting has got to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Plotting {
    /// Plans are made.
    #[default]
    Plot,
    /// Cavalry charged by cavalry answers.
    Counter,
    /// Charges move to their flinch points.
    Charge,
}

/// Turns the page.
pub fn advance(_umpire: &mut Umpire<'_, Guns>, _plotting: Plotting) -> Flow<Guns> {
    Flow::Done
}

/// Judges a plan, telling every reason of every move.
pub fn check(_view: &View<'_, Guns>, _side: Side, _order: &Order) -> Verdict {
    Verdict::fine()
}

/// Both plans lie open: announced, charges declared.
pub fn execute(_umpire: &mut Umpire<'_, Guns>, _given: Given) {}

/// Judges counter-charges.
pub fn check_counter(_view: &View<'_, Guns>, _able: &[Shot], _order: &Order) -> Verdict {
    Verdict::fine()
}

/// Declares them.
pub fn execute_counter(_umpire: &mut Umpire<'_, Guns>, _able: &BySide<Vec<Shot>>, _given: Given) {}

/// P5: everything else moves, quarter by quarter.
pub fn move_all(_umpire: &mut Umpire<'_, Guns>) {}

/// The plan the house makes for a side that makes none: duty and nothing else.
pub fn dutiful(_field: &Field, _side: Side) -> Vec<Move> {
    Vec::new()
}

/// What of its move a unit could spend this bound, and why it could not move at all (clause and words). For prompts,
/// candidates and bots.
pub fn allowance(_field: &Field, _unit: UnitId) -> Result<Length, (Clause, String)> {
    Ok(Length::ZERO)
}

/// Enemies a unit could charge this bound as far as anybody can see, with the legs that take it there.
pub fn charge_targets(_field: &Field, _unit: UnitId) -> Vec<(UnitId, Vec<Leg>)> {
    Vec::new()
}

/// Progress a brigade's duty asks for and what a plan gives it, toward the enemy's baseline (R48).
pub fn duty(_field: &Field, _brigade: CommandId, _moves: &[Move]) -> (Length, Length) {
    (Length::ZERO, Length::ZERO)
}
