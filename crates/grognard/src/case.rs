//! `grognard case`: situations with scripted dice.

use crate::args::CaseCommand;
use crate::page::Page;
use crate::{Exit, input, shipped};
use anyhow::{Context, Result, bail};
use engine::facade::{Board, TypedBoard};
use engine::scene::Scene;
use engine::{Faults, Telling, View, Viewer};
use rules::case::CaseReport;
use rules::dispatch;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const MOST_FILES: usize = 20_000;
const MOST_DEPTH: usize = 16;

pub fn case(command: &CaseCommand, page: &mut Page) -> Result<Exit> {
    match command {
        CaseCommand::Run { paths, json } => run(paths, *json, page),
        CaseCommand::Draw { file, svg } => draw(file, svg.as_deref(), page),
    }
}

fn run(paths: &[PathBuf], as_json: bool, page: &mut Page) -> Result<Exit> {
    let mut reports: Vec<(String, CaseReport)> = Vec::new();
    if paths.is_empty() {
        reports.extend(shipped::CASES.iter().map(|(name, text)| ((*name).to_owned(), rules::case::run(text))));
    } else {
        for file in files(paths)? {
            let report = match input::toml(&file) {
                Ok(text) => rules::case::run(&text),
                Err(error) => CaseReport { failures: vec![format!("{error:#}")], ..CaseReport::default() },
            };
            reports.push((file.to_string_lossy().into_owned(), report));
        }
    }
    let failed: Vec<&(String, CaseReport)> = reports.iter().filter(|(_, report)| !report.passed()).collect();
    if as_json {
        let failures: Vec<Value> = failed
            .iter()
            .map(|(file, report)| json!({ "file": file, "title": report.title, "failures": report.failures }))
            .collect();
        page.json(&json!({ "passed": reports.len() - failed.len(), "failed": failed.len(), "failures": failures }))?;
    } else {
        for (file, report) in &failed {
            page.line(format!("{file}: {}", report.title))?;
            for failure in &report.failures {
                page.wrapped("    ", 6, failure)?;
            }
        }
        page.line(format!("{} passed, {} failed", reports.len() - failed.len(), failed.len()))?;
    }
    Ok(if failed.is_empty() { Exit::Fine } else { Exit::Wanting })
}

/// The files meant by paths: folders stand for all their `.toml` files.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = found.len();
            walk(path, MOST_DEPTH, &mut found)?;
            if found.len() == before {
                bail!("{} holds no .toml files", path.display());
            }
        } else if path.exists() || path.as_os_str() == "-" {
            found.push(path.clone());
        } else {
            bail!("there is no {}", path.display());
        }
    }
    Ok(found)
}

fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    // A folder linked into itself must not be walked for ever.
    let Some(depth) = depth.checked_sub(1) else { return Ok(()) };
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, depth, found)?;
        } else if path.extension().is_some_and(|end| end == "toml") {
            found.push(path);
        }
        if found.len() > MOST_FILES {
            bail!("more than {MOST_FILES} files");
        }
    }
    Ok(())
}

fn draw(file: &Path, svg: Option<&Path>, page: &mut Page) -> Result<Exit> {
    let text = input::toml(file)?;
    let ruleset = rules::ruleset_of(&text).unwrap_or_default();
    let scene = dispatch!(ruleset.as_str(), R => scene_of::<R>(&text));
    let scene = match scene {
        Some(Ok(scene)) => scene,
        Some(Err(faults)) => bail!("{} cannot be drawn:\n{faults}", file.display()),
        None => bail!("{} cannot be drawn:\n{}", file.display(), rules::case::faults(&text)),
    };
    match svg {
        Some(out) => {
            input::write(out, &lab::picture::svg(&scene))?;
            page.line(format!("drew {} to {}", file.display(), out.display()))?;
        }
        None => {
            let style = lab::textmap::Style::fitting(&scene, page.width, false);
            for line in lab::textmap::draw(&scene, style) {
                page.line(line)?;
            }
        }
    }
    Ok(Exit::Fine)
}

/// The table as a case, or else a set-up, begins.
fn scene_of<R: Telling>(text: &str) -> Result<Scene, Faults> {
    let state = rules::case::opening::<R>(text)?;
    Ok(TypedBoard::new(View::new(&state, Viewer::Umpire)).scene())
}
