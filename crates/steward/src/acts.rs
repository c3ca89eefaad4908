//! Orders and motions, taken or refused.

use engine::game::Game;
use engine::replay::Entry;
use engine::{DecisionNo, Motion, Side, SubmitError, Viewer};
use serde_json::Value;
use wire::Reason;

/// An order or a motion.
#[derive(Clone, PartialEq, Debug)]
pub enum Act {
    /// An answer to the question of this number.
    Order(u32, Value),
    /// An act beside the rulebook.
    Motion(Motion),
}

/// Why something was not done.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    /// In a sentence.
    pub why: String,
    /// The reasons of the rules.
    pub reasons: Vec<Reason>,
    /// Whose fault it is, for those who count in status codes.
    pub kind: RefusalKind,
}

/// Whose fault a refusal is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusalKind {
    /// The rules forbid it, or it cannot be read.
    Illegal,
    /// It comes too late, or the question is not theirs.
    Untimely,
    /// Too much of it.
    TooMany,
    /// The house cannot.
    House,
}

impl Refusal {
    /// A refusal without reasons of the rules.
    pub fn new(kind: RefusalKind, why: impl Into<String>) -> Refusal {
        Refusal { why: why.into(), reasons: Vec::new(), kind }
    }
}

/// An act that was taken.
#[derive(Clone, PartialEq, Debug)]
pub struct Taken {
    /// Events before it.
    pub from: usize,
    /// Whether an order was taken back: the chronicle grew shorter.
    pub shorter: bool,
    /// The number of its line in the record.
    pub n: usize,
    /// The line.
    pub entry: Entry,
}

/// Why an act was not taken.
#[derive(Clone, PartialEq, Debug)]
pub enum Untaken {
    /// It was refused, and nothing changed.
    Refused(Refusal),
    /// The house contradicted itself: what is in memory is no longer true.
    Fault(String),
}

/// Takes an act, or says why not.
pub fn take(game: &mut dyn Game, side: Side, act: &Act) -> Result<Taken, Untaken> {
    let (from, n) = (game.events(), game.entries());
    let taken = match act {
        Act::Order(no, draft) => game.submit(side, DecisionNo(*no), draft).map(|_| true),
        Act::Motion(motion) => game.motion(side, *motion),
    };
    match taken {
        Ok(true) => {}
        Ok(false) => {
            let why = "that would change nothing now";
            return Err(Untaken::Refused(Refusal::new(RefusalKind::Untimely, why)));
        }
        Err(SubmitError::Fault(fault)) => return Err(Untaken::Fault(fault.to_string())),
        Err(error) => return Err(Untaken::Refused(refusal(game, side, &error))),
    }
    let left_none = || Untaken::Fault("an order was taken and left no line in the record".to_owned());
    let entry = game.entry(n).ok_or_else(left_none)?;
    Ok(Taken { from, shorter: game.events() < from, n, entry })
}

fn refusal(game: &dyn Game, side: Side, error: &SubmitError) -> Refusal {
    let SubmitError::Refused(verdict) = error else {
        let kind = match error {
            SubmitError::Unreadable(_) => RefusalKind::Illegal,
            _ => RefusalKind::Untimely,
        };
        return Refusal::new(kind, error.to_string());
    };
    let board = game.board(Viewer::Side(side));
    let reasons = verdict.refusals.iter().map(|note| Reason {
        clause: note.clause.to_string(),
        text: note.text.to_string(),
        about: note.about.and_then(|unit| board.key_of(unit)),
        mark: note.mark.clone(),
    });
    Refusal { why: "the rules forbid it".to_owned(), reasons: reasons.collect(), kind: RefusalKind::Illegal }
}
