//! What ground costs along the way: every element's own path through features, the dearest of them all (R54, R56).

use super::space::features;
use crate::clause::Clause;
use crate::field::{self, Field, Ground};
use crate::formation::Formation;
use crate::pace::{self, Payer, Toll};
use engine::{FeatureId, UnitId};
use smallvec::SmallVec;
use table::march::{Motion, Stage};
use table::terrain::Feature;
use table::{Intervals, Layout, Pose, Vec2};

/// A swing is followed along chords of at most so many millidegrees.
const CHORD: i32 = 6_000;
/// Fractions of a chord closer than this are the same.
const HAIR: f64 = 1e-9;
/// Stretches on forbidden ground shorter than this are rounding.
const GRAZE: f64 = 200.0;

/// Adds up tolls along the way of one unit.
pub struct Toller<'f> {
    field: &'f Field,
    unit: UnitId,
    payer: Payer,
    layout: Layout,
    formation: Formation,
    roads: Vec<&'f Feature>,
    ground: Vec<(FeatureId, &'f Feature)>,
    /// Deductions of each element so far.
    paid: SmallVec<[f64; 12]>,
    /// Obstacles each element's front lies on, by their place in `ground`.
    on: Vec<(usize, usize)>,
    moved: bool,
    off_road: bool,
    /// Ground on the way where the unit may not go.
    pub barred: Vec<(FeatureId, Clause)>,
    /// Clauses of the ground it pays for.
    pub tolls: SmallVec<[Clause; 2]>,
}

/// One chord of one element.
struct Chord {
    length: f64,
    roads: Intervals,
    /// Stretches with their toll per micrometre.
    dear: SmallVec<[(f64, f64, f64); 4]>,
    /// Crossings with their fee.
    crossings: SmallVec<[(f64, f64); 2]>,
}

/// Shares of a chord where the toll changes.
type Breaks = SmallVec<[f64; 8]>;

impl Chord {
    /// The toll for each micrometre at a share of the way: nothing on a road, and where features lie over one another the
    /// dearest counts.
    fn rate_at(&self, share: f64) -> f64 {
        if holds(&self.roads, share) {
            return 0.0;
        }
        let here = self.dear.iter().filter(|(a, b, _)| *a <= share && share <= *b);
        here.map(|(_, _, rate)| *rate).fold(0.0, f64::max)
    }

    fn list_breaks(&self, breaks: &mut Breaks) {
        breaks.extend(self.roads.iter().flat_map(|(a, b)| [*a, *b]));
        breaks.extend(self.dear.iter().flat_map(|(a, b, _)| [*a, *b]));
        breaks.extend(self.crossings.iter().map(|(at, _)| *at));
    }

    /// All that is paid on it.
    fn tolls(&self) -> f64 {
        let mut breaks = Breaks::from_slice(&[1.0]);
        self.list_breaks(&mut breaks);
        tidy_breaks(&mut breaks);
        let (mut sum, mut last) = (0.0, 0.0);
        for at in breaks {
            sum += self.rate_at((at + last) * 0.5) * (at - last) * self.length;
            last = at;
        }
        sum + self.crossings.iter().map(|(_, fee)| fee).sum::<f64>()
    }
}

fn tidy_breaks(breaks: &mut Breaks) {
    breaks.sort_by(f64::total_cmp);
    breaks.dedup_by(|a, b| (*a - *b).abs() < HAIR);
}

