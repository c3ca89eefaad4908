//! Generals: riding, joining units, going along with them, being replaced. R15, R63 to R65, R101.

use super::Fpw;
use super::clause::Clause;
use super::event::FpwEvent;
use super::field::{Field, bodies, facts, is_there, known, troops};
use super::hidden;
use super::order::{Decision, Order};
use super::unit::{Absence, Level};
use engine::{CommanderId, Event, Flow, Mark, Side, Umpire, UnitId, Verdict, View, Who};
use table::terrain::Edge;
use table::{Angle, Footprint, Length, Point, Pose, Quad, SLACK, Vec2, convex, quads_overlap, quads_touch};

/// Generals of a side on the table.
pub fn present(field: &Field, side: Side) -> impl Iterator<Item = CommanderId> {
    field
        .commanders()
        .filter(move |(id, general)| general.is_present() && field.muster().commander(*id).side == side)
        .map(|(id, _)| id)
}

/// Generals attached to a unit.
pub fn attached(field: &Field, unit: UnitId) -> impl Iterator<Item = CommanderId> {
    field
        .commanders()
        .filter(move |(_, general)| general.is_present() && general.own.attached == Some(unit))
        .map(|(id, _)| id)
}

/// A general's rank.
pub fn level(field: &Field, general: CommanderId) -> Level {
    field.muster().commander(general).facts.level
}

/// Generals attached to a unit keep their place beside it.
pub fn follow(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, from: Pose, to: Pose) {
    let riders: Vec<CommanderId> = attached(umpire.state(), unit).collect();
    for general in riders {
        let old = umpire.state().commander(general).pose;
        let local = from.to_local(old.at.vec());
        let turned = Angle::millidegrees(to.facing.signed() - from.facing.signed());
        let new = Pose { at: Point::from_vec(to.to_world(local)), facing: old.facing + turned };
        let hide = hidden::is_hidden_general(umpire.state(), general);
        let to = beside(umpire.state(), general, unit, new);
        hidden::place_general(umpire, general, to, Clause::AttachedHere, hide);
    }
}

/// The place of an attached general: where he would ride along if he still touches the unit and stands on nobody, else
/// the first free place beside it.
fn beside(field: &Field, general: CommanderId, unit: UnitId, wished: Pose) -> Pose {
    let stand = field.muster().commander(general).facts.stand;
    let quad = stand.quad(wished);
    let touches = bodies(field, unit).iter().any(|body| quads_touch(body, &quad));
    if touches && is_open(field, general, &quad) {
        return wished;
    }
    spots_beside(field, unit, stand).find(|pose| is_open(field, general, &stand.quad(*pose))).unwrap_or(wished)
}

/// Places that touch a unit: behind it, then at its flanks, then behind its wings, then before it.
fn spots_beside(field: &Field, unit: UnitId, stand: Footprint) -> impl Iterator<Item = Pose> + use<> {
    let piece = field.unit(unit);
    let pose = piece.pose();
    let print = field.footprint(unit, piece.body.formation);
    let (half, depth) = (print.width.half(), print.depth);
    let side = half + stand.width.half();
    let at = move |right: Length, ahead: Length| Pose {
        at: Point::from_vec(pose.to_world(Vec2 { x: right.as_f64(), y: ahead.as_f64() })),
        facing: pose.facing,
    };
    let zero = Length::ZERO;
    [
        at(zero, -depth),
        at(half.half(), -depth),
        at(-half.half(), -depth),
        at(side, zero),
        at(-side, zero),
        at(side, -depth.half()),
        at(-side, -depth.half()),
        at(half, -depth),
        at(-half, -depth),
        at(zero, stand.depth),
        at(half.half(), stand.depth),
        at(-half.half(), stand.depth),
    ]
    .into_iter()
}

/// Whether a general may stand there: on the table, on nobody.
pub fn is_open(field: &Field, general: CommanderId, quad: &Quad) -> bool {
    let side = field.muster().commander(general).side;
    field.ground().holds(quad)
        && !field.commanders().any(|(id, other)| {
            id != general && other.is_present() && !is_foreign(field, id, side) && quads_overlap(other.quad(), quad)
        })
        && !troops(field, side).chain(known(field, side.other())).any(|(id, unit)| {
            quads_overlap(unit.quad(), quad) && bodies(field, id).iter().any(|body| quads_overlap(body, quad))
        })
}

