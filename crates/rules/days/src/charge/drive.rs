//! Going straight on: who is ahead, how far there is room, and what a charge does to the ground and people it passes.
//!

use super::going::{self, Run};
use super::{did, way};
use crate::Days;
use crate::clause::Clause;
use crate::event::{DaysEvent, Doing};
use crate::field::{self, Few, Field, facts, is_there, measured, skirmishes, troops};
use crate::formation::{Formation, Shape};
use crate::unit::{Arm, ChargeStage, OrderState, Part};
use crate::{detachment, ground, hidden, morale, rout, settle, space, staff};
use engine::{Deed, Event, Umpire, UnitId};
use table::march::Leg;
use table::{Length, Pose};

/// Halvings that find how far there is room.
const ROUNDS: usize = 12;

/// The first unit for which `counts` holds that a unit standing so would touch going straight on, and how far that is.
pub fn first_ahead(
    field: &Field,
    unit: UnitId,
    pose: Pose,
    formation: Formation,
    most: Length,
    counts: &dyn Fn(UnitId) -> bool,
) -> Option<(UnitId, Length)> {
    all_ahead(field, unit, pose, formation, most, counts).into_iter().min_by_key(|(id, far)| (*far, *id))
}

/// Every such unit with its distance, in roster order.
pub fn all_ahead(
    field: &Field,
    unit: UnitId,
    pose: Pose,
    formation: Formation,
    most: Length,
    counts: &dyn Fn(UnitId) -> bool,
) -> Vec<(UnitId, Length)> {
    let own = field::stands_at(field, unit, pose, formation);
    let body = field.footprint(unit, formation).quad(pose);
    let towards = pose.forward();
    let mut found = Vec::new();
    for (id, other) in field.units() {
        let near = other.is_present() && id != unit && !field::surely_beyond(&body, other.quad(), most);
        if !near || !counts(id) {
            continue;
        }
        let theirs = field::stands(field, id);
        if let Some(far) = space::first_touch(&own, towards, most, theirs) {
            found.push((id, far));
        }
    }
    found
}

/// Friends who stop a charge: everybody but skirmishers, staff, and in the 1st Impulse guns with gaps between them (A-07,
/// A-96, days.17.4.8-c).
pub fn is_friend_in_the_way(field: &Field, unit: UnitId, other: UnitId, first: bool) -> bool {
    field.side_of(other) == field.side_of(unit)
        && other != unit
        && !skirmishes(field, other)
        && facts(field, other).arm != Arm::Engineers
        && if are_open_guns(field, other) { !first } else { !space::is_passable(field, unit, other) }
}

/// Guns in action with gaps between them.
pub fn are_open_guns(field: &Field, unit: UnitId) -> bool {
    field::is_battery(field, unit) && field::shape(field, unit) == Shape::Deployed
}

/// Enemies who stop a 1st Impulse: all but skirmishers in the open, who are overrun, and parties without troops.
pub fn is_enemy_in_the_way(field: &Field, unit: UnitId, other: UnitId) -> bool {
    is_enemy_to_meet(field, unit, other) && !is_overrun(field, unit, other)
}

/// Enemies a charge can meet: everybody but engineers on their own.
pub fn is_enemy_to_meet(field: &Field, unit: UnitId, other: UnitId) -> bool {
    field.side_of(other) != field.side_of(unit) && facts(field, other).arm != Arm::Engineers
}

/// Whether a unit standing so meets another along enough of its base if it goes straight on; less is a graze and no
/// contact (days.17.4.2-b).
pub fn meets(field: &Field, unit: UnitId, pose: Pose, formation: Formation, other: UnitId) -> bool {
    way::straight_to(field, unit, pose, formation, other).is_some()
}

/// How far a charger goes before it comes too near to an enemy whom it would only graze on its way, and who that is.
/// Nobody passes through him, and nobody charges him either (days.17.4-f).
pub fn before_grazes(field: &Field, unit: UnitId, at: UnitId, most: Length, first: bool) -> (Length, Option<UnitId>) {
    let (pose, formation) = (field.unit(unit).pose(), field::formation(field, unit));
    let (own, standoff) = (field::stands(field, unit), field::standoff(field));
    let grazed = |other: UnitId| {
        let counts = if first { is_enemy_in_the_way } else { is_enemy_to_meet };
        other != at
            && counts(field, unit, other)
            && measured(way::lane_shared(own, field::stands(field, other), pose.forward())) > Length::ZERO
            && !meets(field, unit, pose, formation, other)
    };
    let straight = straight_to(field, unit, at);
    let found = first_ahead(field, unit, pose, formation, most + standoff, &grazed);
    match found.filter(|(_, off)| straight.is_none_or(|far| measured(*off) < measured(far))) {
        Some((other, off)) => (most.min(off - standoff).max(Length::ZERO), Some(other)),
        None => (most, None),
    }
}

