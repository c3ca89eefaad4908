//! Arcs of fire and of sight: what lies ahead of one stand, opening outward from its front corners. C.4, A-31.

use smallvec::SmallVec;
use table::{Angle, Length, Quad, SLACK, Vec2, convex};

/// A few corners.
pub type Polygon = SmallVec<[Vec2; 8]>;

/// More than rounding could hide, in micrometres.
const HAIR: f64 = 1.0;

/// So much more than the circle around it a body may reach, in micrometres: its stands rest on whole ones.
const CLOSE: f64 = 10.0;

/// What lies ahead of a stand, up to an angle to either side of straight ahead.
#[derive(Clone, Copy, Debug)]
pub struct Arc {
    front: (Vec2, Vec2),
    middle: Vec2,
    forward: Vec2,
    half_width: f64,
    sin: f64,
    cos: f64,
}

impl Arc {
    /// The arc of a stand; `half` is turned outward at each front corner, a right angle being everything ahead.
    pub fn of(stand: &Quad, half: Angle) -> Arc {
        Arc::opening(stand, half.sin_cos())
    }

    /// The same for the sine and cosine of an angle, for whoever draws many.
    pub fn opening(stand: &Quad, (sin, cos): (f64, f64)) -> Arc {
        let front = stand.front_edge();
        let middle = (front.0 + front.1) * 0.5;
        let half_width = front.0.distance(front.1) * 0.5;
        Arc { front, middle, forward: (middle - stand.centre).normalised(), half_width, sin, cos }
    }

    /// The middle of the front edge.
    pub fn eye(&self) -> Vec2 {
        self.middle
    }

    /// Which way the stand looks.
    pub fn forward(&self) -> Vec2 {
        self.forward
    }

    /// The front edge, from left to right.
    pub fn front(&self) -> [Vec2; 2] {
        [self.front.0, self.front.1]
    }

    /// A place seen from the middle of the front edge: to the right, and ahead.
    #[inline]
    fn local(&self, place: Vec2) -> (f64, f64) {
        let way = place - self.middle;
        (way.dot(self.forward.perp_right()), way.dot(self.forward))
    }

    /// How far a local place lies outside the border on its right.
    #[inline]
    fn beyond(&self, x: f64, y: f64) -> f64 {
        (x - self.half_width) * self.cos - y * self.sin - SLACK.as_f64()
    }

    /// Whether a place lies ahead, inside the borders.
    #[inline]
    pub fn contains(&self, place: Vec2) -> bool {
        let (x, y) = self.local(place);
        y > 0.0 && self.beyond(x.abs(), y) <= 0.0
    }

    /// The part of a rectangle that lies in the arc; nothing where none does.
    pub fn part_of(&self, quad: &Quad) -> Polygon {
        let corners: Polygon = SmallVec::from_slice(&quad.corners);
        let ahead = kept(&corners, |place| -self.local(place).1);
        let right = kept(&ahead, |place| {
            let (x, y) = self.local(place);
            self.beyond(x, y)
        });
        kept(&right, |place| {
            let (x, y) = self.local(place);
            self.beyond(-x, y)
        })
    }

    /// The nearest place of a rectangle in the arc, and how far it is from the front edge.
    pub fn nearest(&self, quad: &Quad) -> Option<(Vec2, Length)> {
        let [a, b, c, d] = quad.corners;
        let seen = [self.local(a), self.local(b), self.local(c), self.local(d)];
        let behind = seen.iter().all(|(_, y)| *y < 0.0);
        if behind || self.surely_beside(&seen, 1.0) || self.surely_beside(&seen, -1.0) {
            return None;
        }
        let whole = |(x, y): &(f64, f64)| *y >= 0.0 && self.beyond(*x, *y) <= 0.0 && self.beyond(-*x, *y) <= 0.0;
        if seen.iter().all(whole) && seen.iter().all(|(_, y)| *y > HAIR) {
            let (from, to) = convex::nearest_points_apart(&self.front(), quad.points());
            return Some((to, Length::from_um(from.distance(to))));
        }
        let part = self.part_of(quad);
        if part.is_empty() || !part.iter().any(|place| self.local(*place).1 > 0.0) {
            return None;
        }
        let (from, to) = convex::nearest_points(&self.front(), &part);
        Some((to, Length::from_um(from.distance(to))))
    }

    /// No more than the distance [`Arc::nearest`] finds, judged by the circle around a rectangle.
    #[inline]
    pub fn at_least(&self, quad: &Quad) -> Length {
        let away = quad.centre.distance(self.middle) - quad.radius - self.half_width - CLOSE;
        Length::from_um(if away > 0.0 { away } else { 0.0 })
    }

