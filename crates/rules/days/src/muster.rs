//! From a set-up to the opening state, with every fault of it written down. Sections 4 to 11, B.

pub mod armies;
mod composition;
mod generals;
mod ground;
mod kind;
mod parts;
mod places;
mod terms;
#[cfg(test)]
mod tests;
mod units;

use super::clause::Clause;
use super::event::{DaysEvent, Ledger};
use super::formation::Formation;
use super::sequence::Phase;
use super::unit::{Crest, Part, Staff, Troops};
use super::{Days, case};
use armies::ArmyList;
pub use armies::{Lists, lists};
use book::enlist::{Keys, decode};
use engine::ruleset::Opening;
use engine::setup::Mode;
use engine::{
    BySide, CommandCard, CommanderCard, CommanderId, Deed, Event, Faults, FeatureId, Muster, SheetTable, Side,
    SideCard, StandSet, State, UnitCard, UnitId,
};
use generals::Pending;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::ops::Range;
use std::sync::Arc;
use table::terrain::Ground;
use table::{Length, Pose};

/// A side's army: its lists, and what it bought beside its troops.
#[derive(Clone, Debug, Default)]
struct Army {
    pub lists: Vec<(String, Arc<ArmyList>)>,
    /// The scenario gives it guns that no list sells.
    pub siege: bool,
    pub earthworks: Length,
    pub pontoons: Length,
    /// Where the file speaks of it.
    pub span: Range<usize>,
}

/// A part of a unit that is out when a case begins.
struct Out {
    pub part: Part,
    pub pose: Option<Pose>,
    pub stands: u8,
    pub formation: Option<Formation>,
    pub state: Map<String, Value>,
    pub span: Range<usize>,
}

/// A unit as read.
struct Enlisted {
    pub card: UnitCard<Days>,
    /// The number of its list among those of its side.
    pub list: Option<usize>,
    pub pose: Option<Pose>,
    pub formation: Formation,
    /// Stands or models its body has.
    pub left: u8,
    pub troops: Troops,
    /// What a case says of its state.
    pub state: Map<String, Value>,
    pub hidden: bool,
    pub crest: Option<Crest>,
    pub out: Vec<Out>,
    /// Where an engineer party's wagon stands.
    pub wagon: Option<Pose>,
    /// Where the file speaks of it.
    pub span: Range<usize>,
}

/// What is gathered while a set-up is read.
struct Roll {
    pub sides: BySide<SideCard>,
    pub mode: Mode,
    /// The agreed points.
    pub size: u32,
    /// Whether the battle begins with all pieces in place.
    pub deployed: bool,
    /// Whether brigades may be kept off the table.
    pub off_board: bool,
    /// Whether a die gives the players their edges.
    pub chance_edges: bool,
    pub armies: BySide<Army>,
    pub commands: Vec<CommandCard>,
    /// Where each command stands in the file.
    pub spans: Vec<Range<usize>>,
    pub commanders: Vec<CommanderCard<Days>>,
    pub commanders_at: Vec<Option<Pose>>,
    pub staff: Vec<Staff>,
    pub pending: Vec<Pending>,
    pub units: Vec<Enlisted>,
    pub keys: Keys,
}

