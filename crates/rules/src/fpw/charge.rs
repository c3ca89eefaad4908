//! skeleton: owner = close-combat helper
use super::Fpw;
use super::order::{Aim, Order};
use engine::{Flow, Umpire, UnitId, Verdict, View};
use serde::{Deserialize, Serialize};
/// Advances to contact in progress: all charges of one order, simultaneous.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Charging {
    pub charges: Vec<Aim>,
}
/// Begins the charges of an order or an initiative move. `forced`: a blunder, which may not fall back instead of closing
/// and ignores limits of formation and facing (R22).
pub fn begin(_umpire: &mut Umpire<'_, Fpw>, _charges: Vec<Aim>, _forced: bool) {}
/// Judges one advance to contact: who may, sight, path, gap within the allowance. Used by initiative and by orders.
pub fn check_aim(_view: &View<'_, Fpw>, _aim: &Aim, _verdict: &mut Verdict) {}
pub fn advance(_umpire: &mut Umpire<'_, Fpw>, _charging: Charging) -> Flow<Fpw> {
    Flow::Done
}
pub fn check(_view: &View<'_, Fpw>, _units: &[UnitId], _order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute(_umpire: &mut Umpire<'_, Fpw>, _order: Order) {}
pub fn check_reaction(_view: &View<'_, Fpw>, _unit: UnitId, _may_evade: bool, _order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute_reaction(_umpire: &mut Umpire<'_, Fpw>, _order: &Order) {}
pub struct Line {
    pub distance: table::Length,
    pub allowance: table::Length,
}
pub fn line_of(_field: &super::field::Field, _aim: &Aim) -> Option<Line> {
    None
}
