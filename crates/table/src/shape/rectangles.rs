//! Keeps the short way between two rectangles: each is a box in the frame of the other.
//!
//! `convex` gives the same answers for any polygons; this is several times quicker and gaps are asked for all the time.

use super::{Quad, convex};
use crate::vec2::{Vec2, greater, lesser};

/// The gap between two rectangles; zero where they touch or overlap.
pub(super) fn gap(a: &Quad, b: &Quad) -> f64 {
    let (Some(frame_a), Some(frame_b)) = (Frame::of(a), Frame::of(b)) else {
        return convex::gap(&a.corners, &b.corners);
    };
    let (b_seen, a_seen) = (frame_a.see(b), frame_b.see(a));
    if lesser(b_seen.depth, a_seen.depth) >= 0.0 {
        return 0.0;
    }
    // Apart, the nearest places always include a corner of one of them.
    lesser(b_seen.nearest_squared, a_seen.nearest_squared).sqrt()
}

/// How deep two rectangles overlap, or at most zero where they are apart.
pub(super) fn penetration(a: &Quad, b: &Quad) -> f64 {
    let (Some(frame_a), Some(frame_b)) = (Frame::of(a), Frame::of(b)) else {
        return convex::penetration(&a.corners, &b.corners);
    };
    lesser(frame_a.see(b).depth, frame_b.see(a).depth)
}

/// A rectangle as a box around its own middle.
struct Frame {
    middle: Vec2,
    right: Vec2,
    back: Vec2,
    half_width: f64,
    half_depth: f64,
}

/// What a box sees of another rectangle.
struct Seen {
    /// The least overlap along the two axes of the box.
    depth: f64,
    /// The squared distance to the nearest corner.
    nearest_squared: f64,
}

impl Frame {
    /// A rectangle without width or depth has no frame.
    fn of(quad: &Quad) -> Option<Frame> {
        let [front_left, front_right, _, rear_left] = quad.corners;
        let (front, side) = (front_right - front_left, rear_left - front_left);
        let (width, depth) = (front.length(), side.length());
        (width > 0.0 && depth > 0.0).then(|| Frame {
            middle: quad.centre,
            right: Vec2 { x: front.x / width, y: front.y / width },
            back: Vec2 { x: side.x / depth, y: side.y / depth },
            half_width: width * 0.5,
            half_depth: depth * 0.5,
        })
    }

    fn see(&self, other: &Quad) -> Seen {
        let (mut west, mut east) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut south, mut north) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut nearest_squared = f64::INFINITY;
        for corner in other.corners {
            let offset = corner - self.middle;
            let (x, y) = (offset.dot(self.right), offset.dot(self.back));
            (west, east) = (lesser(x, west), greater(x, east));
            (south, north) = (lesser(y, south), greater(y, north));
            let beyond =
                Vec2 { x: greater(x.abs() - self.half_width, 0.0), y: greater(y.abs() - self.half_depth, 0.0) };
            nearest_squared = lesser(beyond.length_squared(), nearest_squared);
        }
        let across = lesser(self.half_width - west, east + self.half_width);
        let along = lesser(self.half_depth - south, north + self.half_depth);
        Seen { depth: lesser(across, along), nearest_squared }
    }
}
