//! Who is in the way: collisions along tracks stand by stand, room to stand, base contact. A-96, C.1, C.9.

use super::charts::reach;
use super::field::{self, Few, Field, facts, is_battery, measured, stands, stands_at};
use super::formation::{Formation, Shape as Drawn};
use super::unit::Part;
use engine::UnitId;
use smallvec::SmallVec;
use table::march::{Motion, Stage, Track};
use table::{Bounds, Layout, Length, Pose, Quad, SLACK, Shape, Vec2, convex, quads_overlap, quads_touch};

/// Somebody met on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Met {
    /// Who.
    pub unit: UnitId,
    /// How far along the way.
    pub at: Length,
}

/// Swings are looked at this often, in thousandths of a degree.
const SWING_STEP: i32 = 3_000;
/// More than rounding could hide, in micrometres.
const HAIR: f64 = 4.0;
/// Corners of the ground a rectangle sweeps: two rectangles and no more.
type Hull = SmallVec<[Vec2; 8]>;

/// The ground the stands of a body sweep along a track.
pub struct Sweep {
    pieces: Vec<Piece>,
    /// The outlines of those pieces that move.
    hulls: SmallVec<[Hull; 2]>,
    bounds: Bounds,
}

/// One stand in one stretch of the way.
struct Piece {
    quad: Quad,
    by: Vec2,
    /// Which outline is its own, where it moves.
    hull: Option<usize>,
    around: Bounds,
}

impl Sweep {
    /// The sweep of a unit that is drawn up so.
    pub fn of(field: &Field, unit: UnitId, formation: Formation, track: &Track) -> Sweep {
        Sweep::of_layout(&field::layout(field, unit, formation), track)
    }

    /// The sweep of stands that are drawn up so.
    pub fn of_layout(layout: &Layout, track: &Track) -> Sweep {
        let solid = is_solid(layout);
        let footprint = layout.footprint();
        let each = if solid { 1 } else { layout.stands().len() };
        let times = |stage: &Stage| match stage.motion {
            Motion::Slide(_) | Motion::Flip => 1,
            Motion::Swing { by, .. } => swing_steps(by) as usize + 1,
        };
        let pieces = Vec::with_capacity(each * track.stages().iter().map(times).sum::<usize>().max(1));
        let mut sweep = Sweep { pieces, hulls: SmallVec::new(), bounds: Bounds::default() };
        let mut add = |pose: Pose, by: Vec2| {
            if solid {
                sweep.add(footprint.quad(pose), by);
            } else {
                layout.quads(pose).for_each(|quad| sweep.add(quad, by));
            }
        };
        if track.stages().is_empty() {
            add(track.start(), Vec2::ZERO);
        }
        for stage in track.stages() {
            match stage.motion {
                Motion::Slide(by) => add(stage.from, by),
                Motion::Swing { by, .. } => swing(stage, by).for_each(|pose| add(pose, Vec2::ZERO)),
                Motion::Flip => add(stage.to, Vec2::ZERO),
            }
        }
        sweep
    }

    /// The ground under the stands where a track begins and ends, and no more: whatever that meets the whole sweep meets.
    pub fn of_ends(layout: &Layout, track: &Track) -> Sweep {
        let mut sweep = Sweep { pieces: Vec::new(), hulls: SmallVec::new(), bounds: Bounds::default() };
        // A hair smaller at the end than it is: a slide is reckoned from its start.
        let within = |quad: Quad| {
            let share = HAIR / greater(quad.radius, HAIR);
            Quad { corners: quad.corners.map(|corner| corner.lerp(quad.centre, share)), ..quad }
        };
        // Whoever turns about first stands on the ground he has turned about on.
        let flips = track.stages().first().filter(|stage| stage.motion == Motion::Flip);
        let (start, end) = (flips.map_or(track.start(), |stage| stage.to), track.end());
        if is_solid(layout) {
            sweep.add(layout.footprint().quad(start), Vec2::ZERO);
            sweep.add(within(layout.footprint().quad(end)), Vec2::ZERO);
        } else {
            layout.quads(start).for_each(|quad| sweep.add(quad, Vec2::ZERO));
            layout.quads(end).for_each(|quad| sweep.add(within(quad), Vec2::ZERO));
        }
        sweep
    }

