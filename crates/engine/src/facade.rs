//! One viewer's knowledge with its type erased: the same object serves terminal, server, browser and Python.

use crate::dice::Lots;
use crate::event::Event;
use crate::ids::{CommanderId, DecisionNo, Side, UnitId, Viewer};
use crate::names;
use crate::odds::Odds;
use crate::roster;
use crate::ruleset::{Outcome, Ruleset};
use crate::scene::{Ghost, PieceKind, Prompt, RosterLine, Scene, SceneFeature, ScenePiece, Sketch, Told};
use crate::state::{Muster, State};
use crate::telling::Telling;
use crate::verdict::{Note, Verdict};
use crate::view::View;
use serde::Serialize;
use serde_json::{Value, json};
use table::{Length, Point, Pose, Quad};

/// An order as JSON, pieces named by `@key`.
pub type Draft = Value;

/// One viewer's knowledge.
pub trait Board {
    /// The table.
    fn scene(&self) -> Scene;
    /// The question, where this viewer is asked one.
    fn prompt(&self) -> Option<Prompt>;
    /// Judges a draft; an unreadable one gives the reason.
    fn check(&self, draft: &Draft) -> Result<Verdict, String>;
    /// Exact odds of a draft, as far as this viewer may know them.
    fn odds(&self, draft: &Draft) -> Option<Odds>;
    /// Lays the tape; refused where measuring beforehand is bad manners.
    fn measure(&self, a: Point, b: Point) -> Result<Length, Note>;
    /// Legal drafts worth considering, best guess first.
    fn candidates(&self, seed: u64, limit: usize) -> Vec<Draft>;
    /// The draft that declines.
    fn fallback(&self) -> Option<Draft>;
    /// A draft in words.
    fn phrase(&self, draft: &Draft) -> String;
    /// A typed order as a draft.
    fn parse(&self, words: &str) -> Result<Draft, String>;
    /// The words that answer the question.
    fn usage(&self) -> Vec<(String, String)>;
    /// The card of a unit or commander.
    fn card(&self, key: &str) -> Option<Vec<String>>;
    /// Where pieces would stand after a draft; nothing for a draft that cannot be read.
    fn ghosts(&self, draft: &Draft) -> Vec<Ghost>;
    /// Lines drawn for a draft, or for the question alone.
    fn aims(&self, draft: Option<&Draft>) -> Vec<Sketch>;
    /// What is drawn around a selected piece.
    fn sketches(&self, key: &str) -> Vec<Sketch>;
    /// The order of battle.
    fn roster(&self) -> Vec<RosterLine>;
    /// Phases of a turn in order, and which one is being played.
    fn ribbon(&self) -> (Vec<String>, Option<usize>);
    /// The sides whose answer is awaited, with the question's number.
    fn awaited(&self) -> Option<(DecisionNo, Vec<Side>)>;
    /// How the battle ended.
    fn outcome(&self) -> Option<Outcome>;
    /// The key of a unit a note is about.
    fn key_of(&self, unit: UnitId) -> Option<String>;
    /// Everything this viewer knows, for programs.
    fn dump(&self) -> Value;
}

/// The board of one battle for one viewer.
pub struct TypedBoard<'a, R: Telling> {
    view: View<'a, R>,
}

impl<'a, R: Telling> TypedBoard<'a, R> {
    /// Makes the board.
    pub fn new(view: View<'a, R>) -> Self {
        TypedBoard { view }
    }

    fn side(&self) -> Option<Side> {
        let asked = self.view.asked()?;
        match self.view.viewer() {
            // A side whose answer is sealed has nothing left to say.
            Viewer::Side(side) => (asked.who.includes(side) && self.view.sealed(side).is_none()).then_some(side),
            _ => None,
        }
    }

    fn find(&self, key: &str) -> Option<Found> {
        let (key, muster) = (key.trim_start_matches('@'), self.view.muster());
        let unit = muster.unit_ids().find(|id| muster.unit(*id).key == key).map(Found::Unit);
        unit.or_else(|| muster.commander_ids().find(|id| muster.commander(*id).key == key).map(Found::Commander))
    }

    fn decode(&self, draft: &Draft) -> Result<R::Order, String> {
        decode::<R>(&self.view, draft)
    }

    fn encode(&self, order: &R::Order) -> Draft {
        encode::<R>(&self.view, order)
    }
}

/// A piece found by its key.
enum Found {
    Unit(UnitId),
    Commander(CommanderId),
}

/// From a draft to an order.
pub fn decode<R: Ruleset>(state: &State<R>, draft: &Draft) -> Result<R::Order, String> {
    let inward = names::inward(state.muster(), draft).map_err(|wrong| wrong.join("; "))?;
    serde_json::from_value(inward).map_err(|error| error.to_string())
}

/// From an order to a draft.
pub fn encode<R: Ruleset>(state: &State<R>, order: &R::Order) -> Draft {
    names::outward(state.muster(), &serde_json::to_value(order).unwrap_or(Value::Null))
}

