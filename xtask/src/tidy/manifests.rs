//! Law 8: nothing below imports anything above. And every dependency says what it is for.

use super::Finding;
use anyhow::{Context, Result};
use std::path::Path;
use toml::{Table, Value};

/// Which of our crates each may stand on. Whoever is not listed stands on nobody's shoulders.
const STANDS_ON: &[(&str, &[&str])] = &[
    ("table", &[]),
    ("engine", &["table"]),
    ("book", &["table", "engine"]),
    ("awi", &["table", "engine", "book"]),
    ("fpw", &["table", "engine", "book"]),
    ("guns", &["table", "engine", "book"]),
    ("days", &["table", "engine", "book"]),
    ("rules", &["table", "engine", "book", "awi", "fpw", "guns", "days"]),
    ("judge", &["engine", "awi", "fpw", "guns", "days"]),
    ("bots", &["table", "engine", "rules"]),
    ("picture", &["table", "engine", "rules"]),
    ("lab", &["table", "engine", "rules", "bots", "picture"]),
    ("wire", &["engine"]),
    ("steward", &["engine", "rules", "bots", "wire"]),
    ("host", &["engine", "awi", "fpw", "guns", "days", "bots", "wire", "steward"]),
    ("server", &["table", "engine", "rules", "bots", "wire", "steward"]),
    ("ui", &["table", "engine", "rules", "wire", "picture"]),
    ("shell", &[]),
    ("press", &["shell"]),
    ("e2e", &["table", "engine", "rules", "bots", "picture", "wire", "server", "shell"]),
    ("load", &["engine", "rules", "bots", "wire"]),
    ("parity", &["table", "engine", "rules", "bots"]),
    ("grognard", &["table", "engine", "rules", "bots", "lab", "server", "load"]),
    ("xtask", &["table", "engine", "rules", "bots", "lab", "parity", "shell"]),
];

/// Reads every manifest.
pub fn check() -> Result<Vec<Finding>> {
    let root = shell::root();
    let mut found = Vec::new();
    check_reasons(&root.join("Cargo.toml"), &mut found)?;
    for (name, below) in STANDS_ON {
        let homes = [root.join(name), root.join("crates").join(name), root.join("crates/rules").join(name)];
        if let Some(path) = homes.into_iter().map(|home| home.join("Cargo.toml")).find(|path| path.exists()) {
            check_direction(&path, name, below, &mut found)?;
        }
    }
    for path in shell::files(&root.join("crates"), &["Cargo.toml"])? {
        let name =
            path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if !STANDS_ON.iter().any(|(known, _)| *known == name) {
            found.push(Finding::new(
                &path,
                1,
                format!("nobody has said what `{name}` may stand on (xtask, manifests.rs)"),
            ));
        }
    }
    Ok(found)
}

fn check_direction(path: &Path, name: &str, below: &[&str], found: &mut Vec<Finding>) -> Result<()> {
    let text = std::fs::read_to_string(path)?;
    let manifest: Table = text.parse().with_context(|| format!("{} is not TOML", shell::shown(path)))?;
    for (group, dependencies) in groups(&manifest) {
        for dependency in dependencies.keys() {
            let key = dependency.trim_start_matches("grognard-");
            let ours = STANDS_ON.iter().any(|(known, _)| *known == key);
            let line =
                text.lines().position(|line| line.trim_start().starts_with(dependency.as_str())).unwrap_or(0) + 1;
            if ours && !below.contains(&key) && key != name {
                found.push(Finding::new(
                    path,
                    line,
                    format!("`{name}` stands on `{key}`, which is not below it ({group})"),
                ));
            }
        }
    }
    Ok(())
}

/// All tables of dependencies, those of single targets among them.
fn groups(manifest: &Table) -> Vec<(String, &Table)> {
    const GROUPS: &[&str] = &["dependencies", "dev-dependencies", "build-dependencies"];
    let mut found: Vec<(String, &Table)> = Vec::new();
    for name in GROUPS {
        found.extend(manifest.get(*name).and_then(Value::as_table).map(|table| ((*name).to_owned(), table)));
    }
    for (target, table) in manifest.get("target").and_then(Value::as_table).into_iter().flatten() {
        for name in GROUPS {
            let inner = table.as_table().and_then(|table| table.get(*name)).and_then(Value::as_table);
            found.extend(inner.map(|inner| (format!("{name} of {target}"), inner)));
        }
    }
    found
}

/// Every block of workspace dependencies opens with a comment that says what it is for.
fn check_reasons(path: &Path, found: &mut Vec<Finding>) -> Result<()> {
    let text = std::fs::read_to_string(path)?;
    let (mut inside, mut explained) = (false, false);
    for (n, line) in text.lines().enumerate() {
        match line.trim() {
            "[workspace.dependencies]" => inside = true,
            line if line.starts_with('[') => inside = false,
            "" => explained = false,
            line if line.starts_with('#') => explained = true,
            line if inside && !explained => {
                let name = line.split(['=', ' ']).next().unwrap_or_default();
                found.push(Finding::new(path, n + 1, format!("nothing says what `{name}` is for")));
            }
            _ => {}
        }
    }
    Ok(())
}
