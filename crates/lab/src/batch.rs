//! A batch: one set-up, two players, many seeds, several threads.
//!
//! Every battle's seed comes from the batch's seed and the battle's number alone, and rows are put in order before
//! they are summed, so the result is the same for any number of threads.

use crate::clock;
use crate::fight::{self, Fought, Pace, Pair, Thinking, fight};
use crate::stats::wilson;
use bots::{Level, Opponents};
use engine::battle::Keep;
use engine::replay::{self, ReplayFile};
use engine::setup::{self, Mode};
use engine::{Battle, BySide, Seed, Side, State, StateHash, Telling};
use rules::{StartError, dispatch};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Replays of faulty battles that are kept; one is enough to mend a fault, thousands would fill the memory.
const MOST_REPLAYS: usize = 20;
/// Every battle leaves a row in memory.
pub const MOST_GAMES: u32 = 1_000_000;
const MOST_JOBS: usize = 256;

/// What to fight.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The set-up file.
    pub setup: &'a str,
    /// A house-rule file laid over it.
    pub house: Option<&'a str>,
    /// How many battles.
    pub games: u32,
    /// Where all dice come from.
    pub seed: u64,
    /// Player a and player b; unswapped they lead the scenario's first and second side.
    pub players: BySide<Level>,
    /// How much those of them who look ahead may think.
    pub thinking: Thinking,
    /// Plays every seed twice, the second time with seats swapped.
    pub swap: bool,
    /// How many threads; 0 takes one per core.
    pub jobs: usize,
    /// Plays every battle again from its replay and compares.
    pub verify: bool,
}

/// One battle of a batch.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// Its number, from 0.
    pub game: u32,
    /// Whether player a led the second side.
    pub swapped: bool,
    /// The side that won; nobody in a draw or a fault.
    pub winner: Option<Side>,
    /// Whether it ended as battles do.
    pub ended: bool,
    /// Rounds played.
    pub turns: u16,
    /// Orders accepted.
    pub decisions: u32,
    /// Orders refused.
    pub refused: u32,
    /// Units each side lost.
    pub lost: BySide<u32>,
    /// The last state.
    pub hash: StateHash,
}

/// A battle that went wrong.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FaultyGame {
    /// Its number.
    pub game: u32,
    /// The seed of its dice, as a replay's header writes it.
    pub seed: String,
    /// What went wrong.
    pub fault: String,
    /// Its replay, where it is kept.
    #[serde(skip)]
    pub replay: Option<String>,
}

/// What came of a batch.
#[derive(Clone, PartialEq, Debug)]
pub struct Tally {
    /// One row per battle, by number.
    pub rows: Vec<Row>,
    /// Battles that went wrong.
    pub faulty: Vec<FaultyGame>,
    /// How often battles ended for which reason.
    pub endings: BTreeMap<String, u32>,
    /// Why the first refused order was refused.
    pub first_refusal: Option<String>,
    /// Names of the sides.
    pub sides: [String; 2],
    /// How long player a's and player b's answers took, where they thought by the clock.
    pub paces: BySide<Pace>,
    /// CPU time of all threads while they fought.
    pub cpu: Duration,
    /// Time on the clock on the wall.
    pub wall: Duration,
}

/// Fights a batch; `progress` hears how many battles are done.
pub fn run(batch: &Batch<'_>, progress: &(dyn Fn(u32) + Sync)) -> Result<Tally, StartError> {
    let ruleset = rules::ruleset_of(batch.setup).unwrap_or_default();
    if ruleset.is_empty() {
        // Let the reader say what is wrong with the file.
        rules::start(batch.setup, batch.house, Seed::from_number(0))?;
    }
    let tally = dispatch!(ruleset.as_str(), R => run_typed::<R>(batch, progress));
    tally.ok_or(StartError::UnknownRuleset(ruleset))?
}

/// What one thread brings home.
#[derive(Default)]
struct Sheaf {
    rows: Vec<Row>,
    faulty: Vec<FaultyGame>,
    endings: BTreeMap<String, u32>,
    refusals: Vec<(u32, String)>,
    paces: BySide<Pace>,
    cpu: Duration,
}

