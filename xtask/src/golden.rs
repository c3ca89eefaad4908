//! `cargo xtask golden`: plays one battle of every scenario and keeps its replay. Orders are the truth, so a golden
//! battle outlives every change of the bots and falls only when the rules change.

use anyhow::{Context, Result, anyhow, bail};
use bots::{Level, Opponents};
use engine::battle::Keep;
use engine::replay::ReplayFile;
use engine::setup::{self, Mode};
use engine::{BySide, Seed};
use lab::fight;
use rules::Scenario;

/// Writes the golden battles of every scenario, or of the rulebooks and scenarios named.
pub fn run(names: &[String]) -> Result<()> {
    let is_named = |scenario: &Scenario, name: &String| name == scenario.ruleset || name == scenario.id;
    let all = || rules::SCENARIOS.iter().chain(rules::STANDARD);
    for name in names {
        if !all().any(|scenario| is_named(scenario, name)) {
            bail!("there is no rulebook with a scenario, and no scenario, called `{name}`");
        }
    }
    let wanted = |scenario: &&Scenario| names.is_empty() || names.iter().any(|name| is_named(scenario, name));
    for scenario in all().filter(wanted) {
        let text = rules::dispatch!(scenario.ruleset, R => play::<R>(scenario)).context("no such ruleset")??;
        let path = shell::root().join("crates/rules/replays").join(format!("{}.jsonl", scenario.id));
        std::fs::create_dir_all(path.parent().unwrap_or(&path))?;
        std::fs::write(&path, &text)?;
        println!("    {}: {} lines, {} KiB", shell::shown(&path), text.lines().count(), text.len() / 1024);
    }
    Ok(())
}

/// One side minds the odds and the other does not, so that both good and strange orders are in the record.
fn play<R: Opponents>(scenario: &Scenario) -> Result<String> {
    let seed = Seed::from_number(1776);
    let levels = BySide([Level::Careful, Level::Random]);
    let mustered = setup::muster::<R>(scenario.text, None, Mode::Battle).map_err(|faults| anyhow!("{faults}"))?;
    let (battle, fought) = fight::fight::<R>(mustered.state, seed, fight::Pair::usual(levels), Keep::Everything);
    if let Some(what) = fought.fault.or(fought.first_refusal) {
        bail!("{}: {what}", scenario.id);
    }
    Ok(ReplayFile::of(&battle, scenario.text, None, fight::dice_seed(seed)).to_text())
}
