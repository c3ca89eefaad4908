//! Routing, bursting through, pursuing, evading, being pushed back. Sections 17.4.14 to 17.4.16, C.9, A-55 to.

mod evade;
mod pursuit;
mod push;
mod run;
#[cfg(test)]
mod tests;
mod way;

use super::Days;
use super::clause::Clause;
use super::event::{ChargeEnd, DaysEvent, TurnStep};
use super::field::{self, Few, Field};
use super::formation::{Formation, Shape};
use super::unit::{Arm, Part};
use super::{damage, detachment, evolution, hidden, morale, sequence, staff};
use engine::event::Leaving;
use engine::{Event, Side, Umpire, UnitId};
use table::{Length, Vec2};

pub use evade::{evade, evading_distance, may_evade_to, would_get};
pub use push::{go_on, push_back};
pub use way::{away, behind, centred};

/// A unit begins to rout: state, layout, the first half of its rout away from whoever caused it; its generals run too;
/// deployed guns are destroyed; its charge ends.
pub fn begin(umpire: &mut Umpire<'_, Days>, unit: UnitId, from: Option<UnitId>, clause: Clause) {
    start(umpire, unit, from, None, clause);
}

/// Skirmishers over whom a 1st Impulse went begin to rout: on before the charger, however far past them he is
/// (days.17.2.7-g).
pub fn overrun(umpire: &mut Umpire<'_, Days>, unit: UnitId, by: UnitId, clause: Clause) {
    start(umpire, unit, Some(by), Some(by), clause);
}

fn start(umpire: &mut Umpire<'_, Days>, unit: UnitId, from: Option<UnitId>, over: Option<UnitId>, clause: Clause) {
    let field = umpire.state();
    if !field::is_there(field, unit) || !morale::has_order(field, unit) {
        return;
    }
    if field::facts(field, unit).part_kind() == Some(Part::Screen) && !field::is_routing(field, unit) {
        screen_routs(umpire, unit, from);
        return;
    }
    let whole = field::whole(field, unit);
    for body in morale::bodies(umpire.state(), whole) {
        if field::troops(umpire.state(), body).charge.is_some() {
            let ends = DaysEvent::ChargeEnds { unit: body, why: ChargeEnd::Broken };
            hidden::announce(umpire, body, Event::own(clause, ends));
        }
    }
    let routs = Event::own(clause, DaysEvent::Routs { unit: whole, from })
        .also(Clause::WhyTroopsRout)
        .also(Clause::OtherWaysToLoseOrder);
    hidden::announce(umpire, whole, routs);
    if is_lost_with_its_guns(umpire.state(), whole) {
        let event = Event::own(Clause::GunsInRout, DaysEvent::Ran { unit: whole, so_far: Length::ZERO });
        hidden::announce(umpire, whole, event);
        damage::remove(umpire, whole, Leaving::Destroyed);
        return;
    }
    staff::rout_with(umpire, whole, true);
    for body in runners_of(umpire.state(), whole) {
        first_flight(umpire, body, from, over);
    }
}

/// Skirmishers sent ahead run by themselves and do not take their unit along.
fn screen_routs(umpire: &mut Umpire<'_, Days>, screen: UnitId, from: Option<UnitId>) {
    let field = umpire.state();
    let own = field.unit(screen).quad().centre;
    let apart = |id: UnitId| (field.unit(id).quad().centre - own).length_squared();
    let enemies = field::known(field, field.side_of(screen).other()).map(|(id, _)| id);
    let nearest = enemies.min_by(|a, b| apart(*a).total_cmp(&apart(*b)));
    if let Some(enemy) = from.or(nearest) {
        detachment::screen_runs(umpire, screen, enemy, false);
    }
}

/// Guns ready to fire do not run: a battery that routs is lost (days.17.4.14-e).
fn is_lost_with_its_guns(field: &Field, whole: UnitId) -> bool {
    field::is_deployed(field, whole) && !field::troops(field, whole).crew_away
}

