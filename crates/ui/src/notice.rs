//! The box beside the ghost: every reason against the order, each with its clause.

use crate::desk::Desk;
use crate::hand::Making;
use crate::overlay::notice_place;
use leptos::prelude::*;

/// A reason as it is shown: clause and sentence.
type Shown = (String, String);

fn reasons(desk: Desk) -> (Vec<Shown>, Vec<Shown>) {
    desk.hand.with(|hand| match hand.judged.as_ref().map(|judged| &judged.verdict) {
        // Nobody is told off before he has dealt the first die.
        Some(_) if hand.has_dealt_nothing() => (Vec::new(), Vec::new()),
        // Beside a ghost of a plan stands only what is said of its piece.
        Some(Ok(verdict)) if matches!(hand.making, Some((_, Making::Each { .. }))) => {
            let about = hand.judged.as_ref().map(|judged| judged.about.as_slice()).unwrap_or_default();
            let mine = verdict.refusals.iter().zip(about);
            let mine = mine.filter(|(_, about)| about.is_some() && **about == hand.selected);
            (mine.map(|(note, _)| (note.clause.to_string(), note.text.to_string())).collect(), Vec::new())
        }
        Some(Ok(verdict)) => {
            let shown = |notes: &[engine::Note]| {
                notes.iter().map(|note| (note.clause.to_string(), note.text.to_string())).collect()
            };
            (shown(&verdict.refusals), shown(&verdict.cautions))
        }
        Some(Err(why)) => (vec![(String::new(), why.clone())], Vec::new()),
        None => (Vec::new(), Vec::new()),
    })
}

/// Floats over the map, where the order would end.
#[component]
pub fn GhostNotice(desk: Desk) -> impl IntoView {
    move || {
        let (refusals, _) = reasons(desk);
        if refusals.is_empty() {
            return None;
        }
        let (x, y) = notice_place(desk)?;
        // Half of the widest box fits on either side, so that it is never cut off at the edge of the map.
        let style = format!("left:clamp(10rem, {x:.0}px, calc(100% - 10rem));top:{:.0}px", y + 22.0);
        Some(view! {
            <div class="notice" style=style aria-hidden="true">
                {refusals.into_iter().take(6).map(|(clause, text)| view! { <p><b>{text}</b><span>{clause}</span></p> }).collect_view()}
            </div>
        })
    }
}

/// The same in the panel, for everybody.
#[component]
pub fn Reasons(desk: Desk) -> impl IntoView {
    move || {
        let (refusals, cautions) = reasons(desk);
        let list = |class: &'static str, notes: Vec<Shown>| {
            notes
                .into_iter()
                .map(|(clause, text)| {
                    view! { <li class=class>{text}" "<ClauseLink desk clause/></li> }
                })
                .collect_view()
        };
        (!refusals.is_empty() || !cautions.is_empty()).then(|| {
            view! {
                <ul class="reasons" data-test="reasons" role="status">
                    {list("refusal", refusals)}
                    {list("caution", cautions)}
                </ul>
            }
        })
    }
}

/// A clause that opens in the drawer.
#[component]
pub fn ClauseLink(desk: Desk, clause: String) -> impl IntoView {
    let shown = clause.clone();
    (!clause.is_empty()).then(|| {
        view! {
            <button class="clause" data-test="clause-link" on:click=move |_| desk.clause.set(Some(clause.clone()))>{shown}</button>
        }
    })
}
