//! Planning a whole army with one order: each piece has its own options, and every entry can be taken up again, copied
//! to the brigade or cleared until the plan is given.

use crate::hand::{Hand, Judged, Making, Open, begun, draft_of, filled, label_of, option_of, piece_of};
use crate::steer::Tool;
use engine::blanks::{self as fill, blank};
use engine::facade::Board;
use engine::scene::{Gesture, PlanKind, Prompt, Scene};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use table::Point;
use table::march::Leg;

/// What was chosen for a piece: the number of the option, and its entry in the plan.
pub type Chosen = Option<(usize, Value)>;

/// The options of each piece.
pub type Options = [(String, Vec<Gesture>)];

/// The options of a plan with one entry for each piece.
pub fn options_of(gesture: &Gesture) -> Option<&Options> {
    match gesture {
        Gesture::Plan { kind: PlanKind::Each { options }, .. } => Some(options),
        _ => None,
    }
}

/// Whether a gesture is a plan in which every piece may be left out: then nobody need be asked about each of them.
pub fn is_planner(gesture: &Gesture) -> bool {
    options_of(gesture).is_some_and(|options| options.iter().all(|(_, options)| may_stay(options)))
}

fn may_stay(options: &[Gesture]) -> bool {
    options.first().is_some_and(|first| draft_of(first).is_null())
}

/// The gesture that is taken up as soon as the question comes: the plan or the dice it is all about, where nothing else
/// but plain answers stands beside it.
pub fn at_once(gestures: &[Gesture]) -> Option<usize> {
    let is_plain = |gesture: &Gesture| matches!(gesture, Gesture::Button { of: None, .. });
    let mut others = gestures.iter().enumerate().filter(|(_, gesture)| !is_plain(gesture));
    let (no, gesture) = others.next()?;
    let is_it = matches!(gesture, Gesture::DealDice { .. }) || is_planner(gesture);
    (is_it && others.next().is_none()).then_some(no)
}

/// What stands in a full draft where the draft has a blank.
pub fn taken<'v>(draft: &Value, blank: &str, full: &'v Value) -> Option<&'v Value> {
    match (draft, full) {
        (Value::String(text), full) if text == blank => Some(full),
        (Value::Array(list), Value::Array(full)) => {
            list.iter().zip(full).find_map(|(draft, full)| taken(draft, blank, full))
        }
        (Value::Object(fields), Value::Object(full)) => {
            fields.iter().find_map(|(key, draft)| taken(draft, blank, full.get(key)?))
        }
        _ => None,
    }
}

fn read<T: serde::de::DeserializeOwned>(draft: &Value, blank: &str, full: &Value) -> Option<T> {
    serde_json::from_value(taken(draft, blank, full)?.clone()).ok()
}

/// What the hand would be doing had it just filled this entry in.
fn restored(gesture: &Gesture, entry: &Value) -> Option<Making> {
    let draft = draft_of(gesture);
    match gesture {
        Gesture::Button { .. } => Some(Making::Press),
        Gesture::PickUnits { .. } => Some(Making::Piece(read(draft, blank::PIECE, entry))),
        Gesture::PickTarget { .. } => Some(Making::Target(read(draft, blank::TARGET, entry))),
        Gesture::DrawPath { .. } if fill::has(draft, blank::POINT) => {
            Some(Making::Place(read(draft, blank::POINT, entry)))
        }
        Gesture::DrawPath { .. } => {
            let legs: Vec<Leg> = read(draft, blank::LEGS, entry)?;
            Some(Making::Path { legs, live: Vec::new(), tool: Tool::March })
        }
        Gesture::PickFormation { into, .. } => {
            let word: Option<String> = read(draft, blank::FORMATION, entry);
            let into = word.and_then(|word| into.iter().position(|one| *one == word)).unwrap_or(0);
            Some(Making::Form { into, facing: read(draft, blank::FACING, entry) })
        }
        Gesture::LayBlocks { .. } => Some(Making::Blocks {
            target: read(draft, blank::TARGET, entry),
            cells: read(draft, blank::BLOCKS, entry).unwrap_or_default(),
        }),
        Gesture::DealDice { .. } | Gesture::Plan { .. } => None,
    }
}

