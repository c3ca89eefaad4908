//! How a battle ends: by losses, by places held, at the limit, or when the players say so. R81.

use super::clause::Clause;
use super::field::{Field, elements, facts, known, troops};
use super::settings::{Objective, VictoryBy};
use super::unit::Cycle;
use engine::{Outcome, Side, UnitId};
use table::terrain::Feature;
use table::{Quad, SLACK};

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
    let feature = field.ground().features.get(place.feature.index())?;
    match Side::BOTH.map(|side| standing_on(field, side, feature).next().is_some()) {
        [true, false] => Some(Side::A),
        [false, true] => Some(Side::B),
        _ => None,
    }
}

/// Whether a unit holds ground by standing on it: skirmishers, men in flight and guns without crews hold nothing.
pub fn may_hold(field: &Field, unit: UnitId) -> bool {
    let own = troops(field, unit);
    !facts(field, unit).screen && !own.broken && own.cycle != Cycle::Abandoned
}

/// Whether elements stand in a place or touch it.
pub fn touch(place: &Feature, elements: &[Quad]) -> bool {
    elements.iter().any(|quad| place.shape.gap_to(quad) <= SLACK.as_f64())
}

/// Units of a side that stand in a place or touch it, so that it is not the other's alone.
pub fn standing_on<'f>(field: &'f Field, side: Side, place: &'f Feature) -> impl Iterator<Item = UnitId> + 'f {
    let bounds = place.shape.bounds().grown(SLACK.as_f64());
    let near = known(field, side).filter(move |(_, unit)| bounds.meets(&unit.quad().bounds()));
    near.map(|(id, _)| id).filter(|id| may_hold(field, *id) && touch(place, &elements(field, *id)))
}

fn name(field: &Field, side: Side) -> &str {
    &field.muster().sides[side].name
}

fn outcome(winner: Option<Side>, why: String) -> Outcome {
    Outcome { winner, clause: Clause::BattleEnd.id().to_owned(), why }
}
