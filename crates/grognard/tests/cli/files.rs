//! Cases, replays, and the checking of files.

use super::run::{CASE, folder, grognard, skirmish, with_input};
use std::path::PathBuf;

fn put(folder: &std::path::Path, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A whole battle on disc.
pub fn recorded(folder: &std::path::Path) -> PathBuf {
    let path = folder.join("battle.jsonl");
    let lines = "1\n".repeat(2_000);
    with_input(&["play", "--seed", "9", "--save", path.to_str().unwrap()], lines.as_bytes()).expect(0);
    path
}

#[test]
fn cases_pass_fail_and_are_counted() {
    let folder = folder("cases");
    let inner = folder.join("inner");
    std::fs::create_dir_all(&inner).unwrap();
    let good = put(&folder, "good.toml", CASE);
    put(&inner, "bad.toml", CASE.replace("clauses = []", "clauses = [\"awi.12-d\"]"));
    put(&inner, "broken.toml", "title = ");
    put(&inner, "note.txt", "not a case");
    let one = grognard(&["case", "run", &good, "--json"]).expect(0).json();
    assert_eq!((one["passed"].as_u64(), one["failed"].as_u64()), (Some(1), Some(0)));
    let all = grognard(&["case", "run", folder.to_str().unwrap(), "--json"]).expect(1).json();
    assert_eq!((all["passed"].as_u64(), all["failed"].as_u64()), (Some(1), Some(2)));
    assert_eq!(all["failures"].as_array().unwrap().len(), 2);
    assert!(all["failures"][0]["file"].as_str().unwrap().ends_with("bad.toml"));
    let text = grognard(&["case", "run", folder.to_str().unwrap()]).expect(1).out;
    assert!(text.contains("awi.12-d") && text.contains("1 passed, 2 failed"), "{text}");
    grognard(&["case", "run", "/nowhere"]).expect(2);
    let empty = folder.join("empty");
    std::fs::create_dir_all(&empty).unwrap();
    grognard(&["case", "run", empty.to_str().unwrap()]).expect(2);
}

#[test]
fn a_case_is_drawn() {
    let folder = folder("draw");
    let case = put(&folder, "case.toml", CASE);
    let out = folder.join("case.svg");
    grognard(&["case", "draw", &case, "--svg", out.to_str().unwrap()]).expect(0);
    let picture = std::fs::read_to_string(out).unwrap();
    assert!(picture.starts_with("<?xml") && picture.trim_end().ends_with("</svg>"));
    let map = grognard(&["case", "draw", &case]).expect(0).out;
    assert!(map.contains("guards") && map.contains('╔'), "{map}");
    let broken = put(&folder, "broken.toml", CASE.replace("24in", "24 parasangs"));
    assert!(grognard(&["case", "draw", &broken]).expect(2).err.contains("parasangs"));
    grognard(&["case", "draw", &case, "--svg", "/nowhere/x.svg"]).expect(2);
}

#[test]
fn a_replay_is_verified_shown_and_counted() {
    let folder = folder("replay");
    let path = recorded(&folder);
    let file = path.to_str().unwrap();
    let verified = grognard(&["replay", "verify", file, "--json"]).expect(0).json();
    assert_eq!(verified["ok"], true);
    let orders = verified["orders"].as_u64().unwrap();
    assert!(orders > 10 && !verified["outcome"].is_null());
    assert!(grognard(&["replay", "verify", file]).expect(0).out.contains("verifies"));
    for at in [0, 1, orders / 2, orders] {
        let shown = grognard(&["replay", "show", file, "--at", &at.to_string(), "--json"]).expect(0).json();
        assert_eq!(shown["at"], at);
    }
    assert!(grognard(&["replay", "show", file, "--at", "3"]).expect(0).out.contains('╔'));
    assert!(grognard(&["replay", "show", file, "--chronicle"]).expect(0).out.contains("[awi."));
    grognard(&["replay", "show", file, "--at", "999999"]).expect(2);
    let svg = folder.join("at.svg");
    grognard(&["replay", "show", file, "--at", "5", "--svg", svg.to_str().unwrap()]).expect(0);
    assert!(std::fs::read_to_string(svg).unwrap().contains("</svg>"));
    let stats = grognard(&["replay", "stats", file, "--json"]).expect(0).json();
    assert!(stats["rolls"].as_u64().unwrap() > 0 && stats["dice"][0]["chi_square"]["p"].is_f64());
    assert!(grognard(&["replay", "stats", file]).expect(0).out.contains("chi-square"));
    assert!(grognard(&["check", file]).expect(0).out.contains("a replay, no faults"));
}

#[test]
fn a_tampered_replay_does_not_verify() {
    let folder = folder("tampered");
    let text = std::fs::read_to_string(recorded(&folder)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let join = |lines: &[&str]| lines.join("\n") + "\n";
    let swap = |from: &str, to: &str| text.replacen(from, to, 1);
    let last = lines[lines.len() - 1];
    let other_victor = if last.contains("\"winner\":\"a\"") { "\"winner\":\"b\"" } else { "\"winner\":\"a\"" };
    let other_victor = ["\"a\"", "\"b\"", "null"].iter().fold(last.to_owned(), |line, winner| {
        if line == last { line.replace(&format!("\"winner\":{winner}"), other_victor) } else { line }
    });
    let mut dropped = lines.clone();
    dropped.remove(5);
    let mut doubled = lines.clone();
    doubled.insert(5, lines[5]);
    let mut hashes = lines.clone();
    let other = lines[4].replace("\"hash\":\"", "\"hash\":\"0").replace("0\"}", "\"}");
    hashes[4] = &other;
    let seeds: String = text.replacen("\"seed\":\"", "\"seed\":\"f", 1);
    for (what, spoiled) in [
        ("cut in the middle of a line", text[..text.len() / 2].to_owned()),
        ("a line is missing", join(&dropped)),
        ("a line is there twice", join(&doubled)),
        ("a hash is another", join(&hashes)),
        ("a seed of the wrong length", seeds),
        ("another revision", swap("\"revision\":", "\"revision\":9")),
        ("another ruleset", swap("\"ruleset\":\"awi\"", "\"ruleset\":\"chess\"")),
        ("another turn limit", swap("turn_limit = 12", "turn_limit = 7")),
        ("another victor", text.replace(last, &other_victor)),
        ("goes on after its end", join(&[&lines[..], &[lines[3]]].concat())),
        ("no header", join(&lines[1..])),
    ] {
        let file = put(&folder, "spoiled.jsonl", &spoiled);
        let ran = grognard(&["replay", "verify", &file]).expect(1);
        assert!(ran.out.contains("does not verify"), "{what}: {}", ran.out);
        assert_eq!(grognard(&["replay", "verify", &file, "--json"]).expect(1).json()["ok"], false);
        grognard(&["check", &file]).expect(1);
        let resumed = grognard(&["play", "--resume", &file]);
        assert_eq!(resumed.code, 2, "{what}: {}", resumed.out);
    }
    // Cut between two lines it is a battle not yet over.
    let file = put(&folder, "half.jsonl", join(&lines[..10]));
    assert!(grognard(&["replay", "verify", &file]).expect(0).out.contains("not over"));
}

#[test]
fn good_files_are_found_good() {
    let folder = folder("good");
    for scenario in rules::SCENARIOS {
        let file = put(&folder, &format!("{}.toml", scenario.id.replace('/', "-")), scenario.text);
        let report = grognard(&["check", &file, "--json"]).expect(0).json();
        assert_eq!(report["kind"], "setup");
        assert!(report["forces"][0]["points"].as_i64().unwrap() > 0, "{}", scenario.id);
    }
    let file = put(&folder, "awi-birmingham.toml", rules::scenario("awi/birmingham-hill").unwrap().text);
    let report = grognard(&["check", &file]).expect(0).out;
    assert!(report.contains("15 units, 356 points"), "the figures of the specification: {report}");
    let case = put(&folder, "case.toml", CASE);
    assert!(grognard(&["check", &case]).expect(0).out.contains("a case, no faults"));
    let house = put(
        &folder,
        "house.toml",
        "format = \"grognard/house 1\"\nruleset = \"awi\"\n[settings]\nmorale_die = \"d4\"\n",
    );
    assert!(grognard(&["check", &house]).expect(0).out.contains("house rules, no faults"));
}

#[test]
fn every_fault_is_named_with_its_line() {
    let folder = folder("faults");
    let text = skirmish()
        .replace("class = \"elite\"", "class = \"godlike\"")
        .replace("kind = \"wall\"", "kind = \"moat\"")
        .replace("turn_limit = 12", "turn_limit = \"eight\"")
        .replace("name = \"40th Foot\"", "nome = \"40th Foot\"");
    let file = put(&folder, "setup.toml", &text);
    let report = grognard(&["check", &file, "--json"]).expect(1).json();
    let faults = report["faults"].as_array().unwrap();
    assert!(faults.len() >= 5, "{report}");
    assert!(faults.iter().all(|fault| fault["line"].as_u64().unwrap() > 0), "{report}");
    let said = grognard(&["check", &file]).expect(1).out;
    for word in ["godlike", "moat", "turn_limit", "nome", "line "] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let house = put(
        &folder,
        "house.toml",
        "format = \"grognard/house 1\"\nruleset = \"awi\"\n[charts.range.small_arms]\nshort = \"-4in\"\n\
         [charts.class.line.volley]\ndice = 1000000\nshort = \"many\"\n[charts.catapult]\nneed = 3\n[settings]\nmorale_die = \"d12\"\n",
    );
    let report = grognard(&["check", &house, "--json"]).expect(1).json();
    assert_eq!(report["kind"], "house");
    assert!(report["faults"].as_array().unwrap().len() >= 5, "{report}");
    let case = put(&folder, "case.toml", CASE.replace("by = \"british\"", "by = 7").replace("pose", "poise"));
    let report = grognard(&["check", &case, "--json"]).expect(1).json();
    assert_eq!(report["kind"], "case");
    assert!(report["faults"].as_array().unwrap().len() >= 3, "{report}");
    // Several files make a list.
    let both = grognard(&["check", &file, &case, "--json"]).expect(1).json();
    assert_eq!(both.as_array().unwrap().len(), 2);
    grognard(&["check", "/nowhere.toml"]).expect(2);
    let piped = with_input(&["check", "-"], CASE.as_bytes()).expect(0).out;
    assert!(piped.contains("a case"), "{piped}");
}
