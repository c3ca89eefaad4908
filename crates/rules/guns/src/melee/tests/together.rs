//! Charges and fights together with fire, retirement and disorder; and many that nobody has thought of.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::assault::Assault;
use super::super::event::GunsEvent;
use super::super::field;
use super::super::flinch::bench::{Raw, at, feature, field, play, told, unit, wall};
use super::super::flinch::{Flinching, aim};
use super::super::formation::Shape;
use super::super::order::{Decision, Order};
use super::super::sequence::Phase;
use super::super::unit::{Arm, ChargeStage};
use engine::battle::Keep;
use engine::{Battle, Lots, Seed, Side, UnitId};
use table::terrain::TerrainKind;
use table::{Length, Outline, Point};

const A: UnitId = UnitId(0);
const B: UnitId = UnitId(1);

/// The two steps, the first on top.
fn steps() -> Vec<Phase> {
    vec![Phase::Assault(Assault::default()), Phase::Flinch(Flinching::default())]
}

fn y_of(battle: &Battle<super::Guns>, unit: UnitId) -> Length {
    battle.state().unit(unit).pose().at.y
}

#[test]
fn who_can_still_be_reached_retires_twice() {
    let charger = unit(Side::A, Arm::Infantry, 8, 8, Shape::Loose, at(800.0, 400.0, 0.0)).charging(1, 260.0);
    let line = unit(Side::B, Arm::Infantry, 6, 6, Shape::Line, at(800.0, 500.0, 180.0));
    // The test, the volley on those about to run, 130 mm back, still within 260: 290 mm more.
    let dice = ["1d10: 3", "1d10: 5", "1d10: 2", "1d10: 6"];
    let battle = play(field(vec![charger.clone(), line.clone()], Vec::new()), steps(), &dice, &[]);
    assert_eq!(battle.fault().map(|fault| fault.phase.as_str()), Some("none"), "{:?}", battle.fault());
    assert_eq!(y_of(&battle, B), Length::mm(920.0));
    assert_eq!(y_of(&battle, A), Length::mm(500.0));
    let (own, foe) = (field::troops(battle.state(), A), field::troops(battle.state(), B));
    assert!(own.disorder.combat, "contact was not made");
    assert!(foe.broken && foe.disorder.combat);
    assert_eq!((foe.status, foe.retirements), (5, 1));
    // A column has only 160 mm left and does not reach it a second time.
    let column = unit(Side::A, Arm::Infantry, 8, 8, Shape::Assault, at(800.0, 400.0, 0.0)).charging(1, 160.0);
    let battle = play(field(vec![column, line], Vec::new()), steps(), &dice[..3], &[]);
    assert_eq!(y_of(&battle, B), Length::mm(630.0));
}

fn storm() -> Vec<Raw> {
    let column = unit(Side::A, Arm::Infantry, 8, 8, Shape::Assault, at(803.0, 400.0, 0.0)).charging(1, 160.0);
    let line = unit(Side::B, Arm::Infantry, 6, 6, Shape::Line, at(800.0, 500.0, 180.0)).behind(0);
    vec![column, line]
}

#[test]
fn attackers_who_do_more_damage_break_in() {
    let dice = ["1d10: 5", "1d10: 9", "1d10: 4"];
    let battle = play(field(storm(), vec![wall(498.0)]), steps(), &dice, &[]);
    let (own, foe) = (field::troops(battle.state(), A), field::troops(battle.state(), B));
    assert_eq!((own.status, foe.status), (8, 5));
    assert!(own.inside && own.locked.contains(&B) && foe.locked.contains(&A));
    assert!(own.disorder.combat && foe.disorder.combat);
    assert_eq!(y_of(&battle, B), Length::mm(520.0), "the defenders give way by one element");
    // Next bound both halve, nobody has cover, and the defenders run when beaten.
    let inside = battle.state().clone();
    let dice = ["1d10: 10", "1d10: 1", "1d10: 3"];
    let battle = play(inside, vec![Phase::Assault(Assault::default())], &dice, &[]);
    let foe = field::troops(battle.state(), B);
    assert!(foe.broken && foe.locked.is_empty());
    assert!(!field::troops(battle.state(), A).inside);
}

#[test]
fn attackers_who_are_held_test_again_and_may_draw_back() {
    let mut units = storm();
    units[0].troops.bound.shelled = true;
    units[0].troops.bound.skirmished = true;
    // Nothing inflicted, one suffered: 7 + 2 + 2 - 1 - 1 - 1 = 8.
    let held =
        play(field(units.clone(), vec![wall(498.0)]), steps(), &["1d10: 5", "1d10: 1", "1d10: 10", "1d10: 8"], &[]);
    assert!(field::troops(held.state(), A).locked.contains(&B));
    let back = play(field(units, vec![wall(498.0)]), steps(), &["1d10: 5", "1d10: 1", "1d10: 10", "1d10: 9"], &[]);
    let troops = field::troops(back.state(), A);
    assert!(troops.locked.is_empty() && troops.pinned);
    assert_eq!(field::formation(back.state(), A).shape, Shape::Line);
    assert!(field::gap(back.state(), A, B) > Length::mm(1.0));
}

