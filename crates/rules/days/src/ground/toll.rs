//! What ground takes off a move, and where there is no way at all. Sections 15 and 17.4.4, C-13.

use super::patch::{Land, Patch, Piece, patches_near};
use super::{in_ford, level, on_bridge};
use crate::charts::{Going, Toll};
use crate::clause::Clause;
use crate::field::{self, Field, facts};
use crate::formation::{Formation, Shape as Drawn};
use crate::settings::Weight;
use crate::space::Sweep;
use crate::unit::{Arm, Part};
use engine::reckoning::Fixed;
use engine::verdict::{Mark, Note};
use engine::{Cited, CommanderId, UnitId};
use smallvec::SmallVec;
use std::borrow::Cow;
use table::march::{Leg, Motion, Track};
use table::terrain::TerrainKind;
use table::{Layout, Length, Point, Pose, Quad, SLACK, Shape, Vec2};

/// Who moves, as far as ground minds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Mover {
    Formed,
    OpenOrder,
    Engineers,
    Mounted,
    Limbered,
    Staff,
}

/// A stretch of a move in one formation.
pub struct Way<'t> {
    /// Where it leads.
    pub track: &'t Track,
    /// How the unit is drawn up on it.
    pub formation: Formation,
}

/// What one piece of ground takes off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TollLine {
    /// Which piece.
    pub piece: Piece,
    /// What it is.
    pub land: Land,
    /// Its name.
    pub name: String,
    /// What it takes off; the whole move is `Length::MAX`.
    pub cost: Length,
    /// By which clause.
    pub clause: Clause,
    /// Where the figure comes from.
    pub source: engine::chart::Source,
}

/// What the ground takes off a move, and what it forbids.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tolls {
    /// Deductions, one for each piece of ground.
    pub lines: SmallVec<[TollLine; 4]>,
    /// Where there is no way.
    pub refusals: Vec<Note>,
    /// It came over an obstacle, which disorders (days.15.10-c).
    pub over_obstacle: bool,
    /// It went through ground that disorders, with the clause that says so.
    pub disorders: Option<Clause>,
    /// It was in a swamp.
    pub swamp: bool,
    /// All of it was made in column on a road (mv-road).
    pub on_road: bool,
}

impl Tolls {
    /// All deductions together.
    pub fn total(&self) -> Length {
        self.lines.iter().map(|line| line.cost).sum()
    }
}

impl TollLine {
    /// The figure as a line of a reckoning.
    pub fn figure(&self) -> Fixed {
        inches(self.cost)
    }
}

/// A length in hundredths of an inch, for reckonings.
pub fn inches(length: Length) -> Fixed {
    Fixed((length.as_inches() * 100.0).round() as i32)
}

/// As what a unit moves over ground.
pub fn mover(field: &Field, unit: UnitId, formation: Formation, mounted: bool) -> Mover {
    let facts = facts(field, unit);
    match facts.arm {
        _ if matches!(facts.part_kind(), Some(Part::Crew | Part::Holders)) => Mover::OpenOrder,
        Arm::Cavalry if mounted => Mover::Mounted,
        Arm::Infantry | Arm::Cavalry if formation.shape == Drawn::Skirmish => Mover::OpenOrder,
        Arm::Infantry | Arm::Cavalry => Mover::Formed,
        Arm::Artillery | Arm::Wagon => Mover::Limbered,
        Arm::Engineers => Mover::Engineers,
    }
}

/// What the ground takes off a unit's way along one track, as it is drawn up and mounted.
pub fn toll(field: &Field, unit: UnitId, formation: Formation, track: &Track) -> Tolls {
    tolls(field, unit, &[Way { track, formation }], field::is_mounted(field, unit))
}

