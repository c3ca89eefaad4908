//! skeleton: owner = muster. Setting up, sealed for both sides: units, generals, observers, hidden units, opening orders (D1 Setup, orders-a, ours.setup-a); abilities diced for.

use super::Guns;
use super::order::Order;
use super::sequence::Given;
use engine::{Flow, Side, Umpire, Verdict, View};

/// Turns the page.
pub fn advance(_umpire: &mut Umpire<'_, Guns>, _deployed: bool) -> Flow<Guns> {
    Flow::Done
}

/// Judges a deployment.
pub fn check(_view: &View<'_, Guns>, _side: Side, _order: &Order) -> Verdict {
    Verdict::fine()
}

/// Carries both out, then begins the first bound: `Phase::Bound { next: 0 }`, `Deed::TurnBegan { turn: 1 }`.
pub fn execute(_umpire: &mut Umpire<'_, Guns>, _given: Given) {}
