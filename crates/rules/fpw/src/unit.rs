//! Units, generals and what can be said of them: sections B and C of the specification.

use super::clause::Clause;
use book::words;
use engine::UnitId;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::layout::Layout;
use table::march::Leg;
use table::{Footprint, Length, Point, Pose};

words! {
    /// What a unit fights as.
    Arm {
        Infantry = "infantry", Cavalry = "cavalry", FootArtillery = "foot_artillery",
        HorseArtillery = "horse_artillery",
    }
    /// What it shoots with.
    Weapon {
        MuzzleLoader = "mlr", NeedleGun = "needle", Carbine = "carbine", Chassepot = "chassepot",
        BreechLoader = "bl_rifle", FrenchGun = "french_gun", PrussianGun = "prussian_gun",
        Mitrailleuse = "mitrailleuse", None = "none",
    }
    /// How soon it recovers.
    Quality { Elite = "elite", Regular = "regular", Landwehr = "landwehr", }
    /// Whose blunders it makes.
    Nation { French = "french", German = "german", }
    /// How it is drawn up. `Dense` is two stands up and the rest behind, `Column` one behind another.
    Formation {
        March = "march", Line = "line", Dense = "dense", Column = "column", Limbered = "limbered",
        Deployed = "deployed",
    }
    /// What a general commands.
    Level { Division = "division", Corps = "corps", Army = "army", }
    /// From where a unit is shot at or attacked.
    Aspect { Front = "front", Flank = "flank", Rear = "rear", }
}

/// What never changes about a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Facts {
    /// What it fights as.
    pub arm: Arm,
    /// What it shoots with.
    pub weapon: Weapon,
    /// Cuirassiers and lancers.
    pub heavy: bool,
    /// How soon it recovers.
    pub quality: Quality,
    /// Whose blunders it makes.
    pub nation: Nation,
    /// At which level of command it is held; batteries of different levels never share an order.
    pub level: Level,
    /// A single stand that may be joined to a unit (R88).
    pub independent: bool,
    /// A single stand of scouting cavalry, and the regiment it comes from (R87).
    pub scout_of: Option<UnitId>,
    /// How many stands it begins with.
    pub stands: u8,
    /// One stand.
    pub stand: Footprint,
    /// Where it may be set up, if not anywhere in its side's zones.
    pub zones: Vec<(Point, Point)>,
    /// The turn it comes on, if it does not begin on the table (R95).
    pub enters: Option<u16>,
}

/// Markers on one stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Markers {
    /// Disruption.
    pub disruption: u8,
    /// Degradation.
    pub degradation: u8,
}

/// A move a unit made this turn, kept because fire may push it back along it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Advance {
    /// Where its path began.
    pub from: Pose,
    /// The path.
    pub legs: Vec<Leg>,
    /// Whether it began within reactive range of the enemy.
    pub within: bool,
    /// Whether it went toward the enemy; only then may it be pulled back (R57).
    pub toward: bool,
}

/// An enemy in contact, and where he struck.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Contact {
    /// Who.
    pub with: UnitId,
    /// On which of its own sides he stands.
    pub aspect: Aspect,
}

/// How a unit came into the fight, until its first round is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Impetus {
    /// Charging or counter-charging from ground not lower than the target's.
    pub level: bool,
}

/// What changes about a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Soldiers {
    /// Markers stand by stand; as many entries as it has stands now.
    pub stands: SmallVec<[Markers; 4]>,
    /// Lasting command penalty (R18).
    pub penalty: u8,
    /// The unit this independent stand has joined.
    pub host: Option<UnitId>,
    /// The independent stand that has joined this unit; its markers are the last entry.
    pub guest: Option<UnitId>,
    /// Scouts: whether their one command roll was passed.
    pub freed: bool,
    /// What it has done this turn.
    pub turn: TurnRecord,
    /// What it has done in the fight it is in.
    pub fight: FightRecord,
}

