//! Mustering: from a set-up to the opening state, with every fault of it written down (section B).

mod terms;
mod units;

use super::clause::Clause;
use super::event::Ledger;
use super::sequence::{Opening as OpeningPhase, Phase};
use super::unit::{Arm, Formation, Level, Officer, Rating, Rider, Soldiers};
use super::{Awi, case};
use crate::charts::Charts;
use book::enlist::{self, Keys};
use engine::ruleset::Opening;
use engine::setup::{Mode, read_zones};
use engine::{
    BySide, CommandCard, CommandId, CommanderCard, CommanderId, Deed, Event, Faults, Muster, SheetTable, Side,
    SideCard, StandSet, State, UnitCard,
};
use std::sync::Arc;
use table::{Point, Pose};
pub use units::{centred, sharpshooter_facts};

/// What is gathered while a set-up is read.
pub(super) struct Roll {
    pub sides: BySide<SideCard>,
    pub mode: Mode,
    /// Whether the battle begins with all pieces in place, so that units may be the worse for wear.
    pub deployed: bool,
    pub commands: Vec<CommandCard>,
    pub zones: Vec<Vec<(Point, Point)>>,
    pub commanders: Vec<CommanderCard<Awi>>,
    pub commanders_at: Vec<Option<Pose>>,
    pub units: Vec<UnitCard<Awi>>,
    pub units_at: Vec<Option<Pose>>,
    pub drawn_up: Vec<Formation>,
    pub soldiers: Vec<Soldiers>,
    keys: Keys,
    /// Where each command stands in the file.
    spans: Vec<std::ops::Range<usize>>,
}

/// Builds the opening state.
pub fn muster(
    root: &mut SheetTable<'_, '_>,
    opening: Opening<Awi>,
    mode: Mode,
    faults: &mut Faults,
) -> Option<State<Awi>> {
    let mut roll = Roll {
        sides: opening.header.sides.clone(),
        mode,
        deployed: root.optional("deployed", faults).unwrap_or(false),
        commands: Vec::new(),
        zones: Vec::new(),
        commanders: Vec::new(),
        commanders_at: Vec::new(),
        units: Vec::new(),
        units_at: Vec::new(),
        drawn_up: Vec::new(),
        soldiers: Vec::new(),
        keys: Keys::of(&opening.ground, root, faults),
        spans: Vec::new(),
    };
    let charts = &opening.charts;
    read_divisions(root, charts, &mut roll, faults);
    read_brigades(root, charts, &mut roll, faults);
    units::read_units(root, &opening, &mut roll, faults);
    units::read_sharpshooters(root, &opening, &mut roll, faults);
    check_chain(root, &opening, &roll, faults);
    let scenario = terms::read_scenario(root, &opening, &roll, faults);
    let muster = Muster {
        edition: opening.edition,
        title: opening.header.title.clone(),
        ground: Arc::new(opening.ground),
        sides: Arc::new(opening.header.sides),
        units: roll.units.into_iter().map(Arc::new).collect(),
        commanders: Arc::new(roll.commanders),
        commands: Arc::new(roll.commands),
        charts: Arc::new(opening.charts),
        settings: opening.settings,
        scenario,
        turn_limit: opening.header.turn_limit,
        digest: opening.digest,
    };
    let couriers = muster.settings.couriers.unwrap_or(muster.charts.courier.pool.value.get() as u8);
    let ledger = Ledger {
        active: muster.scenario.first.unwrap_or(Side::A),
        first: muster.scenario.first.unwrap_or(Side::A),
        orders: vec![None; muster.commands.len()],
        pool: muster.commands.iter().map(|card| if is_division(&muster, card) { couriers } else { 0 }).collect(),
        returning: vec![0; muster.commands.len()],
        couriers: Vec::new(),
        withdrawn: Vec::new(),
    };
    let pieces = roll
        .drawn_up
        .iter()
        .zip(&roll.soldiers)
        .zip(&muster.units)
        .map(|((formation, soldiers), card)| {
            (*formation, StandSet::first(u32::from(card.facts.stands)), soldiers.clone())
        })
        .collect();
    let riders = vec![Rider::default(); muster.commanders.len()];
    let agenda = vec![Phase::Opening(OpeningPhase::Deploy { done: 0 })];
    let state = State::new(muster, pieces, riders, ledger, agenda);
    let state = match mode {
        Mode::Battle => state,
        Mode::Case => case::arrange(root, place_all(state), faults)?,
    };
    if mode == Mode::Battle {
        super::deployment::check_defaults(&state, root, faults);
    }
    faults.is_clean().then_some(state)
}

