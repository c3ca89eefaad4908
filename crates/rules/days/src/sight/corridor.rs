//! The ground all looks between two bodies pass over: what lies beside it stops none of them.

use super::ROUNDING;
use super::shut::{Hull, span};
use table::{Bounds, Quad, Vec2};

/// Directions in which a corridor is measured: across it, along its flanks, and along the bodies at its ends.
const AXES: usize = 7;

/// The hull of the places looked from and those looked at, as the span it has in a few directions.
pub(super) struct Corridor {
    around: Bounds,
    /// How long the direction across it is.
    wide: f64,
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
        Corridor { around: from.around.joined(&to.around).grown(ROUNDING), wide: across.length(), spans }
    }

    /// Whether a body lies wholly beside it, judged by the circle around it: most are told so at once, and of the others
    /// nothing is said.
    pub(super) fn surely_misses(&self, body: &Quad) -> bool {
        let [(across, least, most), ..] = self.spans;
        let (at, around) = (body.centre.dot(across), (body.radius + ROUNDING * 2.0) * self.wide);
        at + around < least || at - around > most
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