/// What a unit has done in the turn in progress.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TurnRecord {
    /// Command rolls made for it, obeyed or not (R06).
    pub orders: u8,
    /// An order from corps or army level (independent stands: one a turn, R10).
    pub from_above: bool,
    /// Moves, reforms and charges made under orders or on its own initiative.
    pub moves: u8,
    /// No further move this turn: it reformed, charged, halted under the enemy's guns or used its initiative.
    pub halted: bool,
    /// Fired under orders.
    pub fired_ordered: bool,
    /// Stands that have fired in the enemy's turn: bit n is stand n.
    pub fired: u16,
    /// Made its initiative move.
    pub initiative: bool,
    /// Unlimbered at the end of a half move: no fire order this turn (R25).
    pub deployed_late: bool,
    /// Withdraws in this turn's upkeep: no orders, no initiative (R60).
    pub withdrew: bool,
    /// The move fire may push it back along.
    pub advance: Option<Box<Advance>>,
    /// Markers inflicted on it since it moved or was last asked about falling back.
    pub inflicted: u8,
}

/// What a unit has done in the fight it is in.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FightRecord {
    /// Enemies it met, and where they stand about it.
    pub contacts: SmallVec<[Contact; 1]>,
    /// How it came in, until its first round is over.
    pub impetus: Option<Impetus>,
    /// Tried to evade and was caught.
    pub failed_evade: bool,
    /// Hits given since contact.
    pub given: u8,
    /// Hits taken since contact.
    pub taken: u8,
    /// Gave more than it took in the round before.
    pub momentum: bool,
    /// Rounds fought this turn.
    pub rounds: u8,
    /// Has followed up this turn.
    pub followed_up: bool,
}

impl Soldiers {
    /// A fresh unit.
    pub fn fresh(stands: u8) -> Soldiers {
        Soldiers {
            stands: SmallVec::from_elem(Markers::default(), usize::from(stands)),
            penalty: 0,
            host: None,
            guest: None,
            freed: false,
            turn: TurnRecord::default(),
            fight: FightRecord::default(),
        }
    }

    /// How many stands: S.
    pub fn count(&self) -> u8 {
        self.stands.len() as u8
    }

    /// Disruption markers: X.
    pub fn disruption(&self) -> u32 {
        self.stands.iter().map(|stand| u32::from(stand.disruption)).sum()
    }

    /// Degradation markers: D.
    pub fn degradation(&self) -> u32 {
        self.stands.iter().map(|stand| u32::from(stand.degradation)).sum()
    }

    /// All markers.
    pub fn markers(&self) -> u32 {
        self.disruption() + self.degradation()
    }

    /// Whether every stand is degraded.
    pub fn all_degraded(&self) -> bool {
        self.stands.iter().all(|stand| stand.degradation > 0)
    }

    /// Stands with a degradation marker.
    pub fn degraded_stands(&self) -> u32 {
        self.stands.iter().filter(|stand| stand.degradation > 0).count() as u32
    }

    /// Where an enemy stands about it.
    pub fn aspect_of(&self, enemy: UnitId) -> Option<Aspect> {
        self.fight.contacts.iter().find(|contact| contact.with == enemy).map(|contact| contact.aspect)
    }
}

/// What never changes about a general.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Officer {
    /// His rank.
    pub level: Level,
    /// Whose blunders he makes.
    pub nation: Nation,
    /// His command value.
    pub value: u8,
    /// His stand.
    pub stand: Footprint,
    /// Where he comes on, if not set up anywhere in his side's zones.
    pub zones: Vec<(Point, Point)>,
    /// The turn he comes on, if he does not begin on the table (R95).
    pub enters: Option<u16>,
}

/// Whether a general is away after being hit (R64, R101).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Absence {
    /// He is there.
    #[default]
    Present,
    /// Lost since his side's last command phase began.
    Lost,
    /// Comes back when the command phase in progress ends.
    Due,
}

/// What changes about a general beside his place.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Staff {
    /// The unit he rides with.
    pub attached: Option<UnitId>,
    /// Bonus to his value this turn.
    pub bonus: u8,
    /// Rolls made this turn to raise him.
    pub raised: u8,
    /// Gives no more orders this turn.
    pub done: bool,
    /// Whether he is away.
    pub absence: Absence,
    /// Has moved in this turn's generals' phase.
    pub rode: bool,
}

impl Arm {
    /// Whether it is a battery.
    pub const fn is_artillery(self) -> bool {
        matches!(self, Arm::FootArtillery | Arm::HorseArtillery)
    }

    /// Whether it goes at the pace of horse.
    pub const fn is_mounted(self) -> bool {
        matches!(self, Arm::Cavalry | Arm::HorseArtillery)
    }

