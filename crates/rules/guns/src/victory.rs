//! How a battle ends: by losses, by places held, at the limit, or when the players say so. R81.

use super::clause::Clause;
use super::field::{Field, elements, facts, known, troops};
use super::settings::{Objective, VictoryBy};
use engine::{Outcome, Side};
use table::SLACK;

/// Units of a side lost, and what it began with.
pub fn losses(field: &Field, side: Side) -> (u32, u32) {
    let began = u32::from(field.muster().scenario.strength[side]);
    (u32::from(field.ledger().lost[side]).min(began), began)
}

/// The share lost in whole per cent, rounded down.
pub fn percent_lost(field: &Field, side: Side) -> u32 {
    let (lost, began) = losses(field, side);
    (lost * 100).checked_div(began).unwrap_or(0)
}

fn reaches(field: &Field, side: Side, percent: u8) -> bool {
    let (lost, began) = losses(field, side);
    began > 0 && lost * 100 >= u32::from(percent) * began
}

/// Whether a side has lost what it bears.
pub fn is_beaten(field: &Field, side: Side) -> bool {
    let limit = match field.settings().victory {
        VictoryBy::Losses => field.muster().scenario.breaks_at[side],
        // Whoever has nothing left holds nothing either.
        VictoryBy::Objectives | VictoryBy::None => 100,
    };
    reaches(field, side, limit)
}

/// Whether somebody has won at the end of a bound.
pub fn check(field: &Field) -> Option<Outcome> {
    let lost = |side: Side| format!("{} have lost {} units in a hundred", name(field, side), percent_lost(field, side));
    match Side::BOTH.map(|side| is_beaten(field, side)) {
        [false, false] => None,
        [true, false] => Some(outcome(Some(Side::B), lost(Side::A))),
        [false, true] => Some(outcome(Some(Side::A), lost(Side::B))),
        [true, true] => {
            let winner = lower_share(field);
            let why = match winner {
                Some(side) => format!("both sides are beaten in one bound, but {} have lost less", name(field, side)),
                None => "both sides are beaten in one bound, with equal losses".to_owned(),
            };
            Some(outcome(winner, why))
        }
    }
}

/// The side that has lost the smaller share, if one has.
fn lower_share(field: &Field) -> Option<Side> {
    let [(a, of_a), (b, of_b)] = Side::BOTH.map(|side| losses(field, side));
    // Compared over a common ground, so that nothing is lost in rounding.
    higher((b * of_a.max(1)).cmp(&(a * of_b.max(1))))
}

fn higher(order: std::cmp::Ordering) -> Option<Side> {
    match order {
        std::cmp::Ordering::Greater => Some(Side::A),
        std::cmp::Ordering::Less => Some(Side::B),
        std::cmp::Ordering::Equal => None,
    }
}

/// Who has won when the last bound is over.
pub fn at_limit(field: &Field) -> Outcome {
    match field.settings().victory {
        VictoryBy::None => outcome(None, "the light fails, and the players judge who had the better of it".to_owned()),
        VictoryBy::Losses => {
            let winner = lower_share(field);
            let why = match winner {
                Some(side) => format!("the light fails: {} have lost the smaller share", name(field, side)),
                None => "the light fails: both sides have lost the same share".to_owned(),
            };
            outcome(winner, why)
        }
        VictoryBy::Objectives => {
            let [a, b] = Side::BOTH.map(|side| held_worth(field, side));
            let (most, least) = (a.max(b), a.min(b));
            let (by_places, by_losses) = (higher(a.cmp(&b)), lower_share(field));
            let why = match (by_places, by_losses) {
                (Some(side), _) => {
                    format!("the light fails: {} hold places worth {most} against {least}", name(field, side))
                }
                (None, Some(side)) => format!(
                    "the light fails: both sides hold places worth {most}, but {} have lost the smaller share",
                    name(field, side)
                ),
                (None, None) => format!("the light fails: both sides hold places worth {most} and have lost alike"),
            };
            let winner = by_places.or(by_losses);
            outcome(winner, why)
        }
    }
}

/// Points of the places a side holds alone.
pub fn held_worth(field: &Field, side: Side) -> u32 {
    let held = field.muster().scenario.objectives.iter().filter(|place| holder(field, place) == Some(side));
    held.map(|place| u32::from(place.worth)).sum()
}

/// Who holds a place alone.
pub fn holder(field: &Field, place: &Objective) -> Option<Side> {
    match Side::BOTH.map(|side| stands_in(field, place, side)) {
        [true, false] => Some(Side::A),
        [false, true] => Some(Side::B),
        _ => None,
    }
}

/// Whether a formed-up unit of a side stands in a place or touches it; skirmishers, men in flight and guns without
/// crews hold nothing.
fn stands_in(field: &Field, place: &Objective, side: Side) -> bool {
    let Some(feature) = field.ground().features.get(place.feature.index()) else { return false };
    let reach = SLACK.as_f64();
    let mut own = known(field, side).filter(|(id, unit)| {
        !facts(field, *id).screen
            && !troops(field, *id).broken
            && troops(field, *id).cycle != super::unit::Cycle::Abandoned
            && feature.shape.bounds().meets(&unit.quad().bounds().grown(reach))
    });
    own.any(|(id, _)| elements(field, id).iter().any(|quad| feature.shape.gap_to(quad) <= reach))
}

fn name(field: &Field, side: Side) -> &str {
    &field.muster().sides[side].name
}

fn outcome(winner: Option<Side>, why: String) -> Outcome {
    Outcome { winner, clause: Clause::BattleEnd.id().to_owned(), why }
}
