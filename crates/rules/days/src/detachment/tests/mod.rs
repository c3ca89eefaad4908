//! Stands that leave a unit stay where they are.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::field::{self, Field};
use super::super::formation::{Formation, Shape};
use super::super::order::Order;
use super::super::sequence::Phase;
use super::super::staff::tests::bench::{Table, at, part, play, seen, unit};
use super::super::unit::{Arm, Facts, Part};
use super::split::{self, Wing};
use super::{check, horses, may_mount, may_split, screen};
use engine::{Side, UnitId};
use table::{Length, Vec2};

const REGIMENT: UnitId = UnitId(0);
const PARTED: UnitId = UnitId(1);

fn regiment(arm: Arm, stands: u8, shape: Shape, kind: Part) -> Table {
    let mut whole = unit(Side::A, arm, stands, shape, at(30.0, 20.0, 30.0));
    let away = part(&whole, 0, kind);
    whole.facts.parts.push((kind, PARTED));
    Table { units: vec![whole, away], ..Table::default() }
}

fn places(facts: &Facts, wing: Wing) -> Vec<Vec2> {
    facts.layout(wing.formation, wing.stands).quads(wing.pose).map(|quad| quad.centre).collect()
}

/// Whether the stands of two wings stand where those of the whole stood, none twice.
fn keeps_places(field: &Field, tail: bool, stands: u8) -> bool {
    let before: Vec<Vec2> = field::stands(field, REGIMENT).iter().map(|quad| quad.centre).collect();
    let (goes, stays) = split::split(field, REGIMENT, stands, tail).expect("it can be split");
    let facts = field::facts(field, REGIMENT);
    let after: Vec<Vec2> = places(facts, goes).into_iter().chain(places(facts, stays)).collect();
    let here = |place: &Vec2| after.iter().filter(|one| one.distance(*place) < 50.0).count() == 1;
    after.len() == before.len() && before.iter().all(here)
}

#[test]
fn no_stand_jumps_when_a_squadron_leaves() {
    for (shape, stands) in [(Shape::Line, 3), (Shape::Line, 4), (Shape::Column, 4)] {
        let field = regiment(Arm::Cavalry, 8, shape, Part::Squadron).field();
        assert!(keeps_places(&field, false, stands), "{shape:?} {stands}");
        assert!(may_split(&field, REGIMENT, stands).is_legal(), "{shape:?} {stands}");
    }
}

#[test]
fn no_stand_of_a_bent_line_jumps() {
    let field = regiment(Arm::Cavalry, 8, Shape::Line, Part::Squadron).field();
    let formation: Formation = "line^2:20^5:-30".parse().unwrap();
    let to = field.unit(REGIMENT).pose();
    let deed = engine::Deed::Reformed { unit: REGIMENT, formation, to };
    let field = field.folded(&[engine::Event::new(super::super::clause::Clause::BendingALine, deed)]);
    assert!(keeps_places(&field, false, 4) && keeps_places(&field, false, 3));
}

#[test]
fn three_stands_go_and_three_stay() {
    let field = regiment(Arm::Cavalry, 6, Shape::Line, Part::Squadron).field();
    assert!(may_split(&field, REGIMENT, 3).is_legal());
    assert!(!may_split(&field, REGIMENT, 2).is_legal() && !may_split(&field, REGIMENT, 4).is_legal());
    let foot = regiment(Arm::Infantry, 12, Shape::Line, Part::Screen).field();
    assert!(!may_split(&foot, REGIMENT, 4).is_legal());
    let column = regiment(Arm::Cavalry, 8, Shape::Column, Part::Squadron).field();
    assert!(!may_split(&column, REGIMENT, 3).is_legal(), "whole ranks only");
}

