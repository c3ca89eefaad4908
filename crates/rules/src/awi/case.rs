//! What a case may say beyond a set-up: where the battle stands when it begins.

use super::Awi;
use super::clause::Clause;
use super::event::{AwiEvent, Courier};
use super::field::Field;
use super::order::Standing;
use super::sequence::{Opening, Phase, Turn};
use super::unit::Attack;
use engine::{Event, Faults, SheetTable, Side, names};
use serde::Deserialize;
use serde_json::Value;

/// Reads `start`, `standing`, `attacks` and `couriers` and puts the battle there.
pub fn arrange(root: &mut SheetTable<'_, '_>, field: Field, faults: &mut Faults) -> Option<Field> {
    let mut events = Vec::new();
    read_standing(root, &field, faults, &mut events);
    read_list(
        root,
        "attacks",
        &field,
        faults,
        |entry: AttackEntry| {
            let level = field.ground().level_at(entry.attack.from.vec());
            AwiEvent::Contact { unit: entry.by, attack: entry.attack, level, counter: false, by_pursuit: false }
        },
        &mut events,
    );
    read_list(root, "couriers", &field, faults, |courier: Courier| AwiEvent::CourierSent { courier }, &mut events);
    read_list(root, "after", &field, faults, |event: AwiEvent| event, &mut events);
    let field = field.folded(&events);
    let Some(mut table) = root.table("start", faults) else {
        root.fault("start", "a case says where it starts: start = { active = SIDE, part = \"movement\" }", faults);
        return None;
    };
    let turn: u16 = table.optional("turn", faults).unwrap_or(1);
    let active = read_side(&mut table, "active", &field, faults);
    let first = read_side(&mut table, "first", &field, faults);
    let part: Option<String> = table.optional("part", faults);
    let agenda = read_agenda(&mut table, &field, faults);
    table.finish(faults);
    let active = active.unwrap_or(Side::A);
    let step = match part.as_deref() {
        None => None,
        Some("rally") => Some(0),
        Some("movement") => Some(1),
        Some("firing") => Some(2),
        Some("melee") => Some(3),
        Some("end") => Some(4),
        Some("deployment") => None,
        Some(other) => {
            let what = format!("`{other}` is no part; expected deployment, rally, movement, firing, melee or end");
            table.fault("part", what, faults);
            None
        }
    };
    let agenda = match (agenda, step) {
        (Some(agenda), _) => agenda,
        (None, Some(step)) => vec![Phase::Turn(Turn { side: active, step })],
        (None, None) => vec![Phase::Opening(Opening::Deploy { done: 0 })],
    };
    let began = Event::own(Clause::TurnsAlternate, AwiEvent::Began { side: first.unwrap_or(Side::A) });
    Some(field.folded(&[began]).with_agenda(agenda, turn))
}

fn read_side(table: &mut SheetTable<'_, '_>, key: &str, field: &Field, faults: &mut Faults) -> Option<Side> {
    let name: String = table.optional(key, faults)?;
    let found = field.muster().sides.iter().find(|(_, card)| card.key == name).map(|(side, _)| side);
    if found.is_none() {
        table.fault(key, format!("no side is called `{name}`"), faults);
    }
    found
}

fn decode<T: serde::de::DeserializeOwned>(field: &Field, value: &Value) -> Result<T, String> {
    let inward = names::inward(field.muster(), value).map_err(|wrong| wrong.join("; "))?;
    serde_json::from_value(inward).map_err(|error| error.to_string())
}

fn read_agenda(table: &mut SheetTable<'_, '_>, field: &Field, faults: &mut Faults) -> Option<Vec<Phase>> {
    let value = table.json("agenda", faults)?;
    match decode(field, &value) {
        Ok(agenda) => Some(agenda),
        Err(what) => {
            table.fault("agenda", what, faults);
            None
        }
    }
}

fn read_standing(root: &mut SheetTable<'_, '_>, field: &Field, faults: &mut Faults, events: &mut Vec<Event<Awi>>) {
    let Some(mut table) = root.table("standing", faults) else { return };
    for key in table.keys() {
        let value = table.json(&key, faults);
        let command = field.muster().command_ids().find(|id| field.muster().command(*id).key == key);
        match (command, value.as_ref().map(|value| decode::<Standing>(field, value))) {
            (Some(to), Some(Ok(order))) => {
                events.push(Event::own(Clause::OrdersToBrigades, AwiEvent::OrderInForce { to, order }));
            }
            (None, _) => table.fault(&key, "no brigade has this key", faults),
            (_, Some(Err(what))) => table.fault(&key, what, faults),
            (_, None) => {}
        }
    }
}

#[derive(Deserialize)]
struct AttackEntry {
    by: engine::UnitId,
    #[serde(flatten)]
    attack: Attack,
}

fn read_list<T: serde::de::DeserializeOwned>(
    root: &mut SheetTable<'_, '_>,
    key: &str,
    field: &Field,
    faults: &mut Faults,
    event: impl Fn(T) -> AwiEvent,
    events: &mut Vec<Event<Awi>>,
) {
    let Some(value) = root.json(key, faults) else { return };
    match decode::<Vec<T>>(field, &value) {
        Ok(list) => events.extend(list.into_iter().map(|entry| Event::own(Clause::KindsOfMove, event(entry)))),
        Err(what) => root.fault(key, what, faults),
    }
}
