//! Decisions, and the orders that answer them: the decision table of section D.

use super::unit::Formation;
pub use book::placement::OfficerPlacement;
use engine::{CommandId, CommanderId, FeatureId, UnitId};
use serde::{Deserialize, Serialize};
use table::march::Leg;
use table::terrain::Edge;
use table::{Angle, Length, Point};

/// A piece that can be hit or aimed at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// A unit.
    Unit(UnitId),
    /// A commander.
    Commander(CommanderId),
}

/// The six verbs of an order to a brigade (R65).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Verb {
    Advance,
    Attack,
    Hold,
    Withdraw,
    Support,
    Reserve,
}

/// What an order is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Objective {
    Point(Point),
    Feature(FeatureId),
    Unit(UnitId),
    Brigade(CommandId),
    Edge(Edge),
    Nothing,
}

/// An order to a brigade.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// What to do.
    pub verb: Verb,
    /// About what.
    pub objective: Objective,
}

/// An order with the brigade it is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BrigadeOrder {
    /// The brigade.
    pub to: CommandId,
    /// The order.
    pub order: Standing,
}

/// A unit set up.
pub type Placement = book::placement::Placement<Formation>;

/// Why a path is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Going {
    /// A basic move at full allowance.
    Full,
    /// A basic move at half allowance before firing.
    Half,
    /// The half move after a shot.
    AfterFire,
    /// The half move after a change of formation.
    AfterReform,
    /// Straight back out of a melee.
    BreakingOff,
    /// The same at half allowance, to fire afterwards.
    BreakingOffHalf,
}

impl Going {
    /// Whether it is out of a melee.
    pub fn is_breaking_off(self) -> bool {
        matches!(self, Going::BreakingOff | Going::BreakingOffHalf)
    }

    /// Whether it is at half allowance.
    pub fn is_half(self) -> bool {
        !matches!(self, Going::Full | Going::BreakingOff)
    }
}

/// How far a unit may go: the figure off the road, and the one on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Allowance {
    /// Anywhere.
    pub anywhere: Length,
    /// If the whole path is on a road.
    pub by_road: Length,
    /// Only the road was declared (guns on the move).
    pub road_only: bool,
}

/// A question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Decision {
    /// Set the troops up.
    Deploy,
    /// Hide the sharpshooters.
    PlaceSharpshooters { most: u8 },
    /// Give every brigade its first order.
    FirstOrders,
    /// The winner of the dice chooses who begins.
    ChooseFirst,
    /// In which order routers try to rally.
    RallyOrder { units: Vec<UnitId> },
    /// Where a rallied unit looks.
    RallyFacing { unit: UnitId },
    /// Try to halt a pursuit, or ride on.
    Pursuer { unit: UnitId },
    /// Send a courier.
    SendCourier,
    /// Give the next piece its programme.
    Activate,
    /// Draw the path.
    Path { unit: UnitId, going: Going, allowance: Allowance },
    /// Fire at a charge that fell short.
    FailedChargeVolley { unit: UnitId, at: UnitId },
    /// Grapeshot or plain shot at the charger.
    DefensiveGrape { unit: UnitId, at: UnitId },
    /// Support a charged friend with fire.
    Support { charger: UnitId, target: UnitId, able: Vec<UnitId> },
    /// Try for an officer with one of the hits.
    OfficerAttempt { by: UnitId, able: Vec<CommanderId> },
    /// Spend melee hits on officers.
    DivertHits { hits: u8, able: Vec<CommanderId> },
    /// Run after the unit that broke.
    Pursue { unit: UnitId, quarry: UnitId },
    /// Fire the next piece.
    Fire,
    /// Equally near pieces: which takes the odd hit.
    ShellTie { among: Vec<Piece> },
    /// Which melee is fought next.
    MeleeNext { units: Vec<UnitId> },
    /// Equally strong enemies: which loses the mark of an unopposed die.
    UnopposedLoss { among: Vec<UnitId> },
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Order {
    /// No, none, no more: declines whatever is asked.
    Pass,
    Deploy {
        #[serde(default)]
        units: Vec<Placement>,
        #[serde(default)]
        commanders: Vec<OfficerPlacement>,
    },
    Sharpshooters {
        at: Vec<Point>,
    },
    FirstOrders {
        orders: Vec<BrigadeOrder>,
    },
    /// Begin, or let the other side begin.
    Begin {
        me: bool,
    },
    Sequence {
        units: Vec<UnitId>,
    },
    Face {
        facing: Angle,
    },
    TryHalt,
    GoOn,
    Send {
        to: CommandId,
        order: Standing,
    },
    /// A commander rides.
    Ride {
        commander: CommanderId,
        to: Point,
    },
    Hold {
        unit: UnitId,
    },
    Move {
        unit: UnitId,
        #[serde(default)]
        half: bool,
        #[serde(default)]
        by_road: bool,
        /// The path at once, where no die decides the allowance.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        legs: Vec<Leg>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        with: Vec<CommanderId>,
    },
    FireThenMove {
        unit: UnitId,
        at: UnitId,
        #[serde(default)]
        grape: bool,
    },
    Reform {
        unit: UnitId,
        formation: Formation,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        facing: Option<Angle>,
        /// Stand and fire afterwards instead of moving.
        #[serde(default)]
        to_fire: bool,
    },
    Limber {
        unit: UnitId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        facing: Option<Angle>,
    },
    Unlimber {
        unit: UnitId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        facing: Option<Angle>,
    },
    Load {
        unit: UnitId,
    },
    Charge {
        unit: UnitId,
        at: UnitId,
        /// The straight line of the charge; toward the middle of the target where it is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bearing: Option<Angle>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        with: Vec<CommanderId>,
    },
    BreakOff {
        unit: UnitId,
        #[serde(default)]
        half: bool,
    },
    TurnInMelee {
        unit: UnitId,
        face: UnitId,
    },
    Path {
        #[serde(default)]
        legs: Vec<Leg>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        with: Vec<CommanderId>,
    },
    Fire {
        unit: UnitId,
        at: UnitId,
        #[serde(default)]
        grape: bool,
    },
    Shell {
        unit: UnitId,
        bearing: Angle,
        estimate: Length,
    },
    Snipe {
        unit: UnitId,
        at: Piece,
    },
    /// Fire the volley one is offered.
    Shoot,
    Grape,
    Support {
        unit: UnitId,
    },
    Attempt {
        on: CommanderId,
    },
    Divert {
        on: Vec<CommanderId>,
    },
    Pursue,
    Pick {
        piece: Piece,
    },
    Fight {
        unit: UnitId,
    },
    Strike {
        unit: UnitId,
    },
}
