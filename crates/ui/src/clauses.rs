//! The drawer with a clause in our words, its rulings, and where it stands in the book.

use crate::api;
use crate::desk::Desk;
use leptos::prelude::*;
use wire::ClauseCard;

#[component]
pub fn ClauseDrawer(desk: Desk) -> impl IntoView {
    let known: RwSignal<Vec<ClauseCard>> = RwSignal::new(Vec::new());
    let fault = RwSignal::new(None::<String>);
    let ruling = RwSignal::new(None::<(String, String)>);
    // The clauses are fetched when the first one is asked for.
    Effect::new(move |_| {
        let Some(id) = desk.clause.get() else { return };
        ruling.set(None);
        let ruleset = id.split('.').next().unwrap_or_default().to_owned();
        if known.with_untracked(|known| known.iter().any(|clause| clause.id == id)) {
            return;
        }
        leptos::task::spawn_local(async move {
            match api::clauses(&ruleset).await {
                Ok(list) => known.set(list.clauses),
                Err(problem) => fault.set(Some(problem.why)),
            }
        });
    });
    let read_ruling = move |id: String| {
        leptos::task::spawn_local(async move {
            match api::ruling(&id).await {
                Ok(text) => ruling.set(Some((text.id, text.text))),
                Err(problem) => fault.set(Some(problem.why)),
            }
        });
    };
    move || {
        let id = desk.clause.get()?;
        let card = known.with(|known| known.iter().find(|clause| clause.id == id).cloned());
        let body = match card {
            Some(card) => {
                let rulings = card.rulings.clone().into_iter().map(|id| {
                    let word = id.clone();
                    view! { <button class="clause" on:click=move |_| read_ruling(id.clone())>{word}</button> }
                });
                let rulings = rulings.collect_view();
                view! {
                    <h2>{card.title}</h2>
                    <p>{card.text}</p>
                    <p class="under">"Section " {card.source} " of the rulebook · " {card.kind}
                        {card.setting.map(|setting| format!(" · setting {setting}"))}</p>
                    {(!card.rulings.is_empty()).then(|| view! { <p>"Rulings: " {rulings}</p> })}
                }
                .into_any()
            }
            None => view! { <h2>{id.clone()}</h2><p>{move || fault.get().unwrap_or_else(|| "Looking it up…".to_owned())}</p> }.into_any(),
        };
        Some(view! {
            <aside class="drawer" role="dialog" aria-label="Clause" data-test="clause-drawer">
                <header><code>{id.clone()}</code>
                    <button class="plain" aria-label="Close" data-test="close-clause" on:click=move |_| desk.clause.set(None)>"✕"</button>
                </header>
                {body}
                {move || ruling.get().map(|(id, text)| view! { <section class="ruling"><h3>{id}</h3>{paragraphs(&text)}</section> })}
            </aside>
        })
    }
}

/// A ruling's plain Markdown as paragraphs: headings, points and sentences.
fn paragraphs(text: &str) -> AnyView {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("# "));
    lines
        .map(|line| {
            let bare = |line: &str| line.replace("**", "").replace('`', "");
            match line.strip_prefix("## ") {
                Some(heading) => view! { <h4>{bare(heading)}</h4> }.into_any(),
                None => match line.strip_prefix("- ") {
                    Some(point) => view! { <p class="point">{bare(point)}</p> }.into_any(),
                    None => view! { <p>{bare(line)}</p> }.into_any(),
                },
            }
        })
        .collect_view()
        .into_any()
}
