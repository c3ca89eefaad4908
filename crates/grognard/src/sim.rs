//! `grognard sim`: many battles between bots.

use crate::args::SimArgs;
use crate::page::Page;
use crate::{Exit, input};
use anyhow::{Context, Result};
use engine::{BySide, Side};
use indicatif::{ProgressBar, ProgressStyle};
use lab::batch::{self, Batch, Tally};
use lab::fight::Pace;
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};

pub fn sim(args: &SimArgs, page: &mut Page) -> Result<Exit> {
    let setup = input::setup(&args.scenario)?;
    let house = input::house(args.house.as_deref())?;
    let batch = Batch {
        setup: &setup.text,
        house: house.as_deref(),
        games: args.games,
        seed: args.seed,
        players: BySide([args.a, args.b]),
        thinking: args.think.thinking(),
        swap: args.swap,
        jobs: args.jobs,
        verify: args.verify,
    };
    let bar = bar(u64::from(args.games));
    let tally = batch::run(&batch, &|done| bar.set_position(u64::from(done)));
    bar.finish_and_clear();
    let tally = tally.with_context(|| format!("{} cannot be fought", setup.name))?;
    if let Some(path) = &args.rows {
        let lines: Result<Vec<String>, _> = tally.rows.iter().map(serde_json::to_string).collect();
        input::write(path, &(lines?.join("\n") + "\n"))?;
    }
    keep_replays(args, &tally, page)?;
    if args.json {
        page.json(&report(args, &setup.name, &tally))?;
    } else {
        tell(args, &setup.name, &tally, page)?;
    }
    let complete = tally.rows.len() == args.games as usize;
    let late = tally.paces.0.iter().any(|pace| pace.overruns > 0);
    let clean = complete && tally.faulty.is_empty() && tally.refused() == 0 && !late;
    Ok(if clean { Exit::Fine } else { Exit::Wanting })
}

/// On the standard error, so that it never gets into what is read; hidden where nobody watches.
pub fn bar(battles: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(battles);
    let style = ProgressStyle::with_template("  {bar:40} {pos}/{len} battles, {per_sec}, {eta} to go");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn keep_replays(args: &SimArgs, tally: &Tally, page: &mut Page) -> Result<()> {
    let Some(folder) = args.replays.as_ref().filter(|_| !tally.faulty.is_empty()) else { return Ok(()) };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for faulty in &tally.faulty {
        if let Some(replay) = &faulty.replay {
            let path = folder.join(format!("fault-{}.jsonl", faulty.game));
            std::fs::File::create(&path)?.write_all(replay.as_bytes())?;
            if !args.json {
                page.line(format!("kept {}", path.display()))?;
            }
        }
    }
    Ok(())
}

/// How long a player's answers took.
pub fn pace(pace: Pace) -> String {
    format!("at most {:.3} s, {} too late", pace.slowest.as_secs_f64(), pace.overruns)
}

fn report(args: &SimArgs, name: &str, tally: &Tally) -> Value {
    let (wins, sides, lost) = (tally.wins(), tally.wins_by_side(), tally.units_lost());
    let intervals = wins.intervals();
    let side = |side: Side, wins: u64| json!({ "name": tally.sides[side.index()], "wins": wins, "units_lost_mean": tally.mean(|row| f64::from(row.lost[side])) });
    json!({
        "scenario": name, "seed": args.seed, "swap": args.swap, "a": args.a.name(), "b": args.b.name(),
        "games": tally.rows.len(),
        "wins": wins,
        "intervals": { "a": intervals[0], "b": intervals[1], "draw": intervals[2] },
        "sides": { "first": side(Side::A, sides.a), "second": side(Side::B, sides.b) },
        "endings": tally.endings,
        "turns_mean": tally.mean(|row| f64::from(row.turns)),
        "units_lost_mean": { "a": lost[Side::A], "b": lost[Side::B] },
        "decisions": tally.decisions(),
        "faults": tally.faulty.len(),
        "fault_list": tally.faulty,
        "refused": tally.refused(),
        "first_refusal": tally.first_refusal,
        "paces": args.think.clock.then_some(tally.paces.0),
        "verified": args.verify,
        "digest": tally.digest(),
        "cpu_s": tally.cpu.as_secs_f64(),
        "wall_s": tally.wall.as_secs_f64(),
        "process_cpu_s": lab::clock::process_cpu().as_secs_f64(),
        "games_per_cpu_s": tally.per_cpu_second(tally.rows.len() as f64),
        "decisions_per_cpu_s": tally.per_cpu_second(tally.decisions() as f64),
    })
}

fn tell(args: &SimArgs, name: &str, tally: &Tally, page: &mut Page) -> Result<()> {
    let (wins, sides, lost) = (tally.wins(), tally.wins_by_side(), tally.units_lost());
    let swap = if args.swap { ", seats swapped" } else { "" };
    page.line(format!("{name}: {} battles, seed {}{swap}", tally.rows.len(), args.seed))?;
    let all = (wins.a + wins.b + wins.draw).max(1) as f64;
    let shares = [(format!("a {}", args.a), wins.a), (format!("b {}", args.b), wins.b), ("draw".to_owned(), wins.draw)];
    for ((who, count), (low, high)) in shares.into_iter().zip(wins.intervals()) {
        let share = count as f64 / all;
        let bar = "█".repeat((share * 30.0).round() as usize);
        let percent = share * 100.0;
        let (low, high) = (low * 100.0, high * 100.0);
        page.line(format!("  {who:<10} {count:>7}  {percent:>5.1} %  (95 %: {low:.1} to {high:.1})  {bar}"))?;
    }
    page.line(format!("  by side    {} {}, {} {}", tally.sides[0], sides.a, tally.sides[1], sides.b))?;
    page.line(format!(
        "  mean       {:.1} rounds, {:.0} decisions, units lost by a {:.1}, by b {:.1}",
        tally.mean(|row| f64::from(row.turns)),
        tally.mean(|row| f64::from(row.decisions)),
        lost[Side::A],
        lost[Side::B]
    ))?;
    let mut endings: Vec<(&String, &u32)> = tally.endings.iter().collect();
    endings.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (why, count) in endings.into_iter().take(8) {
        page.wrapped(&format!("  {count:>7} × "), 12, why)?;
    }
    page.line(format!("  faults     {}, refused orders {}", tally.faulty.len(), tally.refused()))?;
    for faulty in tally.faulty.iter().take(5) {
        page.wrapped("    ", 6, &format!("battle {} (dice {}): {}", faulty.game, faulty.seed, faulty.fault))?;
    }
    if let Some(refusal) = &tally.first_refusal {
        page.wrapped("    ", 6, &format!("first refusal, {refusal}"))?;
    }
    if args.think.clock {
        let [a, b] = tally.paces.0.map(pace);
        page.line(format!("  answers    a {a}; b {b}"))?;
    }
    page.line(format!(
        "  speed      {:.1} battles and {:.0} decisions per CPU second ({:.2} s of CPU, {:.2} s on the clock)",
        tally.per_cpu_second(tally.rows.len() as f64),
        tally.per_cpu_second(tally.decisions() as f64),
        tally.cpu.as_secs_f64(),
        tally.wall.as_secs_f64()
    ))?;
    page.line(format!("  digest     {}", tally.digest()))?;
    Ok(())
}
