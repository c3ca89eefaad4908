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
use serde_json::Value;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wire::{FromBrowser, Hint, Problem, word};

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
    /// As it came.
    answer: String,
}

/// Asks the server for the battle until it answers.
async fn borrow(battle: &str, token: &str, shelf: &Shelf, chair: RwSignal<Chair, LocalStorage>) -> Result<Lent, End> {
    let wish = match shelf.lease() {
        Some(was) => format!("{{\"was\":\"{was}\"}}"),
        None => "{}".to_owned(),
    };
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
        let read: Value = serde_json::from_str(&answer).map_err(|_| End::Server)?;
        let family = read["loan"]["family"].as_str().ok_or(End::Server)?.to_owned();
        return Ok(Lent { family, answer });
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
    async fn hold(mut self, lent: Lent, ear: &mut Ear) -> Left {
        let Some(mut host) = Host::start(&lent.family) else { return Left::NoWorkers };
        let left = self.attend(&mut host, lent, ear).await;
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
                message = host.heard.next() => {
                    let words = message.flatten().unwrap_or_default();
                    // The shelf may be another page's by now; what lies there and has arrived is known by its content.
                    let first = words.split(' ').next().unwrap_or_default();
                    if ![word::SENT, word::AWAY, word::SAY].contains(&first) {
                        return;
                    }
                },
                () = bell => return,
            }
        }
    }

    async fn attend(&mut self, host: &mut Host, Lent { family, answer }: Lent, ear: &mut Ear) -> Left {
        // The judge is fetched beside the host; who listens to the first board finds it there or waits for it.
        spawn_local(async move { drop(judge::ready(&family).await) });
        let mut open = Some(answer);
        let mut silence = 0;
        let mut bell = TimeoutFuture::new(PING_EVERY).fuse();
        loop {
            futures::select! {
                word = ear.next() => match word {
                    Some(Word::Say(message)) => host.say(&message),
                    Some(Word::Advise(reply)) => {
                        self.advice = Some(reply);
                        host.tell(word::ADVICE, "");
                    }
                    None => return Left::LetGo,
                },
                message = host.heard.next() => {
                    silence = 0;
                    let Some(Some(words)) = message else { return Left::Died };
                    let (first, rest) = words.split_once(' ').unwrap_or((&words, ""));
                    if first == word::READY {
                        let Some(answer) = open.take() else { continue };
                        let shelf = self.shelf.read().unwrap_or_default();
                        let first = if self.play { word::OPEN } else { word::FLUSH };
                        host.tell(first, &format!("{}\n{answer}\n{shelf}", self.token));
                    } else if let Some(left) = self.hear(first, rest).await {
                        return left;
                    }
                },
                () = bell => {
                    bell = TimeoutFuture::new(PING_EVERY).fuse();
                    silence += 1;
                    if silence > MOST_SILENCE {
                        return Left::Died;
                    }
                    host.say(&FromBrowser::Ping);
                }
            }
        }
    }

    async fn hear(&mut self, first: &str, rest: &str) -> Option<Left> {
        match first {
            word::SAY => match link::hear(rest, self.chair).await {
                Heard::Fine => None,
                Heard::News => {
                    link::pause_for_news().await;
                    None
                }
                Heard::Closed => Some(Left::Unable),
                Heard::Gone => Some(Left::LetGo),
            },
            word::KEPT | word::SENT | word::AWAY => {
                self.unkept = first != word::KEPT;
                let over = self.chair.try_update(|chair| {
                    chair.unkept = first == word::AWAY;
                    chair.is_over()
                });
                if over == Some(true) && !self.unkept {
                    self.shelf.clear()
                } else {
                    self.shelf.write(rest)
                }
                match over {
                    None => Some(Left::LetGo),
                    Some(_) => (!self.unkept && !self.play).then_some(Left::Home),
                }
            }
            word::ADVICE | word::SILENT => {
                let silent = |why: String| Problem { why, faults: Vec::new() };
                let advice = match first {
                    word::ADVICE => serde_json::from_str(rest).map_err(|error| silent(error.to_string())),
                    _ => Err(silent(rest.to_owned())),
                };
                if let Some(reply) = self.advice.take() {
                    let _ = reply.send(advice);
                }
                None
            }
            word::TAKEN_BACK => {
                leptos::logging::warn!("the battle is played over the server from here on: {rest}");
                Some(Left::TakenBack)
            }
            _ => {
                leptos::logging::warn!("the battle cannot be played on in this page: {rest}");
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

    fn tell(&self, word: &str, rest: &str) {
        // A worker that cannot be told anything will be found silent.
        let _ = self.worker.post_message(&JsValue::from_str(&format!("{word} {rest}")));
    }

    fn say(&self, message: &FromBrowser) {
        self.tell(word::SAY, &serde_json::to_string(message).unwrap_or_default());
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

    fn read(&self) -> Option<String> {
        Shelf::storage()?.get_item(&self.0).ok().flatten()
    }

    /// The loan this browser had last.
    fn lease(&self) -> Option<String> {
        let shelf: Value = serde_json::from_str(&self.read()?).ok()?;
        let lease = shelf["lease"].as_str()?;
        lease.bytes().all(|byte| byte.is_ascii_alphanumeric()).then(|| lease.to_owned())
    }

    fn write(&self, lines: &str) {
        if let Some(storage) = Shelf::storage() {
            // A full or forbidden shelf costs what is not yet kept, and only if the page is closed before it is.
            let _ = storage.set_item(&self.0, lines);
        }
    }

    fn clear(&self) {
        if let Some(storage) = Shelf::storage() {
            let _ = storage.remove_item(&self.0);
        }
    }
}
