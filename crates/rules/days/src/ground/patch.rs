//! Patches: features of the table and what the battle added to them, each as land with a weight and a shape.

use super::{feature, land_of, nature, weight};
use crate::charts::reach;
use crate::event::{Barrier, Search, Span};
use crate::field::Field;
use crate::settings::Weight;
use engine::FeatureId;
use std::borrow::Cow;
use table::terrain::Feature;
use table::{Bounds, Length, Outline, Point, Shape, Vec2};

/// So much further than a box one looks for patches, in micrometres: more than rounding could hide.
const CLOSE: f64 = 10.0;

/// What a piece of ground is in the terms of section 15.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Land {
    Open,
    Wood,
    Urban,
    Hill,
    Difficult,
    Swamp,
    Obstacle,
    Stream,
    River,
    Ford,
    Bridge,
    Road,
    Cliff,
}

/// Which piece of ground: a feature, or something the battle added, by its place in the ledger.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Piece {
    /// A feature of the table.
    Feature(FeatureId),
    /// A barricade or bought works.
    Barrier(usize),
    /// A bridge of boats.
    Span(usize),
    /// A ford that was found.
    Ford(usize),
}

/// The shape of a patch: that of a feature, or one of its own. Small, because patches are handed about all the time.
#[derive(Clone, Debug)]
pub enum Site<'f> {
    /// A feature's.
    Kept(&'f Shape),
    /// What the battle made.
    Made(Box<Shape>),
}

impl std::ops::Deref for Site<'_> {
    type Target = Shape;

    #[inline]
    fn deref(&self) -> &Shape {
        match self {
            Site::Kept(shape) => shape,
            Site::Made(shape) => shape,
        }
    }
}

/// A patch of ground. An obstacle with gaps has several, all of the same piece.
#[derive(Clone, Debug)]
pub struct Patch<'f> {
    /// Which piece.
    pub piece: Piece,
    /// What it is.
    pub land: Land,
    /// Light, heavy or not known yet.
    pub weight: Weight,
    /// A steep slope.
    pub steep: bool,
    /// Hard going all over.
    pub difficult: bool,
    /// On fire.
    pub burning: bool,
    /// Where it lies.
    pub shape: Site<'f>,
}

impl Patch<'_> {
    /// Its name for people.
    pub fn name<'f>(&self, field: &'f Field) -> Cow<'f, str> {
        match self.piece {
            Piece::Feature(id) => feature(field, id).map_or(Cow::Borrowed("that ground"), |feature| {
                let name = if feature.name.is_empty() { &feature.key } else { &feature.name };
                Cow::Borrowed(name.as_str())
            }),
            Piece::Barrier(_) => Cow::Borrowed("the works"),
            Piece::Span(_) => Cow::Borrowed("the pontoon bridge"),
            Piece::Ford(_) => Cow::Borrowed("the ford"),
        }
    }
}

/// All patches: features first, then what the battle added. Bridges that are down are left out.
pub fn patches(field: &Field) -> impl Iterator<Item = Patch<'_>> {
    chosen(field, |_| true)
}

/// Those patches that may reach into a box; features beyond it are not looked at.
pub fn patches_near(field: &Field, around: Bounds) -> impl Iterator<Item = Patch<'_>> {
    let around = around.grown(CLOSE);
    chosen(field, move |feature| feature.shape.bounds().meets(&around))
}

/// The same, of obstacles alone among the features.
pub fn obstacles_near(field: &Field, around: Bounds) -> impl Iterator<Item = Patch<'_>> {
    let around = around.grown(CLOSE);
    let near =
        move |feature: &Feature| feature.shape.bounds().meets(&around) && land_of(field, feature) == Land::Obstacle;
    chosen(field, near).filter(|patch| patch.land == Land::Obstacle)
}

fn chosen<'f>(field: &'f Field, counts: impl Fn(&Feature) -> bool + 'f) -> impl Iterator<Item = Patch<'f>> {
    let ledger = field.ledger();
    let features = field.ground().numbered().filter(move |(_, feature)| counts(feature));
    let features = features.flat_map(|(no, feature)| of_feature(field, FeatureId(no.0), feature));
    let barriers = ledger.barriers.iter().enumerate().flat_map(|(no, barrier)| of_barrier(field, no, barrier));
    let spans = ledger.spans.iter().enumerate().filter_map(|(no, span)| of_span(field, no, span));
    let fords = ledger.fords.iter().enumerate().filter_map(|(no, search)| of_search(field, no, search));
    features.chain(barriers).chain(spans).chain(fords)
}

/// One patch, or as many as gaps have left of an obstacle.
enum Parts<'f> {
    None,
    One(Option<Patch<'f>>),
    Cut(std::vec::IntoIter<Patch<'f>>),
}

impl<'f> Iterator for Parts<'f> {
    type Item = Patch<'f>;

    fn next(&mut self) -> Option<Patch<'f>> {
        match self {
            Parts::None => None,
            Parts::One(patch) => patch.take(),
            Parts::Cut(rest) => rest.next(),
        }
    }
}

