//! Fire on small fields: the vectors PV-13 to PV-16, and what the vectors do not show.

use super::*;
use crate::charts::{Band, Charts, TargetClass};
use crate::clause::Clause;
use crate::event::{DaysEvent, Ledger, TurnStep};
use crate::formation::Formation;
use crate::order::Reserve;
use crate::settings::{Scenario, Settings};
use crate::unit::{Arm, Aspect, Charge, ChargeKind, ChargeStage, Facts, GunModel, Staff, Trait, Troops};
use crate::{defence, sight, target};
use engine::battle::Keep;
use engine::chart::ChartTree;
use engine::{Battle, Deed, EditionNo, Event, Muster, Ruleset, Scripted, SideCard, StandSet, State, UnitCard};
use smallvec::SmallVec;
use std::sync::Arc as Shared;
use table::terrain::{Feature, Ground, TerrainKind};
use table::{Angle, Footprint, Outline, Pose};

const IRON: usize = 0;
const EMPIRE: usize = 1;

/// A unit to be placed: facts, formation, the middle of its front in inches and the way it looks.
type Piece = (Side, Facts, &'static str, f64, f64, i32);

fn troops(arm: Arm, weapon: &str, class: u8, stands: u8) -> Facts {
    let inch = Length::whole_inches(1);
    Facts {
        arm,
        class,
        traits: SmallVec::from_slice(&[Trait::LineInfantry]),
        weapon: weapon.to_owned(),
        start: stands,
        points: 0,
        model_points: 0,
        independent: true,
        part: None,
        parts: SmallVec::new(),
        stand: Footprint { width: inch, depth: inch },
        limbered: Footprint { width: inch, depth: inch },
        gap: inch,
        zones: Vec::new(),
        entry: None,
    }
}

fn foot(weapon: &str, class: u8, stands: u8) -> Facts {
    troops(Arm::Infantry, weapon, class, stands)
}

fn guns(weapon: &str, models: u8) -> Facts {
    troops(Arm::Artillery, weapon, 2, models)
}

fn field(book: usize, pieces: &[Piece], features: Vec<Feature>) -> State<Days> {
    let edition = &Days::EDITIONS[book];
    let charts: Charts = ChartTree::printed(edition.charts).and_then(|tree| tree.read()).unwrap();
    let card = |key: &str| SideCard { key: key.into(), name: key.into(), edges: Vec::new(), zones: Vec::new() };
    let inches = Length::whole_inches;
    let units = pieces.iter().enumerate().map(|(no, (side, facts, ..))| {
        let name = format!("u{no}");
        Shared::new(UnitCard { key: name.clone(), name, side: *side, command: None, facts: facts.clone() })
    });
    let muster = Muster {
        edition: EditionNo(book as u8),
        title: String::new(),
        ground: Shared::new(Ground { size: (inches(72), inches(48)), features, wind: None }),
        sides: Shared::new(BySide([card("a"), card("b")])),
        units: units.collect(),
        commanders: Shared::default(),
        commands: Shared::default(),
        charts: Shared::new(charts),
        settings: Settings::default(),
        scenario: Scenario::default(),
        turn_limit: None,
        digest: [0; 32],
    };
    let bodies = pieces.iter().map(|(_, facts, formation, ..)| {
        let mut own = Troops::fresh(facts);
        if facts.arm == Arm::Artillery {
            own.guns = std::iter::repeat_n(GunModel { crew: 4, damaged: 0 }, facts.start.into()).collect();
        }
        (formation.parse::<Formation>().unwrap(), StandSet::first(facts.start.into()), own)
    });
    let mut ledger = Ledger::new();
    ledger.step = TurnStep::Shooting;
    let agenda = vec![Phase::Shooting { asked: false }, Phase::Shooting { asked: false }];
    let state = State::new(muster, bodies.collect(), Vec::<Staff>::new(), ledger, agenda);
    let placed: Vec<Event<Days>> = pieces
        .iter()
        .enumerate()
        .map(|(no, (_, _, formation, x, y, facing))| {
            let pose = Pose { at: Point::new(Length::inches(*x), Length::inches(*y)), facing: Angle::whole(*facing) };
            let unit = UnitId(no as u16);
            let formation = formation.parse().unwrap();
            Event::new(Clause::SetUpAndBegin, Deed::Placed { unit, pose, formation, hidden: false })
        })
        .collect();
    state.folded(&placed)
}

fn at(unit: u16, at: u16) -> Shot {
    Shot { unit: UnitId(unit), at: Some(UnitId(at)), general: None, stands: None, passing: false }
}

fn fire(shots: Vec<Shot>) -> Order {
    Order::Fire { shots, reserve: Vec::new(), arson: Vec::new() }
}

/// Whoever lost stands is tested for it, and stands.
const TESTED: &str = "1d6: 6";

/// Side A fires with these dice, side B does not; the volleys and bounces that are told: target, hits.
fn shoot(battle: &mut Battle<Days>, order: Order, dice: &[&str]) -> Vec<DaysEvent> {
    let mut script = Scripted::default();
    dice.iter().for_each(|throw| script.add(throw).unwrap());
    battle.set_dice(Box::new(script));
    let mut told = Vec::new();
    for side in Side::BOTH {
        let no = battle.asked().unwrap().no;
        if battle.awaited().is_none_or(|awaited| awaited == side) {
            let given = if side == Side::A { order.clone() } else { Order::Pass };
            told.extend(battle.submit(side, no, given).unwrap().to_vec());
        }
    }
    assert!(battle.fault().is_none(), "{:?}", battle.fault());
    told.into_iter().filter_map(|event| if let Deed::Own(event) = event.deed { Some(event) } else { None }).collect()
}

fn battle(state: State<Days>) -> Battle<Days> {
    Battle::begin(state, Box::new(Scripted::default()), Keep::Events)
}

fn hits(events: &[DaysEvent]) -> Vec<(u16, u8)> {
    let hit = |event: &DaysEvent| match event {
        DaysEvent::Volley { at: Some(at), hits, .. } | DaysEvent::Bounces { at, hits, .. } => Some((at.0, *hits)),
        _ => None,
    };
    events.iter().filter_map(hit).collect()
}

fn refusals(state: &State<Days>, order: &Order) -> Vec<&'static str> {
    plan::read(state, Side::A, order).1.refusals.iter().map(|note| note.clause.0).collect()
}

