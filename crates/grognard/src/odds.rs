//! `grognard odds`: exact odds of a situation described in words.

mod days;
mod fpw;
mod guns;

use crate::page::Page;
use crate::{Exit, input};
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use engine::chart::ChartTree;
use engine::setup::read_house;
use engine::{Odds, Ruleset};
use rules::awi::Awi;
use rules::awi::charts::Charts;
use rules::awi::described::{self, Charge, Nearby, Party, Stance, Target};
use rules::awi::event::Band;
use rules::awi::odds::{melee_plot, shell, test_plot, volley_plot};
use rules::awi::settings::Settings;
use rules::awi::unit;
use rules::days::Days;
use rules::fpw::Fpw;
use rules::guns::Guns;
use serde_json::json;
use std::path::PathBuf;
use table::Length;

pub const EXAMPLES: &str = "\
Examples:
  grognard odds volley --class line --range short --first --cover soft
  grognard odds gun --gun 6lb --range medium
  grognard odds shell
  grognard odds melee --class elite --charged --against line --against-cover hard
  grognard odds morale --class inferior --marks 2 --officer good --touching
  grognard odds charge --class line --gap 8in --against raw --against-marks 2
  grognard odds volley --class raw --range long --house militia.toml --json
  grognard odds fpw fire --weapon chassepot --range 6in --against cavalry --against-stands 2
  grognard odds fpw command --target 7
  grognard odds fpw combat --charging --arm cavalry --stands 2 --heavy
  grognard odds fpw close --markers 3
  grognard odds fpw recovery --markers 4 --quality elite
  grognard odds guns fire 8 8 --hard-cover --loose --breech
  grognard odds guns flinch 9
  grognard odds guns activation average average+1 inept
  grognard odds guns rally 5
  grognard odds iron volley --weapon chassepot --range effective --target line --stands 8
  grognard odds iron test charging-home class2 horse-home-at-formed-foot stand-lost-charging
  grognard odds empire assault --class 2 --with horse-charging --against 2 --against-with square-v-horse";