fn run_typed<R: Opponents + Telling>(batch: &Batch<'_>, progress: &(dyn Fn(u32) + Sync)) -> Result<Tally, StartError> {
    let opening = setup::muster::<R>(batch.setup, batch.house, Mode::Battle)?.state;
    let sides = Side::BOTH.map(|side| opening.muster().sides[side].name.clone());
    let games = batch.games.min(MOST_GAMES);
    let jobs = threads(batch.jobs).min(games.max(1) as usize);
    let (next, done) = (AtomicU32::new(0), AtomicU32::new(0));
    let began = Instant::now();
    let work = || {
        let mut sheaf = Sheaf::default();
        loop {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= games {
                return sheaf;
            }
            one::<R>(batch, &opening, game, &mut sheaf);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    let sheaves: Vec<Sheaf> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        // A thread that panicked is missing its rows, which the caller sees as fewer battles than asked for.
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    Ok(gather(sheaves, sides, began.elapsed()))
}

fn threads(asked: usize) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
    if asked == 0 { cores() } else { asked.min(MOST_JOBS) }
}

fn one<R: Opponents + Telling>(batch: &Batch<'_>, opening: &State<R>, game: u32, sheaf: &mut Sheaf) {
    let (number, swapped) = if batch.swap { (game / 2, game % 2 == 1) } else { (game, false) };
    let seed = Seed::from_number(batch.seed).derive("game", u64::from(number));
    let levels = if swapped { BySide([batch.players[Side::B], batch.players[Side::A]]) } else { batch.players };
    let keep = if batch.verify { Keep::Everything } else { Keep::Events };
    let pair = Pair { levels, thinking: batch.thinking };
    let ((battle, fought), took) = clock::timed(|| fight::<R>(opening.clone(), seed, pair, keep));
    sheaf.cpu += took;
    sheaf.paces =
        BySide::from_fn(|player| sheaf.paces[player].and(fought.paces[if swapped { player.other() } else { player }]));
    let hash = battle.hash();
    let mut fault = fought.fault.clone();
    if batch.verify && fault.is_none() {
        fault = again(&battle, batch, seed).err().map(|why| format!("the replay does not verify: {why}"));
    }
    if let Some(fault) = fault {
        let keep_it = sheaf.faulty.len() < MOST_REPLAYS;
        let replay = keep_it.then(|| record::<R>(batch, opening, seed, pair));
        sheaf.faulty.push(FaultyGame { game, seed: fight::dice_seed(seed).to_string(), fault, replay });
    }
    if let Some(outcome) = &fought.outcome {
        let victor = outcome.winner.map_or("nobody", |side| opening.muster().sides[side].name.as_str());
        *sheaf.endings.entry(format!("{victor}: {} [{}]", outcome.why, outcome.clause)).or_default() += 1;
    }
    if let Some(refusal) = &fought.first_refusal {
        sheaf.refusals.push((game, refusal.clone()));
        sheaf.refusals.truncate(MOST_REPLAYS);
    }
    sheaf.rows.push(row(game, swapped, &fought, hash));
}

fn row(game: u32, swapped: bool, fought: &Fought, hash: StateHash) -> Row {
    Row {
        game,
        swapped,
        winner: fought.outcome.as_ref().and_then(|outcome| outcome.winner),
        ended: fought.outcome.is_some(),
        turns: fought.turns,
        decisions: fought.decisions,
        refused: fought.refused,
        lost: fought.lost,
        hash,
    }
}

/// The replay of a battle, through the text in which it would be saved.
fn again<R: Opponents>(battle: &Battle<R>, batch: &Batch<'_>, seed: Seed) -> Result<(), String> {
    let text = ReplayFile::of(battle, batch.setup, batch.house, fight::dice_seed(seed)).to_text();
    let read = ReplayFile::parse(&text).map_err(|faults| faults.to_string())?;
    let replayed = replay::play::<R>(&read, None).map_err(|error| error.to_string())?;
    if replayed.hash() == battle.hash() && replayed.events() == battle.events() {
        Ok(())
    } else {
        Err("it ends in another state".to_owned())
    }
}

/// Fights a faulty battle once more with everything kept: the same seed gives the same fault.
fn record<R: Opponents>(batch: &Batch<'_>, opening: &State<R>, seed: Seed, pair: Pair) -> String {
    let (battle, _) = fight::<R>(opening.clone(), seed, pair, Keep::Everything);
    ReplayFile::of(&battle, batch.setup, batch.house, fight::dice_seed(seed)).to_text()
}

fn gather(sheaves: Vec<Sheaf>, sides: [String; 2], wall: Duration) -> Tally {
    let mut tally = Tally {
        rows: Vec::new(),
        faulty: Vec::new(),
        endings: BTreeMap::new(),
        first_refusal: None,
        sides,
        paces: BySide::default(),
        cpu: Duration::ZERO,
        wall,
    };
    let mut refusals = Vec::new();
    for sheaf in sheaves {
        tally.rows.extend(sheaf.rows);
        tally.faulty.extend(sheaf.faulty);
        refusals.extend(sheaf.refusals);
        tally.cpu += sheaf.cpu;
        tally.paces = BySide::from_fn(|player| tally.paces[player].and(sheaf.paces[player]));
        for (why, count) in sheaf.endings {
            *tally.endings.entry(why).or_default() += count;
        }
    }
    tally.rows.sort_by_key(|row| row.game);
    tally.faulty.sort_by_key(|faulty| faulty.game);
    refusals.sort();
    tally.first_refusal = refusals.into_iter().next().map(|(game, why)| format!("battle {game}: {why}"));
    tally
}

/// Wins of a player, by any name.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Wins {
    /// Player a, or the first side.
    pub a: u64,
    /// Player b, or the second side.
    pub b: u64,
    /// Nobody.
    pub draw: u64,
}

