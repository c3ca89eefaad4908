//! 2.1: brigades off the table are announced, and come on in the Movement Phase. Section 16.5, A-127.

use super::Days;
use super::charts::reach;
use super::clause::Clause;
use super::deployment::brigades;
use super::deployment::judge::closed_to;
use super::event::DaysEvent;
use super::field::{self, Field, base_edge, facts, gap_of, is_routing, known, measured, members, troops};
use super::formation::{Formation, Shape};
use super::order::{Arrival, Decision, Order};
use super::sequence::{Given, Phase, in_turn};
use super::unit::Arm;
use super::{hidden, sight};
use engine::{CommandId, CommanderId, Deed, Event, Flow, Mark, Side, Umpire, UnitId, Verdict, View, Whereabouts, Who};
use serde::{Deserialize, Serialize};
use table::terrain::Edge;
use table::{Angle, Footprint, Length, Point, Pose, Quad, SLACK, Vec2, quads_overlap};

/// Who has been asked.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Arriving {
    /// So many of the two, in the order of initiative.
    pub asked: u8,
}

/// Asks each side that has brigades off the table, as far as its enemy can tell, whoever has the initiative first: a
/// question put only to those who really have some would give them away.
pub fn advance(umpire: &mut Umpire<'_, Days>, arriving: Arriving) -> Flow<Days> {
    let field = umpire.state();
    let Some(side) = in_turn(field).get(usize::from(arriving.asked)).copied() else { return Flow::Done };
    let absent = absent(field, side);
    umpire.replace(Phase::Arriving(Arriving { asked: arriving.asked + 1 }));
    let asked = !absent.is_empty() || seems_absent(umpire.state(), side);
    if !asked { Flow::Again } else { Flow::Ask(Who::One(side), Decision::Arrive { absent }) }
}

/// Whether the enemy of a side cannot know that all its brigades are here: of some he has seen nobody yet.
fn seems_absent(field: &Field, side: Side) -> bool {
    let own = field.muster().command_ids().filter(|id| field.muster().command(*id).side == side);
    field.muster().scenario.off_board
        && own.into_iter().any(|brigade| {
            let mut all = members(field, brigade).peekable();
            all.peek().is_some() && all.all(|id| hidden::is_out_of_sight(field, id))
        })
}

/// Brigades of a side off the table that have not been announced, or whose way in the enemy has closed since.
pub fn absent(field: &Field, side: Side) -> Vec<CommandId> {
    let open = |(edge, at): (Edge, Point)| !is_closed(field, side, &head(field, edge, at));
    let all = field.ledger().absent.iter().filter(|one| !one.entry.is_some_and(open)).map(|one| one.brigade);
    let own = |id: &CommandId| field.muster().command(*id).side == side;
    all.filter(own).filter(|id| waiting(field, *id).next().is_some()).collect()
}

/// The units of a brigade that are off the table and to come, in roster order: the first is at the head of the column.
fn waiting(field: &Field, brigade: CommandId) -> impl Iterator<Item = UnitId> + '_ {
    let off = |id: &UnitId| field.unit(*id).whereabouts == Whereabouts::OffTable;
    members(field, brigade).filter(off).filter(|id| troops(field, *id).evaded_off.is_none())
}

/// The head of a column that is announced, as everybody knows it: a stand just on the table (days.16.5-f).
fn head(field: &Field, edge: Edge, at: Point) -> Quad {
    let stand = &field.charts().stand.infantry;
    let stand = Footprint { width: reach(stand.width), depth: reach(stand.depth) };
    stand.quad(Pose { at, facing: inward(edge) }.ahead(stand.depth))
}

/// The heads of a side's columns that have been announced and are not wholly here yet. Nobody of the enemy comes near
/// them: they stand on the table.
pub fn heads(field: &Field, side: Side) -> impl Iterator<Item = Quad> + '_ {
    let own = field.ledger().absent.iter().filter(move |one| field.muster().command(one.brigade).side == side);
    own.filter_map(|one| one.entry).map(|(edge, at)| head(field, edge, at))
}