/// What the ground takes off a whole move: each piece of ground once.
pub fn tolls(field: &Field, unit: UnitId, ways: &[Way<'_>], mounted: bool) -> Tolls {
    let sweeps: SmallVec<[Sweep; 3]> =
        ways.iter().map(|way| Sweep::of(field, unit, way.formation, way.track)).collect();
    tolls_along(field, unit, ways, &sweeps, mounted)
}

/// The same for whoever has swept the ways already.
pub fn tolls_along(field: &Field, unit: UnitId, ways: &[Way<'_>], sweeps: &[Sweep], mounted: bool) -> Tolls {
    tolls_until(field, unit, ways, sweeps, mounted, &|_| false)
}

/// The same for whoever needs to know no more once `enough` holds.
pub fn tolls_until(
    field: &Field,
    unit: UnitId,
    ways: &[Way<'_>],
    sweeps: &[Sweep],
    mounted: bool,
    enough: &dyn Fn(&Tolls) -> bool,
) -> Tolls {
    let stretches: SmallVec<[Stretch; 2]> = ways
        .iter()
        .zip(sweeps)
        .map(|(way, sweep)| Stretch {
            layout: field::layout(field, unit, way.formation),
            sweep,
            track: way.track,
            column: way.formation.is_column(),
            mover: mover(field, unit, way.formation, mounted),
        })
        .collect();
    let mut tolls = reckon(field, &stretches, enough);
    tolls.refusals.iter_mut().for_each(|note| note.about = Some(unit));
    tolls
}

/// What the ground takes off a general's ride straight to a place.
pub fn staff_toll(field: &Field, general: CommanderId, to: Point) -> Tolls {
    let pose = field.commander(general).pose;
    let stand = field.muster().commander(general).facts.stand;
    let track = Track::plot(pose, stand, &[Leg::Straight(to)]);
    let layout = Layout::line(1, stand, Length::ZERO);
    let sweep = Sweep::of_layout(&layout, &track);
    reckon(
        field,
        &[Stretch { layout: Cow::Owned(layout), sweep: &sweep, track: &track, column: true, mover: Mover::Staff }],
        &|_| false,
    )
}

/// A stretch of a move with what is needed to lay it over the ground.
struct Stretch<'t> {
    layout: Cow<'t, Layout>,
    sweep: &'t Sweep,
    track: &'t Track,
    column: bool,
    mover: Mover,
}

impl Stretch<'_> {
    /// The lines along which stands go, from where their rear starts to where their front ends.
    fn lanes(&self) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
        fn lane(quad: Quad, by: Vec2) -> (Vec2, Vec2) {
            let [left, right, rear_right, rear_left] = quad.corners;
            let (front, rear) = ((left + right) * 0.5, (rear_left + rear_right) * 0.5);
            // Whichever end leads.
            if (front - rear).dot(by) >= 0.0 { (rear, front + by) } else { (front, rear + by) }
        }
        self.track.stages().iter().flat_map(move |stage| {
            let by = match stage.motion {
                Motion::Slide(by) => by,
                Motion::Swing { .. } | Motion::Flip => Vec2::ZERO,
            };
            let poses: SmallVec<[Pose; 2]> = match stage.motion {
                Motion::Slide(_) => SmallVec::from_slice(&[stage.from]),
                Motion::Swing { .. } | Motion::Flip => SmallVec::from_slice(&[stage.from, stage.to]),
            };
            poses.into_iter().flat_map(|pose| self.layout.quads(pose)).map(move |quad| lane(quad, by))
        })
    }

    /// Whether everything that lies in a shape lies on something else there: a bridge over water, a road through woods.
    fn is_carried(&self, shape: &Shape, on: &dyn Fn(Vec2) -> bool) -> bool {
        let mut met = false;
        for (from, to) in self.lanes() {
            for (enter, leave) in shape.clip((from, to)) {
                met = true;
                let carried = |n: u32| on(from.lerp(to, enter + (leave - enter) * f64::from(n) / f64::from(LOOKS)));
                if !(0..=LOOKS).all(carried) {
                    return false;
                }
            }
        }
        met
    }

    fn starts_in(&self, shape: &Shape) -> bool {
        self.layout.quads(self.track.start()).any(|stand| shape.overlaps_quad(&stand))
    }
}

/// How often a lane is looked at.
const LOOKS: u32 = 6;

