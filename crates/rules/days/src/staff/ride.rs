//! 4.11: generals ride, join units and leave them; engineers go along with units (days.14.2-g, 14.4, A-115, A-123).

use super::super::Days;
use super::super::charts::reach;
use super::super::clause::Clause;
use super::super::event::{DaysEvent, Doing};
use super::super::field::{self, Field, facts, is_there, known, stands, troops};
use super::super::ground::{self, Tolls};
use super::super::hidden;
use super::super::order::Order;
use super::super::unit::{Arm, Part, Rank};
use super::command::{forsaken, is_active, over, serves};
use super::harm;
use super::post::{self, Who};
use engine::verdict::Mark;
use engine::{CommanderId, Deed, Event, Side, Umpire, UnitId, Verdict, View};
use table::march::{Leg, Track};
use table::{Angle, Footprint, Length, Point, Pose, Quad, quads_overlap};

/// Judges `Ride`, `Join`, `Attach`.
pub fn check(view: &View<'_, Days>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    match order {
        Order::Ride { general, to } => ride_verdict(view, side, *general, *to, &mut verdict),
        Order::Join { general, unit } => join_verdict(view, side, *general, *unit, &mut verdict),
        Order::Attach { party, to } => attach_verdict(view, side, *party, *to, &mut verdict),
        _ => drop(verdict.refuse(Clause::OrdinaryMoves, "this is no order for the staff")),
    }
    verdict
}

/// Whether a general of this number belongs to the side.
fn is_own(field: &Field, side: Side, general: CommanderId) -> bool {
    let cards = &field.muster().commanders;
    cards.get(general.index()).is_some_and(|card| card.side == side)
}

/// Whether a general may move at all; false where nothing more can be said.
fn may_move(field: &Field, side: Side, general: CommanderId, verdict: &mut Verdict) -> bool {
    if !is_own(field, side, general) || !field.commander(general).is_present() {
        verdict.refuse(Clause::OrdinaryMoves, "only generals of your own on the table can ride");
        return false;
    }
    let (name, staff) = (&field.muster().commander(general).name, &field.commander(general).own);
    if staff.routing {
        verdict.refuse(Clause::CarriedAlongInRout, format!("{name} is carried along by running troops"));
    } else if !is_active(field, general) {
        verdict.refuse(Clause::WhenGeneralsAreWounded, format!("{name} is out of action"));
    }
    if staff.unhorsed {
        verdict.refuse(Clause::WhenGeneralsAreWounded, format!("{name} has lost his horse and stays where he is"));
    }
    if staff.moved {
        verdict.refuse(Clause::OrdinaryMoves, format!("{name} has moved this turn"));
    }
    true
}

/// The pose of a general whose stand has its middle at a place.
pub fn pose_at(field: &Field, general: CommanderId, to: Point) -> Pose {
    let depth = field.muster().commander(general).facts.stand.depth;
    Pose { at: to, facing: field.commander(general).pose.facing }.ahead(depth.half())
}

fn ride_verdict(field: &Field, side: Side, general: CommanderId, to: Point, verdict: &mut Verdict) {
    if !may_move(field, side, general, verdict) {
        return;
    }
    let stand = field.muster().commander(general).facts.stand;
    let quad = stand.quad(pose_at(field, general, to));
    if !field.ground().holds(&quad) {
        verdict.refuse(Clause::OrdinaryMoves, "that is off the table").at(Mark::Spot(to));
    }
    let on_top = |id: UnitId, unit: &engine::Unit<Days>| {
        quads_overlap(unit.quad(), &quad) && stands(field, id).iter().any(|one| quads_overlap(one, &quad))
    };
    if let Some((unit, _)) = field::present(field, side).find(|(id, unit)| on_top(*id, unit)) {
        verdict.refuse(Clause::OrdinaryMoves, "a unit stands there: join it, or stay clear").about(unit);
    }
    let (from, normal) = (*field.commander(general).quad(), reach(field.charts().pace.staff.normal));
    let tolls = ground::staff_toll(field, general, pose_at(field, general, to).at);
    way_verdict(field, side, (&from, &quad), normal, &tolls, verdict);
}

