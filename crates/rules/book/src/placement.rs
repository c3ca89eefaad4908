//! Pieces set up: what every game's deployment is made of.

use engine::{CommanderId, UnitId};
use serde::{Deserialize, Serialize};
use table::Pose;

/// A unit set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement<F> {
    /// Who.
    pub unit: UnitId,
    /// Where.
    pub pose: Pose,
    /// How.
    pub formation: F,
}

/// A commander set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfficerPlacement {
    /// Who.
    pub commander: CommanderId,
    /// Where.
    pub pose: Pose,
}
