//! The hall: all tables of the house. Finds a battle's task, makes it where there is none, and lets it go to sleep.

use crate::limits::Limits;
use crate::live::{self, Call, Refusal, RefusalKind};
use crate::store::{Record, Store, unpoisoned};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::sync::{mpsc, oneshot};

/// Calls that may wait for one battle.
const WAITING: usize = 128;
/// How often a call is tried again when its battle falls asleep just then.
const TRIES: usize = 4;

/// All tables.
pub struct Hall {
    /// Where battles are kept.
    pub store: Store,
    /// How much of anything.
    pub limits: Limits,
    tables: Mutex<BTreeMap<String, mpsc::Sender<Call>>>,
}

impl Hall {
    /// An empty hall.
    pub fn new(store: Store, limits: Limits) -> Arc<Hall> {
        Arc::new(Hall { store, limits, tables: Mutex::new(BTreeMap::new()) })
    }

    /// How many battles are awake.
    pub fn awake(&self) -> usize {
        unpoisoned(&self.tables).len()
    }

    /// Whether one more battle may be woken.
    pub fn has_room(&self) -> bool {
        self.awake() < self.limits.live_battles
    }

    /// The way to a battle's task.
    pub fn wake(self: &Arc<Self>, record: &Arc<Record>) -> Result<mpsc::Sender<Call>, Refusal> {
        let mut tables = unpoisoned(&self.tables);
        if let Some(table) = tables.get(&record.id).filter(|table| !table.is_closed()) {
            return Ok(table.clone());
        }
        if tables.len() >= self.limits.live_battles {
            let why = "the house is full: too many battles are being fought; come back in a few minutes";
            return Err(Refusal::new(RefusalKind::House, why));
        }
        let (sender, calls) = mpsc::channel(WAITING);
        tables.insert(record.id.clone(), sender.clone());
        drop(tables);
        let (hall, record) = (Arc::clone(self), Arc::clone(record));
        tokio::spawn(async move {
            let own = record.id.clone();
            // A panic in one battle must not leave its table standing: the next caller finds the channel closed and
            // wakes the battle anew from the store.
            live::run(Arc::clone(&hall), record, calls).await;
            let mut tables = unpoisoned(&hall.tables);
            if tables.get(&own).is_some_and(mpsc::Sender::is_closed) {
                tables.remove(&own);
            }
        });
        Ok(sender)
    }

    /// Sends a call to a battle, awake or not.
    pub async fn send(self: &Arc<Self>, record: &Arc<Record>, call: Call) -> Result<mpsc::Sender<Call>, Refusal> {
        let mut call = call;
        for _ in 0..TRIES {
            let table = self.wake(record)?;
            match table.send(call).await {
                Ok(()) => return Ok(table),
                Err(unsent) => call = unsent.0,
            }
        }
        Err(gone())
    }

    /// Asks a battle something and waits for the answer.
    pub async fn ask<T>(
        self: &Arc<Self>,
        record: &Arc<Record>,
        make: impl FnOnce(oneshot::Sender<T>) -> Call,
    ) -> Result<T, Refusal> {
        let (reply, answer) = oneshot::channel();
        self.send(record, make(reply)).await?;
        answer.await.map_err(|_| gone())
    }

    /// Lets a battle's task end, unless somebody has called just now.
    pub fn put_to_sleep(&self, id: &str, calls: &mut mpsc::Receiver<Call>) -> bool {
        let mut tables = unpoisoned(&self.tables);
        if !calls.is_empty() {
            return false;
        }
        // Closing comes first: whoever calls from now on is told so and wakes the battle anew. What slipped in before
        // is still answered, since `turn` reads until the channel is empty and only then ends.
        calls.close();
        tables.remove(id);
        calls.is_empty()
    }

    /// Ends all tasks once those at their tables have left.
    pub fn close(&self) {
        unpoisoned(&self.tables).clear();
    }
}

fn gone() -> Refusal {
    Refusal::new(RefusalKind::House, "the battle cannot be reached just now")
}