/// Whether somebody can get from one place to another in a straight line: far enough, no barrier, clear of enemies.
fn way_verdict(
    field: &Field,
    side: Side,
    (from, to): (&Quad, &Quad),
    normal: Length,
    tolls: &Tolls,
    verdict: &mut Verdict,
) {
    let (a, b) = (from.centre, to.centre);
    let distance = field::measured(Length::from_um((b - a).length()));
    let mark = || Mark::Measured(Point::from_vec(a), Point::from_vec(b), distance);
    verdict.refusals.extend(tolls.refusals.iter().cloned());
    let toll = tolls.total();
    // Whoever got into ground that bars him may creep out of it, as troops may.
    let left = (normal - toll).max(reach(field.charts().pace.least));
    if tolls.refusals.is_empty() && distance > left {
        let text = format!("it is {distance} to there; {left} of {normal} are left after the ground");
        let clause = if toll > Length::ZERO { Clause::GroundShortensTheMove } else { Clause::OrdinaryMoves };
        verdict.refuse(clause, text).at(mark());
    }
    let standoff = field::standoff(field);
    let sweep = swept(from, to);
    for (id, enemy) in known(field, side.other()) {
        if field::surely_beyond(enemy.quad(), &sweep, standoff) {
            continue;
        }
        let theirs = stands(field, id);
        let gap = |quad: &Quad| field::measured(field::gap_of(theirs, &[*quad]));
        let (before, after) = (gap(from), gap(to));
        let close = if before <= standoff { after < before } else { after <= standoff || gap(&sweep) <= standoff };
        if close {
            let text = format!("the way leads within {standoff} of the enemy");
            verdict.refuse(Clause::AnInchFromTheEnemy, text).about(id);
        }
    }
}

/// The ground a stand passes over on a straight way.
fn swept(from: &Quad, to: &Quad) -> Quad {
    let way = to.centre - from.centre;
    let width =
        Length::from_um((from.corners[1] - from.corners[0]).length().max((to.corners[1] - to.corners[0]).length()));
    let depth = Length::from_um(way.length()) + width;
    if way.length() < table::SLACK.as_f64() {
        return *to;
    }
    let facing = Angle::of(way);
    let front = to.centre + way.normalised() * width.half().as_f64();
    Footprint { width, depth }.quad(Pose { at: Point::from_vec(front), facing })
}

fn join_verdict(field: &Field, side: Side, general: CommanderId, unit: UnitId, verdict: &mut Verdict) {
    if !may_move(field, side, general, verdict) || !host_verdict(field, side, unit, verdict) {
        return;
    }
    let name = &field.muster().commander(general).name;
    if !over(field, unit).contains(&general) {
        verdict.refuse(Clause::NoChangeOfMaster, format!("{name} does not command this unit")).about(unit);
    } else if !serves(field, general, unit) {
        let text = format!("{name} cannot lead troops of this arm");
        verdict.refuse(Clause::HorseAndFootGenerals, text).about(unit);
    }
    let from = *field.commander(general).quad();
    let stand = field.muster().commander(general).facts.stand;
    let place = join_pose(field, general, unit);
    let to = stand.quad(place);
    let normal = reach(field.charts().pace.staff.normal);
    if field.commander(general).own.attached == Some(unit) {
        verdict.refuse(Clause::JoiningAUnit, format!("{name} is with it already")).about(unit);
    } else if !post::touches(field, general, unit) {
        way_verdict(field, side, (&from, &to), normal, &ground::staff_toll(field, general, place.at), verdict);
    }
}

/// Where a general comes to stand who joins a unit: where he is if he touches it.
fn join_pose(field: &Field, general: CommanderId, unit: UnitId) -> Pose {
    if post::touches(field, general, unit) {
        return field.commander(general).pose;
    }
    post::beside(field, unit, Who::General(general))
}

/// Whether a unit can have staff with it; false where nothing more can be said.
fn host_verdict(field: &Field, side: Side, unit: UnitId, verdict: &mut Verdict) -> bool {
    let own = unit.index() < field.muster().units.len() && field.side_of(unit) == side && is_there(field, unit);
    if !own {
        verdict.refuse(Clause::JoiningAUnit, "only units of your own on the table can be joined");
        return false;
    }
    let facts = facts(field, unit);
    let fit = matches!(facts.arm, Arm::Infantry | Arm::Cavalry | Arm::Artillery)
        && !matches!(facts.part_kind(), Some(Part::Screen | Part::Holders));
    if !fit {
        verdict.refuse(Clause::JoiningAUnit, "nobody joins such troops").about(unit);
    }
    true
}

fn attach_verdict(field: &Field, side: Side, party: UnitId, to: Option<UnitId>, verdict: &mut Verdict) {
    let known = party.index() < field.muster().units.len() && field.side_of(party) == side && is_there(field, party);
    if !known || facts(field, party).arm != Arm::Engineers {
        verdict.refuse(Clause::JoiningAUnit, "only engineers of your own on the table can do this");
        return;
    }
    let own = troops(field, party);
    if own.turn.reformed {
        verdict.refuse(Clause::JoiningAUnit, "engineers join or leave one unit a turn").about(party);
    }
    let Some(unit) = to else {
        if own.attached.is_none() {
            verdict.refuse(Clause::JoiningAUnit, "these engineers are with nobody").about(party);
        }
        return;
    };
    if !host_verdict(field, side, unit, verdict) {
        return;
    }
    if own.attached == Some(unit) {
        verdict.refuse(Clause::JoiningAUnit, "these engineers are with it already").about(party);
    } else if !post::units_touch(field, party, unit) {
        if own.turn.moved || own.turn.worked {
            verdict.refuse(Clause::OrdinaryMoves, "these engineers have moved or worked this turn").about(party);
        }
        let stand = field.footprint(party, field::formation(field, party));
        let place = post::beside(field, unit, Who::Party(party));
        let normal = reach(field.charts().pace.engineers.normal);
        let track = Track::plot(field.unit(party).pose(), stand, &[Leg::Straight(place.at)]);
        let tolls = ground::toll(field, party, field::formation(field, party), &track);
        way_verdict(field, side, (field.unit(party).quad(), &stand.quad(place)), normal, &tolls, verdict);
    }
}

