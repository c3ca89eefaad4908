//! `grognard check`: what is wrong with a file, all of it at once.

use crate::page::Page;
use crate::{Exit, input};
use anyhow::Result;
use engine::chart::ChartTree;
use engine::replay::ReplayFile;
use engine::setup::{self, Mode};
use engine::telling::ForceLine;
use engine::{Faults, Ruleset, Sheet, Side, Telling};
use rules::dispatch;
use serde::Serialize;
use serde_json::json;
use std::path::{Path, PathBuf};

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Setup,
    House,
    Case,
    Replay,
    Unknown,
}

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Kind::Setup => "a set-up",
            Kind::House => "house rules",
            Kind::Case => "a case",
            Kind::Replay => "a replay",
            Kind::Unknown => "nothing known",
        }
    }
}

/// One side's force with what it comes to.
#[derive(Serialize)]
struct Force {
    side: String,
    units: usize,
    points: i32,
    lines: Vec<ForceLine>,
}

#[derive(Default)]
struct Findings {
    faults: Faults,
    forces: Vec<Force>,
}

pub fn check(files: &[PathBuf], as_json: bool, page: &mut Page) -> Result<Exit> {
    let mut reports = Vec::new();
    let mut exit = Exit::Fine;
    for file in files {
        let (kind, findings) = examine(file)?;
        if !findings.faults.is_clean() {
            exit = Exit::Wanting;
        }
        if as_json {
            reports.push(json!({
                "file": file.to_string_lossy(), "kind": kind, "ok": findings.faults.is_clean(),
                "faults": findings.faults.faults, "cautions": findings.faults.cautions, "forces": findings.forces,
            }));
        } else {
            tell(file, kind, &findings, page)?;
        }
    }
    match reports.as_slice() {
        [only] => page.json(only)?,
        [] => {}
        several => page.json(&several)?,
    }
    Ok(exit)
}

fn examine(file: &Path) -> Result<(Kind, Findings)> {
    let text = input::bounded(file, engine::replay::MOST_BYTES)?;
    let kind = recognise(&text);
    let findings = match kind {
        Kind::Replay => Findings { faults: replay_faults(&text), ..Findings::default() },
        Kind::Setup => setup_findings(&text),
        Kind::House => Findings { faults: house_faults(&text), ..Findings::default() },
        Kind::Case => Findings { faults: case_faults(&text), ..Findings::default() },
        Kind::Unknown => Findings { faults: unknown_faults(&text), ..Findings::default() },
    };
    Ok((kind, findings))
}

fn recognise(text: &str) -> Kind {
    let first = text.lines().next().unwrap_or_default().trim_start();
    if first.starts_with('{') {
        return Kind::Replay;
    }
    let mut faults = Faults::default();
    let Some(sheet) = Sheet::parse(text, &mut faults) else { return Kind::Unknown };
    let mut root = sheet.root();
    let format: Option<String> = root.optional("format", &mut faults);
    match format.as_deref() {
        Some(format) if format.starts_with("grognard/setup") => Kind::Setup,
        Some(format) if format.starts_with("grognard/house") => Kind::House,
        Some(format) if format.starts_with("grognard/case") => Kind::Case,
        Some(_) => Kind::Unknown,
        // Cases need not name their format: steps and claimed clauses give them away.
        None if root.has("step") || root.has("clauses") || root.has("start") => Kind::Case,
        None if root.has("sides") || root.has("units") => Kind::Setup,
        None => Kind::Unknown,
    }
}

fn unknown_faults(text: &str) -> Faults {
    let mut faults = Faults::default();
    if text.trim().is_empty() {
        return Faults::whole("the file is empty");
    }
    if let Some(sheet) = Sheet::parse(text, &mut faults) {
        let expected =
            [setup::FORMAT, setup::HOUSE_FORMAT, "grognard/case 1"].map(|format| format!("\"{format}\"")).join(", ");
        let found: Option<String> = sheet.root().optional("format", &mut faults);
        let span = sheet.root().span_of("format");
        let what = match found {
            Some(found) => format!("`{found}` is no format of ours; expected {expected}, or a replay's JSON lines"),
            None => format!("the file does not say what it is; expected format = {expected}, or a replay's JSON lines"),
        };
        faults.push(span, "format", what);
    }
    faults
}

