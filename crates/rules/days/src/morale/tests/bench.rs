//! A small field built by hand, for tests of morale and flight.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::super::Days;
use super::super::super::charts::Charts;
use super::super::super::clause::Clause;
use super::super::super::event::{DaysEvent, Ledger};
use super::super::super::field::Field;
use super::super::super::formation::{Formation, Shape};
use super::super::super::order::Order;
use super::super::super::sequence::Phase;
use super::super::super::settings::{Nature, Scenario, Settings, Weight};
use super::super::super::unit::{Arm, Facts, GunModel, Troops};
use engine::battle::Keep;
use engine::chart::ChartTree;
use engine::state::{Muster, SideCard, UnitCard};
use engine::{Battle, BySide, Deed, EditionNo, Event, Ruleset, Scripted, Side, StandSet, State, UnitId};
use std::sync::Arc;
use table::terrain::{Feature, TerrainKind};
use table::{Angle, Edge, Footprint, Ground, Length, Outline, Point, Pose, Shape as GroundShape};

/// A unit of a test.
#[derive(Clone)]
pub struct Raw {
    pub side: Side,
    pub facts: Facts,
    pub formation: Formation,
    pub pose: Pose,
    pub stands: u8,
    pub troops: Troops,
}

/// A place in inches, facing so many degrees.
pub fn at(x: f64, y: f64, facing: f64) -> Pose {
    Pose::new(Point::new(Length::inches(x), Length::inches(y)), Angle::degrees(facing))
}

/// A unit of twelve stands of class 2 and good order; independent, so that nobody is out of command.
pub fn unit(side: Side, arm: Arm, shape: Shape, pose: Pose) -> Raw {
    let inch = Footprint::new(Length::whole_inches(1), Length::whole_inches(1));
    let stands = if arm == Arm::Artillery { 2 } else { 12 };
    let facts = Facts {
        arm,
        class: 2,
        traits: Default::default(),
        weapon: String::new(),
        start: stands,
        points: 48,
        model_points: 10,
        independent: true,
        part: None,
        parts: Default::default(),
        stand: inch,
        limbered: Footprint::new(Length::whole_inches(1), Length::whole_inches(3)),
        gap: Length::whole_inches(1),
        zones: Vec::new(),
        entry: None,
    };
    let mut troops = Troops::fresh(&facts);
    if arm == Arm::Artillery {
        troops.guns = (0..stands).map(|_| GunModel { crew: 4, damaged: 0 }).collect();
    }
    Raw { side, facts, formation: Formation::usual(shape), pose, stands, troops }
}

impl Raw {
    /// Anything else.
    pub fn with(mut self, change: impl FnOnce(&mut Raw)) -> Raw {
        change(&mut self);
        self
    }
}

/// Ground between two corners.
pub fn area(kind: TerrainKind, from: (f64, f64), to: (f64, f64)) -> Feature {
    let corner = |x: f64, y: f64| Point::new(Length::inches(x), Length::inches(y));
    let ring = vec![corner(from.0, from.1), corner(to.0, from.1), corner(to.0, to.1), corner(from.0, to.1)];
    let shape = GroundShape::new(Outline::Area(ring)).expect("a shape");
    Feature { key: "f".to_owned(), name: String::new(), kind, shape, level: 0, crests: Vec::new(), nature: Vec::new() }
}

/// A table of 72" by 48": A's edge is the south.
pub fn field(edition: u16, units: Vec<Raw>, features: Vec<Feature>) -> Field {
    let side =
        |key: &str, edge| SideCard { key: key.to_owned(), name: key.to_owned(), edges: vec![edge], zones: Vec::new() };
    let cards = units.iter().enumerate().map(|(no, raw)| {
        let key = format!("u{no}");
        Arc::new(UnitCard { name: key.clone(), key, side: raw.side, command: None, facts: raw.facts.clone() })
    });
    let text = Days::EDITIONS[usize::from(edition)].charts;
    let charts: Charts = ChartTree::printed(text).expect("a chart").read().expect("its figures");
    let plain = Nature { weight: Weight::Light, steep: false, difficult: false, wooden: false };
    let scenario = Scenario { natures: vec![plain; features.len()], ..Scenario::default() };
    let muster = Muster {
        edition: EditionNo(edition as _),
        title: "Bench".to_owned(),
        ground: Arc::new(Ground { size: (Length::whole_inches(72), Length::whole_inches(48)), features, wind: None }),
        sides: Arc::new(BySide([side("a", Edge::South), side("b", Edge::North)])),
        units: cards.collect(),
        commanders: Arc::new(Vec::new()),
        commands: Arc::new(Vec::new()),
        charts: Arc::new(charts),
        settings: Settings::default(),
        scenario,
        turn_limit: Some(1),
        digest: [0; 32],
    };
    let bodies = units.iter().map(|raw| (raw.formation, StandSet::first(u32::from(raw.stands)), raw.troops.clone()));
    let bodies = bodies.collect();
    let placed: Vec<Event<Days>> = units
        .iter()
        .enumerate()
        .map(|(no, raw)| {
            let unit = UnitId(no as u16);
            let deed = Deed::Placed { unit, pose: raw.pose, formation: raw.formation, hidden: false };
            Event::new(Clause::FivePhasesToATurn, deed)
        })
        .collect();
    State::new(muster, bodies, Vec::new(), Ledger::new(), Vec::new()).folded(&placed)
}

/// Plays phases with scripted dice, answering what is asked; stops at the first question without an answer.
pub fn play(field: Field, phases: Vec<Phase>, dice: &[&str], answers: &[Order]) -> Battle<Days> {
    let mut script = Scripted::default();
    for throw in dice {
        script.add(&format!("1d6: {throw}")).expect("a throw");
    }
    let mut battle = Battle::begin(field.with_agenda(phases, 1), Box::new(script), Keep::Everything);
    for answer in answers {
        let asked = battle.asked().unwrap_or_else(|| panic!("nothing asked: {:?}", battle.fault())).clone();
        let side = battle.awaited().expect("a side");
        let verdict = battle.check(side, answer);
        assert!(verdict.is_legal(), "{:?} {answer:?}: {verdict:?}", asked.decision);
        let _ = battle.submit(side, asked.no, answer.clone());
    }
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
