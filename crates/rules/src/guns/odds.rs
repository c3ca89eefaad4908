//! skeleton: owner = fire. Exact odds of orders: fire, flinch, activation, rally, as `Telling::odds` and the command line tell them.

use super::Guns;
use super::order::Order;
use engine::{Asked, Odds, Side, View};

/// Exact odds of an order.
pub fn odds(_view: &View<'_, Guns>, _asked: &Asked<Guns>, _side: Side, _order: &Order) -> Option<Odds> {
    None
}
