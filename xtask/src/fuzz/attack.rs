//! The attacks: what is loaded, what is done to it, and what must not come of it.

use super::{Job, spoil};
use anyhow::Result;
use bots::{Level, Opponents};
use engine::battle::Keep;
use engine::chart::ChartTree;
use engine::game::Game;
use engine::replay::ReplayFile;
use engine::setup::{self, Mode};
use engine::{BySide, Edition, Lots, Seed, SubmitError, Viewer};
use lab::fight;
use serde_json::Value;
use std::fmt::Write;

/// One kind of attack.
pub struct Kind {
    /// In the closing line.
    pub name: &'static str,
    /// Makes a job.
    pub load: fn(&Ammunition, &mut Lots) -> Job,
    /// Does it; an error is a finding.
    pub fire: fn(&Job, &mut Lots) -> Result<(), String>,
}

/// Every kind, taken in turn.
pub const KINDS: &[Kind] = &[
    Kind { name: "battles", load: load_battle, fire: fight },
    Kind { name: "set-ups", load: load_setup, fire: start },
    Kind { name: "order paths", load: load_orders, fire: order },
    Kind { name: "cases", load: load_case, fire: run_case },
    Kind { name: "house rules", load: load_house, fire: start_with_house },
    Kind { name: "replays", load: load_replay, fire: resume },
];

/// Sound files to spoil.
pub struct Ammunition {
    cases: Vec<(String, String)>,
    replays: Vec<(String, String)>,
}

impl Ammunition {
    /// Reads cases and golden replays.
    pub fn gather() -> Result<Ammunition> {
        let read = |folder: &str, ending: &str| -> Result<Vec<(String, String)>> {
            let folder = shell::root().join("crates/rules").join(folder);
            let files = if folder.exists() { shell::files(&folder, &[ending])? } else { Vec::new() };
            files.iter().map(|path| Ok((shell::shown(path), std::fs::read_to_string(path)?))).collect()
        };
        Ok(Ammunition { cases: read("cases", ".toml")?, replays: read("replays", ".jsonl")? })
    }
}

fn scenario(lots: &mut Lots) -> &'static rules::Scenario {
    &rules::SCENARIOS[lots.below(rules::SCENARIOS.len())]
}

fn seed(lots: &mut Lots) -> u64 {
    lots.below(1 << 30) as u64
}

/// A battle needs no file: its job says scenario, levels and seed in a line.
fn load_battle(_: &Ammunition, lots: &mut Lots) -> Job {
    // Whoever looks ahead takes minutes over a battle, which is no hang; such players have tests of their own in `bots`.
    let quick: Vec<Level> = Level::ALL.iter().copied().filter(|level| !level.looks_ahead()).collect();
    let level = |lots: &mut Lots| lots.pick(&quick).copied().unwrap_or(Level::Random);
    let (a, b) = (level(lots), level(lots));
    let name = format!("{} {a} {b} {}", scenario(lots).id, seed(lots));
    Job { input: name.clone(), name, ending: "txt" }
}

fn fight(job: &Job, _: &mut Lots) -> Result<(), String> {
    let words: Vec<&str> = job.input.split(' ').collect();
    let [id, a, b, seed] = words.as_slice() else { return Err("not a battle".to_owned()) };
    let levels = BySide([a.parse()?, b.parse()?]);
    let seed = Seed::from_number(seed.parse().map_err(|_| "not a seed".to_owned())?);
    let scenario = rules::scenario(id).ok_or("no such scenario")?;
    rules::dispatch!(scenario.ruleset, R => duel::<R>(scenario.text, seed, levels)).unwrap_or(Ok(()))
}

/// Fights to the end, then reads the record back and fights it again.
fn duel<R: Opponents>(text: &str, seed: Seed, levels: BySide<Level>) -> Result<(), String> {
    let mustered = setup::muster::<R>(text, None, Mode::Battle).map_err(|faults| faults.to_string())?;
    let (battle, fought) = fight::fight::<R>(mustered.state, seed, fight::Pair::usual(levels), Keep::Everything);
    if let Some(what) = fought.fault.or(fought.first_refusal) {
        return Err(what);
    }
    let replay = ReplayFile::of(&battle, text, None, fight::dice_seed(seed)).to_text();
    let read = ReplayFile::parse(&replay).map_err(|faults| format!("its replay: {faults}"))?;
    let again = engine::replay::play::<R>(&read, None).map_err(|error| format!("its replay: {error}"))?;
    if again.hash() != battle.hash() {
        return Err("its replay ends in another state".to_owned());
    }
    Ok(())
}

