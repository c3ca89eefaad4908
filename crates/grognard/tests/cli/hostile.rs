//! Files made to break the program: each must give a clear message and a non-zero exit, soon and in little memory.

use super::run::{CASE, folder, skirmish, with_little_memory};
use std::fmt::Write;

/// Every command that reads a file, the file's place marked by `FILE`.
const READERS: &[&[&str]] = &[
    &["check", "FILE"],
    &["check", "FILE", "--json"],
    &["case", "run", "FILE"],
    &["case", "draw", "FILE"],
    &["replay", "verify", "FILE"],
    &["replay", "show", "FILE"],
    &["replay", "stats", "FILE"],
    &["sim", "FILE", "--games", "1"],
    &["sim", "awi/skirmish", "--games", "1", "--house", "FILE"],
    &["play", "FILE"],
    &["play", "--house", "FILE"],
    &["play", "--resume", "FILE"],
    &["odds", "shell", "--house", "FILE"],
];

fn try_all(name: &str, bytes: &[u8]) {
    let folder = folder("hostile");
    let path = folder.join("file");
    std::fs::write(&path, bytes).unwrap();
    for reader in READERS {
        let args: Vec<&str> =
            reader.iter().map(|word| if *word == "FILE" { path.to_str().unwrap() } else { word }).collect();
        let ran = with_little_memory(&args, b"");
        assert!(!ran.err.contains("panicked"), "{name} {reader:?}: {}", ran.err);
        assert!(
            matches!(ran.code, 1 | 2),
            "{name} {reader:?} ends with {}: {:.600} {:.600}",
            ran.code,
            ran.out,
            ran.err
        );
        assert!(ran.out.len() + ran.err.len() > 20, "{name} {reader:?} says nothing");
        assert!(ran.out.len() + ran.err.len() < 200_000, "{name} {reader:?} says {} bytes", ran.out.len());
    }
}

