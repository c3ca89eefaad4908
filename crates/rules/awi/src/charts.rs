//! The figures of `charts/awi.toml` in typed form. House rules may change a figure within its bounds, never the shape.

use super::unit::{Class, Gun, Rating};
use book::chart;
use engine::chart::Bounded;
use engine::{Cited, Die, Pool};
use serde::{Deserialize, Serialize};
use table::Footprint;

pub use book::figures::{Count, DiceCount, Modifier, Need, Reach, Share, Throw, plain};

chart! {
    /// All figures of the book.
    Charts {
        class: Classes, range: Ranges, volley: Volley, gun: Guns, grapeshot: Grapeshot, shell: Shell,
        r#move: Moves, charge: Charge, rout: Rout, melee: Melee, officer: Officers, courier: Couriers,
        orders: Orders, commander: Commander, withdraw_at: WithdrawAt, sharpshooter: Sharpshooter,
        sight: Sight, cover: Cover, arc: Arc, panic: Panic, force: Force, points: Points,
        footprint: Footprints, estimate: Estimate,
    }
    /// By class.
    Classes { elite: ClassRow, line: ClassRow, inferior: ClassRow, raw: ClassRow, }
    /// One class.
    ClassRow { marks: Cited<Bounded<1, 40>>, volley: ClassVolley, melee: ClassMelee, morale: Cited<Vec<Need>>, }
    /// Small arms of a class.
    ClassVolley { dice: Cited<DiceCount>, short: Cited<Need>, long: Cited<Need>, }
    /// Range bands.
    Ranges { small_arms: SmallArmsRange, artillery: ArtilleryRange, }
    /// Small-arms bands.
    SmallArmsRange { short: Cited<Reach>, long: Cited<Reach>, }
    /// Artillery bands.
    ArtilleryRange { short: Cited<Reach>, medium: Cited<Reach>, long: Cited<Reach>, }
    /// Small-arms modifiers.
    Volley { modifier: VolleyModifiers, }
    /// Small-arms modifiers.
    VolleyModifiers {
        hard_cover: Cited<Modifier>, soft_cover: Cited<Modifier>, failed_charge: Cited<Modifier>,
        first_volley: Cited<Modifier>, skirmish_target: Cited<Modifier>,
    }
    /// Guns.
    Guns { battalion: GunRow, six_pounder: GunRow, twenty_four_pounder: GunRow, modifier: GunModifiers, }
    /// One gun.
    GunRow { dice: Cited<DiceCount>, needs: Cited<Vec<Need>>, }
    /// Artillery modifiers.
    GunModifiers { grapeshot: Cited<Modifier>, skirmish_target: Cited<Modifier>, }
    /// Grapeshot.
    Grapeshot { rounds: Cited<Count>, reach: Cited<Reach>, }
    /// Shell fire.
    Shell {
        estimate_min: Cited<Reach>, estimate_max: Cited<Reach>, estimate_step: Cited<Reach>, drift: Cited<Throw>,
        drift_first_face: Cited<Bounded<0, 1>>, dud: Cited<Bounded<0, 20>>, dice: Cited<DiceCount>, need: Cited<Need>,
        commander_dies_on: Cited<Need>, template_radius: Cited<Reach>,
    }
    /// Movement.
    Moves {
        foot: Cited<Reach>, raw_foot: Cited<Throw>, horse: Cited<Reach>, limbered: Cited<Reach>,
        unlimbered: Cited<Reach>, road_column: Cited<Throw>, cross_country_less: Cited<Reach>,
        obstacle: Cited<Reach>, difficult: Cited<Reach>, woods_factor: Cited<Bounded<1, 10>>,
        reform_share: Cited<Share>, fire_and_move_share: Cited<Share>,
    }
    /// Charges.
    Charge { factor: Cited<Bounded<1, 5>>, die: Cited<Throw>, pivot: Cited<Bounded<0, 180>>, }
    /// Routs and pursuits.
    Rout { foot: Cited<Throw>, horse: Cited<Throw>, }
    /// Melee.
    Melee {
        valid_from: Cited<Need>, push_back: Cited<Reach>, side_dice_own_up_to: Cited<Bounded<0, 6>>,
        modifier: MeleeModifiers,
    }
    /// Melee modifiers.
    MeleeModifiers {
        higher_ground: Cited<Modifier>, first_round_of_charge: Cited<Modifier>, light_cover: Cited<Modifier>,
        hard_cover: Cited<Modifier>, flank: Cited<Modifier>, rear: Cited<Modifier>,
        target_disordered: Cited<Modifier>,
    }
    /// Officers: within reach, and touching.
    Officers {
        poor: Cited<[Modifier; 2]>, normal: Cited<[Modifier; 2]>, good: Cited<[Modifier; 2]>,
        excellent: Cited<[Modifier; 2]>, reach: Cited<Reach>, pick_out: Cited<Throw>, killed_on: Cited<Need>,
    }
    /// Couriers.
    Couriers {
        r#move: Cited<Reach>, dice: Cited<Throw>, killed_on_double: Cited<Vec<Need>>, pool: Cited<Count>,
    }
    /// What standing orders allow.
    Orders {
        advance_tolerance: Cited<Reach>, hold_radius: Cited<Reach>, hold_charge_radius: Cited<Reach>,
        support_radius: Cited<Reach>,
    }
    /// Commanders on the move and under the guns.
    Commander { r#move: Cited<Reach>, near_target: Cited<Reach>, }
    /// Shares of loss at which nations give up.
    WithdrawAt { british: Cited<Share>, american: Cited<Share>, french: Cited<Share>, }
    /// Sharpshooters.
    Sharpshooter {
        per_brigade: Cited<Count>, at_most: Cited<Count>, shots: Cited<Bounded<1, 1>>, short: Cited<Need>,
        long: Cited<Need>,
    }
    /// Sight.
    Sight { woods_limit: Cited<Reach>, }
    /// Cover.
    Cover { behind_line: Cited<Reach>, }
    /// Arc of fire.
    Arc { half_angle: Cited<Bounded<1, 90>>, }
    /// Who takes fright.
    Panic { reach: Cited<Reach>, commander_death: CommanderDeath, }
    /// Who takes fright at a commander's death.
    CommanderDeath { reach: Cited<Reach>, }
    /// How forces are made up.
    Force {
        brigade_norm: Cited<Count>, brigade_least: Cited<Count>, brigade_most: Cited<Count>,
        division_norm: Cited<Count>, division_least: Cited<Count>, division_most: Cited<Count>,
    }
    /// Points, a guide of ours.
    Points {
        infantry: ClassPoints, cavalry: HorsePoints, artillery: GunPoints, brigade_commander: RatingPoints,
        divisional_commander: RatingPoints, skirmish: Cited<Modifier>, artillery_class_step: Cited<Modifier>,
        shell: Cited<Count>, sharpshooter: Cited<Count>, courier: Cited<Count>, couriers_free: Cited<Count>,
        fair_within_percent: Cited<Count>, attacker_extra_percent: Cited<Count>,
    }
    /// Points by class.
    ClassPoints { elite: Cited<Count>, line: Cited<Count>, inferior: Cited<Count>, raw: Cited<Count>, }
    /// Points of horse.
    HorsePoints { elite: Cited<Count>, line: Cited<Count>, inferior: Cited<Count>, }
    /// Points of guns.
    GunPoints { battalion: Cited<Count>, six_pounder: Cited<Count>, twenty_four_pounder: Cited<Count>, }
    /// Points of officers.
    RatingPoints { poor: Cited<Count>, normal: Cited<Count>, good: Cited<Count>, excellent: Cited<Count>, }
    /// Stands.
    Footprints {
        infantry: Stand, cavalry: Stand, unlimbered: Stand, limbered: Stand, brigade_commander: Stand,
        divisional_commander: Stand, courier: Stand, sharpshooter: Stand,
    }
    /// One kind of stand.
    Stand { stand_width: Cited<Reach>, stand_depth: Cited<Reach>, stands: Cited<Bounded<1, 12>>, gap: Cited<Reach>, }
    /// Judging distance by eye.
    Estimate { error_percent: Cited<Count>, }
}

/// Melee dice of a class; there is no Raw horse.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ClassMelee {
    pub foot: Cited<DiceCount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub horse: Option<Cited<DiceCount>>,
}

