//! `grognard bench`: the speed of the house beside its goals.

mod instructions;

use crate::Exit;
use crate::args::BenchArgs;
use crate::page::Page;
use anyhow::{Context, Result};
use indicatif::ProgressBar;
use lab::bench::{Better, Measure, SCENARIO};
use lab::stats::Summary;
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub fn bench(args: &BenchArgs, page: &mut Page) -> Result<Exit> {
    let bar = if std::io::stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
    bar.enable_steady_tick(Duration::from_millis(200));
    let progress = |what: &str| bar.set_message(what.to_owned());
    // First, so that whoever lacks the tool for it hears so at once and not after minutes of measuring.
    let counted = if args.instructions { instructions::count(&progress)? } else { Vec::new() };
    let measures = lab::bench::run(args.repeats, args.games, &progress);
    bar.set_message("cold starts");
    let cold = cold_start(args.repeats);
    bar.finish_and_clear();
    let mut measures = measures.context("a scenario cannot be set up")?;
    measures.extend(cold?);
    measures.extend(counted);
    if args.json {
        let rows: Vec<Value> = measures.iter().map(row).collect();
        page.json(&json!({
            "scenario": SCENARIO, "repeats": args.repeats, "games": args.games, "optimised": !cfg!(debug_assertions),
            "measures": rows,
        }))?;
        return Ok(Exit::Fine);
    }
    tell(args, &measures, page)?;
    Ok(Exit::Fine)
}

/// The whole program, from its start to the end of its first battle: by its own CPU clock, and by the clock on the wall,
/// which also counts whatever else the machine does.
fn cold_start(repeats: u16) -> Result<[Measure; 2]> {
    let mut cpu = Measure::new("cold start to the first finished battle", "ms of CPU", [50.0, 10.0], Better::Less);
    let mut wall = Measure::new("the same by the clock on the wall", "ms", [50.0, 10.0], Better::Less);
    let program = std::env::current_exe().context("cannot find this program")?;
    for _ in 0..repeats {
        let began = Instant::now();
        let output = Command::new(&program)
            .args(["sim", SCENARIO, "--games", "1", "--seed", "1", "--jobs", "1", "--json"])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .context("cannot start this program again")?;
        let took = began.elapsed();
        let report: Option<Value> = serde_json::from_slice(&output.stdout).ok();
        let used = report.and_then(|report| report["process_cpu_s"].as_f64());
        // A faulty battle says nothing about speed.
        if let Some(used) = used.filter(|_| output.status.success()) {
            cpu.samples.push(used * 1e3);
            wall.samples.push(took.as_secs_f64() * 1e3);
        }
    }
    Ok([cpu, wall])
}

fn row(measure: &Measure) -> Value {
    let summary = Summary::of(&measure.samples);
    let reached = |goal: f64| summary.map(|summary| measure.reaches(summary.median, goal));
    json!({
        "what": measure.what, "unit": measure.unit, "better": measure.better, "goal": measure.goals.map(|goals| goals[0]),
        "final_goal": measure.goals.map(|goals| goals[1]), "reached": measure.goals.and_then(|goals| reached(goals[0])),
        "summary": summary, "samples": measure.samples,
    })
}

fn tell(args: &BenchArgs, measures: &[Measure], page: &mut Page) -> Result<()> {
    page.line(format!(
        "{SCENARIO}, the standard battles of the other games beside it, {} repeats, one thread, per CPU second",
        args.repeats
    ))?;
    if cfg!(debug_assertions) {
        page.line("This is not a release build: the figures say little.")?;
    }
    page.line(format!("  {:<40} {:>11}  {:>23}  {:>10} {:>10}", "", "median", "least to most", "goal", "in the end"))?;
    for measure in measures {
        let Some(summary) = Summary::of(&measure.samples) else {
            page.line(format!("  {:<40} {:>11}", measure.what, "failed"))?;
            continue;
        };
        let spread = format!("{} to {}", figure(summary.min), figure(summary.max));
        let (goals, sign) = match measure.goals {
            Some([now, end]) => {
                let sign = if measure.reaches(summary.median, now) { "reached" } else { "missed" };
                ([figure(now), figure(end)], sign)
            }
            None => Default::default(),
        };
        page.line(format!(
            "  {:<40} {:>11}  {spread:>23}  {:>10} {:>10}  {sign:<7}  {}",
            measure.what,
            figure(summary.median),
            goals[0],
            goals[1],
            measure.unit
        ))?;
    }
    Ok(())
}

/// Four figures are enough.
fn figure(value: f64) -> String {
    match value {
        _ if value >= 1e6 => format!("{:.2} M", value / 1e6),
        _ if value >= 1e4 => format!("{:.1} k", value / 1e3),
        _ if value >= 100.0 => format!("{value:.0}"),
        _ if value >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
