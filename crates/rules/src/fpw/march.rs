//! skeleton: owner = lead
use super::Fpw;
use super::order::{Going, Order};
use engine::{Flow, Umpire, UnitId, Verdict, View};
use serde::{Deserialize, Serialize};
/// Units on the move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Marching {
    pub units: Vec<UnitId>,
}
pub fn advance(_umpire: &mut Umpire<'_, Fpw>, _marching: Marching) -> Flow<Fpw> {
    Flow::Done
}
pub fn check(_view: &View<'_, Fpw>, _units: &[UnitId], _going: Going, _order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute(_umpire: &mut Umpire<'_, Fpw>, _units: &[UnitId], _going: Going, _order: Order) {}
