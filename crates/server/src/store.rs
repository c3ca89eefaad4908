//! The store: one SQLite file in WAL mode: what is committed outlives the process. Reading goes through a small pool,
//! writing through one task that gathers what all battles want written and commits it together.

mod sweeper;
mod writer;

use crate::tokens::KeyHash;
use engine::Side;
use engine::replay::{Entry, Header, ReplayFile};
use engine::thoughts::Thoughts;
use serde::{Deserialize, Serialize};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Row};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use wire::{MindAt, Standing};
use writer::Job;

/// The name of the database in its folder.
pub const FILE: &str = "battles.sqlite";
/// Readers of the database.
const READERS: u32 = 4;
/// Memory for pages the writer has touched: minus means KiB. Each battle's next line goes to a page of its own.
const WRITER_CACHE: &str = "-32768";
/// Jobs that may wait for the writer.
const WAITING: usize = 4096;

/// Why the store did not do it.
#[derive(Clone, Debug, Error)]
pub enum StoreError {
    /// The folder or the file cannot be used.
    #[error("the battles in {place} cannot be opened: {why}")]
    Open {
        /// Where.
        place: String,
        /// Why.
        why: String,
    },
    /// The database refused.
    #[error("the database says: {0}")]
    Database(String),
    /// A row is not what was written.
    #[error("battle {battle} is damaged: {what}")]
    Damaged {
        /// Which.
        battle: String,
        /// What is wrong with it.
        what: String,
    },
    /// The writer has gone home.
    #[error("the house is closing")]
    Closed,
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        StoreError::Database(error.to_string())
    }
}

/// A battle without its orders.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: String,
    /// Rulebook, set-up, house rules and seed, as a replay has them.
    pub header: Header,
    /// Its name.
    pub title: String,
    /// The names of the sides.
    pub sides: [String; 2],
    /// The bot's level on each side; none for a person.
    pub bots: [Option<String>; 2],
    /// The hashed keys of the two seats.
    pub seats: [Option<KeyHash>; 2],
    /// The hashed key of those who watch.
    pub watch: KeyHash,
    /// Seconds since 1970.
    pub created: i64,
    /// How it stood when it was last written.
    pub standing: Standing,
    /// A replay somebody brought: nobody plays it, and everybody with its key sees everything.
    pub study: bool,
    /// What players may ask of the house.
    pub terms: Terms,
}

/// What players may ask of the house in a battle.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Terms {
    /// What it would do in their place.
    pub hints: bool,
    /// What the bots thought, before the battle is over.
    pub minds: bool,
}

/// Whom a key lets in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A player.
    Player(Side),
    /// Somebody watching.
    Watcher,
}

impl Record {
    /// Whom this key lets in.
    pub fn role(&self, key: &str) -> Option<Role> {
        let shown = KeyHash::of(key)?;
        let opens = |side: Side| self.seats[side.index()].as_ref().is_some_and(|known| known.matches(&shown));
        let player = Side::BOTH.into_iter().find(|side| opens(*side)).map(Role::Player);
        player.or_else(|| self.watch.matches(&shown).then_some(Role::Watcher))
    }
}

/// One order or motion to be written down.
#[derive(Debug)]
pub struct Append {
    /// Which battle.
    pub battle: String,
    /// The how-manieth, from 0.
    pub n: usize,
    /// Seconds since 1970.
    pub at: i64,
    /// The line of the replay.
    pub line: String,
    /// How the battle stands now, where that changed.
    pub standing: Option<Standing>,
    /// What a bot thought before it, with the side it plays.
    pub thoughts: Option<(Side, Thoughts)>,
}

/// The store.
pub struct Store {
    pool: SqlitePool,
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    sweeping: JoinHandle<()>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl Store {
    /// Opens the database of a folder, makes both where they are missing, and brings the tables up to date.
    pub async fn open(folder: &Path) -> Result<Store, StoreError> {
        let failed = |why: String| StoreError::Open { place: folder.display().to_string(), why };
        std::fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        let options = SqliteConnectOptions::new()
            .filename(folder.join(FILE))
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A flush at every commit would make every player wait for the disk's worst moment; see docs/server.md.
            .synchronous(SqliteSynchronous::Normal)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(5))
            // Folding the log into the database is the sweeper's work: the writer, for whom everybody waits, never does it.
            .pragma("wal_autocheckpoint", "0");
        let connect =
            async |options: &SqliteConnectOptions| options.connect().await.map_err(|error| failed(error.to_string()));
        let mut connection = connect(&options.clone().pragma("cache_size", WRITER_CACHE)).await?;
        sqlx::migrate!("./migrations").run(&mut connection).await.map_err(|error| failed(error.to_string()))?;
        let sweeper = connect(&options).await?;
        let pool = SqlitePoolOptions::new().max_connections(READERS).connect_lazy_with(options.clone());
        let (sender, jobs) = mpsc::channel(WAITING);
        let sweeping = tokio::spawn(sweeper::sweep(sweeper, sender.downgrade()));
        let writer = tokio::spawn(writer::write(connection, jobs));
        Ok(Store { pool, jobs: Mutex::new(Some(sender)), sweeping, writer: Mutex::new(Some(writer)) })
    }

    /// Lets the writer finish what it was given and closes the database.
    pub async fn close(&self) {
        drop(unpoisoned(&self.jobs).take());
        self.sweeping.abort();
        let writer = unpoisoned(&self.writer).take();
        if let Some(writer) = writer {
            let _ = writer.await;
        }
        self.pool.close().await;
    }

