//! The record on its way to the server: in order, some lines at a time, again and again while the server is away. What
//! is not acknowledged lies on the browser's shelf.

use crate::Line;
use gloo_net::http::Request;
use gloo_timers::future::TimeoutFuture;
use std::cell::RefCell;
use std::rc::Rc;
use wire::{MOST_LINES, SoloLine, SoloLines, word};

/// Lines are sent together up to so many bytes; a single one may be longer.
const MOST_BYTES: usize = 256 << 10;
/// The first pause when the server does not answer, and the longest, in milliseconds.
const PAUSES: (u32, u32) = (500, 8_000);

/// What waits for the server.
#[derive(Clone)]
pub struct Record(Rc<RefCell<Inside>>);

struct Inside {
    line: Line,
    route: String,
    key: String,
    lines: SoloLines,
    /// Whether somebody is on the way to the server.
    under_way: bool,
    /// Whether the server did not answer the last time.
    away: bool,
    /// Whether nothing is sent: not yet, or no more.
    closed: bool,
}

/// What the server said to some lines.
enum Answer {
    Kept,
    /// It does not take them, now or later.
    Refused(String),
    /// It did not answer, or has no time.
    Away,
}

/// What to do after an answer.
enum Next {
    Rest,
    GoOn,
    Wait,
}

impl Record {
    /// Nothing yet.
    pub fn new(line: Line) -> Record {
        let (route, key, lines) = (String::new(), String::new(), SoloLines::default());
        let inside = Inside { line, route, key, lines, under_way: false, away: false, closed: true };
        Record(Rc::new(RefCell::new(inside)))
    }

    /// Begins with what the server lacks.
    pub fn begin(&self, battle: &str, token: &str, lines: SoloLines) {
        let mut inside = self.0.borrow_mut();
        inside.route = format!("/api/battles/{battle}/lines");
        inside.key = format!("Bearer {token}");
        inside.lines = lines;
        inside.closed = false;
        inside.shelve();
        drop(inside);
        self.deliver(false);
    }

    /// More lines.
    pub fn add(&self, lines: Vec<SoloLine>) {
        if lines.is_empty() {
            return;
        }
        let mut inside = self.0.borrow_mut();
        inside.lines.lines.extend(lines);
        inside.shelve();
        drop(inside);
        self.deliver(false);
    }

    /// Sends what waits, unless somebody is under way; also nothing at all, where that is meant as a sign of life.
    pub fn deliver(&self, alive: bool) {
        let mut inside = self.0.borrow_mut();
        if inside.under_way || inside.closed || (inside.lines.lines.is_empty() && !alive) {
            return;
        }
        inside.under_way = true;
        drop(inside);
        wasm_bindgen_futures::spawn_local(self.clone().carry());
    }

    async fn carry(self) {
        let mut pause = PAUSES.0;
        loop {
            let (request, count) = self.0.borrow().request();
            let answer = match request {
                Some(request) => send(request).await,
                None => Answer::Refused("the lines cannot be written".to_owned()),
            };
            let next = self.0.borrow_mut().settle(answer, count);
            match next {
                Next::Rest => return,
                Next::GoOn => pause = PAUSES.0,
                Next::Wait => {
                    TimeoutFuture::new(pause).await;
                    pause = (pause * 2).min(PAUSES.1);
                }
            }
        }
    }
}

impl Inside {
    /// Takes the server's answer to the first lines in.
    fn settle(&mut self, answer: Answer, count: usize) -> Next {
        match answer {
            Answer::Kept => {
                self.lines.lines.drain(..count);
                self.lines.from += count as u32;
                self.away = false;
                self.shelve();
                self.under_way = !self.lines.lines.is_empty();
                if self.under_way { Next::GoOn } else { Next::Rest }
            }
            Answer::Refused(why) => {
                self.closed = true;
                self.line.tell(word::TAKEN_BACK, &why);
                Next::Rest
            }
            Answer::Away => {
                self.away = true;
                self.shelve();
                Next::Wait
            }
        }
    }

    /// Lays what waits on the shelf.
    fn shelve(&self) {
        let word = match (self.lines.lines.is_empty(), self.away) {
            (true, _) => word::KEPT,
            (false, false) => word::SENT,
            (false, true) => word::AWAY,
        };
        if let Ok(lines) = serde_json::to_string(&self.lines) {
            self.line.tell(word, &lines);
        }
    }

    /// The first lines as a request, and how many they are.
    fn request(&self) -> (Option<Request>, usize) {
        let (mut bytes, mut count) = (0, 0);
        for line in self.lines.lines.iter().take(MOST_LINES) {
            bytes += serde_json::to_string(line).map_or(0, |text| text.len());
            if count > 0 && bytes > MOST_BYTES {
                break;
            }
            count += 1;
        }
        let lines = self.lines.lines.iter().take(count).cloned().collect();
        let some = SoloLines { lease: self.lines.lease.clone(), from: self.lines.from, lines };
        let request = Request::post(&self.route).header("Authorization", &self.key).json(&some).ok();
        (request, count)
    }
}

async fn send(request: Request) -> Answer {
    let Ok(response) = request.send().await else { return Answer::Away };
    match response.status() {
        200 => Answer::Kept,
        429 | 500.. => Answer::Away,
        status => {
            let why = response.json::<wire::Problem>().await.map(|problem| problem.why);
            Answer::Refused(why.unwrap_or_else(|_| format!("the server answered {status}")))
        }
    }
}
