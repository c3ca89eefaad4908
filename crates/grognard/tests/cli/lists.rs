//! Help, lists, completions.

use super::run::{grognard, wait};
use std::collections::BTreeSet;
use std::process::{Command, Stdio};

const COMMANDS: [&str; 11] =
    ["rulesets", "scenarios", "clauses", "play", "sim", "case", "replay", "odds", "check", "bench", "completions"];

#[test]
fn help_names_every_command_and_exit_code() {
    let help = grognard(&["--help"]).expect(0).out;
    for word in COMMANDS.iter().chain(&["Examples:", "Exit codes:", "grognard play"]) {
        assert!(help.contains(word), "{word}");
    }
    for command in COMMANDS {
        let help = grognard(&[command, "--help"]).expect(0).out;
        assert!(help.contains("Usage:"), "{command}");
    }
    assert!(grognard(&["--version"]).expect(0).out.starts_with("grognard "));
}

#[test]
fn bad_usage_is_two() {
    grognard(&[]).expect(2);
    grognard(&["besiege"]).expect(2);
    grognard(&["sim"]).expect(2);
    grognard(&["sim", "awi/skirmish", "--a", "napoleon"]).expect(2);
    grognard(&["sim", "awi/skirmish", "--games", "0"]).expect(2);
    grognard(&["sim", "awi/skirmish", "--games", "99999999999999"]).expect(2);
    grognard(&["play", "--against", "murat"]).expect(2);
    grognard(&["play", "--as", "hussars"]).expect(2);
    grognard(&["clauses", "--ruleset", "chess"]).expect(2);
    grognard(&["scenarios", "--ruleset", "chess"]).expect(2);
    let wrong = grognard(&["sim", "awi/waterloo"]).expect(2);
    assert!(wrong.err.contains("awi/cowpens") && wrong.err.contains("fpw/vionville"), "{}", wrong.err);
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = grognard(&["completions", shell]).expect(0).out;
        assert!(script.contains("grognard") && script.contains("replay"), "{shell}");
    }
    grognard(&["completions", "tcsh"]).expect(2);
}

#[test]
fn rulesets_and_scenarios() {
    let rulesets = grognard(&["rulesets", "--json"]).expect(0).json();
    let ids: Vec<&str> = rulesets.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["awi", "fpw", "guns", "iron", "empire"]);
    let text = grognard(&["rulesets"]).expect(0).out;
    assert!(ids.iter().all(|id| text.contains(id)), "{text}");
    for (ruleset, some) in [
        ("awi", ["awi/skirmish", "awi/s40", "awi/cowpens"]),
        ("fpw", ["fpw/brigade", "fpw/vionville", "fpw/outposts"]),
        ("guns", ["guns/alma", "guns/le-cateau", "guns/gravelotte"]),
        ("iron", ["iron/lesson", "iron/woerth", "iron/mars-la-tour"]),
        ("empire", ["empire/lesson", "empire/balaclava", "empire/inkerman"]),
    ] {
        let scenarios = grognard(&["scenarios", "--ruleset", ruleset, "--json"]).expect(0).json();
        let ids: Vec<&str> = scenarios.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
        assert!(some.iter().all(|id| ids.contains(id)), "{ids:?}");
        assert!(ids.iter().all(|id| id.starts_with(ruleset)), "{ids:?}");
        assert!(scenarios[0]["sides"][0]["units"].as_u64().unwrap() > 0);
    }
    let all = grognard(&["scenarios"]).expect(0).out;
    assert!(all.contains("Cowpens") && all.contains("Vionville"), "{all}");
}

#[test]
fn clauses_are_a_list_of_objects() {
    for (ruleset, number) in [("awi", 177), ("fpw", 212), ("iron", 486), ("empire", 501)] {
        clauses_of(ruleset, number);
    }
    assert!(grognard(&["clauses", "--text"]).expect(0).out.contains("awi.12-d"));
    assert!(grognard(&["clauses", "--ruleset", "fpw", "--text"]).expect(0).out.contains("fpw.react-d"));
    grognard(&["clauses", "--json"]).expect(0).json();
}

fn clauses_of(ruleset: &str, number: usize) {
    let clauses = grognard(&["clauses", "--ruleset", ruleset]).expect(0).json();
    let clauses = clauses.as_array().unwrap();
    assert_eq!(clauses.len(), number);
    let ids: BTreeSet<&str> = clauses.iter().map(|clause| clause["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), clauses.len());
    for clause in clauses {
        for key in ["id", "kind", "title", "text", "source"] {
            assert!(clause[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {clause}");
        }
        assert!(clause["cases"].is_array() && clause["rulings"].is_array());
        for case in clause["cases"].as_array().unwrap() {
            assert!(!case.as_str().unwrap().starts_with('/'), "{case} names a place on one machine");
        }
    }
}

/// Whoever reads us may stop reading.
#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_grognard"))
        .args(["clauses"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut shell = Command::new("sh");
    shell.args(["-c", "yes 1 | \"$0\" play --seed 1 | head -n 3", env!("CARGO_BIN_EXE_grognard")]);
    let ran = wait(shell, b"").expect(0);
    assert_eq!(ran.err, "");
}
