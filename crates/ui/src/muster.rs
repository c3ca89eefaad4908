//! Choosing a battle: scenario, side, opponent; and the links that go with it.

use crate::api::{self, Fail};
use crate::home::go;
use crate::route::Route;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::{Deserialize, Serialize};
use wire::{Created, LevelInfo, NewBattle, ScenarioInfo, SeatWish};

/// The battles of the first page's two buttons.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Quick {
    Lesson,
    Battle,
}

const LESSON: &str = "awi/lesson";
const FIRST: &str = "awi/skirmish";
const OPPONENT: &str = "careful";

/// Begins one of them.
pub async fn quick(kind: Quick) -> Result<Route, Fail> {
    let scenario = if kind == Quick::Lesson { LESSON } else { FIRST };
    let battle = NewBattle {
        scenario: Some(scenario.to_owned()),
        setup: None,
        house: None,
        seed: None,
        seats: [SeatWish::Human, SeatWish::Bot(OPPONENT.to_owned())],
        hints: None,
        open_minds: false,
    };
    let created = api::begin(&battle).await?;
    let token = created.tokens.a.clone().unwrap_or_default();
    Ok(match kind {
        Quick::Lesson => Route::Lesson { id: created.id, token },
        Quick::Battle => Route::Battle { id: created.id, token },
    })
}

/// Who the other side is.
#[derive(Clone, PartialEq, Eq)]
enum Against {
    Bot(String),
    OneScreen,
    Friend,
}

/// Links this browser handed out, kept so that they can be found again.
#[derive(Default, Serialize, Deserialize)]
pub struct Invitations(Vec<(String, Vec<(String, String)>)>);

const SHELF: &str = "grognard-invitations";

