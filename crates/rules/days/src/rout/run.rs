//! One bound of a rout: round friends in column, through those in line, into rivers, into enemies, off the table.

use super::super::Days;
use super::super::charts::reach;
use super::super::clause::Clause;
use super::super::event::{DaysEvent, Doing, TurnStep};
use super::super::field::{self, Field};
use super::super::formation::{Formation, Shape};
use super::super::morale;
use super::super::unit::{Arm, OrderState};
use super::super::{damage, hidden, settle, space};
use super::way::{self, Bar};
use super::{laid_out, way::Meeting};
use engine::event::Leaving;
use engine::{Deed, Event, Umpire, UnitId};
use table::march::Leg;
use table::{Angle, Footprint, Length, Point, Pose, Quad, SLACK, Vec2};

/// Who runs which way, and how far.
#[derive(Clone, Copy, Debug)]
pub struct Flight {
    /// Who.
    pub unit: UnitId,
    /// Which way.
    pub towards: Vec2,
    /// How far.
    pub by: Length,
    /// The first bound of a rout.
    pub first: bool,
    /// The charger who went over them: they run on before him.
    pub over: Option<UnitId>,
}

/// How it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Halts,
    OffTable,
    Drowned,
    Dispersed,
}

/// The way so far: the leading rank, whom it went through, where it turned.
struct Way {
    /// The middle of the leading rank's front.
    head: Vec2,
    /// Where it turned, and where it is.
    turns: Vec<Vec2>,
    burst: Vec<UnitId>,
    went_round: bool,
    brushed: bool,
    /// Enemies who stood in the way; whoever of them was in hiding is no more.
    met: Vec<UnitId>,
    end: End,
}

/// More turns than this are no flight any more.
const MOST_TURNS: usize = 16;
/// Beside whatever is gone round there is a hair of room.
const ROOM: f64 = 500.0; // tidy: allow(half a millimetre so that nobody overlaps, no figure of the book)
/// Friends on the halting place push a runner on in steps of half an inch.
const STEP: Length = Length::whole_inches(1).half(); // tidy: allow(a search step, no figure of the book)
/// And no further than any table is deep.
const MOST_STEPS: usize = 96;

/// A runner's body and the direction it runs in.
struct Body {
    unit: UnitId,
    formation: Formation,
    footprint: Footprint,
    rank: Footprint,
    towards: Vec2,
    facing: Angle,
    over: Option<UnitId>,
}

impl Body {
    fn of(field: &Field, flight: &Flight) -> Body {
        let facts = field::facts(field, flight.unit);
        let formation = laid_out(field, flight.unit);
        let footprint = facts.footprint(formation, field::count(field, flight.unit));
        let rank = Footprint { depth: facts.stand_in(formation).depth.min(footprint.depth), ..footprint };
        let facing = Angle::of(flight.towards);
        Body { unit: flight.unit, formation, footprint, rank, towards: facing.unit(), facing, over: flight.over }
    }

    fn pose(&self, head: Vec2) -> Pose {
        Pose { at: Point::from_vec(head), facing: self.facing }
    }

    /// Whether a unit is an enemy who stands in its way; not the charger who has gone over it.
    fn is_stopped_by(&self, field: &Field, id: UnitId) -> bool {
        field.side_of(id) != field.side_of(self.unit) && self.over != Some(id)
    }

    /// The leading rank.
    fn front(&self, head: Vec2) -> Quad {
        self.rank.quad(self.pose(head))
    }

    /// All of it.
    fn quad(&self, head: Vec2) -> Quad {
        self.footprint.quad(self.pose(head))
    }
}

/// Runs.
pub fn run(umpire: &mut Umpire<'_, Days>, flight: Flight) {
    let (body, way) = plan(umpire.state(), &flight);
    settle_flight(umpire, &flight, &body, way);
}

