//! Keeps contact: how far a straight charge goes until it touches, and how front edges are laid flush.

use crate::angle::Angle;
use crate::length::Length;
use crate::pose::{Point, Pose};
use crate::shape::{Footprint, Quad, SLACK_UM, convex, quads_touch};
use crate::vec2::{Vec2, greater, lesser};

/// A squared-up front shares at least this much with the edge it is laid on, so that a corner never merely grazes.
const LEAST_SHARED_UM: f64 = 1_000.0;

/// How far a rectangle goes straight on until it touches another, if it does so within `most`.
///
/// `towards` is a direction of length one. Touching already and moving closer is a reach of zero; passing alongside,
/// not deeper than [`SLACK`](crate::SLACK), is no contact. What lies within [`SLACK`](crate::SLACK) of `most` is reached.
pub fn reach(mover: &Quad, towards: Vec2, most: Length, target: &Quad) -> Option<Length> {
    let direction = towards.normalised();
    if most.is_negative() || !direction.is_finite() {
        return None;
    }
    // Whoever stands outside the lane the mover's circle sweeps is never met; most are, and this is cheap.
    let (offset, room) = (target.centre - mover.centre, mover.radius + target.radius + SLACK_UM);
    let along = offset.dot(direction);
    if offset.cross(direction).abs() > room || along < -room || along - room > most.as_f64() {
        return None;
    }
    if quads_touch(mover, target) {
        let axis = convex::deepest_axis(mover.points(), target.points());
        // Rounding must not turn sliding along an edge into closing with it.
        return (direction.dot(axis.normal) > 1e-6).then_some(Length::ZERO);
    }
    // The path runs on behind the target, so that contact at the very end of the reach is judged like any other.
    let path = (target.centre - mover.centre).length() + mover.radius + target.radius;
    let by = direction * path;
    convex::sweep_deeper(mover.points(), by, target.points(), lesser(SLACK_UM, deepest_possible(mover, target)))?;
    let (contact, _) = convex::sweep(mover.points(), by, target.points())?;
    let distance = contact * path;
    (distance <= most.as_f64() + SLACK_UM).then(|| Length::from_um(lesser(distance, most.as_f64())))
}

/// Rectangles without depth cannot overlap at all, and still they can be met.
fn deepest_possible(mover: &Quad, target: &Quad) -> f64 {
    greater(lesser(mover.radius, target.radius), 0.0) * 0.5
}

/// The smallest turn and slide that lay the front edge flush on the edge of the target it touches.
///
/// Of the edges it touches (or, before contact, the nearest ones) the one that asks for the smallest turn is taken.
/// The flag goes straight to that edge, and along it only as far as needed for the two edges to share a stretch.
pub fn conform(pose: Pose, footprint: Footprint, target: &Quad) -> Pose {
    let mover = footprint.quad(pose);
    let edges = target.edges().map(|edge| {
        let distance = convex::gap(mover.points(), &[edge.0, edge.1]);
        (edge, distance, facing_onto(edge, target))
    });
    let nearest = edges.iter().map(|(_, distance, _)| *distance).fold(f64::INFINITY, lesser);
    let chosen = edges
        .iter()
        .filter(|((from, to), distance, _)| *distance <= nearest + SLACK_UM && from.distance(*to) > 0.0)
        .min_by_key(|(_, _, facing)| facing.apart(pose.facing));
    let Some(&((from, to), _, facing)) = chosen else {
        return pose;
    };
    let along = (to - from).normalised();
    let length = from.distance(to);
    let half_width = footprint.width.as_f64() * 0.5;
    let shared = lesser(LEAST_SHARED_UM, lesser(length, half_width * 2.0));
    let (least, greatest) = (shared - half_width, length + half_width - shared);
    let place = lesser(greater(along.dot(pose.at.vec() - from), least), greatest);
    Pose { at: Point::from_vec(from + along * place), facing }
}

/// The bearing of somebody who stands outside an edge and looks straight at it.
fn facing_onto(edge: (Vec2, Vec2), target: &Quad) -> Angle {
    let [front_left, front_right, _, rear_left] = target.corners;
    // Corners run clockwise around a rectangle made from a pose; one made by hand may run the other way.
    let clockwise = (front_right - front_left).cross(rear_left - front_left) <= 0.0;
    let inward = (edge.1 - edge.0).perp_right();
    Angle::of(if clockwise { inward } else { -inward })
}

/// Whether the gap between two rectangles is at most [`SLACK`](crate::SLACK).
pub fn is_touching(a: &Quad, b: &Quad) -> bool {
    quads_touch(a, b)
}