    /// The clause of its pace.
    pub const fn pace_clause(self) -> Clause {
        match self {
            Arm::Infantry => Clause::FootPace,
            Arm::Cavalry => Clause::HorsePace,
            Arm::FootArtillery => Clause::FootGuns,
            Arm::HorseArtillery => Clause::HorseGuns,
        }
    }

    /// The clause of its move with a change of formation or facing.
    pub const fn form_clause(self) -> Clause {
        if self.is_mounted() { Clause::HorseReformAndMove } else { Clause::FootReformAndMove }
    }
}

impl Weapon {
    /// The clause of its ranges.
    pub const fn clause(self) -> Clause {
        match self {
            Weapon::MuzzleLoader => Clause::MuzzleLoader,
            Weapon::NeedleGun | Weapon::Carbine => Clause::NeedleGun,
            Weapon::Chassepot | Weapon::BreechLoader => Clause::Chassepot,
            Weapon::FrenchGun => Clause::FrenchArtillery,
            Weapon::PrussianGun => Clause::PrussianArtillery,
            Weapon::Mitrailleuse => Clause::Mitrailleuse,
            Weapon::None => Clause::ShootingIsReactive,
        }
    }

    /// Whether it throws shell.
    pub const fn is_gun(self) -> bool {
        matches!(self, Weapon::FrenchGun | Weapon::PrussianGun)
    }

    /// In a sentence.
    pub const fn name(self) -> &'static str {
        match self {
            Weapon::MuzzleLoader => "muzzle-loading rifles",
            Weapon::NeedleGun => "needle guns",
            Weapon::Carbine => "carbines",
            Weapon::Chassepot => "chassepots",
            Weapon::BreechLoader => "breech-loading rifles",
            Weapon::FrenchGun => "French guns",
            Weapon::PrussianGun => "Prussian guns",
            Weapon::Mitrailleuse => "mitrailleuses",
            Weapon::None => "no firearms",
        }
    }
}

impl Formation {
    /// March column and limbered guns.
    pub const fn is_march(self) -> bool {
        matches!(self, Formation::March | Formation::Limbered)
    }

    /// Dense, in either shape.
    pub const fn is_dense(self) -> bool {
        matches!(self, Formation::Dense | Formation::Column)
    }
}

impl Level {
    /// The next rank up.
    pub const fn above(self) -> Option<Level> {
        match self {
            Level::Division => Some(Level::Corps),
            Level::Corps => Some(Level::Army),
            Level::Army => None,
        }
    }
}

impl Facts {
    /// Whether it is a stand of scouting cavalry.
    pub fn is_scout(&self) -> bool {
        self.scout_of.is_some()
    }

    /// The formations it may take with so many stands.
    pub fn formations(&self, stands: u8) -> &'static [Formation] {
        match self.arm {
            Arm::FootArtillery | Arm::HorseArtillery => &[Formation::Deployed, Formation::Limbered],
            _ if stands <= 1 => &[Formation::Line, Formation::March],
            _ if stands == 2 => &[Formation::Line, Formation::Column, Formation::March],
            _ => &[Formation::Line, Formation::Dense, Formation::Column, Formation::March],
        }
    }

    /// Its rectangle in a formation with so many stands (C.2).
    pub fn footprint(&self, formation: Formation, stands: u8) -> Footprint {
        let (count, stand) = (i32::from(stands.max(1)), self.stand);
        match formation {
            Formation::Line => Footprint { width: stand.width * count, depth: stand.depth },
            Formation::Dense => Footprint { width: stand.width * count.min(2), depth: stand.depth * ((count + 1) / 2) },
            Formation::Column => Footprint { width: stand.width, depth: stand.depth * count },
            // The row of the line seen end-on.
            Formation::March => Footprint { width: stand.depth, depth: stand.width * count },
            Formation::Limbered | Formation::Deployed => stand,
        }
    }

    /// Its stands in a formation (C.2).
    pub fn layout(&self, formation: Formation, stands: u8) -> Layout {
        let count = usize::from(stands.max(1));
        match formation {
            Formation::Line => Layout::line(count, self.stand, Length::ZERO),
            Formation::Dense => Layout::blocks(count, self.stand, 2, Length::ZERO),
            Formation::Column => Layout::column(count, self.stand, Length::ZERO),
            Formation::March => Layout::march_column(count, self.stand, Length::ZERO),
            Formation::Limbered | Formation::Deployed => Layout::line(1, self.stand, Length::ZERO),
        }
    }
}
