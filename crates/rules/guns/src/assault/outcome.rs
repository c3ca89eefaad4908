//! What a close combat leads to (close-c to -j, R33 to R35, R38, R80).

use super::super::clause::Clause;
use super::super::event::{GunsEvent, MeleeResult, Retreat};
use super::super::field::{self, Few, Field};
use super::super::flinch::outcome::{halt_foot, unlock};
use super::super::flinch::{room, take_test};
use super::super::melee::{Combat, Exchange};
use super::super::{Guns, disorder, hidden, retreat};
use super::{Assault, forward};
use engine::{Event, Umpire, UnitId};
use table::{Length, Pose, convex};

/// Locks that hold nobody any more are opened; who holds no enemy is not breaking in either.
pub fn let_go(umpire: &mut Umpire<'_, Guns>) {
    let field = umpire.state();
    let locked = field.units().filter(|(_, unit)| !unit.own.locked.is_empty());
    let loose: Few = locked.filter(|(_, unit)| unit.own.broken || !unit.is_present()).map(|(id, _)| id).collect();
    for unit in loose {
        unlock(umpire, unit, Clause::FightInside);
    }
    let done = umpire.state().units().filter(|(_, unit)| unit.own.inside && unit.own.locked.is_empty());
    let done: Few = done.map(|(id, _)| id).collect();
    for unit in done {
        set_inside(umpire, unit, false, Clause::FightInside);
    }
}

fn set_inside(umpire: &mut Umpire<'_, Guns>, unit: UnitId, inside: bool, clause: Clause) {
    if field::troops(umpire.state(), unit).inside != inside {
        hidden::announce(umpire, unit, Event::own(clause, GunsEvent::BrokeIn { unit, inside }));
    }
}

fn alive(field: &Field, units: &[UnitId]) -> Vec<UnitId> {
    let lives = |unit: &UnitId| field::is_there(field, *unit) && field::troops(field, *unit).status > 0;
    units.iter().copied().filter(lives).collect()
}

/// What one combat leads to.
pub fn settle(umpire: &mut Umpire<'_, Guns>, assault: &mut Assault, combat: &Combat, score: &Exchange) {
    let field = umpire.state();
    let (attackers, defenders) = (alive(field, &combat.attackers), alive(field, &combat.defenders));
    let mounted = attackers.iter().chain(&defenders).all(|unit| field::is_mounted(field, *unit));
    let result = score.result();
    if attackers.is_empty() || defenders.is_empty() {
        return;
    }
    match (mounted, result) {
        (true, MeleeResult::Won) => beat(umpire, assault, combat, &attackers, &defenders),
        (true, MeleeResult::Lost) => beat(umpire, assault, combat, &defenders, &attackers),
        (true, MeleeResult::Drawn) => part(umpire, combat, &attackers, &defenders),
        (false, MeleeResult::Won) => storm(umpire, combat, &attackers, &defenders),
        (false, MeleeResult::Drawn) => lock(umpire, combat, &attackers, Clause::FightInside),
        (false, MeleeResult::Lost) => repel(umpire, assault, combat, &attackers),
    }
}

/// Cavalry beats cavalry: the losers stand and reform; beaten a second time they break (close-g to -j).
fn beat(umpire: &mut Umpire<'_, Guns>, assault: &mut Assault, combat: &Combat, winners: &[UnitId], losers: &[UnitId]) {
    for loser in losers {
        let over: Few = combat.opponents(*loser).filter(|enemy| winners.contains(enemy)).collect();
        if field::troops(umpire.state(), *loser).beaten {
            retreat::retire(umpire, *loser, over.first().copied(), Retreat::TwiceBeaten);
        } else {
            let event = GunsEvent::Beaten { unit: *loser, beaten: true };
            hidden::announce(umpire, *loser, Event::own(Clause::BeatenCavalryReforms, event));
            assault.beaten.extend(over.iter().map(|winner| (*loser, *winner)));
        }
    }
    assault.riders.extend(winners.iter().filter(|winner| assault.beaten.iter().any(|(_, by)| by == *winner)));
}

/// Cavalry that fought without a winner: both fall back a little (R33).
fn part(umpire: &mut Umpire<'_, Guns>, combat: &Combat, attackers: &[UnitId], defenders: &[UnitId]) {
    for unit in attackers.iter().chain(defenders) {
        if field::is_there(umpire.state(), *unit) {
            let before = combat.opponents(*unit).find(|enemy| field::is_there(umpire.state(), *enemy));
            retreat::retire(umpire, *unit, before, Retreat::Drawn);
        }
    }
}

/// Attackers win at a perimeter: they break in, or drive out whoever fought on inside (close-e, -f, R35).
fn storm(umpire: &mut Umpire<'_, Guns>, combat: &Combat, attackers: &[UnitId], defenders: &[UnitId]) {
    let inside = attackers.iter().any(|unit| field::troops(umpire.state(), *unit).inside);
    if inside {
        for unit in defenders {
            let before = combat.opponents(*unit).find(|enemy| attackers.contains(enemy));
            retreat::retire(umpire, *unit, before, Retreat::Charged);
        }
        return;
    }
    for unit in defenders {
        let first = combat.opponents(*unit).find(|enemy| attackers.contains(enemy));
        if let Some(attacker) = first {
            let facing = umpire.state().unit(attacker).pose();
            shift(umpire, *unit, |pose, depth| pose.shifted(facing.forward() * depth.as_f64()));
        }
    }
    for unit in attackers {
        shift(umpire, *unit, Pose::ahead);
        set_inside(umpire, *unit, true, Clause::BreakIn);
    }
    lock(umpire, combat, attackers, Clause::BreakIn);
}

