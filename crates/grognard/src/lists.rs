//! What there is: rulebooks, scenarios, clauses.

use crate::args::ClausesArgs;
use crate::page::Page;
use crate::{Exit, case, input, shipped};
use anyhow::{Result, anyhow, bail};
use engine::{Faults, Seed, Sheet, Side, Viewer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

pub fn rulesets(json: bool, page: &mut Page) -> Result<Exit> {
    let all = rules::rulesets();
    if json {
        page.json(&all)?;
        return Ok(Exit::Fine);
    }
    for ruleset in all {
        page.line(format!("{}  {} (revision {})", ruleset.id, ruleset.name, ruleset.revision))?;
        page.wrapped("     ", 5, ruleset.about)?;
    }
    Ok(Exit::Fine)
}

fn known(ruleset: &str) -> Result<()> {
    if !rules::IDS.contains(&ruleset) {
        bail!("there is no ruleset called `{ruleset}`; there are: {}", rules::IDS.join(", "));
    }
    Ok(())
}

/// The charts of a rulebook as a house-rule file.
pub fn export_charts(ruleset: &str, output: Option<&Path>, page: &mut Page) -> Result<Exit> {
    known(ruleset)?;
    let file = rules::charts_file(ruleset).ok_or_else(|| anyhow!("there is no ruleset called `{ruleset}`"))?;
    let text = file.map_err(|faults| anyhow!("the charts of {ruleset}:\n{faults}"))?;
    let Some(path) = output else {
        for line in text.lines() {
            page.line(line)?;
        }
        return Ok(Exit::Fine);
    };
    let made = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = made.map_err(|error| anyhow!("cannot write {}: {error}", path.display()))?;
    file.write_all(text.as_bytes())?;
    page.line(format!("wrote {}: {} lines", path.display(), text.lines().count()))?;
    Ok(Exit::Fine)
}

pub fn scenarios(ruleset: Option<&str>, json: bool, page: &mut Page) -> Result<Exit> {
    if let Some(ruleset) = ruleset {
        known(ruleset)?;
    }
    let wanted = |scenario: &&rules::Scenario| ruleset.is_none_or(|id| id == scenario.ruleset);
    let all: Vec<Value> = rules::SCENARIOS.iter().filter(wanted).map(describe).collect::<Result<_>>()?;
    if json {
        page.json(&all)?;
        return Ok(Exit::Fine);
    }
    for scenario in &all {
        let word = |key: &str| scenario[key].as_str().unwrap_or_default();
        page.line(format!("{}  {}", word("id"), word("title")))?;
        let sides: Vec<String> = scenario["sides"].as_array().into_iter().flatten().map(side_words).collect();
        let limit = scenario["turn_limit"].as_u64().map(|turns| format!(", {turns} rounds")).unwrap_or_default();
        page.wrapped(
            "    ",
            4,
            &format!("{} · {}{limit} · table {}", word("date"), sides.join(" against "), word("size")),
        )?;
        page.wrapped("    ", 4, word("about"))?;
    }
    Ok(Exit::Fine)
}

fn side_words(side: &Value) -> String {
    format!("{} ({} units)", side["name"].as_str().unwrap_or_default(), side["units"])
}

fn describe(scenario: &rules::Scenario) -> Result<Value> {
    let mut faults = Faults::default();
    let sheet = Sheet::parse(scenario.text, &mut faults).ok_or_else(|| anyhow!("{}: {faults}", scenario.id))?;
    let mut root = sheet.root();
    let mut text = |key: &str| root.optional::<String>(key, &mut faults).unwrap_or_default();
    let (title, date, about) = (text("title"), text("date"), text("about"));
    let limit: Option<u16> = root.optional("turn_limit", &mut faults);
    let game = rules::start(scenario.text, None, Seed::from_number(0))?;
    let (size, keys) = (game.board(Viewer::Spectator).scene().size, game.sides());
    let sides: Vec<Value> = Side::BOTH
        .into_iter()
        .zip(keys)
        .map(|(side, (key, name))| {
            let dump = game.board(Viewer::Side(side)).dump();
            let units = dump["units"].as_object().into_iter().flatten();
            let own = units.filter(|(_, unit)| unit["side"].as_str() == Some(key.as_str())).count();
            json!({ "key": key, "name": name, "units": own })
        })
        .collect();
    let feet = format!("{} × {}", size.0.show(table::Unit::Inch), size.1.show(table::Unit::Inch));
    Ok(json!({
        "id": scenario.id, "ruleset": scenario.ruleset, "title": title, "date": date, "about": about,
        "turn_limit": limit, "size": feet, "sides": sides,
    }))
}

pub fn clauses(args: &ClausesArgs, page: &mut Page) -> Result<Exit> {
    known(&args.ruleset)?;
    let registry = rules::registry(&args.ruleset).ok_or_else(|| anyhow!("no such ruleset"))??;
    let claimed = claimed(args)?;
    let rows: Vec<Value> = registry
        .clauses
        .iter()
        .map(|clause| {
            json!({
                "id": clause.id, "kind": clause.kind, "title": clause.title, "text": clause.text,
                "source": clause.source, "rulings": clause.rulings, "setting": clause.setting,
                "cases": claimed.get(&clause.id).cloned().unwrap_or_default(),
            })
        })
        .collect();
    if !args.text {
        page.json(&rows)?;
        return Ok(Exit::Fine);
    }
    for (clause, row) in registry.clauses.iter().zip(&rows) {
        let cases = row["cases"].as_array().map_or(0, Vec::len);
        let kind = row["kind"].as_str().unwrap_or_default();
        page.line(format!("{}  {} ({kind}, section {}, {cases} cases)", clause.id, clause.title, clause.source))?;
        page.wrapped("    ", 4, &clause.text)?;
    }
    Ok(Exit::Fine)
}

/// Clauses and the cases that claim them.
fn claimed(args: &ClausesArgs) -> Result<BTreeMap<String, Vec<String>>> {
    let mut claimed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut note = |name: &str, text: &str| {
        for clause in shipped::claims(text) {
            claimed.entry(clause).or_default().push(name.to_owned());
        }
    };
    match &args.cases {
        Some(folder) => {
            for file in case::files(std::slice::from_ref(folder))? {
                // A case that cannot be read claims nothing; `case run` says why.
                if let Ok(text) = input::toml(&file) {
                    note(&file.to_string_lossy(), &text);
                }
            }
        }
        None => shipped::CASES.iter().for_each(|(name, text)| note(name, text)),
    }
    Ok(claimed)
}
