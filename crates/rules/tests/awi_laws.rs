//! Laws of `awi`: what is behind the veil, and the tape that stays rolled up.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests fail by panicking, as tests do

mod common;

use common::{all_that_is_shown, inches, opening};
use engine::battle::Keep;
use engine::facade::{self, Board, TypedBoard};
use engine::{Battle, Lots, Ruleset, Seed, Side, Viewer};
use rules::awi::Awi;
use rules::awi::order::{BrigadeOrder, Decision, Objective, Order, Standing, Verb};
use serde_json::{Value, json};
use table::Point;

/// Freeman's Farm up to the first move, with one of two sets of American secrets.
fn with_secrets(variant: usize) -> Battle<Awi> {
    let scenario = rules::scenario("awi/freemans-farm").unwrap();
    let places = [
        vec![inches(5.0, 20.0), inches(10.0, 22.0), inches(15.0, 25.0), inches(60.0, 20.0)],
        vec![inches(12.0, 10.0), inches(50.0, 8.0), inches(55.0, 18.0), inches(70.0, 33.0)],
    ];
    let order = [
        Standing { verb: Verb::Reserve, objective: Objective::Nothing },
        Standing { verb: Verb::Advance, objective: Objective::Point(inches(36.0, 40.0)) },
    ];
    let mut battle = Battle::seeded(opening(scenario), Seed::from_number(4), Keep::Everything);
    while let Some(side) = battle.awaited() {
        let asked = battle.asked().unwrap().clone();
        let answer = match (&asked.decision, side) {
            (Decision::Activate, _) => break,
            (Decision::PlaceSharpshooters { .. }, Side::B) => Order::Sharpshooters { at: places[variant].clone() },
            (Decision::FirstOrders, Side::B) => {
                let brigades = rules::awi::courier::brigades(battle.state(), Side::B);
                Order::FirstOrders { orders: brigades.map(|to| BrigadeOrder { to, order: order[variant] }).collect() }
            }
            _ => Order::Pass,
        };
        battle.submit(side, asked.no, answer).unwrap();
    }
    battle
}

#[test]
fn law_4_what_is_behind_the_veil_changes_nothing_that_is_shown() {
    let battles = [with_secrets(0), with_secrets(1)];
    assert_ne!(battles[0].hash(), battles[1].hash(), "the battles do differ behind the veil");
    let drafts: Vec<Value> = {
        let view = battles[0].view(Viewer::Side(Side::A));
        let asked = battles[0].asked().unwrap();
        let found = Awi::candidates(&view, asked, Side::A, &mut Lots::new(3), 60);
        found.iter().map(|order| facade::encode(&view, order)).collect()
    };
    for viewer in [Viewer::Side(Side::A), Viewer::Spectator] {
        let shown = battles.each_ref().map(|battle| all_that_is_shown(battle, viewer, &drafts));
        assert_eq!(shown[0], shown[1], "{viewer:?}");
        assert!(!shown[0].contains("sharpshooter-american"), "{viewer:?} reads the name of a hidden piece");
    }
    let own = battles.each_ref().map(|battle| all_that_is_shown(battle, Viewer::Side(Side::B), &[]));
    assert_ne!(own[0], own[1], "their owner sees them");
}

fn at_distance(part: &str, tenths: i32) -> Battle<Awi> {
    let y = 4.0 + f64::from(tenths) / 10.0;
    let text = format!(
        r#"
title = "distance"
ruleset = "awi"
clauses = []
start = {{ active = "british", part = "{part}" }}
[table]
size = ["72in", "72in"]
[sides.british]
edges = ["south"]
[sides.american]
edges = ["north"]
[units.guns]
side = "british"
type = "artillery"
gun = "24lb"
class = "elite"
pose = ["36in", "4in", 0]
[units.line]
side = "british"
type = "regulars"
class = "line"
pose = ["30in", "4in", 0]
[units.enemy]
side = "american"
type = "continental"
class = "line"
pose = ["34in", "{y}in", 180]
"#
    );
    match rules::case::opening::<Awi>(&text) {
        Ok(state) => Battle::seeded(state, Seed::from_number(1), Keep::Everything),
        Err(faults) => panic!("{faults}"),
    }
}

/// The tape stays rolled up: whatever the distance, an order is judged alike and the odds read alike.
#[test]
fn no_pre_measuring_tells_no_distance() {
    let mut seen: Option<String> = None;
    for distance in [50, 70, 110, 180, 250, 400] {
        let battle = at_distance("firing", distance);
        let board = TypedBoard::new(battle.view(Viewer::Side(Side::A)));
        let drafts = [
            json!({ "fire": { "unit": "@guns", "at": "@enemy", "grape": true } }),
            json!({ "fire": { "unit": "@line", "at": "@enemy" } }),
            json!({ "shell": { "unit": "@guns", "bearing": 0, "estimate": "20in" } }),
        ];
        let verdicts: Vec<_> = drafts.iter().map(|draft| board.check(draft).map(|verdict| json!(verdict))).collect();
        let odds: Vec<_> = drafts.iter().map(|draft| board.odds(draft)).collect();
        assert_eq!(board.measure(Point::default(), Point::default()).unwrap_err().clause.as_str(), "awi.12-a");
        let shown = format!("{verdicts:?}{odds:?}{}", json!(board.prompt()));
        let before = seen.get_or_insert_with(|| shown.clone());
        assert_eq!(*before, shown, "something changes with the distance");
    }
}

/// Ghosts, sketches and cards tell no distance either; a charge shows its line, and nothing of where it would end.
#[test]
fn no_pre_measuring_draws_no_distance() {
    let mut seen: Option<String> = None;
    for distance in [50, 70, 110, 180, 250, 400] {
        let battle = at_distance("movement", distance);
        let board = TypedBoard::new(battle.view(Viewer::Side(Side::A)));
        let drafts = [
            json!({ "move": { "unit": "@line", "legs": ["wheel right 20", "ahead 1in"] } }),
            json!({ "reform": { "unit": "@line", "formation": "column", "facing": 90 } }),
            json!({ "limber": { "unit": "@guns", "facing": 30 } }),
        ];
        let ghosts: Vec<_> = drafts.iter().map(|draft| board.ghosts(draft)).collect();
        assert!(ghosts.iter().all(|ghosts| ghosts.len() == 1), "{ghosts:?}");
        let around: Vec<_> = ["@line", "@guns"].iter().map(|key| (board.sketches(key), board.card(key))).collect();
        assert!(around.iter().all(|(sketches, _)| sketches.len() == 1 && sketches[0].label == "Arc of fire"));
        let shown = format!("{ghosts:?}{around:?}");
        let before = seen.get_or_insert_with(|| shown.clone());
        assert_eq!(*before, shown, "something changes with the distance");
        let charge = board.ghosts(&json!({ "charge": { "unit": "@line", "at": "@enemy", "bearing": 0 } }));
        let [ghost] = charge.as_slice() else { panic!("{charge:?}") };
        let line = battle.state().units().nth(1).unwrap().1.pose();
        assert_eq!((ghost.pose, ghost.spent.as_str()), (line, ""), "a charge is drawn where it starts");
    }
}
