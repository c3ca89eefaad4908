//! Figures of the charts on a card. Most of them stood on sheets that are lost: a figure that was worked out anew says
//! so.

use crate::charts::{Grades, Pace, TargetClass, reach};
use crate::evolution;
use crate::field::{self, Field, facts, whole};
use crate::telling::speech::{capital, weapon_words};
use crate::unit::{Arm, Part};
use book::telling::voice::inches;
use engine::UnitId;
use engine::chart::Source;
use table::Length;

/// Where figures come from, in brackets; nothing for what is printed.
pub fn papers(sources: &[Source]) -> String {
    let words = |source: &Source| match source {
        Source::Printed | Source::Derived => None,
        Source::Reconstructed(_) => Some("reconstructed"),
        Source::Ours(_) => Some("not in the book: our figure"),
        Source::House => Some("house rule"),
    };
    let told: Vec<Option<&str>> = sources.iter().map(words).collect();
    let mut kinds: Vec<&str> = Vec::new();
    for kind in told.iter().flatten() {
        if !kinds.contains(kind) {
            kinds.push(kind);
        }
    }
    match kinds.as_slice() {
        [] => String::new(),
        [one] if told.iter().all(Option::is_some) => format!(" ({one})"),
        several => format!(" (in part {})", several.join(", ")),
    }
}

/// What it shoots with: how far, and how well against a line.
pub fn weapon(field: &Field, unit: UnitId) -> Vec<String> {
    let own = facts(field, unit);
    if matches!(own.part_kind(), Some(Part::Holders | Part::Crew)) || matches!(own.arm, Arm::Engineers | Arm::Wagon) {
        return Vec::new();
    }
    let key = &facts(field, whole(field, unit)).weapon;
    let charts = field.charts();
    let (bands, breech) = match (charts.small_arms.get(key), charts.gun.get(key)) {
        (Some(arm), _) if !own.is_battery() => {
            ([Some(&arm.close), Some(&arm.effective), arm.long.as_ref()], arm.breech_loader.value)
        }
        (_, Some(gun)) if own.is_battery() => ([Some(&gun.close), Some(&gun.effective), gun.long.as_ref()], false),
        _ => return vec!["Cold steel alone".to_owned()],
    };
    let name = weapon_words(key);
    let breech = if breech { ", a breech-loader" } else { "" };
    let sabre = field::is_mounted(field, unit) && !field::skirmishes(field, unit);
    let sabre = if sabre { "; in the saddle it fires only as skirmishers" } else { "" };
    vec![format!("{name}{breech}: {}{sabre}", ranges(bands)), grades(bands)]
}

type Bands<'b> = [Option<&'b Grades>; 3];

fn ranges(bands: Bands<'_>) -> String {
    let named = ["close", "effective", "long"].into_iter().zip(bands);
    let each: Vec<String> =
        named.filter_map(|(name, band)| Some(format!("{name} {}", inches(reach(band?.max))))).collect();
    let sources: Vec<Source> = bands.into_iter().flatten().map(|band| band.max.source).collect();
    format!("{}{}", each.join(", "), papers(&sources))
}

fn grades(bands: Bands<'_>) -> String {
    let cells = || bands.into_iter().flatten().map(|band| band.of(TargetClass::Line));
    let each: Vec<String> = cells().map(|cell| cell.value.get().to_string()).collect();
    let sources: Vec<Source> = cells().map(|cell| cell.source).collect();
    format!("Grades against a line: {}{}", each.join(", "), papers(&sources))
}

/// How far it goes.
pub fn pace(field: &Field, unit: UnitId) -> Option<String> {
    let formation = field::formation(field, unit);
    let pace: &Pace = evolution::pace(field, unit, formation);
    let normal = evolution::allowance(field, unit, formation, field::is_mounted(field, unit));
    let rows = [("moves", normal, pace.normal.source), ("charges", reach(pace.charge), pace.charge.source)];
    let rows: Vec<_> = rows.into_iter().filter(|(_, length, _)| *length > Length::ZERO).collect();
    let each: Vec<String> = rows.iter().map(|(verb, length, _)| format!("{verb} {}", inches(*length))).collect();
    let sources: Vec<Source> = rows.iter().map(|(_, _, source)| *source).collect();
    (!each.is_empty()).then(|| format!("{}{}", capital(&each.join(", ")), papers(&sources)))
}

/// How far a general rides.
pub fn ride(field: &Field) -> Option<String> {
    let normal = field.charts().pace.staff.normal;
    let far = reach(normal);
    (far > Length::ZERO).then(|| format!("Rides up to {}{}", inches(far), papers(&[normal.source])))
}
