//! The house's own chores. `cargo xtask` without a word lists them.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod coverage;
mod documents;
mod fuzz;
mod golden;
mod page;
mod parity_check;
mod tests;
mod tidy;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The chores of the house.
#[derive(Parser)]
#[command(name = "xtask", bin_name = "cargo xtask", max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Everything a release needs: format, lints, page, browser, tests, coverage, parity, a short fuzz.
    Test,
    /// Builds the browser table and lays it where the server takes it from.
    Ui {
        /// Quickly and without squeezing it, while working on it.
        #[arg(long)]
        dev: bool,
    },
    /// Finds Chromium and its driver for the end-to-end tests, or installs them.
    Browser,
    /// The house laws that can be read off the text.
    Tidy,
    /// Runs the examples of the documents and looks for names they leave out.
    Docs,
    /// Runs every case and writes docs/coverage/.
    Coverage {
        /// Only compares the pages with what would be written.
        #[arg(long)]
        check: bool,
    },
    /// Runs the WASM build and compares it with the native one.
    Parity,
    /// Bots against bots, spoiled files and spoiled orders; what breaks is written to target/fuzz/.
    Fuzz(fuzz::Options),
    /// Plays the golden battles anew and writes crates/rules/replays/.
    Golden {
        /// Only those of these rulebooks or scenarios; the others keep the battles they have.
        #[arg(value_name = "RULESET or RULESET/NAME")]
        names: Vec<String>,
    },
}

fn main() -> ExitCode {
    match run(Cli::parse().chore) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(chore: Chore) -> Result<()> {
    match chore {
        Chore::Test => tests::run(),
        Chore::Ui { dev } => page::build(dev),
        Chore::Browser => shell::browser::ensure().map(drop),
        Chore::Tidy => tidy::run().map(drop),
        Chore::Docs => documents::run().map(drop),
        Chore::Coverage { check } => coverage::run(check).map(drop),
        Chore::Parity => parity_check::run().map(drop),
        Chore::Fuzz(options) => fuzz::run(&options).map(drop),
        Chore::Golden { names } => golden::run(&names),
    }
}
