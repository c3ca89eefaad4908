//! Replays: JSON Lines. A header (format, ruleset, revision, set-up, house rules, seed), then one line per order with
//! the hash after it. Orders are the truth.

use crate::battle::{Act, Battle, Keep, Motion, SubmitError};
use crate::dice::Seed;
use crate::hash::StateHash;
use crate::ids::{DecisionNo, Side};
use crate::names;
use crate::ruleset::{Outcome, Ruleset};
use crate::setup::{self, Mode};
use crate::sheet::{Faults, FileFault};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// The format line of a replay.
pub const FORMAT: &str = "grognard/replay 1";
/// The longest replay anybody is asked to read.
pub const MOST_BYTES: usize = 64 << 20;

/// The first line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`FORMAT`].
    pub format: String,
    /// Which rulebook.
    pub ruleset: String,
    /// Which revision of our rules.
    pub revision: u32,
    /// The set-up file, whole.
    pub setup: String,
    /// The house-rule file, whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub house: Option<String>,
    /// Where the dice come from.
    pub seed: Seed,
}

/// Every other line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The question answered; none for a motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no: Option<DecisionNo>,
    /// Who.
    pub side: Side,
    /// The order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Value>,
    /// The motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
    /// The state's hash after it.
    pub hash: StateHash,
}

/// The last line of a finished battle.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ending {
    outcome: Outcome,
}

/// A replay in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayFile {
    /// The first line.
    pub header: Header,
    /// The orders and motions.
    pub entries: Vec<Entry>,
    /// The ending, where the battle has one.
    pub outcome: Option<Outcome>,
}

impl ReplayFile {
    /// Writes a battle down.
    pub fn of<R: Ruleset>(battle: &Battle<R>, setup: &str, house: Option<&str>, seed: Seed) -> ReplayFile {
        let header = Header {
            format: FORMAT.to_owned(),
            ruleset: battle.state().edition().id.to_owned(),
            revision: battle.state().edition().revision,
            setup: setup.to_owned(),
            house: house.map(str::to_owned),
            seed,
        };
        let entries = battle.entries().iter().map(entry_of).collect();
        ReplayFile { header, entries, outcome: battle.outcome().cloned() }
    }

    /// The file.
    pub fn to_text(&self) -> String {
        let mut lines = Vec::with_capacity(self.entries.len() + 2);
        lines.extend(serde_json::to_string(&self.header).ok());
        lines.extend(self.entries.iter().filter_map(|entry| serde_json::to_string(entry).ok()));
        lines.extend(self.outcome.clone().and_then(|outcome| serde_json::to_string(&Ending { outcome }).ok()));
        lines.push(String::new());
        lines.join("\n")
    }

    /// Reads a file; every bad line is named.
    pub fn parse(text: &str) -> Result<ReplayFile, Faults> {
        if text.len() > MOST_BYTES {
            return Err(Faults::whole(format!("the replay is longer than {MOST_BYTES} bytes")));
        }
        let mut faults = Faults::default();
        let mut note = |line: usize, what: String| {
            if faults.faults.len() < 200 {
                faults.faults.push(FileFault { line, column: 1, path: String::new(), what });
            }
        };
        let mut lines = text.lines().enumerate();
        let header = match lines.next() {
            None => Err("the file is empty".to_owned()),
            Some((_, line)) => read_header(line),
        };
        let header = header.map_err(|what| note(1, what)).ok();
        let (mut entries, mut outcome) = (Vec::new(), None);
        let whole = text.ends_with('\n');
        let count = text.lines().count();
        for (n, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            if outcome.is_some() {
                note(n + 1, "the battle goes on after its end".to_owned());
            } else if let Ok(ending) = serde_json::from_str::<Ending>(line) {
                outcome = Some(ending.outcome);
            } else {
                match serde_json::from_str::<Entry>(line) {
                    Ok(entry) if entry.order.is_some() == entry.motion.is_some() => {
                        note(n + 1, "a line holds either an order or a motion".to_owned());
                    }
                    Ok(entry) if entry.order.is_some() != entry.no.is_some() => {
                        note(n + 1, "an order, and no motion, has the number of its question".to_owned());
                    }
                    Ok(entry) => entries.push(entry),
                    Err(_) if n + 1 == count && !whole => note(n + 1, "the last line is cut off".to_owned()),
                    Err(error) => note(n + 1, format!("not a line of a replay: {error}")),
                }
            }
        }
        match header {
            Some(header) if faults.is_clean() => Ok(ReplayFile { header, entries, outcome }),
            _ => Err(faults),
        }
    }
}

