//! skeleton: owner = table
//! Lines drawn while a question stands.

use crate::Days;
use crate::order::Order;
use engine::scene::Sketch;
use engine::{Asked, Side, View};

/// Lines of an order, or of the question alone.
pub fn aims(_view: &View<'_, Days>, _asked: &Asked<Days>, _side: Side, _order: Option<&Order>) -> Vec<Sketch> {
    Vec::new()
}