/// The bodies of a unit that run: guns without a crew stay where they are.
fn runners_of(field: &Field, whole: UnitId) -> Few {
    let runs = |id: &UnitId| !(field::is_battery(field, *id) && field::troops(field, *id).crew_away);
    morale::bodies(field, whole).into_iter().filter(runs).collect()
}

/// How far a unit runs in a turn.
pub fn distance(field: &Field, unit: UnitId) -> Length {
    super::charts::reach(evolution::pace(field, unit, field::formation(field, unit)).rout)
}

/// The first half of a rout, laid out as a column that looks the way it runs.
fn first_flight(umpire: &mut Umpire<'_, Days>, unit: UnitId, from: Option<UnitId>, over: Option<UnitId>) {
    let field = umpire.state();
    if !field::is_there(field, unit) {
        return;
    }
    let full = distance(field, unit);
    let half = field.charts().pace.first_rout.value.of(full);
    let so_far = field::troops(field, unit).turn.routed;
    // Whoever is beaten at close quarters is driven off his enemy however far he has run before (days.17.5.3-b).
    let driven = matches!(field.ledger().step, TurnStep::Routers | TurnStep::Assault | TurnStep::BreakThroughs);
    let by = if driven { half } else { half.min((full - so_far).max(Length::ZERO)) };
    let ahead = over.map(|charger| field.unit(charger).pose().forward());
    let towards = ahead.unwrap_or_else(|| way::flight(field, unit, from));
    let flight = run::Flight { unit, towards, by, first: true, over };
    run::run(umpire, flight);
}

/// How routers are drawn up: two abreast, guns behind their teams in single file; crews as they come.
fn laid_out(field: &Field, unit: UnitId) -> Formation {
    let facts = field::facts(field, unit);
    let shape = match (facts.part_kind(), facts.arm) {
        (Some(Part::Crew), _) => return field::formation(field, unit),
        (_, Arm::Artillery) => Shape::Limbered,
        (_, Arm::Cavalry) if field::is_mounted(field, unit) => Shape::Column,
        _ => Shape::March,
    };
    Formation::usual(shape)
}

/// 4.3: rest of this turn's rout of all who run, then pursuers who did not rally. Whoever has the initiative first, and
/// of each side those nearest to their own edge.
pub fn all(umpire: &mut Umpire<'_, Days>) {
    for side in sequence::in_turn(umpire.state()) {
        for unit in by_edge(umpire.state(), side, &|field, id| is_runner(field, id)) {
            run_on(umpire, unit);
        }
    }
    for side in sequence::in_turn(umpire.state()) {
        for unit in by_edge(umpire.state(), side, &|field, id| field::troops(field, id).pursuing.is_some()) {
            pursuit::pursue(umpire, unit);
        }
    }
}

fn is_runner(field: &Field, id: UnitId) -> bool {
    let guns = field::is_battery(field, id) && field::troops(field, id).crew_away;
    field::is_routing(field, id) && morale::has_order(field, id) && !guns
}

/// Units of a side, nearest to its own edge first.
fn by_edge(field: &Field, side: Side, counts: &dyn Fn(&Field, UnitId) -> bool) -> Vec<UnitId> {
    let edge = field::base_edge(field, side);
    let near = |id: &UnitId| field.ground().edge_distance(edge, field.unit(*id).quad().centre);
    let mut units: Vec<UnitId> =
        field::present(field, side).map(|(id, _)| id).filter(|id| counts(field, *id)).collect();
    units.sort_by(|a, b| near(a).total_cmp(&near(b)).then(a.cmp(b)));
    units
}

/// What is left of a turn's rout, towards the nearest point of the own edge.
fn run_on(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let field = umpire.state();
    if !is_runner(field, unit) || !field::is_there(field, unit) {
        return;
    }
    let by = distance(field, unit) - field::troops(field, unit).turn.routed;
    if by <= Length::ZERO {
        return;
    }
    let towards: Vec2 = -field::forward(field, field.side_of(unit));
    run::run(umpire, run::Flight { unit, towards, by, first: false, over: None });
}
