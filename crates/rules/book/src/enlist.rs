//! What every muster needs: keys that are claimed once, sides by their names, sizes within reason, zones, and the lists a
//! case brings beside its set-up.

use engine::setup::slug;
use engine::{BySide, Event, Faults, Ruleset, SheetTable, Side, SideCard, State, names};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeSet;
use table::terrain::Ground;
use table::{Footprint, Length, Point, Quad, SLACK};

/// More units than this are no battle.
pub const MOST_UNITS: usize = 300;

/// The keys of a set-up: each names one thing.
pub struct Keys {
    taken: BTreeSet<String>,
    /// Keys of units further down in the file, which an officer's made-up key must not take.
    reserved: BTreeSet<String>,
}

impl Keys {
    /// Begins with the keys of the ground; those of the units are kept for them.
    pub fn of(ground: &Ground, root: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Keys {
        Keys {
            taken: ground.features.iter().map(|feature| feature.key.clone()).collect(),
            reserved: root.table("units", faults).map(|units| units.keys().into_iter().collect()).unwrap_or_default(),
        }
    }

    /// Claims a key of the file; a bad or a second one is a fault.
    pub fn claim(&mut self, key: &str, table: &SheetTable<'_, '_>, faults: &mut Faults) {
        let sound = !key.is_empty() && key.len() <= 60 && key.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
        if !sound {
            faults.push(table.span(), table.path(), "a key is made of letters, digits, - _ and .");
        }
        if !self.taken.insert(key.to_owned()) {
            faults.push(table.span(), table.path(), format!("the key `{key}` is used twice"));
        }
    }

    /// Takes a key the house made up itself.
    pub fn take(&mut self, key: &str) {
        self.taken.insert(key.to_owned());
    }

    /// A key for an officer who is only named: made of his name, with a number where the name is taken.
    pub fn of_officer(&mut self, name: &str, table: &SheetTable<'_, '_>, faults: &mut Faults) -> String {
        let plain = slug(name);
        let free = (1..)
            .map(|n| if n == 1 { plain.clone() } else { format!("{plain}-{n}") })
            .find(|key| !self.taken.contains(key) && !self.reserved.contains(key));
        let key = free.unwrap_or(plain);
        self.claim(&key, table, faults);
        key
    }
}

/// The side a table names under `side`, which must be there.
pub fn read_side(sides: &BySide<SideCard>, table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<Side> {
    let key: String = table.get("side", faults)?;
    find_side(sides, "side", &key, table, faults)
}

/// The side an entry names, where it is there.
pub fn optional_side(
    sides: &BySide<SideCard>,
    entry: &str,
    table: &mut SheetTable<'_, '_>,
    faults: &mut Faults,
) -> Option<Side> {
    let key: String = table.optional(entry, faults)?;
    find_side(sides, entry, &key, table, faults)
}

fn find_side(
    sides: &BySide<SideCard>,
    entry: &str,
    key: &str,
    table: &SheetTable<'_, '_>,
    faults: &mut Faults,
) -> Option<Side> {
    let found = sides.iter().find(|(_, card)| card.key == key).map(|(side, _)| side);
    if found.is_none() {
        table.fault(entry, format!("no side is called `{key}`"), faults);
    }
    found
}

/// The size of a stand a set-up asks for, if it asks and the size is within reason.
pub fn read_stand(table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<Footprint> {
    let size: Footprint = table.optional("stand", faults)?;
    // tidy: allow(bounds on sizes a set-up may ask for)
    let sound = |length: Length| length >= Length::mm(5.0) && length <= Length::whole_inches(12);
    if sound(size.width) && sound(size.depth) {
        return Some(size);
    }
    table.fault("stand", "a stand is 5mm to 12in wide and deep", faults);
    None
}

/// How many stands a set-up asks for.
pub fn read_stands(table: &mut SheetTable<'_, '_>, usual: u8, faults: &mut Faults) -> u8 {
    let stands: i64 = table.optional("stands", faults).unwrap_or(i64::from(usual));
    if !(1..=12).contains(&stands) {
        table.fault("stands", format!("{stands} is outside 1 to 12 stands"), faults);
        return usual;
    }
    stands as u8
}

/// Whether a rectangle lies in zones; without zones any place will do.
pub fn in_zones(zones: &[(Point, Point)], quad: &Quad) -> bool {
    let slack = SLACK.as_f64();
    let inside = |corner: table::Vec2| {
        zones.iter().any(|(low, high)| {
            corner.x >= low.x.as_f64() - slack
                && corner.y >= low.y.as_f64() - slack
                && corner.x <= high.x.as_f64() + slack
                && corner.y <= high.y.as_f64() + slack
        })
    };
    zones.is_empty() || quad.corners.iter().all(|corner| inside(*corner))
}

/// A value of a case in the rulebook's terms, keys turned into ids.
pub fn decode<R: Ruleset, T: DeserializeOwned>(state: &State<R>, value: &Value) -> Result<T, String> {
    let inward = names::inward(state.muster(), value).map_err(|wrong| wrong.join("; "))?;
    serde_json::from_value(inward).map_err(|error| error.to_string())
}

/// An entry of a case in the rulebook's terms, where it is there and can be read.
pub fn read_entry<R: Ruleset, T: DeserializeOwned>(
    table: &mut SheetTable<'_, '_>,
    key: &str,
    state: &State<R>,
    faults: &mut Faults,
) -> Option<T> {
    let value = table.json(key, faults)?;
    match decode(state, &value) {
        Ok(read) => Some(read),
        Err(what) => {
            table.fault(key, what, faults);
            None
        }
    }
}

/// A list of a case, each entry of which becomes an event.
pub fn read_events<R: Ruleset, T: DeserializeOwned>(
    table: &mut SheetTable<'_, '_>,
    key: &str,
    state: &State<R>,
    faults: &mut Faults,
    clause: R::Clause,
    event: impl Fn(T) -> R::Event,
) -> Vec<Event<R>> {
    let list: Option<Vec<T>> = read_entry(table, key, state, faults);
    list.unwrap_or_default().into_iter().map(|entry| Event::own(clause, event(entry))).collect()
}
