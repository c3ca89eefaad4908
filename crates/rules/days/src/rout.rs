//! skeleton: owner = morale
//! Routing, bursting through, pursuing, evading, being pushed back. Sections 17.4.14 to 17.4.16, C.9, A-55 to.

use super::Days;
use super::clause::Clause;
use super::field::Field;
use engine::{Umpire, UnitId};
use table::{Length, Point, Vec2};

/// A unit begins to rout: state, layout, the first half of its rout away from whoever caused it; its generals run too;
/// deployed guns are destroyed; its charge ends.
pub fn begin(_umpire: &mut Umpire<'_, Days>, _unit: UnitId, _from: Option<UnitId>, _clause: Clause) {}

/// 4.3: rest of this turn's rout of all who run, then pursuers who did not rally.
pub fn all(_umpire: &mut Umpire<'_, Days>) {}

/// A unit evades from a charger: up to half its normal move straight away, or to a place.
pub fn evade(_umpire: &mut Umpire<'_, Days>, _unit: UnitId, _from: UnitId, _to: Option<Point>) {}

/// Whether an evader may go to a place: cover, behind friendly infantry, into a square; near enough, not nearer to the
/// charger.
pub fn may_evade_to(_field: &Field, _unit: UnitId, _from: UnitId, _to: Point) -> engine::Verdict {
    engine::Verdict::default()
}

/// A beaten unit goes back facing its enemy.
pub fn push_back(_umpire: &mut Umpire<'_, Days>, _unit: UnitId, _from: UnitId, _by: Length) {}

/// A victor goes straight on, stopping at new enemies; returns whom it struck and what was left.
pub fn go_on(_umpire: &mut Umpire<'_, Days>, _unit: UnitId, _towards: Vec2, _by: Length) -> Option<(UnitId, Length)> {
    None
}
