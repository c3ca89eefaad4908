//! A live battle: one task owns the [`Game`] and everybody at the table talks to the task. An order is written down
//! before anybody hears of it. The task is made when somebody comes and goes to sleep when nobody is left; what it
//! knows can always be read again from the store.

mod bots;
mod loan;
pub mod news;

pub use steward::words::over;
pub use steward::{Act, Refusal, RefusalKind};

use crate::hall::Hall;
use crate::limits::Bucket;
use crate::store::{Append, Record, Role, StoreError, now};
use axum::extract::ws::Utf8Bytes;
use engine::dump::Held;
use engine::game::Game;
use engine::scene::Told;
use engine::thoughts::Thoughts;
use engine::{Side, Viewer};
use std::sync::Arc;
use std::time::{Duration, Instant};
use steward::{Taken, Untaken, words};
use tokio::sync::{mpsc, oneshot};
use wire::{BattleInfo, BoardAnswer, FromServer, Hint, Kept, Loan, SoloLines, Standing};

/// What somebody wants of a live battle.
pub enum Call {
    /// To sit down with a socket; the answer is the number of the connection.
    Sit(Role, mpsc::Sender<Utf8Bytes>, oneshot::Sender<Result<u64, Refusal>>),
    /// To leave.
    Leave(u64),
    /// To act, over a socket.
    Act(u64, u32, Act),
    /// To act without one.
    ActBy(Side, Act, oneshot::Sender<Result<Vec<Told>, Refusal>>),
    /// To know how it stands.
    Info(oneshot::Sender<BattleInfo>),
    /// To hear what the house would do in a side's place.
    Advise(Side, oneshot::Sender<Result<Hint, Refusal>>),
    /// To see the table.
    Board(Role, oneshot::Sender<Result<BoardAnswer, Refusal>>),
    /// To play it in the page of a side; with the loan the page had before.
    Lend(Side, Option<String>, oneshot::Sender<Result<Loan, Refusal>>),
    /// To have lines of the record kept that were played there.
    Keep(Side, SoloLines, oneshot::Sender<Result<Kept, Refusal>>),
}

/// Somebody at the table.
struct Connection {
    no: u64,
    role: Role,
    held: Held,
    outbox: mpsc::Sender<Utf8Bytes>,
}

/// The task's memory.
pub struct Live {
    hall: Arc<Hall>,
    record: Arc<Record>,
    game: Option<Box<dyn Game>>,
    /// Why nobody may play on, though the battle is not over.
    frozen: Option<String>,
    updated: i64,
    connections: Vec<Connection>,
    last_no: u64,
    bots: bots::Bots,
    /// Who plays it.
    hands: loan::Hands,
    /// One for each side's orders that come without a socket.
    buckets: [Bucket; 2],
    /// The battle can no longer be read: the task ends, and whoever comes back wakes another.
    lost: bool,
}

/// What an act brought about.
struct Done {
    /// Events before it.
    from: usize,
    /// How the battle stood before it.
    before: Standing,
    /// Whether an order was taken back: the chronicle grew shorter.
    shorter: bool,
}

/// Runs a battle until nobody needs it any more.
pub async fn run(hall: Arc<Hall>, record: Arc<Record>, mut calls: mpsc::Receiver<Call>) {
    let rate = hall.limits.messages;
    let buckets = [Bucket::new(rate, Instant::now()), Bucket::new(rate, Instant::now())];
    let bots = bots::Bots::new(&record);
    let (connections, updated, hands) = (Vec::new(), record.created, loan::Hands::of(&record));
    let (game, frozen, last_no, lost) = (None, None, 0, false);
    let mut live = Live { hall, record, game, frozen, updated, connections, last_no, bots, hands, buckets, lost };
    match live.load().await {
        Ok(()) => {}
        Err(error @ StoreError::Damaged { .. }) => live.frozen = Some(error.to_string()),
        Err(_) => return,
    }
    while !live.lost && live.turn(&mut calls).await {}
    tracing::debug!(battle = live.record.id, "a battle goes to sleep");
}

