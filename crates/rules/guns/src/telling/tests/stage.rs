//! A small table built by hand: two brigades against one, with a wall between them.

use super::*;
use crate::charts::Charts;
use crate::event::{BrigadeRecord, Ledger};
use crate::order::{BrigadeOrder, Matter, Posture};
use crate::settings::{Scale, Scenario, Settings};
use crate::unit::{Ability, GunClass, Staff, Troops, Weapon};
use engine::chart::ChartTree;
use engine::{CommandCard, CommandId, CommanderCard, Muster, SideCard, StandSet, UnitCard};
use std::sync::Arc;
use table::terrain::{Edge, Feature, Ground, TerrainKind};
use table::{Footprint, Outline, Shape as Ground2d};

pub const BATTALION: UnitId = UnitId(0);
pub const SECOND: UnitId = UnitId(1);
pub const BATTERY: UnitId = UnitId(2);
pub const SCREEN: UnitId = UnitId(3);
pub const SQUADRON: UnitId = UnitId(4);
pub const ENEMY: UnitId = UnitId(5);
pub const BRIGADIER: CommanderId = CommanderId(0);
pub const CHIEF: CommanderId = CommanderId(2);
pub const BRIGADE: CommandId = CommandId(0);
pub const HORSE: CommandId = CommandId(1);

pub fn cm(n: i32) -> Length {
    Length::cm(f64::from(n))
}

pub fn at(x: i32, y: i32) -> Point {
    Point::new(cm(x), cm(y))
}

fn weapon(key: &str, charts: &Charts) -> Weapon {
    charts.weapon.get(key).expect("a weapon of the chart").weapon(key, Scale::Small)
}

fn soldiers(arm: Arm, elements: u8, weapon: Weapon) -> Facts {
    let side = Length::mm(20.0);
    Facts {
        arm,
        elements,
        organic: 0,
        organic_weapon: None,
        guns: 0,
        class: None,
        quality: 0,
        start: elements,
        charge_limit: elements.saturating_sub(3).max(1),
        advance_limit: elements.saturating_sub(6).max(1),
        weapon,
        loose: true,
        extended: true,
        can_dismount: arm == Arm::Cavalry,
        indirect: false,
        element: Footprint::new(side, side),
        screen: false,
        zones: Vec::new(),
        template: None,
    }
}

fn roster(charts: &Charts) -> Vec<(&'static str, &'static str, Side, u16, Facts, Formation)> {
    let line = Formation::usual(Shape::Line);
    let foot = || soldiers(Arm::Infantry, 8, weapon("chassepot", charts));
    let mut guns = soldiers(Arm::Artillery, 1, weapon("krupp4", charts));
    guns.guns = 6;
    guns.start = 6;
    guns.class = Some(GunClass::Field);
    guns.indirect = true;
    guns.element = Footprint::new(Length::mm(12.0), Length::mm(20.0));
    let mut screen = soldiers(Arm::Infantry, 2, weapon("chassepot", charts));
    screen.screen = true;
    let horse = soldiers(Arm::Cavalry, 3, weapon("carbine-bl", charts));
    let enemy = soldiers(Arm::Infantry, 6, weapon("dreyse", charts));
    vec![
        ("first", "1st Battalion", Side::A, 0, foot(), line),
        ("second", "2nd Battalion", Side::A, 0, foot(), line),
        ("battery", "Battery Kern", Side::A, 0, guns, Formation::usual(Shape::Deployed)),
        ("skirmishers", "Skirmishers", Side::A, 0, screen, Formation::usual(Shape::Extended)),
        ("hussars", "Red Hussars", Side::A, 1, horse, line),
        ("foe", "Grenadiers", Side::B, 3, enemy, line),
    ]
}

