//! skeleton: owner = lead
use super::Fpw;
use super::order::Order;
use engine::{Flow, Side, Umpire, Verdict, View};
pub fn advance(_umpire: &mut Umpire<'_, Fpw>, _side: Side) -> Flow<Fpw> {
    Flow::Done
}
pub fn check(_view: &View<'_, Fpw>, _side: Side, _order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute(_umpire: &mut Umpire<'_, Fpw>, _side: Side, _order: Order) {}