/// An enemy general in hiding is in nobody's way.
fn is_foreign(field: &Field, general: CommanderId, side: Side) -> bool {
    field.muster().commander(general).side != side && hidden::is_hidden_general(field, general)
}

/// Generals whose unit is gone ride to the nearest friend, and so does one an enemy has come to stand on (R65).
pub fn make_room(umpire: &mut Umpire<'_, Fpw>) {
    let field = umpire.state();
    let displaced: Vec<CommanderId> = field
        .commanders()
        .filter(|(_, general)| general.is_present())
        .filter(|(id, general)| {
            let side = field.muster().commander(*id).side;
            let unit_gone = general.own.attached.is_some_and(|unit| !is_there(field, unit));
            let trodden = || {
                let mut enemies = known(field, side.other());
                enemies.any(|(_, enemy)| quads_overlap(enemy.quad(), general.quad()))
            };
            unit_gone || trodden()
        })
        .map(|(id, _)| id)
        .collect();
    for general in displaced {
        let field = umpire.state();
        if field.commander(general).own.attached.is_some() {
            let event = Event::own(Clause::AttachedHere, FpwEvent::Attached { general, unit: None });
            hidden::announce_general(umpire, general, event);
        }
        let place = refuge(umpire.state(), general);
        let hide = hidden::is_hidden_general(umpire.state(), general);
        hidden::place_general(umpire, general, place, Clause::GeneralsThird, hide);
    }
}

/// A place beside the nearest friendly unit; his own edge where there is none.
fn refuge(field: &Field, general: CommanderId) -> Pose {
    let card = field.muster().commander(general);
    let here = field.commander(general).quad();
    let mut friends: Vec<(Length, UnitId)> = troops(field, card.side)
        .filter(|(id, _)| !facts(field, *id).is_scout())
        .map(|(id, unit)| (table::gap(here, unit.quad()), id))
        .collect();
    friends.sort();
    let spots = friends.iter().flat_map(|(_, unit)| spots_beside(field, *unit, card.facts.stand));
    let free = spots.into_iter().find(|pose| is_open(field, general, &card.facts.stand.quad(*pose)));
    free.unwrap_or_else(|| edge_place(field, general))
}

/// The first free place along his side's own edge, nearest to the middle.
fn edge_place(field: &Field, general: CommanderId) -> Pose {
    let card = field.muster().commander(general);
    let (width, height) = field.ground().size;
    let edge = field.muster().sides[card.side].edges.first().copied().unwrap_or(Edge::South);
    let along = if matches!(edge, Edge::North | Edge::South) { width } else { height };
    let stand = card.facts.stand;
    let pose = |offset: Length| {
        let middle = along.half() + offset;
        let deep = stand.depth;
        match edge {
            Edge::South => Pose { at: Point::new(middle, deep), facing: Angle::NORTH },
            Edge::North => Pose { at: Point::new(middle, height - deep), facing: Angle::SOUTH },
            Edge::West => Pose { at: Point::new(deep, middle), facing: Angle::EAST },
            Edge::East => Pose { at: Point::new(width - deep, middle), facing: Angle::WEST },
        }
    };
    let steps = (along.half().as_inches() as i32).max(1);
    let offsets = (0..steps).flat_map(|n| [Length::whole_inches(n), Length::whole_inches(-n)]);
    let mut places = offsets.map(pose);
    places.find(|place| is_open(field, general, &stand.quad(*place))).unwrap_or_else(|| pose(Length::ZERO))
}

/// At the beginning of a side's command phase: whoever was lost before comes back when it ends (R64, R101).
pub fn note_absent(umpire: &mut Umpire<'_, Fpw>, side: Side) {
    for general in absent(umpire.state(), side, Absence::Lost) {
        let event = FpwEvent::Absence { general, absence: Absence::Due };
        umpire.announce(Event::own(Clause::GeneralReturns, event));
    }
}

