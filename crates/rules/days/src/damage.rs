//! skeleton: owner = assault
//! Losses: stands, guns, crews and horses; shattered units. Sections 17.3.5, 17.5.8, C-10, A-108.

use super::Days;
use super::event::Cause;
use engine::event::Leaving;
use engine::{Side, Umpire, UnitId};

/// Takes stands off a unit (never a battery), keeping its command stand where it is; shatters it if too few are left.
/// Parts lose from themselves. Announces `ShotDown` for fire. Returns how many it lost.
pub fn lose_stands(
    _umpire: &mut Umpire<'_, Days>,
    _unit: UnitId,
    _stands: u8,
    _cause: Cause,
    _by: Option<UnitId>,
) -> u8 {
    0
}

/// Rolls hits on a battery on the damage table, gun by gun, the nearest to the firer first.
pub fn hit_battery(
    _umpire: &mut Umpire<'_, Days>,
    _battery: UnitId,
    _hits: u8,
    _by: UnitId,
    _small_arms: bool,
    _cause: Cause,
) {
}

/// Takes crew off a battery without a table (C-20).
pub fn lose_crew(_umpire: &mut Umpire<'_, Days>, _battery: UnitId, _crew: u8) {}

/// Takes a unit off the table for good, its parts with it; generals with it are set free.
pub fn remove(_umpire: &mut Umpire<'_, Days>, _unit: UnitId, _why: Leaving) {}

/// Whoever throws dice against a unit.
pub fn enemy_of(umpire: &Umpire<'_, Days>, unit: UnitId) -> Side {
    umpire.state().side_of(unit).other()
}
