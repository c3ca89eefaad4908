//! The printed books of a family. Most families have one; where two books share their chapters, they differ in what is
//! listed here: figures, clauses, a name.

/// One printed book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edition {
    /// Short name, such as `awi`: what a file says after `ruleset =`.
    pub id: &'static str,
    /// The book's full name.
    pub name: &'static str,
    /// A sentence about it.
    pub about: &'static str,
    /// Counts up whenever a rules fix may change how an old battle goes.
    pub revision: u32,
    /// The printed charts.
    pub charts: &'static str,
    /// The clause registry, which may hold clauses of sister books as well.
    pub clauses: &'static str,
    /// What clause ids of this book begin with, before the first point.
    pub prefixes: &'static [&'static str],
}

/// Which of a family's books a battle is fought by: its place in [`Ruleset::EDITIONS`](crate::Ruleset::EDITIONS).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct EditionNo(pub u8);