impl<'f> Toller<'f> {
    /// Nothing paid yet.
    pub fn new(field: &'f Field, unit: UnitId, formation: Formation, mounted: bool) -> Toller<'f> {
        let features = || features(field);
        let ground = features()
            .filter(|(id, feature)| field::ground(feature.kind) != Ground::Open || field::is_ablaze(field, *id));
        let layout = field::facts(field, unit).layout(formation, field::count(field, unit));
        let paid = SmallVec::from_elem(0.0, layout.stands().len());
        Toller {
            field,
            unit,
            payer: pace::payer(field, unit, mounted),
            layout,
            formation,
            roads: features().map(|(_, feature)| feature).filter(|feature| field::is_road(feature.kind)).collect(),
            ground: ground.collect(),
            paid,
            on: Vec::new(),
            moved: false,
            off_road: false,
            barred: Vec::new(),
            tolls: SmallVec::new(),
        }
    }

    /// A unit that changes formation or gets off its horses takes other paths and other tolls.
    pub fn dress(&mut self, formation: Formation, mounted: bool) {
        self.payer = pace::payer(self.field, self.unit, mounted);
        self.reform(formation);
    }

    fn reform(&mut self, formation: Formation) {
        if self.formation != formation {
            let count = field::count(self.field, self.unit);
            self.layout = field::facts(self.field, self.unit).layout(formation, count);
            self.formation = formation;
            self.on.clear();
        }
    }

    /// Whether it moved, and every element kept to roads all the way.
    pub fn kept_to_road(&self) -> bool {
        self.moved && !self.off_road
    }

    /// Follows one stage and writes its clock: fraction against cost, `distance` and tolls added to `spent`.
    pub fn walk(
        &mut self,
        stage: &Stage,
        formation: Formation,
        distance: f64,
        spent: f64,
        clock: &mut SmallVec<[(f64, f64); 4]>,
    ) {
        self.reform(formation);
        let before = self.dearest();
        clock.push((0.0, spent));
        if distance > 0.0 {
            self.moved = true;
            let chords = match stage.motion {
                Motion::Swing { by, .. } => ((by.abs() + CHORD - 1) / CHORD).max(1),
                Motion::Slide(_) | Motion::Flip => 1,
            };
            for no in 0..chords {
                let (from, to) = (f64::from(no) / f64::from(chords), f64::from(no + 1) / f64::from(chords));
                self.chord(stage.at(from), stage.at(to), |share, dearest| {
                    let fraction = from + (to - from) * share;
                    clock.push((fraction, spent + distance * fraction + (dearest - before)));
                });
            }
        }
        // An about-turn changes places within the unit: nobody pays for that, but obstacles are met afresh.
        if stage.motion == Motion::Flip {
            self.on.clear();
        }
    }

    fn dearest(&self) -> f64 {
        self.paid.iter().copied().fold(0.0, f64::max)
    }

    /// What a straight way costs with its tolls, `storming` a feature that is fought for and not paid for. Nothing where
    /// the unit cannot go that way at all.
    pub fn straight(mut self, from: Pose, by: Vec2, storming: Option<FeatureId>) -> Option<f64> {
        self.ground.retain(|(id, _)| Some(*id) != storming);
        self.chord(from, from.shifted(by), |_, _| {});
        self.barred.is_empty().then(|| by.length() + self.dearest())
    }

    /// Follows one chord; `tick` is told how the dearest element stands, share by share of it.
    fn chord(&mut self, here: Pose, there: Pose, mut tick: impl FnMut(f64, f64)) {
        let starts: SmallVec<[_; 12]> = self.layout.quads(here).map(|quad| (quad.centre, front(&quad))).collect();
        let ends: SmallVec<[_; 12]> = self.layout.quads(there).map(|quad| (quad.centre, front(&quad))).collect();
        let forward = here.forward();
        let mut chords: SmallVec<[Chord; 12]> = SmallVec::new();
        let mut breaks = Breaks::from_slice(&[1.0]);
        for (no, (start, end)) in starts.iter().zip(&ends).enumerate() {
            let chord = self.survey(no, (start.0, end.0), (start.1, end.1), forward);
            chord.list_breaks(&mut breaks);
            chords.push(chord);
        }
        tidy_breaks(&mut breaks);
        let mut last = 0.0;
        for at in breaks {
            let (length, middle) = (at - last, (at + last) * 0.5);
            for (paid, chord) in self.paid.iter_mut().zip(&chords) {
                *paid += chord.rate_at(middle) * length * chord.length;
            }
            tick(at, self.dearest());
            let mut jumped = false;
            for (paid, chord) in self.paid.iter_mut().zip(&chords) {
                let fees: f64 =
                    chord.crossings.iter().filter(|(on, _)| (on - at).abs() < HAIR).map(|(_, fee)| fee).sum();
                *paid += fees;
                jumped |= fees > 0.0;
            }
            if jumped {
                tick(at, self.dearest());
            }
            last = at;
        }
    }

    /// What one element meets on a chord of its way.
    fn survey(&mut self, no: usize, centre: (Vec2, Vec2), front: (Vec2, Vec2), forward: Vec2) -> Chord {
        let length = centre.0.distance(centre.1);
        let mut roads = Intervals::new();
        for road in &self.roads {
            roads.extend(road.shape.clip(centre));
        }
        let by_road: f64 = covered(&roads);
        self.off_road |= length > 0.0 && by_road < 1.0 - 1e-6;
        let mut chord = Chord { length, roads, dear: SmallVec::new(), crossings: SmallVec::new() };
        let unit = self.field.settings().scale.game_unit().as_f64();
        for place in 0..self.ground.len() {
            let Some(&(id, feature)) = self.ground.get(place) else { continue };
            let kind = if field::is_ablaze(self.field, id) { Ground::Impassable } else { field::ground(feature.kind) };
            match pace::toll(self.field, kind, self.payer) {
                Toll::Free => {}
                Toll::PerUnit(fee, clause) => {
                    let rate = fee.as_f64() / unit;
                    let inside = feature.shape.clip(centre);
                    let off_road = |(a, b): &(f64, f64)| !holds(&chord.roads, (a + b) * 0.5);
                    if inside.iter().any(off_road) {
                        self.charge_for(clause);
                    }
                    chord.dear.extend(inside.iter().map(|(a, b)| (*a, *b, rate)));
                }
                Toll::Each(fee, clause) => {
                    for at in self.crossed(no, place, feature, front, forward) {
                        if !holds(&chord.roads, at) {
                            self.charge_for(clause);
                            chord.crossings.push((at, fee.as_f64()));
                        }
                    }
                }
                Toll::Barred(clause) if kind == Ground::Obstacle => {
                    let free = |at: &f64| holds(&chord.roads, *at);
                    if self.crossed(no, place, feature, front, forward).iter().any(|at| !free(at)) {
                        self.bar(id, clause);
                    }
                }
                Toll::Barred(clause) => {
                    let inside = feature.shape.clip(centre);
                    let off = inside.iter().any(|(a, b)| {
                        let middle = (a + b) * 0.5;
                        (b - a) * length > GRAZE && !holds(&chord.roads, middle)
                    });
                    if off {
                        self.bar(id, clause);
                    }
                }
            }
        }
        chord
    }

    /// Where an element's front comes upon an obstacle. One it stands at from the start is crossed by going forward; one
    /// it only comes up to is not crossed yet.
    fn crossed(
        &mut self,
        no: usize,
        place: usize,
        feature: &Feature,
        front: (Vec2, Vec2),
        forward: Vec2,
    ) -> SmallVec<[f64; 2]> {
        let way = front.1 - front.0;
        let (key, length) = ((no, place), way.length());
        let was_on = self.on.contains(&key);
        self.on.retain(|other| *other != key);
        // A little of the way before is looked at too, lest rounding put the front just past what it touches.
        let back = way.normalised() * GRAZE;
        let whole = length + GRAZE;
        let along = |at: f64| (at * whole - GRAZE).max(0.0);
        let mut met = SmallVec::new();
        for (start, end) in feature.shape.clip((front.0 - back, front.1)) {
            let (start, end) = (along(start), along(end));
            let is_new = start > GRAZE || (!was_on && way.dot(forward) > 0.0);
            let only_touched = start + GRAZE >= length;
            if is_new && !only_touched {
                met.push(start / length);
            }
            if end + GRAZE >= length && !only_touched {
                self.on.push(key);
            }
        }
        met
    }

    fn charge_for(&mut self, clause: Clause) {
        if !self.tolls.contains(&clause) {
            self.tolls.push(clause);
        }
    }

    fn bar(&mut self, id: FeatureId, clause: Clause) {
        if !self.barred.iter().any(|(other, _)| *other == id) {
            self.barred.push((id, clause));
        }
    }
}

fn front(quad: &table::Quad) -> Vec2 {
    let (left, right) = quad.front_edge();
    left.lerp(right, 0.5)
}

fn holds(intervals: &[(f64, f64)], at: f64) -> bool {
    intervals.iter().any(|(a, b)| *a - HAIR <= at && at <= *b + HAIR)
}

/// The share of a chord some intervals cover together.
fn covered(intervals: &[(f64, f64)]) -> f64 {
    let mut sorted: SmallVec<[(f64, f64); 4]> = SmallVec::from_slice(intervals);
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut sum, mut upto) = (0.0, 0.0_f64);
    for (from, to) in sorted {
        sum += (to - from.max(upto)).max(0.0);
        upto = upto.max(to);
    }
    sum
}