    /// One stand more in one stretch of the way.
    fn add(&mut self, quad: Quad, by: Vec2) {
        let mut around = quad.bounds();
        let moves = by != Vec2::ZERO;
        if moves {
            around = around.joined(&quad.shifted(by).bounds());
            self.hulls.push(hull(&quad, by));
        }
        self.bounds = if self.pieces.is_empty() { around } else { self.bounds.joined(&around) };
        self.pieces.push(Piece { quad, by, hull: moves.then(|| self.hulls.len() - 1), around });
    }

    /// The outline of the ground a piece covers.
    fn outline<'s>(&'s self, piece: &'s Piece) -> &'s [Vec2] {
        piece.hull.and_then(|no| self.hulls.get(no)).map_or(piece.quad.points(), |hull| hull.as_slice())
    }

    /// The box around everything.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Whether any stand overlaps a rectangle on the way.
    pub fn overlaps(&self, quad: &Quad) -> bool {
        let around = quad.bounds();
        self.bounds.meets(&around)
            && self
                .pieces
                .iter()
                .any(|piece| piece.around.meets(&around) && convex::overlaps(self.outline(piece), quad.points()))
    }

    /// Whether any stand enters or crosses a shape on the way.
    pub fn crosses(&self, shape: &Shape) -> bool {
        self.bounds.meets(&shape.bounds()) && self.pieces.iter().any(|piece| piece.crosses(shape))
    }

    /// How near any stand comes to a rectangle on the way, looking no further than `most`.
    pub fn nearest(&self, quad: &Quad, most: Length) -> Length {
        let around = quad.bounds().grown(most.as_f64() + SLACK.as_f64() * 2.0);
        if !self.bounds.meets(&around) {
            return Length::MAX;
        }
        let near = self.pieces.iter().filter(|piece| piece.around.meets(&around));
        near.map(|piece| Length::from_um(convex::gap(self.outline(piece), quad.points()))).min().unwrap_or(Length::MAX)
    }

    /// Whether it may come within a distance of a rectangle: cheap, and never wrong when it says no.
    pub fn comes_near(&self, quad: &Quad, distance: Length) -> bool {
        self.bounds.meets(&quad.bounds().grown(distance.as_f64() + SLACK.as_f64() * 2.0))
    }

    /// The directions in which stands that overlap a rectangle were moving.
    pub fn directions(&self, quad: &Quad) -> SmallVec<[Vec2; 2]> {
        let over = self.pieces.iter().filter(|piece| convex::overlaps(self.outline(piece), quad.points()));
        over.map(|piece| piece.by).collect()
    }
}

impl Piece {
    fn crosses(&self, shape: &Shape) -> bool {
        if !self.around.meets(&shape.bounds()) {
            return false;
        }
        shape.overlaps_quad(&self.quad) || (self.by != Vec2::ZERO && !shape.sweep(&self.quad, self.by).is_empty())
    }
}

fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// Poses along a swing.
fn swing(stage: &Stage, by: i32) -> impl Iterator<Item = Pose> + '_ {
    let steps = swing_steps(by);
    (0..=steps).map(move |step| stage.at(f64::from(step) / f64::from(steps)))
}

/// So many steps a swing is cut into.
fn swing_steps(by: i32) -> i32 {
    (by.abs() / SWING_STEP).max(1)
}

/// The least convex outline around a rectangle and its place after the move.
fn hull(quad: &Quad, by: Vec2) -> Hull {
    let mut corners: Hull = quad.corners.into_iter().chain(quad.shifted(by).corners).collect();
    corners.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut outline = half_hull(corners.iter().copied());
    let back = half_hull(corners.iter().rev().copied());
    outline.pop();
    outline.extend(back);
    outline.pop();
    outline
}

/// One side of the outline, from the first corner to the last.
fn half_hull(corners: impl Iterator<Item = Vec2>) -> Hull {
    let mut side = Hull::new();
    for corner in corners {
        while let [.., before, last] = side[..] {
            if (last - before).cross(corner - before) > 0.0 {
                break;
            }
            side.pop();
        }
        side.push(corner);
    }
    side
}

/// Whether the stands fill their rectangle, so that it stands for all of them.
fn is_solid(layout: &Layout) -> bool {
    let footprint = layout.footprint();
    let all: f64 = layout.stands().iter().map(|one| one.footprint.width.as_f64() * one.footprint.depth.as_f64()).sum();
    let straight = layout.stands().iter().all(|one| one.pose.facing == table::Angle::NORTH);
    straight && all >= footprint.width.as_f64() * footprint.depth.as_f64() * 0.999
}

