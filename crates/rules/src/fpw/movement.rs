//! skeleton: owner = lead
use super::field::Field;
use super::unit::Formation;
use engine::UnitId;
use table::march::Track;
use table::{Length, Quad};
/// Full pace of a unit: 8 or 12 inches.
pub fn full_pace(field: &Field, unit: UnitId) -> Length {
    let pace = &field.charts().pace;
    if super::field::facts(field, unit).arm.is_mounted() { pace.horse.value.0 } else { pace.foot.value.0 }
}
/// What ground leaves of a pace along a track: 1, 1/2 or 1/4 of it, by C.6.
pub fn over_ground(_field: &Field, pace: Length, _formation: Formation, _track: &Track) -> Length {
    pace
}
/// Whether a body may stand there: on the table, on no impassable ground, on nobody (friend or known enemy).
pub fn is_free(_field: &Field, _unit: UnitId, _quads: &[Quad]) -> bool {
    true
}
