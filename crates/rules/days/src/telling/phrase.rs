//! skeleton: owner = words
//! Orders in words, as they can be typed again.

use crate::field::Field;
use crate::order::Order;

/// An order in words.
pub fn phrase(_field: &Field, order: &Order) -> String {
    format!("{order:?}")
}
