//! The switches of `fpw` and the terms a scenario may bring: the settings table and sections E.5 and F.

use engine::{BySide, Faults, FeatureId, SheetTable, Side};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use table::{Length, Pose};

/// When a commander has failed to get an order through to a brigade (R05).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum BrigadeRoll {
    /// When nobody obeyed.
    AnyUnit,
    /// When anybody did not.
    AllUnits,
}

/// How a battle is won (R85).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum VictoryBy {
    /// At the limit only, by losses and objectives.
    Scenario,
    /// When an army breaks; at the limit by losses and objectives.
    ArmyBreak,
    /// Never: the players say who won.
    None,
}

/// The switches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Settings {
    pub standing_fire: bool,
    pub brigade_roll: BrigadeRoll,
    /// The chart's figure where it is left out.
    pub general_move: Option<Length>,
    pub mitrailleuse_v_cover: bool,
    pub hidden_setup: bool,
    pub scouting: bool,
    pub victory: VictoryBy,
    pub premeasuring: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            standing_fire: true,
            brigade_roll: BrigadeRoll::AnyUnit,
            general_move: None,
            mitrailleuse_v_cover: false,
            hidden_setup: false,
            scouting: false,
            victory: VictoryBy::ArmyBreak,
            premeasuring: true,
        }
    }
}

/// Reads switches over what is there; every bad one is named.
pub fn read(settings: &mut Settings, table: &mut SheetTable<'_, '_>, faults: &mut Faults) {
    fn take<T: DeserializeOwned>(slot: &mut T, key: &str, table: &mut SheetTable<'_, '_>, faults: &mut Faults) {
        if let Some(value) = table.optional(key, faults) {
            *slot = value;
        }
    }
    take(&mut settings.standing_fire, "standing_fire", table, faults);
    take(&mut settings.brigade_roll, "brigade_roll", table, faults);
    take(&mut settings.general_move, "general_move", table, faults);
    take(&mut settings.mitrailleuse_v_cover, "mitrailleuse_v_cover", table, faults);
    take(&mut settings.hidden_setup, "hidden_setup", table, faults);
    take(&mut settings.scouting, "scouting", table, faults);
    take(&mut settings.victory, "victory", table, faults);
    take(&mut settings.premeasuring, "premeasuring", table, faults);
    // tidy: allow(a bound on settings, not a figure of the book)
    let long = Length::whole_inches(120);
    if settings.general_move.is_some_and(|length| length.is_negative() || length > long) {
        table.fault("general_move", "expected 0in to 120in", faults);
    }
}

/// A place worth holding at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Objective {
    /// Where.
    pub feature: FeatureId,
    /// Percentage points off the holder's share of loss.
    pub worth: u8,
}

/// What a scenario brings beside pieces and ground.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Scenario {
    /// Who begins, where the scenario says it.
    pub first: Option<Side>,
    /// Whether both sides stand where the set-up places them, and nobody is asked to deploy.
    pub deployed: bool,
    /// The share of loss, in per cent, at which each side breaks.
    pub breaks_at: BySide<u8>,
    /// Places worth holding.
    pub objectives: Vec<Objective>,
    /// Where each unit stands unless its owner says otherwise.
    pub units_at: Vec<Option<Pose>>,
    /// Where each general stands unless his owner says otherwise.
    pub commanders_at: Vec<Option<Pose>>,
    /// Stands each side began with, scouts left out.
    pub strength: BySide<u16>,
}
