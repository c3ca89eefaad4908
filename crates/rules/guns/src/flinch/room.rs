//! Whether there is room for a unit somewhere.

use super::super::field::{self, Field, Ground};
use super::super::formation::Formation;
use engine::UnitId;
use table::terrain::TerrainKind;
use table::{Pose, quads_overlap};

/// Whether a unit can never stand on a kind of ground, roads left aside (terrain-b to -f).
pub fn is_barred(field: &Field, unit: UnitId, kind: TerrainKind) -> bool {
    let foot = field::is_foot(field, unit);
    match field::ground(kind) {
        Ground::Impassable => true,
        Ground::Woods | Ground::BuiltUp => !foot,
        Ground::Rough => field::facts(field, unit).is_battery(),
        Ground::Open | Ground::Stream | Ground::Obstacle => false,
    }
}

/// Whether a unit would have room: on the table, on ground it can stand on, on nobody but those named.
pub fn has_room(field: &Field, unit: UnitId, pose: Pose, formation: Formation, but: &[UnitId]) -> bool {
    let elements = field::elements_at(field, unit, pose, formation);
    let around = field::facts(field, unit).footprint(formation, field::count(field, unit)).quad(pose);
    if elements.iter().any(|quad| !field.ground().holds(quad)) {
        return false;
    }
    let barred = field.ground().features.iter().any(|feature| {
        is_barred(field, unit, feature.kind) && elements.iter().any(|quad| feature.shape.overlaps_quad(quad))
    });
    let crowded = || {
        field.units().any(|(id, other)| {
            id != unit
                && other.is_present()
                && !but.contains(&id)
                && quads_overlap(&around, other.quad())
                && field::elements(field, id).iter().any(|theirs| elements.iter().any(|own| quads_overlap(own, theirs)))
        })
    };
    !barred && !crowded()
}
