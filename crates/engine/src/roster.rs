//! The order of battle as a viewer knows it: the chain of command with its officers and units, line by line.

use crate::ids::{CommandId, CommanderId, Side, UnitId};
use crate::scene::{PieceKind, RosterLine};
use crate::state::{State, Whereabouts};
use crate::telling::Telling;
use crate::view::View;

/// The deepest chain of command anybody draws.
const DEEPEST: u8 = 12;

/// Both sides' lines; a unit nothing is known of has none.
pub fn lines<R: Telling>(view: &View<'_, R>) -> Vec<RosterLine> {
    let state: &State<R> = view;
    let mut lines = Vec::new();
    for side in Side::BOTH {
        let muster = state.muster();
        let roots = muster.command_ids().filter(|id| muster.command(*id).side == side);
        for root in roots.filter(|id| muster.command(*id).parent.is_none()) {
            command(state, root, 0, &mut lines);
        }
        for unit in muster.unit_ids().filter(|id| state.side_of(*id) == side) {
            if state.card(unit).command.is_none() {
                push_unit(state, unit, 0, &mut lines);
            }
        }
    }
    lines
}

fn command<R: Telling>(state: &State<R>, id: CommandId, depth: u8, lines: &mut Vec<RosterLine>) {
    if depth > DEEPEST {
        return;
    }
    let muster = state.muster();
    let card = muster.command(id);
    lines.push(RosterLine {
        depth,
        side: card.side,
        key: None,
        command: Some(format!("@{}", card.key)),
        name: card.name.clone(),
        kind: None,
        badges: Vec::new(),
        whereabouts: Whereabouts::OnTable,
    });
    for commander in muster.commander_ids().filter(|officer| muster.commander(*officer).commands == id) {
        push_commander(state, commander, depth + 1, lines);
    }
    for unit in muster.unit_ids().filter(|unit| state.card(*unit).command == Some(id)) {
        push_unit(state, unit, depth + 1, lines);
    }
    for below in muster.command_ids().filter(|below| muster.command(*below).parent == Some(id)) {
        command(state, below, depth + 1, lines);
    }
}

fn push_commander<R: Telling>(state: &State<R>, id: CommanderId, depth: u8, lines: &mut Vec<RosterLine>) {
    let card = state.muster().commander(id);
    let kind = if R::is_chief(&card.facts) { PieceKind::ChiefGeneral } else { PieceKind::General };
    lines.push(RosterLine {
        depth,
        side: card.side,
        key: Some(format!("@{}", card.key)),
        command: None,
        name: card.name.clone(),
        kind: Some(kind),
        badges: Vec::new(),
        whereabouts: state.commander(id).whereabouts,
    });
}

fn push_unit<R: Telling>(state: &State<R>, id: UnitId, depth: u8, lines: &mut Vec<RosterLine>) {
    let (card, unit) = (state.card(id), state.unit(id));
    if unit.whereabouts == Whereabouts::Unseen {
        return;
    }
    lines.push(RosterLine {
        depth,
        side: card.side,
        key: Some(format!("@{}", card.key)),
        command: None,
        name: card.name.clone(),
        kind: Some(R::kind(state, id)),
        badges: R::badges(state, id),
        whereabouts: unit.whereabouts,
    });
}