/// At its end: they return, touching the nearest general of the next rank.
pub fn bring_back(umpire: &mut Umpire<'_, Fpw>, side: Side) {
    for general in absent(umpire.state(), side, Absence::Due) {
        let field = umpire.state();
        let (place, chief) = return_place(field, general);
        // His place would betray a superior nobody has found yet.
        let hide = chief.is_some_and(|chief| hidden::is_hidden_general(field, chief));
        let event = FpwEvent::Absence { general, absence: Absence::Present };
        umpire.announce(Event::own(Clause::GeneralReturns, event));
        hidden::place_general(umpire, general, place, Clause::GeneralReturns, hide);
    }
}

fn absent(field: &Field, side: Side, how: Absence) -> Vec<CommanderId> {
    let of_side = |id: &CommanderId| field.muster().commander(*id).side == side;
    field.commanders().filter(|(id, one)| one.own.absence == how && of_side(id)).map(|(id, _)| id).collect()
}

/// Where a general comes back, and beside whom.
fn return_place(field: &Field, general: CommanderId) -> (Pose, Option<CommanderId>) {
    let card = field.muster().commander(general);
    let old = field.commander(general).quad().centre;
    // An army commander has nobody above him and comes back by a corps commander.
    let wanted = card.facts.level.above().unwrap_or(Level::Corps);
    let mut above: Vec<(i64, CommanderId)> = present(field, card.side)
        .filter(|id| level(field, *id) == wanted)
        .map(|id| (field.commander(id).quad().centre.distance(old) as i64, id))
        .collect();
    above.sort();
    let stand = card.facts.stand;
    let around = above.iter().flat_map(|(_, id)| {
        let chief = field.commander(*id).pose;
        let size = field.muster().commander(*id).facts.stand;
        let (side, back) = ((size.width + stand.width).half(), size.depth);
        [(side, Length::ZERO), (-side, Length::ZERO), (Length::ZERO, -back), (Length::ZERO, stand.depth)].map(
            |(x, y)| {
                let at = Point::from_vec(chief.to_world(Vec2 { x: x.as_f64(), y: y.as_f64() }));
                (Pose { at, facing: chief.facing }, Some(*id))
            },
        )
    });
    let free = around.into_iter().find(|(pose, _)| is_open(field, general, &stand.quad(*pose)));
    free.unwrap_or_else(|| (edge_place(field, general), None))
}

/// The generals' phase.
pub fn advance(umpire: &mut Umpire<'_, Fpw>, side: Side) -> Flow<Fpw> {
    let field = umpire.state();
    if present(field, side).any(|id| !field.commander(id).own.rode) {
        Flow::Ask(Who::One(side), Decision::Generals)
    } else {
        Flow::Done
    }
}

/// How far a general rides.
pub fn reach(field: &Field) -> Length {
    field.settings().general_move.unwrap_or(field.charts().pace.general.value.0)
}

/// Judges a general's ride.
pub fn check(view: &View<'_, Fpw>, side: Side, order: &Order) -> Verdict {
    let field: &Field = view;
    let mut verdict = Verdict::fine();
    match order {
        Order::Pass => {}
        Order::Ride { commander, to } => {
            if check_own(field, *commander, side, &mut verdict) {
                let stand = field.muster().commander(*commander).facts.stand;
                check_ride(field, *commander, ride_pose(field, *commander, *to), stand, &mut verdict);
            }
        }
        Order::Join { commander, unit } => {
            if check_own(field, *commander, side, &mut verdict) {
                check_join(field, *commander, *unit, side, &mut verdict);
            }
        }
        Order::Leave { commander } => {
            if check_own(field, *commander, side, &mut verdict) && field.commander(*commander).own.attached.is_none() {
                verdict.refuse(Clause::AttachedHere, "he is with no unit");
            }
        }
        _ => drop(verdict.refuse(Clause::GeneralsThird, "this is the generals' phase: move a general, or end it")),
    }
    verdict
}

