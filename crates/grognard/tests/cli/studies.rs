//! Simulation, odds, speed.

use super::run::{folder, grognard, skirmish};
use serde_json::Value;

fn sim(jobs: &str, more: &[&str]) -> Value {
    let mut args = vec!["sim", "awi/skirmish", "--games", "8", "--seed", "42", "--jobs", jobs, "--json"];
    args.extend(more);
    grognard(&args).expect(0).json()
}

#[test]
fn jobs_do_not_change_the_result() {
    let players = ["--a", "careful", "--b", "random", "--swap"];
    let (mut one, mut two) = (sim("1", &players), sim("2", &players));
    for report in [&mut one, &mut two] {
        for key in ["games", "wins", "faults", "turns_mean", "decisions", "games_per_cpu_s", "decisions_per_cpu_s"] {
            assert!(!report[key].is_null(), "{key}");
        }
        for key in ["a", "b", "draw"] {
            assert!(report["wins"][key].is_u64() && report["intervals"][key].is_array());
        }
        for key in ["cpu_s", "wall_s", "process_cpu_s", "games_per_cpu_s", "decisions_per_cpu_s"] {
            assert!(report[key].as_f64().unwrap() > 0.0, "{key}");
            report.as_object_mut().unwrap().remove(key);
        }
    }
    assert_eq!(one, two);
    assert_eq!(one["games"], 8);
    assert_eq!(one["faults"], 0);
    let wins = &one["wins"];
    assert_eq!(wins["a"].as_u64().unwrap() + wins["b"].as_u64().unwrap() + wins["draw"].as_u64().unwrap(), 8);
}

#[test]
fn every_scenario_can_be_fought_and_verified() {
    for scenario in rules::SCENARIOS {
        let report =
            grognard(&["sim", scenario.id, "--games", "2", "--a", "random", "--b", "careful", "--verify", "--json"]);
        assert_eq!(report.expect(0).json()["faults"], 0, "{}", scenario.id);
    }
}

#[test]
fn words_for_people_and_rows_for_programs() {
    let folder = folder("sim");
    let rows = folder.join("rows.jsonl");
    let ran = grognard(&[
        "sim",
        "skirmish",
        "--games",
        "4",
        "--a",
        "random",
        "--b",
        "random",
        "--rows",
        rows.to_str().unwrap(),
    ]);
    let text = ran.expect(0).out;
    for word in ["4 battles", "95 %", "per CPU second", "faults     0"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let lines: Vec<Value> =
        std::fs::read_to_string(rows).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[3]["game"], 3);
}

#[test]
fn own_scenarios_and_house_rules() {
    let folder = folder("own");
    let (setup, house) = (folder.join("mine.toml"), folder.join("house.toml"));
    std::fs::write(&setup, skirmish().replace("turn_limit = 12", "turn_limit = 2")).unwrap();
    std::fs::write(&house, "format = \"grognard/house 1\"\nruleset = \"awi\"\n[charts.class.line.volley]\ndice = 9\n")
        .unwrap();
    let (setup, house) = (setup.to_str().unwrap(), house.to_str().unwrap());
    let args = ["sim", setup, "--games", "2", "--a", "random", "--b", "random", "--json"];
    assert!(grognard(&args).expect(0).json()["turns_mean"].as_f64().unwrap() <= 2.0);
    let house_args: Vec<&str> = args.iter().copied().chain(["--house", house]).collect();
    grognard(&house_args).expect(0);
    let odds = grognard(&["odds", "volley", "--class", "line", "--range", "short", "--house", house, "--json"]);
    assert_eq!(odds.expect(0).json()["odds"]["bars"].as_array().unwrap().len(), 10, "nine dice, ten outcomes");
}