#[test]
fn files_that_are_nothing() {
    try_all("empty", b"");
    try_all("blank lines", b"\n\n\n\n");
    let noise: Vec<u8> = (0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    try_all("binary noise", &noise);
    try_all("zeros", &[0; 4096]);
    try_all("half a letter", b"title = \"\xc3");
    try_all("another TOML", b"[package]\nname = \"grognard\"\n");
    try_all("another JSON", b"{\"a\":1}\n{\"b\":2}\n");
    try_all("a list", b"[1,2,3]");
}

#[test]
fn files_that_are_too_much() {
    try_all("ten megabytes of a", &vec![b'a'; 10 << 20]);
    try_all("seventy megabytes of braces", &vec![b'{'; 70 << 20]);
    let mut long = b"format = \"".to_vec();
    long.resize(2 << 20, b'x');
    long.extend(b"\"\n");
    try_all("a word of two megabytes", &long);
}

#[test]
fn files_that_go_too_deep() {
    try_all("brackets", format!("a = {}1{}", "[".repeat(100_000), "]".repeat(100_000)).as_bytes());
    try_all("braces", ("{\"format\":".repeat(50_000)).as_bytes());
    try_all("dotted keys", format!("ruleset = \"awi\"\n{}x = 1\n", "a.".repeat(50_000)).as_bytes());
    try_all("tables", format!("ruleset = \"awi\"\n[{}x]\ny = 1\n", "a.".repeat(50_000)).as_bytes());
}

/// The skirmish with one thing made monstrous.
fn spoiled(from: &str, to: &str) -> String {
    let text = skirmish().replacen(from, to, 1);
    assert_ne!(text, skirmish(), "{from} is not in the scenario");
    text
}

#[test]
fn impossible_set_ups() {
    for (name, text) in [
        ("a huge table", spoiled("size = [\"36in\", \"36in\"]", "size = [\"99999999in\", \"99999999in\"]")),
        ("a negative table", spoiled("size = [\"36in\", \"36in\"]", "size = [\"-36in\", \"-36in\"]")),
        ("no table", spoiled("[table]", "[tabble]")),
        ("a number for a word", spoiled("title = \"A morning at Halfway Tavern\"", "title = 9223372036854775808")),
        ("a turn limit beyond all", spoiled("turn_limit = 12", "turn_limit = 99999999999999999999999")),
        ("a turn limit below zero", spoiled("turn_limit = 12", "turn_limit = -1")),
        ("an infinite pose", spoiled("pose = [\"22in\", \"29in\", 180]", "pose = [\"22in\", \"29in\", inf]")),
        ("a pose off the table", spoiled("pose = [\"22in\", \"29in\", 180]", "pose = [\"2200in\", \"29in\", 180]")),
        ("an unknown side", spoiled("side = \"british\"", "side = \"russian\"")),
        ("an unknown brigade", spoiled("brigade = \"british-party\"", "brigade = \"the-moon\"")),
        (
            "a brigade in itself",
            spoiled("side = \"british\"\nname", "side = \"british\"\ndivision = \"british-party\"\nname"),
        ),
        (
            "a self-crossing hill",
            spoiled("[\"3in\", \"14in\"], [\"8in\", \"13in\"]", "[\"8in\", \"22in\"], [\"3in\", \"13in\"]"),
        ),
        ("a unit twice", format!("{}\n[units.regulars]\nbrigade = \"british-party\"\n", skirmish())),
        ("one side", spoiled("[sides.american]", "[units.x]\n[sidess.american]")),
        ("cut off", skirmish()[..skirmish().len() / 2].to_owned()),
    ] {
        let only_setups = |reader: &&[&str]| !reader.contains(&"--house") && !reader.contains(&"--resume");
        let folder = folder("setup");
        let path = folder.join("setup.toml");
        std::fs::write(&path, &text).unwrap();
        for reader in READERS.iter().filter(|reader| only_setups(reader)) {
            let args: Vec<&str> =
                reader.iter().map(|word| if *word == "FILE" { path.to_str().unwrap() } else { word }).collect();
            let ran = with_little_memory(&args, b"");
            assert!(!ran.err.contains("panicked"), "{name} {reader:?}: {}", ran.err);
            assert!(
                matches!(ran.code, 1 | 2),
                "{name} {reader:?} ends with {}: {:.600} {:.600}",
                ran.code,
                ran.out,
                ran.err
            );
        }
    }
}

#[test]
fn armies_beyond_counting() {
    let mut crowd = skirmish().to_owned();
    for n in 0..8_000 {
        let _ = writeln!(crowd, "[units.u{n}]\nbrigade = \"british-party\"\ntype = \"militia\"\nclass = \"raw\"\n");
    }
    try_all("eight thousand units", crowd.as_bytes());
    let mut woods = skirmish().to_owned();
    for n in 0..5_000 {
        let _ = writeln!(
            woods,
            "[table.features.x{n}]\nkind = \"woods\"\ndisc = {{ centre = [\"9in\", \"9in\"], radius = \"9in\" }}"
        );
    }
    try_all("five thousand woods", woods.as_bytes());
    let points: String = (0..20_000).map(|n| format!("[\"{}in\", \"{}in\"],", n % 36, (n * 7) % 36)).collect();
    try_all("a hill of twenty thousand corners", spoiled("polygon = [[", &format!("polygon = [{points} [")).as_bytes());
    let dice = "    \"1d6: x\",\n".repeat(60_000);
    try_all("sixty thousand dice of no face", format!("{CASE}dice = [\n{dice}]\nfoo = 1\n").as_bytes());
    let steps = "[[step]]\nby = \"british\"\norder = \"pass\"\n".repeat(20_000);
    try_all("twenty thousand steps", format!("{CASE}{steps}").as_bytes());
}

#[test]
fn hostile_house_rules() {
    let head = "format = \"grognard/house 1\"\nruleset = \"awi\"\n";
    let mut many = head.to_owned();
    many.push_str("[charts.class.line.volley]\n");
    for n in 0..20_000 {
        let _ = writeln!(many, "x{n} = {n}");
    }
    for (name, text) in [
        ("a million stands", format!("{head}[charts.footprint.infantry]\nstands = 1000000\n")),
        ("a million dice", format!("{head}[charts.class.line.volley]\ndice = 1000000\n")),
        ("a negative range", format!("{head}[charts.range.small_arms]\nshort = \"-8in\"\n")),
        ("a range beyond the world", format!("{head}[charts.range.small_arms]\nlong = \"99999999999in\"\n")),
        ("a throw of a thousand dice", format!("{head}[charts.rout]\nfoot = \"1000d6\"\n")),
        ("a die of no sides", format!("{head}[charts.rout]\nfoot = \"1d0\"\n")),
        ("a number that is none", format!("{head}[charts.class.line]\nmarks = nan\n")),
        ("the wrong type", format!("{head}[charts.class.line]\nmarks = [1, 2, 3]\n")),
        ("a table for a figure", format!("{head}[charts.class.line.marks]\nv = 3\nw = 4\n")),
        ("another shape", format!("{head}[charts.class.line]\nmorale = []\n")),
        ("a share of nothing", format!("{head}[charts.withdraw_at]\nbritish = [1, 0]\n")),
        ("a setting nobody knows", format!("{head}[settings]\nfireballs = true\n")),
        ("a template as large as the world", format!("{head}[settings]\ntemplate_radius = \"100000in\"\n")),
        ("twenty thousand figures", many),
        ("another rulebook", "format = \"grognard/house 1\"\nruleset = \"chess\"\n".to_owned()),
    ] {
        try_all(name, text.as_bytes());
    }
}

#[test]
fn hostile_replays() {
    let header = |setup: &str, seed: &str| {
        let setup = serde_json::to_string(setup).unwrap();
        format!(
            "{{\"format\":\"grognard/replay 1\",\"ruleset\":\"awi\",\"revision\":1,\"setup\":{setup},\"seed\":\"{seed}\"}}\n"
        )
    };
    let seed = "0".repeat(64);
    let good = header(skirmish(), &seed);
    let entry =
        |order: &str| format!("{good}{{\"no\":1,\"side\":\"a\",\"order\":{order},\"hash\":\"{}\"}}\n", "0".repeat(32));
    let legs = "[\"ahead 1in\"],".repeat(30_000);
    for (name, text) in [
        ("a set-up that is none", header("x = ", &seed)),
        ("a set-up of a megabyte and more", header(&"# x\n".repeat(400_000), &seed)),
        ("a seed that is none", header(skirmish(), "xyz")),
        ("an order that is none", entry("{\"fly\":{}}")),
        ("an order nobody was asked for", entry("{\"fire\":{\"unit\":\"u0\",\"at\":\"u4\"}}")),
        ("a unit that is not there", entry("{\"hold\":{\"unit\":\"u65535\"}}")),
        ("numbers beyond all", entry("{\"shell\":{\"unit\":\"u0\",\"bearing\":1e308,\"estimate\":\"1e308in\"}}")),
        (
            "a path of thirty thousand legs",
            entry(&format!("{{\"path\":{{\"legs\":[{}]}}}}", legs.trim_end_matches(','))),
        ),
        ("deep orders", entry(&format!("{}1{}", "[".repeat(100), "]".repeat(100)))),
        ("a hundred thousand bad lines", format!("{good}{}", "{\"x\":1}\n".repeat(100_000))),
        (
            "motions without end",
            format!(
                "{good}{}",
                "{\"side\":\"a\",\"motion\":\"draw\",\"hash\":\"00000000000000000000000000000000\"}\n".repeat(50_000)
            ),
        ),
    ] {
        try_all(name, text.as_bytes());
    }
}
