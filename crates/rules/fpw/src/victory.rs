//! Who has had enough, and who has the better of it when the light fails. R85, section E.5.

use super::Fpw;
use super::charts::plain;
use super::clause::Clause;
use super::event::FpwEvent;
use super::field::{Field, bodies, facts, soldiers, troops};
use super::settings::{Objective, VictoryBy};
use super::unit::Absence;
use engine::{Event, Outcome, Side, Umpire, UnitId, Whereabouts};
use table::SLACK;

/// Loss points of a side, and what losing everything would come to.
pub fn share(field: &Field, side: Side) -> (u32, u32) {
    let chart = &field.charts().victory;
    let removed = plain(chart.stand_removed).value.unsigned_abs();
    let degraded = plain(chart.stand_degraded).value.unsigned_abs();
    let absent = plain(chart.general_absent).value.unsigned_abs();
    let mut points = 0;
    let mut strength = u32::from(field.muster().scenario.strength[side]);
    for (id, unit) in field.units().filter(|(_, unit)| unit.side == side) {
        let (facts, own) = (facts(field, id), &unit.own);
        let stands = u32::from(facts.stands);
        if facts.is_scout() {
            continue;
        }
        if is_scouting(field, id) {
            strength = strength.saturating_sub(stands);
            continue;
        }
        // A stand that has joined a unit shares its fate, and its markers lie there.
        if let Some(host) = own.host {
            let lost = field.unit(host).whereabouts == Whereabouts::Gone;
            points += if lost { stands * removed } else { 0 };
            continue;
        }
        match unit.whereabouts {
            Whereabouts::Gone => points += stands * removed,
            Whereabouts::OnTable | Whereabouts::Hidden => {
                let fallen = stands.saturating_sub(u32::from(own.count()));
                points += fallen * removed + own.degraded_stands() * degraded;
            }
            Whereabouts::OffTable | Whereabouts::Unseen => {}
        }
    }
    let generals = field.commanders().filter(|(id, _)| field.muster().commander(*id).side == side);
    let away = generals.filter(|(_, general)| general.own.absence != Absence::Present).count() as u32;
    (points + away * absent, strength * removed)
}

/// Whether a regiment rides ahead in single stands instead of standing on the table (R87).
pub fn is_scouting(field: &Field, regiment: UnitId) -> bool {
    field.settings().scouting
        && field.unit(regiment).whereabouts == Whereabouts::OffTable
        && field
            .units()
            .any(|(id, unit)| facts(field, id).scout_of == Some(regiment) && unit.whereabouts != Whereabouts::OffTable)
}

/// A share in per cent, rounded down.
fn percent((points, of): (u32, u32)) -> u8 {
    (u64::from(points) * 100).checked_div(u64::from(of)).unwrap_or(0).min(100) as u8
}

fn is_broken(field: &Field, side: Side) -> bool {
    let (points, of) = share(field, side);
    let limit = u64::from(field.muster().scenario.breaks_at[side]);
    of > 0 && u64::from(points) * 100 >= limit * u64::from(of)
}

fn name(field: &Field, side: Side) -> &str {
    &field.muster().sides[side].name
}

fn outcome(winner: Option<Side>, why: String) -> Outcome {
    Outcome { winner, clause: Clause::RecoveryLast.id().to_owned(), why }
}

/// Tells the losses at the end of a turn, and who has broken.
pub fn check(umpire: &mut Umpire<'_, Fpw>, side: Side) -> Option<Outcome> {
    let by = umpire.state().settings().victory;
    if by == VictoryBy::None {
        return None;
    }
    let [a, b] = Side::BOTH.map(|side| percent(share(umpire.state(), side)));
    umpire.announce(Event::own(Clause::RecoveryLast, FpwEvent::Losses { a, b }));
    if by != VictoryBy::ArmyBreak {
        return None;
    }
    let field = umpire.state();
    let breaks = |side: Side| format!("{} have lost more than an army bears, and break", name(field, side));
    match (is_broken(field, side), is_broken(field, side.other())) {
        (false, false) => None,
        (true, true) => Some(outcome(None, "both armies break in the same turn".to_owned())),
        (true, false) => Some(outcome(Some(side.other()), breaks(side))),
        (false, true) => Some(outcome(Some(side), breaks(side.other()))),
    }
}

/// The verdict at the turn limit: the smaller share of loss, places held alone taken off it.
pub fn at_limit(field: &Field) -> Outcome {
    if field.settings().victory == VictoryBy::None {
        return outcome(None, "the light fails, and the players judge who had the better of it".to_owned());
    }
    // Shares are compared as fractions over a common ground, so that nothing is lost in rounding.
    let [(a, of_a), (b, of_b)] = Side::BOTH.map(|side| {
        let (points, of) = share(field, side);
        let (points, of) = (i64::from(points), i64::from(of.max(1)));
        (points * 100 - held_worth(field, side) * of, of)
    });
    let winner = match (a * of_b).cmp(&(b * of_a)) {
        std::cmp::Ordering::Less => Some(Side::A),
        std::cmp::Ordering::Greater => Some(Side::B),
        std::cmp::Ordering::Equal => None,
    };
    let places = if field.muster().scenario.objectives.is_empty() { "" } else { ", places held counted" };
    let why = match winner {
        Some(side) => format!("the light fails: {} have the smaller share of loss{places}", name(field, side)),
        None => format!("the light fails: both sides have the same share of loss{places}"),
    };
    outcome(winner, why)
}

/// Percentage points off a side's share of loss for the places it holds alone.
pub fn held_worth(field: &Field, side: Side) -> i64 {
    let held = field.muster().scenario.objectives.iter().filter(|place| holder(field, place) == Some(side));
    held.map(|place| i64::from(place.worth)).sum()
}

/// Who holds a place alone.
pub fn holder(field: &Field, place: &Objective) -> Option<Side> {
    match Side::BOTH.map(|side| is_near(field, place, side)) {
        [true, false] => Some(Side::A),
        [false, true] => Some(Side::B),
        _ => None,
    }
}

fn is_near(field: &Field, place: &Objective, side: Side) -> bool {
    let Some(feature) = field.ground().features.get(place.feature.index()) else { return false };
    let reach = (field.charts().victory.objective_reach.value.0 + SLACK).as_f64();
    let mut holders = troops(field, side).filter(|(id, unit)| {
        !facts(field, *id).is_scout() && soldiers(field, *id).host.is_none() && {
            let around = unit.quad().bounds().grown(reach);
            feature.shape.bounds().meets(&around)
        }
    });
    holders.any(|(id, _)| bodies(field, id).iter().any(|quad| feature.shape.gap_to(quad) <= reach))
}
