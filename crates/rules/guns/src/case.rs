//! What a case may say beyond a set-up: where the bound stands when it begins.

use super::clause::Clause;
use super::event::{BoundStep, GunsEvent};
use super::field::Field;
use super::sequence::Phase;
use super::unit::{Ability, Level};
use book::enlist::{read_entry, read_events};
use engine::{Event, Faults, SheetTable};

/// Reads `after` and `start`, and puts the battle there.
pub fn arrange(root: &mut SheetTable<'_, '_>, field: Field, faults: &mut Faults) -> Option<Field> {
    let after = read_events(root, "after", &field, faults, Clause::BothSidesEachStep, |event: GunsEvent| event);
    let field = field.folded(&after);
    let Some(mut table) = root.table("start", faults) else {
        root.fault("start", "a case says where it starts: start = { step = \"charges\", turn = 2 }", faults);
        return None;
    };
    let turn: u16 = table.optional("turn", faults).unwrap_or(1);
    let step = read_step(&mut table, faults);
    let agenda: Option<Vec<Phase>> = read_entry(&mut table, "agenda", &field, faults);
    table.finish(faults);
    let mut began = Vec::new();
    let agenda = match (agenda, step) {
        (Some(agenda), step) => {
            began.extend(step.map(|(_, step)| Event::own(Clause::BothSidesEachStep, GunsEvent::Step { step })));
            agenda
        }
        (None, Some((next, _))) => vec![Phase::Bound { next }],
        (None, None) => vec![Phase::Opening { deployed: false }],
    };
    if !matches!(agenda.first(), Some(Phase::Opening { .. })) {
        began.extend(usual_abilities(&field));
    }
    Some(field.folded(&began).with_agenda(agenda, turn))
}

/// Brigadiers of whom nothing is said are average once the battle has begun.
fn usual_abilities(field: &Field) -> Vec<Event<super::Guns>> {
    let muster = field.muster();
    let open = muster
        .commander_ids()
        .filter(|id| muster.commander(*id).facts.level == Level::Brigade && field.commander(*id).own.ability.is_none());
    let event = |general| GunsEvent::Ability { general, ability: Ability::Average };
    open.map(|general| Event::own(Clause::CommanderAbility, event(general))).collect()
}

/// The step a case begins with, and its number; none for the deployment.
fn read_step(table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<(u8, BoundStep)> {
    let word: String = table.optional("step", faults)?;
    let found = BoundStep::ALL.iter().position(|step| step.word() == word);
    if found.is_none() && word != "deployment" {
        let names: Vec<&str> = BoundStep::ALL.iter().map(|step| step.word()).collect();
        let what = format!("`{word}` is no step; expected deployment, {}", names.join(", "));
        table.fault("step", what, faults);
    }
    found.map(|n| (n as u8, BoundStep::ALL[n]))
}
