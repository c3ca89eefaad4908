//! Keeps the geometry of convex polygons given as slices of points in either winding.
//!
//! A slice of two points is a segment, of one a point; an empty slice is infinitely far from everything.
//! Depths are found along separating axes: the normals of all edges, and the directions of the edges themselves where
//! a polygon has no area, because a segment has ends as well as sides.

use robust::{Coord, orient2d};

use super::SLACK_UM;
use crate::vec2::{Vec2, greater, lesser};

/// Polygons thinner than this (twice the area over the longest edge, in micrometres) count as segments.
const THIN: f64 = 1e-3;

/// Opposite edges that differ by less (in micrometres) are the same vector but for rounding.
const PARALLEL: f64 = 1e-6;

/// Boxes further apart than this (in micrometres) hold polygons that do not meet, however their sides are rounded.
const CLEARLY: f64 = 10.0;

/// The gap between two polygons; zero where they touch or overlap.
pub fn gap(a: &[Vec2], b: &[Vec2]) -> f64 {
    if !surely_apart(a, b) && meet(a, b) {
        return 0.0;
    }
    let mut least = f64::INFINITY;
    for (one, other) in [(a, b), (b, a)] {
        for (from, to) in edges(other) {
            for &point in one {
                least = lesser((nearest_on_segment(from, to, point) - point).length_squared(), least);
            }
        }
    }
    least.sqrt()
}

/// Whether two polygons lie further apart, box from box, than rounding could hide: they need no axis to be told so.
#[inline]
fn surely_apart(a: &[Vec2], b: &[Vec2]) -> bool {
    super::Bounds::around(a).gap_squared(&super::Bounds::around(b)) > CLEARLY * CLEARLY
}

/// How deep two polygons overlap: the least shift that would part them, or at most zero where they are apart.
pub fn penetration(a: &[Vec2], b: &[Vec2]) -> f64 {
    deepest_axis(a, b).depth
}

/// Whether two polygons overlap deeper than [`SLACK`](crate::SLACK).
pub fn overlaps(a: &[Vec2], b: &[Vec2]) -> bool {
    let parts = |axis: Vec2| {
        let (low_a, high_a) = project(a, axis);
        let (low_b, high_b) = project(b, axis);
        lesser(high_a - low_b, high_b - low_a) <= SLACK_UM
    };
    // What does not even meet box to box is parted along some axis as well.
    let near = || super::Bounds::around(a).meets(&super::Bounds::around(b));
    !a.is_empty() && !b.is_empty() && near() && !any_axis(a, b, parts)
}

/// Whether the gap is at most [`SLACK`](crate::SLACK).
pub fn touches(a: &[Vec2], b: &[Vec2]) -> bool {
    gap(a, b) <= SLACK_UM
}

/// Whether a place lies in the polygon, its border included.
pub fn contains(a: &[Vec2], p: Vec2) -> bool {
    // Beyond the end of a segment nothing is left or right, so the box has to answer; and it is asked quickly.
    if a.is_empty() || !super::Bounds::around(a).contains(p) {
        return false;
    }
    let (mut left, mut right) = (false, false);
    for (from, to) in edges(a) {
        let side = orientation(from, to, p);
        left |= side > 0.0;
        right |= side < 0.0;
        if left && right {
            return false;
        }
    }
    true
}

/// The distance from a place to the polygon; zero inside.
pub fn distance(a: &[Vec2], p: Vec2) -> f64 {
    if contains(a, p) { 0.0 } else { border_distance(a, p) }
}

/// The distance from a place to the nearest edge, from inside or outside.
pub(crate) fn border_distance(a: &[Vec2], p: Vec2) -> f64 {
    let squared = |(from, to): (Vec2, Vec2)| (p - nearest_on_segment(from, to, p)).length_squared();
    edges(a).map(squared).fold(f64::INFINITY, lesser).sqrt()
}

/// The two nearest places, one of each polygon; where they overlap, one place they share.
///
/// An empty slice has no place, so the origin stands in for it.
pub fn nearest_points(a: &[Vec2], b: &[Vec2]) -> (Vec2, Vec2) {
    let (Some(&first_a), Some(&first_b)) = (a.first(), b.first()) else {
        return (a.first().copied().unwrap_or_default(), b.first().copied().unwrap_or_default());
    };
    if meet(a, b)
        && let Some(shared) = shared_place(a, b)
    {
        return (shared, shared);
    }
    nearest_ends(a, b, (first_a, first_b))
}

/// The same for polygons that are known to lie apart.
pub fn nearest_points_apart(a: &[Vec2], b: &[Vec2]) -> (Vec2, Vec2) {
    let first = (a.first().copied().unwrap_or_default(), b.first().copied().unwrap_or_default());
    if a.is_empty() || b.is_empty() { first } else { nearest_ends(a, b, first) }
}

