//! Keeps the stages of a track: where one leg takes a body and what it meets on the way.

use super::{Leg, Motion, Stage};
use crate::angle::{Angle, millidegrees_to_radians};
use crate::arc::Flank;
use crate::length::Length;
use crate::pose::{Point, Pose};
use crate::shape::{Bounds, Footprint, Quad, SLACK_UM, Shape, convex};
use crate::terrain::Ground;
use crate::trig;
use crate::vec2::{Vec2, greater};

/// A swing is sampled at least this often.
const MOST_STEP: i32 = 2_000;
/// Halvings of a step in search of a border: two degrees come down to two millidegrees.
const BORDER_HALVINGS: u32 = 10;
/// Deeper than the tolerance by a hair, because a sweep finds depths of at least so much and not of more.
const DEEPER: f64 = SLACK_UM + 0.001;
/// A mover halts where the overlap is half the tolerance: it touches, and rounding cannot make it overlap.
const HALT_DEPTH: f64 = SLACK_UM * 0.5;
/// Poses on the way are rounded to whole micrometres, so boxes around them need a little room.
const ROOM: f64 = 2.0;

impl Stage {
    /// What a leg does to a body in a pose.
    pub(super) fn of(leg: Leg, from: Pose, footprint: Footprint) -> Stage {
        let half_width = greater(footprint.width.as_f64(), 0.0) * 0.5;
        match leg {
            Leg::Ahead(by) => Stage::slide(from, footprint, from.ahead(by), by.abs()),
            Leg::Back(by) => Stage::slide(from, footprint, from.ahead(-by), by.abs()),
            Leg::Sideways(by) => Stage::slide(from, footprint, from.sideways(by), by.abs()),
            Leg::Oblique { by, go } => {
                let direction = (from.facing + by).unit();
                Stage::slide(from, footprint, from.shifted(direction * go.as_f64()), go.abs())
            }
            Leg::Straight(point) => {
                Stage::slide(from, footprint, Pose { at: point, facing: from.facing }, from.at.distance(point))
            }
            Leg::Turn(by) => Stage::swing(from, footprint, Swing { side: 0.0, radius: half_width, by: by.signed() }),
            Leg::Wheel { pivot, by } => {
                let by = by.min(Angle::SOUTH).as_millidegrees();
                let (side, by) = match pivot {
                    Flank::Left => (-half_width, -by),
                    Flank::Right => (half_width, by),
                };
                Stage::swing(from, footprint, Swing { side, radius: half_width * 2.0, by })
            }
            Leg::About => {
                let quad = footprint.quad(from);
                Stage {
                    from,
                    to: from.about(footprint.depth),
                    footprint,
                    motion: Motion::Flip,
                    travelled: Length::ZERO,
                    outer_arc: Length::ZERO,
                    quad,
                    bounds: quad.bounds().grown(ROOM),
                }
            }
        }
    }

    fn slide(from: Pose, footprint: Footprint, to: Pose, travelled: Length) -> Stage {
        let quad = footprint.quad(from);
        let by = to.at.vec() - from.at.vec();
        let bounds = quad.bounds().joined(&quad.shifted(by).bounds()).grown(ROOM);
        Stage { from, to, footprint, motion: Motion::Slide(by), travelled, outer_arc: travelled, quad, bounds }
    }

    fn swing(from: Pose, footprint: Footprint, swing: Swing) -> Stage {
        let Swing { side, radius, by } = swing;
        let turn = Angle::millidegrees(by);
        let facing = from.facing + turn;
        let pivot = from.to_world(Vec2 { x: side, y: 0.0 });
        // The pivot of a turn is the flag itself, which stays to the micrometre.
        let flag = pivot - facing.unit().perp_right() * side;
        let size = millidegrees_to_radians(f64::from(by).abs());
        let quad = footprint.quad(from);
        Stage {
            from,
            to: Pose { at: Point::from_vec(flag), facing },
            footprint,
            motion: Motion::Swing { pivot, by },
            travelled: Length::from_um(2.0 * radius * trig::sin(size * 0.5)),
            outer_arc: Length::from_um(radius * size),
            quad,
            bounds: swing_bounds(&quad, pivot, by).grown(ROOM),
        }
    }

    /// The pose after a fraction of the stage; both ends are copied, not computed.
    pub fn at(&self, fraction: f64) -> Pose {
        if fraction >= 1.0 {
            return self.to;
        }
        if fraction <= 0.0 || fraction.is_nan() {
            return self.from;
        }
        match self.motion {
            Motion::Slide(by) => self.from.shifted(by * fraction),
            Motion::Swing { by, .. } => self.swung((f64::from(by) * fraction).round() as i32),
            Motion::Flip => self.from,
        }
    }

    /// The pose after so many millidegrees of a swing.
    fn swung(&self, by: i32) -> Pose {
        let Motion::Swing { pivot, by: whole } = self.motion else {
            return self.from;
        };
        if by == whole {
            return self.to;
        }
        let turn = Angle::millidegrees(by);
        let flag = pivot + (self.from.at.vec() - pivot).turned(turn);
        Pose { at: Point::from_vec(flag), facing: self.from.facing + turn }
    }

    fn quad_at(&self, fraction: f64) -> Quad {
        self.footprint.quad(self.at(fraction))
    }

