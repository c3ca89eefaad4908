//! Bridges, fords, woods.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::clause::Clause;
use super::super::event::{DaysEvent, Doing, TurnStep};
use super::super::field::Field;
use super::super::formation::Shape;
use super::super::order::Order;
use super::super::sequence::Phase;
use super::super::settings::Weight;
use super::super::staff::tests::bench::{Table, area, at, feature, inch, play, seen, spot, told, unit};
use super::super::unit::{Arm, Task, Work};
use super::{check, ford};
use engine::{Event, FeatureId, Side, UnitId};
use table::Outline;
use table::terrain::TerrainKind;

const PARTY: UnitId = UnitId(0);
const BRIDGE: FeatureId = FeatureId(0);

fn at_bridge(turn: u16, phases: u8) -> Field {
    let party = unit(Side::A, Arm::Engineers, 5, Shape::Line, at(30.0, 19.0, 0.0));
    let bridge = area(TerrainKind::Bridge, (29.0, 20.0), (31.0, 24.0));
    let field = Table { units: vec![party], features: vec![bridge], turn, ..Table::default() }.field();
    let task = Task::Demolish { bridge: BRIDGE };
    assert!(check(&seen(&field), Side::A, &Order::Work { unit: PARTY, task: task.clone() }).is_legal());
    let work = DaysEvent::Works { unit: PARTY, work: Some(Box::new(Work { task, phases })) };
    field.folded(&[Event::own(Clause::MiningABridge, work)])
}

/// Runs the end of a Movement Phase; the battle goes on to the next initiative roll.
fn end_of_moves(field: Field, dice: &[&str]) -> engine::Battle<super::super::Days> {
    let next = TurnStep::ALL.iter().position(|step| *step == TurnStep::Fires).unwrap() as u8;
    let mut all = dice.to_vec();
    all.extend(["1d6: 1", "1d6: 2"]);
    play(field, vec![Phase::Turn { next }], &all)
}

fn mined(battle: &engine::Battle<super::super::Days>) -> Option<bool> {
    told(battle).into_iter().find_map(|event| match event {
        DaysEvent::BridgeMined { fell, .. } => Some(fell),
        _ => None,
    })
}

#[test]
fn a_wooden_bridge_takes_three_quiet_phases_and_a_five() {
    assert_eq!(mined(&end_of_moves(at_bridge(4, 1), &[])), None);
    let fell = end_of_moves(at_bridge(5, 2), &["1d6: 5"]);
    assert_eq!(mined(&fell), Some(true));
    assert_eq!(fell.state().ledger().broken, [BRIDGE]);
    let stands = end_of_moves(at_bridge(5, 2), &["1d6: 4"]);
    assert_eq!(mined(&stands), Some(false));
    assert!(stands.state().ledger().broken.is_empty());
    let again = Order::Work { unit: PARTY, task: Task::Demolish { bridge: BRIDGE } };
    let verdict = check(&seen(stands.state()), Side::A, &again);
    assert!(verdict.refusals.iter().any(|note| note.clause == Clause::OneTryAtEachBridge.into()), "{verdict:?}");
}

#[test]
fn a_party_that_moved_begins_again() {
    let did = DaysEvent::Did { unit: PARTY, doing: Doing::Moved };
    let moved = at_bridge(4, 1).folded(&[Event::own(Clause::OrdinaryMoves, did)]);
    let battle = end_of_moves(moved, &[]);
    assert!(battle.state().unit(PARTY).own.work.is_none());
    assert_eq!(mined(&battle), None);
}

