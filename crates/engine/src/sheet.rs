//! Reading TOML the way a patient clerk does: every fault is written down with its line, and reading goes on.

use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};
use std::fmt;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The largest file anybody is asked to read.
pub const MOST_BYTES: usize = 1 << 20;
/// The deepest value anybody is asked to read: dotted keys inside inline tables could nest by the thousand, and
/// reading goes down by recursion.
const MOST_DEPTH: usize = 64;
/// A hostile file does not get to fill the memory with complaints about itself.
const MOST_FAULTS: usize = 200;

/// One thing wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct FileFault {
    /// Line, counted from 1; 0 where no line can be named.
    pub line: usize,
    /// Column, counted from 1.
    pub column: usize,
    /// Which entry, such as `units.guards.class`.
    pub path: String,
    /// What is wrong and what was expected.
    pub what: String,
}

impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}, column {}: ", self.line, self.column)?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.what)
    }
}

/// Everything wrong with a file, and what is merely unusual in it.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Faults {
    /// What makes the file unusable.
    pub faults: Vec<FileFault>,
    /// What is allowed and worth a second look.
    pub cautions: Vec<FileFault>,
    #[serde(skip)]
    lines: Vec<usize>,
    /// Where a byte continues a letter, so that columns count letters.
    #[serde(skip)]
    inner: Vec<usize>,
}

impl std::error::Error for Faults {}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, fault) in self.faults.iter().enumerate() {
            if n > 0 {
                writeln!(f)?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl Faults {
    /// Whether the file may be used.
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }

    /// Writes down a fault.
    pub fn push(&mut self, span: Range<usize>, path: &str, what: impl Into<String>) {
        if self.faults.len() < MOST_FAULTS {
            let fault = self.located(span, path, what.into());
            self.faults.push(fault);
        }
    }

    /// Writes down a caution.
    pub fn caution(&mut self, span: Range<usize>, path: &str, what: impl Into<String>) {
        if self.cautions.len() < MOST_FAULTS {
            let fault = self.located(span, path, what.into());
            self.cautions.push(fault);
        }
    }

    /// A fault of the whole file.
    pub fn whole(what: impl Into<String>) -> Faults {
        let fault = FileFault { line: 0, column: 0, path: String::new(), what: what.into() };
        Faults { faults: vec![fault], ..Faults::default() }
    }

    /// The value, if nothing was wrong.
    pub fn or<T>(self, value: T) -> Result<T, Faults> {
        if self.is_clean() { Ok(value) } else { Err(self) }
    }

    fn located(&self, span: Range<usize>, path: &str, what: String) -> FileFault {
        let line = self.lines.partition_point(|&start| start <= span.start);
        let start = line.checked_sub(1).and_then(|n| self.lines.get(n)).copied().unwrap_or(0);
        let before = |place: usize| self.inner.partition_point(|&inner| inner < place);
        let letters = span.start.saturating_sub(start).saturating_sub(before(span.start) - before(start));
        FileFault { line, column: letters + 1, path: path.to_owned(), what }
    }
}

/// A parsed file.
pub struct Sheet<'t> {
    root: Spanned<DeTable<'t>>,
}

impl<'t> Sheet<'t> {
    /// Parses the text; a file that is not TOML, or far too long, leaves its faults and nothing else.
    pub fn parse(text: &'t str, faults: &mut Faults) -> Option<Sheet<'t>> {
        faults.lines = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(n, _)| n + 1))
            .collect();
        faults.inner = text.bytes().enumerate().filter(|(_, b)| b & 0xC0 == 0x80).map(|(n, _)| n).collect();
        if text.len() > MOST_BYTES {
            faults.push(0..0, "", format!("the file is longer than {MOST_BYTES} bytes"));
            return None;
        }
        let (root, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            faults.push(error.span().unwrap_or(0..0), "", error.message().to_owned());
        }
        errors.is_empty().then_some(Sheet { root })
    }

    /// The top of the file.
    pub fn root(&self) -> SheetTable<'_, 't> {
        SheetTable { path: String::new(), span: 0..0, table: self.root.get_ref(), used: Vec::new() }
    }
}

/// One table of a file, read entry by entry; [`SheetTable::finish`] complains about what nobody asked for.
pub struct SheetTable<'s, 't> {
    path: String,
    span: Range<usize>,
    table: &'s DeTable<'t>,
    used: Vec<&'s str>,
}

impl<'s, 't> SheetTable<'s, 't> {
    /// Where in the file this table is.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Its dotted name.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether the entry is there.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Whether the entry is there and is a table.
    pub fn is_table(&self, key: &str) -> bool {
        self.table.get(key).is_some_and(|value| matches!(value.get_ref(), DeValue::Table(_)))
    }

    /// Where an entry is, or else the table.
    pub fn span_of(&self, key: &str) -> Range<usize> {
        self.table.get(key).map_or(self.span(), |value| value.span())
    }

    /// A fault of one entry.
    pub fn fault(&self, key: &str, what: impl Into<String>, faults: &mut Faults) {
        faults.push(self.span_of(key), &self.join(key), what);
    }

