//! Independent stands: joining a unit and parting from it. R10, R88.

use super::Fpw;
use super::clause::Clause;
use super::event::FpwEvent;
use super::field::{Field, facts, formation, gap, is_engaged, is_there, soldiers, stands};
use super::unit::Formation;
use super::{generals, hidden, movement};
use engine::{Deed, Event, Leaving, Mark, Side, StandSet, Umpire, UnitId, Verdict};
use table::march::{Leg, Track};
use table::{Angle, Footprint, Length, Point, Pose, SLACK, Vec2, convex};

/// Judges joining a stand to a unit.
pub fn check_attach(field: &Field, side: Side, host: UnitId, units: &[UnitId], verdict: &mut Verdict) {
    let [unit] = units else {
        verdict.refuse(Clause::AttachStand, "one stand is joined at a time");
        return;
    };
    let unit = *unit;
    if !is_there(field, unit) {
        return;
    }
    if !facts(field, unit).independent {
        verdict.refuse(Clause::AttachStand, "only an independent stand can be joined to a unit").about(unit);
    }
    if !is_there(field, host) || field.side_of(host) != side || host == unit || facts(field, host).is_scout() {
        verdict.refuse(Clause::AttachStand, "it can only join another unit of its own side").about(host);
        return;
    }
    let name = &field.card(host).name;
    if facts(field, host).arm != facts(field, unit).arm || facts(field, host).independent {
        verdict.refuse(Clause::AttachStand, format!("{name} is no unit it could be part of")).about(host);
    }
    if soldiers(field, host).guest.is_some() {
        verdict.refuse(Clause::AttachStand, format!("{name} has a stand joined to it already")).about(host);
    }
    if is_engaged(field, host) {
        verdict.refuse(Clause::CarriedOver, format!("{name} is in close combat")).about(host);
    }
    let distance = gap(field, unit, host);
    let reach = attach_reach(field, unit, host);
    if distance > reach + SLACK {
        let text = format!(
            "{name} is {} away, and the stand goes {}",
            distance.show(table::Unit::Inch),
            reach.show(table::Unit::Inch)
        );
        let mark = Mark::Measured(field.unit(unit).pose().at, field.unit(host).pose().at, distance);
        verdict.refuse(facts(field, unit).arm.pace_clause(), text).about(unit).at(mark);
    }
    if joined_bodies(field, host, 1).iter().any(|quad| !field.ground().holds(quad))
        || !movement::is_free_but(field, host, &joined_bodies(field, host, 1), &[unit])
    {
        verdict.refuse(Clause::AttachStand, format!("{name} has no room for another stand")).about(host);
    }
}

/// Full pace over the ground between the two.
fn attach_reach(field: &Field, unit: UnitId, host: UnitId) -> Length {
    let (from, to) = convex::nearest_points(field.unit(unit).quad().points(), field.unit(host).quad().points());
    let start = field.unit(unit).pose();
    let drawn = formation(field, unit);
    let end = Point::from_vec(start.at.vec() + (to - from));
    let track = Track::plot(start, field.footprint(unit, drawn), &[Leg::Straight(end)]);
    movement::over_ground(field, movement::full_pace(field, unit), drawn, &track)
}

/// The ground a host covers with so many stands more.
fn joined_bodies(field: &Field, host: UnitId, more: u8) -> Vec<table::Quad> {
    let piece = field.unit(host);
    let count = soldiers(field, host).count() + more;
    facts(field, host).layout(piece.body.formation, count).quads(piece.pose()).collect()
}