/// Whether a full draft could have come from one with blanks.
fn fits(draft: &Value, full: &Value) -> bool {
    match (draft, full) {
        (Value::String(text), _) if text.starts_with('$') => true,
        (Value::Array(list), Value::Array(full)) => {
            list.len() == full.len() && list.iter().zip(full).all(|(draft, full)| fits(draft, full))
        }
        (Value::Object(fields), Value::Object(full)) => {
            fields.len() == full.len()
                && fields.iter().all(|(key, draft)| full.get(key).is_some_and(|full| fits(draft, full)))
        }
        (draft, full) => draft == full,
    }
}

/// Whether an entry of a plan is about this piece: it is named by it, and not only in a list.
fn is_subject(entry: &Value, key: &str) -> bool {
    match entry {
        Value::String(text) => text == key,
        Value::Object(fields) => fields.values().any(|value| is_subject(value, key)),
        _ => false,
    }
}

/// An entry as it is kept over a reload of the page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct KeptEntry {
    piece: String,
    option: usize,
    label: String,
    entry: Value,
}

/// The army's plan so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Pieces that could do something.
    pub able: usize,
    /// Pieces with something to do.
    pub moving: usize,
    /// Pieces that have not done their share.
    pub owing: usize,
}

impl Hand {
    /// The plan in hand, where it is one in which everybody may stay: its options, what was chosen, what is open.
    pub fn planner<'h>(&'h self, prompt: &'h Prompt) -> Option<(&'h Options, &'h [Chosen], Option<&'h Open>)> {
        let (no, Making::Each { chosen, open }) = self.making.as_ref()? else { return None };
        let gesture = prompt.gestures.get(*no).filter(|gesture| is_planner(gesture))?;
        Some((options_of(gesture)?, chosen, open.as_ref()))
    }

    /// The place of a piece in the plan.
    pub fn in_plan(&self, prompt: &Prompt, key: &str) -> Option<usize> {
        self.planner(prompt)?.0.iter().position(|(piece, _)| piece == key)
    }

    /// Takes an option for a piece of a plan; one with a blank is filled in on the map.
    pub fn open_option(&mut self, board: &dyn Board, prompt: &Prompt, scene: &Scene, piece: usize, option: usize) {
        let Some((no, Making::Each { chosen, open })) = &mut self.making else { return };
        let whole = prompt.gestures.get(*no);
        let Some(gesture) = whole.and_then(|gesture| option_of(gesture, piece, option)) else { return };
        let left_out = whole.is_some_and(is_planner).then_some((0, Value::Null));
        let draft = draft_of(gesture);
        if let Some(slot) = chosen.get_mut(piece) {
            *slot = if fill::is_complete(draft) { Some((option, draft.clone())) } else { left_out };
        }
        let inner = || Box::new(begun(board, scene, gesture));
        *open = (!fill::is_complete(draft)).then(|| Open { piece, option, inner: inner() });
        // An observer's walk is listed under the observer, though it is his battery's order.
        let listed =
            whole.filter(|whole| is_planner(whole)).and_then(options_of).and_then(|options| options.get(piece));
        if let Some(key) = listed.map(|(key, _)| key.as_str()).or_else(|| piece_of(gesture)) {
            self.selected = Some(key.to_owned());
        }
        self.take_in(prompt);
    }

    /// Whatever the open option of a plan has become so far goes into the plan; what needs no more from the map is
    /// closed. Who may stay does so until there is something for him to do.
    pub fn take_in(&mut self, prompt: &Prompt) {
        let Some((no, Making::Each { chosen, open })) = &mut self.making else { return };
        let Some(at) = open else { return };
        let Some(whole) = prompt.gestures.get(*no) else { return };
        let Some(gesture) = option_of(whole, at.piece, at.option) else { return };
        let stays = options_of(whole).and_then(|options| options.get(at.piece)).is_some_and(|(_, all)| may_stay(all));
        let made = filled(gesture, &at.inner);
        let is_done = made.is_some() && matches!(*at.inner, Making::Target(_) | Making::Piece(_) | Making::Place(_));
        if let Some(slot) = chosen.get_mut(at.piece) {
            *slot = made.map(|draft| (at.option, draft)).or_else(|| stays.then_some((0, Value::Null)));
        }
        if is_done {
            *open = None;
        }
    }

    /// Puts the hand on a piece without losing the plan: what it was given can be gone on with.
    pub fn take_up(&mut self, prompt: &Prompt, key: Option<String>) {
        self.take_in(prompt);
        let piece = key.as_ref().and_then(|key| self.in_plan(prompt, key));
        let next = piece.and_then(|piece| {
            let (options, chosen, _) = self.planner(prompt)?;
            let (option, entry) = chosen.get(piece)?.as_ref()?;
            let gesture = options.get(piece)?.1.get(*option)?;
            let inner = restored(gesture, entry)
                .filter(|inner| matches!(inner, Making::Path { .. } | Making::Form { .. } | Making::Blocks { .. }))?;
            Some(Open { piece, option: *option, inner: Box::new(inner) })
        });
        if let Some((_, Making::Each { open, .. })) = &mut self.making {
            *open = next;
        }
        self.selected = key;
    }

    /// The first option of a piece that is drawn on the map: with legs, or as a place.
    pub fn way_of(&self, prompt: &Prompt, piece: usize) -> Option<(usize, bool)> {
        let (_, options) = self.planner(prompt)?.0.get(piece)?;
        let drawn = |blank: &'static str| {
            options
                .iter()
                .position(|gesture| matches!(gesture, Gesture::DrawPath { draft, .. } if fill::has(draft, blank)))
        };
        let legs = drawn(blank::LEGS).map(|option| (option, true));
        legs.or_else(|| drawn(blank::POINT).map(|option| (option, false)))
    }

    /// A drag begins on a piece of the plan: on its ghost it goes on with the path, on the piece itself it begins anew.
    /// True where a path is drawn, false where a place is carried; nothing where the piece cannot move.
    pub fn seize(&mut self, board: &dyn Board, prompt: &Prompt, scene: &Scene, key: &str, ghost: bool) -> Option<bool> {
        let piece = self.in_plan(prompt, key)?;
        if ghost {
            self.take_up(prompt, Some(key.to_owned()));
            if matches!(self.work(), Some(Making::Path { .. })) {
                return Some(true);
            }
        }
        // Whoever has begun one of several kinds of path goes on with that kind.
        let begun = self.planner(prompt).and_then(|(_, _, open)| {
            let open = open.filter(|open| open.piece == piece)?;
            matches!(*open.inner, Making::Path { .. }).then_some((open.option, true))
        });
        let (option, legs) = begun.or_else(|| self.way_of(prompt, piece))?;
        self.open_option(board, prompt, scene, piece, option);
        self.selected = Some(key.to_owned());
        Some(legs)
    }

    /// A place for a piece that rides or walks to one, no farther away than it may go.
    pub fn ride_to(&mut self, prompt: &Prompt, scene: &Scene, key: &str, place: Point) {
        let Some(piece) = self.in_plan(prompt, key) else { return };
        let Some((option, false)) = self.way_of(prompt, piece) else { return };
        let Some((options, ..)) = self.planner(prompt) else { return };
        let Some(Gesture::DrawPath { unit, allowance, .. }) = options.get(piece).and_then(|(_, all)| all.get(option))
        else {
            return;
        };
        let from = scene.pieces.iter().find(|one| one.key == *unit).map(|one| one.pose.at);
        let place = from.map_or(place, |from| {
            let (gap, most) = (place.vec() - from.vec(), allowance.as_f64());
            if most > 0.0 && gap.length() > most {
                Point::from_vec(from.vec() + gap * (most / gap.length()))
            } else {
                place
            }
        });
        if let Some((_, Making::Each { open, .. })) = &mut self.making {
            *open = Some(Open { piece, option, inner: Box::new(Making::Place(Some(place))) });
        }
        self.take_in(prompt);
    }

    /// An enemy, a friend or a place is pointed at while a piece of the plan is in hand: the option that names it.
    pub fn aim_at(&mut self, board: &dyn Board, prompt: &Prompt, scene: &Scene, target: &str) -> bool {
        let Some(piece) = self.selected.clone().and_then(|key| self.in_plan(prompt, &key)) else { return false };
        let Some((options, ..)) = self.planner(prompt) else { return false };
        let names = |gesture: &Gesture| match gesture {
            Gesture::PickTarget { at, .. } | Gesture::LayBlocks { at, .. } => at.iter().any(|key| key == target),
            _ => false,
        };
        let found = options.get(piece).and_then(|(_, options)| options.iter().position(names));
        let Some(option) = found else { return false };
        self.open_option(board, prompt, scene, piece, option);
        match self.work_mut() {
            Some(Making::Target(aim)) => *aim = Some(target.to_owned()),
            Some(Making::Blocks { target: aim, .. }) => *aim = Some(target.to_owned()),
            _ => {}
        }
        self.lay_usual(prompt);
        self.take_in(prompt);
        true
    }

    /// Whom the piece in hand may aim at by one of its options, while none of them waits for the map.
    pub fn targets(&self, prompt: &Prompt) -> Vec<String> {
        let listed = || {
            let (options, _, open) = self.planner(prompt)?;
            let free = open.is_none_or(|open| !matches!(*open.inner, Making::Target(_) | Making::Piece(_)));
            let place = self.in_plan(prompt, self.selected.as_ref()?).filter(|_| free)?;
            Some(&options.get(place)?.1)
        };
        let mut found: Vec<String> = Vec::new();
        for gesture in listed().into_iter().flatten() {
            if let Gesture::PickTarget { at, .. } | Gesture::LayBlocks { at, .. } = gesture {
                // A friend clicked is selected; only enemies are aimed at so plainly.
                found.extend(at.iter().filter(|key| self.in_plan(prompt, key).is_none()).cloned());
            }
        }
        found
    }

    /// The piece stays where it is.
    pub fn stay(&mut self, prompt: &Prompt, keys: &[String]) {
        let places: Vec<usize> = keys.iter().filter_map(|key| self.in_plan(prompt, key)).collect();
        if let Some((_, Making::Each { chosen, open })) = &mut self.making {
            for place in &places {
                if let Some(slot) = chosen.get_mut(*place) {
                    *slot = Some((0, Value::Null));
                }
            }
            if open.as_ref().is_some_and(|open| places.contains(&open.piece)) {
                *open = None;
            }
        }
    }

    /// The others of a piece's brigade that are in the plan.
    pub fn brigade_of(&self, prompt: &Prompt, scene: &Scene, key: &str) -> Vec<String> {
        let command = |key: &str| {
            let piece = scene.pieces.iter().find(|piece| piece.key == key)?;
            piece.command.clone().map(|command| (piece.side, command))
        };
        let (Some(mine), Some((options, ..))) = (command(key), self.planner(prompt)) else { return Vec::new() };
        let others = options.iter().filter(|(other, _)| other != key && command(other).as_ref() == Some(&mine));
        others.map(|(other, _)| other.clone()).collect()
    }

    /// Gives the others of the brigade what the piece in hand was given, as far as they may do the same; how many.
    pub fn copy_to_brigade(&mut self, prompt: &Prompt, scene: &Scene) -> usize {
        self.take_in(prompt);
        let Some(key) = self.selected.clone() else { return 0 };
        let copies = self.copies(prompt, scene, &key);
        let count = copies.len();
        if let Some((_, Making::Each { chosen, .. })) = &mut self.making {
            for (place, copy) in copies {
                if let Some(slot) = chosen.get_mut(place) {
                    *slot = Some(copy);
                }
            }
        }
        count
    }

    fn copies(&self, prompt: &Prompt, scene: &Scene, key: &str) -> Vec<(usize, (usize, Value))> {
        let Some((options, chosen, _)) = self.planner(prompt) else { return Vec::new() };
        let given = || {
            let piece = self.in_plan(prompt, key)?;
            let (option, entry) = chosen.get(piece)?.as_ref()?;
            let gesture = options.get(piece)?.1.get(*option).filter(|_| !entry.is_null())?;
            Some((label_of(gesture), restored(gesture, entry)?))
        };
        let Some((label, making)) = given() else { return Vec::new() };
        let at = |key: &str| scene.pieces.iter().find(|piece| piece.key == key).map(|piece| piece.pose.at);
        let brigade = self.brigade_of(prompt, scene, key);
        let mut copies = Vec::new();
        for other in brigade {
            let Some(place) = options.iter().position(|(piece, _)| *piece == other) else { continue };
            let same = options[place].1.iter().enumerate().find(|(_, gesture)| label_of(gesture) == label);
            let Some((option, gesture)) = same else { continue };
            // A place is taken over as the way to it, so that riders keep their distances.
            let making = match (&making, at(key), at(&other)) {
                (Making::Place(Some(to)), Some(from), Some(here)) => {
                    Making::Place(Some(Point::from_vec(here.vec() + (to.vec() - from.vec()))))
                }
                (making, ..) => making.clone(),
            };
            if let Some(entry) = filled(gesture, &making) {
                copies.push((place, (option, entry)));
            }
        }
        copies
    }

    /// The next piece that could do something and was given nothing to do, those first without whom the plan is no
    /// plan; the next of all where there is none.
    pub fn next_idle(&self, prompt: &Prompt, forward: bool) -> Option<String> {
        let (options, chosen, _) = self.planner(prompt)?;
        let count = options.len();
        let now = self.selected.as_ref().and_then(|key| options.iter().position(|(piece, _)| piece == key));
        let after = |step: usize| match (now, forward) {
            (Some(now), true) => (now + step) % count,
            (Some(now), false) => (now + count - step) % count,
            (None, true) => step - 1,
            (None, false) => count - step,
        };
        let is_idle = |place: &usize| {
            options[*place].1.len() > 1 && chosen.get(*place).is_some_and(|slot| is_staying(slot.as_ref()))
        };
        let owes = |place: &usize| {
            self.judged.as_ref().is_some_and(|judged| judged.is_owing(&options[*place].0)) && is_idle(place)
        };
        let idle = (1..=count).map(after).find(owes).or_else(|| (1..=count).map(after).find(is_idle));
        idle.or_else(|| (count > 0).then(|| after(1))).map(|place| options[place].0.clone())
    }

    /// How many have something to do.
    pub fn tally(&self, prompt: &Prompt) -> Tally {
        let Some((options, chosen, _)) = self.planner(prompt) else { return Tally::default() };
        let able = options.iter().filter(|(_, options)| options.len() > 1).count();
        let moving = chosen.iter().filter(|slot| !is_staying(slot.as_ref())).count();
        let owes = |key: &String| self.judged.as_ref().is_some_and(|judged| judged.is_owing(key));
        let owing = options.iter().filter(|(key, _)| owes(key)).count();
        Tally { able, moving, owing }
    }

    /// Takes over the entries of a whole order; how many. One that is not among the options of its piece stays as it is
    /// until the piece is given something else.
    pub fn adopt(&mut self, prompt: &Prompt, order: &Value) -> usize {
        let found = || {
            let (no, _) = self.making.as_ref()?;
            let entries = taken(draft_of(prompt.gestures.get(*no)?), blank::PLAN, order)?.as_array()?;
            let (options, ..) = self.planner(prompt)?;
            let mut found: Vec<(usize, (usize, Value))> = Vec::new();
            for entry in entries {
                let places = options.iter().enumerate().filter(|(place, _)| found.iter().all(|(had, _)| had != place));
                let fitting = |options: &[Gesture]| {
                    options.iter().position(|option| !draft_of(option).is_null() && fits(draft_of(option), entry))
                };
                let mut places = places.filter_map(|(place, (_, options))| Some((place, fitting(options)?)));
                let unlisted = || {
                    let place = options.iter().position(|(key, _)| is_subject(entry, key))?;
                    found.iter().all(|(had, _)| *had != place).then(|| (place, options[place].1.len()))
                };
                if let Some((place, option)) = places.next().or_else(unlisted) {
                    found.push((place, (option, entry.clone())));
                }
            }
            Some(found)
        };
        let found = found().unwrap_or_default();
        let count = found.len();
        if let Some((_, Making::Each { chosen, open })) = &mut self.making {
            *open = None;
            for slot in chosen.iter_mut() {
                *slot = Some((0, Value::Null));
            }
            for (place, entry) in found {
                if let Some(slot) = chosen.get_mut(place) {
                    *slot = Some(entry);
                }
            }
        }
        count
    }

    /// The plan with the piece in hand alone, for a quick look while it is dragged.
    pub fn single_draft(&self, prompt: &Prompt) -> Option<Value> {
        let (no, _) = self.making.as_ref()?;
        let piece = self.in_plan(prompt, self.selected.as_ref()?)?;
        let (_, entry) = self.planner(prompt)?.1.get(piece)?.as_ref()?;
        let list = if entry.is_null() { Vec::new() } else { vec![entry.clone()] };
        let full = fill::fill(draft_of(prompt.gestures.get(*no)?), blank::PLAN, &list);
        fill::is_complete(&full).then_some(full)
    }

    /// While a piece is dragged only that piece is looked at anew; the rest of the plan is judged when it is let go.
    pub fn judge_held(&mut self, board: &dyn Board, prompt: &Prompt) -> bool {
        let (Some(draft), Some(key), Some(old)) =
            (self.single_draft(prompt), self.selected.clone(), self.judged.take())
        else {
            return false;
        };
        self.judged = Some(old.with_anew(board, &draft, &key));
        true
    }

    /// What is kept of the plan over a reload.
    pub fn kept(&self, prompt: &Prompt) -> Vec<KeptEntry> {
        let Some((options, chosen, _)) = self.planner(prompt) else { return Vec::new() };
        let given = options.iter().zip(chosen).filter_map(|((piece, options), slot)| {
            let (option, entry) = slot.as_ref().filter(|(_, entry)| !entry.is_null())?;
            let label = options.get(*option).map(label_of).unwrap_or_default();
            Some(KeptEntry { piece: piece.clone(), option: *option, label, entry: entry.clone() })
        });
        given.collect()
    }

    /// Takes up what was kept, as far as the question still has those options.
    pub fn take_back_up(&mut self, prompt: &Prompt, kept: &[KeptEntry]) {
        let fits = |one: &KeptEntry| {
            let place = self.in_plan(prompt, &one.piece)?;
            let option = self.planner(prompt)?.0.get(place)?.1.get(one.option);
            let same = option.map(label_of).unwrap_or_default() == one.label;
            same.then(|| (place, (one.option, one.entry.clone())))
        };
        let fitting: Vec<_> = kept.iter().filter_map(fits).collect();
        if let Some((_, Making::Each { chosen, .. })) = &mut self.making {
            for (place, entry) in fitting {
                if let Some(slot) = chosen.get_mut(place) {
                    *slot = Some(entry);
                }
            }
        }
    }
}

/// Whether nothing was chosen, or to stay.
pub fn is_staying(slot: Option<&(usize, Value)>) -> bool {
    slot.is_none_or(|(_, entry)| entry.is_null())
}

impl Judged {
    /// The same with one piece looked at anew.
    fn with_anew(mut self, board: &dyn Board, draft: &Value, key: &str) -> Judged {
        let anew = Judged::of(board, draft.clone());
        self.ghosts.retain(|ghost| ghost.key != key);
        self.ghosts.extend(anew.ghosts.into_iter().filter(|ghost| ghost.key == key));
        if let (Ok(old), Ok(new)) = (&mut self.verdict, anew.verdict) {
            let others = |about: &Option<String>| about.as_deref() != Some(key);
            let keep: Vec<bool> = self.about.iter().map(others).collect();
            let (mut notes, mut together) = (keep.iter(), keep.iter());
            old.refusals.retain(|_| *notes.next().unwrap_or(&true));
            self.among.retain(|_| *together.next().unwrap_or(&true));
            self.about.retain(others);
            for (note, about) in new.refusals.into_iter().zip(anew.about).filter(|(_, about)| !others(about)) {
                old.refusals.push(note);
                self.about.push(about);
                self.among.push(Vec::new());
            }
        }
        self
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
