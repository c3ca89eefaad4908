//! A small field built by hand, for tests of staff, parts of units, works and fires.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::super::Days;
use super::super::super::clause::Clause;
use super::super::super::event::{DaysEvent, Ledger, TurnStep};
use super::super::super::field::Field;
use super::super::super::formation::{Formation, Shape};
use super::super::super::sequence::Phase;
use super::super::super::settings::{Nature, Scenario, Settings, Weight};
use super::super::super::unit::{Arm, Facts, Officer, Part, Quality, Rank, Serves, Staff, Troops};
use engine::battle::Keep;
use engine::chart::ChartTree;
use engine::state::{CommandCard, CommanderCard, Muster, SideCard, UnitCard};
use engine::{
    Battle, BySide, CommandId, CommanderId, Deed, EditionNo, Event, Ruleset, Scripted, Side, StandSet, State, UnitId,
    View, Viewer,
};
use smallvec::SmallVec;
use std::sync::Arc;
use table::terrain::{Feature, TerrainKind};
use table::{Angle, Footprint, Ground, Length, Outline, Point, Pose, Shape as Ground2};

/// Inches.
pub fn inch(length: f64) -> Length {
    Length::inches(length)
}

/// A place.
pub fn spot(x: f64, y: f64) -> Point {
    Point::new(inch(x), inch(y))
}

/// A pose.
pub fn at(x: f64, y: f64, facing: f64) -> Pose {
    Pose::new(spot(x, y), Angle::degrees(facing))
}

/// A unit of a test.
#[derive(Clone)]
pub struct Raw {
    pub side: Side,
    pub command: Option<CommandId>,
    pub facts: Facts,
    pub shape: Shape,
    pub stands: u8,
    pub pose: Option<Pose>,
    pub troops: Troops,
}

/// A unit of class 2.
pub fn unit(side: Side, arm: Arm, stands: u8, shape: Shape, pose: Pose) -> Raw {
    let stand = Footprint::new(inch(1.0), inch(1.0));
    let facts = Facts {
        arm,
        class: 2,
        traits: SmallVec::new(),
        weapon: String::new(),
        start: stands,
        points: 0,
        model_points: 0,
        independent: false,
        part: None,
        parts: SmallVec::new(),
        stand,
        limbered: stand,
        gap: inch(1.0),
        zones: Vec::new(),
        entry: None,
    };
    let troops = Troops::fresh(&facts);
    Raw { side, command: Some(CommandId(0)), facts, shape, stands, pose: Some(pose), troops }
}

/// Part of a unit, off the table.
pub fn part(of: &Raw, whole: u16, kind: Part) -> Raw {
    let mut raw = of.clone();
    raw.facts.part = Some((kind, UnitId(whole)));
    raw.facts.parts.clear();
    (raw.stands, raw.pose) = (0, None);
    raw
}

/// A general of a test: his command is his own number.
pub struct RawGeneral {
    pub side: Side,
    pub rank: Rank,
    pub serves: Serves,
    pub parent: Option<u16>,
    pub pose: Pose,
    pub staff: Staff,
}

/// A capable general of a brigade of infantry under the command with the number given.
pub fn general(parent: Option<u16>, rank: Rank, pose: Pose) -> RawGeneral {
    let staff = Staff { quality: Some(Quality::Capable), ..Staff::default() };
    RawGeneral { side: Side::A, rank, serves: Serves::Infantry, parent, pose, staff }
}

/// Any feature.
pub fn feature(kind: TerrainKind, outline: Outline) -> Feature {
    let shape = Ground2::new(outline).expect("a shape");
    Feature { key: "f".to_owned(), name: String::new(), kind, shape, level: 0, crests: Vec::new(), nature: Vec::new() }
}

/// A rectangle.
pub fn area(kind: TerrainKind, from: (f64, f64), to: (f64, f64)) -> Feature {
    let corners = vec![spot(from.0, from.1), spot(to.0, from.1), spot(to.0, to.1), spot(from.0, to.1)];
    feature(kind, Outline::Area(corners))
}

/// What a test begins with.
#[derive(Default)]
pub struct Table {
    pub edition: u8,
    pub units: Vec<Raw>,
    pub generals: Vec<RawGeneral>,
    pub features: Vec<Feature>,
    pub weight: Option<Weight>,
    pub wind: Option<Angle>,
    pub turn: u16,
    pub step: Option<TurnStep>,
}

