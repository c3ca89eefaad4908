//! A drill ground for tests: a few units on a table, placed by hand.

use crate::Guns;
use crate::event::{BoundStep, GunsEvent, Ledger};
use crate::field::Field;
use crate::formation::Formation;
use crate::settings::Settings;
use crate::unit::{Arm, Facts, GunClass, Troops, Weapon};
use engine::state::{Muster, SideCard, UnitCard};
use engine::{BySide, Deed, Event, FeatureId, Side, StandSet, State, UnitId};
use std::sync::Arc;
use table::shape::{Outline, Shape};
use table::terrain::{Feature, Ground, TerrainKind};
use table::{Angle, Footprint, Length, Point, Pose};

pub const FIRST: UnitId = UnitId(0);
pub const SECOND: UnitId = UnitId(1);
pub const THIRD: UnitId = UnitId(2);

/// A place in millimetres.
pub fn at(x: f64, y: f64) -> Point {
    Point { x: Length::mm(x), y: Length::mm(y) }
}

/// One unit of the drill.
#[derive(Clone)]
pub struct Recruit {
    pub side: Side,
    pub facts: Facts,
    pub formation: &'static str,
    pub pose: Pose,
}

fn weapon(key: &str) -> Weapon {
    let charts = super::tests::charts();
    charts.weapon[key].weapon(key, Settings::default().scale)
}

/// Troops of so many elements.
pub fn unit(arm: Arm, elements: u8, key: &str) -> Facts {
    let (mut facts, _, _) = <Guns as engine::Ruleset>::unseen();
    let size = Length::mm(20.0);
    facts.arm = arm;
    facts.elements = elements;
    facts.start = elements;
    facts.charge_limit = 1;
    facts.advance_limit = 1;
    facts.weapon = weapon(key);
    facts.element = Footprint { width: size, depth: size };
    facts
}

/// A field battery of so many guns.
pub fn battery(guns: u8, key: &str) -> Facts {
    let mut facts = unit(Arm::Artillery, 1, key);
    facts.guns = guns;
    facts.start = guns;
    facts.class = Some(GunClass::Field);
    facts.indirect = true;
    facts.element.width = Length::mm(2.0) * i32::from(guns);
    facts
}

/// A battalion with rapid-fire elements of its own.
pub fn with_guns(mut facts: Facts, organic: u8, key: &str) -> Facts {
    facts.organic = organic;
    facts.organic_weapon = Some(weapon(key));
    facts
}

/// A unit at a place in millimetres, looking in a direction.
pub fn recruit(side: Side, facts: Facts, formation: &'static str, x: f64, y: f64, facing: Angle) -> Recruit {
    Recruit { side, facts, formation, pose: Pose::new(at(x, y), facing) }
}

/// A rectangle of terrain by its opposite corners.
pub fn area(kind: TerrainKind, from: (f64, f64), to: (f64, f64)) -> Feature {
    let ring = vec![at(from.0, from.1), at(to.0, from.1), at(to.0, to.1), at(from.0, to.1)];
    feature(kind, Outline::Area(ring))
}

/// A straight line of terrain.
pub fn line(kind: TerrainKind, from: (f64, f64), to: (f64, f64)) -> Feature {
    let points = vec![at(from.0, from.1), at(to.0, to.1)];
    feature(kind, Outline::Line { points, width: Length::mm(2.0) })
}

fn feature(kind: TerrainKind, outline: Outline) -> Feature {
    let shape = Shape::new(outline).unwrap();
    Feature { key: "f".to_owned(), name: String::new(), kind, shape, level: 0, crests: Vec::new(), nature: Vec::new() }
}

/// The table with everybody on it.
pub fn field(features: Vec<Feature>, recruits: Vec<Recruit>) -> Field {
    let side = || SideCard { key: String::new(), name: String::new(), edges: Vec::new(), zones: Vec::new() };
    let card = |recruit: &Recruit| UnitCard {
        key: String::new(),
        name: String::new(),
        side: recruit.side,
        command: None,
        facts: recruit.facts.clone(),
    };
    let size = Length::cm(180.0);
    let muster = Muster::<Guns> {
        edition: engine::EditionNo::default(),
        title: String::new(),
        ground: Arc::new(Ground { size: (size, size), features, wind: None }),
        sides: Arc::new(BySide([side(), side()])),
        units: recruits.iter().map(|recruit| Arc::new(card(recruit))).collect(),
        commanders: Arc::new(Vec::new()),
        commands: Arc::new(Vec::new()),
        charts: Arc::new(super::tests::charts()),
        settings: Settings::default(),
        scenario: crate::settings::Scenario::default(),
        turn_limit: None,
        digest: [0; 32],
    };
    let ledger = Ledger {
        step: BoundStep::Musketry,
        quarter: 0,
        brigades: Vec::new(),
        buildings: Vec::new(),
        plots: BySide::default(),
        groups: Vec::new(),
        lost: BySide::default(),
    };
    let formation = |recruit: &Recruit| recruit.formation.parse::<Formation>().unwrap();
    let stands = |recruit: &Recruit| StandSet::first(u32::from(recruit.facts.elements));
    let troops =
        recruits.iter().map(|one| (formation(one), stands(one), Troops::fresh(&one.facts))).collect::<Vec<_>>();
    let state = State::new(muster, troops, Vec::new(), ledger, Vec::new());
    let placed = recruits.iter().enumerate().map(|(n, one)| {
        let unit = UnitId(n as u16);
        let deed = Deed::Placed { unit, pose: one.pose, formation: formation(one), hidden: false };
        Event::new(crate::clause::Clause::EnemyInZone, deed)
    });
    state.folded(&placed.collect::<Vec<_>>())
}

/// The same table after something has happened.
pub fn after(field: &Field, events: &[GunsEvent]) -> Field {
    let own = events.iter().map(|event| Event::own(crate::clause::Clause::EnemyInZone, event.clone()));
    field.folded(&own.collect::<Vec<Event<Guns>>>())
}

/// A unit lines or holds the first feature.
pub fn defends(unit: UnitId) -> GunsEvent {
    GunsEvent::Defends { unit, feature: Some(FeatureId(0)) }
}
