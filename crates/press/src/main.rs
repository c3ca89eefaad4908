//! Prints the page. `press ui` builds the browser table for WASM and lays it, packed, where the server takes it from;
//! `press play` does that, builds the program and starts the game. `cargo xtask ui` and `cargo play` are its short names.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod pack;
mod play;
mod ui;

use anyhow::{Result, bail};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo play [--port N] [--data DIR] …   builds everything and opens the browser table
       cargo xtask ui [--dev]                 builds the page only, --dev quickly and without squeezing it";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<ExitCode> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["ui"] => ui::build(ui::Finish::Players).map(|()| ExitCode::SUCCESS),
        ["ui", "--dev"] => ui::build(ui::Finish::Workshop).map(|()| ExitCode::SUCCESS),
        ["play", rest @ ..] => play::run(rest),
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => bail!("no such chore: {}\n{USAGE}", words.join(" ")),
    }
}
