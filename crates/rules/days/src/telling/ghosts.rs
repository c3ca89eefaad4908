//! skeleton: owner = table
//! Where pieces would stand if an order were carried out.

use crate::Days;
use crate::order::Order;
use engine::scene::Ghost;
use engine::{Asked, Side, View};

/// Ghosts of an order.
pub fn ghosts(_view: &View<'_, Days>, _asked: &Asked<Days>, _side: Side, _order: &Order) -> Vec<Ghost> {
    Vec::new()
}
