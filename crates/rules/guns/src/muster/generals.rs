//! Generals of a set-up: the tree of commands from brigades up to armies (level-c, R86).

use super::super::charts::Charts;
use super::super::clause::Clause;
use super::super::settings::Scale;
use super::super::unit::{Ability, Health, Level, Officer, Staff};
use super::Roll;
use engine::setup::{Mode, read_zones};
use engine::{CommandCard, CommandId, CommanderCard, CommanderId, Faults, SheetTable};
use serde_json::Value;
use std::ops::Range;
use table::{Footprint, Pose};

/// Who is above whom, as written, until everybody has been read.
struct Superior {
    of: usize,
    key: String,
    span: Range<usize>,
}

/// A screen that is out when a case begins.
#[derive(Clone, Debug)]
pub(super) struct ScreenOut {
    pub pose: Option<Pose>,
    pub parents: Vec<String>,
    pub span: Range<usize>,
}

/// What is written of a general and waits until everybody is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    /// His brigade's opening order.
    pub order: Option<(Value, Range<usize>)>,
    /// The unit he rides with in a case.
    pub attached: Option<(String, Range<usize>)>,
    /// His screen, where it is out already.
    pub screen: Option<ScreenOut>,
}

pub(super) fn read_generals(
    root: &mut SheetTable<'_, '_>,
    charts: &Charts,
    scale: Scale,
    roll: &mut Roll,
    faults: &mut Faults,
) {
    let width = charts.base.element.value.at(scale);
    let stand = Footprint { width, depth: width };
    let mut superiors = Vec::new();
    for (key, mut table) in root.group("generals", faults) {
        read_general(key, &mut table, stand, roll, &mut superiors, faults);
        table.finish(faults);
    }
    for Superior { of, key, span } in superiors {
        match find_superior(roll, of, &key) {
            Ok(parent) => {
                let command = roll.commanders[of].commands;
                roll.commands[command.index()].parent = Some(parent);
            }
            Err(what) => faults.push(span, "superior", what),
        }
    }
}

fn read_general(
    key: String,
    table: &mut SheetTable<'_, '_>,
    stand: Footprint,
    roll: &mut Roll,
    superiors: &mut Vec<Superior>,
    faults: &mut Faults,
) {
    let side = roll.side(table, faults);
    let name: String = table.optional("name", faults).unwrap_or_else(|| key.clone());
    let title: Option<String> = table.optional("command", faults);
    let level: Option<Level> = table.get("level", faults);
    let ability: Option<Ability> = table.optional("ability", faults);
    let superior: Option<String> = table.optional("superior", faults);
    let pose: Option<Pose> = table.optional("pose", faults);
    let zones = read_zones(table, faults);
    let order = table.json("order", faults).map(|order| (order, table.span_of("order")));
    if pose.is_none() && roll.mode == Mode::Battle && !table.has("pose") {
        table.fault("pose", "a general needs a place", faults);
    }
    let mut pending = Pending { order, ..Pending::default() };
    let health = if roll.mode == Mode::Case { read_case(table, &mut pending, faults) } else { Health::Fit };
    let (Some(side), Some(level)) = (side, level) else { return };
    if level != Level::Brigade {
        for (entry, is_there) in [("ability", ability.is_some()), ("order", pending.order.is_some())] {
            if is_there {
                let clause = if entry == "order" { Clause::OpeningOrders } else { Clause::CommanderAbility };
                table.fault(entry, format!("only a brigade's commander has one [{}]", clause.id()), faults);
            }
        }
    }
    // The officer bears the key; what he commands is named after it.
    roll.keys.claim(&key, table, faults);
    let command = format!("{key}-command");
    roll.keys.claim(&command, table, faults);
    let commander = CommanderId(roll.commanders.len() as u16);
    if let Some(superior) = superior {
        superiors.push(Superior { of: commander.index(), key: superior, span: table.span_of("superior") });
    }
    let commands = CommandId(roll.commands.len() as u16);
    roll.commands.push(CommandCard {
        key: command,
        name: title.unwrap_or_else(|| format!("{name}'s command")),
        side,
        parent: None,
        commander: Some(commander),
    });
    roll.spans.push(table.span());
    let telephone = roll.armies[side].field_telephone;
    let facts = Officer { level, ability, telephone, stand, zones };
    roll.commanders.push(CommanderCard { key, name, side, commands, facts });
    roll.commanders_at.push(pose);
    roll.staff.push(Staff { ability, health, ..Staff::default() });
    roll.pending.push(pending);
}

/// A case may begin with a general at the head of a unit, disabled, or with his skirmishers out.
fn read_case(table: &mut SheetTable<'_, '_>, pending: &mut Pending, faults: &mut Faults) -> Health {
    pending.attached = table.optional("attached", faults).map(|key| (key, table.span_of("attached")));
    if let Some(mut screen) = table.table("screen", faults) {
        let pose = screen.get("pose", faults);
        let parents = screen.get("parents", faults).unwrap_or_default();
        screen.finish(faults);
        pending.screen = Some(ScreenOut { pose, parents, span: screen.span() });
    }
    match table.optional("disabled", faults) {
        Some(bound) => Health::Disabled { bound },
        None => Health::Fit,
    }
}

fn find_superior(roll: &Roll, of: usize, key: &str) -> Result<CommandId, String> {
    let own = &roll.commanders[of];
    let found = roll.commanders.iter().find(|card| card.key == key);
    let above = found.ok_or_else(|| format!("no general is called `{key}`"))?;
    if above.side != own.side {
        return Err(format!("{} is on the other side", above.name));
    }
    // Ranks only go up, so that nobody can be his own superior's superior.
    if above.facts.level <= own.facts.level {
        return Err(format!("{} is not of a higher rank [{}]", above.name, Clause::CommandTree.id()));
    }
    Ok(above.commands)
}
