//! Mustering: from a set-up to the opening state, with every fault of it written down (section B).

pub mod armies;
mod generals;
pub mod quality;
mod screens;
mod terms;
#[cfg(test)]
mod tests;
mod units;

use super::clause::Clause;
use super::event::{BoundStep, BrigadeRecord, GunsEvent, Ledger};
use super::formation::Formation;
use super::sequence::Phase;
use super::settings::Scenario;
use super::unit::{Level, Observer, Staff, Troops};
use super::{Guns, case};
use armies::ArmyList;
use book::enlist::{Keys, decode};
use engine::ruleset::Opening;
use engine::setup::Mode;
use engine::{
    BySide, CommandCard, CommandId, CommanderCard, Deed, Event, Faults, FeatureId, Muster, SheetTable, Side, SideCard,
    StandSet, State, UnitCard, UnitId,
};
use generals::Pending;
use serde_json::{Map, Value};
use std::ops::Range;
use std::sync::Arc;
use table::terrain::Ground;
use table::{Point, Pose};
pub use terms::enemy_baseline;
pub use units::base;

/// A side's army: its lists, and what it has learned.
#[derive(Clone, Debug, Default)]
struct Army {
    pub lists: Vec<(String, Arc<ArmyList>)>,
    pub indirect_fire: bool,
    pub field_telephone: bool,
}

impl Army {
    /// The number of a list among those of its side.
    fn position(&self, list: &ArmyList) -> Option<usize> {
        self.lists.iter().position(|(_, one)| std::ptr::eq(one.as_ref(), list))
    }
}

/// A unit as read.
struct Enlisted {
    pub card: UnitCard<Guns>,
    /// The number of its list among those of its side.
    pub list: Option<usize>,
    pub pose: Option<Pose>,
    pub formation: Formation,
    pub troops: Troops,
    /// What a case says of its state.
    pub state: Map<String, Value>,
    pub hidden: bool,
    pub defends: Option<FeatureId>,
    pub observer: Option<Point>,
}

/// What is gathered while a set-up is read.
struct Roll {
    pub sides: BySide<SideCard>,
    pub mode: Mode,
    pub year: u16,
    /// Whether the battle begins with all pieces in place.
    pub deployed: bool,
    pub armies: BySide<Army>,
    pub commands: Vec<CommandCard>,
    /// Where each command stands in the file.
    pub spans: Vec<Range<usize>>,
    pub commanders: Vec<CommanderCard<Guns>>,
    pub commanders_at: Vec<Option<Pose>>,
    pub staff: Vec<Staff>,
    pub pending: Vec<Pending>,
    pub units: Vec<Enlisted>,
    pub keys: Keys,
}

/// Builds the opening state.
pub fn muster(
    root: &mut SheetTable<'_, '_>,
    opening: Opening<Guns>,
    mode: Mode,
    faults: &mut Faults,
) -> Option<State<Guns>> {
    let mut roll = Roll {
        sides: opening.header.sides.clone(),
        mode,
        year: 0,
        deployed: root.optional("deployed", faults).unwrap_or(false),
        armies: BySide::default(),
        commands: Vec::new(),
        spans: Vec::new(),
        commanders: Vec::new(),
        commanders_at: Vec::new(),
        staff: Vec::new(),
        pending: Vec::new(),
        units: Vec::new(),
        keys: Keys::of(&opening.ground, root, faults),
    };
    terms::read_armies(root, &opening.settings, &mut roll, faults);
    generals::read_generals(root, &opening.charts, opening.settings.scale, &mut roll, faults);
    units::read_units(root, &opening, &mut roll, faults);
    screens::add_screens(&opening, &mut roll, faults);
    join_riders(&mut roll, faults);
    check_order_of_battle(root, &opening, &roll, faults);
    let buildings = terms::buildings(root, &opening, mode, faults);
    let (scenario, by) = terms::read_scenario(root, &opening, &roll, faults);
    let mut settings = opening.settings;
    settings.victory = by;
    let states: Vec<Map<String, Value>> = roll.units.iter_mut().map(|unit| std::mem::take(&mut unit.state)).collect();
    let pieces =
        roll.units.iter().map(|unit| (unit.formation, StandSet::first(standing(unit)), unit.troops.clone())).collect();
    let muster = Muster {
        edition: opening.edition,
        title: opening.header.title.clone(),
        ground: Arc::new(opening.ground),
        sides: Arc::new(opening.header.sides),
        units: roll.units.into_iter().map(|unit| Arc::new(unit.card)).collect(),
        commanders: Arc::new(roll.commanders),
        commands: Arc::new(roll.commands),
        charts: Arc::new(opening.charts),
        settings,
        scenario,
        turn_limit: opening.header.turn_limit,
        digest: opening.digest,
    };
    let ledger = Ledger {
        step: BoundStep::Activation,
        quarter: 0,
        brigades: vec![BrigadeRecord::default(); muster.commands.len()],
        buildings,
        plots: BySide::default(),
        groups: Vec::new(),
        lost: BySide::default(),
    };
    let state = State::new(muster, pieces, roll.staff, ledger, vec![Phase::Opening { deployed: false }]);
    let state = match mode {
        Mode::Battle => state,
        Mode::Case => {
            let state = with_states(root, state, &states, faults);
            case::arrange(root, place_all(state), faults)?
        }
    };
    if mode == Mode::Battle {
        super::deployment::check_defaults(&state, root, faults);
    }
    faults.is_clean().then_some(state)
}