impl Invitations {
    /// Reads what was written down.
    pub fn load() -> Invitations {
        let shelf = window().local_storage().ok().flatten();
        let text = shelf.and_then(|shelf| shelf.get_item(SHELF).ok().flatten());
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// The links of a battle.
    pub fn of(&self, id: &str) -> Option<Vec<(String, String)>> {
        self.0.iter().find(|(battle, _)| battle == id).map(|(_, links)| links.clone())
    }

    fn keep(mut self, id: &str, links: Vec<(String, String)>) {
        self.0.insert(0, (id.to_owned(), links));
        self.0.truncate(60);
        if let (Some(shelf), Ok(text)) = (window().local_storage().ok().flatten(), serde_json::to_string(&self)) {
            let _ = shelf.set_item(SHELF, &text);
        }
    }
}

#[component]
pub fn Muster(ruleset: String) -> impl IntoView {
    let scenarios: RwSignal<Vec<ScenarioInfo>> = RwSignal::new(Vec::new());
    let levels: RwSignal<Vec<LevelInfo>> = RwSignal::new(Vec::new());
    let fault = RwSignal::new(Vec::<String>::new());
    let own_file = RwSignal::new(None::<(String, String)>);
    let house = RwSignal::new(None::<(String, String)>);
    let wanted = ruleset.clone();
    spawn_local(async move {
        match (api::scenarios().await, api::levels().await) {
            (Ok(list), Ok(bots)) => {
                scenarios.set(list.into_iter().filter(|one| one.ruleset == wanted).collect());
                levels.set(bots);
            }
            (Err(problem), _) | (_, Err(problem)) => fault.set(vec![problem.why]),
        }
    });
    let chosen = RwSignal::new(None::<String>);
    let side = RwSignal::new(0_usize);
    let against = RwSignal::new(Against::Bot(OPPONENT.to_owned()));
    let (open_minds, ask_house) = (RwSignal::new(false), RwSignal::new(false));
    let busy = RwSignal::new(false);
    let scenario = move || {
        let list = scenarios.get();
        let id = chosen.get();
        id.and_then(|id| list.iter().find(|one| one.id == id).cloned()).or_else(|| list.first().cloned())
    };
    let begin = move |_| {
        let Some(scenario) = untrack(scenario) else { return };
        let setup = own_file.get_untracked().map(|(_, text)| text);
        let wish = NewBattle {
            scenario: setup.is_none().then(|| scenario.id.clone()),
            setup,
            house: house.get_untracked().map(|(_, text)| text),
            seed: None,
            seats: seats(side.get_untracked(), &against.get_untracked()),
            hints: hints(&against.get_untracked(), ask_house.get_untracked()),
            open_minds: open_minds.get_untracked(),
        };
        let (mine, kind, names) = (side.get_untracked(), against.get_untracked(), scenario.sides.clone());
        busy.set(true);
        spawn_local(async move {
            match api::begin(&wish).await {
                Ok(created) => go(&settle(&created, mine, &kind, &names)),
                Err(problem) => fault.set(std::iter::once(problem.why).chain(problem.faults).collect()),
            }
            busy.set(false);
        });
    };
    view! {
        <div class="muster" data-test="muster">
            <header class="top"><a class="brand" href="#/">"Grognard"</a><h1>"Choose a battle"</h1></header>
            <div class="muster-body">
                <ul class="scenarios" role="radiogroup" aria-label="Scenario">
                    {move || scenarios.get().into_iter().map(|one| scenario_row(one, chosen, scenario)).collect_view()}
                </ul>
                <section class="terms">
                    {move || scenario().map(|one| view! {
                        <h2>{one.title.clone()}</h2>
                        <p class="under">{one.date.clone()}</p>
                        <p>{one.about.clone()}</p>
                        <fieldset><legend>"You lead"</legend>
                            {one.sides.iter().enumerate().map(|(n, name)| view! {
                                <label class="pick"><input type="radio" name="side" data-test=format!("side-{n}") prop:checked=move || side.get() == n
                                    on:change=move |_| side.set(n)/> {name.clone()} <small>{format!("{} units", one.units[n])}</small></label>
                            }).collect_view()}
                        </fieldset>
                    })}
                    <fieldset><legend>"Against"</legend>
                        {move || levels.get().into_iter().rev().map(|level| {
                            let (name, is) = (level.name.clone(), level.name.clone());
                            view! {
                                <label class="pick"><input type="radio" name="against" data-test=format!("against-{}", level.name)
                                    prop:checked=move || against.get() == Against::Bot(is.clone())
                                    on:change=move |_| against.set(Against::Bot(name.clone()))/> {format!("the computer, {}", level.name)} <small>{level.about}</small></label>
                            }
                        }).collect_view()}
                        <label class="pick"><input type="radio" name="against" data-test="against-friend" prop:checked=move || against.get() == Against::Friend
                            on:change=move |_| against.set(Against::Friend)/> "a friend, by a link" <small>"live, or with days between orders"</small></label>
                        <label class="pick"><input type="radio" name="against" data-test="against-screen" prop:checked=move || against.get() == Against::OneScreen
                            on:change=move |_| against.set(Against::OneScreen)/> "somebody at this screen" <small>"a curtain falls where something is hidden"</small></label>
                    </fieldset>
                    {move || match against.get() {
                        Against::Bot(_) => Some(tick("open-minds", open_minds, "Study: the computer's thoughts may be read while the battle goes on")),
                        Against::Friend => Some(tick("ask-house", ask_house, "Both of you may ask the house what it would do")),
                        Against::OneScreen => None,
                    }}
                    <details><summary>"House rules, or a scenario of your own"</summary>
                        <FileField label="Scenario file" file=own_file/>
                        <FileField label="House-rule file" file=house/>
                    </details>
                    {move || fault.get().into_iter().map(|why| view! { <p class="refusal" role="alert">{why}</p> }).collect_view()}
                    <button class="chief large" data-test="begin" disabled=move || busy.get() || scenario().is_none() on:click=begin>"To the table"</button>
                </section>
            </div>
        </div>
    }
}

fn scenario_row(
    one: ScenarioInfo,
    chosen: RwSignal<Option<String>>,
    now: impl Fn() -> Option<ScenarioInfo> + Copy + Send + 'static,
) -> AnyView {
    let (id, test) = (one.id.clone(), one.id.clone());
    let is = move || now().is_some_and(|scenario| scenario.id == id);
    let checked = is.clone();
    let id = one.id.clone();
    view! {
        <li><button role="radio" class:chosen=is aria-checked=move || checked().to_string() data-test="scenario" data-id=test
            on:click=move |_| chosen.set(Some(id.clone()))>
            <b>{one.title}</b><small>{one.date}</small>
            <small>{format!("{} against {} units", one.units[0], one.units[1])}</small>
        </button></li>
    }
    .into_any()
}

fn tick(test: &'static str, wish: RwSignal<bool>, words: &'static str) -> AnyView {
    view! {
        <label class="pick"><input type="checkbox" data-test=test prop:checked=move || wish.get()
            on:change=move |event| wish.set(event_target_checked(&event))/> {words}</label>
    }
    .into_any()
}

/// Against the computer and at one screen the house may be asked; between friends only if they want it.
fn hints(against: &Against, wished: bool) -> Option<bool> {
    match against {
        Against::Bot(_) | Against::OneScreen => Some(true),
        Against::Friend => Some(wished),
    }
}

fn seats(mine: usize, against: &Against) -> [SeatWish; 2] {
    let other = match against {
        Against::Bot(level) => SeatWish::Bot(level.clone()),
        Against::OneScreen | Against::Friend => SeatWish::Human,
    };
    let mut seats = [SeatWish::Human, SeatWish::Human];
    if let Some(seat) = seats.get_mut(1 - mine.min(1)) {
        *seat = other;
    }
    seats
}

/// Where the player sits down, with the links for the others written down.
fn settle(created: &Created, mine: usize, against: &Against, sides: &[String; 2]) -> Route {
    let token = |n: usize| if n == 0 { created.tokens.a.clone() } else { created.tokens.b.clone() }.unwrap_or_default();
    let battle = |token: String| Route::Battle { id: created.id.clone(), token };
    let mut links = Vec::new();
    if *against == Against::Friend {
        let other = 1 - mine.min(1);
        links.push((format!("For your friend, who leads {}", sides[other]), battle(token(other)).hash()));
    }
    links.push(("For whoever wants to watch".to_owned(), battle(created.tokens.watch.clone()).hash()));
    links.push(("Yours, for another device".to_owned(), battle(token(mine)).hash()));
    Invitations::load().keep(&created.id, links);
    match against {
        Against::OneScreen => Route::HotSeat { id: created.id.clone(), tokens: [token(0), token(1)] },
        _ => battle(token(mine)),
    }
}

/// A file read into a text.
#[component]
fn FileField(label: &'static str, file: RwSignal<Option<(String, String)>>) -> impl IntoView {
    let file_slot = file;
    let take = move |event: leptos::ev::Event| {
        let input: web_sys::HtmlInputElement = event_target(&event);
        let Some(file) = input.files().and_then(|files| files.get(0)) else {
            file_slot.set(None);
            return;
        };
        spawn_local(async move {
            let text = wasm_bindgen_futures::JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
            file_slot.set(text.map(|text| (file.name(), text)));
        });
    };
    view! { <p><label>{label}" "<input type="file" accept=".toml" on:change=take/></label></p> }
}