/// Enemy skirmishers in the open are routed by the 1st Impulse that reaches them (days.17.2.7-d).
pub fn is_overrun(field: &Field, unit: UnitId, other: UnitId) -> bool {
    field.side_of(other) != field.side_of(unit)
        && skirmishes(field, other)
        && !field::is_routing(field, other)
        && is_in_the_open(field, other)
}

/// Whether no stand of a unit is among trees or houses.
pub fn is_in_the_open(field: &Field, unit: UnitId) -> bool {
    field::stands(field, unit).iter().all(|stand| ground::area_at(field, stand.centre).is_none())
}

/// How far a unit may go straight on: friends, the edge of the table and ground it may not enter stop it.
pub fn room(field: &Field, unit: UnitId, most: Length, first: bool) -> Length {
    let (pose, formation) = (field.unit(unit).pose(), field::formation(field, unit));
    let solid = |other: UnitId| is_friend_in_the_way(field, unit, other, first);
    let friend = first_ahead(field, unit, pose, formation, most + field::standoff(field), &solid);
    let most = friend.map_or(most, |(_, far)| most.min(far - field::standoff(field))).max(Length::ZERO);
    let body = field.footprint(unit, formation);
    let is_free = |far: Length| {
        let run = Run { from: pose, body, far };
        field.ground().holds(&body.quad(pose.ahead(far))) && going::over(field, unit, formation, run).barred.is_empty()
    };
    if is_free(most) {
        return most;
    }
    let (mut free, mut barred) = (Length::ZERO, most);
    for _ in 0..ROUNDS {
        let half = (free + barred).half();
        if is_free(half) { free = half } else { barred = half }
    }
    free
}

/// Whether no friend stands between a unit and a place so far ahead.
pub fn is_clear(field: &Field, unit: UnitId, far: Length) -> bool {
    let (pose, formation) = (field.unit(unit).pose(), field::formation(field, unit));
    let solid = |other: UnitId| is_friend_in_the_way(field, unit, other, false);
    first_ahead(field, unit, pose, formation, far, &solid).is_none_or(|(_, off)| off >= far)
}

/// Moves a charger straight on, and does what that does.
pub fn go(umpire: &mut Umpire<'_, Days>, unit: UnitId, by: Length, first: bool, clauses: &[Clause]) {
    let field = umpire.state();
    if by <= Length::ZERO || !is_there(field, unit) {
        return;
    }
    let (pose, formation) = (field.unit(unit).pose(), field::formation(field, unit));
    let run = Run { from: pose, body: field.footprint(unit, formation), far: by };
    let climbs = going::climbs(field, run);
    let guns = |other: UnitId| field.side_of(other) == field.side_of(unit) && are_open_guns(field, other);
    let passed: Few = named(all_ahead(field, unit, pose, formation, by, &guns));
    let screens = |other: UnitId| field.side_of(other) == field.side_of(unit) && skirmishes(field, other);
    let through_screen = first_ahead(field, unit, pose, formation, by, &screens).is_some();
    let overrun: Few = match first {
        true => named(all_ahead(field, unit, pose, formation, by, &|other| is_overrun(field, unit, other))),
        false => Few::new(),
    };
    let Some((main, others)) = clauses.split_first() else { return };
    let event = Event::new(*main, Deed::Moved { unit, to: pose.ahead(by), path: vec![Leg::Ahead(by)] });
    let event = others.iter().fold(event, |event, clause| event.also(*clause));
    let event = event.also(Clause::WhereMovesAreMeasured).also_if(through_screen, Clause::ThroughOnesOwnScreen);
    umpire.announce(event.also_if(!overrun.is_empty(), Clause::ChargingPastAScreen));
    settle::moved(umpire, unit, pose);
    if !troops(umpire.state(), unit).turn.moved {
        did(umpire, unit, Doing::Moved, &[*main]);
    }
    if climbs {
        did(umpire, unit, Doing::Broken, &[Clause::OverAnObstacle]);
        morale::worsen(umpire, unit, OrderState::Disordered, Clause::OverAnObstacle);
    }
    for battery in passed {
        through_guns(umpire, unit, battery);
    }
    for skirmishers in overrun {
        run_over(umpire, unit, skirmishers);
    }
    staff::overrun(umpire, unit);
}