/// The stand joins: from now on it is one of the host's.
pub fn attach(umpire: &mut Umpire<'_, Fpw>, host: UnitId, units: &[UnitId]) {
    let [unit] = units else { return };
    let unit = *unit;
    let riders: Vec<_> = generals::attached(umpire.state(), unit).collect();
    let hidden_piece = |id: UnitId| super::field::is_hidden(umpire.state().unit(id));
    if hidden_piece(unit) && !hidden_piece(host) {
        // Whoever joins a unit everybody sees is seen himself.
        hidden::reveal(umpire, unit, Clause::ScoutsUncover);
    }
    hidden::announce(umpire, host, Event::own(Clause::AttachStand, FpwEvent::Joined { stand: unit, host }));
    let count = u32::from(soldiers(umpire.state(), host).count());
    let deed = Deed::StandsLost { unit: host, left: StandSet::first(count) };
    hidden::announce(umpire, host, Event::new(Clause::AttachStand, deed));
    let gone = Deed::Removed { unit, why: Leaving::Spent };
    hidden::announce(umpire, unit, Event::new(Clause::AttachStand, gone));
    for general in riders {
        let event = Event::own(Clause::AttachedHere, FpwEvent::Attached { general, unit: Some(host) });
        hidden::announce_general(umpire, general, event);
    }
    generals::make_room(umpire);
}

/// Judges parting a stand from its host.
pub fn check_detach(field: &Field, units: &[UnitId], verdict: &mut Verdict) {
    let [host] = units else {
        verdict.refuse(Clause::AttachStand, "one unit parts with its stand at a time");
        return;
    };
    if !is_there(field, *host) {
        return;
    }
    if soldiers(field, *host).guest.is_none() {
        verdict.refuse(Clause::AttachStand, "no independent stand is joined to it").about(*host);
    } else if parting_place(field, *host).is_none() {
        verdict.refuse(Clause::AttachStand, "there is no room beside it").about(*host);
    }
}

/// Where the stand would stand by itself: in its place if the host closes up, else beside or behind it.
fn parting_place(field: &Field, host: UnitId) -> Option<Pose> {
    let guest = soldiers(field, host).guest?;
    let piece = field.unit(host);
    let (pose, count) = (piece.pose(), soldiers(field, host).count().saturating_sub(1));
    let left = facts(field, host).layout(piece.body.formation, count);
    let print: Footprint = left.footprint();
    let stand = facts(field, guest).stand;
    let (side, back) = ((print.width + stand.width).half(), print.depth);
    let bodies: Vec<table::Quad> = left.quads(pose).collect();
    let places = [(side, Length::ZERO), (-side, Length::ZERO), (Length::ZERO, -back), (Length::ZERO, stand.depth)];
    let place = |(x, y): (Length, Length)| Pose {
        at: Point::from_vec(pose.to_world(Vec2 { x: x.as_f64(), y: y.as_f64() })),
        facing: pose.facing,
    };
    places.into_iter().map(place).find(|at| {
        let quad = stand.quad(*at);
        !bodies.iter().any(|body| table::quads_overlap(body, &quad))
            && movement::is_free_but(field, host, &[quad], &[host])
            && !touches_enemy(field, host, &quad)
    })
}

fn touches_enemy(field: &Field, unit: UnitId, quad: &table::Quad) -> bool {
    super::field::known(field, field.side_of(unit).other())
        .any(|(id, _)| stands(field, id).iter().any(|other| table::quads_touch(other, quad)))
}

/// The stand parts and is a unit of its own again.
pub fn detach(umpire: &mut Umpire<'_, Fpw>, units: &[UnitId]) {
    let [host] = units else { return };
    let host = *host;
    let (Some(guest), Some(pose)) = (soldiers(umpire.state(), host).guest, parting_place(umpire.state(), host)) else {
        return umpire.fault("a stand parts that is not there");
    };
    let secret = super::field::is_hidden(umpire.state().unit(host));
    hidden::announce(umpire, host, Event::own(Clause::AttachStand, FpwEvent::Parted { stand: guest, host }));
    let count = u32::from(soldiers(umpire.state(), host).count());
    let deed = Deed::StandsLost { unit: host, left: StandSet::first(count) };
    hidden::announce(umpire, host, Event::new(Clause::AttachStand, deed));
    let facing: Angle = pose.facing;
    let placed =
        Deed::Placed { unit: guest, pose: Pose { at: pose.at, facing }, formation: Formation::Line, hidden: secret };
    let event = Event::new(Clause::AttachStand, placed);
    let side = umpire.state().side_of(host);
    umpire.announce(if secret { event.only(side) } else { event });
}
