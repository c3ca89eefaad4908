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

/// How far, and which way, an evader would get; nothing where he would leave the table.
pub fn would_get(field: &Field, unit: UnitId, from: UnitId, to: Option<Point>) -> Option<Vec2> {
    if let Some(place) = to {
        return Some(place.vec() - middle(field, unit));
    }
    let towards = way::flight(field, unit, Some(from));
    let (way, off, _) = straight_away(field, unit, towards, evading_distance(field, unit));
    off.is_none().then_some(way)
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
    let (way, off, met) = match chosen {
        Some(way) => {
            let (way, met) = short_of_ambush(field, unit, way);
            (way, None, met)
        }
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
        hidden::reveal_met(umpire, met);
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
    hidden::reveal_met(umpire, met);
    way::part(umpire, unit, Clause::HowToEvade);
}

/// A chosen way as far as troops in hiding let an evader come, and who they are.
fn short_of_ambush(field: &Field, unit: UnitId, way: Vec2) -> (Vec2, Option<UnitId>) {
    let standoff = field::standoff(field);
    let lurks = |id: UnitId| field.side_of(id) != field.side_of(unit) && field::is_hidden(field.unit(id));
    let (towards, far) = (way.normalised(), Length::from_um(way.length()));
    match way::first_met(field, field::stands(field, unit), towards, far + standoff, &lurks) {
        Some(met) => (towards * far.min(met.at - standoff).max(Length::ZERO).as_f64(), Some(met.unit)),
        None => (way, None),
    }
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

/// Friends who do not let an evader through.
fn is_friend_in_the_way(field: &Field, unit: UnitId, id: UnitId) -> bool {
    field.side_of(id) == field.side_of(unit)
        && field::whole(field, id) != field::whole(field, unit)
        && !space::is_passable(field, unit, id)
        && !field::is_routing(field, id)
}

/// The straight way away from the charger, the edge it leaves the table by where it does, and the enemy who stops it.
fn straight_away(field: &Field, unit: UnitId, towards: Vec2, by: Length) -> (Vec2, Option<Edge>, Option<UnitId>) {
    let stands = field::stands(field, unit);
    let side = field.side_of(unit);
    let mut most = by;
    let mut stopped_by = None;
    // An enemy just beyond the end of the way stops it short of him as well; friends only where they stand.
    let standoff = field::standoff(field);
    let is_enemy = |id: UnitId| field.side_of(id) != side;
    if let Some(met) = way::first_met(field, stands, towards, by + standoff, &is_enemy) {
        most = most.min(met.at - standoff).max(Length::ZERO);
        stopped_by = Some(met.unit);
    }
    let is_friend = |id: UnitId| is_friend_in_the_way(field, unit, id);
    if let Some(met) = way::first_met(field, stands, towards, most, &is_friend).filter(|met| met.at < most) {
        most = met.at;
        stopped_by = None;
    }
    if let Some((_, _, at)) = way::first_bar(field, unit, stands, towards * most.as_f64()) {
        most = most.min(at);
    }
    let end = middle(field, unit) + towards * most.as_f64();
    if let Some(edge) = Edge::ALL.into_iter().find(|edge| field.ground().edge_distance(*edge, end) < 0.0) {
        return (towards * most.as_f64(), Some(edge), stopped_by);
    }
    let edges = stands.iter().filter_map(|stand| way::to_edge(field, stand, towards * most.as_f64()));
    most = edges.fold(most, Length::min);
    (towards * clear_of_friends(field, unit, towards, most).as_f64(), None, stopped_by)
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
        verdict.refuse(Clause::WhereToEvade, "somebody stands there").about(unit).at(mark.clone());
    }
    judge_way(field, unit, shift, &stands, &mark, &mut verdict);
    verdict
}

/// The way to a chosen place: no enemies and nobody who does not let them through in between, no ground nobody gets over,
/// and more than an inch from every enemy at the end (days.17.4-f).
fn judge_way(field: &Field, unit: UnitId, shift: Vec2, end: &field::Stands, mark: &Mark, verdict: &mut Verdict) {
    let (stands, side) = (field::stands(field, unit), field.side_of(unit));
    // A few gunners get through any ranks of friends.
    let gunners = leaves_guns(field, unit) || field::facts(field, unit).part_kind() == Some(Part::Crew);
    let blocks = |id: UnitId| {
        let friend = is_friend_in_the_way(field, unit, id) && !is_friendly_square(field, unit, id) && !gunners;
        let enemy = field.side_of(id) != side && !field::is_hidden(field.unit(id));
        enemy || friend
    };
    let (towards, far) = (shift.normalised(), Length::from_um(shift.length()));
    if far > SLACK && way::first_met(field, stands, towards, far, &blocks).is_some() {
        let text = "somebody is in the way there";
        verdict.refuse(Clause::WhereToEvade, text).about(unit).at(mark.clone());
    }
    if way::first_bar(field, unit, stands, shift).is_some() {
        let text = "they cannot get over the ground in between";
        verdict.refuse(Clause::GroundShortensTheMove, text).about(unit).at(mark.clone());
    }
    let standoff = field::standoff(field);
    for (foe, piece) in field::known(field, side.other()) {
        if end.iter().all(|stand| field::surely_beyond(stand, piece.quad(), standoff)) {
            continue;
        }
        let then = field::measured(field::gap_of(end, field::stands(field, foe)));
        if then <= standoff && then < field::gap(field, unit, foe) {
            let text = format!("that is within {standoff} of an enemy");
            verdict.refuse(Clause::AnInchFromTheEnemy, text).about(unit).at(mark.clone());
        }
    }
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
    if field::skirmishes(field, unit) && is_broken_ground(field, place) {
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

/// Ground so difficult that formed troops do not follow skirmishers into it gladly (days.12.3-g).
fn is_broken_ground(field: &Field, place: Vec2) -> bool {
    ground::patches(field).any(|patch| patch.difficult && patch.shape.contains(place))
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