    /// The rectangles at the start, at every step of a swing, and at the end.
    fn samples(&self) -> impl Iterator<Item = (f64, Quad)> + '_ {
        let steps = match self.motion {
            Motion::Swing { by, .. } => ((by.abs() + MOST_STEP - 1) / MOST_STEP).max(1),
            Motion::Slide(_) | Motion::Flip => 1,
        };
        (0..=steps).map(move |step| {
            let fraction = f64::from(step) / f64::from(steps);
            (fraction, self.quad_at(fraction))
        })
    }

    /// The fraction of the stage at which the mover halts before a polygon it was clear of at the start.
    pub(super) fn meets(&self, other: &[Vec2]) -> Option<f64> {
        match self.motion {
            Motion::Flip => None,
            Motion::Slide(by) => {
                // Only what gets deeper than the tolerance is met, but the mover halts before it is that deep.
                convex::sweep_deeper(self.quad.points(), by, other, DEEPER)?;
                Some(convex::sweep_deeper(self.quad.points(), by, other, HALT_DEPTH)?.0)
            }
            Motion::Swing { by, .. } => {
                let mut clear = 0.0;
                for (fraction, quad) in self.samples() {
                    if convex::overlaps(quad.points(), other) {
                        return Some(self.last_clear(clear, fraction, by, other));
                    }
                    clear = fraction;
                }
                None
            }
        }
    }

    /// Halves the step between a clear and an overlapping moment of a swing down to one millidegree.
    fn last_clear(&self, clear: f64, overlapping: f64, by: i32, other: &[Vec2]) -> f64 {
        let whole = f64::from(by);
        let (mut low, mut high) = ((whole * clear).round() as i32, (whole * overlapping).round() as i32);
        while (high - low).abs() > 1 {
            let middle = low + (high - low) / 2;
            if convex::overlaps(self.footprint.quad(self.swung(middle)).points(), other) {
                high = middle;
            } else {
                low = middle;
            }
        }
        f64::from(low) / whole
    }

    /// Whether the body never leaves the table.
    pub(super) fn stays_on(&self, ground: &Ground) -> bool {
        let table = ground.bounds();
        let surely = table.contains(self.bounds.min) && table.contains(self.bounds.max);
        surely || self.samples().all(|(_, quad)| ground.holds(&quad))
    }

    /// Whether the body overlaps a shape anywhere on the way.
    pub(super) fn crosses(&self, shape: &Shape) -> bool {
        match self.motion {
            Motion::Slide(by) => !shape.sweep(&self.quad, by).is_empty(),
            Motion::Swing { .. } | Motion::Flip => self.samples().any(|(_, quad)| shape.overlaps_quad(&quad)),
        }
    }

    /// The length of the stage inside a shape, in micrometres.
    pub(super) fn inside(&self, shape: &Shape) -> f64 {
        let travelled = self.travelled.as_f64();
        match self.motion {
            Motion::Flip => 0.0,
            Motion::Slide(by) => {
                let intervals = shape.sweep(&self.quad, by);
                intervals.iter().map(|(enter, leave)| leave - enter).sum::<f64>() * travelled
            }
            Motion::Swing { .. } => {
                let mut sum = 0.0;
                let mut before: Option<(f64, bool)> = None;
                for (fraction, quad) in self.samples() {
                    let inside = shape.overlaps_quad(&quad);
                    sum += match before {
                        Some((earlier, true)) if inside => fraction - earlier,
                        Some((earlier, true)) => self.border(shape, earlier, fraction) - earlier,
                        Some((earlier, false)) if inside => fraction - self.border(shape, fraction, earlier),
                        Some(_) | None => 0.0,
                    };
                    before = Some((fraction, inside));
                }
                sum * travelled
            }
        }
    }
    /// The moment of a swing at which the mover passes the border of a shape, between one inside and one outside.
    fn border(&self, shape: &Shape, mut inside: f64, mut outside: f64) -> f64 {
        for _ in 0..BORDER_HALVINGS {
            let middle = (inside + outside) * 0.5;
            if shape.overlaps_quad(&self.quad_at(middle)) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside
    }
}

/// A swing to be plotted.
struct Swing {
    /// The pivot's place on the front edge, to the right of the flag.
    side: f64,
    /// From the pivot to the front corner that moves most.
    radius: f64,
    /// In millidegrees, clockwise positive.
    by: i32,
}

/// The box around a rectangle that swings by at most half a turn.
fn swing_bounds(quad: &Quad, pivot: Vec2, by: i32) -> Bounds {
    const AXES: [Vec2; 4] =
        [Vec2 { x: 0.0, y: 1.0 }, Vec2 { x: 1.0, y: 0.0 }, Vec2 { x: 0.0, y: -1.0 }, Vec2 { x: -1.0, y: 0.0 }];
    let (sin, cos) = Angle::millidegrees(by).sin_cos();
    let mut bounds = quad.bounds();
    for corner in quad.corners {
        let start = corner - pivot;
        let end = Vec2 { x: start.x * cos + start.y * sin, y: start.y * cos - start.x * sin };
        bounds = bounds.joined(&Bounds { min: pivot + end, max: pivot + end });
        let (first, last) = if by > 0 { (start, end) } else { (end, start) };
        // An arc is widest where it passes straight north, east, south or west of its pivot.
        for axis in AXES {
            if first.cross(axis) <= 0.0 && axis.cross(last) <= 0.0 {
                let widest = pivot + axis * start.length();
                bounds = bounds.joined(&Bounds { min: widest, max: widest });
            }
        }
    }
    bounds
}
