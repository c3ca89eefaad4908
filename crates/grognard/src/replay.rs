//! `grognard replay`: recorded battles.

use crate::args::{Colour, ReplayCommand};
use crate::page::Page;
use crate::play::chronicle;
use crate::{Exit, input};
use anyhow::{Result, bail};
use engine::game::Game;
use engine::replay::ReplayFile;
use engine::{Outcome, Side, Viewer};
use serde_json::json;
use std::path::{Path, PathBuf};

pub fn replay(command: &ReplayCommand, page: &mut Page) -> Result<Exit> {
    match command {
        ReplayCommand::Verify { file, json } => verify(file, *json, page),
        ReplayCommand::Show { file, at, svg, chronicle, colour, json } => {
            show(&Show { file, at: *at, svg, whole: *chronicle, colour: *colour, json: *json }, page)
        }
        ReplayCommand::Stats { file, json } => stats(file, *json, page),
    }
}

fn verify(file: &Path, as_json: bool, page: &mut Page) -> Result<Exit> {
    let text = input::bounded(file, engine::replay::MOST_BYTES)?;
    let played = ReplayFile::parse(&text)
        .map_err(|faults| faults.to_string())
        .and_then(|read| Ok((rules::resume(&read, None).map_err(|error| error.to_string())?, read)));
    match played {
        Ok((game, read)) => {
            if as_json {
                let outcome = game.outcome();
                page.json(&json!({
                    "ok": true, "ruleset": read.header.ruleset, "orders": read.entries.len(), "outcome": outcome,
                    "hash": game.hash(),
                }))?;
            } else {
                let end = game
                    .outcome()
                    .map_or("the battle is not over".to_owned(), |outcome| ending(game.as_ref(), &outcome));
                page.line(format!("{} verifies: {} orders, {end}", file.display(), read.entries.len()))?;
            }
            Ok(Exit::Fine)
        }
        Err(why) => {
            if as_json {
                page.json(&json!({ "ok": false, "why": why }))?;
            } else {
                page.line(format!("{} does not verify:", file.display()))?;
                for line in why.lines() {
                    page.wrapped("    ", 6, line)?;
                }
            }
            Ok(Exit::Wanting)
        }
    }
}

/// Who won, and why.
pub fn ending(game: &dyn Game, outcome: &Outcome) -> String {
    let sides = game.sides();
    match outcome.winner {
        Some(side) => format!("{} won: {} [{}]", sides[side.index()].1, outcome.why, outcome.clause),
        None => format!("a draw: {} [{}]", outcome.why, outcome.clause),
    }
}

struct Show<'a> {
    file: &'a Path,
    at: Option<usize>,
    svg: &'a Option<PathBuf>,
    whole: bool,
    colour: Colour,
    json: bool,
}

fn show(args: &Show<'_>, page: &mut Page) -> Result<Exit> {
    let read = input::replay(args.file)?;
    let count = read.entries.len();
    if let Some(at) = args.at
        && at > count
    {
        bail!("{} holds {count} orders; --at {at} is beyond its end", args.file.display());
    }
    let game = rules::resume(&read, args.at)?;
    let at = args.at.unwrap_or(count);
    // What the last order brought about begins where the battle stood before it.
    let before = match at.checked_sub(1) {
        Some(before) if !args.whole => rules::resume(&read, Some(before))?.events(),
        _ => 0,
    };
    let scene = game.board(Viewer::Umpire).scene();
    if let Some(out) = args.svg {
        input::write(out, &lab::picture::svg(&scene))?;
        if !args.json {
            page.line(format!("drew {} after {at} of {count} orders to {}", args.file.display(), out.display()))?;
        }
    }
    let told = game.chronicle(Viewer::Umpire, before);
    if args.json {
        page.json(&json!({ "at": at, "orders": count, "scene": scene, "events": told, "outcome": game.outcome(), "hash": game.hash() }))?;
        return Ok(Exit::Fine);
    }
    if args.svg.is_none() {
        page.line(format!("{} · {} · after {at} of {count} orders", scene.title, scene.when))?;
        let style = lab::textmap::Style::fitting(&scene, page.width, page.paints(args.colour));
        for line in lab::textmap::draw(&scene, style) {
            page.line(line)?;
        }
    }
    chronicle::tell(page, &told)?;
    if let Some(outcome) = game.outcome() {
        page.line(ending(game.as_ref(), &outcome))?;
    }
    Ok(Exit::Fine)
}

fn stats(file: &Path, as_json: bool, page: &mut Page) -> Result<Exit> {
    let read = input::replay(file)?;
    let stats = lab::dice_stats::of_replay(&read)?;
    if as_json {
        page.json(&stats)?;
        return Ok(Exit::Fine);
    }
    let sides = rules::resume(&read, Some(0))?.sides();
    page.line(format!("{}: {} throws", file.display(), stats.rolls))?;
    for die in &stats.dice {
        page.line(format!(
            "  {}, thrown {} times, mean {:.2} (fair {:.2})",
            die.die, die.thrown, die.mean, die.fair_mean
        ))?;
        let most = die.faces.iter().map(|face| face.1).max().unwrap_or(0).max(1);
        for (face, count) in &die.faces {
            let bar = "█".repeat((*count * 30 / most) as usize);
            let share = 100.0 * *count as f64 / die.thrown.max(1) as f64;
            page.line(format!("    {face:>3}  {count:>6}  {share:>5.1} %  {bar}"))?;
        }
        if let Some(chi) = &die.chi_square {
            page.line(format!(
                "    chi-square {:.2} with {} degrees of freedom: luck alone is as uneven {:.1} % of the time",
                chi.value,
                chi.freedom,
                chi.p * 100.0
            ))?;
        }
        for side in Side::BOTH {
            if let (Some(mean), Some(luck)) = (die.mean_by_side[side], lab::dice_stats::luck(die, side)) {
                let name = &sides[side.index()].1;
                page.line(format!("    {name}: {} thrown, mean {mean:.2} ({luck:+.2})", die.thrown_by_side[side]))?;
            }
        }
    }
    Ok(Exit::Fine)
}
