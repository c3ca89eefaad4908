//! Lists the golden replays beside the rulebooks, so that the WASM build carries them inside.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let folder = here.join("../rules/replays");
    // A folder that is not there yet cannot be watched; the one around it can.
    let watched = if folder.exists() { folder.clone() } else { here.join("../rules") };
    cargo(&format!("rerun-if-changed={}", watched.display()))?;
    let mut files = Vec::new();
    if folder.exists() {
        collect(&folder, &mut files)?;
    }
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        let path = file.canonicalize()?;
        let name = file.strip_prefix(&folder).unwrap_or(file).with_extension("");
        list.push_str(&format!("    ({:?}, include_str!({:?})),\n", slashed(&name), path.display().to_string()));
    }
    list.push_str("]\n");
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("replays.rs"), list)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            cargo(&format!("rerun-if-changed={}", path.display()))?;
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
    Ok(())
}

fn slashed(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn cargo(line: &str) -> io::Result<()> {
    use io::Write;
    writeln!(io::stdout(), "cargo::{line}")
}