fn check_own(field: &Field, general: CommanderId, side: Side, verdict: &mut Verdict) -> bool {
    let card = field.muster().commander(general);
    let before = verdict.refusals.len();
    if card.side != side || !field.commander(general).is_present() {
        verdict.refuse(Clause::GeneralsThird, format!("{} is not yours to move", card.name));
    } else if field.commander(general).own.rode {
        verdict.refuse(Clause::GeneralsThird, format!("{} has moved this turn", card.name));
    }
    verdict.refusals.len() == before
}

fn check_join(field: &Field, general: CommanderId, unit: UnitId, side: Side, verdict: &mut Verdict) {
    if !is_there(field, unit) || field.side_of(unit) != side || facts(field, unit).is_scout() {
        verdict.refuse(Clause::AttachedHere, "he can only join a unit of his own side").about(unit);
        return;
    }
    let stand = field.muster().commander(general).facts.stand;
    match join_pose(field, general, unit) {
        Some(pose) => check_ride(field, general, pose, stand, verdict),
        None => {
            let text = format!("there is no room beside {}", field.card(unit).name);
            verdict.refuse(Clause::AttachedHere, text).about(unit);
        }
    }
}

/// Where a general would stand beside a unit he joins.
pub fn join_pose(field: &Field, general: CommanderId, unit: UnitId) -> Option<Pose> {
    let stand = field.muster().commander(general).facts.stand;
    spots_beside(field, unit, stand).find(|pose| is_open(field, general, &stand.quad(*pose)))
}

/// The pose of a general whose centre is at a place.
pub fn ride_pose(field: &Field, general: CommanderId, to: Point) -> Pose {
    let depth = field.muster().commander(general).facts.stand.depth;
    Pose { at: to, facing: field.commander(general).pose.facing }.ahead(depth.half())
}

fn check_ride(field: &Field, general: CommanderId, to: Pose, stand: Footprint, verdict: &mut Verdict) {
    let card = field.muster().commander(general);
    let (from, end) = (field.commander(general).quad().centre, stand.quad(to));
    let distance = Length::from_um(from.distance(end.centre));
    let reach = reach(field);
    let (start, stop) = (Point::from_vec(from), Point::from_vec(end.centre));
    if distance > reach + SLACK {
        let text = format!(
            "{} is {} away, and a general rides {}",
            if field.commander(general).own.attached.is_some() { "that" } else { "the place" },
            distance.show(table::Unit::Inch),
            reach.show(table::Unit::Inch)
        );
        verdict.refuse(Clause::GeneralsThird, text).at(Mark::Measured(start, stop, distance));
    }
    if !is_open(field, general, &end) {
        verdict.refuse(Clause::GeneralsThird, "there is no room for him there").at(Mark::Spot(stop));
    }
    for (id, enemy) in known(field, card.side.other()) {
        if facts(field, id).is_scout() {
            continue;
        }
        if convex::clip((from, end.centre), enemy.quad().points()).is_some() {
            let text = format!("he cannot ride through {}", field.card(id).name);
            verdict.refuse(Clause::GeneralsThird, text).about(id).at(Mark::Line(start, stop));
        }
    }
}

/// A general rides.
pub fn execute(umpire: &mut Umpire<'_, Fpw>, _side: Side, order: Order) {
    let (general, place, unit) = match order {
        Order::Ride { commander, to } => (commander, Some(ride_pose(umpire.state(), commander, to)), None),
        Order::Join { commander, unit } => (commander, join_pose(umpire.state(), commander, unit), Some(unit)),
        Order::Leave { commander } => (commander, None, None),
        _ => return umpire.end(),
    };
    let hide = hidden::is_hidden_general(umpire.state(), general);
    let side = umpire.state().muster().commander(general).side;
    let tell = |event: Event<Fpw>| if hide { event.only(side) } else { event };
    umpire.announce(tell(Event::own(Clause::GeneralsThird, FpwEvent::Rode { general })));
    if let Some(to) = place {
        hidden::place_general(umpire, general, to, Clause::GeneralsThird, hide);
    }
    if unit.is_some() || umpire.state().commander(general).own.attached.is_some() {
        umpire.announce(tell(Event::own(Clause::AttachedHere, FpwEvent::Attached { general, unit })));
    }
}