/// Where a flight leads.
fn plan(field: &Field, flight: &Flight) -> (Body, Way) {
    let body = Body::of(field, flight);
    let (head, free) = starting_place(field, &body, flight);
    let (turns, burst, met) = (Vec::new(), Vec::new(), Vec::new());
    let mut way = Way { head, turns, burst, went_round: false, brushed: false, met, end: End::Halts };
    let by = flight.by.as_f64();
    // Whoever was run over gets clear of the charger, if he has to run a little further for it.
    let more = flight.over.map_or(0.0, |charger| way::behind(field, charger, [&body.front(head)], by));
    bound(field, &body, &mut way, by + free + more, flight.first);
    if way.end == End::Halts {
        make_room(field, &body, &mut way, flight.first);
    }
    (body, way)
}

/// Where a flight ends, and whether the runner is still there.
#[cfg(test)]
pub fn ends_at(field: &Field, flight: &Flight) -> (Pose, bool) {
    let (body, way) = plan(field, flight);
    (kept_on(field, &body, way.head), way.end == End::Halts)
}

/// Where the leading rank starts. One that begins to run flows out of its old place: its last rank starts where the old
/// body was nearest to the enemy, so that laying the column out costs nothing and brings nobody nearer.
fn starting_place(field: &Field, body: &Body, flight: &Flight) -> (Vec2, f64) {
    let unit = field.unit(flight.unit);
    // tidy: allow(a tolerance of looking the same way, no figure of the book)
    let keeps = unit.body.formation == body.formation && unit.pose().facing.apart(body.facing) < Angle::whole(1);
    if keeps && !flight.first {
        return (unit.pose().at.vec(), 0.0);
    }
    let quad = unit.quad();
    let (nearest, _) = space::extent([quad], body.towards);
    let middle = quad.centre;
    let tail = middle + body.towards * (nearest - middle.dot(body.towards));
    let head = tail + body.towards * body.rank.depth.as_f64();
    (head, (body.footprint.depth - body.rank.depth).as_f64())
}

/// Goes on for a distance, round whatever has to be gone round.
fn bound(field: &Field, body: &Body, way: &mut Way, by: f64, first: bool) {
    let mut left = by;
    let mut brushed: Vec<UnitId> = Vec::new();
    for _ in 0..MOST_TURNS {
        if left <= SLACK.as_f64() || way.end != End::Halts {
            break;
        }
        let stop = first_stop(field, body, way.head, left, first, &brushed);
        let Some(stop) = stop else {
            go(field, body, way, body.towards * left);
            break;
        };
        let at = stop.at.as_f64().min(left);
        go(field, body, way, body.towards * at);
        left -= at;
        match stop.what {
            What::Edge => way.end = End::OffTable,
            What::River => way.end = End::Drowned,
            What::Enemy(met) if is_contact(field, &met) => {
                way.met.push(met.unit);
                way.end = End::Dispersed;
            }
            What::Enemy(met) => {
                way.met.push(met.unit);
                way.brushed = true;
                brushed.push(met.unit);
                let aside = past(field, body, way.head, met.unit);
                go(field, body, way, aside);
            }
            What::Round(low, high, aligned) => {
                let round = (low, high, aligned);
                let Some(step) = sidestep(field, body, way.head, left, round, &mut way.met) else { break };
                way.went_round = true;
                way.turns.push(way.head);
                go(field, body, way, step);
                left -= step.length();
                way.turns.push(way.head);
            }
        }
    }
}

/// Less than an inch of base is a brush, no contact.
fn is_contact(field: &Field, met: &Meeting) -> bool {
    met.wide >= reach(field.charts().constant.contact)
}

/// The small step aside that takes a runner past somebody it only brushes; none where it would be more than a brush.
fn past(field: &Field, body: &Body, head: Vec2, enemy: UnitId) -> Vec2 {
    let right = body.towards.perp_right();
    let ((low, high), (least, most)) =
        (space::extent([&body.front(head)], right), space::extent([field.unit(enemy).quad()], right));
    let (to_left, to_right) = (least - high, most - low);
    let by = if to_left.abs() < to_right.abs() { to_left - ROOM } else { to_right + ROOM };
    let brush = reach(field.charts().constant.contact).as_f64() + ROOM;
    if by.abs() <= brush { right * by } else { Vec2 { x: 0.0, y: 0.0 } }
}