fn of_feature<'f>(field: &'f Field, id: FeatureId, feature: &'f Feature) -> Parts<'f> {
    let land = land_of(field, feature);
    let ledger = field.ledger();
    if land == Land::Open || (land == Land::Bridge && ledger.broken.contains(&id)) {
        return Parts::None;
    }
    let nature = nature(field, id);
    let patch = Patch {
        piece: Piece::Feature(id),
        land,
        weight: weight(field, id),
        steep: nature.steep,
        difficult: nature.difficult,
        burning: super::is_burning(field, id),
        shape: Site::Kept(&feature.shape),
    };
    if land != Land::Obstacle || ledger.gaps.iter().all(|(obstacle, _)| *obstacle != id) {
        return Parts::One(Some(patch));
    }
    let gaps: Vec<Vec2> = ledger.gaps.iter().filter(|(of, _)| *of == id).map(|(_, at)| at.vec()).collect();
    let half = reach(field.charts().work.clear_width).half().as_f64();
    let rest = without_gaps(&feature.shape, &gaps, half);
    Parts::Cut(
        rest.into_iter()
            .map(|shape| Patch { shape: Site::Made(Box::new(shape)), ..patch.clone() })
            .collect::<Vec<_>>()
            .into_iter(),
    )
}

/// What gaps leave of an obstacle's line. Areas have no gaps.
pub(super) fn without_gaps(shape: &Shape, gaps: &[Vec2], half: f64) -> Vec<Shape> {
    let Outline::Line { points, width } = shape.outline() else { return vec![shape.clone()] };
    let mut rest = Vec::new();
    for ends in points.windows(2) {
        let [from, to] = ends else { continue };
        let (from, to) = (from.vec(), to.vec());
        let length = from.distance(to);
        let along = (to - from).normalised();
        // Where a gap lies beside this stretch, the stretch is cut.
        let near = half * 2.0 + width.as_f64();
        let mut cuts: Vec<(f64, f64)> = gaps
            .iter()
            .filter(|gap| (**gap - from).cross(along).abs() <= near)
            .map(|gap| (*gap - from).dot(along))
            .map(|at| (at - half, at + half))
            .filter(|(start, end)| *end > 0.0 && *start < length)
            .collect();
        cuts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut at = 0.0;
        for (start, end) in cuts.into_iter().chain([(length, length)]) {
            if start > at {
                rest.extend(line(from + along * at, from + along * start, *width));
            }
            at = if end > at { end } else { at };
        }
    }
    rest
}

fn line(from: Vec2, to: Vec2, width: Length) -> Option<Shape> {
    let points = vec![Point::from_vec(from), Point::from_vec(to)];
    Shape::new(Outline::Line { points, width }).ok()
}

fn made<'f>(piece: Piece, land: Land, weight: Weight, shape: Shape) -> Patch<'f> {
    Patch { piece, land, weight, steep: false, difficult: false, burning: false, shape: Site::Made(Box::new(shape)) }
}

fn of_barrier<'f>(field: &Field, no: usize, barrier: &Barrier) -> Parts<'f> {
    let Some(shape) = line(barrier.from.vec(), barrier.to.vec(), Length::ZERO) else { return Parts::None };
    let patch = |shape| made(Piece::Barrier(no), Land::Obstacle, barrier.weight, shape);
    let breaches = field.ledger().breaches.iter().filter(|(of, _)| usize::from(*of) == no);
    let gaps: Vec<Vec2> = breaches.map(|(_, at)| at.vec()).collect();
    if gaps.is_empty() {
        return Parts::One(Some(patch(shape)));
    }
    let half = reach(field.charts().work.clear_width).half().as_f64();
    Parts::Cut(without_gaps(&shape, &gaps, half).into_iter().map(patch).collect::<Vec<_>>().into_iter())
}

fn of_span<'f>(field: &Field, no: usize, span: &Span) -> Option<Patch<'f>> {
    let shape = line(span.from.vec(), span.to.vec(), reach(field.charts().work.pontoon_width))?;
    Some(made(Piece::Span(no), Land::Bridge, Weight::Light, shape))
}

/// A ford that was found: a strip across the river.
fn of_search<'f>(field: &Field, no: usize, search: &Search) -> Option<Patch<'f>> {
    let river = feature(field, search.river).filter(|_| search.found)?;
    let (across, length) = across(&river.shape, search.at.vec());
    let (from, to) = (search.at.vec() - across * length, search.at.vec() + across * length);
    let shape = line(from, to, reach(field.charts().constant.ford_width))?;
    Some(made(Piece::Ford(no), Land::Ford, Weight::Light, shape))
}

/// The way across water near a place, and how long a strip surely reaches over it.
fn across(shape: &Shape, near: Vec2) -> (Vec2, f64) {
    if let Outline::Line { points, width } = shape.outline() {
        let stretches = points.windows(2).filter_map(|ends| Some((ends.first()?.vec(), ends.last()?.vec())));
        let nearest = stretches.min_by(|a, b| {
            let apart = |ends: &(Vec2, Vec2)| table::convex::distance(&[ends.0, ends.1], near);
            apart(a).total_cmp(&apart(b))
        });
        let (from, to) = nearest.unwrap_or_default();
        return ((to - from).normalised().perp_right(), width.as_f64() * 2.0);
    }
    let bounds = shape.bounds();
    let size = bounds.max - bounds.min;
    let across = if size.x > size.y { Vec2 { x: 0.0, y: 1.0 } } else { Vec2 { x: 1.0, y: 0.0 } };
    (across, if size.x > size.y { size.y } else { size.x })
}
