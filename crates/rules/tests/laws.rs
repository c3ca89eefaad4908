//! The house laws, kept over random play of every scenario.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests fail by panicking, as tests do

mod common;

use common::{each_battle, inches, opening, play};
use engine::battle::Keep;
use engine::dump::{self, Dump, Held};
use engine::facade::{self, Board, TypedBoard};
use engine::replay::{self, ReplayFile};
use engine::{Battle, Lots, Ruleset, Seed, Side, State, Telling, Viewer};
use rules::awi::Awi;
use rules::awi::order::{BrigadeOrder, Decision, Objective, Order, Standing, Verb};
use rules::{SCENARIOS, unpacker};
use serde_json::{Value, json};
use table::Point;

#[test]
fn law_2_only_events_change_pieces() {
    each_battle(|scenario, seed, mut battle| {
        let mut before: Option<(State<Awi>, usize)> = None;
        play(&mut battle, seed, |battle, _, _| {
            if let Some((state, from)) = before.take() {
                let folded = state.folded(&battle.events()[from..]);
                assert!(folded.same_pieces(battle.state()), "{} seed {seed}", scenario.id);
            }
            before = Some((battle.state().clone(), battle.events().len()));
        });
    });
}

#[test]
fn law_6_every_event_cites_a_listed_clause() {
    let registry = rules::registry("awi").unwrap().unwrap();
    each_battle(|_, seed, mut battle| {
        play(&mut battle, seed, |_, _, _| {});
        for clause in battle.events().iter().flat_map(|event| event.cited()) {
            assert!(registry.find(clause.as_str()).is_some(), "{clause} is not in the registry");
        }
    });
}

#[test]
fn every_clause_the_code_can_cite_is_listed_and_the_other_way_round() {
    let registry = rules::registry("awi").unwrap().unwrap();
    let known = rules::awi::clause::Clause::ALL;
    for clause in known {
        assert!(registry.find(clause.id()).is_some(), "{} is not in the registry", clause.id());
    }
    for entry in registry.clauses.iter().filter(|entry| entry.kind != engine::ClauseKind::Info) {
        assert!(known.iter().any(|clause| clause.id() == entry.id), "the code has no word for {}", entry.id);
    }
    assert_eq!(registry.clauses.len(), 177);
}

#[test]
fn law_7_declining_is_always_legal_and_no_battle_dead_ends() {
    for scenario in SCENARIOS {
        let mut battle = Battle::seeded(opening(scenario), Seed::from_number(7), Keep::Events);
        for _ in 0..5_000 {
            let Some(side) = battle.awaited() else { break };
            let (no, order) = {
                let view = battle.view(Viewer::Side(side));
                let asked = battle.asked().unwrap();
                (asked.no, Awi::fallback(&view, asked, side))
            };
            if let Err(error) = battle.submit(side, no, order).map(|_| ()) {
                panic!("{}: {error:?}", scenario.id);
            }
        }
        assert!(battle.outcome().is_some(), "{} does not end", scenario.id);
    }
    each_battle(|_, seed, mut battle| {
        play(&mut battle, seed, |battle, side, _| {
            let view = battle.view(Viewer::Side(side));
            let asked = battle.asked().unwrap();
            assert!(Awi::check(&view, asked, side, &Awi::fallback(&view, asked, side)).is_legal());
        });
    });
}

#[test]
fn candidates_are_legal_repeatable_and_hold_the_fallback() {
    each_battle(|scenario, seed, mut battle| {
        let mut step = 0;
        play(&mut battle, seed, |battle, side, _| {
            step += 1;
            if step % 7 != 0 {
                return;
            }
            let view = battle.view(Viewer::Side(side));
            let asked = battle.asked().unwrap();
            let found = Awi::candidates(&view, asked, side, &mut Lots::new(step), 40);
            assert_eq!(found, Awi::candidates(&view, asked, side, &mut Lots::new(step), 40));
            assert!(found.contains(&Awi::fallback(&view, asked, side)));
            for order in &found {
                let verdict = Awi::check(&view, asked, side, order);
                assert!(verdict.is_legal(), "{} {:?}: {order:?} {verdict:?}", scenario.id, asked.decision);
            }
        });
    });
}

#[test]
fn orders_survive_the_journey_through_drafts() {
    each_battle(|_, seed, mut battle| {
        play(&mut battle, seed, |battle, _, order| {
            let text = facade::encode(battle.state(), order).to_string();
            let back = facade::decode(battle.state(), &serde_json::from_str(&text).unwrap());
            assert_eq!(back.as_ref(), Ok(order), "{text}");
        });
    });
}

