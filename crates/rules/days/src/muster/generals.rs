//! Generals of a set-up: the tree of commands from brigades up to the army (section 14, A-71).

use super::super::Days;
use super::super::charts::{count, reach};
use super::super::clause::Clause;
use super::super::force::general_price;
use super::super::unit::{Arm, Officer, Quality, Rank, Serves, Staff};
use super::Roll;
use engine::ruleset::Opening;
use engine::setup::{Mode, read_zones};
use engine::{CommandCard, CommandId, CommanderCard, CommanderId, Faults, SheetTable, Side};
use serde_json::{Map, Value};
use std::ops::Range;
use table::{Footprint, Pose};

/// What is written of a general and waits until everybody is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    /// Which arm listens to him, where the set-up says so.
    pub serves: Option<Serves>,
    /// Who is above him.
    pub superior: Option<(String, Range<usize>)>,
    /// The unit he is with in a case.
    pub attached: Option<(String, Range<usize>)>,
    /// His command begins off the table.
    pub off: bool,
    /// What a case says of him.
    pub state: Map<String, Value>,
}

/// What a case may say of a general.
const STATES: [&str; 6] = ["health", "routing", "rallied", "unhorsed", "moved", "lost_before"];

pub(super) fn read_generals(
    root: &mut SheetTable<'_, '_>,
    opening: &Opening<Days>,
    roll: &mut Roll,
    faults: &mut Faults,
) {
    for (key, mut table) in root.group("generals", faults) {
        read_general(key, &mut table, opening, roll, faults);
        table.finish(faults);
    }
    for n in 0..roll.commanders.len() {
        let Some((key, span)) = roll.pending[n].superior.clone() else {
            place_under_army(roll, n);
            continue;
        };
        match find_superior(roll, n, &key) {
            Ok(parent) => roll.commands[n].parent = Some(parent),
            Err(what) => faults.push(span, "superior", what),
        }
    }
}

fn read_general(
    key: String,
    table: &mut SheetTable<'_, '_>,
    opening: &Opening<Days>,
    roll: &mut Roll,
    faults: &mut Faults,
) {
    let side = roll.side(table, faults);
    let name: String = table.optional("name", faults).unwrap_or_else(|| key.clone());
    let title: Option<String> = table.optional("command", faults);
    let rank: Option<Rank> = table.get("rank", faults);
    let serves: Option<Serves> = table.optional("serves", faults);
    let quality: Option<Quality> = table.optional("quality", faults);
    let superior = table.optional("superior", faults).map(|key| (key, table.span_of("superior")));
    let pose: Option<Pose> = table.optional("pose", faults);
    let off: bool = table.optional("off_board", faults).unwrap_or(false);
    let zones = read_zones(table, faults);
    if pose.is_none() && !off && roll.mode == Mode::Battle && !table.has("pose") {
        table.fault("pose", "a general needs a place", faults);
    }
    let mut pending = Pending { serves, superior, off, ..Pending::default() };
    if roll.mode == Mode::Case {
        pending.attached = table.optional("attached", faults).map(|key| (key, table.span_of("attached")));
        for entry in STATES {
            pending.state.extend(table.json(entry, faults).map(|value| (entry.to_owned(), value)));
        }
    }
    let (Some(side), Some(rank)) = (side, rank) else { return };
    check_rank(table, rank, quality, &pending, roll, faults);
    roll.keys.claim(&key, table, faults);
    let command = format!("{key}-command");
    roll.keys.claim(&command, table, faults);
    let commander = CommanderId(roll.commanders.len() as u16);
    let commands = CommandId(roll.commands.len() as u16);
    roll.commands.push(CommandCard {
        key: command,
        name: title.unwrap_or_else(|| format!("{name}'s command")),
        side,
        parent: None,
        commander: Some(commander),
    });
    roll.spans.push(table.span());
    let stand = &opening.charts.stand.general;
    let facts = Officer {
        rank,
        serves: Serves::All,
        points: count(general_price(&opening.charts, rank)),
        quality,
        table: staff_table(roll, side, None),
        stand: Footprint { width: reach(stand.width), depth: reach(stand.depth) },
        zones,
    };
    roll.commanders.push(CommanderCard { key, name, side, commands, facts });
    roll.commanders_at.push(pose);
    roll.staff.push(Staff::default());
    roll.pending.push(pending);
}

