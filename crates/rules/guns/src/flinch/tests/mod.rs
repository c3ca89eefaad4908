//! Tests small enough to follow by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::clause::Clause;
use super::super::event::GunsEvent;
use super::super::field;
use super::super::formation::Shape;
use super::super::order::Order;
use super::super::sequence::Phase;
use super::super::settings::FlinchDamage;
use super::super::unit::{Arm, ChargeStage, Goal};
use super::bench::{at, charts, field, play, told, unit, wall};
use super::footing::{Footing, outnumbers};
use super::{Flinching, aim, outcome, perimeter, reckoning};
use engine::{Side, UnitId};
use table::Length;

const A: UnitId = UnitId(0);
const B: UnitId = UnitId(1);

/// A column of eight that lost a point, before a line of six 80 mm ahead.
fn column_before_line(damage: u8) -> Vec<super::bench::Raw> {
    vec![
        unit(Side::A, Arm::Infantry, 8, 8, Shape::Assault, at(800.0, 400.0, 0.0)).hurt(damage).charging(1, 160.0),
        unit(Side::B, Arm::Infantry, 6, 6, Shape::Line, at(800.0, 480.0, 180.0)),
    ]
}

#[test]
fn foot_adds_column_and_numbers_and_takes_off_fire_and_damage() {
    let mut units = column_before_line(1);
    units[0].troops.bound.volleyed = true;
    let field = field(units, Vec::new());
    let sum = reckoning(&field, A, Some(B));
    assert_eq!(sum.whole(), 9, "{sum:?}");
    let clauses = [
        Clause::FlinchStatus,
        Clause::FlinchColumn,
        Clause::Outnumbering,
        Clause::FormedFireReceived,
        Clause::FlinchDamage,
    ];
    assert_eq!(sum.lines.iter().map(|line| line.clause).collect::<Vec<_>>(), clauses.map(Into::into));
}

#[test]
fn horse_reads_its_own_column() {
    let footing = Footing {
        status: 5,
        horse: true,
        first_charge: true,
        led: true,
        volleyed: true,
        shelled: true,
        ..Footing::default()
    };
    assert_eq!(footing.reckoning(&charts()).whole(), 8);
    // A column means nothing to horse, and being out of order less than to foot.
    let shaken = Footing { column: true, disordered: true, ..footing };
    assert_eq!(shaken.reckoning(&charts()).whole(), 6);
}

#[test]
fn a_fifth_more_outnumbers() {
    let charts = charts();
    assert!(outnumbers(&charts, 6, 5));
    assert!(!outnumbers(&charts, 7, 6));
    assert!(outnumbers(&charts, 8, 6));
    assert!(!outnumbers(&charts, 5, 0));
}

#[test]
fn damage_of_this_bound_alone_counts_where_the_players_agree() {
    let mut units = column_before_line(2);
    units[0].troops.bound.damage = 1;
    let mut agreed = field(units, Vec::new());
    // 6, column +2, more men +2, and two points lost in the battle, one of them now.
    assert_eq!(reckoning(&agreed, A, Some(B)).whole(), 8);
    agreed.muster_mut().settings.flinch_damage = FlinchDamage::ThisBound;
    assert_eq!(reckoning(&agreed, A, Some(B)).whole(), 9);
}

#[test]
fn too_worn_to_test_fails_without_a_die() {
    let battle = play(field(column_before_line(4), Vec::new()), vec![Phase::Flinch(Flinching::default())], &[], &[]);
    let troops = field::troops(battle.state(), A);
    assert!(troops.pinned);
    assert_eq!(aim::stage(battle.state(), A), Some(ChargeStage::Failed));
    assert_eq!(field::formation(battle.state(), A).shape, Shape::Line, "the column deploys");
    assert!(!told(&battle).iter().any(|event| matches!(event, GunsEvent::Flinch { .. })));
}

#[test]
fn foot_with_breech_loaders_may_lie_down_after_failing() {
    let mut units = column_before_line(3);
    units[0].facts.weapon.breech = true;
    // 5, column +2, more men +2, first charge counts for horse alone, three points lost: 6.
    let choice = [Order::LieDown { units: vec![A] }];
    let phases = vec![Phase::Flinch(Flinching::default())];
    let battle = play(field(units.clone(), Vec::new()), phases.clone(), &["1d10: 7"], &choice);
    assert!(field::troops(battle.state(), A).prone);
    assert!(field::troops(battle.state(), A).pinned);
    let battle = play(field(units, Vec::new()), phases, &["1d10: 7"], &[Order::Pass]);
    assert!(!field::troops(battle.state(), A).prone);
}

