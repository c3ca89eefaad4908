//! skeleton
use super::Fpw;
use super::order::Order;
use engine::{Flow, Umpire, UnitId, Verdict};
pub fn advance_blame(_umpire: &mut Umpire<'_, Fpw>, _units: Vec<UnitId>) -> Flow<Fpw> {
    Flow::Done
}
pub fn check_blame(_units: &[UnitId], _order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute_blame(_umpire: &mut Umpire<'_, Fpw>, _units: &[UnitId], _order: &Order) {}
