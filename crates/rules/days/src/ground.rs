//! skeleton: owner = move
//! What the ground is and does: woods, houses, hills, water, obstacles, roads, and what was built or burnt in the battle. Section 15, C-13.

use super::Days;
use super::field::Field;
use super::settings::Weight;
use engine::{FeatureId, Umpire, UnitId};
use table::{Quad, Vec2};

/// The level of the ground: table 0, Low Hill 1, High Hill 2.
pub fn level(field: &Field, place: Vec2) -> u8 {
    field.ground().level_at(place)
}

/// Light, heavy or not known yet; discovered woods are what they were found to be.
pub fn weight(_field: &Field, _feature: FeatureId) -> Weight {
    Weight::Light
}

/// The wood or urban area a place lies in, with its weight; burning ones too.
pub fn area_at(_field: &Field, _place: Vec2) -> Option<(FeatureId, Weight)> {
    None
}

/// Whether a feature burns.
pub fn is_burning(field: &Field, feature: FeatureId) -> bool {
    field.ledger().fires.iter().any(|fire| fire.feature == feature)
}

/// Whether any stand of the unit is in ground that disorders it: woods, houses, fords, swamps, difficult ground.
pub fn disorders(_field: &Field, _unit: UnitId) -> bool {
    false
}

/// Whether any of its stands is in a swamp.
pub fn in_swamp(_field: &Field, _unit: UnitId) -> bool {
    false
}

/// The cover a stand has from fire or assault coming from a place: woods and houses around it (not on a road through
/// them in column), obstacles within 1" in front of it across the line from that place (C.7).
pub fn stand_cover(_field: &Field, _unit: UnitId, _stand: &Quad, _from: Vec2) -> Option<Weight> {
    None
}

/// After a unit came to stand somewhere: it is disordered where the ground disorders it (days.17.2.8-b, A-98), swamped
/// in a swamp.
pub fn settle(_umpire: &mut Umpire<'_, Days>, _unit: UnitId) {}
