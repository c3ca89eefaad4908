//! One socket at one table: reads what the browser says, writes what the battle says.

use crate::House;
use crate::limits::Bucket;
use crate::live::{Act, Call, RefusalKind, news};
use crate::store::Record;
use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use tokio::time::{interval_at, timeout};
use wire::{FromBrowser, FromServer, MOST_MESSAGE};

/// How long a browser may take to read one message.
const SLOWEST: Duration = Duration::from_secs(20);

/// Why a socket ends.
struct Ending {
    why: String,
    again: bool,
}

fn ending(why: impl Into<String>, again: bool) -> Ending {
    Ending { why: why.into(), again }
}

/// Serves a socket until one of the two ends has enough. Its place is kept until the end, so that closing the house can
/// wait for everybody to be sent home.
pub async fn attend(house: Arc<House>, id: String, mut socket: WebSocket, place: OwnedSemaphorePermit) {
    let ended = match enter(&house, &id, &mut socket).await {
        Ok(seat) => seat.sit(&house, &mut socket).await,
        Err(ended) => ended,
    };
    if let Some(Ending { why, again }) = ended {
        let _ = say(&mut socket, &FromServer::Farewell { why, again }).await;
        let frame = CloseFrame { code: close_code::NORMAL, reason: Utf8Bytes::default() };
        let _ = timeout(SLOWEST, socket.send(Message::Close(Some(frame)))).await;
    }
    drop(place);
}

/// A seat taken by this socket.
struct Seat {
    no: u64,
    table: mpsc::Sender<Call>,
    outbox: mpsc::Receiver<Utf8Bytes>,
}

/// Asks for the key and sits down.
async fn enter(house: &Arc<House>, id: &str, socket: &mut WebSocket) -> Result<Seat, Option<Ending>> {
    let first = tokio::select! {
        first = timeout(house.hall.limits.hello, socket.recv()) => first,
        () = house.closing() => return Err(Some(ending("the house is closing", true))),
    };
    let text = match first {
        Err(_) => return Err(Some(ending("nobody said hello", true))),
        Ok(Some(Ok(Message::Text(text)))) if text.len() <= MOST_MESSAGE => text,
        Ok(Some(Ok(Message::Close(_))) | None) => return Err(None),
        Ok(_) => return Err(Some(ending("the first message must be hello with the key of a seat", false))),
    };
    let Ok(FromBrowser::Hello { token }) = serde_json::from_str(&text) else {
        return Err(Some(ending("the first message must be hello with the key of a seat", false)));
    };
    let record = match house.hall.store.record(id).await {
        Ok(Some(record)) => Arc::new(record),
        Ok(None) => return Err(Some(ending("there is no such battle", false))),
        Err(error) => {
            tracing::error!(%error, "the store failed");
            return Err(Some(ending("the battles cannot be read just now", true)));
        }
    };
    sit_down(house, &record, &token).await.map_err(Some)
}

async fn sit_down(house: &Arc<House>, record: &Arc<Record>, token: &str) -> Result<Seat, Ending> {
    let role = record.role(token).ok_or_else(|| ending("this key opens no seat of the battle", false))?;
    let (sender, outbox) = mpsc::channel(house.hall.limits.waiting);
    let (reply, answer) = oneshot::channel();
    let table = house.hall.send(record, Call::Sit(role, sender, reply)).await.map_err(|why| ending(why.why, true))?;
    match answer.await {
        Ok(Ok(no)) => Ok(Seat { no, table, outbox }),
        // A battle that cannot be read will not be read the next time either.
        Ok(Err(refusal)) => Err(ending(refusal.why, refusal.kind == RefusalKind::TooMany)),
        Err(_) => Err(ending("the battle cannot be reached just now", true)),
    }
}

impl Seat {
    /// Carries messages both ways.
    async fn sit(mut self, house: &Arc<House>, socket: &mut WebSocket) -> Option<Ending> {
        let ended = self.carry(house, socket).await;
        // Where the table is gone nobody needs to be told.
        let _ = self.table.send(Call::Leave(self.no)).await;
        ended
    }

