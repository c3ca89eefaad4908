//! Makes sure the toolchain has what the chores need. `rust-toolchain.toml` lists it, but where rustup does not install
//! by itself the file alone adds nothing.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// The target of the parity check and of the browser.
pub const WASM: &str = "wasm32-unknown-unknown";

/// Adds what is missing.
pub fn ensure() -> Result<()> {
    let sysroot = PathBuf::from(shell::output("rustc", &["--print", "sysroot"])?);
    let library = sysroot.join("lib/rustlib").join(WASM).join("lib");
    ensure_one(&library, &["target", "add", WASM])?;
    for (component, program) in [("clippy", "cargo-clippy"), ("rustfmt", "cargo-fmt")] {
        let program = sysroot.join("bin").join(format!("{program}{}", std::env::consts::EXE_SUFFIX));
        ensure_one(&program, &["component", "add", component])?;
    }
    Ok(())
}

fn ensure_one(wanted: &Path, arguments: &[&str]) -> Result<()> {
    let name = arguments.last().copied().unwrap_or_default();
    if wanted.exists() {
        println!("    {name}: there");
        return Ok(());
    }
    println!("    {name}: missing, rustup {}", arguments.join(" "));
    let status = shell::command("rustup", arguments).status();
    let status = status.with_context(|| format!("{name} is missing, and there is no rustup to add it"))?;
    if !status.success() || !wanted.exists() {
        bail!("{name} is missing from the toolchain, and rustup did not add it");
    }
    Ok(())
}
