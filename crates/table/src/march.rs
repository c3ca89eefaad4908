//! Keeps marching: legs as they are ordered, and the track of a body swept along them.

mod leg;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::angle::{Angle, millidegrees_to_radians};
use crate::arc::Flank;
use crate::length::Length;
use crate::pose::{Point, Pose};
use crate::shape::{Footprint, Quad, SLACK_UM, Shape, convex};
use crate::terrain::Ground;
use crate::trig;
use crate::vec2::{Vec2, greater};

pub use leg::{Leg, LegError};

/// A swing is sampled at least this often.
const MOST_STEP: i32 = 2_000;
/// Deeper than the tolerance by a hair, because a sweep finds depths of at least so much and not of more.
const DEEPER: f64 = SLACK_UM + 0.001;
/// A mover halts where the overlap is half the tolerance: it touches, and rounding cannot make it overlap.
const HALT_DEPTH: f64 = SLACK_UM * 0.5;

/// How a body moves in one stage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Motion {
    /// Straight, with the facing kept.
    Slide(Vec2),
    /// Round a fixed place.
    Swing {
        /// The fixed place.
        pivot: Vec2,
        /// In millidegrees, clockwise positive.
        by: i32,
    },
    /// The about-turn on the spot.
    Flip,
}

/// What one leg does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stage {
    /// Where it starts.
    pub from: Pose,
    /// Where it ends.
    pub to: Pose,
    /// The rectangle that moves.
    pub footprint: Footprint,
    /// How it moves.
    pub motion: Motion,
    /// The straight length; for a turn or wheel the longest straight distance between start and end of either front
    /// corner; zero for an about-turn.
    pub travelled: Length,
    /// The way of the outer front corner along its arc; for a straight stage the same as `travelled`.
    pub outer_arc: Length,
}

/// The first overlap on a track.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Meeting {
    /// The number of the stage.
    pub stage: usize,
    /// How much of the stage is done by then.
    pub fraction: f64,
    /// The pose in which the mover would halt: it touches what it meets and does not overlap it deeper than
    /// [`SLACK`](crate::SLACK), unless it did so from the start.
    pub at: Pose,
}

/// A body swept along its legs.
#[derive(Clone, PartialEq, Debug)]
pub struct Track {
    start: Pose,
    footprint: Footprint,
    stages: SmallVec<[Stage; 4]>,
}

impl Track {
    /// Follows the legs from a start, one stage for each leg.
    pub fn plot(start: Pose, footprint: Footprint, legs: &[Leg]) -> Track {
        let mut from = start;
        let stages = legs.iter().map(|&leg| {
            let stage = Stage::of(leg, from, footprint);
            from = stage.to;
            stage
        });
        Track { stages: stages.collect(), start, footprint }
    }

    /// Where the track starts.
    pub fn start(&self) -> Pose {
        self.start
    }

    /// Where the track ends.
    pub fn end(&self) -> Pose {
        self.stages.last().map_or(self.start, |stage| stage.to)
    }

    /// The stages, one for each leg.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// The length travelled in all stages together.
    pub fn length(&self) -> Length {
        self.stages.iter().map(|stage| stage.travelled).sum()
    }

    /// The pose after a fraction of the length; a fraction of 1 or more is the end.
    pub fn at(&self, fraction: f64) -> Pose {
        if fraction >= 1.0 {
            return self.end();
        }
        let mut left = self.length().as_f64() * greater(fraction, 0.0);
        for stage in &self.stages {
            let travelled = stage.travelled.as_f64();
            if left < travelled || left <= 0.0 {
                return if travelled > 0.0 { stage.at(left / travelled) } else { stage.from };
            }
            left -= travelled;
        }
        self.end()
    }

    /// The first overlap with a convex polygon deeper than [`SLACK`](crate::SLACK).
    ///
    /// Straight stages are swept exactly; swings are stepped at most 2° at a time.
    pub fn meets(&self, other: &[Vec2]) -> Option<Meeting> {
        if convex::overlaps(self.footprint.quad(self.start).points(), other) {
            return Some(Meeting { stage: 0, fraction: 0.0, at: self.start });
        }
        self.stages.iter().enumerate().find_map(|(no, stage)| {
            let fraction = stage.meets(other)?;
            Some(Meeting { stage: no, fraction, at: stage.at(fraction) })
        })
    }

    /// The length walked while any part of the footprint overlaps the shape deeper than [`SLACK`](crate::SLACK).
    pub fn inside(&self, shape: &Shape) -> Length {
        Length::from_um(self.stages.iter().map(|stage| stage.inside(shape)).sum())
    }

