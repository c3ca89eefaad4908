//! skeleton: owner = fire
//! What crossed whose arc, for fire in the next Shooting Phase. days.17.3-o, A-32.

use super::Days;
use engine::{Umpire, UnitId};
use table::Pose;

/// After a unit moved from one pose to another in the Movement Phase or in an impulse: every enemy that has neither moved
/// nor changed formation remembers it if it crossed its arc in range and sight.
pub fn record(_umpire: &mut Umpire<'_, Days>, _unit: UnitId, _from: Pose) {}

/// After the Shooting Phase the old ones are forgotten.
pub fn forget(_umpire: &mut Umpire<'_, Days>) {}
