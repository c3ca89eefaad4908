//! The way back (R42): straight away from the enemy, bent as little as needed round enemies and ground that cannot be
//! crossed, through friends, and on until clear of everybody.

use crate::field::{Field, Ground, distance, facts, ground, is_ablaze, is_mounted, is_road, known};
use engine::{FeatureId, UnitId};
use smallvec::SmallVec;
use table::terrain::Feature;
use table::{Angle, Length, Quad, SLACK, Vec2, reach};

/// Where a unit that goes back ends.
#[derive(Clone, Debug, Default)]
pub struct Way {
    /// From where it stands to where it halts.
    pub by: Vec2,
    /// Whether it could go as far as it had to.
    pub full: bool,
    /// Friends whose ground it crosses, the nearest first.
    pub crossed: SmallVec<[UnitId; 4]>,
}

/// What asks for a way.
#[derive(Clone, Copy)]
pub struct Wish<'f> {
    /// Straight away, of length one.
    pub away: Vec2,
    /// How far at least.
    pub least: Length,
    /// How far the line may be bent to either side.
    pub bend: i32,
    /// Ground it must be out of at the end.
    pub out_of: Option<&'f Feature>,
}

/// Directions tried between straight away and the widest bend.
const BENDS: i32 = 9;
/// Thousandths of a degree in a degree.
const MILLI: i32 = 1000;

/// Straight away first, then ever wider bends, right before left.
fn directions(away: Vec2, bend: i32) -> impl Iterator<Item = Vec2> {
    let most = if bend > 0 { BENDS } else { 0 };
    let turns = (1..=most).flat_map(move |n| [bend * MILLI * n / BENDS, -bend * MILLI * n / BENDS]);
    std::iter::once(0).chain(turns).map(move |turn| away.turned(Angle::millidegrees(turn)))
}

/// The way a unit takes: the least bend that lets it go its full distance, else the one that takes it farthest.
pub fn find(field: &Field, unit: UnitId, wish: Wish<'_>) -> Way {
    let mut best = Way::default();
    for direction in directions(wish.away, wish.bend) {
        let way = along(field, unit, direction, wish);
        if way.full {
            return way;
        }
        if way.by.length_squared() > best.by.length_squared() {
            best = way;
        }
    }
    best
}

fn along(field: &Field, unit: UnitId, direction: Vec2, wish: Wish<'_>) -> Way {
    let quad = field.unit(unit).quad();
    let (width, height) = field.ground().size;
    // Beyond the far edge of the table nothing stands in the way.
    let length = wish.least + width + height;
    let limit = limit(field, unit, quad, direction, length);
    let path = direction * length.as_f64();
    let slim = slimmed(quad);
    let mut taken: SmallVec<[(f64, f64); 8]> = SmallVec::new();
    let mut friends: SmallVec<[(f64, UnitId); 8]> = SmallVec::new();
    for (id, friend) in field.present(field.side_of(unit)) {
        if id == unit || !may_meet(quad, direction, friend.quad()) {
            continue;
        }
        if let Some((enter, leave)) = table::convex::sweep(&slim.corners, path, friend.quad().points()) {
            taken.push((enter * length.as_f64(), leave * length.as_f64()));
            friends.push((enter * length.as_f64(), id));
        }
    }
    if let Some(feature) = wish.out_of {
        let inside = feature.shape.sweep(quad, path);
        taken.extend(inside.iter().map(|(enter, leave)| (enter * length.as_f64(), leave * length.as_f64())));
    }
    let (stop, full) = halt(wish.least.as_f64(), limit, &mut taken);
    friends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let crossed = friends.into_iter().filter(|(enter, _)| *enter < stop).map(|(_, id)| id).collect();
    Way { by: direction * stop, full, crossed }
}

/// Whether a rectangle could meet another ahead of it; cheap, and never wrong when it says no.
fn may_meet(quad: &Quad, direction: Vec2, other: &Quad) -> bool {
    let (off, room) = (other.centre - quad.centre, quad.radius + other.radius);
    off.cross(direction).abs() <= room && off.dot(direction) >= -room
}

/// The rectangle a hair smaller, so that neighbours whose edges touch are not in the way.
fn slimmed(quad: &Quad) -> Quad {
    let hair = SLACK.as_f64() + SLACK.as_f64();
    let pull = |corner: Vec2| corner - (corner - quad.centre).normalised() * hair;
    Quad { corners: quad.corners.map(pull), ..*quad }
}

/// Where it halts on a line: at the least distance, farther where others stand there, as far as the limit lets it; and
/// whether that is as far as it had to go. `taken`: stretches of the line where it would stand on somebody.
fn halt(least: f64, limit: f64, taken: &mut [(f64, f64)]) -> (f64, bool) {
    taken.sort_by(|a, b| a.0.total_cmp(&b.0));
    let hair = SLACK.as_f64();
    let mut stop = least;
    for (enter, leave) in taken.iter() {
        if stop + hair > *enter && stop < *leave {
            stop = *leave + hair;
        }
    }
    if stop <= limit {
        return (stop, true);
    }
    let mut stop = limit.min(least).max(0.0);
    taken.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (enter, leave) in taken.iter() {
        if stop > *enter && stop < *leave {
            stop = *enter;
        }
    }
    (stop.max(0.0), false)
}

