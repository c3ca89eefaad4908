//! Who sees whom: fields of vision, woods and houses, crests, troops in the way. Section 16.3, C.5, A-45 to.
//!
//! A stand looks from the ends and the middle of its front edge and is seen by its middle or a corner. Whoever looks many
//! times from one unit at another makes a [`Lane`] once: it knows which bodies could stand in the way.

mod shut;
mod why;

use super::charts::reach;
use super::field::{self, Field, is_hidden, is_there, surely_beyond};
use super::ground;
use super::settings::Weight;
use super::shooting::arc::Arc;
use super::unit::{Arm, Crest, Part};
use engine::{CommanderId, FeatureId, Side, UnitId};
use smallvec::SmallVec;
use std::cell::Cell;
use table::terrain::{Feature, TerrainKind};
use table::{Angle, Bounds, Footprint, Length, Point, Quad, Ray, SLACK, Sightline, Vec2, convex};

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
    bodies: Vec<Body>,
    /// Whether the ground stops every look, once somebody has asked.
    shut: Cell<Option<bool>>,
    /// Of the first targets, by bits, for which somebody has asked this, and which no eye sees for the ground.
    parted: Cell<(u64, u64)>,
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

    /// The lane from a unit to a place another was at, or will be.
    pub fn to_place(field: &'f Field, viewer: UnitId, target: UnitId, place: &'f Quad) -> Lane<'f> {
        let ends = (End::of(field, viewer), End::of(field, target));
        let stands = (field::stands(field, viewer), std::slice::from_ref(place));
        Lane::within(field, ends, [Some(viewer), Some(target)], stands)
    }

    fn within(
        field: &'f Field,
        ends: (End, End),
        but: [Option<UnitId>; 2],
        (eyes, targets): (&'f [Quad], &'f [Quad]),
    ) -> Lane<'f> {
        let half = Angle::degrees(field.charts().constant.sight_arc.value.as_degrees() * 0.5);
        let (bodies, shut, parted) = (Vec::new(), Cell::default(), Cell::default());
        let vision = half.sin_cos();
        let mut lane = Lane { field, from: ends.0, to: ends.1, eyes, targets, but, bodies, shut, parted, vision };
        lane.bodies = lane.bodies_about();
        lane
    }

    /// Everybody who may stand in the way.
    fn bodies_about(&self) -> Vec<Body> {
        let field = self.field;
        let mut all = self.eyes.iter().chain(self.targets).map(Quad::bounds);
        let Some(first) = all.next() else { return Vec::new() };
        let around = all.fold(first, |around, one| around.joined(&one)).grown(ROUNDING);
        let mut bodies = Vec::new();
        for (id, unit) in field.units() {
            let involved = self.but.contains(&Some(id));
            if involved || !unit.is_present() || is_hidden(unit) || !unit.quad().bounds().meets(&around) {
                continue;
            }
            let Some(foot) = blocks_as(field, id) else { continue };
            let bases = unit.bases();
            for (quad, level) in bases.quads().iter().zip(bases.levels()) {
                if quad.bounds().meets(&around) {
                    let quad = closed(quad);
                    bodies.push(Body { quad, around: quad.bounds(), level: *level, foot });
                }
            }
        }
        bodies
    }

    /// The bit that stands for one of its targets; none for those beyond the first.
    fn bit_of(&self, target: &Quad) -> u64 {
        let place = self.targets.iter().position(|one| std::ptr::eq(one, target));
        place.and_then(|no| 1_u64.checked_shl(no as u32)).unwrap_or(0)
    }

    /// Whether the ground surely stops every look along it.
    fn is_shut(&self) -> bool {
        self.shut.get().unwrap_or_else(|| {
            let shut = shut::is_shut(self.field, (self.from, self.to), self.eyes, self.targets);
            self.shut.set(Some(shut));
            shut
        })
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

    fn looks(&self, eye: &Quad, target: &Quad, ahead: impl Fn(Vec2) -> bool) -> bool {
        let far = reach(self.field.charts().constant.sight);
        if surely_beyond(eye, target, far) || self.is_shut() {
            return false;
        }
        let bit = self.bit_of(target);
        if self.parted.get().1 & bit != 0 {
            return false;
        }
        let most = far.as_f64() + SLACK.as_f64();
        let inward = |corner: Vec2| corner.lerp(target.centre, HAIR);
        let [a, b, c, d] = target.corners.map(inward);
        let parts = [target.centre, a, b, c, d];
        let shown = parts.map(ahead);
        if shown == [false; ENDS - EYES] {
            return false;
        }
        let (left, right) = eye.front_edge();
        let eyes = [(left + right) * 0.5, left.lerp(right, HAIR), right.lerp(left, HAIR)];
        let [middle, left, right] = eyes;
        let look = Look::of(self, eye, target, [middle, left, right, target.centre, a, b, c, d]);
        let near = |from: usize, to: usize| look.places[from].distance(look.places[to]) <= most;
        let mut asked = false;
        for from in 0..EYES {
            for to in (EYES..ENDS).filter(|to| shown[to - EYES] && near(from, *to)) {
                if look.is_open(from, to) {
                    return true;
                }
                // What stopped one line may well stop them all.
                if let Some(cover) = look.ground.get(look.hidden_by.get()).filter(|_| !asked) {
                    asked = true;
                    let parts = |eyes: &[Quad]| {
                        shut::is_shut_by(self.field, (self.from, self.to), (eyes, target), cover.feature)
                    };
                    let (known, parted) = self.parted.get();
                    let all = known & bit == 0 && bit != 0 && self.eyes.len() > 1 && parts(self.eyes);
                    self.parted.set((known | bit, if all { parted | bit } else { parted }));
                    if all || parts(std::slice::from_ref(eye)) {
                        return false;
                    }
                }
            }
        }
        false
    }
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
    Quad {
        corners: stand.corners.map(|corner| stand.centre + (corner - stand.centre) * grown),
        radius: stand.radius * grown,
        ..*stand
    }
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
    fn of(lane: &'l Lane<'l>, eye: &'l Quad, target: &'l Quad, places: [Vec2; ENDS]) -> Look<'l> {
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
        for feature in &lane.field.ground().features {
            let raised = feature.level > 0 && !feature.shape.is_line();
            let wall = lane.to.hidden && is_obstacle(feature.kind);
            if !(raised || wall || hides(feature.kind)) || !feature.shape.bounds().meets(&around) {
                continue;
            }
            if !strip.meets(&feature.shape.bounds()) {
                continue;
            }
            look.ground.push(Cover { feature, raised, inside: Default::default(), at: Default::default() });
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
            ray.inside(&cover.feature.shape).is_some_and(|inside| self.blocks(cover, inside, &line))
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

    fn blocks(&self, cover: &Cover<'_>, inside: Length, line: &Line) -> bool {
        let feature = cover.feature;
        if hides(feature.kind) {
            return self.trees_block(cover, inside, line);
        }
        if is_obstacle(feature.kind) {
            return self.wall_hides(feature, &line.line);
        }
        feature.level > 0 && !feature.shape.is_line() && self.hill_blocks(cover, line)
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

/// Whether a unit sees another: some stand of it, or its skirmishers, some stand of the other.
pub fn sees(field: &Field, viewer: UnitId, target: UnitId) -> bool {
    if !is_there(field, target) {
        return false;
    }
    let own = is_there(field, viewer) && body_sees(field, viewer, target);
    own || field::part_out(field, viewer, Part::Screen).is_some_and(|screen| body_sees(field, screen, target))
}

/// Whether a unit sees another through the eyes of its skirmishers alone (days.16.3-f).
pub fn sees_by_screen(field: &Field, viewer: UnitId, target: UnitId) -> bool {
    field::part_out(field, viewer, Part::Screen).is_some() && !body_sees(field, viewer, target)
}

fn body_sees(field: &Field, viewer: UnitId, target: UnitId) -> bool {
    let far = reach(field.charts().constant.sight);
    if surely_beyond(field.unit(viewer).quad(), field.unit(target).quad(), far) {
        return false;
    }
    any_sees(&Lane::between(field, viewer, target), field::stands(field, viewer), field::stands(field, target))
}

/// Command stands look at each other first: they see each other more often than not.
fn any_sees(lane: &Lane<'_>, eyes: &[Quad], targets: &[Quad]) -> bool {
    if let (Some(eye), Some(target)) = (eyes.get(eyes.len() / 2), targets.get(targets.len() / 2))
        && lane.stand_sees(eye, target)
    {
        return true;
    }
    eyes.iter().any(|eye| targets.iter().any(|target| lane.stand_sees(eye, target)))
}

/// Whether one stand of a unit sees one stand of another. For many pairs of the same two units make a [`Lane`] once.
pub fn stand_sees(field: &Field, viewer: UnitId, from: &Quad, target: UnitId, stand: &Quad) -> bool {
    let ends = (End::of(field, viewer), End::of(field, target));
    let stands = (std::slice::from_ref(from), std::slice::from_ref(stand));
    Lane::within(field, ends, [Some(viewer), Some(target)], stands).stand_sees(from, stand)
}

/// Whether anybody of a side sees a unit.
pub fn seen_by(field: &Field, side: Side, target: UnitId) -> bool {
    is_there(field, target)
        && (field.present(side).any(|(viewer, _)| viewer != target && body_sees(field, viewer, target))
            || staff_see(field, side, End::of(field, target), Some(target), field::stands(field, target)))
}

/// Whether a general of a side sees any of these stands: staff look all round.
fn staff_see(field: &Field, side: Side, seen: End, target: Option<UnitId>, stands: &[Quad]) -> bool {
    let present = field.muster().commander_ids().filter(|id| field.muster().commander(*id).side == side);
    present.filter(|id| field.commander(*id).is_present() && field.commander(*id).own.is_fit()).any(|id| {
        let eye = field.commander(id).quad();
        let but = [field.commander(id).own.attached, target];
        let lane = Lane::within(field, (End::STAFF, seen), but, (std::slice::from_ref(eye), stands));
        stands.iter().any(|stand| lane.sees_all_round(eye, stand))
    })
}

/// Whether anybody of a side sees a place on the table as an open stand would be seen.
pub fn place_seen_by(field: &Field, side: Side, place: Vec2) -> bool {
    let stand = &field.charts().stand.infantry;
    let footprint = Footprint { width: reach(stand.width), depth: reach(stand.depth) };
    let middle = Quad::of_square(place, footprint.width.max(footprint.depth));
    let far = reach(field.charts().constant.sight);
    let by_units = field.present(side).any(|(viewer, unit)| {
        if surely_beyond(unit.quad(), &middle, far) {
            return false;
        }
        let stands = field::stands(field, viewer);
        let ends = (End::of(field, viewer), End::PLAIN);
        let lane = Lane::within(field, ends, [Some(viewer), None], (stands, std::slice::from_ref(&middle)));
        stands.iter().any(|eye| lane.stand_sees(eye, &middle))
    });
    by_units || staff_see(field, side, End::PLAIN, None, &[middle])
}

/// The lane from a unit to a general on his own.
pub fn lane_to_general(field: &Field, viewer: UnitId, general: CommanderId) -> Lane<'_> {
    let stands = (field::stands(field, viewer), std::slice::from_ref(field.commander(general).quad()));
    Lane::within(field, (End::of(field, viewer), End::STAFF), [Some(viewer), None], stands)
}

/// Whether a unit sees a general on his own.
pub fn sees_general(field: &Field, viewer: UnitId, general: CommanderId) -> bool {
    if !field.commander(general).is_present() || !is_there(field, viewer) {
        return false;
    }
    let lane = lane_to_general(field, viewer, general);
    let target = field.commander(general).quad();
    field::stands(field, viewer).iter().any(|eye| lane.stand_sees(eye, target))
}
