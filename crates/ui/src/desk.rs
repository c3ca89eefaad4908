//! Everything the parts of a table's page share: the chairs, the hand, the map's view, the drawers.

use crate::advice::Advice;
use crate::api::Fail;
use crate::camera::Camera;
use crate::chair::{Chair, Line};
use crate::hand::{Hand, Judged, Making};
use crate::link::{Mouth, Word};
use crate::plan;
use crate::show::Showing;
use engine::scene::{Gesture, PieceKind, ScenePiece};
use engine::thoughts::Intent;
use engine::{Motion, Side};
use futures::channel::oneshot;
use leptos::prelude::*;
use serde_json::Value;
use std::rc::Rc;
use table::{Length, Point};
use wire::{FromBrowser, Hint};

/// What the sheet of a phone, or the side of a desk, shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tab {
    #[default]
    Orders,
    Army,
    Chronicle,
}

/// The tape measure.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Tape {
    /// Rolled up.
    #[default]
    Away,
    /// In hand, not laid yet.
    Ready,
    /// Laid.
    Laid { from: Point, to: Point, says: Result<Length, (String, String)> },
}

/// A seat and its line, where it has one.
pub struct Place {
    pub chair: RwSignal<Chair, LocalStorage>,
    pub mouth: Option<Mouth>,
}

/// What the parts share.
#[derive(Clone, Copy)]
pub struct Desk {
    places: StoredValue<Vec<Place>, LocalStorage>,
    /// The battle's id, where plans are kept for it.
    pub battle: StoredValue<Option<String>>,
    /// Which chair is shown.
    pub at: RwSignal<usize>,
    /// The side the table is to be handed to, while the curtain is down.
    pub curtain: RwSignal<Option<String>>,
    pub hand: RwSignal<Hand, LocalStorage>,
    /// What the button under the pointer would do: shown, not in hand.
    pub glance: RwSignal<Option<Judged>, LocalStorage>,
    pub camera: RwSignal<Camera>,
    /// Counts how often the whole map was asked for.
    pub whole_map: RwSignal<u32>,
    pub tape: RwSignal<Tape>,
    /// The clause in the drawer.
    pub clause: RwSignal<Option<String>>,
    /// Only what is told of this piece is shown.
    pub filter: RwSignal<Option<String>>,
    pub tab: RwSignal<Tab>,
    /// Whether the sheet of a phone is pulled up.
    pub sheet_up: RwSignal<bool>,
    pub help: RwSignal<bool>,
    pub menu: RwSignal<bool>,
    /// The film of the last moves, while it is shown.
    pub film: RwSignal<Option<Showing>, LocalStorage>,
    pub film_number: StoredValue<u32>,
    /// How many films of each chair were begun.
    pub films_seen: RwSignal<[u32; 2]>,
    /// A short word to the player.
    pub toast: RwSignal<Option<String>>,
    /// What the house would do.
    pub advice: RwSignal<Advice>,
    /// What brigades are meant to do, drawn on the map.
    pub intents: RwSignal<Vec<Intent>>,
}

impl Desk {
    pub fn new(places: Vec<Place>) -> Desk {
        Desk {
            places: StoredValue::new_local(places),
            battle: StoredValue::new(None),
            at: RwSignal::new(0),
            curtain: RwSignal::new(None),
            hand: RwSignal::new_local(Hand::default()),
            glance: RwSignal::new_local(None),
            camera: RwSignal::new(Camera::default()),
            whole_map: RwSignal::new(0),
            tape: RwSignal::new(Tape::Away),
            clause: RwSignal::new(None),
            filter: RwSignal::new(None),
            tab: RwSignal::new(Tab::Orders),
            sheet_up: RwSignal::new(false),
            help: RwSignal::new(false),
            menu: RwSignal::new(false),
            film: RwSignal::new_local(None),
            film_number: StoredValue::new(0),
            films_seen: RwSignal::new([0; 2]),
            toast: RwSignal::new(None),
            advice: RwSignal::new(Advice::Unasked),
            intents: RwSignal::new(Vec::new()),
        }
    }