#[test]
fn a_pass_frees_who_was_pinned_and_says_how_far_to_go() {
    let mut units = column_before_line(1);
    units[0].troops.pinned = true;
    units[1] = units[1].clone().behind(0);
    let battle = play(field(units, vec![wall(479.0)]), vec![Phase::Flinch(Flinching::default())], &["1d10: 9"], &[]);
    let troops = field::troops(battle.state(), A);
    assert!(!troops.pinned);
    assert_eq!(aim::stage(battle.state(), A), Some(ChargeStage::Passed));
    assert_eq!(troops.bound.goal, Some(Goal { by: Length::mm(80.0), contact: true }));
}

#[test]
fn a_wall_counts_from_its_far_side_only() {
    let mut units = column_before_line(0);
    units[1] = units[1].clone().behind(0);
    let before = field(units.clone(), vec![wall(470.0)]);
    assert!(perimeter::stands_behind(&before, B, A));
    let after = field(units, vec![wall(520.0)]);
    assert!(!perimeter::stands_behind(&after, B, A));
}

#[test]
fn a_target_that_got_away_is_not_tested_for() {
    let mut units = column_before_line(0);
    units[1].pose = at(800.0, 700.0, 180.0);
    let battle = play(field(units, Vec::new()), vec![Phase::Flinch(Flinching::default())], &[], &[]);
    assert_eq!(aim::stage(battle.state(), A), Some(ChargeStage::Short));
}

#[test]
fn whoever_stands_across_the_path_is_the_target() {
    let mut units = column_before_line(4);
    units[1].pose = at(800.0, 550.0, 180.0);
    units.push(unit(Side::B, Arm::Infantry, 6, 6, Shape::Line, at(800.0, 460.0, 180.0)));
    let battle = play(field(units, Vec::new()), vec![Phase::Flinch(Flinching::default())], &[], &[]);
    assert_eq!(aim::target(battle.state(), A), Some(UnitId(2)));
}

#[test]
fn skirmishers_and_broken_troops_need_no_test_and_guns_do() {
    let mut units = column_before_line(0);
    units[1].formation.shape = Shape::Extended;
    let open = field(units.clone(), Vec::new());
    assert!(!aim::needs_test(&open, B) && aim::evades(&open, B));
    units[1].formation.shape = Shape::Line;
    units[1].troops.broken = true;
    assert!(!aim::needs_test(&field(units.clone(), Vec::new()), B));
    units[1] = unit(Side::B, Arm::Artillery, 6, 6, Shape::Deployed, at(800.0, 480.0, 180.0));
    let guns = field(units, Vec::new());
    assert!(aim::needs_test(&guns, B) && !aim::evades(&guns, B));
}

#[test]
fn gunners_with_friends_near_are_asked_and_leave_their_guns() {
    let mut units = column_before_line(0);
    units[1] = unit(Side::B, Arm::Artillery, 6, 6, Shape::Deployed, at(800.0, 480.0, 180.0));
    assert!(!outcome::has_refuge(&field(units.clone(), Vec::new()), B));
    units.push(unit(Side::B, Arm::Infantry, 6, 6, Shape::Line, at(800.0, 600.0, 180.0)));
    let field = field(units, Vec::new());
    assert!(outcome::has_refuge(&field, B));
    let battle = play(field, vec![Phase::Flinch(Flinching::default())], &["1d10: 1"], &[Order::Abandon]);
    assert_eq!(field::troops(battle.state(), B).cycle, super::Cycle::Abandoned);
}

#[test]
fn equal_margins_halt_both_where_they_are() {
    let mut units = column_before_line(0);
    units[0] = unit(Side::A, Arm::Infantry, 6, 6, Shape::Line, at(800.0, 400.0, 0.0)).charging(1, 160.0);
    units[1] = units[1].clone().charging(0, 160.0);
    let phases = vec![Phase::Flinch(Flinching::default())];
    let battle = play(field(units, Vec::new()), phases, &["1d10: 4", "1d10: 4"], &[]);
    for unit in [A, B] {
        assert_eq!(aim::stage(battle.state(), unit), Some(ChargeStage::Failed));
        assert!(!field::troops(battle.state(), unit).pinned);
        assert_eq!(field::troops(battle.state(), unit).bound.goal, None);
    }
}

#[test]
fn mounted_chargers_who_both_pass_go_to_meet_each_other() {
    let horse = |side, y, facing| unit(side, Arm::Cavalry, 3, 5, Shape::Line, at(800.0, y, facing));
    let units = vec![horse(Side::A, 400.0, 0.0).charging(1, 400.0), horse(Side::B, 500.0, 180.0).charging(0, 400.0)];
    let phases = vec![Phase::Flinch(Flinching::default())];
    let battle = play(field(units, Vec::new()), phases, &["1d10: 2", "1d10: 2"], &[]);
    for unit in [A, B] {
        let goal = field::troops(battle.state(), unit).bound.goal.expect("a goal");
        assert!(goal.contact);
        assert_eq!(goal.by, Length::mm(100.0));
    }
}
