//! Charts: the numbers of a rulebook with their papers, and house overlays over them.
//!
//! A chart file is TOML. Every table may say where its figures come from (`source`, `ruling`, `clause`), any cell may
//! say it for itself (`{ v = 3, source = "ours", ruling = 15 }`). Before the figures are read into typed structs each
//! cell is given its papers; the structs hold [`Cited`] values. A house overlay replaces values key by key and never
//! changes the shape; what it touched is marked [`Source::House`].

use crate::sheet::{Faults, Sheet, SheetTable};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::fmt;
use std::str::FromStr;

/// Where a figure comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Source {
    /// Printed in the rulebook.
    #[default]
    Printed,
    /// Follows from printed figures.
    Derived,
    /// The printed sheet is lost; rebuilt under this ruling.
    Reconstructed(u16),
    /// The book gives no figure; ours, under this ruling.
    Ours(u16),
    /// Changed by a house rule of this battle.
    House,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Printed => f.write_str("printed"),
            Source::Derived => f.write_str("derived"),
            Source::Reconstructed(ruling) => write!(f, "reconstructed {ruling}"),
            Source::Ours(ruling) => write!(f, "ours {ruling}"),
            Source::House => f.write_str("house"),
        }
    }
}

impl FromStr for Source {
    type Err = String;
    fn from_str(text: &str) -> Result<Source, String> {
        let (word, ruling) = text.split_once(' ').unwrap_or((text, "0"));
        let ruling = ruling.parse().map_err(|_| format!("`{ruling}` is not the number of a ruling"))?;
        match word {
            "printed" => Ok(Source::Printed),
            "derived" => Ok(Source::Derived),
            "reconstructed" => Ok(Source::Reconstructed(ruling)),
            "ours" => Ok(Source::Ours(ruling)),
            "house" => Ok(Source::House),
            _ => Err(format!("`{word}` is not a source; expected printed, derived, reconstructed, ours or house")),
        }
    }
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A figure with its papers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cited<T> {
    /// The figure.
    #[serde(rename = "v")]
    pub value: T,
    /// Where it is printed.
    pub source: Source,
}

impl<T> Cited<T> {
    /// A figure with a source.
    pub const fn new(value: T, source: Source) -> Cited<T> {
        Cited { value, source }
    }

    /// A figure that follows from others.
    pub const fn derived(value: T) -> Cited<T> {
        Cited { value, source: Source::Derived }
    }

    /// The same papers for a figure worked out of this one.
    pub fn map<U>(self, work_out: impl FnOnce(T) -> U) -> Cited<U> {
        Cited { value: work_out(self.value), source: self.source }
    }
}

/// A figure that house rules may change only within bounds, so that no overlay can ask for a million dice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Bounded<const LEAST: i32, const MOST: i32>(i32);

impl<const LEAST: i32, const MOST: i32> Bounded<LEAST, MOST> {
    /// The figure.
    pub const fn get(self) -> i32 {
        self.0
    }
}

impl<'de, const LEAST: i32, const MOST: i32> Deserialize<'de> for Bounded<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = i64::deserialize(deserializer)?;
        match i32::try_from(number) {
            Ok(figure) if (LEAST..=MOST).contains(&figure) => Ok(Bounded(figure)),
            _ => Err(D::Error::custom(format!("{number} is outside {LEAST} to {MOST}"))),
        }
    }
}

/// Each changed figure is tried on the whole chart, so their number is bounded.
const MOST_CHANGES: usize = 500;
/// More figures than any chart has.
const MOST_FIGURES: usize = 10_000;
/// Tables inside tables; going down is recursion.
const MOST_DEPTH: usize = 20;

/// A chart as a tree of cells with their papers, before it is read into its typed form.
#[derive(Clone, Debug)]
pub struct ChartTree(Value);

impl ChartTree {
    /// The printed chart, every cell with its papers.
    pub fn printed(base: &str) -> Result<ChartTree, Faults> {
        let mut faults = Faults::default();
        let Some(sheet) = Sheet::parse(base, &mut faults) else { return Err(faults) };
        let mut root = sheet.root();
        let mut tree = Map::new();
        for key in root.keys() {
            if let Some(value) = root.json(&key, &mut faults) {
                tree.insert(key, value);
            }
        }
        let tree = with_papers(&Value::Object(tree), Source::Printed).map_err(Faults::whole)?;
        faults.or(ChartTree(tree))
    }

    /// The typed chart.
    pub fn read<C: DeserializeOwned>(&self) -> Result<C, Faults> {
        serde_json::from_value(self.0.clone()).map_err(|error| Faults::whole(format!("the chart: {error}")))
    }

    /// The cells with their papers, for export and inspection.
    pub fn cells(&self) -> &Value {
        &self.0
    }