/// Whether two units go together and are never in each other's way: an engineer party and the unit it is with.
pub fn go_together(field: &Field, a: UnitId, b: UnitId) -> bool {
    field::troops(field, a).attached == Some(b) || field::troops(field, b).attached == Some(a)
}

/// Everybody on the table but one who may be in its way, where `near` holds for the rectangle around him: that is asked
/// first, for it is soon said and holds for few.
pub(super) fn others(
    field: &Field,
    unit: UnitId,
    near: impl Fn(&Quad) -> bool,
) -> impl Iterator<Item = (UnitId, &Quad)> {
    field
        .units()
        .filter(move |(id, one)| one.is_present() && near(one.quad()) && *id != unit && !go_together(field, unit, *id))
        .map(|(id, one)| (id, one.quad()))
}

/// The first unit for which `counts` holds that the stands of `unit`, moving straight from its pose along `towards` (a
/// unit vector) for at most `most`, would touch.
pub fn first_met(
    field: &Field,
    unit: UnitId,
    towards: Vec2,
    most: Length,
    counts: &dyn Fn(UnitId) -> bool,
) -> Option<Met> {
    let mine = stands(field, unit);
    let body = field.unit(unit).quad();
    let mut first: Option<Met> = None;
    for (id, _) in others(field, unit, |quad| !field::surely_beyond(body, quad, most)) {
        if !counts(id) {
            continue;
        }
        let theirs = stands(field, id);
        let at = first_touch(mine, towards, most, theirs);
        if let Some(at) = at.filter(|at| first.is_none_or(|met| *at < met.at)) {
            first = Some(Met { unit: id, at });
        }
    }
    first
}

/// How far stands going straight on along `towards` (a unit vector) get until one of them touches one of the others, if
/// that is within `most`. Only pairs that could be the first are measured closely.
pub fn first_touch(own: &[Quad], towards: Vec2, most: Length, theirs: &[Quad]) -> Option<Length> {
    let across = towards.perp_right();
    let hair = SLACK.as_f64() * 2.0;
    let ahead: SmallVec<[(f64, (f64, f64)); 16]> =
        theirs.iter().map(|quad| (extent([quad], towards).0, extent([quad], across))).collect();
    let mut first: Option<Length> = None;
    for one in own {
        let (front, (left, right)) = (extent([one], towards).1, extent([one], across));
        for (other, (back, (from, to))) in theirs.iter().zip(&ahead) {
            let beside = *from > right + hair || *to < left - hair;
            let later = first.is_some_and(|first| back - front > first.as_f64() + hair);
            if !beside && !later {
                let at = table::reach(one, towards, most, other);
                first = [first, at].into_iter().flatten().min();
            }
        }
    }
    first
}

/// Units the stands of `unit` overlap along a track of legs, `counts` holding for them.
pub fn overlapped(field: &Field, unit: UnitId, track: &Track, counts: &dyn Fn(UnitId) -> bool) -> Few {
    swept(field, unit, &Sweep::of(field, unit, field::formation(field, unit), track), counts)
}

/// Units a sweep overlaps.
pub fn swept(field: &Field, unit: UnitId, sweep: &Sweep, counts: &dyn Fn(UnitId) -> bool) -> Few {
    others(field, unit, |quad| sweep.bounds.meets(&quad.bounds()))
        .filter(|(id, _)| counts(*id))
        .filter(|(id, _)| stands(field, *id).iter().any(|stand| sweep.overlaps(stand)))
        .map(|(id, _)| id)
        .collect()
}

/// Units whose stands would overlap those of `unit` standing so.
pub fn crowded(field: &Field, unit: UnitId, pose: Pose, formation: Formation) -> Few {
    let layout = field::layout(field, unit, formation);
    let body = layout.footprint().quad(pose);
    let near = others(field, unit, |quad| !field::surely_beyond(&body, quad, Length::ZERO));
    crowding(field, unit, (pose, &body, &layout), near).collect()
}

/// The same among those who are near and may be in its way.
pub(super) fn crowding<'c>(
    field: &'c Field,
    unit: UnitId,
    (pose, body, layout): (Pose, &'c Quad, &'c Layout),
    near: impl Iterator<Item = (UnitId, &'c Quad)> + 'c,
) -> impl Iterator<Item = UnitId> + 'c {
    // Most have nobody so near that stands have to be looked at.
    let mut mine: Option<field::Stands> = None;
    near.filter(move |(_, quad)| quads_overlap(body, quad))
        .filter(move |(id, _)| {
            let theirs = stands(field, *id);
            let mine = mine.get_or_insert_with(|| layout.quads(pose).collect());
            mine.iter().any(|stand| theirs.iter().any(|other| quads_overlap(stand, other)))
        })
        .filter(move |(id, _)| !shelters(field, *id, unit) && !shelters(field, unit, *id))
        .map(|(id, _)| id)
}

