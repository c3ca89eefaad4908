//! One family of rulebooks and its bots, in a worker of the page: hosts a battle that one person fights against the
//! computer. It says to the page what the server would say, and brings the record to the server beside that; nobody
//! waits for the server meanwhile.
//!
//! Page and worker speak by text, see [`wire::word`]. A panic ends the program; the page notices and starts it
//! again.

mod record;

use bots::{Leash, Manners, seat_of};
use engine::Telling;
use engine::game::{Game, TypedGame};
use engine::replay::ReplayFile;
use gloo_timers::callback::{Interval, Timeout};
use record::Record;
use std::cell::RefCell;
use std::rc::Rc;
use steward::solo::{MakeSeat, Out, Unable, unkept};
use steward::{Solo, players};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};
use wire::{FromServer, Loan, LoanAnswer, SoloLines, word};

/// What differs from family to family: how a record is played again, and who sits in the other seat.
#[derive(Clone, Copy)]
struct Family {
    resume: fn(&ReplayFile) -> Result<Box<dyn Game>, Unable>,
    seat: MakeSeat,
}

fn resumed<R: Telling>(replay: &ReplayFile) -> Result<Box<dyn Game>, Unable> {
    match TypedGame::<R>::resume(replay, None) {
        Ok(game) => Ok(Box::new(game)),
        Err(error) => Err(Unable(error.to_string())),
    }
}

/// So often the server hears that the battle is still being played, in milliseconds.
const HEARTBEAT: u32 = 25_000;

/// The line to the page, and a watch.
#[derive(Clone)]
struct Line {
    scope: DedicatedWorkerGlobalScope,
    watch: web_sys::Performance,
}

impl Line {
    fn open() -> Option<Line> {
        let global = js_sys::global();
        let watch = js_sys::Reflect::get(&global, &JsValue::from_str("performance")).ok()?;
        // In a worker this is another class of the same name; it has the same methods.
        Some(Line { scope: global.dyn_into().ok()?, watch: watch.unchecked_into() })
    }

    fn tell(&self, word: &str, rest: &str) {
        // The page can always be told; where it cannot, it is gone and the worker with it.
        let _ = self.scope.post_message(&JsValue::from_str(&format!("{word} {rest}")));
    }

    /// Lets a player think for as long as he means to, in milliseconds.
    fn ponder<T>(&self, patience: u32, think: impl FnOnce(&mut Leash<'_>) -> T) -> T {
        let began = self.watch.now();
        let rings = || self.watch.now() - began >= f64::from(patience);
        think(&mut Leash::watched(&rings))
    }

    fn say(&self, message: &FromServer) {
        if let Ok(words) = serde_json::to_string(message) {
            self.tell(word::SAY, &words);
        }
    }
}

/// A battle being hosted.
struct Host {
    line: Line,
    family: Family,
    solo: Option<Solo>,
    /// Whether the bot is about to be asked.
    pondering: bool,
}

/// Seconds since 1970.
fn now() -> i64 {
    (js_sys::Date::now() / 1000.0) as i64
}

impl Host {
    /// Takes a battle up where the record leaves it, with what lay on the shelf behind it. Returns what the server lacks.
    fn open(&mut self, loan: &Loan, shelf: Option<&SoloLines>, play: bool) -> Result<SoloLines, Unable> {
        let mut lines = shelf.and_then(|shelf| unkept(&loan.entries, shelf)).unwrap_or_default();
        if play {
            let resume = |more: &[wire::SoloLine]| {
                let entries = loan.entries.iter().cloned().chain(more.iter().map(|line| line.entry.clone())).collect();
                let replay = ReplayFile { header: loan.header.clone(), entries, outcome: None };
                (self.family.resume)(&replay)
            };
            let game = match resume(&lines) {
                // What cannot be played would not be taken by the server either.
                Err(_) if !lines.is_empty() => {
                    lines.clear();
                    resume(&[])
                }
                resumed => resumed,
            };
            self.solo = Some(Solo::new(loan, game?, self.family.seat)?);
        }
        Ok(SoloLines { lease: loan.lease.clone(), from: loan.entries.len() as u32, lines })
    }
}

/// The host and the record it writes.
#[derive(Clone)]
struct Table {
    host: Rc<RefCell<Host>>,
    record: Record,
}

impl Table {
    /// Hears one message of the page.
    fn hear(&self, text: &str) {
        let line = self.host.borrow().line.clone();
        let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
        let unclear = |error: serde_json::Error| Unable(format!("the page cannot be understood: {error}"));
        let result = match first {
            word::OPEN => self.open(rest, true),
            word::FLUSH => self.open(rest, false),
            word::SAY => serde_json::from_str(rest)
                .map_err(unclear)
                .and_then(|message| self.with(|solo| solo.hear(message, now()))),
            word::ADVICE => {
                self.advise(&line);
                Ok(())
            }
            _ => Err(Unable(format!("the page says `{first}`"))),
        };
        if let Err(Unable(why)) = result {
            line.tell(word::UNABLE, &why);
        }
    }