/// PV-15.
#[test]
fn twelve_chassepots_at_eight_inches() {
    let line = |side, weapon, y, facing| (side, foot(weapon, 2, 12), "line", 30.0, y, facing);
    let state = field(IRON, &[line(Side::A, "chassepot", 10.0, 0), line(Side::B, "dreyse", 18.0, 180)], vec![]);
    let events = shoot(&mut battle(state), fire(vec![at(0, 1)]), &["3d6: 4 2 6", TESTED]);
    let volley = events.iter().find(|event| matches!(event, DaysEvent::Volley { .. })).unwrap();
    let DaysEvent::Volley { band, class, grade, stands, hits, .. } = volley else { unreachable!() };
    assert_eq!((*band, *class, *grade, *stands, *hits), (Band::Effective, TargetClass::Line, 3, 12, 2));
    let by = engine::StandSet::first(12);
    assert!(events.contains(&DaysEvent::Fired { unit: UnitId(0), stands: 12, by, at: Some(UnitId(1)) }));
}

/// PV-16.
#[test]
fn the_first_volley_throws_a_miss_again_once() {
    let line = |side, y, facing| (side, foot("rifle", 3, 8), "line", 30.0, y, facing);
    let state = field(EMPIRE, &[line(Side::A, 10.0, 0), line(Side::B, 16.0, 180)], vec![]);
    let mut battle = battle(state);
    let events = shoot(&mut battle, fire(vec![at(0, 1)]), &["2d6: 3 5", "1d6: 6", TESTED]);
    assert_eq!(hits(&events), [(1, 2)]);
    assert!(events.contains(&DaysEvent::FirstFireSpent { unit: UnitId(0) }));
    assert!(battle.state().unit(UnitId(0)).own.first_fire_used);
    let state = battle.state().clone();
    let cleared = state.folded(&[Event::own(Clause::FivePhasesToATurn, DaysEvent::Cleared)]);
    let aim = volley_of(&cleared, Side::A, &at(0, 1)).unwrap();
    assert_eq!((aim.first_fire, aim.crack, aim.dice()), (0, 0, 2));
}

