//! Keeps marching: legs as they are ordered, and the track of a body swept along them.

mod leg;
mod stage;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::length::Length;
use crate::pose::Pose;
use crate::shape::{Bounds, Footprint, Quad, Shape, convex};
use crate::terrain::Ground;
use crate::vec2::{Vec2, greater};

pub use leg::{Leg, LegError};

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
    /// The rectangle at the start.
    quad: Quad,
    /// The box around all the ground swept over, with room for rounding.
    bounds: Bounds,
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
    quad: Quad,
    /// The box around all stages.
    bounds: Bounds,
    stages: SmallVec<[Stage; 4]>,
}

impl Track {
    /// Follows the legs from a start, one stage for each leg.
    pub fn plot(start: Pose, footprint: Footprint, legs: &[Leg]) -> Track {
        let quad = footprint.quad(start);
        let (mut from, mut bounds) = (start, quad.bounds());
        let stages = legs.iter().map(|&leg| {
            let stage = Stage::of(leg, from, footprint);
            from = stage.to;
            bounds = bounds.joined(&stage.bounds);
            stage
        });
        Track { stages: stages.collect(), start, quad, bounds }
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
        let around = Bounds::around(other);
        if !self.bounds.meets(&around) {
            return None;
        }
        if convex::overlaps(self.quad.points(), other) {
            return Some(Meeting { stage: 0, fraction: 0.0, at: self.start });
        }
        self.stages.iter().enumerate().find_map(|(no, stage)| {
            let fraction = if stage.bounds.meets(&around) { stage.meets(other)? } else { return None };
            Some(Meeting { stage: no, fraction, at: stage.at(fraction) })
        })
    }

    /// The length walked while any part of the footprint overlaps the shape deeper than [`SLACK`](crate::SLACK).
    pub fn inside(&self, shape: &Shape) -> Length {
        let near = |stage: &&Stage| stage.bounds.meets(&shape.bounds());
        Length::from_um(self.stages.iter().filter(near).map(|stage| stage.inside(shape)).sum())
    }

    /// Whether the footprint overlaps the shape deeper than [`SLACK`](crate::SLACK) anywhere on the track.
    pub fn crosses(&self, shape: &Shape) -> bool {
        self.bounds.meets(&shape.bounds())
            && (shape.overlaps_quad(&self.quad) || self.stages.iter().any(|stage| stage.crosses(shape)))
    }

    /// Whether the footprint never leaves the table.
    pub fn stays_on(&self, ground: &Ground) -> bool {
        ground.holds(&self.quad) && self.stages.iter().all(|stage| stage.stays_on(ground))
    }
}