/// The row of staff quality his nation dices on: that of his troops where allies fight side by side (days.14.1-c).
fn staff_table(roll: &Roll, side: Side, list: Option<usize>) -> String {
    let lists = &roll.armies[side].lists;
    let own = list.and_then(|list| lists.get(list)).or(lists.first());
    own.map_or_else(|| "standard".to_owned(), |(_, list)| list.staff.clone())
}

fn check_rank(
    table: &SheetTable<'_, '_>,
    rank: Rank,
    quality: Option<Quality>,
    pending: &Pending,
    roll: &Roll,
    faults: &mut Faults,
) {
    let mut tell = |entry: &str, clause: Clause, what: &str| {
        table.fault(entry, format!("{what} [{}]", clause.id()), faults);
    };
    match (rank, pending.serves) {
        (Rank::Army, Some(Serves::Infantry | Serves::Cavalry)) => {
            tell("serves", Clause::HorseAndFootGenerals, "the player's general serves all arms");
        }
        (Rank::Brigade | Rank::Division, Some(Serves::All)) => {
            tell("serves", Clause::HorseAndFootGenerals, "he belongs to the infantry or to the cavalry");
        }
        _ => {}
    }
    let battle = roll.mode == Mode::Battle;
    if battle && rank == Rank::Army && quality.is_some_and(|quality| quality != Quality::Capable) {
        tell("quality", Clause::ThePlayerIsCapable, "the player's general is capable, no more and no less");
    }
    if rank == Rank::Army && pending.superior.is_some() {
        tell("superior", Clause::ThePlayersOwnGeneral, "nobody is above the player's general");
    }
    if pending.off && rank != Rank::Brigade {
        tell("off_board", Clause::WholeBrigadesOnly, "whole brigades stay off the table");
    }
    if pending.off && !roll.off_board {
        tell("off_board", Clause::AThirdInHand, "nobody may stay off the table: set off_board = true at the top");
    }
}

/// Whoever has no superior is under the army's general.
fn place_under_army(roll: &mut Roll, n: usize) {
    let own = &roll.commanders[n];
    if own.facts.rank == Rank::Army {
        return;
    }
    let army = roll.commanders.iter().find(|card| card.side == own.side && card.facts.rank == Rank::Army);
    let parent = army.map(|card| card.commands);
    roll.commands[n].parent = parent;
}

fn find_superior(roll: &Roll, of: usize, key: &str) -> Result<CommandId, String> {
    let own = &roll.commanders[of];
    let found = roll.commanders.iter().find(|card| card.key == key);
    let above = found.ok_or_else(|| format!("no general is called `{key}`"))?;
    if above.side != own.side {
        return Err(format!("{} is on the other side", above.name));
    }
    // Ranks only go up, so that nobody can be his own superior's superior.
    if above.facts.rank <= own.facts.rank {
        return Err(format!("{} is not of a higher rank [{}]", above.name, Clause::EveryoneHasAGeneral.id()));
    }
    Ok(above.commands)
}

/// Each general below the army's belongs to the arm of most of his units; guns and engineers follow either. He is
/// of the nation of his own troops.
pub(super) fn settle_arms(roll: &mut Roll, faults: &mut Faults) {
    for n in 0..roll.commanders.len() {
        let command = roll.commanders[n].commands;
        let list = roll.units.iter().filter(|unit| unit.card.command == Some(command)).find_map(|unit| unit.list);
        roll.commanders[n].facts.table = staff_table(roll, roll.commanders[n].side, list);
        if roll.commanders[n].facts.rank == Rank::Army {
            continue;
        }
        let (foot, horse) = (arms_below(roll, n, Arm::Infantry), arms_below(roll, n, Arm::Cavalry));
        let usual = if horse > foot { Serves::Cavalry } else { Serves::Infantry };
        let given = roll.pending[n].serves;
        if given.is_some_and(|given| given != usual) && foot != horse {
            let what = format!("most of his units are {} [{}]", usual.word(), Clause::HorseAndFootGenerals.id());
            let path = format!("generals.{}.serves", roll.commanders[n].key);
            faults.caution(roll.spans[n].clone(), &path, what);
        }
        roll.commanders[n].facts.serves = given.unwrap_or(usual);
    }
}

fn arms_below(roll: &Roll, command: usize, arm: Arm) -> usize {
    let below = |id: CommandId| {
        let mut next = Some(id);
        while let Some(at) = next {
            if at.index() == command {
                return true;
            }
            next = roll.commands.get(at.index()).and_then(|card| card.parent);
        }
        false
    };
    let own = |unit: &&super::Enlisted| unit.card.facts.arm == arm && unit.card.command.is_some_and(below);
    roll.units.iter().filter(own).count()
}
