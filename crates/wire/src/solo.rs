//! A battle one person fights against the computer, taken home by the page: what the server hands out, the lines of the
//! record that come back, and what page and worker say to each other meanwhile.

use crate::lobby::BattleInfo;
use engine::replay::{Entry, Header};
use engine::thoughts::Thoughts;
use serde::{Deserialize, Serialize};

/// A page asks for a battle to play it itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LoanRequest {
    /// The loan this browser had before, where the page was loaded again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
}

/// Whether a page gets a battle to play it itself.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LoanAnswer {
    /// The battle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loan: Option<Loan>,
    /// Why it is played over the server instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A battle handed out: everything its authority needs, the seed and what is hidden among it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Loan {
    /// The family of rulebooks, whose program hosts the battle.
    pub family: String,
    /// Names this loan; every line that comes back shows it.
    pub lease: String,
    /// The battle, with the bot's level.
    pub info: BattleInfo,
    /// The side the person leads: 0 or 1.
    pub side: u8,
    /// The first line of the replay.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub header: Header,
    /// The orders and motions so far.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Object>))]
    pub entries: Vec<Entry>,
}

/// One new line of the record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SoloLine {
    /// As a replay has it.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub entry: Entry,
    /// What the bot thought before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub thoughts: Option<Thoughts>,
}

/// Lines the server is to keep. None of them only says that the battle is still being played.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SoloLines {
    /// Under which loan.
    pub lease: String,
    /// The number of the first line.
    pub from: u32,
    /// At most 100.
    pub lines: Vec<SoloLine>,
}

/// What the server has now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Kept {
    /// So many lines.
    pub lines: u32,
}

/// What page and worker say to each other is text: a word of these, a space, and what belongs to it. The page takes no
/// more of it apart than it must, for everybody fetches the page.
pub mod word {
    /// To the worker: what the page would say to the server, a [`crate::FromBrowser`]. To the page: what the server would
    /// say, a [`crate::FromServer`].
    pub const SAY: &str = "say";
    /// To the worker, first: take a battle up and play it. The seat's key, the [`crate::LoanAnswer`] and what lay on the
    /// browser's shelf, a line each.
    pub const OPEN: &str = "open";
    /// To the worker: the same, but only bring the shelf to the server.
    pub const FLUSH: &str = "flush";
    /// To the worker: what would you do? To the page: a [`crate::Hint`].
    pub const ADVICE: &str = "advice";
    /// To the page: why there is no advice.
    pub const SILENT: &str = "silent";
    /// To the page: the program is there and listens.
    pub const READY: &str = "ready";
    /// To the page: everything is at the server; what is to lie on the shelf all the same names the loan.
    pub const KEPT: &str = "kept";
    /// To the page: [`crate::SoloLines`] for the shelf that are on their way to the server.
    pub const SENT: &str = "sent";
    /// To the page: the same, and the server does not answer.
    pub const AWAY: &str = "away";
    /// To the page: the server does not take the record, and why: somebody played on elsewhere.
    pub const TAKEN_BACK: &str = "taken-back";
    /// To the page: why the host cannot play on.
    pub const UNABLE: &str = "unable";
}