/// What a lone rider or walker pays on a straight way: distance and tolls; an error names ground he may not enter.
pub fn lone_way(field: &Field, payer: Payer, from: Vec2, to: Vec2) -> Result<f64, (FeatureId, Clause)> {
    let (way, length) = ((from, to), from.distance(to));
    let roads = features(field)
        .filter(|(_, feature)| field::is_road(feature.kind))
        .flat_map(|(_, feature)| feature.shape.clip(way))
        .collect();
    let unit = field.settings().scale.game_unit().as_f64();
    let mut chord = Chord { length, roads, dear: SmallVec::new(), crossings: SmallVec::new() };
    for (id, feature) in features(field) {
        let kind = if field::is_ablaze(field, id) { Ground::Impassable } else { field::ground(feature.kind) };
        let inside = feature.shape.clip(way);
        let mut off_road = inside.iter().filter(|(a, b)| !holds(&chord.roads, (a + b) * 0.5));
        match pace::toll(field, kind, payer) {
            Toll::Free => {}
            Toll::PerUnit(fee, _) => chord.dear.extend(inside.iter().map(|(a, b)| (*a, *b, fee.as_f64() / unit))),
            Toll::Each(fee, _) => chord.crossings.extend(off_road.map(|(a, _)| (*a, fee.as_f64()))),
            Toll::Barred(clause) => {
                if off_road.any(|(a, b)| kind == Ground::Obstacle || (b - a) * length > GRAZE) {
                    return Err((id, clause));
                }
            }
        }
    }
    Ok(length + chord.tolls())
}
