//! Law 9: the same set-up, seed and orders give the same hashes; replays prove it, and tampered ones are found out.

use crate::toy::*;
use engine::game::{Game, TypedGame};
use engine::replay::{self, FORMAT, ReplayError, ReplayFile};
use engine::{Battle, Lots, Motion, Seed, Side, StateHash};
use serde_json::{Value, json};

/// A random battle with a motion or two in it.
fn fought(seed: u64) -> TypedGame<Ambush> {
    let mut game = game(MEADOW, seed);
    let mut lots = Lots::new(seed);
    while let Some((side, order)) = random_order(&game.battle, &mut lots) {
        let no = game.battle.asked().unwrap().no;
        game.battle.submit(side, no, order).unwrap();
        if lots.below(8) == 0 && game.outcome().is_none() {
            let motions = [Motion::DisputeDie, Motion::Draw, Motion::Decline, Motion::TakeBack];
            game.motion(if lots.below(2) == 0 { Side::A } else { Side::B }, *lots.pick(&motions).unwrap()).unwrap();
        }
    }
    game
}

fn text() -> String {
    fought(6).replay().to_text()
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// The text with one line changed as JSON; lines count from 1.
fn changed(text: &str, line: usize, change: impl Fn(&mut Value)) -> String {
    let mut lines = lines(text);
    let mut value: Value = serde_json::from_str(&lines[line - 1]).unwrap();
    change(&mut value);
    lines[line - 1] = value.to_string();
    lines.join("\n") + "\n"
}

fn play(text: &str) -> Result<Battle<Ambush>, ReplayError> {
    replay::play(&ReplayFile::parse(text).unwrap_or_else(|faults| panic!("{faults}")), None)
}

fn complaint(text: &str) -> String {
    ReplayFile::parse(text).unwrap_err().to_string()
}

#[test]
fn the_same_seed_gives_the_same_hash_after_every_order() {
    let hashes = |seed| fought(seed).battle.entries().iter().map(|entry| entry.hash).collect::<Vec<StateHash>>();
    for seed in 0..20 {
        assert_eq!(hashes(seed), hashes(seed));
    }
    assert_ne!(hashes(1), hashes(2));
}

#[test]
fn hashes_are_thirty_two_digits() {
    let hash = game(MEADOW, 1).hash();
    assert_eq!(hash.to_string().parse(), Ok(hash));
    for wrong in ["", "12", &"g".repeat(32), &"+0".repeat(16), &"ä".repeat(16)] {
        assert!(wrong.parse::<StateHash>().is_err(), "{wrong}");
    }
}

#[test]
fn records_without_canonical_bytes_still_tell_states_apart() {
    let mut battle = battle(&slipping("unwritable"), 1);
    assert!(postcard::to_allocvec(battle.state()).is_err());
    let mut hashes = vec![battle.hash()];
    let mut lots = Lots::new(3);
    while let Some((side, order)) = random_order(&battle, &mut lots) {
        let no = battle.asked().unwrap().no;
        battle.submit(side, no, order).unwrap();
        hashes.push(battle.hash());
    }
    let count = hashes.len();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), count, "every decision changes the state, so no two hashes are alike");
}

#[test]
fn other_texts_and_other_house_rules_give_other_hashes() {
    let house = "format = \"grognard/house 1\"\nruleset = \"ambush\"\n";
    let start = |text: &str, house: Option<&str>| {
        TypedGame::<Ambush>::start(text, house, Seed::from_number(1)).unwrap_or_else(|faults| panic!("{faults}")).hash()
    };
    let plain = start(MEADOW, None);
    assert_eq!(plain, start(MEADOW, None));
    assert_ne!(plain, start(MEADOW, Some(house)));
    assert_ne!(plain, start(&format!("{MEADOW}\n# a remark"), None));
}

#[test]
fn a_replay_survives_its_own_text_and_verifies() {
    for seed in 0..40 {
        let game = fought(seed);
        let replay = game.replay();
        let text = replay.to_text();
        let read = ReplayFile::parse(&text).unwrap();
        assert_eq!(read, replay);
        assert_eq!(read.to_text(), text);
        let again = replay::play::<Ambush>(&read, None).unwrap();
        assert_eq!((again.hash(), again.state()), (game.hash(), game.battle.state()));
        assert_eq!((again.events(), again.entries()), (game.battle.events(), game.battle.entries()));
        assert_eq!((again.outcome().cloned(), again.offer()), (game.outcome(), game.battle.offer()));
    }
}

