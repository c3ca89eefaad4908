//! The soak: battles by the hundred through the real socket while the server is killed at random. No order that was
//! acknowledged may be lost, and every replay must verify.

use crate::child::House;
use crate::http;
use crate::pace::Chance;
use crate::player::{Player, Verdict};
use crate::record::{self, Acknowledged};
use anyhow::{Context, Result, bail};
use engine::{Motion, Side};
use serde::Serialize;
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::LocalSet;
use tokio::time::sleep;
use wire::Created;

/// What to play.
#[derive(Clone, Debug)]
pub struct Soak {
    /// The server's program.
    pub server: PathBuf,
    /// A folder for its battles, which is left behind where something went wrong.
    pub data: PathBuf,
    /// How many battles.
    pub battles: usize,
    /// How many at once.
    pub at_once: usize,
    /// How often the server is killed, as long as somebody is still playing.
    pub kills: u32,
    /// Between two kills.
    pub between: (Duration, Duration),
    /// Between two orders of a battle, on the average.
    pub pace: Duration,
    /// Orders after which somebody concedes.
    pub most_orders: u32,
    /// The scenario.
    pub scenario: String,
    /// The number all choices come from.
    pub seed: u64,
    /// When to give up.
    pub deadline: Duration,
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Battles fought to their end.
    pub battles: usize,
    /// Orders and motions acknowledged.
    pub acknowledged: usize,
    /// Orders nobody got an answer to, because the server died.
    pub unanswered: usize,
    /// How often the server was killed.
    pub kills: u32,
    /// How often somebody had to sit down again.
    pub returns: usize,
    /// Replays that verify.
    pub verified: usize,
    /// Everything that went wrong.
    pub faults: Vec<String>,
    /// How long it took, in seconds.
    pub seconds: f64,
}

#[derive(Default)]
struct Count {
    over: Cell<usize>,
    unanswered: Cell<usize>,
    returns: Cell<usize>,
    faults: RefCell<Vec<String>>,
}

fn more(cell: &Cell<usize>) {
    cell.set(cell.get() + 1);
}

/// Plays it all. `progress` hears how it goes.
pub fn run(soak: &Soak, progress: &mut dyn FnMut(String)) -> Result<Report> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let begun = Instant::now();
    let mut report = LocalSet::new().block_on(&runtime, play(soak, progress))?;
    report.seconds = begun.elapsed().as_secs_f64();
    Ok(report)
}

async fn play(soak: &Soak, progress: &mut dyn FnMut(String)) -> Result<Report> {
    let begun = Instant::now();
    let mut house = House::open(&soak.server, &soak.data).await?;
    let (count, room) = (Rc::new(Count::default()), Rc::new(Semaphore::new(soak.at_once)));
    let mut fights = Vec::new();
    for n in 0..soak.battles {
        let (count, room, soak, at) = (Rc::clone(&count), Rc::clone(&room), soak.clone(), house.at);
        fights.push(tokio::task::spawn_local(async move {
            let _place = room.acquire().await?;
            let fought = match Fight::begin(&soak, at, n, &count).await {
                Ok(fight) => fight.fight_on().await,
                Err(error) => Err(error),
            };
            more(&count.over);
            fought
        }));
    }
    let mut chance = Chance::new(soak.seed ^ 0x5eed);
    let mut kills = 0;
    while count.over.get() < soak.battles {
        sleep(chance.between(soak.between.0, soak.between.1)).await;
        if begun.elapsed() > soak.deadline {
            bail!("not done after {} s: {} battles of {}", soak.deadline.as_secs(), count.over.get(), soak.battles);
        }
        // The last kill comes while somebody is still playing, or it would prove nothing.
        if kills < soak.kills && count.over.get() < soak.battles {
            house.kill_and_restart().await?;
            kills += 1;
        }
        progress(format!("{} battles over, {kills} kills, {:.0} s", count.over.get(), begun.elapsed().as_secs_f64()));
    }
    let (mut acknowledged, mut verified) = (0, 0);
    for fight in fights {
        match fight.await? {
            Ok(fought) => {
                acknowledged += fought.acknowledged.len();
                let text = http::replay(house.at, &fought.made.id, &fought.made.tokens.watch).await?;
                let wrong = record::faults(&text, &fought.acknowledged);
                verified += usize::from(wrong.is_empty());
                let mut faults = count.faults.borrow_mut();
                faults.extend(wrong.into_iter().map(|what| format!("battle {}: {what}", fought.made.id)));
            }
            Err(error) => count.faults.borrow_mut().push(format!("{error:#}")),
        }
    }
    house.close().await?;
    let faults = count.faults.borrow().clone();
    let (battles, unanswered, returns) = (count.over.get(), count.unanswered.get(), count.returns.get());
    Ok(Report { battles, acknowledged, unanswered, kills, returns, verified, faults, seconds: 0.0 })
}

/// A battle that was fought to its end.
struct Fought {
    made: Created,
    acknowledged: Vec<Acknowledged>,
}