    /// The same for a body that may be much wider than deep, judged by its sides. It holds for all its stands too.
    pub fn at_least_of_body(&self, body: &Quad) -> Length {
        let [front_left, front_right, _, rear_left] = body.corners;
        let way = self.middle - body.centre;
        let beyond = |side: Vec2| {
            let length = side.length();
            let off = if length > 0.0 { (way.dot(side) / length).abs() - length * 0.5 } else { 0.0 };
            if off > 0.0 { off } else { 0.0 }
        };
        let off = Vec2 { x: beyond(front_right - front_left), y: beyond(rear_left - front_left) };
        let away = off.length() - self.half_width - CLOSE;
        Length::from_um(if away > 0.0 { away } else { 0.0 })
    }

    /// Whether nothing of a body lies in the arc, judged by the circle around it: cheap, and never wrong when it says so.
    #[inline]
    pub fn surely_misses(&self, body: &Quad) -> bool {
        let (x, y) = self.local(body.centre);
        let around = body.radius + CLOSE;
        y + around < 0.0 || self.beyond(x.abs(), y) > around
    }

    /// Whether corners all lie outside the border on one hand: on the right for `hand` 1, on the left for -1.
    #[inline]
    fn surely_beside(&self, seen: &[(f64, f64)], hand: f64) -> bool {
        seen.iter().all(|(x, y)| self.beyond(x * hand, *y) > HAIR)
    }

    /// The outline of the arc out to a distance: front edge, borders, and a rim between them.
    pub fn outline(&self, out_to: Length) -> Vec<Vec2> {
        /// Corners along the rim: enough to look round.
        const RIM: u16 = 8;
        let reach = out_to.as_f64();
        let side = self.forward.perp_right();
        let ray = |share: f64| {
            // From the left border, over straight ahead, to the right one.
            let sideways = self.sin * share;
            let ahead = (1.0 - sideways * sideways).max(0.0).sqrt();
            (side * sideways + self.forward * ahead) * reach
        };
        let rim = (0..=RIM).map(|no| {
            let share = f64::from(no) / f64::from(RIM) * 2.0 - 1.0;
            let corner = if share < 0.0 { self.front.0 } else { self.front.1 };
            corner + ray(share)
        });
        [self.front.1, self.front.0].into_iter().chain(rim).collect()
    }
}

/// The part of a convex polygon that is not beyond a line.
fn kept(polygon: &[Vec2], beyond: impl Fn(Vec2) -> f64) -> Polygon {
    let mut kept = Polygon::new();
    for (no, &place) in polygon.iter().enumerate() {
        let next = polygon.get(no + 1).or(polygon.first()).copied().unwrap_or(place);
        let (here, there) = (beyond(place), beyond(next));
        if here <= 0.0 {
            kept.push(place);
        }
        if (here <= 0.0) != (there <= 0.0) {
            kept.push(place.lerp(next, here / (here - there)));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// PV-17: a stand with its front corners half an inch to either side of the origin.
    #[test]
    fn arcs_open_from_the_front_corners() {
        let inch = Length::whole_inches(1);
        let stand = table::Footprint { width: inch, depth: inch }.quad(table::Pose::default());
        let sees = |half: f64, x: f64, y: f64| {
            let place = Vec2 { x, y } * inch.as_f64();
            Arc::of(&stand, Angle::degrees(half)).contains(place)
        };
        assert!(sees(45.0, 2.4, 2.0) && !sees(45.0, 3.0, 2.0));
        assert!(sees(22.5, 1.3, 2.0) && !sees(22.5, 1.4, 2.0));
        assert!(sees(90.0, 30.0, 0.1) && !sees(90.0, 0.0, -0.1));
    }

    #[test]
    fn ranges_are_measured_to_what_lies_in_the_arc() {
        let inch = Length::whole_inches(1);
        let foot = table::Footprint { width: inch, depth: inch };
        let at = |x: f64, y: f64, facing| {
            let place = table::Point::new(Length::inches(x), Length::inches(y));
            foot.quad(table::Pose { at: place, facing: Angle::whole(facing) })
        };
        let arc = Arc::of(&at(0.0, 0.0, 0), Angle::whole(45));
        let far = |quad: &Quad| arc.nearest(quad).map(|(_, length)| length.as_inches());
        assert!((far(&at(0.0, 4.0, 180)).unwrap() - 4.0).abs() < 1e-3);
        assert!(far(&at(6.0, 2.0, 180)).is_none() && far(&at(0.0, -2.0, 0)).is_none());
        // Half of it is in the arc: the corner that lies nearer does not count.
        let part = far(&at(3.0, 3.0, 180)).unwrap();
        assert!(part > 3.5 && part < 4.3, "{part}");
    }
}
