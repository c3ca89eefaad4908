//! Odds of charges: the test to charge, the test of those who are charged, charging home, and the fight that would follow,
//! each on the field as it would then be.

use super::nerve::{counting, passes, sum};
use super::{fight, plot_of};
use crate::Days;
use crate::assault::melees;
use crate::charge::drive::is_soft;
use crate::charge::{impulse, judgement, way};
use crate::clause::Clause;
use crate::event::{DaysEvent, Test};
use crate::evolution;
use crate::field::{self, Field};
use crate::order::{Charger, Declaration, Order};
use crate::unit::{ChargeKind, ChargeStage};
use book::telling::voice;
use engine::{Deed, Event, Odds, Side, UnitId};

/// The odds of all declarations of a side that can be tried.
pub fn of_declarations(field: &Field, side: Side, kind: ChargeKind, declarations: &[Declaration]) -> Vec<Odds> {
    declarations.iter().filter_map(|declaration| of_declaration(field, side, kind, declaration)).collect()
}

fn of_declaration(field: &Field, side: Side, kind: ChargeKind, declaration: &Declaration) -> Option<Odds> {
    let at = declaration.at;
    let known = |id: UnitId| judgement::is_known(field, id);
    if !known(at) || field.side_of(at) == side || !field::is_there(field, at) {
        return None;
    }
    let lawful = |charger: &&Charger| {
        known(charger.unit)
            && field.side_of(charger.unit) == side
            && judgement::judge(field, kind, charger, at).is_legal()
    };
    let ready: Vec<Charger> = declaration.units.iter().filter(lawful).copied().collect();
    // Whoever stands before him is the one who is charged.
    let at = ready.first().and_then(|charger| judgement::charged(field, kind, charger, at)).unwrap_or(at);
    let tested = |charger: &Charger| sum(field, charger.unit, Test::ToCharge, Some(at));
    let sum = ready.iter().map(tested).max_by_key(engine::Reckoning::whole)?;
    let worst = sum.whole();
    let names: Vec<&str> = ready.iter().map(|charger| voice::unit(field, charger.unit)).collect();
    let title =
        format!("{} at {} against {worst}", voice::does(&voice::list(&names), "charge"), voice::unit(field, at));
    let first = plot_of(title, &passes(field.charts(), worst), "goes", "does not go");
    let first = counting(field.charts(), &sum, first);
    if !field.settings().premeasuring {
        return Some(first);
    }
    let units: Vec<UnitId> = ready.iter().map(|charger| charger.unit).collect();
    let begun = field.folded(&begun(field, kind, &ready, at));
    let after = if is_soft(&begun, at) { None } else { under_charge(&begun, at, &units) };
    let home = homecoming(&begun, &units, at);
    let with_fight = fight_of(field, &begun, kind, &ready, at, side);
    Some(after.into_iter().chain(home).chain(with_fight).fold(first, Odds::followed_by))
}

/// The charges as they would be entered.
fn begun(field: &Field, kind: ChargeKind, ready: &[Charger], at: UnitId) -> Vec<Event<Days>> {
    let record = |charger: &Charger| {
        let way = way::lay(field, kind, charger, at).ok()?;
        let charge = Box::new(impulse::record(field, kind, charger, at, &way));
        Some(Event::own(Clause::OffAtOnce, DaysEvent::ChargeBegins { unit: charger.unit, charge }))
    };
    ready.iter().filter_map(record).collect()
}

