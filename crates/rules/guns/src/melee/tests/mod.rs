//! Fights small enough to follow by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::assault::Assault;
use super::super::clause::Clause;
use super::super::event::GunsEvent;
use super::super::field;
use super::super::flinch::aim;
use super::super::flinch::bench::{Raw, W, at, field, play, told, unit, wall};
use super::super::formation::Shape;
use super::super::order::Order;
use super::super::sequence::Phase;
use super::super::unit::{Arm, ChargeStage, Cycle, Goal};
use super::{Fighters, by_numbers, calculation, combats, eligible, pairs};
use engine::{Side, UnitId};
use table::{Layout, Length, Pose};

const A: UnitId = UnitId(0);
const B: UnitId = UnitId(1);

fn body(n: usize, files: usize, pose: Pose, two_ranks: bool) -> Fighters {
    let element = table::Footprint::new(Length::mm(W), Length::mm(W));
    let elements = Layout::blocks(n, element, files, Length::ZERO).quads(pose).collect();
    Fighters { elements, files, two_ranks }
}

#[test]
fn a_column_on_one_element_of_a_line_meets_three_and_two_overlap() {
    // The line has six elements, so its middle is between two of them; the column's middle is on one.
    let column = body(8, 2, at(810.0, 400.0, 0.0), true);
    let line = body(6, 6, at(800.0, 400.0, 180.0), false);
    assert_eq!(eligible(&column, &line).len(), 4, "two in front and two behind them");
    assert_eq!(eligible(&line, &column).len(), 5);
}

#[test]
fn equal_fronts_have_no_overlap() {
    let one = body(3, 3, at(800.0, 400.0, 0.0), false);
    let other = body(3, 3, at(800.0, 400.0, 180.0), false);
    assert_eq!(eligible(&one, &other).len(), 3);
    assert_eq!(eligible(&other, &one).len(), 3);
    let aside = body(3, 3, at(840.0, 400.0, 180.0), false);
    assert_eq!(eligible(&one, &aside).len(), 1, "what nobody touches does not fight");
}

#[test]
fn a_flank_does_not_strike_back() {
    let attacker = body(4, 4, at(800.0, 400.0, 0.0), false);
    let flank = body(4, 4, at(800.0, 480.0, 90.0), false);
    assert!(table::gap(&attacker.elements[1], &flank.elements[3]) > Length::mm(1.0));
    let touching = body(4, 4, at(800.0, 440.0, 90.0), false);
    assert!(!eligible(&attacker, &touching).is_empty());
    assert!(eligible(&touching, &attacker).is_empty());
}

#[test]
fn bodies_apart_are_counted_by_their_fronts() {
    let column = body(8, 2, at(800.0, 300.0, 0.0), true);
    let line = body(6, 6, at(800.0, 400.0, 180.0), false);
    assert!(eligible(&column, &line).is_empty());
    assert_eq!(by_numbers(&column, &line), 4);
    assert_eq!(by_numbers(&line, &column), 4);
}

fn home(mut raw: Raw, at: u16) -> Raw {
    raw = raw.charging(at, 60.0);
    raw.troops.charge.as_mut().expect("a charge").stage = ChargeStage::Passed;
    raw.troops.bound.goal = Some(Goal { by: Length::mm(100.0), contact: true });
    raw
}

/// The assault on the wall: eight in column against six along it.
fn storm() -> Vec<Raw> {
    let column = unit(Side::A, Arm::Infantry, 8, 8, Shape::Assault, at(803.0, 400.0, 0.0));
    let line = unit(Side::B, Arm::Infantry, 6, 6, Shape::Line, at(800.0, 500.0, 180.0)).behind(0);
    let mut column = home(column, 1);
    column.troops.charge.as_mut().expect("a charge").left = Length::mm(160.0);
    vec![column, line]
}

#[test]
fn an_assault_on_a_wall_is_fought_by_four_against_five() {
    let field = field(storm(), vec![wall(498.0)]);
    let battle = play(field, vec![Phase::Assault(Assault::default())], &["1d10: 5", "1d10: 5"], &[]);
    let blows: Vec<(UnitId, UnitId, u8)> = told(&battle)
        .iter()
        .filter_map(|event| match event {
            GunsEvent::Blow { by, at, counted, .. } => Some((*by, *at, *counted)),
            _ => None,
        })
        .collect();
    assert_eq!(blows, [(A, B, 4), (B, A, 5)]);
    assert_eq!(aim::stage(battle.state(), A), Some(ChargeStage::Home));
    assert!(field::troops(battle.state(), A).bound.fought && field::troops(battle.state(), B).bound.fought);
}