/// The format is looked at before the rest: another format may have other entries.
fn read_header(line: &str) -> Result<Header, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| format!("not the header of a replay: {error}"))?;
    match value.get("format").and_then(Value::as_str) {
        Some(FORMAT) | None => {
            serde_json::from_value(value).map_err(|error| format!("not the header of a replay: {error}"))
        }
        Some(other) => Err(format!("expected format \"{FORMAT}\", found \"{other}\"")),
    }
}

/// A line of the record as a file has it.
pub(crate) fn entry_of<R: Ruleset>(entry: &crate::battle::Entry<R>) -> Entry {
    let (no, order, motion) = match &entry.act {
        Act::Order(no, order) => (Some(*no), serde_json::to_value(order).ok(), None),
        Act::Motion(motion) => (None, None, Some(*motion)),
    };
    Entry { no, side: entry.side, order, motion, hash: entry.hash }
}

/// Why a replay does not play.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The set-up in it is faulty.
    #[error("the set-up inside the replay is faulty:\n{0}")]
    Setup(Faults),
    /// It was recorded in another game.
    #[error("a replay of `{found}`, not of `{ours}`")]
    Ruleset {
        /// The replay's.
        found: String,
        /// Ours.
        ours: String,
    },
    /// It was recorded under other rules.
    #[error("recorded under revision {found} of the rules; this is revision {ours}")]
    Revision {
        /// The replay's.
        found: u32,
        /// Ours.
        ours: u32,
    },
    /// An order is refused or unreadable.
    #[error("line {line}: {what}")]
    Line {
        /// Which line.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The state differs from the recorded one.
    #[error("line {line}: after this order the state hash is {found}, the replay says {recorded}")]
    Hash {
        /// Which line.
        line: usize,
        /// What came out.
        found: StateHash,
        /// What was recorded.
        recorded: StateHash,
    },
    /// The recorded ending is not the one that came out.
    #[error("the replay records another ending than the orders give")]
    Ending,
}

/// Plays a replay through its first `upto` lines (all where `None`), checking every hash.
pub fn play<R: Ruleset>(replay: &ReplayFile, upto: Option<usize>) -> Result<Battle<R>, ReplayError> {
    let header = &replay.header;
    let Some(edition) = R::edition_no(&header.ruleset).map(R::edition) else {
        let ours = R::EDITIONS.iter().map(|edition| edition.id).collect::<Vec<_>>().join("` or `");
        return Err(ReplayError::Ruleset { found: header.ruleset.clone(), ours });
    };
    if header.revision != edition.revision {
        return Err(ReplayError::Revision { found: header.revision, ours: edition.revision });
    }
    let mustered =
        setup::muster::<R>(&header.setup, header.house.as_deref(), Mode::Battle).map_err(ReplayError::Setup)?;
    let mut battle = Battle::seeded(mustered.state, header.seed, Keep::Everything);
    let count = upto.unwrap_or(replay.entries.len()).min(replay.entries.len());
    for (n, entry) in replay.entries.iter().take(count).enumerate() {
        let line = n + 2;
        repeat(&mut battle, entry).map_err(|what| ReplayError::Line { line, what })?;
        let found = battle.hash();
        if found != entry.hash {
            return Err(ReplayError::Hash { line, found, recorded: entry.hash });
        }
    }
    if count == replay.entries.len() && replay.outcome.is_some() && replay.outcome.as_ref() != battle.outcome() {
        return Err(ReplayError::Ending);
    }
    Ok(battle)
}

/// One line of a record done again.
pub(crate) fn repeat<R: Ruleset>(battle: &mut Battle<R>, entry: &Entry) -> Result<(), String> {
    if let Some(motion) = entry.motion {
        return battle.motion(entry.side, motion).map(|_| ()).map_err(|error| error.to_string());
    }
    let draft = entry.order.clone().unwrap_or_default();
    let draft = names::inward(battle.state().muster(), &draft).map_err(|wrong| wrong.join("; "))?;
    let order: R::Order =
        serde_json::from_value(draft).map_err(|error| format!("the order cannot be read: {error}"))?;
    let no = entry.no.unwrap_or_default();
    battle.submit(entry.side, no, order).map(|_| ()).map_err(|error| match error {
        SubmitError::Refused(verdict) => {
            let reasons: Vec<String> =
                verdict.refusals.iter().map(|note| format!("{} [{}]", note.text, note.clause)).collect();
            format!("the order is refused: {}", reasons.join("; "))
        }
        other => other.to_string(),
    })
}
