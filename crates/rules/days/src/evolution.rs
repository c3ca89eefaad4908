//! skeleton: owner = move
//! Changes of formation: who may, what they cost, where they leave the command stand. Sections 12 and 17.4.7, C-14.

use super::charts::Pace;
use super::field::Field;
use super::formation::Formation;
use engine::{UnitId, Verdict};
use table::{Length, Pose};

/// The allowances of a unit in a formation (C-12).
pub fn pace(field: &Field, _unit: UnitId, _formation: Formation) -> &Pace {
    &field.charts().pace.infantry_line
}

/// What a change of formation costs; none where there is no such change. The whole move is `Length::MAX`.
pub fn cost(_field: &Field, _unit: UnitId, _to: Formation) -> Option<Length> {
    None
}

/// Whether a unit may ever stand in a formation, with all reasons against it.
pub fn may_form(_field: &Field, _unit: UnitId, _to: Formation) -> Verdict {
    Verdict::default()
}

/// Where the body is after the change: the command stand keeps its place and facing.
pub fn reformed_pose(field: &Field, unit: UnitId, _to: Formation) -> Pose {
    field.unit(unit).pose()
}