#[test]
fn beaten_cavalry_stands_and_is_ridden_through() {
    let horse = |side, y, facing, start| unit(side, Arm::Cavalry, 3, start, Shape::Line, at(800.0, y, facing));
    let units =
        vec![horse(Side::A, 400.0, 0.0, 5).charging(1, 400.0), horse(Side::B, 500.0, 180.0, 3).charging(0, 400.0)];
    let dice = ["1d10: 2", "1d10: 2", "1d10: 9", "1d10: 6"];
    let battle = play(field(units, Vec::new()), steps(), &dice, &[Order::RideThrough]);
    let (own, foe) = (field::troops(battle.state(), A), field::troops(battle.state(), B));
    assert_eq!((own.status, foe.status), (5, 2));
    assert!(foe.beaten && foe.disorder.combat && own.disorder.combat && own.rode_through);
    assert!(y_of(&battle, A) > y_of(&battle, B));
}

#[test]
fn cavalry_beaten_while_it_reforms_breaks() {
    let horse = |side, y, facing, start| unit(side, Arm::Cavalry, 3, start, Shape::Line, at(800.0, y, facing));
    let shaken = horse(Side::B, 500.0, 180.0, 3).with(|raw| {
        raw.troops.beaten = true;
        raw.troops.reforming = true;
        raw.troops.disorder.combat = true;
    });
    let units = vec![horse(Side::A, 400.0, 0.0, 5).charging(1, 400.0), shaken];
    // It stands, strikes at half, and goes 100 mm and 50 more for a one.
    let battle = play(field(units, Vec::new()), steps(), &["1d10: 2", "1d10: 9", "1d10: 6", "1d10: 1"], &[]);
    let foe = field::troops(battle.state(), B);
    assert_eq!(foe.status, 1);
    assert!(foe.broken && !foe.beaten);
    assert_eq!(y_of(&battle, B), Length::mm(650.0));
}

#[test]
fn defenders_may_flinch_too_where_the_house_wants_it() {
    let mut units = storm();
    units[1].troops.bound.shelled = true;
    units[1].troops.bound.skirmished = true;
    let mut field = field(units, vec![wall(498.0)]);
    field.muster_mut().settings.defender_flinch = true;
    // 6 + 2 for loose order + 2 behind the wall - 2 for fire: nine is too much, so it is shot at and runs.
    let battle = play(field, steps(), &["1d10: 5", "1d10: 9", "1d10: 1", "1d10: 1"], &[]);
    let foe = field::troops(battle.state(), B);
    assert!(foe.broken && !foe.bound.fought);
}

#[test]
fn cavalry_that_fails_falls_back_out_of_order() {
    let horse = unit(Side::A, Arm::Cavalry, 3, 3, Shape::Line, at(800.0, 700.0, 0.0)).charging(1, 400.0);
    let line = unit(Side::B, Arm::Infantry, 6, 6, Shape::Line, at(800.0, 800.0, 180.0));
    let dice = ["1d10: 10", "1d10: 2"];
    let battle = play(field(vec![horse, line], Vec::new()), steps(), &dice, &[]);
    let troops = field::troops(battle.state(), A);
    assert!(troops.disorder.combat && !troops.broken && troops.falls_back);
    assert_eq!(y_of(&battle, A), Length::mm(570.0));
}

#[test]
fn guns_that_stand_are_captured() {
    let guns = unit(Side::B, Arm::Artillery, 6, 6, Shape::Deployed, at(800.0, 480.0, 180.0));
    let foot = unit(Side::A, Arm::Infantry, 6, 6, Shape::Line, at(800.0, 400.0, 0.0)).charging(1, 160.0);
    let battle = play(field(vec![foot, guns], Vec::new()), steps(), &["1d10: 1"], &[]);
    assert!(!field::is_there(battle.state(), B));
    assert!(!field::troops(battle.state(), A).disorder.combat, "contact was made, and it was no fight");
}

#[test]
fn skirmishers_draw_off_without_a_die() {
    let foot = unit(Side::A, Arm::Infantry, 6, 6, Shape::Line, at(800.0, 400.0, 0.0)).charging(1, 160.0);
    let skirmishers = unit(Side::B, Arm::Infantry, 4, 4, Shape::Extended, at(800.0, 480.0, 180.0));
    let battle = play(field(vec![foot, skirmishers], Vec::new()), steps(), &[], &[]);
    assert!(field::gap(battle.state(), A, B) > Length::mm(80.0));
    let troops = field::troops(battle.state(), B);
    assert!(!troops.disorder.combat && troops.retirements == 0 && !troops.broken);
    assert!(told(&battle).iter().any(|event| matches!(event, GunsEvent::Evades { .. })));
}

