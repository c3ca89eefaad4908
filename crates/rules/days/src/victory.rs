//! How a battle ends: points lost, objectives, margins, surrender. Section 18, B.3, C-23, A-85.

use super::Days;
use super::clause::Clause;
use super::damage;
use super::event::DaysEvent;
use super::field::{Field, below_half, count, facts, is_routing, known, order, parts_out, stands, state, troops};
use super::force;
use super::order::{Decision, Order};
use super::sequence::{Given, Phase, in_turn};
use super::settings::{Disputed, VictoryBy};
use super::unit::{Arm, Health, OrderState, Part};
use engine::chart::Bounded;
use engine::event::Leaving;
use engine::ruleset::Outcome;
use engine::{
    BySide, Cited, CommanderId, Event, FeatureId, Flow, Side, Umpire, UnitId, Verdict, View, Whereabouts, Who,
};
use serde::{Deserialize, Serialize};
use table::SLACK;

/// Who has been asked to give units up.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Surrendering {
    /// So many of the two, in the order of initiative.
    pub asked: u8,
}

/// How much of a unit's worth is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Loss {
    None,
    Half,
    Full,
}

/// What has become of a unit that is no part of another (days.18.2-g, -h).
fn loss(field: &Field, id: UnitId) -> Loss {
    let unit = field.unit(id);
    if unit.own.evaded_off.is_some() {
        return Loss::Half;
    }
    let out = parts_out(field, id);
    match unit.whereabouts {
        Whereabouts::Gone if out.is_empty() => Loss::Full,
        Whereabouts::OffTable if out.is_empty() => Loss::None,
        Whereabouts::Unseen => Loss::None,
        _ if is_routing(field, id) || is_weak(field, id) => Loss::Half,
        _ => Loss::None,
    }
}

/// Whether fewer than half of it are left; an engineer party is judged by its pioneers.
fn is_weak(field: &Field, id: UnitId) -> bool {
    let facts = facts(field, id);
    match facts.arm {
        Arm::Engineers => u32::from(count(field, id).saturating_sub(1)) * 2 < u32::from(facts.start.saturating_sub(1)),
        Arm::Wagon => false,
        Arm::Infantry | Arm::Cavalry | Arm::Artillery => below_half(field, id),
    }
}

/// Points of one unit lost, doubled. Of a battery every gun that is gone counts in full, the rest like any unit.
fn unit_lost(field: &Field, id: UnitId) -> u32 {
    let facts = facts(field, id);
    let fate = loss(field, id);
    if fate == Loss::Full {
        return facts.points * 2;
    }
    let entered = field.unit(id).is_present() || fate != Loss::None;
    let guns = if facts.is_battery() && entered {
        u32::from(facts.start).saturating_sub(troops(field, id).guns.len() as u32)
    } else {
        0
    };
    let gone = (guns * facts.model_points).min(facts.points);
    let rest = if fate == Loss::Half { facts.points - gone } else { 0 };
    gone * 2 + rest
}

/// Points of one general's place lost, doubled: he himself and those lost in it before him (days.14.5-d).
fn general_lost(field: &Field, id: CommanderId) -> u32 {
    let staff = &field.commander(id).own;
    let lost = u32::from(matches!(staff.health, Health::Killed { .. } | Health::Captured { .. }));
    (lost + u32::from(staff.lost_before)) * field.muster().commander(id).facts.points * 2
}

/// The units of a side that are no parts of others.
fn wholes(field: &Field, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    field.muster().unit_ids().filter(move |id| field.side_of(*id) == side && facts(field, *id).part.is_none())
}

fn generals(field: &Field, side: Side) -> impl Iterator<Item = CommanderId> + '_ {
    field.muster().commander_ids().filter(move |id| field.muster().commander(*id).side == side)
}

/// Points a side has lost so far, doubled so that halves stay whole.
pub fn lost_doubled(field: &Field, side: Side) -> u32 {
    let units: u32 = wholes(field, side).map(|id| unit_lost(field, id)).sum();
    units + generals(field, side).map(|id| general_lost(field, id)).sum::<u32>()
}

