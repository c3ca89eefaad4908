//! Whether woods, houses or a hill surely stop every line between two bodies, told by a few lines between their corners.
//!
//! Where each line from a corner of one body to a corner of another meets a convex piece of ground, all lines between the
//! two do: a line beside which the piece lies would have a corner of either body on its far side, and the line between
//! those two corners would miss the piece as well. In the same way none of the lines has a smaller share in a piece that
//! holds one of the bodies than the least of those between corners.

use super::{End, HIGH, Lane, ROUNDING, depth, edges, hides, is_obstacle};
use crate::charts::reach;
use crate::field::Field;
use crate::ground;
use smallvec::SmallVec;
use std::cmp::Ordering;
use table::terrain::Feature;
use table::{Bounds, Flank, Outline, Point, Quad, SLACK, Vec2, convex};

/// So much smaller than it is a piece of ground is taken to be, in micrometres: half of what a line must have in it to be
/// stopped, and more.
const MARGIN: f64 = 150.0;

/// Corners of the polygon inside a disc.
const RIM: [(f64, f64); 8] = {
    const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
    [(1.0, 0.0), (HALF, HALF), (0.0, 1.0), (-HALF, HALF), (-1.0, 0.0), (-HALF, -HALF), (0.0, -1.0), (HALF, -HALF)]
};

/// A rectangle around all places looked from, or at.
#[derive(Clone, Copy)]
pub(super) struct Hull {
    pub(super) corners: [Vec2; 4],
    pub(super) around: Bounds,
    pub(super) middle: Vec2,
    /// How far the stands themselves may reach beyond it.
    beyond: f64,
}

impl Hull {
    /// The rectangle around places, drawn along the first of some stands.
    fn around(stands: &[Quad], places: impl Iterator<Item = Vec2>) -> Option<Hull> {
        let first = stands.first()?;
        let front = first.corners[1] - first.corners[0];
        let right = if front.length_squared() > 0.0 { front.normalised() } else { Vec2 { x: 1.0, y: 0.0 } };
        let back = right.perp_right();
        let (mut least, mut most) = (Vec2 { x: f64::MAX, y: f64::MAX }, Vec2 { x: f64::MIN, y: f64::MIN });
        for place in places {
            let off = place - first.centre;
            let (x, y) = (off.dot(right), off.dot(back));
            least = Vec2 { x: if x < least.x { x } else { least.x }, y: if y < least.y { y } else { least.y } };
            most = Vec2 { x: if x > most.x { x } else { most.x }, y: if y > most.y { y } else { most.y } };
        }
        let (least, most) = (least - Vec2 { x: ROUNDING, y: ROUNDING }, most + Vec2 { x: ROUNDING, y: ROUNDING });
        let at = |x: f64, y: f64| first.centre + right * x + back * y;
        let corners = [at(least.x, least.y), at(most.x, least.y), at(most.x, most.y), at(least.x, most.y)];
        let middle = (corners[0] + corners[2]) * 0.5;
        Some(Hull { corners, around: Bounds::around(&corners), middle, beyond: 0.0 })
    }

    pub(super) fn of_eyes(stands: &[Quad]) -> Option<Hull> {
        let fronts = stands.iter().flat_map(|stand| {
            let (left, right) = stand.front_edge();
            [left, right]
        });
        let beyond = stands.iter().map(|stand| stand.radius * 2.0).fold(0.0, greater);
        Some(Hull { beyond, ..Hull::around(stands, fronts)? })
    }

    pub(super) fn of_stands(stands: &[Quad]) -> Option<Hull> {
        Hull::around(stands, stands.iter().flat_map(|stand| stand.corners))
    }

    fn radius(&self) -> f64 {
        self.corners[0].distance(self.middle)
    }

    /// How far it reaches in a direction.
    fn span(&self, axis: Vec2) -> (f64, f64) {
        span(&self.corners, axis)
    }

