//! The figures of `charts/guns.toml` in typed form. House rules may change a figure within its bounds, never the shape.

use super::settings::Scale;
use super::unit::{Ability, Action, GunClass, Level};
use book::chart;
pub use book::figures::{Count, Modifier, Need, Throw, plain};
use engine::Cited;
use engine::chart::Bounded;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use table::Length;

/// A number of tenths: the combat table and its die work in them.
pub type Tenths = Bounded<-100, 300>;

/// A distance as the book prints it: `20 [30]` is 20 cm for small figures, 30 cm for middle ones, 20 inches for large
/// ones. Without a bracket the middle scale gets a quarter more, rounded half up to a whole centimetre (R01).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measure {
    plain: u16,
    bracket: Option<u16>,
}

/// More than any table is long.
const LONGEST: u16 = 1000;

impl Measure {
    /// The distance at a scale.
    pub fn at(self, scale: Scale) -> Length {
        let units = match scale {
            Scale::Small | Scale::Large => self.plain,
            Scale::Middle => self.bracket.unwrap_or_else(|| quarter_more(self.plain)),
        };
        scale.game_unit() * i32::from(units)
    }
}

/// A quarter more, rounded half up.
const fn quarter_more(plain: u16) -> u16 {
    (plain * 10 + 4) / 8
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bracket {
            Some(bracket) => write!(f, "{} [{bracket}]", self.plain),
            None => write!(f, "{}", self.plain),
        }
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(text: &str) -> Result<Measure, String> {
        let wrong = || format!("`{text}` is no distance: expected `20 [30]` or `15`, each at most {LONGEST}");
        let number = |word: &str| word.trim().parse::<u16>().ok().filter(|number| *number <= LONGEST).ok_or_else(wrong);
        match text.split_once('[') {
            Some((plain, bracket)) => {
                let bracket = bracket.trim_end().strip_suffix(']').ok_or_else(wrong)?;
                Ok(Measure { plain: number(plain)?, bracket: Some(number(bracket)?) })
            }
            None => Ok(Measure { plain: number(text)?, bracket: None }),
        }
    }
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Measure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Measure, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A base in millimetres for the three scales: sizes of figures, not distances, so no bracket and no inches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct Sizes([u16; 3]);

impl Sizes {
    /// The size at a scale.
    pub fn at(self, scale: Scale) -> Length {
        let millimetres = match scale {
            Scale::Small => self.0[0],
            Scale::Middle => self.0[1],
            Scale::Large => self.0[2],
        };
        Length::mm(f64::from(millimetres))
    }
}

impl<'de> Deserialize<'de> for Sizes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Sizes, D::Error> {
        let sizes = <[u16; 3]>::deserialize(deserializer)?;
        if sizes.iter().any(|size| !(1..=300).contains(size)) {
            return Err(D::Error::custom("a base is 1 to 300 millimetres"));
        }
        Ok(Sizes(sizes))
    }
}

/// Rows of the combat table in tenths: from status 12 at the top to −5, one column for each counted element.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct Rows(Vec<Vec<u8>>);

/// The status of the first printed row.
pub const TOP_ROW: i32 = 12;
/// Rows and columns in print.
const PRINTED: (usize, usize) = (18, 16);

impl Rows {
    /// The printed cell, if there is one.
    pub fn cell(&self, status: i32, counted: u32) -> Option<i32> {
        let row = usize::try_from(TOP_ROW.checked_sub(status)?).ok()?;
        let column = usize::try_from(counted.checked_sub(1)?).ok()?;
        self.0.get(row)?.get(column).map(|cell| i32::from(*cell))
    }
}

impl<'de> Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rows, D::Error> {
        let rows = Vec::<Vec<u8>>::deserialize(deserializer)?;
        if rows.len() != PRINTED.0 || rows.iter().any(|row| row.len() != PRINTED.1) {
            return Err(D::Error::custom("the combat table has 18 rows of 16 figures"));
        }
        Ok(Rows(rows))
    }
}

