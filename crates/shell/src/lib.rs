//! For the chores: running other programs, where the house stands, what the toolchain needs.
#![allow(clippy::print_stdout)]

pub mod browser;
pub mod toolchain;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// Where cargo puts what it builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// What an outer cargo says about itself must not reach an inner one: a flag or a package name of the outer would
/// rebuild everything, or build it wrongly. What the user says about networks, folders and colours stays.
fn is_of_outer_cargo(name: &str) -> bool {
    const KEPT: &[&str] = &["HOME", "TARGET_DIR", "TERM_", "NET_", "HTTP_", "REGISTR", "SOURCE_", "BUILD_JOBS"];
    match name.strip_prefix("CARGO_") {
        Some(rest) => !KEPT.iter().any(|kept| rest.starts_with(kept)),
        None => matches!(name, "CARGO" | "RUSTFLAGS" | "RUSTDOCFLAGS" | "RUSTC" | "RUSTC_WRAPPER" | "MAKEFLAGS"),
    }
}

/// A program started at the root, with a clean environment.
pub fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    for (name, _) in std::env::vars_os() {
        if is_of_outer_cargo(&name.to_string_lossy()) {
            command.env_remove(&name);
        }
    }
    command
}

/// Runs cargo and shows what it says.
pub fn cargo(arguments: &[&str]) -> Result<()> {
    let line = format!("cargo {}", arguments.join(" "));
    println!("    {line}");
    let status = command("cargo", arguments).status().with_context(|| format!("{line} does not start"))?;
    if !status.success() {
        bail!("{line} failed");
    }
    Ok(())
}

/// Runs a program and takes what it prints.
pub fn output(program: &str, arguments: &[&str]) -> Result<String> {
    let line = format!("{program} {}", arguments.join(" "));
    let output = command(program, arguments).output().with_context(|| format!("{line} does not start"))?;
    if !output.status.success() {
        bail!("{line} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Every file below a folder whose name ends so, sorted; build folders and hidden ones are left out, except the two
/// that belong to the house.
pub fn files(folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry?.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let foreign = name == "target" || (name.starts_with('.') && ![".ci", ".cargo"].contains(&name.as_str()));
            if path.is_dir() {
                if !foreign {
                    folders.push(path);
                }
            } else if endings.is_empty() || endings.iter().any(|ending| name.ends_with(ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A path as people write it: from the root, with slashes.
pub fn shown(path: &Path) -> String {
    let inner = path.strip_prefix(root()).unwrap_or(path);
    inner.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