/// Whether a side has lost the share that was agreed (days.18.2-d).
fn reached_limit(field: &Field, side: Side) -> bool {
    let limit = u64::from(field.settings().loss_limit);
    // tidy: allow(per cent, and doubled points)
    limit > 0 && u64::from(lost_doubled(field, side)) * 100 >= limit * u64::from(force::points(field, side)) * 2
}

/// Whether a unit still fights or may come to: on the table and not routing, or not here yet.
fn fights_on(field: &Field, id: UnitId) -> bool {
    let manned = !facts(field, id).is_battery() || troops(field, id).crew() > 0;
    let there = match field.unit(id).whereabouts {
        Whereabouts::OnTable | Whereabouts::Hidden => true,
        Whereabouts::OffTable | Whereabouts::Unseen => is_to_come(field, id) || !parts_out(field, id).is_empty(),
        Whereabouts::Gone => troops(field, id).evaded_off.is_some() || !parts_out(field, id).is_empty(),
    };
    manned && there && !is_routing(field, id)
}

/// Whether it is off the table and may still come onto it.
fn is_to_come(field: &Field, id: UnitId) -> bool {
    let own = troops(field, id);
    let brigade = field.card(id).command;
    own.waits_at.is_some()
        || own.evaded_off.is_some()
        || field.ledger().absent.iter().any(|absent| Some(absent.brigade) == brigade)
}

/// Whether a side has nobody left who does not rout.
fn is_spent(field: &Field, side: Side) -> bool {
    let fighters = || wholes(field, side).filter(|id| !matches!(facts(field, *id).arm, Arm::Engineers | Arm::Wagon));
    fighters().next().is_some() && !fighters().any(|id| fights_on(field, id))
}

/// Whether the battle is over before its limit: a loss limit, nobody left who does not rout.
pub fn check(field: &Field) -> Option<Outcome> {
    let name = |side: Side| field.muster().sides[side].name.as_str();
    let why = match (Side::BOTH.map(|side| is_spent(field, side)), Side::BOTH.map(|side| reached_limit(field, side))) {
        ([true, true], _) => "neither side has anybody left who is not running".to_owned(),
        ([true, false], _) => format!("{} have nobody left who is not running", name(Side::A)),
        ([false, true], _) => format!("{} have nobody left who is not running", name(Side::B)),
        (_, [true, true]) => "both sides have lost the share at which the battle ends".to_owned(),
        (_, [true, false]) => format!("{} have lost the share at which the battle ends", name(Side::A)),
        (_, [false, true]) => format!("{} have lost the share at which the battle ends", name(Side::B)),
        _ => return None,
    };
    Some(judged(field, &why))
}

/// How the battle ends at its turn limit.
pub fn at_limit(field: &Field) -> Outcome {
    judged(field, "the turns agreed upon are over")
}

/// Who has won, by the terms of this battle.
fn judged(field: &Field, why: &str) -> Outcome {
    match field.settings().victory {
        VictoryBy::Points => by_points(field, why),
        VictoryBy::Objectives => by_objectives(field, why),
    }
}

/// How great a victory is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Margin {
    /// None.
    Draw,
    /// A small one.
    Minor,
    /// A great one.
    Major,
    /// As great as they come.
    Massacre,
}

/// The margin of a difference in points lost, doubled: compared exactly, in proportion to the size of the battle.
pub fn margin(field: &Field, difference: u32) -> Margin {
    let margins = &field.charts().margin;
    let of = i64::from(margins.of.value.get()).max(1);
    let size = match field.muster().scenario.size {
        size if size > 0 && margins.in_proportion.value => i64::from(size),
        _ => of,
    };
    // tidy: allow(the difference is doubled, so the limit is)
    let within =
        |limit: Cited<Bounded<0, 100_000>>| i64::from(difference) * of <= i64::from(limit.value.get()) * size * 2;
    if within(margins.draw) {
        Margin::Draw
    } else if within(margins.minor) {
        Margin::Minor
    } else if within(margins.major) {
        Margin::Major
    } else {
        Margin::Massacre
    }
}