/// An event as this viewer is told it; nothing where it is not for his ears.
pub fn tell<R: Telling>(view: &View<'_, R>, event: &Event<R>) -> Option<Told> {
    if !event.audience.includes(view.viewer()) {
        return None;
    }
    let plain = serde_json::to_value(&event.deed).unwrap_or(Value::Null);
    Some(Told {
        text: R::tell(view, event),
        clause: event.clause.to_string(),
        also: event.also.iter().map(ToString::to_string).collect(),
        rolls: event.rolls.iter().map(ToString::to_string).collect(),
        reckoning: event.reckoning.as_ref().and_then(|reckoning| serde_json::to_value(reckoning).ok()),
        event: names::outward(view.muster(), &flat(plain)),
    })
}

/// `{"own":{"volley":{…}}}` becomes `{"event":"volley",…}`, the form in which files and programs see events.
fn flat(value: Value) -> Value {
    let (name, inner) = match value {
        Value::String(name) => (name, Value::Null),
        Value::Object(map) if map.len() == 1 => match map.into_iter().next() {
            Some(pair) => pair,
            None => return Value::Null,
        },
        other => return other,
    };
    if name == "own" {
        return flat(inner);
    }
    let mut out = serde_json::Map::new();
    out.insert("event".to_owned(), Value::String(name));
    match inner {
        Value::Object(fields) => out.extend(fields),
        Value::Null => {}
        other => drop(out.insert("of".to_owned(), other)),
    }
    Value::Object(out)
}

/// Rounds a covered ground to corners for drawing.
pub fn corners(quad: &Quad) -> [Point; 4] {
    quad.corners.map(Point::from_vec)
}

impl<R: Telling> Board for TypedBoard<'_, R> {
    fn scene(&self) -> Scene {
        scene(&self.view)
    }

    fn prompt(&self) -> Option<Prompt> {
        let side = self.side()?;
        Some(R::prompt(&self.view, self.view.asked()?, side))
    }

    fn check(&self, draft: &Draft) -> Result<Verdict, String> {
        let order = self.decode(draft)?;
        let (Some(asked), Some(side)) = (self.view.asked(), self.side()) else {
            return Err("you are not asked anything now".to_owned());
        };
        Ok(R::check(&self.view, asked, side, &order))
    }

    fn odds(&self, draft: &Draft) -> Option<Odds> {
        let order = self.decode(draft).ok()?;
        R::odds(&self.view, self.view.asked()?, self.side()?, &order)
    }

    fn measure(&self, a: Point, b: Point) -> Result<Length, Note> {
        R::may_measure(&self.view).map(|()| a.distance(b))
    }

    fn candidates(&self, seed: u64, limit: usize) -> Vec<Draft> {
        let (Some(asked), Some(side)) = (self.view.asked(), self.side()) else { return Vec::new() };
        let orders = R::candidates(&self.view, asked, side, &mut Lots::new(seed), limit);
        orders.iter().map(|order| self.encode(order)).collect()
    }

    fn fallback(&self) -> Option<Draft> {
        let side = self.side()?;
        Some(self.encode(&R::fallback(&self.view, self.view.asked()?, side)))
    }

    fn phrase(&self, draft: &Draft) -> String {
        self.decode(draft).map_or_else(|error| error, |order| R::phrase(&self.view, &order))
    }

    fn parse(&self, words: &str) -> Result<Draft, String> {
        let (Some(asked), Some(side)) = (self.view.asked(), self.side()) else {
            return Err("you are not asked anything now".to_owned());
        };
        R::parse(&self.view, asked, side, words).map(|order| self.encode(&order))
    }

    fn usage(&self) -> Vec<(String, String)> {
        let usage = self.view.asked().map(R::usage).unwrap_or_default();
        usage.into_iter().map(|usage| (usage.words.to_owned(), usage.what.to_owned())).collect()
    }

    fn card(&self, key: &str) -> Option<Vec<String>> {
        match self.find(key)? {
            Found::Unit(unit) => Some(R::card(&self.view, unit)),
            Found::Commander(commander) => Some(R::officer_card(&self.view, commander)),
        }
    }

    fn ghosts(&self, draft: &Draft) -> Vec<Ghost> {
        let (Some(asked), Some(side)) = (self.view.asked(), self.side()) else { return Vec::new() };
        self.decode(draft).map(|order| R::ghosts(&self.view, asked, side, &order)).unwrap_or_default()
    }

    fn aims(&self, draft: Option<&Draft>) -> Vec<Sketch> {
        let (Some(asked), Some(side)) = (self.view.asked(), self.side()) else { return Vec::new() };
        match draft.map(|draft| self.decode(draft)) {
            None => R::aims(&self.view, asked, side, None),
            Some(Ok(order)) => R::aims(&self.view, asked, side, Some(&order)),
            Some(Err(_)) => Vec::new(),
        }
    }

    fn sketches(&self, key: &str) -> Vec<Sketch> {
        match self.find(key) {
            Some(Found::Unit(unit)) => R::sketches(&self.view, unit),
            Some(Found::Commander(commander)) => R::officer_sketches(&self.view, commander),
            None => Vec::new(),
        }
    }

    fn roster(&self) -> Vec<RosterLine> {
        roster::lines(&self.view)
    }

    fn ribbon(&self) -> (Vec<String>, Option<usize>) {
        let (phases, now) = R::ribbon(&self.view);
        (phases.into_iter().map(str::to_owned).collect(), now)
    }

    fn awaited(&self) -> Option<(DecisionNo, Vec<Side>)> {
        let asked = self.view.asked()?;
        Some((asked.no, Side::BOTH.into_iter().filter(|side| asked.who.includes(*side)).collect()))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.view.outcome().cloned()
    }

    fn key_of(&self, unit: UnitId) -> Option<String> {
        let card = self.view.muster().units.get(unit.index())?;
        Some(format!("@{}", card.key))
    }

    fn dump(&self) -> Value {
        pieces_json(&self.view)
    }
}

