//! The arena: every pair of bots of a rulebook fights over all its scenarios, seats exchanged, and their strength comes
//! out as Elo with its uncertainty.

use crate::batch::{self, Batch};
use crate::fight::{Pace, Thinking};
use crate::stats::{Z, wilson};
use bots::Level;
use engine::{BySide, Side};
use rules::StartError;
use serde::Serialize;
use std::time::Duration;

/// Where the first bot named stands.
const ANCHOR: f64 = 1000.0;
/// Elo points for a factor of e in the odds of winning.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// What to fight.
#[derive(Clone, Copy, Debug)]
pub struct Arena<'a> {
    /// The rulebook.
    pub ruleset: &'a str,
    /// Those who fight, the first being the measure of the others.
    pub bots: &'a [Level],
    /// How much those of them who look ahead may think.
    pub thinking: Thinking,
    /// Battles of every pair, at least; each scenario has the same number, half of them with seats exchanged.
    pub games: u32,
    /// Where all dice come from.
    pub seed: u64,
    /// How many threads; 0 takes one per core.
    pub jobs: usize,
}

/// What came of the battles of two bots on one scenario, or on all, told of the first.
#[derive(Clone, Copy, Default, PartialEq, Debug, Serialize)]
pub struct Score {
    /// Battles won.
    pub won: u64,
    /// Battles that nobody won.
    pub drawn: u64,
    /// Battles lost.
    pub lost: u64,
}

impl Score {
    /// All battles.
    pub fn games(self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// The share won; a draw is not won.
    pub fn share(self) -> f64 {
        self.won as f64 / self.games().max(1) as f64
    }

    /// The share of the points, half a point for a draw.
    pub fn points(self) -> f64 {
        (self.won as f64 + self.drawn as f64 / 2.0) / self.games().max(1) as f64
    }

    /// The 95 % interval of the share won.
    pub fn interval(self) -> (f64, f64) {
        wilson(self.won, self.games())
    }

    /// The 95 % interval of the share of the points: what a new bot must have above one half to replace an old one.
    pub fn points_interval(self) -> (f64, f64) {
        let games = self.games();
        if games == 0 {
            return (0.0, 1.0);
        }
        let (mean, n) = (self.points(), games as f64);
        let square = (self.won as f64 + self.drawn as f64 / 4.0) / n - mean * mean;
        // Wilson's interval, narrower by as much as draws spread less than victories and defeats.
        let (low, high) = wilson((mean * n).round() as u64, games);
        let narrow =
            if mean > 0.0 && mean < 1.0 { (square / (mean * (1.0 - mean))).clamp(0.0, 1.0).sqrt() } else { 1.0 };
        (mean - (mean - low) * narrow, mean + (high - mean) * narrow)
    }

    fn add(&mut self, other: Score) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }

    /// The same told of the other.
    pub fn turned(self) -> Score {
        Score { won: self.lost, drawn: self.drawn, lost: self.won }
    }
}

/// The battles of one pair.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Pairing {
    /// The places of both in the list.
    pub pair: [usize; 2],
    /// All battles.
    pub all: Score,
    /// By scenario.
    pub scenarios: Vec<(String, Score)>,
    /// Battles that went wrong.
    pub faults: usize,
    /// Orders that were refused.
    pub refused: u64,
    /// How long the answers of each took, where they thought by the clock.
    pub paces: [Pace; 2],
    /// CPU time of all its battles.
    pub cpu: Duration,
}

/// How strong one bot is.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// Its place in the list.
    pub bot: usize,
    /// Elo; the first bot has a thousand.
    pub elo: f64,
    /// The 95 % interval is so much to either side.
    pub give_or_take: f64,
}

/// The table of an arena.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// The names of the bots, as they were listed.
    pub bots: Vec<&'static str>,
    /// Every pair.
    pub pairings: Vec<Pairing>,
    /// Every bot, strongest first.
    pub ratings: Vec<Rating>,
}

impl Standings {
    /// How a bot did against another.
    pub fn score(&self, bot: usize, against: usize) -> Option<Score> {
        self.pairings.iter().find_map(|pairing| match pairing.pair {
            [a, b] if [a, b] == [bot, against] => Some(pairing.all),
            [a, b] if [b, a] == [bot, against] => Some(pairing.all.turned()),
            _ => None,
        })
    }
}

/// The scenarios of a rulebook.
pub fn scenarios(ruleset: &str) -> impl Iterator<Item = &'static rules::Scenario> {
    let of = ruleset.to_owned();
    rules::SCENARIOS.iter().filter(move |scenario| scenario.ruleset == of)
}

