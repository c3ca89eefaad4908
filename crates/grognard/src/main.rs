//! `grognard`: the one binary, a thin skin over the laboratory and the rulebooks.
//!
//! Exit codes: 0 all is well; 1 something was checked and found wanting (a case failed, a replay does not verify, a
//! file has faults, a battle broke a rule of the house); 2 bad usage or input that cannot be read.

mod arena;
mod args;
mod bench;
mod case;
mod check;
mod input;
mod lists;
mod odds;
mod page;
mod play;
mod replay;
mod serve;
mod shipped;
mod sim;
mod tuning;

use args::{ChartsCommand, Cli, Command};
use clap::{CommandFactory, Parser};
use page::Page;
use std::io::{self, Write};
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// All is well.
    Fine,
    /// Something was checked and found wanting.
    Wanting,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut page = Page::stdout();
    let result = run(cli.command, &mut page).and_then(|exit| Ok(page.flush().map(|()| exit)?));
    match result {
        Ok(Exit::Fine) => ExitCode::SUCCESS,
        Ok(Exit::Wanting) => ExitCode::from(1),
        // Whoever reads us may stop reading: `grognard … | head` is no error.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to be done if even the complaint cannot be written.
            let _ = page.flush();
            let _ = writeln!(io::stderr(), "grognard: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe))
}

fn run(command: Command, page: &mut Page) -> anyhow::Result<Exit> {
    match command {
        Command::Rulesets { json } => lists::rulesets(json, page),
        Command::Scenarios { ruleset, json } => lists::scenarios(ruleset.as_deref(), json, page),
        Command::Clauses(args) => lists::clauses(&args, page),
        Command::Charts { command: ChartsCommand::Export { ruleset, output } } => {
            lists::export_charts(&ruleset, output.as_deref(), page)
        }
        Command::Play(args) => play::play(&args, page),
        Command::Sim(args) => sim::sim(&args, page),
        Command::Case { command } => case::case(&command, page),
        Command::Replay { command } => replay::replay(&command, page),
        Command::Odds(args) => odds::odds(&args, page),
        Command::Check { files, json } => check::check(&files, json, page),
        Command::Bench(args) => bench::bench(&args, page),
        Command::Arena(args) => arena::arena(&args, page),
        Command::Tuning(args) => tuning::tuning(&args, page),
        Command::Serve(args) => serve::serve(args, page),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "grognard", page);
            Ok(Exit::Fine)
        }
    }
}
