//! A small field built by hand, for tests of charges and close combat.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::Guns;
use super::super::clause::Clause;
use super::super::event::{BoundStep, GunsEvent, Ledger};
use super::super::field::Field;
use super::super::formation::{Formation, Shape};
use super::super::order::Order;
use super::super::sequence::Phase;
use super::super::settings::{Scenario, Settings};
use super::super::unit::{Arm, Charge, ChargeStage, Cycle, Facts, GunClass, Troops, Weapon};
use engine::battle::Keep;
use engine::chart::ChartTree;
use engine::state::{Muster, SideCard, UnitCard};
use engine::{Battle, BySide, Deed, Event, FeatureId, Ruleset, Scripted, Side, StandSet, State, UnitId};
use std::sync::Arc;
use table::terrain::{Feature, TerrainKind};
use table::{Angle, Footprint, Ground, Length, Outline, Point, Pose, Shape as Ground2};

/// Width of an element of small figures.
pub const W: f64 = 20.0;

/// A unit of a test.
#[derive(Clone)]
pub struct Raw {
    pub side: Side,
    pub facts: Facts,
    pub formation: Formation,
    pub pose: Pose,
    pub troops: Troops,
}

/// The figures of the book.
pub fn charts() -> super::super::charts::Charts {
    ChartTree::printed(Guns::EDITIONS[0].charts).expect("a chart").read().expect("its figures")
}

fn mm(length: f64) -> Length {
    Length::mm(length)
}

/// A place in millimetres, facing so many degrees.
pub fn at(x: f64, y: f64, facing: f64) -> Pose {
    Pose::new(Point::new(mm(x), mm(y)), Angle::degrees(facing))
}

/// A unit at full strength; charge limiter three below.
pub fn unit(side: Side, arm: Arm, elements: u8, start: u8, shape: Shape, pose: Pose) -> Raw {
    let guns = if arm == Arm::Artillery { elements } else { 0 };
    let weapon = Weapon {
        key: "test".to_owned(),
        short: mm(100.0),
        extreme: mm(300.0),
        artillery: guns > 0,
        breech: false,
        magazine: false,
        howitzer: false,
        rapid: None,
    };
    let width = if guns > 0 { 2.0 * f64::from(guns) } else { W };
    let facts = Facts {
        arm,
        elements: if guns > 0 { 1 } else { elements },
        organic: 0,
        organic_weapon: None,
        guns,
        class: (guns > 0).then_some(GunClass::Field),
        quality: 0,
        start,
        charge_limit: start.saturating_sub(3).max(1),
        advance_limit: 1,
        weapon,
        loose: true,
        extended: true,
        can_dismount: false,
        indirect: false,
        element: Footprint::new(mm(width), mm(W)),
        screen: false,
        zones: Vec::new(),
        template: None,
    };
    let mut troops = Troops::fresh(&facts);
    if shape == Shape::Deployed {
        troops.cycle = Cycle::Deployed;
    }
    Raw { side, facts, formation: Formation::usual(shape), pose, troops }
}

impl Raw {
    /// Charging another, tested where it stands, with so many millimetres left.
    pub fn charging(mut self, at: u16, left: f64) -> Raw {
        self.troops.charge = Some(Box::new(Charge {
            at: UnitId(at),
            stage: ChargeStage::Tested,
            left: mm(left),
            led_by: None,
            counter: false,
            from: None,
        }));
        self.troops.charges = 1;
        self
    }

    /// With so many points lost.
    pub fn hurt(mut self, points: u8) -> Raw {
        self.troops.status -= points;
        self
    }

    /// Lining a feature.
    pub fn behind(mut self, feature: u16) -> Raw {
        self.troops.defending = Some(FeatureId(feature));
        self
    }

    /// Anything else.
    pub fn with(mut self, change: impl FnOnce(&mut Raw)) -> Raw {
        change(&mut self);
        self
    }
}

/// A wall from west to east.
pub fn wall(y: f64) -> Feature {
    let points = vec![Point::new(mm(100.0), mm(y)), Point::new(mm(1500.0), mm(y))];
    feature(TerrainKind::Wall, Outline::Line { points, width: Length::ZERO })
}

/// Any feature.
pub fn feature(kind: TerrainKind, outline: Outline) -> Feature {
    let shape = Ground2::new(outline).expect("a shape");
    Feature { key: "f".to_owned(), name: String::new(), kind, shape, level: 0, crests: Vec::new(), nature: Vec::new() }
}

/// The field.
pub fn field(units: Vec<Raw>, features: Vec<Feature>) -> Field {
    let side = |key: &str| SideCard { key: key.to_owned(), name: key.to_owned(), edges: Vec::new(), zones: Vec::new() };
    let cards = units.iter().enumerate().map(|(no, raw)| {
        let key = format!("u{no}");
        Arc::new(UnitCard { name: key.clone(), key, side: raw.side, command: None, facts: raw.facts.clone() })
    });
    let muster = Muster {
        edition: engine::EditionNo::default(),
        title: "Bench".to_owned(),
        ground: Arc::new(Ground { size: (mm(1600.0), mm(1200.0)), features, wind: None }),
        sides: Arc::new(BySide([side("a"), side("b")])),
        units: cards.collect(),
        commanders: Arc::new(Vec::new()),
        commands: Arc::new(Vec::new()),
        charts: Arc::new(charts()),
        settings: Settings::default(),
        scenario: Scenario::default(),
        turn_limit: None,
        digest: [0; 32],
    };
    let ledger = Ledger {
        step: BoundStep::Flinch,
        quarter: 0,
        brigades: Vec::new(),
        buildings: Vec::new(),
        plots: BySide::default(),
        groups: Vec::new(),
        lost: BySide::default(),
    };
    let bodies =
        units.iter().map(|raw| (raw.formation, StandSet::first(u32::from(raw.facts.elements)), raw.troops.clone()));
    let placed: Vec<Event<Guns>> = units
        .iter()
        .enumerate()
        .map(|(no, raw)| {
            let unit = UnitId(no as u16);
            let deed = Deed::Placed { unit, pose: raw.pose, formation: raw.formation, hidden: false };
            Event::new(Clause::ThreeOrders, deed)
        })
        .collect();
    State::new(muster, bodies.collect(), Vec::new(), ledger, Vec::new()).folded(&placed)
}

/// Plays phases with scripted dice, answering what is asked.
pub fn play(field: Field, phases: Vec<Phase>, dice: &[&str], answers: &[Order]) -> Battle<Guns> {
    let mut script = Scripted::default();
    for throw in dice {
        script.add(throw).expect("a throw");
    }
    let mut battle = Battle::begin(field.with_agenda(phases, 1), Box::new(script), Keep::Everything);
    for answer in answers {
        let asked = battle.asked().unwrap_or_else(|| panic!("nothing asked: {:?}", battle.fault())).clone();
        let side = battle.awaited().expect("a side");
        let verdict = battle.check(side, answer);
        assert!(verdict.is_legal(), "{:?} {answer:?}: {verdict:?}", asked.decision);
        let _ = battle.submit(side, asked.no, answer.clone());
    }
    assert!(battle.asked().is_none(), "still asked: {:?}", battle.asked());
    battle
}

/// The rulebook's own events of a battle.
pub fn told(battle: &Battle<Guns>) -> Vec<GunsEvent> {
    let own = battle.events().iter().filter_map(|event| match &event.deed {
        Deed::Own(event) => Some(event.clone()),
        _ => None,
    });
    own.collect()
}
