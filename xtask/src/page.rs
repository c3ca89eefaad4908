//! `cargo xtask ui`: the browser table is built by a program of its own, which only those who need it compile.

use crate::tests::Count;
use anyhow::{Context, Result, bail};

/// The page's programs that one battle needs, packed, stay below this many bytes.
const MOST_PACKED: u64 = 1_500_000;
/// The program that hosts a battle against the computer, rules and bots in one, packed: only its players fetch it.
const MOST_HOST: u64 = 1_500_000;

/// Builds the page.
pub fn build(dev: bool) -> Result<()> {
    let mut arguments = vec!["run", "--quiet", "--package", "grognard-press", "--", "ui"];
    if dev {
        arguments.push("--dev");
    }
    shell::cargo(&arguments)
}

/// Builds the page as players get it and weighs it: what everybody fetches with the heaviest family of rulebooks, and
/// what is fetched besides by who plays against the computer.
pub fn check() -> Result<Count> {
    build(false)?;
    let folder = shell::root().join("crates/server/page");
    let page = packed(&folder.join("grognard-ui_bg.wasm.gz"))?;
    let (rules, host) = (heaviest(&folder, "judge")?, heaviest(&folder, "host")?);
    if host == 0 || host > MOST_HOST {
        bail!("the heaviest program that hosts a battle is {host} bytes packed; the most is {MOST_HOST}");
    }
    let size = page + rules;
    if rules == 0 || size > MOST_PACKED {
        bail!("the page with the heaviest rules is {size} bytes packed; the most is {MOST_PACKED}");
    }
    println!("    the page is {page} bytes packed, {size} with the heaviest rules; at most {MOST_PACKED} are allowed");
    Ok(Count::passed(2))
}

/// The packed size of the heaviest program of a role.
fn heaviest(folder: &std::path::Path, role: &str) -> Result<u64> {
    let mut heaviest = 0;
    for path in shell::files(folder, &[".wasm.gz"])? {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let family = name.strip_prefix(role).and_then(|rest| rest.strip_prefix('-'));
        if let Some(family) = family.and_then(|rest| rest.strip_suffix("_bg.wasm.gz")) {
            let size = packed(&path)?;
            println!("    the {role} of {family} is {size} bytes packed");
            heaviest = heaviest.max(size);
        }
    }
    Ok(heaviest)
}

fn packed(path: &std::path::Path) -> Result<u64> {
    Ok(std::fs::metadata(path).with_context(|| format!("there is no {}", shell::shown(path)))?.len())
}