impl Live {
    /// Does the next thing; false when the task is over.
    async fn turn(&mut self, calls: &mut mpsc::Receiver<Call>) -> bool {
        let (idle, pause) = (self.hall.limits.idle, self.bot_pause());
        tokio::select! {
            biased;
            call = calls.recv() => match call {
                Some(call) => self.answer(call).await,
                None => return false,
            },
            () = rest(pause), if pause.is_some() => self.bot_turn().await,
            () = tokio::time::sleep(idle), if pause.is_none() && self.connections.is_empty() => {
                return !self.hall.put_to_sleep(&self.record.id, calls);
            }
        }
        true
    }

    async fn answer(&mut self, call: Call) {
        match call {
            Call::Sit(role, outbox, reply) => {
                let answer = self.sit(role, outbox);
                // Whoever hung up meanwhile leaves by the closed outbox.
                let _ = reply.send(answer);
            }
            Call::Leave(no) => {
                self.connections.retain(|connection| connection.no != no);
                self.tell_presence(None);
            }
            Call::Act(no, seq, act) => self.act_over_socket(no, seq, act).await,
            Call::ActBy(side, act, reply) => {
                let answer = if self.buckets[side.index()].take(Instant::now()) {
                    self.hands.take_back();
                    self.act(side, act).await
                } else {
                    Err(Refusal::new(RefusalKind::TooMany, "too many orders at once; wait a second"))
                };
                let _ = reply.send(answer);
            }
            Call::Advise(side, reply) => {
                self.hands.look_on();
                let advice = self.advise(side).await;
                let _ = reply.send(advice);
            }
            Call::Info(reply) => drop(reply.send(self.info())),
            Call::Board(role, reply) => {
                if role != Role::Watcher {
                    self.hands.look_on();
                }
                drop(reply.send(self.board_for(role)));
            }
            Call::Lend(side, was, reply) => drop(reply.send(self.lend(side, was.as_deref()))),
            Call::Keep(side, lines, reply) => {
                let answer = self.keep(side, lines).await;
                let _ = reply.send(answer);
            }
        }
    }

    /// Reads the battle from the store and plays it up to now.
    async fn load(&mut self) -> Result<(), StoreError> {
        self.game = None;
        let loaded = self.read().await;
        if let Err(error) = &loaded {
            tracing::error!(battle = self.record.id, %error, "a battle cannot be read");
        }
        loaded
    }

    async fn read(&mut self) -> Result<(), StoreError> {
        let (replay, updated) = self.hall.store.replay(&self.record).await?;
        let damaged = |what: String| StoreError::Damaged { battle: self.record.id.clone(), what };
        let played = tokio::task::spawn_blocking(move || rules::resume(&replay, None)).await;
        let game = played.map_err(|error| damaged(error.to_string()))?.map_err(|error| damaged(error.to_string()))?;
        self.game = Some(game);
        self.updated = updated;
        if let Standing::Frozen { why } = &self.record.standing {
            self.frozen = Some(why.clone());
        }
        self.bots.wake();
        Ok(())
    }

    fn sit(&mut self, role: Role, outbox: mpsc::Sender<Utf8Bytes>) -> Result<u64, Refusal> {
        let most = self.hall.limits.connections_per_battle;
        if self.connections.len() >= most {
            let why = format!("{most} are at this table already; come back when somebody has left");
            return Err(Refusal::new(RefusalKind::TooMany, why));
        }
        if self.game.is_none() {
            let why = self.frozen.clone().unwrap_or_else(|| "the battle cannot be read".to_owned());
            return Err(Refusal::new(RefusalKind::House, why));
        }
        if role != Role::Watcher {
            self.hands.take_back();
        }
        self.last_no += 1;
        let no = self.last_no;
        self.connections.push(Connection { no, role, held: Held::default(), outbox });
        self.welcome(Some(no));
        self.tell_presence(Some(no));
        Ok(no)
    }

    async fn act_over_socket(&mut self, no: u64, seq: u32, act: Act) {
        let Some(role) = self.connections.iter().find(|connection| connection.no == no).map(|found| found.role) else {
            return;
        };
        let answer = match role {
            Role::Player(side) => self.act(side, act).await.map(|_| ()),
            Role::Watcher => Err(Refusal::new(RefusalKind::Untimely, "who watches gives no orders")),
        };
        let message = match answer {
            Ok(()) => FromServer::Accepted { seq },
            Err(refusal) => FromServer::Refused { seq: Some(seq), why: refusal.why, reasons: refusal.reasons },
        };
        self.send_to(no, &message);
    }

