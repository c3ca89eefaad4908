//! Makes sure the toolchain has what the chores need. `rust-toolchain.toml` lists it, but where rustup does not install
//! by itself the file alone adds nothing.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// The target of the parity check and of the browser.
pub const WASM: &str = "wasm32-unknown-unknown";

/// Adds what is missing.
pub fn ensure() -> Result<()> {
    let sysroot = sysroot()?;
    ensure_wasm()?;
    for (component, program) in [("clippy", "cargo-clippy"), ("rustfmt", "cargo-fmt")] {
        let program = sysroot.join("bin").join(format!("{program}{}", std::env::consts::EXE_SUFFIX));
        ensure_one(&program, &["component", "add", component])?;
    }
    Ok(())
}

/// Adds the WASM target where it is missing, which is all that building the page needs.
pub fn ensure_wasm() -> Result<()> {
    let library = sysroot()?.join("lib/rustlib").join(WASM).join("lib");
    ensure_one(&library, &["target", "add", WASM])
}

fn sysroot() -> Result<PathBuf> {
    Ok(PathBuf::from(crate::output("rustc", &["--print", "sysroot"])?))
}

fn ensure_one(wanted: &Path, arguments: &[&str]) -> Result<()> {
    let name = arguments.last().copied().unwrap_or_default();
    if wanted.exists() {
        println!("    {name}: there");
        return Ok(());
    }
    println!("    {name}: missing, rustup {}", arguments.join(" "));
    let status = crate::command("rustup", arguments).status();
    let status = status.with_context(|| format!("{name} is missing, and there is no rustup to add it"))?;
    if !status.success() || !wanted.exists() {
        bail!("{name} is missing from the toolchain, and rustup did not add it");
    }
    Ok(())
}