fn load_setup(_: &Ammunition, lots: &mut Lots) -> Job {
    let scenario = scenario(lots);
    Job { name: format!("setup {}", scenario.id), input: spoil::text(scenario.text, lots), ending: "toml" }
}

fn start(job: &Job, lots: &mut Lots) -> Result<(), String> {
    match rules::start(&job.input, None, Seed::from_number(7)) {
        Ok(mut game) => wander(game.as_mut(), lots, 30),
        Err(error) => must_say(&error.to_string()),
    }
}

fn must_say(words: &str) -> Result<(), String> {
    if words.trim().is_empty() { Err("is refused without a reason".to_owned()) } else { Ok(()) }
}

/// A few orders among the candidates of whoever is asked.
fn wander(game: &mut dyn Game, lots: &mut Lots, orders: usize) -> Result<(), String> {
    for _ in 0..orders {
        let Some((no, side)) = game.awaited() else { break };
        let drafts = game.board(Viewer::Side(side)).candidates(seed(lots), 8);
        let Some(draft) = lots.pick(&drafts).cloned() else { return Err("a question without a candidate".to_owned()) };
        game.submit(side, no, &draft).map_err(|error| format!("a candidate: {error:?}: {draft}"))?;
    }
    match game.fault() {
        Some(fault) => Err(fault.to_string()),
        None => Ok(()),
    }
}

fn load_orders(_: &Ammunition, lots: &mut Lots) -> Job {
    let (scenario, seed) = (scenario(lots), seed(lots));
    Job { name: format!("orders {} {seed}", scenario.id), input: format!("{} {seed}", scenario.id), ending: "txt" }
}

/// Spoiled orders at every question of a battle. They may be refused; they may not break anything.
fn order(job: &Job, _: &mut Lots) -> Result<(), String> {
    let (id, number) = job.input.split_once(' ').ok_or("not a battle")?;
    let number: u64 = number.parse().map_err(|_| "not a seed".to_owned())?;
    let mut lots = Lots::new(number);
    let scenario = rules::scenario(id).ok_or("no such scenario")?;
    let mut game = rules::start(scenario.text, None, Seed::from_number(number)).map_err(|error| error.to_string())?;
    let names = names(game.as_ref());
    for _ in 0..60 {
        let Some((no, side)) = game.awaited() else { break };
        let drafts = game.board(Viewer::Side(side)).candidates(seed(&mut lots), 6);
        let Some(draft) = lots.pick(&drafts).cloned() else { return Err("a question without a candidate".to_owned()) };
        for _ in 0..4 {
            let spoiled = spoil::draft(&draft, &names, &mut lots);
            let before = game.hash();
            let board = game.board(Viewer::Side(side));
            let legal = board.check(&spoiled).is_ok_and(|verdict| verdict.is_legal());
            let _ = (board.odds(&spoiled), board.phrase(&spoiled));
            let words = typed(&board.usage(), &names, &mut lots);
            let _ = board.parse(&words);
            drop(board);
            match game.submit(side, no, &spoiled) {
                Ok(_) if !legal => return Err(format!("was taken although refused: {spoiled}")),
                Ok(_) => break,
                Err(SubmitError::Fault(fault)) => return Err(format!("{fault}: {spoiled}")),
                Err(error) if legal => return Err(format!("{error} although legal: {spoiled}")),
                Err(_) if game.hash() != before => return Err(format!("a refused order changed the state: {spoiled}")),
                Err(_) => {}
            }
        }
        if game.awaited().is_some_and(|(now, _)| now == no) {
            wander(game.as_mut(), &mut lots, 1)?;
        }
    }
    Ok(())
}

fn names(game: &dyn Game) -> Vec<String> {
    let scene = game.board(Viewer::Umpire).scene();
    let pieces = scene.pieces.iter().map(|piece| piece.key.clone());
    pieces.chain(scene.features.iter().map(|feature| feature.key.clone())).chain(["@nobody".to_owned()]).collect()
}