#[test]
fn crack_troops_in_line_throw_one_die_again() {
    let line = |side, class, stands, y, facing| (side, foot("rifle", class, stands), "line", 30.0, y, facing);
    let state = field(EMPIRE, &[line(Side::A, 4, 8, 10.0, 0), line(Side::B, 2, 8, 16.0, 180)], vec![]);
    // Two misses: the one for the first volley, the other because they are crack.
    let events = shoot(&mut battle(state), fire(vec![at(0, 1)]), &["2d6: 1 1", "1d6: 5", "1d6: 2", TESTED]);
    assert_eq!(hits(&events), [(1, 1)]);
    let few = field(EMPIRE, &[line(Side::A, 4, 7, 10.0, 0), line(Side::B, 2, 8, 16.0, 180)], vec![]);
    assert_eq!(volley_of(&few, Side::A, &at(0, 1)).unwrap().crack, 0);
}

/// PV-14, the column: only its front rank has a free lane.
#[test]
fn a_column_fires_with_its_front_rank() {
    let enemy = (Side::B, foot("dreyse", 2, 12), "line", 30.0, 16.0, 180);
    let column = field(IRON, &[(Side::A, foot("chassepot", 2, 12), "manoeuvre", 30.0, 10.0, 0), enemy.clone()], vec![]);
    let aim = volley_of(&column, Side::A, &at(0, 1)).unwrap();
    assert_eq!((aim.dice(), aim.stands()), (1, 4));
    for (stands, dice) in [(12, vec![4, 4, 4]), (11, vec![4, 4, 3]), (10, vec![4, 4, 2]), (9, vec![4, 4])] {
        let line = (Side::A, foot("chassepot", 2, stands), "line", 30.0, 10.0, 0);
        let aim = volley_of(&field(IRON, &[line, enemy.clone()], vec![]), Side::A, &at(0, 1)).unwrap();
        let men: Vec<u8> = aim.sections.iter().flat_map(|section| section.dice.iter().map(|die| die.stands)).collect();
        assert_eq!((men, aim.stands()), (dice, stands));
    }
}

/// PV-13.
#[test]
fn long_charges_of_horse_are_fast_targets() {
    let horse = (Side::B, troops(Arm::Cavalry, "", 2, 6), "line", 30.0, 30.0, 180);
    let mut state = field(IRON, &[(Side::A, foot("chassepot", 2, 12), "line", 30.0, 10.0, 0), horse], vec![]);
    for (way, class) in [(8.0, TargetClass::Line), (8.5, TargetClass::Fast)] {
        let way = Length::inches(way);
        let charge = Charge {
            at: UnitId(0),
            kind: ChargeKind::Declared,
            counter: false,
            stage: ChargeStage::Begun,
            from: Pose::default(),
            aspect: Aspect::Front,
            apart: way,
            way,
            gone: Length::ZERO,
            left: way,
            caught: false,
        };
        state.unit_mut(UnitId(1)).charge = Some(Box::new(charge));
        let classes = target::classes(&state, UnitId(1), table::Vec2::ZERO);
        let (_, grades) = state.charts().small_arms["chassepot"].band(way).unwrap();
        assert_eq!(target::column(&state, grades, &classes).0, class);
    }
}