    async fn carry(&mut self, house: &Arc<House>, socket: &mut WebSocket) -> Option<Ending> {
        let limits = &house.hall.limits;
        let mut closing = pin!(house.closing());
        let mut bucket = Bucket::new(limits.messages, Instant::now());
        let mut patience = limits.patience;
        let mut heard = tokio::time::Instant::now();
        let mut nudge = interval_at(heard + limits.silence / 4, limits.silence / 4);
        loop {
            tokio::select! {
                () = &mut closing => return Some(ending("the house is closing", true)),
                said = self.outbox.recv() => {
                    let Some(text) = said else { return Some(ending("the battle has to be taken up anew", true)) };
                    if !write(socket, text).await {
                        return None;
                    }
                }
                heard_now = socket.recv() => {
                    heard = tokio::time::Instant::now();
                    let text = match heard_now {
                        Some(Ok(Message::Text(text))) => text,
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                        Some(Ok(Message::Binary(_))) => return Some(ending("messages are text", false)),
                        Some(Ok(Message::Close(_))) | None => return None,
                        Some(Err(_)) => return Some(ending(too_long(), false)),
                    };
                    if !bucket.take(Instant::now()) {
                        patience = patience.saturating_sub(1);
                        if patience == 0 {
                            return Some(ending("far too many messages", false));
                        }
                        if !say(socket, &refused(seq_of(&text), "too many messages; wait a second")).await {
                            return None;
                        }
                        continue;
                    }
                    if let Some(answer) = self.hear(&text).await
                        && !say(socket, &answer).await
                    {
                        return None;
                    }
                }
                // Every browser answers a ping by itself, so whoever is still silent is gone.
                _ = nudge.tick() => {
                    if heard.elapsed() >= limits.silence {
                        return Some(ending("nothing was heard for too long", true));
                    }
                    if timeout(SLOWEST, socket.send(Message::Ping(Bytes::new()))).await.is_err() {
                        return None;
                    }
                }
            }
        }
    }

    /// Hears one message; returns what is to be said at once.
    async fn hear(&self, text: &str) -> Option<FromServer> {
        if text.len() > MOST_MESSAGE {
            return Some(refused(None, &too_long()));
        }
        let (seq, act) = match serde_json::from_str(text) {
            Ok(FromBrowser::Order { seq, no, draft }) => (seq, Act::Order(no, draft)),
            Ok(FromBrowser::Motion { seq, motion }) => (seq, Act::Motion(motion)),
            Ok(FromBrowser::Ping) => return Some(FromServer::Pong),
            Ok(FromBrowser::Hello { .. }) => return Some(refused(None, "you are seated already")),
            Err(error) => return Some(refused(seq_of(text), &format!("the message cannot be read: {error}"))),
        };
        let sent = self.table.send(Call::Act(self.no, seq, act)).await;
        sent.err().map(|_| refused(Some(seq), "the battle has to be taken up anew"))
    }
}

fn too_long() -> String {
    format!("a message has at most {MOST_MESSAGE} bytes")
}

fn refused(seq: Option<u32>, why: &str) -> FromServer {
    FromServer::Refused { seq, why: why.to_owned(), reasons: Vec::new() }
}

/// The number of a message that is otherwise not to be read, so that its sender knows which one it was.
fn seq_of(text: &str) -> Option<u32> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    let inner = value.as_object()?.values().next()?;
    u32::try_from(inner.get("seq")?.as_u64()?).ok()
}

async fn say(socket: &mut WebSocket, message: &FromServer) -> bool {
    match news::text(message) {
        Some(text) => write(socket, text).await,
        None => false,
    }
}

async fn write(socket: &mut WebSocket, text: Utf8Bytes) -> bool {
    matches!(timeout(SLOWEST, socket.send(Message::Text(text))).await, Ok(Ok(())))
}