impl Charts {
    /// The row of a class.
    pub fn class(&self, class: Class) -> &ClassRow {
        match class {
            Class::Elite => &self.class.elite,
            Class::Line => &self.class.line,
            Class::Inferior => &self.class.inferior,
            Class::Raw => &self.class.raw,
        }
    }

    /// The row of a gun.
    pub fn gun(&self, gun: Gun) -> &GunRow {
        match gun {
            Gun::Battalion => &self.gun.battalion,
            Gun::SixPounder => &self.gun.six_pounder,
            Gun::TwentyFourPounder => &self.gun.twenty_four_pounder,
        }
    }

    /// The row of a rating.
    pub fn rating(&self, rating: Rating) -> Cited<[Modifier; 2]> {
        match rating {
            Rating::Poor => self.officer.poor,
            Rating::Normal => self.officer.normal,
            Rating::Good => self.officer.good,
            Rating::Excellent => self.officer.excellent,
        }
    }

    /// The die a shell's drift is thrown with: its lowest face is a figure of the chart.
    pub fn drift(&self) -> Pool {
        let first = self.shell.drift_first_face.value.get() as u8;
        let sides = self.shell.drift.value.0.dice().next().map_or(10, |die| die.sides);
        Pool::one(Die { sides, first })
    }
}

impl Stand {
    /// One stand.
    pub fn footprint(&self) -> Footprint {
        Footprint { width: self.stand_width.value.0, depth: self.stand_depth.value.0 }
    }
}
