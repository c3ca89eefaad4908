//! P1: nominations, activation dice, who responds (A4, R44 to R51). Brigades are brigade-level commands.
//!
//! `Order::Pass` names nobody; for the dice it lets the house deal them as well as it can, so it is always legal. A new
//! order stands from the moment it is given, whether or not the brigade can be got to move in this bound.

pub mod answer;
pub mod deal;
pub mod judge;

use super::Guns;
use super::clause::Clause;
use super::event::GunsEvent;
use super::field::{Field, brigade_units, brigades, chain, is_there, troops};
use super::hidden;
use super::order::{Decision, Matter, Nomination, Order, Posture};
use super::rally::roster;
use super::sequence::{Given, Phase, ask};
use answer::{Call, can_answer, needs, rating, reckon};
use deal::{Flaw, Needs};
use engine::{BySide, CommandId, CommanderId, Event, Flow, Pool, Reckoning, Side, Umpire, UnitId, Verdict, View};
use serde::{Deserialize, Serialize};
use table::{Length, SLACK, Vec2};

/// Where activation has got to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activating {
    /// Brigades are named.
    #[default]
    Nominate,
    /// Dice are rolled for them, in the order they were named.
    Roll {
        /// Who was named.
        named: BySide<Vec<CommandId>>,
    },
    /// The dice are dealt.
    Deal {
        /// What was rolled.
        dice: BySide<Vec<u8>>,
        /// Who was named.
        named: BySide<Vec<CommandId>>,
    },
    /// Units find out whether they respond.
    Respond,
}

/// Turns the page.
pub fn advance(umpire: &mut Umpire<'_, Guns>, activating: Activating) -> Flow<Guns> {
    match activating {
        Activating::Nominate => {
            let field = umpire.state();
            let choice = BySide::from_fn(|side| has_something_to_say(field, side));
            if let Some(asked) = ask(choice, Decision::Nominate) {
                return asked;
            }
            execute_nominate(umpire, Given::default());
            Flow::Again
        }
        Activating::Roll { named } => {
            let dice = BySide::from_fn(|side| roll(umpire, side, &named[side]));
            umpire.replace(Phase::Activation(Activating::Deal { dice, named }));
            Flow::Again
        }
        Activating::Deal { dice, named } => {
            let field = umpire.state();
            let choice = BySide::from_fn(|side| deal::has_choice(&all_needs(field, &named[side]), &dice[side]));
            let decision = Decision::Allot { dice: dice.clone(), brigades: named.clone() };
            if let Some(asked) = ask(choice, decision) {
                return asked;
            }
            execute_allot(umpire, &dice, &named, Given::default());
            Flow::Again
        }
        Activating::Respond => {
            respond(umpire);
            Flow::Done
        }
    }
}

/// Whether a side has a brigade to name, or a unit that might rather fight on in disorder than reform.
fn has_something_to_say(field: &Field, side: Side) -> bool {
    brigades(field, side).any(|brigade| could_be_told(field, brigade))
        || field.present(side).any(|(id, _)| may_stay_disordered(field, id))
}

/// Whether a brigade has anybody to hear an order, and an old one to go on with or a general to give it a new one.
pub fn could_be_told(field: &Field, brigade: CommandId) -> bool {
    let is_able =
        |general: &CommanderId| field.commander(*general).is_present() && field.commander(*general).own.is_fit();
    (judge::may_continue(field, brigade) || chain(field, brigade).iter().any(is_able))
        && brigade_units(field, brigade).any(|unit| can_answer(field, unit))
}

/// Whether a unit stands to reform unless its owner will have it otherwise: out of order by combat, and neither in
/// flight nor in a fight (R38). Who still has to fall back regroups afterwards (R82).
pub fn could_reform(field: &Field, unit: UnitId) -> bool {
    let troops = troops(field, unit);
    is_there(field, unit) && troops.disorder.combat && !troops.broken && !troops.falls_back && troops.locked.is_empty()
}