    /// How far it and another reach together in a direction.
    pub(super) fn span_with(&self, other: &Hull, axis: Vec2) -> (f64, f64) {
        let (own, theirs) = (self.span(axis), other.span(axis));
        (lesser(own.0, theirs.0), greater(own.1, theirs.1))
    }

    /// Its two directions.
    pub(super) fn edges(&self) -> [Vec2; 2] {
        [self.corners[1] - self.corners[0], self.corners[3] - self.corners[0]]
    }

    /// The highest level any of it could be on.
    fn level(&self, field: &Field) -> u8 {
        let raised = field.ground().features.iter().filter(|feature| is_raised(feature));
        raised.filter(|hill| hill.shape.bounds().meets(&self.around)).map(|hill| hill.level).max().unwrap_or(0)
    }

    /// Whether all of it is outside a feature.
    fn is_clear_of(&self, feature: &Feature) -> bool {
        if !feature.shape.bounds().meets(&self.around) {
            return true;
        }
        match feature.shape.outline() {
            Outline::Disc { centre, radius } => {
                convex::distance(&self.corners, centre.vec()) > radius.as_f64() + ROUNDING
            }
            _ => feature.shape.parts().all(|part| {
                let boxes = Bounds::around(part).gap_squared(&self.around);
                boxes > ROUNDING * ROUNDING || convex::gap(part, &self.corners) > ROUNDING
            }),
        }
    }
}

pub(super) fn is_raised(feature: &Feature) -> bool {
    feature.level > 0 && !feature.shape.is_line()
}

/// How far corners reach in a direction.
pub(super) fn span(corners: &[Vec2; 4], axis: Vec2) -> (f64, f64) {
    let (mut least, mut most) = (f64::MAX, f64::MIN);
    for corner in corners {
        let along = corner.dot(axis);
        (least, most) = (lesser(least, along), greater(most, along));
    }
    (least, most)
}

fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// A convex piece of ground as the borders that enclose it: a corner, the edge from it, and the margin along that.
struct Piece(SmallVec<[(Vec2, Vec2, f64); 8]>);

impl Piece {
    /// The ground left of all edges of a ring that goes round anticlockwise.
    fn within(ring: impl Iterator<Item = Vec2>) -> Piece {
        let mut borders: SmallVec<[(Vec2, Vec2, f64); 8]> = ring.map(|corner| (corner, Vec2::ZERO, 0.0)).collect();
        let mut next = borders.first().map_or(Vec2::ZERO, |first| first.0);
        for (corner, edge, margin) in borders.iter_mut().rev() {
            *edge = next - *corner;
            *margin = edge.length() * MARGIN;
            next = *corner;
        }
        Piece(borders)
    }

    /// The ground from which all of an area lies open; where its outline has no dents that is the whole of it.
    fn heart(ring: &[Point]) -> Piece {
        let area: f64 = ring.iter().zip(ring.iter().cycle().skip(1)).map(|(a, b)| a.vec().cross(b.vec())).sum();
        let corners = ring.iter().map(|corner| corner.vec());
        if area < 0.0 { Piece::within(corners.rev()) } else { Piece::within(corners) }
    }

    fn holds(&self, hull: &Hull) -> bool {
        hull.corners.iter().all(|corner| self.clip(*corner, *corner).is_some())
    }

    /// The share of a line that lies well inside, as fractions of it.
    fn clip(&self, from: Vec2, to: Vec2) -> Option<(f64, f64)> {
        let along = to - from;
        let (mut enter, mut leave) = (0.0, 1.0);
        for (corner, edge, margin) in &self.0 {
            let (inside, speed) = (edge.cross(from - *corner) - margin, edge.cross(along));
            if speed > 0.0 {
                let at = -inside / speed;
                enter = if at > enter { at } else { enter };
            } else if speed < 0.0 {
                let at = -inside / speed;
                leave = if at < leave { at } else { leave };
            } else if inside < 0.0 {
                return None;
            }
            if enter > leave {
                return None;
            }
        }
        Some((enter, leave))
    }