    /// Whether the footprint overlaps the shape deeper than [`SLACK`](crate::SLACK) anywhere on the track.
    pub fn crosses(&self, shape: &Shape) -> bool {
        shape.overlaps_quad(&self.footprint.quad(self.start)) || self.stages.iter().any(|stage| stage.crosses(shape))
    }

    /// Whether the footprint never leaves the table.
    pub fn stays_on(&self, ground: &Ground) -> bool {
        ground.holds(&self.footprint.quad(self.start))
            && self.stages.iter().all(|stage| stage.samples().all(|(_, quad)| ground.holds(&quad)))
    }
}

impl Stage {
    fn of(leg: Leg, from: Pose, footprint: Footprint) -> Stage {
        let half_width = greater(footprint.width.as_f64(), 0.0) * 0.5;
        let slide = |to: Pose, travelled: Length| Stage {
            from,
            to,
            footprint,
            motion: Motion::Slide(to.at.vec() - from.at.vec()),
            travelled,
            outer_arc: travelled,
        };
        let swing = |pivot: Vec2, radius: f64, to: Pose, by: i32| {
            let size = millidegrees_to_radians(f64::from(by).abs());
            Stage {
                from,
                to,
                footprint,
                motion: Motion::Swing { pivot, by },
                travelled: Length::from_um(2.0 * radius * trig::sin(size * 0.5)),
                outer_arc: Length::from_um(radius * size),
            }
        };
        match leg {
            Leg::Ahead(by) => slide(from.ahead(by), by.abs()),
            Leg::Back(by) => slide(from.ahead(-by), by.abs()),
            Leg::Sideways(by) => slide(from.sideways(by), by.abs()),
            Leg::Oblique { by, go } => slide(from.shifted((from.facing + by).unit() * go.as_f64()), go.abs()),
            Leg::Straight(point) => slide(Pose { at: point, facing: from.facing }, from.at.distance(point)),
            Leg::Turn(by) => swing(from.at.vec(), half_width, from.turned(by), by.signed()),
            Leg::Wheel { pivot, by } => {
                let (side, sign) = match pivot {
                    Flank::Left => (-half_width, -1),
                    Flank::Right => (half_width, 1),
                };
                let by = by.min(Angle::SOUTH).as_millidegrees() * sign;
                let facing = from.facing + Angle::millidegrees(by);
                let pivot = from.to_world(Vec2 { x: side, y: 0.0 });
                let flag = pivot - facing.unit().perp_right() * side;
                swing(pivot, half_width * 2.0, Pose { at: Point::from_vec(flag), facing }, by)
            }
            Leg::About => Stage {
                from,
                to: from.about(footprint.depth),
                footprint,
                motion: Motion::Flip,
                travelled: Length::ZERO,
                outer_arc: Length::ZERO,
            },
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
    fn meets(&self, other: &[Vec2]) -> Option<f64> {
        match self.motion {
            Motion::Flip => None,
            Motion::Slide(by) => {
                let quad = self.footprint.quad(self.from);
                // Only what gets deeper than the tolerance is met, but the mover halts before it is that deep.
                convex::sweep_deeper(quad.points(), by, other, DEEPER)?;
                Some(convex::sweep_deeper(quad.points(), by, other, HALT_DEPTH)?.0)
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

    fn crosses(&self, shape: &Shape) -> bool {
        match self.motion {
            Motion::Slide(by) => !shape.sweep(&self.footprint.quad(self.from), by).is_empty(),
            Motion::Swing { .. } | Motion::Flip => self.samples().any(|(_, quad)| shape.overlaps_quad(&quad)),
        }
    }

    /// The length of the stage inside a shape, in micrometres.
    fn inside(&self, shape: &Shape) -> f64 {
        let travelled = self.travelled.as_f64();
        match self.motion {
            Motion::Flip => 0.0,
            Motion::Slide(by) => {
                let intervals = shape.sweep(&self.footprint.quad(self.from), by);
                intervals.iter().map(|(enter, leave)| leave - enter).sum::<f64>() * travelled
            }
            Motion::Swing { .. } => {
                // Each step counts by its two ends: half where only one of them is inside.
                let mut sum = 0.0;
                let mut before: Option<(f64, bool)> = None;
                for (fraction, quad) in self.samples() {
                    let inside = shape.overlaps_quad(&quad);
                    if let Some((earlier, was_inside)) = before {
                        sum += (fraction - earlier) * 0.5 * f64::from(u8::from(inside) + u8::from(was_inside));
                    }
                    before = Some((fraction, inside));
                }
                sum * travelled
            }
        }
    }
}
