//! skeleton: owner = movement. Simultaneous movement by quarter bounds and slices, with every halt explained (D3). Must look at few neighbours only: see `nearby`.

use super::Guns;
use engine::Umpire;

/// Moves chargers up to their flinch points (P4.4).
pub fn charges(_umpire: &mut Umpire<'_, Guns>) {}

/// Moves everybody else (P5).
pub fn others(_umpire: &mut Umpire<'_, Guns>) {}
