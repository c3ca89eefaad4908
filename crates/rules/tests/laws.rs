//! The house laws, kept over random play of every scenario of every game.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests fail by panicking, as tests do

mod common;

use common::{each_battle, opening, play, scenarios};
use engine::battle::Keep;
use engine::dump::{self, Dump, Held};
use engine::facade::{self, Board, TypedBoard};
use engine::replay::{self, ReplayFile};
use engine::{Battle, Lots, Ruleset, Seed, Side, State, Telling, Viewer};
use rules::unpacker;
use serde_json::json;

in_every_game! {
    law_2_only_events_change_pieces
    law_6_every_event_cites_a_listed_clause
    law_7_declining_is_always_legal_and_no_battle_dead_ends
    candidates_are_legal_repeatable_and_hold_the_fallback
    orders_survive_the_journey_through_drafts
    law_9_same_seed_same_hashes_and_replays_verify_and_resume_anywhere
    every_event_is_told_and_every_question_can_be_answered
    a_board_survives_the_road
}

fn law_2_only_events_change_pieces<R: Ruleset>() {
    each_battle::<R>(|scenario, seed, mut battle| {
        let mut before: Option<(State<R>, usize)> = None;
        play(&mut battle, seed, |battle, _, _| {
            if let Some((state, from)) = before.take() {
                let folded = state.folded(&battle.events()[from..]);
                assert!(folded.same_pieces(battle.state()), "{} seed {seed}", scenario.id);
            }
            before = Some((battle.state().clone(), battle.events().len()));
        });
    });
}

fn law_6_every_event_cites_a_listed_clause<R: Ruleset>() {
    each_battle::<R>(|scenario, seed, mut battle| {
        let registry = rules::registry(scenario.ruleset).unwrap().unwrap();
        play(&mut battle, seed, |_, _, _| {});
        for clause in battle.events().iter().flat_map(|event| event.cited()) {
            assert!(registry.find(clause.as_str()).is_some(), "{clause} is not in the registry");
        }
    });
}

fn every_clause_is_listed_and_citable(book: &str, known: &[&str], listed: usize) {
    let registry = rules::registry(book).unwrap().unwrap();
    for clause in known {
        assert!(registry.find(clause).is_some(), "{clause} is not in the registry");
    }
    for entry in registry.clauses.iter().filter(|entry| entry.kind != engine::ClauseKind::Info) {
        assert!(known.contains(&entry.id.as_str()), "the code has no word for {}", entry.id);
    }
    assert_eq!(registry.clauses.len(), listed);
}

#[test]
fn every_clause_the_code_can_cite_is_listed_and_the_other_way_round() {
    let ids: Vec<&str> = rules::awi::clause::Clause::ALL.iter().map(|clause| clause.id()).collect();
    every_clause_is_listed_and_citable("awi", &ids, 177);
    let ids: Vec<&str> = rules::fpw::clause::Clause::ALL.iter().map(|clause| clause.id()).collect();
    every_clause_is_listed_and_citable("fpw", &ids, 212);
    let ids: Vec<&str> = rules::guns::clause::Clause::ALL.iter().map(|clause| clause.id()).collect();
    every_clause_is_listed_and_citable("guns", &ids, 363);
    // Two editions of one family: each has its own list, and the code has a word for every entry of both.
    let days = |edition: &str| {
        let ids: Vec<&str> = rules::days::clause::Clause::ALL.iter().map(|clause| clause.id()).collect();
        let other = if edition == "iron" { "empire." } else { "iron." };
        ids.into_iter().filter(|id| !id.starts_with(other)).collect::<Vec<_>>()
    };
    every_clause_is_listed_and_citable("iron", &days("iron"), 486);
    every_clause_is_listed_and_citable("empire", &days("empire"), 501);
}

