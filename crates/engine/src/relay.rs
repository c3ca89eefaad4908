//! A board on the far side of a wall that only text crosses. The page is one program and each family of rulebooks
//! another, so that a player fetches the rules of the game he plays and no others.

use crate::dump::{Dump, DumpError, Unpacker};
use crate::facade::{Board, Draft};
use crate::ids::{DecisionNo, Side, UnitId};
use crate::odds::Odds;
use crate::ruleset::Outcome;
use crate::scene::{Ghost, Prompt, RosterLine, Scene, Sketch};
use crate::verdict::{Note, Verdict};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;
use table::{Length, Point};

/// Which board of a judge is meant.
pub type Handle = u32;

/// What crosses the wall inward.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Unpack a board; `battle` tells chairs apart, each of which holds its muster.
    Open {
        /// The chair.
        chair: u32,
        /// The board.
        dump: Box<Dump>,
    },
    /// Forget a board.
    Close(Handle),
    /// Ask a board.
    Ask(Handle, Question),
}

/// A method of [`Board`] with what it is asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Question {
    Scene,
    Prompt,
    Check(Draft),
    Odds(Draft),
    Measure(Point, Point),
    Candidates(u64, usize),
    Fallback,
    Phrase(Draft),
    Parse(String),
    Usage,
    Card(String),
    Ghosts(Draft),
    Aims(Option<Draft>),
    Sketches(String),
    Roster,
    Ribbon,
    Awaited,
    Outcome,
    KeyOf(UnitId),
    Dump,
}

/// The judge's end: boards by their handles.
pub struct Judge {
    unpackers: Vec<(u32, String, Box<dyn Unpacker>)>,
    boards: Vec<Option<Box<dyn Board>>>,
    make: fn(&str) -> Option<Box<dyn Unpacker>>,
}

impl Judge {
    /// A judge who makes unpackers for rulesets so.
    pub fn new(make: fn(&str) -> Option<Box<dyn Unpacker>>) -> Judge {
        Judge { unpackers: Vec::new(), boards: Vec::new(), make }
    }

    /// Answers a call: `{"ok": …}`, or `{"err": "…"}`.
    pub fn answer(&mut self, call: &str) -> String {
        let answer = serde_json::from_str(call).map_err(|error| error.to_string()).and_then(|call| self.hear(call));
        let told =
            answer.and_then(|value| serde_json::to_string(&Answer::Ok(value)).map_err(|error| error.to_string()));
        told.unwrap_or_else(|why| serde_json::to_string(&Answer::<Value>::Err(why)).unwrap_or_default())
    }

    fn hear(&mut self, call: Call) -> Result<Value, String> {
        match call {
            Call::Open { chair, dump } => self.open(chair, &dump),
            Call::Close(handle) => {
                if let Some(place) = self.boards.get_mut(handle as usize) {
                    *place = None;
                }
                Ok(Value::Null)
            }
            Call::Ask(handle, question) => {
                let board = self.boards.get(handle as usize).and_then(Option::as_deref);
                ask(board.ok_or("there is no such board")?, question).map_err(|error| error.to_string())
            }
        }
    }

    fn open(&mut self, chair: u32, dump: &Dump) -> Result<Value, String> {
        let known = self.unpackers.iter().position(|(one, ruleset, _)| *one == chair && *ruleset == dump.ruleset);
        let place = match known {
            Some(place) => place,
            None => {
                let made = (self.make)(&dump.ruleset).ok_or(format!("no rules of `{}` are here", dump.ruleset))?;
                self.unpackers.retain(|(one, ..)| *one != chair);
                self.unpackers.push((chair, dump.ruleset.clone(), made));
                self.unpackers.len() - 1
            }
        };
        let board = self.unpackers[place].2.board(dump).map_err(|error| error.to_string())?;
        let free = self.boards.iter().position(Option::is_none);
        let handle = free.unwrap_or_else(|| {
            self.boards.push(None);
            self.boards.len() - 1
        });
        self.boards[handle] = Some(board);
        Ok(Value::from(handle))
    }
}

/// What crosses the wall outward.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer<T> {
    Ok(T),
    Err(String),
}

fn ask(board: &dyn Board, question: Question) -> Result<Value, serde_json::Error> {
    use serde_json::to_value;
    match question {
        Question::Scene => to_value(board.scene()),
        Question::Prompt => to_value(board.prompt()),
        Question::Check(draft) => to_value(board.check(&draft)),
        Question::Odds(draft) => to_value(board.odds(&draft)),
        Question::Measure(a, b) => to_value(board.measure(a, b)),
        Question::Candidates(seed, limit) => to_value(board.candidates(seed, limit)),
        Question::Fallback => to_value(board.fallback()),
        Question::Phrase(draft) => to_value(board.phrase(&draft)),
        Question::Parse(words) => to_value(board.parse(&words)),
        Question::Usage => to_value(board.usage()),
        Question::Card(key) => to_value(board.card(&key)),
        Question::Ghosts(draft) => to_value(board.ghosts(&draft)),
        Question::Aims(draft) => to_value(board.aims(draft.as_ref())),
        Question::Sketches(key) => to_value(board.sketches(&key)),
        Question::Roster => to_value(board.roster()),
        Question::Ribbon => to_value(board.ribbon()),
        Question::Awaited => to_value(board.awaited()),
        Question::Outcome => to_value(board.outcome()),
        Question::KeyOf(unit) => to_value(board.key_of(unit)),
        Question::Dump => Ok(board.dump()),
    }
}

