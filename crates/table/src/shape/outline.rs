//! Keeps the shapes of terrain: outlines as people write them, cut once into convex parts that measure quickly.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use thiserror::Error;

use super::decompose::{self, Flaw};
use super::{Bounds, Quad, SLACK_UM, convex, disc};
use crate::length::Length;
use crate::pose::Point;
use crate::trig;
use crate::vec2::{Vec2, greater, lesser};

/// More corners than this are a drawing, not a piece of terrain.
const MOST_POINTS: usize = 512;
/// Corners of the polygon drawn for a disc.
const DISC_CORNERS: u32 = 48;
/// Intervals closer than this fraction run into each other.
const SEAM: f64 = 1e-9;

/// How much larger than a part its box is, in micrometres: more than rounding could ever hide.
const HAIR: f64 = 1.0;

/// Fractions of a segment or of a movement, sorted and apart.
pub type Intervals = SmallVec<[(f64, f64); 4]>;

/// The outline of a piece of terrain as it rests in files.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outline {
    /// A simple polygon of at least three corners, which may be concave.
    Area(Vec<Point>),
    /// A chain of at least two points with a width.
    Line {
        /// The points in order.
        points: Vec<Point>,
        /// Across the line; may be zero.
        #[serde(default)]
        width: Length,
    },
    /// A circle.
    Disc {
        /// The middle.
        centre: Point,
        /// From the middle to the border.
        radius: Length,
    },
}

/// Why an outline is no shape.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ShapeError {
    /// An area needs three different points, a line two.
    #[error("the outline has {got} different points: expected at least {need}")]
    TooFewPoints {
        /// Different points given.
        got: usize,
        /// Points needed.
        need: usize,
    },
    /// The outline is too fine.
    #[error("the outline has {got} points: expected at most 512")]
    TooManyPoints {
        /// Points given.
        got: usize,
    },
    /// Two edges meet that are not neighbours.
    #[error("the outline crosses or touches itself near ({}, {})", near.x, near.y)]
    SelfCrossing {
        /// A corner of one of the edges.
        near: Point,
    },
    /// Nothing can stand inside.
    #[error("the outline encloses no area")]
    ZeroArea,
    /// A width below zero.
    #[error("the line is {width} wide: expected zero or more")]
    NegativeWidth {
        /// The width given.
        width: Length,
    },
}

/// A piece of ground: an outline with its convex parts and bounding box, built once.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Outline", into = "Outline")]
pub struct Shape {
    bounds: Bounds,
    /// Middle and half measures of the bounds, ready for the quick rejection of lines of sight.
    middle_and_half: (Vec2, Vec2),
    disc: Option<(Vec2, f64)>,
    parts: Vec<Part>,
    /// The box around each part, a hair larger: what lies outside needs no closer look.
    boxes: Vec<Bounds>,
    outline: Outline,
}

type Part = SmallVec<[Vec2; 4]>;

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        self.outline == other.outline
    }
}

impl Eq for Shape {}

impl TryFrom<Outline> for Shape {
    type Error = ShapeError;
    fn try_from(outline: Outline) -> Result<Self, ShapeError> {
        Shape::new(outline)
    }
}

impl From<Shape> for Outline {
    fn from(shape: Shape) -> Self {
        shape.outline
    }
}

impl Shape {
    /// Builds the shape, or says what is wrong with the outline.
    pub fn new(outline: Outline) -> Result<Shape, ShapeError> {
        let mut round = None;
        let parts = match &outline {
            Outline::Area(ring) => area_parts(ring)?,
            Outline::Line { points, width } => line_parts(points, *width)?,
            Outline::Disc { centre, radius } => {
                if *radius <= Length::ZERO {
                    return Err(ShapeError::ZeroArea);
                }
                round = Some((centre.vec(), radius.as_f64()));
                Vec::new()
            }
        };
        let bounds = match round {
            Some((centre, radius)) => Bounds { min: centre, max: centre }.grown(radius),
            None => Bounds::around(&parts.iter().flatten().copied().collect::<Vec<_>>()),
        };
        let middle_and_half = (bounds.centre(), (bounds.max - bounds.min) * 0.5);
        let boxes = parts.iter().map(|part| Bounds::around(part).grown(HAIR)).collect();
        Ok(Shape { bounds, middle_and_half, disc: round, parts, boxes, outline })
    }

    /// The outline as it rests in files.
    #[inline]
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The box around the shape.
    #[inline]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    #[inline]
    pub(crate) fn middle_and_half(&self) -> (Vec2, Vec2) {
        self.middle_and_half
    }

    /// The convex parts; a disc has none and measures by its own mathematics.
    #[inline]
    pub fn parts(&self) -> impl Iterator<Item = &[Vec2]> {
        self.parts.iter().map(|part| part.as_slice())
    }

    /// The parts with the boxes around them.
    #[inline]
    fn boxed(&self) -> impl Iterator<Item = (&Bounds, &[Vec2])> {
        self.boxes.iter().zip(self.parts.iter().map(|part| part.as_slice()))
    }

