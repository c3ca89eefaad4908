//! Keeps the mathematics of discs.

use super::{Quad, convex};
use crate::vec2::{Vec2, greater, lesser};

/// The part of a segment inside a disc.
pub(super) fn clip(segment: (Vec2, Vec2), centre: Vec2, radius: f64) -> Option<(f64, f64)> {
    let along = segment.1 - segment.0;
    let from = segment.0 - centre;
    let (a, half_b) = (along.length_squared(), along.dot(from));
    let c = from.length_squared() - radius * radius;
    if a <= 0.0 {
        return (c <= 0.0).then_some((0.0, 1.0));
    }
    let discriminant = half_b * half_b - a * c;
    if discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    let (enter, leave) = (greater((-half_b - root) / a, 0.0), lesser((root - half_b) / a, 1.0));
    (enter <= leave).then_some((enter, leave))
}

/// When a moving rectangle comes within `reach` of a place.
///
/// Seen from the rectangle the place moves backwards through the rectangle grown by the reach with round corners, which
/// is convex: one interval from the earliest to the latest moment in any of its pieces.
pub(super) fn sweep(quad: &Quad, by: Vec2, centre: Vec2, reach: f64) -> Option<(f64, f64)> {
    if reach <= 0.0 {
        return convex::sweep_deeper(&quad.corners, by, &[centre], -reach);
    }
    let path = (centre, centre - by);
    let around = |(from, to): (Vec2, Vec2)| {
        let out = (to - from).normalised().perp_right() * reach;
        convex::clip(path, &[from - out, from + out, to + out, to - out])
    };
    let pieces = std::iter::once(convex::clip(path, &quad.corners))
        .chain(quad.edges().into_iter().map(around))
        .chain(quad.corners.into_iter().map(|corner| clip(path, corner, reach)));
    pieces.flatten().reduce(|one, other| (lesser(one.0, other.0), greater(one.1, other.1)))
}
