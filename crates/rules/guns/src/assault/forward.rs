//! The forward move of P9.1: onto the enemy, or to where he stood, as far as the move and the ground allow (passed-a,
//! R29, R54).

use super::super::clause::Clause;
use super::super::event::{GunsEvent, Retreat};
use super::super::field::{self, Field};
use super::super::flinch::outcome::{set_goal, set_stage};
use super::super::flinch::{aim, perimeter, room};
use super::super::plot::ground::Toller;
use super::super::unit::{ChargeStage, Cycle, Goal};
use super::super::{Guns, disorder, generals, hidden, quarters, retreat};
use engine::{Deed, Event, FeatureId, Leaving, Umpire, UnitId};
use table::{Length, Pose, Vec2};

/// Halvings in the search for how far a move reaches: finer than the tolerance of the table.
const SEARCH: u32 = 16;

/// A charger that passed goes forward.
pub fn go(umpire: &mut Umpire<'_, Guns>, unit: UnitId, goal: Goal) {
    set_goal(umpire, unit, None);
    let field = umpire.state();
    let Some(at) = aim::target(field, unit) else { return };
    let waits = field::is_there(field, at) && (!field::troops(field, at).bound.retired || touches(field, unit, at));
    if goal.contact && waits {
        meet(umpire, unit, at);
    } else {
        take_ground(umpire, unit, goal.by);
    }
}

/// Whether two units touch.
pub fn touches(field: &Field, unit: UnitId, at: UnitId) -> bool {
    field::within(field, unit, at, Length::ZERO)
}

/// Straight ahead as far as asked, short of enemies and friends.
pub fn take_ground(umpire: &mut Umpire<'_, Guns>, unit: UnitId, by: Length) {
    let field = umpire.state();
    let standoff = field::distance(field, &field.charts().pace.standoff);
    let forward = field.unit(unit).pose().forward();
    let by = affordable(field, unit, forward, by, aim::left(field, unit), None);
    let enemy = aim::ahead(field, unit, by + standoff).first().map_or(by, |(distance, _)| *distance - standoff);
    let by = furthest(field, unit, forward, by.min(enemy).max(Length::ZERO), &[]);
    march(umpire, unit, forward, by, None);
}

/// Onto the enemy. Two who ride at each other share the way.
fn meet(umpire: &mut Umpire<'_, Guns>, unit: UnitId, at: UnitId) {
    if aim::goes_in_on(umpire.state(), at, unit) {
        let field = umpire.state();
        let way = aim::distance_to(field, unit, at);
        let share = way.half().max(way - aim::left(field, at));
        let forward = field.unit(unit).pose().forward();
        let by = affordable(field, unit, forward, share, aim::left(field, unit), None);
        let by = furthest(field, unit, forward, by, &[]);
        march(umpire, unit, forward, by, None);
        set_goal(umpire, at, None);
        close_with(umpire, at, unit);
    }
    if field::is_there(umpire.state(), unit) && field::is_there(umpire.state(), at) {
        close_with(umpire, unit, at);
    }
}

/// Goes on until it touches, and says whether the charge came home.
fn close_with(umpire: &mut Umpire<'_, Guns>, unit: UnitId, at: UnitId) {
    let field = umpire.state();
    let (left, held) = (aim::left(field, unit), perimeter::holds(field, at).map(|(id, _)| id));
    let (towards, way) = aim::way_to(field, unit, at, left);
    let by = affordable(field, unit, towards, way.min(left), left, held);
    let by = furthest(field, unit, towards, by, &[at]);
    march(umpire, unit, towards, by, held);
    let field = umpire.state();
    if !field::is_there(field, unit) || !field::is_there(field, at) {
        return;
    }
    let home = aim::gap(field, unit, at) <= table::SLACK;
    if !home {
        set_stage(umpire, unit, ChargeStage::Short, Clause::ChargeWithoutContact);
        return;
    }
    set_stage(umpire, unit, ChargeStage::Home, Clause::PressesOn);
    if field::facts(umpire.state(), at).is_battery() {
        overrun(umpire, at);
    }
}

/// Guns that are reached: captured, or touched while nobody serves them (R66).
fn overrun(umpire: &mut Umpire<'_, Guns>, battery: UnitId) {
    let troops = field::troops(umpire.state(), battery);
    if troops.cycle != Cycle::Abandoned {
        retreat::remove(umpire, battery, Leaving::Caught, Clause::GunsOverrun);
    } else if troops.touched.is_none() {
        let since = Some(umpire.state().turn());
        umpire.announce(Event::own(Clause::GunnersTookCover, GunsEvent::GunsTouched { battery, since }));
    }
}

