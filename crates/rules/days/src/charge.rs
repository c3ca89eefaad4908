//! skeleton: owner = charge
//! Charges: declared, of opportunity, by squadrons, against charges; both impulses, feints, charging home. Sections 17.2.2 to 17.2.7, 17.4.2, 17.4.10 to 17.4.13, C.8, D.2, A-03 to.

use super::Days;
use super::field::Field;
use super::order::{Charger, Declaration, Order};
use super::sequence::Given;
use super::unit::ChargeKind;
use engine::{Flow, Side, Umpire, UnitId, Verdict, View};
use serde::{Deserialize, Serialize};

/// One side's charges.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Charging {
    /// Who charges.
    pub side: Side,
    /// How.
    pub kind: ChargeKind,
    /// Whether it has been asked.
    pub asked: bool,
    /// Declared and not tried yet, in their order.
    pub queue: Vec<Declaration>,
}

impl Charging {
    /// A side's charges.
    pub fn of(side: Side, kind: ChargeKind) -> Charging {
        Charging { side, kind, asked: false, queue: Vec::new() }
    }
}

/// Who has been asked for feints.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Feinting {}

/// Asks, then tries one declaration after another.
pub fn advance(_umpire: &mut Umpire<'_, Days>, _charging: Charging) -> Flow<Days> {
    Flow::Done
}

/// Judges declarations: who may charge whom, and by which way.
pub fn check(_view: &View<'_, Days>, _side: Side, _kind: ChargeKind, _order: &Order) -> Verdict {
    Verdict::default()
}

/// Takes declarations down.
pub fn execute(_umpire: &mut Umpire<'_, Days>, _kind: ChargeKind, _given: Given) {}

/// Whether this charge could be declared: the verdict for one unit alone.
pub fn judge(_field: &Field, _kind: ChargeKind, _charger: &Charger, _at: UnitId) -> Verdict {
    Verdict::default()
}

/// A straight charge at a target, or one with a wheel that brings it there, if there is one.
pub fn suggest(_field: &Field, _kind: ChargeKind, _unit: UnitId, _at: UnitId) -> Option<Charger> {
    None
}

/// Asks each side with chargers that may still feint.
pub fn advance_feints(_umpire: &mut Umpire<'_, Days>, _feinting: Feinting) -> Flow<Days> {
    Flow::Done
}

/// Judges feints.
pub fn check_feint(_view: &View<'_, Days>, _among: &[UnitId], _order: &Order) -> Verdict {
    Verdict::default()
}

/// Breaks charges off.
pub fn execute_feint(_umpire: &mut Umpire<'_, Days>, _among: &[UnitId], _given: Given) {}

/// 4.5: the rest of the way, to 1" from the target.
pub fn second_impulse(_umpire: &mut Umpire<'_, Days>) {}

/// 4.12: charging home.
pub fn home(_umpire: &mut Umpire<'_, Days>) {}

/// A charge ends: announces it, and the test for losses it put off.
pub fn end(_umpire: &mut Umpire<'_, Days>, _unit: UnitId, _why: super::event::ChargeEnd) {}