/// How many elements of a unit stand on the table: a screen that is out has one of each parent.
fn standing(unit: &Enlisted) -> u32 {
    let out = unit.troops.parents.len();
    if unit.card.facts.screen && out > 0 { out as u32 } else { u32::from(unit.card.facts.elements) }
}

/// Lays what a case says of its units over their fresh state.
fn with_states(
    root: &SheetTable<'_, '_>,
    mut state: State<Guns>,
    states: &[Map<String, Value>],
    faults: &mut Faults,
) -> State<Guns> {
    for (n, given) in states.iter().enumerate().filter(|(_, given)| !given.is_empty()) {
        let id = UnitId(n as u16);
        let path = format!("units.{}", state.card(id).key);
        let fresh = serde_json::to_value(&state.unit(id).own).unwrap_or_default();
        match laid_over(fresh, given).and_then(|value| decode::<Guns, Troops>(&state, &value)) {
            Ok(troops) => *state.unit_mut(id) = troops,
            Err(what) => faults.push(root.span_of("units"), &path, what),
        }
    }
    state
}

/// Entries over entries, tables inside tables.
fn laid_over(fresh: Value, given: &Map<String, Value>) -> Result<Value, String> {
    let Value::Object(mut fresh) = fresh else { return Err("this state cannot be told".to_owned()) };
    for (key, value) in given {
        let Some(slot) = fresh.get_mut(key) else { return Err(format!("a unit's state has no `{key}`")) };
        *slot = match (slot.take(), value) {
            (old @ Value::Object(_), Value::Object(inner)) => laid_over(old, inner)?,
            _ => value.clone(),
        };
    }
    Ok(Value::Object(fresh))
}

/// A case begins with everybody who has a place in it, and with orders given.
fn place_all(state: State<Guns>) -> State<Guns> {
    let scenario = &state.muster().scenario;
    let mut events = Vec::new();
    for (id, unit) in state.units() {
        let Some(pose) = scenario.units_at.get(id.index()).copied().flatten() else { continue };
        let hidden = scenario.in_hiding.get(id.index()).copied().unwrap_or(false);
        let deed = Deed::Placed { unit: id, pose, formation: unit.body.formation, hidden };
        events.push(Event::new(Clause::TableAndBaselines, deed));
        let defends = scenario.defends.get(id.index()).copied().flatten();
        if let Some(feature) = defends.filter(|_| unit.own.defending.is_none()) {
            let event = GunsEvent::Defends { unit: id, feature: Some(feature) };
            events.push(Event::own(Clause::DefendersLoose, event));
        }
        if let Some(at) = scenario.observers_at.get(id.index()).copied().flatten() {
            let event = GunsEvent::ObserverMoved { battery: id, observer: Some(Observer::At(at)) };
            events.push(Event::own(Clause::ObserverCounter, event));
        }
    }
    for (id, at) in state.muster().commander_ids().zip(&scenario.commanders_at) {
        if let Some(to) = *at {
            events.push(Event::new(Clause::CommandTree, Deed::CommanderMoved { commander: id, to }));
        }
    }
    let state = state.folded(&events);
    let orders: Vec<Event<Guns>> =
        Side::BOTH.into_iter().flat_map(|side| super::deployment::opening_orders(&state, side, &[])).collect();
    state.folded(&orders)
}

