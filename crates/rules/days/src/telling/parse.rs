//! skeleton: owner = words
//! Typed orders.

use crate::Days;
use crate::order::Order;
use engine::{Asked, Side, View};

/// A typed order; an error says what was expected.
pub fn parse(_view: &View<'_, Days>, _asked: &Asked<Days>, _side: Side, words: &str) -> Result<Order, String> {
    match words.trim() {
        "pass" | "nothing" | "none" | "done" => Ok(Order::Pass),
        _ => Err("expected `pass`".to_owned()),
    }
}