#[test]
fn squadrons_near_their_regiment_reunite_when_the_turn_ends() {
    let reunited = |apart: f64| {
        let mut table = regiment(Arm::Cavalry, 5, Shape::Line, Part::Squadron);
        table.units[0].pose = Some(at(30.0, 20.0, 0.0));
        table.units[1].stands = 3;
        table.units[1].pose = Some(at(30.0, 21.0 + apart, 0.0));
        let battle = play(table.field(), vec![Phase::Turn { next: 23 }], &["2d6: 1 1"]);
        (field::is_there(battle.state(), PARTED), field::count(battle.state(), REGIMENT))
    };
    assert_eq!(reunited(6.0), (false, 8));
    assert_eq!(reunited(6.1), (true, 5));
}

#[test]
fn half_a_battalion_skirmishes_ahead_of_it() {
    let field = regiment(Arm::Infantry, 11, Shape::Line, Part::Screen).field();
    assert_eq!(screen::most(&field, REGIMENT), 5);
    let verdict =
        |field: &Field, stands, pose| check(&seen(field), Side::A, &Order::Screen { unit: REGIMENT, stands, pose });
    assert!(verdict(&field, 5, None).is_legal(), "{:?}", verdict(&field, 5, None));
    assert!(!verdict(&field, 6, None).is_legal() && !verdict(&field, 0, None).is_legal());
    let pose = field.unit(REGIMENT).pose();
    assert!(verdict(&field, 3, Some(pose.ahead(Length::whole_inches(7)))).is_legal());
    assert!(!verdict(&field, 3, Some(pose.ahead(Length::inches(7.1)))).is_legal());
    assert!(!verdict(&field, 3, Some(pose.ahead(Length::whole_inches(-3)))).is_legal(), "behind its front");
    let mut raw = regiment(Arm::Infantry, 11, Shape::Line, Part::Screen);
    raw.units[0].facts.class = 1;
    assert!(!verdict(&raw.field(), 3, None).is_legal(), "poor troops do not skirmish");
}

#[test]
fn a_body_that_shrinks_keeps_its_command_stand() {
    let field = regiment(Arm::Infantry, 12, Shape::Line, Part::Screen).field();
    let before = field::command_pose(&field, REGIMENT);
    for left in [11, 8, 7] {
        let wing = split::resized(&field, REGIMENT, left, field::formation(&field, REGIMENT));
        let after = field::facts(&field, REGIMENT).command_pose(wing.formation, left, wing.pose);
        assert!(after.at.distance(before.at) < Length::um(50) && after.facing == before.facing);
    }
}

#[test]
fn one_in_four_holds_the_horses_where_the_book_says_so() {
    let table = |edition| Table { edition, ..regiment(Arm::Cavalry, 8, Shape::Line, Part::Holders) };
    let (iron, empire) = (table(0).field(), table(1).field());
    let kept = |field: &Field| [3, 4, 7, 8, 9].map(|stands| horses::holders(field, stands));
    assert_eq!(kept(&empire), [1, 1, 1, 2, 2]);
    assert_eq!(kept(&iron), [0; 5]);
    assert!(keeps_places(&empire, true, 2));
    assert!(horses::may_dismount(&iron, REGIMENT).is_legal());
    assert!(!horses::may_dismount(&empire, REGIMENT).is_legal(), "neither light nor named in its list");
}

#[test]
fn only_a_unit_with_its_horses_at_hand_mounts() {
    let mut table = Table { edition: 1, ..regiment(Arm::Cavalry, 6, Shape::Skirmish, Part::Holders) };
    table.units[0].pose = Some(at(30.0, 20.0, 0.0));
    table.units[0].troops.mounted = false;
    (table.units[1].stands, table.units[1].pose) = (2, Some(at(30.0, 19.0, 0.0)));
    let field = table.field();
    assert!(may_mount(&field, REGIMENT).is_legal(), "{:?}", may_mount(&field, REGIMENT));
    let away = engine::Deed::Moved { unit: REGIMENT, to: at(30.0, 23.0, 0.0), path: Vec::new() };
    let field = field.folded(&[engine::Event::new(super::super::clause::Clause::OrdinaryMoves, away)]);
    assert!(!may_mount(&field, REGIMENT).is_legal());
}