/// Carries `Ride`, `Join`, `Attach` out.
pub fn execute(umpire: &mut Umpire<'_, Days>, side: Side, order: &Order) {
    match order {
        Order::Ride { general, to } if is_own(umpire.state(), side, *general) => ride(umpire, *general, *to),
        Order::Join { general, unit } if is_own(umpire.state(), side, *general) => join(umpire, *general, *unit),
        Order::Attach { party, to } => attach(umpire, *party, *to),
        _ => {}
    }
}

/// How much a ride takes off, for the clause it is told under.
fn ride_clause(field: &Field, general: CommanderId, to: Point) -> Clause {
    if ground::staff_toll(field, general, to).total() > Length::ZERO {
        Clause::GroundShortensTheMove
    } else {
        Clause::OrdinaryMoves
    }
}

fn ride(umpire: &mut Umpire<'_, Days>, general: CommanderId, to: Point) {
    if !umpire.state().commander(general).is_present() {
        return;
    }
    let before = forsaken(umpire.state(), general);
    detach(umpire, general);
    let field = umpire.state();
    let pose = pose_at(field, general, to);
    let clause = ride_clause(field, general, pose.at);
    post::put(umpire, general, pose, clause);
    let after = forsaken(umpire.state(), general);
    let event = Event::own(Clause::OrdinaryMoves, DaysEvent::GeneralMoved { general });
    let event =
        event.also_if(after < before, Clause::ReachOfCommand).also_if(after < before, Clause::CommandWithoutSight);
    let superior = umpire.state().muster().commander(general).facts.rank != Rank::Brigade;
    let event = event.also_if(superior && after < before, Clause::ASuperiorLendsAHand);
    umpire.announce(event.also_if(after > before, Clause::WithoutAGeneral));
    hidden::discover(umpire);
}

fn detach(umpire: &mut Umpire<'_, Days>, general: CommanderId) {
    if umpire.state().commander(general).own.attached.is_some() {
        umpire.announce(Event::own(Clause::WhatAttachedMeans, DaysEvent::Attached { general, unit: None }));
    }
}

fn join(umpire: &mut Umpire<'_, Days>, general: CommanderId, unit: UnitId) {
    let field = umpire.state();
    if !field.commander(general).is_present() || !is_there(field, unit) {
        return;
    }
    let (pose, before) = (join_pose(field, general, unit), forsaken(field, general));
    let event = Event::own(Clause::JoiningAUnit, DaysEvent::Attached { general, unit: Some(unit) });
    umpire.announce(event.also(Clause::WhyGeneralsJoinUnits).also(Clause::WhatAttachedMeans));
    post::put(umpire, general, pose, Clause::JoiningAUnit);
    let after = forsaken(umpire.state(), general);
    let event = Event::own(Clause::JoiningAUnit, DaysEvent::GeneralMoved { general });
    let left_alone = after > before;
    umpire
        .announce(event.also_if(left_alone, Clause::TheOthersAreLeftAlone).also_if(left_alone, Clause::OneUnitAtATime));
    if field::is_routing(umpire.state(), unit) {
        harm::rout_with(umpire, unit, true);
    }
    hidden::discover(umpire);
}

fn attach(umpire: &mut Umpire<'_, Days>, party: UnitId, to: Option<UnitId>) {
    if !is_there(umpire.state(), party) || to.is_some_and(|unit| !is_there(umpire.state(), unit)) {
        return;
    }
    if let Some(unit) = to.filter(|unit| !post::units_touch(umpire.state(), party, *unit)) {
        let pose = post::beside(umpire.state(), unit, Who::Party(party));
        let moved = Event::new(Clause::JoiningAUnit, Deed::Moved { unit: party, to: pose, path: Vec::new() });
        hidden::announce(umpire, party, moved);
        let did = Event::own(Clause::JoiningAUnit, DaysEvent::Did { unit: party, doing: Doing::Moved });
        hidden::announce(umpire, party, did);
    }
    let event = Event::own(Clause::JoiningAUnit, DaysEvent::PartyAttached { party, unit: to });
    hidden::announce(umpire, party, event.also(Clause::WhatAttachedMeans));
    let did = Event::own(Clause::JoiningAUnit, DaysEvent::Did { unit: party, doing: Doing::Reformed });
    hidden::announce(umpire, party, did);
}
