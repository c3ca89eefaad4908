//! Questions and answers. Rallying, shooting and defensive fire are asked of both sides at once and stay sealed until
//! both have answered; everything else goes in the order of initiative. Part D.

use super::formation::{Formation, Shape};
use super::unit::{Crest, Task};
use engine::{BySide, CommandId, CommanderId, FeatureId, UnitId};
use serde::{Deserialize, Serialize};
use table::march::Leg;
use table::terrain::Edge;
use table::{Angle, Point, Pose};

/// A unit set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Placement {
    pub unit: UnitId,
    pub pose: Pose,
    pub formation: Formation,
    /// Known to its owner alone until it shoots or is seen (days.16.4-a).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Where it stands at a crest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crest: Option<Crest>,
}

/// Field works that were bought, laid along a line (days.5.2-g).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct WorkPlacement {
    pub from: Point,
    pub to: Point,
}

/// A brigade that comes on (days.16.5-d).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Arrival {
    pub brigade: CommandId,
    pub edge: Edge,
    pub at: Point,
}

/// What a charger does before it goes straight on (days.17.2.3-a).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Before {
    Wheel(Leg),
    Form(Formation),
}

/// One unit of a charge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Charger {
    /// Who.
    pub unit: UnitId,
    /// Only so many stands of it charge; the rest stays (days.17.2.6-a).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squadron: Option<u8>,
    /// A wheel or a change of formation; not for a charge of opportunity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Before>,
    /// How far the 1st Impulse goes straight on; as far as it may where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advance: Option<table::Length>,
}

/// A charge: one test for all who are named (days.17.2.2-c, -e).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Declaration {
    pub units: Vec<Charger>,
    pub at: UnitId,
}

/// A general who helps a unit rally.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Help {
    pub general: CommanderId,
    pub unit: UnitId,
}

/// How a unit forms when it rallies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Reform {
    pub unit: UnitId,
    pub formation: Formation,
}

/// A shot: all stands of the unit that can shoot at this target do, or only so many. Without a target every stand fires
/// at whoever is nearest; without a target and with no stands the unit keeps its fire back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    /// Who shoots.
    pub unit: UnitId,
    /// At which unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<UnitId>,
    /// Or at which general (skirmishers only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub general: Option<CommanderId>,
    /// No more stands or models than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands: Option<u8>,
    /// At what crossed its arc, where and as it was then (days.17.3-o).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub passing: bool,
}

/// Fire kept back for whoever charges (days.17.3.1-a).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reserve {
    /// Whose.
    pub unit: UnitId,
    /// So many stands or models; all that do not fire where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands: Option<u8>,
}

/// An attempt to set woods or houses alight from inside (days.15.9-b).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Arson {
    pub feature: FeatureId,
    pub units: Vec<UnitId>,
}

/// One step of a unit's move. At most one of them is a change of formation (days.17.4.7-a).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Step {
    /// Legs: straight, wheels; `turn` and `about` are changes of formation.
    March(Vec<Leg>),
    Form(Formation),
    Mount,
    Dismount(Formation),
    Limber,
    Unlimber(Shape),
}

/// A unit on a forced march (days.17.4.5-a).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ForcedMarch {
    pub unit: UnitId,
    pub legs: Vec<Leg>,
}