/// Doubled points as people write them.
fn shown(doubled: u32) -> String {
    let half = if doubled % 2 == 1 { ".5" } else { "" };
    format!("{}{half}", doubled / 2)
}

fn by_points(field: &Field, why: &str) -> Outcome {
    let [a, b] = Side::BOTH.map(|side| lost_doubled(field, side));
    let margin = margin(field, a.abs_diff(b));
    let better = if a < b { Side::A } else { Side::B };
    let winner = (margin != Margin::Draw).then_some(better);
    let name = &field.muster().sides[better].name;
    let told = match margin {
        Margin::Draw => "a draw".to_owned(),
        Margin::Minor => format!("a minor victory of {name}"),
        Margin::Major => format!("a major victory of {name}"),
        Margin::Massacre => format!("a massacre, and the field is left to {name}"),
    };
    let [first, second] = Side::BOTH.map(|side| &field.muster().sides[side].name);
    let why = format!("{why}: {first} lost {} points and {second} {}: {told}", shown(a), shown(b));
    Outcome { winner, clause: Clause::HowGreatAVictory.id().to_owned(), why }
}

/// Whether a side has done what it came for: it holds each of its places, or, where it has none of its own, keeps the
/// enemy from one of his.
fn has_its_objectives(field: &Field, side: Side) -> bool {
    let objectives = &field.muster().scenario.objectives;
    let mut own = objectives.iter().filter(|place| place.of == side).peekable();
    if own.peek().is_some() {
        return own.all(|place| holds(field, side, place.feature));
    }
    let mut theirs = objectives.iter().filter(|place| place.of != side);
    theirs.any(|place| !holds(field, side.other(), place.feature))
}

fn by_objectives(field: &Field, why: &str) -> Outcome {
    let name = |side: Side| &field.muster().sides[side].name;
    let (winner, told) = match Side::BOTH.map(|side| has_its_objectives(field, side)) {
        [true, false] => (Some(Side::A), format!("{} have what they came for, and the enemy has not", name(Side::A))),
        [false, true] => (Some(Side::B), format!("{} have what they came for, and the enemy has not", name(Side::B))),
        [true, true] => (None, "both sides have what they came for: a draw".to_owned()),
        [false, false] => (None, "neither side has what it came for: a draw".to_owned()),
    };
    Outcome { winner, clause: Clause::PlayingForObjectives.id().to_owned(), why: format!("{why}: {told}") }
}

/// Whether a side holds a place: troops of its own that do not run stand in it or touch it, and none of the enemy's do.
pub fn holds(field: &Field, side: Side, feature: FeatureId) -> bool {
    stands_in(field, side, feature) && !stands_in(field, side.other(), feature)
}

fn stands_in(field: &Field, side: Side, feature: FeatureId) -> bool {
    let Some(place) = field.ground().features.get(feature.index()) else { return false };
    let bounds = place.shape.bounds().grown(SLACK.as_f64());
    let near = known(field, side).filter(|(_, unit)| bounds.meets(&unit.quad().bounds()));
    near.map(|(id, _)| id).filter(|id| may_hold(field, *id)).any(|id| {
        let mut stands = stands(field, id).iter();
        stands.any(|stand| place.shape.gap_to(stand) <= SLACK.as_f64())
    })
}

/// Wagons, horse holders, guns without their crews and men in flight hold nothing.
fn may_hold(field: &Field, id: UnitId) -> bool {
    let facts = facts(field, id);
    let idle = matches!(facts.part_kind(), Some(Part::Holders | Part::Crew)) || facts.arm == Arm::Wagon;
    let unmanned = facts.is_battery() && state(field, id).crew_away;
    !idle && !unmanned && !is_routing(field, id)
}