/// What stops a straight run.
#[derive(Clone, Copy, Debug)]
enum What {
    Edge,
    River,
    Enemy(Meeting),
    /// Something to go round: from where to where it reaches across the way, and whether its middle is where to go.
    Round(f64, f64, bool),
}

struct Stop {
    at: Length,
    what: What,
}

/// The first thing in the way of the leading rank.
fn first_stop(field: &Field, body: &Body, head: Vec2, left: f64, first: bool, brushed: &[UnitId]) -> Option<Stop> {
    let (front, by) = ([body.front(head)], body.towards * left);
    let most = Length::from_um(left);
    let right = body.towards.perp_right();
    let mut stops: Vec<Stop> = Vec::new();
    if let Some(at) = way::to_edge(field, &front[0], by) {
        stops.push(Stop { at, what: What::Edge });
    }
    let enemy = |id: UnitId| body.is_stopped_by(field, id) && !brushed.contains(&id);
    if let Some(met) = way::first_met(field, &front, body.towards, most, &enemy) {
        stops.push(Stop { at: met.at, what: What::Enemy(met) });
    }
    if let Some(met) = way::first_met(field, &front, body.towards, most, &|id| is_gone_round(field, body.unit, id)) {
        let (low, high) = space::extent([field.unit(met.unit).quad()], right);
        stops.push(Stop { at: met.at, what: What::Round(low, high, false) });
    }
    if let Some((bounds, bar, at)) = way::first_bar(field, body.unit, &front, by) {
        let what = match bar {
            Bar::River if first => What::River,
            Bar::River => {
                ford_ahead(field, head, right).unwrap_or(What::Round(f64::NEG_INFINITY, f64::INFINITY, false))
            }
            Bar::Other => {
                let across = bounds_across(&bounds, right);
                What::Round(across.0, across.1, false)
            }
        };
        stops.push(Stop { at, what });
    }
    stops.into_iter().min_by_key(|stop| stop.at)
}

