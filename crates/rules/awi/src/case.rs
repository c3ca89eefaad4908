//! What a case may say beyond a set-up: where the battle stands when it begins.

use super::Awi;
use super::clause::Clause;
use super::event::{AwiEvent, Courier};
use super::field::Field;
use super::order::Standing;
use super::sequence::{Opening, Phase, Turn};
use super::unit::Attack;
use book::enlist::{decode, optional_side, read_entry, read_events};
use engine::{Event, Faults, SheetTable, Side};
use serde::Deserialize;

/// Reads `start`, `standing`, `attacks` and `couriers` and puts the battle there.
pub fn arrange(root: &mut SheetTable<'_, '_>, field: Field, faults: &mut Faults) -> Option<Field> {
    let mut events = Vec::new();
    read_standing(root, &field, faults, &mut events);
    let any = Clause::KindsOfMove;
    events.extend(read_events(root, "attacks", &field, faults, any, |entry: AttackEntry| {
        let level = field.ground().level_at(entry.attack.from.vec());
        AwiEvent::Contact { unit: entry.by, attack: entry.attack, level, counter: false, by_pursuit: false }
    }));
    let sent = |courier: Courier| AwiEvent::CourierSent { courier };
    events.extend(read_events(root, "couriers", &field, faults, any, sent));
    events.extend(read_events(root, "after", &field, faults, any, |event: AwiEvent| event));
    let field = field.folded(&events);
    let Some(mut table) = root.table("start", faults) else {
        root.fault("start", "a case says where it starts: start = { active = SIDE, part = \"movement\" }", faults);
        return None;
    };
    let turn: u16 = table.optional("turn", faults).unwrap_or(1);
    let active = optional_side(&field.muster().sides, "active", &mut table, faults);
    let first = optional_side(&field.muster().sides, "first", &mut table, faults);
    let part: Option<String> = table.optional("part", faults);
    let agenda: Option<Vec<Phase>> = read_entry(&mut table, "agenda", &field, faults);
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

fn read_standing(root: &mut SheetTable<'_, '_>, field: &Field, faults: &mut Faults, events: &mut Vec<Event<Awi>>) {
    let Some(mut table) = root.table("standing", faults) else { return };
    for key in table.keys() {
        let value = table.json(&key, faults);
        let command = field.muster().command_ids().find(|id| field.muster().command(*id).key == key);
        match (command, value.as_ref().map(|value| decode::<Awi, Standing>(field, value))) {
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
