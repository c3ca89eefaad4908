//! Small fields built by hand, and a bound played on them.

use super::super::*;
use crate::charts::Charts;
use crate::event::{BoundStep, BrigadeRecord, Halt, Ledger};
use crate::formation::Shape as Drawn;
use crate::settings::{Scale, Scenario, Settings};
use crate::unit::{Arm, Cycle, Facts, GunClass, Level, Officer, Troops};
use engine::battle::Keep;
use engine::chart::ChartTree;
use engine::state::{CommandCard, CommanderCard, Muster, SideCard, UnitCard};
use engine::{Battle, CommanderId, Deed, Ruleset, Seed, StandSet, State};
use std::sync::Arc;
use table::terrain::{Edge, Feature, Ground, TerrainKind};
use table::{Angle, Footprint, Outline, Point, Shape};

pub fn cm(length: f64) -> Length {
    Length::cm(length)
}

pub fn charts() -> Charts {
    ChartTree::printed(Guns::EDITIONS[0].charts)
        .expect("the charts are sound")
        .read()
        .expect("the charts have the right shape")
}

/// A unit to be put on a field.
#[derive(Clone)]
pub struct Man {
    pub side: Side,
    pub facts: Facts,
    pub formation: Formation,
    pub pose: Pose,
}

pub fn place(x: f64, y: f64, facing: i32) -> Pose {
    Pose { at: Point::new(cm(x), cm(y)), facing: Angle::whole(facing) }
}

pub fn foot(side: Side, elements: u8, weapon: &str, drawn: &str, pose: Pose) -> Man {
    man(side, Arm::Infantry, elements, weapon, drawn, pose, Scale::Small)
}

pub fn man(side: Side, arm: Arm, elements: u8, weapon: &str, drawn: &str, pose: Pose, scale: Scale) -> Man {
    let charts = charts();
    let row = charts.weapon.get(weapon).expect("a weapon of the chart");
    let width = charts.base.element.value.at(scale);
    let facts = Facts {
        arm,
        elements,
        organic: 0,
        organic_weapon: None,
        guns: 0,
        class: None,
        quality: 0,
        start: elements,
        charge_limit: elements.saturating_sub(3).max(1),
        advance_limit: 1,
        weapon: row.weapon(weapon, scale),
        loose: true,
        extended: true,
        can_dismount: arm == Arm::Cavalry,
        indirect: false,
        element: Footprint::new(width, width),
        screen: false,
        zones: Vec::new(),
        template: None,
    };
    Man { side, facts, formation: drawn.parse().expect("a formation"), pose }
}

pub fn battery(side: Side, class: GunClass, drawn: &str, pose: Pose) -> Man {
    let mut battery = man(side, Arm::Artillery, 1, "sb-gun", "line", pose, Scale::Small);
    battery.facts.guns = 6;
    battery.facts.class = Some(class);
    battery.facts.element = Footprint::new(cm(1.2), cm(2.0));
    battery.formation = drawn.parse().expect("a formation");
    battery
}

pub fn area(kind: TerrainKind, from: (f64, f64), to: (f64, f64)) -> Feature {
    let corner = |x: f64, y: f64| Point::new(cm(x), cm(y));
    let ring = vec![corner(from.0, from.1), corner(to.0, from.1), corner(to.0, to.1), corner(from.0, to.1)];
    feature(kind, Outline::Area(ring))
}

pub fn strip(kind: TerrainKind, from: (f64, f64), to: (f64, f64), width: f64) -> Feature {
    let points = vec![Point::new(cm(from.0), cm(from.1)), Point::new(cm(to.0), cm(to.1))];
    feature(kind, Outline::Line { points, width: cm(width) })
}

pub fn feature(kind: TerrainKind, outline: Outline) -> Feature {
    let shape = Shape::new(outline).expect("a sound shape");
    Feature {
        key: kind.name().to_owned(),
        name: String::new(),
        kind,
        shape,
        level: 0,
        crests: Vec::new(),
        nature: Vec::new(),
    }
}

