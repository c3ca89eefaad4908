//! Victory terms and special rules of a set-up (section F).

use super::super::Awi;
use super::super::settings::{Scenario, Victory};
use super::super::unit::Nation;
use super::Roll;
use engine::ruleset::Opening;
use engine::{Faults, FeatureId, SheetTable, Side};
use table::Length;

pub(super) fn read_scenario(
    root: &mut SheetTable<'_, '_>,
    opening: &Opening<Awi>,
    roll: &Roll,
    faults: &mut Faults,
) -> Scenario {
    let feature =
        |key: &str| opening.ground.features.iter().position(|feature| feature.key == key).map(|n| FeatureId(n as u16));
    let victory = root.table("victory", faults).map_or(Victory::Threshold, |mut table| {
        let victory = read_victory(&mut table, &feature, roll, faults);
        table.finish(faults);
        victory.unwrap_or_default()
    });
    let slips_away = root.table("special", faults).and_then(|mut table| {
        let key: Option<String> = table.optional("militia_slip_away", faults);
        table.finish(faults);
        let key = key?;
        let found = roll.command(&key);
        if found.is_none() {
            table.fault("militia_slip_away", format!("no brigade is called `{key}`"), faults);
        }
        found
    });
    let mut strengths: Vec<(Nation, Side, u16, u16)> = Vec::new();
    for (card, soldiers) in roll.units.iter().zip(&roll.soldiers).filter(|(card, _)| card.facts.is_troops()) {
        // Marks a unit did not bring to the battle are no loss of it.
        let marks = u16::from(if roll.deployed { soldiers.marks } else { card.facts.marks });
        match strengths.iter_mut().find(|row| row.0 == card.facts.nation && row.1 == card.side) {
            Some(row) => {
                row.2 += 1;
                row.3 += marks;
            }
            None => strengths.push((card.facts.nation, card.side, 1, marks)),
        }
    }
    Scenario {
        first: opening.header.first,
        deployed: roll.deployed,
        victory,
        slips_away,
        units_at: roll.units_at.clone(),
        commanders_at: roll.commanders_at.clone(),
        strengths,
    }
}

fn read_victory(
    table: &mut SheetTable<'_, '_>,
    feature: &impl Fn(&str) -> Option<FeatureId>,
    roll: &Roll,
    faults: &mut Faults,
) -> Option<Victory> {
    let find = |key: &str, name: &str, table: &SheetTable<'_, '_>, faults: &mut Faults| {
        let found = feature(name);
        if found.is_none() {
            table.fault(key, format!("no terrain feature is called `{name}`"), faults);
        }
        found
    };
    let kind: String = table.get("kind", faults)?;
    match kind.as_str() {
        "threshold" => {
            let tie: Option<String> = table.optional("tie_break", faults);
            let hill: Option<String> = table.optional("feature", faults);
            let objective: Option<String> = table.optional("objective", faults);
            match (tie, hill, objective) {
                (None, None, None) => Some(Victory::Threshold),
                (_, Some(hill), None) => find("feature", &hill, table, faults).map(Victory::TieBreak),
                (None, None, Some(place)) => find("objective", &place, table, faults).map(Victory::Objective),
                _ => {
                    table.fault("kind", "give either a tie-breaking feature or an objective", faults);
                    None
                }
            }
        }
        "hold_all" => {
            let side = roll.side(table, faults)?;
            let names: Vec<String> = table.get("features", faults)?;
            let within: Length = table.get("within", faults)?;
            let features = names.iter().filter_map(|name| find("features", name, table, faults)).collect();
            Some(Victory::HoldAll { side, features, within })
        }
        other => {
            table.fault("kind", format!("`{other}` is not a way to win; expected threshold or hold_all"), faults);
            None
        }
    }
}