    /// Asks the house what it would do; the answer comes when it has thought.
    pub fn ask_advice(&self) -> Option<oneshot::Receiver<Result<Hint, Fail>>> {
        let (reply, answer) = oneshot::channel();
        let at = self.at.get_untracked();
        let asked = self.places.with_value(|places| {
            let mouth = places.get(at).and_then(|place| place.mouth.as_ref());
            mouth.is_some_and(|mouth| mouth.unbounded_send(Word::Advise(reply)).is_ok())
        });
        asked.then_some(answer)
    }

    /// How many chairs stand at this desk.
    pub fn chairs(&self) -> usize {
        self.places.with_value(Vec::len)
    }

    /// The chair at a place.
    pub fn chair_at(&self, place: usize) -> Option<RwSignal<Chair, LocalStorage>> {
        self.places.with_value(|places| places.get(place).map(|place| place.chair))
    }

    /// Reads the chair that is shown, and listens to it.
    pub fn with<T>(&self, read: impl FnOnce(&Chair) -> T) -> T {
        let chair = self.chair_at(self.at.get()).or_else(|| self.chair_at(0));
        match chair {
            Some(chair) => chair.with(read),
            None => read(&Chair::default()),
        }
    }

    /// The same without listening.
    pub fn peek<T>(&self, read: impl FnOnce(&Chair) -> T) -> T {
        untrack(|| self.with(read))
    }

    /// Changes the chair that is shown.
    pub fn change(&self, change: impl FnOnce(&mut Chair)) {
        if let Some(chair) = self.chair_at(self.at.get_untracked()) {
            chair.update(change);
        }
    }

    fn say(&self, make: impl FnOnce(u32) -> FromBrowser) -> bool {
        let mut said = false;
        let at = self.at.get_untracked();
        self.change(|chair| {
            chair.sent += 1;
            let seq = chair.sent;
            chair.refusal = None;
            said = self.places.with_value(|places| {
                let mouth = places.get(at).and_then(|place| place.mouth.as_ref());
                chair.line == Line::Open
                    && mouth.is_some_and(|mouth| mouth.unbounded_send(Word::Say(make(seq))).is_ok())
            });
            if said {
                chair.waiting = Some(seq);
            }
        });
        if !said {
            self.toast.set(Some("The line to the server is not open; the order was not given".to_owned()));
        }
        said
    }

    /// Acts beside the rulebook.
    pub fn motion(&self, motion: Motion) {
        self.say(|seq| FromBrowser::Motion { seq, motion });
    }

    /// Gives an order.
    pub fn give(&self, draft: Value) {
        let no = self.peek(|chair| chair.prompt.as_ref().map(|prompt| prompt.no.0));
        if let Some(no) = no
            && self.say(|seq| FromBrowser::Order { seq, no, draft })
        {
            self.hand.update(Hand::drop_gesture);
        }
    }

    /// Gives the order in hand, where the rules allow it.
    pub fn give_judged(&self) {
        let judged = self.hand.with_untracked(|hand| hand.judged.clone());
        match judged {
            Some(judged) if judged.is_legal() => self.give(judged.draft),
            Some(_) => self.toast.set(Some("The rules do not allow this: see the reasons".to_owned())),
            None => {}
        }
    }

