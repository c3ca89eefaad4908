//! Everything by keyboard.

use crate::desk::{Desk, Tape};
use crate::hand::{self, Hand, Making};
use crate::making::turn_facing;
use crate::planner;
use crate::pointer::{carry, choose_key, wanted};
use crate::steer::pace;
use engine::scene::Gesture;
use leptos::prelude::*;
use table::march::Leg;
use table::{Angle, Flank, Length, Pose, Vec2};
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

/// The keys, for the help page.
pub const HELP: &[(&str, &str)] = &[
    ("Space or .", "the next unit that can act"),
    (",", "the one before"),
    ("1 – 9", "an order of the unit in hand, in the order of its card"),
    ("letters", "the orders that show a letter"),
    ("Enter", "give the order"),
    ("Esc", "let go of the order, then of the unit"),
    ("arrows", "while drawing a path: ahead, back, wheel; with Shift: sideways and about"),
    ("arrows", "while choosing: the next target, formation, bearing or guess"),
    ("arrows", "while pointing at a place: move it by a small step; Space marks one more spot; otherwise move the map"),
    ("⌫", "take the last leg back"),
    ("Del, c", "in an army's plan: the unit in hand stays; its brigade does the same as it"),
    ("Tab", "in an army's plan, with a unit in hand: the next one without a move"),
    ("arrows", "while dice are dealt: another die, and another command for it"),
    ("Space, ← →, Home", "while the moves are shown: play or stop, step, from the beginning; Esc ends it"),
    ("m", "the last moves of both sides again"),
    ("+  −  0", "nearer, farther, the whole map"),
    ("h", "what the house would do, where hints are allowed"),
    ("t", "the tape measure"),
    ("?", "this page"),
];

/// Listens while the table is open.
pub fn listen(desk: Desk) {
    let handle = window_event_listener(leptos::ev::keydown, move |event| {
        // Behind the curtain nobody may act: the keys would be those of the player who has just left.
        let veiled = desk.curtain.with_untracked(Option::is_some);
        if !veiled && !is_writing(&event) && press(desk, &event) {
            event.prevent_default();
        }
    });
    on_cleanup(move || handle.remove());
    // A button pressed with the pointer lets go of the keys: Enter gives the order, and does not press it once more.
    let handle = window_event_listener(leptos::ev::click, |event| {
        let focused = document().active_element().and_then(|focused| focused.dyn_into::<web_sys::HtmlElement>().ok());
        if let Some(button) = focused.filter(|focused| event.detail() > 0 && focused.tag_name() == "BUTTON") {
            let _ = button.blur();
        }
    });
    on_cleanup(move || handle.remove());
}

/// Whether the keys belong to a field, or a button wants to be pressed by them.
fn is_writing(event: &KeyboardEvent) -> bool {
    let Some(target) = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok()) else {
        return false;
    };
    let tag = target.tag_name();
    let field = matches!(tag.as_str(), "INPUT" | "TEXTAREA" | "SELECT");
    let button = matches!(tag.as_str(), "BUTTON" | "A" | "SUMMARY") && matches!(event.key().as_str(), "Enter" | " ");
    field || button || event.ctrl_key() || event.meta_key() || event.alt_key()
}

fn press(desk: Desk, event: &KeyboardEvent) -> bool {
    let (key, shift) = (event.key(), event.shift_key());
    if desk.is_showing() && film(desk, &key) {
        return true;
    }
    match key.as_str() {
        "Escape" if desk.help.get_untracked() => desk.help.set(false),
        "Escape" if desk.clause.get_untracked().is_some() => desk.clause.set(None),
        "Escape" => desk.cancel(),
        "Enter" => desk.give_judged(),
        " " | "." => step(desk, true),
        "," => step(desk, false),
        "?" => desk.help.update(|open| *open = !*open),
        "h" if !letter(desk, 'h') => crate::advice::ask(desk),
        "t" if !letter(desk, 't') => toggle_tape(desk),
        "+" | "=" => zoom(desk, 1.2),
        "-" => zoom(desk, 1.0 / 1.2),
        "0" => desk.whole_map.update(|asked| *asked += 1),
        "Backspace" => desk.handle(|hand, _| {
            hand.drop_leg();
        }),
        "Delete" if desk.is_planning() => desk.handle(|hand, at| {
            let key = hand.selected.clone();
            hand.stay(at.prompt, key.as_slice());
        }),
        // With nobody in hand the key goes from part to part of the page as ever.
        "Tab" if desk.is_planning() && on_the_map(event) && in_hand(desk) => step(desk, !shift),
        "c" if desk.is_planning() && !letter(desk, 'c') => planner::copy(desk),
        "m" if !letter(desk, 'm') => desk.show_film(true),
        "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight" => arrow(desk, &key, shift),
        other => {
            return digit(desk, other) || other.chars().next().is_some_and(|c| other.len() == 1 && letter(desk, c));
        }
    }
    true
}