    /// Lays house figures over the printed ones, one by one, so that every bad figure is named with its line.
    pub fn lay_over<C: DeserializeOwned>(&mut self, overlay: &mut SheetTable<'_, '_>, faults: &mut Faults) {
        let mut changes = Vec::new();
        collect(overlay, &mut Vec::new(), faults, &mut changes);
        // Whoever exports a whole chart and corrects some cells has changed those alone.
        changes.retain(|change| self.value_at(&change.path) != Some(&change.value));
        if let Some(change) = changes.get(MOST_CHANGES) {
            faults.push(change.span.clone(), &change.name, format!("more than {MOST_CHANGES} figures are changed"));
            changes.truncate(MOST_CHANGES);
        }
        for change in changes {
            match self.with_change(&change).and_then(|tree| tree.read::<C>().map(|_| tree).map_err(plain)) {
                Ok(tree) => *self = tree,
                Err(why) => faults.push(change.span, &change.name, why),
            }
        }
    }

    fn value_at(&self, path: &[String]) -> Option<&Value> {
        path.iter().try_fold(&self.0, |table, key| table.get(key))?.get("v")
    }

    fn with_change(&self, change: &Change) -> Result<ChartTree, String> {
        let mut tree = self.clone();
        let mut cell = Some(&mut tree.0);
        for key in &change.path {
            cell = cell.and_then(|value| value.as_object_mut()).and_then(|table| table.get_mut(key));
        }
        let Some(Value::Object(found)) = cell else { return Err("the chart has no such figure".to_owned()) };
        match found.get("v") {
            None => Err("is a table of the chart, not a figure".to_owned()),
            Some(old) if !alike(old, &change.value) => Err("is of another kind than the printed figure".to_owned()),
            Some(_) => {
                found.insert("v".into(), change.value.clone());
                found.insert("source".into(), "house".into());
                Ok(tree)
            }
        }
    }
}

fn plain(faults: Faults) -> String {
    faults.faults.first().map_or_else(String::new, |fault| fault.what.clone())
}

fn source_of(table: &Map<String, Value>, inherited: Source) -> Result<Source, String> {
    let Some(word) = table.get("source") else {
        // A ruling alone would be dropped without a word.
        return if table.contains_key("ruling") {
            Err("`ruling` stands without `source`".into())
        } else {
            Ok(inherited)
        };
    };
    let word = word.as_str().ok_or("`source` is not a word")?;
    let ruling = match table.get("ruling") {
        None => 0,
        Some(number) => number.as_u64().ok_or("`ruling` is not the number of a ruling")?,
    };
    format!("{word} {ruling}").parse()
}

fn is_paper(key: &str) -> bool {
    matches!(key, "source" | "ruling" | "clause")
}

/// Gives every cell its papers: a bare value becomes `{ v, source }`.
fn with_papers(value: &Value, inherited: Source) -> Result<Value, String> {
    match value {
        Value::Object(table) => {
            let source = source_of(table, inherited)?;
            if let Some(cell) = table.get("v") {
                if let Some(key) = table.keys().find(|key| !is_paper(key) && *key != "v") {
                    return Err(format!("`{key}` is not one of a figure's papers: source, ruling, clause"));
                }
                return Ok(json!({ "v": cell, "source": source.to_string() }));
            }
            let mut out = Map::new();
            for (key, inner) in table {
                if !is_paper(key) {
                    out.insert(key.clone(), with_papers(inner, source)?);
                }
            }
            Ok(Value::Object(out))
        }
        cell => Ok(json!({ "v": cell, "source": inherited.to_string() })),
    }
}

struct Change {
    path: Vec<String>,
    name: String,
    span: std::ops::Range<usize>,
    value: Value,
}

fn collect(table: &mut SheetTable<'_, '_>, path: &mut Vec<String>, faults: &mut Faults, changes: &mut Vec<Change>) {
    for key in table.keys() {
        path.push(key.clone());
        if !table.is_table(&key) {
            // A figure that cannot be read spoils nothing but itself.
            let (name, span) = (table.join(&key), table.span_of(&key));
            if let Some(value) = table.json(&key, faults)
                && changes.len() <= MOST_FIGURES
            {
                changes.push(Change { path: path.clone(), name, span, value });
            }
        } else if path.len() > MOST_DEPTH {
            table.fault(&key, "no chart is that deep", faults);
        } else if let Some(mut inner) = table.table(&key, faults) {
            collect(&mut inner, path, faults, changes);
        }
        path.pop();
    }
}

fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| alike(a, b)))
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b)),
        (Value::Number(_), Value::Number(_))
        | (Value::String(_), Value::String(_))
        | (Value::Bool(_), Value::Bool(_)) => true,
        _ => false,
    }
}