/// Whether a unit could stand so: on the table and on nobody's feet.
pub fn has_room(field: &Field, unit: UnitId, pose: Pose, formation: Formation) -> bool {
    let ground = field.ground();
    stands_at(field, unit, pose, formation).iter().all(|stand| ground.holds(stand))
        && crowded(field, unit, pose, formation).is_empty()
}

/// Whether a square has room for a friendly battery: no more guns inside than it has stands (empire.12.3-h).
pub fn shelters(field: &Field, square: UnitId, battery: UnitId) -> bool {
    let fits = field.side_of(square) == field.side_of(battery)
        && field::shape(field, square) == Drawn::Square
        && is_battery(field, battery)
        && !field::is_routing(field, square);
    if !fits {
        return false;
    }
    let inside = |id: UnitId| id != battery && is_battery(field, id) && field::is_there(field, id);
    let walls = field.unit(square).quad();
    let guests =
        field.present(field.side_of(square)).filter(|(id, unit)| inside(*id) && quads_overlap(walls, unit.quad()));
    let guns: u32 = guests.map(|(id, _)| u32::from(field::count(field, id))).sum();
    guns + u32::from(field::count(field, battery)) <= u32::from(field::count(field, square))
}

/// Whether friends may move through this unit freely: skirmishers, spaced deployed batteries, staff, squares that take
/// guns in. Which way batteries are passed is for whoever knows the way: [`goes_through_guns`].
pub fn is_passable(field: &Field, by: UnitId, through: UnitId) -> bool {
    if field.side_of(by) != field.side_of(through) {
        return false;
    }
    field::shape(field, through) == Drawn::Skirmish
        || field::shape(field, by) == Drawn::Skirmish && facts(field, by).part_kind() == Some(Part::Screen)
        || is_battery(field, through) && field::shape(field, through) == Drawn::Deployed
        || facts(field, through).arm == super::unit::Arm::Engineers
        || facts(field, through).part_kind() == Some(Part::Crew)
        || shelters(field, through, by)
}

/// Whether a direction leads through guns from front to rear or from rear to front (days.17.4.8-a).
pub fn goes_through_guns(field: &Field, battery: UnitId, direction: Vec2) -> bool {
    let forward = field.unit(battery).pose().forward();
    let along = direction.dot(forward).abs();
    direction == Vec2::ZERO || along >= direction.cross(forward).abs()
}

/// How much base edge two units standing so would share: at least 1" is contact (days.17.4.2-b). Measured along the edge
/// that is touched: for parallel edges it is exactly what they have in common, and where one comes in at an angle it is
/// the width on which they face each other.
pub fn shared_edge(field: &Field, a: UnitId, b: UnitId) -> Length {
    if field::surely_beyond(field.unit(a).quad(), field.unit(b).quad(), Length::ZERO) {
        return Length::ZERO;
    }
    shared(stands(field, a), stands(field, b), reach(field.charts().constant.contact))
}

/// The same for rectangles; only stands within `near` of the others count.
pub fn shared(a: &[Quad], b: &[Quad], near: Length) -> Length {
    let pairs = a.iter().flat_map(|one| b.iter().map(move |other| (one, other)));
    let mut best = Length::ZERO;
    for (one, other) in pairs.filter(|(one, other)| quads_touch(one, other)) {
        let along = touched_edge(one, other);
        let close = |mine: &[Quad], theirs: &[Quad]| -> (f64, f64) {
            let facing = mine.iter().filter(|stand| theirs.iter().any(|foe| table::gap(stand, foe) <= near));
            extent(facing, along)
        };
        let ((a_from, a_to), (b_from, b_to)) = (close(a, b), close(b, a));
        let from = if a_from > b_from { a_from } else { b_from };
        let to = if a_to < b_to { a_to } else { b_to };
        best = best.max(Length::from_um(if to > from { to - from } else { 0.0 }));
    }
    best
}

