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

/// Writes the golden battles of every scenario, or of the rulebooks named.
pub fn run(rulesets: &[String]) -> Result<()> {
    for wanted in rulesets {
        if !rules::SCENARIOS.iter().any(|scenario| scenario.ruleset == wanted) {
            bail!("there is no rulebook `{wanted}` with a scenario");
        }
    }
    let wanted = |scenario: &&Scenario| rulesets.is_empty() || rulesets.iter().any(|name| name == scenario.ruleset);
    for scenario in rules::SCENARIOS.iter().filter(wanted) {
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
    let (battle, fought) = fight::fight::<R>(mustered.state, seed, levels, Keep::Everything);
    if let Some(what) = fought.fault.or(fought.first_refusal) {
        bail!("{}: {what}", scenario.id);
    }
    Ok(ReplayFile::of(&battle, scenario.text, None, fight::dice_seed(seed)).to_text())
}