/// Builds the opening state.
pub fn muster(
    root: &mut SheetTable<'_, '_>,
    mut opening: Opening<Days>,
    mode: Mode,
    faults: &mut Faults,
) -> Option<State<Days>> {
    let book = match lists() {
        Ok(book) => book,
        Err(what) => {
            faults.push(root.span(), "armies", what);
            return None;
        }
    };
    let mut roll = Roll {
        sides: opening.header.sides.clone(),
        mode,
        size: terms::read_size(root, mode, faults),
        deployed: root.optional("deployed", faults).unwrap_or(false),
        off_board: root.optional("off_board", faults).unwrap_or(false),
        chance_edges: root.optional("chance_edges", faults).unwrap_or(false),
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
    let natures = ground::survey(root, &mut opening, faults);
    terms::read_armies(root, &opening, &book, &mut roll, faults);
    generals::read_generals(root, &opening, &mut roll, faults);
    units::read_units(root, &opening, &book, &mut roll, faults);
    generals::settle_arms(&mut roll, faults);
    join_riders(&mut roll, faults);
    if mode == Mode::Battle {
        composition::check(root, &opening, &book, &roll, faults);
    }
    parts::add_parts(&opening, &mut roll, faults);
    let (scenario, by) = terms::read_scenario(root, &opening, &roll, natures, faults);
    let mut settings = opening.settings;
    settings.victory = by;
    let states: Vec<Map<String, Value>> = roll.units.iter_mut().map(|unit| std::mem::take(&mut unit.state)).collect();
    let told: Vec<Map<String, Value>> = roll.pending.iter_mut().map(|one| std::mem::take(&mut one.state)).collect();
    let body = |unit: &Enlisted| (unit.formation, StandSet::first(u32::from(unit.left)), unit.troops.clone());
    let pieces = roll.units.iter().map(body).collect();
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
    let state = State::new(muster, pieces, roll.staff, Ledger::new(), vec![Phase::Opening(Default::default())]);
    let state = match mode {
        Mode::Battle => state,
        Mode::Case => {
            let state = with_states(root, state, &states, &told, faults);
            case::arrange(root, state, faults)?
        }
    };
    if mode == Mode::Battle {
        places::check(&state, root, faults);
    }
    faults.is_clean().then_some(state)
}

/// Lays what a case says of its pieces over their fresh state.
fn with_states(
    root: &SheetTable<'_, '_>,
    mut state: State<Days>,
    units: &[Map<String, Value>],
    generals: &[Map<String, Value>],
    faults: &mut Faults,
) -> State<Days> {
    for (n, given) in units.iter().enumerate().filter(|(_, given)| !given.is_empty()) {
        let id = UnitId(n as u16);
        let read: Result<Troops, String> = overlaid(&state, &state.unit(id).own, given);
        match read {
            Ok(troops) => *state.unit_mut(id) = troops,
            Err(what) => faults.push(root.span_of("units"), &format!("units.{}", state.card(id).key), what),
        }
    }
    for (n, given) in generals.iter().enumerate().filter(|(_, given)| !given.is_empty()) {
        let id = CommanderId(n as u16);
        let read: Result<Staff, String> = overlaid(&state, &state.commander(id).own, given);
        match read {
            Ok(staff) => *state.commander_mut(id) = staff,
            Err(what) => {
                let path = format!("generals.{}", state.muster().commander(id).key);
                faults.push(root.span_of("generals"), &path, what);
            }
        }
    }
    state
}

/// What is there with what is given over it, in the rulebook's terms.
pub(super) fn overlaid<T: Serialize + DeserializeOwned>(
    state: &State<Days>,
    there: &T,
    given: &Map<String, Value>,
) -> Result<T, String> {
    let fresh = serde_json::to_value(there).unwrap_or_default();
    decode::<Days, T>(state, &laid_over(fresh, given)?)
}

/// Entries over entries, tables inside tables.
fn laid_over(fresh: Value, given: &Map<String, Value>) -> Result<Value, String> {
    let Value::Object(mut fresh) = fresh else { return Err("this state cannot be told".to_owned()) };
    for (key, value) in given {
        let Some(slot) = fresh.get_mut(key) else { return Err(format!("there is no `{key}` in this state")) };
        *slot = match (slot.take(), value) {
            (old @ Value::Object(_), Value::Object(inner)) => laid_over(old, inner)?,
            _ => value.clone(),
        };
    }
    Ok(Value::Object(fresh))
}

/// A case begins with everybody who has a place in it.
pub(super) fn place_all(state: State<Days>) -> State<Days> {
    let scenario = &state.muster().scenario;
    let mut events = Vec::new();
    for (id, unit) in state.units() {
        let Some(pose) = scenario.units_at.get(id.index()).copied().flatten() else { continue };
        let hidden = scenario.in_hiding.get(id.index()).copied().unwrap_or(false);
        let deed = Deed::Placed { unit: id, pose, formation: unit.body.formation, hidden };
        events.push(Event::new(Clause::WhereToSetUp, deed));
        if let Some(crest) = scenario.at_crest.get(id.index()).copied().flatten() {
            let event = DaysEvent::AtCrest { unit: id, crest: Some(crest) };
            events.push(Event::own(Clause::BehindTheCrestOrOver, event));
        }
    }
    for (id, at) in state.muster().commander_ids().zip(&scenario.commanders_at) {
        if let Some(to) = *at {
            events.push(Event::new(Clause::WhereToSetUp, Deed::CommanderMoved { commander: id, to }));
        }
    }
    state.folded(&events)
}

impl Roll {
    fn side(&self, table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Option<Side> {
        book::enlist::read_side(&self.sides, table, faults)
    }

    /// A unit by its key, written with or without `@`.
    fn unit(&self, key: &str) -> Option<UnitId> {
        let key = key.strip_prefix('@').unwrap_or(key);
        self.units.iter().position(|unit| unit.card.key == key).map(|n| UnitId(n as u16))
    }
}

/// A feature by its key, written with or without `@`.
fn find_feature(ground: &Ground, key: &str) -> Option<FeatureId> {
    let key = key.strip_prefix('@').unwrap_or(key);
    ground.numbered().find(|(_, feature)| feature.key == key).map(|(id, _)| FeatureId(id.0))
}

/// Finds the units generals are with in a case.
fn join_riders(roll: &mut Roll, faults: &mut Faults) {
    for n in 0..roll.commanders.len() {
        let Some((key, span)) = roll.pending[n].attached.clone() else { continue };
        let found = roll.unit(&key).filter(|id| roll.units[id.index()].card.side == roll.commanders[n].side);
        match found {
            Some(unit) => roll.staff[n].attached = Some(unit),
            None => faults.push(span, "attached", format!("no unit of his side is called `{key}`")),
        }
    }
}
