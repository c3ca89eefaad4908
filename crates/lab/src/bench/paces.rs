//! How many battles and decisions bots get through: of `awi/s40`, and of the standard battle of every other rulebook
//! beside it, by its own figure and for each of the first one's.

use super::{Better, Measure, SCENARIO, mustered};
use crate::clock;
use crate::fight::{Pair, fight};
use bots::{Level, Opponents};
use engine::battle::Keep;
use engine::{BySide, Faults, Seed, State};
use rules::awi::Awi;
use std::time::Duration;

/// What the first game should get through now and in the end: battles and decisions of careful bots, decisions of random
/// ones.
const FIRST: [[f64; 2]; 3] = [[40.0, 300.0], [15_000.0, 110_000.0], [60_000.0, 500_000.0]];

/// The standard battles of the other games, and how many decisions for each of the first one's they should reach now.
/// One answer of `guns`, `iron` or `empire` is a move or the fire of a whole army.
const OTHERS: [(&str, f64); 4] = [("fpw", 0.5), ("guns", 0.333), ("iron", 0.333), ("empire", 0.333)];

/// What bots get through in a CPU second: in one repeat, with both of one level.
#[derive(Clone, Copy)]
struct Pace {
    battles: f64,
    decisions: f64,
}

/// The paces of careful and of random bots, repeat by repeat.
struct Paces {
    careful: Vec<Pace>,
    random: Vec<Pace>,
}

/// Battles and decisions of every rulebook's standard battle.
pub(super) fn measure(
    first: &State<Awi>,
    repeats: u16,
    games: u32,
    progress: &dyn Fn(&str),
) -> Result<Vec<Measure>, Faults> {
    progress(SCENARIO);
    let first = paces(first, repeats, games);
    let mut measures = Vec::from(plain("", FIRST, &first));
    for (id, share) in OTHERS {
        let scenario = format!("{id}/s40");
        progress(&scenario);
        let found = rules::dispatch!(id, R => mustered::<R>(&scenario).map(|opening| paces(&opening, repeats, games)));
        let Some(own) = found.transpose()? else { continue };
        let goals = FIRST.map(|[now, end]| [now * share, end * share]);
        measures.extend(plain(&format!(" of {id}"), goals, &own));
        measures.extend(shares(id, share, &first, &own));
    }
    Ok(measures)
}

fn paces<R: Opponents>(opening: &State<R>, repeats: u16, games: u32) -> Paces {
    let of = |level: Level| (0..u64::from(repeats)).map(|repeat| pace(opening, level, repeat, games)).collect();
    Paces { careful: of(Level::Careful), random: of(Level::Random) }
}

fn pace<R: Opponents>(opening: &State<R>, level: Level, repeat: u64, games: u32) -> Pace {
    let (mut took, mut decisions) = (Duration::ZERO, 0_u64);
    for game in 0..u64::from(games) {
        let seed = Seed::from_number(repeat).derive("bench", game);
        let ((_, fought), time) =
            clock::timed(|| fight::<R>(opening.clone(), seed, Pair::usual(BySide([level, level])), Keep::Events));
        took += time;
        decisions += u64::from(fought.decisions);
    }
    let seconds = took.as_secs_f64().max(1e-9);
    Pace { battles: f64::from(games) / seconds, decisions: decisions as f64 / seconds }
}

/// A game's own figures.
fn plain(of: &str, goals: [[f64; 2]; 3], paces: &Paces) -> [Measure; 3] {
    let measure = |what: String, goals: [f64; 2], samples: Vec<f64>| {
        let blank = Measure::new(what, "per CPU s", goals, Better::More);
        Measure { samples, ..blank }
    };
    let decisions = |paces: &[Pace]| paces.iter().map(|pace| pace.decisions).collect();
    let battles = paces.careful.iter().map(|pace| pace.battles).collect();
    [
        measure(format!("battles{of}, careful v careful"), goals[0], battles),
        measure(format!("decisions{of}, careful v careful"), goals[1], decisions(&paces.careful)),
        measure(format!("decisions{of}, random v random"), goals[2], decisions(&paces.random)),
    ]
}

/// Another game's decisions for each of the first one's, from the same run on the same machine.
fn shares(id: &str, goal: f64, first: &Paces, own: &Paces) -> [Measure; 2] {
    let share = |who: &str, first: &[Pace], own: &[Pace]| {
        let what = format!("share of {id} in them, {who}");
        let samples = first.iter().zip(own).map(|(one, two)| two.decisions / one.decisions.max(1e-9)).collect();
        Measure { samples, ..Measure::new(what, "for each of awi's", [goal, 1.0], Better::More) }
    };
    [share("careful", &first.careful, &own.careful), share("random", &first.random, &own.random)]
}
