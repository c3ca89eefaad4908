//! Questions and answers. Nearly every question goes to both sides at once, and the answers stay sealed until both are
//! in. Section D.

use super::formation::Formation;
use book::words;
use engine::{BySide, CommandId, CommanderId, FeatureId, UnitId};
use serde::{Deserialize, Serialize};
use table::march::Leg;
use table::{Point, Pose};

words! {
    /// What a brigade is told to do (R50).
    Posture { Advance = "advance", Attack = "attack", Hold = "hold", Withdraw = "withdraw", }
}

/// Somewhere, or somebody: what an order aims at, what prompts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Matter {
    Point(Point),
    Feature(FeatureId),
    Unit(UnitId),
}

/// A brigade's order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BrigadeOrder {
    /// What it does.
    pub posture: Posture,
    /// Toward what.
    pub objective: Matter,
}

/// A new order for a brigade (R50).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewOrder {
    /// Who gives it; its own commander where nobody is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<CommanderId>,
    /// What he saw that prompts it: an enemy, a friend or a feature.
    pub cause: Matter,
    /// The order.
    pub order: BrigadeOrder,
}

/// A brigade its owner wants to move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nomination {
    /// Which.
    pub brigade: CommandId,
    /// Through whom a continuing order is given, if not its own commander (R46).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<CommanderId>,
    /// A new order; without one it goes on with what it was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<NewOrder>,
    /// Higher generals present with it who lend their weight (R45).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub present: Vec<CommanderId>,
}

/// A shot marked for indirect fire (P2).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marking {
    /// Which battery.
    pub battery: UnitId,
    /// At whom.
    pub at: UnitId,
    /// Where the marker lies; where the target stands if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    /// The pattern: columns across and rows along the line of fire, the marker's block being (0, 0); the house lays
    /// them side by side if they are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<(i8, i8)>,
}

/// One step of a unit's plan. A battery's steps follow its cycle: march, unlimber, fire, limber, march… (R63).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Step {
    March(Vec<Leg>),
    Form(Formation),
    Mount,
    Dismount,
    Unlimber,
    Limber,
    Fire,
}

/// One line of a side's plan for the bound (P4.1).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Move {
    /// A unit marches, changes formation, works its guns. `defend`: it lines this cover at the end (R59).
    March {
        unit: UnitId,
        steps: Vec<Step>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        defend: Option<FeatureId>,
    },
    /// A unit charges: at most one wheel, then straight on; straight at its target where no legs are given.
    Charge {
        unit: UnitId,
        at: UnitId,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        legs: Vec<Leg>,
        /// A general attached to it who leads.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        led_by: Option<CommanderId>,
    },
    /// A general rides, leaving any unit he was with.
    Ride { commander: CommanderId, to: Point },
    /// A general rides to a unit of his and goes along with it.
    Join { commander: CommanderId, unit: UnitId },
    /// A battery's observer walks.
    Observe { battery: UnitId, to: Point },
    /// A screen is thrown out: its elements from these battalions, its middle here.
    Screen { screen: UnitId, parents: Vec<UnitId>, pose: Pose },
    /// A screen goes back to its battalions.
    Recall { screen: UnitId },
    /// Gunners return to abandoned guns.
    Return { battery: UnitId },
    /// Lies down, where that is allowed at will.
    LieDown { unit: UnitId },
}

/// A shot: who at whom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Shot {
    pub unit: UnitId,
    pub at: UnitId,
}

/// A unit set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Placement {
    pub unit: UnitId,
    pub pose: Pose,
    pub formation: Formation,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// The cover it lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defend: Option<FeatureId>,
}

/// An observer set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ObserverPlacement {
    pub battery: UnitId,
    pub at: Point,
}

/// A brigade's opening order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct OpeningOrder {
    pub brigade: CommandId,
    pub order: BrigadeOrder,
}

/// A question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Decision {
    /// Set the troops up and give the opening orders.
    Deploy,
    /// P1.1: name brigades, give new orders, say who does not reform.
    Nominate,
    /// P1.3: deal the dice; each side's dice in the order of its nominations.
    Allot { dice: BySide<Vec<u8>>, brigades: BySide<Vec<CommandId>> },
    /// P2: mark targets for indirect fire.
    Mark,
    /// P4.1: one plan for all movement of the bound.
    Plot,
    /// P4.3: cavalry that may ride against those charging it, by side.
    CounterCharge { able: BySide<Vec<Shot>> },
    /// P6.1: guns choose targets.
    Guns,
    /// P7.1: everybody else does.
    Musketry,
    /// P8.3: infantry that failed its test may lie down.
    LieDown { units: Vec<UnitId> },
    /// P8.3: guns about to be reached: stand by them, or run to cover or friends.
    Abandon { battery: UnitId },
    /// P9.1: go on against a further enemy in the path.
    PressOn { unit: UnitId, among: Vec<UnitId> },
    /// P9.4: winning cavalry rides through the losers.
    RideThrough { unit: UnitId },
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Order {
    /// No, none, no more: declines whatever is asked.
    Pass,
    /// Set up; whoever is not named stands where the set-up places him.
    Deploy {
        #[serde(default)]
        units: Vec<Placement>,
        #[serde(default)]
        commanders: Vec<book::placement::OfficerPlacement>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        observers: Vec<ObserverPlacement>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        orders: Vec<OpeningOrder>,
    },
    /// Brigades to be moved, in the order their dice are rolled; units in combat disorder that do not stand to reform.
    Nominate {
        brigades: Vec<Nomination>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        stay_disordered: Vec<UnitId>,
    },
    /// One entry for each nominated brigade: the number of the die it gets, counted from 0, or none.
    Allot {
        deal: Vec<Option<u8>>,
    },
    Mark {
        shots: Vec<Marking>,
    },
    /// The plan. `groups`: units that move as one, at the pace of the slowest.
    Plot {
        moves: Vec<Move>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        groups: Vec<Vec<UnitId>>,
    },
    CounterCharge {
        units: Vec<UnitId>,
    },
    /// Shots; whoever is not named holds its fire. Indirect fire marked before is fired unless its battery is named
    /// here or under `hold`.
    Fire {
        shots: Vec<Shot>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hold: Vec<UnitId>,
    },
    LieDown {
        units: Vec<UnitId>,
    },
    Abandon,
    PressOn {
        at: UnitId,
    },
    RideThrough,
}
