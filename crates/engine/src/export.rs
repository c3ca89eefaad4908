//! A book's charts as a house-rule file with every figure in it and where each comes from: whoever owns a better sheet
//! corrects the cells and plays with the file.

use crate::edition::Edition;
use crate::setup::HOUSE_FORMAT;
use crate::sheet::{Faults, Sheet, SheetTable};
use serde_json::Value;
use std::fmt::Write;

/// What a figure says of itself, or inherits from its table.
#[derive(Clone, Default)]
struct Papers {
    source: String,
    ruling: String,
    clause: String,
}

impl Papers {
    /// The papers of a table or cell inside one with these. A source of its own ends an inherited ruling.
    fn inside(&self, table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Papers {
        let source: Option<String> = table.optional("source", faults);
        let ruling: Option<i64> = table.optional("ruling", faults);
        let clause: Option<String> = table.optional("clause", faults);
        let inherited = if source.is_some() { String::new() } else { self.ruling.clone() };
        Papers {
            source: source.unwrap_or_else(|| self.source.clone()),
            ruling: ruling.map_or(inherited, |number| number.to_string()),
            clause: clause.unwrap_or_else(|| self.clause.clone()),
        }
    }

    /// In a comment behind the figure.
    fn words(&self, family: &str) -> String {
        let source = if self.source.is_empty() { "printed" } else { &self.source };
        let ruling = match self.ruling.parse::<u32>() {
            Ok(number) => format!(", ruling {family}-{number:04}"),
            Err(_) => String::new(),
        };
        let clause = if self.clause.is_empty() { String::new() } else { format!(", {}", self.clause) };
        format!("{source}{ruling}{clause}")
    }
}

/// The whole file.
pub fn house_file(edition: &Edition, family: &str) -> Result<String, Faults> {
    let mut faults = Faults::default();
    let Some(sheet) = Sheet::parse(edition.charts, &mut faults) else { return Err(faults) };
    let mut text = format!(
        "# The charts of {}, every figure with its source.\n\
         #\n\
         # \"printed\" is the book's own figure; \"reconstructed\" stood on a sheet that is lost and was worked out anew, and\n\
         # \"ours\" was never given: the rulings named (docs/rulings) tell why. Correct what your sheets print otherwise, try\n\
         # the file with `grognard check FILE`, and play with it: `grognard play SCENARIO --house FILE`. Lines you leave as\n\
         # they are change nothing; lines may be taken out.\n\n\
         format = \"{HOUSE_FORMAT}\"\n\
         ruleset = \"{}\"\n\
         title = \"Corrected charts\"\n",
        edition.name, edition.id
    );
    write_table(&mut sheet.root(), "charts", &Papers::default(), family, &mut text, &mut faults);
    faults.or(text)
}

/// A figure as TOML writes it. Lists and plain values look as they do in JSON; tables do not.
fn written(value: &Value) -> String {
    match value {
        Value::Array(all) => format!("[{}]", all.iter().map(written).collect::<Vec<_>>().join(", ")),
        Value::Object(all) => {
            let entries = all.iter().map(|(key, value)| format!("{key} = {}", written(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string(),
    }
}

/// A table's figures first, then the tables inside it.
fn write_table(
    table: &mut SheetTable<'_, '_>,
    path: &str,
    papers: &Papers,
    family: &str,
    text: &mut String,
    faults: &mut Faults,
) {
    let papers = papers.inside(table, faults);
    let keys: Vec<String> =
        table.keys().into_iter().filter(|key| !matches!(key.as_str(), "source" | "ruling" | "clause")).collect();
    let mut inner = Vec::new();
    let mut figures = String::new();
    for key in keys {
        if !table.is_table(&key) {
            if let Some(value) = table.json(&key, faults) {
                let _ = writeln!(figures, "{key} = {} # {}", written(&value), papers.words(family));
            }
            continue;
        }
        let Some(mut cell) = table.table(&key, faults) else { continue };
        if cell.has("v") {
            let own = papers.inside(&mut cell, faults);
            if let Some(value) = cell.json("v", faults) {
                let _ = writeln!(figures, "{key} = {} # {}", written(&value), own.words(family));
            }
        } else {
            inner.push(key);
        }
    }
    if !figures.is_empty() {
        let _ = write!(text, "\n[{path}]\n{figures}");
    }
    for key in inner {
        if let Some(mut table) = table.table(&key, faults) {
            write_table(&mut table, &format!("{path}.{key}"), &papers, family, text, faults);
        }
    }
}