    /// The least of what is measured to each part, leaving out parts whose box alone lies further off.
    fn least(&self, from: &Bounds, measure: impl Fn(&[Vec2]) -> f64) -> f64 {
        let mut least = f64::INFINITY;
        for (around, part) in self.boxed() {
            if around.gap_squared(from) <= least * least {
                least = lesser(measure(part), least);
            }
        }
        least
    }

    /// Whether the shape is a line, with or without a width.
    #[inline]
    pub fn is_line(&self) -> bool {
        matches!(self.outline, Outline::Line { .. })
    }

    /// Whether the shape is a line without a width, which can be crossed but not entered.
    #[inline]
    pub fn is_thin(&self) -> bool {
        matches!(self.outline, Outline::Line { width: Length::ZERO, .. })
    }

    /// Whether a place lies in the shape, its border included.
    #[inline]
    pub fn contains(&self, place: Vec2) -> bool {
        if !self.bounds.contains(place) {
            return false;
        }
        match self.disc {
            Some((centre, radius)) => (place - centre).length_squared() <= radius * radius,
            None => self.boxed().any(|(around, part)| around.contains(place) && convex::contains(part, place)),
        }
    }

    /// The distance from a place to the shape; zero inside.
    pub fn distance(&self, place: Vec2) -> f64 {
        match self.disc {
            Some((centre, radius)) => greater(place.distance(centre) - radius, 0.0),
            None => self.least(&Bounds { min: place, max: place }, |part| convex::distance(part, place)),
        }
    }

    /// The gap to a rectangle; zero where they touch or overlap.
    pub fn gap_to(&self, quad: &Quad) -> f64 {
        match self.disc {
            Some((centre, radius)) => greater(convex::distance(&quad.corners, centre) - radius, 0.0),
            None => self.least(&quad.bounds(), |part| convex::gap(part, &quad.corners)),
        }
    }

    /// Whether a rectangle overlaps the shape deeper than [`SLACK`](crate::SLACK).
    #[inline]
    pub fn overlaps_quad(&self, quad: &Quad) -> bool {
        let around = quad.bounds();
        if !self.bounds.meets(&around) {
            return false;
        }
        match self.disc {
            Some((centre, radius)) if convex::contains(&quad.corners, centre) => {
                radius + convex::border_distance(&quad.corners, centre) > SLACK_UM
            }
            Some((centre, radius)) => radius - convex::border_distance(&quad.corners, centre) > SLACK_UM,
            None => self.boxed().any(|(own, part)| own.meets(&around) && convex::overlaps(part, &quad.corners)),
        }
    }

    /// The parts of a segment inside the shape, its border included, as fractions of the segment.
    #[inline]
    pub fn clip(&self, segment: (Vec2, Vec2)) -> Intervals {
        let near = self.bounds.meets(&Bounds::around(&[segment.0, segment.1]));
        if near { self.clip_near(segment) } else { Intervals::new() }
    }

    /// The same for a segment that is known to pass near.
    pub(crate) fn clip_near(&self, segment: (Vec2, Vec2)) -> Intervals {
        let mut intervals = Intervals::new();
        match self.disc {
            Some((centre, radius)) => intervals.extend(disc::clip(segment, centre, radius)),
            None => {
                let along = Bounds::around(&[segment.0, segment.1]);
                for (around, part) in self.boxed() {
                    if around.meets(&along)
                        && let Some(interval) = convex::clip_anticlockwise(segment, part)
                    {
                        intervals.push(interval);
                    }
                }
            }
        }
        merged(intervals)
    }

    /// When a rectangle moving along `by` in the time from 0 to 1 overlaps the shape deeper than
    /// [`SLACK`](crate::SLACK).
    pub fn sweep(&self, quad: &Quad, by: Vec2) -> Intervals {
        let mut intervals = Intervals::new();
        let (start, end) = (quad.bounds(), quad.shifted(by).bounds());
        let path = Bounds::around(&[start.min, start.max, end.min, end.max]);
        if !self.bounds.meets(&path) || !by.is_finite() {
            return intervals;
        }
        match self.disc {
            Some((centre, radius)) => intervals.extend(disc::sweep(quad, by, centre, radius - SLACK_UM)),
            None => intervals.extend(
                self.boxed()
                    .filter(|(around, _)| around.meets(&path))
                    .filter_map(|(_, part)| convex::sweep_deeper(&quad.corners, by, part, SLACK_UM)),
            ),
        }
        merged(intervals)
    }

    /// A place to write the name: the centroid of an area, half way along a line, the middle of a disc.
    pub fn centre(&self) -> Vec2 {
        match &self.outline {
            Outline::Disc { centre, .. } => centre.vec(),
            Outline::Area(ring) => centroid(&ring.iter().map(|point| point.vec()).collect::<Vec<_>>())
                .unwrap_or_else(|| self.bounds.centre()),
            Outline::Line { points, .. } => half_way(points).unwrap_or_else(|| self.bounds.centre()),
        }
    }

