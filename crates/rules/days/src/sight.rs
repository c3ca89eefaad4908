//! Who sees whom: fields of vision, woods and houses, crests, troops in the way. Section 16.3, C.5, A-45 to.
//!
//! A stand looks from the ends and the middle of its front edge and is seen by its middle or a corner. Whoever looks many
//! times from one unit at another makes a [`Lane`] once: it knows which bodies could stand in the way.

mod corridor;
mod shut;
mod who;
mod why;

use super::charts::reach;
use super::field::{self, Field, is_hidden, surely_beyond};
use super::ground;
use super::settings::Weight;
use super::shooting::arc::Arc;
use super::unit::{Arm, Crest, Part};
use corridor::Corridor;
use engine::{FeatureId, UnitId};
use shut::Hull;
use smallvec::SmallVec;
use std::cell::Cell;
use table::terrain::{Feature, TerrainKind};
use table::{Angle, Bounds, Length, Point, Quad, Ray, SLACK, Sightline, Vec2, convex};

pub use who::{lane_to_general, place_seen_by, seen_by, sees, sees_by_screen, sees_general, stand_sees};
pub use why::{ground_between, why_unseen};

/// How far from its very corner a stand looks and is seen: nobody looks along the flank of friends drawn up exactly
/// before him.
const HAIR: f64 = 0.01;

/// More than rounding could hide, in micrometres.
const ROUNDING: f64 = 1.0;

/// A High Hill; the table is 0 and a Low Hill 1.
pub const HIGH: u8 = 2;

/// Woods and houses stop the eye.
pub fn hides(kind: TerrainKind) -> bool {
    matches!(kind, TerrainKind::Woods | TerrainKind::Orchard | TerrainKind::Building | TerrainKind::Town)
}

/// Walls, hedges and works.
fn is_obstacle(kind: TerrainKind) -> bool {
    use TerrainKind as T;
    matches!(kind, T::Hedge | T::Fence | T::Wall | T::Abatis | T::Earthwork | T::Redoubt)
}

/// Whoever is at one end of a look.
#[derive(Clone, Copy)]
struct End {
    /// Mounted or staff: sees, and is seen, over the heads of foot (days.16.3-d).
    tall: bool,
    /// Skirmishers and the like: sooner lost among trees (days.16.3-h).
    loose: bool,
    /// Shows itself at a crest it stands at.
    over: bool,
    /// Hidden, for the obstacle before it.
    hidden: bool,
}

impl End {
    /// A formed stand on foot, in the open.
    const PLAIN: End = End { tall: false, loose: false, over: true, hidden: false };
    /// A general or his staff.
    const STAFF: End = End { tall: true, loose: true, over: true, hidden: false };

    fn of(field: &Field, id: UnitId) -> End {
        let facts = field::facts(field, id);
        let alone = facts.arm == Arm::Engineers || facts.part_kind() == Some(Part::Crew);
        End {
            tall: field::is_mounted(field, id),
            loose: alone || field::skirmishes(field, id),
            over: field::troops(field, id).crest != Some(Crest::Behind),
            hidden: is_hidden(field.unit(id)),
        }
    }
}

/// A body that may stand in the way.
struct Body {
    quad: Quad,
    around: Bounds,
    level: u8,
    /// On foot: no hindrance to whoever is mounted on the same level.
    foot: bool,
}

/// What may stand between one unit, or one pair of eyes, and what it looks at.
pub struct Lane<'f> {
    field: &'f Field,
    from: End,
    to: End,
    /// The stands that look, and those they look at.
    eyes: &'f [Quad],
    targets: &'f [Quad],
    /// Whom nobody minds.
    but: [Option<UnitId>; 2],
    /// Everybody about.
    bodies: SmallVec<[Body; 4]>,
    /// The ground about: woods, houses, hills, and walls where they hide somebody.
    ground: Vec<&'f Feature>,
    /// The rectangles around those who look and around what they look at; none where nobody does.
    hulls: Option<(Hull, Hull)>,
    /// Whether the ground surely stops every look.
    shut: bool,
    /// Of the first targets, by bits, for which somebody has asked this, and which no eye sees for the ground.
    parted: Cell<(u64, u64)>,
    /// The same of the first eyes, and which of them see no target.
    blind: Cell<(u64, u64)>,
    /// Sine and cosine of half the field of vision.
    vision: (f64, f64),
}