#[test]
fn a_battle_taken_up_at_any_line_ends_the_same() {
    for seed in [3, 6, 9] {
        let whole = fought(seed);
        let replay = whole.replay();
        for line in 0..=replay.entries.len() {
            let mut game = TypedGame::<Ambush>::resume(&replay, Some(line)).unwrap();
            assert_eq!(game.replay().entries, replay.entries[..line]);
            for entry in &replay.entries[line..] {
                match (&entry.order, entry.motion) {
                    (Some(order), _) => drop(game.submit(entry.side, entry.no.unwrap(), order).unwrap()),
                    (None, motion) => drop(game.motion(entry.side, motion.unwrap()).unwrap()),
                }
                assert_eq!(game.hash(), entry.hash);
            }
            assert_eq!(game.battle.events(), whole.battle.events());
            assert_eq!(game.replay().to_text(), replay.to_text());
        }
    }
}

#[test]
fn an_unfinished_battle_is_a_replay_too() {
    let text = text();
    let lines = lines(&text);
    // Cut between two lines: the battle as it stood then.
    for count in 1..lines.len() {
        let part = lines[..count].join("\n") + "\n";
        let battle = play(&part).unwrap();
        assert_eq!(battle.entries().len(), count - 1);
        assert_eq!(ReplayFile::parse(&part).unwrap().outcome, None);
    }
}

#[test]
fn a_cut_off_line_is_named() {
    let text = text();
    for cut in [1, 2, 10, 40] {
        assert_eq!(
            complaint(&text[..text.len() - 1 - cut]),
            format!("line {}, column 1: the last line is cut off", text.lines().count())
        );
    }
    // Without the very last line break nothing is missing.
    assert!(ReplayFile::parse(text.trim_end()).is_ok());
    // A broken line that is not the last was not cut off; it is simply wrong.
    let mut lines = lines(&text);
    lines[3].truncate(20);
    assert!(complaint(&(lines.join("\n") + "\n")).starts_with("line 4, column 1: not a line of a replay"));
}

#[test]
fn headers_are_looked_at_first() {
    let text = text();
    assert_eq!(complaint(""), "line 1, column 1: the file is empty");
    let headless = lines(&text)[1..].join("\n");
    assert!(complaint(&headless).starts_with("line 1, column 1: not the header of a replay"));
    assert!(complaint("a poem\n").starts_with("line 1, column 1: not the header of a replay"));
    let foreign = changed(&text, 1, |header| {
        header["format"] = json!("grognard/replay 2");
        header["novelty"] = json!(true);
    });
    assert_eq!(
        complaint(&foreign),
        format!("line 1, column 1: expected format \"{FORMAT}\", found \"grognard/replay 2\"")
    );
    let odd = changed(&text, 1, |header| header["novelty"] = json!(true));
    assert!(complaint(&odd).contains("unknown field `novelty`"));
    let short = changed(&text, 1, |header| header["seed"] = json!("12ab"));
    assert!(complaint(&short).contains("not a seed of 64 hexadecimal digits"));
}

#[test]
fn replays_of_other_rules_are_refused() {
    let text = text();
    let old = changed(&text, 1, |header| header["revision"] = json!(2));
    let error = play(&old).err().unwrap();
    assert!(matches!(error, ReplayError::Revision { found: 2, ours: 3 }));
    assert_eq!(error.to_string(), "recorded under revision 2 of the rules; this is revision 3");
    let foreign = changed(&text, 1, |header| header["ruleset"] = json!("chess"));
    assert_eq!(play(&foreign).err().unwrap().to_string(), "a replay of `chess`, not of `ambush`");
    let broken = changed(&text, 1, |header| header["setup"] = json!("title = 3"));
    assert!(matches!(play(&broken), Err(ReplayError::Setup(_))));
    let house = changed(&text, 1, |header| header["house"] = json!("format = \"grognard/house 1\""));
    assert!(matches!(play(&house), Err(ReplayError::Setup(_))));
}

