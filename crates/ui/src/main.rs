//! The browser table: draws scenes, turns gestures into drafts, reads the chronicle aloud. It knows no game: boards,
//! questions and odds come from the rulebooks, which run in the page itself.

mod advice;
mod api;
mod blocks;
mod camera;
mod chair;
mod chronicle;
mod clauses;
mod deal;
mod desk;
mod dice;
mod ending;
mod film;
mod ghosts;
mod hand;
mod home;
mod judge;
mod keys;
mod lesson;
mod link;
mod making;
mod map;
mod muster;
mod notice;
mod orbat;
mod overlay;
mod panel;
mod plan;
mod planner;
mod pointer;
mod prefs;
mod replay;
mod route;
mod shelf;
mod show;
mod solo;
mod steer;
mod table_page;

use leptos::prelude::*;
use route::Route;

fn main() {
    console_error_panic_hook::set_once();
    mount_to_body(App);
}

#[component]
fn App() -> impl IntoView {
    provide_context(prefs::Prefs::load());
    let now = || Route::parse(&window().location().hash().unwrap_or_default());
    let route = RwSignal::new(now());
    let handle = window_event_listener(leptos::ev::hashchange, move |_| {
        // A link to another moment of the replay that is open already moves nothing.
        let next = now();
        let same = route.with_untracked(|old| match (old, &next) {
            (Route::Replay { id, token, .. }, Route::Replay { id: other, token: key, .. }) => {
                id == other && token == key
            }
            _ => *old == next,
        });
        if !same {
            route.set(next);
        }
    });
    on_cleanup(move || handle.remove());
    move || match route.get() {
        Route::Home => view! { <home::Home/> }.into_any(),
        Route::Muster { ruleset } => view! { <muster::Muster ruleset/> }.into_any(),
        Route::Battle { id, token } => view! { <table_page::TablePage id tokens=vec![token]/> }.into_any(),
        Route::Lesson { id, token } => view! { <table_page::TablePage id tokens=vec![token] lesson=true/> }.into_any(),
        Route::HotSeat { id, tokens } => view! { <table_page::TablePage id tokens=tokens.to_vec()/> }.into_any(),
        Route::Replay { id, token, moment } => view! { <replay::ReplayPage id token moment/> }.into_any(),
        Route::Lost => view! {
            <div class="home"><h1>"This link leads nowhere"</h1><p><a href="#/">"To the first page"</a></p></div>
        }
        .into_any(),
    }
}