/// Whether an enemy came so near that nobody can come on there.
fn is_closed(field: &Field, side: Side, head: &Quad) -> bool {
    let standoff = field::standoff(field);
    known(field, side.other()).any(|(id, unit)| {
        !field::surely_beyond(unit.quad(), head, standoff)
            && measured(gap_of(field::stands(field, id), std::slice::from_ref(head))) <= standoff
    })
}

/// Which way one looks who comes on over an edge.
pub const fn inward(edge: Edge) -> Angle {
    match edge {
        Edge::North => Angle::SOUTH,
        Edge::East => Angle::WEST,
        Edge::South => Angle::NORTH,
        Edge::West => Angle::EAST,
    }
}

/// The column in which a unit comes on.
pub fn column_of(arm: Arm) -> Formation {
    Formation::usual(match arm {
        Arm::Infantry | Arm::Engineers | Arm::Wagon => Shape::March,
        Arm::Cavalry => Shape::Column,
        Arm::Artillery => Shape::Limbered,
    })
}

/// The leading stand put down at a point of an edge: just on the table, looking inward (days.16.5-f).
fn lead_stand(field: &Field, unit: UnitId, edge: Edge, at: Point) -> Quad {
    let facts = facts(field, unit);
    let stand: Footprint = facts.stand_in(column_of(facts.arm));
    stand.quad(Pose { at, facing: inward(edge) }.ahead(stand.depth))
}

/// An enemy who has the leading stand in view and is too near, with the distance (days.16.5-h).
fn too_near(field: &Field, side: Side, lead: UnitId, stand: &Quad) -> Option<(UnitId, Length)> {
    let least = reach(field.charts().constant.entry_standoff);
    known(field, side.other()).find_map(|(enemy, unit)| {
        if is_routing(field, enemy) || field::surely_beyond(unit.quad(), stand, least) {
            return None;
        }
        let stands = field::stands(field, enemy);
        let apart = measured(gap_of(stands, std::slice::from_ref(stand)));
        let seen = || stands.iter().any(|from| sight::stand_sees(field, enemy, from, lead, stand));
        (apart <= least && seen()).then_some((enemy, apart))
    })
}

/// Whether no point of its own edge is far enough from the enemy, so that he may come on there all the same
/// (days.16.5-i).
fn is_shut_out(field: &Field, side: Side, lead: UnitId) -> bool {
    let edge = base_edge(field, side);
    let (width, depth) = field.ground().size;
    let long = if matches!(edge, Edge::North | Edge::South) { width } else { depth };
    let inches = long.as_um() / INCH.as_um();
    (1..inches).all(|n| {
        let along = INCH * n;
        let at = match edge {
            Edge::North => Point::new(along, depth),
            Edge::East => Point::new(width, along),
            Edge::South => Point::new(along, Length::ZERO),
            Edge::West => Point::new(Length::ZERO, along),
        };
        too_near(field, side, lead, &lead_stand(field, lead, edge, at)).is_some()
    })
}

/// How finely an edge is looked along for a free point.
// tidy: allow(how closely the house looks)
const INCH: Length = Length::whole_inches(1);

/// Judges announcements.
pub fn check(view: &View<'_, Days>, side: Side, absent: &[CommandId], order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    let field: &Field = view;
    let brigades = match order {
        Order::Pass => return verdict,
        Order::Arrive { brigades } => brigades,
        _ => return Verdict::refused(Clause::DustOnTheHorizon, "the question is which brigades come on this turn"),
    };
    for (n, arrival) in brigades.iter().enumerate() {
        if !absent.contains(&arrival.brigade) {
            let text = "this is no brigade of yours that was kept off the table";
            verdict.refuse(Clause::NoArrivalWithoutNotice, text).at(Mark::Spot(arrival.at));
            continue;
        }
        if brigades[..n].iter().any(|other| other.brigade == arrival.brigade) {
            let name = &field.muster().command(arrival.brigade).name;
            verdict.refuse(Clause::DustOnTheHorizon, format!("dust is called twice for {name}"));
        }
        check_entry(field, side, arrival, &brigades[..n], &mut verdict);
    }
    verdict
}

