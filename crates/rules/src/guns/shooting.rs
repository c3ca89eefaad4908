//! skeleton: owner = fire. One calculation for fire and close combat (method-a to -g, R07-R13): table with its extension, factor groups in list order, die, truncation; the reckoning; damage and who takes it.

use super::Guns;
use super::charts::Charts;
use super::clause::Clause;
use super::event::{Cause, Manner};
use super::field::Field;
use engine::{Reckoning, Umpire, UnitId};
use smallvec::SmallVec;
use table::Length;

/// Figures and truths of one calculation, in the order of the list; what is true is decided by the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Calculation {
    pub status: u8,
    pub counted: u8,
    /// Group A lines that are true.
    pub halves: SmallVec<[Clause; 2]>,
    /// Group B lines that are true.
    pub adds: SmallVec<[Clause; 4]>,
    /// Group C lines that are true.
    pub doubles: SmallVec<[Clause; 1]>,
    pub disordered: bool,
}

impl Calculation {
    /// Tenths and damage for a face of the die.
    pub fn result(&self, _charts: &Charts, _face: u8) -> (i16, u8) {
        (0, 0)
    }

    /// Everything up to the die, and the die, line by line.
    pub fn reckoning(&self, _charts: &Charts, _face: u8) -> Reckoning {
        Reckoning::new()
    }
}

/// The calculation of a unit firing at another, everything as it stands now. `manner` says under which rules.
pub fn of_fire(
    _field: &Field,
    _firer: UnitId,
    _target: UnitId,
    _manner: Manner,
    _counted: u8,
    _range: Length,
) -> Calculation {
    Calculation::default()
}

/// Announces damage: to the parents of a screen, guns of a battery, the building around a garrison when shells do it;
/// removes who is finished at the end of the step ([`bury`]).
pub fn damage(_umpire: &mut Umpire<'_, Guns>, _firer: UnitId, _target: UnitId, _points: u8, _cause: Cause) {}

/// Removes every unit whose status is used up (R85); call it when a step's damage has been applied.
pub fn bury(_umpire: &mut Umpire<'_, Guns>) {}
