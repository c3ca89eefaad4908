//! skeleton: owner = table
//! Gestures that answer each question.

use super::Offer;
use crate::Days;
use crate::order::Order;
use engine::scene::Gesture;
use engine::{Asked, Side, View};

/// Ways to answer.
pub fn gestures(view: &View<'_, Days>, asked: &Asked<Days>, side: Side) -> Vec<Gesture> {
    let mut offer = Offer::new(view, asked, side);
    offer.button("Nothing", Some('n'), &Order::Pass);
    offer.into_gestures()
}
