//! `grognard-load soak` and `grognard-load bench`: how the server bears up, over real sockets on loopback.

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use load::bench::{self, Bench};
use load::soak::{self, Soak};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Plays many battles through the real server.
#[derive(Parser)]
#[command(name = "grognard-load", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Battles by the hundred while the server is killed at random: no acknowledged order may be lost.
    Soak {
        #[command(flatten)]
        common: Common,
        /// How many battles.
        #[arg(long, default_value_t = 200)]
        battles: usize,
        /// How many at once.
        #[arg(long, default_value_t = 50)]
        at_once: usize,
        /// How often the server is killed.
        #[arg(long, default_value_t = 25)]
        kills: u32,
        /// The number all choices come from.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Battles held at once, doubled until somebody waits more than 200 ms.
    Bench {
        #[command(flatten)]
        common: Common,
        /// Battles to begin with.
        #[arg(long, default_value_t = 200)]
        battles: usize,
        /// The most to try.
        #[arg(long, default_value_t = 6400)]
        most: usize,
        /// How long each number is held, in seconds.
        #[arg(long, default_value_t = 20)]
        seconds: u64,
        /// Threads of the client.
        #[arg(long, default_value_t = 1)]
        threads: usize,
    },
}

#[derive(Args)]
struct Common {
    /// The server; the `grognard` of this checkout if left out.
    #[arg(long, value_name = "PROGRAM")]
    server: Option<PathBuf>,
    /// The scenario.
    #[arg(long, default_value = "awi/skirmish")]
    scenario: String,
    /// For programs.
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let _ = writeln!(io::stderr(), "grognard-load: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> Result<bool> {
    let data = std::env::temp_dir().join(format!("grognard-load-{}", std::process::id()));
    let fine = match command {
        Command::Soak { common, battles, at_once, kills, seed } => {
            let soak = Soak {
                server: server(&common)?,
                data: data.clone(),
                battles,
                at_once,
                kills,
                between: (Duration::from_millis(300), Duration::from_millis(1500)),
                pace: Duration::from_millis(60),
                most_orders: 400,
                scenario: common.scenario.clone(),
                seed,
                deadline: Duration::from_secs(1800),
            };
            soak_it(&soak, common.json)?
        }
        Command::Bench { common, battles, most, seconds, threads } => {
            let bench = Bench {
                server: server(&common)?,
                data: data.clone(),
                battles: battles.max(1),
                most,
                seconds: seconds.max(1),
                pace: Duration::from_secs(1),
                scenario: common.scenario.clone(),
                threads: threads.max(1),
            };
            bench_it(&bench, common.json)?
        }
    };
    clean_up(&data, fine);
    Ok(fine)
}

fn server(common: &Common) -> Result<PathBuf> {
    common.server.clone().map_or_else(load::find_server, Ok)
}

/// What went wrong is left to be looked at.
fn clean_up(data: &Path, fine: bool) {
    if fine {
        let _ = std::fs::remove_dir_all(data);
    } else {
        tell(&format!("the server's battles and log are left in {}", data.display()));
    }
}

fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

fn soak_it(soak: &Soak, json: bool) -> Result<bool> {
    let report = soak::run(soak, &mut |line| tell(&line))?;
    let fine = report.faults.is_empty() && report.verified == report.battles;
    let mut out = io::stdout();
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
        return Ok(fine);
    }
    writeln!(
        out,
        "{} battles, {} acknowledged orders and motions, {:.0} s",
        report.battles, report.acknowledged, report.seconds
    )?;
    writeln!(
        out,
        "server killed {} times; {} orders were left without an answer, {} returns",
        report.kills, report.unanswered, report.returns
    )?;
    writeln!(out, "{} replays verify; {} faults", report.verified, report.faults.len())?;
    for fault in &report.faults {
        writeln!(out, "  {fault}")?;
    }
    Ok(fine)
}

fn bench_it(bench: &Bench, json: bool) -> Result<bool> {
    let report = bench::run(bench, &mut |line| tell(&line))?;
    let mut out = io::stdout();
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
        return Ok(true);
    }
    writeln!(out, "{}, one order per second and battle, client on the same machine", report.scenario)?;
    for step in &report.steps {
        writeln!(out, "{}", bench::line(step))?;
    }
    writeln!(out, "highest number with p99 under {:.0} ms for both players: {}", bench::TOO_LONG, report.highest)?;
    if let Some(bytes) = report.idle_bytes {
        writeln!(out, "server memory for one more idle battle with two players: {} KiB", bytes / 1024)?;
    }
    Ok(true)
}
