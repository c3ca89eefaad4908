//! What was built into this program: case files and rulings.

use engine::{Faults, Sheet};

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// The clauses a case says it exercises.
pub fn claims(text: &str) -> Vec<String> {
    let mut faults = Faults::default();
    let Some(sheet) = Sheet::parse(text, &mut faults) else { return Vec::new() };
    sheet.root().optional("clauses", &mut faults).unwrap_or_default()
}

/// The decision of a ruling, such as number 26 of `awi`.
pub fn decision(ruleset: &str, number: u16) -> Option<(String, String)> {
    let name = format!("{ruleset}-{number:04}");
    let (_, text) = RULINGS.iter().find(|(file, _)| file.trim_end_matches(".md") == name)?;
    let question = text.lines().next().unwrap_or_default().trim_start_matches("# ").to_owned();
    let decision = text.split("## Decision").nth(1).map(|rest| rest.split("\n## ").next().unwrap_or(rest).trim());
    Some((question, decision.unwrap_or_default().to_owned()))
}
