//! skeleton: owner = fire helper
use super::Fpw;
use super::event::MarkCause;
use engine::{Umpire, UnitId};
/// Close-combat hits: degradation, spread evenly, touching stands first (R77). Removes cavalry with D > S (R61).
pub fn degrade(_umpire: &mut Umpire<'_, Fpw>, _unit: UnitId, _hits: u8, _touching: &[u8]) {}
/// One more marker with its surplus die where due: disruption, or degradation for cavalry (R81).
pub fn one_more(_umpire: &mut Umpire<'_, Fpw>, _unit: UnitId, _cause: MarkCause) {}
/// Takes up to `count` disruption markers off (R55); returns how many.
pub fn take_off(_umpire: &mut Umpire<'_, Fpw>, _unit: UnitId, _count: u8, _cause: MarkCause) -> u8 {
    0
}