/// The pieces by key, for programs and for the checks of case files.
pub fn pieces_json<R: Telling>(state: &State<R>) -> Value {
    let muster = state.muster();
    let mut units = serde_json::Map::new();
    for (id, unit) in state.units().filter(|(_, unit)| unit.whereabouts != crate::state::Whereabouts::Unseen) {
        let mut entry = json!({
            "side": muster.sides[state.side_of(id)].key,
            "pose": unit.body.pose,
            "formation": unit.body.formation,
            "whereabouts": unit.whereabouts,
        });
        merge(&mut entry, named(muster, &unit.own));
        units.insert(state.card(id).key.clone(), entry);
    }
    let mut commanders = serde_json::Map::new();
    for (id, commander) in state.commanders() {
        let card = muster.commander(id);
        let mut entry = json!({
            "side": muster.sides[card.side].key,
            "pose": commander.pose,
            "whereabouts": commander.whereabouts,
        });
        merge(&mut entry, named(muster, &commander.own));
        commanders.insert(card.key.clone(), entry);
    }
    let asked = state
        .asked()
        .map(|asked| json!({ "no": asked.no, "who": asked.who, "decision": named(muster, &asked.decision) }));
    json!({
        "turn": state.turn(),
        "when": R::when(state),
        "units": units,
        "commanders": commanders,
        "ledger": named(muster, state.ledger()),
        "asked": asked,
        "outcome": state.outcome(),
    })
}

/// A part of a state with its ids turned into keys. Only what the rulebook wrote goes through here: a unit that a
/// set-up calls `u1` keeps its name.
fn named<R: Ruleset>(muster: &Muster<R>, part: &impl Serialize) -> Value {
    names::outward(muster, &serde_json::to_value(part).unwrap_or(Value::Null))
}

fn merge(into: &mut Value, from: Value) {
    if let (Value::Object(into), Value::Object(from)) = (into, from) {
        into.extend(from);
    }
}

fn scene<R: Telling>(view: &View<'_, R>) -> Scene {
    let state: &State<R> = view;
    let muster = state.muster();
    let features = muster
        .ground
        .features
        .iter()
        .map(|feature| SceneFeature {
            key: format!("@{}", feature.key),
            name: feature.name.clone(),
            kind: feature.kind,
            outline: feature.shape.outline().clone(),
            level: feature.level,
        })
        .collect();
    let mut pieces: Vec<ScenePiece> = Vec::new();
    for (id, unit) in state.units().filter(|(_, unit)| unit.is_present()) {
        let card = state.card(id);
        let layout = R::layout(&card.facts, unit.body.formation, unit.body.stands);
        pieces.push(ScenePiece {
            key: format!("@{}", card.key),
            name: card.name.clone(),
            side: card.side,
            kind: R::kind(state, id),
            pose: unit.pose(),
            stands: layout.quads(unit.pose()).map(|quad| corners(&quad)).collect(),
            formation: R::formation(unit.body.formation).to_owned(),
            command: card.command.map(|command| muster.command(command).name.clone()),
            badges: R::badges(state, id),
            looks: R::looks(state, id),
        });
    }
    for (id, commander) in state.commanders().filter(|(_, commander)| commander.is_present()) {
        let card = muster.commander(id);
        let kind = if R::is_chief(&card.facts) { PieceKind::ChiefGeneral } else { PieceKind::General };
        let command = Some(muster.command(card.commands).name.clone());
        let piece = single(&card.key, &card.name, card.side, kind, commander.pose, commander.quad());
        pieces.push(ScenePiece { command, ..piece });
    }
    pieces.extend(R::extras(view));
    Scene {
        title: muster.title.clone(),
        when: R::when(state),
        size: muster.ground.size,
        unit: R::unit(state),
        sides: [muster.sides[Side::A].name.clone(), muster.sides[Side::B].name.clone()],
        features,
        pieces,
    }
}

/// A piece of one stand.
pub fn single(key: &str, name: &str, side: Side, kind: PieceKind, pose: Pose, quad: &Quad) -> ScenePiece {
    ScenePiece {
        key: format!("@{key}"),
        name: name.to_owned(),
        side,
        kind,
        pose,
        stands: vec![corners(quad)],
        formation: String::new(),
        command: None,
        badges: Vec::new(),
        looks: Vec::new(),
    }
}
