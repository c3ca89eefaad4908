//! Beside the table: clauses, replays, and the plain way for programs.

use engine::Motion;
use engine::dump::Dump;
use engine::scene::Told;
use engine::thoughts::Thoughts;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Why a request was not served: every answer that is not 2xx has this body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// In a sentence.
    pub why: String,
    /// Every single fault, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
}

/// A clause in our words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClauseCard {
    /// Its id.
    pub id: String,
    /// What the house does about it.
    pub kind: String,
    /// A few words.
    pub title: String,
    /// What must happen.
    pub text: String,
    /// Section of the rulebook.
    pub source: String,
    /// Rulings that settle its unclear places, such as `awi-0044`.
    pub rulings: Vec<String>,
    /// The setting that governs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setting: Option<String>,
}

/// All clauses of a ruleset.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClauseList {
    /// The ruleset.
    pub ruleset: String,
    /// In the order of the specification.
    pub clauses: Vec<ClauseCard>,
}

/// A ruling as docs/rulings/ has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulingText {
    /// Such as `awi-0044`.
    pub id: String,
    /// Markdown.
    pub text: String,
}

/// One moment of a replay, as the asker's seat may see it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Frame {
    /// After how many orders and motions.
    pub moment: u32,
    /// The table then. Each frame is whole, so that a reader may begin anywhere.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub board: Dump,
    /// What was told by the last of them.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Object>))]
    pub told: Vec<Told>,
    /// Whose order it was: 0, 1, or none before the first.
    pub by: Option<u8>,
}

/// Some moments of a replay.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Frames {
    /// How many moments there are, the beginning counted.
    pub total: u32,
    /// The ones asked for.
    pub frames: Vec<Frame>,
}

/// What a program sees of a battle.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BoardAnswer {
    /// The table as the seat sees it.
    pub scene: Value,
    /// The pieces by key.
    pub pieces: Value,
    /// The question, where this seat is asked one.
    pub prompt: Option<Value>,
}

/// An order given without a socket.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OrderRequest {
    /// The question's number.
    pub no: u32,
    /// The order.
    pub draft: Value,
}

/// A motion made without a socket.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MotionRequest {
    /// What: `concede`, `draw`, `take_back`, `decline` or `dispute_die`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub motion: Motion,
}

/// What the house thinks of a set-up file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetupReport {
    /// Whether a battle can begin with it.
    pub fine: bool,
    /// What makes it unusable, with line and reason.
    pub faults: Vec<String>,
    /// What is allowed and worth a second look.
    pub cautions: Vec<String>,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OrderAnswer {
    /// Whether it was taken.
    pub accepted: bool,
    /// What the seat is told.
    pub told: Vec<Value>,
    /// All the reasons against it.
    pub reasons: Vec<Value>,
}

/// What the house would do in a player's place.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Hint {
    /// The question it is about.
    pub no: u32,
    /// At most three ways on, best first, and what each brigade would do in the best of them.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub thoughts: Thoughts,
}

/// What a bot thought before one of its orders.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MindAt {
    /// The moment of the replay its order led to.
    pub moment: u32,
    /// Whose: 0 or 1.
    pub by: u8,
    /// The ways it weighed, the one it took first, and its plan.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub thoughts: Thoughts,
}

/// What the bots of a battle thought.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Minds {
    /// By moment.
    pub minds: Vec<MindAt>,
}
