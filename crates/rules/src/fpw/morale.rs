//! skeleton: owner = fire helper
use super::Fpw;
use super::clause::Clause;
use engine::{Side, Umpire, UnitId};
use table::Length;
/// Compulsory withdrawals of a side that goes on withdrawing (R60).
pub fn upkeep(_umpire: &mut Umpire<'_, Fpw>, _side: Side) {}
/// Throws one die for each marker, moves the unit straight back, removes it if it routs, confuses whom it passes through.
/// Returns how far it went, or nothing where it is gone.
pub fn withdraw(_umpire: &mut Umpire<'_, Fpw>, _unit: UnitId, _dice: u8, _clause: Clause) -> Option<Length> {
    None
}
/// Moves a unit straight back by compulsion, facing kept, through friends until clear (R59, R62). Whether it is still there.
pub fn step_back(_umpire: &mut Umpire<'_, Fpw>, _unit: UnitId, _by: Length, _clause: Clause) -> bool {
    true
}
