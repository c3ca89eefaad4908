//! `Ambush`: the smallest rulebook that still needs every part of the engine. Each round both sides seal one plan; a
//! march may be interrupted by fire; hidden units are discovered by coming near, or by walking into them.

mod acts;
mod rules;
mod telling;
mod texts;

use engine::chart::Bounded;
use engine::{BySide, Cited, ClauseId, Side, UnitId};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use table::march::Leg;
use table::{Footprint, Length, Pose};

pub use texts::*;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ambush;

/// Everything below derives the same; written once.
macro_rules! plain {
    ($($item:item)*) => {
        $(#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case", deny_unknown_fields)]
        $item)*
    };
}

plain! {
    pub struct Facts { pub arm: Arm }
    pub struct Officer { pub chief: bool }
    pub struct Strength { pub hits: u8 }
    /// `marches` is a secret of its side: hidden units march too.
    pub struct Ledger { pub shots: BySide<u16>, pub marches: BySide<u16>, pub odd: Odd }
    /// Where the powder is buried is a secret of its side.
    pub struct Scenario { pub powder: BySide<u8> }
    pub struct Start { pub pose: Pose, pub hidden: bool }
    pub enum Phase {
        Deploy { starts: Vec<Start> },
        Round { planned: bool },
        /// One side's opened plan, waiting for its turn to be carried out.
        Act { side: Side, order: Order },
        React { mover: UnitId },
    }
    pub enum Decision { Plan, React { mover: UnitId } }
    pub enum Order {
        Hold,
        March { unit: UnitId, legs: Vec<Leg> },
        Reform { unit: UnitId, into: Formation },
        Withdraw { unit: UnitId },
        Fire { with: UnitId },
        Pass,
    }
    pub enum Event {
        Counted { side: Side },
        Held { side: Side },
        Shot { side: Side, by: UnitId, at: UnitId, hit: bool },
        Again { side: Side },
    }
    pub struct Charts { pub march: March, pub sight: Sight, pub fire: Fire }
    pub struct March { pub allowance: Cited<Length>, pub most_legs: Cited<Bounded<1, 6>>, pub on_roads: Cited<bool> }
    pub struct Sight { pub discovery: Cited<Length> }
    pub struct Fire {
        pub reach: Cited<Length>, pub need: Cited<Bounded<2, 12>>, pub endures: Cited<Bounded<1, 5>>,
        pub at_close: Cited<Bounded<-3, 3>>, pub bands: Cited<Vec<Band>>, pub range: FireRange,
    }
    pub struct FireRange { pub close: Cited<Length>, pub words: Cited<String> }
    pub struct Band { pub to: Length, pub modifier: Bounded<-3, 3> }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    Foot,
    Horse,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Formation {
    Line,
    Column,
}

/// Deliberate slips of the house, one for each fault the umpire must notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Slip {
    /// Throws dice and tells nobody.
    Unclaimed,
    /// Throws twice and tells of one throw.
    Half,
    /// Tells of dice that were never thrown.
    Forged,
    /// Tells of the same dice twice.
    Twice,
    /// Turns pages for ever.
    Endless,
    /// Opens phases for ever.
    Piles,
    /// Closes the last phase without an ending.
    RunsOut,
    /// Says so itself.
    Confesses,
    /// Keeps records the hash cannot write down.
    Unwritable,
}

/// Where it is set, it has no canonical bytes: a map of unknown length, as flattened fields are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Odd(pub bool);

impl Serialize for Odd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 && !serializer.is_human_readable() {
            return serializer.serialize_map(None)?.end();
        }
        serializer.serialize_bool(self.0)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Settings {
    pub slip: Option<Slip>,
    pub no_tape: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clause {
    Deploy,
    Plan,
    March,
    Discovery,
    Fire,
    Endurance,
    Ending,
    Custom,
}

impl From<Clause> for ClauseId {
    fn from(clause: Clause) -> ClauseId {
        ClauseId(match clause {
            Clause::Deploy => "ambush.deploy-a",
            Clause::Plan => "ambush.plan-a",
            Clause::March => "ambush.march-a",
            Clause::Discovery => "ambush.sight-a",
            Clause::Fire => "ambush.fire-a",
            Clause::Endurance => "ambush.fire-b",
            Clause::Ending => "ambush.end-a",
            Clause::Custom => "ambush.custom",
        })
    }
}

pub fn footprint(arm: Arm, formation: Formation) -> Footprint {
    let (front, depth) = match arm {
        Arm::Foot => (3, 1),
        Arm::Horse => (2, 2),
    };
    match formation {
        Formation::Line => Footprint::new(Length::whole_inches(front), Length::whole_inches(depth)),
        Formation::Column => Footprint::new(Length::whole_inches(depth), Length::whole_inches(front)),
    }
}
