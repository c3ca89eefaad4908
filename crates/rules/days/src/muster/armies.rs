//! Army lists: what an army of the period could field. They are white-lists; the file is `armies/days.toml`.

use super::super::formation::Formation;
use super::super::unit::{Arm, Trait};
use engine::{Faults, Sheet};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The file.
const TEXT: &str = include_str!("../../../armies/days.toml");

/// The points a limit of the lists is written for.
const LIMITS_PER: u32 = 800; // tidy: allow(what the limits of our own army lists are counted by)

/// From so many to so many, both counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Range(pub u8, pub u8);

impl Range {
    /// Whether a number is among them.
    pub fn holds(self, number: usize) -> bool {
        (usize::from(self.0)..=usize::from(self.1)).contains(&number)
    }

    /// The most a force of so many points may have: in proportion, rounded up.
    pub fn most(self, size: u32) -> u32 {
        scaled(u32::from(self.1), size)
    }

    /// The fewest it must have.
    pub fn fewest(self, size: u32) -> u32 {
        scaled(u32::from(self.0), size)
    }
}

/// A number for every 800 points in proportion to a size, rounded up.
pub fn scaled(number: u32, size: u32) -> u32 {
    number.saturating_mul(size).div_ceil(LIMITS_PER)
}

/// A unit of a list.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its name for people.
    pub name: String,
    /// What it fights as.
    pub arm: Arm,
    /// What it is.
    pub flags: Vec<Trait>,
    /// Sets of further flags, of which the buyer takes one.
    #[serde(default)]
    pub choice: Vec<Vec<Trait>>,
    /// Classes, of which the buyer takes one.
    pub classes: Vec<u8>,
    /// Stands of a unit, models of a battery.
    pub size: Range,
    /// Weapons, of which the buyer takes one.
    pub weapons: Vec<String>,
    /// How many an army may have for every 800 points.
    #[serde(default)]
    pub limit: Option<Range>,
    /// Only in brigades whose infantry is all of the Guard.
    #[serde(default)]
    pub guard: bool,
    /// Only where a scenario provides for it.
    #[serde(default)]
    pub scenario_only: bool,
    /// Classes in which it is always in skirmish order.
    #[serde(default)]
    pub skirmish_only: Vec<u8>,
    /// The states that had it.
    #[serde(default)]
    pub states: Vec<String>,
}

/// An army.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmyList {
    /// Its name for people.
    pub name: String,
    /// Which of the two games it belongs to.
    pub edition: String,
    /// Its row in the national table of staff quality.
    pub staff: String,
    /// Battalions of an infantry brigade.
    pub infantry_brigade: Range,
    /// Regiments of a cavalry brigade.
    #[serde(default)]
    pub cavalry_brigade: Option<Range>,
    /// The units of a brigade share one of their states.
    #[serde(default)]
    pub brigade_of_one_state: bool,
    /// How its battalions fought as a rule.
    #[serde(default)]
    pub usual_formation: Option<Formation>,
    /// Its units.
    pub units: BTreeMap<String, Entry>,
}

/// What every list has in common; shares are percentages of the agreed points.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Composition {
    pub cavalry_percent: u32,
    pub artillery_percent: u32,
    pub class_4_percent: u32,
    /// Independent units for every 800 points.
    pub independent: u32,
    pub independent_class_1_infantry: bool,
    /// The fewest units of a brigade.
    pub brigade_units: usize,
    /// Lists that may serve in one army.
    pub allied_lists: usize,
}

/// Staff, the same for all lists.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct StaffEntry {
    pub name: String,
    pub rank: String,
    #[serde(default)]
    pub arms: Vec<String>,
    #[serde(default)]
    pub exactly: Option<usize>,
    #[serde(default)]
    pub per_brigade: Option<usize>,
    #[serde(default)]
    pub limit: Option<Range>,
    #[serde(default)]
    pub pioneers: Option<u8>,
    #[serde(default)]
    pub pontoon: Option<u8>,
}

/// Every list of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lists {
    /// What they have in common.
    pub composition: Composition,
    /// Generals and engineers, by the end of their keys: `s1` to `s4`.
    pub staff: BTreeMap<String, StaffEntry>,
    /// The armies by their keys.
    pub armies: BTreeMap<String, Arc<ArmyList>>,
}

/// The key of the engineers among the staff of every list.
pub const ENGINEERS: &str = "s4";

impl Lists {
    /// The armies of one of the two games.
    pub fn of<'l>(&'l self, edition: &'l str) -> impl Iterator<Item = (&'l String, &'l Arc<ArmyList>)> + 'l {
        self.armies.iter().filter(move |(_, list)| list.edition == edition)
    }
}

/// An entry among some lists, by its key in capitals or not, with the place of its list.
pub fn entry<'l>(
    lists: impl IntoIterator<Item = &'l Arc<ArmyList>>,
    key: &str,
) -> Option<(usize, &'l ArmyList, &'l Entry)> {
    let key = key.to_lowercase();
    let found = |(place, list): (usize, &'l Arc<ArmyList>)| Some((place, list.as_ref(), list.units.get(&key)?));
    lists.into_iter().enumerate().find_map(found)
}

/// Whether a key is that of the engineers of some list: `s4`, `pr-s4`.
pub fn is_engineers(key: &str) -> bool {
    let key = key.to_lowercase();
    key == ENGINEERS || key.rsplit_once('-').is_some_and(|(_, end)| end == ENGINEERS)
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
        let composition = root.get("composition", &mut faults);
        let staff = root.get("staff", &mut faults);
        let mut armies = BTreeMap::new();
        let mut group = root.table("lists", &mut faults)?;
        for key in group.keys() {
            if let Some(army) = group.get::<ArmyList>(&key, &mut faults) {
                armies.insert(key, Arc::new(army));
            }
        }
        root.finish(&mut faults);
        Some(Lists { composition: composition?, staff: staff?, armies })
    });
    match read {
        Some(lists) if faults.is_clean() => Ok(lists),
        _ => Err(format!("the army lists cannot be read: {faults}")),
    }
}