/// Eyes and parts of a stand that are looked from and at: the middle of its front and its ends; the middle and corners.
const ENDS: usize = 8;
const EYES: usize = 3;
/// Crest lines of a hill for which it is kept who stands at them.
const CRESTS: usize = 4;

/// One look from a stand at a stand.
struct Look<'l> {
    lane: &'l Lane<'l>,
    eye: &'l Quad,
    target: &'l Quad,
    /// First the eyes, then what they look at.
    places: [Vec2; ENDS],
    /// The levels they stand on, as far as anybody has asked.
    levels: [Cell<Option<u8>>; ENDS],
    bodies: SmallVec<[&'l Body; 16]>,
    ground: SmallVec<[Cover<'l>; 6]>,
    /// The body that stopped the last line: it will stop the next one as well.
    stopped_by: Cell<usize>,
    /// The same for ground.
    hidden_by: Cell<usize>,
}

/// A feature about a look, and which ends of it are known to lie inside.
struct Cover<'l> {
    feature: &'l Feature,
    /// An area with a level of its own.
    raised: bool,
    inside: [Cell<Option<bool>>; ENDS],
    /// For the first few crest lines whether the eye, and whether what it looks at, stands at them.
    at: [[Cell<Option<bool>>; CRESTS]; 2],
}

/// A line between two ends of a look.
struct Line {
    from: usize,
    to: usize,
    line: Sightline,
}

impl<'f> Lane<'f> {
    /// The lane between two units.
    pub fn between(field: &'f Field, viewer: UnitId, target: UnitId) -> Lane<'f> {
        let ends = (End::of(field, viewer), End::of(field, target));
        let stands = (field::stands(field, viewer), field::stands(field, target));
        Lane::within(field, ends, [Some(viewer), Some(target)], stands)
    }

    /// The lane from a unit to places another was at, or will be.
    pub fn along(field: &'f Field, viewer: UnitId, target: UnitId, places: &'f [Quad]) -> Lane<'f> {
        let ends = (End::of(field, viewer), End::of(field, target));
        Lane::within(field, ends, [Some(viewer), Some(target)], (field::stands(field, viewer), places))
    }

