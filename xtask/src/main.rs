//! The house's own chores. `cargo xtask` without a word lists them.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod coverage;
mod documents;
mod fuzz;
mod golden;
mod parity_check;
mod play;
mod shell;
mod tests;
mod tidy;
mod toolchain;

use anyhow::{Result, bail};
use std::process::ExitCode;

const USAGE: &str = "\
Chores of the house. Usage: cargo xtask CHORE

  test                everything a release needs: toolchain, format, lints, tidy, documents, tests,
                      coverage, parity, a short fuzz
  tidy                the house laws that can be read off the text
  coverage [--check]  runs every case and writes docs/coverage/; --check only compares
  docs                runs the examples of the documents and looks for names they leave out
  parity              runs the WASM build and compares it with the native one
  fuzz [--seconds N] [--seed N]
                      bots against bots, spoiled files and spoiled orders; what breaks is written to target/fuzz/
  golden              plays the golden battles anew and writes crates/rules/replays/
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<()> {
    match words {
        ["test"] => tests::run(),
        ["tidy"] => tidy::run().map(drop),
        ["coverage"] => coverage::run(false).map(drop),
        ["coverage", "--check"] => coverage::run(true).map(drop),
        ["docs"] => documents::run().map(drop),
        ["parity"] => parity_check::run().map(drop),
        ["fuzz", options @ ..] => fuzz::run(&fuzz::Options::parse(options)?).map(drop),
        ["golden"] => golden::run(),
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        other => bail!("no such chore: {}\n\n{USAGE}", other.join(" ")),
    }
}
