//! Rallies on fields built by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::event::DaysEvent;
use super::super::field;
use super::super::formation::Shape;
use super::super::morale::tests::bench::{Raw, at, field as bench, play, told, unit};
use super::super::order::Order;
use super::super::sequence::Phase;
use super::super::unit::{Arm, OrderState};
use engine::battle::Battle;
use engine::{Side, UnitId};
use table::Angle;

const UNIT: UnitId = UnitId(0);

fn foot(order: OrderState) -> Raw {
    unit(Side::A, Arm::Infantry, Shape::Line, at(30.0, 30.0, 0.0)).with(|raw| raw.troops.order = order)
}

fn rally(raw: Raw, dice: &[&str], answers: &[Order]) -> Battle<super::Days> {
    let phases = vec![Phase::Rallying { asked: false }];
    play(bench(0, vec![raw], Vec::new()), phases, dice, answers)
}

#[test]
fn the_disordered_must_try_and_nobody_is_asked() {
    let battle = rally(foot(OrderState::Disordered), &["3"], &[]);
    assert_eq!(field::order(battle.state(), UNIT), OrderState::Good);
    let battle = rally(foot(OrderState::Disordered), &["2"], &[]);
    assert_eq!(field::order(battle.state(), UNIT), OrderState::Disordered);
}

#[test]
fn the_shaken_come_up_one_rung_or_two() {
    let after = |die: &str, class| {
        let raw = foot(OrderState::Shaken).with(|raw| raw.facts.class = class);
        field::order(rally(raw, &[die], &[]).state(), UNIT)
    };
    assert_eq!(
        [after("3", 2), after("4", 2), after("6", 2)],
        [OrderState::Shaken, OrderState::Disordered, OrderState::Good]
    );
}

#[test]
fn getting_up_leaves_the_rung_alone() {
    let raw = foot(OrderState::Good).with(|raw| raw.troops.to_ground = true);
    let battle = rally(raw, &["3"], &[]);
    assert!(told(&battle).contains(&DaysEvent::ToGround { unit: UNIT, down: false }));
}

#[test]
fn runaways_are_asked_and_face_about() {
    let runs = || {
        unit(Side::A, Arm::Infantry, Shape::March, at(30.0, 30.0, 180.0)).with(|raw| {
            raw.troops.order = OrderState::Routing;
            raw.troops.routed_before = true;
        })
    };
    let battle = rally(runs(), &["5"], &[Order::Pass]);
    assert_eq!(field::order(battle.state(), UNIT), OrderState::Disordered);
    assert_eq!(battle.state().unit(UNIT).pose().facing, Angle::NORTH);
    assert!(battle.state().unit(UNIT).own.turn.rallied);
    let decline = Order::Rally { help: Vec::new(), decline: vec![UNIT], form: Vec::new() };
    let battle = rally(runs(), &[], &[decline]);
    assert_eq!(field::order(battle.state(), UNIT), OrderState::Routing);
}