fn reckon(field: &Field, stretches: &[Stretch<'_>], enough: &dyn Fn(&Tolls) -> bool) -> Tolls {
    let mut tolls = Tolls { on_road: keeps_to_road(field, stretches), ..Tolls::default() };
    let moves = stretches.iter().any(|stretch| !stretch.track.stages().is_empty());
    if !moves {
        return Tolls::default();
    }
    let swept = stretches.iter().map(|stretch| stretch.sweep.bounds()).reduce(|one, other| one.joined(&other));
    for patch in patches_near(field, swept.unwrap_or_default()) {
        for stretch in stretches {
            if !stretch.track.stages().is_empty() && stretch.sweep.crosses(&patch.shape) {
                lay(field, &patch, stretch, stretches, &mut tolls);
                if enough(&tolls) {
                    return tolls;
                }
            }
        }
    }
    tolls
}

/// Lays one stretch of the move over one patch.
fn lay(field: &Field, patch: &Patch<'_>, stretch: &Stretch<'_>, all: &[Stretch<'_>], tolls: &mut Tolls) {
    let chart = &field.charts().ground;
    let inside = || all.first().is_some_and(|first| first.starts_in(&patch.shape));
    let by_road = || {
        let stands = stretch.layout.stands().first().map_or(0.0, |stand| stand.footprint.width.as_f64()) * 0.5;
        stretch.column && stretch.is_carried(&patch.shape, &|place| road_near(field, place, stands))
    };
    let disordering =
        |clause: Clause| (stretch.mover != Mover::Staff && stretch.mover != Mover::Engineers).then_some(clause);
    if patch.burning && !inside() {
        refuse(field, patch, Clause::LeavingTheFlames, "burns: nobody goes in", tolls);
    }
    let heavy = patch.weight == Weight::Heavy;
    match patch.land {
        Land::Wood => {
            tolls.disorders = tolls.disorders.or(disordering(Clause::DisorderAmongTrees));
            if by_road() {
                return;
            }
            let clause = if heavy { Clause::ThroughHeavyWoods } else { Clause::ThroughLightWoods };
            let going = if heavy { &chart.wood_heavy } else { &chart.wood_light };
            charge(field, patch, stretch, going, (clause, clause), &inside, tolls);
        }
        Land::Urban => {
            tolls.disorders = tolls.disorders.or(disordering(Clause::DisorderAmongHouses));
            let going = if heavy { &chart.urban_heavy } else { &chart.urban_light };
            let clause = Clause::SlowGoingAmongHouses;
            charge(field, patch, stretch, going, (clause, clause), &inside, tolls);
        }
        Land::Hill => climb(field, patch, stretch, all, &inside, &by_road, tolls),
        Land::Difficult => {
            tolls.disorders = tolls.disorders.or(disordering(Clause::GroundThatDisorders));
            let clause = Clause::GroundShortensTheMove;
            charge(field, patch, stretch, &chart.difficult, (clause, clause), &inside, tolls);
        }
        Land::Swamp => {
            tolls.disorders = tolls.disorders.or(disordering(Clause::DisorderInASwamp));
            tolls.swamp = true;
            let clauses = (Clause::SlowGoingInSwamps, Clause::WhoMayEnterSwamps);
            charge(field, patch, stretch, &chart.swamp, clauses, &inside, tolls);
        }
        Land::Obstacle => {
            if by_road() {
                return;
            }
            tolls.over_obstacle |= disordering(Clause::OverAnObstacle).is_some();
            let going = if heavy { &chart.obstacle_heavy } else { &chart.obstacle_light };
            let clause = Clause::WallsWorksAndBarriers;
            charge(field, patch, stretch, going, (clause, clause), &inside, tolls);
        }
        Land::Stream | Land::River => wade(field, patch, stretch, &inside, tolls),
        Land::Cliff => {
            if !inside() {
                refuse(field, patch, Clause::GroundIsWhatItShows, "cannot be climbed", tolls);
            }
        }
        Land::Open | Land::Ford | Land::Bridge | Land::Road => {}
    }
}

/// A slope: a gentle one costs going up, a steep one both ways; difficult ground on it costs besides.
fn climb(
    field: &Field,
    patch: &Patch<'_>,
    stretch: &Stretch<'_>,
    all: &[Stretch<'_>],
    inside: &dyn Fn() -> bool,
    by_road: &dyn Fn() -> bool,
    tolls: &mut Tolls,
) {
    let chart = &field.charts().ground;
    let clause = Clause::GroundShortensTheMove;
    if patch.difficult {
        if stretch.mover != Mover::Staff && stretch.mover != Mover::Engineers {
            tolls.disorders = tolls.disorders.or(Some(Clause::GroundThatDisorders));
        }
        if !by_road() {
            charge(field, patch, stretch, &chart.difficult, (clause, clause), inside, tolls);
        }
    }
    // Whether it goes up is sooner said than whether it keeps to a road.
    if (patch.steep || goes_up(field, patch, all)) && !by_road() {
        let going = if patch.steep { &chart.slope_steep } else { &chart.slope_gentle };
        charge(field, patch, stretch, going, (clause, clause), inside, tolls);
    }
}

/// Whether a move leads up a hill: onto it, or on it nearer to a crest.
fn goes_up(field: &Field, patch: &Patch<'_>, all: &[Stretch<'_>]) -> bool {
    let (Some(first), Some(last)) = (all.first(), all.last()) else { return false };
    let (from, to) = (first.track.start().at.vec(), last.track.end().at.vec());
    let up = level(field, to) > level(field, from);
    let enters = patch.shape.contains(to) && !patch.shape.contains(from);
    let Piece::Feature(id) = patch.piece else { return up };
    let crests = super::feature(field, id).map(|feature| feature.crests.as_slice()).unwrap_or_default();
    let away = |place: Vec2| {
        let stretches = crests.iter().flat_map(|line| line.windows(2));
        let gaps = stretches
            .filter_map(|ends| Some(table::convex::distance(&[ends.first()?.vec(), ends.last()?.vec()], place)));
        gaps.fold(f64::INFINITY, |least, gap| if gap < least { gap } else { least })
    };
    up || enters || (patch.shape.contains(from) && patch.shape.contains(to) && away(to) < away(from) - SLACK.as_f64())
}

/// Water: over a bridge, through a ford, or through a stream anywhere.
fn wade(field: &Field, patch: &Patch<'_>, stretch: &Stretch<'_>, inside: &dyn Fn() -> bool, tolls: &mut Tolls) {
    let chart = &field.charts().ground;
    if stretch.is_carried(&patch.shape, &|place| on_bridge(field, place)) {
        let clause = Clause::GroundShortensTheMove;
        charge(field, patch, stretch, &chart.bridge, (clause, clause), inside, tolls);
        return;
    }
    if patch.land == Land::Stream {
        let clause = Clause::StreamsAreNoBar;
        charge(field, patch, stretch, &chart.stream, (clause, clause), inside, tolls);
        return;
    }
    if stretch.is_carried(&patch.shape, &|place| on_bridge(field, place) || in_ford(field, place)) {
        if stretch.mover != Mover::Staff && stretch.mover != Mover::Engineers {
            tolls.disorders = tolls.disorders.or(Some(Clause::GroundThatDisorders));
        }
        let clauses = (Clause::WadingThroughAFord, Clause::FordsAreForColumns);
        charge(field, patch, stretch, &chart.ford, clauses, inside, tolls);
        return;
    }
    let clause = Clause::RiverOrStream;
    charge(field, patch, stretch, &chart.river, (clause, clause), inside, tolls);
}

/// Takes a deduction off, or refuses: the first clause is for what it costs, the second for what it forbids.
fn charge(
    field: &Field,
    patch: &Patch<'_>,
    stretch: &Stretch<'_>,
    going: &Going,
    clauses: (Clause, Clause),
    inside: &dyn Fn() -> bool,
    tolls: &mut Tolls,
) {
    let figure = of(going, stretch.mover);
    let ford = clauses.0 == Clause::WadingThroughAFord;
    let in_file = match stretch.mover {
        Mover::Formed | Mover::Mounted => true,
        Mover::OpenOrder => ford,
        Mover::Engineers | Mover::Limbered | Mover::Staff => false,
    };
    if going.column_only.value && in_file && !stretch.column {
        refuse(field, patch, clauses.1, "is crossed in column only", tolls);
    }
    let cost = match figure.value {
        Toll::Of(length) => length,
        // Whoever was driven into such ground may at least creep out of it.
        Toll::Whole => Length::MAX,
        Toll::Barred if inside() => Length::MAX,
        Toll::Barred => {
            refuse(field, patch, clauses.1, "is no way for these troops", tolls);
            return;
        }
    };
    let known = tolls.lines.iter_mut().find(|line| line.piece == patch.piece && line.clause == clauses.0);
    match known {
        Some(line) => line.cost = line.cost.max(cost),
        None => tolls.lines.push(TollLine {
            piece: patch.piece,
            land: patch.land,
            name: patch.name(field).into_owned(),
            cost,
            clause: clauses.0,
            source: figure.source,
        }),
    }
}

/// Whether troops of a kind have no way over a patch at all, with the clause that says so. Water bars the way here even
/// where a bridge or a ford leads through it: whoever asks looks for those.
pub fn bars(field: &Field, patch: &Patch<'_>, mover: Mover) -> Option<Clause> {
    let chart = &field.charts().ground;
    let either = |light, heavy| if patch.weight == Weight::Heavy { heavy } else { light };
    let (going, clause) = match patch.land {
        _ if patch.burning => return Some(Clause::LeavingTheFlames),
        Land::Cliff => return Some(Clause::GroundIsWhatItShows),
        Land::Wood if patch.weight == Weight::Heavy => (&chart.wood_heavy, Clause::ThroughHeavyWoods),
        Land::Wood => (&chart.wood_light, Clause::ThroughLightWoods),
        Land::Urban => (either(&chart.urban_light, &chart.urban_heavy), Clause::SlowGoingAmongHouses),
        Land::Obstacle => (either(&chart.obstacle_light, &chart.obstacle_heavy), Clause::WallsWorksAndBarriers),
        Land::Difficult => (&chart.difficult, Clause::GroundShortensTheMove),
        Land::Swamp => (&chart.swamp, Clause::WhoMayEnterSwamps),
        Land::Stream => (&chart.stream, Clause::StreamsAreNoBar),
        Land::River => (&chart.river, Clause::RiverOrStream),
        Land::Hill if patch.steep => (&chart.slope_steep, Clause::GroundShortensTheMove),
        Land::Hill => (&chart.slope_gentle, Clause::GroundShortensTheMove),
        Land::Open | Land::Ford | Land::Bridge | Land::Road => return None,
    };
    (of(going, mover).value == Toll::Barred).then_some(clause)
}

/// The figure for a kind of troops.
fn of(going: &Going, mover: Mover) -> Cited<Toll> {
    match mover {
        Mover::Formed => going.formed,
        Mover::OpenOrder => going.open_order,
        Mover::Engineers => going.engineers,
        Mover::Mounted => going.mounted,
        Mover::Limbered => going.limbered,
        Mover::Staff => going.staff,
    }
}

fn refuse(field: &Field, patch: &Patch<'_>, clause: Clause, text: &str, tolls: &mut Tolls) {
    let text: Cow<'static, str> = Cow::Owned(format!("{} {text}", patch.name(field)));
    let mut note = Note::new(clause, text);
    note.at(Mark::Spot(Point::from_vec(patch.shape.centre())));
    if !tolls.refusals.contains(&note) {
        tolls.refusals.push(note);
    }
}

fn road_near(field: &Field, place: Vec2, within: f64) -> bool {
    let around = super::spot(place).grown(within + SLACK.as_f64() * 2.0);
    field.ground().features.iter().any(|feature| {
        matches!(feature.kind, TerrainKind::Road | TerrainKind::Track)
            && feature.shape.bounds().meets(&around)
            && feature.shape.distance(place) <= within + SLACK.as_f64()
    })
}

/// Whether the whole move is made in column with every stand on a road all the time (mv-road).
fn keeps_to_road(field: &Field, stretches: &[Stretch<'_>]) -> bool {
    let roads = field.ground().features.iter().any(|one| matches!(one.kind, TerrainKind::Road | TerrainKind::Track));
    roads
        && stretches.iter().all(|stretch| {
            let near = stretch.layout.stands().first().map_or(0.0, |stand| stand.footprint.width.as_f64()) * 0.5;
            let mut lanes = stretch.lanes().peekable();
            stretch.column
                && lanes.peek().is_some()
                && lanes.all(|(from, to)| {
                    (0..=LOOKS).all(|n| road_near(field, from.lerp(to, f64::from(n) / f64::from(LOOKS)), near))
                })
        })
}