fn unknown_ruleset(text: &str, ruleset: &str) -> Faults {
    let mut faults = Faults::default();
    if let Some(sheet) = Sheet::parse(text, &mut faults) {
        let what = if sheet.root().has("ruleset") {
            format!("there is no ruleset called `{ruleset}`; there are: {}", rules::IDS.join(", "))
        } else {
            format!("`ruleset` is missing; there are: {}", rules::IDS.join(", "))
        };
        faults.push(sheet.root().span_of("ruleset"), "ruleset", what);
    }
    faults
}

fn setup_findings(text: &str) -> Findings {
    let ruleset = rules::ruleset_of(text).unwrap_or_default();
    let found = dispatch!(ruleset.as_str(), R => match setup::muster::<R>(text, None, Mode::Battle) {
        Ok(mustered) => Findings {
            forces: Side::BOTH.map(|side| force::<R>(&mustered.state, side)).into(),
            faults: mustered.cautions,
        },
        Err(faults) => Findings { faults, ..Findings::default() },
    });
    found.unwrap_or_else(|| Findings { faults: unknown_ruleset(text, &ruleset), ..Findings::default() })
}

fn force<R: Telling>(state: &engine::State<R>, side: Side) -> Force {
    let lines = R::force(state, side);
    Force {
        side: state.muster().sides[side].name.clone(),
        units: state.muster().units.iter().filter(|card| card.side == side).count(),
        points: lines.iter().filter_map(|line| line.points).sum(),
        lines,
    }
}

fn house_faults(text: &str) -> Faults {
    let ruleset = rules::ruleset_of(text).unwrap_or_default();
    let found = dispatch!(ruleset.as_str(), R => lay::<R>(text, &ruleset).err().unwrap_or_default());
    found.unwrap_or_else(|| unknown_ruleset(text, &ruleset))
}

/// House rules over the printed chart.
fn lay<R: Ruleset>(text: &str, ruleset: &str) -> Result<(), Faults> {
    let edition = R::edition_no(ruleset).unwrap_or_default();
    let mut tree = ChartTree::printed(R::edition(edition).charts)?;
    setup::read_house::<R>(text, edition, &mut tree, &mut R::Settings::default())?;
    tree.read::<R::Charts>().map(|_| ())
}

fn case_faults(text: &str) -> Faults {
    let ruleset = rules::ruleset_of(text).unwrap_or_default();
    if !rules::IDS.contains(&ruleset.as_str()) {
        return unknown_ruleset(text, &ruleset);
    }
    rules::case::faults(text)
}

/// The lines of a replay, and whether it plays.
fn replay_faults(text: &str) -> Faults {
    match ReplayFile::parse(text) {
        Err(faults) => faults,
        Ok(read) => match rules::resume(&read, None) {
            Ok(_) => Faults::default(),
            Err(error) => Faults::whole(error.to_string()),
        },
    }
}

fn tell(file: &Path, kind: Kind, findings: &Findings, page: &mut Page) -> Result<()> {
    let faults = &findings.faults;
    let verdict = match (faults.faults.len(), faults.cautions.len()) {
        (0, 0) => "no faults".to_owned(),
        (0, cautions) => format!("no faults, {cautions} worth a second look"),
        (1, _) => "1 fault".to_owned(),
        (count, _) => format!("{count} faults"),
    };
    page.line(format!("{}: {}, {verdict}", file.display(), kind.words()))?;
    for fault in &faults.faults {
        page.wrapped("  fault    ", 13, &fault.to_string())?;
    }
    for caution in &faults.cautions {
        page.wrapped("  caution  ", 13, &caution.to_string())?;
    }
    for force in &findings.forces {
        page.line(format!("  {}: {} units, {} points", force.side, force.units, force.points))?;
        for line in &force.lines {
            let indent = " ".repeat(4 + 2 * usize::from(line.depth));
            let points = line.points.map(|points| format!(" · {points}")).unwrap_or_default();
            page.wrapped(&indent, indent.len() + 2, &format!("{}: {}{points}", line.name, line.what))?;
        }
    }
    if let [first, second] = findings.forces.as_slice()
        && first.points > 0
        && second.points > 0
    {
        let (more, less) = if first.points >= second.points { (first, second) } else { (second, first) };
        let extra = 100.0 * f64::from(more.points - less.points) / f64::from(less.points);
        page.line(format!("  {} has {extra:.0} % more points", more.side))?;
    }
    Ok(())
}
