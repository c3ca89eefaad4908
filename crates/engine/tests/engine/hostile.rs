//! Whatever a stranger sends (set-ups, house rules, replays, drafts), the house answers in words and does not fall.

use crate::toy::*;
use engine::game::{Game, TypedGame};
use engine::replay::{self, ReplayFile};
use engine::setup::{self, Mode};
use engine::{Lots, Registry, Seed, Side, Viewer};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// The text with a few bytes dropped, doubled, swapped or replaced by something nasty.
fn mangled(text: &str, lots: &mut Lots) -> String {
    const NASTY: [&str; 14] =
        ["[", "]", "{", "}", "\"", "=", "\n", ".", "-", "99999999999", "nan", "[[", "ß", "\u{202e}"];
    let mut letters: Vec<String> = text.chars().map(String::from).collect();
    for _ in 0..=lots.below(2) {
        let at = lots.below(letters.len());
        match lots.below(4) {
            0 => drop(letters.remove(at)),
            1 => letters.insert(at, letters[at].clone()),
            2 => letters[at] = (*lots.pick(&NASTY).unwrap()).to_owned(),
            _ => {
                let other = lots.below(letters.len());
                letters.swap(at, other);
            }
        }
    }
    letters.concat()
}

#[test]
fn mangled_set_ups_are_refused_or_playable() {
    let mut lots = Lots::new(17);
    let (mut good, mut bad) = (0, 0);
    for seed in 0..1500 {
        let text = mangled(MEADOW, &mut lots);
        match TypedGame::<Ambush>::start(&text, None, Seed::from_number(seed)) {
            Err(faults) => {
                bad += 1;
                assert!(!faults.is_clean() && !faults.to_string().is_empty());
                assert!(faults.faults.iter().all(|fault| fault.line <= text.lines().count() + 1), "{faults}");
            }
            Ok(mut game) => {
                good += 1;
                play_out(&mut game.battle, &mut lots);
                assert!(game.outcome().is_some(), "{:?}\n{text}", game.fault());
            }
        }
    }
    assert!(good > 100 && bad > 100, "{good} {bad}");
}

#[test]
fn mangled_house_rules_are_refused_or_playable() {
    let house = "format = \"grognard/house 1\"\nruleset = \"ambush\"\n[charts.fire]\nneed = 5\nreach = \"9in\"\nbands = [{ to = \"4in\", modifier = 1 }, { to = \"12in\", modifier = 0 }]\n[charts.march]\nallowance = \"8in\"\n";
    let mut lots = Lots::new(18);
    for _ in 0..500 {
        let text = mangled(house, &mut lots);
        if let Ok(mustered) = setup::muster::<Ambush>(MEADOW, Some(&text), Mode::Battle) {
            assert!((2..=12).contains(&mustered.state.charts().fire.need.value.get()));
        }
    }
}

#[test]
fn mangled_replays_are_refused_or_true() {
    let mut game = game(MEADOW, 4);
    play_out(&mut game.battle, &mut Lots::new(4));
    let text = game.replay().to_text();
    let known: Vec<_> = game.battle.entries().iter().map(|entry| entry.hash).collect();
    let mut lots = Lots::new(19);
    for _ in 0..400 {
        let Ok(file) = ReplayFile::parse(&mangled(&text, &mut lots)) else { continue };
        // What still plays is the same battle: the set-up may have other words, but then its hashes are others too.
        if let Ok(battle) = replay::play::<Ambush>(&file, None) {
            assert!(battle.entries().iter().map(|entry| entry.hash).eq(known.iter().copied()));
        }
    }
}

fn any_json(lots: &mut Lots, depth: usize) -> Value {
    const WORDS: [&str; 16] = [
        "hold",
        "pass",
        "march",
        "fire",
        "unit",
        "legs",
        "with",
        "@alpha",
        "@creepers",
        "u0",
        "u5",
        "u65535",
        "c0",
        "ahead 3in",
        "to 99in 99in",
        "wheel left 90",
    ];
    match lots.below(if depth == 0 { 4 } else { 6 }) {
        0 => json!(lots.below(100)),
        1 => json!(null),
        2 | 3 => json!(lots.pick(&WORDS)),
        4 => (0..lots.below(4)).map(|_| any_json(lots, depth - 1)).collect(),
        _ => {
            let fields = (0..lots.below(4)).map(|_| (WORDS[lots.below(16)].to_owned(), any_json(lots, depth - 1)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
    }
}

/// An order with the right shape and any contents.
fn any_order(lots: &mut Lots) -> Value {
    const LEGS: [&str; 9] = [
        "ahead 3in",
        "ahead -3in",
        "ahead 99999mm",
        "back 1in",
        "to -5in 9999in",
        "wheel right 180",
        "about",
        "oblique left 180 0in",
        "turn left 90",
    ];
    let unit = format!("u{}", lots.below(6));
    match lots.below(4) {
        0 => json!({ "fire": { "with": unit } }),
        1 if lots.below(5) == 0 => json!({ "withdraw": { "unit": unit } }),
        1 => json!({ "reform": { "unit": unit, "into": "column" } }),
        2 => {
            json!({ "march": { "unit": unit, "legs": (0..lots.below(5)).map(|_| LEGS[lots.below(9)]).collect::<Vec<_>>() } })
        }
        _ => any_json(lots, 4),
    }
}

#[test]
fn any_draft_is_taken_or_refused_and_a_refusal_changes_nothing() {
    let mut lots = Lots::new(20);
    let (mut taken, mut refused) = (0, 0);
    for seed in 0..30 {
        let mut game = game(MEADOW, seed);
        let mut tries = 0;
        while let Some((no, side)) = game.awaited() {
            tries += 1;
            // Nobody waits for a stranger for ever: now and then the house declines for him.
            let fallback = game.board(Viewer::Side(side)).fallback().unwrap();
            let draft = if tries % 40 == 0 { fallback } else { any_order(&mut lots) };
            let verdict = game.board(Viewer::Side(side)).check(&draft);
            let (hash, events) = (game.hash(), game.events());
            match game.submit(side, no, &draft) {
                Ok(_) => {
                    taken += 1;
                    assert!(verdict.unwrap().is_legal(), "the board must agree with the umpire: {draft}");
                }
                Err(error) => {
                    refused += 1;
                    assert!(verdict.is_err() || !verdict.unwrap().is_legal(), "{draft}: {error}");
                    assert_eq!((game.hash(), game.events()), (hash, events));
                }
            }
            assert!(game.submit(side.other(), engine::DecisionNo(no.0 + 7), &any_order(&mut lots)).is_err());
        }
        assert!(game.outcome().is_some() && game.fault().is_none());
        assert_eq!(game.motion(Side::A, engine::Motion::Draw), Err(engine::SubmitError::Over));
    }
    assert!(taken > 300 && refused > 1000, "{taken} {refused}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_a_reader_fall(text in "(?s).{0,300}", toml in "([a-z\\[\\]{}\"=.,0-9 \n@_-]{0,200})") {
        for text in [&text, &toml] {
            let _ = setup::muster::<Ambush>(text, Some(text), Mode::Case);
            let _ = Registry::parse(text);
            let _ = ReplayFile::parse(text);
            let _ = text.parse::<engine::Pool>();
            let _ = text.parse::<engine::Source>();
            let _ = setup::slug(text);
            let _ = engine::Scripted::default().add(text);
            let _ = game(MEADOW, 1).board(Viewer::Side(Side::A)).parse(text);
        }
    }
}
