//! Blast areas: blocks laid on the table, joined by full faces, and who lies under them (blast-a to -e, R68).

use super::field::{Field, distance, facts, troops};
use super::nearby::Nearby;
use super::unit::{GunClass, Observer};
use super::zone;
use engine::{Side, UnitId};
use table::{Angle, Bounds, Footprint, Length, Point, Pose, Quad, SLACK, Vec2, quads_overlap};

/// One block of a battery: length along the line of fire, width across it.
fn block(field: &Field, battery: UnitId) -> Footprint {
    let indirect = &field.charts().indirect;
    let class = facts(field, battery).class.unwrap_or(GunClass::Field);
    Footprint { width: distance(field, &indirect.width), depth: distance(field, indirect.length(class)) }
}

/// The rectangles of a battery's blocks for a marker and a pattern.
pub fn blocks(field: &Field, battery: UnitId, point: Point, pattern: &[(i8, i8)]) -> Vec<Quad> {
    let block = block(field, battery);
    let gun = field.unit(battery).pose();
    let sight = point.vec() - gun.at.vec();
    let bearing = if sight.length() > SLACK.as_f64() { Angle::of(sight) } else { gun.facing };
    let marker = Pose::new(point, bearing);
    let lay = |&(column, row): &(i8, i8)| {
        // The flag of a block is the middle of its far edge.
        let across = block.width.as_f64() * f64::from(column);
        let along = block.depth.as_f64() * (f64::from(row) + 0.5);
        block.quad(Pose::new(Point::from_vec(marker.to_world(Vec2 { x: across, y: along })), bearing))
    };
    pattern.iter().map(lay).collect()
}

/// The pattern the house lays where the player gives none: side by side over the target, one block for each gun.
pub fn usual_pattern(field: &Field, battery: UnitId) -> Vec<(i8, i8)> {
    let guns = i8::try_from(troops(field, battery).guns).unwrap_or(i8::MAX);
    // From the middle outward: 0, 1, -1, 2, -2…
    (0..guns).map(|n| if n % 2 == 1 { (n / 2 + 1, 0) } else { (-(n / 2), 0) }).collect()
}

/// Whether a pattern hangs together by full faces from the marker's block outward (blast-e).
pub fn is_joined(pattern: &[(i8, i8)]) -> bool {
    let mut joined: Vec<(i8, i8)> = pattern.iter().copied().filter(|block| *block == (0, 0)).take(1).collect();
    let mut next = 0;
    while let Some(&(column, row)) = joined.get(next) {
        next += 1;
        let touches = |other: &(i8, i8)| column.abs_diff(other.0) + row.abs_diff(other.1) == 1;
        let more: Vec<(i8, i8)> =
            pattern.iter().copied().filter(|other| touches(other) && !joined.contains(other)).collect();
        joined.extend(more);
    }
    joined.len() == pattern.len()
}

/// Whether a block lies wholly within a battery's extreme range.
pub fn in_reach(field: &Field, battery: UnitId, block: &Quad) -> bool {
    let (gun, reach) = (field.unit(battery).pose().at.vec(), facts(field, battery).weapon.extreme + SLACK);
    block.corners.iter().all(|corner| Length::from_um(corner.distance(gun)) <= reach)
}

/// Everybody on the table in the order of places, for asking who is under a blast.
pub struct Everybody([Nearby; 2]);

impl Everybody {
    /// Both sides, hidden troops too: shells find them all the same.
    pub fn of(field: &Field) -> Everybody {
        Everybody([Side::A, Side::B].map(|side| {
            Nearby::of(field.present(side).map(|(id, unit)| {
                let held = zone::garrison(field, id).map(|(_, quad)| quad);
                (id, held.unwrap_or(*unit.quad()))
            }))
        }))
    }

    /// Units of either side under an area, each with the number of blocks on it, in roster order.
    pub fn under(&self, field: &Field, area: &[Quad]) -> Vec<(UnitId, u8)> {
        let corners: Vec<Vec2> = area.iter().flat_map(|block| block.corners).collect();
        let around = Bounds::around(&corners);
        let near = self.0.iter().flat_map(|side| side.in_box(around)).map(|(id, _)| id);
        let mut found: Vec<(UnitId, u8)> =
            near.filter_map(|id| hits(field, id, area).map(|count| (id, count))).collect();
        found.sort_unstable_by_key(|(id, _)| (field.side_of(*id), *id));
        found
    }
}

fn hits(field: &Field, unit: UnitId, area: &[Quad]) -> Option<u8> {
    let body = zone::body(field, unit);
    let count = area.iter().filter(|block| body.iter().any(|element| quads_overlap(element, block))).count();
    u8::try_from(count).ok().filter(|count| *count > 0)
}

/// Whether any battery's observer stands under an area; no shell hurts him.
pub fn falls_on_observer(field: &Field, area: &[Quad]) -> bool {
    let here = |point: Point| area.iter().any(|block| table::shape::convex::contains(block.points(), point.vec()));
    field.units().any(|(_, unit)| matches!(unit.own.observer, Some(Observer::At(point)) if here(point)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_join_by_their_faces_only() {
        assert!(is_joined(&[(0, 0)]));
        assert!(is_joined(&[(0, 0), (1, 0), (1, 1), (2, 1), (-1, 0), (0, -1)]));
        assert!(!is_joined(&[(0, 0), (1, 1)]), "corners do not join");
        assert!(!is_joined(&[(0, 0), (2, 0)]));
        assert!(!is_joined(&[(1, 0), (2, 0)]), "the marker's block is one of them");
        assert!(!is_joined(&[(0, 0), (0, 0)]), "no block lies on another");
    }
}