impl Table {
    /// The field.
    pub fn field(self) -> Field {
        let edition = EditionNo(self.edition);
        let side =
            |key: &str| SideCard { key: key.to_owned(), name: key.to_owned(), edges: Vec::new(), zones: Vec::new() };
        let cards = self.units.iter().enumerate().map(|(no, raw)| {
            let key = format!("u{no}");
            let (name, side, command) = (key.clone(), raw.side, raw.command);
            Arc::new(UnitCard { name, key, side, command, facts: raw.facts.clone() })
        });
        let commanders = self.generals.iter().enumerate().map(|(no, raw)| {
            let facts = Officer {
                rank: raw.rank,
                serves: raw.serves,
                points: 0,
                quality: None,
                table: String::new(),
                stand: Footprint::new(inch(1.0), inch(1.0)),
                zones: Vec::new(),
            };
            let key = format!("g{no}");
            CommanderCard { name: key.clone(), key, side: raw.side, commands: CommandId(no as u16), facts }
        });
        let commands = self.generals.iter().enumerate().map(|(no, raw)| CommandCard {
            key: format!("c{no}"),
            name: format!("c{no}"),
            side: raw.side,
            parent: raw.parent.map(CommandId),
            commander: Some(CommanderId(no as u16)),
        });
        let wooden = true;
        let weight = self.weight.unwrap_or(Weight::Light);
        let nature = Nature { weight, steep: false, difficult: false, wooden };
        let scenario = Scenario { natures: vec![nature; self.features.len()], ..Scenario::default() };
        let chart = Days::EDITIONS[usize::from(self.edition)].charts;
        let muster = Muster {
            edition,
            title: "Bench".to_owned(),
            ground: Arc::new(Ground { size: (inch(72.0), inch(48.0)), features: self.features, wind: self.wind }),
            sides: Arc::new(BySide([side("a"), side("b")])),
            units: cards.collect(),
            commanders: Arc::new(commanders.collect()),
            commands: Arc::new(commands.collect()),
            charts: Arc::new(ChartTree::printed(chart).expect("a chart").read().expect("figures")),
            settings: Settings::default(),
            scenario,
            turn_limit: Some(self.turn.max(1)),
            digest: [0; 32],
        };
        let bodies = self
            .units
            .iter()
            .map(|raw| (Formation::usual(raw.shape), StandSet::first(u32::from(raw.stands)), raw.troops.clone()));
        let staff = self.generals.iter().map(|raw| raw.staff.clone()).collect();
        let mut placed: Vec<Event<Days>> = Vec::new();
        for (no, raw) in self.units.iter().enumerate() {
            if let Some(pose) = raw.pose {
                let formation = Formation::usual(raw.shape);
                let deed = Deed::Placed { unit: UnitId(no as u16), pose, formation, hidden: false };
                placed.push(Event::new(Clause::FivePhasesToATurn, deed));
            }
        }
        for (no, raw) in self.generals.iter().enumerate() {
            let deed = Deed::CommanderMoved { commander: CommanderId(no as u16), to: raw.pose };
            placed.push(Event::new(Clause::FivePhasesToATurn, deed));
        }
        placed.push(Event::new(Clause::FivePhasesToATurn, Deed::TurnBegan { turn: self.turn.max(1) }));
        let mut ledger = Ledger::new();
        ledger.step = self.step.unwrap_or(TurnStep::FirstMoves);
        State::new(muster, bodies.collect(), staff, ledger, Vec::new()).folded(&placed)
    }
}

/// A view of everything, for judging.
pub fn seen(field: &Field) -> View<'_, Days> {
    View::new(field, Viewer::Umpire)
}

/// Plays phases with scripted dice until something is asked.
pub fn play(field: Field, phases: Vec<Phase>, dice: &[&str]) -> Battle<Days> {
    let turn = field.turn();
    let mut script = Scripted::default();
    for throw in dice {
        script.add(throw).expect("a throw");
    }
    let battle = Battle::begin(field.with_agenda(phases, turn), Box::new(script), Keep::Everything);
    assert!(battle.fault().is_none(), "{:?}", battle.fault());
    battle
}

/// The rulebook's own events of a battle.
pub fn told(battle: &Battle<Days>) -> Vec<DaysEvent> {
    let own = battle.events().iter().filter_map(|event| match &event.deed {
        Deed::Own(event) => Some(event.clone()),
        _ => None,
    });
    own.collect()
}
