//! Evading from a charge: straight away, into cover, behind friends, into a square, off the table. Section 17.4.16, A-57.

use super::super::Days;
use super::super::charts::reach;
use super::super::clause::Clause;
use super::super::event::{DaysEvent, Doing};
use super::super::field::{self, Field};
use super::super::formation::Shape;
use super::super::unit::{Arm, Part};
use super::super::{damage, detachment, evolution, ground, hidden, space};
use super::way;
use engine::verdict::Mark;
use engine::{Deed, Event, Umpire, UnitId, Verdict};
use table::terrain::Edge;
use table::{Length, Point, Pose, Quad, SLACK, Vec2};

/// How far an evader gets: half its normal move, gunners on their own feet.
pub fn evading_distance(field: &Field, unit: UnitId) -> Length {
    let pace = &field.charts().pace;
    let crew = field::is_deployed(field, unit);
    let own = if crew { &pace.crew } else { evolution::pace(field, unit, field::formation(field, unit)) };
    pace.evade.value.of(reach(own.normal))
}

/// Whether it is gunners who leave their guns behind.
fn leaves_guns(field: &Field, unit: UnitId) -> bool {
    field::is_deployed(field, unit) && !field::troops(field, unit).crew_away
}

/// A unit evades from a charger: up to half its normal move straight away, or to a place. It obeys these clauses besides.
pub fn evade(umpire: &mut Umpire<'_, Days>, unit: UnitId, from: UnitId, to: Option<Point>, also: &[Clause]) {
    let field = umpire.state();
    if !field::is_there(field, unit) {
        return;
    }
    let start = field.unit(unit).pose();
    let towards = way::flight(field, unit, Some(from));
    let by = evading_distance(field, unit);
    let chosen = to.map(|place| place.vec() - middle(field, unit));
    let (way, off) = match chosen {
        Some(way) => (way, None),
        None => straight_away(field, unit, towards, by),
    };
    lose_reserve(umpire, unit);
    let evaded = Event::own(Clause::HowToEvade, DaysEvent::Did { unit, doing: Doing::Evaded })
        .also(Clause::WhoCanEvade)
        .also(Clause::EvadingAsYouAre);
    let evaded = also.iter().fold(evaded, |event, clause| event.also(*clause));
    hidden::announce(umpire, unit, evaded);
    if leaves_guns(umpire.state(), unit) {
        let pose = start.shifted(way);
        detachment::crew_leaves(umpire, unit, pose);
        return;
    }
    if let Some(edge) = off {
        leave(umpire, unit, edge);
        return;
    }
    if way.length() > SLACK.as_f64() {
        let clause = if to.is_some() { Clause::WhereToEvade } else { Clause::HowToEvade };
        let guns = field::is_limbered(umpire.state(), unit);
        let deed = Deed::Moved { unit, to: start.shifted(way), path: Vec::new() };
        way::arrive(umpire, unit, Event::new(clause, deed).also_if(guns, Clause::SavingTheGuns), start);
        let did = DaysEvent::Did { unit, doing: Doing::Moved };
        hidden::announce(umpire, unit, Event::own(Clause::HowToEvade, did));
    }
    way::part(umpire, unit, Clause::HowToEvade);
}

/// The middle of a unit.
fn middle(field: &Field, unit: UnitId) -> Vec2 {
    field.unit(unit).quad().centre
}

/// Fire that was kept back is lost.
fn lose_reserve(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    if field::troops(umpire.state(), unit).turn.reserved > 0 {
        let event = Event::own(Clause::HowToEvade, DaysEvent::Reserved { unit, stands: 0 });
        hidden::announce(umpire, unit, event);
    }
}

/// The straight way away from the charger, and the edge it leaves the table by where it does.
fn straight_away(field: &Field, unit: UnitId, towards: Vec2, by: Length) -> (Vec2, Option<Edge>) {
    let stands = field::stands(field, unit);
    let (side, whole) = (field.side_of(unit), field::whole(field, unit));
    let blocks = |id: UnitId| {
        let other = field.side_of(id) != side && !field::is_hidden(field.unit(id));
        let friend = field.side_of(id) == side
            && field::whole(field, id) != whole
            && !space::is_passable(field, unit, id)
            && !field::is_routing(field, id);
        other || friend
    };
    let mut most = by;
    if let Some(met) = way::first_met(field, stands, towards, most, &blocks) {
        let enemy = field.side_of(met.unit) != side;
        let keep = if enemy { field::standoff(field) } else { Length::ZERO };
        most = (met.at - keep).max(Length::ZERO);
    }
    if let Some((_, _, at)) = way::first_bar(field, unit, stands, towards * most.as_f64()) {
        most = most.min(at);
    }
    let end = middle(field, unit) + towards * most.as_f64();
    if let Some(edge) = Edge::ALL.into_iter().find(|edge| field.ground().edge_distance(*edge, end) < 0.0) {
        return (towards * most.as_f64(), Some(edge));
    }
    let edges = stands.iter().filter_map(|stand| way::to_edge(field, stand, towards * most.as_f64()));
    most = edges.fold(most, Length::min);
    (towards * clear_of_friends(field, unit, towards, most).as_f64(), None)
}

