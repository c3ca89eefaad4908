//! What becomes of those who were tested and of those they charged: failed foot and horse, retirements with their fire,
//! skirmishers who draw off, guns (failed-a to -k, passed-a to -g, retirefire-a, -b, R28, R29, R62, R66, R82).

use super::super::clause::Clause;
use super::super::event::{GunsEvent, Retreat};
use super::super::field::{self, Field};
use super::super::formation::{Formation, Shape};
use super::super::unit::{ChargeStage, Goal};
use super::super::{Guns, disorder, hidden, musketry, retreat, shooting};
use super::{aim, room};
use engine::{Deed, Event, FeatureId, Leaving, Side, Umpire, UnitId};
use table::{Length, SLACK};

/// Announces how a charge gets on.
pub fn set_stage(umpire: &mut Umpire<'_, Guns>, unit: UnitId, stage: ChargeStage, clause: Clause) {
    let left = aim::left(umpire.state(), unit);
    hidden::announce(umpire, unit, Event::own(clause, GunsEvent::ChargeStage { unit, stage, left }));
}

/// Announces how far a charge has to go.
pub fn set_goal(umpire: &mut Umpire<'_, Guns>, unit: UnitId, goal: Option<Goal>) {
    hidden::announce(umpire, unit, Event::own(Clause::PressesOn, GunsEvent::ChargeGoal { unit, goal }));
}

/// A charger goes on to where its enemy stands, to meet him or not.
pub fn aim_at(umpire: &mut Umpire<'_, Guns>, charger: UnitId, at: UnitId, contact: bool) {
    let by = aim::distance_to(umpire.state(), charger, at);
    set_goal(umpire, charger, Some(Goal { by, contact }));
}

/// The same against men behind a perimeter, who will be fought for it (passed-b, -e).
pub fn storm_at(umpire: &mut Umpire<'_, Guns>, charger: UnitId, at: UnitId) {
    let goal = Goal { by: aim::distance_to(umpire.state(), charger, at), contact: true };
    let event = Event::own(Clause::PressesOn, GunsEvent::ChargeGoal { unit: charger, goal: Some(goal) });
    let event = event.also(Clause::PerimeterFight).also(Clause::WhatIsPerimeter).also(Clause::DefendersStand);
    hidden::announce(umpire, charger, event);
}

/// Frees a unit from its place (failed-i to -k).
pub fn release(umpire: &mut Umpire<'_, Guns>, unit: UnitId, clause: Clause) {
    if field::is_there(umpire.state(), unit) && field::troops(umpire.state(), unit).pinned {
        hidden::announce(umpire, unit, Event::own(clause, GunsEvent::Pinned { unit, pinned: false }));
    }
}

/// Foot that would not go in: a column deploys if there is room, and nobody moves from here. Whether it may lie down.
pub fn halt_foot(umpire: &mut Umpire<'_, Guns>, unit: UnitId) -> bool {
    form_line(umpire, unit);
    if !field::troops(umpire.state(), unit).pinned {
        let event = Event::own(Clause::Pinned, GunsEvent::Pinned { unit, pinned: true }).also(Clause::FailedHalts);
        hidden::announce(umpire, unit, event);
    }
    let field = umpire.state();
    field::is_foot(field, unit)
        && field::facts(field, unit).weapon.breech
        && !field::troops(field, unit).prone
        && !field::facts(field, unit).is_battery()
}

/// An assault column that failed deploys on the spot, on as wide a front as there is room for (failed-b).
fn form_line(umpire: &mut Umpire<'_, Guns>, unit: UnitId) {
    let field = umpire.state();
    if field::formation(field, unit).shape != Shape::Assault {
        return;
    }
    let (pose, count) = (field.unit(unit).pose(), field::count(field, unit));
    let lines = (1..=count).rev().map(|files| Formation { shape: Shape::Line, files, gap: None });
    let fits = |formation: &Formation| room::has_room(field, unit, pose, *formation, &[]);
    let broad = { lines }.filter(|formation| formation.files_of(count) > formation.ranks_of(count));
    if let Some(formation) = { broad }.find(fits) {
        let formation = if formation.files == count { Formation::usual(Shape::Line) } else { formation };
        let event = Event::new(Clause::FailedFormsLine, Deed::Reformed { unit, formation, to: pose });
        hidden::announce(umpire, unit, event);
        disorder::settle(umpire, unit, false);
    }
}

/// Whether a charger could still reach an enemy with what is left of its move.
pub fn in_reach(field: &Field, charger: UnitId, at: UnitId) -> bool {
    field::is_there(field, charger) && field::within(field, charger, at, aim::left(field, charger))
}

