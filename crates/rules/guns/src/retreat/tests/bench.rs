//! A small field built by hand, for tests of retirements and of activation.
#![allow(clippy::unwrap_used)]

use crate::Guns;
use crate::charts::Charts;
use crate::clause::Clause;
use crate::event::{BoundStep, BrigadeRecord, Ledger};
use crate::field::Field;
use crate::formation::{Formation, Shape};
use crate::settings::{Scenario, Settings};
use crate::unit::{Ability, Charge, ChargeStage, Facts, Level, Officer, Staff, Troops};
use engine::chart::ChartTree;
use engine::state::{CommandCard, CommanderCard, Muster, SideCard, UnitCard};
use engine::{BySide, CommandId, CommanderId, Deed, Event, Ruleset, Side, StandSet, State, UnitId};
use std::sync::Arc;
use table::terrain::Feature;
use table::{Angle, Footprint, Ground, Length, Point, Pose};

/// The figures of the book.
pub fn charts() -> Charts {
    ChartTree::printed(Guns::EDITIONS[0].charts).unwrap().read().unwrap()
}

/// A unit of a test: its brigade counts from 0.
#[derive(Clone)]
pub struct Raw {
    pub side: Side,
    pub brigade: Option<u16>,
    pub facts: Facts,
    pub troops: Troops,
    pub pose: Pose,
}

fn base() -> Footprint {
    Footprint::new(Length::mm(20.0), Length::mm(20.0))
}

/// A battalion of eight elements in line: whose, its starting status, its middle from west and its front from south in
/// millimetres. Side B looks south.
pub fn battalion(side: Side, start: u8, x: f64, y: f64) -> Raw {
    let (mut facts, _, _) = Guns::unseen();
    facts.elements = 8;
    facts.start = start;
    facts.charge_limit = 1;
    facts.element = base();
    let facing = if side == Side::A { Angle::NORTH } else { Angle::SOUTH };
    let troops = Troops::fresh(&facts);
    let pose = Pose::new(Point::new(Length::mm(x), Length::mm(y)), facing);
    Raw { side, brigade: None, facts, troops, pose }
}

/// A charger in the north, with so much of its move left.
pub fn charger(left: f64) -> Raw {
    let mut charger = battalion(Side::B, 8, 800.0, 700.0);
    let (stage, left) = (ChargeStage::Passed, Length::cm(left));
    charger.troops.charge =
        Some(Box::new(Charge { at: UnitId(0), stage, left, led_by: None, counter: false, from: None }));
    charger
}

/// The field without any command.
pub fn field(units: &[Raw], features: Vec<Feature>) -> Field {
    commanded(units, features, &[])
}

/// The field with brigades of side A, each with its commander's ability and place.
pub fn commanded(units: &[Raw], features: Vec<Feature>, brigades: &[(Ability, f64, f64)]) -> Field {
    let side = |key: &str| SideCard { key: key.into(), name: key.into(), edges: Vec::new(), zones: Vec::new() };
    let card = |(no, unit): (usize, &Raw)| {
        let (key, facts) = (format!("u{no}"), unit.facts.clone());
        Arc::new(UnitCard { name: key.clone(), key, side: unit.side, command: unit.brigade.map(CommandId), facts })
    };
    let officer = |ability: Ability| Officer {
        level: Level::Brigade,
        ability: Some(ability),
        telephone: false,
        stand: base(),
        zones: Vec::new(),
    };
    let numbered = || (0_u16..).zip(brigades);
    let commander = |(no, brigade): (u16, &(Ability, f64, f64))| CommanderCard {
        key: format!("g{no}"),
        name: format!("g{no}"),
        side: Side::A,
        commands: CommandId(no),
        facts: officer(brigade.0),
    };
    let command = |(no, _): (u16, &(Ability, f64, f64))| CommandCard {
        key: format!("b{no}"),
        name: format!("b{no}"),
        side: Side::A,
        parent: None,
        commander: Some(CommanderId(no)),
    };
    let muster = Muster {
        edition: engine::EditionNo::default(),
        title: String::new(),
        ground: Arc::new(Ground { size: (Length::cm(160.0), Length::cm(120.0)), features, wind: None }),
        sides: Arc::new(BySide([side("a"), side("b")])),
        units: units.iter().enumerate().map(card).collect(),
        commanders: Arc::new(numbered().map(commander).collect()),
        commands: Arc::new(numbered().map(command).collect()),
        charts: Arc::new(charts()),
        settings: Settings::default(),
        scenario: Scenario::default(),
        turn_limit: None,
        digest: [0; 32],
    };
    let ledger = Ledger {
        step: BoundStep::Flinch,
        quarter: 0,
        brigades: vec![BrigadeRecord::default(); brigades.len()],
        buildings: Vec::new(),
        plots: BySide::default(),
        groups: Vec::new(),
        lost: BySide::default(),
    };
    let line = Formation::usual(Shape::Line);
    let bodies = units.iter().map(|unit| (line, StandSet::first(8), unit.troops.clone())).collect();
    let staff = brigades.iter().map(|brigade| Staff { ability: Some(brigade.0), ..Staff::default() }).collect();
    let put = |(unit, raw): (UnitId, &Raw)| {
        Event::new(Clause::ThreeOrders, Deed::Placed { unit, pose: raw.pose, formation: line, hidden: false })
    };
    let ride = |(no, brigade): (u16, &(Ability, f64, f64))| {
        let to = Pose::new(Point::new(Length::mm(brigade.1), Length::mm(brigade.2)), Angle::NORTH);
        Event::new(Clause::GeneralsPace, Deed::CommanderMoved { commander: CommanderId(no), to })
    };
    let mut placed: Vec<Event<Guns>> = (0..).map(UnitId).zip(units).map(put).collect();
    placed.extend(numbered().map(ride));
    State::new(muster, bodies, staff, ledger, Vec::new()).folded(&placed)
}