/// How far a unit may go on a line before an enemy or ground it cannot cross stops it.
fn limit(field: &Field, unit: UnitId, quad: &Quad, direction: Vec2, length: Length) -> f64 {
    let standoff = distance(field, &field.charts().pace.standoff).as_f64();
    let mut limit = length.as_f64();
    for (_, enemy) in known(field, field.side_of(unit).other()) {
        if let Some(met) = reach(quad, direction, length, enemy.quad()) {
            limit = limit.min((met.as_f64() - standoff).max(0.0));
        }
    }
    let path = direction * length.as_f64();
    for (n, feature) in field.ground().features.iter().enumerate() {
        let id = FeatureId(n as u16);
        if is_closed(field, unit, id, feature) && !has_passage(field, quad, path, feature) {
            limit = limit.min(first_met(quad, path, feature).map_or(limit, |met| (met - SLACK.as_f64()).max(0.0)));
        }
    }
    limit
}

/// Whether a unit of this arm may not go into a feature or over it.
pub fn is_closed(field: &Field, unit: UnitId, id: FeatureId, feature: &Feature) -> bool {
    let (battery, mounted) = (facts(field, unit).is_battery(), is_mounted(field, unit));
    match ground(feature.kind) {
        Ground::Impassable => true,
        Ground::BuiltUp => battery || mounted || is_ablaze(field, id),
        Ground::Obstacle | Ground::Woods => battery || mounted,
        Ground::Rough => battery,
        Ground::Open | Ground::Stream => false,
    }
}

/// Whether the middle of a unit comes through a feature on a road, a bridge or a ford.
fn has_passage(field: &Field, quad: &Quad, path: Vec2, feature: &Feature) -> bool {
    let line = (quad.centre, quad.centre + path);
    let inside = feature.shape.clip(line);
    let on_road = |fraction: f64| {
        let place = line.0.lerp(line.1, fraction);
        field.ground().at(place).any(|(_, other)| is_road(other.kind))
    };
    !inside.is_empty() && inside.iter().all(|(enter, leave)| on_road((enter + leave) * 0.5))
}

/// How far along its path a rectangle first comes into a feature; one it stands in or on already is behind it.
fn first_met(quad: &Quad, path: Vec2, feature: &Feature) -> Option<f64> {
    let length = path.length();
    let ahead = |enter: f64| enter * length > SLACK.as_f64();
    if feature.shape.is_thin() {
        let corners = quad.corners.into_iter().chain([quad.centre]);
        let entered = corners.filter_map(|corner| feature.shape.clip((corner, corner + path)).first().map(|met| met.0));
        return entered.filter(|enter| ahead(*enter)).min_by(f64::total_cmp).map(|enter| enter * length);
    }
    let inside = feature.shape.sweep(quad, path);
    inside.iter().map(|met| met.0).find(|enter| ahead(*enter)).map(|enter| enter * length)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAR: f64 = 1e9;

    #[test]
    fn nothing_in_the_way_is_the_least_distance() {
        assert_eq!(halt(100_000.0, FAR, &mut []), (100_000.0, true));
    }

    #[test]
    fn whoever_would_stand_on_friends_goes_on_until_clear() {
        let mut taken = [(150_000.0, 180_000.0), (90_000.0, 160_000.0)];
        let (stop, full) = halt(100_000.0, FAR, &mut taken);
        assert!(full && stop > 180_000.0 && stop < 181_000.0);
    }

    #[test]
    fn whoever_stands_in_a_fire_goes_until_he_is_out_of_it() {
        let (stop, full) = halt(0.0, FAR, &mut [(0.0, 40_000.0)]);
        assert!(full && stop > 40_000.0);
    }

    #[test]
    fn a_wall_behind_stops_short_of_friends_before_it() {
        let mut taken = [(60_000.0, 95_000.0)];
        assert_eq!(halt(100_000.0, 80_000.0, &mut taken), (60_000.0, false));
        assert_eq!(halt(100_000.0, 0.0, &mut []), (0.0, false));
    }

    #[test]
    fn bends_widen_to_both_sides() {
        let tried: Vec<Vec2> = directions(Vec2::new(0.0, 1.0), 45).collect();
        assert_eq!(tried.len(), 19);
        assert!(tried[1].x > 0.0 && tried[2].x < 0.0);
        assert!((tried[17].x - tried[17].y).abs() < 1e-6);
        assert_eq!(directions(Vec2::new(0.0, 1.0), 0).count(), 1);
    }
}
