//! A small field built by hand, for tests of losses and close assaults.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::Days;
use crate::clause::Clause;
use crate::event::{DaysEvent, Ledger};
use crate::field::Field;
use crate::formation::{Formation, Shape};
use crate::order::Order;
use crate::sequence::Phase;
use crate::settings::{Scenario, Settings};
use crate::unit::{Arm, Aspect, Charge, ChargeKind, ChargeStage, Facts, GunModel, Trait, Troops};
use engine::battle::Keep;
use engine::chart::ChartTree;
use engine::state::{Muster, SideCard, UnitCard};
use engine::{Battle, BySide, Deed, EditionNo, Event, Ruleset, Scripted, Side, StandSet, State, UnitId};
use smallvec::SmallVec;
use std::sync::Arc;
use table::terrain::Feature;
use table::{Angle, Footprint, Ground, Length, Point, Pose};

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

pub fn inches(length: f64) -> Length {
    Length::inches(length)
}

/// A place in inches, facing so many degrees.
pub fn at(x: f64, y: f64, facing: f64) -> Pose {
    Pose::new(Point::new(inches(x), inches(y)), Angle::degrees(facing))
}

/// A unit at full strength.
pub fn unit(side: Side, arm: Arm, class: u8, stands: u8, shape: Shape, pose: Pose) -> Raw {
    let stand = if arm == Arm::Artillery { Footprint::new(inches(1.0), inches(1.5)) } else { square_inch() };
    let facts = Facts {
        arm,
        class,
        traits: SmallVec::new(),
        weapon: String::new(),
        start: stands,
        points: 0,
        model_points: 0,
        independent: false,
        part: None,
        parts: SmallVec::new(),
        stand,
        limbered: Footprint::new(inches(1.0), inches(2.5)),
        gap: inches(1.0),
        zones: Vec::new(),
        entry: None,
    };
    let mut troops = Troops::fresh(&facts);
    if arm == Arm::Artillery {
        troops.guns = (0..stands).map(|_| GunModel { crew: 4, damaged: 0 }).collect();
        troops.horses = 4;
    }
    Raw { side, facts, formation: Formation::usual(shape), pose, stands, troops }
}

fn square_inch() -> Footprint {
    Footprint::new(inches(1.0), inches(1.0))
}

impl Raw {
    /// With a trait of its list.
    pub fn being(mut self, what: Trait) -> Raw {
        self.facts.traits.push(what);
        self
    }

    /// Come home against another.
    pub fn charging(mut self, at: u16) -> Raw {
        self.troops.charge = Some(Box::new(Charge {
            at: UnitId(at),
            kind: ChargeKind::Declared,
            counter: false,
            stage: ChargeStage::Home,
            from: self.pose,
            aspect: Aspect::Front,
            apart: inches(6.0),
            way: inches(6.0),
            gone: inches(6.0),
            left: Length::ZERO,
            caught: false,
        }));
        self.touching(at)
    }

    /// In contact with another; the other says so too.
    pub fn touching(mut self, with: u16) -> Raw {
        self.troops.contact.push(UnitId(with));
        self
    }

    /// Anything else.
    pub fn with(mut self, change: impl FnOnce(&mut Raw)) -> Raw {
        change(&mut self);
        self
    }
}

/// The field, by one of the books: 0 iron, 1 empire.
pub fn field(edition: u8, units: Vec<Raw>, features: Vec<Feature>) -> Field {
    let side = |key: &str| SideCard { key: key.to_owned(), name: key.to_owned(), edges: Vec::new(), zones: Vec::new() };
    let cards = units.iter().enumerate().map(|(no, raw)| {
        let key = format!("u{no}");
        Arc::new(UnitCard { name: key.clone(), key, side: raw.side, command: None, facts: raw.facts.clone() })
    });
    let printed = Days::EDITIONS[usize::from(edition)].charts;
    let muster = Muster {
        edition: EditionNo(edition),
        title: "Bench".to_owned(),
        ground: Arc::new(Ground { size: (inches(72.0), inches(48.0)), features, wind: None }),
        sides: Arc::new(BySide([side("a"), side("b")])),
        units: cards.collect(),
        commanders: Arc::new(Vec::new()),
        commands: Arc::new(Vec::new()),
        charts: Arc::new(ChartTree::printed(printed).expect("a chart").read().expect("its figures")),
        settings: Settings::default(),
        scenario: Scenario::default(),
        turn_limit: None,
        digest: [0; 32],
    };
    let bodies = units.iter().map(|raw| (raw.formation, StandSet::first(u32::from(raw.stands)), raw.troops.clone()));
    let placed: Vec<Event<Days>> = units
        .iter()
        .enumerate()
        .filter(|(_, raw)| raw.stands > 0)
        .map(|(no, raw)| {
            let unit = UnitId(no as u16);
            let deed = Deed::Placed { unit, pose: raw.pose, formation: raw.formation, hidden: false };
            Event::new(Clause::SetUpAndBegin, deed)
        })
        .collect();
    State::new(muster, bodies.collect(), Vec::new(), Ledger::new(), Vec::new()).folded(&placed)
}

/// Plays phases with scripted dice, answering what is asked; the top one is the last.
pub fn play(field: Field, phases: Vec<Phase>, dice: &[&str], answers: &[Order]) -> Battle<Days> {
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
    // A single step is played: that nothing comes after it is no fault.
    let fault = battle.fault().map(|fault| fault.what.clone()).unwrap_or_default();
    assert!(fault.is_empty() || fault.starts_with("the agenda ran out"), "{fault}");
    assert!(battle.asked().is_none(), "still asked: {:?}", battle.asked());
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
