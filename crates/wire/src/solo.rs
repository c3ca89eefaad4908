//! A battle one person fights against the computer, taken home by the page: what the server hands out, the lines of the
//! record that come back, and what page and worker say to each other meanwhile.

use crate::live::FromBrowser;
use crate::lobby::BattleInfo;
use crate::study::{Hint, Problem};
use engine::replay::{Entry, Header};
use engine::thoughts::Thoughts;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

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

/// From the page to its worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToHost {
    /// The first message: take this battle up.
    Open {
        /// The seat's key, for what is sent to the server.
        token: String,
        /// What the server handed out: a [`Loan`].
        loan: Box<RawValue>,
        /// What lay on the browser's shelf: [`SoloLines`] the server has not acknowledged.
        shelf: Option<Box<RawValue>>,
        /// Whether to play on; otherwise the shelf is only brought to the server.
        play: bool,
    },
    /// What the page would say to the server.
    Say(FromBrowser),
    /// What would you do?
    Advise,
}

/// From the worker to its page.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromHost {
    /// The program is there and listens.
    Ready,
    /// What the server would say to the page: a [`crate::FromServer`].
    Say(Box<RawValue>),
    /// What the server has not acknowledged yet: [`SoloLines`] to be laid on the browser's shelf.
    Shelve {
        /// As it is to lie there.
        lines: Box<RawValue>,
        /// Whether there is nothing to bring to the server any more.
        empty: bool,
        /// Whether the server does not answer.
        away: bool,
    },
    /// The advice that was asked for.
    Advice(Result<Hint, Problem>),
    /// The server does not take the record: somebody played on elsewhere.
    TakenBack(String),
    /// The host cannot play on.
    Unable(String),
}
