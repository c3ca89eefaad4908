//! Chapter 10: who withdraws, who wins. R67, R68, R80 and the terms of the scenarios.

use super::Awi;
use super::clause::Clause;
use super::event::AwiEvent;
use super::field::{Field, facts, flag, is_routing, soldiers, troops};
use super::settings::{Victory, VictoryBasis};
use super::unit::Nation;
use engine::{Deed, Event, FeatureId, Leaving, Outcome, Side, Umpire, Whereabouts};
use std::cmp::Ordering;

/// Losses of one nation on one side: lost and at the start, in units or marks.
pub fn losses(field: &Field, nation: Nation, side: Side) -> (u32, u32) {
    let rows = &field.muster().scenario.strengths;
    let start = rows.iter().find(|row| row.0 == nation && row.1 == side).map_or((0, 0), |row| (row.2, row.3));
    let own = field.units().filter(|(id, _)| {
        let card = field.card(*id);
        card.side == side && card.facts.nation == nation && card.facts.is_troops()
    });
    match field.settings().victory_basis {
        VictoryBasis::Units => {
            let lost = own.filter(|(_, unit)| unit.whereabouts == Whereabouts::Gone).count() as u32;
            (lost, u32::from(start.0))
        }
        VictoryBasis::Marks => {
            let left: u32 = own.filter(|(_, unit)| unit.is_present()).map(|(_, unit)| u32::from(unit.own.marks)).sum();
            (u32::from(start.1).saturating_sub(left), u32::from(start.1))
        }
    }
}

/// Nations of a side.
fn nations(field: &Field, side: Side) -> impl Iterator<Item = Nation> {
    field.muster().scenario.strengths.iter().filter(move |row| row.1 == side).map(|row| row.0)
}

fn threshold(field: &Field, nation: Nation) -> super::charts::Share {
    let chart = &field.charts().withdraw_at;
    match nation {
        Nation::British => chart.british.value,
        Nation::American => chart.american.value,
        Nation::French => chart.french.value,
    }
}

/// Lets nations that have had enough march off. Returns whether the whole side has gone.
fn withdraw(umpire: &mut Umpire<'_, Awi>, side: Side) -> bool {
    for nation in nations(umpire.state(), side).collect::<Vec<_>>() {
        let field = umpire.state();
        let (lost, start) = losses(field, nation, side);
        if field.ledger().withdrawn.contains(&nation) || !threshold(field, nation).reached(lost, start) {
            continue;
        }
        umpire.announce(Event::own(nation.clause(), AwiEvent::NationWithdrew { nation }));
        let leaving: Vec<_> = troops(umpire.state(), side)
            .filter(|(id, _)| facts(umpire.state(), *id).nation == nation)
            .map(|(id, _)| id)
            .collect();
        for unit in leaving {
            umpire.announce(Event::new(nation.clause(), Deed::Removed { unit, why: Leaving::Withdrawn }));
            umpire.announce(Event::own(nation.clause(), AwiEvent::Disengaged { unit }));
        }
    }
    let field = umpire.state();
    nations(field, side).all(|nation| field.ledger().withdrawn.contains(&nation))
        || troops(field, side).next().is_none()
}

fn name(field: &Field, side: Side) -> &str {
    &field.muster().sides[side].name
}

/// Checks at the end of a turn: the passive side first, then the active one; both at once is a draw.
pub fn check(umpire: &mut Umpire<'_, Awi>, active: Side) -> Option<Outcome> {
    let passive_gone = withdraw(umpire, active.other());
    let active_gone = withdraw(umpire, active);
    let field = umpire.state();
    let beaten = |side: Side| {
        let clause = nations(field, side).next().map_or(Clause::ScenarioTerms, Nation::clause);
        Outcome {
            winner: Some(side.other()),
            clause: clause.id().to_owned(),
            why: format!("{} withdraw from the field", name(field, side)),
        }
    };
    match (passive_gone, active_gone) {
        (true, true) => Some(Outcome {
            winner: None,
            clause: Clause::ScenarioTerms.id().to_owned(),
            why: "both sides withdraw at the same moment".to_owned(),
        }),
        (true, false) => Some(beaten(active.other())),
        (false, true) => Some(beaten(active)),
        (false, false) => None,
    }
}

/// The verdict at the turn limit.
pub fn at_limit(field: &Field) -> Outcome {
    let (winner, why) = match &field.muster().scenario.victory {
        Victory::Threshold => {
            let winner = smaller_share(field, |_| 0);
            (winner, share_reason(field, winner))
        }
        Victory::TieBreak(hill) => match smaller_share(field, |_| 0) {
            Some(side) => (Some(side), share_reason(field, Some(side))),
            None => {
                let count = |side| holders(field, side, *hill);
                let winner = more(count(Side::A), count(Side::B));
                (winner, "losses weigh the same, and the ground decides".to_owned())
            }
        },
        Victory::Objective(place) => {
            let alone = match (holders(field, Side::A, *place) > 0, holders(field, Side::B, *place) > 0) {
                (true, false) => Some(Side::A),
                (false, true) => Some(Side::B),
                _ => None,
            };
            let winner = smaller_share(field, |side| u32::from(alone == Some(side.other())));
            (winner, share_reason(field, winner))
        }
        Victory::HoldAll { side, features, within } => {
            let held = features.iter().all(|feature| {
                let Some(ground) = field.ground().features.get(feature.index()) else { return false };
                troops(field, *side).any(|(id, unit)| {
                    !is_routing(field, id) && ground.shape.gap_to(unit.quad()) <= (*within + table::SLACK).as_f64()
                })
            });
            let winner = if held { *side } else { side.other() };
            let did = if held { "hold" } else { "no longer hold" };
            (Some(winner), format!("{} {did} every strongpoint", name(field, *side)))
        }
    };
    Outcome { winner, clause: Clause::ScenarioTerms.id().to_owned(), why: format!("the light fails: {why}") }
}

fn share_reason(field: &Field, winner: Option<Side>) -> String {
    match winner {
        Some(side) => format!("{} have lost the smaller share of what they can bear", name(field, side)),
        None => "both sides have lost the same share of what they can bear".to_owned(),
    }
}

/// The side that has used up less of its threshold; a side of two nations by its worse-off nation.
fn smaller_share(field: &Field, extra: impl Fn(Side) -> u32) -> Option<Side> {
    let used = |side: Side| {
        nations(field, side)
            .map(|nation| {
                let (lost, start) = losses(field, nation, side);
                threshold(field, nation).used(lost + extra(side), start)
            })
            .max_by(|a, b| fraction(*a, *b))
            .unwrap_or((0, 1))
    };
    match fraction(used(Side::A), used(Side::B)) {
        Ordering::Less => Some(Side::A),
        Ordering::Greater => Some(Side::B),
        Ordering::Equal => None,
    }
}

fn fraction(a: (i64, i64), b: (i64, i64)) -> Ordering {
    (a.0 * b.1).cmp(&(b.0 * a.1))
}

fn more(a: usize, b: usize) -> Option<Side> {
    match a.cmp(&b) {
        Ordering::Greater => Some(Side::A),
        Ordering::Less => Some(Side::B),
        Ordering::Equal => None,
    }
}

/// Unrouted units of a side whose flag is in a feature.
fn holders(field: &Field, side: Side, place: FeatureId) -> usize {
    let Some(feature) = field.ground().features.get(place.index()) else { return 0 };
    troops(field, side)
        .filter(|(id, _)| {
            !is_routing(field, *id) && feature.shape.contains(flag(field, *id)) && soldiers(field, *id).marks > 0
        })
        .count()
}