/// Apart, the nearest places always include a corner of one of them.
fn nearest_ends(a: &[Vec2], b: &[Vec2], first: (Vec2, Vec2)) -> (Vec2, Vec2) {
    let mut least = f64::INFINITY;
    let mut nearest = first;
    for &point in a {
        for (from, to) in edges(b) {
            let on_b = nearest_on_segment(from, to, point);
            let squared = (on_b - point).length_squared();
            if squared < least {
                (least, nearest) = (squared, (point, on_b));
            }
        }
    }
    for &point in b {
        for (from, to) in edges(a) {
            let on_a = nearest_on_segment(from, to, point);
            let squared = (on_a - point).length_squared();
            if squared < least {
                (least, nearest) = (squared, (on_a, point));
            }
        }
    }
    nearest
}

/// When a polygon moving along `by` in the time from 0 to 1 touches or overlaps another, if it ever does.
pub fn sweep(a: &[Vec2], by: Vec2, b: &[Vec2]) -> Option<(f64, f64)> {
    sweep_deeper(a, by, b, 0.0)
}

/// The part of a segment inside the polygon, as fractions of the segment.
pub fn clip(segment: (Vec2, Vec2), b: &[Vec2]) -> Option<(f64, f64)> {
    match b {
        [from, to] => clip_thin(segment, (*from, *to)),
        [_, _, _, ..] if !is_thin(b) => clip_solid(segment, b, twice_area(b).signum()),
        _ => sweep_deeper(&[segment.0], segment.1 - segment.0, b, 0.0),
    }
}

/// The part of a segment inside a polygon that is known to run anticlockwise and to have an area.
#[inline]
pub(crate) fn clip_anticlockwise(segment: (Vec2, Vec2), b: &[Vec2]) -> Option<(f64, f64)> {
    if let [from, to] = b { clip_thin(segment, (*from, *to)) } else { clip_solid(segment, b, 1.0) }
}

fn clip_solid(segment: (Vec2, Vec2), b: &[Vec2], winding: f64) -> Option<(f64, f64)> {
    let along = segment.1 - segment.0;
    let (mut enter, mut leave) = (0.0, 1.0);
    let mut corner = *b.last()?;
    for &next in b {
        let edge = (next - corner) * winding;
        let (inside, speed) = (edge.cross(segment.0 - corner), edge.cross(along));
        if speed > 0.0 {
            enter = greater(-inside / speed, enter);
        } else if speed < 0.0 {
            leave = lesser(-inside / speed, leave);
        } else if inside < 0.0 {
            return None;
        }
        if enter > leave {
            return None;
        }
        corner = next;
    }
    Some((enter, leave))
}

/// Where two segments meet, as fractions of the first.
fn clip_thin(segment: (Vec2, Vec2), other: (Vec2, Vec2)) -> Option<(f64, f64)> {
    let from_side = orientation(other.0, other.1, segment.0);
    let to_side = orientation(other.0, other.1, segment.1);
    if from_side == 0.0 && to_side == 0.0 {
        return sweep_deeper(&[segment.0], segment.1 - segment.0, &[other.0, other.1], 0.0);
    }
    let other_sides = (orientation(segment.0, segment.1, other.0), orientation(segment.0, segment.1, other.1));
    let parted = |(one, two): (f64, f64)| one > 0.0 && two > 0.0 || one < 0.0 && two < 0.0;
    if parted((from_side, to_side)) || parted(other_sides) {
        return None;
    }
    let at = from_side / (from_side - to_side);
    Some((at, at))
}

/// When the overlap is at least so deep.
pub(crate) fn sweep_deeper(a: &[Vec2], by: Vec2, b: &[Vec2], depth: f64) -> Option<(f64, f64)> {
    if a.is_empty() || b.is_empty() || !by.is_finite() {
        return None;
    }
    let mut time = (0.0, 1.0);
    let parted = any_axis(a, b, |axis| {
        let (low_a, high_a) = project(a, axis);
        let (low_b, high_b) = project(b, axis);
        let speed = by.dot(axis);
        // At time t both (high_a + speed·t - low_b) and (high_b - low_a - speed·t) must reach the depth.
        let (ahead, behind) = (low_b + depth - high_a, high_b - depth - low_a);
        if speed == 0.0 {
            return ahead > 0.0 || behind < 0.0;
        }
        let (first, second) = (ahead / speed, behind / speed);
        let (enter, leave) = if speed > 0.0 { (first, second) } else { (second, first) };
        time = (greater(enter, time.0), lesser(leave, time.1));
        time.0 > time.1
    });
    (!parted).then_some(time)
}

/// Whether two polygons touch or overlap: no axis parts them.
fn meet(a: &[Vec2], b: &[Vec2]) -> bool {
    let parts = |axis: Vec2| {
        let (low_a, high_a) = project(a, axis);
        let (low_b, high_b) = project(b, axis);
        lesser(high_a - low_b, high_b - low_a) < 0.0
    };
    !a.is_empty() && !b.is_empty() && !any_axis(a, b, parts)
}

