//! What sort of unit the file asks for: an entry of an army list, the engineers' package, or, in a case and where lists
//! do not bind, whatever it says itself.

use super::super::clause::Clause;
use super::super::field::EMPIRE;
use super::super::unit::{Arm, Trait};
use super::armies::{self, Entry, Range};
use super::units::Reader;
use engine::setup::Mode;
use engine::{Faults, SheetTable, Side};

/// What may be chosen for a unit.
pub(super) struct Kind {
    pub arm: Arm,
    pub name: Option<String>,
    pub flags: Vec<Trait>,
    pub choice: Vec<Vec<Trait>>,
    pub classes: Vec<u8>,
    pub size: Option<Range>,
    pub weapons: Vec<String>,
    /// Classes in which it is always in skirmish order.
    pub skirmish_only: Vec<u8>,
    /// Its key in the list.
    pub entry: Option<String>,
    /// The number of its list among those of its side.
    pub list: Option<usize>,
}

impl Kind {
    fn of(entry: &Entry, key: &str, list: Option<usize>) -> Kind {
        Kind {
            arm: entry.arm,
            name: Some(entry.name.clone()),
            flags: entry.flags.clone(),
            choice: entry.choice.clone(),
            classes: entry.classes.clone(),
            size: Some(entry.size),
            weapons: entry.weapons.clone(),
            skirmish_only: entry.skirmish_only.clone(),
            entry: Some(key.to_lowercase()),
            list,
        }
    }

    /// Whether the buyer is bound by a list.
    pub fn is_listed(&self) -> bool {
        self.size.is_some()
    }
}

impl Reader<'_> {
    /// What the file asks for.
    pub(super) fn read_kind(
        &self,
        table: &mut SheetTable<'_, '_>,
        side: Option<Side>,
        faults: &mut Faults,
    ) -> Option<Kind> {
        let Some(key) = table.optional::<String>("entry", faults) else {
            if self.opening.settings.composition && self.roll.mode == Mode::Battle {
                let what = format!("which entry of its army's list is it [{}]", Clause::OrdersOfBattle.id());
                faults.push(table.span(), &table.join("entry"), what);
                return None;
            }
            let arm = table.optional("arm", faults).unwrap_or(Arm::Infantry);
            return Some(self.unlisted(arm));
        };
        if armies::is_engineers(&key) {
            let package = self.book.staff.get(armies::ENGINEERS);
            let name = package.map(|package| package.name.clone());
            return Some(Kind { name, entry: Some(key.to_lowercase()), ..self.unlisted(Arm::Engineers) });
        }
        let army = &self.roll.armies[side?];
        if let Some((list, _, entry)) = armies::entry(army.lists.iter().map(|(_, list)| list), &key) {
            if entry.scenario_only && self.opening.settings.composition && !army.siege {
                let clause = Clause::OrdersOfBattle.id();
                let what = format!("{} are for scenarios that provide for them: siege = true [{clause}]", entry.name);
                table.fault("entry", what, faults);
            }
            return Some(Kind::of(entry, &key, Some(list)));
        }
        // A case needs no armies: any list of the book will do.
        let any = armies::entry(self.book.of(self.edition()).map(|(_, list)| list), &key);
        match any.filter(|_| self.roll.mode == Mode::Case && army.lists.is_empty()) {
            Some((_, _, entry)) => Some(Kind::of(entry, &key, None)),
            None => {
                let names: Vec<&str> = army.lists.iter().map(|(_, list)| list.name.as_str()).collect();
                let clause = Clause::OrdersOfBattle.id();
                let what = match names.as_slice() {
                    [] => format!("`{key}` is in no list: its side names no army [{clause}]"),
                    _ => format!("`{key}` is not in the list of {} [{clause}]", names.join(", ")),
                };
                table.fault("entry", what, faults);
                None
            }
        }
    }

    /// A unit no list speaks of, with what is usual for its arm first.
    fn unlisted(&self, arm: Arm) -> Kind {
        let empire = self.opening.edition == EMPIRE;
        let (flags, weapon) = match arm {
            Arm::Infantry => (vec![Trait::LineInfantry], if empire { "smoothbore" } else { "dreyse" }),
            Arm::Cavalry => (vec![Trait::Light], "carbine"),
            Arm::Artillery => (vec![Trait::Foot], if empire { "field_gun" } else { "ml_field" }),
            Arm::Engineers | Arm::Wagon => (Vec::new(), ""),
        };
        Kind {
            arm,
            name: None,
            flags,
            choice: Vec::new(),
            classes: Vec::new(),
            size: None,
            weapons: vec![weapon.to_owned()],
            skirmish_only: Vec::new(),
            entry: None,
            list: None,
        }
    }
}