    /// Where the last of all lines between two bodies enters it, and where the first leaves it; nothing where some miss it.
    fn clip_all(&self, from: &Hull, to: &Hull) -> Option<(f64, f64)> {
        self.clip(from.middle, to.middle)?;
        let (mut enter, mut leave): (f64, f64) = (0.0, 1.0);
        for eye in from.corners {
            for mark in to.corners {
                let (in_at, out_at) = self.clip(eye, mark)?;
                enter = if in_at > enter { in_at } else { enter };
                leave = if out_at < leave { out_at } else { leave };
            }
        }
        Some((enter, leave))
    }
}

/// Two bodies that look at each other.
struct Pair<'f> {
    field: &'f Field,
    ends: (End, End),
    from: Hull,
    to: Hull,
    eyes: &'f [Quad],
    targets: &'f [Quad],
    /// The highest level any of them could be on, where hills are asked about.
    level: u8,
}

/// Whether the ground surely stops every line between the fronts of some stands and any part of others; it may do so as
/// well where this does not say so.
pub(super) fn is_shut(lane: &Lane<'_>) -> bool {
    let Some((from, to)) = lane.hulls else { return false };
    let (ends, eyes, targets) = ((lane.from, lane.to), lane.eyes, lane.targets);
    let hilly = lane.ground.iter().any(|feature| !hides(feature.kind));
    let level = if hilly { level_of(lane.field, &from, &to) } else { 0 };
    let pair = Pair { field: lane.field, ends, from, to, eyes, targets, level };
    lane.ground.iter().any(|feature| !is_obstacle(feature.kind) && pair.is_parted_by(feature))
}

/// The same of some of these stands, with the hulls around them, and of one feature.
pub(super) fn is_shut_by(
    field: &Field,
    ends: (End, End),
    (eyes, targets): (&[Quad], &[Quad]),
    hulls: Option<(Hull, Hull)>,
    feature: &Feature,
) -> bool {
    if is_obstacle(feature.kind) {
        return false;
    }
    let Some((from, to)) = hulls else { return false };
    let level = if hides(feature.kind) { 0 } else { level_of(field, &from, &to) };
    Pair { field, ends, from, to, eyes, targets, level }.is_parted_by(feature)
}

/// The highest level any of two bodies could be on.
fn level_of(field: &Field, from: &Hull, to: &Hull) -> u8 {
    from.level(field).max(to.level(field))
}