/// The direction of the edge along which two touching rectangles lie: of all their edges the one that parts them best.
fn touched_edge(one: &Quad, other: &Quad) -> Vec2 {
    let mut best = (f64::NEG_INFINITY, Vec2 { x: 1.0, y: 0.0 });
    for quad in [one, other] {
        for (from, to) in quad.edges() {
            let along = (to - from).normalised();
            let ((a_from, a_to), (b_from, b_to)) =
                (extent([one], along.perp_right()), extent([other], along.perp_right()));
            let apart = if a_from - b_to > b_from - a_to { a_from - b_to } else { b_from - a_to };
            if apart > best.0 {
                best = (apart, along);
            }
        }
    }
    best.1
}

/// From where to where rectangles reach along a direction.
pub fn extent<'q>(quads: impl IntoIterator<Item = &'q Quad>, along: Vec2) -> (f64, f64) {
    quads
        .into_iter()
        .flat_map(|quad| quad.corners)
        .map(|corner| corner.dot(along))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), at| {
            (if at < least { at } else { least }, if at > most { at } else { most })
        })
}

/// Whether two units are in base contact: touching along at least 1", or along all a smaller base has.
pub fn in_contact(field: &Field, a: UnitId, b: UnitId) -> bool {
    let narrowest = |id: UnitId| {
        let stand = facts(field, id).stand_in(field::formation(field, id));
        stand.width.min(stand.depth)
    };
    let need = reach(field.charts().constant.contact).min(narrowest(a)).min(narrowest(b));
    let shared = shared_edge(field, a, b);
    // A hair of rounding does not part them.
    shared > Length::ZERO && measured(shared + SLACK) >= measured(need)
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::{Angle, Footprint, Leg, Point};

    const INCH: Length = Length::whole_inches(1);

    fn stand(x: f64, y: f64, facing: i32) -> Quad {
        let at = Point::new(Length::inches(x), Length::inches(y));
        Footprint::new(INCH, INCH).quad(Pose::new(at, Angle::whole(facing)))
    }

    #[test]
    fn parallel_edges_share_what_they_have_in_common() {
        let line = [stand(0.5, 1.0, 0), stand(1.5, 1.0, 0), stand(2.5, 1.0, 0)];
        let foe = [stand(2.0, 1.0, 180), stand(3.0, 1.0, 180)];
        assert_eq!(shared(&line, &foe, INCH), Length::inches(1.5));
        let brush = [stand(3.25, 1.0, 180)];
        assert_eq!(shared(&line, &brush, INCH), Length::inches(0.25));
        assert_eq!(shared(&line, &[stand(1.0, 1.5, 180)], INCH), Length::ZERO, "not touching");
    }

    #[test]
    fn a_slanting_charger_shares_the_width_on_which_they_meet() {
        let line: Vec<Quad> = (0..6).map(|n| stand(f64::from(n) + 0.5, 1.0, 0)).collect();
        // A square of an inch, turned by 45°, with its corner on the middle of the line.
        let half = INCH.as_f64() * std::f64::consts::FRAC_1_SQRT_2;
        let inch = INCH.as_f64();
        let centre = Vec2 { x: 3.0 * inch, y: inch + half };
        let mut foe = stand(0.0, 0.0, 45);
        foe = foe.shifted(centre - foe.centre);
        let met = shared(&line, &[foe], INCH);
        assert!(met > INCH && met < INCH * 2, "{met}");
    }

    #[test]
    fn hulls_hold_both_ends_of_a_slide() {
        let quad = stand(0.0, 0.0, 30);
        let by = Vec2 { x: 100_000.0, y: 20_000.0 };
        let hull = hull(&quad, by);
        assert_eq!(hull.len(), 6);
        for corner in quad.corners.into_iter().chain(quad.shifted(by).corners) {
            assert!(convex::distance(&hull, corner) < 1.0);
        }
        let middle = Footprint::new(INCH, INCH).quad(Pose::default().shifted(by * 0.5));
        assert!(convex::overlaps(&hull, middle.points()));
    }

    #[test]
    fn swings_are_looked_at_closely() {
        let track =
            Track::plot(Pose::default(), Footprint::new(INCH * 6, INCH), &["wheel left 30".parse::<Leg>().unwrap()]);
        let poses: Vec<Pose> =
            track.stages().iter().flat_map(|stage| swing(stage, -30_000).collect::<Vec<_>>()).collect();
        assert_eq!(poses.len(), 11);
        assert_eq!(poses.last().copied(), Some(track.end()));
    }
}
