//! The victory page: who won, why, and what to do with the battle now.

use crate::api;
use crate::desk::Desk;
use crate::notice::ClauseLink;
use crate::route::Route;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wire::Standing;

/// The key this page holds to the battle, for its replay.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    pub id: String,
    pub token: String,
}

#[component]
pub fn Ending(desk: Desk) -> impl IntoView {
    let key = use_context::<Key>();
    move || {
        let (standing, sides, side) = desk.with(|chair| {
            let sides = chair.scene.as_ref().map(|scene| scene.sides.clone()).unwrap_or_default();
            (chair.info.as_ref().map(|info| info.standing.clone()), sides, chair.side())
        });
        let key = key.clone();
        let study = key.map(|key| {
            let link = Route::Replay { id: key.id.clone(), token: key.token.clone(), moment: None }.hash();
            view! {
                <p class="after">
                    <a class="button" href=link data-test="to-replay">"Watch the battle again"</a>
                    <button on:click=move |_| save(desk, key.clone())>"Save the replay file"</button>
                    <a class="button" href="#/">"Back to the first page"</a>
                </p>
            }
        });
        Some(match standing? {
            Standing::Over { winner, why, clause } => {
                let name = winner.and_then(|n| sides.get(usize::from(n)).cloned());
                let title = match (&name, side) {
                    (Some(_), Some(side)) if winner == Some(side.index() as u8) => "Victory".to_owned(),
                    (Some(_), Some(_)) => "Defeat".to_owned(),
                    (Some(name), None) => format!("{name} win"),
                    (None, _) => "A drawn battle".to_owned(),
                };
                let line = name.map_or_else(|| "Neither side holds the field.".to_owned(), |name| format!("{name}: the field is theirs."));
                view! {
                    <div class="ending" data-test="ending">
                        <h2>{title}</h2>
                        <p>{line}</p>
                        <p class="why">{why}" "<ClauseLink desk clause/></p>
                        {study}
                    </div>
                }
                .into_any()
            }
            Standing::Frozen { why } => view! {
                <div class="ending" role="alert" data-test="frozen">
                    <h2>"The umpire has lost his place"</h2>
                    <p>"The program contradicted itself and the battle is frozen as it stands; nothing is lost. " {why}</p>
                    {study}
                </div>
            }
            .into_any(),
            Standing::Playing => ().into_any(),
        })
    }
}

/// Hands the replay to the browser as a file.
pub fn save(desk: Desk, key: Key) {
    spawn_local(async move {
        match api::replay(&key.id, &key.token).await {
            Ok(text) => offer_file("battle.jsonl", &text),
            Err(problem) => desk.toast.set(Some(problem.why)),
        }
    });
}

/// Offers a text as a download.
pub fn offer_file(name: &str, text: &str) {
    let parts = js_sys::Array::of1(&text.into());
    let Ok(blob) = web_sys::Blob::new_with_str_sequence(&parts) else { return };
    let Ok(address) = web_sys::Url::create_object_url_with_blob(&blob) else { return };
    let link = document().create_element("a").ok().and_then(|link| link.dyn_into::<web_sys::HtmlAnchorElement>().ok());
    if let Some(link) = link {
        link.set_href(&address);
        link.set_download(name);
        link.click();
    }
    let _ = web_sys::Url::revoke_object_url(&address);
}