    fn within(
        field: &'f Field,
        ends: (End, End),
        but: [Option<UnitId>; 2],
        (eyes, targets): (&'f [Quad], &'f [Quad]),
    ) -> Lane<'f> {
        let half = Angle::degrees(field.charts().constant.sight_arc.value.as_degrees() * 0.5);
        let hulls = Hull::of_eyes(eyes).zip(Hull::of_stands(targets));
        let (from, to) = ends;
        let (bodies, ground, vision) = (SmallVec::new(), Vec::new(), half.sin_cos());
        let (shut, parted, blind) = (false, Cell::default(), Cell::default());
        let mut lane = Lane { field, from, to, eyes, targets, but, bodies, ground, hulls, shut, parted, blind, vision };
        if let Some((from, to)) = &hulls {
            let corridor = Corridor::between(from, to);
            lane.ground = lane.ground_in(&corridor);
            lane.shut = shut::is_shut(&lane);
            // Where the ground stops every look nobody asks who else stands in the way.
            if !lane.shut {
                lane.bodies = lane.bodies_in(&corridor);
            }
        }
        lane
    }

    /// Everybody who may stand in the way.
    fn bodies_in(&self, corridor: &Corridor) -> SmallVec<[Body; 4]> {
        let field = self.field;
        let mut bodies = SmallVec::new();
        for (id, unit) in field.units() {
            let involved = self.but.contains(&Some(id));
            // Its stands rest on whole micrometres, and may reach as far beyond the rectangle around them.
            let beside = || {
                let quad = unit.quad();
                corridor.surely_misses(quad) || !corridor.may_hold(&quad.bounds().grown(ROUNDING))
            };
            if involved || !unit.is_present() || is_hidden(unit) || beside() {
                continue;
            }
            let Some(foot) = blocks_as(field, id) else { continue };
            let bases = unit.bases();
            for (quad, level) in bases.quads().iter().zip(bases.levels()) {
                let quad = closed(quad);
                if corridor.may_meet(&quad.corners) {
                    bodies.push(Body { quad, around: quad.bounds(), level: *level, foot });
                }
            }
        }
        bodies
    }

    /// The ground that may stop a look.
    fn ground_in(&self, corridor: &Corridor) -> Vec<&'f Feature> {
        let counts = |feature: &Feature| {
            let wall = self.to.hidden && is_obstacle(feature.kind);
            shut::is_raised(feature) || wall || hides(feature.kind)
        };
        let all = self.field.ground().features.iter();
        all.filter(|feature| counts(feature) && corridor.may_hold(&feature.shape.bounds())).collect()
    }

    /// Whether the ground surely stops every look along it.
    pub fn is_shut(&self) -> bool {
        self.shut
    }

    /// Whether one stand sees another to its front.
    pub fn stand_sees(&self, eye: &Quad, target: &Quad) -> bool {
        let arc = Arc::opening(eye, self.vision);
        self.looks(eye, target, |place| arc.contains(place))
    }

    /// Whether one stand sees another, whichever way it looks.
    fn sees_all_round(&self, eye: &Quad, target: &Quad) -> bool {
        self.looks(eye, target, |_| true)
    }

    /// Whether a feature that stopped one line surely stops every other as well: from this eye to any target, from any eye
    /// to this target, or from one to the other.
    fn is_parted(&self, eye: &Quad, own: u64, target: &Quad, bit: u64, feature: &Feature) -> bool {
        let (one, mark) = (std::slice::from_ref(eye), std::slice::from_ref(target));
        let (from_one, to_mark) = (Hull::of_eyes(one), Hull::of_stands(mark));
        let parts = |eyes: &[Quad], targets: &[Quad], hulls: Option<(Hull, Hull)>| {
            shut::is_shut_by(self.field, (self.from, self.to), (eyes, targets), hulls, feature)
        };
        let (all_eyes, all_targets) = self.hulls.unzip();
        let once = |known: &Cell<(u64, u64)>, bit: u64, find: &dyn Fn() -> bool| {
            let (asked, found) = known.get();
            let holds = asked & bit == 0 && bit != 0 && find();
            known.set((asked | bit, if holds { found | bit } else { found }));
            holds
        };
        let blind = || self.targets.len() > 1 && parts(one, self.targets, from_one.zip(all_targets));
        let parted = || self.eyes.len() > 1 && parts(self.eyes, mark, all_eyes.zip(to_mark));
        once(&self.blind, own, &blind) || once(&self.parted, bit, &parted) || parts(one, mark, from_one.zip(to_mark))
    }

    fn looks(&self, eye: &Quad, target: &Quad, ahead: impl Fn(Vec2) -> bool) -> bool {
        let far = reach(self.field.charts().constant.sight);
        if self.shut || surely_beyond(eye, target, far) {
            return false;
        }
        let (bit, own) = (bit_among(self.targets, target), bit_among(self.eyes, eye));
        if self.parted.get().1 & bit != 0 || self.blind.get().1 & own != 0 {
            return false;
        }
        let most = far.as_f64() + SLACK.as_f64();
        let parts = parts_of(target);
        let [middle, a, b, c, d] = parts;
        let shown = [ahead(middle), ahead(a), ahead(b), ahead(c), ahead(d)];
        if shown == [false; ENDS - EYES] {
            return false;
        }
        let eyes = eyes_of(eye);
        let close = |eye: Vec2, part: Vec2| eye.distance(part) <= most;
        if self.bodies.is_empty() && self.ground.is_empty() {
            let shown = || parts.iter().zip(shown).filter(|(_, shown)| *shown).map(|(part, _)| *part);
            return eyes.iter().any(|eye| shown().any(|part| close(*eye, part)));
        }
        let look = Look::of(self, (eye, eyes), (target, parts));
        let near = |from: usize, to: usize| close(look.places[from], look.places[to]);
        let mut asked = false;
        for from in 0..EYES {
            for to in (EYES..ENDS).filter(|to| shown[to - EYES] && near(from, *to)) {
                if look.is_open(from, to) {
                    return true;
                }
                // What stopped one line may well stop them all.
                if let Some(cover) = look.ground.get(look.hidden_by.get()).filter(|_| !asked) {
                    asked = true;
                    if self.is_parted(eye, own, target, bit, cover.feature) {
                        return false;
                    }
                }
            }
        }
        false
    }
}

