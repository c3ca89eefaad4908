//! `cargo play`: builds the page and the program, then starts the game in the browser.

use crate::ui;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// Builds everything and serves it; what the user adds goes to `grognard serve`.
pub fn run(arguments: &[&str]) -> Result<ExitCode> {
    println!("Building the table (a few minutes the first time) …");
    ui::build(ui::Finish::Players)?;
    println!("Building the program …");
    let program = program()?;
    let mut command = Command::new(&program);
    command.args(["serve", "--open"]).args(arguments);
    start(command).with_context(|| format!("{} does not start", program.display()))
}

fn program() -> Result<PathBuf> {
    let arguments = ["build", "--quiet", "--release", "--package", "grognard"];
    let status = shell::command("cargo", &arguments).status().context("cargo does not start")?;
    if !status.success() {
        bail!("the program does not compile");
    }
    Ok(shell::target().join("release").join(format!("grognard{}", std::env::consts::EXE_SUFFIX)))
}

/// The server takes our place, so that an interrupt from the keyboard reaches it alone and it can close in order.
#[cfg(unix)]
fn start(mut command: Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.exec().into())
}

#[cfg(not(unix))]
fn start(mut command: Command) -> Result<ExitCode> {
    let status = command.status()?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
