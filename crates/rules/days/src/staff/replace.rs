//! 1.2: somebody takes the place of a general who is lost (days.14.3-a, 14.5, A-70).

use super::super::Days;
use super::super::charts::{StaffSpans, reach};
use super::super::clause::Clause;
use super::super::event::DaysEvent;
use super::super::field::{self, Field, is_there};
use super::super::order::{Decision, Order};
use super::super::sequence::{Given, Phase, in_turn};
use super::super::unit::{Health, Quality, Rank};
use super::command::{formation_of, is_active, player};
use super::post;
use engine::{BySide, CommanderId, Event, Flow, Side, Umpire, UnitId, Verdict, View, Who};
use serde::{Deserialize, Serialize};

/// The staff table successors are diced for on.
const TABLE: &str = "replacement";

/// Who has been asked for successors.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Replacing {
    asked: BySide<bool>,
}

/// 1.2: asks each side that can replace somebody, whoever has the initiative first.
pub fn advance(umpire: &mut Umpire<'_, Days>, mut replacing: Replacing) -> Flow<Days> {
    for side in in_turn(umpire.state()) {
        if replacing.asked[side] {
            continue;
        }
        replacing.asked[side] = true;
        let lost = replaceable(umpire.state(), side);
        if !lost.is_empty() {
            umpire.replace(Phase::Replacing(replacing));
            return Flow::Ask(Who::One(side), Decision::Replace { lost });
        }
    }
    Flow::Done
}

/// Generals of a side somebody can step in for now.
pub fn replaceable(field: &Field, side: Side) -> Vec<CommanderId> {
    let fine = |id: &CommanderId| {
        let mut verdict = Verdict::fine();
        judge(field, side, *id, &mut verdict);
        verdict.is_legal()
    };
    field.muster().commander_ids().filter(fine).collect()
}

/// The turn in which a general was lost, if he is.
fn lost_in(health: Health) -> Option<u16> {
    match health {
        Health::Fit => None,
        Health::Wounded { since, .. } | Health::Killed { since } | Health::Captured { since } => Some(since),
    }
}

/// All reasons against a successor.
fn judge(field: &Field, side: Side, general: CommanderId, verdict: &mut Verdict) {
    let card = field.muster().commander(general);
    let name = &card.name;
    if card.side != side {
        verdict.refuse(Clause::WhoCanNameASuccessor, "only generals of your own can be replaced");
        return;
    }
    if card.facts.rank == Rank::Army {
        verdict.refuse(Clause::WhoCanNameASuccessor, format!("nobody can take the place of {name}, your own general"));
    }
    match lost_in(field.commander(general).own.health) {
        None => drop(verdict.refuse(Clause::WhoCanNameASuccessor, format!("{name} is in command"))),
        Some(since) if since >= field.turn() => {
            verdict.refuse(Clause::WhenHeTakesOver, format!("{name} was lost this turn: wait for the next"));
        }
        Some(_) => {}
    }
    let within = reach(field.charts().constant.replace_within);
    let units = formation_of(field, card.commands);
    let near = player(field, side).filter(|player| is_active(field, *player)).is_some_and(|player| {
        units.iter().any(|unit| is_there(field, *unit) && field::gap_to_general(field, player, *unit) <= within)
    });
    if !near {
        let text = format!("your own general has to be within {within} of the command of {name}");
        verdict.refuse(Clause::WhoCanNameASuccessor, text);
    }
}

/// Judges replacements.
pub fn check_replace(view: &View<'_, Days>, side: Side, _lost: &[CommanderId], order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    match order {
        Order::Pass => {}
        Order::Replace { generals } => {
            for (n, general) in generals.iter().enumerate() {
                if general.index() >= view.muster().commanders.len() {
                    verdict.refuse(Clause::WhoCanNameASuccessor, "there is no such general");
                } else if generals[..n].contains(general) {
                    verdict.refuse(Clause::WhoCanNameASuccessor, "the same general is named twice");
                } else {
                    judge(view, side, *general, &mut verdict);
                }
            }
        }
        _ => drop(verdict.refuse(Clause::WhoCanNameASuccessor, "name the generals to be replaced, or nobody")),
    }
    verdict
}

/// Rolls for successors.
pub fn execute_replace(umpire: &mut Umpire<'_, Days>, lost: &[CommanderId], given: Given) {
    for side in in_turn(umpire.state()) {
        let Some(Order::Replace { generals }) = &given[side] else { continue };
        let ours = |id: &&CommanderId| umpire.state().muster().commander(**id).side == side;
        let chosen: Vec<CommanderId> = lost.iter().filter(ours).filter(|id| generals.contains(id)).copied().collect();
        for general in chosen {
            appoint(umpire, side, general);
        }
    }
}

/// The quality a pip stands for.
pub fn quality_on(spans: &StaffSpans, pip: u8) -> Quality {
    if spans.exceptional.value.holds(pip) {
        Quality::Exceptional
    } else if spans.inept.value.holds(pip) {
        Quality::Inept
    } else {
        Quality::Capable
    }
}

fn appoint(umpire: &mut Umpire<'_, Days>, side: Side, general: CommanderId) {
    let captive = matches!(umpire.state().commander(general).own.health, Health::Captured { .. });
    let roll = umpire.roll(umpire.charts().test.dice.value.0, side);
    let pip = roll.total().unsigned_abs() as u8;
    let quality = umpire.charts().staff.get(TABLE).map_or(Quality::Capable, |spans| quality_on(spans, pip));
    let event = Event::own(Clause::QualityOfTheNewMan, DaysEvent::Quality { general, quality, successor: true });
    let event = event.also(Clause::WhoCanNameASuccessor).also(Clause::WhenHeTakesOver);
    umpire.announce(event.also_if(captive, Clause::ReplacingACaptive).rolled(roll));
    let field = umpire.state();
    let units: Vec<UnitId> = formation_of(field, field.muster().commander(general).commands);
    let sender = player(field, side).unwrap_or(general);
    let to = post::nearest(field, &units, field.commander(sender).quad())
        .map_or(field.commander(general).pose, |unit| post::beside(field, unit, post::Who::General(general)));
    post::put(umpire, general, to, Clause::WhenHeTakesOver);
}