    async fn ask(&self, make: impl FnOnce(oneshot::Sender<Result<(), StoreError>>) -> Job) -> Result<(), StoreError> {
        let (done, answer) = oneshot::channel();
        let sender = unpoisoned(&self.jobs).clone().ok_or(StoreError::Closed)?;
        sender.send(make(done)).await.map_err(|_| StoreError::Closed)?;
        drop(sender);
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// Writes a new battle with the lines it brings along; returns once they are committed.
    pub async fn enrol(&self, record: Record, lines: Vec<String>) -> Result<(), StoreError> {
        self.ask(|done| Job::Enrol(Box::new(record), lines, done)).await
    }

    /// Writes an order down; returns once it is committed.
    pub async fn append(&self, append: Append) -> Result<(), StoreError> {
        self.ask(|done| Job::Append(append, done)).await
    }

    /// Writes how a battle stands.
    pub async fn stands(&self, battle: &str, standing: Standing) -> Result<(), StoreError> {
        self.ask(|done| Job::Stands(battle.to_owned(), standing, done)).await
    }

    /// Finds a battle.
    pub async fn record(&self, id: &str) -> Result<Option<Record>, StoreError> {
        let row = sqlx::query("select * from battles where id = ?").bind(id).fetch_optional(&self.pool).await?;
        row.map(|row| read_record(&row)).transpose()
    }

    /// The orders of a battle as a replay, and when the last one came.
    pub async fn replay(&self, record: &Record) -> Result<(ReplayFile, i64), StoreError> {
        let query = sqlx::query("select n, at, line from entries where battle = ? order by n").bind(&record.id);
        let rows = query.fetch_all(&self.pool).await?;
        let damaged = |what: String| StoreError::Damaged { battle: record.id.clone(), what };
        let (mut entries, mut updated) = (Vec::with_capacity(rows.len()), record.created);
        for (n, row) in rows.iter().enumerate() {
            if row.try_get::<i64, _>("n")? != n as i64 {
                return Err(damaged(format!("order {n} is missing")));
            }
            updated = row.try_get("at")?;
            let line: &str = row.try_get("line")?;
            let entry: Entry = serde_json::from_str(line).map_err(|error| damaged(format!("order {n}: {error}")))?;
            entries.push(entry);
        }
        Ok((ReplayFile { header: record.header.clone(), entries, outcome: None }, updated))
    }

    /// What bots thought before their orders, from one moment of the replay to before another.
    pub async fn minds(&self, battle: &str, from: u32, upto: u32) -> Result<Vec<MindAt>, StoreError> {
        // The order in line n leads to moment n + 1.
        let select = "select n, body from thoughts where battle = ? and n + 1 >= ? and n + 1 < ? order by n";
        let rows = sqlx::query(select).bind(battle).bind(from).bind(upto).fetch_all(&self.pool).await?;
        let damaged = |what: String| StoreError::Damaged { battle: battle.to_owned(), what };
        let mind = |row: &SqliteRow| {
            let n: u32 = row.try_get("n")?;
            let body: &str = row.try_get("body")?;
            let read: Result<(u8, Thoughts), _> = serde_json::from_str(body);
            let (by, thoughts) = read.map_err(|error| damaged(format!("the thoughts before order {n}: {error}")))?;
            Ok(MindAt { moment: n + 1, by, thoughts })
        };
        rows.iter().map(mind).collect()
    }

    /// Whether the database answers.
    pub async fn is_well(&self) -> bool {
        sqlx::query("select 1").fetch_one(&self.pool).await.is_ok()
    }
}

fn read_record(row: &SqliteRow) -> Result<Record, StoreError> {
    let id: String = row.try_get("id")?;
    let damaged = |what: &str| StoreError::Damaged { battle: id.clone(), what: what.to_owned() };
    let key = |name: &str| -> Result<Option<KeyHash>, StoreError> {
        let bytes: Option<Vec<u8>> = row.try_get(name)?;
        Ok(bytes.and_then(|bytes| KeyHash::from_bytes(&bytes)))
    };
    let seed: String = row.try_get("seed")?;
    let text = |name: &str| -> Result<String, StoreError> { Ok(row.try_get::<String, _>(name)?) };
    let header = Header {
        format: engine::replay::FORMAT.to_owned(),
        ruleset: text("ruleset")?,
        revision: row.try_get("revision")?,
        setup: text("setup")?,
        house: row.try_get("house")?,
        seed: seed.parse().map_err(|_| damaged("its seed cannot be read"))?,
    };
    let unreadable = |_| damaged("its seats cannot be read");
    Ok(Record {
        header,
        title: text("title")?,
        sides: serde_json::from_str(&text("sides")?).map_err(unreadable)?,
        bots: serde_json::from_str(&text("seats")?).map_err(unreadable)?,
        seats: [key("key_a")?, key("key_b")?],
        watch: key("key_w")?.ok_or_else(|| damaged("nobody may watch it"))?,
        created: row.try_get("created")?,
        standing: serde_json::from_str(&text("standing")?).map_err(unreadable)?,
        study: row.try_get("study")?,
        terms: serde_json::from_str(&text("terms")?).map_err(|_| damaged("its terms cannot be read"))?,
        id,
    })
}

/// Seconds since 1970.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_secs().cast_signed())
}

/// Takes a lock. What it guards is always whole, also after a panic somewhere else.
pub fn unpoisoned<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