fn check_entry(field: &Field, side: Side, arrival: &Arrival, before: &[Arrival], verdict: &mut Verdict) {
    let Arrival { brigade, edge, at } = *arrival;
    let name = &field.muster().command(brigade).name;
    let Some(lead) = waiting(field, brigade).next() else { return };
    let off_edge = field.ground().edge_distance(edge, at.vec()).abs() > SLACK.as_f64();
    let stand = lead_stand(field, lead, edge, at);
    if off_edge || !field.ground().holds(&stand) {
        let text = format!("{name} must come on at a point of the edge that was named, with room for a stand");
        verdict.refuse(Clause::TheHeadOfTheColumn, text).about(lead).at(Mark::Spot(at));
        return;
    }
    if let Some((clause, what)) = closed_to(field, lead, column_of(facts(field, lead).arm), &stand) {
        verdict.refuse(clause, format!("{name} cannot come on {what}")).about(lead).at(Mark::Spot(at));
    }
    let crowded = |other: &Arrival| {
        let head = waiting(field, other.brigade).next();
        head.is_some_and(|head| quads_overlap(&lead_stand(field, head, other.edge, other.at), &stand))
    };
    if let Some(other) = standing_on(field, &stand) {
        let text = format!("{} stands where {name} would come on", field.card(other).name);
        verdict.refuse(Clause::TheHeadOfTheColumn, text).about(other).at(Mark::Spot(at));
    } else if before.iter().any(crowded) {
        let text = "two brigades cannot come on at the same spot";
        verdict.refuse(Clause::TheHeadOfTheColumn, text).about(lead).at(Mark::Spot(at));
    }
    let Some((enemy, apart)) = too_near(field, side, lead, &stand) else { return };
    let home = edge == base_edge(field, side);
    if home && is_shut_out(field, side, lead) {
        return;
    }
    let least = reach(field.charts().constant.entry_standoff);
    let text = format!(
        "{} has that point in view from {apart}; it must be more than {least}, or anywhere on your own edge if that \
         cannot be had there",
        field.card(enemy).name
    );
    let clause = if home { Clause::ComingOnAtHome } else { Clause::NotTooNear };
    let from = Point::from_vec(field.unit(enemy).quad().centre);
    verdict.refuse(clause, text).about(enemy).at(Mark::Measured(from, at, apart));
}

/// Who stands on the ground a leading stand needs.
fn standing_on(field: &Field, stand: &Quad) -> Option<UnitId> {
    let near = Side::BOTH.into_iter().flat_map(|side| known(field, side));
    let mut near = near.filter(|(_, unit)| !field::surely_beyond(unit.quad(), stand, Length::ZERO)).map(|(id, _)| id);
    near.find(|id| field::stands(field, *id).iter().any(|one| quads_overlap(one, stand)))
}

/// Announces; the leading stand is placed, the others wait behind the edge.
pub fn execute(umpire: &mut Umpire<'_, Days>, absent: &[CommandId], given: Given) {
    for (side, order) in Side::BOTH.into_iter().zip(given.0) {
        let Some(order) = order else { continue };
        let arrivals = if let Order::Arrive { brigades } = order { brigades } else { Vec::new() };
        for arrival in arrivals.into_iter().filter(|one| absent.contains(&one.brigade)) {
            announce(umpire, side, arrival);
        }
        if !self::absent(umpire.state(), side).is_empty() {
            umpire.announce(Event::new(Clause::NoDustNoTroops, Deed::Noted).only(side));
        }
    }
}

fn announce(umpire: &mut Umpire<'_, Days>, side: Side, Arrival { brigade, edge, at }: Arrival) {
    let field = umpire.state();
    let units: Vec<UnitId> = waiting(field, brigade).collect();
    let Some(lead) = units.first().copied() else { return };
    let near = too_near(field, side, lead, &lead_stand(field, lead, edge, at)).is_some();
    let event = Event::own(Clause::DustOnTheHorizon, DaysEvent::Announced { brigade, edge, at })
        .also(Clause::TheHeadOfTheColumn)
        .also(Clause::NoArrivalWithoutNotice)
        .also(Clause::SheetArrivalsAnnounced)
        .also(if near { Clause::ComingOnAtHome } else { Clause::NotTooNear });
    umpire.announce(event);
    for unit in units {
        let event = DaysEvent::Waits { unit, at: Some((edge, at)) };
        hidden::announce(umpire, unit, Event::own(Clause::TheBrigadeMarchesOn, event));
    }
}

