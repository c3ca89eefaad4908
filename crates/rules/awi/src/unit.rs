//! Units, commanders and what can be said of them: section B of the specification.

use super::clause::Clause;
use book::words;
use engine::UnitId;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::layout::Layout;
use table::{Footprint, Length, Point};

words! {
    /// What a unit fights as.
    Arm { Infantry = "infantry", Cavalry = "cavalry", Artillery = "artillery", Sharpshooter = "sharpshooter", }
    /// How good it is.
    Class { Elite = "elite", Line = "line", Inferior = "inferior", Raw = "raw", }
    /// What it is.
    Kind {
        Grenadiers = "grenadiers", Light = "light", Regulars = "regulars", Hessian = "hessian", Loyalist = "loyalist",
        Continental = "continental", Militia = "militia", Rifle = "rifle", French = "french", Indian = "indian",
        Dragoons = "dragoons", Artillery = "artillery", Sharpshooter = "sharpshooter",
    }
    /// Whose losses count together.
    Nation { British = "british", American = "american", French = "french", }
    /// What it shoots.
    Gun { Battalion = "battalion", SixPounder = "6lb", TwentyFourPounder = "24lb", }
    /// How it is drawn up.
    Formation {
        Line = "line", Column = "column", Skirmish = "skirmish", Limbered = "limbered", Unlimbered = "unlimbered",
    }
    /// How good an officer is.
    Rating { #[serde(alias = "drunk")] Poor = "poor", Normal = "normal", Good = "good", Excellent = "excellent", }
    /// What an officer commands.
    Level { Brigade = "brigade", Division = "division", }
    /// The state of a unit.
    Condition { Steady = "steady", Disordered = "disordered", Routing = "routing", Pursuing = "pursuing", }
    /// From where a unit is attacked.
    Aspect { Front = "front", Flank = "flank", Rear = "rear", }
    /// What a unit has done this turn.
    Task {
        None = "none", Held = "held", Moved = "moved", MovedHalf = "moved half", FiredAndMoves = "fired and moves",
        Reformed = "reformed", ReformedToFire = "reformed to fire", Limbered = "limbered", Loaded = "loaded",
        Charged = "charged", BrokeOff = "broke off", BrokeOffHalf = "broke off half", Turned = "turned in melee",
        Fired = "fired", Stuck = "stuck",
    }
}

/// What never changes about a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Facts {
    /// What it fights as.
    pub arm: Arm,
    /// How good it is.
    pub class: Class,
    /// What it is.
    pub kind: Kind,
    /// Whose losses count together.
    pub nation: Nation,
    /// What it shoots, for batteries.
    pub gun: Option<Gun>,
    /// Whether the battery has shell.
    pub shell: bool,
    /// Whether it may skirmish.
    pub skirmish_able: bool,
    /// Whether woods do not slow it.
    pub woods_free: bool,
    /// Whether it fires small arms.
    pub small_arms: bool,
    /// Marks at full strength.
    pub marks: u8,
    /// Where its deployment is bound to: rectangles of the unit or its brigade, else the side's.
    pub zones: Vec<(Point, Point)>,
    /// One stand.
    pub stand: Footprint,
    /// How many stands.
    pub stands: u8,
    /// Between stands in skirmish order.
    pub gap: Length,
    /// The stand on the move, for batteries.
    pub limbered: Footprint,
}

/// What changes about a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Soldiers {
    /// Attrition marks left.
    pub marks: u8,
    /// Rounds of grapeshot left.
    pub grape_left: u8,
    /// No smoke marker.
    pub loaded: bool,
    /// Has fired small arms in this battle.
    pub volleyed: bool,
    /// Has been in a melee.
    pub meleed: bool,
    /// Its state.
    pub condition: Condition,
    /// Its charge went home and its first round is still to come.
    pub charged_in: bool,
    /// The unit it charged was disordered.
    pub counter_bonus: bool,
    /// The level its charge began from.
    pub charge_level: u8,
    /// Enemies it attacked, from where.
    pub attacks: SmallVec<[Attack; 1]>,
    /// Whom it pursues.
    pub quarry: Option<UnitId>,
    /// What it has done this turn.
    pub task: Task,
}

/// One unit attacked by another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Attack {
    /// Whom.
    pub on: UnitId,
    /// From where.
    pub aspect: Aspect,
    /// Where the attacker's flag stood when it began.
    pub from: Point,
}

impl Soldiers {
    /// A fresh unit: steady and loaded (R74).
    pub fn fresh(marks: u8, grape_left: u8) -> Soldiers {
        Soldiers {
            marks,
            grape_left,
            loaded: true,
            volleyed: false,
            meleed: false,
            condition: Condition::Steady,
            charged_in: false,
            counter_bonus: false,
            charge_level: 0,
            attacks: SmallVec::new(),
            quarry: None,
            task: Task::None,
        }
    }

    /// The attack on an enemy, if it attacked him.
    pub fn attack_on(&self, enemy: UnitId) -> Option<&Attack> {
        self.attacks.iter().find(|attack| attack.on == enemy)
    }
}

/// What never changes about a commander.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Officer {
    /// What he commands.
    pub level: Level,
    /// How good he is.
    pub rating: Rating,
    /// His stand.
    pub stand: Footprint,
}

/// What changes about a commander beside his place.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Rider {
    /// Has moved by himself this turn.
    pub moved: bool,
}

