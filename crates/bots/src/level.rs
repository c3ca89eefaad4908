//! How good a player is, and how long it may think.

use std::fmt;
use std::str::FromStr;

/// How long players who do not look ahead may take, in milliseconds: the plain plan of a corps on a busy machine.
const PLAIN: u32 = 5_000;

/// How good a player is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Any candidate, all alike.
    Random,
    /// Has a plan and minds the odds.
    Careful,
    /// Tries a few ways on in its head before it orders anything.
    Veteran,
    /// The same with more ways, looked at longer.
    General,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: &'static [Level] = &[Level::Random, Level::Careful, Level::Veteran, Level::General];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Careful => "careful",
            Level::Veteran => "veteran",
            Level::General => "general",
        }
    }

    /// A sentence about it.
    pub const fn about(self) -> &'static str {
        match self {
            Level::Random => "gives any legal order that comes to mind; for a first morning at the table",
            Level::Careful => "has a plan, minds the odds and keeps its officers near the colours",
            Level::Veteran => "tries several ways on in its head before it orders anything",
            Level::General => "the strongest: looks at more of them, and longer",
        }
    }

    /// How long it thinks about a question where somebody waits for the answer, in milliseconds.
    pub const fn patience(self) -> u32 {
        match self {
            Level::Random | Level::Careful => 0,
            Level::Veteran => 240,
            Level::General => 1_600,
        }
    }

    /// The latest moment at which its answer is still one, in milliseconds: half as long again as it means to think, which
    /// for those who look ahead is a fifth more than they are said to need.
    pub const fn deadline(self) -> u32 {
        match self.patience() {
            0 => PLAIN,
            patience => patience * 3 / 2,
        }
    }

    /// Whether it looks ahead.
    pub const fn looks_ahead(self) -> bool {
        matches!(self, Level::Veteran | Level::General)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = String;
    fn from_str(text: &str) -> Result<Level, String> {
        Level::ALL.iter().copied().find(|level| level.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Level::ALL.iter().map(|level| level.name()).collect();
            format!("there is no bot called `{text}`; there are: {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_are_what_people_are_told_and_a_fifth() {
        assert_eq!(Level::Veteran.deadline(), 360);
        assert_eq!(Level::General.deadline(), 2_400);
    }
}
