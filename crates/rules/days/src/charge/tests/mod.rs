//! Vectors PV-10 to PV-13 and PV-21, and a charge from its declaration to its target.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::{Charging, drive, impulse, judgement, way, who};
use crate::Days;
use crate::clause::Clause;
use crate::event::{DaysEvent, Doing, Ledger, TurnStep};
use crate::field::{self, Field};
use crate::formation::{Formation, Shape};
use crate::order::{Before, Charger, Declaration, Order};
use crate::sequence::Phase;
use crate::settings::{Scenario, Settings};
use crate::unit::{Arm, Aspect, Charge, ChargeKind, ChargeStage, Facts, Troops};
use engine::battle::Keep;
use engine::chart::ChartTree;
use engine::state::{Muster, SideCard, UnitCard};
use engine::{Battle, BySide, Deed, EditionNo, Event, Ruleset, Scripted, Side, StandSet, State, UnitId, Verdict};
use smallvec::SmallVec;
use std::sync::Arc;
use table::march::Leg;
use table::{Angle, Flank, Footprint, Ground, Length, Point, Pose};

struct Raw {
    side: Side,
    facts: Facts,
    formation: Formation,
    pose: Pose,
    troops: Troops,
}

fn inch(length: f64) -> Length {
    Length::inches(length)
}

fn unit(side: Side, arm: Arm, shape: Shape, stands: u8, x: f64, y: f64) -> Raw {
    let square = Footprint::new(inch(1.0), inch(1.0));
    let facts = Facts {
        arm,
        class: 3,
        traits: SmallVec::new(),
        weapon: String::new(),
        start: stands,
        points: 10,
        model_points: 0,
        independent: true,
        part: None,
        parts: SmallVec::new(),
        stand: square,
        limbered: square,
        gap: inch(1.0),
        zones: Vec::new(),
        entry: None,
    };
    let troops = Troops::fresh(&facts);
    let facing = if side == Side::A { Angle::NORTH } else { Angle::SOUTH };
    let pose = Pose::new(Point::new(inch(x), inch(y)), facing);
    Raw { side, facts, formation: Formation::usual(shape), pose, troops }
}

/// `A` stands in the south and looks north, `B` the other way round.
fn battlefield(units: Vec<Raw>) -> Field {
    let side = |key: &str| SideCard { key: key.to_owned(), name: key.to_owned(), edges: Vec::new(), zones: Vec::new() };
    let card = |(no, raw): (usize, &Raw)| {
        let key = format!("u{no}");
        Arc::new(UnitCard { name: key.clone(), key, side: raw.side, command: None, facts: raw.facts.clone() })
    };
    let muster = Muster {
        edition: EditionNo::default(),
        title: "Bench".to_owned(),
        ground: Arc::new(Ground { size: (inch(72.0), inch(48.0)), features: Vec::new(), wind: None }),
        sides: Arc::new(BySide([side("a"), side("b")])),
        units: units.iter().enumerate().map(card).collect(),
        commanders: Arc::new(Vec::new()),
        commands: Arc::new(Vec::new()),
        charts: Arc::new(ChartTree::printed(Days::EDITIONS[0].charts).and_then(|tree| tree.read()).unwrap()),
        settings: Settings::default(),
        scenario: Scenario::default(),
        turn_limit: Some(1),
        digest: [0; 32],
    };
    let bodies =
        units.iter().map(|raw| (raw.formation, StandSet::first(u32::from(raw.facts.start)), raw.troops.clone()));
    let placed = units.iter().enumerate().map(|(no, raw)| {
        let unit = UnitId(no as u16);
        let deed = Deed::Placed { unit, pose: raw.pose, formation: raw.formation, hidden: false };
        Event::new(Clause::SetUpAndBegin, deed)
    });
    let placed: Vec<Event<Days>> = placed.collect();
    State::new(muster, bodies.collect(), Vec::new(), Ledger::new(), Vec::new()).folded(&placed)
}

const CHARGER: UnitId = UnitId(0);
const TARGET: UnitId = UnitId(1);

fn plain() -> Charger {
    Charger { unit: CHARGER, squadron: None, before: None, advance: None }
}

fn refused_by(verdict: &Verdict, clause: Clause) -> bool {
    verdict.refusals.iter().any(|note| note.clause == clause.into())
}

