//! The server: battles over WebSocket and JSON, kept in SQLite, and the browser table beside them.
//!
//! It decides nothing about the rules and trusts nothing a browser says. An order is written down before anybody hears
//! that it was taken; nobody is sent a byte his seat may not know.

mod api;
mod failure;
mod frames;
mod hall;
mod limits;
mod live;
mod logs;
mod page;
mod serve;
mod socket;
mod store;
mod tokens;

pub use limits::Limits;
pub use logs::LogForm;
pub use serve::{Address, DEFAULT_PORT, Options, ServeError, app, default_data, run, serve};
pub use store::{FILE, StoreError};

use crate::failure::Failure;
use crate::frames::Shelf;
use crate::hall::Hall;
use crate::limits::Bucket;
use crate::store::{Store, unpoisoned};
use crate::tokens::Seeds;
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// How long closing waits for sockets to say farewell.
const PARTING: Duration = Duration::from_secs(5);

/// The house: everything the routes share.
pub struct House {
    hall: Arc<Hall>,
    shelf: Shelf,
    closing: watch::Sender<bool>,
    places: Arc<Semaphore>,
    new_battles: Mutex<Bucket>,
    /// Playing replays and reading set-ups is work for the processor: only so much of it at once.
    benches: Semaphore,
    seeds: Seeds,
}

impl House {
    /// Opens the house over the battles of a folder.
    pub async fn open(data: &Path, limits: Limits, rehearsal: Option<u64>) -> Result<Arc<House>, StoreError> {
        let store = Store::open(data).await?;
        let places = Arc::new(Semaphore::new(limits.connections));
        let new_battles = Mutex::new(Bucket::new(limits.new_battles, Instant::now()));
        let hall = Hall::new(store, limits);
        let benches = Semaphore::new(std::thread::available_parallelism().map_or(1, NonZero::get));
        let (shelf, closing) = (Shelf::default(), watch::Sender::new(false));
        let seeds = Seeds::new(rehearsal);
        Ok(Arc::new(House { hall, shelf, closing, places, new_battles, benches, seeds }))
    }

    /// Sends everybody home with the advice to come back, and writes what is still to be written.
    pub async fn close(&self) {
        self.closing.send_replace(true);
        let all = u32::try_from(self.hall.limits.connections).unwrap_or(u32::MAX);
        if tokio::time::timeout(PARTING, self.places.acquire_many(all)).await.is_err() {
            tracing::warn!("some sockets did not say farewell in time");
        }
        self.hall.close();
        self.hall.store.close().await;
    }

    /// Comes true when the house begins to close.
    fn closing(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut closing = self.closing.subscribe();
        async move {
            let _ = closing.wait_for(|closing| *closing).await.is_ok();
        }
    }

    /// A place for one more socket.
    fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// Does heavy work beside the runtime, when a bench is free.
    async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
        let _bench = self.benches.acquire().await;
        tokio::task::spawn_blocking(work).await.map_err(|error| {
            tracing::error!(%error, "some work was dropped");
            Failure::unavailable("the house is at fault; nothing was changed")
        })
    }

    fn may_begin(&self) -> bool {
        unpoisoned(&self.new_battles).take(Instant::now())
    }
}
