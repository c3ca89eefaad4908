//! `cargo xtask ui`: the browser table is built by a program of its own, which only those who need it compile.

use crate::tests::Count;
use anyhow::{Context, Result, bail};

/// The page's program, packed, stays below this many bytes.
const MOST_PACKED: u64 = 1_500_000;

/// Builds the page.
pub fn build(dev: bool) -> Result<()> {
    let mut arguments = vec!["run", "--quiet", "--package", "grognard-press", "--", "ui"];
    if dev {
        arguments.push("--dev");
    }
    shell::cargo(&arguments)
}

/// Builds the page as players get it and weighs it.
pub fn check() -> Result<Count> {
    build(false)?;
    let path = shell::root().join("crates/server/page/grognard-ui_bg.wasm.gz");
    let size = std::fs::metadata(&path).with_context(|| format!("there is no {}", shell::shown(&path)))?.len();
    if size > MOST_PACKED {
        bail!("the page's program is {size} bytes packed; the most is {MOST_PACKED}");
    }
    println!("    the page's program is {size} bytes packed, at most {MOST_PACKED} are allowed");
    Ok(Count::passed(1))
}
