//! `cargo xtask tidy`: the house laws that can be read off the text. Laws 1, 5 and 8, and the house style.

mod manifests;
mod numbers;
mod papers;
mod source;

use crate::tests::Count;
use anyhow::{Result, bail};
use source::Source;
use std::path::Path;

/// The crates that do no I/O, read no clock, hold no global and spawn no thread.
const PURE: &[&str] = &["table", "engine", "rules", "bots", "steward"];
/// No source file is longer.
const MOST_LINES: usize = 600;
/// What the pure crates never say.
const IMPURE: &[&str] = &[
    "std::fs",
    "std::net",
    "std::time",
    "std::thread",
    "std::process",
    "std::env",
    "std::io",
    "println!",
    "print!",
    "eprintln!",
    "eprint!",
    "dbg!",
    "static mut",
    "thread_local!",
    "Instant",
    "SystemTime",
    "OnceLock",
    "LazyLock",
    "OnceCell",
    "HashMap",
    "HashSet",
];
/// What nobody says.
// tidy: allow(this is the list itself)
const NEVER: &[&str] = &["unsafe", "todo!", "unimplemented!"];

/// One thing out of order.
pub struct Finding {
    /// File and line.
    pub place: String,
    /// What is wrong.
    pub what: String,
}

impl Finding {
    fn new(path: &Path, line: usize, what: impl Into<String>) -> Finding {
        Finding { place: format!("{}:{line}", shell::shown(path)), what: what.into() }
    }
}

/// Looks at everything.
pub fn run() -> Result<Count> {
    let root = shell::root();
    let mut found = Vec::new();
    let sources: Vec<Source> =
        shell::files(&root, &[".rs"])?.into_iter().map(Source::read).collect::<Result<Vec<_>>>()?;
    for source in &sources {
        check_source(source, &mut found);
    }
    found.extend(numbers::check(&sources));
    found.extend(papers::check(&sources)?);
    found.extend(manifests::check()?);
    let texts = shell::files(&root, &[".rs", ".toml", ".md", ".jsonl", "/run", ".svg"])?;
    for path in texts.iter().chain(&shell::files(&root.join(".ci"), &[])?) {
        check_paths(path, &std::fs::read_to_string(path)?, &mut found);
    }
    for finding in &found {
        println!("    {}: {}", finding.place, finding.what);
    }
    if !found.is_empty() {
        bail!("{} findings", found.len());
    }
    println!("    {} sources and {} other files are in order", sources.len(), texts.len() - sources.len());
    Ok(Count::passed(texts.len()))
}

fn check_source(source: &Source, found: &mut Vec<Finding>) {
    if source.lines.len() > MOST_LINES {
        let what = format!("{} lines; the wall is at {MOST_LINES}", source.lines.len());
        found.push(Finding::new(&source.path, MOST_LINES, what));
    }
    let pure = source.crate_name().is_some_and(|name| PURE.contains(&name)) && !source.is_test;
    let families = families();
    for (number, line) in source.code().filter(|(number, _)| !source.allows(*number)) {
        let mut tell = |what: String| found.push(Finding::new(&source.path, number, what));
        for word in NEVER.iter().filter(|word| says(line, word)) {
            tell(format!("`{word}` is never used here"));
        }
        if !pure {
            continue;
        }
        for word in IMPURE.iter().filter(|word| says(line, word)) {
            tell(format!("`{word}` has no place in a crate that does no I/O, reads no clock and holds no global"));
        }
        if let Some(own) = source.family() {
            for other in families.iter().filter(|other| *other != own) {
                let ways = [format!("crate::{other}"), format!("rules::{other}"), format!("use {other}::")];
                if ways.iter().any(|way| line.contains(way)) {
                    tell(format!("`{own}` imports `{other}`: games never import each other"));
                }
            }
        }
    }
}

/// Whether a line has the word, not as a part of a longer one.
fn says(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back().is_some_and(is_part);
        let after = word.ends_with(is_part) && line[at + word.len()..].chars().next().is_some_and(is_part);
        !before && !after
    })
}

/// The families of rulebooks: the folders of `rules` that have clauses of their own; the others are shared.
fn families() -> Vec<String> {
    let folder = shell::root().join("crates/rules");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.path().join("src/clause.rs").is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// Paths of one machine, and words of another island.
fn check_paths(path: &Path, text: &str, found: &mut Vec<Finding>) {
    let places =
        ["work", "root", "home"].map(|folder| format!("/{folder}/")).into_iter().chain([["/tmp", "target"].join("/")]);
    for place in places {
        for (number, _) in text.lines().enumerate().filter(|(_, line)| names_place(line, &place)) {
            found.push(Finding::new(path, number + 1, format!("names a place of one machine: {place}")));
        }
    }
    const ISLAND: &[&str] = &["behavior", "maneuver", "neighbor", "honor ", "armor", "gray ", "fulfill ", "analyze"];
    if path.extension().is_some_and(|ending| ending == "md") {
        for (number, line) in text.lines().enumerate() {
            for word in ISLAND.iter().filter(|word| line.to_lowercase().contains(*word)) {
                found.push(Finding::new(path, number + 1, format!("American spelling: {}", word.trim())));
            }
        }
    }
}

/// A place at the start of a path, not in the middle of a longer one.
fn names_place(line: &str, place: &str) -> bool {
    line.match_indices(place)
        .any(|(at, _)| !line[..at].ends_with(|before: char| before.is_alphanumeric() || ".-_".contains(before)))
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn words_are_found_whole() {
        assert!(says("let x: Instant = now();", "Instant"));
        assert!(!says("let x: Instants = now();", "Instant"));
        assert!(!says("fn sprint!()", "print!"));
        assert!(says("print!(\"x\")", "print!"));
    }

    #[test]
    fn places_are_found_at_the_start_of_a_path_only() {
        let place = ["", "work", ""].join("/");
        assert!(names_place(&format!("see {place}main"), &place));
        assert!(!names_place("a/framework/b", &place));
        assert!(!names_place(&format!("docs{place}x"), &place));
    }
}