/// Every plot sums to one; returns the first.
fn odds(args: &[&str]) -> Value {
    fn check(odds: &Value) {
        let sum: f64 = odds["bars"].as_array().unwrap().iter().map(|bar| bar["chance"].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{odds}");
        odds["then"].as_array().unwrap().iter().for_each(check);
    }
    let mut all = vec!["odds"];
    all.extend(args);
    let text = grognard(&all).expect(0).out;
    assert!(text.contains('%') && text.contains('/'), "{text}");
    all.push("--json");
    let odds = grognard(&all).expect(0).json()["odds"].clone();
    check(&odds);
    odds
}

#[test]
fn odds_are_exact() {
    let volley = odds(&["volley", "--class", "line", "--range", "short"]);
    assert_eq!(volley["bars"][3]["exact"], "1/8", "three dice that each need four");
    let first = odds(&["volley", "--class", "line", "--range", "short", "--first"]);
    assert_eq!(first["bars"][3]["exact"], "8/27");
    let cover = odds(&["volley", "--class", "raw", "--range", "long", "--cover", "hard"]);
    assert_eq!(cover["bars"][0]["exact"], "1/1", "nobody throws an eight");
    let gun = odds(&["gun", "--gun", "6lb", "--range", "medium"]);
    assert_eq!(gun["bars"][2]["exact"], "1/9");
    assert_eq!(odds(&["shell"])["bars"][0]["exact"], "1/10");
    let morale = odds(&["morale", "--class", "raw", "--marks", "1"]);
    assert_eq!(morale["bars"][1]["exact"], "1/3", "a five or a six");
    odds(&[
        "melee",
        "--class",
        "elite",
        "--charged",
        "--against",
        "line",
        "--against-cover",
        "hard",
        "--attacks",
        "flank",
    ]);
    odds(&[
        "charge",
        "--class",
        "inferior",
        "--gap",
        "8in",
        "--officer",
        "good",
        "--against",
        "raw",
        "--against-marks",
        "2",
    ]);
    let far = odds(&["charge", "--class", "line", "--gap", "40in", "--against", "raw"]);
    assert_eq!(far["bars"][0]["label"], "falls short");
    odds(&["charge", "--class", "elite", "--horse", "--against", "elite", "--against-gun", "6lb", "--grape"]);
}

#[test]
fn odds_of_the_second_game_are_exact() {
    for args in [
        vec!["fpw", "fire", "--weapon", "chassepot", "--range", "6in", "--against", "cavalry", "--against-stands", "2"],
        vec!["fpw", "fire", "--weapon", "prussian-gun", "--range", "20in", "--arm", "artillery", "--stands", "1"],
        vec!["fpw", "command", "--target", "7"],
        vec!["fpw", "command", "--target", "7", "--higher"],
        vec!["fpw", "combat", "--charging", "--arm", "cavalry", "--stands", "2", "--heavy"],
        vec!["fpw", "close", "--markers", "3"],
        vec!["fpw", "recovery", "--markers", "4", "--quality", "elite"],
    ] {
        assert!(!odds(&args)["bars"].as_array().unwrap().is_empty(), "{args:?}");
    }
}

#[test]
fn odds_of_the_two_days_are_exact() {
    for ruleset in ["iron", "empire"] {
        let weapon = if ruleset == "iron" { "chassepot" } else { "smoothbore" };
        let volley = ["volley", "--weapon", weapon, "--range", "close", "--target", "line", "--stands", "8"];
        assert!(odds(&[&[ruleset][..], &volley].concat())["bars"].as_array().unwrap().len() > 1);
        let steady = odds(&[ruleset, "test", "being-charged", "class2"]);
        let shaken = odds(&[ruleset, "test", "being-charged", "class2", "shaken"]);
        let passed = |odds: &Value| -> f64 {
            let bars = odds["bars"].as_array().unwrap();
            bars.iter().filter(|bar| bar["label"] == "passed").map(|bar| bar["chance"].as_f64().unwrap()).sum()
        };
        assert!(passed(&steady) > passed(&shaken), "{steady} {shaken}");
        odds(&[ruleset, "assault", "--class", "3", "--with", "foot-charging", "--against", "2"]);
        for what in ["ford", "demolition", "arson"] {
            assert_eq!(odds(&[ruleset, what])["bars"].as_array().unwrap().len(), 2);
        }
    }
    let said = grognard(&["odds", "iron", "test", "rally", "drunk"]).expect(2).err;
    assert!(said.contains("`drunk`") && said.contains("below-half"), "{said}");
    let said = grognard(&[
        "odds", "iron", "volley", "--weapon", "bow", "--range", "long", "--target", "line", "--stands", "4",
    ]);
    assert!(said.expect(2).err.contains("mitrailleuse"));
}

#[test]
fn tuning_is_measured_for_the_reconstructed_books_alone() {
    let ran = grognard(&["tuning", "iron", "--games", "1", "--json"]);
    // One battle says nothing about a goal.
    assert!([0, 1].contains(&ran.code), "{}", ran.err);
    let report = ran.json();
    assert!(report["figures"].as_array().unwrap().len() >= 4, "{report}");
    let said = grognard(&["tuning", "awi"]).expect(2).err;
    assert!(said.contains("iron or empire"), "{said}");
}

#[test]
fn impossible_odds_are_refused() {
    for args in [
        vec!["odds", "fpw", "fire", "--weapon", "mlr", "--range", "20in"],
        vec!["odds", "fpw", "command", "--target", "seven"],
        vec!["odds", "volley", "--class", "line", "--range", "medium"],
        vec!["odds", "gun", "--gun", "battalion", "--range", "long"],
        vec!["odds", "gun", "--gun", "6lb", "--range", "medium", "--grape"],
        vec!["odds", "morale", "--class", "line", "--marks", "0"],
        vec!["odds", "charge", "--class", "line", "--gap", "-3in", "--against", "raw"],
        vec!["odds", "charge", "--class", "line", "--gap", "eight", "--against", "raw"],
        vec!["odds", "volley", "--class", "guards", "--range", "short"],
        vec!["odds", "volley", "--class", "line", "--range", "short", "--house", "/nowhere/house.toml"],
    ] {
        assert!(!grognard(&args).expect(2).err.is_empty(), "{args:?}");
    }
}

#[test]
fn speed_is_measured() {
    let report = grognard(&["bench", "--repeats", "1", "--games", "1", "--json"]).expect(0).json();
    let measures = report["measures"].as_array().unwrap();
    assert!(measures.len() >= 15, "{report}");
    assert_eq!(report["scenario"], "awi/s40");
    for id in ["fpw", "guns", "iron", "empire"] {
        for (what, rows) in [("battles of", 1), ("decisions of", 2), ("share of", 2)] {
            let begins = format!("{what} {id}");
            let found = measures.iter().filter(|measure| measure["what"].as_str().unwrap().starts_with(&begins));
            assert_eq!(found.count(), rows, "{begins}: {report}");
        }
    }
    for measure in measures {
        assert!(measure["summary"]["median"].as_f64().is_some(), "{measure}");
    }
}

#[test]
fn an_arena_tells_who_beats_whom() {
    let table = folder("arena").join("arena.md");
    let path = table.to_str().expect("a path");
    let ran = grognard(&["arena", "--ruleset", "awi", "--bots", "random,careful", "--games", "1", "--table", path]);
    let said = ran.expect(0).out;
    assert!(said.contains("careful v random: won ") && said.contains("faults 0, refused orders 0"), "{said}");
    let written = std::fs::read_to_string(&table).expect("the table is written");
    assert!(written.contains("| `careful` | ") && written.contains("| `random` | 1000 ± 0 |"), "{written}");
    for (args, says) in [
        (["--ruleset", "chess", "--bots", "random,careful"], "no rulebook `chess`"),
        (["--ruleset", "awi", "--bots", "careful"], "an arena needs two bots"),
        (["--ruleset", "awi", "--bots", "careful,careful"], "`careful` is named twice"),
        (["--ruleset", "awi", "--bots", "careful,napoleon"], "napoleon"),
    ] {
        let said = grognard(&[&["arena"], args.as_slice()].concat()).expect(2).err;
        assert!(said.contains(says), "{said}");
    }
}
