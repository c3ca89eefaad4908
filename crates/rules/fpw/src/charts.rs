//! The figures of `charts/fpw.toml` in typed form. House rules may change a figure within its bounds, never the shape.

use super::unit::{Arm, Level, Nation, Quality, Weapon};
use book::chart;
pub use book::figures::{Count, DiceCount, Modifier, Need, Reach, Share, Throw, plain};
use engine::Cited;
use engine::chart::Bounded;
use serde::{Deserialize, Serialize};
use table::Footprint;

chart! {
    /// All figures of the book.
    Charts {
        unit: Stands, footprint: Footprints, command: Command, pace: Pace, weapon: Weapons, fire: Fire,
        confusion: Confusion, react: React, combat: Combat, recovery: Recovery, scouting: Scouting,
        victory: Victory, points: Points,
    }
    /// Stands of a unit.
    Stands { infantry: Cited<Bounded<1, 12>>, cavalry: Cited<Bounded<1, 12>>, artillery: Cited<Bounded<1, 1>>, }
    /// Sizes of stands.
    Footprints { infantry: Stand, cavalry: Stand, artillery: Stand, general: Stand, }
    /// One stand.
    Stand { width: Cited<Reach>, depth: Cited<Reach>, }
    /// Giving orders.
    Command {
        dice: Cited<Throw>, division: Cited<Need>, french_higher: Cited<Need>, german_higher: Cited<Need>,
        bonus: Cited<Count>, bonus_cap: Cited<Need>, division_radius: Cited<Reach>, corps_radius: Cited<Reach>,
        brigade_gap: Cited<Reach>, march_orders: Cited<Count>, blunder: Cited<Bounded<2, 12>>, penalty: Cited<Count>,
        factor: CommandFactors,
    }
    /// What makes an order harder (plus) or easier (minus).
    CommandFactors {
        earlier_order: Cited<Modifier>, each_step: Cited<Modifier>, step: Cited<Step>, enemy_near: Cited<Modifier>,
        dense_terrain: Cited<Modifier>, disrupted: Cited<Modifier>, degraded: Cited<Modifier>,
        attached_elsewhere: Cited<Modifier>, attached_here: Cited<Modifier>, march_on_road: Cited<Modifier>,
    }
    /// How far anybody goes.
    Pace {
        foot: Cited<Reach>, horse: Cited<Reach>, form: Cited<Share>, terrain: Cited<Share>, dense: Cited<Share>,
        oblique: Cited<Bounded<0, 90>>, general: Cited<Reach>, friend_stop: Cited<Reach>, scout: Cited<Reach>,
    }
    /// Weapons.
    Weapons {
        mlr: Bands, needle: Bands, carbine: Bands, chassepot: Bands, bl_rifle: Bands, french_gun: Bands,
        prussian_gun: Bands, mitrailleuse: Bands,
    }
    /// The row of a weapon in the file: its bands are one figure, which a house rule changes as a whole.
    BandRow { bands: Cited<Vec<BandFigures>>, }
    /// One band in the file.
    BandFigures { to: Reach, factor: Modifier, dice: DiceCount, }
    /// Shooting.
    Fire {
        need: Cited<Need>, reactive_range: Cited<Reach>, long_fire_beyond: Cited<Reach>, arc: Cited<Bounded<1, 90>>,
        overshoot_on: Cited<Need>, overshoot_behind: Cited<Reach>, sight_inside: Cited<Reach>,
        degrade_on: Cited<Need>, withdraw: Cited<Throw>, concentration: Cited<Share>, general_lost_on: Cited<Need>,
        behind_line: Cited<Reach>, keep_advance: Cited<Reach>, keep_inside: Cited<Reach>, modifier: FireModifiers,
    }
    /// What helps or hinders a shot.
    FireModifiers {
        cover: Cited<Modifier>, dense_cover_further: Cited<Modifier>, firer_disrupted: Cited<Modifier>,
        firer_degraded: Cited<Modifier>, target_cavalry: Cited<Modifier>, flank_or_rear: Cited<Modifier>,
        artillery_v_cover: Cited<Modifier>, target_dense: Cited<Modifier>,
    }
    /// Being run through by friends.
    Confusion { on: Cited<Need>, }
    /// Cavalry under a charge.
    React {
        counter_charge: Cited<Reach>, evade: Cited<Throw>, seen_for_last: Cited<Reach>, surprise_below: Cited<Reach>,
        seen_by_share: Cited<Share>,
    }
    /// Close combat.
    Combat {
        dice: Cited<DiceCount>, dice_v_cavalry: Cited<DiceCount>, need: Cited<Need>, rounds: Cited<Bounded<1, 4>>,
        follow_up_cone: Cited<Bounded<0, 90>>, follow_up_marker: Cited<Bounded<0, 4>>, modifier: CombatModifiers,
    }
    /// What helps or hinders in close combat, beside what does so in shooting.
    CombatModifiers {
        v_failed_evader: Cited<Modifier>, charging: Cited<Modifier>, heavy_charging: Cited<Modifier>,
        momentum: Cited<Modifier>, enemy_on_flank: Cited<Modifier>, enemy_on_rear: Cited<Modifier>,
    }
    /// Taking markers off.
    Recovery { need: Cited<Need>, elite: Cited<Modifier>, landwehr: Cited<Modifier>, }
    /// How far scouts see.
    Scouting { open: Cited<Reach>, cover: Cited<Reach>, }
    /// When an army breaks.
    Victory {
        stand_removed: Cited<Count>, stand_degraded: Cited<Count>, general_absent: Cited<Count>,
        breaks_at: Cited<Bounded<1, 100>>, objective: Cited<Count>, objective_reach: Cited<Reach>,
    }
    /// Points, a guide of ours.
    Points {
        mlr: Cited<Count>, needle: Cited<Count>, chassepot: Cited<Count>, elite: Cited<Modifier>,
        landwehr: Cited<Modifier>, horse: Cited<Count>, horse_carbine: Cited<Count>, horse_heavy: Cited<Count>,
        prussian_gun: Cited<Count>, french_gun: Cited<Count>, mitrailleuse: Cited<Count>,
        horse_artillery: Cited<Count>, division_general: Cited<Count>, corps_general_8: Cited<Count>,
        corps_general_9: Cited<Count>, army_general_8: Cited<Count>, army_general_9: Cited<Count>,
    }
}

