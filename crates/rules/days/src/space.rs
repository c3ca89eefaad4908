//! skeleton: owner = move
//! Who is in the way: collisions along tracks, room to stand. A-96, C.9.

use super::field::{Few, Field};
use super::formation::Formation;
use engine::UnitId;
use table::march::Track;
use table::{Length, Pose, Vec2};

/// Somebody met on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Met {
    /// Who.
    pub unit: UnitId,
    /// How far along the way.
    pub at: Length,
}

/// The first unit for which `counts` holds that the stands of `unit`, moving straight from its pose along `towards` (a
/// unit vector) for at most `most`, would touch.
pub fn first_met(
    _field: &Field,
    _unit: UnitId,
    _towards: Vec2,
    _most: Length,
    _counts: &dyn Fn(UnitId) -> bool,
) -> Option<Met> {
    None
}

/// Units the stands of `unit` overlap along a track of legs, `counts` holding for them.
pub fn overlapped(_field: &Field, _unit: UnitId, _track: &Track, _counts: &dyn Fn(UnitId) -> bool) -> Few {
    Few::new()
}

/// Units whose stands would overlap those of `unit` standing so.
pub fn crowded(_field: &Field, _unit: UnitId, _pose: Pose, _formation: Formation) -> Few {
    Few::new()
}

/// Whether friends may move through this unit freely: skirmishers, spaced deployed batteries, staff.
pub fn is_passable(_field: &Field, _by: UnitId, _through: UnitId) -> bool {
    false
}

/// How much base edge two units standing so would share: at least 1" is contact (days.17.4.2-b).
pub fn shared_edge(_field: &Field, _a: UnitId, _b: UnitId) -> Length {
    Length::ZERO
}

/// Whether two units are in base contact: touching along at least 1".
pub fn in_contact(_field: &Field, _a: UnitId, _b: UnitId) -> bool {
    false
}