#[test]
fn every_reason_against_a_shot_is_told() {
    let own = (Side::A, foot("dreyse", 2, 4), "line", 30.0, 10.0, 0);
    let enemy = |x, y| (Side::B, foot("dreyse", 2, 4), "line", x, y, 180);
    let one = |x, y| field(IRON, &[own.clone(), enemy(x, y)], vec![]);
    assert_eq!(refusals(&one(30.0, 16.0), &fire(vec![at(0, 1)])), Vec::<&str>::new());
    assert_eq!(refusals(&one(30.0, 20.0), &fire(vec![at(0, 1)])), ["days.17.3-l"]);
    assert_eq!(refusals(&one(30.0, 4.0), &fire(vec![at(0, 1)])), ["iron.17.3-h"]);
    let nearer = field(IRON, &[own.clone(), enemy(36.0, 15.5), enemy(28.0, 14.0)], vec![]);
    assert_eq!(refusals(&nearer, &fire(vec![at(0, 1)])), ["days.17.3-f"]);
    assert!(refusals(&nearer, &fire(vec![at(0, 2)])).is_empty());
    assert_eq!(targets(&nearer, UnitId(0)), [at(0, 2)]);
    let friend = |how| (Side::A, foot("dreyse", 2, 6), how, 30.0, 13.0, 0);
    let masked = |how| field(IRON, &[own.clone(), enemy(30.0, 16.5), friend(how)], vec![]);
    assert_eq!(refusals(&masked("line"), &fire(vec![at(0, 1)])), ["days.16.3-d"]);
    assert_eq!(refusals(&masked("skirmish"), &fire(vec![at(0, 1)])), ["days.17.3.4-c"]);
    let mut melee = one(30.0, 16.0);
    melee.unit_mut(UnitId(1)).contact.push(UnitId(0));
    melee.unit_mut(UnitId(0)).contact.push(UnitId(1));
    assert!(refusals(&melee, &fire(vec![at(0, 1)])).contains(&"days.17.3.2-a"));
    assert_eq!(refusals(&one(30.0, 16.0), &fire(vec![at(0, 1), at(0, 1)])), ["days.17.3-m"]);
    assert!(refusals(&one(30.0, 16.0), &Order::Stand).contains(&"days.17.3-n"));
}

#[test]
fn stands_that_keep_their_fire_do_not_shoot() {
    let line = |side, y, facing| (side, foot("chassepot", 2, 12), "line", 30.0, y, facing);
    let state = field(IRON, &[line(Side::A, 10.0, 0), line(Side::B, 18.0, 180)], vec![]);
    let order = |stands| Order::Fire {
        shots: vec![at(0, 1)],
        reserve: vec![Reserve { unit: UnitId(0), stands }],
        arson: Vec::new(),
    };
    let (plan, verdict) = plan::read(&state, Side::A, &order(Some(8)));
    assert!(verdict.is_legal());
    assert_eq!((plan.aims[0].stands(), plan.reserves.clone()), (4, vec![(UnitId(0), 8)]));
    assert_eq!(refusals(&state, &order(Some(13))), ["days.17.3.1-b", "days.17.3-m"]);
    assert_eq!(refusals(&state, &order(None)), ["days.17.3.1-b"]);
}

#[test]
fn reserved_fire_is_for_those_who_charge() {
    let line = |side, y, facing| (side, foot("chassepot", 2, 12), "line", 30.0, y, facing);
    let mut state = field(IRON, &[line(Side::A, 10.0, 0), line(Side::B, 11.0, 180)], vec![]);
    state.unit_mut(UnitId(0)).turn.reserved = 6;
    let told = |state: &State<Days>| defence::read(state, Side::A, &fire(vec![at(0, 1)]));
    assert_eq!(told(&state).1.refusals[0].clause.0, "days.17.3.1-c");
    let charge = Charge {
        at: UnitId(0),
        kind: ChargeKind::Declared,
        counter: false,
        stage: ChargeStage::Close,
        from: Pose::default(),
        aspect: Aspect::Front,
        apart: Length::whole_inches(6),
        way: Length::whole_inches(6),
        gone: Length::whole_inches(5),
        left: Length::ZERO,
        caught: false,
    };
    state.unit_mut(UnitId(1)).charge = Some(Box::new(charge));
    let (plan, verdict) = told(&state);
    assert!(verdict.is_legal(), "{verdict:?}");
    assert_eq!((plan.aims[0].stands(), plan.aims[0].dice()), (6, 2));
    assert_eq!(plan.aims[0].sections[0].band, Band::Close);
}