/// The bit that stands for one of some stands; none for those beyond the first.
fn bit_among(stands: &[Quad], stand: &Quad) -> u64 {
    let place = stands.iter().position(|one| std::ptr::eq(one, stand));
    place.and_then(|no| 1_u64.checked_shl(no as u32)).unwrap_or(0)
}

/// Where a stand looks from: the middle of its front, and its ends.
fn eyes_of(stand: &Quad) -> [Vec2; EYES] {
    let (left, right) = stand.front_edge();
    [(left + right) * 0.5, left.lerp(right, HAIR), right.lerp(left, HAIR)]
}

/// What is looked at of a stand: its middle and its corners.
fn parts_of(stand: &Quad) -> [Vec2; ENDS - EYES] {
    let [a, b, c, d] = stand.corners;
    let inward = |corner: Vec2| corner.lerp(stand.centre, HAIR);
    [stand.centre, inward(a), inward(b), inward(c), inward(d)]
}

/// How deep sight reaches into woods or houses for whoever is in them.
fn depth(field: &Field, end: End, feature: &Feature) -> Length {
    let constant = &field.charts().constant;
    let cell = match weight(field, feature) {
        _ if end.loose => constant.sight_skirmishers,
        Weight::Heavy => constant.sight_heavy,
        Weight::Light | Weight::Undefined => constant.sight_light,
    };
    reach(cell)
}

fn weight(field: &Field, feature: &Feature) -> Weight {
    let place = field.ground().features.iter().position(|one| std::ptr::eq(one, feature));
    place.map_or(Weight::Light, |no| ground::weight(field, FeatureId(no as u16)))
}

/// A stand a hair wider than it is: nobody looks through the seam between two that touch.
fn closed(stand: &Quad) -> Quad {
    let grown = 1.0 + HAIR * 2.0;
    let [a, b, c, d] = stand.corners;
    let outward = |corner: Vec2| stand.centre + (corner - stand.centre) * grown;
    Quad { corners: [outward(a), outward(b), outward(c), outward(d)], radius: stand.radius * grown, ..*stand }
}

/// How a unit's stands hide what is behind them: foot, or as high as horses; none where they do not.
fn blocks_as(field: &Field, id: UnitId) -> Option<bool> {
    let facts = field::facts(field, id);
    if field::skirmishes(field, id) || matches!(facts.part_kind(), Some(Part::Screen | Part::Crew)) {
        return None;
    }
    match facts.arm {
        Arm::Infantry => field::is_formed(field, id).then_some(true),
        Arm::Cavalry if field::is_mounted(field, id) => Some(false),
        Arm::Cavalry => field::is_formed(field, id).then_some(true),
        Arm::Artillery => field::is_limbered(field, id).then_some(false),
        Arm::Wagon => Some(false),
        Arm::Engineers => None,
    }
}

/// The strip every line of a look lies in: what is wholly beside it stops nothing.
struct Strip {
    from: Vec2,
    across: Vec2,
    half: f64,
}

impl Strip {
    fn between(eye: &Quad, target: &Quad) -> Strip {
        let across = (target.centre - eye.centre).normalised().perp_right();
        let half = if eye.radius > target.radius { eye.radius } else { target.radius };
        Strip { from: eye.centre, across, half: half + ROUNDING }
    }

    fn meets(&self, around: &Bounds) -> bool {
        let (middle, size) = ((around.min + around.max) * 0.5, (around.max - around.min) * 0.5);
        let reach = (size.x * self.across.x).abs() + (size.y * self.across.y).abs();
        (middle - self.from).dot(self.across).abs() <= self.half + reach
    }
}

