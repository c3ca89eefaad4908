//! Mustering: from a set-up to the opening state, with every fault of it written down (section B).

mod generals;
mod terms;
#[cfg(test)]
mod tests;
mod units;

use super::clause::Clause;
use super::event::{Ledger, Part};
use super::sequence::{Opening as OpeningPhase, Phase};
use super::unit::{Absence, Arm, Formation, Nation, Soldiers, Staff};
use super::{Fpw, case};
use book::enlist::Keys;
use engine::ruleset::Opening;
use engine::setup::Mode;
use engine::{
    BySide, CommandCard, CommandId, CommanderCard, Deed, Event, Faults, Muster, SheetTable, Side, SideCard, StandSet,
    State, UnitCard, UnitId,
};
use std::ops::Range;
use std::sync::Arc;
use table::{Point, Pose};

/// When and where reinforcements come on.
#[derive(Clone, Debug)]
pub(super) struct Arrival {
    pub turn: u16,
    pub zones: Vec<(Point, Point)>,
}

/// What is gathered while a set-up is read.
pub(super) struct Roll {
    pub sides: BySide<SideCard>,
    pub mode: Mode,
    /// Whether the battle begins with all pieces in place.
    pub deployed: bool,
    pub commands: Vec<CommandCard>,
    /// Where each command stands in the file.
    pub spans: Vec<Range<usize>>,
    /// When each command comes on, if it does not begin on the table.
    pub arrivals: Vec<Option<Arrival>>,
    pub commanders: Vec<CommanderCard<Fpw>>,
    pub commanders_at: Vec<Option<Pose>>,
    pub staff: Vec<Staff>,
    /// The unit each general rides with in a case, as written, and where it is written.
    pub riding: Vec<Option<(String, Range<usize>)>>,
    pub units: Vec<UnitCard<Fpw>>,
    pub units_at: Vec<Option<Pose>>,
    pub drawn_up: Vec<Formation>,
    pub soldiers: Vec<Soldiers>,
    pub hidden: Vec<bool>,
    /// Generals nobody has found yet; only in cases.
    pub concealed: Vec<bool>,
    pub keys: Keys,
}

/// Builds the opening state.
pub fn muster(
    root: &mut SheetTable<'_, '_>,
    opening: Opening<Fpw>,
    mode: Mode,
    faults: &mut Faults,
) -> Option<State<Fpw>> {
    let mut roll = Roll {
        sides: opening.header.sides.clone(),
        mode,
        deployed: root.optional("deployed", faults).unwrap_or(false),
        commands: Vec::new(),
        spans: Vec::new(),
        arrivals: Vec::new(),
        commanders: Vec::new(),
        commanders_at: Vec::new(),
        staff: Vec::new(),
        riding: Vec::new(),
        units: Vec::new(),
        units_at: Vec::new(),
        drawn_up: Vec::new(),
        soldiers: Vec::new(),
        hidden: Vec::new(),
        concealed: Vec::new(),
        keys: Keys::of(&opening.ground, root, faults),
    };
    generals::read_generals(root, &opening.charts, &mut roll, faults);
    generals::read_brigades(root, &mut roll, faults);
    units::read_units(root, &opening, &mut roll, faults);
    join_riders(&mut roll, faults);
    check_order_of_battle(root, &roll, faults);
    let (scenario, by) = terms::read_scenario(root, &opening, &roll, faults);
    let mut settings = opening.settings;
    settings.victory = by;
    let muster = Muster {
        edition: opening.edition,
        title: opening.header.title.clone(),
        ground: Arc::new(opening.ground),
        sides: Arc::new(opening.header.sides),
        units: roll.units.into_iter().map(Arc::new).collect(),
        commanders: Arc::new(roll.commanders),
        commands: Arc::new(roll.commands),
        charts: Arc::new(opening.charts),
        settings,
        scenario,
        turn_limit: opening.header.turn_limit,
        digest: opening.digest,
    };
    let first = muster.scenario.first.unwrap_or(Side::A);
    let ledger = Ledger { active: first, first, part: Part::Upkeep };
    let pieces = roll
        .drawn_up
        .iter()
        .zip(roll.soldiers)
        .zip(&muster.units)
        .map(|((formation, soldiers), card)| (*formation, StandSet::first(u32::from(card.facts.stands)), soldiers))
        .collect();
    let agenda = vec![Phase::Opening(OpeningPhase::Deploy { done: 0 })];
    let state = State::new(muster, pieces, roll.staff, ledger, agenda);
    let state = match mode {
        Mode::Battle => state,
        Mode::Case => case::arrange(root, place_all(state, &roll.hidden, &roll.concealed), faults)?,
    };
    if mode == Mode::Battle {
        super::deployment::check_defaults(&state, root, faults);
    }
    faults.is_clean().then_some(state)
}