/// Moves a unit by the depth of one element where there is room for it.
fn shift(umpire: &mut Umpire<'_, Guns>, unit: UnitId, way: impl Fn(Pose, Length) -> Pose) {
    let field = umpire.state();
    let to = way(field.unit(unit).pose(), field::facts(field, unit).element.depth);
    if room::has_room(field, unit, to, field::formation(field, unit), &[]) {
        forward::move_to(umpire, unit, to, Clause::BreakIn);
    }
}

/// Those who fight on next bound are locked (R32).
fn lock(umpire: &mut Umpire<'_, Guns>, combat: &Combat, attackers: &[UnitId], clause: Clause) {
    for (unit, with) in &combat.pairs {
        let field = umpire.state();
        let (attacker, defender) = if attackers.contains(unit) { (*unit, *with) } else { (*with, *unit) };
        let there = attackers.contains(&attacker) && alive(field, &[attacker, defender]).len() > 1;
        if there && !field::troops(field, attacker).locked.contains(&defender) {
            umpire.announce(Event::own(clause, GunsEvent::Locked { unit: attacker, with: defender }));
        }
    }
}

/// Defenders win at a perimeter: each attacking unit is tested once more (close-c, -d, R34).
fn repel(umpire: &mut Umpire<'_, Guns>, assault: &mut Assault, combat: &Combat, attackers: &[UnitId]) {
    for unit in attackers {
        if field::troops(umpire.state(), *unit).inside {
            shift(umpire, *unit, |pose, depth| pose.ahead(-depth));
            set_inside(umpire, *unit, false, Clause::StoppedAtPerimeter);
        }
    }
    for unit in attackers {
        let enemy = combat.opponents(*unit).find(|enemy| field::is_there(umpire.state(), *enemy));
        if !field::is_there(umpire.state(), *unit) {
            continue;
        }
        if take_test(umpire, *unit, enemy, true).is_some_and(|margin| margin >= 0) {
            lock(umpire, combat, &[*unit], Clause::StoppedAtPerimeter);
        } else {
            draw_back(umpire, assault, *unit, enemy);
        }
    }
}

/// Who would not storm again stops touching the enemy and stays before the perimeter (R34).
fn draw_back(umpire: &mut Umpire<'_, Guns>, assault: &mut Assault, unit: UnitId, enemy: Option<UnitId>) {
    unlock(umpire, unit, Clause::StoppedAtPerimeter);
    let standoff = field::distance(umpire.state(), &umpire.state().charts().pace.standoff);
    let there = match enemy {
        Some(enemy) if field::within(umpire.state(), unit, enemy, standoff) => {
            let by = slanted(umpire.state(), unit, enemy, standoff);
            retreat::draw_off(umpire, unit, enemy, by)
        }
        _ => true,
    };
    if there && field::is_there(umpire.state(), unit) && halt_foot(umpire, unit) {
        assault.halted.push(unit);
    }
}

/// How far a unit goes straight away from an enemy until its front is so far back; a long front is left aslant.
fn slanted(field: &Field, unit: UnitId, enemy: UnitId, back: Length) -> Length {
    let straight = -retreat::away(field, unit, Some(enemy)).dot(field.unit(unit).pose().forward());
    if straight > 0.5 { back.times(1.0 / straight) } else { back }
}

/// Where winning cavalry comes out behind the losers, if there is room.
fn beyond(field: &Field, unit: UnitId, losers: &[UnitId]) -> Option<Pose> {
    let (pose, quad) = (field.unit(unit).pose(), field.unit(unit).quad());
    let exit = |loser: &UnitId| {
        let theirs = field.unit(*loser).quad();
        let far = (theirs.centre - quad.centre).length() + (quad.radius + theirs.radius) * 2.0;
        convex::sweep(quad.points(), pose.forward() * far, theirs.points()).map(|(_, out)| out * far)
    };
    let out = losers.iter().filter_map(exit).max_by(f64::total_cmp)?;
    let standoff = field::distance(field, &field.charts().pace.standoff);
    let to = pose.ahead(Length::from_um(out) + standoff);
    room::has_room(field, unit, to, field::formation(field, unit), &[]).then_some(to)
}

fn losers_of(field: &Field, unit: UnitId, beaten: &[(UnitId, UnitId)]) -> Vec<UnitId> {
    let pairs = beaten.iter().filter(|(loser, winner)| *winner == unit && field::is_there(field, *loser));
    pairs.map(|(loser, _)| *loser).collect()
}

/// Whether winning cavalry can ride through whom it beat.
pub fn may_ride_through(field: &Field, unit: UnitId, beaten: &[(UnitId, UnitId)]) -> bool {
    field::is_there(field, unit) && beyond(field, unit, &losers_of(field, unit, beaten)).is_some()
}

/// Rides through (R80).
pub fn ride_through(umpire: &mut Umpire<'_, Guns>, unit: UnitId, beaten: &[(UnitId, UnitId)]) {
    let losers = losers_of(umpire.state(), unit, beaten);
    let Some(to) = beyond(umpire.state(), unit, &losers) else { return };
    forward::move_to(umpire, unit, to, Clause::CavalryBreaksThrough);
    let event = Event::own(Clause::CavalryBreaksThrough, GunsEvent::RodeThrough { unit, rode: true });
    hidden::announce(umpire, unit, event);
    for loser in losers {
        if field::is_there(umpire.state(), loser) {
            disorder::disorder(umpire, loser, Clause::RiddenThrough);
        }
    }
}
