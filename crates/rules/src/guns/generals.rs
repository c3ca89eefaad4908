//! skeleton: owner = command. Generals: riding along, risk of injury at P7.3 (R70), successors at P10.3 (R47), attaching.

use super::Guns;
use engine::{Umpire, UnitId};

/// P7.3: every general at risk rolls (R70).
pub fn risk(_umpire: &mut Umpire<'_, Guns>) {}

/// P10.3: successors of generals disabled in the bound before take over (R47).
pub fn succeed(_umpire: &mut Umpire<'_, Guns>) {}

/// Attached generals go along with a unit that moved or changed place; call it after every move of a unit.
pub fn follow(_umpire: &mut Umpire<'_, Guns>, _unit: UnitId) {}