/// A case begins with everybody who has a place in it and does not come on later.
fn place_all(state: State<Fpw>, hidden: &[bool], concealed: &[bool]) -> State<Fpw> {
    let scenario = &state.muster().scenario;
    let mut events = Vec::new();
    for (id, unit) in state.units().filter(|(id, _)| state.card(*id).facts.enters.is_none()) {
        if let Some(pose) = scenario.units_at.get(id.index()).copied().flatten() {
            let hidden = hidden.get(id.index()).copied().unwrap_or(false);
            let deed = Deed::Placed { unit: id, pose, formation: unit.body.formation, hidden };
            events.push(Event::new(Clause::HistoricalOrder, deed));
        }
    }
    for (id, general) in state.commanders() {
        let begins = state.muster().commander(id).facts.enters.is_none();
        let at = scenario.commanders_at.get(id.index()).copied().flatten().filter(|_| begins);
        let deed = match (general.own.absence, at) {
            (Absence::Present, Some(to)) if concealed.get(id.index()) == Some(&true) => {
                Deed::CommanderConcealed { commander: id, to }
            }
            (Absence::Present, Some(to)) => Deed::CommanderMoved { commander: id, to },
            (Absence::Present, None) => continue,
            _ => Deed::CommanderLost { commander: id },
        };
        events.push(Event::new(Clause::CommandStands, deed));
    }
    state.folded(&events)
}

impl Roll {
    pub(super) fn side(&self, table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<Side> {
        book::enlist::read_side(&self.sides, table, faults)
    }

    /// The nation a table names, or the one its side goes by.
    pub(super) fn nation(&self, table: &mut SheetTable<'_, '_>, side: Side, faults: &mut Faults) -> Nation {
        let given: Option<Nation> = table.optional("nation", faults);
        given.or(Nation::parse(&self.sides[side].key)).unwrap_or(Nation::German)
    }

    /// The command of a general.
    pub(super) fn command_of(&self, general: &str) -> Option<CommandId> {
        self.commanders.iter().find(|card| card.key == general).map(|card| card.commands)
    }

    /// A brigade by its key.
    pub(super) fn brigade(&self, key: &str) -> Option<CommandId> {
        let place = self.commands.iter().position(|card| card.key == key && card.commander.is_none());
        place.map(|n| CommandId(n as u16))
    }

    /// Whether a command is a brigade.
    pub(super) fn is_brigade(&self, id: CommandId) -> bool {
        self.commands[id.index()].commander.is_none()
    }

    /// The general a command is held by: its own, or a brigade's.
    pub(super) fn general_of(&self, command: CommandId) -> Option<&CommanderCard<Fpw>> {
        let card = &self.commands[command.index()];
        let holder = if card.commander.is_some() { Some(command) } else { card.parent };
        let officer = holder.and_then(|id| self.commands[id.index()].commander)?;
        self.commanders.get(officer.index())
    }
}

/// Finds the units generals ride with in a case.
fn join_riders(roll: &mut Roll, faults: &mut Faults) {
    for (n, riding) in roll.riding.iter().enumerate() {
        let Some((key, span)) = riding else { continue };
        let found = roll.units.iter().position(|card| card.key == *key && card.side == roll.commanders[n].side);
        match found {
            Some(unit) => roll.staff[n].attached = Some(UnitId(unit as u16)),
            None => faults.push(span.clone(), "attached", format!("no unit of his side is called `{key}`")),
        }
    }
}

/// Brigades of one arm, batteries of one level, nobody without troops (B.3).
fn check_order_of_battle(root: &SheetTable<'_, '_>, roll: &Roll, faults: &mut Faults) {
    if roll.mode == Mode::Case {
        return;
    }
    for (n, card) in roll.commands.iter().enumerate() {
        let id = CommandId(n as u16);
        let span = roll.spans.get(n).cloned().unwrap_or_default();
        let mut fault = |what: String| faults.push(span.clone(), &card.key, what);
        let members: Vec<&UnitCard<Fpw>> = roll.units.iter().filter(|unit| unit.command == Some(id)).collect();
        let below = roll.commands.iter().any(|other| other.parent == Some(id));
        if members.is_empty() && !below {
            fault(format!("{} commands nothing", card.name));
        }
        if !roll.is_brigade(id) {
            continue;
        }
        let kind = |unit: &&UnitCard<Fpw>| match unit.facts.arm {
            Arm::Infantry => 0,
            Arm::Cavalry => 1,
            Arm::FootArtillery | Arm::HorseArtillery => 2,
        };
        if members.windows(2).any(|pair| kind(&pair[0]) != kind(&pair[1])) {
            let clause = Clause::OneArm.id();
            fault(format!("{} mixes arms; foot, horse and guns are brigaded apart [{clause}]", card.name));
        } else if members.windows(2).any(|pair| pair[0].facts.level != pair[1].facts.level) {
            let clause = Clause::BatteryLevels.id();
            fault(format!("{} mixes batteries held at different levels [{clause}]", card.name));
        }
    }
    for side in Side::BOTH {
        if !roll.units.iter().any(|unit| unit.side == side) {
            faults.push(root.span(), "units", format!("{} has no units", roll.sides[side].name));
        }
    }
}