/// The test of whoever is charged; none for those who are caught or have no choice.
fn under_charge(field: &Field, at: UnitId, by: &[UnitId]) -> Option<Odds> {
    let charge = |unit: &UnitId| field::troops(field, *unit).charge.as_ref();
    if by.iter().filter_map(charge).any(|charge| charge.caught) || field::is_routing(field, at) {
        return None;
    }
    let sum = sum(field, at, Test::BeingCharged, by.first().copied());
    let score = sum.whole();
    let rout_at = field.charts().outcome.charged_rout_at.value.get();
    let spread = super::nerve::margins(field.charts(), score).map(|margin| match *margin {
        margin if margin < 0 => 0_u8,
        margin if margin < rout_at => 1,
        _ => 2,
    });
    let title = format!("{} the charge against {score}", voice::does(voice::unit(field, at), "receive"));
    let words = |end: &u8| ["stands", "stands, shaken", "routs"][usize::from(*end).min(2)].to_owned();
    Some(counting(field.charts(), &sum, Odds::plot(title, &spread, words)))
}

/// The last test of each charger, without further losses.
fn homecoming(field: &Field, units: &[UnitId], at: UnitId) -> Vec<Odds> {
    if is_soft(field, at) {
        return Vec::new();
    }
    units.iter().map(|unit| home(field, *unit, at)).collect()
}

/// One charger's last test as the field is.
pub fn home(field: &Field, unit: UnitId, at: UnitId) -> Odds {
    let sum = sum(field, unit, Test::ChargingHome, Some(at));
    let score = sum.whole();
    let title =
        format!("{} home against {score}, without more losses", voice::does(voice::unit(field, unit), "charge"));
    counting(field.charts(), &sum, plot_of(title, &passes(field.charts(), score), "goes home", "stops short"))
}

/// The fight there would be if everybody came home as he is.
fn fight_of(field: &Field, begun: &Field, kind: ChargeKind, ready: &[Charger], at: UnitId, side: Side) -> Option<Odds> {
    let mut events = Vec::new();
    for charger in ready.iter().filter(|charger| charger.squadron.is_none()) {
        let Ok(way) = way::lay(field, kind, charger, at) else { continue };
        let (unit, to) = (charger.unit, way.start.ahead(way.straight));
        events.push(Event::new(Clause::ChargingHome, Deed::Reformed { unit, formation: way.formation, to }));
        events.extend(contact(unit, at));
    }
    fight_after(begun, &events, at, side)
}

/// A charger has come home.
fn contact(unit: UnitId, at: UnitId) -> [Event<Days>; 2] {
    let (gone, left) = (table::Length::ZERO, table::Length::ZERO);
    let home = DaysEvent::ChargeGoes { unit, stage: ChargeStage::Home, gone, left };
    [
        Event::own(Clause::ChargingHome, home),
        Event::own(Clause::WhatCountsAsContact, DaysEvent::Contact { unit, with: at }),
    ]
}

fn fight_after(field: &Field, events: &[Event<Days>], at: UnitId, side: Side) -> Option<Odds> {
    if events.is_empty() {
        return None;
    }
    let met = field.folded(events);
    let melee = melees(&met).into_iter().find(|melee| melee.all().any(|unit| unit == at))?;
    Some(fight::plot(&met, &melee, side))
}

/// Whoever stands the charge, in one formation or another: do they come home, and what then.
pub fn of_reaction(field: &Field, unit: UnitId, by: &[UnitId], order: &Order) -> Vec<Odds> {
    let here = |id: &UnitId| judgement::is_known(field, *id) && field::is_there(field, *id);
    if !here(&unit) {
        return Vec::new();
    }
    let formed = match order {
        Order::Stand | Order::Pass => field.clone(),
        Order::Reform { formation, facing } => {
            if !evolution::may_form(field, unit, *formation).is_legal() {
                return Vec::new();
            }
            let mut to = evolution::reformed_pose(field, unit, *formation);
            to.facing = facing.unwrap_or(to.facing);
            let deed = Deed::Reformed { unit, formation: *formation, to };
            field.folded(&[Event::new(Clause::TargetsTestOnceAllHaveMoved, deed)])
        }
        _ => return Vec::new(),
    };
    by.iter().filter(|charger| here(charger)).map(|charger| home(&formed, *charger, unit)).collect()
}
