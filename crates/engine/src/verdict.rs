//! Verdicts: all the reasons why an order may not be given, and what would be costly about it.

use crate::clause::ClauseId;
use crate::ids::UnitId;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use table::{Length, Point};

/// Where on the table the UI points.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// A spot.
    Spot(Point),
    /// A line between two spots.
    Line(Point, Point),
    /// A line with its measured length, where the rules let it be known.
    Measured(Point, Point, Length),
}

/// One reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Note {
    /// The clause that says so.
    pub clause: ClauseId,
    /// The reason in a sentence.
    pub text: Cow<'static, str>,
    /// Whom it is about.
    pub about: Option<UnitId>,
    /// Whom it concerns together, where it is about several.
    pub among: Vec<UnitId>,
    /// Where to look.
    pub mark: Option<Mark>,
}

/// The answer to "may I?".
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Verdict {
    /// Why not: empty means yes.
    pub refusals: Vec<Note>,
    /// Legal, but costly or unusual.
    pub cautions: Vec<Note>,
}

impl Verdict {
    /// Nothing against it.
    pub fn fine() -> Verdict {
        Verdict::default()
    }

    /// Whether the order may be given.
    pub fn is_legal(&self) -> bool {
        self.refusals.is_empty()
    }

    /// One more reason against.
    pub fn refuse(&mut self, clause: impl Into<ClauseId>, text: impl Into<Cow<'static, str>>) -> &mut Note {
        push(&mut self.refusals, clause.into(), text.into())
    }

    /// One more caution.
    pub fn caution(&mut self, clause: impl Into<ClauseId>, text: impl Into<Cow<'static, str>>) -> &mut Note {
        push(&mut self.cautions, clause.into(), text.into())
    }

    /// A verdict of one refusal.
    pub fn refused(clause: impl Into<ClauseId>, text: impl Into<Cow<'static, str>>) -> Verdict {
        let mut verdict = Verdict::default();
        verdict.refuse(clause, text);
        verdict
    }
}

fn push<'n>(list: &'n mut Vec<Note>, clause: ClauseId, text: Cow<'static, str>) -> &'n mut Note {
    list.push(Note::new(clause, text));
    let last = list.len() - 1;
    &mut list[last]
}

impl Note {
    /// A reason about nobody in particular.
    pub fn new(clause: impl Into<ClauseId>, text: impl Into<Cow<'static, str>>) -> Note {
        Note { clause: clause.into(), text: text.into(), about: None, among: Vec::new(), mark: None }
    }

    /// Says whom it concerns together.
    pub fn among(&mut self, units: Vec<UnitId>) -> &mut Note {
        self.among = units;
        self
    }

    /// Says whom it is about.
    pub fn about(&mut self, unit: UnitId) -> &mut Note {
        self.about = Some(unit);
        self
    }

    /// Says where.
    pub fn at(&mut self, mark: Mark) -> &mut Note {
        self.mark = Some(mark);
        self
    }
}
