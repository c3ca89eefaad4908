//! Source files, with what the checks need to know about each.

use anyhow::{Context, Result};
use std::path::PathBuf;

/// A source file.
pub struct Source {
    /// Where it is.
    pub path: PathBuf,
    /// Its lines.
    pub lines: Vec<String>,
    /// Whether it is a test, a benchmark, an example or a build script.
    pub is_test: bool,
    parts: Vec<String>,
}

impl Source {
    /// Reads a file.
    pub fn read(path: PathBuf) -> Result<Source> {
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let parts: Vec<String> = shell::shown(&path).split('/').map(str::to_owned).collect();
        let aside = ["tests", "benches", "examples", "build.rs"];
        let is_test = parts.iter().any(|part| aside.contains(&part.as_str()));
        Ok(Source { path, lines: text.lines().map(str::to_owned).collect(), is_test, parts })
    }

    /// Its crate's folder, such as `engine`.
    pub fn crate_name(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [crates, name, ..] if crates == "crates" => Some(name),
            _ => None,
        }
    }

    /// The rulebook it belongs to, where it lies in the folder of one.
    pub fn family(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [crates, rules, family, src, ..] if crates == "crates" && rules == "rules" && src == "src" => Some(family),
            [crates, bots, src, family, _, ..] if crates == "crates" && bots == "bots" && src == "src" => Some(family),
            _ => None,
        }
    }

    /// The path below `src/`.
    pub fn inner(&self) -> String {
        self.parts.iter().skip_while(|part| *part != "src").skip(1).cloned().collect::<Vec<_>>().join("/")
    }

    /// Whether a line says, on it or above it, that it knows what it does.
    pub fn allows(&self, number: usize) -> bool {
        let here = number.checked_sub(1).and_then(|n| self.lines.get(n));
        let above = number.checked_sub(2).and_then(|n| self.lines.get(n));
        here.into_iter().chain(above).any(|line| line.contains("// tidy: allow("))
    }

    /// Its lines of code with their numbers: without comments, without the inside of strings, up to the tests at its
    /// end.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let end = self.lines.iter().position(|line| line.trim() == "#[cfg(test)]").unwrap_or(self.lines.len());
        let lines = if self.is_test { &self.lines[..] } else { &self.lines[..end] };
        lines.iter().enumerate().map(|(n, line)| (n + 1, line.as_str())).filter_map(|(n, line)| {
            let line = before_comment(line);
            (!line.trim().is_empty()).then_some((n, line))
        })
    }
}

/// The part of a line before its comment. Strings are left in: a word in a sentence is rarely a word of the code, and
/// where it is, the sentence can be put another way.
fn before_comment(line: &str) -> &str {
    let mut inside = false;
    let mut last = ' ';
    for (at, c) in line.char_indices() {
        match c {
            '"' if last != '\\' => inside = !inside,
            '/' if !inside && last == '/' => return &line[..at - 1],
            _ => {}
        }
        last = c;
    }
    line
}

#[cfg(test)]
mod checks {
    use super::before_comment;

    #[test]
    fn comments_are_cut_and_strings_kept() {
        assert_eq!(before_comment("let x = 1; // one"), "let x = 1; ");
        assert_eq!(before_comment("let x = \"a//b\"; // c"), "let x = \"a//b\"; ");
    }
}
