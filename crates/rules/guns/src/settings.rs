//! The switches of `guns` and the terms a scenario may bring.

use super::formation::Formation;
use super::order::BrigadeOrder;
use book::words;
use engine::{BySide, Faults, FeatureId, SheetTable};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use table::{Length, Point, Pose};

words! {
    /// The size of the figures, and with it the measure of every distance (scale-a to -d).
    Scale { Small = "s10", Middle = "s15", Large = "s25", }
    /// Which losses count in a flinch test (R23).
    FlinchDamage { Cumulative = "cumulative", ThisBound = "this_bound", }
    /// Whether orders must be justified by what a general sees (R50).
    OrdersEnforcement { Strict = "strict", Off = "off", }
    /// How a battle is won (R81).
    VictoryBy { Losses = "losses", Objectives = "objectives", None = "none", }
}

impl Scale {
    /// One game unit: a centimetre, or an inch.
    pub fn game_unit(self) -> Length {
        match self {
            // tidy: allow(the unit the book measures in, not a figure of it)
            Scale::Small | Scale::Middle => Length::cm(1.0),
            // tidy: allow(the same for large figures)
            Scale::Large => Length::whole_inches(1),
        }
    }
}

/// The switches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Settings {
    pub scale: Scale,
    pub flinch_damage: FlinchDamage,
    pub withdraw_orders: bool,
    pub prone_at_will: bool,
    pub orders_enforcement: OrdersEnforcement,
    pub defender_flinch: bool,
    /// Carriage-mounted rapid-fire weapons are based and handled as artillery.
    pub carriage_guns: bool,
    /// Battery bases are drawn with their sides splayed by the traverse.
    pub splayed_bases: bool,
    /// Elements each battalion may give to its brigade's screen.
    pub screen_elements: u8,
    /// Lists refuse what the historical army did not have.
    pub historical_lists: bool,
    /// Wars outside Europe may be fought too.
    pub further_wars: bool,
    pub victory: VictoryBy,
    pub premeasuring: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            scale: Scale::Small,
            flinch_damage: FlinchDamage::Cumulative,
            withdraw_orders: false,
            prone_at_will: false,
            orders_enforcement: OrdersEnforcement::Strict,
            defender_flinch: false,
            carriage_guns: false,
            splayed_bases: false,
            screen_elements: 1,
            historical_lists: true,
            further_wars: false,
            victory: VictoryBy::Losses,
            premeasuring: true,
        }
    }
}

/// More elements than this from one battalion are no screen any more.
const MOST_SCREEN_ELEMENTS: u8 = 4;

/// Reads switches over what is there; every bad one is named.
pub fn read(settings: &mut Settings, table: &mut SheetTable<'_, '_>, faults: &mut Faults) {
    fn take<T: DeserializeOwned>(slot: &mut T, key: &str, table: &mut SheetTable<'_, '_>, faults: &mut Faults) {
        if let Some(value) = table.optional(key, faults) {
            *slot = value;
        }
    }
    take(&mut settings.scale, "scale", table, faults);
    take(&mut settings.flinch_damage, "flinch_damage", table, faults);
    take(&mut settings.withdraw_orders, "withdraw_orders", table, faults);
    take(&mut settings.prone_at_will, "prone_at_will", table, faults);
    take(&mut settings.orders_enforcement, "orders_enforcement", table, faults);
    take(&mut settings.defender_flinch, "defender_flinch", table, faults);
    take(&mut settings.carriage_guns, "carriage_guns", table, faults);
    take(&mut settings.splayed_bases, "splayed_bases", table, faults);
    take(&mut settings.screen_elements, "screen_elements", table, faults);
    take(&mut settings.historical_lists, "historical_lists", table, faults);
    take(&mut settings.further_wars, "further_wars", table, faults);
    take(&mut settings.victory, "victory", table, faults);
    take(&mut settings.premeasuring, "premeasuring", table, faults);
    if settings.screen_elements > MOST_SCREEN_ELEMENTS {
        table.fault("screen_elements", format!("expected 0 to {MOST_SCREEN_ELEMENTS}"), faults);
        settings.screen_elements = MOST_SCREEN_ELEMENTS;
    }
}

/// A place worth holding at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Objective {
    /// Where.
    pub feature: FeatureId,
    /// Points it gives its holder.
    pub worth: u8,
}

/// What a scenario brings beside pieces and ground.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Scenario {
    /// The year, which decides what an army has.
    pub year: u16,
    /// Whether both sides stand where the set-up places them, and nobody is asked to deploy.
    pub deployed: bool,
    /// The share of its units, in per cent, at whose loss each side is beaten (R81).
    pub breaks_at: BySide<u8>,
    /// Places worth holding.
    pub objectives: Vec<Objective>,
    /// Where each unit stands unless its owner says otherwise.
    pub units_at: Vec<Option<Pose>>,
    /// How each unit stands unless its owner says otherwise.
    pub drawn_up: Vec<Option<Formation>>,
    /// Units that begin in hiding unless their owner says otherwise (R74).
    pub in_hiding: Vec<bool>,
    /// The cover each unit lines or holds unless its owner says otherwise.
    pub defends: Vec<Option<FeatureId>>,
    /// Where each general stands unless his owner says otherwise.
    pub commanders_at: Vec<Option<Pose>>,
    /// Where each battery's observer stands unless his owner says otherwise.
    pub observers_at: Vec<Option<Point>>,
    /// The opening order of each command, where it has one.
    pub orders: Vec<Option<BrigadeOrder>>,
    /// Units each side began with, screens left out.
    pub strength: BySide<u16>,
}
