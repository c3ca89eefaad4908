//! skeleton: owner = morale
//! The five morale tests: scores, dice, results. Sections 17.2, fac, C-15 to C-17, A-11 to A-20.

use super::Days;
use super::event::Test;
use super::field::Field;
use super::unit::OrderState;
use engine::{CommanderId, Reckoning, Umpire, UnitId};

/// What a test is about, beyond the unit's own state.
#[derive(Clone, Debug, Default)]
pub struct Occasion {
    /// The charger's target, or the charger.
    pub against: Option<UnitId>,
    /// The general who tries to rally it.
    pub helped_by: Option<CommanderId>,
    /// Struck by a break-through.
    pub break_through: bool,
}

/// How a test went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tested {
    /// Passed.
    pub passed: bool,
    /// Score less roll.
    pub margin: i32,
}

/// The score to beat, line by line.
pub fn score(_field: &Field, _unit: UnitId, _test: Test, _occasion: &Occasion) -> Reckoning {
    Reckoning::default()
}

/// Rolls and announces; applies nothing.
pub fn roll(_umpire: &mut Umpire<'_, Days>, _unit: UnitId, _test: Test, _occasion: &Occasion) -> Tested {
    Tested { passed: true, margin: -1 }
}

/// Being Charged: rolls and applies what a failure does (shaken or rout). True if it passed.
pub fn being_charged(_umpire: &mut Umpire<'_, Days>, _unit: UnitId, _occasion: &Occasion) -> bool {
    true
}

/// Casualties: rolls and applies what a failure does.
pub fn casualties(_umpire: &mut Umpire<'_, Days>, _unit: UnitId) {}

/// A unit falls to a rung if it stands higher: never improves.
pub fn worsen(_umpire: &mut Umpire<'_, Days>, _unit: UnitId, _to: OrderState, _clause: super::clause::Clause) {}
