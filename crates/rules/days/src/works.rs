//! skeleton: owner = staff
//! Engineers at work, fords looked for, woods found out, barricades. Sections 11, 15.4, 15.5, 15.8-b, 17.5.6, A-77, A-82 to A-84.

use super::Days;
use super::order::Order;
use engine::{Side, Umpire, UnitId, Verdict, View};

/// Judges `Work` and `SearchFord`.
pub fn check(_view: &View<'_, Days>, _side: Side, _order: &Order) -> Verdict {
    Verdict::default()
}

/// Carries them out: work is entered; it is counted at the end of the Movement Phase.
pub fn execute(_umpire: &mut Umpire<'_, Days>, _side: Side, _order: &Order) {}

/// 4.13: counts a phase for everybody at work who did nothing else, and finishes what is done.
pub fn count_phases(_umpire: &mut Umpire<'_, Days>) {}

/// After a move: woods nobody knew within 2" are diced for by the moving side.
pub fn find_woods(_umpire: &mut Umpire<'_, Days>, _unit: UnitId) {}
