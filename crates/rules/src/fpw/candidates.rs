//! skeleton: owner = bots helper
use super::Fpw;
use super::order::Order;
use engine::{Asked, Lots, Side, View};
pub fn candidates(
    _view: &View<'_, Fpw>,
    _asked: &Asked<Fpw>,
    _side: Side,
    _lots: &mut Lots,
    _limit: usize,
) -> Vec<Order> {
    vec![Order::Pass]
}
