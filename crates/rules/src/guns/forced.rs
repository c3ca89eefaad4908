//! skeleton: owner = command. P3: continuing retirements, second falling back, evacuations, dispersal (R38, R40, R69, R82).

use super::Guns;
use engine::Umpire;

/// Carries out all forced moves of the step.
pub fn carry_out(_umpire: &mut Umpire<'_, Guns>) {}
