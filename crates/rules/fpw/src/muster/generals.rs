//! Generals and brigades of a set-up: the chain of command (B.2).

use super::super::charts::Charts;
use super::super::clause::Clause;
use super::super::unit::{Absence, Level, Nation, Officer, Staff};
use super::{Arrival, Roll};
use engine::setup::{Mode, read_zones};
use engine::{CommandCard, CommandId, CommanderCard, CommanderId, Faults, SheetTable, Side};
use table::Pose;

/// Who is above whom, as written, until everybody has been read.
struct Superior {
    of: usize,
    key: String,
    span: std::ops::Range<usize>,
}

pub(super) fn read_generals(root: &mut SheetTable<'_, '_>, charts: &Charts, roll: &mut Roll, faults: &mut Faults) {
    let mut superiors = Vec::new();
    for (key, mut table) in root.group("generals", faults) {
        read_general(key, &mut table, charts, roll, &mut superiors, faults);
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
    inherit_arrivals(roll);
}

fn read_general(
    key: String,
    table: &mut SheetTable<'_, '_>,
    charts: &Charts,
    roll: &mut Roll,
    superiors: &mut Vec<Superior>,
    faults: &mut Faults,
) {
    let side = roll.side(table, faults);
    let name: String = table.optional("name", faults).unwrap_or_else(|| key.clone());
    let title: Option<String> = table.optional("command", faults);
    let level: Option<Level> = table.get("level", faults);
    let superior: Option<String> = table.optional("superior", faults);
    let pose: Option<Pose> = table.optional("pose", faults);
    let given: Option<u8> = table.optional("cv", faults);
    let arrival = read_arrival(table, faults);
    let staff = read_staff(table, roll.mode, faults);
    let riding: Option<String> = if roll.mode == Mode::Case { table.optional("attached", faults) } else { None };
    let concealed = roll.mode == Mode::Case && table.optional("hidden", faults).unwrap_or(false);
    if pose.is_none() && roll.mode == Mode::Battle && !table.has("pose") {
        table.fault("pose", "a general needs a place", faults);
    }
    let Some(side) = side else {
        let _: Option<Nation> = table.optional("nation", faults);
        return;
    };
    let nation = roll.nation(table, side, faults);
    let Some(level) = level else { return };
    let value = command_value(table, charts, level, nation, given, faults);
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
    roll.arrivals.push(arrival);
    let stand = charts.footprint.general.footprint();
    let facts = Officer { level, nation, value, stand, zones: Vec::new(), enters: None };
    roll.commanders.push(CommanderCard { key, name, side, commands, facts });
    roll.commanders_at.push(pose);
    roll.staff.push(staff);
    roll.concealed.push(concealed);
    roll.riding.push(riding.map(|unit| (unit, table.span_of("attached"))));
}

/// The book gives every rank its value; a set-up may repeat it, not change it.
fn command_value(
    table: &SheetTable<'_, '_>,
    charts: &Charts,
    level: Level,
    nation: Nation,
    given: Option<u8>,
    faults: &mut Faults,
) -> u8 {
    let book = charts.command_value(level, nation).value.clamp(0, i32::from(u8::MAX)) as u8;
    if given.is_some_and(|given| given != book) {
        let clause = match (level, nation) {
            (Level::Division, _) => Clause::DivisionValue,
            (_, Nation::French) => Clause::FrenchHigherValue,
            (_, Nation::German) => Clause::GermanHigherValue,
        };
        let what = format!("a {} general of this nation has the command value {book} [{}]", level.word(), clause.id());
        table.fault("cv", what, faults);
    }
    book
}

fn read_arrival(table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<Arrival> {
    let mut entry = table.table("enters", faults)?;
    let turn: Option<u16> = entry.get("turn", faults);
    let zones = read_zones(&mut entry, faults);
    entry.finish(faults);
    let turn = turn?;
    if turn == 0 {
        entry.fault("turn", "turns are counted from 1", faults);
    }
    Some(Arrival { turn, zones })
}

/// A case may begin in the middle of a general's turn.
fn read_staff(table: &mut SheetTable<'_, '_>, mode: Mode, faults: &mut Faults) -> Staff {
    if mode == Mode::Battle {
        return Staff::default();
    }
    Staff {
        attached: None,
        bonus: table.optional("bonus", faults).unwrap_or(0),
        raised: table.optional("raised", faults).unwrap_or(0),
        done: table.optional("done", faults).unwrap_or(false),
        absence: table.optional("absence", faults).unwrap_or(Absence::Present),
        rode: table.optional("rode", faults).unwrap_or(false),
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
        return Err(format!("{} is not of a higher rank", above.name));
    }
    Ok(above.commands)
}

/// Whoever serves under a general that comes on later comes on with him.
fn inherit_arrivals(roll: &mut Roll) {
    for n in 0..roll.commanders.len() {
        let own = roll.commanders[n].commands;
        let mut at = Some(own);
        let mut arrival = None;
        while let Some(command) = at.filter(|_| arrival.is_none()) {
            arrival = roll.arrivals[command.index()].clone();
            at = roll.commands[command.index()].parent;
        }
        if let Some(arrival) = &arrival {
            roll.commanders[n].facts.enters = Some(arrival.turn);
            roll.commanders[n].facts.zones = arrival.zones.clone();
        }
        roll.arrivals[own.index()] = arrival;
    }
}

pub(super) fn read_brigades(root: &mut SheetTable<'_, '_>, roll: &mut Roll, faults: &mut Faults) {
    for (key, mut table) in root.group("brigades", faults) {
        let name: String = table.optional("name", faults).unwrap_or_else(|| key.clone());
        let general: Option<String> = table.get("general", faults);
        let parent = general.as_ref().and_then(|general| {
            let found = roll.command_of(general);
            if found.is_none() {
                table.fault("general", format!("no general is called `{general}`"), faults);
            }
            found
        });
        table.finish(faults);
        roll.keys.claim(&key, &table, faults);
        // Without a general it is written down all the same, or each of its units would be called homeless too.
        let side = parent.map_or(Side::A, |parent| roll.commands[parent.index()].side);
        let arrival = parent.and_then(|parent| roll.arrivals[parent.index()].clone());
        roll.commands.push(CommandCard { key, name, side, parent, commander: None });
        roll.spans.push(table.span());
        roll.arrivals.push(arrival);
    }
}
