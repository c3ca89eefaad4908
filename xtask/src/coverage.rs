//! `cargo xtask coverage`: runs every case, fails where an enforced clause has none, and prints the page. Law 6.

use crate::tests::Count;
use anyhow::{Context, Result, anyhow, bail};
use engine::{ClauseKind, Registry};
use rules::case::{self, CaseReport};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// One case with what came of it.
#[derive(Clone)]
struct Ran {
    /// The book it is a case of.
    book: &'static str,
    name: String,
    report: CaseReport,
}

/// Runs the cases of every ruleset; writes the pages, or compares them where only `check` is wanted.
pub fn run(check: bool) -> Result<Count> {
    let mut count = Count::default();
    let mut wrong = Vec::new();
    let all: Vec<Ran> = rules::IDS.iter().map(|id| run_all(id)).collect::<Result<Vec<_>>>()?.concat();
    count.passed += all.iter().filter(|ran| ran.report.passed()).count();
    for id in rules::IDS {
        // A clause that holds in two books of a family is shown by a case of either.
        let sisters = rules::sisters(id);
        let ran: Vec<Ran> = all.iter().filter(|ran| sisters.contains(&ran.book)).cloned().collect();
        let registry = registry(id)?;
        let found = judge(id, &registry, &ran)?;
        let own = ran.iter().filter(|ran| ran.book == *id).count();
        println!("    {id}: {own} cases, {} clauses, {} findings", registry.clauses.len(), found.len());
        wrong.extend(found);
        if let Err(error) = publish(id, &page(id, &registry, &ran)?, check) {
            wrong.push(error.to_string());
        }
    }
    for finding in &wrong {
        println!("    {finding}");
    }
    if wrong.is_empty() {
        return Ok(count);
    }
    bail!("{} findings", wrong.len());
}

fn registry(id: &str) -> Result<Registry> {
    rules::registry(id).context("no such ruleset")?.map_err(|faults| anyhow!("the registry of {id}:\n{faults}"))
}

fn run_all(id: &'static str) -> Result<Vec<Ran>> {
    let folder = shell::root().join("crates/rules/cases").join(id);
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let run = |path: PathBuf| {
        let text = std::fs::read_to_string(&path)?;
        let name = path.strip_prefix(&folder).unwrap_or(&path).with_extension("");
        let name = name.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        Ok(Ran { book: id, name, report: case::run(&text) })
    };
    shell::files(&folder, &[".toml"])?.into_iter().map(run).collect()
}

/// `awi.R65` is ruling 65.
fn ruling(claim: &str) -> Option<u16> {
    claim.split_once(".R").and_then(|(_, number)| number.parse().ok())
}

fn needs_case(kind: ClauseKind) -> bool {
    matches!(kind, ClauseKind::Enforced | ClauseKind::Setup)
}

/// Everything that makes the build fail.
fn judge(id: &str, registry: &Registry, ran: &[Ran]) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    let rulings = rulings(id)?;
    for ran in ran.iter().filter(|ran| ran.book == id) {
        wrong.extend(ran.report.failures.iter().map(|failure| format!("{}: {failure}", ran.name)));
        if ran.report.ruleset != id {
            wrong.push(format!("{}: is a case of `{}` among those of {id}", ran.name, ran.report.ruleset));
        }
        for claim in &ran.report.claimed {
            let known = match ruling(claim) {
                Some(number) => rulings.contains_key(&number),
                None => registry.find(claim).is_some(),
            };
            if !known {
                wrong.push(format!("{}: there is no clause {claim}", ran.name));
            }
        }
    }
    let covered = cases_by_claim(ran);
    let missing = registry.clauses.iter().filter(|clause| needs_case(clause.kind) && !covered.contains_key(&clause.id));
    wrong.extend(missing.map(|clause| format!("no case reaches {} ({})", clause.id, clause.title)));
    Ok(wrong)
}

/// Which passing cases claim a clause and really cite it.
fn cases_by_claim(ran: &[Ran]) -> BTreeMap<String, BTreeSet<(&str, &str)>> {
    let mut cases: BTreeMap<String, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for ran in ran.iter().filter(|ran| ran.report.passed()) {
        for claim in &ran.report.claimed {
            let key = match ruling(claim) {
                Some(number) => format!("ruling {number}"),
                None if ran.report.cited.contains(claim) => claim.clone(),
                None => continue,
            };
            cases.entry(key).or_default().insert((ran.book, &ran.name));
        }
    }
    cases
}