/// Whether its owner may leave a unit unreformed; beaten cavalry has to stand and reform (close-i).
pub fn may_stay_disordered(field: &Field, unit: UnitId) -> bool {
    could_reform(field, unit) && !troops(field, unit).beaten
}

/// Judges nominations.
pub fn check_nominate(view: &View<'_, Guns>, side: Side, order: &Order) -> Verdict {
    judge::check(view, side, order)
}

/// Writes them down.
pub fn execute_nominate(umpire: &mut Umpire<'_, Guns>, given: Given) {
    let mut named: BySide<Vec<CommandId>> = BySide::default();
    let mut stays: Vec<UnitId> = Vec::new();
    for (side, order) in given.iter() {
        let Some(Order::Nominate { brigades, stay_disordered }) = order else { continue };
        stays.extend(stay_disordered);
        for nomination in brigades {
            nominate(umpire, nomination);
            named[side].push(nomination.brigade);
        }
    }
    for unit in roster(umpire.state(), |field, unit| could_reform(field, unit) && !stays.contains(&unit)) {
        let beaten = troops(umpire.state(), unit).beaten;
        let event = Event::own(Clause::StandStill, GunsEvent::Reforming { unit, reforming: true })
            .also_if(beaten, Clause::BeatenCavalryReforms);
        hidden::announce(umpire, unit, event.also(Clause::NoFireReforming));
    }
    umpire.replace(Phase::Activation(Activating::Roll { named }));
}

fn nominate(umpire: &mut Umpire<'_, Guns>, nomination: &Nomination) {
    let Call { brigade, issuer, present } = Call::wished(umpire.state(), nomination);
    if let Some(new) = &nomination.new {
        let event = GunsEvent::Ordered { brigade, order: new.order, issuer, cause: Some(new.cause) };
        let strict = judge::is_strict(umpire.state());
        let zone = issuer.map_or(Clause::ZoneOfCommand, |general| answer::zone_clause(umpire.state(), general));
        let event = Event::own(Clause::FurtherOrders, event)
            .also(Clause::OrdersToBelow)
            .also_if(strict, Clause::EventInZone)
            .also_if(strict, zone)
            .also_if(strict, Clause::EventSeen)
            .also_if(strict, Clause::ZoneAndSight)
            .also_if(!strict, Clause::OrdersEnforcement)
            .also_if(new.order.posture == Posture::Withdraw, Clause::WithdrawOrders);
        umpire.announce(event);
    }
    umpire.announce(Event::own(Clause::DiePerBrigade, GunsEvent::Nominated { brigade, issuer, present }));
}

/// P1.2: one die for each named brigade, all in one throw.
fn roll(umpire: &mut Umpire<'_, Guns>, side: Side, named: &[CommandId]) -> Vec<u8> {
    let kind = umpire.charts().command.dice.value.0.dice().next();
    let count = u8::try_from(named.len()).unwrap_or(u8::MAX);
    let (Some(kind), 1..) = (kind, count) else { return Vec::new() };
    let roll = umpire.roll(Pool::of(count, kind), side);
    let dice: Vec<u8> = roll.pips.to_vec();
    let event = GunsEvent::ActivationDice { side, dice: dice.clone() };
    umpire.announce(Event::own(Clause::DiePerBrigade, event).rolled(roll));
    dice
}

/// What each of the brigades needs to be roused.
pub fn all_needs(field: &Field, named: &[CommandId]) -> Vec<Needs> {
    named.iter().map(|brigade| needs(field, &Call::recorded(field, *brigade))).collect()
}

