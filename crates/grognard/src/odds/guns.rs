//! `grognard odds guns`: fire, flinch tests, activation and rallies, described in words.

use clap::{Args, Subcommand};
use engine::Odds;
use rules::guns::charts::Charts;
use rules::guns::clause::Clause;
use rules::guns::odds::{self, Needy};
use rules::guns::shooting::Calculation;
use rules::guns::unit::Ability;

#[derive(Subcommand, Debug)]
pub enum What {
    /// One calculation of fire or close combat: points of combat status lost.
    Fire(FireArgs),
    /// A flinch test.
    Flinch {
        /// The total to throw or less.
        #[arg(allow_hyphen_values = true, value_parser = clap::value_parser!(i32).range(-50..=50))]
        total: i32,
    },
    /// Activation of several brigades, their dice dealt as well as they can be.
    Activation {
        /// Each brigade by its commander: inspired, able, average, inept or incompetent, with his modifiers behind it,
        /// such as average+1.
        #[arg(required = true, num_args = 1..=12, value_parser = brigade)]
        brigades: Vec<Brigade>,
    },
    /// A broken unit's attempt to rally.
    Rally {
        /// Its combat status.
        #[arg(value_parser = clap::value_parser!(u8).range(1..=40))]
        status: u8,
    },
}

#[derive(Args, Debug)]
pub struct FireArgs {
    /// Combat status of whoever fires or fights.
    #[arg(value_parser = clap::value_parser!(u8).range(1..=40))]
    status: u8,
    /// Elements or guns that count.
    #[arg(value_parser = clap::value_parser!(u8).range(1..=100))]
    counted: u8,
    /// The target lies down.
    #[arg(long)]
    prone: bool,
    /// The target is infantry in hard cover, and no gun fires.
    #[arg(long)]
    hard_cover: bool,
    /// The target is infantry in skirmish order.
    #[arg(long)]
    skirmishers: bool,
    /// The firer used more than half its move.
    #[arg(long)]
    moved: bool,
    /// The guns are ranging.
    #[arg(long)]
    ranging: bool,
    /// Guns fire at guns in battery.
    #[arg(long)]
    counter_battery: bool,
    /// The firer is under artillery fire.
    #[arg(long)]
    shelled: bool,
    /// The firer is under skirmish fire and does not skirmish.
    #[arg(long)]
    skirmished: bool,
    /// The target is charging.
    #[arg(long)]
    charging: bool,
    /// The target is infantry in loose order.
    #[arg(long)]
    loose: bool,
    /// In loose order, in close combat with close order.
    #[arg(long)]
    loose_against_close: bool,
    /// The target is in soft cover.
    #[arg(long)]
    soft_cover: bool,
    /// The target is beyond short range.
    #[arg(long)]
    long_range: bool,
    /// The target is mounted.
    #[arg(long)]
    mounted: bool,
    /// The firer has breech-loaders.
    #[arg(long)]
    breech: bool,
    /// The firer has magazine weapons.
    #[arg(long)]
    magazine: bool,
    /// Howitzers fire at troops in trenches.
    #[arg(long)]
    howitzers: bool,
    /// The firer is in disorder.
    #[arg(long)]
    disordered: bool,
}

#[derive(Clone, Debug)]
pub struct Brigade {
    word: String,
    ability: Ability,
    modifiers: i32,
}

/// The most a brigade's modifiers come to either way.
const MOST_MODIFIERS: i32 = 10;

fn brigade(word: &str) -> Result<Brigade, String> {
    let sign = word.find(['+', '-']).unwrap_or(word.len());
    let (name, figure) = word.split_at(sign);
    let wrong = || format!("`{word}` is no commander: expected a word such as average, inept-1 or able+2");
    let ability = Ability::parse(name).ok_or_else(wrong)?;
    let modifiers = if figure.is_empty() { 0 } else { figure.parse::<i32>().map_err(|_| wrong())? };
    if modifiers.abs() > MOST_MODIFIERS {
        return Err(wrong());
    }
    Ok(Brigade { word: word.to_owned(), ability, modifiers })
}

impl FireArgs {
    fn calculation(&self) -> Calculation {
        let halves = [
            (self.prone, Clause::TargetProne),
            (self.hard_cover, Clause::TargetHardCover),
            (self.skirmishers, Clause::TargetSkirmishing),
            (self.moved, Clause::FirerMoved),
            (self.ranging, Clause::FirerRanging),
            (self.counter_battery, Clause::CounterBatteryFire),
        ];
        let adds = [
            (self.shelled, Clause::FirerShelled),
            (self.skirmished, Clause::FirerSkirmished),
            (self.charging, Clause::TargetCharging),
            (self.loose, Clause::TargetLoose),
            (self.loose_against_close, Clause::LooseAgainstClose),
            (self.soft_cover, Clause::TargetSoftCover),
            (self.long_range, Clause::BeyondShortRange),
            (self.mounted, Clause::TargetMounted),
            (self.breech, Clause::BreechLoaders),
        ];
        let doubles = [(self.magazine, Clause::MagazineWeapons), (self.howitzers, Clause::HowitzersAtTrenches)];
        Calculation {
            status: self.status,
            counted: self.counted,
            halves: said(&halves).collect(),
            adds: said(&adds).collect(),
            doubles: said(&doubles).collect(),
            disordered: self.disordered,
        }
    }
}

/// The clauses of what was said on the command line.
fn said(lines: &[(bool, Clause)]) -> impl Iterator<Item = Clause> {
    lines.iter().filter(|line| line.0).map(|line| line.1)
}

pub fn work_out(what: &What, charts: &Charts) -> Odds {
    match what {
        What::Fire(args) => {
            let title = format!("combat status {}, {} counted", args.status, args.counted);
            odds::fire(charts, title, &args.calculation())
        }
        What::Flinch { total } => odds::flinch_test(charts, format!("a flinch test on {total} or less"), *total),
        What::Activation { brigades } => {
            let needy = |(n, brigade): (usize, &Brigade)| Needy {
                name: format!("brigade {} ({})", n + 1, brigade.word),
                need: odds::need(charts, brigade.ability, brigade.modifiers),
            };
            odds::activation(charts, &brigades.iter().enumerate().map(needy).collect::<Vec<_>>())
        }
        What::Rally { status } => odds::rally(charts, format!("a rally on {status} or less"), *status),
    }
}
