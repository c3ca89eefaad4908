//! Who is set up with whom: brigades, their generals, and what they are worth..

use crate::field::{Field, facts};
use crate::force;
use crate::unit::Rank;
use engine::{CommandId, CommanderId, Side, UnitId, Whereabouts};

/// The brigade a unit is set up with; none for independent units and army troops, which come last.
pub fn brigade_of(field: &Field, unit: UnitId) -> Option<CommandId> {
    let command = field.card(unit).command.filter(|_| !facts(field, unit).independent)?;
    let general = field.muster().command(command).commander;
    let army = general.is_some_and(|id| field.muster().commander(id).facts.rank == Rank::Army);
    (!army).then_some(command)
}

/// Units of a side that are no parts of others, in roster order.
pub fn wholes(field: &Field, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    field.muster().unit_ids().filter(move |id| field.side_of(*id) == side && facts(field, *id).part.is_none())
}

/// The units set up together.
pub fn units_of(field: &Field, side: Side, brigade: Option<CommandId>) -> impl Iterator<Item = UnitId> + '_ {
    wholes(field, side).filter(move |id| brigade_of(field, *id) == brigade)
}

/// The brigades of a side: commands with units of their own, below the army.
pub fn brigades(field: &Field, side: Side) -> Vec<CommandId> {
    let mut found: Vec<CommandId> = wholes(field, side).filter_map(|id| brigade_of(field, id)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a brigade is off the table.
pub fn is_absent(field: &Field, brigade: Option<CommandId>) -> bool {
    brigade.is_some_and(|brigade| field.ledger().absent.iter().any(|one| one.brigade == brigade))
}

/// Whether a command is another one or stands above it.
fn is_over(field: &Field, above: CommandId, below: CommandId) -> bool {
    let mut next = Some(below);
    while let Some(command) = next {
        if command == above {
            return true;
        }
        next = field.muster().command(command).parent;
    }
    false
}

/// The brigades under a general.
fn under(field: &Field, general: CommanderId) -> Vec<CommandId> {
    let card = field.muster().commander(general);
    let mut all = brigades(field, card.side);
    all.retain(|brigade| is_over(field, card.commands, *brigade));
    all
}

/// Generals not on the table yet who come with a brigade: its own, and those of its division if it is the first of it.
/// With the army troops comes everybody else whose troops are not off the table.
pub fn generals_with(field: &Field, side: Side, brigade: Option<CommandId>) -> Vec<CommanderId> {
    let off = |id: &CommanderId| field.commander(*id).whereabouts == Whereabouts::OffTable;
    let own = field.muster().commander_ids().filter(|id| field.muster().commander(*id).side == side).filter(off);
    let comes = |id: &CommanderId| {
        let card = field.muster().commander(*id);
        let army = card.facts.rank == Rank::Army;
        match brigade {
            Some(brigade) => !army && is_over(field, card.commands, brigade),
            None => army || !under(field, *id).into_iter().any(|brigade| is_absent(field, Some(brigade))),
        }
    };
    own.filter(comes).collect()
}

/// What is kept off the table with these brigades: units and generals all of whose brigades are among them.
pub fn points_off(field: &Field, side: Side, off: &[CommandId]) -> u32 {
    let away = wholes(field, side).filter(|id| brigade_of(field, *id).is_some_and(|brigade| off.contains(&brigade)));
    let units: u32 = away.map(|id| facts(field, id).points).sum();
    let generals = field.muster().commander_ids().filter(|id| field.muster().commander(*id).side == side);
    let away = generals.filter(|id| {
        let (card, brigades) = (field.muster().commander(*id), under(field, *id));
        card.facts.rank != Rank::Army && !brigades.is_empty() && brigades.iter().all(|brigade| off.contains(brigade))
    });
    units + away.map(|id| field.muster().commander(id).facts.points).sum::<u32>()
}

/// Whether no more than the share allowed is kept off.
pub fn may_keep_off(field: &Field, side: Side, off: &[CommandId]) -> bool {
    let share = field.charts().constant.off_board_share.value;
    let (kept, allowed) = share.used(points_off(field, side, off), force::points(field, side));
    kept <= allowed
}

/// Brigades of a side still to be set up; army troops and independent units only when nothing else is left.
pub fn left(field: &Field, side: Side, placed: &[Option<CommandId>]) -> Vec<Option<CommandId>> {
    let todo = |brigade: &Option<CommandId>| {
        let off = |id: UnitId| field.unit(id).whereabouts == Whereabouts::OffTable;
        !placed.contains(brigade)
            && !is_absent(field, *brigade)
            && (units_of(field, side, *brigade).any(off) || !generals_with(field, side, *brigade).is_empty())
    };
    let some: Vec<Option<CommandId>> = brigades(field, side).into_iter().map(Some).filter(todo).collect();
    if some.is_empty() { [None].into_iter().filter(todo).collect() } else { some }
}