impl Pair<'_> {
    fn is_parted_by(&self, feature: &Feature) -> bool {
        if !hides(feature.kind) {
            if feature.crests.iter().any(|crest| self.is_behind(feature, crest)) {
                return true;
            }
            if self.level >= feature.level {
                return false;
            }
        }
        // What the line between the middles misses stops not all of them.
        let way = Bounds::around(&[self.from.middle, self.to.middle]);
        if !feature.shape.bounds().meets(&way) {
            return false;
        }
        let part = |part: &[Vec2]| {
            part.len() > 2
                && Bounds::around(part).meets(&way)
                && self.is_parted_at(feature, &Piece::within(part.iter().copied()))
        };
        match feature.shape.outline() {
            Outline::Disc { centre, radius } => part(&RIM.map(|(x, y)| centre.vec() + Vec2 { x, y } * radius.as_f64())),
            Outline::Area(ring) if feature.shape.parts().nth(1).is_some() => {
                self.is_parted_at(feature, &Piece::heart(ring)) || feature.shape.parts().any(part)
            }
            _ => feature.shape.parts().any(part),
        }
    }

    /// Whether one convex piece of a feature stops every line.
    fn is_parted_at(&self, feature: &Feature, piece: &Piece) -> bool {
        let Some((enter, leave)) = piece.clip_all(&self.from, &self.to) else { return false };
        let clear = |hull: &Hull| hull.is_clear_of(feature);
        if !hides(feature.kind) {
            return clear(&self.from) && clear(&self.to);
        }
        let is_deep = |share: f64, end: End| {
            let most = (depth(self.field, end, feature) + SLACK).as_f64() + MARGIN;
            let (from, to) = (&self.from, &self.to);
            let circles = from.middle.distance(to.middle) - from.radius() - to.radius();
            share * circles > most || share * convex::gap(&from.corners, &to.corners) > most
        };
        if piece.holds(&self.to) {
            return is_deep(1.0 - enter, self.ends.1);
        }
        if !clear(&self.to) {
            return false;
        }
        if piece.holds(&self.from) {
            return is_deep(leave, self.ends.0);
        }
        clear(&self.from) && !self.may_look_over(feature)
    }

    /// Whether a crest of the hill one of the two is on surely stops every line: it passes between them, and nobody shows
    /// himself at it.
    fn is_behind(&self, hill: &Feature, crest: &[Point]) -> bool {
        let on_it = |places: &[Vec2]| places.iter().all(|place| hill.shape.contains(*place));
        let all_on_it = || {
            self.targets.iter().all(|stand| on_it(&super::parts_of(stand)))
                || self.eyes.iter().all(|stand| on_it(&super::eyes_of(stand)))
        };
        let shows = |end: End, hull: &Hull| {
            let at = reach(self.field.charts().constant.crest).as_f64() + SLACK.as_f64() + ROUNDING + hull.beyond;
            let close = |a: Vec2, b: Vec2| Bounds::around(&[a, b]).gap_squared(&hull.around) <= at * at;
            end.over && edges(crest).any(|(a, b)| close(a, b) && convex::gap(&[a, b], &hull.corners) <= at)
        };
        let passes = passes_between(&self.from, &self.to, crest);
        passes && !shows(self.ends.0, &self.from) && !shows(self.ends.1, &self.to) && all_on_it()
    }

    /// Whether somebody might look over woods or houses from a High Hill.
    fn may_look_over(&self, feature: &Feature) -> bool {
        self.ends.0.over
            && self.from.level(self.field) >= HIGH
            && ground::level(self.field, feature.shape.centre()) == 0
    }
}

/// Whether a crooked line passes between two bodies from beyond one flank of the corridor to beyond the other, so that
/// every line from one to the other crosses it.
fn passes_between(eyes: &Hull, targets: &Hull, crest: &[Point]) -> bool {
    let ahead = targets.middle - eyes.middle;
    let across = ahead.perp_right();
    let (least, most) = eyes.span_with(targets, across);
    let hair = ahead.length() * MARGIN;
    let (left, right) = (least - hair, most + hair);
    // The flank a stretch of it came in from, and its corners since.
    let mut from: Option<Flank> = None;
    let mut stretch: SmallVec<[Vec2; 16]> = SmallVec::new();
    for (a, b) in edges(crest) {
        let (begins, ends) = (a.dot(across), b.dot(across));
        let at = |flank: f64| ((flank - begins) / (ends - begins)).clamp(0.0, 1.0);
        let cuts = match begins.total_cmp(&ends) {
            Ordering::Less => [0.0, at(left), at(right), 1.0],
            Ordering::Greater => [0.0, at(right), at(left), 1.0],
            Ordering::Equal => [0.0, 0.0, 0.0, 1.0],
        };
        for cut in cuts.windows(2).filter(|cut| cut[0] < cut[1]) {
            let middle = a.lerp(b, (cut[0] + cut[1]) * 0.5).dot(across);
            if middle > left && middle < right {
                stretch.extend([a.lerp(b, cut[0]), a.lerp(b, cut[1])]);
                continue;
            }
            let flank = if middle < right { Flank::Left } else { Flank::Right };
            if from.is_some_and(|from| from != flank) && lies_between(eyes, targets, &stretch) {
                return true;
            }
            from = Some(flank);
            stretch.clear();
        }
    }
    false
}