#[test]
fn tampering_is_found_at_its_line() {
    let text = text();
    let replay = ReplayFile::parse(&text).unwrap();
    for (n, entry) in replay.entries.iter().enumerate() {
        let line = n + 2;
        let hashed = changed(&text, line, |entry| entry["hash"] = json!("00000000000000000000000000000000"));
        let error = play(&hashed).err().unwrap();
        assert!(
            matches!(error, ReplayError::Hash { line: at, found, .. } if at == line && found == entry.hash),
            "{error}"
        );

        let seeded = changed(&text, 1, |header| header["seed"] = json!(Seed::from_number(99).to_string()));
        assert!(play(&seeded).is_err(), "other dice, other battle");
        if entry.order.is_none() {
            continue;
        }
        let another = |unit: &str| json!({ "reform": { "unit": unit, "into": "column" } });
        let other = if entry.order == Some(another("u1")) { another("u0") } else { another("u1") };
        let ordered = changed(&text, line, |entry| entry["order"] = other.clone());
        let at = match play(&ordered).err().unwrap() {
            ReplayError::Line { line, .. } | ReplayError::Hash { line, .. } => line,
            error => panic!("{error}"),
        };
        assert_eq!(at, line);
        let sided = changed(&text, line, |entry| entry["side"] = json!(if entry["side"] == "a" { "b" } else { "a" }));
        assert!(play(&sided).is_err(), "line {line}");
        let numbered = changed(&text, line, |entry| entry["no"] = json!(entry["no"].as_u64().unwrap() + 1));
        assert!(matches!(play(&numbered), Err(ReplayError::Line { line: at, .. }) if at == line));
        let mut left_out = lines(&text);
        left_out.remove(line - 1);
        assert!(play(&(left_out.join("\n") + "\n")).is_err());
    }
    let last = text.lines().count();
    let ended = changed(&text, last, |ending| ending["outcome"]["why"] = json!("treachery"));
    assert!(matches!(play(&ended), Err(ReplayError::Ending)));
}

#[test]
fn orders_that_cannot_be_read_say_why() {
    let text = text();
    let what = |order: Value| match play(&changed(&text, 2, |entry| entry["order"] = order.clone())) {
        Err(ReplayError::Line { line: 2, what }) => what,
        other => panic!("{:?}", other.err()),
    };
    assert!(what(json!("charge")).starts_with("the order cannot be read: unknown variant"));
    assert_eq!(what(json!({ "march": { "unit": "@nobody", "legs": [] } })), "nothing on the table is called `nobody`");
    assert_eq!(what(json!({ "march": { "unit": "u77", "legs": [] } })), "there is no `u77`");
    let refused = what(json!({ "march": { "unit": "u0", "legs": ["ahead 60in"] } }));
    assert!(refused.starts_with("the order is refused: ") && refused.contains("[ambush.march-a]"), "{refused}");
}

#[test]
fn lines_that_are_none_are_all_named() {
    let text = text();
    let mut lines = lines(&text);
    lines[1] = json!({ "side": "a", "hash": "00000000000000000000000000000000" }).to_string();
    lines[2] = json!({ "no": 1, "side": "a", "order": "hold", "motion": "draw", "hash": "0".repeat(32) }).to_string();
    lines[3] = json!({ "side": "a", "order": "hold", "hash": "0".repeat(32) }).to_string();
    lines[4] = json!({ "no": 4, "side": "a", "motion": "draw", "hash": "0".repeat(32) }).to_string();
    lines[5] = json!({ "no": 1, "side": "a", "order": "hold", "hash": "short" }).to_string();
    lines.push(lines[6].clone());
    let faults = ReplayFile::parse(&(lines.join("\n") + "\n")).unwrap_err();
    let found: Vec<(usize, &str)> = faults.faults.iter().map(|fault| (fault.line, fault.what.as_str())).collect();
    assert_eq!(
        found[..4],
        [
            (2, "a line holds either an order or a motion"),
            (3, "a line holds either an order or a motion"),
            (4, "an order, and no motion, has the number of its question"),
            (5, "an order, and no motion, has the number of its question"),
        ]
    );
    assert!(found[4].0 == 6 && found[4].1.contains("32 hexadecimal digits"));
    assert_eq!(found[5], (lines.len(), "the battle goes on after its end"));

    let rubbish = lines[0].clone() + "\n" + &"?\n".repeat(5000);
    assert_eq!(ReplayFile::parse(&rubbish).unwrap_err().faults.len(), 200);
    let endless = " ".repeat(replay::MOST_BYTES + 1);
    assert!(complaint(&endless).starts_with("the replay is longer than"));
}
