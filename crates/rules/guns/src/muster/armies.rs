//! Army lists: what an army had, and when. They are white-lists (history-a); the file is `armies/guns.toml`.

use super::super::formation::Spacing;
use super::super::unit::{Arm, GunClass};
use super::quality::Class;
use engine::{Faults, Sheet};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The file.
const TEXT: &str = include_str!("../../../armies/guns.toml");

/// From one year to another, both counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Years(pub u16, pub u16);

impl Years {
    /// Whether a year is among them.
    pub fn hold(self, year: u16) -> bool {
        (self.0..=self.1).contains(&year)
    }
}

/// From so many to so many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct Strength(pub u8, pub u8);

impl Strength {
    /// Whether a number is among them.
    pub fn holds(self, number: u8) -> bool {
        (self.0..=self.1).contains(&number)
    }
}

/// A unit an army had.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// Its name for people.
    pub name: String,
    /// What it fights as.
    pub arm: Arm,
    /// Its elements, where it has any.
    #[serde(default)]
    pub elements: Option<Strength>,
    /// Its guns, where it is a battery or may be based as one.
    #[serde(default)]
    pub guns: Option<Strength>,
    /// Rapid-fire elements among its own.
    #[serde(default)]
    pub organic: Strength,
    /// What those fire, the usual weapon first.
    #[serde(default)]
    pub organic_weapons: Vec<String>,
    /// The worst and the best it was.
    pub quality: (Class, Class),
    /// What it carried, the usual weapon first.
    pub weapons: Vec<String>,
    /// Orders it was trained for.
    #[serde(default)]
    pub orders: Vec<Spacing>,
    /// Line troops: they learn loose order with their army.
    #[serde(default)]
    pub line: bool,
    /// How nimble a battery was, the usual class first.
    #[serde(default)]
    pub class: Vec<GunClass>,
    /// Its rapid-fire weapons stood on carriages and were handled as guns (carriage-a).
    #[serde(default)]
    pub carriage: bool,
    /// Cavalry that fought on foot too.
    #[serde(default)]
    pub can_dismount: bool,
    /// When it had it, if not always.
    #[serde(default)]
    pub years: Option<Years>,
}

/// An army.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmyList {
    /// Its name for people.
    pub name: String,
    /// When the list holds.
    pub years: Years,
    /// A war outside Europe (period-b).
    #[serde(default)]
    pub further: bool,
    /// The year line troops take to loose order.
    #[serde(default)]
    pub loose_line: Option<u16>,
    /// The year its batteries begin to fire indirectly.
    #[serde(default)]
    pub indirect_fire: Option<u16>,
    /// The year it gets the field telephone.
    #[serde(default)]
    pub field_telephone: Option<u16>,
    /// Units that stood together in one brigade-level command.
    pub mixes: Vec<Vec<String>>,
    /// Its units.
    pub units: BTreeMap<String, Template>,
}

impl ArmyList {
    /// Orders a unit of the list is trained for in a year (types-c, -d, -e).
    pub fn orders(&self, template: &Template, year: u16) -> Vec<Spacing> {
        let mut orders = template.orders.clone();
        let learned = template.line && self.loose_line.is_some_and(|from| year >= from);
        if learned && !orders.contains(&Spacing::Loose) {
            orders.push(Spacing::Loose);
        }
        orders
    }

    /// Whether these units of the list stood together.
    pub fn mixed(&self, templates: &[&str]) -> bool {
        self.mixes.iter().any(|mix| templates.iter().all(|key| mix.iter().any(|one| one == key)))
    }
}

/// Every list of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lists {
    /// The years the rules were written for (period-a).
    pub years: Years,
    /// The armies by their keys.
    pub armies: BTreeMap<String, Arc<ArmyList>>,
}

/// The lists of the house.
pub fn lists() -> Result<Lists, String> {
    read(TEXT)
}

fn read(text: &str) -> Result<Lists, String> {
    let mut faults = Faults::default();
    let sheet = Sheet::parse(text, &mut faults);
    let read = sheet.as_ref().and_then(|sheet| {
        let mut root = sheet.root();
        let _: Option<String> = root.get("format", &mut faults);
        let _: Option<String> = root.get("ruleset", &mut faults);
        let years = root.get("years", &mut faults);
        let mut armies = BTreeMap::new();
        let mut group = root.table("armies", &mut faults)?;
        for key in group.keys() {
            if let Some(army) = group.get::<ArmyList>(&key, &mut faults) {
                armies.insert(key, Arc::new(army));
            }
        }
        root.finish(&mut faults);
        Some(Lists { years: years?, armies })
    });
    match read {
        Some(lists) if faults.is_clean() => Ok(lists),
        _ => Err(format!("the army lists cannot be read: {faults}")),
    }
}