/// Two lines with their fronts so far apart.
fn apart(arm: Arm, distance: f64) -> Field {
    let a = unit(Side::A, arm, Shape::Line, 6, 20.0, 20.0);
    battlefield(vec![a, unit(Side::B, Arm::Infantry, Shape::Line, 6, 20.0, 20.0 + distance)])
}

#[test]
fn horse_catches_what_is_within_six_inches_and_foot_within_two() {
    let caught = |arm, distance, charger: Charger| {
        let field = apart(arm, distance);
        impulse::is_caught(&field, &charger, field::gap(&field, CHARGER, TARGET))
    };
    assert!(caught(Arm::Cavalry, 6.0, plain()));
    assert!(!caught(Arm::Cavalry, 6.5, plain()));
    assert!(caught(Arm::Infantry, 2.0, plain()));
    assert!(!caught(Arm::Infantry, 2.02, plain()));
    let wheels = Before::Wheel(Leg::Wheel { pivot: Flank::Left, by: Angle::degrees(5.0) });
    assert!(caught(Arm::Cavalry, 5.0, Charger { before: Some(wheels), ..plain() }), "a wheel spoils nothing");
    let forms = Before::Form(Formation::usual(Shape::Column));
    assert!(!caught(Arm::Cavalry, 5.0, Charger { before: Some(forms), ..plain() }));
}

#[test]
fn the_first_impulse_is_over_a_quarter_and_up_to_half_of_the_way() {
    let field = apart(Arm::Cavalry, 10.0);
    let mut way = way::lay(&field, ChargeKind::Declared, &plain(), TARGET).unwrap();
    assert_eq!(way.straight, inch(10.0));
    way.allowance = inch(16.0);
    let judged = |advance: f64| {
        let mut verdict = Verdict::fine();
        judgement::impulse(&field, &Charger { advance: Some(inch(advance)), ..plain() }, &way, &mut verdict);
        verdict
    };
    for refused in [2.5, 5.5] {
        assert!(refused_by(&judged(refused), Clause::The1stImpulse), "{refused}");
    }
    for accepted in [2.6, 5.0] {
        assert!(judged(accepted).is_legal(), "{accepted}");
    }
}

#[test]
fn who_may_charge_whom() {
    let whom = |charger: (Arm, Shape), target: (Arm, Shape, bool)| {
        let one = unit(Side::A, charger.0, charger.1, 6, 20.0, 20.0);
        let mut other = unit(Side::B, target.0, target.1, 6, 20.0, 24.0);
        other.troops.mounted &= target.2;
        who::whom(&battlefield(vec![one, other]), CHARGER, TARGET)
    };
    let line = (Arm::Infantry, Shape::Line);
    let hussars = whom(line, (Arm::Cavalry, Shape::Line, true));
    assert!(refused_by(&hussars, Clause::FootDoNotChargeHorsemen));
    assert!(whom(line, (Arm::Cavalry, Shape::Skirmish, false)).is_legal(), "dismounted");
    let skirmishers = (Arm::Infantry, Shape::Skirmish);
    assert!(whom(skirmishers, (Arm::Artillery, Shape::Deployed, true)).is_legal());
    let at_line = whom(skirmishers, (Arm::Infantry, Shape::Line, true));
    assert!(refused_by(&at_line, Clause::FormedTroopsAreTooMuch));
    assert!(refused_by(&at_line, Clause::WhomSkirmishersMayCharge));
    assert!(whom((Arm::Cavalry, Shape::Line), (Arm::Infantry, Shape::Line, true)).is_legal());
    let guns = battlefield(vec![unit(Side::A, Arm::Artillery, Shape::Deployed, 3, 20.0, 20.0)]);
    assert!(refused_by(&who::able(&guns, ChargeKind::Declared, CHARGER), Clause::GunsNeverCharge));
}

#[test]
fn horse_is_fast_beyond_eight_inches() {
    let fast = |arm, distance| {
        let field = apart(arm, distance);
        let way = way::lay(&field, ChargeKind::Declared, &plain(), TARGET).unwrap();
        impulse::is_fast(&field, CHARGER, way.straight)
    };
    assert!(!fast(Arm::Cavalry, 8.0));
    assert!(fast(Arm::Cavalry, 8.5));
    assert!(!fast(Arm::Infantry, 8.5));
}

