//! The parity report: measurements, battles and golden replays folded into lines of text. The same function runs
//! natively and in the WASM build; law 9 holds if the two texts are equal.

use bots::{Leash, Level, Opponents};
use engine::battle::Keep;
use engine::replay::ReplayFile;
use engine::setup::{self, Mode};
use engine::{Battle, Seed, Side, StateHash, Telling, Viewer};
use std::fmt::Write;
use std::hint::black_box;
use std::io::Write as _;

/// Measurements: seeds and rounds of [`table::parity::digest`].
const TABLES: &[(u64, u32)] = &[(1, 100), (1775, 100), (1777, 100), (1783, 100), (u64::MAX, 100)];
/// Orders of each battle.
const ORDERS: usize = 400;
/// Orders of a battle of those who look ahead, and what they may spend on each: an interpreter thinks slowly.
const LOOKED_AHEAD: usize = 12;
const NODES: u32 = 60;
/// A line tells the hash after so many orders, so that a difference can be found.
const STRIDE: usize = 50;

/// What opens the bad news of a line.
const FAULT: &str = "fault: ";

/// Replays of whole battles that ship with the rulebooks: name and text.
pub const REPLAYS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/replays.rs"));

/// A part of the report, computed by a program of its own.
pub struct Part {
    /// The program.
    pub program: &'static str,
    /// The rulebooks it is about.
    pub rulesets: &'static [&'static str],
    /// Whether the measurements are in it.
    measures: bool,
}

impl Part {
    fn is_about(&self, ruleset: &str) -> bool {
        self.rulesets.contains(&ruleset)
    }
}

/// The parts, about as long as each other.
pub const PARTS: [Part; 3] = [
    Part { program: "grognard-parity-first", rulesets: &["awi", "fpw", "guns"], measures: true },
    Part { program: "grognard-parity-iron", rulesets: &["iron"], measures: false },
    Part { program: "grognard-parity-empire", rulesets: &["empire"], measures: false },
];

/// Computes a part and leaves it where its reader finds it: in memory under WASM, on the terminal natively.
pub fn tell(part: &Part) {
    let report = report(part);
    // Under WASM there is no terminal, and writing to it does nothing.
    let _ = std::io::stdout().write_all(report.as_bytes());
    leave(&report);
}

/// Everything of a part that must be the same everywhere.
pub fn report(part: &Part) -> String {
    let mut report = String::new();
    for (seed, rounds) in TABLES.iter().filter(|_| part.measures) {
        let lanes = table::parity::digest(*seed, *rounds);
        let _ =
            writeln!(report, "table {seed}: {:016x} {:016x} {:016x} {:016x}", lanes[0], lanes[1], lanes[2], lanes[3]);
    }
    for scenario in rules::SCENARIOS.iter().filter(|scenario| part.is_about(scenario.ruleset)) {
        for (number, level) in Level::ALL.iter().enumerate() {
            if level.looks_ahead() && !is_first(scenario) {
                continue;
            }
            let seed = Seed::from_number(1775).derive(scenario.id, number as u64);
            let lines = rules::dispatch!(scenario.ruleset, R => fight::<R>(scenario.text, *level, seed));
            let lines = lines.unwrap_or_else(|| "no such ruleset\n".to_owned());
            for line in lines.lines() {
                let _ = writeln!(report, "{} {level}: {line}", scenario.id);
            }
        }
    }
    let told = |name: &str| name.split_once('/').is_some_and(|(ruleset, _)| part.is_about(ruleset));
    for (name, text) in REPLAYS.iter().filter(|(name, _)| told(name)) {
        let verified = verify(text).unwrap_or_else(|what| format!("{FAULT}{what}"));
        let _ = writeln!(report, "replay {name}: {verified}");
    }
    report
}

/// Whether it is the scenario to learn its rulebook on: enough for those who look ahead.
fn is_first(scenario: &rules::Scenario) -> bool {
    rules::SCENARIOS.iter().find(|one| one.ruleset == scenario.ruleset) == Some(scenario)
}

