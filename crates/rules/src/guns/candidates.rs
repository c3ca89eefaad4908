//! skeleton: owner = me. Orders worth considering.

use super::Guns;
use super::order::Order;
use engine::{Asked, Lots, Side, View};

/// Orders worth considering, best guess first, the fallback among them.
pub fn candidates(
    _view: &View<'_, Guns>,
    _asked: &Asked<Guns>,
    _side: Side,
    _lots: &mut Lots,
    _limit: usize,
) -> Vec<Order> {
    vec![Order::Pass]
}
