//! skeleton: owner = muster helper
use super::Fpw;
use super::order::Order;
use super::sequence::Opening;
use engine::{Flow, Side, Umpire, Verdict, View};
pub fn advance(_umpire: &mut Umpire<'_, Fpw>, _opening: Opening) -> Flow<Fpw> {
    Flow::Done
}
pub fn advance_enter(_umpire: &mut Umpire<'_, Fpw>, _side: Side) -> Flow<Fpw> {
    Flow::Done
}
pub fn check_deploy(_view: &View<'_, Fpw>, _side: Side, _order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute_deploy(_umpire: &mut Umpire<'_, Fpw>, _side: Side, _order: Order) {}
pub fn check_enter(_view: &View<'_, Fpw>, _side: Side, _order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute_enter(_umpire: &mut Umpire<'_, Fpw>, _side: Side, _order: Order) {}