    fn advise(&self, line: &Line) {
        let host = self.host.borrow();
        let Some(solo) = &host.solo else { return };
        let advice = line.ponder(players::ADVISOR.patience(), |leash| solo.advise(leash));
        match advice.map(|hint| serde_json::to_string(&hint)) {
            Ok(Ok(hint)) => line.tell(word::ADVICE, &hint),
            Ok(Err(error)) => line.tell(word::SILENT, &error.to_string()),
            Err(refusal) => line.tell(word::SILENT, &refusal.why),
        }
    }

    fn open(&self, text: &str, play: bool) -> Result<(), Unable> {
        let mut lines = text.lines();
        let (token, answer) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let shelf: Option<SoloLines> = lines.next().and_then(|shelf| serde_json::from_str(shelf).ok());
        let answer: LoanAnswer =
            serde_json::from_str(answer).map_err(|error| Unable(format!("the battle cannot be read: {error}")))?;
        let loan = answer.loan.ok_or_else(|| Unable("the battle is not lent".to_owned()))?;
        let lines = self.host.borrow_mut().open(&loan, shelf.as_ref(), play)?;
        self.record.begin(&loan.info.id, token, lines);
        if play { self.with(Solo::welcome) } else { Ok(()) }
    }

    /// Does something with the battle, and everything that comes of it.
    fn with(&self, act: impl FnOnce(&mut Solo) -> Result<Vec<Out>, Unable>) -> Result<(), Unable> {
        let (line, outs) = {
            let mut host = self.host.borrow_mut();
            let line = host.line.clone();
            let Some(solo) = host.solo.as_mut() else { return Ok(()) };
            (line, act(solo)?)
        };
        let (mut lines, mut words) = (Vec::new(), Vec::new());
        for out in outs {
            match out {
                Out::Keep(line) => lines.push(*line),
                Out::Say(message) => words.push(message),
            }
        }
        // First onto the shelf and on its way to the server, then to the player.
        self.record.add(lines);
        for message in words {
            line.say(&message);
        }
        self.wake_bot();
        Ok(())
    }

    /// Asks the bot soon: after the page has been told what was done so far, and has had a word in between.
    fn wake_bot(&self) {
        let mut host = self.host.borrow_mut();
        if host.pondering || !host.solo.as_ref().is_some_and(Solo::is_bots_turn) {
            return;
        }
        host.pondering = true;
        let table = self.clone();
        Timeout::new(0, move || table.bot_turn()).forget();
    }

    fn bot_turn(&self) {
        let line = self.host.borrow().line.clone();
        self.host.borrow_mut().pondering = false;
        let played = self.with(|solo| {
            let patience = solo.patience();
            line.ponder(patience, |leash| solo.bot_turn(leash, now()))
        });
        if let Err(Unable(why)) = played {
            line.tell(word::UNABLE, &why);
        }
    }
}

/// Hosts battles of a family for as long as the page is open.
pub fn run<R: Telling + Manners>() {
    console_error_panic_hook::set_once();
    let Some(line) = Line::open() else { return };
    let record = Record::new(line.clone());
    let family = Family { resume: resumed::<R>, seat: seat_of::<R> };
    let host = Rc::new(RefCell::new(Host { line: line.clone(), family, solo: None, pondering: false }));
    let table = Table { host, record: record.clone() };
    let ear = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        if let Some(text) = event.data().as_string() {
            table.hear(&text);
        }
    });
    line.scope.set_onmessage(Some(ear.as_ref().unchecked_ref()));
    // The page may speak for as long as it is open.
    ear.forget();
    Interval::new(HEARTBEAT, move || record.deliver(true)).forget();
    line.tell(word::READY, "");
}
