//! Every case of every rulebook, and the promise that no clause is without one.
#![allow(clippy::unwrap_used)]

use engine::clause::ClauseKind;
use rules::case::CaseReport;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}

fn files(under: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(under).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "toml") {
            found.push(path);
        }
    }
}

fn reports() -> Vec<(String, CaseReport)> {
    let mut found = Vec::new();
    files(&folder(), &mut found);
    let name = |path: &Path| path.strip_prefix(folder()).unwrap_or(path).display().to_string();
    found.iter().map(|path| (name(path), rules::case::run(&std::fs::read_to_string(path).unwrap()))).collect()
}

#[test]
fn every_case_passes() {
    let failed: Vec<String> = reports()
        .iter()
        .filter(|(_, report)| !report.passed())
        .map(|(name, report)| format!("{name} ({})\n  {}", report.title, report.failures.join("\n  ")))
        .collect();
    assert!(failed.is_empty(), "{} cases fail:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_clause_has_a_case() {
    let reports = reports();
    let claimed: BTreeSet<&str> = reports
        .iter()
        .filter(|(_, report)| report.passed())
        .flat_map(|(_, report)| report.claimed.iter().map(String::as_str))
        .collect();
    let mut missing = Vec::new();
    for id in rules::IDS {
        let registry = rules::registry(id).unwrap().unwrap_or_else(|faults| panic!("{faults}"));
        let owed = registry.clauses.iter().filter(|clause| clause.kind != ClauseKind::Info);
        missing.extend(
            owed.filter(|clause| !claimed.contains(clause.id.as_str()))
                .map(|clause| format!("{} {}", clause.id, clause.title)),
        );
    }
    assert!(missing.is_empty(), "{} clauses have no passing case:\n{}", missing.len(), missing.join("\n"));
}

#[test]
fn no_case_claims_an_unknown_clause() {
    let rulings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rulings");
    let mut unknown = Vec::new();
    for (name, report) in reports() {
        let Some(Ok(registry)) = rules::registry(&report.ruleset) else { continue };
        let family = rules::family(&report.ruleset).unwrap();
        let ruling = |claim: &str| {
            let number = claim.rsplit_once(".R").and_then(|(_, digits)| digits.parse::<u16>().ok());
            number.is_some_and(|number| rulings.join(format!("{family}-{number:04}.md")).is_file())
        };
        let strange = report.claimed.iter().filter(|claim| registry.find(claim).is_none() && !ruling(claim));
        unknown.extend(strange.map(|claim| format!("{name}: {claim}")));
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}
