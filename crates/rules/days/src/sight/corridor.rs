//! The ground all looks between two bodies pass over: what lies beside it stops none of them.

use super::ROUNDING;
use super::shut::{Hull, span};
use table::{Bounds, Vec2};

/// Directions in which a corridor is measured: across it, along its flanks, and along the bodies at its ends.
const AXES: usize = 7;

/// The hull of the places looked from and those looked at, as the span it has in a few directions.
pub(super) struct Corridor {
    around: Bounds,
    spans: [(Vec2, f64, f64); AXES],
}

impl Corridor {
    pub(super) fn between(from: &Hull, to: &Hull) -> Corridor {
        let across = (to.middle - from.middle).perp_right();
        let beside = |side: Vec2| furthest(&to.corners, side) - furthest(&from.corners, side);
        let flanks = [beside(across), beside(across * -1.0)].map(Vec2::perp_right);
        let ([a, b], [c, d]) = (from.edges(), to.edges());
        let spans = [across, flanks[0], flanks[1], a, b, c, d].map(|axis| {
            let (least, most) = from.span_with(to, axis);
            // The directions are as long as they come; so is what rounding could hide along them.
            let hair = axis.length() * ROUNDING;
            (axis, least - hair, most + hair)
        });
        Corridor { around: from.around.joined(&to.around).grown(ROUNDING), spans }
    }

    /// Whether a box may lie in it.
    pub(super) fn may_hold(&self, bounds: &Bounds) -> bool {
        let (min, max) = (bounds.min, bounds.max);
        self.around.meets(bounds)
            && self.may_meet(&[min, Vec2 { x: max.x, y: min.y }, max, Vec2 { x: min.x, y: max.y }])
    }

    /// Whether a body may lie in it: cheap, and never wrong when it says no.
    pub(super) fn may_meet(&self, corners: &[Vec2; 4]) -> bool {
        self.spans.iter().all(|(axis, least, most)| {
            let (low, high) = span(corners, *axis);
            low <= *most && high >= *least
        })
    }
}

/// The corner that lies furthest in a direction.
fn furthest(corners: &[Vec2; 4], axis: Vec2) -> Vec2 {
    let [first, rest @ ..] = *corners;
    rest.into_iter().fold(first, |best, corner| if corner.dot(axis) > best.dot(axis) { corner } else { best })
}
