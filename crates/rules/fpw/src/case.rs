//! What a case may say beyond a set-up: where the battle stands when it begins.

use super::clause::Clause;
use super::event::{FpwEvent, Part};
use super::field::Field;
use super::sequence::{Opening, Phase, Turn};
use super::unit::{Aspect, Impetus};
use book::enlist::{optional_side, read_entry, read_events};
use engine::{Event, Faults, SheetTable, Side, UnitId};
use serde::Deserialize;

/// The parts of a turn by name, in the order they come.
const PARTS: [(&str, Part); 7] = [
    ("upkeep", Part::Upkeep),
    ("initiative", Part::Initiative),
    ("command", Part::Command),
    ("generals", Part::Generals),
    ("combat", Part::Combat),
    ("recovery", Part::Recovery),
    ("end", Part::End),
];

/// Two units that touch when the case begins.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ContactEntry {
    unit: UnitId,
    with: UnitId,
    /// On which side of `unit` the other stands.
    #[serde(default = "front")]
    aspect: Aspect,
    /// On which side of the other `unit` stands.
    #[serde(default = "front")]
    other_aspect: Aspect,
    #[serde(default)]
    impetus: Option<Impetus>,
    #[serde(default)]
    other_impetus: Option<Impetus>,
}

fn front() -> Aspect {
    Aspect::Front
}

/// Reads `contacts`, `after` and `start`, and puts the battle there.
pub fn arrange(root: &mut SheetTable<'_, '_>, field: Field, faults: &mut Faults) -> Option<Field> {
    let mut events = read_events(root, "contacts", &field, faults, Clause::TouchingFight, |entry: ContactEntry| {
        let ContactEntry { unit, with, aspect, other_aspect, impetus, other_impetus } = entry;
        FpwEvent::Contact { unit, with, aspect, other_aspect, impetus, other_impetus }
    });
    events.extend(read_events(root, "after", &field, faults, Clause::CommandSecond, |event: FpwEvent| event));
    let field = field.folded(&events);
    let Some(mut table) = root.table("start", faults) else {
        root.fault("start", "a case says where it starts: start = { active = SIDE, part = \"command\" }", faults);
        return None;
    };
    let turn: u16 = table.optional("turn", faults).unwrap_or(1);
    let active = optional_side(&field.muster().sides, "active", &mut table, faults).unwrap_or(Side::A);
    let first = optional_side(&field.muster().sides, "first", &mut table, faults).unwrap_or(Side::A);
    let part = read_part(&mut table, faults);
    let agenda: Option<Vec<Phase>> = read_entry(&mut table, "agenda", &field, faults);
    table.finish(faults);
    let mut began = vec![Event::own(Clause::InitiativeFirst, FpwEvent::Began { side: first })];
    let now = part.map_or(Part::Command, |(_, part)| part);
    began.push(Event::own(Clause::InitiativeFirst, FpwEvent::Part { side: active, part: now }));
    let agenda = match (agenda, part) {
        (Some(agenda), _) => agenda,
        (None, Some((step, _))) => vec![Phase::Turn(Turn { side: active, step })],
        (None, None) => vec![Phase::Opening(Opening::Deploy { done: 0 })],
    };
    if let [Phase::Opening(_)] = agenda.as_slice() {
        began.truncate(1);
    }
    Some(field.folded(&began).with_agenda(agenda, turn))
}

/// The step of the turn a case begins with; none for the deployment.
fn read_part(table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<(u8, Part)> {
    let word: String = table.optional("part", faults)?;
    let found = PARTS.iter().position(|(name, _)| *name == word);
    if found.is_none() && word != "deployment" {
        let names: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
        let what = format!("`{word}` is no part; expected deployment, {}", names.join(", "));
        table.fault("part", what, faults);
    }
    found.map(|step| (step as u8, PARTS[step].1))
}