    /// A caution about one entry.
    pub fn caution(&self, key: &str, what: impl Into<String>, faults: &mut Faults) {
        faults.caution(self.span_of(key), &self.join(key), what);
    }

    /// Reads an entry that must be there.
    pub fn get<T: DeserializeOwned>(&mut self, key: &str, faults: &mut Faults) -> Option<T> {
        if !self.has(key) {
            faults.push(self.span(), &self.path, format!("`{key}` is missing"));
            return None;
        }
        self.optional(key, faults)
    }

    /// Reads an entry that may be left out; a bad one is a fault.
    pub fn optional<T: DeserializeOwned>(&mut self, key: &str, faults: &mut Faults) -> Option<T> {
        let (name, value) = self.table.get_key_value(key)?;
        self.used.push(name.get_ref().as_ref());
        let json =
            json(value.get_ref(), MOST_DEPTH).map_err(|what| faults.push(value.span(), &self.join(key), what)).ok()?;
        match serde_json::from_value(json) {
            Ok(read) => Some(read),
            Err(error) => {
                faults.push(value.span(), &self.join(key), error.to_string());
                None
            }
        }
    }

    /// An entry as plain JSON.
    pub fn json(&mut self, key: &str, faults: &mut Faults) -> Option<Value> {
        self.optional(key, faults)
    }

    /// A table inside this one.
    pub fn table(&mut self, key: &str, faults: &mut Faults) -> Option<SheetTable<'s, 't>> {
        let (name, value) = self.table.get_key_value(key)?;
        self.used.push(name.get_ref().as_ref());
        match value.get_ref() {
            DeValue::Table(table) => {
                Some(SheetTable { path: self.join(key), span: value.span(), table, used: Vec::new() })
            }
            other => {
                faults.push(value.span(), &self.join(key), format!("expected a table, found {}", other.type_str()));
                None
            }
        }
    }

    /// The tables of a keyed group, such as every `[units.KEY]`, in file order.
    pub fn group(&mut self, key: &str, faults: &mut Faults) -> Vec<(String, SheetTable<'s, 't>)> {
        let Some(mut group) = self.table(key, faults) else { return Vec::new() };
        let names: Vec<String> = group.keys();
        names.into_iter().filter_map(|name| group.table(&name, faults).map(|table| (name, table))).collect()
    }

    /// The tables of an array, such as every `[[step]]`.
    pub fn tables(&mut self, key: &str, faults: &mut Faults) -> Vec<SheetTable<'s, 't>> {
        let Some((name, value)) = self.table.get_key_value(key) else { return Vec::new() };
        self.used.push(name.get_ref().as_ref());
        let DeValue::Array(list) = value.get_ref() else {
            faults.push(value.span(), &self.join(key), "expected a list of tables");
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (n, item) in list.iter().enumerate() {
            let path = format!("{}[{}]", self.join(key), n + 1);
            match item.get_ref() {
                DeValue::Table(table) => {
                    tables.push(SheetTable { path, span: item.span(), table, used: Vec::new() });
                }
                other => faults.push(item.span(), &path, format!("expected a table, found {}", other.type_str())),
            }
        }
        tables
    }

    /// The keys of this table in file order.
    pub fn keys(&self) -> Vec<String> {
        self.table.keys().map(|key| key.get_ref().to_string()).collect()
    }

    /// Gives up on the entries nobody has read: [`SheetTable::finish`] will not complain about them. For a file so
    /// faulty that its readers never got to them.
    pub fn release(&mut self) {
        self.used.extend(self.table.keys().map(|key| key.get_ref().as_ref()));
    }

    /// Complains about entries nobody read.
    pub fn finish(&self, faults: &mut Faults) {
        for (key, _) in self.table.iter() {
            let name: &str = key.get_ref().as_ref();
            if !self.used.contains(&name) {
                faults.push(key.span(), &self.join(name), "nothing here knows this entry");
            }
        }
    }

    /// The dotted name of an entry.
    pub fn join(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }
}

/// A TOML value as JSON, so that one set of readers serves files and messages alike.
fn json(value: &DeValue<'_>, depth: usize) -> Result<Value, String> {
    let depth = depth.checked_sub(1).ok_or("is nested too deeply")?;
    Ok(match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix())
            .map(|n| Value::Number(n.into()))
            .map_err(|_| format!("{} is too large a number", digits.as_str()))?,
        DeValue::Float(digits) => digits
            .as_str()
            .parse::<f64>()
            .ok()
            .and_then(Number::from_f64)
            .map(Value::Number)
            .ok_or_else(|| format!("{} is not a number that can be used", digits.as_str()))?,
        DeValue::Boolean(truth) => Value::Bool(*truth),
        DeValue::Datetime(moment) => Value::String(moment.to_string()),
        DeValue::Array(list) => {
            Value::Array(list.iter().map(|item| json(item.get_ref(), depth)).collect::<Result<Vec<_>, _>>()?)
        }
        DeValue::Table(table) => {
            let mut map = Map::new();
            for (key, item) in table.iter() {
                map.insert(key.get_ref().to_string(), json(item.get_ref(), depth)?);
            }
            Value::Object(map)
        }
    })
}