/// How a call gets to the judge and the answer back.
pub type Carry = Rc<dyn Fn(&str) -> String>;

/// The page's end: unpacks boards of one chair at the judge's.
pub struct RelayUnpacker {
    /// Tells chairs apart.
    pub chair: u32,
    /// The way to the judge.
    pub carry: Carry,
}

impl Unpacker for RelayUnpacker {
    fn board(&mut self, dump: &Dump) -> Result<Box<dyn Board>, DumpError> {
        let call = Call::Open { chair: self.chair, dump: Box::new(dump.clone()) };
        let handle = carried::<Handle>(&self.carry, &call).map_err(DumpError::Refused)?;
        Ok(Box::new(RelayBoard { handle, carry: Rc::clone(&self.carry) }))
    }
}

/// A board at the judge's.
struct RelayBoard {
    handle: Handle,
    carry: Carry,
}

fn carried<T: DeserializeOwned>(carry: &Carry, call: &Call) -> Result<T, String> {
    let text = serde_json::to_string(call).map_err(|error| error.to_string())?;
    match serde_json::from_str(&carry(&text)).map_err(|error| error.to_string())? {
        Answer::Ok(answer) => Ok(answer),
        Answer::Err(why) => Err(why),
    }
}

impl RelayBoard {
    fn ask<T: DeserializeOwned>(&self, question: Question) -> Result<T, String> {
        carried(&self.carry, &Call::Ask(self.handle, question))
    }

    /// Where there is nothing sensible to say, nothing is said: the wall does not crack in the middle of a battle.
    fn ask_or_not<T: DeserializeOwned + Default>(&self, question: Question) -> T {
        self.ask(question).unwrap_or_default()
    }
}

impl Drop for RelayBoard {
    fn drop(&mut self) {
        let _: Result<Value, String> = carried(&self.carry, &Call::Close(self.handle));
    }
}

impl Board for RelayBoard {
    fn scene(&self) -> Scene {
        self.ask(Question::Scene).unwrap_or_else(|_| Scene::empty())
    }

    fn prompt(&self) -> Option<Prompt> {
        self.ask_or_not(Question::Prompt)
    }

    fn check(&self, draft: &Draft) -> Result<Verdict, String> {
        self.ask::<Result<Verdict, String>>(Question::Check(draft.clone())).and_then(|verdict| verdict)
    }

    fn odds(&self, draft: &Draft) -> Option<Odds> {
        self.ask_or_not(Question::Odds(draft.clone()))
    }

    fn measure(&self, a: Point, b: Point) -> Result<Length, Note> {
        // Without an answer the tape is laid as it lies.
        self.ask(Question::Measure(a, b)).unwrap_or_else(|_| Ok(a.distance(b)))
    }

    fn candidates(&self, seed: u64, limit: usize) -> Vec<Draft> {
        self.ask_or_not(Question::Candidates(seed, limit))
    }

    fn fallback(&self) -> Option<Draft> {
        self.ask_or_not(Question::Fallback)
    }

    fn phrase(&self, draft: &Draft) -> String {
        self.ask_or_not(Question::Phrase(draft.clone()))
    }

    fn parse(&self, words: &str) -> Result<Draft, String> {
        self.ask::<Result<Draft, String>>(Question::Parse(words.to_owned())).and_then(|draft| draft)
    }

    fn usage(&self) -> Vec<(String, String)> {
        self.ask_or_not(Question::Usage)
    }

    fn card(&self, key: &str) -> Option<Vec<String>> {
        self.ask_or_not(Question::Card(key.to_owned()))
    }

    fn ghosts(&self, draft: &Draft) -> Vec<Ghost> {
        self.ask_or_not(Question::Ghosts(draft.clone()))
    }

    fn aims(&self, draft: Option<&Draft>) -> Vec<Sketch> {
        self.ask_or_not(Question::Aims(draft.cloned()))
    }

    fn sketches(&self, key: &str) -> Vec<Sketch> {
        self.ask_or_not(Question::Sketches(key.to_owned()))
    }

    fn roster(&self) -> Vec<RosterLine> {
        self.ask_or_not(Question::Roster)
    }

    fn ribbon(&self) -> (Vec<String>, Option<usize>) {
        self.ask_or_not(Question::Ribbon)
    }

    fn awaited(&self) -> Option<(DecisionNo, Vec<Side>)> {
        self.ask_or_not(Question::Awaited)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ask_or_not(Question::Outcome)
    }

    fn key_of(&self, unit: UnitId) -> Option<String> {
        self.ask_or_not(Question::KeyOf(unit))
    }

    fn dump(&self) -> Value {
        self.ask_or_not(Question::Dump)
    }
}