/// A battle between two bots of one level, its hash folded after every order.
fn fight<R: Opponents + Telling>(text: &str, level: Level, seed: Seed) -> String {
    let mut lines = String::new();
    let mustered = match setup::muster::<R>(text, None, Mode::Battle) {
        Ok(mustered) => mustered,
        Err(faults) => return format!("{FAULT}{}\n", faults.to_string().replace('\n', "; ")),
    };
    let number = |label: &str| u64::from_le_bytes(seed.derive(label, 0).0[..8].try_into().unwrap_or_default());
    let mut players = [R::bot(level, number("a")), R::bot(level, number("b"))];
    let mut battle = Battle::seeded(mustered.state, seed.derive("dice", 0), Keep::Events);
    let mut fold = Fold::default();
    let orders = if level.looks_ahead() { LOOKED_AHEAD } else { ORDERS };
    for order in 1..=orders {
        match answer(&mut battle, &mut players) {
            Ok(true) => fold.add(battle.hash()),
            Ok(false) => break,
            Err(what) => {
                let _ = writeln!(lines, "order {order}: {FAULT}{what}");
                break;
            }
        }
        if order % STRIDE == 0 {
            let _ = writeln!(lines, "order {order} {:?}", battle.hash());
        }
    }
    let _ = writeln!(lines, "{} orders, {} events, fold {:032x}", battle.decisions(), battle.events().len(), fold.0);
    lines
}

type Players<R> = [Box<dyn bots::Bot<R>>; 2];

/// One order of whoever is asked; `false` where the battle is over.
fn answer<R: Opponents>(battle: &mut Battle<R>, players: &mut Players<R>) -> Result<bool, String> {
    let (Some(side), Some(asked)) = (battle.awaited(), battle.asked()) else { return Ok(false) };
    let no = asked.no;
    let view = battle.view(Viewer::Side(side));
    let order = players[side.index()].ponder(&view, asked, side, &mut Leash::nodes(NODES));
    drop(view);
    battle.submit(side, no, order).map(|_| true).map_err(|error| error.to_string())
}

fn verify(text: &str) -> Result<String, String> {
    let replay = ReplayFile::parse(text).map_err(|faults| faults.to_string())?;
    let game = rules::resume(&replay, None).map_err(|error| error.to_string())?;
    let winner = game.outcome().map_or("unfinished", |outcome| match outcome.winner {
        Some(Side::A) => "won by the first side",
        Some(Side::B) => "won by the second side",
        None => "drawn",
    });
    Ok(format!("{} lines verified, {winner}, {:?}", replay.entries.len(), game.hash()))
}

/// Lines of a report that tell of something wrong on either side, not of a difference between them.
pub fn faults(report: &str) -> impl Iterator<Item = &str> {
    report.lines().filter(|line| line.contains(FAULT))
}

/// Many hashes as one number; a change of any of them, or of their order, changes it.
#[derive(Default)]
struct Fold(u128);

impl Fold {
    fn add(&mut self, hash: StateHash) {
        const ODD: u128 = 0x2d35_8dcc_aa6c_78a5_9e37_79b9_7f4a_7c15;
        self.0 = (self.0.rotate_left(23) ^ u128::from_le_bytes(hash.0)).wrapping_mul(ODD);
    }
}

/// The mark before a report in memory. Made while running, so that it stands nowhere in the program itself.
pub fn mark() -> Vec<u8> {
    const MIRRORED: &[u8] = b":troper ytirap s'dranggorG";
    MIRRORED.iter().rev().map(|letter| black_box(*letter)).collect()
}

/// Digits that say how long a report is.
pub const LENGTH_DIGITS: usize = 10;

/// Leaves a report in memory for good: mark, length, text.
pub fn leave(report: &str) {
    let mut text = mark();
    text.reserve_exact(LENGTH_DIGITS + report.len());
    text.extend_from_slice(format!("{:0LENGTH_DIGITS$}", report.len()).as_bytes());
    text.extend_from_slice(report.as_bytes());
    black_box(Box::leak(text.into_boxed_slice()));
}

/// Finds a report in the memory of a program that left one there.
pub fn find(memory: &[u8]) -> Option<&str> {
    let mark = mark();
    let places = memory.windows(mark.len()).enumerate().filter(|(_, window)| *window == mark.as_slice());
    places.map(|(place, _)| place + mark.len()).find_map(|start| {
        let digits = std::str::from_utf8(memory.get(start..start + LENGTH_DIGITS)?).ok()?;
        let length: usize = digits.parse().ok()?;
        let from = start + LENGTH_DIGITS;
        std::str::from_utf8(memory.get(from..from.checked_add(length)?)?).ok()
    })
}