#[test]
fn a_screen_keeps_rifles_off_and_catches_shell() {
    let line = (Side::B, foot("rifle", 2, 8), "line", 30.0, 22.0, 180);
    let screen = (Side::B, foot("rifle", 2, 4), "skirmish", 30.0, 19.0, 180);
    let rifles = (Side::A, foot("rifle", 2, 8), "line", 30.0, 10.0, 0);
    let state = field(EMPIRE, &[rifles, line.clone(), screen.clone()], vec![]);
    assert!(refusals(&state, &fire(vec![at(0, 1)])).contains(&"days.12.3-h"));
    let state = field(EMPIRE, &[(Side::A, guns("field_gun", 2), "deployed", 30.0, 10.0, 0), line, screen], vec![]);
    // The six is a hit on the screen, the five only on the line behind it.
    let mut battle = battle(state);
    let events = shoot(&mut battle, fire(vec![at(0, 1)]), &["2d6: 6 5", TESTED, TESTED]);
    assert_eq!(hits(&events)[..2], [(1, 1), (2, 1)]);
}

#[test]
fn round_shot_bounds_into_the_second_line() {
    let gun = (Side::A, guns("field_gun", 1), "deployed", 30.0, 10.0, 0);
    let line = |y| (Side::B, foot("smoothbore", 2, 8), "line", 30.0, y, 180);
    let state = field(EMPIRE, &[gun, line(20.0), line(23.0), line(40.0)], vec![]);
    let events = shoot(&mut battle(state.clone()), fire(vec![at(0, 1)]), &["1d6: 6", "1d6: 6", TESTED, TESTED]);
    assert_eq!(hits(&events), [(1, 1), (2, 1)]);
    let events = shoot(&mut battle(state), fire(vec![at(0, 1)]), &["1d6: 1"]);
    assert_eq!(hits(&events), [(1, 0)]);
}

#[test]
fn a_square_fires_by_sides() {
    let square = (Side::A, foot("rifle", 2, 8), "square", 30.0, 10.0, 0);
    let enemy = (Side::B, foot("rifle", 2, 8), "line", 30.0, 14.0, 180);
    let state = field(EMPIRE, &[square, enemy], vec![]);
    let aim = volley_of(&state, Side::A, &at(0, 1)).unwrap();
    assert_eq!((aim.stands(), aim.dice()), (2, 1));
    assert!(aim.clauses.contains(&Clause::EightStandsInSquare));
}

#[test]
fn shaken_and_raw_troops_shoot_worse() {
    let line = |side, class, y, facing| (side, foot("chassepot", class, 12), "line", 30.0, y, facing);
    let mut state = field(IRON, &[line(Side::A, 1, 10.0, 0), line(Side::B, 2, 18.0, 180)], vec![]);
    let grade = |state: &State<Days>| volley_of(state, Side::A, &at(0, 1)).unwrap().sections[0].grade;
    assert_eq!(grade(&state), 2);
    state.unit_mut(UnitId(0)).order = crate::unit::OrderState::Shaken;
    assert_eq!(grade(&state), 1);
}