chart! {
    /// All figures of the book.
    Charts {
        base: Bases, zone: Zones, command: Command, pace: Paces, evolution: Evolutions, terrain: Terrain,
        charge: Charging, combat: Combat, indirect: Indirect, weapon: BTreeMap<String, WeaponRow>,
        quality: Qualities, risk: Risk, flinch: Flinch, victory: Victory, points: Points,
    }
    /// Sizes of bases.
    Bases {
        element: Cited<Sizes>, gun: Cited<Sizes>, foot: Cited<Count>, horse: Cited<Count>, rapid: Cited<Count>,
        battalion: Range, squadron: Range,
    }
    /// From so many to so many.
    Range { least: Cited<Count>, most: Cited<Count>, }
    /// Zones of command and what else is measured around generals.
    Zones {
        brigade: Cited<Measure>, division: Cited<Measure>, corps: Cited<Measure>, army: Cited<Measure>,
        attach: Cited<Measure>,
    }
    /// Activation.
    Command {
        dice: Cited<Throw>, ability_die: Cited<Throw>, inspired: Rating, able: Rating, average: Rating, inept: Rating,
        incompetent: Rating, division_present: Cited<Modifier>, corps_present: Cited<Modifier>,
        out_of_zone: Cited<Modifier>, brigadier_down: Cited<Modifier>, division_down: Cited<Modifier>,
        corps_down: Cited<Modifier>, duty: Cited<book::figures::Share>,
    }
    /// What a brigadier needs, and the lowest face that makes one.
    Rating { need: Cited<Need>, from: Cited<Need>, }
    /// Full moves.
    Paces {
        line: Cited<Measure>, assault: Cited<Measure>, route: Cited<Measure>, loose: Cited<Measure>,
        extended: Cited<Measure>, squadron_line: Cited<Measure>, squadron_column: Cited<Measure>,
        cavalry_extended: Cited<Measure>, foot_guns: Cited<Measure>, horse_guns: Cited<Measure>,
        general: Cited<Measure>, observer: Cited<Measure>, road: Cited<book::figures::Share>,
        standoff: Cited<Measure>, wheel: Cited<Bounded<0, 180>>,
    }
    /// Deductions for changes of formation.
    Evolutions {
        route_column: Cited<Measure>, route_line: Cited<Measure>, route_open: Cited<Measure>,
        column_line: Cited<Measure>, column_open: Cited<Measure>, line_open: Cited<Measure>,
        mounting: Cited<Measure>,
    }
    /// Deductions for ground, per game unit or per crossing.
    Terrain { stream: Going, rough: Going, obstacle: Going, woods: Going, built_up: Going, }
    /// What ground costs each arm; nothing where it may not go.
    Going { foot: Cited<Measure>, horse: Cited<Measure>, guns: Cited<Measure>, }
    /// Charges, retirements, alarms.
    Charging {
        flinch_default: Cited<Measure>, retire_base: Cited<Measure>, retire_pip: Cited<Measure>,
        broken_base: Cited<Measure>, broken_pip: Cited<Measure>, reform_alarm: Cited<Measure>,
        abandon: Cited<Measure>, ambush: Cited<Measure>, disperse_after: Cited<Count>, bend: Cited<Bounded<0, 90>>,
    }
    /// The combat calculation; factors in tenths.
    Combat {
        die: Cited<Throw>, table: Cited<Rows>, faces: Cited<Vec<Tenths>>, factor: Factors,
        zone_angle: Cited<Bounded<1, 89>>, direct_limit: Cited<Measure>, mechanical: Cited<Count>, gas: Cited<Count>,
        sight_inside: Cited<Measure>,
    }
    /// Tactical factors that are added.
    Factors {
        shelled: Cited<Tenths>, skirmished: Cited<Tenths>, charging: Cited<Tenths>, loose: Cited<Tenths>,
        loose_v_close: Cited<Tenths>, soft_cover: Cited<Tenths>, long_range: Cited<Tenths>, mounted: Cited<Tenths>,
        breech: Cited<Tenths>,
    }
    /// Indirect fire.
    Indirect {
        rerange: Cited<Measure>, width: Cited<Measure>, field: Cited<Measure>, medium: Cited<Measure>,
        heavy: Cited<Measure>,
    }
    /// A weapon of appendix 1, or one added on its pattern.
    WeaponRow { short: Cited<Measure>, extreme: Cited<Measure>, kinds: Cited<Vec<WeaponKind>>, }
    /// Quality: what it adds, and how far below the start its limiters lie.
    Qualities { elite: Quality, experienced: Quality, regulars: Quality, conscripts: Quality, militia: Quality, }
    /// One class.
    Quality { bonus: Cited<Modifier>, charge: Cited<Count>, advance: Cited<Count>, }
    /// Risk to generals.
    Risk { shells: Cited<Measure>, die: Cited<Throw>, disabled_from: Cited<Need>, }
    /// The flinch test.
    Flinch {
        die: Cited<Throw>, first_charge: Pair, column: Pair, led: Pair, loose: Pair, outnumber: Pair,
        barricade: Pair, volleyed: Pair, rough: Pair, shelled: Pair, skirmished: Pair, damage: Pair, retired: Pair,
        disordered: Pair, outnumber_share: Cited<Vec<Count>>,
    }
    /// A factor for foot and for horse.
    Pair { foot: Cited<Modifier>, horse: Cited<Modifier>, }
    /// How battles end.
    Victory { breaks_at: Cited<Bounded<1, 100>>, }
    /// Our guide for matching forces.
    Points {
        status: Cited<Count>, element: Cited<Count>, gas: Cited<Count>, mechanical: Cited<Count>, breech: Cited<Count>,
        magazine: Cited<Count>, loose: Cited<Count>, squadron_element: Cited<Count>, long_arm: Cited<Count>,
        rapid_unit: Cited<Count>, gun: Cited<Count>, howitzer: Cited<Count>, horse: Cited<Count>,
        indirect_field: Cited<Count>, indirect_medium: Cited<Count>, indirect_heavy: Cited<Count>,
        inspired: Cited<Count>, able: Cited<Count>, average: Cited<Count>, inept: Cited<Count>,
        incompetent: Cited<Count>, division: Cited<Count>, corps: Cited<Count>, army: Cited<Count>,
    }
}

