//! Before the battle: what can be played, and how a battle is called into being.

use serde::{Deserialize, Serialize};

/// A ruleset on the first page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulesetCard {
    /// Short name, such as `awi`.
    pub id: String,
    /// Full name.
    pub name: String,
    /// A sentence.
    pub about: String,
    /// Its period in a few words.
    pub period: String,
    /// Whether it can be played yet.
    pub playable: bool,
}

/// A scenario that can be chosen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScenarioInfo {
    /// Such as `awi/cowpens`.
    pub id: String,
    /// Its ruleset.
    pub ruleset: String,
    /// Its name.
    pub title: String,
    /// When it was fought.
    pub date: String,
    /// A few sentences.
    pub about: String,
    /// Names of the sides.
    pub sides: [String; 2],
    /// Units on each side.
    pub units: [u32; 2],
    /// Rounds after which it ends.
    pub turn_limit: Option<u16>,
}

/// An opponent made of code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LevelInfo {
    /// Its name in messages.
    pub name: String,
    /// A few words for people.
    pub about: String,
}

/// Who is to sit on a side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SeatWish {
    /// Somebody with the seat's link.
    Human,
    /// An opponent of this level.
    Bot(String),
}

/// A request for a battle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewBattle {
    /// A scenario that ships with the house; this or `setup`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
    /// A set-up file, whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<String>,
    /// A house-rule file, whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub house: Option<String>,
    /// Where the dice come from; the system's own chance where it is left out. Whoever gives a seed knows the dice, so
    /// it is taken only where no other person sits at the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Who sits on the first and on the second side.
    pub seats: [SeatWish; 2],
    /// Whether a player may ask the house what it would do; where it is left out, only if no two people play each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hints: Option<bool>,
    /// Whether the thoughts of bots may be read while the battle goes on; after it they always may.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open_minds: bool,
}

/// The keys to a battle. Each is the secret of whoever holds the link.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Tokens {
    /// The first side's, where a person sits there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
    /// The second side's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b: Option<String>,
    /// For whoever only watches.
    pub watch: String,
}

/// A battle called into being, or a replay taken in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Created {
    /// The battle's id.
    pub id: String,
    /// Its keys.
    pub tokens: Tokens,
}

/// Who sits on a side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatInfo {
    /// The side's name.
    pub side: String,
    /// The bot's level; none for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
    /// Whether somebody sits there with the table open.
    pub present: bool,
}

/// How a battle stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Standing {
    /// Being fought.
    Playing,
    /// Over.
    Over {
        /// Who won: 0, 1, or nobody.
        winner: Option<u8>,
        /// Why.
        why: String,
        /// The clause.
        clause: String,
    },
    /// The house contradicted itself; the record is kept.
    Frozen {
        /// What happened.
        why: String,
    },
}

/// A battle as anybody with one of its keys may know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BattleInfo {
    /// Its id.
    pub id: String,
    /// Its ruleset.
    pub ruleset: String,
    /// Its name.
    pub title: String,
    /// When it was called into being: seconds since 1970.
    pub created: i64,
    /// When it last changed.
    pub updated: i64,
    /// Who sits where.
    pub seats: [SeatInfo; 2],
    /// How it stands.
    pub standing: Standing,
    /// Hash of the dice's seed, shown from the start so that nobody can change it later.
    pub seed_hash: String,
    /// The seed itself, once the battle is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// How many people watch.
    pub watchers: u32,
    /// Whether players may ask what the house would do.
    #[serde(default)]
    pub hints: bool,
    /// Whether the thoughts of bots may be read before the battle is over.
    #[serde(default)]
    pub open_minds: bool,
}
