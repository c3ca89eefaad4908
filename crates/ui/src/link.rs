//! The line of a seat: opened, kept open, opened again when it breaks, until the page lets go of it. It leads to a worker
//! of the page where one person fights the computer, and to the server otherwise.

use crate::api::{self, Fail};
use crate::chair::{Chair, Line};
use crate::{judge, solo};
use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures::channel::oneshot;
use futures::{FutureExt, SinkExt, StreamExt};
use gloo_net::websocket::{Message, futures::WebSocket};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wire::{FromBrowser, FromServer, Hint};

/// The longest pause between two tries.
const LONGEST_PAUSE: u32 = 8_000;
/// A quiet line is tested so often.
const PING_EVERY: u32 = 25_000;

/// While it is the others' turn, each of their orders is shown so long, in milliseconds.
const PACE: u32 = 260;

/// What the page wants of whoever holds the battle.
pub enum Word {
    /// To say this.
    Say(FromBrowser),
    /// To hear what the house would do.
    Advise(oneshot::Sender<Result<Hint, Fail>>),
}

/// Where words go; dropping it hangs up.
pub type Mouth = UnboundedSender<Word>;
/// Where they are heard.
pub type Ear = UnboundedReceiver<Word>;

/// Opens the line of one seat; `alone` where nobody else sits at this screen.
pub fn open(battle: &str, token: &str, chair: RwSignal<Chair, LocalStorage>, alone: bool) -> Mouth {
    let (mouth, mut ear) = unbounded();
    let (battle, token) = (battle.to_owned(), token.to_owned());
    spawn_local(async move {
        let over = alone && solo::play(&battle, &token, chair, &mut ear).await == solo::End::LetGo;
        if !over {
            keep_open(battle, token, chair, ear).await;
        }
    });
    mouth
}

async fn keep_open(battle: String, token: String, chair: RwSignal<Chair, LocalStorage>, mut ear: Ear) {
    let mut pause = 300;
    loop {
        match talk(&battle, &token, chair, &mut ear).await {
            End::LetGo => return,
            End::Closed => return,
            End::Broken { spoke } => {
                // A line that worked is tried again soon, one that never opened with growing patience.
                pause = if spoke { 300 } else { (pause * 2).min(LONGEST_PAUSE) };
                if !lost(chair, "the line to the server is broken; trying again") {
                    return;
                }
                TimeoutFuture::new(pause).await;
            }
        }
    }
}

/// Tells the player that the line is lost, unless he knows; false where the page let go.
pub fn lost(chair: RwSignal<Chair, LocalStorage>, why: &str) -> bool {
    let lost = |chair: &mut Chair| {
        chair.waiting = None;
        if !matches!(chair.line, Line::Lost(_)) {
            chair.line = Line::Lost(why.to_owned());
        }
    };
    chair.try_update(lost).is_some()
}

enum End {
    /// The page let go.
    LetGo,
    /// The server does not want us back.
    Closed,
    /// The line broke.
    Broken { spoke: bool },
}

async fn talk(battle: &str, token: &str, chair: RwSignal<Chair, LocalStorage>, ear: &mut Ear) -> End {
    let Ok(socket) = WebSocket::open(&address(battle)) else { return End::Broken { spoke: false } };
    let (mut out, back) = socket.split();
    let mut back = back.fuse();
    let hello = FromBrowser::Hello { token: token.to_owned() };
    if out.send(text(&hello)).await.is_err() {
        return End::Broken { spoke: false };
    }
    let mut spoke = false;
    let mut bell = TimeoutFuture::new(PING_EVERY).fuse();
    loop {
        futures::select! {
            message = ear.next() => match message {
                Some(Word::Say(message)) if out.send(text(&message)).await.is_ok() => {}
                Some(Word::Advise(reply)) => {
                    let (battle, token) = (battle.to_owned(), token.to_owned());
                    spawn_local(async move { drop(reply.send(api::hint(&battle, &token).await)) });
                }
                Some(_) => return End::Broken { spoke },
                None => return End::LetGo,
            },
            message = back.next() => match message {
                Some(Ok(Message::Text(words))) => {
                    spoke = true;
                    match hear(&words, chair).await {
                        Heard::Fine => {}
                        Heard::News => pause_for_news().await,
                        Heard::Closed => return End::Closed,
                        Heard::Gone => return End::LetGo,
                    }
                }
                Some(Ok(Message::Bytes(_))) => {}
                Some(Err(_)) | None => return End::Broken { spoke },
            },
            () = bell => {
                bell = TimeoutFuture::new(PING_EVERY).fuse();
                if out.send(text(&FromBrowser::Ping)).await.is_err() {
                    return End::Broken { spoke };
                }
            }
        }
    }
}

/// Each order of the others is seen before the next.
pub async fn pause_for_news() {
    TimeoutFuture::new(PACE).await;
}

/// What came of a message.
pub enum Heard {
    Fine,
    /// Something happened that the player should see before the next thing does.
    News,
    Closed,
    Gone,
}

/// Takes a message in, whoever it is from.
pub async fn hear(words: &str, chair: RwSignal<Chair, LocalStorage>) -> Heard {
    let message: FromServer = match serde_json::from_str(words) {
        Ok(message) => message,
        Err(error) => {
            leptos::logging::error!("a message from the server cannot be read: {error}");
            return Heard::Fine;
        }
    };
    if matches!(message, FromServer::Pong) {
        return Heard::Fine;
    }
    let board = match &message {
        FromServer::Welcome(welcome) => Some(&welcome.board),
        FromServer::News(news) => Some(&news.board),
        _ => None,
    };
    if let Some(board) = board
        && let Err(why) = judge::ready(&board.family).await
    {
        let told = chair.try_update(|chair| chair.line = Line::Closed(why));
        return if told.is_some() { Heard::Closed } else { Heard::Gone };
    }
    let news = matches!(&message, FromServer::News(_));
    let closed = matches!(&message, FromServer::Farewell { again: false, .. });
    let heard = chair.try_update(|chair| {
        if let Err(why) = chair.hear(message) {
            chair.line = Line::Closed(why);
        }
    });
    match heard {
        None => Heard::Gone,
        Some(()) if closed => Heard::Closed,
        Some(()) if news && !is_still() && chair.with_untracked(|chair| chair.prompt.is_none()) => Heard::News,
        Some(()) => Heard::Fine,
    }
}

/// Whether the player wants no motion.
fn is_still() -> bool {
    let root = document().document_element();
    root.and_then(|root| root.get_attribute("data-still")).is_some_and(|still| still == "yes")
}

fn text(message: &FromBrowser) -> Message {
    Message::Text(serde_json::to_string(message).unwrap_or_default())
}

fn address(battle: &str) -> String {
    let location = window().location();
    let host = location.host().unwrap_or_default();
    let scheme = if location.protocol().is_ok_and(|protocol| protocol == "https:") { "wss" } else { "ws" };
    format!("{scheme}://{host}/api/battles/{battle}/live")
}
