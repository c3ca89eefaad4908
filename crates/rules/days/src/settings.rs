//! The switches of `iron` and `empire` and the terms a scenario may bring.

use super::formation::Formation;
use super::unit::Crest;
use book::words;
use engine::{BySide, Faults, FeatureId, SheetTable, Side};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use table::{Length, Pose};

words! {
    /// How the armies are set up (days.16.1-a, -b).
    DeployBy { Maps = "maps", Brigades = "brigades", }
    /// How a battle is won (days.18.2-c, -f).
    VictoryBy { Points = "points", Objectives = "objectives", }
    /// Switches over which players may differ until a die decides (days.3.4-a, 19-b).
    Disputed {
        Scouting = "scouting", NationalStaff = "national_staff", WaitingRoom = "waiting_room", Surrender = "surrender",
    }
    /// What a piece of ground is made of, as far as it matters.
    Weight { Light = "light", Heavy = "heavy", Undefined = "undefined", }
}

/// The switches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Settings {
    pub deployment: DeployBy,
    /// Light cavalry compares notes before anybody is set up (days.19.1-a).
    pub scouting: bool,
    /// Generals by nation (days.14.1-c).
    pub national_staff: bool,
    /// The share of its points, in per cent, at whose loss a side gives way; zero for none (days.18.2-d).
    pub loss_limit: u8,
    /// Horse holders in `iron`.
    pub horse_holders: bool,
    /// Squares in `iron`.
    pub squares: bool,
    /// Parts of units that find no room wait off the table behind the rest (days.16.2-c).
    pub waiting_room: bool,
    /// Beaten units may be given up at the end of a turn (days.18.1-a).
    pub surrender: bool,
    /// Lists refuse what an army did not have.
    pub composition: bool,
    pub victory: VictoryBy,
    pub premeasuring: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            deployment: DeployBy::Brigades,
            scouting: false,
            national_staff: false,
            loss_limit: 0,
            horse_holders: false,
            squares: false,
            waiting_room: false,
            surrender: false,
            composition: true,
            victory: VictoryBy::Points,
            premeasuring: true,
        }
    }
}

impl Settings {
    /// How a switch stands that players may dispute.
    pub fn says(&self, what: Disputed) -> bool {
        match what {
            Disputed::Scouting => self.scouting,
            Disputed::NationalStaff => self.national_staff,
            Disputed::WaitingRoom => self.waiting_room,
            Disputed::Surrender => self.surrender,
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
    take(&mut settings.deployment, "deployment", table, faults);
    take(&mut settings.scouting, "scouting", table, faults);
    take(&mut settings.national_staff, "national_staff", table, faults);
    take(&mut settings.loss_limit, "loss_limit", table, faults);
    take(&mut settings.horse_holders, "horse_holders", table, faults);
    take(&mut settings.squares, "squares", table, faults);
    take(&mut settings.waiting_room, "waiting_room", table, faults);
    take(&mut settings.surrender, "surrender", table, faults);
    take(&mut settings.composition, "composition", table, faults);
    take(&mut settings.victory, "victory", table, faults);
    take(&mut settings.premeasuring, "premeasuring", table, faults);
    if settings.loss_limit > 100 {
        table.fault("loss_limit", "expected 0 to 100 per cent", faults);
        settings.loss_limit = 100;
    }
}

/// What a piece of ground is, in the terms of section 15: read off its kind and its `nature`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Nature {
    /// Light, heavy, or not known yet.
    pub weight: Weight,
    /// A steep slope.
    pub steep: bool,
    /// Ground that is hard going.
    pub difficult: bool,
    /// Burns.
    pub wooden: bool,
}

/// A place a side has to hold at the end (days.18.2-c).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Objective {
    /// Where.
    pub feature: FeatureId,
    /// Whose task it is.
    pub of: Side,
}

/// What a scenario brings beside pieces and ground.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Scenario {
    /// Whether both sides stand where the set-up places them, and nobody is asked to deploy.
    pub deployed: bool,
    /// The agreed total for each side.
    pub size: u32,
    /// Who has the initiative on the first turn without a die.
    pub attacker: Option<Side>,
    /// Whether brigades may be kept off the table.
    pub off_board: bool,
    /// What the players could not agree on, and which side wants it so.
    #[serde(default)]
    pub disputes: Vec<(Disputed, Side)>,
    /// Whether a die gives the players their edges (days.16-b).
    #[serde(default)]
    pub chance_edges: bool,
    /// What each feature is, by its number.
    pub natures: Vec<Nature>,
    /// What burns before anybody is set up.
    #[serde(default)]
    pub burning: Vec<FeatureId>,
    /// Places to hold.
    pub objectives: Vec<Objective>,
    /// Earthworks each side has bought.
    pub earthworks: BySide<Length>,
    /// Pontoons each side has bought beside those of its engineers.
    pub pontoons: BySide<Length>,
    /// What each side paid for works and pontoons.
    pub extras: BySide<u32>,
    /// Where each unit stands unless its owner says otherwise.
    pub units_at: Vec<Option<Pose>>,
    /// How each unit stands unless its owner says otherwise.
    pub drawn_up: Vec<Option<Formation>>,
    /// Units that begin in hiding unless their owner says otherwise.
    pub in_hiding: Vec<bool>,
    /// Where each unit stands at a crest.
    pub at_crest: Vec<Option<Crest>>,
    /// Where each general stands unless his owner says otherwise.
    pub commanders_at: Vec<Option<Pose>>,
    /// Commands kept off the table unless their owner says otherwise.
    pub kept_off: Vec<bool>,
}
