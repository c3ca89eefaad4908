//! A plan half made is kept on the browser's shelf, so that a reload or a lost line does not cost it; it is thrown away
//! with the question.

use crate::desk::Desk;
use crate::plan::KeptEntry;
use leptos::prelude::*;

const SHELF: &str = "grognard-plan";

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

/// The plans of one seat lie under names that begin like this.
fn seat(desk: Desk) -> Option<String> {
    let battle = desk.battle.get_value()?;
    let side = desk.peek(|chair| chair.side())?;
    Some(format!("{SHELF} {battle} {} ", side.index()))
}

/// Where the plan for the question that stands lies.
fn place(desk: Desk) -> Option<String> {
    let no = desk.peek(|chair| chair.prompt.as_ref().map(|prompt| prompt.no.0))?;
    Some(format!("{}{no}", seat(desk)?))
}

/// Writes the plan down whenever it changes.
pub fn keep_plans(desk: Desk) {
    Effect::new(move |last: Option<Option<Vec<KeptEntry>>>| {
        let last = last.flatten();
        let kept = desk.hand.with(|hand| {
            // Nothing is written while a piece is under the pointer.
            let prompt = desk.peek(|chair| chair.prompt.clone()).filter(|_| !hand.dragging)?;
            hand.planner(&prompt).map(|_| hand.kept(&prompt))
        });
        if let (Some(kept), Some(shelf), Some(place)) = (&kept, storage(), place(desk))
            && Some(kept) != last.as_ref()
        {
            // A full or forbidden shelf costs the memory, not the plan in hand.
            let _ = match serde_json::to_string(kept) {
                Ok(text) if !kept.is_empty() => shelf.set_item(&place, &text),
                _ => shelf.remove_item(&place),
            };
        }
        kept
    });
}

/// What was kept for the question that stands.
pub fn kept(desk: Desk) -> Vec<KeptEntry> {
    let text = place(desk).and_then(|place| storage()?.get_item(&place).ok().flatten());
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Throws away the plans for questions that do not stand any more.
pub fn sweep(desk: Desk) {
    let (Some(seat), Some(shelf)) = (seat(desk), storage()) else { return };
    let now = place(desk);
    let names = (0..shelf.length().unwrap_or(0)).filter_map(|n| shelf.key(n).ok().flatten());
    let stale: Vec<String> = names.filter(|name| name.starts_with(&seat) && Some(name) != now.as_ref()).collect();
    for name in stale {
        let _ = shelf.remove_item(&name);
    }
}