/// While the moves of both sides are shown some keys are the film's.
fn film(desk: Desk, key: &str) -> bool {
    match key {
        "Escape" => desk.skip_film(),
        "ArrowRight" => desk.step_film(1),
        "ArrowLeft" => desk.step_film(-1),
        "Home" => desk.show_film(false),
        " " => desk.pause_film(),
        _ => return false,
    }
    true
}

/// Whether the keys go to nothing in particular.
fn on_the_map(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    target.is_none_or(|target| target.tag_name() == "BODY")
}

fn in_hand(desk: Desk) -> bool {
    desk.hand.with_untracked(|hand| hand.selected.is_some())
}

pub fn toggle_tape(desk: Desk) {
    desk.tape.update(|tape| *tape = if *tape == Tape::Away { Tape::Ready } else { Tape::Away });
}

fn zoom(desk: Desk, factor: f64) {
    desk.camera.update(|camera| *camera = camera.zoom_at(factor, 400.0, 300.0));
}

/// The next piece; while troops are set up, the next of those.
fn step(desk: Desk, forward: bool) {
    if desk.hand.with_untracked(|hand| matches!(hand.making, Some((_, Making::Spots(_))))) {
        return desk.handle(|hand, at| hand.add_spot(at.prompt, at.scene));
    }
    let placed = desk.hand.with_untracked(|hand| match &hand.making {
        Some((_, Making::SetUp { draft, held })) => Some((hand::placements(draft), held.clone())),
        _ => None,
    });
    let Some((placed, held)) = placed else { return desk.step_piece(forward) };
    if placed.is_empty() {
        return;
    }
    let now = held.and_then(|held| placed.iter().position(|(key, _)| *key == held));
    let count = placed.len();
    let next = now.map_or(0, |n| if forward { (n + 1) % count } else { (n + count - 1) % count });
    if let Some((key, _)) = placed.get(next) {
        carry(desk, key, |pose| pose);
        let key = key.clone();
        desk.hand.update(|hand| hand.selected = Some(key));
    }
}

/// The gestures of the piece in hand, in the order of its card.
fn on_card(desk: Desk) -> Vec<usize> {
    let selected = desk.hand.with_untracked(|hand| hand.selected.clone());
    let gestures = untrack(|| desk.gestures());
    let mine = gestures
        .iter()
        .filter(|(_, gesture)| selected.as_deref().is_some_and(|key| hand::piece_of(gesture) == Some(key)));
    mine.map(|(no, _)| *no).collect()
}

/// Options of the piece of a plan that is in hand: its place, and the letter of each.
fn in_plan(desk: Desk) -> Option<(usize, Vec<Option<char>>)> {
    let prompt = desk.peek(|chair| chair.prompt.clone())?;
    desk.hand.with_untracked(|hand| {
        let place = hand.in_plan(&prompt, hand.selected.as_ref()?)?;
        let (_, options) = hand.planner(&prompt)?.0.get(place)?;
        let letter = |gesture: &Gesture| match gesture {
            Gesture::Button { key, .. } => *key,
            _ => None,
        };
        Some((place, options.iter().map(letter).collect()))
    })
}

fn open_option(desk: Desk, place: usize, option: usize) {
    desk.handle(|hand, at| hand.open_option(at.board, at.prompt, at.scene, place, option));
}

fn digit(desk: Desk, key: &str) -> bool {
    let Some(n) = key.parse::<usize>().ok().filter(|n| (1..=9).contains(n)) else { return false };
    if let Some((place, letters)) = in_plan(desk) {
        if n <= letters.len() {
            open_option(desk, place, n - 1);
        }
        return n <= letters.len();
    }
    match on_card(desk).get(n - 1) {
        Some(no) => {
            desk.arm(*no);
            true
        }
        None => false,
    }
}

/// Presses the button that shows this letter: one of the piece in hand first.
fn letter(desk: Desk, letter: char) -> bool {
    if let Some((place, letters)) = in_plan(desk)
        && let Some(option) = letters.iter().position(|one| *one == Some(letter))
    {
        open_option(desk, place, option);
        return true;
    }
    let gestures = untrack(|| desk.gestures());
    let card = on_card(desk);
    let shows = |gesture: &Gesture| matches!(gesture, Gesture::Button { key: Some(key), .. } if *key == letter);
    let of_piece = gestures.iter().find(|(no, gesture)| card.contains(no) && shows(gesture));
    let general = || gestures.iter().find(|(_, gesture)| hand::piece_of(gesture).is_none() && shows(gesture));
    match of_piece.or_else(general) {
        Some((no, _)) => {
            desk.arm(*no);
            true
        }
        None => false,
    }
}