/// Judges a deal of dice (activate-d).
pub fn check_allot(view: &View<'_, Guns>, dice: &[u8], brigades: &[CommandId], order: &Order) -> Verdict {
    let field: &Field = view;
    let mut verdict = Verdict::fine();
    let deal = match order {
        Order::Pass => return verdict,
        Order::Allot { deal } => deal,
        _ => return Verdict::refused(Clause::DiceDealtFreely, "deal the dice to the brigades that were named"),
    };
    let name = |n: usize| brigades.get(n).map_or("", |brigade| field.muster().command(*brigade).name.as_str());
    let flaws = deal::flaws(&all_needs(field, brigades), dice, deal);
    for flaw in &flaws {
        match flaw {
            Flaw::Entries => {
                let text = format!("each of the {} brigades gets the number of a die, or none", brigades.len());
                verdict.refuse(Clause::DiceDealtFreely, text);
            }
            Flaw::NoSuchDie(die) => {
                verdict.refuse(Clause::DiceDealtFreely, format!("there is no die number {die}; they count from 0"));
            }
            Flaw::Twice(die) => {
                verdict.refuse(Clause::DiceDealtFreely, format!("die number {die} can go to one brigade only"));
            }
            Flaw::Wasted { .. } => {}
        }
    }
    for (die, face) in (0..=u8::MAX).zip(dice) {
        let could = flaws.iter().filter_map(|flaw| match flaw {
            Flaw::Wasted { die: left, brigade } if *left == die => Some(name(*brigade)),
            _ => None,
        });
        let could: Vec<&str> = could.collect();
        if !could.is_empty() {
            let text = format!("the {face} left over would activate {}", could.join(", or "));
            verdict.refuse(Clause::UsableDieDealt, text);
        }
    }
    verdict
}

/// Deals them.
pub fn execute_allot(
    umpire: &mut Umpire<'_, Guns>,
    dice: &BySide<Vec<u8>>,
    brigades: &BySide<Vec<CommandId>>,
    given: Given,
) {
    for (side, order) in given.iter() {
        let (dice, named) = (&dice[side], &brigades[side]);
        let needs = all_needs(umpire.state(), named);
        let deal = match order {
            Some(Order::Allot { deal }) => deal::effective(&needs, dice, deal),
            _ => deal::greedy(&needs, dice),
        };
        hand_out(umpire, side, dice, named, &deal);
    }
    umpire.replace(Phase::Activation(Activating::Respond));
}

fn hand_out(umpire: &mut Umpire<'_, Guns>, side: Side, dice: &[u8], named: &[CommandId], deal: &[Option<u8>]) {
    for (brigade, given) in named.iter().zip(deal) {
        let die = given.and_then(|number| dice.get(usize::from(number)).copied());
        let event = GunsEvent::Allotted { brigade: *brigade, die, activated: die.is_some() };
        let clause = if die.is_some() { Clause::RatingMet } else { Clause::UnactivatedFights };
        umpire.announce(Event::own(clause, event).also(Clause::DiceDealtFreely));
    }
    for (_, die) in (0..=u8::MAX).zip(dice).filter(|(number, _)| !deal.contains(&Some(*number))) {
        umpire.announce(Event::own(Clause::UselessDieDiscarded, GunsEvent::Discarded { side, die: *die }));
    }
}

/// P1.4: every unit of an activated brigade finds out for itself.
fn respond(umpire: &mut Umpire<'_, Guns>) {
    for side in Side::BOTH {
        for brigade in brigades(umpire.state(), side).collect::<Vec<_>>() {
            let field = umpire.state();
            let record = field.ledger().brigades.get(brigade.index());
            let Some(die) = record.filter(|record| record.activated).and_then(|record| record.die) else { continue };
            let call = Call::recorded(field, brigade);
            let need = rating(field, brigade).1.value;
            let units: Vec<UnitId> = brigade_units(field, brigade).filter(|unit| can_answer(field, *unit)).collect();
            for unit in units {
                let sum = reckon(umpire.state(), &call, unit, die);
                tell_response(umpire, unit, &call, sum, need);
            }
        }
    }
}