/// Battles of one pair on one scenario: an even number, so that seats are exchanged fairly.
pub fn games_each(games: u32, scenarios: usize) -> u32 {
    let scenarios = u32::try_from(scenarios.max(1)).unwrap_or(u32::MAX);
    games.div_ceil(scenarios).div_ceil(2) * 2
}

/// Fights it all out; `progress` hears how many battles are done, and of how many.
pub fn fight(arena: &Arena<'_>, progress: &(dyn Fn(u32, u32) + Sync)) -> Result<Standings, StartError> {
    let all: Vec<_> = scenarios(arena.ruleset).collect();
    if all.is_empty() {
        return Err(StartError::UnknownRuleset(arena.ruleset.to_owned()));
    }
    let each = games_each(arena.games, all.len());
    let pairs: Vec<[usize; 2]> =
        (0..arena.bots.len()).flat_map(|a| (a + 1..arena.bots.len()).map(move |b| [a, b])).collect();
    let whole = each * (all.len() * pairs.len()) as u32;
    let mut done = 0;
    let mut pairings = Vec::new();
    for pair in pairs {
        let [a, b] = pair.map(|bot| arena.bots[bot]);
        let mut pairing = Pairing {
            pair,
            all: Score::default(),
            scenarios: Vec::new(),
            faults: 0,
            refused: 0,
            paces: [Pace::default(); 2],
            cpu: Duration::ZERO,
        };
        for scenario in &all {
            let batch = Batch {
                setup: scenario.text,
                house: None,
                games: each,
                seed: arena.seed,
                players: BySide([a, b]),
                thinking: arena.thinking,
                swap: true,
                jobs: arena.jobs,
                verify: false,
            };
            let tally = batch::run(&batch, &|now| progress(done + now, whole))?;
            done += each;
            let wins = tally.wins();
            let score = Score { won: wins.a, drawn: wins.draw, lost: wins.b };
            pairing.all.add(score);
            pairing.scenarios.push((scenario.id.to_owned(), score));
            // A battle that is missing, because its thread fell, is a fault as well.
            pairing.faults += tally.faulty.len() + (each as usize).saturating_sub(tally.rows.len());
            pairing.refused += tally.refused();
            pairing.paces = Side::BOTH.map(|player| pairing.paces[player.index()].and(tally.paces[player]));
            pairing.cpu += tally.cpu;
        }
        pairings.push(pairing);
    }
    let ratings = rate(arena.bots.len(), &pairings);
    Ok(Standings { bots: arena.bots.iter().map(|level| level.name()).collect(), pairings, ratings })
}

/// The strengths under which these scores are likeliest (Bradley and Terry), a draw being half a victory. One drawn battle
/// is added to every pair, so that nobody who wins everything becomes infinitely strong.
fn rate(bots: usize, pairings: &[Pairing]) -> Vec<Rating> {
    let mut points = vec![vec![0.0; bots]; bots];
    for pairing in pairings {
        let ([a, b], score) = (pairing.pair, pairing.all);
        points[a][b] += score.won as f64 + score.drawn as f64 / 2.0 + 0.5;
        points[b][a] += score.lost as f64 + score.drawn as f64 / 2.0 + 0.5;
    }
    let mut strength = vec![1.0_f64; bots];
    for _ in 0..10_000 {
        let before = strength.clone();
        for one in 0..bots {
            let won: f64 = points[one].iter().sum();
            let met = |other: usize| (points[one][other] + points[other][one]) / (strength[one] + strength[other]);
            let all: f64 = (0..bots).filter(|other| *other != one).map(met).sum();
            if all > 0.0 {
                strength[one] = won / all;
            }
        }
        let first = strength.first().copied().unwrap_or(1.0);
        strength.iter_mut().for_each(|one| *one /= first);
        let moved = strength.iter().zip(&before).map(|(now, before)| (now / before - 1.0).abs()).fold(0.0, f64::max);
        if moved < 1e-12 {
            break;
        }
    }
    let spread = spreads(&points, &strength);
    let mut ratings: Vec<Rating> = (0..bots)
        .map(|bot| Rating {
            bot,
            elo: ANCHOR + SCALE * libm::log(strength[bot]),
            give_or_take: Z * SCALE * spread[bot].max(0.0).sqrt(),
        })
        .collect();
    ratings.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    ratings
}