fn arrow(desk: Desk, key: &str, shift: bool) {
    let (across, up): (i32, i32) = match key {
        "ArrowUp" => (0, 1),
        "ArrowDown" => (0, -1),
        "ArrowLeft" => (-1, 0),
        _ => (1, 0),
    };
    let work = desk.hand.with_untracked(|hand| hand.work().cloned());
    match work {
        Some(Making::Path { .. }) => desk.handle(|hand, at| hand.add_leg(leg(across, up, shift, pace(at.scene.unit)))),
        Some(Making::Deal { .. }) => desk.handle(|hand, at| hand.turn_die(at.prompt, across, up)),
        Some(Making::SetUp { held: Some(held), .. }) => {
            let step = pace(desk.peek(|chair| chair.scene.as_ref().map(|scene| scene.unit)).unwrap_or_default());
            carry(desk, &held, |pose| shifted(pose, across, up, shift, step));
        }
        Some(Making::Target(_) | Making::Piece(_)) => cycle(desk, across - up),
        Some(Making::Place(_) | Making::Spots(_)) => desk.handle(|hand, at| {
            let half = |steps: i32| pace(at.scene.unit).times(f64::from(steps));
            hand.nudge(at.scene, half(across), half(up));
        }),
        Some(Making::Lay { .. }) => desk.handle(|hand, _| dial(hand, across, up)),
        Some(Making::Form { .. }) if across != 0 => desk.handle(|hand, at| turn_facing(hand, at.scene, across * 15)),
        Some(Making::Form { .. }) => desk.handle(|hand, at| {
            let words = match hand.at_work(at.prompt) {
                Some(Gesture::PickFormation { into, .. }) => into.len(),
                _ => 0,
            };
            if let Some(Making::Form { into, .. }) = hand.work_mut() {
                *into = (*into + words + usize::from(up < 0) - usize::from(up > 0)).checked_rem(words).unwrap_or(0);
            }
        }),
        _ => desk.camera.update(|camera| *camera = camera.pan(f64::from(-across) * 60.0, f64::from(up) * 60.0)),
    }
}

fn leg(across: i32, up: i32, shift: bool, half: Length) -> Leg {
    match (across, up, shift) {
        (0, 1, _) => Leg::Ahead(half),
        (0, _, true) => Leg::About,
        (0, _, false) => Leg::Back(half),
        (-1, _, true) => Leg::Sideways(-half),
        (_, _, true) => Leg::Sideways(half),
        (-1, _, false) => Leg::Wheel { pivot: Flank::Left, by: Angle::whole(5) },
        (_, _, false) => Leg::Wheel { pivot: Flank::Right, by: Angle::whole(5) },
    }
}

fn shifted(pose: Pose, across: i32, up: i32, shift: bool, step: Length) -> Pose {
    if shift {
        return Pose { facing: pose.facing + Angle::whole((across - up) * 5), ..pose };
    }
    let step = step.as_f64();
    pose.shifted(Vec2::new(f64::from(across) * step, f64::from(up) * step))
}

fn dial(hand: &mut Hand, across: i32, up: i32) {
    if let Some(Making::Lay { bearing, distance }) = hand.work_mut() {
        *bearing = *bearing + Angle::whole(across);
        *distance = (*distance + Length::inches(0.5 * f64::from(up))).max(Length::inches(0.5));
    }
}

fn cycle(desk: Desk, by: i32) {
    let prompt = desk.peek(|chair| chair.prompt.clone());
    let (keys, now) = desk.hand.with_untracked(|hand| {
        let keys = prompt.map(|prompt| wanted(&prompt, hand)).unwrap_or_default();
        let now = match hand.work() {
            Some(Making::Target(key) | Making::Piece(key)) => key.clone(),
            _ => None,
        };
        (keys, now)
    });
    if keys.is_empty() {
        return;
    }
    let place = now.and_then(|now| keys.iter().position(|key| *key == now));
    let next = match place {
        None => 0,
        Some(n) if by > 0 => (n + 1) % keys.len(),
        Some(n) => (n + keys.len() - 1) % keys.len(),
    };
    if let Some(key) = keys.get(next) {
        choose_key(desk, key.clone());
    }
}
