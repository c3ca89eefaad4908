//! What a case may say beyond a set-up: where the turn stands when it begins.

use super::Days;
use super::clause::Clause;
use super::event::{DaysEvent, Ledger, TurnStep};
use super::field::Field;
use super::muster::{overlaid, place_all};
use super::sequence::Phase;
use super::unit::Quality;
use book::enlist::{optional_side, read_entry, read_events};
use engine::{Event, Faults, SheetTable, Side};
use serde_json::Value;

/// Reads `ledger`, `after` and `start`, and puts the battle there.
pub fn arrange(root: &mut SheetTable<'_, '_>, field: Field, faults: &mut Faults) -> Option<Field> {
    // A case that begins before anybody is set up leaves it to the players to do so.
    let deploys = |value: &Value| value.get("step").and_then(Value::as_str) == Some("deployment");
    let field = if root.json("start", faults).as_ref().is_some_and(deploys) { field } else { place_all(field) };
    let field = with_ledger(root, field, faults);
    let after = read_events(root, "after", &field, faults, Clause::FivePhasesToATurn, |event: DaysEvent| event);
    let field = field.folded(&after);
    let Some(mut table) = root.table("start", faults) else {
        root.fault("start", "a case says where it starts: start = { step = \"rally\", turn = 2 }", faults);
        return None;
    };
    let turn: u16 = table.optional("turn", faults).unwrap_or(1);
    let step = read_step(&mut table, faults);
    let sides = field.muster().sides.clone();
    let first = optional_side(&sides, "initiative", &mut table, faults);
    let agenda: Option<Vec<Phase>> = read_entry(&mut table, "agenda", &field, faults);
    table.finish(faults);
    let mut began = Vec::new();
    let agenda = match (agenda, step) {
        (Some(agenda), step) => {
            began.extend(step.map(|(_, step)| Event::own(Clause::FivePhasesToATurn, DaysEvent::Step { step })));
            agenda
        }
        (None, Some((next, _))) => vec![Phase::Turn { next }],
        (None, None) => vec![Phase::Opening(Default::default())],
    };
    if !matches!(agenda.first(), Some(Phase::Opening(_))) {
        let side = first.unwrap_or(Side::A);
        began.push(Event::own(Clause::RollingForInitiative, DaysEvent::Initiative { side }));
        began.extend(usual_qualities(&field));
    }
    Some(field.folded(&began).with_agenda(agenda, turn))
}

/// Lays what a case says of fires, fords and the like over the empty ledger.
fn with_ledger(root: &mut SheetTable<'_, '_>, mut field: Field, faults: &mut Faults) -> Field {
    match root.json("ledger", faults) {
        Some(Value::Object(given)) => match overlaid::<Ledger>(&field, field.ledger(), &given) {
            Ok(ledger) => *field.ledger_mut() = ledger,
            Err(what) => root.fault("ledger", what, faults),
        },
        Some(_) => root.fault("ledger", "expected a table such as { fires = [] }", faults),
        None => {}
    }
    field
}

/// Generals are what the case says once the battle has begun, and capable where it says nothing.
fn usual_qualities(field: &Field) -> Vec<Event<Days>> {
    let open = field.muster().commander_ids().filter(|id| field.commander(*id).own.quality.is_none());
    let event = |general| {
        let quality = field.muster().commander(general).facts.quality.unwrap_or(Quality::Capable);
        DaysEvent::Quality { general, quality, successor: false }
    };
    open.map(|general| Event::own(Clause::HowGoodAGeneralIs, event(general))).collect()
}

/// The step a case begins with, and its number; none for the deployment.
fn read_step(table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<(u8, TurnStep)> {
    let word: String = table.optional("step", faults)?;
    let found = TurnStep::ALL.iter().position(|step| step.word() == word);
    if found.is_none() && word != "deployment" {
        let names: Vec<&str> = TurnStep::ALL.iter().map(|step| step.word()).collect();
        let what = format!("`{word}` is no step; expected deployment, {}", names.join(", "));
        table.fault("step", what, faults);
    }
    found.map(|n| (n as u8, TurnStep::ALL[n]))
}