#[test]
fn a_charge_needs_an_inch_of_base_ahead() {
    let meets = |x: f64| {
        let a = unit(Side::A, Arm::Infantry, Shape::Line, 4, 20.0, 20.0);
        let field = battlefield(vec![a, unit(Side::B, Arm::Infantry, Shape::Line, 4, x, 24.0)]);
        way::straight_to(&field, CHARGER, field.unit(CHARGER).pose(), field::formation(&field, CHARGER), TARGET)
    };
    assert_eq!(meets(23.0), Some(inch(4.0)));
    assert_eq!(meets(23.5), None, "half an inch is no contact");
}

#[test]
fn a_wheel_is_suggested_where_straight_on_misses() {
    let a = unit(Side::A, Arm::Infantry, Shape::Line, 2, 20.0, 20.0);
    let field = battlefield(vec![a, unit(Side::B, Arm::Infantry, Shape::Line, 4, 23.4, 23.5)]);
    let straight = judgement::judge(&field, ChargeKind::Declared, &plain(), TARGET);
    assert!(refused_by(&straight, Clause::WhatCountsAsContact));
    let found = super::suggest(&field, ChargeKind::Declared, CHARGER, TARGET).expect("a charge");
    assert!(matches!(found.before, Some(Before::Wheel(Leg::Wheel { pivot: Flank::Right, .. }))), "{found:?}");
    assert!(judgement::judge(&field, ChargeKind::Declared, &found, TARGET).is_legal());
    assert!(super::suggest(&field, ChargeKind::Opportunity, CHARGER, TARGET).is_none(), "it may not wheel");
}

fn play(field: Field, phases: Vec<Phase>, order: Order) -> Battle<Days> {
    let mut script = Scripted::default();
    (0..20).for_each(|_| script.add("1d6: 6").unwrap());
    let mut battle = Battle::begin(field.with_agenda(phases, 1), Box::new(script), Keep::Everything);
    let asked = battle.asked().unwrap_or_else(|| panic!("nothing asked: {:?}", battle.fault())).clone();
    let side = battle.awaited().unwrap();
    let verdict = battle.check(side, &order);
    assert!(verdict.is_legal(), "{verdict:?}");
    let _ = battle.submit(side, asked.no, order);
    // The bench plays one phase and nothing after it.
    let faults = battle.fault().filter(|fault| !fault.what.contains("the agenda ran out"));
    assert!(faults.is_none(), "{faults:?}");
    battle
}

fn own_events(battle: &Battle<Days>) -> impl Iterator<Item = &DaysEvent> {
    battle.events().iter().filter_map(|event| match &event.deed {
        Deed::Own(event) => Some(event),
        _ => None,
    })
}

fn declared() -> Order {
    Order::Charge { declarations: vec![Declaration { units: vec![plain()], at: TARGET }] }
}

#[test]
fn a_declared_charge_goes_half_its_way_at_once() {
    let phases = vec![Phase::Charging(Charging::of(Side::A, ChargeKind::Declared))];
    let battle = play(apart(Arm::Infantry, 5.0), phases, declared());
    let charge = field::troops(battle.state(), CHARGER).charge.clone().expect("a charge");
    assert_eq!((charge.at, charge.stage), (TARGET, ChargeStage::Begun));
    assert_eq!((charge.apart, charge.way, charge.gone), (inch(5.0), inch(5.0), inch(2.5)));
    assert_eq!(charge.left, inch(3.0), "half of its charge");
    assert!(!charge.caught);
    assert_eq!(battle.state().unit(CHARGER).pose().at.y, inch(22.5));
    assert!(field::troops(battle.state(), CHARGER).turn.tried_charge);
}

#[test]
fn the_second_impulse_stops_an_inch_short() {
    let phases = vec![Phase::Charging(Charging::of(Side::A, ChargeKind::Declared))];
    let field = play(apart(Arm::Infantry, 5.0), phases, declared()).state().clone();
    let step = TurnStep::ALL.iter().position(|step| *step == TurnStep::SecondImpulse).unwrap();
    let mut script = Scripted::default();
    (0..40).for_each(|_| script.add("1d6: 6").unwrap());
    let agenda = vec![Phase::Turn { next: step as u8 }];
    let battle = Battle::begin(field.with_agenda(agenda, 1), Box::new(script), Keep::Everything);
    let close = own_events(&battle).find_map(|event| match event {
        DaysEvent::ChargeGoes { unit: CHARGER, stage: ChargeStage::Close, gone, left } => Some((*gone, *left)),
        _ => None,
    });
    assert_eq!(close, Some((inch(4.0), inch(1.5))));
}

