//! Units, generals and what can be said of them: sections B and C of the specification.

use super::formation::{Formation, Shape, Spacing};
use book::words;
use engine::{CommanderId, FeatureId, UnitId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::layout::{Gaps, Layout};
use table::{Footprint, Length, Point, Pose};

words! {
    /// What a unit fights as.
    Arm { Infantry = "infantry", Cavalry = "cavalry", Artillery = "artillery", RapidFire = "rapid_fire", }
    /// How nimble a battery is.
    GunClass { Horse = "horse", Field = "field", Medium = "medium", Heavy = "heavy", SuperHeavy = "super_heavy", }
    /// How a rapid-fire weapon works.
    Action { Mechanical = "mechanical", Gas = "gas", }
    /// What a general commands.
    Level { Brigade = "brigade", Division = "division", Corps = "corps", Army = "army", }
    /// What a brigadier is worth.
    Ability {
        Inspired = "inspired", Able = "able", Average = "average", Inept = "inept", Incompetent = "incompetent",
    }
    /// Where a battery is in its cycle. `Unlimbering` and `Limbering` are the first of a heavy battery's two bounds.
    Cycle {
        Limbered = "limbered", Unlimbering = "unlimbering", Deployed = "deployed", Limbering = "limbering",
        Abandoned = "abandoned",
    }
}

/// A weapon with its ranges at the scale of the battle (appendix 1).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Weapon {
    /// Its key in the chart, or in the set-up that adds it.
    pub key: String,
    /// At or inside it a shot loses nothing.
    pub short: Length,
    /// Effective range.
    pub extreme: Length,
    /// A gun.
    pub artillery: bool,
    /// Loaded at the breech.
    pub breech: bool,
    /// Fed from a magazine.
    pub magazine: bool,
    /// Fires in a high arc.
    pub howitzer: bool,
    /// A rapid-fire weapon.
    pub rapid: Option<Action>,
}

impl Weapon {
    /// Whether it can be fired at all; a sabre cannot.
    pub fn fires(&self) -> bool {
        self.extreme > Length::ZERO
    }

    /// A firearm carried by a man: infantry firearms and carbines.
    pub fn is_long_arm(&self) -> bool {
        self.fires() && !self.artillery && self.rapid.is_none()
    }
}

/// What never changes about a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Facts {
    /// What it fights as.
    pub arm: Arm,
    /// Elements it begins with; one base for a battery.
    pub elements: u8,
    /// Rapid-fire elements among them, and of which action (R12).
    pub organic: u8,
    /// Their action, and the weapon they fire.
    pub organic_weapon: Option<Weapon>,
    /// Guns it begins with; none but for batteries.
    pub guns: u8,
    /// How nimble the battery is.
    pub class: Option<GunClass>,
    /// From −4 to +4.
    pub quality: i8,
    /// Combat status at the start.
    pub start: u8,
    /// The last status at which it charges.
    pub charge_limit: u8,
    /// The last status at which it advances.
    pub advance_limit: u8,
    /// What it fires.
    pub weapon: Weapon,
    /// Orders it is trained for; cover makes defenders loose all the same.
    pub loose: bool,
    /// Whether it may extend.
    pub extended: bool,
    /// Cavalry that may fight on foot.
    pub can_dismount: bool,
    /// Whether its army fires indirectly (blast-f).
    pub indirect: bool,
    /// One element, or the base of the whole battery.
    pub element: Footprint,
    /// A brigade's skirmish screen: off the table until it is thrown out (R61).
    pub screen: bool,
    /// Where it may be set up, if not anywhere in its side's zones.
    pub zones: Vec<(Point, Point)>,
    /// Its template in its army's list, where it has one.
    pub template: Option<String>,
}

/// Where a charge has got to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChargeStage {
    /// On its way to the point where it is tested.
    Moving,
    /// At that point, or close enough to go in from where it stands.
    Tested,
    /// Goes in.
    Passed,
    /// Would not.
    Failed,
    /// Could not reach.
    Short,
    /// In contact.
    Home,
}

/// A charge in progress.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Charge {
    /// At whom.
    pub at: UnitId,
    /// How far it has got.
    pub stage: ChargeStage,
    /// What is left of its move.
    pub left: Length,
    /// The general who leads it.
    pub led_by: Option<CommanderId>,
    /// Against a charge, not of its own plan (R30).
    pub counter: bool,
    /// Where it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Point>,
}

/// Why a unit is out of order. Only `combat` keeps it from answering orders (R37).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Disorder {
    /// Fought, charged in vain, charged twice running, retired, flinched or was ridden through.
    pub combat: bool,
    /// In difficult going.
    pub terrain: bool,
    /// In the water, or out of it for less than a quarter bound.
    pub water: bool,
}