    /// The corners for drawing: the polygon of an area or disc, the middle line of a line.
    pub fn corners(&self) -> Vec<Vec2> {
        match &self.outline {
            Outline::Area(points) | Outline::Line { points, .. } => points.iter().map(|point| point.vec()).collect(),
            Outline::Disc { centre, radius } => (0..DISC_CORNERS)
                .map(|no| {
                    let (sin, cos) = trig::sin_cos(TAU * f64::from(no) / f64::from(DISC_CORNERS));
                    centre.vec() + Vec2 { x: sin, y: cos } * radius.as_f64()
                })
                .collect(),
        }
    }
}

fn area_parts(ring: &[Point]) -> Result<Vec<Part>, ShapeError> {
    if ring.len() > MOST_POINTS {
        return Err(ShapeError::TooManyPoints { got: ring.len() });
    }
    let cut = decompose::cut(ring).map_err(|flaw| match flaw {
        Flaw::TooFew => {
            let mut different = ring.to_vec();
            different.sort_unstable();
            different.dedup();
            ShapeError::TooFewPoints { got: different.len(), need: 3 }
        }
        Flaw::NoArea => ShapeError::ZeroArea,
        Flaw::Crossing(near) => ShapeError::SelfCrossing { near },
    })?;
    let place = |no: &usize| cut.corners.get(*no).map_or(Vec2::ZERO, |point| point.vec());
    Ok(cut.parts.iter().map(|part| part.iter().map(place).collect()).collect())
}

fn line_parts(points: &[Point], width: Length) -> Result<Vec<Part>, ShapeError> {
    if points.len() > MOST_POINTS {
        return Err(ShapeError::TooManyPoints { got: points.len() });
    }
    if width.is_negative() {
        return Err(ShapeError::NegativeWidth { width });
    }
    let mut chain: Vec<Vec2> = points.iter().map(|point| point.vec()).collect();
    chain.dedup();
    if chain.len() < 2 {
        return Err(ShapeError::TooFewPoints { got: chain.len(), need: 2 });
    }
    let half = width.as_f64() * 0.5;
    let mut parts = Vec::new();
    for pair in chain.windows(2) {
        let &[from, to] = pair else { continue };
        if width == Length::ZERO {
            parts.push(Part::from_slice(&[from, to]));
        } else {
            let right = (to - from).normalised().perp_right() * half;
            parts.push(Part::from_slice(&[from - right, from + right, to + right, to - right]));
        }
    }
    if width > Length::ZERO {
        parts.extend(chain.windows(3).filter_map(|three| elbow(three, half)));
    }
    Ok(parts)
}

/// The wedge on the outside of a bend, which the two straight pieces leave open.
fn elbow(three: &[Vec2], half: f64) -> Option<Part> {
    let &[before, bend, after] = three else { return None };
    let (along, onward) = ((bend - before).normalised(), (after - bend).normalised());
    let turn = along.cross(onward);
    if turn == 0.0 {
        return None;
    }
    // Where the line turns left the open side is the right one.
    let outside = if turn > 0.0 { half } else { -half };
    let (first, second) = (bend + along.perp_right() * outside, bend + onward.perp_right() * outside);
    // Parts run anticlockwise.
    Some(if turn > 0.0 { Part::from_slice(&[bend, first, second]) } else { Part::from_slice(&[bend, second, first]) })
}

/// Sorts intervals and joins those that meet.
pub(crate) fn merged(mut intervals: Intervals) -> Intervals {
    if intervals.len() < 2 {
        return intervals;
    }
    intervals.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    let mut joined = Intervals::new();
    for (enter, leave) in intervals {
        match joined.last_mut() {
            Some(last) if enter <= last.1 + SEAM => last.1 = greater(leave, last.1),
            _ => joined.push((enter, leave)),
        }
    }
    joined
}

fn centroid(ring: &[Vec2]) -> Option<Vec2> {
    let &origin = ring.first()?;
    let (mut sum, mut twice_area) = (Vec2::ZERO, 0.0);
    for pair in ring.windows(2) {
        let &[a, b] = pair else { continue };
        let (a, b) = (a - origin, b - origin);
        let weight = a.cross(b);
        sum += (a + b) * weight;
        twice_area += weight;
    }
    (twice_area != 0.0).then(|| origin + sum * (1.0 / (3.0 * twice_area)))
}

fn half_way(points: &[Point]) -> Option<Vec2> {
    let pieces: Vec<(Vec2, Vec2)> =
        points.windows(2).filter_map(|pair| Some((pair.first()?.vec(), pair.get(1)?.vec()))).collect();
    let mut left = pieces.iter().map(|(from, to)| from.distance(*to)).sum::<f64>() * 0.5;
    for (from, to) in pieces {
        let length = from.distance(to);
        if length > 0.0 && left <= length {
            return Some(from.lerp(to, left / length));
        }
        left -= length;
    }
    points.last().map(|point| point.vec())
}
