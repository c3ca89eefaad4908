//! skeleton: owner = charge
//! 4.1, 4.2, 4.7, 4.9: those who are charged are tested, and react. Sections 17.2.2-h, 17.4.16, C-17, A-02, A-57, A-118, A-126.

use super::Days;
use super::order::Order;
use super::sequence::Given;
use super::unit::ChargeKind;
use engine::{Flow, Side, Umpire, UnitId, Verdict, View};
use serde::{Deserialize, Serialize};

/// One side's units under charge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Charged {
    /// Whose units are tested.
    pub side: Side,
    /// Under which charges.
    pub kind: ChargeKind,
    /// Tested already.
    pub done: Vec<UnitId>,
}

impl Charged {
    /// A side's units under charges of a kind.
    pub fn of(side: Side, kind: ChargeKind) -> Charged {
        Charged { side, kind, done: Vec::new() }
    }
}

/// Tests unit after unit, and asks whoever passed and has a choice.
pub fn advance(_umpire: &mut Umpire<'_, Days>, _charged: Charged) -> Flow<Days> {
    Flow::Done
}

/// Judges a reaction.
pub fn check(_view: &View<'_, Days>, _unit: UnitId, _by: &[UnitId], _order: &Order) -> Verdict {
    Verdict::default()
}

/// Reacts.
pub fn execute(_umpire: &mut Umpire<'_, Days>, _unit: UnitId, _by: &[UnitId], _given: Given) {}
