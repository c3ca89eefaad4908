//! Decisions, and the orders that answer them: the decision table of section D.

use super::unit::Formation;
pub use book::placement::OfficerPlacement;
use engine::{CommanderId, UnitId};
use serde::{Deserialize, Serialize};
use table::march::Leg;
use table::{Angle, Point};

/// A unit set up.
pub type Placement = book::placement::Placement<Formation>;

/// One stand of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct StandRef {
    pub unit: UnitId,
    pub stand: u8,
}

/// A stand and the unit it shoots at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Shot {
    pub unit: UnitId,
    pub stand: u8,
    pub at: UnitId,
}

/// One unit's move: a change of formation or facing, a path, or both.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Who.
    pub unit: UnitId,
    /// Into which formation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formation: Option<Formation>,
    /// The new facing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facing: Option<Angle>,
    /// Reform at the end of the path instead of its beginning (R97).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after: bool,
    /// The path.
    #[serde(default)]
    pub legs: Vec<Leg>,
}

/// One unit's advance to contact.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aim {
    /// Who.
    pub unit: UnitId,
    /// At whom.
    pub at: UnitId,
    /// A wheel or turn before it goes; halves its pace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wheel: Option<Leg>,
    /// The straight line it then takes, up to 45° off its facing; the shortest way to contact where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bearing: Option<Angle>,
}

/// A unit's target under a fire order; foot fires at the nearest enemy and names none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Target {
    pub unit: UnitId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<UnitId>,
}

/// What a general orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// March, formation and facing kept or wheeling.
    Move,
    /// A march column's move that keeps to the road all the way.
    ByRoad,
    /// Change formation and move up to half pace.
    Reform,
    /// Advance to contact.
    Charge,
    /// Shoot.
    Fire,
    /// Join an independent stand to a unit.
    Attach(UnitId),
    /// Part it again.
    Detach,
    /// The one roll that sets scouting cavalry free.
    Scout,
}

/// How units that obey may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Going {
    /// A move order.
    Move,
    /// The same, wholly on a road.
    ByRoad,
    /// A reform order.
    Reform,
    /// Half pace at most, formation kept: a blunder.
    HalfPace,
}

/// Why the enemy may shoot at a mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Occasion {
    /// It has moved.
    Moved,
    /// It is about to leave the zone.
    Leaving,
    /// It charges, and others than its target fire.
    Charging,
}

/// A question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Decision {
    /// Set the troops up.
    Deploy,
    /// Bring reinforcements on.
    Enter,
    /// Act without orders.
    Initiative,
    /// Give an order through a general; `current` is the one giving orders now.
    Command { current: Option<CommanderId> },
    /// How the units that obey go.
    March { units: Vec<UnitId>, going: Going },
    /// Whom the units that obey charge.
    Charges { units: Vec<UnitId> },
    /// What the units that obey shoot at.
    Shots { units: Vec<UnitId> },
    /// Which unit bears the lasting penalty of a blunder.
    Blame { units: Vec<UnitId> },
    /// Shoot at units that moved: every stand that may, with its target.
    Reaction { occasion: Occasion, targets: Vec<UnitId>, able: Vec<Shot> },
    /// Which stands aim at the unit in the middle; at most so many.
    Concentrate { at: UnitId, stands: Vec<StandRef>, most: u8 },
    /// Cavalry charged by cavalry.
    CavalryReaction { unit: UnitId, charger: UnitId, may_evade: bool },
    /// Pull a unit back under fire by so many inches at most, taking so many markers off.
    FallBack { unit: UnitId, back: u8, markers: u8 },
    /// Which fight is next: one unit of each group.
    NextFight { units: Vec<UnitId> },
    /// Whom a stand fights that touches several enemies.
    Whom { unit: UnitId, stand: u8, among: Vec<UnitId> },
    /// The winner where both would withdraw: stay, or go all the same.
    StayOrGo { unit: UnitId },
    /// After the enemy yielded: follow, reform or stay. `yielded` is who went and still stands on the table.
    FollowUp { unit: UnitId, yielded: Vec<UnitId>, may_follow: bool },
    /// Move the generals.
    Generals,
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Order {
    /// No, none, no more: declines whatever is asked.
    Pass,
    /// Set up; cavalry named under `scouts` is set up as single stands.
    Deploy {
        #[serde(default)]
        units: Vec<Placement>,
        #[serde(default)]
        commanders: Vec<OfficerPlacement>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        scouts: Vec<UnitId>,
    },
    /// Initiative of foot in march column; also what a victorious unit does instead of following up.
    Reform(Step),
    /// Initiative: advance to contact.
    Charge(Aim),
    /// Initiative of cavalry: about, and away.
    Retire {
        unit: UnitId,
    },
    /// Initiative of deployed guns: limber and go.
    LimberBack(Step),
    /// Initiative of limbered guns: into action on the spot.
    Unlimber {
        unit: UnitId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        facing: Option<Angle>,
    },
    /// Initiative of limbered guns: half pace, then into action.
    HalfAndUnlimber(Step),
    /// A free scout rides.
    Scout {
        unit: UnitId,
        legs: Vec<Leg>,
    },
    /// A general gives an order.
    Command {
        general: CommanderId,
        what: What,
        units: Vec<UnitId>,
    },
    /// A higher general raises one below him.
    Raise {
        general: CommanderId,
        who: CommanderId,
    },
    /// The paths of units that obey; whoever is not named stays.
    March {
        moves: Vec<Step>,
    },
    /// All units that obey take the same legs.
    Together {
        legs: Vec<Leg>,
    },
    Charges {
        charges: Vec<Aim>,
    },
    Shots {
        shots: Vec<Target>,
    },
    Blame {
        unit: UnitId,
    },
    /// Everybody who may fires.
    ReactAll,
    /// These fire: all able stands of the units named, and the single stands named.
    React {
        #[serde(default)]
        units: Vec<UnitId>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        stands: Vec<StandRef>,
    },
    Concentrate {
        stands: Vec<StandRef>,
    },
    CounterCharge,
    Evade,
    FallBack,
    Fight {
        unit: UnitId,
    },
    Strike {
        unit: UnitId,
    },
    /// Withdraw although one might stay.
    Go,
    /// Follow up, into a new enemy where the old one got away.
    FollowUp {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<UnitId>,
    },
    /// A general rides to a place, leaving any unit he was with.
    Ride {
        commander: CommanderId,
        to: Point,
    },
    /// A general rides to a unit and attaches himself to it.
    Join {
        commander: CommanderId,
        unit: UnitId,
    },
    /// A general leaves the unit he is with and stays where he is.
    Leave {
        commander: CommanderId,
    },
}
