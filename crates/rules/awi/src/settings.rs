//! The switches of `awi` and the terms a scenario may bring: the settings table and section F.

use super::unit::{Gun, Nation};
use engine::{CommandId, Faults, FeatureId, SheetTable, Side};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use table::{Length, Pose};

/// Which die a morale test throws (R01).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum MoraleDie {
    D6,
    D4,
}

/// Who loses marks in a round of melee (R49).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum MeleeLosses {
    PerPair,
    WinnerOnly,
    Net,
}

/// What a column makes across country (R41).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum CountryColumn {
    #[serde(rename = "plus_d6_minus_2")]
    PlusDieLessTwo,
    #[serde(rename = "minus_2")]
    LessTwo,
}

/// Whether brigades need orders (R65).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Orders {
    /// Structured for a side with a divisional commander.
    Auto,
    Structured,
    Off,
}

/// What is counted as lost (R67).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum VictoryBasis {
    Units,
    Marks,
}

/// The switches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Settings {
    pub no_premeasuring: bool,
    pub morale_die: MoraleDie,
    pub melee_losses: MeleeLosses,
    /// Degrees; the chart's figure where it is left out.
    pub arc_half_angle: Option<u8>,
    pub template_radius: Option<Length>,
    pub grapeshot_rounds: Option<u8>,
    pub shell_guns: Vec<Gun>,
    pub column_cross_country: CountryColumn,
    pub column_restricted: bool,
    pub cavalry_fire: bool,
    pub fire_into_melee: bool,
    pub orders: Orders,
    pub couriers: Option<u8>,
    pub commander_move: Option<Length>,
    pub victory_basis: VictoryBasis,
    pub sharpshooters: bool,
    pub cavalry_brigades: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            no_premeasuring: true,
            morale_die: MoraleDie::D6,
            melee_losses: MeleeLosses::PerPair,
            arc_half_angle: None,
            template_radius: None,
            grapeshot_rounds: None,
            shell_guns: vec![Gun::TwentyFourPounder],
            column_cross_country: CountryColumn::PlusDieLessTwo,
            column_restricted: false,
            cavalry_fire: false,
            fire_into_melee: true,
            orders: Orders::Auto,
            couriers: None,
            commander_move: None,
            victory_basis: VictoryBasis::Units,
            sharpshooters: true,
            cavalry_brigades: true,
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
    take(&mut settings.no_premeasuring, "no_premeasuring", table, faults);
    take(&mut settings.morale_die, "morale_die", table, faults);
    take(&mut settings.melee_losses, "melee_losses", table, faults);
    take(&mut settings.arc_half_angle, "arc_half_angle", table, faults);
    take(&mut settings.template_radius, "template_radius", table, faults);
    take(&mut settings.grapeshot_rounds, "grapeshot_rounds", table, faults);
    take(&mut settings.shell_guns, "shell_guns", table, faults);
    take(&mut settings.column_cross_country, "column_cross_country", table, faults);
    take(&mut settings.column_restricted, "column_restricted", table, faults);
    take(&mut settings.cavalry_fire, "cavalry_fire", table, faults);
    take(&mut settings.fire_into_melee, "fire_into_melee", table, faults);
    take(&mut settings.orders, "orders", table, faults);
    take(&mut settings.couriers, "couriers", table, faults);
    take(&mut settings.commander_move, "commander_move", table, faults);
    take(&mut settings.victory_basis, "victory_basis", table, faults);
    take(&mut settings.sharpshooters, "sharpshooters", table, faults);
    take(&mut settings.cavalry_brigades, "cavalry_brigades", table, faults);
    if settings.arc_half_angle.is_some_and(|angle| !(1..=90).contains(&angle)) {
        table.fault("arc_half_angle", "expected 1 to 90 degrees", faults);
    }
    // tidy: allow(a bound on settings, not a figure of the book)
    let long = Length::whole_inches(120);
    for (key, length) in [("template_radius", settings.template_radius), ("commander_move", settings.commander_move)] {
        if length.is_some_and(|length| length.is_negative() || length > long) {
            table.fault(key, "expected 0in to 120in", faults);
        }
    }
}

/// How a scenario is decided at its limit (section F; `awi.10-a`).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Victory {
    /// The share of the threshold used up.
    #[default]
    Threshold,
    /// The same; level, whoever has more unrouted units on the feature.
    TieBreak(FeatureId),
    /// Whoever alone has unrouted units in the feature counts one enemy unit more as lost.
    Objective(FeatureId),
    /// The side wins if it has an unrouted unit near each of the features.
    HoldAll { side: Side, features: Vec<FeatureId>, within: Length },
}

/// What a scenario brings beside pieces and ground.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Scenario {
    /// Who begins, where the scenario says it.
    pub first: Option<Side>,
    /// Whether both sides stand where the set-up places them, and nobody is asked to deploy.
    pub deployed: bool,
    /// How it is decided.
    pub victory: Victory,
    /// A brigade that may break off untested once it has fired.
    pub slips_away: Option<CommandId>,
    /// Where each unit stands unless its owner says otherwise.
    pub units_at: Vec<Option<Pose>>,
    /// Where each commander stands unless its owner says otherwise.
    pub commanders_at: Vec<Option<Pose>>,
    /// Units and marks each nation began with.
    pub strengths: Vec<(Nation, Side, u16, u16)>,
}