/// The variances of the logarithms of strengths, against the first bot: what the curvature of the likelihood leaves open.
fn spreads(points: &[Vec<f64>], strength: &[f64]) -> Vec<f64> {
    let bots = strength.len();
    let known = |a: usize, b: usize| {
        let chance = strength[a] / (strength[a] + strength[b]);
        (points[a][b] + points[b][a]) * chance * (1.0 - chance)
    };
    // Without the first, which is the measure.
    let order = bots.saturating_sub(1);
    let mut rows: Vec<Vec<f64>> = (1..bots)
        .map(|a| {
            let own: f64 = (0..bots).filter(|b| *b != a).map(|b| known(a, b)).sum();
            let row = (1..bots).map(|b| if a == b { own } else { -known(a, b) });
            row.chain((1..bots).map(|b| f64::from(u8::from(a == b)))).collect()
        })
        .collect();
    for column in 0..order {
        let pivot = rows[column][column];
        if pivot == 0.0 {
            return vec![0.0; bots];
        }
        rows[column].iter_mut().for_each(|cell| *cell /= pivot);
        let row = rows[column].clone();
        for (_, other) in rows.iter_mut().enumerate().filter(|(n, _)| *n != column) {
            let factor = other[column];
            other.iter_mut().zip(&row).for_each(|(cell, by)| *cell -= factor * by);
        }
    }
    std::iter::once(0.0).chain((0..order).map(|n| rows[n][order + n])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing(pair: [usize; 2], won: u64, drawn: u64, lost: u64) -> Pairing {
        let all = Score { won, drawn, lost };
        Pairing {
            pair,
            all,
            scenarios: Vec::new(),
            faults: 0,
            refused: 0,
            paces: [Pace::default(); 2],
            cpu: Duration::ZERO,
        }
    }

    #[test]
    fn three_to_one_is_a_hundred_and_ninety_points() {
        let ratings = rate(2, &[pairing([0, 1], 100, 0, 300)]);
        let best = ratings[0];
        assert_eq!(best.bot, 1);
        // 400 · log10(3) = 190.8; the drawn battle that is added takes a hair of it.
        assert!((best.elo - ANCHOR - 190.8).abs() < 1.5, "{best:?}");
        // A share of 0.75 ± 0.0424 of 400 is about ± 39 points.
        assert!((best.give_or_take - 39.2).abs() < 2.0, "{best:?}");
        assert!(ratings[1].give_or_take.abs() < 1e-9 && (ratings[1].elo - ANCHOR).abs() < 1e-9);
    }

    #[test]
    fn strengths_add_up_along_a_chain() {
        let ratings =
            rate(3, &[pairing([0, 1], 100, 0, 300), pairing([1, 2], 100, 0, 300), pairing([0, 2], 40, 0, 360)]);
        assert_eq!(ratings.iter().map(|rating| rating.bot).collect::<Vec<_>>(), [2, 1, 0]);
        assert!((ratings[0].elo - ANCHOR - 381.7).abs() < 4.0, "{ratings:?}");
        assert!(ratings[0].give_or_take > ratings[1].give_or_take * 0.8, "{ratings:?}");
    }

    #[test]
    fn whoever_wins_everything_stays_finite() {
        let ratings = rate(2, &[pairing([0, 1], 0, 0, 50)]);
        assert!(ratings[0].elo.is_finite() && ratings[0].elo > ANCHOR + 500.0 && ratings[0].give_or_take.is_finite());
    }

    #[test]
    fn draws_narrow_the_points() {
        let sharp = Score { won: 50, drawn: 0, lost: 50 };
        let tame = Score { won: 10, drawn: 80, lost: 10 };
        let wide = |score: Score| score.points_interval().1 - score.points_interval().0;
        assert!((sharp.points() - tame.points()).abs() < 1e-9);
        assert!(wide(tame) < wide(sharp) * 0.5, "{} {}", wide(tame), wide(sharp));
        assert!((sharp.points_interval().0 - sharp.interval().0).abs() < 1e-9);
    }

    #[test]
    fn every_scenario_has_an_even_share() {
        assert_eq!(games_each(400, 6), 68);
        assert_eq!(games_each(1, 6), 2);
        assert_eq!(games_each(400, 1), 400);
    }

    #[test]
    fn an_arena_of_two_is_fought_on_every_scenario() {
        let bots = &[Level::Random, Level::Random];
        let arena = Arena { ruleset: "iron", bots, thinking: Thinking::Usual, games: 1, seed: 3, jobs: 2 };
        let standings = fight(&arena, &|_, _| {}).expect("it can be fought");
        let pairing = &standings.pairings[0];
        assert_eq!(pairing.scenarios.len(), scenarios("iron").count());
        assert_eq!(pairing.all.games(), 2 * pairing.scenarios.len() as u64);
        assert_eq!((pairing.faults, pairing.refused), (0, 0));
        assert_eq!(standings.score(1, 0), standings.score(0, 1).map(Score::turned));
        assert!(fight(&Arena { ruleset: "chess", ..arena }, &|_, _| {}).is_err());
    }
}
