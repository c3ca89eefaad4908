//! Victory terms of a set-up (R85).

use super::super::Fpw;
use super::super::charts::plain;
use super::super::settings::{Objective, Scenario, VictoryBy};
use super::Roll;
use engine::ruleset::Opening;
use engine::{BySide, Faults, FeatureId, SheetTable, Side};

/// The terms, and how the battle is won. A switch that was set otherwise than usual goes before the scenario's word.
pub(super) fn read_scenario(
    root: &mut SheetTable<'_, '_>,
    opening: &Opening<Fpw>,
    roll: &Roll,
    faults: &mut Faults,
) -> (Scenario, VictoryBy) {
    let usual = plain(opening.charts.victory.breaks_at).value.clamp(1, 100) as u8;
    let mut by = opening.settings.victory;
    let mut breaks_at = BySide::from_fn(|_| usual);
    let mut objectives = Vec::new();
    if let Some(mut table) = root.table("victory", faults) {
        let kind: Option<VictoryBy> = table.optional("kind", faults);
        if by == VictoryBy::ArmyBreak {
            by = kind.unwrap_or(by);
        }
        read_limits(&mut table, roll, &mut breaks_at, faults);
        objectives = read_objectives(&mut table, opening, faults);
        table.finish(faults);
    }
    let strength = BySide::from_fn(|side| {
        let own = roll.units.iter().filter(|card| card.side == side && !card.facts.is_scout());
        own.map(|card| u16::from(card.facts.stands)).sum()
    });
    let scenario = Scenario {
        first: opening.header.first,
        deployed: roll.deployed,
        breaks_at,
        objectives,
        units_at: roll.units_at.clone(),
        commanders_at: roll.commanders_at.clone(),
        strength,
    };
    (scenario, by)
}

fn read_limits(table: &mut SheetTable<'_, '_>, roll: &Roll, breaks_at: &mut BySide<u8>, faults: &mut Faults) {
    let Some(mut limits) = table.table("breaks_at", faults) else { return };
    for side in Side::BOTH {
        let key = roll.sides[side].key.as_str();
        let Some(share) = limits.optional::<i64>(key, faults) else { continue };
        if (1..=100).contains(&share) {
            breaks_at[side] = share as u8;
        } else {
            limits.fault(key, "expected 1 to 100 per cent", faults);
        }
    }
    limits.finish(faults);
}

fn read_objectives(table: &mut SheetTable<'_, '_>, opening: &Opening<Fpw>, faults: &mut Faults) -> Vec<Objective> {
    let usual = plain(opening.charts.victory.objective).value;
    let mut objectives: Vec<Objective> = Vec::new();
    for mut entry in table.tables("objectives", faults) {
        let name: Option<String> = entry.get("feature", faults);
        let worth: i64 = entry.optional("worth", faults).unwrap_or(i64::from(usual));
        entry.finish(faults);
        if !(0..=100).contains(&worth) {
            entry.fault("worth", "expected 0 to 100 percentage points", faults);
        }
        let Some(name) = name else { continue };
        let Some(place) = opening.ground.features.iter().position(|feature| feature.key == name) else {
            entry.fault("feature", format!("no terrain feature is called `{name}`"), faults);
            continue;
        };
        let feature = FeatureId(place as u16);
        if objectives.iter().any(|other| other.feature == feature) {
            entry.fault("feature", format!("`{name}` is an objective twice"), faults);
        }
        objectives.push(Objective { feature, worth: worth.clamp(0, 100) as u8 });
    }
    objectives
}
