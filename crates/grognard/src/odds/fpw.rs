//! `grognard odds fpw`: orders, volleys, tests to close, rounds of close combat and recovery, described in words.

use anyhow::{Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use engine::Odds;
use rules::fpw::charts::Charts;
use rules::fpw::described::{self, Party};
use rules::fpw::field::Shelter;
use rules::fpw::unit::{self, Arm};
use table::Length;

#[derive(Subcommand, Debug)]
pub enum What {
    /// A command roll.
    Command {
        /// The score to throw or less: command value less all factors.
        #[arg(long, allow_hyphen_values = true, value_parser = clap::value_parser!(i32).range(-20..=30))]
        target: i32,
        /// A corps or army commander, who never blunders.
        #[arg(long)]
        higher: bool,
    },
    /// A volley: hits, markers, and whether the target gives way.
    Fire {
        /// What is fired.
        #[arg(long)]
        weapon: Weapon,
        /// From the nearest point of the firing stands.
        #[arg(long)]
        range: Length,
        /// From the flank or rear.
        #[arg(long)]
        flank: bool,
        #[command(flatten)]
        by: OwnArgs,
        #[command(flatten)]
        at: EnemyArgs,
    },
    /// A test to close.
    Close {
        /// Markers on the unit, of both kinds.
        #[arg(long, value_parser = clap::value_parser!(u32).range(0..=40))]
        markers: u32,
    },
    /// A round of close combat, front to front, every stand fighting.
    Combat {
        /// It charged in, not uphill, and this is the first round.
        #[arg(long)]
        charging: bool,
        #[command(flatten)]
        by: OwnArgs,
        #[command(flatten)]
        at: EnemyArgs,
    },
    /// Taking disruption off at the end of a turn.
    Recovery {
        /// Disruption markers on the unit.
        #[arg(long, value_parser = clap::value_parser!(u8).range(0..=40))]
        markers: u8,
        /// How good it is.
        #[arg(long, default_value = "regular")]
        quality: Quality,
    },
}

#[derive(Args, Debug)]
pub struct OwnArgs {
    /// The unit's arm.
    #[arg(long, default_value = "infantry")]
    arm: Troops,
    /// Its stands.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=12))]
    stands: u8,
    /// Disruption markers on it.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=40))]
    disruption: u8,
    /// Degradation markers on it.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=40))]
    degradation: u8,
    /// Cuirassiers or lancers.
    #[arg(long)]
    heavy: bool,
    /// The unit's own cover, which counts against what is thrown at it in close combat.
    #[arg(long)]
    cover: Option<Cover>,
    /// It is in dense formation.
    #[arg(long)]
    dense: bool,
}

#[derive(Args, Debug)]
pub struct EnemyArgs {
    /// The enemy's arm.
    #[arg(long, default_value = "infantry")]
    against: Troops,
    /// His stands.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=12))]
    against_stands: u8,
    /// Disruption markers on him.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=40))]
    against_disruption: u8,
    /// Degradation markers on him.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=40))]
    against_degradation: u8,
    /// His cover.
    #[arg(long)]
    against_cover: Option<Cover>,
    /// He is in dense formation.
    #[arg(long)]
    against_dense: bool,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
pub enum Troops {
    Infantry,
    Cavalry,
    Artillery,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
pub enum Cover {
    /// Terrain or linear cover.
    Light,
    /// Dense terrain, built-up areas, prepared defences.
    Dense,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
pub enum Quality {
    Elite,
    Regular,
    Landwehr,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
pub enum Weapon {
    Mlr,
    Needle,
    Carbine,
    Chassepot,
    BlRifle,
    FrenchGun,
    PrussianGun,
    Mitrailleuse,
}

impl From<Weapon> for unit::Weapon {
    fn from(weapon: Weapon) -> unit::Weapon {
        match weapon {
            Weapon::Mlr => unit::Weapon::MuzzleLoader,
            Weapon::Needle => unit::Weapon::NeedleGun,
            Weapon::Carbine => unit::Weapon::Carbine,
            Weapon::Chassepot => unit::Weapon::Chassepot,
            Weapon::BlRifle => unit::Weapon::BreechLoader,
            Weapon::FrenchGun => unit::Weapon::FrenchGun,
            Weapon::PrussianGun => unit::Weapon::PrussianGun,
            Weapon::Mitrailleuse => unit::Weapon::Mitrailleuse,
        }
    }
}

fn arm(troops: Troops) -> Arm {
    match troops {
        Troops::Infantry => Arm::Infantry,
        Troops::Cavalry => Arm::Cavalry,
        Troops::Artillery => Arm::FootArtillery,
    }
}

fn shelter(cover: Option<Cover>) -> Option<Shelter> {
    cover.map(|cover| match cover {
        Cover::Light => Shelter::Cover,
        Cover::Dense => Shelter::Dense,
    })
}

impl OwnArgs {
    fn party(&self) -> Party {
        Party {
            arm: arm(self.arm),
            stands: self.stands,
            disruption: self.disruption,
            degradation: self.degradation,
            heavy: self.heavy,
            dense: self.dense,
            shelter: shelter(self.cover),
        }
    }
}

impl EnemyArgs {
    fn party(&self) -> Party {
        Party {
            arm: arm(self.against),
            stands: self.against_stands,
            disruption: self.against_disruption,
            degradation: self.against_degradation,
            heavy: false,
            dense: self.against_dense,
            shelter: shelter(self.against_cover),
        }
    }
}

pub fn work_out(what: &What, charts: &Charts) -> Result<Odds> {
    Ok(match what {
        What::Command { target, higher } => described::command(charts, *target, !higher),
        What::Fire { weapon, range, flank, by, at } => {
            let odds = described::fire(charts, &by.party(), (*weapon).into(), *range, *flank, &at.party());
            let Some(odds) = odds else { bail!("this weapon does not reach {range}") };
            odds
        }
        What::Close { markers } => described::close(*markers),
        What::Combat { charging, by, at } => described::combat(charts, &by.party(), *charging, &at.party()),
        What::Recovery { markers, quality } => {
            let quality = match quality {
                Quality::Elite => unit::Quality::Elite,
                Quality::Regular => unit::Quality::Regular,
                Quality::Landwehr => unit::Quality::Landwehr,
            };
            described::recovery(charts, quality, *markers)
        }
    })
}
