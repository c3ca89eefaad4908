//! Round shot goes on behind its first target. Section 17.3.7 of `empire`, C-09, A-38, A-109.

use super::aim::Bearing;
use super::weapon::Quarry;
use crate::charts::{Band, Gun, reach};
use crate::field::{self, Field, is_hidden, measured};
use crate::ground;
use crate::sight::{HIGH, hides};
use engine::UnitId;
use table::terrain::TerrainKind;
use table::{Length, Quad, SLACK, Vec2, convex};

/// Why a ball does not go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spent {
    /// This book, this gun or this band knows no bounce.
    NoBounce,
    /// Uphill, or down from a High Hill.
    Slope,
}

/// Somebody in the way of a ball.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Struck {
    /// Who.
    pub quarry: Quarry,
    /// How far from the gun.
    pub at: Length,
}

/// Whether shot from here goes on behind a target there, and how far.
pub fn reach_of(field: &Field, gun: &Gun, band: Band, from: &Bearing) -> Result<Length, Spent> {
    let bound = reach(gun.bound_in(band));
    if !field.charts().switch.bounding_shot.value || bound == Length::ZERO {
        return Err(Spent::NoBounce);
    }
    let (low, high) = (ground::level(field, from.eye), ground::level(field, from.aim));
    if high > low || (low >= HIGH && high == 0) {
        return Err(Spent::Slope);
    }
    Ok(bound)
}

/// Everybody a ball meets behind its first target, friend or foe, the nearest first; and whether something stopped it.
pub fn follow(
    field: &Field,
    gun: &Gun,
    by: UnitId,
    from: &Bearing,
    first: UnitId,
    bound: Length,
) -> (Vec<Struck>, bool) {
    let way = from.aim - from.eye;
    let along = way.normalised();
    let Some(stand) = field::stands(field, by).get(usize::from(from.stand)).copied() else {
        return (Vec::new(), false);
    };
    let (left, right) = stand.front_edge();
    let free = free_way(field, from.aim, along, bound);
    let on = along * free;
    let strip = [left + way, right + way, right + way + on, left + way + on];
    let edge = [left, right];
    let apart = |quad: &Quad| measured(Length::from_um(convex::gap(&edge, quad.points())));
    let met = |stands: &[Quad]| stands.iter().filter(|quad| convex::overlaps(&strip, quad.points())).map(apart).min();
    let mut struck = Vec::new();
    for (id, unit) in field.units() {
        let out = !unit.is_present() || is_hidden(unit) || id == by || id == first;
        if out || !unit.quad().bounds().meets(&table::Bounds::around(&strip)) {
            continue;
        }
        let with_others = unit.own.attached.is_some();
        struck.extend(
            met(field::stands(field, id)).filter(|_| !with_others).map(|at| Struck { quarry: Quarry::Unit(id), at }),
        );
    }
    for (id, one) in field.commanders().filter(|(_, one)| one.is_present() && one.own.attached.is_none()) {
        struck.extend(met(&[*one.quad()]).map(|at| Struck { quarry: Quarry::General(id), at }));
    }
    struck.retain(|one| one.at <= gun.range());
    struck.sort_by_key(|one| (one.at, one.quarry));
    (struck, free + SLACK.as_f64() < bound.as_f64())
}

/// How far the ball goes before a hill, a wood, houses or an obstacle stop it.
fn free_way(field: &Field, from: Vec2, along: Vec2, bound: Length) -> f64 {
    use TerrainKind as T;
    let to = from + along * bound.as_f64();
    let obstacle = |kind| matches!(kind, T::Hedge | T::Fence | T::Wall | T::Abatis | T::Earthwork | T::Redoubt);
    let mut free: f64 = 1.0;
    for feature in &field.ground().features {
        let hill = feature.level > 0 && !feature.shape.is_line() && !feature.shape.contains(from);
        if hill || hides(feature.kind) || obstacle(feature.kind) {
            let enter = feature.shape.clip((from, to)).iter().map(|(enter, _)| *enter).fold(1.0, f64::min);
            free = free.min(enter);
        }
    }
    for barrier in &field.ledger().barriers {
        let crossed = convex::clip((from, to), &[barrier.from.vec(), barrier.to.vec()]);
        free = free.min(crossed.map_or(1.0, |(enter, _)| enter));
    }
    free * bound.as_f64()
}

/// Hits on a melee: how many fall on the firer's friends.
pub fn on_friends(hits: u8) -> u8 {
    hits.div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_hit_on_a_melee_falls_on_the_friend() {
        assert_eq!([0, 1, 2, 3, 4, 5].map(on_friends), [0, 1, 1, 2, 2, 3]);
    }
}