/// Words as somebody might type them: the usage line with the blanks filled by chance.
fn typed(usage: &[(String, String)], names: &[String], lots: &mut Lots) -> String {
    let Some((line, _)) = lots.pick(usage).cloned() else { return spoil::any_words(lots) };
    let mut words: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        match (word.chars().any(char::is_uppercase), lots.below(4)) {
            (false, _) => words.push(word.to_owned()),
            (true, 0) => words.push(spoil::any_words(lots)),
            (true, _) => words.push(lots.pick(names).cloned().unwrap_or_default()),
        }
    }
    words.truncate(lots.below(words.len() + 2));
    words.join(" ")
}

fn load_case(ammunition: &Ammunition, lots: &mut Lots) -> Job {
    match lots.pick(&ammunition.cases).cloned() {
        Some((name, text)) => Job { name: format!("case {name}"), input: spoil::text(&text, lots), ending: "toml" },
        None => load_setup(ammunition, lots),
    }
}

fn run_case(job: &Job, _: &mut Lots) -> Result<(), String> {
    let _ = rules::case::faults(&job.input);
    let report = rules::case::run(&job.input);
    // A spoiled case may fail in any way but one: by a contradiction inside the house.
    match report
        .failures
        .iter()
        .find(|failure| failure.contains("the house contradicts itself") && !is_of_script(failure))
    {
        Some(failure) => Err(failure.clone()),
        None => Ok(()),
    }
}

/// Dice that are not as scripted stop a case through a fault, and are the case's own doing; so is an agenda that a case
/// writes itself.
fn is_of_script(failure: &str) -> bool {
    failure.contains("script")
}

fn load_house(_: &Ammunition, lots: &mut Lots) -> Job {
    let scenario = scenario(lots);
    let text = rules::edition(scenario.ruleset).map(|edition| house(edition, lots)).unwrap_or_default();
    Job { name: format!("house {}", scenario.id), input: spoil::text(&text, lots), ending: "toml" }
}

/// A house-rule file with a few figures of the charts in it.
fn house(edition: &Edition, lots: &mut Lots) -> String {
    let mut cells = Vec::new();
    if let Ok(tree) = ChartTree::printed(edition.charts) {
        collect(tree.cells(), &mut Vec::new(), &mut cells);
    }
    let mut text = format!("format = \"grognard/house 1\"\nruleset = \"{}\"\n\n[charts]\n", edition.id);
    for _ in 0..=lots.below(5) {
        if let Some((path, value)) = lots.pick(&cells) {
            let _ = writeln!(text, "{path} = {value}");
        }
    }
    text
}

fn collect(value: &Value, path: &mut Vec<String>, cells: &mut Vec<(String, String)>) {
    let Value::Object(table) = value else { return };
    if let Some(cell) = table.get("v") {
        cells.push((path.join("."), cell.to_string()));
        return;
    }
    for (key, inner) in table {
        path.push(key.clone());
        collect(inner, path, cells);
        path.pop();
    }
}

fn start_with_house(job: &Job, lots: &mut Lots) -> Result<(), String> {
    let id = job.name.split_once(' ').map_or("", |(_, id)| id);
    let scenario = rules::scenario(id).ok_or("no such scenario")?;
    match rules::start(scenario.text, Some(&job.input), Seed::from_number(11)) {
        Ok(mut game) => wander(game.as_mut(), lots, 60),
        Err(error) => must_say(&error.to_string()),
    }
}

fn load_replay(ammunition: &Ammunition, lots: &mut Lots) -> Job {
    match lots.pick(&ammunition.replays).cloned() {
        Some((name, text)) => Job { name: format!("replay {name}"), input: spoil::text(&text, lots), ending: "jsonl" },
        None => load_setup(ammunition, lots),
    }
}

fn resume(job: &Job, _: &mut Lots) -> Result<(), String> {
    match ReplayFile::parse(&job.input) {
        Err(faults) => must_say(&faults.to_string()),
        Ok(replay) => match rules::resume(&replay, None) {
            Ok(game) if game.fault().is_some() => Err("a verified replay with a fault in it".to_owned()),
            Ok(_) => Ok(()),
            Err(error) => must_say(&error.to_string()),
        },
    }
}
