//! A battle against the computer is played in a worker of this page: the same rules and the same bots as the server's,
//! and no order waits for anybody else. The server lends the battle out and keeps its record; what it has not yet
//! acknowledged lies on this browser's shelf. Where no worker is to be had, or one fails twice over the same question,
//! the battle goes on over the server.

use crate::chair::Chair;
use crate::link::{self, Ear, Heard, Word};
use crate::{api, judge};
use futures::channel::mpsc::{UnboundedReceiver, unbounded};
use futures::channel::oneshot;
use futures::{FutureExt, StreamExt};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;
use serde_json::value::RawValue;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wire::{FromBrowser, FromHost, Hint, LoanRequest, Problem, ToHost};

/// How this ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The page let go.
    LetGo,
    /// The battle is played over the server from here on.
    Server,
}

/// Between two tries to reach the server, in milliseconds.
const PAUSE: u32 = 1_000;
/// So often a worker is asked whether it is still there.
const PING_EVERY: u32 = 5_000;
/// So many times in a row it may be silent: no bot thinks for half a minute, and no program takes longer to fetch.
const MOST_SILENCE: u32 = 6;

/// A worker whose page has gone has so long to bring its last lines home.
const LONGEST_WAY: u32 = 30_000;

/// Plays the battle here for as long as that is possible.
pub async fn play(battle: &str, token: &str, chair: RwSignal<Chair, LocalStorage>, ear: &mut Ear) -> End {
    let shelf = Shelf::of(battle);
    // The moment at which a worker died, or at which nothing is left but to bring the record home.
    let (mut died, mut over) = (None, false);
    loop {
        let loan = match borrow(battle, token, &shelf, chair).await {
            Ok(loan) => loan,
            Err(end) => return end,
        };
        let sitting = Sitting { token, chair, shelf: &shelf, advice: None, play: !over, unkept: false };
        match sitting.hold(loan, ear).await {
            Left::LetGo => return End::LetGo,
            Left::Home | Left::NoWorkers => return End::Server,
            Left::TakenBack => {
                shelf.clear();
                link::lost(chair, "this battle is played on elsewhere; the server's table follows");
                return End::Server;
            }
            Left::Died if over => return End::Server,
            Left::Died => {
                let now = chair.try_with_untracked(|chair| chair.moments);
                over = now.is_none() || died == Some(now);
                died = Some(now);
            }
            Left::Unable => over = true,
        }
        if !link::lost(chair, "the battle is being taken up anew") {
            return End::LetGo;
        }
    }
}

/// What the server handed out.
struct Lent {
    family: String,
    loan: Box<RawValue>,
}

/// Asks the server for the battle until it answers.
async fn borrow(battle: &str, token: &str, shelf: &Shelf, chair: RwSignal<Chair, LocalStorage>) -> Result<Lent, End> {
    #[derive(Deserialize)]
    struct Answer {
        loan: Option<Box<RawValue>>,
    }
    #[derive(Deserialize)]
    struct Family {
        family: String,
    }
    let wish = serde_json::to_string(&LoanRequest { was: shelf.lease() }).unwrap_or_default();
    loop {
        let answer = match api::borrow(battle, token, &wish).await {
            Ok(answer) => answer,
            Err(false) => return Err(End::Server),
            Err(true) => {
                if !link::lost(chair, "the server does not answer; trying again") {
                    return Err(End::LetGo);
                }
                TimeoutFuture::new(PAUSE).await;
                continue;
            }
        };
        let loan = serde_json::from_str::<Answer>(&answer).ok().and_then(|answer| answer.loan).ok_or(End::Server)?;
        let Family { family } = serde_json::from_str(loan.get()).map_err(|_| End::Server)?;
        return Ok(Lent { family, loan });
    }
}

/// Why a worker is left.
enum Left {
    /// The page let go.
    LetGo,
    /// There was nothing to do but to bring the record to the server, and that is done.
    Home,
    /// This browser has no workers.
    NoWorkers,
    /// Somebody plays on elsewhere.
    TakenBack,
    /// The worker fell over, or does not answer.
    Died,
    /// The worker says that it cannot.
    Unable,
}

/// One worker's time at the table.
struct Sitting<'a> {
    token: &'a str,
    chair: RwSignal<Chair, LocalStorage>,
    shelf: &'a Shelf,
    advice: Option<oneshot::Sender<Result<Hint, Problem>>>,
    play: bool,
    /// Whether something of the record is still on its way.
    unkept: bool,
}