/// Whether a stretch of a line lies beyond all of one body and short of all of another, seen in one of a few directions.
fn lies_between(eyes: &Hull, targets: &Hull, stretch: &[Vec2]) -> bool {
    let ahead = targets.middle - eyes.middle;
    let ([a, b], [c, d]) = (targets.edges(), eyes.edges());
    [ahead, a, b, c, d].into_iter().any(|axis| {
        let axis = if axis.dot(ahead) < 0.0 { axis * -1.0 } else { axis };
        let hair = axis.length() * MARGIN;
        let (near, far) = (eyes.span(axis).1 + hair, targets.span(axis).0 - hair);
        stretch.iter().map(|place| place.dot(axis)).all(|on| on > near && on < far)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from 0 to 1, always the same.
    fn dice() -> impl FnMut() -> f64 {
        let mut state: u32 = 1;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1_u32 << 24)
        }
    }

    /// A hull with these corners, none of whose stands reach beyond it.
    fn hull(at: Vec2, size: Vec2) -> Hull {
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let corners = corners.map(|(x, y)| at + Vec2 { x: size.x * x, y: size.y * y });
        Hull { corners, around: Bounds::around(&corners), middle: at + size * 0.5, beyond: 0.0 }
    }

    #[test]
    fn a_crest_that_parts_two_bodies_crosses_all_lines_between_them() {
        let mut roll = dice();
        let (mut parted, mut open) = (0, 0);
        for _ in 0..4000 {
            let mut some =
                |x: f64| hull(Vec2 { x, y: roll() * 6e4 }, Vec2 { x: 1e3 + roll() * 3e4, y: 1e3 + roll() * 5e4 });
            let (from, to) = (some(0.0), some(9e4));
            let mut y = -1e5 * roll();
            let crest: Vec<Point> = (0..6)
                .map(|_| {
                    y += 6e4 * roll();
                    Point::from_vec(Vec2 { x: 2e4 + roll() * 8e4, y })
                })
                .collect();
            if !passes_between(&from, &to, &crest) {
                open += 1;
                continue;
            }
            parted += 1;
            for _ in 0..20 {
                let mut within = |hull: &Hull| {
                    let (across, along) = (hull.corners[1] - hull.corners[0], hull.corners[3] - hull.corners[0]);
                    hull.corners[0] + across * roll() + along * roll()
                };
                let way = (within(&from), within(&to));
                assert!(edges(&crest).any(|(a, b)| convex::clip(way, &[a, b]).is_some()), "{way:?} {crest:?}");
            }
        }
        assert!(parted > 200 && open > 200, "{parted} {open}");
    }

    #[test]
    fn what_stops_the_lines_between_corners_stops_all() {
        let mut roll = dice();
        let mut stopped = 0;
        for _ in 0..4000 {
            let mut some =
                |x: f64| hull(Vec2 { x, y: roll() * 6e4 }, Vec2 { x: 1e3 + roll() * 5e4, y: 1e3 + roll() * 5e4 });
            let (from, to) = (some(0.0), some(8e4));
            let (middle, wide) = (Vec2 { x: 3e4 + roll() * 1e5, y: roll() * 1e5 }, 1e4 + roll() * 9e4);
            let piece = Piece::within(RIM.into_iter().map(|(x, y)| middle + Vec2 { x, y: y * 1.5 } * wide));
            let Some((enter, leave)) = piece.clip_all(&from, &to) else { continue };
            stopped += 1;
            for _ in 0..20 {
                let mut within = |hull: &Hull| {
                    let (across, along) = (hull.corners[1] - hull.corners[0], hull.corners[3] - hull.corners[0]);
                    hull.corners[0] + across * roll() + along * roll()
                };
                let (eye, mark) = (within(&from), within(&to));
                let (in_at, out_at) = piece.clip(eye, mark).expect("it is stopped");
                assert!(!piece.holds(&to) || in_at <= enter + 1e-9, "{in_at} {enter}");
                assert!(!piece.holds(&from) || out_at >= leave - 1e-9, "{out_at} {leave}");
            }
        }
        assert!(stopped > 100, "{stopped}");
    }
}