fn law_7_declining_is_always_legal_and_no_battle_dead_ends<R: Ruleset>() {
    for scenario in scenarios::<R>() {
        let mut battle = Battle::<R>::seeded(opening(scenario), Seed::from_number(7), Keep::Events);
        for _ in 0..5_000 {
            let Some(side) = battle.awaited() else { break };
            let (no, order) = {
                let view = battle.view(Viewer::Side(side));
                let asked = battle.asked().unwrap();
                (asked.no, R::fallback(&view, asked, side))
            };
            if let Err(error) = battle.submit(side, no, order).map(|_| ()) {
                panic!("{}: {error:?}", scenario.id);
            }
        }
        assert!(battle.outcome().is_some(), "{} does not end", scenario.id);
    }
    each_battle::<R>(|_, seed, mut battle| {
        play(&mut battle, seed, |battle, side, _| {
            let view = battle.view(Viewer::Side(side));
            let asked = battle.asked().unwrap();
            assert!(R::check(&view, asked, side, &R::fallback(&view, asked, side)).is_legal());
        });
    });
}

fn candidates_are_legal_repeatable_and_hold_the_fallback<R: Ruleset>() {
    each_battle::<R>(|scenario, seed, mut battle| {
        let mut step = 0;
        play(&mut battle, seed, |battle, side, _| {
            step += 1;
            if step % 7 != 0 {
                return;
            }
            let view = battle.view(Viewer::Side(side));
            let asked = battle.asked().unwrap();
            let found = R::candidates(&view, asked, side, &mut Lots::new(step), 40);
            assert_eq!(found, R::candidates(&view, asked, side, &mut Lots::new(step), 40));
            assert!(found.contains(&R::fallback(&view, asked, side)));
            for order in &found {
                let verdict = R::check(&view, asked, side, order);
                assert!(verdict.is_legal(), "{} {:?}: {order:?} {verdict:?}", scenario.id, asked.decision);
            }
        });
    });
}

fn orders_survive_the_journey_through_drafts<R: Ruleset>() {
    each_battle::<R>(|_, seed, mut battle| {
        play(&mut battle, seed, |battle, _, order| {
            let text = facade::encode(battle.state(), order).to_string();
            let back = facade::decode(battle.state(), &serde_json::from_str(&text).unwrap());
            assert_eq!(back.as_ref(), Ok(order), "{text}");
        });
    });
}

fn law_9_same_seed_same_hashes_and_replays_verify_and_resume_anywhere<R: Ruleset>() {
    each_battle::<R>(|scenario, seed, mut battle| {
        play(&mut battle, seed, |_, _, _| {});
        let file = ReplayFile::of(&battle, scenario.text, None, Seed::from_number(seed));
        let read = ReplayFile::parse(&file.to_text()).unwrap();
        assert_eq!(read, file);
        let replayed = match replay::play::<R>(&read, None) {
            Ok(replayed) => replayed,
            Err(error) => panic!("{}: {error}", scenario.id),
        };
        assert_eq!(replayed.hash(), battle.hash());
        assert_eq!(replayed.events().len(), battle.events().len());
        let middle = file.entries.len() / 2;
        let half = replay::play::<R>(&read, Some(middle)).unwrap();
        assert_eq!(half.hash(), file.entries[middle - 1].hash);
    });
}

fn every_event_is_told_and_every_question_can_be_answered<R: Telling>() {
    each_battle::<R>(|_, seed, mut battle| {
        let mut step = 0;
        play(&mut battle, seed, |battle, side, order| {
            step += 1;
            assert!(!R::phrase(battle.state(), order).is_empty());
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
fn a_board_survives_the_road<R: Telling>() {
    each_battle::<R>(|scenario, seed, mut battle| {
        let (mut held, mut unpacker) =
            ([Held::default(), Held::default()], [(); 2].map(|()| unpacker(scenario.ruleset).unwrap()));
        let mut step = 0;
        play(&mut battle, seed, |battle, side, order| {
            step += 1;
            if step % 7 != 1 {
                return;
            }
            let view = battle.view(Viewer::Side(side));
            let draft = facade::encode::<R>(&view, order);
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