#[test]
fn lines_of_close_combat_are_those_of_the_ruling() {
    let mut units = storm();
    units[0].troops.charge.as_mut().expect("a charge").stage = ChargeStage::Home;
    units[0].pose = at(810.0, 497.0, 0.0);
    let field = field(units, vec![wall(498.0)]);
    let attack = calculation(&field, A, B, 4);
    assert_eq!((attack.halves.as_slice(), attack.adds.as_slice()), (&[Clause::TargetHardCover][..], &[][..]));
    let defence = calculation(&field, B, A, 5);
    assert!(defence.halves.is_empty());
    assert_eq!(defence.adds.as_slice(), [Clause::TargetCharging, Clause::LooseAgainstClose]);
    assert!(attack.doubles.is_empty() && !attack.disordered);
}

fn horse(side: Side, y: f64, facing: f64, start: u8) -> Raw {
    unit(side, Arm::Cavalry, 3, start, Shape::Line, at(800.0, y, facing))
}

#[test]
fn squadrons_riding_at_each_other_meet_half_way_and_both_count_as_charging() {
    let units = vec![home(horse(Side::A, 400.0, 0.0, 5), 1), home(horse(Side::B, 500.0, 180.0, 3), 0)];
    let battle = play(field(units, Vec::new()), vec![Phase::Assault(Assault::default())], &["1d10: 5", "1d10: 5"], &[]);
    let state = battle.state();
    for (by, foe) in [(A, B), (B, A)] {
        assert_eq!(aim::stage(state, by), Some(ChargeStage::Home));
        let sum = calculation(state, by, foe, 3);
        assert_eq!(sum.adds.as_slice(), [Clause::TargetCharging, Clause::TargetMounted]);
    }
    let counted: Vec<u8> = told(&battle)
        .iter()
        .filter_map(|event| if let GunsEvent::Blow { counted, .. } = event { Some(*counted) } else { None })
        .collect();
    assert_eq!(counted, [3, 3]);
}

#[test]
fn guns_that_are_reached_are_not_fought() {
    let guns = unit(Side::B, Arm::Artillery, 6, 6, Shape::Deployed, at(800.0, 450.0, 180.0));
    let foot = unit(Side::A, Arm::Infantry, 6, 6, Shape::Line, at(800.0, 400.0, 0.0));
    let abandoned = guns.with(|raw| raw.troops.cycle = Cycle::Abandoned);
    let field = field(vec![home(foot, 1), abandoned], Vec::new());
    let battle = play(field, vec![Phase::Assault(Assault::default())], &[], &[]);
    assert_eq!(field::troops(battle.state(), B).touched, Some(1));
    assert_eq!(aim::stage(battle.state(), A), Some(ChargeStage::Home));
    assert!(!field::troops(battle.state(), A).bound.fought);
}

#[test]
fn a_charger_whose_enemy_ran_takes_the_ground_and_may_press_on() {
    let mut foot = home(unit(Side::A, Arm::Infantry, 6, 6, Shape::Loose, at(800.0, 400.0, 0.0)), 1);
    foot.troops.bound.goal = Some(Goal { by: Length::mm(100.0), contact: false });
    foot.troops.charge.as_mut().expect("a charge").left = Length::mm(260.0);
    let ran = unit(Side::B, Arm::Infantry, 6, 6, Shape::Line, at(400.0, 1000.0, 180.0));
    let next = unit(Side::B, Arm::Infantry, 6, 6, Shape::Line, at(800.0, 620.0, 180.0)).behind(0);
    let phases = vec![Phase::Assault(Assault::default())];
    let stays = play(
        field(vec![foot.clone(), ran.clone(), next.clone()], vec![wall(619.0)]),
        phases.clone(),
        &[],
        &[Order::Pass],
    );
    assert_eq!(stays.state().unit(A).pose().at.y, Length::mm(500.0));
    assert_eq!(aim::left(stays.state(), A), Length::mm(160.0));
    // 6, loose +2: seven passes, and the wall is stormed in the same bound.
    let press = [Order::PressOn { at: UnitId(2) }];
    let dice = ["1d10: 7", "1d10: 5", "1d10: 5"];
    let battle = play(field(vec![foot, ran, next], vec![wall(619.0)]), phases, &dice, &press);
    assert_eq!(aim::target(battle.state(), A), Some(UnitId(2)));
    assert_eq!(aim::stage(battle.state(), A), Some(ChargeStage::Home));
    assert!(field::troops(battle.state(), UnitId(2)).bound.fought);
}

#[test]
fn touching_units_fight_one_combat() {
    let mut units = storm();
    let second = unit(Side::A, Arm::Infantry, 4, 4, Shape::Assault, at(760.0, 497.0, 0.0));
    units.push(home(second, 1));
    for raw in units.iter_mut().filter(|raw| raw.troops.charge.is_some()) {
        raw.troops.charge.as_mut().expect("a charge").stage = ChargeStage::Home;
    }
    let field = field(units, vec![wall(498.0)]);
    let pairs = pairs(&field);
    assert_eq!(pairs, [(A, B), (UnitId(2), B)]);
    let combats = combats(&field, &pairs);
    assert_eq!(combats.len(), 1);
    assert_eq!(combats[0].attackers, [A, UnitId(2)]);
    assert_eq!(combats[0].defenders, [B]);
}
