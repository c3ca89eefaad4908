//! The benchmark: battles held at once, each at about one order per second, and how long both players wait. The number
//! of battles is doubled until somebody waits too long.

use crate::child::House;
use crate::http;
use crate::pace::{Chance, Waits};
use crate::player::{Player, Verdict};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde_json::json;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::task::LocalSet;
use tokio::time::{sleep, sleep_until};

/// The longest anybody should wait, in milliseconds: beyond it the doubling ends.
pub const TOO_LONG: f64 = 200.0;

/// What to measure.
#[derive(Clone, Debug)]
pub struct Bench {
    /// The server's program.
    pub server: PathBuf,
    /// A folder for its battles.
    pub data: PathBuf,
    /// Battles to begin with.
    pub battles: usize,
    /// The most battles to try.
    pub most: usize,
    /// How long each number is held.
    pub seconds: u64,
    /// Between two orders of a battle.
    pub pace: Duration,
    /// The scenario.
    pub scenario: String,
    /// Threads of the client.
    pub threads: usize,
}

/// One number of battles held.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Battles at once, two sockets each.
    pub battles: usize,
    /// Orders per second over all battles.
    pub orders_per_second: f64,
    /// From the order to its sender's answer.
    pub answer: Waits,
    /// From the order to the other player's news.
    pub news: Waits,
    /// Mean bytes a player was sent for one order.
    pub bytes_per_news: u64,
    /// Memory of the server with so many battles at rest, in bytes.
    pub at_rest: Option<u64>,
    /// Cores the server kept busy.
    pub server_cores: Option<f64>,
    /// Cores this client kept busy.
    pub client_cores: Option<f64>,
}

/// Everything measured.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The scenario.
    pub scenario: String,
    /// Memory of the server for one more battle with two players at the table and nobody moving, in bytes: the
    /// difference between the first and the last step. With one step alone, the server's own share is in it.
    pub idle_bytes: Option<u64>,
    /// Each number of battles.
    pub steps: Vec<Step>,
    /// The highest number with both waits under [`TOO_LONG`].
    pub highest: usize,
}

/// What all drivers share.
struct Shared {
    at: SocketAddr,
    scenario: String,
    pace: Duration,
    ready: AtomicUsize,
    measuring: AtomicBool,
    stop: AtomicBool,
    answers: Mutex<Vec<Duration>>,
    news: Mutex<Vec<Duration>>,
    bytes: AtomicU64,
    failed: Mutex<Vec<String>>,
}

/// Measures. `progress` hears how it goes.
pub fn run(bench: &Bench, progress: &mut dyn FnMut(String)) -> Result<Report> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(measure(bench, progress))
}

async fn measure(bench: &Bench, progress: &mut dyn FnMut(String)) -> Result<Report> {
    let scenario = bench.scenario.clone();
    let mut report = Report { scenario, idle_bytes: None, steps: Vec::new(), highest: 0 };
    let mut battles = bench.battles;
    while battles <= bench.most {
        // Each number has a server of its own, so that none inherits the other's memory.
        let house = House::open(&bench.server, &bench.data.join(battles.to_string())).await?;
        let empty = house.memory();
        let step = hold(bench, &house, battles).await?;
        house.close().await?;
        let (battles_before, before) = report.steps.first().map_or((0, empty), |first| (first.battles, first.at_rest));
        let grown = step.at_rest.zip(before).map(|(now, before)| now.saturating_sub(before));
        report.idle_bytes = grown.map(|bytes| bytes / (battles - battles_before).max(1) as u64);
        progress(line(&step));
        let fine = step.answer.p99 < TOO_LONG && step.news.p99 < TOO_LONG;
        if fine {
            report.highest = battles;
        }
        report.steps.push(step);
        if !fine {
            break;
        }
        battles *= 2;
    }
    Ok(report)
}

/// One step in a line.
pub fn line(step: &Step) -> String {
    let cores = |cores: Option<f64>| cores.map_or("?".to_owned(), |cores| format!("{cores:.2}"));
    format!(
        "{:>6} battles {:>7.0} orders/s   answer p50 {:>6.1} p99 {:>6.1} ms   other player's news p50 {:>6.1} p99 {:>6.1} ms   cores: server {}, client {}",
        step.battles,
        step.orders_per_second,
        step.answer.p50,
        step.answer.p99,
        step.news.p50,
        step.news.p99,
        cores(step.server_cores),
        cores(step.client_cores),
    )
}