impl Wins {
    fn count(&mut self, winner: Option<Side>) {
        match winner {
            Some(Side::A) => self.a += 1,
            Some(Side::B) => self.b += 1,
            None => self.draw += 1,
        }
    }

    /// Wilson 95 % intervals of the three shares.
    pub fn intervals(&self) -> [(f64, f64); 3] {
        let all = self.a + self.b + self.draw;
        [self.a, self.b, self.draw].map(|part| wilson(part, all))
    }
}

impl Tally {
    /// Wins by player: a keeps his wins when the seats are swapped.
    pub fn wins(&self) -> Wins {
        self.count(|row| row.winner.map(|side| if row.swapped { side.other() } else { side }))
    }

    /// Wins by side of the scenario, whoever led it.
    pub fn wins_by_side(&self) -> Wins {
        self.count(|row| row.winner)
    }

    fn count(&self, winner: impl Fn(&Row) -> Option<Side>) -> Wins {
        let mut wins = Wins { a: 0, b: 0, draw: 0 };
        self.rows.iter().filter(|row| row.ended).for_each(|row| wins.count(winner(row)));
        wins
    }

    /// The mean of something over all battles.
    pub fn mean(&self, of: impl Fn(&Row) -> f64) -> f64 {
        let sum: f64 = self.rows.iter().map(of).sum();
        if self.rows.is_empty() { 0.0 } else { sum / self.rows.len() as f64 }
    }

    /// Mean units lost by player a and b.
    pub fn units_lost(&self) -> BySide<f64> {
        BySide::from_fn(|player| {
            self.mean(|row| f64::from(row.lost[if row.swapped { player.other() } else { player }]))
        })
    }

    /// Orders accepted in all battles.
    pub fn decisions(&self) -> u64 {
        self.rows.iter().map(|row| u64::from(row.decisions)).sum()
    }

    /// Orders refused in all battles.
    pub fn refused(&self) -> u64 {
        self.rows.iter().map(|row| u64::from(row.refused)).sum()
    }

    /// Something per CPU second.
    pub fn per_cpu_second(&self, count: f64) -> f64 {
        let seconds = self.cpu.as_secs_f64();
        if seconds > 0.0 { count / seconds } else { 0.0 }
    }

    /// One word for the whole result, times left out: equal batches have equal digests.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for row in &self.rows {
            hasher.update(&serde_json::to_vec(row).unwrap_or_default());
        }
        hasher.finalize().to_hex().chars().take(32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skirmish(jobs: usize, swap: bool) -> Tally {
        let setup = rules::scenario("awi/skirmish").unwrap().text;
        let players = BySide([Level::Random, Level::Random]);
        let batch = Batch {
            setup,
            house: None,
            games: 6,
            seed: 7,
            players,
            thinking: Thinking::Usual,
            swap,
            jobs,
            verify: true,
        };
        run(&batch, &|_| {}).unwrap()
    }

    #[test]
    fn threads_change_nothing_but_the_time() {
        let (one, three) = (skirmish(1, false), skirmish(3, false));
        assert_eq!(one.rows, three.rows);
        assert_eq!(one.digest(), three.digest());
        assert_eq!(one.rows.len(), 6);
        assert!(one.faulty.is_empty(), "{:?}", one.faulty);
        assert!(one.cpu > Duration::ZERO && one.decisions() > 0);
    }

    #[test]
    fn swapped_seats_keep_the_players_wins() {
        let tally = skirmish(2, true);
        let (by_player, by_side) = (tally.wins(), tally.wins_by_side());
        assert_eq!(by_player.a + by_player.b + by_player.draw, 6);
        assert_eq!(by_player.draw, by_side.draw);
        assert_eq!(tally.rows.iter().filter(|row| row.swapped).count(), 3);
    }

    #[test]
    fn another_seed_is_another_batch() {
        let setup = rules::scenario("awi/skirmish").unwrap().text;
        let players = BySide([Level::Random, Level::Random]);
        let thinking = Thinking::Usual;
        let batch =
            Batch { setup, house: None, games: 2, seed: 7, players, thinking, swap: false, jobs: 1, verify: false };
        let other = Batch { seed: 8, ..batch };
        assert_ne!(run(&batch, &|_| {}).unwrap().digest(), run(&other, &|_| {}).unwrap().digest());
        let nonsense = Batch { setup: "ruleset = \"chess\"", ..batch };
        assert!(run(&nonsense, &|_| {}).is_err());
    }
}
