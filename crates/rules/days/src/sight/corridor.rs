//! The ground all looks between two bodies pass over: what lies beside it stops none of them.

use super::ROUNDING;
use super::shut::Hull;
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
        let edges = |hull: &Hull| [hull.corners[1] - hull.corners[0], hull.corners[3] - hull.corners[0]];
        let ([a, b], [c, d]) = (edges(from), edges(to));
        let spans = [across, flanks[0], flanks[1], a, b, c, d].map(|axis| {
            let (of_eyes, of_targets) = (span(&from.corners, axis), span(&to.corners, axis));
            let least = if of_eyes.0 < of_targets.0 { of_eyes.0 } else { of_targets.0 };
            let most = if of_eyes.1 > of_targets.1 { of_eyes.1 } else { of_targets.1 };
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

/// How far corners reach in a direction.
fn span(corners: &[Vec2; 4], axis: Vec2) -> (f64, f64) {
    let [first, rest @ ..] = corners.map(|corner| corner.dot(axis));
    let least = |least: f64, at: &f64| if *at < least { *at } else { least };
    let most = |most: f64, at: &f64| if *at > most { *at } else { most };
    (rest.iter().fold(first, least), rest.iter().fold(first, most))
}

/// The corner that lies furthest in a direction.
fn furthest(corners: &[Vec2; 4], axis: Vec2) -> Vec2 {
    let [first, rest @ ..] = *corners;
    rest.into_iter().fold(first, |best, corner| if corner.dot(axis) > best.dot(axis) { corner } else { best })
}