/// Holds so many battles for a while.
async fn hold(bench: &Bench, house: &House, battles: usize) -> Result<Step> {
    let shared = Arc::new(Shared {
        at: house.at,
        scenario: bench.scenario.clone(),
        pace: bench.pace,
        ready: AtomicUsize::new(0),
        measuring: AtomicBool::new(false),
        stop: AtomicBool::new(false),
        answers: Mutex::default(),
        news: Mutex::default(),
        bytes: AtomicU64::new(0),
        failed: Mutex::default(),
    });
    let threads: Vec<_> = (0..bench.threads)
        .map(|thread| {
            let (shared, threads) = (Arc::clone(&shared), bench.threads);
            std::thread::spawn(move || drive(&shared, (thread..battles).step_by(threads)))
        })
        .collect();
    while shared.ready.load(Ordering::Relaxed) < battles {
        if let Some(why) = complaint(&shared) {
            bail!(why);
        }
        sleep(Duration::from_millis(50)).await;
    }
    sleep(Duration::from_secs(1)).await;
    let at_rest = house.memory();
    // Everybody begins within one pace; only then is the clock looked at.
    shared.measuring.store(true, Ordering::Relaxed);
    sleep(2 * bench.pace).await;
    lock(&shared.answers).clear();
    lock(&shared.news).clear();
    shared.bytes.store(0, Ordering::Relaxed);
    let (server, client, begun) = (house.cpu(), crate::child::cpu("self"), Instant::now());
    sleep(Duration::from_secs(bench.seconds)).await;
    let passed = begun.elapsed().as_secs_f64();
    let busy =
        |after: Option<f64>, before: Option<f64>| after.zip(before).map(|(after, before)| (after - before) / passed);
    let (server, client) = (busy(house.cpu(), server), busy(crate::child::cpu("self"), client));
    let (answers, news) = (std::mem::take(&mut *lock(&shared.answers)), std::mem::take(&mut *lock(&shared.news)));
    shared.stop.store(true, Ordering::Relaxed);
    for thread in threads {
        if thread.join().is_err() {
            bail!("a driver lost its head");
        }
    }
    if let Some(why) = complaint(&shared) {
        bail!(why);
    }
    let count = answers.len().max(1) as u64;
    let step = Step {
        battles,
        orders_per_second: answers.len() as f64 / passed,
        bytes_per_news: shared.bytes.load(Ordering::Relaxed) / (2 * count),
        answer: Waits::of(answers),
        news: Waits::of(news),
        at_rest,
        server_cores: server,
        client_cores: client,
    };
    Ok(step)
}

fn complaint(shared: &Shared) -> Option<String> {
    lock(&shared.failed).first().cloned()
}

fn lock<T>(lock: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One thread of the client with its share of the battles.
fn drive(shared: &Arc<Shared>, battles: impl Iterator<Item = usize>) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        lock(&shared.failed).push("no runtime".to_owned());
        return;
    };
    let local = LocalSet::new();
    for n in battles {
        let shared = Arc::clone(shared);
        local.spawn_local(async move {
            if let Err(error) = fight(&shared, n).await {
                lock(&shared.failed).push(format!("{error:#}"));
            }
        });
    }
    runtime.block_on(local);
}

/// One battle after the other at its pace, until everybody stops.
async fn fight(shared: &Shared, n: usize) -> Result<()> {
    let mut chance = Chance::new(n as u64 + 1);
    let mut table = sit(shared).await?;
    shared.ready.fetch_add(1, Ordering::Relaxed);
    while !shared.measuring.load(Ordering::Relaxed) {
        sleep(Duration::from_millis(20)).await;
    }
    let mut due = tokio::time::Instant::now() + chance.between(Duration::ZERO, shared.pace);
    while !shared.stop.load(Ordering::Relaxed) {
        sleep_until(due).await;
        due += shared.pace;
        if table.iter().any(|player| player.over) {
            table = sit(shared).await?;
        }
        order(shared, &mut table, chance.next()).await?;
    }
    Ok(())
}

/// Calls a battle into being and sits down on both sides of it.
async fn sit(shared: &Shared) -> Result<[Player; 2]> {
    let made = http::create(shared.at, &json!({ "scenario": shared.scenario, "seats": ["human", "human"] })).await?;
    let key = |key: Option<String>| key.context("a seat without a key");
    let a = Player::sit(shared.at, &made.id, &key(made.tokens.a)?).await?;
    Ok([a, Player::sit(shared.at, &made.id, &key(made.tokens.b)?).await?])
}

async fn order(shared: &Shared, table: &mut [Player; 2], seed: u64) -> Result<()> {
    let [a, b] = table;
    let (mover, other) = if a.is_asked() { (a, b) } else { (b, a) };
    let Some((no, draft)) = mover.choose(seed) else { bail!("nobody is asked anything") };
    let before = mover.bytes + other.bytes;
    let (seq, sent) = mover.order(no, draft).await?;
    let (verdict, heard) = tokio::try_join!(mover.verdict(seq), other.hear_news())?;
    match verdict {
        Verdict::Accepted(at) => {
            lock(&shared.answers).push(at - sent);
            lock(&shared.news).push(heard - sent);
            shared.bytes.fetch_add(mover.bytes + other.bytes - before, Ordering::Relaxed);
            Ok(())
        }
        Verdict::Refused(why) => bail!("a legal order was refused: {why}"),
    }
}