/// A battle while it lasts. Two clients play it, or one against the server's bot.
struct Fight<'c> {
    at: SocketAddr,
    made: Created,
    players: [Option<Player>; 2],
    chance: Chance,
    count: &'c Count,
    acknowledged: Vec<Acknowledged>,
    most_orders: u32,
    pace: Duration,
}

impl<'c> Fight<'c> {
    async fn begin(soak: &Soak, at: SocketAddr, n: usize, count: &'c Count) -> Result<Fight<'c>> {
        let seats = match n % 4 {
            0 => json!(["human", { "bot": "careful" }]),
            1 => json!([{ "bot": "random" }, "human"]),
            _ => json!(["human", "human"]),
        };
        let made = http::create(at, &json!({ "scenario": soak.scenario, "seats": seats })).await?;
        let chance = Chance::new(soak.seed.wrapping_add(n as u64 + 1));
        let (most_orders, pace) = (soak.most_orders, soak.pace);
        Ok(Fight { at, made, players: [None, None], chance, count, acknowledged: Vec::new(), most_orders, pace })
    }

    async fn fight_on(mut self) -> Result<Fought> {
        let mut orders = 0;
        loop {
            sleep(self.chance.between(Duration::ZERO, 2 * self.pace)).await;
            match self.step(orders).await {
                Ok(true) => break,
                Ok(false) => orders += 1,
                Err(Broken::Line) => {
                    more(&self.count.returns);
                    self.players = [None, None];
                    sleep(Duration::from_millis(50)).await;
                }
                Err(Broken::House(error)) => return Err(error.context(format!("battle {}", self.made.id))),
            }
        }
        Ok(Fought { made: self.made, acknowledged: self.acknowledged })
    }

    /// One order by whoever is asked; true once the battle is over.
    async fn step(&mut self, orders: u32) -> Result<bool, Broken> {
        self.sit_down().await?;
        for player in self.players.iter_mut().flatten() {
            player.catch_up().await.map_err(line)?;
        }
        if self.players.iter().flatten().any(|player| player.over) {
            return Ok(true);
        }
        let asked = (0..2).find(|n| self.players[*n].as_ref().is_some_and(Player::is_asked));
        let Some(n) = asked else {
            // The bot is thinking, or the news are under way to one of the two.
            let [a, b] = &mut self.players;
            hear_either(a.as_mut(), b.as_mut()).await.map_err(line)?;
            return Ok(false);
        };
        let seed = self.chance.next();
        let Some(player) = self.players[n].as_mut() else { return Ok(false) };
        let side = Side::BOTH[n];
        let (seq, act) = if orders >= self.most_orders {
            let seq = player.motion(Motion::Concede).await;
            (seq.map_err(line)?, Acknowledged::Motion(side, Motion::Concede))
        } else if seed.is_multiple_of(64) {
            let seq = player.motion(Motion::DisputeDie).await;
            (seq.map_err(line)?, Acknowledged::Motion(side, Motion::DisputeDie))
        } else {
            let (no, draft) = player.choose(seed).context("nothing to choose").map_err(Broken::House)?;
            let (seq, _) = player.order(no, draft.clone()).await.map_err(line)?;
            (seq, Acknowledged::Order(side, no, draft))
        };
        match player.verdict(seq).await {
            Ok(Verdict::Accepted(_)) => self.acknowledged.push(act),
            // The server keeps us to a rate; what it refused for that is simply given again.
            Ok(Verdict::Refused(why)) if why.starts_with("too many messages") => {
                sleep(Duration::from_millis(200)).await
            }
            Ok(Verdict::Refused(why)) => {
                return Err(Broken::House(anyhow::anyhow!("a legal order was refused: {why}: {act:?}")));
            }
            Err(error) => {
                more(&self.count.unanswered);
                return Err(line(error));
            }
        }
        Ok(false)
    }

    async fn sit_down(&mut self) -> Result<(), Broken> {
        let keys = [self.made.tokens.a.clone(), self.made.tokens.b.clone()];
        for (place, key) in self.players.iter_mut().zip(keys) {
            if let (None, Some(key)) = (&place, key) {
                *place = Some(Player::sit(self.at, &self.made.id, &key).await.map_err(line)?);
            }
        }
        Ok(())
    }
}

async fn hear_either(a: Option<&mut Player>, b: Option<&mut Player>) -> Result<()> {
    match (a, b) {
        (Some(a), Some(b)) => tokio::select! {
            heard = a.hear_news() => heard.map(|_| ()),
            heard = b.hear_news() => heard.map(|_| ()),
        },
        (Some(only), None) | (None, Some(only)) => only.hear_news().await.map(|_| ()),
        (None, None) => bail!("nobody plays"),
    }
}

/// A broken line is nothing to complain of where the server is being killed; what matters is what it kept.
fn line(_: anyhow::Error) -> Broken {
    Broken::Line
}

/// Why a step did not come about.
enum Broken {
    /// The line broke: sit down again.
    Line,
    /// Something is wrong that no second try mends.
    House(anyhow::Error),
}