impl Sitting<'_> {
    async fn hold(mut self, Lent { family, loan }: Lent, ear: &mut Ear) -> Left {
        let Some(mut host) = Host::start(&family) else { return Left::NoWorkers };
        let left = self.attend(&mut host, family, loan, ear).await;
        if self.unkept && matches!(left, Left::LetGo) {
            Sitting::see_home(&mut host).await;
        }
        left
    }

    /// The player went to another page: the worker stays until its last lines have arrived, or nobody takes them.
    async fn see_home(host: &mut Host) {
        let mut bell = TimeoutFuture::new(LONGEST_WAY).fuse();
        loop {
            futures::select! {
                message = host.heard.next() => match message.flatten().map(|words| serde_json::from_str(&words)) {
                    // The shelf may be another page's by now; what lies there and has arrived is known by its content.
                    Some(Ok(FromHost::Shelve { empty: false, .. } | FromHost::Say(_) | FromHost::Advice(_))) => {}
                    _ => return,
                },
                () = bell => return,
            }
        }
    }

    async fn attend(&mut self, host: &mut Host, family: String, loan: Box<RawValue>, ear: &mut Ear) -> Left {
        // The judge is fetched beside the host; who listens to the first board finds it there or waits for it.
        spawn_local(async move { drop(judge::ready(&family).await) });
        let mut open = Some(loan);
        let mut silence = 0;
        let mut bell = TimeoutFuture::new(PING_EVERY).fuse();
        loop {
            futures::select! {
                word = ear.next() => match word {
                    Some(Word::Say(message)) => host.tell(&ToHost::Say(message)),
                    Some(Word::Advise(reply)) => {
                        self.advice = Some(reply);
                        host.tell(&ToHost::Advise);
                    }
                    None => return Left::LetGo,
                },
                message = host.heard.next() => {
                    silence = 0;
                    let Some(Some(words)) = message else { return Left::Died };
                    match serde_json::from_str(&words) {
                        Ok(FromHost::Ready) => {
                            let Some(loan) = open.take() else { continue };
                            let (token, shelf) = (self.token.to_owned(), self.shelf.read());
                            host.tell(&ToHost::Open { token, loan, shelf, play: self.play });
                        }
                        Ok(message) => {
                            if let Some(left) = self.hear(message).await {
                                return left;
                            }
                        }
                        Err(_) => return Left::Died,
                    }
                },
                () = bell => {
                    bell = TimeoutFuture::new(PING_EVERY).fuse();
                    silence += 1;
                    if silence > MOST_SILENCE {
                        return Left::Died;
                    }
                    host.tell(&ToHost::Say(FromBrowser::Ping));
                }
            }
        }
    }

    async fn hear(&mut self, message: FromHost) -> Option<Left> {
        match message {
            FromHost::Ready => None,
            FromHost::Say(words) => match link::hear(words.get(), self.chair).await {
                Heard::Fine => None,
                Heard::News => {
                    link::pause_for_news().await;
                    None
                }
                Heard::Closed => Some(Left::Unable),
                Heard::Gone => Some(Left::LetGo),
            },
            FromHost::Shelve { lines, empty, away } => {
                self.unkept = !empty;
                let over = self.chair.try_update(|chair| {
                    chair.unkept = away && !empty;
                    chair.is_over()
                });
                match over {
                    None => {
                        self.shelf.write(&lines);
                        return Some(Left::LetGo);
                    }
                    Some(true) if empty => self.shelf.clear(),
                    Some(_) => self.shelf.write(&lines),
                }
                (empty && !self.play).then_some(Left::Home)
            }
            FromHost::Advice(advice) => {
                if let Some(reply) = self.advice.take() {
                    let _ = reply.send(advice);
                }
                None
            }
            FromHost::TakenBack(why) => {
                leptos::logging::warn!("the battle is played over the server from here on: {why}");
                Some(Left::TakenBack)
            }
            FromHost::Unable(why) => {
                leptos::logging::warn!("the battle cannot be played on in this page: {why}");
                Some(Left::Unable)
            }
        }
    }
}

/// A worker; it ends with this.
struct Host {
    worker: web_sys::Worker,
    /// What it says; nothing where it fell over.
    heard: UnboundedReceiver<Option<String>>,
    _ears: [Closure<dyn FnMut(web_sys::Event)>; 2],
}

impl Host {
    /// Starts a worker with the program of a family of rulebooks; nothing where this browser has no workers.
    fn start(family: &str) -> Option<Host> {
        let options = web_sys::WorkerOptions::new();
        options.set_type(web_sys::WorkerType::Module);
        options.set_name(family);
        // Where there are no workers at all, making one is an error like any other.
        if !js_sys::Reflect::has(&js_sys::global(), &JsValue::from_str("Worker")).unwrap_or(false) {
            return None;
        }
        let worker = web_sys::Worker::new_with_options("/host.js", &options).ok()?;
        let (said, heard) = unbounded();
        let fell = said.clone();
        let ears = [
            Closure::<dyn FnMut(web_sys::Event)>::new(move |event: web_sys::Event| {
                let message = event.dyn_into::<web_sys::MessageEvent>().ok();
                let _ = said.unbounded_send(message.and_then(|message| message.data().as_string()));
            }),
            Closure::<dyn FnMut(web_sys::Event)>::new(move |_| drop(fell.unbounded_send(None))),
        ];
        worker.set_onmessage(Some(ears[0].as_ref().unchecked_ref()));
        worker.set_onerror(Some(ears[1].as_ref().unchecked_ref()));
        Some(Host { worker, heard, _ears: ears })
    }

    fn tell(&self, message: &ToHost) {
        if let Ok(text) = serde_json::to_string(message) {
            // A worker that cannot be told anything will be found silent.
            let _ = self.worker.post_message(&JsValue::from_str(&text));
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// What of a battle's record the server has not acknowledged, kept by this browser.
struct Shelf(String);

impl Shelf {
    fn of(battle: &str) -> Shelf {
        Shelf(format!("grognard-solo {battle}"))
    }

    fn storage() -> Option<web_sys::Storage> {
        window().local_storage().ok().flatten()
    }

    fn read(&self) -> Option<Box<RawValue>> {
        let text = Shelf::storage()?.get_item(&self.0).ok().flatten()?;
        RawValue::from_string(text).ok()
    }

    /// The loan this browser had last.
    fn lease(&self) -> Option<String> {
        #[derive(Deserialize)]
        struct Lease {
            lease: String,
        }
        serde_json::from_str::<Lease>(self.read()?.get()).ok().map(|read| read.lease)
    }

    fn write(&self, lines: &RawValue) {
        if let Some(storage) = Shelf::storage() {
            // A full or forbidden shelf costs what is not yet kept, and only if the page is closed before it is.
            let _ = storage.set_item(&self.0, lines.get());
        }
    }

    fn clear(&self) {
        if let Some(storage) = Shelf::storage() {
            let _ = storage.remove_item(&self.0);
        }
    }
}