book::words! {
    /// What can be said of a weapon.
    WeaponKind {
        Artillery = "artillery", Breech = "breech", Magazine = "magazine", Howitzer = "howitzer",
        Mechanical = "mechanical", Gas = "gas", LongArm = "long_arm", Sidearm = "sidearm",
    }
}

impl Command {
    /// What a brigadier of an ability needs.
    pub fn rating(&self, ability: Ability) -> &Rating {
        match ability {
            Ability::Inspired => &self.inspired,
            Ability::Able => &self.able,
            Ability::Average => &self.average,
            Ability::Inept => &self.inept,
            Ability::Incompetent => &self.incompetent,
        }
    }

    /// What a face of the ability die makes of a brigadier.
    pub fn ability(&self, face: u8) -> Ability {
        let best_first = [Ability::Inspired, Ability::Able, Ability::Average, Ability::Inept];
        let made = best_first.into_iter().find(|ability| i32::from(face) >= self.rating(*ability).from.value.get());
        made.unwrap_or(Ability::Incompetent)
    }
}

impl Zones {
    /// The radius of a general.
    pub fn radius(&self, level: Level) -> &Cited<Measure> {
        match level {
            Level::Brigade => &self.brigade,
            Level::Division => &self.division,
            Level::Corps => &self.corps,
            Level::Army => &self.army,
        }
    }
}

impl Indirect {
    /// The length of one block of a battery.
    pub fn length(&self, class: GunClass) -> &Cited<Measure> {
        match class {
            GunClass::Horse | GunClass::Field => &self.field,
            GunClass::Medium => &self.medium,
            GunClass::Heavy | GunClass::SuperHeavy => &self.heavy,
        }
    }
}

impl WeaponRow {
    /// The weapon at a scale.
    pub fn weapon(&self, key: &str, scale: Scale) -> super::unit::Weapon {
        let is = |kind: WeaponKind| self.kinds.value.contains(&kind);
        let rapid = if is(WeaponKind::Gas) {
            Some(Action::Gas)
        } else if is(WeaponKind::Mechanical) {
            Some(Action::Mechanical)
        } else {
            None
        };
        super::unit::Weapon {
            key: key.to_owned(),
            short: self.short.value.at(scale),
            extreme: self.extreme.value.at(scale),
            artillery: is(WeaponKind::Artillery),
            breech: is(WeaponKind::Breech),
            magazine: is(WeaponKind::Magazine),
            howitzer: is(WeaponKind::Howitzer),
            rapid,
        }
    }
}
