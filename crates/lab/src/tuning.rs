//! What the reconstructed charts of `iron` and `empire` are tuned to, measured with the real engine: even battles that
//! either army may win in an evening, horse that breaks on steady rifles, squares that hold.

use crate::batch::{self, Batch};
use crate::fight::Thinking;
use crate::stats::wilson;
use bots::{Level, Opponents};
use engine::battle::Keep;
use engine::setup::{self, Mode};
use engine::{Battle, BySide, Ruleset, Seed, Side, State, UnitId, Viewer};
use rules::StartError;
use rules::days::Days;
use rules::days::field;
use rules::days::order::{Charger, Decision, Declaration, Order};
use serde::Serialize;

/// What a figure must come to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    /// What is measured.
    pub what: String,
    /// What it came to: a share in hundredths, or turns.
    pub value: f64,
    /// Where it lies with 95 % certainty; for shares.
    pub between: Option<(f64, f64)>,
    /// The least and the most it should be.
    pub goal: (f64, f64),
    /// Of how many battles or charges.
    pub of: u64,
}

impl Figure {
    /// Whether it is what it should be.
    pub fn is_reached(&self) -> bool {
        self.value >= self.goal.0 && self.value <= self.goal.1
    }

    fn share(what: String, part: u64, of: u64, goal: (f64, f64)) -> Figure {
        let (low, high) = wilson(part, of);
        let value = 100.0 * part as f64 / of.max(1) as f64;
        Figure { what, value, between: Some((100.0 * low, 100.0 * high)), goal, of }
    }
}

/// What an edition is tuned to.
struct Aims {
    /// The battle at equal points.
    even: &'static str,
    /// All battles of 800 points.
    long: &'static [&'static str],
    /// Horse at foot: the set-up, the foot's weapons, how the figure is called and how often the horse must fail.
    charge: (&'static str, &'static [&'static str], &'static str, f64),
}

const IRON: Aims = Aims {
    even: "iron/frontier",
    long: &["iron/frontier", "iron/loire"],
    charge: (include_str!("../tuning/iron-charge.toml"), &["dreyse", "chassepot"], "horse fails frontally at", 66.7),
};

const EMPIRE: Aims = Aims {
    even: "empire/danube",
    long: &["empire/river-line", "empire/chernaya", "empire/danube"],
    charge: (
        include_str!("../tuning/empire-square.toml"),
        &["smoothbore", "rifle"],
        "horse fails at a square with",
        90.0,
    ),
};

/// The share of decided battles the first side should win.
const EVEN: (f64, f64) = (40.0, 60.0);
/// How many turns a battle of 800 points should last.
const TURNS: (f64, f64) = (8.0, 14.0);
/// A charge is cheap to fight.
const CHARGES_FOR_EACH_BATTLE: u32 = 20;

/// Measures what an edition is tuned to; nothing where the ruleset is another.
pub fn measure(
    ruleset: &str,
    house: Option<&str>,
    games: u32,
    seed: u64,
    jobs: usize,
    progress: &dyn Fn(&str),
) -> Option<Result<Vec<Figure>, StartError>> {
    let aims = match ruleset {
        "iron" => &IRON,
        "empire" => &EMPIRE,
        _ => return None,
    };
    Some(of_edition(aims, house, games, seed, jobs, progress))
}

fn of_edition(
    aims: &Aims,
    house: Option<&str>,
    games: u32,
    seed: u64,
    jobs: usize,
    progress: &dyn Fn(&str),
) -> Result<Vec<Figure>, StartError> {
    let mut figures = Vec::new();
    for id in aims.long {
        progress(id);
        let Some(scenario) = rules::scenario(id) else { continue };
        let players = BySide([Level::Careful, Level::Careful]);
        let thinking = Thinking::Usual;
        let setup = scenario.text;
        let batch = Batch { setup, house, games, seed, players, thinking, swap: false, jobs, verify: false };
        let tally = batch::run(&batch, &|_| {})?;
        let wins = tally.wins_by_side();
        if *id == aims.even {
            let what = format!("{id}: {} win, of what is decided", tally.sides[0]);
            figures.push(Figure::share(what, wins.a, wins.a + wins.b, EVEN));
        }
        let value = tally.mean(|row| f64::from(row.turns));
        figures.push(Figure { what: format!("{id}: turns"), value, between: None, goal: TURNS, of: u64::from(games) });
    }
    let (text, weapons, what, least) = aims.charge;
    for weapon in weapons {
        progress(what);
        let text = text.replace("WEAPON", weapon);
        let mustered = setup::muster::<Days>(&text, house, Mode::Case).map_err(StartError::Faults)?;
        let charges = games.saturating_mul(CHARGES_FOR_EACH_BATTLE);
        let failed = (0..charges).filter(|n| !rides_down(mustered.state.clone(), seed, *n)).count() as u64;
        figures.push(Figure::share(format!("{what} {weapon}"), failed, u64::from(charges), (least, 100.0)));
    }
    Ok(figures)
}

/// Whether the first unit's charge makes the second give way, run or vanish before the turn is over.
fn rides_down(state: State<Days>, seed: u64, number: u32) -> bool {
    const HORSE: UnitId = UnitId(0);
    const FOOT: UnitId = UnitId(1);
    let turn = state.turn();
    let seed = Seed::from_number(seed).derive("charge", u64::from(number));
    let mut defender = Days::bot(Level::Careful, u64::from(number));
    let mut battle = Battle::<Days>::seeded(state, seed, Keep::Events);
    while let Some(side) = battle.awaited().filter(|_| battle.state().turn() == turn) {
        let (no, order, fallback) = {
            let view = battle.view(Viewer::Side(side));
            let Some(asked) = battle.asked() else { break };
            let fallback = Days::fallback(&view, asked, side);
            let order = match (&asked.decision, side) {
                (Decision::Charges, Side::A) => {
                    let charger = Charger { unit: HORSE, squadron: None, before: None, advance: None };
                    Order::Charge { declarations: vec![Declaration { units: vec![charger], at: FOOT }] }
                }
                (_, Side::A) => fallback.clone(),
                (_, Side::B) => defender.choose(&view, asked, side),
            };
            (asked.no, order, fallback)
        };
        let taken = battle.submit(side, no, order).is_ok();
        if !taken && battle.submit(side, no, fallback).is_err() {
            break;
        }
    }
    let state = battle.state();
    !field::is_there(state, FOOT)
        || field::is_routing(state, FOOT)
        || field::state(state, FOOT).pushed_back == Some(turn)
}
