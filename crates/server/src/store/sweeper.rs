//! The one who sweeps: folds the write-ahead log into the database beside the writer, so that no order waits for it.

use super::writer::Job;
use sqlx::{Connection, Row, SqliteConnection, query};
use std::time::Duration;
use tokio::sync::mpsc;

/// Between two sweeps.
const EVERY: Duration = Duration::from_millis(1000);
/// Pages of the log below which sweeping is not worth the trouble: 64 MiB. A battle's last page is written anew with
/// every order, and the longer the log the more of these copies are folded as one; the disk is slow while it happens.
const FEW: i64 = 16_384;
/// Pages of the log beyond which the writer is made to begin it anew: half a gigabyte.
const MANY: i64 = 131_072;

/// Only looks.
const LOOK: &str = "pragma wal_checkpoint(noop)";
/// Never waits for readers or the writer, and never makes them wait.
const FOLD: &str = "pragma wal_checkpoint(passive)";
/// Waits until the log can be begun anew.
const BEGIN_ANEW: &str = "pragma wal_checkpoint(restart)";

/// Sweeps until nobody can write any more.
pub async fn sweep(mut connection: SqliteConnection, writing: mpsc::WeakSender<Job>) {
    let mut swept = 0;
    while writing.upgrade().is_some() {
        tokio::time::sleep(EVERY).await;
        match sweep_once(&mut connection, swept).await {
            Ok(pages) => swept = pages,
            Err(error) => tracing::warn!(%error, "the log could not be folded"),
        }
    }
    // The last connection to close folds the rest.
    let _ = connection.close().await;
}

/// Folds what came since the last time, where there is enough of it; returns how long the log was.
async fn sweep_once(connection: &mut SqliteConnection, swept: i64) -> Result<i64, sqlx::Error> {
    let log = pages(connection, LOOK).await?;
    // A log that grew shorter was begun anew by the writer.
    let grown = if log < swept { log } else { log - swept };
    if grown < FEW {
        return Ok(swept.min(log));
    }
    pages(connection, if log > MANY { BEGIN_ANEW } else { FOLD }).await
}

/// Pages in the log after a pragma.
async fn pages(connection: &mut SqliteConnection, pragma: &'static str) -> Result<i64, sqlx::Error> {
    query(pragma).fetch_one(connection).await?.try_get(1)
}