/// The rulings of a ruleset, number and question.
fn rulings(id: &str) -> Result<BTreeMap<u16, String>> {
    let family = rules::family(id).context("no such ruleset")?;
    let mut rulings = BTreeMap::new();
    for path in shell::files(&shell::root().join("docs/rulings"), &[".md"])? {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let Some(number) = name.strip_prefix(&format!("{family}-")).and_then(|number| number.parse().ok()) else {
            continue;
        };
        let text = std::fs::read_to_string(&path)?;
        let title = text.lines().next().unwrap_or_default().trim_start_matches('#').trim();
        let title = title.split_once(": ").map_or(title, |(_, title)| title);
        rulings.insert(number, title.to_owned());
    }
    Ok(rulings)
}

fn page(id: &str, registry: &Registry, ran: &[Ran]) -> Result<String> {
    let covered = cases_by_claim(ran);
    let listed = |key: &str| {
        covered.get(key).map_or(String::from("–"), |cases| {
            cases
                .iter()
                .map(|(book, name)| format!("[{name}](../../crates/rules/cases/{book}/{name}.toml)"))
                .collect::<Vec<_>>()
                .join(", ")
        })
    };
    let mut page = format!(
        "# Coverage of `{id}`\n\nPrinted by `cargo xtask coverage` from the clause registry and a run of every case; not written by hand.\n\n"
    );
    page.push_str("| Kind | Clauses | With a case |\n|---|---:|---:|\n");
    for (kind, word) in KINDS {
        let of_kind = registry.clauses.iter().filter(|clause| clause.kind == *kind);
        let with = of_kind.clone().filter(|clause| covered.contains_key(&clause.id)).count();
        writeln!(page, "| {word} | {} | {with} |", of_kind.count())?;
    }
    let with = registry.clauses.iter().filter(|clause| covered.contains_key(&clause.id)).count();
    writeln!(page, "| **all** | **{}** | **{with}** |", registry.clauses.len())?;
    let own = || ran.iter().filter(|ran| ran.book == id);
    let passed = own().filter(|ran| ran.report.passed()).count();
    let count = own().count();
    writeln!(page, "\n{count} cases, {passed} passed. Clauses that are `enforced` or `setup` must have one.\n")?;
    page.push_str("## Clauses\n\n| Clause | Kind | Title | Cases |\n|---|---|---|---|\n");
    for clause in &registry.clauses {
        let kind = KINDS.iter().find(|(kind, _)| *kind == clause.kind).map_or("", |(_, word)| word);
        writeln!(page, "| {} | {kind} | {} | {} |", clause.id, clause.title.replace('|', "\\|"), listed(&clause.id))?;
    }
    let family = rules::family(id).context("no such ruleset")?;
    page.push_str("\n## Rulings\n\n| Ruling | Question | Cases that show it |\n|---|---|---|\n");
    for (number, title) in rulings(id)? {
        let link = format!("[{family}-{number:04}](../rulings/{family}-{number:04}.md)");
        writeln!(page, "| {link} | {} | {} |", title.replace('|', "\\|"), listed(&format!("ruling {number}")))?;
    }
    Ok(page)
}

const KINDS: &[(ClauseKind, &str)] = &[
    (ClauseKind::Enforced, "enforced"),
    (ClauseKind::Setup, "setup"),
    (ClauseKind::Agreement, "agreement"),
    (ClauseKind::Optional, "optional"),
    (ClauseKind::Info, "info"),
];

fn publish(id: &str, page: &str, check: bool) -> Result<()> {
    let path: &Path = &shell::root().join(format!("docs/coverage/{id}.md"));
    let old = std::fs::read_to_string(path).unwrap_or_default();
    if old == page {
        return Ok(());
    }
    if check {
        bail!("{} is out of date: run `cargo xtask coverage`", shell::shown(path));
    }
    std::fs::create_dir_all(path.parent().unwrap_or(path))?;
    std::fs::write(path, page).with_context(|| format!("cannot write {}", shell::shown(path)))?;
    println!("    wrote {}", shell::shown(path));
    Ok(())
}
