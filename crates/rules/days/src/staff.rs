//! skeleton: owner = staff
//! Generals: command, attaching, wounds, capture, replacement. Section 14, A-14, A-16, A-68 to A-72, C-11.

use super::Days;
use super::field::Field;
use super::order::Order;
use super::sequence::Given;
use super::unit::Quality;
use engine::{CommanderId, Flow, Side, Umpire, UnitId, Verdict, View};
use serde::{Deserialize, Serialize};

/// Who has been asked for successors.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Replacing {}

/// 1.2: asks each side that can replace somebody, whoever has the initiative first.
pub fn advance(_umpire: &mut Umpire<'_, Days>, _replacing: Replacing) -> Flow<Days> {
    Flow::Done
}

/// Judges replacements.
pub fn check_replace(_view: &View<'_, Days>, _side: Side, _lost: &[CommanderId], _order: &Order) -> Verdict {
    Verdict::default()
}

/// Rolls for successors.
pub fn execute_replace(_umpire: &mut Umpire<'_, Days>, _lost: &[CommanderId], _given: Given) {}

/// At the start of each step: wounded generals whose time is up resume command (they are put beside the nearest unit of
/// their command); unhorsed ones get a horse after a Movement Phase.
pub fn recover(_umpire: &mut Umpire<'_, Days>) {}

/// Whether a unit is in command.
pub fn in_command(_field: &Field, _unit: UnitId) -> bool {
    true
}

/// Whether a general may help this unit at all: of its chain, serving its arm, fit, within 16" or with it, not attached
/// to another.
pub fn may_help(_field: &Field, _general: CommanderId, _unit: UnitId) -> bool {
    false
}

/// The fit general attached to a unit who counts most in a test or a fight; routing ones do not count.
pub fn with(_field: &Field, _unit: UnitId) -> Option<(CommanderId, Quality)> {
    None
}

/// After a unit moved: generals and engineers with it come along.
pub fn follow(_umpire: &mut Umpire<'_, Days>, _unit: UnitId) {}

/// Rolls for generals and engineers with a unit that lost stands to fire (once a phase) or fought (always).
pub fn risk(_umpire: &mut Umpire<'_, Days>, _unit: UnitId, _by: Side) {}

/// A hit on a general who is on his own: the wound table.
pub fn wound(_umpire: &mut Umpire<'_, Days>, _general: CommanderId, _by: Side) {}

/// A hit on an engineer party on its own.
pub fn hit_party(_umpire: &mut Umpire<'_, Days>, _party: UnitId, _by: Side) {}

/// After enemies came into contact with staff on their own: captured; engineers and pioneers removed.
pub fn overrun(_umpire: &mut Umpire<'_, Days>, _by: UnitId) {}

/// After a unit began to rout or stopped: those with it do the same (days.17.3.5-h).
pub fn rout_with(_umpire: &mut Umpire<'_, Days>, _unit: UnitId, _routing: bool) {}

/// Judges `Ride`, `Join`, `Attach`.
pub fn check(_view: &View<'_, Days>, _side: Side, _order: &Order) -> Verdict {
    Verdict::default()
}

/// Carries `Ride`, `Join`, `Attach` out.
pub fn execute(_umpire: &mut Umpire<'_, Days>, _side: Side, _order: &Order) {}
