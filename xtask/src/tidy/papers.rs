//! Papers: every clause and every ruling somebody names exists.

use super::{Finding, source::Source};
use anyhow::{Context, Result, anyhow};
use engine::{Edition, Registry};
use std::path::{Path, PathBuf};

/// Looks through sources, charts, registries, cases and rulings.
pub fn check(sources: &[Source]) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    for id in rules::IDS {
        let edition = rules::edition(id).context("no such ruleset")?;
        let family = rules::family(id).context("no such ruleset")?;
        let registry = rules::registry(id).context("no such ruleset")?.map_err(|faults| anyhow!("{faults}"))?;
        let rulings = shell::root().join("docs/rulings");
        for source in sources.iter().filter(|source| source.crate_name().is_some()) {
            for (n, line) in source.lines.iter().enumerate() {
                check_clauses(edition, &registry, &source.path, n + 1, line, &mut found);
                if source.family() == Some(family) {
                    check_rulings(family, &rulings, &source.path, n + 1, line, &mut found);
                }
            }
        }
        for path in texts(id)? {
            let text = std::fs::read_to_string(&path)?;
            for (n, line) in text.lines().enumerate() {
                check_clauses(edition, &registry, &path, n + 1, line, &mut found);
                check_chart(family, &rulings, &path, n + 1, line, &mut found);
            }
        }
        check_registry(family, &registry, &rulings, &mut found);
    }
    Ok(found)
}

fn texts(id: &str) -> Result<Vec<PathBuf>> {
    let root = shell::root();
    let mut texts = vec![root.join(format!("crates/rules/charts/{id}.toml"))];
    for folder in [format!("crates/rules/cases/{id}"), format!("crates/rules/scenarios/{id}"), "docs".to_owned()] {
        if root.join(&folder).exists() {
            texts.extend(shell::files(&root.join(&folder), &[".toml", ".md"])?);
        }
    }
    Ok(texts)
}

/// Every `awi.3d-d` in a line, and every `awi.R65`.
fn names<'l>(id: &str, line: &'l str) -> Vec<&'l str> {
    let prefix = format!("{id}.");
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    line.match_indices(&prefix)
        .filter(|(at, _)| !line[..*at].ends_with(|before: char| is_letter(before) || before == '_'))
        .map(|(at, _)| {
            let end = line[at..].find(|c: char| !is_letter(c)).map_or(line.len(), |length| at + length);
            line[at..end].trim_end_matches(['.', '-'])
        })
        .filter(|name| name[prefix.len().min(name.len())..].starts_with(|c: char| c.is_ascii_digit()))
        .collect()
}

fn check_clauses(
    edition: &Edition,
    registry: &Registry,
    path: &Path,
    number: usize,
    line: &str,
    found: &mut Vec<Finding>,
) {
    for name in edition.prefixes.iter().flat_map(|prefix| names(prefix, line)) {
        if registry.find(name).is_none() {
            found.push(Finding::new(path, number, format!("there is no clause {name}")));
        }
    }
}

fn has_ruling(id: &str, rulings: &Path, number: &str) -> bool {
    number.parse::<u16>().is_ok_and(|number| rulings.join(format!("{id}-{number:04}.md")).exists())
}

/// `R65` in the comments of a family is ruling 65 of its book.
fn check_rulings(id: &str, rulings: &Path, path: &Path, number: usize, line: &str, found: &mut Vec<Finding>) {
    let Some((_, comment)) = line.split_once("//") else { return };
    for word in comment.split(|c: char| !c.is_ascii_alphanumeric()) {
        let digits =
            word.strip_prefix('R').filter(|digits| digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_digit()));
        if let Some(digits) = digits.filter(|digits| !has_ruling(id, rulings, digits)) {
            found.push(Finding::new(path, number, format!("there is no ruling {id}-00{digits}")));
        }
    }
}

/// `ruling = 15` in a chart.
fn check_chart(id: &str, rulings: &Path, path: &Path, number: usize, line: &str, found: &mut Vec<Finding>) {
    if line.trim_start().starts_with('#') || path.extension().is_none_or(|ending| ending != "toml") {
        return;
    }
    for (_, rest) in line.match_indices("ruling = ").map(|(at, word)| (at, &line[at + word.len()..])) {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        if !has_ruling(id, rulings, &digits) {
            found.push(Finding::new(path, number, format!("there is no ruling {digits} of {id}")));
        }
    }
}

fn check_registry(id: &str, registry: &Registry, rulings: &Path, found: &mut Vec<Finding>) {
    let path = shell::root().join(format!("crates/rules/clauses/{id}.toml"));
    for clause in &registry.clauses {
        for number in &clause.rulings {
            if !has_ruling(id, rulings, &number.to_string()) {
                found.push(Finding::new(&path, 0, format!("{} names ruling {number}, which is not there", clause.id)));
            }
        }
    }
}

#[cfg(test)]
mod checks {
    use super::names;

    #[test]
    fn clauses_are_found_in_lines_and_file_names_are_not() {
        assert_eq!(names("awi", "cite \"awi.3d-d\" and (awi.4a-h)."), ["awi.3d-d", "awi.4a-h"]);
        assert_eq!(names("awi", "see charts/awi.toml and awi.md, awi.R65"), Vec::<&str>::new());
    }
}
