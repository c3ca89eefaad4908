//! Puts the case files and rulings of this checkout into the binary, so that `clauses` can name the cases of a clause
//! and `clause` its rulings wherever the program is run.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut code = String::new();
    let _ = writeln!(code, "/// Every case of this build: name and text.\npub const CASES: &[(&str, &str)] = &[");
    list(&here.join("../rules/cases"), "toml", &mut code)?;
    let _ =
        writeln!(code, "];\n/// Every ruling of this build: name and text.\npub const RULINGS: &[(&str, &str)] = &[");
    list(&here.join("../../docs/rulings"), "md", &mut code)?;
    let _ = writeln!(code, "];");
    fs::write(out.join("shipped.rs"), code)
}

fn list(root: &Path, kind: &str, code: &mut String) -> io::Result<()> {
    // A checkout without cases is poor and still builds.
    let Ok(root) = root.canonicalize() else { return Ok(()) };
    let mut files = Vec::new();
    walk(&root, kind, &mut files)?;
    files.sort();
    for file in files {
        let name = file.strip_prefix(&root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let _ = writeln!(code, "    ({name:?}, include_str!({:?})),", file.to_string_lossy());
    }
    Ok(())
}

fn walk(folder: &Path, kind: &str, files: &mut Vec<PathBuf>) -> io::Result<()> {
    // Watching the folder tells cargo of new files; watching the files comes with `include_str!`.
    #[allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]
    {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, kind, files)?;
        } else if path.extension().is_some_and(|end| end == kind) {
            files.push(path);
        }
    }
    Ok(())
}