fn muster() -> Muster<Guns> {
    let charts: Charts = ChartTree::printed(<Guns as engine::Ruleset>::EDITIONS[0].charts)
        .expect("a sound chart")
        .read()
        .expect("every figure of the chart");
    let units = roster(&charts).into_iter().map(|(key, name, side, command, facts, _)| {
        let (key, name, command) = (key.to_owned(), name.to_owned(), Some(CommandId(command)));
        Arc::new(UnitCard { key, name, side, command, facts })
    });
    let units = units.collect();
    let general = |key: &str, side: Side, commands: u16, level: Level| CommanderCard {
        key: key.to_owned(),
        name: format!("General {}", voice::sentence(key).trim_end_matches('.')),
        side,
        commands: CommandId(commands),
        facts: Officer {
            level,
            ability: Some(Ability::Average),
            telephone: false,
            stand: Footprint::new(Length::mm(20.0), Length::mm(20.0)),
            zones: Vec::new(),
        },
    };
    let commanders = vec![
        general("abel", Side::A, 0, Level::Brigade),
        general("brun", Side::A, 1, Level::Brigade),
        general("carl", Side::A, 2, Level::Division),
        general("dorn", Side::B, 3, Level::Brigade),
    ];
    let command = |key: &str, name: &str, side: Side, parent: Option<u16>, commander: u16| CommandCard {
        key: key.to_owned(),
        name: name.to_owned(),
        side,
        parent: parent.map(CommandId),
        commander: Some(CommanderId(commander)),
    };
    let commands = vec![
        command("abel-command", "Line Brigade", Side::A, Some(2), 0),
        command("brun-command", "Light Horse", Side::A, Some(2), 1),
        command("carl-command", "Division Carl", Side::A, None, 2),
        command("dorn-command", "Foe Brigade", Side::B, None, 3),
    ];
    let wall = Outline::Line { points: vec![at(40, 50), at(60, 50)], width: Length::ZERO };
    let feature = Feature {
        key: "wall".to_owned(),
        name: "The Long Wall".to_owned(),
        kind: TerrainKind::Wall,
        shape: Ground2d::new(wall).expect("a wall"),
        level: 0,
        crests: Vec::new(),
        nature: Vec::new(),
    };
    let side = |key: &str, name: &str, edge: Edge| SideCard {
        key: key.to_owned(),
        name: name.to_owned(),
        edges: vec![edge],
        zones: vec![(at(0, 0), at(180, 30))],
    };
    Muster {
        edition: engine::EditionNo::default(),
        title: "A wall".to_owned(),
        ground: Arc::new(Ground { size: (cm(180), cm(120)), features: vec![feature], wind: None }),
        sides: Arc::new(engine::BySide([side("red", "Reds", Edge::South), side("blue", "Blues", Edge::North)])),
        units,
        commanders: Arc::new(commanders),
        commands: Arc::new(commands),
        charts: Arc::new(charts),
        settings: Settings::default(),
        scenario: Scenario::default(),
        turn_limit: Some(8),
        digest: [0; 32],
    }
}

/// The table in the middle of a bound; the skirmishers are not out.
pub fn field() -> Field {
    field_of(Scale::Small)
}

/// The same with figures of another scale.
pub fn field_of(scale: Scale) -> Field {
    let mut muster = muster();
    muster.settings.scale = scale;
    let fresh: Vec<(Formation, StandSet, Troops)> = roster(&muster.charts)
        .into_iter()
        .map(|(_, _, _, _, facts, formation)| {
            let stands = StandSet::first(if facts.is_battery() { 1 } else { u32::from(facts.elements) });
            (formation, stands, Troops::fresh(&facts))
        })
        .collect();
    let order = BrigadeOrder { posture: Posture::Attack, objective: Matter::Unit(ENEMY) };
    let record = BrigadeRecord { order: Some(order), activated: true, die: Some(5), ..BrigadeRecord::default() };
    let ledger = Ledger {
        step: BoundStep::Charges,
        quarter: 0,
        brigades: vec![record; 4],
        buildings: Vec::new(),
        plots: engine::BySide::default(),
        groups: Vec::new(),
        lost: engine::BySide::default(),
    };
    let staff = vec![Staff { ability: Some(Ability::Average), ..Staff::default() }; 4];
    let mut state = State::new(muster, fresh, staff, ledger, vec![Phase::Bound { next: 4 }]);
    for unit in [BATTALION, SECOND, BATTERY, SQUADRON] {
        state.unit_mut(unit).bound.responds = true;
    }
    state.unit_mut(BATTERY).cycle = Cycle::Deployed;
    state.unit_mut(BATTERY).observer = Some(Observer::At(at(70, 40)));
    let stand = |unit: UnitId, x: i32, y: i32, facing: i32, formation: Formation| {
        let pose = Pose { at: at(x, y), facing: Angle::whole(facing) };
        Event::new(Clause::OpeningOrders, engine::Deed::Placed { unit, pose, formation, hidden: false })
    };
    let line = Formation::usual(Shape::Line);
    let mut events = vec![
        stand(BATTALION, 40, 30, 0, line),
        stand(SECOND, 60, 30, 0, line),
        stand(BATTERY, 90, 25, 0, Formation::usual(Shape::Deployed)),
        stand(SQUADRON, 120, 20, 0, line),
        stand(ENEMY, 50, 70, 180, line),
    ];
    for (no, (x, y)) in [(45, 22), (118, 12), (80, 12), (50, 80)].into_iter().enumerate() {
        let to = Pose { at: at(x, y), facing: Angle::NORTH };
        let commander = CommanderId(no as u16);
        events.push(Event::new(Clause::OpeningOrders, engine::Deed::CommanderMoved { commander, to }));
    }
    state.folded(&events)
}