/// A question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Decision {
    /// S6: what stays off the table, who hides, where bought works lie.
    Reserves,
    /// S7 by maps: everybody at once.
    Deploy,
    /// S7 in turn: one brigade of those left. Army troops and independent units are the last brigade, without a number.
    DeployBrigade { left: Vec<Option<CommandId>> },
    /// 1.2: put somebody in the place of a general who is lost.
    Replace { lost: Vec<CommanderId> },
    /// 2.1: announce brigades that come on.
    Arrive { absent: Vec<CommandId> },
    /// 2.3: declare charges.
    Charges,
    /// 2.6: who helps whom, who does not try.
    Rally,
    /// 3.1: choose targets, keep fire back.
    Fire,
    /// 4.1, 4.2, 4.7, 4.9: stood the test of being charged: stand, change formation or evade.
    React { unit: UnitId, by: Vec<UnitId> },
    /// 4.4: break charges off.
    Feint { among: Vec<UnitId> },
    /// 4.6, 4.8: charges of opportunity.
    Opportunity,
    /// 4.10: fire kept back.
    Defend,
    /// 4.11: one move, and then the next.
    Move,
    /// 5.2: who stays in its cover instead of falling back, who does not follow, by side.
    Assault { stay: BySide<Vec<UnitId>>, follow: BySide<Vec<UnitId>> },
    /// 5.4: the beaten enemy is gone: wheel towards another before going on.
    GoOn { unit: UnitId },
    /// 5.5: give up units that are beaten anyway.
    Surrender { units: Vec<UnitId> },
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Order {
    /// No, none, no more: declines whatever is asked. In movement it ends the side's moves.
    Pass,
    Reserve {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        off: Vec<CommandId>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hidden: Vec<Placement>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        works: Vec<WorkPlacement>,
    },
    /// Set up; whoever is not named stands where the set-up places him. `brigade` where brigades are set up in turn.
    Deploy {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        brigade: Option<CommandId>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        units: Vec<Placement>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        commanders: Vec<book::placement::OfficerPlacement>,
    },
    Replace {
        generals: Vec<CommanderId>,
    },
    Arrive {
        brigades: Vec<Arrival>,
    },
    /// Charges, declared or of opportunity, in the order in which they are tried.
    Charge {
        declarations: Vec<Declaration>,
    },
    Rally {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        help: Vec<Help>,
        /// Routing or pursuing units that do not try.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        decline: Vec<UnitId>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        form: Vec<Reform>,
    },
    Fire {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        shots: Vec<Shot>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        reserve: Vec<Reserve>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        arson: Vec<Arson>,
    },
    Stand,
    /// Changes formation in the face of a charge, or turns to face it.
    Reform {
        formation: Formation,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        facing: Option<Angle>,
    },
    /// Gets out of the way: straight back, or to a place of cover.
    Evade {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Point>,
    },
    Feint {
        units: Vec<UnitId>,
    },
    March {
        unit: UnitId,
        steps: Vec<Step>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        crest: Option<Crest>,
    },
    ForcedMarch {
        brigade: CommandId,
        marches: Vec<ForcedMarch>,
    },
    /// Sends out skirmishers ahead of a unit.
    Screen {
        unit: UnitId,
        stands: u8,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pose: Option<Pose>,
    },
    /// Takes them in again.
    Recall {
        unit: UnitId,
    },
    Ride {
        general: CommanderId,
        to: Point,
    },
    Join {
        general: CommanderId,
        unit: UnitId,
    },
    /// An engineer party goes along with a unit it touches, or leaves it.
    Attach {
        party: UnitId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<UnitId>,
    },
    Work {
        unit: UnitId,
        task: Task,
    },
    SearchFord {
        unit: UnitId,
        river: FeatureId,
    },
    ToGround {
        unit: UnitId,
    },
    /// Gunners go back to their guns.
    Man {
        battery: UnitId,
    },
    /// Crew goes from gun to gun: how many each has then.
    Regroup {
        battery: UnitId,
        crew: Vec<u8>,
    },
    /// A unit that evaded off the table comes back.
    Return {
        unit: UnitId,
    },
    /// A hidden unit shows itself.
    Reveal {
        unit: UnitId,
    },
    /// Who stays where it could fall back, and who does not follow.
    Assault {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        stay: Vec<UnitId>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        decline: Vec<UnitId>,
    },
    /// Goes on after wheeling; to the left where it is more than 180°.
    GoOn {
        by: Angle,
    },
    Surrender {
        units: Vec<UnitId>,
    },
}