fn is_division(muster: &Muster<Awi>, card: &CommandCard) -> bool {
    card.commander.is_some_and(|id| muster.commander(id).facts.level == Level::Division)
}

fn place_all(state: State<Awi>) -> State<Awi> {
    let scenario = &state.muster().scenario;
    let mut events = Vec::new();
    for (id, unit) in state.units() {
        if let Some(pose) = scenario.units_at.get(id.index()).copied().flatten() {
            let hidden = !state.card(id).facts.is_troops();
            let deed = Deed::Placed { unit: id, pose, formation: unit.body.formation, hidden };
            events.push(Event::new(Clause::MarksAreShown, deed));
        }
    }
    for (id, _) in state.commanders() {
        if let Some(to) = scenario.commanders_at.get(id.index()).copied().flatten() {
            events.push(Event::new(Clause::MarksAreShown, Deed::CommanderMoved { commander: id, to }));
        }
    }
    state.folded(&events)
}

impl Roll {
    pub(super) fn side(&self, table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<Side> {
        enlist::read_side(&self.sides, table, faults)
    }

    fn claim(&mut self, key: &str, table: &SheetTable<'_, '_>, faults: &mut Faults) {
        self.keys.claim(key, table, faults);
    }

    fn command(&self, key: &str) -> Option<CommandId> {
        self.commands.iter().position(|card| card.key == key).map(|n| CommandId(n as u16))
    }

    fn enlist(&mut self, key: String, name: String, side: Side, commands: CommandId, facts: Officer, at: Option<Pose>) {
        self.commands[commands.index()].commander = Some(CommanderId(self.commanders.len() as u16));
        self.commanders.push(CommanderCard { key, name, side, commands, facts });
        self.commanders_at.push(at);
    }
}

fn read_divisions(root: &mut SheetTable<'_, '_>, charts: &Charts, roll: &mut Roll, faults: &mut Faults) {
    for (key, mut table) in root.group("divisions", faults) {
        let side = roll.side(&mut table, faults);
        let name: String = table.optional("name", faults).unwrap_or_else(|| key.clone());
        let rating: Option<Rating> = table.get("rating", faults);
        let pose: Option<Pose> = table.optional("pose", faults);
        table.finish(faults);
        if pose.is_none() && roll.mode == Mode::Battle {
            table.fault("pose", "a commander needs a place", faults);
        }
        let (Some(side), Some(rating)) = (side, rating) else { continue };
        // The officer bears the key; his division is named after him.
        roll.claim(&key, &table, faults);
        let division = format!("{key}-division");
        roll.claim(&division, &table, faults);
        let id = CommandId(roll.commands.len() as u16);
        let title = format!("{name}'s division");
        roll.commands.push(CommandCard { key: division, name: title, side, parent: None, commander: None });
        roll.zones.push(Vec::new());
        roll.spans.push(table.span());
        let stand = charts.footprint.divisional_commander.footprint();
        roll.enlist(key, name, side, id, Officer { level: Level::Division, rating, stand }, pose);
    }
}

fn read_brigades(root: &mut SheetTable<'_, '_>, charts: &Charts, roll: &mut Roll, faults: &mut Faults) {
    for (key, mut table) in root.group("brigades", faults) {
        let side = roll.side(&mut table, faults);
        let name: String = table.optional("name", faults).unwrap_or_else(|| key.clone());
        let parent = table.optional::<String>("division", faults).and_then(|division| {
            let found = roll.command(&format!("{division}-division"));
            if found.is_none() {
                table.fault("division", format!("no division is called `{division}`"), faults);
            }
            found
        });
        if let (Some(parent), Some(side)) = (parent, side)
            && roll.commands[parent.index()].side != side
        {
            table.fault("division", "a brigade cannot belong to the other side's division", faults);
        }
        let zones = read_zones(&mut table, faults);
        let officer = table.table("commander", faults);
        if officer.is_none() && roll.mode == Mode::Battle && !table.has("commander") {
            table.fault("commander", "every brigade has one commander", faults);
        }
        table.finish(faults);
        let Some(side) = side else { continue };
        roll.claim(&key, &table, faults);
        let id = CommandId(roll.commands.len() as u16);
        roll.commands.push(CommandCard { key: key.clone(), name, side, parent, commander: None });
        roll.zones.push(zones);
        roll.spans.push(table.span());
        if let Some(mut officer) = officer {
            let name: String = officer.optional("name", faults).unwrap_or_else(|| format!("{key}-commander"));
            let rating: Option<Rating> = officer.get("rating", faults);
            let pose: Option<Pose> = officer.optional("pose", faults);
            let given: Option<String> = officer.optional("key", faults);
            officer.finish(faults);
            if pose.is_none() && roll.mode == Mode::Battle {
                officer.fault("pose", "a commander needs a place", faults);
            }
            let key = match given {
                Some(key) => {
                    roll.claim(&key, &officer, faults);
                    key
                }
                None => roll.keys.of_officer(&name, &officer, faults),
            };
            if let Some(rating) = rating {
                let stand = charts.footprint.brigade_commander.footprint();
                roll.enlist(key, name, side, id, Officer { level: Level::Brigade, rating, stand }, pose);
            }
        }
    }
}

/// The rule of three (R66): norms, with a caution.
fn check_chain(root: &SheetTable<'_, '_>, opening: &Opening<Awi>, roll: &Roll, faults: &mut Faults) {
    if roll.mode == Mode::Case {
        return;
    }
    let force = &opening.charts.force;
    for (n, card) in roll.commands.iter().enumerate() {
        let id = CommandId(n as u16);
        let span = roll.spans.get(n).cloned().unwrap_or_default();
        let brigades = roll.commands.iter().filter(|other| other.parent == Some(id)).count() as i32;
        let members: Vec<&UnitCard<Awi>> = roll.units.iter().filter(|unit| unit.command == Some(id)).collect();
        let is_division = card.key.ends_with("-division");
        let (count, least, most, norm, clause, what) = if is_division {
            let f = (force.division_least.value, force.division_most.value, force.division_norm.value);
            (brigades, f.0, f.1, f.2, Clause::DivisionOfThree, "brigades")
        } else {
            let f = (force.brigade_least.value, force.brigade_most.value, force.brigade_norm.value);
            (members.len() as i32, f.0, f.1, f.2, Clause::BrigadeOfThree, "units")
        };
        if count != norm.get() {
            let strange = if (least.get()..=most.get()).contains(&count) { "" } else { ", far from the norm" };
            let text =
                format!("{} has {count} {what}; the norm is {}{strange} [{}]", card.name, norm.get(), clause.id());
            faults.caution(span.clone(), &card.key, text);
        }
        if count == 0 {
            faults.push(span.clone(), &card.key, format!("{} commands nothing", card.name));
        }
        if !is_division && !members.is_empty() && members.iter().all(|unit| unit.facts.arm == Arm::Cavalry) {
            let clause = Clause::CavalryBrigade.id();
            if opening.settings.cavalry_brigades {
                let text = format!("{} is a brigade of horse, which both sides must agree to [{clause}]", card.name);
                faults.caution(span.clone(), &card.key, text);
            } else {
                let text = format!("{} is a brigade of horse, and it was agreed to have none [{clause}]", card.name);
                faults.push(span.clone(), &card.key, text);
            }
        }
    }
    for side in Side::BOTH {
        if !roll.units.iter().any(|unit| unit.side == side && unit.facts.is_troops()) {
            faults.push(root.span(), "units", format!("{} has no units", roll.sides[side].name));
        }
    }
}