/// Tells how the battle was counted.
pub fn tell(umpire: &mut Umpire<'_, Days>, outcome: &Outcome) {
    let field = umpire.state();
    let lost = BySide::from_fn(|side| lost_doubled(field, side));
    let units = || Side::BOTH.into_iter().flat_map(|side| wholes(field, side));
    let fates = units().map(|id| loss(field, id));
    let (mut full, mut half) = (false, false);
    for fate in fates {
        full |= fate == Loss::Full;
        half |= fate == Loss::Half;
    }
    let captive = field.commanders().any(|(_, one)| matches!(one.own.health, Health::Captured { .. }));
    let staff = Side::BOTH.into_iter().any(|side| generals(field, side).any(|id| general_lost(field, id) > 0));
    let points = field.settings().victory == VictoryBy::Points;
    let limit = Side::BOTH.into_iter().any(|side| reached_limit(field, side));
    let clause = if points { Clause::PlayingForPoints } else { Clause::PlayingForObjectives };
    let event = Event::own(clause, DaysEvent::Counted { lost, winner: outcome.winner })
        .also(Clause::WhenAGameCanEnd)
        .also(Clause::AgreeingToStop)
        .also(Clause::TermsOfVictory)
        .also_if(full || staff, Clause::WhatCountsInFull)
        .also_if(half, Clause::WhatCountsHalf)
        .also_if(captive, Clause::ACaptiveCostsPoints)
        .also_if(limit, Clause::BreakingOffAfterLosses)
        .also_if(points, Clause::FewerLossesWin)
        .also_if(points, Clause::HowGreatAVictory);
    umpire.announce(event);
}

/// Units of a side that could be given up: routing, shaken or in contact.
fn affected(field: &Field, side: Side) -> Vec<UnitId> {
    let beaten = |id: &UnitId| {
        let touched = parts_out(field, *id).into_iter().chain([*id]).any(|one| !troops(field, one).contact.is_empty());
        matches!(order(field, *id), OrderState::Routing | OrderState::Shaken) || touched
    };
    known(field, side).map(|(id, _)| id).filter(|id| facts(field, *id).part.is_none()).filter(beaten).collect()
}

/// Asks each side with affected units, if the setting is on.
pub fn advance(umpire: &mut Umpire<'_, Days>, surrendering: Surrendering) -> Flow<Days> {
    let field = umpire.state();
    if !super::field::agreed(field, Disputed::Surrender) {
        return Flow::Done;
    }
    let sides = in_turn(field);
    let Some(side) = sides.get(usize::from(surrendering.asked)).copied() else { return Flow::Done };
    let units = affected(field, side);
    umpire.replace(Phase::Surrendering(Surrendering { asked: surrendering.asked + 1 }));
    if units.is_empty() { Flow::Again } else { Flow::Ask(Who::One(side), Decision::Surrender { units }) }
}

/// Judges a surrender.
pub fn check_surrender(view: &View<'_, Days>, units: &[UnitId], order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    let given = match order {
        Order::Pass => return verdict,
        Order::Surrender { units } => units,
        _ => return Verdict::refused(Clause::GivingUnitsUp, "the question is which units you give up"),
    };
    for (n, unit) in given.iter().enumerate() {
        if !units.contains(unit) {
            let text = "only a unit of yours that runs, is shaken or touches an enemy can be given up";
            verdict.refuse(Clause::GivingUnitsUp, text).about(*unit);
        } else if given[..n].contains(unit) {
            let text = format!("{} is given up twice", view.card(*unit).name);
            verdict.refuse(Clause::GivingUnitsUp, text).about(*unit);
        }
    }
    verdict
}

/// Gives units up.
pub fn execute_surrender(umpire: &mut Umpire<'_, Days>, units: &[UnitId], given: Given) {
    for order in given.0.into_iter().flatten() {
        let Order::Surrender { units: chosen } = order else { continue };
        for unit in chosen.into_iter().filter(|unit| units.contains(unit)) {
            if !umpire.state().unit(unit).is_present() {
                continue;
            }
            let event = DaysEvent::Captured { unit, by: None };
            umpire.announce(Event::own(Clause::GivingUnitsUp, event).also(Clause::WhatCountsInFull));
            damage::remove(umpire, unit, Leaving::Withdrawn);
        }
    }
}
