//! skeleton: owner = movement. A battery's cycle (R63): which runs of steps its class allows, what happens before and after fire.

use super::Guns;
use super::field::Field;
use super::order::Step;
use engine::{Umpire, UnitId, Verdict};

/// Whether a run of steps is legal for a battery as it is.
pub fn check(_field: &Field, _battery: UnitId, _steps: &[Step], _verdict: &mut Verdict) {}

/// P6.3: steps plotted to follow fire.
pub fn after_fire(_umpire: &mut Umpire<'_, Guns>) {}