fn named(found: Vec<(UnitId, Length)>) -> Few {
    found.into_iter().map(|(id, _)| id).collect()
}

/// A charge through guns in action: it loses its order, the gunners run (days.17.4.8-c, -d).
fn through_guns(umpire: &mut Umpire<'_, Days>, unit: UnitId, battery: UnitId) {
    did(umpire, unit, Doing::Broken, &[Clause::ChargingThroughTheGuns]);
    morale::worsen(umpire, unit, OrderState::Disordered, Clause::ChargingThroughTheGuns);
    if is_there(umpire.state(), battery) && !troops(umpire.state(), battery).crew_away {
        rout::evade(umpire, battery, unit, None, &[Clause::GunnersOutOfTheWay]);
        did(umpire, battery, Doing::Silenced, &[Clause::GunnersOutOfTheWay]);
    }
}

/// Skirmishers in the way of a 1st Impulse run without a test, all of them (days.17.2.7-b to -g).
fn run_over(umpire: &mut Umpire<'_, Days>, unit: UnitId, skirmishers: UnitId) {
    if !is_there(umpire.state(), skirmishers) {
        return;
    }
    let clauses = [
        Clause::NoShotsFromTheOverrun,
        Clause::OverrunSkirmishers,
        Clause::WhichWayAScreenRuns,
        Clause::AScreenGoesTogether,
        Clause::ChargerBeforeSkirmishers,
    ];
    did(umpire, skirmishers, Doing::Silenced, &clauses);
    if facts(umpire.state(), skirmishers).part_kind() == Some(Part::Screen) {
        detachment::screen_runs(umpire, skirmishers, unit, true);
    } else {
        rout::overrun(umpire, skirmishers, unit, Clause::OverrunSkirmishers);
    }
}

/// The straight way to a target from where a unit stands.
pub fn straight_to(field: &Field, unit: UnitId, at: UnitId) -> Option<Length> {
    if !is_there(field, at) || !is_there(field, unit) {
        return None;
    }
    way::straight_to(field, unit, field.unit(unit).pose(), field::formation(field, unit), at)
}

/// A target that is met without ado: running, gone from its guns, or no troops at all (A-08, C-17).
pub fn is_soft(field: &Field, at: UnitId) -> bool {
    field::is_routing(field, at)
        || troops(field, at).turn.evaded
        || troops(field, at).crew_away
        || facts(field, at).arm == Arm::Engineers
        || facts(field, at).part_kind() == Some(Part::Holders)
}

/// A charger closes with its target and is in contact with it, and with whoever else it now touches.
pub fn close(umpire: &mut Umpire<'_, Days>, unit: UnitId, at: UnitId, by: Length, clauses: &[Clause]) {
    go(umpire, unit, by, false, clauses);
    let field = umpire.state();
    if !is_there(field, unit) || field::is_routing(field, unit) {
        return;
    }
    if !is_there(field, at) {
        super::end(umpire, unit, crate::event::ChargeEnd::TargetGone);
        return;
    }
    let enemy = field.side_of(unit).other();
    let touches = |id: &UnitId| *id != at && is_enemy_to_meet(field, unit, *id) && space::in_contact(field, unit, *id);
    let others: Few = field::present(field, enemy).map(|(id, _)| id).filter(touches).collect();
    let soft = is_soft(field, at);
    let clause = clauses.first().copied().unwrap_or(Clause::ChargingHome);
    let event = Event::own(clause, DaysEvent::Contact { unit, with: at }).also(Clause::WhatCountsAsContact);
    umpire.announce(event.also_if(soft, Clause::RunawaysWhoAreReached));
    for other in others {
        if field::is_hidden(umpire.state().unit(other)) {
            hidden::reveal(umpire, other);
        }
        umpire.announce(Event::own(Clause::WhatCountsAsContact, DaysEvent::Contact { unit, with: other }));
    }
    goes(umpire, unit, ChargeStage::Home, by, clause);
}

/// The charge gets on by so much.
pub fn goes(umpire: &mut Umpire<'_, Days>, unit: UnitId, stage: ChargeStage, by: Length, clause: Clause) {
    let Some(charge) = &troops(umpire.state(), unit).charge else { return };
    let (gone, left) = (charge.gone + by, (charge.left - by).max(Length::ZERO));
    umpire.announce(Event::own(clause, DaysEvent::ChargeGoes { unit, stage, gone, left }));
}
