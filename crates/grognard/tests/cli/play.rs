//! Scripted battles in the terminal.

use super::run::{folder, grognard, in_folder, with_input};

#[test]
fn taking_every_first_suggestion_ends_the_battle() {
    for scenario in ["awi/skirmish", "awi/cowpens", "fpw/brigade"] {
        let lines = "1\n".repeat(6_000);
        let ran = with_input(&["play", scenario, "--seed", "3"], lines.as_bytes()).expect(0);
        assert!(
            ran.out.contains("The battle is over"),
            "{scenario}: {}",
            &ran.out[ran.out.len().saturating_sub(600)..]
        );
        let ruleset = scenario.split('/').next().unwrap();
        assert!(ran.out.contains(&format!("[{ruleset}.")), "the chronicle cites clauses");
    }
}

#[test]
fn always_declining_ends_the_battle() {
    let folder = folder("decline");
    let lines = "end\n".repeat(4_000);
    let args = ["play", "--seed", "4", "--as", "american", "--against", "random", "--save", "end.jsonl"];
    let ran = in_folder(&folder, &args, lines.as_bytes()).expect(0);
    assert!(ran.out.contains("The battle is over"), "{}", &ran.out[ran.out.len().saturating_sub(600)..]);
    in_folder(&folder, &["replay", "verify", "end.jsonl"], b"").expect(0);
}

#[test]
fn a_break_changes_nothing() {
    let folder = folder("break");
    let all = "1\n".repeat(3_000);
    in_folder(&folder, &["play", "--seed", "21", "--save", "whole.jsonl"], all.as_bytes()).expect(0);
    // The same battle in four sittings, left by the end of input, by quitting and by saving.
    let first = in_folder(&folder, &["play", "--seed", "21"], "1\n".repeat(7).as_bytes()).expect(0);
    assert!(
        first.out.contains("grognard play --resume grognard-skirmish.jsonl --as british --against careful"),
        "{}",
        first.out
    );
    let resume = ["play", "--resume", "grognard-skirmish.jsonl", "--as", "british", "--against", "careful"];
    in_folder(&folder, &resume, b"1\n1\nmap\nquit\n").expect(0);
    in_folder(&folder, &resume, b"1\nsave other.jsonl\n1\n").expect(0);
    in_folder(&folder, &resume, all.as_bytes()).expect(0);
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("whole.jsonl"), read("grognard-skirmish.jsonl"));
    assert!(read("whole.jsonl").lines().count() > read("other.jsonl").lines().count());
}

#[test]
fn a_new_battle_never_overwrites_an_old_one() {
    let folder = folder("names");
    for _ in 0..3 {
        in_folder(&folder, &["play"], b"quit\n").expect(0);
    }
    for name in ["grognard-skirmish.jsonl", "grognard-skirmish-2.jsonl", "grognard-skirmish-3.jsonl"] {
        assert!(folder.join(name).exists(), "{name}");
    }
}

#[test]
fn everything_can_be_asked_at_the_table() {
    let folder = folder("talk");
    let script = "1\n?\nhelp\nmap\nmore\ncard regulars\ncard RE\ncard 40th foot\ncard nobody\nclause awi.12-d\nclause 12-d\n\
                  clause nonsense\nlog\nlog 3\nodds\nodds 1\nodds charge regulars at militia\nodds gibberish\n\
                  fire regulars at militia\nmove regulars ahead 60\nmove regulars ahead 2\nundo\nundo\n99\n0\n\
                  hokuspokus\nsave\nsave /nowhere/at/all.jsonl\ndraw\n\nconcede\nlog\nmap\nleave\n";
    let ran = in_folder(&folder, &["play", "--seed", "5"], script.as_bytes()).expect(0);
    for word in [
        "To answer:",
        "40th Foot",
        "nothing on the table is called `nobody`",
        "A charge runs in one straight line.",
        "ruling awi-0026",
        "no clause is called `nonsense`",
        "odds of what?",
        "tests to charge",
        "may not be done",
        "taken back",
        "no order of yours",
        "there are suggestions 1 to",
        "saved to grognard-skirmish.jsonl",
        "cannot write /nowhere/at/all.jsonl",
        "none of it",
        "Americans won",
    ] {
        assert!(ran.out.contains(word), "{word} is missing from:\n{}", ran.out);
    }
}

#[test]
fn refusals_give_every_reason_and_clause() {
    // In the Movement part nobody may simply fire, and nobody may leave the table.
    let ran = with_input(&["play", "--seed", "5"], b"1\nmove regulars back 60\nconcede\n").expect(0);
    let refusal = ran.out.split("That may not be done:").nth(1).unwrap_or_default();
    assert!(refusal.lines().take(4).any(|line| line.contains("[awi.")), "{}", ran.out);
}

#[test]
fn strange_input_is_survived() {
    let mut script = b"1\n\xff\xfe\x00\x01\n".to_vec();
    script.extend(std::iter::repeat_n(b'x', 300_000));
    script.extend("\n☃ 🐎 move\n{\"hold\":\n{\"hold\":{\"unit\":\"@nobody\"}}\n{}\n[]\nnull\n-1\n1e999\n".as_bytes());
    script.extend(
        "move regulars ahead 99999999999999999999\nmove regulars wheel left -720\ncard\nclause\nlog -5\n".as_bytes(),
    );
    script.extend(b"concede");
    let ran = with_input(&["play", "--seed", "8"], &script).expect(0);
    assert!(ran.out.contains("Americans won"), "{}", ran.out);
}

#[test]
fn two_at_one_keyboard() {
    let folder = folder("hot-seat");
    // Empty lines answer the hand-over where something is hidden, and nothing elsewhere.
    let script = "\n1\n".repeat(4_000);
    let args = ["play", "awi/skirmish", "--against", "human", "--seed", "2", "--save", "both.jsonl"];
    let ran = in_folder(&folder, &args, script.as_bytes()).expect(0);
    assert!(ran.out.contains("The battle is over"), "{}", &ran.out[ran.out.len().saturating_sub(600)..]);
    in_folder(&folder, &["replay", "verify", "both.jsonl"], b"").expect(0);
}

#[test]
fn colour_only_when_asked() {
    let plain = with_input(&["play", "--seed", "1"], b"concede\n").expect(0).out;
    assert!(!plain.contains('\u{1b}'));
    let painted = with_input(&["play", "--seed", "1", "--colour", "always"], b"concede\n").expect(0).out;
    assert!(painted.contains('\u{1b}'));
}

#[test]
fn bad_battles_do_not_begin() {
    grognard(&["play", "--resume", "/nowhere.jsonl"]).expect(2);
    grognard(&["play", "awi/skirmish", "--resume", "x.jsonl"]).expect(2);
    grognard(&["play", "--house", "/nowhere.toml"]).expect(2);
    let wrong = grognard(&["play", "--as", "prussian"]).expect(2);
    assert!(wrong.err.contains("british"), "{}", wrong.err);
}