    /// Changes the hand and asks the board about it.
    pub fn handle(&self, change: impl FnOnce(&mut Hand, &crate::hand::Context<'_>)) {
        let (board, prompt, scene) =
            self.peek(|chair| (chair.board.clone(), chair.prompt.clone(), chair.scene.clone()));
        if let (Some(board), Some(prompt), Some(scene)) = (board, prompt, scene) {
            self.hand.update(|hand| {
                change(hand, &crate::hand::Context { board: board.as_ref(), prompt: &prompt, scene: &scene });
                hand.judge(board.as_ref(), &prompt);
            });
        }
    }

    /// Begins a gesture; a plain press that no rule speaks against is given at once.
    pub fn arm(&self, no: usize) {
        // A plan with something in it is not given up for one press: the press is shown first.
        let prompt = self.peek(|chair| chair.prompt.clone());
        let planned = prompt.is_some_and(|prompt| self.hand.with_untracked(|hand| hand.tally(&prompt).moving > 0));
        self.handle(|hand, at| hand.arm(at.board, at.prompt, at.scene, no));
        let at_once = self.hand.with_untracked(|hand| {
            let press = matches!(hand.making, Some((_, Making::Press)));
            let calm = hand.judged.as_ref().is_some_and(|judged| {
                judged.is_legal() && judged.verdict.as_ref().is_ok_and(|verdict| verdict.cautions.is_empty())
            });
            press && calm && !planned
        });
        if at_once {
            self.give_judged();
        }
    }

    /// Looks at what an order with nothing left to fill in would do; an order in hand is looked at already.
    pub fn look_at(&self, no: usize) {
        let (board, prompt) = self.peek(|chair| (chair.board.clone(), chair.prompt.clone()));
        let idle = self.hand.with_untracked(|hand| match &prompt {
            // An empty plan is no order in hand.
            Some(prompt) if hand.planner(prompt).is_some() => hand.tally(prompt).moving == 0,
            _ => hand.making.is_none() && hand.judged.is_none(),
        });
        if let (Some(board), Some(prompt), true) = (board, prompt, idle)
            && let Some(Gesture::Button { draft, .. }) = prompt.gestures.get(no)
        {
            self.glance.set(Some(Judged::of(board.as_ref(), draft.clone())));
        }
    }

    /// Looks away again.
    pub fn look_away(&self) {
        if self.glance.with_untracked(Option::is_some) {
            self.glance.set(None);
        }
    }

    /// Takes up the plan or the dice the question is all about, with what was kept of it.
    pub fn take_up_plan(&self) {
        let no = self.peek(|chair| chair.prompt.as_ref().and_then(|prompt| plan::at_once(&prompt.gestures)));
        if let Some(no) = no {
            let kept = crate::shelf::kept(*self);
            self.handle(|hand, at| {
                let held = hand.selected.clone();
                hand.arm(at.board, at.prompt, at.scene, no);
                hand.take_back_up(at.prompt, &kept);
                hand.take_up(at.prompt, held);
            });
        }
    }

    /// Whether the hand plans for a whole army; the piece in hand then changes without the plan being let go.
    pub fn is_planning(&self) -> bool {
        let prompt = self.peek(|chair| chair.prompt.clone());
        prompt.is_some_and(|prompt| self.hand.with_untracked(|hand| hand.planner(&prompt).is_some()))
    }

    /// Whether the question is all about a plan, which is then never let go.
    pub fn plans_at_once(&self) -> bool {
        self.peek(|chair| chair.prompt.as_ref().is_some_and(|prompt| plan::at_once(&prompt.gestures).is_some()))
    }

    /// Puts the hand on a piece.
    pub fn select(&self, key: Option<String>) {
        // The button that was looked at may go with the card.
        self.look_away();
        if let Some(prompt) = self.peek(|chair| chair.prompt.clone()).filter(|_| self.is_planning()) {
            self.hand.update(|hand| hand.take_up(&prompt, key));
            return;
        }
        if self.hand.with_untracked(|hand| matches!(hand.making, Some((_, Making::Deal { .. })))) {
            self.hand.update(|hand| hand.selected = key);
            return;
        }
        self.hand.update(|hand| {
            if hand.selected != key {
                hand.drop_gesture();
                hand.selected = key;
            }
        });
    }

    /// Lets go: of the gesture first, then of the piece.
    pub fn cancel(&self) {
        self.tape.set(Tape::Away);
        if self.is_planning() && self.plans_at_once() {
            let open =
                self.hand.with_untracked(|hand| matches!(&hand.making, Some((_, Making::Each { open: Some(_), .. }))));
            let key = self.hand.with_untracked(|hand| hand.selected.clone()).filter(|_| open);
            self.hand.update(|hand| {
                if let Some((_, Making::Each { open, .. })) = &mut hand.making {
                    *open = None;
                }
                hand.selected = key;
            });
            return;
        }
        self.hand.update(|hand| {
            if hand.making.is_some() || hand.judged.is_some() {
                hand.drop_gesture();
            } else {
                hand.selected = None;
            }
        });
        // A typed order that was let go leaves the plan where it was.
        if self.hand.with_untracked(|hand| hand.making.is_none()) {
            self.take_up_plan();
        }
    }

    /// A typed order.
    pub fn typed(&self, words: &str) -> Result<(), String> {
        let board = self.peek(|chair| chair.board.clone()).ok_or("the table is not here yet")?;
        let draft = board.parse(words)?;
        let judged = Judged::of(board.as_ref(), draft);
        self.hand.update(|hand| {
            hand.making = None;
            hand.judged = Some(judged);
        });
        Ok(())
    }

    /// The gestures of the question, with their numbers.
    pub fn gestures(&self) -> Vec<(usize, Gesture)> {
        self.with(|chair| chair.prompt.as_ref().map(|prompt| prompt.gestures.iter().cloned().enumerate().collect()))
            .unwrap_or_default()
    }

    /// The pieces that can answer the question, in the order of the army.
    pub fn able(&self) -> Vec<String> {
        let prompt = self.peek(|chair| chair.prompt.clone());
        let Some(prompt) = prompt else { return Vec::new() };
        able(&prompt.gestures, &self.peek(|chair| Rc::clone(&chair.roster)))
    }

    /// The next or the last piece that can answer.
    pub fn step_piece(&self, forward: bool) {
        let prompt = self.peek(|chair| chair.prompt.clone());
        let idle = prompt.and_then(|prompt| self.hand.with_untracked(|hand| hand.next_idle(&prompt, forward)));
        if idle.is_some() {
            self.select(idle);
            return;
        }
        let able = self.able();
        if able.is_empty() {
            return;
        }
        let now = self.hand.with_untracked(|hand| hand.selected.clone());
        let place = now.and_then(|now| able.iter().position(|key| *key == now));
        let next = match (place, forward) {
            (None, true) => 0,
            (None, false) => able.len() - 1,
            (Some(n), true) => (n + 1) % able.len(),
            (Some(n), false) => (n + able.len() - 1) % able.len(),
        };
        self.select(able.get(next).cloned());
    }

    /// A piece's or place's name.
    pub fn name_of(&self, key: &str) -> String {
        self.with(|chair| {
            let line = chair.roster.iter().find(|line| line.key.as_deref() == Some(key)).map(|line| line.name.clone());
            let scene = chair.scene.as_ref();
            let piece = || scene?.pieces.iter().find(|piece| piece.key == key).map(|piece| piece.name.clone());
            let feature = || {
                let feature = scene?.features.iter().find(|feature| feature.key == key)?;
                Some(if feature.name.is_empty() { plain(key) } else { feature.name.clone() })
            };
            let command = || {
                let line = chair.roster.iter().find(|line| line.command.as_deref() == Some(key))?;
                Some(line.name.clone())
            };
            line.or_else(piece).or_else(command).or_else(feature).unwrap_or_else(|| plain(key))
        })
    }

    /// The piece that stands for a key on the map: its own, or the general of a command.
    pub fn piece_for(&self, key: &str) -> Option<String> {
        self.peek(|chair| {
            let scene = chair.scene.as_ref()?;
            if scene.pieces.iter().any(|piece| piece.key == key) {
                return Some(key.to_owned());
            }
            let line = chair.roster.iter().find(|line| line.command.as_deref() == Some(key))?;
            let is_general = |kind: PieceKind| matches!(kind, PieceKind::General | PieceKind::ChiefGeneral);
            let leads = |piece: &&ScenePiece| {
                is_general(piece.kind) && piece.side == line.side && piece.command.as_ref() == Some(&line.name)
            };
            scene.pieces.iter().find(leads).map(|piece| piece.key.clone())
        })
    }

    /// The side led at the shown chair.
    pub fn side(&self) -> Option<Side> {
        self.with(Chair::side)
    }
}

/// A key made readable: `@kings-mountain` becomes `kings mountain`.
fn plain(key: &str) -> String {
    key.trim_start_matches('@').replace('-', " ")
}

/// The pieces gestures belong to, in the order of a roster, then any others.
pub fn able(gestures: &[Gesture], roster: &[engine::scene::RosterLine]) -> Vec<String> {
    let mut keys: Vec<&str> = gestures.iter().filter_map(crate::hand::piece_of).collect();
    for gesture in gestures {
        if let Gesture::PickUnits { from, .. } = gesture {
            keys.extend(from.iter().map(String::as_str));
        }
    }
    let mut found: Vec<String> = Vec::new();
    let known = roster.iter().filter_map(|line| line.key.as_deref()).filter(|key| keys.contains(key));
    for key in known.chain(keys.iter().copied()) {
        if !found.iter().any(|have| have == key) {
            found.push(key.to_owned());
        }
    }
    found
}