impl Disorder {
    /// Whether it is out of order at all.
    pub fn any(self) -> bool {
        self.combat || self.terrain || self.water
    }
}

/// A target a battery has ranged in on (R67).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Registration {
    /// At whom.
    pub at: UnitId,
    /// The marker.
    pub point: Point,
    /// Whether the ranging bound is over.
    pub ranged: bool,
    /// Whether it was marked to fire this bound.
    pub marked: bool,
    /// Where its blocks lie: columns across and rows along the line of fire, the marker's block being (0, 0).
    pub blocks: Vec<(i8, i8)>,
}

/// A battery's observer (R67).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Observer {
    /// On the table.
    At(Point),
    /// Overrun; a successor may be placed in this bound or later.
    Lost {
        /// The bound.
        until: u16,
    },
}

/// What a unit has done in the bound in progress; cleared when it ends.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BoundRecord {
    /// Obeys its brigade's order.
    pub responds: bool,
    /// Move used: distance and deductions.
    pub used: Length,
    /// The full move it is compared with.
    pub full: Length,
    /// Moved in any way, by order or not.
    pub moved: bool,
    /// Has fired.
    pub fired: bool,
    /// Was an artillery target.
    pub shelled: bool,
    /// Was the target of skirmishers.
    pub skirmished: bool,
    /// Was the target of formed foot.
    pub volleyed: bool,
    /// Status lost.
    pub damage: u8,
    /// Made a forced retirement.
    pub retired: bool,
    /// Was asked to stand when friends ran through it.
    pub supports_tested: bool,
    /// Fought at close quarters.
    pub fought: bool,
    /// Sprang an ambush: whom it surprised may not answer it this bound (R74).
    pub ambushed: SmallVec<[UnitId; 1]>,
    /// Enemy came close while it reformed.
    pub alarmed: bool,
    /// Steps of a battery's plan still to come after it has fired: limber, march (R63).
    pub fires: bool,
    /// What is left to do of a charge that passed its test.
    pub goal: Option<Goal>,
}

/// How far a charge that goes in still has to go: to where the enemy's front stood, or onto the enemy himself (R29).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Goal {
    /// How far, when it passed.
    pub by: Length,
    /// The enemy stands to be met.
    pub contact: bool,
}

/// What changes about a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Troops {
    /// Combat status now.
    pub status: u8,
    /// Guns still served.
    pub guns: u8,
    /// Cavalry in the saddle; true for whoever never rides or never gets off.
    pub mounted: bool,
    /// Lying down.
    pub prone: bool,
    /// The cover it lines or holds.
    pub defending: Option<FeatureId>,
    /// Why it is out of order.
    pub disorder: Disorder,
    /// Stands still this bound to regain order.
    pub reforming: bool,
    /// Cavalry beaten by cavalry: it stands where it is to reform (R38).
    pub beaten: bool,
    /// Retires until it rallies.
    pub broken: bool,
    /// Falls back once more in the next forced moves (R82).
    pub falls_back: bool,
    /// Failed its test and may not move (R failed-h).
    pub pinned: bool,
    /// Rode through its beaten enemy: may charge on without activation (R80).
    pub rode_through: bool,
    /// Its charge this bound.
    pub charge: Option<Box<Charge>>,
    /// Charged in the bound before.
    pub charged_last: bool,
    /// Charges made in the battle.
    pub charges: u8,
    /// Bounds with a forced retirement.
    pub retirements: u8,
    /// The same, one after another up to now.
    pub running: u8,
    /// Enemies it goes on fighting with.
    pub locked: SmallVec<[UnitId; 1]>,
    /// The attackers are inside: cover counts no more (R35).
    pub inside: bool,
    /// Where a battery is in its cycle.
    pub cycle: Cycle,
    /// What a battery is ranged in on.
    pub registration: Option<Box<Registration>>,
    /// A battery's observer.
    pub observer: Option<Observer>,
    /// Enemies have touched abandoned guns since this bound (R66).
    pub touched: Option<u16>,
    /// A screen's parents, one for each of its elements, in the order of its stands.
    pub parents: SmallVec<[UnitId; 4]>,
    /// One of its elements is out in the screen.
    pub lent: bool,
    /// Quarters of a bound until it is dry, counted from the last corner out of the water.
    pub wet: u8,
    /// What it has done this bound.
    pub bound: BoundRecord,
}