fn tell_response(umpire: &mut Umpire<'_, Guns>, unit: UnitId, call: &Call, sum: Reckoning, need: i32) {
    let total = sum.whole();
    let responds = total >= need;
    let total = i8::try_from(total).unwrap_or_default();
    let event = Event::own(Clause::RatingMet, GunsEvent::Responds { unit, total, responds });
    let counts = |clause: Clause| sum.lines.iter().any(|line| line.clause == clause.into());
    let zone = call.issuer.map_or(Clause::ZoneOfCommand, |general| answer::zone_clause(umpire.state(), general));
    let event = event
        .also(zone)
        .also_if(!counts(Clause::OutsideZone), Clause::ZoneOfCommand)
        .also_if(counts(Clause::OutsideZone), Clause::OutOfRangeOnce)
        .also_if(counts(Clause::WithoutBrigadier), Clause::BrigadierDown)
        .also_if(counts(Clause::WithoutDivision), Clause::DivisionDown)
        .because(sum);
    hidden::announce(umpire, unit, event);
}

/// What counts for a whole brigade as it was nominated, or would be by its own commander alone.
pub fn brigade_modifiers(field: &Field, brigade: CommandId) -> Reckoning {
    answer::modifiers(field, &Call::recorded(field, brigade))
}

/// The lowest face at which each unit of a brigade on the table responds; none for one that never would.
pub fn needed_face(field: &Field, brigade: CommandId) -> Vec<(UnitId, Option<u8>)> {
    answer::faces(field, &Call::recorded(field, brigade))
}

/// Whether a die would get any unit of a brigade to respond (R46).
pub fn could_activate(field: &Field, brigade: CommandId, die: u8) -> bool {
    deal::activates(&needs(field, &Call::recorded(field, brigade)), die)
}

/// Whether a plan takes a brigade away from its objective (R50): the middle of its units may not end farther from it
/// than it began. For the check of plots: `ends` are the places where the centres of moving units would end; whoever is
/// not named stays. Says nothing where orders are not enforced, where the brigade has no order or withdraws, or where
/// the enemy it was sent against is gone.
pub fn drift(field: &Field, brigade: CommandId, ends: &[(UnitId, Vec2)]) -> Option<(Clause, String)> {
    let order = judge::standing(field, brigade)?;
    if !judge::is_strict(field) || order.posture == Posture::Withdraw {
        return None;
    }
    let units: Vec<UnitId> = brigade_units(field, brigade).filter(|unit| is_there(field, *unit)).collect();
    let now = |unit: &UnitId| field.unit(*unit).quad().centre;
    let then = |unit: &UnitId| ends.iter().find(|(id, _)| id == unit).map_or_else(|| now(unit), |(_, end)| *end);
    let began = away_from(field, order.objective, mean(units.iter().map(now))?)?;
    let ended = away_from(field, order.objective, mean(units.iter().map(then))?)?;
    if ended <= began + SLACK.as_f64() {
        return None;
    }
    let name = &field.muster().command(brigade).name;
    let more = super::field::show(field, Length::from_um(ended - began));
    Some((Clause::FurtherOrders, format!("{name} would end {more} farther from its objective than it is")))
}

fn mean(places: impl Iterator<Item = Vec2>) -> Option<Vec2> {
    let (count, sum) = places.fold((0_u32, Vec2::ZERO), |(count, sum), place| (count + 1, sum + place));
    (count > 0).then(|| sum * (1.0 / f64::from(count)))
}

/// How far a place is from an objective; nothing where the objective is gone.
fn away_from(field: &Field, objective: Matter, place: Vec2) -> Option<f64> {
    match objective {
        Matter::Point(point) => Some(point.vec().distance(place)),
        Matter::Feature(feature) => Some(field.ground().features.get(feature.index())?.shape.distance(place)),
        Matter::Unit(unit) if unit.index() < field.muster().units.len() && is_there(field, unit) => {
            Some(field.unit(unit).quad().centre.distance(place))
        }
        Matter::Unit(_) => None,
    }
}

#[cfg(test)]
mod tests;
