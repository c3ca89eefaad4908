//! The documents do not lie: the examples of `docs/formats.md` are run, every name the loaders know is looked for in
//! it, and links between documents lead somewhere.

use crate::tests::Count;
use anyhow::{Context, Result, bail};
use engine::{Seed, Sheet};
use rules::awi::order::Order;
use serde_json::Value;
use std::path::{Path, PathBuf};

const PAGE: &str = "docs/formats.md";

/// Checks the documents.
pub fn run() -> Result<Count> {
    let page = read(PAGE)?;
    let mut wrong = Vec::new();
    let mut passed = 0;
    let mut judge = |name: String, result: std::result::Result<(), String>| match result {
        Ok(()) => passed += 1,
        Err(what) => wrong.push(format!("{name}: {what}")),
    };
    for example in examples(&page) {
        judge(format!("{PAGE}:{} ({})", example.line, example.kind), example.run());
    }
    for (name, source) in names()? {
        let ways =
            [format!("`{name}`"), format!("{name} = "), format!(".{name}`"), format!("[{name}]"), format!("[{name}.")];
        let known = ways.iter().any(|way| page.contains(way));
        judge(source, if known { Ok(()) } else { Err(format!("{PAGE} does not know `{name}`")) });
    }
    for (document, link) in links()? {
        let target = document.parent().unwrap_or(&document).join(&link);
        judge(
            shell::shown(&document),
            if target.exists() { Ok(()) } else { Err(format!("leads to {link}, which is not there")) },
        );
    }
    wrong.iter().for_each(|what| println!("    {what}"));
    if !wrong.is_empty() {
        bail!("{} findings", wrong.len());
    }
    println!("    {passed} examples, names and links hold");
    Ok(Count::passed(passed))
}

fn read(path: &str) -> Result<String> {
    std::fs::read_to_string(shell::root().join(path)).with_context(|| format!("cannot read {path}"))
}

/// A fenced block that says what it is.
struct Example {
    kind: String,
    line: usize,
    text: String,
}

fn examples(page: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut inside = false;
    for (n, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), inside) {
            (Some(kind), false) => {
                found.push(Example { kind: kind.to_owned(), line: n + 1, text: String::new() });
                inside = true;
            }
            (Some(_), true) => inside = false,
            (None, true) => {
                if let Some(last) = found.last_mut() {
                    last.text.push_str(line);
                    last.text.push('\n');
                }
            }
            (None, false) => {}
        }
    }
    found
}

impl Example {
    fn run(&self) -> std::result::Result<(), String> {
        let seed = Seed::from_number(1);
        match self.kind.as_str() {
            "toml case" => {
                let report = rules::case::run(&self.text);
                if report.passed() { Ok(()) } else { Err(report.failures.join("; ")) }
            }
            "toml setup" => rules::start(&self.text, None, seed).map(drop).map_err(|error| error.to_string()),
            "toml house" => {
                let scenario = rules::SCENARIOS.first().ok_or("no scenario")?;
                rules::start(scenario.text, Some(&self.text), seed).map(drop).map_err(|error| error.to_string())
            }
            "toml orders" => orders(&self.text),
            _ => Ok(()),
        }
    }
}

/// Who the pieces of the sample orders are.
fn piece(name: &str) -> &str {
    match name {
        "@howe" | "@greene" => "c0",
        "@guards-brigade" => "g0",
        "@hill" => "f0",
        name if name.starts_with('@') => "u0",
        other => other,
    }
}

fn with_ids(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(piece(text).to_owned()),
        Value::Array(list) => Value::Array(list.iter().map(with_ids).collect()),
        Value::Object(map) => Value::Object(map.iter().map(|(key, item)| (key.clone(), with_ids(item))).collect()),
        other => other.clone(),
    }
}

/// Every line reads as an order, and every order has a line.
fn orders(text: &str) -> std::result::Result<(), String> {
    let mut seen = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let mut faults = engine::Faults::default();
        let sheet = Sheet::parse(line, &mut faults).ok_or_else(|| format!("{line}: {faults}"))?;
        let draft = sheet.root().json("order", &mut faults).ok_or_else(|| format!("{line}: no order"))?;
        let order: Order = serde_json::from_value(with_ids(&draft)).map_err(|error| format!("{line}: {error}"))?;
        let back = serde_json::to_value(&order).map_err(|error| error.to_string())?;
        seen.extend(back.as_str().map(str::to_owned).or_else(|| back.as_object()?.keys().next().cloned()));
    }
    let source = read("crates/rules/src/awi/order.rs").map_err(|error| error.to_string())?;
    match variants(&source, "Order").into_iter().find(|name| !seen.contains(name)) {
        Some(name) => Err(format!("no example of `{name}`")),
        None => Ok(()),
    }
}