#[test]
fn pontoons_take_four_pioneers_and_four_more_pairs_of_hands() {
    let party = |stands: u8| {
        let mut raw = unit(Side::A, Arm::Engineers, stands, Shape::Line, at(30.0, 20.0, 0.0));
        raw.troops.pontoons = inch(4.0);
        raw
    };
    let legal = |stands: u8, hands: u8, length: f64| {
        let helpers = unit(Side::A, Arm::Infantry, hands, Shape::Line, at(30.0, 17.5, 0.0));
        let points = vec![spot(0.0, 22.0), spot(72.0, 22.0)];
        let river = feature(TerrainKind::River, Outline::Line { points, width: inch(3.0) });
        let units = vec![party(stands), helpers];
        let field = Table { units, features: vec![river], ..Table::default() }.field();
        let (water, hands) = (FeatureId(0), vec![UnitId(1)]);
        let task = Task::Bridge { water, at: spot(30.0, 20.2), to: spot(30.0, 20.2 + length), hands };
        check(&seen(&field), Side::A, &Order::Work { unit: PARTY, task }).is_legal()
    };
    assert!(legal(5, 4, 4.0));
    assert!(!legal(4, 4, 4.0) && !legal(5, 3, 4.0) && !legal(5, 4, 4.5));
}

#[test]
fn a_line_among_houses_raises_a_barricade_in_two_phases() {
    let line = unit(Side::A, Arm::Infantry, 4, Shape::Line, at(30.0, 20.0, 0.0));
    let town = area(TerrainKind::Town, (25.0, 15.0), (35.0, 25.0));
    let open = Table { units: vec![line.clone()], ..Table::default() }.field();
    let order = Order::Work { unit: PARTY, task: Task::Barricade };
    assert!(!check(&seen(&open), Side::A, &order).is_legal());
    let field = Table { units: vec![line], features: vec![town], ..Table::default() }.field();
    assert!(check(&seen(&field), Side::A, &order).is_legal());
    let work = |phases| DaysEvent::Works { unit: PARTY, work: Some(Box::new(Work { task: Task::Barricade, phases })) };
    let battle = end_of_moves(field.folded(&[Event::own(Clause::ThrowingUpBarricades, work(1))]), &[]);
    let barriers = &battle.state().ledger().barriers;
    assert_eq!(barriers.len(), 1);
    assert_eq!((barriers[0].from, barriers[0].to), (spot(28.0, 20.0), spot(32.0, 20.0)));
}

#[test]
fn an_unnamed_wood_is_found_out_from_two_inches() {
    let near = |gap: f64| {
        let wood = area(TerrainKind::Woods, (20.0, 20.0), (30.0, 30.0));
        let battalion = unit(Side::A, Arm::Infantry, 4, Shape::Line, at(25.0, 20.0 - gap, 0.0));
        let weight = Some(Weight::Undefined);
        Table { units: vec![battalion], features: vec![wood], weight, ..Table::default() }.field()
    };
    assert_eq!(ford::unknown_near(&near(1.8), PARTY), [FeatureId(0)]);
    assert!(ford::unknown_near(&near(2.1), PARTY).is_empty());
    assert_eq!([3, 4].map(|pips| ford::weight_on(&near(1.8), pips)), [Weight::Light, Weight::Heavy]);
    let known = DaysEvent::WoodIs { feature: FeatureId(0), weight: Weight::Heavy };
    let field = near(1.8).folded(&[Event::own(Clause::WoodsNobodyHasNamed, known)]);
    assert!(ford::unknown_near(&field, PARTY).is_empty(), "once and for all");
}

#[test]
fn fords_are_looked_for_four_inches_apart() {
    let river = feature(
        TerrainKind::River,
        Outline::Line { points: vec![spot(0.0, 22.5), spot(72.0, 22.5)], width: inch(3.0) },
    );
    let battalion = |x: f64| unit(Side::A, Arm::Infantry, 1, Shape::March, at(x, 21.0, 0.0));
    let units = vec![battalion(20.0), battalion(23.0), battalion(24.0), battalion(30.0)];
    let field = Table { units, features: vec![river], ..Table::default() }.field();
    let found = DaysEvent::FordSought { river: FeatureId(0), at: spot(20.0, 22.5), found: true };
    let field = field.folded(&[Event::own(Clause::LookingForAFord, found)]);
    let verdict = |unit| check(&seen(&field), Side::A, &Order::SearchFord { unit: UnitId(unit), river: FeatureId(0) });
    let refused = verdict(1).refusals;
    assert!(refused.iter().any(|note| note.clause == Clause::WhereOneMayLook.into()), "{refused:?}");
    assert!(verdict(2).is_legal() && verdict(3).is_legal());
}
