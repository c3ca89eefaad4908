//! Clauses: the numbered sentences of the rulebooks' specifications, and the registry that lists them all.

use crate::edition::Edition;
use crate::sheet::{Faults, Sheet};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// More clauses than all rulebooks have together, and letters than any id has.
const MOST_CLAUSES: usize = 10_000;
const LONGEST_ID: usize = 60;

/// The id of a clause, such as `awi.3d-d`. Made only by the clause lists of the rulebooks, so a misnamed clause does
/// not compile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClauseId(pub &'static str);

impl ClauseId {
    /// The id as written in the specification.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for ClauseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Ids read from messages, each kept once for good: there are only so many clauses.
static READ: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

impl<'de> Deserialize<'de> for ClauseId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.get(id.as_str()) {
            return Ok(ClauseId(known));
        }
        if read.len() >= MOST_CLAUSES || id.len() > LONGEST_ID {
            return Err(D::Error::custom("this is no clause of any rulebook"));
        }
        let id: &'static str = String::leak(id);
        read.insert(id);
        Ok(ClauseId(id))
    }
}

impl Serialize for ClauseId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

/// What the house does about a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClauseKind {
    /// The engine makes it happen, or refuses what breaks it.
    Enforced,
    /// Checked when the battle is mustered.
    Setup,
    /// Left to the players by the book: a default of ours, and a setting.
    Agreement,
    /// A switch.
    Optional,
    /// Colour, explanation or equipment.
    Info,
}

/// One line of a registry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ClauseEntry {
    /// Id.
    pub id: String,
    /// What the house does about it.
    pub kind: ClauseKind,
    /// A few words.
    pub title: String,
    /// What must happen, in our words.
    pub text: String,
    /// Section of the rulebook.
    pub source: String,
    /// Where sister books of the family number it otherwise: their sections by their ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, String>,
    /// Rulings that settle its unclear places.
    pub rulings: Vec<u16>,
    /// The setting that governs it, if there is one.
    pub setting: Option<String>,
}

/// Every clause of one rulebook, in the order of its specification.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Registry {
    /// The lines.
    pub clauses: Vec<ClauseEntry>,
}

impl Registry {
    /// Reads a registry file.
    pub fn parse(text: &str) -> Result<Registry, Faults> {
        let mut faults = Faults::default();
        let Some(sheet) = Sheet::parse(text, &mut faults) else { return Err(faults) };
        let mut root = sheet.root();
        let mut clauses: Vec<ClauseEntry> = Vec::new();
        for mut entry in root.tables("clause", &mut faults) {
            // Everything is read before anything is given up, so that every fault of a line is named.
            let (id, kind) = (entry.get("id", &mut faults), entry.get("kind", &mut faults));
            let (title, text) = (entry.get("title", &mut faults), entry.get("text", &mut faults));
            let source = entry.get("source", &mut faults);
            let sources = entry.optional("sources", &mut faults).unwrap_or_default();
            let rulings = entry.optional("rulings", &mut faults).unwrap_or_default();
            let setting = entry.optional("setting", &mut faults);
            entry.finish(&mut faults);
            if let (Some(id), Some(kind), Some(title), Some(text), Some(source)) = (id, kind, title, text, source) {
                let line = ClauseEntry { id, kind, title, text, source, sources, rulings, setting };
                if clauses.iter().any(|known| known.id == line.id) {
                    faults.push(entry.span(), entry.path(), format!("clause {} is listed twice", line.id));
                }
                clauses.push(line);
            }
        }
        root.finish(&mut faults);
        faults.or(Registry { clauses })
    }

    /// The clauses of one book, numbered as it numbers them.
    pub fn of(mut self, edition: &Edition) -> Registry {
        let is_ours = |id: &str| id.split_once('.').is_some_and(|(book, _)| edition.prefixes.contains(&book));
        self.clauses.retain(|clause| is_ours(&clause.id));
        for clause in &mut self.clauses {
            if let Some(number) = clause.sources.remove(edition.id) {
                clause.source = number;
            }
        }
        self
    }

    /// Finds a clause by id.
    pub fn find(&self, id: &str) -> Option<&ClauseEntry> {
        self.clauses.iter().find(|clause| clause.id == id)
    }
}
