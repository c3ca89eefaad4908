//! At the table: what goes over the WebSocket of one seat.

use crate::lobby::BattleInfo;
use engine::dump::Dump;
use engine::scene::Told;
use engine::{Mark, Motion, Side, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// From the browser.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FromBrowser {
    /// The first message: the key of the seat.
    Hello {
        /// The seat's token.
        token: String,
    },
    /// An answer to a question.
    Order {
        /// Counted by the browser, given back with the answer.
        seq: u32,
        /// The question's number.
        no: u32,
        /// The order.
        draft: Value,
    },
    /// An act beside the rulebook.
    Motion {
        /// Counted by the browser.
        seq: u32,
        /// What.
        motion: Motion,
    },
    /// Keeps the line open.
    Ping,
}

/// From the server.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromServer {
    /// The answer to [`FromBrowser::Hello`]; also sent again after a take-back, when the chronicle grew shorter.
    Welcome(Box<Welcome>),
    /// Something happened.
    News(Box<News>),
    /// Somebody came or went.
    Presence(Box<BattleInfo>),
    /// An order or motion was taken and is safely written down. The news of it came before.
    Accepted {
        /// Which.
        seq: u32,
    },
    /// An order or motion was not taken; nothing changed.
    Refused {
        /// Which; none where the message could not be read.
        seq: Option<u32>,
        /// In a sentence.
        why: String,
        /// All the reasons the rules give.
        reasons: Vec<Reason>,
    },
    /// The server hangs up; coming back later makes sense where `again` says so.
    Farewell {
        /// Why.
        why: String,
        /// Whether to come back.
        again: bool,
    },
    /// The answer to [`FromBrowser::Ping`].
    Pong,
}

/// Everything a seat needs to sit down.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Welcome {
    /// The battle.
    pub info: BattleInfo,
    /// Whose eyes.
    pub viewer: Viewer,
    /// The table.
    pub board: Dump,
    /// All this seat has been told.
    pub chronicle: Vec<Told>,
    /// A draw or take-back on offer.
    pub offer: Option<(Side, Motion)>,
    /// Whose last order may still be taken back.
    pub may_take_back: Option<Side>,
    /// How many orders and motions were given: the length of the replay. Not told where a secret act would show.
    pub moments: u32,
}

/// What changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct News {
    /// The table now.
    pub board: Dump,
    /// What this seat is told.
    pub told: Vec<Told>,
    /// The battle, where more than the table changed.
    pub info: Option<BattleInfo>,
    /// A draw or take-back on offer.
    pub offer: Option<(Side, Motion)>,
    /// Whose last order may still be taken back.
    pub may_take_back: Option<Side>,
    /// The length of the replay.
    pub moments: u32,
}

/// A reason against an order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reason {
    /// The clause.
    pub clause: String,
    /// In a sentence.
    pub text: String,
    /// The key of the unit it is about.
    pub about: Option<String>,
    /// Where to look.
    pub mark: Option<Mark>,
}