fn random_unit(lots: &mut Lots, no: usize, count: usize) -> Raw {
    let side = if no.is_multiple_of(2) { Side::A } else { Side::B };
    let arm = *lots.pick(&[Arm::Infantry, Arm::Infantry, Arm::Infantry, Arm::Cavalry, Arm::Artillery]).unwrap();
    let shape = match arm {
        Arm::Artillery => *lots.pick(&[Shape::Limbered, Shape::Deployed]).unwrap(),
        Arm::Cavalry => *lots.pick(&[Shape::Line, Shape::Loose, Shape::Extended]).unwrap(),
        _ => *lots.pick(&[Shape::Line, Shape::Assault, Shape::Loose, Shape::Extended]).unwrap(),
    };
    let facing = if side == Side::A { 0.0 } else { 180.0 } + (lots.unit() - 0.5) * 90.0;
    let row = (no / 2) as f64 / (count / 2).max(1) as f64;
    let y = if side == Side::A { 520.0 } else { 640.0 } + (lots.unit() - 0.5) * 160.0;
    let mut raw = unit(side, arm, 4 + lots.below(5) as u8, 8, shape, at(100.0 + row * 1400.0, y, facing));
    raw.facts.weapon.breech = lots.below(2) == 0;
    raw.facts.start = 3 + lots.below(8) as u8;
    raw.facts.charge_limit = raw.facts.start.saturating_sub(3).max(1);
    raw.troops.status = raw.facts.start - lots.below(3) as u8;
    raw.troops.broken = lots.below(12) == 0;
    raw.troops.beaten = arm == Arm::Cavalry && lots.below(6) == 0;
    raw.troops.reforming = lots.below(8) == 0;
    raw.troops.pinned = lots.below(8) == 0;
    raw.troops.running = lots.below(3) as u8;
    raw.troops.bound.full = Length::mm(400.0);
    let may_charge = !matches!(shape, Shape::Extended | Shape::Limbered | Shape::Deployed);
    if may_charge && lots.below(3) > 0 {
        let target = lots.below(count / 2) * 2 + usize::from(side == Side::A);
        raw = raw.charging(target as u16, 50.0 + lots.unit() * 400.0);
    } else if arm == Arm::Infantry && lots.below(2) == 0 {
        raw = raw.behind(lots.below(2) as u16);
    }
    raw
}

fn answer(lots: &mut Lots, decision: &Decision) -> Order {
    if lots.below(3) == 0 {
        return Order::Pass;
    }
    match decision {
        Decision::LieDown { .. } => Order::LieDown { units: Vec::new() },
        Decision::Abandon { .. } => Order::Abandon,
        Decision::PressOn { among, .. } => lots.pick(among).map_or(Order::Pass, |at| Order::PressOn { at: *at }),
        Decision::RideThrough { .. } => Order::RideThrough,
        _ => Order::Pass,
    }
}

#[test]
fn whatever_happens_the_steps_come_to_an_end() {
    let corners = [(700.0, 600.0), (900.0, 600.0), (900.0, 700.0), (700.0, 700.0)];
    let ring = corners.map(|(x, y)| Point::new(Length::mm(x), Length::mm(y))).to_vec();
    let mut fights = 0;
    for number in 0..400 {
        let mut lots = Lots::new(number);
        let count = 4 + lots.below(12) / 2 * 2;
        let units = (0..count).map(|no| random_unit(&mut lots, no, count)).collect();
        let town = feature(TerrainKind::Town, Outline::Area(ring.clone()));
        let field = field(units, vec![wall(600.0), town]);
        let mut phases = steps();
        phases.extend(steps());
        let seed = Seed::from_number(number);
        let mut battle = Battle::seeded(field.with_agenda(phases, 1), seed, Keep::Everything);
        for _ in 0..500 {
            let Some(asked) = battle.asked().cloned() else { break };
            let side = battle.awaited().expect("a side");
            let order = answer(&mut lots, &asked.decision);
            assert!(battle.check(side, &order).is_legal(), "{number}: {order:?}");
            let _ = battle.submit(side, asked.no, order);
        }
        assert_eq!(battle.fault().map(|fault| fault.phase.as_str()), Some("none"), "{number}: {:?}", battle.fault());
        fights += told(&battle).iter().filter(|event| matches!(event, GunsEvent::Melee { .. })).count();
        for (id, unit) in battle.state().units() {
            assert!(!unit.is_present() || unit.own.status > 0, "{number}: {id:?} is worn out and still there");
            assert!(aim::stage(battle.state(), id) != Some(ChargeStage::Tested) || !unit.is_present());
            for with in &unit.own.locked {
                assert!(field::is_there(battle.state(), *with), "{number}: {id:?} is locked with nobody");
            }
        }
    }
    assert!(fights > 20, "only {fights} fights");
}
