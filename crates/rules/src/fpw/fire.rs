//! skeleton: owner = fire helper
use super::Fpw;
use super::field::Field;
use super::order::{Occasion, Order, Shot};
use engine::{Flow, Side, Umpire, UnitId, Verdict, View};
use serde::{Deserialize, Serialize};
/// Fire offered to the side that is not on turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reaction {
    pub by: Side,
    pub targets: Vec<UnitId>,
    pub occasion: Occasion,
}
/// Every stand of `by` that may fire reactively at these units now, with the target the rules give it (R35, R38, R39, R42).
pub fn able(_field: &Field, _by: Side, _targets: &[UnitId]) -> Vec<Shot> {
    Vec::new()
}
/// The stands of one unit that have a charger in arc and sight, for approach fire at a band (R70); the nearest charger each.
pub fn approach_shots(_field: &Field, _unit: UnitId, _chargers: &[UnitId]) -> Vec<Shot> {
    Vec::new()
}
pub fn advance_reaction(_umpire: &mut Umpire<'_, Fpw>, _reaction: Reaction) -> Flow<Fpw> {
    Flow::Done
}
pub fn check_reaction(_able: &[Shot], _order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute_reaction(_umpire: &mut Umpire<'_, Fpw>, _able: &[Shot], _order: &Order) {}
pub fn advance_standing(_umpire: &mut Umpire<'_, Fpw>, _side: Side, _fired: bool) -> Flow<Fpw> {
    Flow::Done
}
/// Shots under a fire order: targets in arc, range and sight; foot at long range only.
pub fn check_shots(_view: &View<'_, Fpw>, _units: &[UnitId], _order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute_shots(_umpire: &mut Umpire<'_, Fpw>, _order: Order) {}
/// Every reason against a fire order to a unit.
pub fn may_fire_ordered(_field: &Field, _unit: UnitId, _verdict: &mut Verdict) {}
