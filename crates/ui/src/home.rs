//! The first page: what this is, five games, one big button.

use crate::api;
use crate::muster;
use crate::prefs::Prefs;
use crate::route::Route;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wire::RulesetCard;

/// Goes to another page.
pub fn go(route: &Route) {
    let _ = window().location().set_hash(&route.hash());
}

#[component]
pub fn Home() -> impl IntoView {
    let cards: RwSignal<Vec<RulesetCard>> = RwSignal::new(Vec::new());
    let fault = RwSignal::new(None::<String>);
    let busy = RwSignal::new(false);
    spawn_local(async move {
        match api::rulesets().await {
            Ok(list) => cards.set(list),
            Err(problem) => fault.set(Some(problem.why)),
        }
    });
    let start = move |kind: muster::Quick| {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        spawn_local(async move {
            match muster::quick(kind).await {
                Ok(route) => go(&route),
                Err(problem) => fault.set(Some(problem.why)),
            }
            busy.set(false);
        });
    };
    view! {
        <div class="home" data-test="home">
            <header class="hero">
                <h1>"Grognard"</h1>
                <p class="motto">"Tabletop battles of horse, musket and rifle, fought on a free table with the whole rulebook enforced: real bases, real measuring, real dice."</p>
                <p class="actions">
                    <button class="chief large" data-test="learn" disabled=busy on:click=move |_| start(muster::Quick::Lesson)>"Learn in one small battle"</button>
                    <button class="large" data-test="quick" disabled=busy on:click=move |_| start(muster::Quick::Battle)>"Fight the computer now"</button>
                </p>
                <p class="small">"No account. You lead the first side; the computer leads the other. Everything you do can be done by mouse, by touch or by keyboard."</p>
                {move || fault.get().map(|why| view! { <p class="refusal" role="alert">{why}</p> })}
            </header>
            <section aria-labelledby="games">
                <h2 id="games">"Five rulebooks"</h2>
                <ul class="games">{move || cards.get().into_iter().map(card).collect_view()}</ul>
            </section>
            <MyBattles/>
            <Upload/>
            <footer class="small"><p>"Free software. The rulebooks themselves are not part of it; what it says of a rule it says in its own words. "
                <a href="/api/openapi.json">"For programs"</a></p></footer>
        </div>
    }
}

fn card(ruleset: RulesetCard) -> AnyView {
    let link = Route::Muster { ruleset: ruleset.id.clone() }.hash();
    let door = if ruleset.playable {
        view! { <a class="button" href=link data-test="choose" data-ruleset=ruleset.id.clone()>"Choose a battle"</a> }
            .into_any()
    } else {
        view! { <p class="small">"Not on the table yet."</p> }.into_any()
    };
    view! {
        <li class="game" class:absent=!ruleset.playable>
            <p class="period">{ruleset.period}</p>
            <h3>{ruleset.name}</h3>
            <p>{ruleset.about}</p>
            {door}
        </li>
    }
    .into_any()
}

/// Battles this browser holds keys to.
#[component]
fn MyBattles() -> impl IntoView {
    let prefs = expect_context::<Prefs>();
    move || {
        let battles = prefs.0.with(|memory| memory.battles.clone());
        (!battles.is_empty()).then(|| {
            view! {
                <section aria-labelledby="mine" data-test="my-battles">
                    <h2 id="mine">"Your battles"</h2>
                    <ul class="mine">{battles.into_iter().map(|kept| {
                        let link = kept.link.clone();
                        view! {
                            <li><a href=kept.link.clone()>{kept.title}</a>" "<small>{kept.role}</small>
                                <button class="plain small" aria-label="forget" on:click=move |_| prefs.forget(&link)>"✕"</button></li>
                        }
                    }).collect_view()}</ul>
                </section>
            }
        })
    }
}

/// A replay file from elsewhere.
#[component]
fn Upload() -> impl IntoView {
    let fault = RwSignal::new(Vec::<String>::new());
    let take = move |event: leptos::ev::Event| {
        let input: web_sys::HtmlInputElement = event_target(&event);
        let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
        fault.set(Vec::new());
        spawn_local(async move {
            let text = wasm_bindgen_futures::JsFuture::from(file.text()).await;
            let Some(text) = text.ok().and_then(|text| text.as_string()) else {
                fault.set(vec!["the file cannot be read as text".to_owned()]);
                return;
            };
            match api::upload(text).await {
                Ok(created) => go(&Route::Replay { id: created.id, token: created.tokens.watch, moment: None }),
                Err(problem) => {
                    fault.set(std::iter::once(problem.why).chain(problem.faults.into_iter().take(8)).collect());
                }
            }
        });
    };
    view! {
        <section class="upload">
            <h2>"Watch a replay file"</h2>
            <label>"A battle saved here or by the command line: " <input type="file" accept=".jsonl,.txt" data-test="upload" on:change=take/></label>
            {move || fault.get().into_iter().map(|why| view! { <p class="refusal" role="alert">{why}</p> }).collect_view()}
        </section>
    }
}