impl Class {
    /// Marks at the start.
    pub const fn marks_clause(self) -> Clause {
        match self {
            Class::Elite => Clause::EliteMarks,
            Class::Line => Clause::LineMarks,
            Class::Inferior => Clause::InferiorMarks,
            Class::Raw => Clause::RawMarks,
        }
    }

    /// Small arms.
    pub const fn volley_clause(self) -> Clause {
        match self {
            Class::Elite => Clause::EliteVolley,
            Class::Line => Clause::LineVolley,
            Class::Inferior => Clause::InferiorVolley,
            Class::Raw => Clause::RawVolley,
        }
    }

    /// Melee dice.
    pub const fn melee_clause(self) -> Clause {
        match self {
            Class::Elite => Clause::EliteMelee,
            Class::Line => Clause::LineMelee,
            Class::Inferior => Clause::InferiorMelee,
            Class::Raw => Clause::RawMelee,
        }
    }

    /// Morale.
    pub const fn morale_clause(self) -> Clause {
        match self {
            Class::Elite => Clause::EliteMorale,
            Class::Line => Clause::LineMorale,
            Class::Inferior => Clause::InferiorMorale,
            Class::Raw => Clause::RawMorale,
        }
    }

    /// The types the book names as examples.
    pub const fn types_clause(self) -> Clause {
        match self {
            Class::Elite => Clause::EliteTypes,
            Class::Line => Clause::LineTypes,
            Class::Inferior => Clause::InferiorTypes,
            Class::Raw => Clause::RawTypes,
        }
    }

    /// Whether the book names the type as an example of the class on that side of the ocean.
    pub fn has_example(self, kind: Kind, nation: Nation) -> bool {
        let british = nation == Nation::British;
        match self {
            Class::Elite => matches!(kind, Kind::Light | Kind::Artillery) || (british && kind == Kind::Grenadiers),
            Class::Line if british => matches!(kind, Kind::Regulars | Kind::Dragoons | Kind::Hessian),
            Class::Line => matches!(kind, Kind::Continental | Kind::Rifle | Kind::French),
            Class::Inferior if british => matches!(kind, Kind::Regulars | Kind::Loyalist),
            Class::Inferior => matches!(kind, Kind::Continental | Kind::Dragoons | Kind::Militia),
            Class::Raw if british => matches!(kind, Kind::Loyalist | Kind::Indian),
            Class::Raw => matches!(kind, Kind::Militia | Kind::Indian),
        }
    }
}

impl Rating {
    /// The clause of the rating.
    pub const fn clause(self) -> Clause {
        match self {
            Rating::Poor => Clause::PoorOfficer,
            Rating::Normal => Clause::NormalOfficer,
            Rating::Good => Clause::GoodOfficer,
            Rating::Excellent => Clause::ExcellentOfficer,
        }
    }
}

impl Gun {
    /// The clause of the gun.
    pub const fn clause(self) -> Clause {
        match self {
            Gun::Battalion => Clause::BattalionGun,
            Gun::SixPounder => Clause::SixPounder,
            Gun::TwentyFourPounder => Clause::TwentyFourPounder,
        }
    }
}

impl Nation {
    /// The clause of its withdrawal.
    pub const fn clause(self) -> Clause {
        match self {
            Nation::British => Clause::BritishWithdraw,
            Nation::American => Clause::AmericansWithdraw,
            Nation::French => Clause::FrenchWithdraw,
        }
    }

    /// In a sentence.
    pub const fn people(self) -> &'static str {
        match self {
            Nation::British => "the British",
            Nation::American => "the Americans",
            Nation::French => "the French",
        }
    }
}

impl Facts {
    /// Whether it is a formed body of troops, which sharpshooters are not.
    pub fn is_troops(&self) -> bool {
        self.arm != Arm::Sharpshooter
    }

    /// Its rectangle in a formation.
    pub fn footprint(&self, formation: Formation) -> Footprint {
        let count = i32::from(self.stands.max(1));
        match formation {
            Formation::Line => Footprint { width: self.stand.width * count, depth: self.stand.depth },
            Formation::Column => Footprint { width: self.stand.width, depth: self.stand.depth * count },
            Formation::Skirmish => {
                Footprint { width: self.stand.width * count + self.gap * (count - 1), depth: self.stand.depth }
            }
            Formation::Limbered => self.limbered,
            Formation::Unlimbered => self.stand,
        }
    }

    /// Its stands in a formation.
    pub fn layout(&self, formation: Formation) -> Layout {
        let count = usize::from(self.stands.max(1));
        match formation {
            Formation::Line => Layout::line(count, self.stand, Length::ZERO),
            Formation::Column => Layout::column(count, self.stand, Length::ZERO),
            Formation::Skirmish => Layout::line(count, self.stand, self.gap),
            Formation::Limbered => Layout::line(1, self.limbered, Length::ZERO),
            Formation::Unlimbered => Layout::line(1, self.stand, Length::ZERO),
        }
    }

    /// The formations it may take.
    pub fn formations(&self) -> &'static [Formation] {
        match self.arm {
            Arm::Infantry if self.skirmish_able => &[Formation::Line, Formation::Column, Formation::Skirmish],
            Arm::Infantry | Arm::Cavalry => &[Formation::Line, Formation::Column],
            Arm::Artillery => &[Formation::Limbered, Formation::Unlimbered],
            Arm::Sharpshooter => &[Formation::Line],
        }
    }
}
