//! `grognard tuning`: whether the reconstructed charts do what they were reconstructed to do.

use crate::args::RunArgs;
use crate::page::Page;
use crate::{Exit, input};
use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::ProgressBar;
use lab::tuning::{self, Figure};
use serde_json::json;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

pub const EXAMPLES: &str = "\
Examples:
  grognard tuning iron
  grognard tuning empire --games 1600 --seed 7
  grognard tuning iron --house my-sheets.toml --json";

#[derive(Args, Debug)]
pub struct TuningArgs {
    /// The rulebook: `iron` or `empire`.
    ruleset: String,
    /// Battles of each scenario; twenty charges are ridden for each of them.
    #[arg(long, value_name = "N", default_value_t = 800, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    games: u32,
    #[command(flatten)]
    run: RunArgs,
    /// Charts or house rules laid over the printed figures.
    #[arg(long, value_name = "FILE")]
    house: Option<PathBuf>,
    /// For programs.
    #[arg(long)]
    json: bool,
}

pub fn tuning(args: &TuningArgs, page: &mut Page) -> Result<Exit> {
    let house = input::house(args.house.as_deref())?;
    let bar = if std::io::stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
    bar.enable_steady_tick(Duration::from_millis(200));
    let tell = |what: &str| bar.set_message(what.to_owned());
    let figures = tuning::measure(&args.ruleset, house.as_deref(), args.games, args.run.seed, args.run.jobs, &tell);
    bar.finish_and_clear();
    let Some(figures) = figures else {
        bail!("`{}` has no reconstructed charts to tune: expected iron or empire", args.ruleset)
    };
    let figures = figures.context("the battles cannot be fought")?;
    if args.json {
        let rows: Vec<_> =
            figures.iter().map(|figure| json!({ "figure": figure, "reached": figure.is_reached() })).collect();
        page.json(&json!({ "ruleset": args.ruleset, "games": args.games, "seed": args.run.seed, "figures": rows }))?;
    } else {
        page.line(format!(
            "{}: careful against careful, {} battles each, seed {}",
            args.ruleset, args.games, args.run.seed
        ))?;
        for figure in &figures {
            page.line(row(figure))?;
        }
    }
    Ok(if figures.iter().all(Figure::is_reached) { Exit::Fine } else { Exit::Wanting })
}

fn row(figure: &Figure) -> String {
    let sign = if figure.is_reached() { "reached" } else { "missed" };
    let (least, most) = figure.goal;
    let value = match figure.between {
        Some((low, high)) => format!("{:5.1} %  (95 %: {low:.1} to {high:.1})", figure.value),
        None => format!("{:5.1}", figure.value),
    };
    format!("  {:<52} {value:<32} goal {least:.0} to {most:.0}, of {}: {sign}", figure.what, figure.of)
}
