//! Where output goes: lines, wrapped sentences, bars, JSON. Errors of writing travel up; a closed pipe ends the program
//! quietly.

use crate::args::Colour;
use engine::{Factor, Odds};
use serde::Serialize;
use std::io::{self, BufWriter, IsTerminal, Write};

/// The widest a sentence gets; longer lines are hard to read.
const WIDEST: usize = 100;
const BAR: usize = 30;

/// The standard output.
pub struct Page {
    out: BufWriter<io::Stdout>,
    /// Columns of the terminal, or of a plain page.
    pub width: usize,
    /// Whether somebody watches.
    pub terminal: bool,
}

impl Page {
    pub fn stdout() -> Page {
        let terminal = io::stdout().is_terminal();
        let columns = terminal.then(terminal_size::terminal_size).flatten().map(|(width, _)| usize::from(width.0));
        let width = columns.unwrap_or(WIDEST).clamp(40, 200);
        Page { out: BufWriter::new(io::stdout()), width, terminal }
    }

    /// Whether to paint, as the user wishes it.
    pub fn paints(&self, colour: Colour) -> bool {
        match colour {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                self.terminal && !plain && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
            }
        }
    }

    pub fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        self.out.write_all(text.as_ref().as_bytes())?;
        self.out.write_all(b"\n")
    }

    pub fn blank(&mut self) -> io::Result<()> {
        self.line("")
    }

    /// A sentence, broken between words; later lines are indented as far as `hang`.
    pub fn wrapped(&mut self, first: &str, hang: usize, text: &str) -> io::Result<()> {
        let width = self.width.min(WIDEST);
        for line in wrap(first, hang, text, width) {
            self.line(line)?;
        }
        Ok(())
    }

    pub fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(value)?;
        Ok(self.line(text)?)
    }

    /// Odds as bars, what may follow beneath.
    pub fn odds(&mut self, odds: &Odds) -> io::Result<()> {
        self.line(format!("  {}", odds.title))?;
        if let ([first, .., last], true) = (odds.bars.as_slice(), is_level(odds)) {
            // Twenty equal bars say no more than one line.
            let percent = first.chance * 100.0;
            self.line(format!("    {} to {}, each {percent:.1} %  {}", first.label, last.label, first.exact))?;
            return odds.then.iter().try_for_each(|next| self.odds(next));
        }
        let label = odds.bars.iter().map(|bar| bar.label.chars().count()).max().unwrap_or(0);
        for bar in &odds.bars {
            let filled = (bar.chance * BAR as f64).round() as usize;
            let drawn: String = "█".repeat(filled.min(BAR));
            let pad = " ".repeat(label.saturating_sub(bar.label.chars().count()));
            let percent = bar.chance * 100.0;
            self.line(format!("    {}{pad}  {drawn:<BAR$}  {percent:>5.1} %  {}", bar.label, bar.exact))?;
        }
        self.factors(odds)?;
        for next in &odds.then {
            self.odds(next)?;
        }
        Ok(())
    }

    /// What counts for a throw, and what each of it makes.
    fn factors(&mut self, odds: &Odds) -> io::Result<()> {
        let widest = |text: fn(&Factor) -> &str| odds.factors.iter().map(|one| text(one).chars().count()).max();
        let label = widest(|factor| &factor.label).unwrap_or(0);
        let figure = widest(|factor| &factor.figure).unwrap_or(0);
        for factor in &odds.factors {
            let makes = factor.makes.as_deref().unwrap_or_default();
            self.line(format!(
                "      {:<label$}  {:>figure$}  {makes:<13}  {}, {}",
                factor.label, factor.figure, factor.source, factor.clause
            ))?;
        }
        Ok(())
    }
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether a plot is one long flat line.
fn is_level(odds: &Odds) -> bool {
    odds.bars.len() > 8 && odds.bars.windows(2).all(|pair| pair[0].exact == pair[1].exact)
}

/// Breaks a sentence into lines.
pub fn wrap(first: &str, hang: usize, text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![first.to_owned()];
    let mut empty = true;
    for word in text.split_whitespace() {
        let Some(line) = lines.last_mut() else { break };
        let fits = line.chars().count() + word.chars().count() < width;
        if !empty && !fits {
            lines.push(format!("{}{word}", " ".repeat(hang)));
            continue;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn sentences_break_between_words() {
        assert_eq!(wrap("> ", 2, "one two three", 9), ["> one two", "  three"]);
        assert_eq!(wrap("", 0, "", 20), [""]);
        assert_eq!(wrap("- ", 2, "unbreakablylongword x", 5), ["- unbreakablylongword", "  x"]);
    }
}
