//! The first minute: a coach beside the real table, with the real rules.

use crate::chronicle::mentions;
use crate::desk::Desk;
use crate::hand::{self, Making};
use engine::Side;
use engine::scene::{Gesture, Told};
use leptos::prelude::*;

/// What the learner is to have done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Skill {
    Select,
    Move,
    Shoot,
    Charge,
    Rally,
}

const SKILLS: [(Skill, &str); 5] = [
    (Skill::Select, "Select a unit"),
    (Skill::Move, "Move"),
    (Skill::Shoot, "Shoot"),
    (Skill::Charge, "Charge"),
    (Skill::Rally, "Rally"),
];

/// How an event shows a skill: its name, and a word that must stand in it where the name alone says too little.
fn shown_by(skill: Skill) -> &'static [(&'static str, Option<&'static str>)] {
    match skill {
        Skill::Select => &[],
        Skill::Move => &[("allowance", None)],
        Skill::Shoot => &[("volley", None), ("shell_fired", None)],
        Skill::Charge => &[("charge_declared", None)],
        Skill::Rally => &[("tested", Some("rally"))],
    }
}

#[component]
pub fn Coach(desk: Desk) -> impl IntoView {
    let selected_once = RwSignal::new(false);
    Effect::new(move |_| {
        let own = desk.hand.with(|hand| hand.selected.clone());
        if own.is_some_and(|key| is_own(desk, &key)) {
            selected_once.set(true);
        }
    });
    let done = move |skill: Skill| match skill {
        Skill::Select => selected_once.get(),
        other => desk.with(|chair| {
            let mine = chair.roster.iter().filter(|line| Some(line.side) == chair.side());
            let own: Vec<&str> = mine.filter_map(|line| line.key.as_deref()).collect();
            chair.chronicle.iter().any(|told| shows(told, other, &own))
        }),
    };
    let closed = RwSignal::new(false);
    let all = move || SKILLS.iter().all(|(skill, _)| done(*skill));
    move || {
        (!closed.get()).then(|| {
            view! {
                <section class="coach" aria-label="Lesson" data-test="coach">
                    <header><b>"Your first battle"</b>
                        <button class="plain" aria-label="Close the lesson" on:click=move |_| closed.set(true)>"✕"</button></header>
                    <p aria-live="polite" data-test="coach-says">{move || if all() {
                        "That is all there is to it. Fight on, or go back to the first page for a larger battle.".to_owned()
                    } else {
                        advice(desk, selected_once.get())
                    }}</p>
                    <ol>{SKILLS.map(|(skill, label)| view! {
                        <li class:done=move || done(skill) data-test="skill">
                            {move || if done(skill) { "✓ " } else { "○ " }}{label}</li>
                    })}</ol>
                </section>
            }
        })
    }
}

fn is_own(desk: Desk, key: &str) -> bool {
    let side = desk.peek(|chair| chair.side());
    let of = |side: Side| {
        desk.peek(|chair| chair.roster.iter().any(|line| line.side == side && line.key.as_deref() == Some(key)))
    };
    side.is_some_and(of)
}

fn shows(told: &Told, skill: Skill, own: &[&str]) -> bool {
    let name = told.event.get("event").and_then(serde_json::Value::as_str).unwrap_or_default();
    let fits = |(event, word): &(&str, Option<&str>)| *event == name && word.is_none_or(|word| mentions(told, word));
    shown_by(skill).iter().any(fits) && own.iter().any(|key| mentions(told, key))
}

/// What to do next, from what is asked and what is in hand. It speaks of gestures, not of any one rulebook.
fn advice(desk: Desk, selected_once: bool) -> String {
    let words = |text: &str| text.to_owned();
    let gestures = desk.gestures();
    if gestures.is_empty() {
        return words("The other side is moving. The chronicle at the right tells what happens, die by die.");
    }
    let making = desk.hand.with(|hand| hand.making.clone());
    let legal = desk.hand.with(|hand| hand.judged.as_ref().map(hand::Judged::is_legal));
    match (making, legal) {
        (Some((_, Making::SetUp { .. })), _) => {
            return words(
                "Your troops are set up as an aide suggests. Drag one if you like, then press “Give the order”.",
            );
        }
        (Some(_), Some(false)) => {
            return words("Red means the rules forbid it. The box says every reason; try another place, or press Esc.");
        }
        (Some((_, Making::Path { .. })), Some(true)) => {
            return words("The pale shape is where the unit will stand. “Give the order”, or Enter, makes it so.");
        }
        (Some((_, Making::Target(_))), Some(true)) => {
            return words("Here are the exact odds. If you like them, give the order.");
        }
        (Some((_, Making::Target(None))), _) => return words("Click one of the ringed enemies."),
        _ => {}
    }
    let selected = desk.hand.with(|hand| hand.selected.clone());
    let mine: Vec<&Gesture> = gestures
        .iter()
        .map(|(_, gesture)| gesture)
        .filter(|gesture| selected.is_some() && hand::piece_of(gesture) == selected.as_deref())
        .collect();
    if mine.is_empty() {
        let pieces = gestures.iter().any(|(_, gesture)| hand::piece_of(gesture).is_some());
        return words(match (pieces, selected_once) {
            (true, false) => "Click one of your units with a gold edge. Its card opens at the right.",
            (true, true) => "Choose another unit with a gold edge, or end this part of the turn with its button.",
            (false, _) => "Read the question at the right and choose an answer.",
        });
    }
    let targets = mine.iter().any(|gesture| matches!(gesture, Gesture::PickTarget { .. }));
    let paths = mine.iter().any(|gesture| matches!(gesture, Gesture::DrawPath { .. }));
    words(match (paths, targets) {
        (true, true) => {
            "Drag the unit to move it. Or press “Charge” or “Fire” on its card and click an enemy: the odds show first."
        }
        (true, false) => "Drag the unit where it should go; it wheels and marches as you drag.",
        (false, true) => "Click an enemy in front of it to aim; the odds show before any die is thrown.",
        (false, false) => "Press one of the orders on its card.",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_skill_shows_by_an_event_of_ones_own() {
        let told = |event: serde_json::Value| Told {
            text: String::new(),
            clause: String::new(),
            also: Vec::new(),
            rolls: Vec::new(),
            reckoning: None,
            event,
        };
        let rally = told(json!({ "event": "tested", "unit": "@ours", "why": "rally" }));
        assert!(shows(&rally, Skill::Rally, &["@ours"]) && !shows(&rally, Skill::Rally, &["@theirs"]));
        let stay = told(json!({ "event": "tested", "unit": "@ours", "why": "stay" }));
        assert!(!shows(&stay, Skill::Rally, &["@ours"]));
        let volley = told(json!({ "event": "volley", "by": "@ours", "at": "@theirs" }));
        assert!(shows(&volley, Skill::Shoot, &["@ours"]) && !shows(&volley, Skill::Move, &["@ours"]));
    }
}