/// Every name a file may hold, with the source that knows it.
fn names() -> Result<Vec<(String, String)>> {
    const ENUMS: &[(&str, &str)] = &[
        ("crates/rules/src/awi/order.rs", "Order"),
        ("crates/rules/src/awi/order.rs", "Decision"),
        ("crates/rules/src/awi/order.rs", "Verb"),
        ("crates/rules/src/awi/order.rs", "Going"),
        ("crates/rules/src/awi/event.rs", "AwiEvent"),
        ("crates/rules/src/awi/event.rs", "Cause"),
        ("crates/rules/src/awi/sequence.rs", "Phase"),
        ("crates/engine/src/event.rs", "Deed"),
        ("crates/engine/src/event.rs", "Leaving"),
        ("crates/engine/src/battle.rs", "Motion"),
        ("crates/engine/src/state.rs", "Whereabouts"),
    ];
    const READERS: &[&str] = &[
        "crates/rules/src/case.rs",
        "crates/rules/src/awi/case.rs",
        "crates/rules/src/awi/muster.rs",
        "crates/engine/src/setup.rs",
    ];
    let mut names = Vec::new();
    for (path, name) in ENUMS {
        let found = variants(&read(path)?, name);
        if found.is_empty() {
            bail!("{path} has no enum {name}");
        }
        // What only the engine says to itself is in no file.
        let kept = found.into_iter().filter(|name| !["own", "unseen"].contains(&name.as_str()));
        names.extend(kept.map(|variant| (variant, format!("{path} ({name})"))));
    }
    for path in READERS {
        names.extend(keys(&read(path)?).into_iter().map(|key| (key, (*path).to_owned())));
    }
    let settings = read("crates/rules/src/awi/settings.rs")?;
    let switches = settings.lines().filter_map(|line| line.trim().strip_prefix("take(&mut settings.")?.split_once(','));
    names.extend(switches.map(|(name, _)| (name.to_owned(), "a setting".to_owned())));
    names.extend(table_kinds()?);
    Ok(names)
}

fn table_kinds() -> Result<Vec<(String, String)>> {
    let text = read("crates/table/src/terrain.rs")?;
    let kinds = text.lines().skip_while(|line| *line != "kinds! {").skip(1).take_while(|line| *line != "}");
    Ok(kinds.filter_map(|line| Some((line.split('"').nth(1)?.to_owned(), "a kind of terrain".to_owned()))).collect())
}

/// The variants of an enum in the form files write them.
fn variants(source: &str, name: &str) -> Vec<String> {
    let opens = |line: &&str| {
        line.starts_with(&format!("pub enum {name} {{")) || line.starts_with(&format!("pub enum {name}<"))
    };
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for line in source.lines().skip_while(|line| !opens(line)) {
        let word: String = line.trim().chars().take_while(char::is_ascii_alphanumeric).collect();
        if depth == 1 && word.starts_with(|c: char| c.is_ascii_uppercase()) {
            found.push(snake(&word));
        }
        let code = line.split("//").next().unwrap_or_default();
        depth = (depth + code.matches('{').count()).saturating_sub(code.matches('}').count());
        if depth == 0 {
            break;
        }
    }
    found
}

fn snake(word: &str) -> String {
    let mut out = String::new();
    for letter in word.chars() {
        if letter.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// The keys a reader asks its sheet for.
fn keys(source: &str) -> Vec<String> {
    const CALLS: &[&str] = &["get(\"", "optional(\"", "json(\"", "table(\"", "group(\"", "tables(\"", "has(\""];
    let mut found = Vec::new();
    for call in CALLS {
        for (at, _) in source.match_indices(call) {
            let key: String = source[at + call.len()..].chars().take_while(|c| *c != '"').collect();
            if !found.contains(&key) {
                found.push(key);
            }
        }
    }
    found
}

/// Links from one document to another file of the house.
fn links() -> Result<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    for document in shell::files(&shell::root(), &[".md"])? {
        let text = std::fs::read_to_string(&document)?;
        for (at, _) in text.match_indices("](") {
            let link: String = text[at + 2..].chars().take_while(|c| *c != ')').collect();
            let file = link.split('#').next().unwrap_or_default();
            if !file.is_empty() && !file.contains("://") {
                found.push((Path::new(&document).to_path_buf(), file.to_owned()));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn variants_are_read_off_the_source() {
        let source = "pub enum Order {\n    /// No.\n    Pass,\n    TurnInMelee {\n        Unit: u8,\n    },\n}\nenum X {\n    Y,\n}\n";
        assert_eq!(variants(source, "Order"), ["pass", "turn_in_melee"]);
    }
}