/// The axis along which two polygons overlap least.
#[derive(Clone, Copy)]
pub(crate) struct Axis {
    /// Of length one, pointing from the first polygon towards the second.
    pub(crate) normal: Vec2,
    /// Positive where they overlap.
    pub(crate) depth: f64,
}

/// Finds the axis of least overlap, or of greatest separation.
pub(crate) fn deepest_axis(a: &[Vec2], b: &[Vec2]) -> Axis {
    let mut least = Axis { normal: Vec2::ZERO, depth: f64::INFINITY };
    if a.is_empty() || b.is_empty() {
        return Axis { depth: f64::NEG_INFINITY, ..least };
    }
    any_axis(a, b, |axis| {
        let (low_a, high_a) = project(a, axis);
        let (low_b, high_b) = project(b, axis);
        let (forward, backward) = (high_a - low_b, high_b - low_a);
        let (depth, normal) = if forward <= backward { (forward, axis) } else { (backward, -axis) };
        if depth < least.depth {
            least = Axis { normal, depth };
        }
        false
    });
    least
}

/// Whether the answer is yes for any direction of length one that may part two polygons; stops at the first.
fn any_axis(a: &[Vec2], b: &[Vec2], mut ask: impl FnMut(Vec2) -> bool) -> bool {
    let mut found = false;
    for polygon in [a, b] {
        let mut thin = None;
        for (from, to) in edges(polygon).take(different_edges(polygon)) {
            let along = (to - from).normalised();
            if along.length_squared() > 0.0 {
                found = true;
                if ask(along.perp_right()) || *thin.get_or_insert_with(|| is_thin(polygon)) && ask(along) {
                    return true;
                }
            }
        }
    }
    // Two points have no edges; the axes of the table part them as well as any.
    !found && (ask(Vec2 { x: 1.0, y: 0.0 }) || ask(Vec2 { x: 0.0, y: 1.0 }))
}

/// How many edges, counted from the first, run in different directions; a rectangle repeats its first two.
#[inline]
fn different_edges(polygon: &[Vec2]) -> usize {
    match polygon {
        [_, _] => 1,
        [a, b, c, d] if ((*a - *b) + (*c - *d)).length_squared() < PARALLEL * PARALLEL => 2,
        _ => polygon.len(),
    }
}

/// Whether a polygon has ends rather than an inside.
fn is_thin(polygon: &[Vec2]) -> bool {
    let Some(first) = polygon.first() else {
        return false;
    };
    let longest = polygon.iter().map(|point| (*point - *first).length_squared()).fold(0.0, greater);
    twice_area(polygon).abs() <= THIN * longest.sqrt()
}

/// Twice the area, positive where the corners run anticlockwise.
fn twice_area(polygon: &[Vec2]) -> f64 {
    let Some(&first) = polygon.first() else {
        return 0.0;
    };
    polygon.windows(2).map(|pair| if let [a, b] = pair { (*a - first).cross(*b - first) } else { 0.0 }).sum()
}

#[inline]
fn project(polygon: &[Vec2], axis: Vec2) -> (f64, f64) {
    polygon.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| {
        let along = point.dot(axis);
        (lesser(along, low), greater(along, high))
    })
}

/// The edges in order, the closing one included; a point is one edge of no length.
#[inline]
pub(crate) fn edges(polygon: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    let next = |no: usize, from: Vec2| polygon.get(no + 1).or(polygon.first()).copied().unwrap_or(from);
    polygon.iter().enumerate().map(move |(no, &from)| (from, next(no, from)))
}

/// Positive where `p` lies left of the line from `a` to `b`, zero exactly on it.
#[inline]
pub(crate) fn orientation(a: Vec2, b: Vec2, p: Vec2) -> f64 {
    orient2d(Coord { x: a.x, y: a.y }, Coord { x: b.x, y: b.y }, Coord { x: p.x, y: p.y })
}

/// The place on a segment nearest to another place; the ends are copied, not computed.
#[inline]
pub(crate) fn nearest_on_segment(from: Vec2, to: Vec2, place: Vec2) -> Vec2 {
    let along = to - from;
    let reach = along.dot(place - from);
    let whole = along.length_squared();
    if reach <= 0.0 || whole <= 0.0 {
        from
    } else if reach >= whole {
        to
    } else {
        from + along * (reach / whole)
    }
}

/// Some place that lies in both polygons.
fn shared_place(a: &[Vec2], b: &[Vec2]) -> Option<Vec2> {
    let corner = a.iter().find(|&&point| contains(b, point)).or_else(|| b.iter().find(|&&point| contains(a, point)));
    corner
        .copied()
        .or_else(|| edges(a).find_map(|(from, to)| clip((from, to), b).map(|(enter, _)| from.lerp(to, enter))))
}
