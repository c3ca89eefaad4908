//! skeleton: owner = movement. Disorder by ground and water, on and off (A7, R37), and the alarm of reforming units (R38).

use super::Guns;
use super::clause::Clause;
use engine::{Umpire, UnitId};

/// Looks at a unit where it stands now and announces terrain and water disorder that comes or goes. `quarter`: a
/// quarter of a bound has passed, so that what is out of the water gets dryer.
pub fn settle(_umpire: &mut Umpire<'_, Guns>, _unit: UnitId, _quarter: bool) {}

/// Sets combat disorder with its clause, if the unit is not in it already.
pub fn disorder(_umpire: &mut Umpire<'_, Guns>, _unit: UnitId, _clause: Clause) {}