/// Those charged retire: fired on first where they stood, then away from the nearest charger, and once more if they
/// can still be reached. Chargers get the line where the enemy's front was as their goal.
pub fn drive_off(umpire: &mut Umpire<'_, Guns>, unit: UnitId, chargers: &[UnitId], why: Retreat) {
    for charger in chargers {
        aim_at(umpire, *charger, unit, false);
    }
    let already = field::troops(umpire.state(), unit).bound.retired;
    for charger in chargers {
        let field = umpire.state();
        let fires = !field::is_mounted(field, *charger) && (!already || in_reach(field, *charger, unit));
        if fires && field::is_there(field, unit) && field::troops(field, unit).status > 0 {
            musketry::fire_on_breakers(umpire, *charger, unit);
        }
    }
    if field::troops(umpire.state(), unit).status == 0 {
        shooting::bury(umpire);
    }
    if field::is_there(umpire.state(), unit) {
        retire_before(umpire, unit, chargers, why, already);
    }
}

fn retire_before(umpire: &mut Umpire<'_, Guns>, unit: UnitId, chargers: &[UnitId], why: Retreat, already: bool) {
    let reached = |field: &Field| chargers.iter().any(|charger| in_reach(field, *charger, unit));
    // Who has gone back once this bound goes back once more if he can be reached, and never a third time (R29).
    if already && !reached(umpire.state()) {
        return;
    }
    let before = nearest(umpire.state(), unit, chargers);
    if retreat::retire(umpire, unit, before, why) && !already && reached(umpire.state()) {
        let before = nearest(umpire.state(), unit, chargers);
        retreat::retire(umpire, unit, before, why);
    }
}

fn nearest(field: &Field, unit: UnitId, chargers: &[UnitId]) -> Option<UnitId> {
    let there = chargers.iter().copied().filter(|charger| field::is_there(field, *charger));
    there.min_by_key(|charger| (field::gap(field, *charger, unit), *charger))
}

/// A unit lets go of everybody it was locked with.
pub fn unlock(umpire: &mut Umpire<'_, Guns>, unit: UnitId, clause: Clause) {
    if !field::troops(umpire.state(), unit).locked.is_empty() {
        umpire.announce(Event::own(clause, GunsEvent::Unlocked { unit }));
    }
}

/// Skirmishers draw off until they are out of reach or behind friends; caught where they cannot, they are gone (R62).
pub fn evade(umpire: &mut Umpire<'_, Guns>, unit: UnitId, charger: UnitId) {
    aim_at(umpire, charger, unit, false);
    let distance = evasion(umpire.state(), unit, charger);
    if distance > Length::ZERO {
        let event = Event::own(Clause::SkirmishersEvade, GunsEvent::Evades { unit, charger, distance });
        umpire.announce(event.also(Clause::SkirmishersCannotHold));
        if !retreat::draw_off(umpire, unit, charger, distance) {
            return;
        }
    }
    let field = umpire.state();
    let caught = field::is_there(field, unit)
        && in_reach(field, charger, unit)
        && !aim::is_screened(field, field.unit(unit).quad(), unit, charger);
    if caught {
        retreat::remove(umpire, unit, Leaving::Caught, Clause::SkirmishersEvade);
    }
}

/// How far skirmishers have to go: until the charger's move does not reach them, or until friends stand between.
fn evasion(field: &Field, unit: UnitId, charger: UnitId) -> Length {
    let left = aim::left(field, charger);
    let gap = field::gap(field, unit, charger);
    let quad = field.unit(unit).quad();
    if gap > left + SLACK || aim::is_screened(field, quad, unit, charger) {
        return Length::ZERO;
    }
    let whole = left - gap + SLACK + SLACK + SLACK;
    let away = (quad.centre - field.unit(charger).quad().centre).normalised();
    let stride = field::facts(field, unit).width().half().max(SLACK);
    let mut gone = stride;
    while gone < whole {
        if aim::is_screened(field, &quad.shifted(away * gone.as_f64()), unit, charger) {
            return gone;
        }
        gone += stride;
    }
    whole
}

/// Whether the gunners of a battery have somewhere to run to: formed friends or cover near enough (R66).
pub fn has_refuge(field: &Field, battery: UnitId) -> bool {
    let reach = field::distance(field, &field.charts().charge.abandon);
    let quad = field.unit(battery).quad();
    let friends = field.present(field.side_of(battery)).any(|(id, _)| {
        id != battery
            && !field::facts(field, id).is_battery()
            && field::is_formed(field, id)
            && field::within(field, battery, id, reach)
    });
    friends
        || field.ground().numbered().any(|(id, feature)| {
            field::cover_of(feature.kind).is_some()
                && !field::is_ablaze(field, FeatureId(id.0))
                && feature.shape.gap_to(quad) <= reach.as_f64()
        })
}

/// The units of a side among some that are still on the table.
pub fn of_side(field: &Field, units: &[UnitId], side: Side) -> Vec<UnitId> {
    units.iter().copied().filter(|unit| field.side_of(*unit) == side && field::is_there(field, *unit)).collect()
}