impl Roll {
    pub(super) fn side(&self, table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<Side> {
        book::enlist::read_side(&self.sides, table, faults)
    }

    pub(super) fn enlist(&mut self, unit: Enlisted) {
        self.units.push(unit);
    }

    /// A unit by its key.
    pub(super) fn unit(&self, key: &str) -> Option<UnitId> {
        self.units.iter().position(|unit| unit.card.key == key).map(|n| UnitId(n as u16))
    }
}

/// A feature by its key, written with or without `@`.
pub(super) fn find_feature(ground: &Ground, key: &str) -> Option<FeatureId> {
    let key = key.strip_prefix('@').unwrap_or(key);
    ground.numbered().find(|(_, feature)| feature.key == key).map(|(id, _)| FeatureId(id.0))
}

/// Finds the units generals ride with in a case.
fn join_riders(roll: &mut Roll, faults: &mut Faults) {
    for n in 0..roll.commanders.len() {
        let Some((key, span)) = roll.pending[n].attached.clone() else { continue };
        let found = roll.unit(key.strip_prefix('@').unwrap_or(&key));
        match found.filter(|id| roll.units[id.index()].card.side == roll.commanders[n].side) {
            Some(unit) => roll.staff[n].attached = Some(unit),
            None => faults.push(span, "attached", format!("no unit of his side is called `{key}`")),
        }
    }
}

/// Nobody without troops, nobody without a general, nothing that never stood together (history-a).
fn check_order_of_battle(root: &SheetTable<'_, '_>, opening: &Opening<Guns>, roll: &Roll, faults: &mut Faults) {
    if roll.mode == Mode::Case {
        return;
    }
    for (n, card) in roll.commands.iter().enumerate() {
        let id = CommandId(n as u16);
        let span = roll.spans.get(n).cloned().unwrap_or_default();
        let is_brigade = roll.commanders.get(n).is_some_and(|general| general.facts.level == Level::Brigade);
        let has_units = roll.units.iter().any(|unit| unit.card.command == Some(id));
        let has_below = roll.commands.iter().any(|other| other.parent == Some(id));
        if !(if is_brigade { has_units } else { has_below }) {
            faults.push(span.clone(), &card.key, format!("{} commands nothing", card.name));
        }
        if !is_brigade || !opening.settings.historical_lists {
            continue;
        }
        for (number, (key, list)) in roll.armies[card.side].lists.iter().enumerate() {
            let own = roll.units.iter().filter(|unit| unit.card.command == Some(id) && unit.list == Some(number));
            let templates: Vec<&str> = own.filter_map(plain_template).collect();
            if !list.mixed(&templates) {
                let clause = Clause::HistoricalLists.id();
                let what = format!("{} mixes units that never stood together in {key} [{clause}]", card.name);
                faults.push(span.clone(), &card.key, what);
            }
        }
    }
    for side in Side::BOTH {
        if !roll.units.iter().any(|unit| unit.card.side == side) {
            faults.push(root.span(), "units", format!("{} has no units", roll.sides[side].name));
        }
    }
}

/// The template of a unit without the name of its list.
fn plain_template(unit: &Enlisted) -> Option<&str> {
    let key = unit.card.facts.template.as_deref()?;
    Some(key.rsplit_once('/').map_or(key, |(_, plain)| plain))
}

/// Everything a scenario keeps of its units, in their order.
fn scenario_of(roll: &Roll) -> Scenario {
    let strength = BySide::from_fn(|side| {
        let own = roll.units.iter().filter(|unit| unit.card.side == side && !unit.card.facts.screen);
        own.count() as u16
    });
    Scenario {
        year: roll.year,
        deployed: roll.deployed,
        units_at: roll.units.iter().map(|unit| unit.pose).collect(),
        drawn_up: roll.units.iter().map(|unit| Some(unit.formation)).collect(),
        in_hiding: roll.units.iter().map(|unit| unit.hidden).collect(),
        defends: roll.units.iter().map(|unit| unit.defends).collect(),
        observers_at: roll.units.iter().map(observer_of).collect(),
        commanders_at: roll.commanders_at.clone(),
        strength,
        ..Scenario::default()
    }
}

/// A battery that fires indirectly has its observer with it unless the set-up sends him elsewhere (R67).
fn observer_of(unit: &Enlisted) -> Option<Point> {
    let beside = unit.pose.filter(|_| unit.card.facts.indirect).map(|pose| pose.at);
    unit.observer.or(beside)
}