#[test]
fn law_9_same_seed_same_hashes_and_replays_verify_and_resume_anywhere() {
    each_battle(|scenario, seed, mut battle| {
        play(&mut battle, seed, |_, _, _| {});
        let file = ReplayFile::of(&battle, scenario.text, None, Seed::from_number(seed));
        let read = ReplayFile::parse(&file.to_text()).unwrap();
        assert_eq!(read, file);
        let replayed = match replay::play::<Awi>(&read, None) {
            Ok(replayed) => replayed,
            Err(error) => panic!("{}: {error}", scenario.id),
        };
        assert_eq!(replayed.hash(), battle.hash());
        assert_eq!(replayed.events().len(), battle.events().len());
        let middle = file.entries.len() / 2;
        let half = replay::play::<Awi>(&read, Some(middle)).unwrap();
        assert_eq!(half.hash(), file.entries[middle - 1].hash);
    });
}

/// Everything a viewer is shown, as one text.
fn all_that_is_shown(battle: &Battle<Awi>, viewer: Viewer, drafts: &[Value]) -> String {
    let board = TypedBoard::new(battle.view(viewer));
    let verdicts: Vec<_> = drafts.iter().map(|draft| board.check(draft).map(|verdict| json!(verdict))).collect();
    let odds: Vec<_> = drafts.iter().map(|draft| board.odds(draft)).collect();
    let view = battle.view(viewer);
    let told: Vec<_> = battle.events().iter().filter_map(|event| facade::tell(&view, event)).collect();
    let ghosts: Vec<_> = drafts.iter().map(|draft| board.ghosts(draft)).collect();
    let keys: Vec<String> = board.roster().into_iter().filter_map(|line| line.key).collect();
    let drawn: Vec<_> = keys.iter().map(|key| (board.card(key), board.sketches(key))).collect();
    format!(
        "{}{}{}{verdicts:?}{odds:?}{}{}{ghosts:?}{drawn:?}{}{:?}",
        json!(board.scene()),
        json!(board.prompt()),
        board.dump(),
        json!(board.candidates(5, 30)),
        json!(told),
        json!(board.roster()),
        board.ribbon(),
    )
}

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

#[test]
fn every_event_is_told_and_every_question_can_be_answered() {
    each_battle(|_, seed, mut battle| {
        let mut step = 0;
        play(&mut battle, seed, |battle, side, order| {
            step += 1;
            assert!(!Awi::phrase(battle.state(), order).is_empty());
            if step % 11 == 0 {
                let board = TypedBoard::new(battle.view(Viewer::Side(side)));
                let prompt = board.prompt().unwrap();
                assert!(!prompt.question.is_empty() && !prompt.gestures.is_empty(), "{prompt:?}");
                assert!(!board.usage().is_empty());
            }
        });
        for viewer in [Viewer::Side(Side::A), Viewer::Side(Side::B), Viewer::Spectator, Viewer::Umpire] {
            let view = battle.view(viewer);
            for told in battle.events().iter().filter_map(|event| facade::tell(&view, event)) {
                assert!(!told.text.is_empty(), "{told:?}");
            }
        }
    });
}

/// What a browser unpacks is the very board the server packed: same table, same question, same verdicts.
#[test]
fn a_board_survives_the_road() {
    each_battle(|scenario, seed, mut battle| {
        let (mut held, mut unpacker) = ([Held::default(), Held::default()], [(); 2].map(|()| unpacker("awi").unwrap()));
        let mut step = 0;
        play(&mut battle, seed, |battle, side, order| {
            step += 1;
            if step % 7 != 1 {
                return;
            }
            let view = battle.view(Viewer::Side(side));
            let draft = facade::encode::<Awi>(&view, order);
            let dump = dump::pack(&view, &mut held[side.index()]).unwrap();
            let sent: Dump = serde_json::from_str(&serde_json::to_string(&dump).unwrap()).unwrap();
            let there = unpacker[side.index()].board(&sent).unwrap();
            let here = TypedBoard::new(view);
            let shown = |board: &dyn Board| {
                let verdict = board.check(&draft).unwrap();
                json!([board.scene(), board.prompt(), board.roster(), board.candidates(3, 4), verdict, board.dump()])
            };
            assert_eq!(shown(&here), shown(there.as_ref()), "{} seed {seed} step {step}", scenario.id);
        });
    });
}
