//! skeleton: owner = close-combat helper
use super::Fpw;
use super::order::Order;
use engine::{Flow, Umpire, UnitId, Verdict, View};
use serde::{Deserialize, Serialize};
/// After a round: who withdraws, who may stay, who follows up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Yielding {
    pub units: Vec<UnitId>,
}
pub fn advance(_umpire: &mut Umpire<'_, Fpw>, _yielding: Yielding) -> Flow<Fpw> {
    Flow::Done
}
pub fn check_stay(_order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute_stay(_umpire: &mut Umpire<'_, Fpw>, _unit: UnitId, _order: &Order) {}
pub fn check(_view: &View<'_, Fpw>, _unit: UnitId, _yielded: &[UnitId], _may_follow: bool, _order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute(_umpire: &mut Umpire<'_, Fpw>, _unit: UnitId, _order: Order) {}