impl Troops {
    /// A fresh unit.
    pub fn fresh(facts: &Facts) -> Troops {
        Troops {
            status: facts.start,
            guns: facts.guns,
            mounted: facts.arm == Arm::Cavalry,
            prone: false,
            defending: None,
            disorder: Disorder::default(),
            reforming: false,
            beaten: false,
            broken: false,
            falls_back: false,
            pinned: false,
            rode_through: false,
            charge: None,
            charged_last: false,
            charges: 0,
            retirements: 0,
            running: 0,
            locked: SmallVec::new(),
            inside: false,
            cycle: Cycle::Limbered,
            registration: None,
            observer: None,
            touched: None,
            parents: SmallVec::new(),
            lent: false,
            wet: 0,
            bound: BoundRecord::default(),
        }
    }

    /// Status lost since the battle began.
    pub fn damage(&self, facts: &Facts) -> u8 {
        facts.start.saturating_sub(self.status)
    }
}

impl Facts {
    /// Whether it is a battery on one base: guns, or carriage-mounted rapid-fire weapons based as such.
    pub fn is_battery(&self) -> bool {
        self.guns > 0
    }

    /// Whether the rules that name infantry mean it: foot, rapid-fire weapons on element bases, cavalry on foot (R12f).
    pub fn is_foot(&self, troops: &Troops) -> bool {
        match self.arm {
            Arm::Infantry => true,
            Arm::RapidFire => !self.is_battery(),
            Arm::Cavalry => !troops.mounted,
            Arm::Artillery => false,
        }
    }

    /// Whether it is cavalry in the saddle.
    pub fn is_mounted(&self, troops: &Troops) -> bool {
        self.arm == Arm::Cavalry && troops.mounted
    }

    /// Width of an element: w.
    pub fn width(&self) -> Length {
        self.element.width
    }

    /// The elements as they stand.
    pub fn layout(&self, formation: Formation, count: u8) -> Layout {
        let n = usize::from(count.max(1));
        let files = formation.files_of(count);
        let gap = formation.gap.unwrap_or(formation.shape.gap(self.width()));
        match formation.shape {
            Shape::Limbered | Shape::Deployed => Layout::blocks(1, self.element, 1, Length::ZERO),
            Shape::Assault | Shape::Route | Shape::Squadrons => {
                Layout::blocks(n, self.element, usize::from(files), Length::ZERO)
            }
            Shape::Line | Shape::Loose | Shape::Extended => {
                Layout::blocks(n, self.element, usize::from(files), Gaps::from(gap))
            }
        }
    }

    /// The rectangle around them.
    pub fn footprint(&self, formation: Formation, count: u8) -> Footprint {
        self.layout(formation, count).footprint()
    }

    /// The order in which it counts as standing: what it declares, squeezed by its gaps, loosened by the cover it
    /// defends (degrade-a, types-f, artillery-a, -b).
    pub fn spacing(&self, troops: &Troops, formation: Formation, count: u8) -> Spacing {
        if self.is_battery() {
            return if formation.shape == Shape::Deployed { Spacing::Extended } else { Spacing::Close };
        }
        if troops.defending.is_some() {
            return Spacing::Loose;
        }
        formation.spacing(self.width(), count)
    }
}

/// What never changes about a general.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Officer {
    /// His rank.
    pub level: Level,
    /// What he is worth at the start; brigadiers only, and diced for where the set-up leaves it open.
    pub ability: Option<Ability>,
    /// Whether his army has the field telephone.
    pub telephone: bool,
    /// His stand.
    pub stand: Footprint,
    /// Where he may be set up, if not anywhere in his side's zones.
    pub zones: Vec<(Point, Point)>,
}

/// How a general is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    /// Fit.
    #[default]
    Fit,
    /// Disabled in this bound: his troops pay for it in the next one (R47).
    Disabled {
        /// The bound.
        bound: u16,
    },
}

/// What changes about a general beside his place.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Staff {
    /// What he is worth.
    pub ability: Option<Ability>,
    /// The unit he rides with.
    pub attached: Option<UnitId>,
    /// How he is.
    pub health: Health,
    /// The brigade he is present with this bound (R45).
    pub present: Option<engine::CommandId>,
}

impl Staff {
    /// Whether he can give orders.
    pub fn is_fit(&self) -> bool {
        self.health == Health::Fit
    }
}

/// A block of buildings (building-c).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Building {
    /// Which feature.
    pub feature: FeatureId,
    /// Status at the start.
    pub start: u16,
    /// Status now.
    pub status: u16,
    /// On fire.
    pub ablaze: bool,
}

/// Where a piece came from and went to in one quarter, kept for the telling.
pub type Leap = (Pose, Pose);