fn bounds_across(bounds: &table::Bounds, right: Vec2) -> (f64, f64) {
    let (min, max) = (bounds.min, bounds.max);
    let corners = [min, max, Vec2 { x: min.x, y: max.y }, Vec2 { x: max.x, y: min.y }];
    let along = corners.iter().map(|corner| corner.dot(right));
    along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// The crossing nearest to the way, to the side.
fn ford_ahead(field: &Field, head: Vec2, right: Vec2) -> Option<What> {
    let here = head.dot(right);
    let places = way::crossings(field).map(|middle| middle.dot(right));
    let nearest = places.min_by(|a, b| (a - here).abs().total_cmp(&(b - here).abs()))?;
    Some(What::Round(nearest, nearest, true))
}

/// Friends that are gone round: whoever is neither burst through nor passed freely (days.17.4.15-c).
fn is_gone_round(field: &Field, runner: UnitId, id: UnitId) -> bool {
    is_other_friend(field, runner, id) && !is_burst(field, runner, id) && !is_passed(field, id)
}

fn is_other_friend(field: &Field, runner: UnitId, id: UnitId) -> bool {
    field.side_of(id) == field.side_of(runner) && field::whole(field, id) != field::whole(field, runner)
}

/// Infantry and artillery in line, in skirmish order or with their guns ready (days.17.4.15-a).
fn is_burst(field: &Field, runner: UnitId, id: UnitId) -> bool {
    let formation = field::formation(field, id);
    is_other_friend(field, runner, id)
        && matches!(field::facts(field, id).arm, Arm::Infantry | Arm::Artillery)
        && !formation.is_column()
        && formation.shape != Shape::Square
        && !field::is_routing(field, id)
}

/// Other runaways, engineers and horsemen in open order let them by.
fn is_passed(field: &Field, id: UnitId) -> bool {
    let loose = field::facts(field, id).arm == Arm::Engineers || field::skirmishes(field, id);
    field::is_routing(field, id) || loose
}

/// The way past something, by the shorter side if it is open, else by the other; none where both are shut. Enemies who
/// shut one are noted.
fn sidestep(
    field: &Field,
    body: &Body,
    head: Vec2,
    left: f64,
    round: (f64, f64, bool),
    met: &mut Vec<UnitId>,
) -> Option<Vec2> {
    let (low, high, aligned) = round;
    let right = body.towards.perp_right();
    let (here, half) = (head.dot(right), body.rank.width.half().as_f64());
    let mut shifts = if aligned { vec![low - here] } else { vec![low - half - ROOM - here, high + half + ROOM - here] };
    shifts.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let front = [body.front(head)];
    let blocks = |id: UnitId| body.is_stopped_by(field, id) || is_gone_round(field, body.unit, id);
    for shift in shifts.into_iter().filter(|shift| shift.is_finite()) {
        let step = right * (shift.signum() * shift.abs().min(left));
        let open = step.length() > SLACK.as_f64()
            && way::to_edge(field, &front[0], step).is_none()
            && way::first_bar(field, body.unit, &front, step).is_none();
        if !open {
            continue;
        }
        let most = Length::from_um(step.length());
        let Some(blocked) = way::first_met(field, &front, step.normalised(), most, &blocks) else { return Some(step) };
        if body.is_stopped_by(field, blocked.unit) {
            met.push(blocked.unit);
        }
    }
    None
}

/// Moves the leading rank, noting whom it bursts through.
fn go(field: &Field, body: &Body, way: &mut Way, by: Vec2) {
    if by.length() <= 0.0 {
        return;
    }
    for id in way::swept(field, &body.front(way.head), by, &|id| is_burst(field, body.unit, id)) {
        if !way.burst.contains(&id) {
            way.burst.push(id);
        }
    }
    way.head += by;
}

/// Friends on the halting place: the flight goes on until it is clear of them, or stops short of them.
fn make_room(field: &Field, body: &Body, way: &mut Way, first: bool) {
    let others = |id: UnitId| {
        let own_secret = field::is_hidden(field.unit(id)) && field.side_of(id) == field.side_of(body.unit);
        id != body.unit && field::facts(field, id).arm != Arm::Engineers && !own_secret
    };
    let clear = |head: Vec2| {
        let stands = std::iter::once(body.quad(head)).collect();
        !way::overlaps(field, &stands, &others)
    };
    let halted = way.head;
    for _ in 0..MOST_STEPS {
        if way.end != End::Halts || clear(way.head) {
            return;
        }
        let before = way.head;
        bound(field, body, way, STEP.as_f64(), first);
        if way.end == End::Halts && (way.head - before).length() < SLACK.as_f64() {
            break;
        }
    }
    // No way forward: they stop as near behind as there is room.
    let back = (1..MOST_STEPS).map(|n| halted - body.towards * (STEP.as_f64() * n as f64));
    let room = back.into_iter().find(|head| field.ground().holds(&body.quad(*head)) && clear(*head));
    way.head = room.unwrap_or(halted);
}

/// Announces the flight and what it did.
fn settle_flight(umpire: &mut Umpire<'_, Days>, flight: &Flight, body: &Body, way: Way) {
    let unit = flight.unit;
    let field = umpire.state();
    let from = field.unit(unit).pose();
    let so_far = field::troops(field, unit).turn.routed + flight.by;
    let to = kept_on(field, body, way.head);
    let legs = way.turns.iter().map(|place| Leg::Straight(Point::from_vec(*place)));
    let path: Vec<Leg> = legs.chain([Leg::Straight(to.at)]).collect();
    let clause = if flight.first { Clause::RunningFromTheCause } else { Clause::RunningOn };
    if field::formation(field, unit) == body.formation {
        hidden::announce(umpire, unit, Event::new(clause, Deed::Moved { unit, to, path }));
    } else {
        let deed = Deed::Reformed { unit, formation: body.formation, to };
        hidden::announce(umpire, unit, Event::new(clause, deed).also(Clause::FlightCostsNothingExtra));
    }
    stumbled_upon(umpire, unit, &way.met);
    let event = Event::own(Clause::OneRoutDistanceATurn, DaysEvent::Ran { unit, so_far })
        .also(if flight.first { Clause::FirstFlightIsHalf } else { Clause::SheetRoutersRun })
        .also_if(!flight.first, Clause::RunningOn)
        .also_if(way.went_round, Clause::RoundTheColumns)
        .also_if(way.went_round && is_after_a_fight(umpire.state()), Clause::SqueezingThroughGaps)
        .also_if(way.brushed, Clause::ABrushIsNoContact)
        .also_if(way.end == End::OffTable, Clause::GoneForGood)
        .also_if(way.end == End::Dispersed, Clause::RoutersRunIntoEnemies)
        .also_if(way.end == End::Drowned, drowning(umpire.state()));
    hidden::announce(umpire, unit, event);
    let did = Event::own(clause, DaysEvent::Did { unit, doing: Doing::Moved });
    hidden::announce(umpire, unit, did);
    for friend in way.burst {
        burst(umpire, friend, unit);
    }
    match way.end {
        End::Halts => {
            settle::moved(umpire, unit, from);
            way::part(umpire, unit, Clause::RunningFromTheCause);
        }
        End::OffTable => damage::remove(umpire, unit, Leaving::LeftTable),
        End::Drowned | End::Dispersed => damage::remove(umpire, unit, Leaving::Destroyed),
    }
}

/// Troops in hiding into whom or close to whom somebody runs are in hiding no more.
fn stumbled_upon(umpire: &mut Umpire<'_, Days>, unit: UnitId, met: &[UnitId]) {
    let field = umpire.state();
    let near = |id: UnitId| met.contains(&id) || field::within(field, unit, id, field::standoff(field));
    let hidden = field::present(field, field.side_of(unit).other()).filter(|(_, other)| field::is_hidden(other));
    let found: Vec<UnitId> = hidden.map(|(id, _)| id).filter(|id| near(*id)).collect();
    for other in found {
        hidden::reveal(umpire, other);
    }
}

/// The pose at the end; the tail of a column at the table's edge is drawn in.
fn kept_on(field: &Field, body: &Body, head: Vec2) -> Pose {
    let quad = body.quad(head);
    let (bounds, table) = (quad.bounds(), field.ground().bounds());
    let push = |low: f64, high: f64, least: f64, most: f64| (least - low).max(0.0) - (high - most).max(0.0);
    let by = Vec2 {
        x: push(bounds.min.x, bounds.max.x, table.min.x, table.max.x),
        y: push(bounds.min.y, bounds.max.y, table.min.y, table.max.y),
    };
    body.pose(head + by)
}

/// The clause under which a river takes a unit: after a fight or at any other time.
fn drowning(field: &Field) -> Clause {
    if is_after_a_fight(field) { Clause::DrivenIntoTheRiver } else { Clause::IntoTheRiver }
}

fn is_after_a_fight(field: &Field) -> bool {
    matches!(field.ledger().step, TurnStep::Routers | TurnStep::Assault)
}

/// Friends who are run over lose their order.
fn burst(umpire: &mut Umpire<'_, Days>, friend: UnitId, by: UnitId) {
    if !field::is_there(umpire.state(), friend) {
        return;
    }
    let event = Event::own(Clause::BurstingThroughFriends, DaysEvent::BurstThrough { unit: friend, by });
    hidden::announce(umpire, friend, event);
    morale::worsen(umpire, friend, OrderState::Disordered, Clause::DisorderedByRunaways);
}
