//! skeleton: owner = odds
//! Exact odds of orders: volleys, batteries, every morale test, close assault.

use super::Days;
use super::order::Order;
use engine::{Asked, Odds, Side, View};

/// Odds of an order, as far as its side may know them.
pub fn odds(_view: &View<'_, Days>, _asked: &Asked<Days>, _side: Side, _order: &Order) -> Option<Odds> {
    None
}
