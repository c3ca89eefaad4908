//! The speed of the house, measured on `awi/s40`: whole battles, sight, odds, copies of a state; and how the standard
//! battles of the other rulebooks compare with it. Everything runs on one thread and is timed by its CPU clock.

mod fields;
mod growth;
mod paces;
mod sight;

use crate::clock;
use bots::{Level, Opponents};
use engine::battle::Keep;
use engine::setup::{self, Mode};
use engine::{Battle, Commander, Faults, Ruleset, Seed, Side, State, Unit, UnitId};
use rules::awi::Awi;
use rules::awi::event::Band;
use rules::awi::{fire, morale, odds};
use serde::Serialize;
use std::borrow::Cow;
use std::hint::black_box;
use std::time::Duration;
use table::Length;

/// The scenario everything is measured on.
pub const SCENARIO: &str = "awi/s40";
/// A repeat of something short goes on for at least this long.
const LONG_ENOUGH: Duration = Duration::from_millis(120);
/// The round in which a battle counts as half fought.
const HALFWAY: u16 = 5;

/// Whether much or little is good.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// The more the better.
    More,
    /// The less the better.
    Less,
}

/// One thing measured several times.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measure {
    /// What.
    pub what: Cow<'static, str>,
    /// In what.
    pub unit: &'static str,
    /// What it should reach now, and in the end; nothing where it is only told.
    pub goals: Option<[f64; 2]>,
    /// Which way is good.
    pub better: Better,
    /// The measurements.
    pub samples: Vec<f64>,
}

impl Measure {
    /// A measure with its goals.
    pub fn new(what: impl Into<Cow<'static, str>>, unit: &'static str, goals: [f64; 2], better: Better) -> Measure {
        Measure { goals: Some(goals), ..Measure::plain(what, unit, better) }
    }

    /// A measure that has no goals of its own.
    pub fn plain(what: impl Into<Cow<'static, str>>, unit: &'static str, better: Better) -> Measure {
        Measure { what: what.into(), unit, goals: None, better, samples: Vec::new() }
    }

    /// Whether a figure reaches a goal.
    pub fn reaches(&self, figure: f64, goal: f64) -> bool {
        match self.better {
            Better::More => figure >= goal,
            Better::Less => figure <= goal,
        }
    }

    fn add(&mut self, sample: f64) {
        self.samples.push(sample);
    }
}

/// Measures everything `repeats` times; `progress` hears what is being measured.
pub fn run(repeats: u16, games: u32, progress: &dyn Fn(&str)) -> Result<Vec<Measure>, Faults> {
    let opening = mustered::<Awi>(SCENARIO)?;
    let middle = halfway(&opening);
    let mut measures = paces::measure(&opening, repeats, games, progress)?;
    progress("sight");
    measures.extend(sight::measure(&opening, repeats));
    progress("odds");
    measures.extend(all_odds(&middle, repeats));
    progress("copies of a state");
    measures.extend(copies(&middle, repeats));
    measures.extend(growth::measure(repeats, progress)?);
    Ok(measures)
}

fn mustered<R: Ruleset>(scenario: &str) -> Result<State<R>, Faults> {
    let text = rules::scenario(scenario).map_or("", |scenario| scenario.text);
    Ok(setup::muster::<R>(text, None, Mode::Battle)?.state)
}

/// How often a thing can be done in a CPU second, tried for long enough to be sure.
pub(crate) fn rate(mut once: impl FnMut() -> usize) -> f64 {
    let (mut done, mut took) = (0_usize, Duration::ZERO);
    while took < LONG_ENOUGH {
        let (count, time) = clock::timed(&mut once);
        done += count;
        took += time;
    }
    done as f64 / took.as_secs_f64()
}

/// A battle between careful bots, stopped in the middle.
fn halfway(opening: &State<Awi>) -> State<Awi> {
    let mut players = [Awi::bot(Level::Careful, 1), Awi::bot(Level::Careful, 2)];
    let mut battle = Battle::seeded(opening.clone(), Seed::from_number(40), Keep::Events);
    while let Some(side) = battle.awaited().filter(|_| battle.state().turn() < HALFWAY) {
        if battle.decide(side, |view, asked| players[side.index()].choose(view, asked, side)).is_err() {
            break;
        }
    }
    battle.state().clone()
}

fn all_odds(middle: &State<Awi>, repeats: u16) -> Vec<Measure> {
    let mut volley = Measure::new("exact odds of one volley", "µs", [5.0, 1.0], Better::Less);
    let mut chain = Measure::new("exact odds of a chain with morale", "µs", [50.0, 10.0], Better::Less);
    let mut pairs = Measure::new("odds of all pairs of units", "ms", [10.0, 1.0], Better::Less);
    let units = |side: Side| -> Vec<UnitId> { middle.present(side).map(|(id, _)| id).collect() };
    let (ours, theirs) = (units(Side::A), units(Side::B));
    let (Some(&by), Some(&at)) = (ours.first(), theirs.first()) else { return Vec::new() };
    let Some(one) = fire::volley(middle, by, at, Band::Short, false) else { return Vec::new() };
    let (start, receive) = (morale::trial(middle, by), morale::trial(middle, at));
    let gap = Length::whole_inches(8);
    for _ in 0..repeats {
        let volleys = rate(|| {
            (0..1_000).map(|_| black_box(&one).odds().chance(|hits| *hits > 0)).filter(|chance| *chance >= 0.0).count()
        });
        volley.add(1e6 / volleys);
        let chains = rate(|| {
            let ends =
                |_| odds::charge_spread(black_box(&start), Some((middle.charts(), 0, gap)), &receive, Some(&one), 5);
            (0..200).map(ends).filter(|ends| ends.chance(|_| true) > 0.0).count()
        });
        chain.add(1e6 / chains);
        let tables = rate(|| {
            let mut sum = 0.0;
            for &by in &ours {
                for &at in &theirs {
                    let found = fire::volley(middle, by, at, Band::Short, false);
                    sum += found.map_or(0.0, |volley| volley.odds().mean());
                }
            }
            usize::from(black_box(sum) >= 0.0)
        });
        pairs.add(1e3 / tables);
    }
    vec![volley, chain, pairs]
}

fn copies(middle: &State<Awi>, repeats: u16) -> Vec<Measure> {
    let mut size = Measure::new("size of a state, half-way", "KiB", [64.0, 8.0], Better::Less);
    let mut clone = Measure::new("copy of a state, half-way", "µs", [5.0, 0.15], Better::Less);
    for _ in 0..repeats {
        size.add(weight(middle) as f64 / 1024.0);
        let copies = rate(|| (0..1_000).map(|_| black_box(middle.clone())).filter(|copy| copy.turn() > 0).count());
        clone.add(1e6 / copies);
    }
    vec![size, clone]
}

/// Bytes of a state: its flat parts as they lie in memory; what hangs from them, by its canonical bytes.
fn weight(state: &State<Awi>) -> usize {
    let flat = size_of::<State<Awi>>()
        + state.units().count() * size_of::<Unit<Awi>>()
        + state.commanders().count() * size_of::<Commander<Awi>>();
    let bytes = |value: Result<Vec<u8>, postcard::Error>| value.map_or(0, |bytes| bytes.len());
    flat + bytes(postcard::to_allocvec(state.ledger())) + bytes(postcard::to_allocvec(state.agenda()))
}