#[test]
fn skirmishers_in_the_way_of_the_first_impulse_run() {
    let screen = unit(Side::B, Arm::Infantry, Shape::Skirmish, 4, 20.0, 21.5);
    let lines = [
        unit(Side::A, Arm::Infantry, Shape::Line, 6, 20.0, 20.0),
        unit(Side::B, Arm::Infantry, Shape::Line, 6, 20.0, 25.0),
    ];
    let field = battlefield(lines.into_iter().chain([screen]).collect());
    assert!(drive::is_overrun(&field, CHARGER, UnitId(2)));
    let phases = vec![Phase::Charging(Charging::of(Side::A, ChargeKind::Declared))];
    let battle = play(field, phases, declared());
    let silenced = |event: &DaysEvent| *event == DaysEvent::Did { unit: UnitId(2), doing: Doing::Silenced };
    assert!(own_events(&battle).any(silenced), "it cannot shoot this turn");
    assert_eq!(battle.state().unit(CHARGER).pose().at.y, inch(22.5), "the charger went on");
}

#[test]
fn nobody_wheels_off_the_table_to_charge() {
    let horse = unit(Side::A, Arm::Cavalry, Shape::Column, 8, 70.8, 20.0);
    let field = battlefield(vec![horse, unit(Side::B, Arm::Infantry, Shape::Line, 12, 64.0, 26.0)]);
    let wheel = |degrees| Before::Wheel(Leg::Wheel { pivot: Flank::Left, by: Angle::degrees(degrees) });
    let told = |before| {
        let verdict = judgement::way_of(&field, ChargeKind::Declared, &Charger { before, ..plain() }, TARGET);
        verdict.refusals.iter().any(|note| note.text.contains("leave the table"))
    };
    assert!(told(Some(wheel(30.0))), "its tail swings over the edge");
    assert!(!told(Some(wheel(2.0))));
}

#[test]
fn a_column_sends_off_whole_ranks_only() {
    let horse = unit(Side::A, Arm::Cavalry, Shape::Column, 8, 20.0, 20.0);
    let field = battlefield(vec![horse, unit(Side::B, Arm::Infantry, Shape::Line, 6, 20.0, 28.0)]);
    let told = |stands| {
        let verdict = who::squadron(&field, ChargeKind::Declared, &Charger { squadron: Some(stands), ..plain() });
        verdict.refusals.iter().any(|note| note.text.contains("whole ranks"))
    };
    assert!(told(3) && !told(4));
}

#[test]
fn whoever_has_been_met_does_not_come_on() {
    let mut charger = unit(Side::A, Arm::Cavalry, Shape::Line, 8, 20.0, 20.0);
    let mut target = unit(Side::B, Arm::Cavalry, Shape::Line, 4, 17.0, 21.0);
    let mut other = unit(Side::B, Arm::Cavalry, Shape::Line, 3, 23.0, 20.0);
    let charge = |at, stage| Some(Box::new(Charge { at, stage, ..blank() }));
    charger.troops.charge = charge(TARGET, ChargeStage::Close);
    charger.troops.contact.push(UnitId(2));
    target.troops.charge = charge(CHARGER, ChargeStage::Close);
    other.troops.contact.push(CHARGER);
    let step = TurnStep::ALL.iter().position(|step| *step == TurnStep::Home).unwrap();
    let mut script = Scripted::default();
    (0..40).for_each(|_| script.add("1d6: 6").unwrap());
    let field = battlefield(vec![charger, target, other]).with_agenda(vec![Phase::Turn { next: step as u8 }], 1);
    let battle = Battle::begin(field, Box::new(script), Keep::Everything);
    let over =
        |event: &&Event<Days>| !matches!(event.deed, Deed::Own(DaysEvent::Step { step }) if step == TurnStep::Routers);
    let moved: Vec<UnitId> = battle
        .events()
        .iter()
        .take_while(over)
        .filter_map(|event| if let Deed::Moved { unit, .. } = event.deed { Some(unit) } else { None })
        .collect();
    assert!(!moved.contains(&CHARGER), "{moved:?}");
}

/// A charge before anything is known of it.
fn blank() -> Charge {
    Charge {
        at: TARGET,
        kind: ChargeKind::Declared,
        counter: false,
        stage: ChargeStage::Begun,
        from: Pose::default(),
        aspect: Aspect::Front,
        apart: inch(6.0),
        way: inch(6.0),
        gone: inch(0.0),
        left: inch(6.0),
        caught: false,
    }
}