#[test]
fn woods_and_hills_and_troops_hide() {
    let block = |kind, level, south: f64, north: f64| {
        let corner = |x: f64, y: f64| Point::new(Length::inches(x), Length::inches(y));
        let ring = vec![corner(10.0, south), corner(50.0, south), corner(50.0, north), corner(10.0, north)];
        let shape = table::Shape::new(Outline::Area(ring)).unwrap();
        Feature { key: "f".into(), name: String::new(), kind, shape, level, crests: Vec::new(), nature: Vec::new() }
    };
    let own = (Side::A, foot("dreyse", 2, 4), "line", 30.0, 10.0, 0);
    let enemy = |y, how| (Side::B, foot("dreyse", 2, 4), how, 30.0, y, 180);
    let sees = |pieces: &[Piece], features| sight::sees(&field(IRON, pieces, features), UnitId(0), UnitId(1));
    assert!(sees(&[own.clone(), enemy(20.0, "line")], vec![]));
    assert!(!sees(&[own.clone(), enemy(5.0, "line")], vec![]), "they are behind");
    let wood = || vec![block(TerrainKind::Woods, 0, 14.0, 30.0)];
    assert!(sees(&[own.clone(), enemy(18.0, "line")], wood()), "the edge of a wood can be seen");
    assert!(!sees(&[own.clone(), enemy(18.0, "skirmish")], wood()), "but not so deep inside where they skirmish");
    assert!(!sees(&[own.clone(), enemy(23.0, "line")], wood()));
    assert!(!sees(&[own.clone(), enemy(32.0, "line")], wood()), "nor behind it");
    let hill = || vec![block(TerrainKind::Hill, 1, 14.0, 18.0)];
    assert!(!sees(&[own.clone(), enemy(20.0, "line")], hill()));
    assert!(sees(&[own.clone(), enemy(16.0, "line")], hill()), "who stands on it is seen");
    let between = |facts, how| (Side::B, facts, how, 30.0, 15.0, 180);
    let wide = foot("dreyse", 2, 16);
    assert!(!sees(&[own.clone(), enemy(20.0, "line"), between(wide.clone(), "line")], vec![]));
    assert!(sees(&[own.clone(), enemy(20.0, "line"), between(wide.clone(), "skirmish")], vec![]));
    let horse = (Side::B, troops(Arm::Cavalry, "", 2, 6), "line", 30.0, 20.0, 180);
    assert!(sees(&[own, horse, between(wide, "line")], vec![]), "riders are seen over the heads of foot");
}

/// A body that rides across the front and is gone again may still be shot at, once, by whoever stood still.
#[test]
fn what_crosses_an_arc_is_remembered() {
    let line = (Side::A, foot("chassepot", 2, 8), "line", 30.0, 10.0, 0);
    let horse = (Side::B, troops(Arm::Cavalry, "", 2, 6), "column", 10.0, 16.0, 270);
    let mut state = field(IRON, &[line, horse], vec![]);
    let from = Pose { at: Point::new(Length::inches(50.0), Length::inches(16.0)), facing: Angle::whole(270) };
    let crossing = passing::crossing_of(&state, UnitId(0), UnitId(1), from).unwrap();
    assert!(crossing.at < Length::whole_inches(6) && crossing.by.count() > 0, "{crossing:?}");
    assert_eq!(crossing.class, TargetClass::Dense);
    state.ledger_mut().crossings.push(crossing);
    let shot = Shot { passing: true, ..at(0, 1) };
    assert_eq!(targets(&state, UnitId(0)), [shot]);
    let aim = volley_of(&state, Side::A, &shot).unwrap();
    assert!(aim.passing && aim.clauses.contains(&Clause::PassingShots));
    state.unit_mut(UnitId(0)).turn.moved = true;
    assert_eq!(refusals(&state, &fire(vec![shot])), ["days.17.3-o"]);
}

#[test]
fn guns_on_heights() {
    let block = |level, south: f64, north: f64| {
        let corner = |x: f64, y: f64| Point::new(Length::inches(x), Length::inches(y));
        let ring = vec![corner(10.0, south), corner(50.0, south), corner(50.0, north), corner(10.0, north)];
        let shape = table::Shape::new(Outline::Area(ring)).unwrap();
        let kind = TerrainKind::Hill;
        Feature { key: "h".into(), name: String::new(), kind, shape, level, crests: Vec::new(), nature: Vec::new() }
    };
    let enemy = |y| (Side::B, foot("dreyse", 2, 8), "line", 30.0, y, 180);
    let battery = |key, y| (Side::A, guns(key, 2), "deployed", 30.0, y, 0);
    let up = |key| field(IRON, &[battery(key, 10.0), enemy(22.0)], vec![block(2, 20.0, 30.0)]);
    assert_eq!(refusals(&up("ml_field"), &fire(vec![at(0, 1)])), ["days.17.3.3-a"]);
    assert!(refusals(&up("howitzer"), &fire(vec![at(0, 1)])).is_empty());
    let down = |y| field(IRON, &[battery("ml_field", 10.0), enemy(y)], vec![block(2, 2.0, 12.0)]);
    assert_eq!(refusals(&down(16.0), &fire(vec![at(0, 1)])), ["days.17.3.3-b"]);
    assert!(refusals(&down(17.0), &fire(vec![at(0, 1)])).is_empty());
}