/// Shortens the way until nobody stands on its end.
fn clear_of_friends(field: &Field, unit: UnitId, towards: Vec2, most: Length) -> Length {
    // tidy: allow(a search step, no figure of the book)
    let step = Length::whole_inches(1).half();
    let (pose, formation) = (field.unit(unit).pose(), field::formation(field, unit));
    let whole = field::whole(field, unit);
    let counts = |id: UnitId| field::whole(field, id) != whole;
    let mut by = most;
    while by > Length::ZERO {
        let stands = field::stands_at(field, unit, pose.shifted(towards * by.as_f64()), formation);
        if !way::overlaps(field, &stands, &counts) {
            return by;
        }
        by -= step;
    }
    Length::ZERO
}

/// Off the table: it may come back later (days.17.4.16-f).
fn leave(umpire: &mut Umpire<'_, Days>, unit: UnitId, edge: Edge) {
    let turn = umpire.state().turn();
    let off = DaysEvent::EvadedOff { unit, off: Some((turn, edge)) };
    umpire.announce(Event::own(Clause::EvadingOffTheTable, off));
    umpire.announce(Event::own(Clause::EvadingOffTheTable, DaysEvent::Parted { unit, from: None }));
    umpire.announce(Event::new(Clause::EvadingOffTheTable, Deed::Withdrawn { unit }));
    damage::end_charges_at(umpire, unit);
}

/// Whether an evader may go to a place: cover, behind friendly infantry, into a square; near enough, not nearer to the
/// charger. The place is where the middle of the unit, or of the gunners, comes to stand.
pub fn may_evade_to(field: &Field, unit: UnitId, from: UnitId, to: Point) -> Verdict {
    let mut verdict = Verdict::default();
    let start = middle(field, unit);
    let place = to.vec();
    let mark = Mark::Line(Point::from_vec(start), to);
    if !may_choose_place(field, unit) {
        let text = "horsemen and limbered guns evade straight away";
        verdict.refuse(Clause::WhereToEvade, text).about(unit).at(mark.clone());
    }
    if field::measured(Length::from_um((place - start).length())) > evading_distance(field, unit) {
        verdict.refuse(Clause::HowToEvade, "further than half a move").about(unit).at(mark.clone());
    }
    let charger = field.unit(from).quad();
    let apart = |at: Vec2| table::convex::distance(charger.points(), at);
    if apart(place) + SLACK.as_f64() < apart(start) {
        verdict.refuse(Clause::WhereToEvade, "evading never leads nearer to the charger").about(unit).at(mark.clone());
    }
    if !is_refuge(field, unit, from, place) {
        let text = "no cover there, no friends to get behind";
        verdict.refuse(Clause::WhereToEvade, text).about(unit).at(mark.clone());
        if field::squares_allowed(field) {
            let text = "and no square of friends to run into";
            verdict.refuse(Clause::RefugeInASquare, text).about(unit).at(mark.clone());
        }
    }
    let shift = place - start;
    let pose: Pose = field.unit(unit).pose().shifted(shift);
    let stands = field::stands_at(field, unit, pose, field::formation(field, unit));
    if !stands.iter().all(|stand| field.ground().holds(stand)) {
        verdict.refuse(Clause::WhereToEvade, "off the table").about(unit).at(mark.clone());
    }
    let whole = field::whole(field, unit);
    let counts = |id: UnitId| field::whole(field, id) != whole && !is_friendly_square(field, unit, id);
    if way::overlaps(field, &stands, &counts) {
        verdict.refuse(Clause::WhereToEvade, "somebody stands there").about(unit).at(mark);
    }
    verdict
}

/// Infantry and gunners on foot look for cover; others run straight.
fn may_choose_place(field: &Field, unit: UnitId) -> bool {
    field::is_foot(field, unit) || leaves_guns(field, unit)
}

/// Cover, the rear of friendly infantry for gunners, a square for anybody on foot.
fn is_refuge(field: &Field, unit: UnitId, from: UnitId, place: Vec2) -> bool {
    if ground::area_at(field, place).is_some() || behind_obstacle(field, from, place) {
        return true;
    }
    let friends = || field::present(field, field.side_of(unit)).map(|(id, _)| id).filter(|id| *id != unit);
    if friends().any(|id| is_friendly_square(field, unit, id) && holds(field, id, place)) {
        return true;
    }
    let gunners = leaves_guns(field, unit) || field::facts(field, unit).part_kind() == Some(Part::Crew);
    let enemy = middle(field, from);
    let shields = |id: UnitId| {
        let foot = field::facts(field, id).arm == Arm::Infantry && !field::is_routing(field, id);
        foot && crosses(field.unit(id).quad(), (enemy, place))
    };
    gunners && friends().any(shields)
}

/// Whether an obstacle lies close in front of a place, towards the charger (C.7).
fn behind_obstacle(field: &Field, from: UnitId, place: Vec2) -> bool {
    let cover = reach(field.charts().constant.cover);
    let towards = (middle(field, from) - place).normalised();
    let look = (place, place + towards * (cover.as_f64() * 2.0));
    ground::patches(field).any(|patch| patch.land == ground::Land::Obstacle && !patch.shape.clip(look).is_empty())
}

fn is_friendly_square(field: &Field, unit: UnitId, id: UnitId) -> bool {
    field.side_of(id) == field.side_of(unit)
        && field::shape(field, id) == Shape::Square
        && !field::is_routing(field, id)
}

fn holds(field: &Field, id: UnitId, place: Vec2) -> bool {
    table::convex::contains(field.unit(id).quad().points(), place)
}

fn crosses(quad: &Quad, line: (Vec2, Vec2)) -> bool {
    table::convex::clip(line, quad.points()).is_some()
}