    /// Takes an order or motion: checks it, writes it down, and only then tells everybody. Returns what the sender is
    /// told.
    async fn act(&mut self, side: Side, act: Act) -> Result<Vec<Told>, Refusal> {
        self.act_with(side, act, Thoughts::default()).await
    }

    /// The same, with what was thought before it.
    async fn act_with(&mut self, side: Side, act: Act, thoughts: Thoughts) -> Result<Vec<Told>, Refusal> {
        let was_motion = matches!(act, Act::Motion(_));
        let done = self.take(side, act, thoughts).await?;
        self.bots.wake();
        let told = match &self.game {
            Some(game) if !done.shorter => game.chronicle(Viewer::Side(side), done.from),
            _ => Vec::new(),
        };
        self.tell_news(&done);
        if was_motion {
            self.bots_reply(side).await;
        }
        Ok(told)
    }

    /// The part of [`Live::act`] before anybody is told.
    async fn take(&mut self, side: Side, act: Act, thoughts: Thoughts) -> Result<Done, Refusal> {
        let before = self.standing();
        if let Some(why) = &self.frozen {
            return Err(Refusal::new(RefusalKind::House, format!("the battle is frozen: {why}")));
        }
        if self.record.study {
            return Err(Refusal::new(RefusalKind::Untimely, "a replay is looked at, not played"));
        }
        let Some(game) = self.game.as_mut() else {
            return Err(Refusal::new(RefusalKind::House, "the battle cannot be read just now"));
        };
        match steward::take(game.as_mut(), side, &act) {
            Ok(taken) => self.write_down(before, taken, thoughts).await,
            Err(Untaken::Refused(refusal)) => Err(refusal),
            Err(Untaken::Fault(why)) => Err(self.freeze(why).await),
        }
    }

    /// Writes the line of an act down that the game has taken already.
    async fn write_down(&mut self, before: Standing, taken: Taken, thoughts: Thoughts) -> Result<Done, Refusal> {
        let Taken { from, shorter, n, entry } = taken;
        let Ok(line) = serde_json::to_string(&entry) else {
            return Err(self.freeze("a line of the record cannot be written".to_owned()).await);
        };
        let (after, at) = (self.standing(), now());
        let standing = (after != before).then_some(after);
        let thoughts = (!thoughts.is_idle()).then_some((entry.side, thoughts));
        let append = Append { battle: self.record.id.clone(), n, at, line, standing, thoughts };
        if let Err(error) = self.hall.store.append(append).await {
            return Err(self.unwritten(error).await);
        }
        self.updated = at;
        Ok(Done { from, before, shorter })
    }

    /// The order could not be written: what is in memory is no longer true, so the battle is read again.
    async fn unwritten(&mut self, error: StoreError) -> Refusal {
        tracing::error!(battle = self.record.id, %error, "an order could not be written; the battle is read again");
        match self.load().await {
            Ok(()) => self.welcome(None),
            // Everybody is sent away by the closed outboxes, and may come back when the disk does.
            Err(_) => self.lost = true,
        }
        Refusal::new(RefusalKind::House, "the order could not be written down; nothing was changed, try again")
    }

    /// The house contradicted itself: the battle stays as it was before the order and nobody may play on.
    async fn freeze(&mut self, why: String) -> Refusal {
        tracing::error!(battle = self.record.id, why, "a battle is frozen");
        let refusal = Refusal::new(RefusalKind::House, format!("the house is at fault, the battle is frozen: {why}"));
        let standing = Standing::Frozen { why: why.clone() };
        if let Err(error) = self.hall.store.stands(&self.record.id, standing).await {
            tracing::error!(battle = self.record.id, %error, "the standing could not be written");
        }
        self.lost = self.load().await.is_err();
        self.frozen = Some(why);
        self.welcome(None);
        refusal
    }

    /// How it stands.
    fn standing(&self) -> Standing {
        if let Some(why) = &self.frozen {
            return Standing::Frozen { why: why.clone() };
        }
        self.game.as_deref().map_or(Standing::Playing, words::standing)
    }
}

async fn rest(pause: Option<Duration>) {
    match pause {
        Some(pause) if !pause.is_zero() => tokio::time::sleep(pause).await,
        _ => tokio::task::yield_now().await,
    }
}
