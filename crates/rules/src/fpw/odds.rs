//! Exact odds from the very resolvers the umpire uses, one chapter each.

use super::Fpw;
use super::odds_command;
use super::order::{Decision, Order};
use engine::{Asked, Odds, Side, View};

/// Odds of an order, as far as its side may know them.
pub fn odds(view: &View<'_, Fpw>, asked: &Asked<Fpw>, _side: Side, order: &Order) -> Option<Odds> {
    match (&asked.decision, order) {
        (Decision::Command { .. }, Order::Command { general, what, units }) => {
            odds_command::obedience(view, *general, *what, units)
        }
        (Decision::Command { .. }, Order::Raise { general, who }) => Some(odds_command::raising(view, *general, *who)),
        _ => None,
    }
}
