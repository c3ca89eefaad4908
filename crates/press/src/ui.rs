//! Builds the browser table for WASM and lays it where the server takes it from.

use crate::pack;
use anyhow::{Context, Result, bail};
use shell::toolchain;
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::Bindgen;

/// The page itself.
const NAME: &str = "grognard-ui";
/// It, the rules behind it, and the whole battle in a worker.
const PACKAGES: &[&str] = &[NAME, "grognard-judge", "grognard-host"];
/// What lies beside the program and goes into the page as it is.
const STATIC: &str = "crates/ui/static";
/// Where the server takes the page from when it is compiled.
const PAGE: &str = "crates/server/page";

/// How much work goes into the page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// Small and fast, as players get it.
    Players,
    /// Quick to build, while working on it.
    Workshop,
}

impl Finish {
    fn profile(self) -> &'static str {
        match self {
            Finish::Players => "ui",
            Finish::Workshop => "ui-dev",
        }
    }
}

/// What stands beside the page for each family of rulebooks, as programs that only its players fetch: one that judges,
/// one that hosts the battles of those who play against the computer.
const ROLES: &[&str] = &["judge", "host"];
const FAMILIES: &[&str] = &["awi", "fpw", "guns", "days"];

/// Builds, wraps, packs. What has not changed is not written again, so that the server is not built again either.
pub fn build(finish: Finish) -> Result<()> {
    toolchain::ensure_wasm()?;
    let mut files = statics()?;
    let folder = compile(finish)?;
    let others = ROLES.iter().flat_map(|role| FAMILIES.iter().map(move |family| format!("{role}-{family}")));
    for name in [NAME.to_owned()].into_iter().chain(others) {
        files.extend(wrapped(&folder.join(format!("{name}.wasm")), &name, finish)?);
    }
    pack::lay(&shell::root().join(PAGE), &files)
}

/// Compiles all programs in one go, so that no core waits while another links; in a target folder of their own, since
/// another set of flags in the shared one would rebuild everything each time.
fn compile(finish: Finish) -> Result<PathBuf> {
    let target = shell::target().join("wasm");
    let folder = target.to_str().context("the target folder has a name cargo cannot be told")?;
    let mut arguments = vec!["build", "--quiet", "--profile", finish.profile(), "--bins"];
    arguments.extend(PACKAGES.iter().flat_map(|package| ["--package", package]));
    arguments.extend(["--target", toolchain::WASM, "--target-dir", folder]);
    println!("    cargo {}", arguments.join(" "));
    // The views' types are erased, which more than halves the time a page of this size takes to compile.
    let status = shell::command("cargo", &arguments).env("RUSTFLAGS", "--cfg erase_components").status();
    if !status.context("cargo does not start")?.success() {
        bail!("the page does not compile for the browser");
    }
    Ok(target.join(toolchain::WASM).join(finish.profile()))
}

/// Everything in the folder of statics, name and bytes.
fn statics() -> Result<Vec<(String, Vec<u8>)>> {
    read_folder(&shell::root().join(STATIC))
}

fn read_folder(folder: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let read = |path: PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", shell::shown(&path)))?;
        Ok((name, bytes))
    };
    shell::files(folder, &[])?.into_iter().map(read).collect()
}

/// The program and the script that loads it. Wrapping takes seconds, so it is done only when the program has changed:
/// a copy of what was wrapped last lies beside the result.
fn wrapped(program: &Path, name: &str, finish: Finish) -> Result<Vec<(String, Vec<u8>)>> {
    let folder = shell::target().join("wasm").join(format!("wrapped-{}-{name}", finish.profile()));
    let copy = folder.with_extension("wasm");
    let code = std::fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let unchanged = folder.exists() && std::fs::read(&copy).is_ok_and(|old| old == code);
    if !unchanged {
        if folder.exists() {
            std::fs::remove_dir_all(&folder).with_context(|| format!("cannot clear {}", folder.display()))?;
        }
        let mut bindgen = Bindgen::new();
        bindgen.input_path(program).out_name(name).web(true)?.typescript(false).remove_producers_section(true);
        bindgen.remove_name_section(finish == Finish::Players);
        bindgen.generate(&folder).context("cannot wrap the program for the browser")?;
        std::fs::write(&copy, &code).with_context(|| format!("cannot write {}", copy.display()))?;
    }
    read_folder(&folder)
}
