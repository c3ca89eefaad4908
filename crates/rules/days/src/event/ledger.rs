//! What is recorded beside the pieces: fires, works, fords, bridges, what passed whom.

use super::TurnStep;
use crate::charts::TargetClass;
use crate::settings::{Disputed, Weight};
use crate::unit::Absent;
use engine::{FeatureId, Side, StandSet, UnitId};
use serde::{Deserialize, Serialize};
use table::{Angle, Length, Point};

/// Woods or houses on fire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fire {
    /// Which feature.
    pub feature: FeatureId,
    /// The turn it counts from.
    pub since: u16,
}

/// A line on the table that was not there at the start: a barricade, bought works. A light or heavy obstacle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Barrier {
    /// From.
    pub from: Point,
    /// To.
    pub to: Point,
    /// Light or heavy.
    pub weight: Weight,
    /// Burns.
    pub wooden: bool,
}

/// A bridge of boats that was laid, as a strip between two places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Span {
    /// Over what.
    pub water: FeatureId,
    /// From.
    pub from: Point,
    /// To.
    pub to: Point,
    /// Somebody has tried to blow it up in vain.
    #[serde(default)]
    pub mined: bool,
}

/// A place where a ford was looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Search {
    /// Of which river.
    pub river: FeatureId,
    /// Where.
    pub at: Point,
    /// Whether there is one.
    pub found: bool,
}

/// A target that crossed a unit's arc (days.17.3-o).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Crossing {
    /// Who saw it pass.
    pub seen_by: UnitId,
    /// Who passed.
    pub unit: UnitId,
    /// How near it came.
    pub at: Length,
    /// As what it would have been shot at.
    pub class: TargetClass,
    /// Which stands could have fired at it.
    pub by: StandSet,
    /// In which turn.
    pub turn: u16,
}

/// Records beside the pieces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ledger {
    /// The step of the turn in progress.
    pub step: TurnStep,
    /// Who has the initiative this turn.
    pub initiative: Side,
    /// Who won the roll for deployment: he sets up second.
    pub deploys_second: Option<Side>,
    /// Brigades off the table; those not announced yet are known to their owner alone.
    pub absent: Vec<Absent>,
    /// Fires.
    pub fires: Vec<Fire>,
    /// Woods whose nature was found out.
    pub woods: Vec<(FeatureId, Weight)>,
    /// Fords looked for.
    pub fords: Vec<Search>,
    /// Bridges that are down.
    pub broken: Vec<FeatureId>,
    /// Bridges somebody has tried to blow up, in vain or not.
    pub mined: Vec<FeatureId>,
    /// Gaps cleared in obstacles: which, and where their middle is.
    pub gaps: Vec<(FeatureId, Point)>,
    /// Barricades and bought works.
    pub barriers: Vec<Barrier>,
    /// Gaps cleared in those: in which of them, and where their middle is.
    #[serde(default)]
    pub breaches: Vec<(u16, Point)>,
    /// Bridges of boats.
    pub spans: Vec<Span>,
    /// What crossed whose arc.
    pub crossings: Vec<Crossing>,
    /// Where the wind blows to, once it is known (days.15.12-a).
    #[serde(default)]
    pub wind: Option<Angle>,
    /// Switches a die decided, and how.
    #[serde(default)]
    pub disputed: Vec<(Disputed, bool)>,
    /// Who sits at the southern edge, where a die decided it: the others take the places drawn for their enemy (days.16-b).
    #[serde(default)]
    pub south: Option<Side>,
}

impl Ledger {
    /// Before the first turn.
    pub fn new() -> Ledger {
        Ledger {
            step: TurnStep::Initiative,
            initiative: Side::A,
            deploys_second: None,
            absent: Vec::new(),
            fires: Vec::new(),
            woods: Vec::new(),
            fords: Vec::new(),
            broken: Vec::new(),
            mined: Vec::new(),
            gaps: Vec::new(),
            barriers: Vec::new(),
            breaches: Vec::new(),
            spans: Vec::new(),
            crossings: Vec::new(),
            wind: None,
            disputed: Vec::new(),
            south: None,
        }
    }
}

impl Default for Ledger {
    fn default() -> Ledger {
        Ledger::new()
    }
}