impl<'l> Look<'l> {
    fn of(
        lane: &'l Lane<'l>,
        (eye, eyes): (&'l Quad, [Vec2; EYES]),
        (target, parts): (&'l Quad, [Vec2; ENDS - EYES]),
    ) -> Look<'l> {
        let mut places = [Vec2::default(); ENDS];
        places[..EYES].copy_from_slice(&eyes);
        places[EYES..].copy_from_slice(&parts);
        let around = eye.bounds().joined(&target.bounds()).grown(ROUNDING);
        let strip = Strip::between(eye, target);
        let mut look = Look {
            lane,
            eye,
            target,
            places,
            levels: Default::default(),
            bodies: lane.bodies.iter().filter(|body| body.around.meets(&around) && strip.meets(&body.around)).collect(),
            ground: SmallVec::new(),
            stopped_by: Cell::new(0),
            hidden_by: Cell::new(usize::MAX),
        };
        for feature in lane.ground.iter().copied() {
            let bounds = feature.shape.bounds();
            if bounds.meets(&around) && strip.meets(&bounds) {
                let raised = shut::is_raised(feature);
                look.ground.push(Cover { feature, raised, inside: Default::default(), at: Default::default() });
            }
        }
        look
    }

    /// The level an end of the look stands on: that of the highest hill it lies on.
    fn level(&self, end: usize) -> u8 {
        let found = self.levels[end].get().unwrap_or_else(|| {
            let raised = self.ground.iter().filter(|cover| cover.raised);
            raised.filter(|cover| self.is_in(cover, end)).map(|cover| cover.feature.level).max().unwrap_or(0)
        });
        self.levels[end].set(Some(found));
        found
    }

    /// Whether nothing stops the eye between two places. Whatever is quickly asked is asked first.
    fn is_open(&self, from: usize, to: usize) -> bool {
        let (place, mark) = (self.places[from], self.places[to]);
        let line = Sightline { from: place, to: mark, from_level: self.level(from), to_level: self.level(to) };
        let ray = Ray::along(&line);
        let line = Line { from, to, line };
        let hides = |cover: &Cover<'_>| {
            // What a hill could hide is sooner said than whether the line passes over it.
            let over = || ray.inside(&cover.feature.shape);
            if cover.raised && !hides(cover.feature.kind) && !is_obstacle(cover.feature.kind) {
                return self.hill_blocks(cover, &line) && over().is_some();
            }
            over().is_some_and(|inside| self.blocks(cover, inside, &line))
        };
        if self.ground.get(self.hidden_by.get()).is_some_and(hides) || self.is_stopped(&ray, &line.line) {
            return false;
        }
        let by = self.ground.iter().position(hides);
        by.inspect(|by| self.hidden_by.set(*by)).is_none()
    }

    /// Whether somebody stands in the way.
    fn is_stopped(&self, ray: &Ray, line: &Sightline) -> bool {
        let stops = |body: &Body| ray.crosses(&body.quad) && self.is_high_enough(body, line);
        if self.bodies.get(self.stopped_by.get()).is_some_and(|body| stops(body)) {
            return true;
        }
        let by = self.bodies.iter().position(|body| stops(body));
        by.inspect(|by| self.stopped_by.set(*by)).is_some()
    }

    /// Whether woods, houses or a wall stop a line that has so much of itself in them.
    fn blocks(&self, cover: &Cover<'_>, inside: Length, line: &Line) -> bool {
        let feature = cover.feature;
        if hides(feature.kind) {
            return self.trees_block(cover, inside, line);
        }
        is_obstacle(feature.kind) && self.wall_hides(feature, &line.line)
    }

    /// Whether an end of the look lies in a feature.
    fn is_in(&self, cover: &Cover<'_>, end: usize) -> bool {
        cover.holds(end, self.places[end])
    }

    /// Foot hides from foot on its level and below, and from riders only on ground below it; horses hide from all.
    fn is_high_enough(&self, body: &Body, line: &Sightline) -> bool {
        let highest = line.from_level.max(line.to_level);
        let tall = self.lane.from.tall || self.lane.to.tall;
        if body.foot && tall { body.level > highest } else { body.level >= highest }
    }

    /// Whether woods or houses stop it.
    fn trees_block(&self, cover: &Cover<'_>, inside: Length, line: &Line) -> bool {
        let (lane, feature) = (self.lane, cover.feature);
        if self.is_in(cover, line.to) {
            return inside > depth(lane.field, lane.to, feature) + SLACK;
        }
        if self.is_in(cover, line.from) {
            return inside > depth(lane.field, lane.from, feature) + SLACK;
        }
        !self.looks_over(feature, &line.line)
    }

