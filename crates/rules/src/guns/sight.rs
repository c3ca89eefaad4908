//! skeleton: owner = command. Line of sight (R19).

use super::field::Field;
use engine::{FeatureId, UnitId};
use table::{Quad, Vec2};

/// Whether one of these rectangles, or a point, sees any part of a unit. `for_fire`: close- and loose-order bodies in
/// between block, but for the two units themselves.
pub fn sees_unit(_field: &Field, _eyes: &[Vec2], _viewer: Option<UnitId>, _at: UnitId, _for_fire: bool) -> bool {
    true
}

/// Whether a point sees a feature.
pub fn sees_feature(_field: &Field, _eye: Vec2, _feature: FeatureId) -> bool {
    true
}

/// Whether one element (its front edge) sees one element of the target. The hot path of fire.
pub fn element_sees(
    _field: &Field,
    _eye: &Quad,
    _viewer: UnitId,
    _target: &Quad,
    _at: UnitId,
    _for_fire: bool,
) -> bool {
    true
}
