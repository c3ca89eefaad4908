//! `grognard arena`: who beats whom, and how strong that makes him.

use crate::args::{RunArgs, ThinkArgs};
use crate::page::Page;
use crate::{Exit, input, sim};
use anyhow::{Context, Result, bail};
use bots::Level;
use clap::Args;
use lab::arena::{self, Arena, Pairing, Score, Standings};
use serde_json::json;
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  grognard arena --ruleset awi --bots random,careful --games 400
  grognard arena --ruleset iron --bots random,careful --games 130 --seed 11 --table iron.md
  grognard arena --ruleset fpw --bots careful,veteran,general --games 20 --clock

Every pair fights over all scenarios of the rulebook, each seed twice with seats exchanged. The first bot named is the
measure: it has 1000 points. A new bot replaces an old one when the lower end of its share of the points is above 50 %.";

#[derive(Args, Debug)]
pub struct ArenaArgs {
    /// The rulebook, one of those `grognard rulesets` lists.
    #[arg(long, value_name = "ID")]
    ruleset: String,
    /// Who fights, at least two, separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "random,careful")]
    bots: Vec<Level>,
    /// Battles of every pair; more where the scenarios do not share them evenly.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    #[command(flatten)]
    think: ThinkArgs,
    #[command(flatten)]
    run: RunArgs,
    /// Writes the tables to a file, in Markdown.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// For programs.
    #[arg(long)]
    json: bool,
}

pub fn arena(args: &ArenaArgs, page: &mut Page) -> Result<Exit> {
    if args.bots.len() < 2 {
        bail!("an arena needs two bots: `--bots random,careful`")
    }
    if let Some(twice) = args.bots.iter().enumerate().find(|(n, bot)| args.bots[..*n].contains(bot)) {
        bail!("`{}` is named twice", twice.1)
    }
    if arena::scenarios(&args.ruleset).next().is_none() {
        bail!("there is no rulebook `{}`; `grognard rulesets` lists them", args.ruleset)
    }
    // How many there are is told with the first of them.
    let bar = sim::bar(0);
    let arena = Arena {
        ruleset: &args.ruleset,
        bots: &args.bots,
        thinking: args.think.thinking(),
        games: args.games,
        seed: args.run.seed,
        jobs: args.run.jobs,
    };
    let standings = arena::fight(&arena, &|done, of| {
        bar.set_length(u64::from(of));
        bar.set_position(u64::from(done));
    });
    bar.finish_and_clear();
    let standings = standings.with_context(|| format!("the battles of `{}` cannot be fought", args.ruleset))?;
    if let Some(path) = &args.table {
        input::write(path, &markdown(args, &standings))?;
    }
    if args.json {
        page.json(
            &json!({ "ruleset": args.ruleset, "games": args.games, "seed": args.run.seed, "standings": standings }),
        )?;
    } else {
        tell(args, &standings, page)?;
    }
    let late = |pairing: &Pairing| pairing.paces.iter().any(|pace| pace.overruns > 0);
    let clean = standings.pairings.iter().all(|pairing| pairing.faults == 0 && pairing.refused == 0 && !late(pairing));
    Ok(if clean { Exit::Fine } else { Exit::Wanting })
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn tell(args: &ArenaArgs, standings: &Standings, page: &mut Page) -> Result<()> {
    page.line(format!("{}: all scenarios, seats exchanged, seed {}", args.ruleset, args.run.seed))?;
    for rating in &standings.ratings {
        let name = standings.bots[rating.bot];
        page.line(format!("  {name:<10} {:>6.0}  (95 %: ± {:.0})", rating.elo, rating.give_or_take))?;
    }
    for pairing in &standings.pairings {
        let [a, b] = pairing.pair.map(|bot| standings.bots[bot]);
        // Told of the stronger.
        let (who, whom, turn) = if pairing.all.won >= pairing.all.lost { (a, b, false) } else { (b, a, true) };
        let of = |score: Score| if turn { score.turned() } else { score };
        page.line(format!("{who} v {whom}: {}", sentence(of(pairing.all))))?;
        for (scenario, score) in &pairing.scenarios {
            page.line(format!("  {scenario:<26} {}", sentence(of(*score))))?;
        }
        if args.think.clock {
            let [first, second] = pairing.paces.map(sim::pace);
            page.line(format!("  answers of {a} {first}; of {b} {second}"))?;
        }
        page.line(format!(
            "  faults {}, refused orders {}, {:.1} s of CPU",
            pairing.faults,
            pairing.refused,
            pairing.cpu.as_secs_f64()
        ))?;
    }
    Ok(())
}

fn sentence(score: Score) -> String {
    let ((low, high), (least, most)) = (score.interval(), score.points_interval());
    format!(
        "won {}, drawn {}, lost {}: {} (95 %: {:.1} to {:.1}), points {} ({:.1} to {:.1})",
        score.won,
        score.drawn,
        score.lost,
        percent(score.share()),
        low * 100.0,
        high * 100.0,
        percent(score.points()),
        least * 100.0,
        most * 100.0
    )
}

fn markdown(args: &ArenaArgs, standings: &Standings) -> String {
    let mut lines = vec![format!("## `{}`", args.ruleset), String::new()];
    let names: Vec<&str> = args.bots.iter().map(|level| level.name()).collect();
    lines.push(format!(
        "`grognard arena --ruleset {} --bots {} --games {} --seed {}{}`",
        args.ruleset,
        names.join(","),
        args.games,
        args.run.seed,
        args.think.typed()
    ));
    lines.push(String::new());
    let head = names.iter().map(|name| format!(" v {name} |")).collect::<String>();
    lines.push(format!("| bot | Elo |{head}"));
    lines.push(format!("|---|---:|{}", "---:|".repeat(names.len())));
    for rating in &standings.ratings {
        let cell = |against: usize| match standings.score(rating.bot, against) {
            Some(score) => format!(" {}–{}–{}, {} |", score.won, score.drawn, score.lost, percent(score.share())),
            None => " – |".to_owned(),
        };
        let cells: String = (0..names.len()).map(cell).collect();
        let name = standings.bots[rating.bot];
        lines.push(format!("| `{name}` | {:.0} ± {:.0} |{cells}", rating.elo, rating.give_or_take));
    }
    lines.push(String::new());
    lines.push("Won–drawn–lost, and the share won.".to_owned());
    lines.push(String::new());
    lines.join("\n")
}