#[derive(Args, Debug)]
pub struct OddsArgs {
    #[command(subcommand)]
    what: What,
    /// House rules laid over the printed figures.
    #[arg(long, global = true, value_name = "FILE")]
    house: Option<PathBuf>,
    /// For programs.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand, Debug)]
enum What {
    #[command(flatten)]
    Awi(AwiWhat),
    /// Franco-Prussian Warmaster: orders, volleys, tests to close, close combat, recovery.
    Fpw {
        #[command(subcommand)]
        what: fpw::What,
    },
    /// Voice of the Guns: fire, flinch tests, activation, rallies.
    Guns {
        #[command(subcommand)]
        what: guns::What,
    },
    /// Days of Iron: volleys, morale tests, close assaults, fords, bridges, fires.
    Iron {
        #[command(subcommand)]
        what: days::What,
    },
    /// Days of Empire: the same.
    Empire {
        #[command(subcommand)]
        what: days::What,
    },
}

#[derive(Subcommand, Debug)]
enum AwiWhat {
    /// Small arms: hits of one volley.
    Volley {
        /// The class of the unit that fires.
        #[arg(long)]
        class: Class,
        /// The range.
        #[arg(long)]
        range: Range,
        /// The cover of the target.
        #[arg(long)]
        cover: Option<Cover>,
        /// It is the unit's first volley of the battle.
        #[arg(long)]
        first: bool,
        /// The target is in skirmish order.
        #[arg(long)]
        skirmish: bool,
        /// The target's charge has just failed.
        #[arg(long)]
        failed_charge: bool,
    },
    /// Artillery: hits of one shot.
    Gun {
        /// The gun.
        #[arg(long)]
        gun: Gun,
        /// The range.
        #[arg(long)]
        range: Range,
        /// Grapeshot, at short range.
        #[arg(long)]
        grape: bool,
        /// The target is in skirmish order.
        #[arg(long)]
        skirmish: bool,
    },
    /// A shell: dud or burst, and the hits of a burst.
    Shell,
    /// One round of melee.
    Melee(MeleeArgs),
    /// A morale test.
    Morale {
        /// The class of the unit that tests.
        #[arg(long)]
        class: Class,
        /// Marks it has left.
        #[arg(long, value_parser = clap::value_parser!(u8).range(1..=40))]
        marks: u8,
        #[command(flatten)]
        officer: OfficerArgs,
    },
    /// A charge: start, reach, the enemy's stand, his fire, the first round.
    Charge(ChargeArgs),
}

#[derive(Args, Debug)]
struct OfficerArgs {
    /// The best officer in reach.
    #[arg(long)]
    officer: Option<Rating>,
    /// He touches the unit.
    #[arg(long, requires = "officer")]
    touching: bool,
}

#[derive(Args, Debug)]
struct MeleeArgs {
    /// The class of one unit.
    #[arg(long)]
    class: Class,
    /// It is horse.
    #[arg(long)]
    horse: bool,
    /// It charged in and this is the first round.
    #[arg(long)]
    charged: bool,
    /// It charged an enemy in disorder.
    #[arg(long)]
    charged_disordered: bool,
    /// It stands higher.
    #[arg(long)]
    higher: bool,
    /// The cover it defends.
    #[arg(long)]
    cover: Option<Cover>,
    /// From where it attacks.
    #[arg(long)]
    attacks: Option<Aspect>,
    /// The class of the other unit.
    #[arg(long)]
    against: Class,
    /// The other unit is horse.
    #[arg(long)]
    against_horse: bool,
    /// The other unit charged in and this is the first round.
    #[arg(long)]
    against_charged: bool,
    /// The other unit charged an enemy in disorder.
    #[arg(long)]
    against_charged_disordered: bool,
    /// The other unit stands higher.
    #[arg(long)]
    against_higher: bool,
    /// The cover the other unit defends.
    #[arg(long)]
    against_cover: Option<Cover>,
    /// From where the other unit attacks.
    #[arg(long)]
    against_attacks: Option<Aspect>,
}

#[derive(Args, Debug)]
struct ChargeArgs {
    /// The class of the unit that charges.
    #[arg(long)]
    class: Class,
    /// It is horse.
    #[arg(long)]
    horse: bool,
    /// Marks it has left; all of them if left out.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=40))]
    marks: Option<u8>,
    #[command(flatten)]
    officer: OfficerArgs,
    /// How far away the enemy is, such as 8in; near enough if left out.
    #[arg(long, value_parser = length)]
    gap: Option<Length>,
    /// The class of the unit that is charged.
    #[arg(long)]
    against: Class,
    /// It is horse, and has no fire.
    #[arg(long)]
    against_horse: bool,
    /// It is a battery of these guns.
    #[arg(long, conflicts_with = "against_horse")]
    against_gun: Option<Gun>,
    /// Marks it has left; all of them if left out.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=40))]
    against_marks: Option<u8>,
    /// The best officer in its reach.
    #[arg(long)]
    against_officer: Option<Rating>,
    /// He touches it.
    #[arg(long, requires = "against_officer")]
    against_touching: bool,
    /// The cover it defends in the melee.
    #[arg(long)]
    against_cover: Option<Cover>,
    /// It is not loaded, and does not fire.
    #[arg(long)]
    unloaded: bool,
    /// It has fired or fought before: no first volley.
    #[arg(long)]
    fired_before: bool,
    /// Its guns fire grapeshot.
    #[arg(long, requires = "against_gun")]
    grape: bool,
}

fn length(word: &str) -> Result<Length, String> {
    let length: Length = word.parse().map_err(|error: table::LengthError| error.to_string())?;
    if length.is_negative() { Err("expected 0in or more".to_owned()) } else { Ok(length) }
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident => $to:path { $($variant:ident $word:literal $value:expr,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
        enum $name { $(#[value(name = $word)] $variant,)* }

        impl From<$name> for $to {
            fn from(word: $name) -> $to {
                match word { $($name::$variant => $value,)* }
            }
        }
    )*};
}

words! {
    Class => unit::Class {
        Elite "elite" unit::Class::Elite,
        Line "line" unit::Class::Line,
        Inferior "inferior" unit::Class::Inferior,
        Raw "raw" unit::Class::Raw,
    }
    Gun => unit::Gun {
        Battalion "battalion" unit::Gun::Battalion,
        Six "6lb" unit::Gun::SixPounder,
        TwentyFour "24lb" unit::Gun::TwentyFourPounder,
    }
    Rating => unit::Rating {
        Poor "poor" unit::Rating::Poor,
        Normal "normal" unit::Rating::Normal,
        Good "good" unit::Rating::Good,
        Excellent "excellent" unit::Rating::Excellent,
    }
    Range => Band {
        Short "short" Band::Short,
        Medium "medium" Band::Medium,
        Long "long" Band::Long,
    }
    Cover => rules::awi::field::Cover {
        Soft "soft" rules::awi::field::Cover::Soft,
        Hard "hard" rules::awi::field::Cover::Hard,
    }
    Aspect => unit::Aspect {
        Flank "flank" unit::Aspect::Flank,
        Rear "rear" unit::Aspect::Rear,
    }
}

pub fn odds(args: &OddsArgs, page: &mut Page) -> Result<Exit> {
    let (ruleset, odds) = match &args.what {
        What::Fpw { what } => ("fpw", fpw::work_out(what, &figures::<Fpw>("fpw", args)?.0)?),
        What::Guns { what } => ("guns", guns::work_out(what, &figures::<Guns>("guns", args)?.0)),
        What::Iron { what } => ("iron", days::work_out(what, &figures::<Days>("iron", args)?.0)?),
        What::Empire { what } => ("empire", days::work_out(what, &figures::<Days>("empire", args)?.0)?),
        What::Awi(what) => {
            let (charts, settings) = figures::<Awi>("awi", args)?;
            ("awi", work_out(what, &charts, &settings)?)
        }
    };
    if args.json {
        page.json(&json!({ "ruleset": ruleset, "house": args.house.is_some(), "odds": odds }))?;
    } else {
        page.odds(&odds)?;
    }
    Ok(Exit::Fine)
}

/// The printed figures with house rules over them.
fn figures<R: Ruleset>(ruleset: &str, args: &OddsArgs) -> Result<(R::Charts, R::Settings)> {
    let edition = R::edition_no(ruleset).unwrap_or_default();
    let mut tree = ChartTree::printed(R::edition(edition).charts)?;
    let mut settings = R::Settings::default();
    if let Some(path) = &args.house {
        let text = input::toml(path)?;
        read_house::<R>(&text, edition, &mut tree, &mut settings)
            .with_context(|| format!("the house rules of {} cannot be used", path.display()))?;
    }
    Ok((tree.read()?, settings))
}

fn work_out(what: &AwiWhat, charts: &Charts, settings: &Settings) -> Result<Odds> {
    Ok(match what {
        AwiWhat::Volley { class, range, cover, first, skirmish, failed_charge } => {
            if *range == Range::Medium {
                bail!("small arms know only short and long range");
            }
            let target = Target {
                cover: cover.map(Into::into),
                skirmish: *skirmish,
                failed_charge: *failed_charge,
                first_volley: *first,
            };
            let volley = described::musketry(charts, (*class).into(), (*range).into(), target);
            volley_plot(score("hits of the volley", &volley), &volley)
        }
        AwiWhat::Gun { gun, range, grape, skirmish } => {
            if *grape && *range != Range::Short {
                bail!("grapeshot does not reach beyond short range");
            }
            let shot = described::gunnery(charts, (*gun).into(), (*range).into(), *grape, *skirmish);
            let Some(shot) = shot else { bail!("this gun does not reach so far") };
            volley_plot(score("hits of the shot", &shot), &shot)
        }
        AwiWhat::Shell => shell(charts),
        AwiWhat::Melee(args) => melee(args, charts),
        AwiWhat::Morale { class, marks, officer } => {
            let trial =
                described::trial(charts, settings, (*class).into(), *marks, nearby(officer.officer, officer.touching));
            let title = match trial.need {
                None => "passes without a die".to_owned(),
                Some(need) => format!("the test: needs {} on a d{}", need.value, trial.die.sides),
            };
            test_plot(title, &trial)
        }
        AwiWhat::Charge(args) => charge(args, charts, settings),
    })
}

fn score(title: &str, volley: &rules::awi::fire::Volley) -> String {
    let dice = match volley.dice.value {
        1 => "1 die".to_owned(),
        count => format!("{count} dice"),
    };
    let modifier = match volley.modifier() {
        0 => String::new(),
        by => format!(" with {by:+} on each"),
    };
    format!("{title}: {dice}, {} needed{modifier}", volley.need.value)
}

fn nearby(rating: Option<Rating>, touching: bool) -> Nearby {
    rating.map(|rating| (rating.into(), touching))
}

fn melee(args: &MeleeArgs, charts: &Charts) -> Odds {
    let own = Stance {
        higher: args.higher,
        charged: args.charged,
        charged_disordered: args.charged_disordered,
        cover: args.cover.map(Into::into),
        aspect: args.attacks.map(Into::into),
    };
    let enemy = Stance {
        higher: args.against_higher,
        charged: args.against_charged,
        charged_disordered: args.against_charged_disordered,
        cover: args.against_cover.map(Into::into),
        aspect: args.against_attacks.map(Into::into),
    };
    let own = described::fighter(charts, args.class.into(), args.horse, own);
    let enemy = described::fighter(charts, args.against.into(), args.against_horse, enemy);
    melee_plot("one round", &own, &enemy)
}

fn charge(args: &ChargeArgs, charts: &Charts, settings: &Settings) -> Odds {
    let by = Party {
        class: args.class.into(),
        mounted: args.horse,
        marks: args.marks,
        officer: nearby(args.officer.officer, args.officer.touching),
    };
    let on = Party {
        class: args.against.into(),
        mounted: args.against_horse,
        marks: args.against_marks,
        officer: nearby(args.against_officer, args.against_touching),
    };
    let described = Charge {
        by,
        on,
        gap: args.gap,
        fire: !args.unloaded && !args.against_horse,
        first_volley: !args.fired_before,
        gun: args.against_gun.map(Into::into),
        cover: args.against_cover.map(Into::into),
        grape: args.grape,
    };
    described::charge(charts, settings, &described)
}
