//! `grognard odds iron` and `grognard odds empire`: volleys, morale tests, close assaults and what else the dice decide,
//! described in words. Lines of the charts are named as the charts name them, with hyphens.

use anyhow::{Result, anyhow, bail};
use clap::{Args, Subcommand, ValueEnum};
use engine::Odds;
use rules::days::charts::{Band, Charts, TargetClass};
use rules::days::event::Test;
use rules::days::odds::{self, words};

#[derive(Subcommand, Debug)]
pub enum What {
    /// A volley of small arms, or the shots of guns: stands lost.
    Volley(VolleyArgs),
    /// One of the five morale tests.
    Test {
        /// Which.
        test: TestKind,
        /// What counts, by the names of the chart; a line named twice counts twice. A wrong one lists them all.
        #[arg(value_name = "LINE", num_args = 0..=12)]
        lines: Vec<String>,
    },
    /// One round of close assault, from our side.
    Assault(AssaultArgs),
    /// Looking for a ford.
    Ford,
    /// Blowing up a bridge.
    Demolition,
    /// Laying fire to woods or houses.
    Arson,
}

#[derive(Args, Debug)]
pub struct VolleyArgs {
    /// The weapon or gun, by the name of the chart; a wrong one lists them all.
    #[arg(long)]
    weapon: String,
    /// The range.
    #[arg(long)]
    range: Range,
    /// What is shot at.
    #[arg(long)]
    target: Target,
    /// Stands or gun models that shoot.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=60))]
    stands: u8,
}

#[derive(Args, Debug)]
pub struct AssaultArgs {
    /// Our class, the mean of several units.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=4))]
    class: u8,
    /// What counts for us, by the names of the chart.
    #[arg(long, value_name = "LINE", num_args = 1..=12)]
    with: Vec<String>,
    /// The enemy's class.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=4))]
    against: u8,
    /// What counts for him.
    #[arg(long, value_name = "LINE", num_args = 1..=12)]
    against_with: Vec<String>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum TestKind {
    ToCharge,
    BeingCharged,
    Casualties,
    ChargingHome,
    Rally,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum Range {
    Close,
    Effective,
    Long,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum Target {
    Dispersed,
    Line,
    Dense,
    Fast,
    Light,
    Heavy,
}

impl From<TestKind> for Test {
    fn from(kind: TestKind) -> Test {
        match kind {
            TestKind::ToCharge => Test::ToCharge,
            TestKind::BeingCharged => Test::BeingCharged,
            TestKind::Casualties => Test::Casualties,
            TestKind::ChargingHome => Test::ChargingHome,
            TestKind::Rally => Test::Rally,
        }
    }
}

impl From<Range> for Band {
    fn from(range: Range) -> Band {
        match range {
            Range::Close => Band::Close,
            Range::Effective => Band::Effective,
            Range::Long => Band::Long,
        }
    }
}

impl From<Target> for TargetClass {
    fn from(target: Target) -> TargetClass {
        match target {
            Target::Dispersed => TargetClass::Dispersed,
            Target::Line => TargetClass::Line,
            Target::Dense => TargetClass::Dense,
            Target::Fast => TargetClass::Fast,
            Target::Light => TargetClass::Light,
            Target::Heavy => TargetClass::Heavy,
        }
    }
}

pub fn work_out(what: &What, charts: &Charts) -> Result<Odds> {
    Ok(match what {
        What::Volley(args) => return volley(args, charts),
        What::Test { test, lines } => {
            let lines = names(lines);
            let score = words::test_score(charts, (*test).into(), &as_words(&lines));
            odds::test(charts, score.map_err(|name| no_line(name, words::FACTORS))?)
        }
        What::Assault(args) => {
            let side = |class: u8, lines: &[String]| {
                let lines = names(lines);
                words::assault_score(charts, class, &as_words(&lines)).map_err(|name| no_line(name, words::ADVANTAGES))
            };
            odds::assault(charts, side(args.class, &args.with)? - side(args.against, &args.against_with)?)
        }
        What::Ford => odds::ford(charts, "looking for a ford"),
        What::Demolition => odds::demolition(charts, "blowing up a bridge"),
        What::Arson => odds::arson(charts, "laying fire"),
    })
}

fn volley(args: &VolleyArgs, charts: &Charts) -> Result<Odds> {
    let weapon = args.weapon.replace('-', "_");
    let known: Vec<String> =
        charts.small_arms.keys().chain(charts.gun.keys()).map(|name| name.replace('_', "-")).collect();
    if !charts.small_arms.contains_key(&weapon) && !charts.gun.contains_key(&weapon) {
        bail!("there is no weapon called `{}`; there are: {}", args.weapon, known.join(", "));
    }
    let odds = odds::volley(charts, &weapon, args.target.into(), args.range.into(), args.stands);
    odds.ok_or_else(|| anyhow!("{} does not reach so far", args.weapon))
}

/// Lines as the charts write them.
fn names(said: &[String]) -> Vec<String> {
    said.iter().map(|line| line.replace('-', "_")).collect()
}

fn as_words(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

fn no_line(name: &str, known: &[&str]) -> anyhow::Error {
    let known: Vec<String> = known.iter().map(|line| line.replace('_', "-")).collect();
    anyhow!("there is no line called `{}`; there are: {}", name.replace('_', "-"), known.join(", "))
}