/// A field of 180 by 120: side A looks north, side B south; one brigade a side, activated, everybody in it answering.
pub fn field_of(men: &[Man], features: Vec<Feature>, scale: Scale) -> Field {
    let card = |key: &str, edge: Edge| SideCard {
        key: key.to_owned(),
        name: key.to_owned(),
        edges: vec![edge],
        zones: Vec::new(),
    };
    let sides = [Side::A, Side::B];
    let commands = sides.map(|side| CommandCard {
        key: format!("brigade-{}", side.index()),
        name: format!("Brigade {}", side.index()),
        side,
        parent: None,
        commander: Some(CommanderId(side.index() as u16)),
    });
    let stand = Footprint::new(cm(2.0), cm(2.0));
    let commanders = sides.map(|side| CommanderCard {
        key: format!("general-{}", side.index()),
        name: format!("General {}", side.index()),
        side,
        commands: CommandId(side.index() as u16),
        facts: Officer { level: Level::Brigade, ability: None, telephone: false, stand, zones: Vec::new() },
    });
    let units = men.iter().enumerate().map(|(no, man)| {
        Arc::new(UnitCard {
            key: format!("unit-{no}"),
            name: format!("Unit {no}"),
            side: man.side,
            command: Some(CommandId(man.side.index() as u16)),
            facts: man.facts.clone(),
        })
    });
    let muster = Muster {
        edition: engine::EditionNo::default(),
        title: "a field".to_owned(),
        ground: Arc::new(Ground { size: (cm(180.0), cm(120.0)), features, wind: None }),
        sides: Arc::new(BySide([card("a", Edge::South), card("b", Edge::North)])),
        units: units.collect(),
        commanders: Arc::new(commanders.to_vec()),
        commands: Arc::new(commands.to_vec()),
        charts: Arc::new(charts()),
        settings: Settings { scale, ..Settings::default() },
        scenario: Scenario::default(),
        turn_limit: Some(1),
        digest: [0; 32],
    };
    let own = men.iter().map(|man| {
        let mut troops = Troops::fresh(&man.facts);
        if man.formation.shape == Drawn::Deployed {
            troops.cycle = Cycle::Deployed;
        }
        (man.formation, StandSet::first(u32::from(man.facts.elements)), troops)
    });
    // No order bounds where a brigade goes: what is tried here is how it goes.
    let record = BrigadeRecord { activated: true, ..BrigadeRecord::default() };
    let ledger = Ledger {
        step: BoundStep::Activation,
        quarter: 0,
        brigades: vec![record.clone(), record],
        buildings: Vec::new(),
        plots: BySide::default(),
        groups: Vec::new(),
        lost: BySide::default(),
    };
    let staff = vec![crate::unit::Staff::default(); 2];
    let field = State::new(muster, own.collect(), staff, ledger, vec![Phase::Bound { next: 3 }]);
    let placed = men.iter().enumerate().filter(|(_, man)| !man.facts.screen).flat_map(|(no, man)| {
        let unit = UnitId(no as u16);
        let deed = Deed::Placed { unit, pose: man.pose, formation: man.formation, hidden: false };
        let responds = GunsEvent::Responds { unit, total: 6, responds: true };
        [Event::new(Clause::OpeningOrders, deed), Event::own(Clause::RatingMet, responds)]
    });
    field.folded(&placed.collect::<Vec<_>>())
}

pub fn ahead(go: f64) -> Step {
    Step::March(vec![Leg::Ahead(cm(go))])
}

pub fn march(unit: u16, steps: Vec<Step>) -> Move {
    Move::March { unit: UnitId(unit), steps, defend: None }
}

pub fn charge_at(unit: u16, at: u16) -> Move {
    Move::Charge { unit: UnitId(unit), at: UnitId(at), legs: Vec::new(), led_by: None }
}

pub fn judged(field: &Field, moves: Vec<Move>) -> Verdict {
    check::judge(field, Side::A, &moves, &[])
}

pub fn cost(field: &Field, steps: &[Step]) -> (f64, f64) {
    let (used, full, ..) = move_cost(field, UnitId(0), steps);
    (used.as_cm(), full.as_cm())
}

/// Plays one bound from its plans on; everything else passes.
pub fn play(field: Field, a: Vec<Move>, b: Vec<Move>) -> Battle<Guns> {
    let mut battle = Battle::seeded(field, Seed::from_number(7), Keep::Events);
    let mut plans = [Some(a), Some(b)];
    for _ in 0..50 {
        let Some(asked) = battle.asked().cloned() else { break };
        let side = battle.awaited().unwrap_or(Side::A);
        let order = match (&asked.decision, plans[side.index()].take()) {
            (Decision::Plot, Some(moves)) => Order::Plot { moves, groups: Vec::new() },
            _ => Order::Pass,
        };
        battle.submit(side, asked.no, order).expect("the order is legal");
    }
    assert!(battle.fault().is_none(), "{:?}", battle.fault());
    battle
}

/// Where a unit stood when the movement of the first bound was over, if it moved.
pub fn marched_to(battle: &Battle<Guns>, unit: UnitId) -> Option<Point> {
    let fires = |event: &&Event<Guns>| matches!(event.deed, Deed::Own(GunsEvent::Step { step: BoundStep::Artillery }));
    let moved = battle.events().iter().take_while(|event| !fires(event)).filter_map(|event| match &event.deed {
        Deed::Moved { unit: who, to, .. } if *who == unit => Some(to.at),
        _ => None,
    });
    moved.last()
}

pub fn halts(battle: &Battle<Guns>) -> Vec<(UnitId, Halt)> {
    let halts = battle.events().iter().filter_map(|event| match &event.deed {
        Deed::Own(GunsEvent::Halted { unit, why, .. }) => Some((*unit, *why)),
        _ => None,
    });
    halts.collect()
}

pub fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.02
}