    /// From the crest of a High Hill one looks over woods and houses on the table, but for the ground behind them
    ///
    fn looks_over(&self, feature: &Feature, line: &Sightline) -> bool {
        let field = self.lane.field;
        let on_table = || ground::level(field, feature.shape.centre()) == 0;
        if line.from_level < HIGH || !self.lane.from.over || !on_table() {
            return false;
        }
        let hills = field.ground().at(line.from).filter(|(_, hill)| hill.level >= HIGH);
        let at_crest = hills.into_iter().any(|(_, hill)| hill.crests.iter().any(|crest| self.is_at(self.eye, crest)));
        let dead = reach(field.charts().constant.dead_ground_beyond).as_f64();
        let far_edge = feature.shape.clip((line.from, line.to)).iter().map(|(_, leave)| *leave).fold(0.0, f64::max);
        at_crest && (1.0 - far_edge) * line.from.distance(line.to) + SLACK.as_f64() >= dead
    }

    fn is_at(&self, stand: &Quad, crest: &[Point]) -> bool {
        let near = reach(self.lane.field.charts().constant.crest).as_f64() + SLACK.as_f64();
        let around = stand.bounds().grown(near + ROUNDING);
        edges(crest)
            .any(|(a, b)| around.meets(&Bounds::around(&[a, b])) && convex::gap(&[a, b], stand.points()) <= near)
    }

    /// A hill between hides; a crest of a hill one of the two stands on does, unless he stands at it and shows himself.
    fn hill_blocks(&self, cover: &Cover<'_>, line: &Line) -> bool {
        let hill = cover.feature;
        let [eyes, targets] = &cover.at;
        let ends = [(line.from, self.eye, self.lane.from, eyes), (line.to, self.target, self.lane.to, targets)];
        let on_it: SmallVec<[_; 2]> = ends.into_iter().filter(|(end, ..)| self.is_in(cover, *end)).collect();
        if on_it.is_empty() {
            return line.line.from_level.max(line.line.to_level) < hill.level;
        }
        let way = (line.line.from, line.line.to);
        let around = Bounds::around(&[way.0, way.1]).grown(ROUNDING);
        let crosses = |(a, b)| around.meets(&Bounds::around(&[a, b])) && convex::clip(way, &[a, b]).is_some();
        let mut crossed = hill.crests.iter().enumerate().filter(|(_, crest)| edges(crest).any(crosses));
        crossed.any(|(no, crest)| {
            !on_it.iter().any(|(_, stand, end, known)| {
                let look = || self.is_at(stand, crest);
                end.over && known.get(no).map_or_else(look, |known| once(known, look))
            })
        })
    }

    /// A unit in hiding right behind a wall stays unseen across it, but for those near it or higher up.
    fn wall_hides(&self, wall: &Feature, line: &Sightline) -> bool {
        let constant = &self.lane.field.charts().constant;
        if !self.lane.to.hidden || line.from_level > line.to_level {
            return false;
        }
        let found = match weight(self.lane.field, wall) {
            Weight::Heavy => constant.sight_heavy,
            Weight::Light | Weight::Undefined => constant.sight_light,
        };
        let behind = wall.shape.gap_to(self.target) <= reach(constant.cover).as_f64() + SLACK.as_f64();
        behind && wall.shape.distance(line.from) > reach(found).as_f64() + SLACK.as_f64()
    }
}

impl Cover<'_> {
    /// Whether an end of the look lies inside; looked up once.
    fn holds(&self, end: usize, place: Vec2) -> bool {
        once(&self.inside[end], || self.feature.shape.contains(place))
    }
}

/// An answer that is found out once.
fn once(known: &Cell<Option<bool>>, find: impl FnOnce() -> bool) -> bool {
    let answer = known.get().unwrap_or_else(find);
    known.set(Some(answer));
    answer
}

fn edges(line: &[Point]) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    line.iter().zip(line.iter().skip(1)).map(|(a, b)| (a.vec(), b.vec()))
}