/// Moves a unit by a stretch of its charge and books what it costs.
pub fn march(umpire: &mut Umpire<'_, Guns>, unit: UnitId, towards: Vec2, by: Length, held: Option<FeatureId>) {
    if by <= Length::ZERO {
        return;
    }
    let field = umpire.state();
    let price = cost(field, unit, towards, by, held).unwrap_or(by);
    let (left, stage) = (aim::left(field, unit), aim::stage(field, unit).unwrap_or(ChargeStage::Passed));
    let bound = &field::troops(field, unit).bound;
    let (used, full) = (bound.used + price, bound.full);
    let pose = field.unit(unit).pose().shifted(towards * by.as_f64());
    move_to(umpire, unit, pose, Clause::PressesOn);
    if !field::is_there(umpire.state(), unit) {
        return;
    }
    let left = (left - price).max(Length::ZERO);
    hidden::announce(umpire, unit, Event::own(Clause::PressesOn, GunsEvent::ChargeStage { unit, stage, left }));
    hidden::announce(umpire, unit, Event::own(Clause::TerrainDeducted, GunsEvent::Spent { unit, used, full }));
}

/// Moves a unit and sees to all that follows from a move.
pub fn move_to(umpire: &mut Umpire<'_, Guns>, unit: UnitId, to: Pose, clause: Clause) {
    let troops = field::troops(umpire.state(), unit);
    let (prone, leaves) = (troops.prone, troops.defending.is_some() && troops.charge.is_some());
    if prone {
        hidden::announce(umpire, unit, Event::own(clause, GunsEvent::Prone { unit, prone: false }));
    }
    if leaves {
        hidden::announce(umpire, unit, Event::own(clause, GunsEvent::Defends { unit, feature: None }));
    }
    hidden::announce(umpire, unit, Event::new(clause, Deed::Moved { unit, to, path: Vec::new() }));
    generals::follow(umpire, unit);
    disorder::settle(umpire, unit, false);
    overrun_observers(umpire, unit);
    hidden::discover(umpire);
    alarm(umpire, unit);
}

/// Observers a unit has walked over.
fn overrun_observers(umpire: &mut Umpire<'_, Guns>, unit: UnitId) {
    let field = umpire.state();
    let lost: Vec<UnitId> = field
        .present(field.side_of(unit).other())
        .map(|(id, _)| id)
        .filter(|battery| quarters::is_observer_touched(field, *battery))
        .collect();
    quarters::overrun(umpire, &lost);
}

/// Enemies who were reforming near by go back; beaten cavalry stands (R38).
fn alarm(umpire: &mut Umpire<'_, Guns>, unit: UnitId) {
    let field = umpire.state();
    let near = field::distance(field, &field.charts().charge.reform_alarm);
    let startled: Vec<UnitId> = field
        .present(field.side_of(unit).other())
        .filter(|(id, enemy)| enemy.own.reforming && !enemy.own.beaten && field::within(field, *id, unit, near))
        .map(|(id, _)| id)
        .collect();
    for enemy in startled {
        if field::is_there(umpire.state(), enemy) && field::troops(umpire.state(), enemy).reforming {
            let event = Event::own(Clause::ReformAlarm, GunsEvent::Reforming { unit: enemy, reforming: false });
            hidden::announce(umpire, enemy, event);
            retreat::retire(umpire, enemy, Some(unit), Retreat::Alarmed);
        }
    }
}

/// The furthest place on a straight way, at most so far, where a unit may stand.
fn furthest(field: &Field, unit: UnitId, towards: Vec2, by: Length, but: &[UnitId]) -> Length {
    let (pose, formation) = (field.unit(unit).pose(), field::formation(field, unit));
    let stride = field::facts(field, unit).width().half();
    let mut go = by;
    while go > Length::ZERO && stride > Length::ZERO {
        if room::has_room(field, unit, pose.shifted(towards * go.as_f64()), formation, but) {
            return go;
        }
        go -= stride;
    }
    Length::ZERO
}

/// How much of a straight way a unit can pay for.
fn affordable(field: &Field, unit: UnitId, towards: Vec2, by: Length, left: Length, held: Option<FeatureId>) -> Length {
    let pays = |way: Length| cost(field, unit, towards, way, held).is_some_and(|cost| cost <= left + table::SLACK);
    if pays(by) {
        return by.min(left);
    }
    let (mut low, mut high) = (Length::ZERO, by.min(left));
    for _ in 0..SEARCH {
        let middle = (low + high).half();
        if pays(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// What a straight way costs: its length, and what the ground under its dearest element asks for on top, as for any other
/// move. The perimeter that is stormed is fought for, not paid for. Nothing where the unit cannot go that way at all.
fn cost(field: &Field, unit: UnitId, towards: Vec2, by: Length, held: Option<FeatureId>) -> Option<Length> {
    let toller = Toller::new(field, unit, field::formation(field, unit), field::is_mounted(field, unit));
    let cost = toller.straight(field.unit(unit).pose(), towards * by.as_f64(), held)?;
    Some(Length::from_um(cost))
}
