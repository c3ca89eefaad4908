//! The one who writes: takes everything that waits, commits it in one transaction, and only then tells each asker.

use super::{Append, Record, StoreError, now};
use serde_json::json;
use sqlx::{Connection, SqliteConnection, query};
use tokio::sync::{mpsc, oneshot};
use wire::Standing;

/// Most jobs of one transaction.
const BATCH: usize = 512;

type Done = oneshot::Sender<Result<(), StoreError>>;

/// Something to be written.
pub enum Job {
    /// A new battle and its first lines.
    Enrol(Box<Record>, Vec<String>, Done),
    /// An order.
    Append(Append, Done),
    /// How a battle stands.
    Stands(String, Standing, Done),
}

/// Writes until nobody can ask any more.
pub async fn write(mut connection: SqliteConnection, mut jobs: mpsc::Receiver<Job>) {
    let mut batch = Vec::new();
    while jobs.recv_many(&mut batch, BATCH).await > 0 {
        let result = commit(&mut connection, &batch).await;
        let together = result.is_ok() || batch.len() == 1;
        if let Err(error) = &result {
            tracing::error!(%error, jobs = batch.len(), "a commit failed");
        }
        for job in batch.drain(..) {
            // One bad job must not fail its neighbours: after a common failure each has a try of its own.
            let own = if together { result.clone() } else { commit(&mut connection, std::slice::from_ref(&job)).await };
            let (Job::Enrol(.., done) | Job::Append(_, done) | Job::Stands(.., done)) = job;
            // Whoever asked may be gone; what is written stays written.
            let _ = done.send(own);
        }
    }
    // Closing folds the write-ahead log into the database; where that fails the next opening does it.
    let _ = connection.close().await;
}

async fn commit(connection: &mut SqliteConnection, batch: &[Job]) -> Result<(), StoreError> {
    let mut work = connection.begin_with("begin immediate").await?;
    let (mut rows, mut minds) = (Vec::new(), Vec::new());
    for job in batch {
        match job {
            Job::Enrol(record, lines, _) => {
                enrol(&mut work, record).await?;
                rows.extend(lines.iter().enumerate().map(|(n, line)| json!([record.id, n, now(), line])));
            }
            Job::Append(append, _) => {
                rows.push(json!([append.battle, append.n, append.at, append.line]));
                if let Some((side, thoughts)) = &append.thoughts {
                    minds.push(json!([append.battle, append.n, json!([side.index(), thoughts]).to_string()]));
                }
                if let Some(standing) = &append.standing {
                    stands(&mut work, &append.battle, standing).await?;
                }
            }
            Job::Stands(battle, standing, _) => stands(&mut work, battle, standing).await?,
        }
    }
    if !rows.is_empty() {
        // One prepared statement for any number of lines.
        let insert = "insert into entries (battle, n, at, line)
            select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(?)";
        query(insert).bind(serde_json::Value::Array(rows).to_string()).execute(&mut *work).await?;
    }
    if !minds.is_empty() {
        let insert = "insert into thoughts (battle, n, body)
            select value ->> 0, value ->> 1, value ->> 2 from json_each(?)";
        query(insert).bind(serde_json::Value::Array(minds).to_string()).execute(&mut *work).await?;
    }
    Ok(work.commit().await?)
}

async fn enrol(work: &mut SqliteConnection, record: &Record) -> Result<(), StoreError> {
    let insert = "insert into battles
        (id, ruleset, revision, setup, house, seed, title, sides, seats, key_a, key_b, key_w, created, standing, study,
        terms)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    query(insert)
        .bind(&record.id)
        .bind(&record.header.ruleset)
        .bind(record.header.revision)
        .bind(&record.header.setup)
        .bind(&record.header.house)
        .bind(record.header.seed.to_string())
        .bind(&record.title)
        .bind(json!(record.sides).to_string())
        .bind(json!(record.bots).to_string())
        .bind(record.seats[0].map(|key| key.0.to_vec()))
        .bind(record.seats[1].map(|key| key.0.to_vec()))
        .bind(record.watch.0.to_vec())
        .bind(record.created)
        .bind(json!(record.standing).to_string())
        .bind(record.study)
        .bind(json!(record.terms).to_string())
        .execute(work)
        .await?;
    Ok(())
}

async fn stands(work: &mut SqliteConnection, battle: &str, standing: &Standing) -> Result<(), StoreError> {
    let update = "update battles set standing = ? where id = ?";
    query(update).bind(json!(standing).to_string()).bind(battle).execute(work).await?;
    Ok(())
}