/// A length that is divided by, so it is never nothing.
pub type Step = book::figures::LongReach;

/// The bands of a weapon, from near to far.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "BandRow", into = "BandRow")]
pub struct Bands {
    /// From near to far.
    pub bands: Vec<Band>,
}

/// One band of a weapon, each figure with the papers of its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Band {
    pub to: Cited<Reach>,
    pub factor: Cited<Modifier>,
    pub dice: Cited<DiceCount>,
}

impl From<BandRow> for Bands {
    fn from(row: BandRow) -> Bands {
        let source = row.bands.source;
        let band = |figures: BandFigures| Band {
            to: Cited::new(figures.to, source),
            factor: Cited::new(figures.factor, source),
            dice: Cited::new(figures.dice, source),
        };
        Bands { bands: row.bands.value.into_iter().map(band).collect() }
    }
}

impl From<Bands> for BandRow {
    fn from(row: Bands) -> BandRow {
        let source = row.bands.first().map(|band| band.to.source).unwrap_or_default();
        let figures = |band: Band| BandFigures { to: band.to.value, factor: band.factor.value, dice: band.dice.value };
        BandRow { bands: Cited::new(row.bands.into_iter().map(figures).collect(), source) }
    }
}

impl Charts {
    /// The bands of a weapon; none for troops that do not shoot.
    pub fn bands(&self, weapon: Weapon) -> &[Band] {
        let weapons = &self.weapon;
        match weapon {
            Weapon::MuzzleLoader => &weapons.mlr.bands,
            Weapon::NeedleGun => &weapons.needle.bands,
            Weapon::Carbine => &weapons.carbine.bands,
            Weapon::Chassepot => &weapons.chassepot.bands,
            Weapon::BreechLoader => &weapons.bl_rifle.bands,
            Weapon::FrenchGun => &weapons.french_gun.bands,
            Weapon::PrussianGun => &weapons.prussian_gun.bands,
            Weapon::Mitrailleuse => &weapons.mitrailleuse.bands,
            Weapon::None => &[],
        }
    }

    /// A commander's value by rank and nation.
    pub fn command_value(&self, level: Level, nation: Nation) -> Cited<i32> {
        plain(match (level, nation) {
            (Level::Division, _) => self.command.division,
            (_, Nation::French) => self.command.french_higher,
            (_, Nation::German) => self.command.german_higher,
        })
    }

    /// How many stands a unit of an arm has.
    pub fn stands(&self, arm: Arm) -> Cited<i32> {
        match arm {
            Arm::Infantry => plain(self.unit.infantry),
            Arm::Cavalry => plain(self.unit.cavalry),
            Arm::FootArtillery | Arm::HorseArtillery => plain(self.unit.artillery),
        }
    }

    /// One stand of an arm.
    pub fn stand(&self, arm: Arm) -> Footprint {
        match arm {
            Arm::Infantry => self.footprint.infantry.footprint(),
            Arm::Cavalry => self.footprint.cavalry.footprint(),
            Arm::FootArtillery | Arm::HorseArtillery => self.footprint.artillery.footprint(),
        }
    }

    /// What a quality adds to a recovery die.
    pub fn recovery_of(&self, quality: Quality) -> Option<Cited<i32>> {
        match quality {
            Quality::Elite => Some(plain(self.recovery.elite)),
            Quality::Regular => None,
            Quality::Landwehr => Some(plain(self.recovery.landwehr)),
        }
    }
}

impl Stand {
    /// The rectangle.
    pub fn footprint(&self) -> Footprint {
        Footprint { width: self.width.value.0, depth: self.depth.value.0 }
    }
}