/// Where a waiting unit's march begins: its front on the edge, in column, facing inward. None for units that do not wait.
pub fn entry_pose(field: &Field, unit: UnitId) -> Option<Pose> {
    let (edge, at) = troops(field, unit).waits_at?;
    Some(Pose { at, facing: inward(edge) })
}

/// Where and in which formation a waiting unit comes on.
pub fn entry(field: &Field, unit: UnitId) -> Option<(Pose, Formation)> {
    entry_pose(field, unit).map(|pose| (pose, column_of(facts(field, unit).arm)))
}

/// Refuses to bring on a unit off the table for which no dust was called this turn or before.
pub fn refuse_entry(field: &Field, unit: UnitId, verdict: &mut Verdict) {
    let off = field.unit(unit).whereabouts == Whereabouts::OffTable;
    if off && troops(field, unit).waits_at.is_none() {
        let text = format!("no dust was called for {}: it stays away this turn", field.card(unit).name);
        verdict.refuse(Clause::NoDustNoTroops, text).about(unit);
    }
}

/// After a waiting unit has marched on: it waits no more, generals come with the first, and with the last the brigade is
/// here.
pub fn entered(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let field = umpire.state();
    if troops(field, unit).waits_at.is_none() || !field::is_there(field, unit) {
        return;
    }
    let brigade = field.card(unit).command;
    umpire.announce(Event::own(Clause::TheBrigadeMarchesOn, DaysEvent::Waits { unit, at: None }));
    let Some(brigade) = brigade else { return };
    let side = umpire.state().side_of(unit);
    for general in brigades::generals_with(umpire.state(), side, Some(brigade)) {
        let to = beside(umpire.state(), general, unit);
        let deed = Deed::CommanderMoved { commander: general, to };
        umpire.announce(Event::new(Clause::TheBrigadeMarchesOn, deed));
    }
    let field = umpire.state();
    let away = field.ledger().absent.iter().any(|one| one.brigade == brigade);
    if away && waiting(field, brigade).next().is_none() {
        umpire.announce(Event::own(Clause::TheBrigadeMarchesOn, DaysEvent::ArrivedWhole { brigade }));
    }
}

/// A place for a general at the head of a column: to its right, to its left, else ahead of it; on the table always.
fn beside(field: &Field, general: CommanderId, unit: UnitId) -> Pose {
    let stand = field.muster().commander(general).facts.stand;
    let pose = field.unit(unit).pose();
    let formation = field.unit(unit).body.formation;
    let side = (facts(field, unit).footprint(formation, field::count(field, unit)).width + stand.width).half();
    let ahead = stand.depth + SLACK;
    let places = [pose.sideways(side + SLACK), pose.sideways(-side - SLACK), pose.ahead(ahead)];
    let free = |place: &Pose| {
        let quad = stand.quad(*place);
        field.ground().holds(&quad) && standing_on(field, &quad).is_none()
    };
    places.into_iter().find(free).unwrap_or_else(|| onto_table(field, stand, pose))
}

/// The nearest place where a stand is wholly on the table.
fn onto_table(field: &Field, stand: Footprint, pose: Pose) -> Pose {
    let room = stand.width.as_f64().max(stand.depth.as_f64());
    let (width, depth) = field.ground().size;
    let keep = |x: f64, most: f64| x.max(room.min(most)).min((most - room).max(0.0));
    let at = Vec2 { x: keep(pose.at.vec().x, width.as_f64()), y: keep(pose.at.vec().y, depth.as_f64()) };
    Pose { at: Point::from_vec(at), facing: pose.facing }
}
