//! A battle again from its beginning, as far as this seat may see: scrubber, autoplay, jump to a die, link to a moment.

use crate::advice::mind_view;
use crate::api;
use crate::chair::{Chair, Line};
use crate::chronicle::Chronicle;
use crate::clauses::ClauseDrawer;
use crate::desk::{Desk, Place, Tab};
use crate::ending::{self, Key};
use crate::judge;
use crate::map::Map;
use crate::orbat::OrderOfBattle;
use crate::route::Route;
use crate::show::{self, FilmBar};
use crate::table_page::{SheetTabs, Toast, TopBar, tab_word};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use wire::{Frame, MindAt, Standing};

/// So many moments are fetched at once.
const REEL: u32 = 16;
/// Thoughts of so many moments are fetched at once.
const MINDS: u32 = 100;
/// How long each is shown, in milliseconds.
const PACE: u32 = 900;

/// The moments already fetched.
#[derive(Clone, Copy)]
struct Film {
    id: StoredValue<String>,
    token: StoredValue<String>,
    frames: RwSignal<BTreeMap<u32, Rc<Frame>>, LocalStorage>,
    total: RwSignal<u32>,
    at: RwSignal<u32>,
    playing: RwSignal<bool>,
    /// The moment shown last.
    last: StoredValue<Option<u32>>,
    /// The end was asked for before anybody knew where it is.
    to_the_end: StoredValue<bool>,
    /// What the bots thought, by moment; which reels were asked for.
    minds: RwSignal<BTreeMap<u32, Rc<MindAt>>, LocalStorage>,
    minds_asked: StoredValue<BTreeSet<u32>>,
    desk: Desk,
}

#[component]
pub fn ReplayPage(id: String, token: String, moment: Option<u32>) -> impl IntoView {
    let chair = RwSignal::new_local(Chair { line: Line::Open, ..Chair::default() });
    let desk = Desk::new(vec![Place { chair, mouth: None }]);
    let key = Key { id: id.clone(), token: token.clone() };
    provide_context(key.clone());
    let film = Film {
        id: StoredValue::new(id),
        token: StoredValue::new(token),
        frames: RwSignal::new_local(BTreeMap::new()),
        total: RwSignal::new(1),
        at: RwSignal::new(moment.unwrap_or(0)),
        playing: RwSignal::new(false),
        last: StoredValue::new(None),
        to_the_end: StoredValue::new(false),
        minds: RwSignal::new_local(BTreeMap::new()),
        minds_asked: StoredValue::new(BTreeSet::new()),
        desk,
    };
    film.load_info();
    Effect::new(move |_| film.show(film.at.get()));
    film.read_minds();
    film.listen();
    show::start_by_itself(desk);
    view! {
        <div class="table-page replay-page" data-test="replay-page">
            <TopBar desk share=None/>
            <aside class="left"><OrderOfBattle desk/></aside>
            <main class="middle"><Map desk/><Scrubber film key/><FilmBar desk/></main>
            <aside class="right" class:up=move || desk.sheet_up.get()>
                <SheetTabs desk/>
                <div class="sheet-body" data-tab=move || tab_word(match desk.tab.get() { Tab::Orders => Tab::Chronicle, tab => tab })>
                    <div class="army-tab"><OrderOfBattle desk/></div>
                    <MindBox film/>
                    <Chronicle desk/>
                </div>
            </aside>
            <ClauseDrawer desk/>
            <Toast desk/>
        </div>
    }
}

impl Film {
    fn load_info(self) {
        spawn_local(async move {
            let (id, token) = (self.id.get_value(), self.token.get_value());
            match api::battle(&id, &token).await {
                Ok(info) => self.desk.change(|chair| chair.info = Some(info)),
                Err(problem) => self.desk.toast.set(Some(problem.why)),
            }
        });
    }

    /// Fetches what the bots thought around the moment that is shown, and draws the plan behind it.
    fn read_minds(self) {
        let readable = Memo::new(move |_| {
            self.desk.with(|chair| {
                let info = chair.info.as_ref();
                let bots = info.is_some_and(|info| info.seats.iter().any(|seat| seat.bot.is_some()));
                let open = info.is_some_and(|info| info.open_minds || matches!(info.standing, Standing::Over { .. }));
                bots && open
            })
        });
        Effect::new(move |_| {
            if !readable.get() {
                return;
            }
            let from = self.at.get() / MINDS * MINDS;
            if self.minds_asked.try_update_value(|asked| asked.insert(from)) != Some(true) {
                return;
            }
            spawn_local(async move {
                let (id, token) = (self.id.get_value(), self.token.get_value());
                match api::minds(&id, &token, from, MINDS).await {
                    Ok(told) => self.minds.update(|minds| {
                        minds.extend(told.minds.into_iter().map(|mind| (mind.moment, Rc::new(mind))));
                    }),
                    Err(problem) => self.desk.toast.set(Some(problem.why)),
                }
            });
        });
        Effect::new(move |_| {
            let at = self.at.get();
            let plan = self.minds.with(|minds| minds.get(&at).map(|mind| mind.thoughts.plan.clone()));
            self.desk.intents.set(plan.unwrap_or_default());
        });
    }

    /// Shows a moment, fetching it where it is not here yet.
    fn show(self, moment: u32) {
        let frame = self.frames.with_untracked(|frames| frames.get(&moment).cloned());
        match frame {
            Some(frame) => {
                let told: Vec<_> = self.frames.with_untracked(|frames| {
                    frames.range(..=moment).flat_map(|(_, frame)| frame.told.iter().cloned().map(Rc::new)).collect()
                });
                let follows = self.last.get_value().is_some_and(|last| last + 1 == moment);
                self.last.set_value(Some(moment));
                self.desk.skip_film();
                self.desk.change(|chair| {
                    let before = chair.scene.clone().filter(|_| follows);
                    chair.film = None;
                    chair.read = told.len().saturating_sub(frame.told.len());
                    chair.chronicle = told;
                    if let Err(why) = chair.show(&frame.board) {
                        chair.line = Line::Closed(why);
                    }
                    chair.prompt = None;
                    chair.take_film(before.as_deref());
                });
                // The next reel is fetched before it is needed.
                let ahead = moment + REEL / 2;
                let wanted = ahead < self.total.get_untracked();
                if wanted && self.frames.with_untracked(|frames| !frames.contains_key(&ahead)) {
                    self.fetch(ahead - ahead % REEL, None);
                }
            }
            None => self.fetch(moment - moment % REEL, Some(moment)),
        }
    }

    fn fetch(self, from: u32, then: Option<u32>) {
        let (id, token) = (self.id.get_value(), self.token.get_value());
        spawn_local(async move {
            match api::frames(&id, &token, from, REEL).await {
                Ok(reel) => {
                    if let Some(frame) = reel.frames.first()
                        && let Err(why) = judge::ready(&frame.board.family).await
                    {
                        self.desk.toast.set(Some(why));
                        return;
                    }
                    self.total.set(reel.total.max(1));
                    let got = !reel.frames.is_empty();
                    self.frames.update(|frames| {
                        frames.extend(reel.frames.into_iter().map(|frame| (frame.moment, Rc::new(frame))));
                    });
                    let last = reel.total.saturating_sub(1);
                    if self.to_the_end.get_value() {
                        self.to_the_end.set_value(false);
                        if last != self.at.get_untracked() {
                            self.at.set(last);
                            return;
                        }
                    }
                    if let Some(moment) = then.filter(|_| got) {
                        if moment > last { self.at.set(last) } else { self.show(moment) }
                    } else if then.is_some() {
                        self.at.set(last);
                    }
                }
                Err(problem) => self.desk.toast.set(Some(problem.why)),
            }
        });
    }

    fn step(self, by: i64) {
        let last = i64::from(self.total.get_untracked().saturating_sub(1));
        self.at.update(|at| *at = (i64::from(*at) + by).clamp(0, last) as u32);
    }

    fn end(self) {
        if self.frames.with_untracked(BTreeMap::is_empty) {
            self.to_the_end.set_value(true);
        } else {
            self.step(i64::from(u32::MAX));
        }
    }

    fn play(self) {
        if self.playing.get_untracked() {
            self.playing.set(false);
            return;
        }
        self.playing.set(true);
        spawn_local(async move {
            while self.playing.try_get_untracked() == Some(true) {
                TimeoutFuture::new(PACE).await;
                if self.at.try_get_untracked().is_none() {
                    return;
                }
                // Moves made in parts are seen to their end.
                if self.desk.is_showing() {
                    continue;
                }
                if self.at.get_untracked() + 1 >= self.total.get_untracked() {
                    self.playing.set(false);
                    return;
                }
                if self.playing.get_untracked() {
                    self.step(1);
                }
            }
        });
    }

    /// On to the next moment at which a die was thrown.
    fn next_die(self) {
        spawn_local(async move {
            let (id, token) = (self.id.get_value(), self.token.get_value());
            let mut moment = self.at.get_untracked() + 1;
            while moment < self.total.get_untracked() {
                let here = self.frames.with_untracked(|frames| frames.get(&moment).cloned());
                match here {
                    Some(frame) if frame.told.iter().any(|told| !told.rolls.is_empty()) => {
                        self.at.set(moment);
                        return;
                    }
                    Some(_) => moment += 1,
                    None => match api::frames(&id, &token, moment - moment % REEL, REEL).await {
                        Ok(reel) if !reel.frames.is_empty() => self.frames.update(|frames| {
                            frames.extend(reel.frames.into_iter().map(|frame| (frame.moment, Rc::new(frame))));
                        }),
                        Ok(_) => return,
                        Err(problem) => {
                            self.desk.toast.set(Some(problem.why));
                            return;
                        }
                    },
                }
            }
            self.desk.toast.set(Some("No more dice are thrown".to_owned()));
        });
    }

    fn listen(self) {
        let handle = window_event_listener(leptos::ev::keydown, move |event| match event.key().as_str() {
            "ArrowRight" => self.step(1),
            "ArrowLeft" => self.step(-1),
            "Home" => self.at.set(0),
            "End" => self.end(),
            "d" => self.next_die(),
            "p" => self.play(),
            _ => {}
        });
        on_cleanup(move || handle.remove());
    }
}

/// What the bot thought before the order that led here.
#[component]
fn MindBox(film: Film) -> impl IntoView {
    move || {
        let at = film.at.get();
        let mind = film.minds.with(|minds| minds.get(&at).cloned())?;
        let name = film.desk.with(|chair| {
            let info = chair.info.as_ref()?;
            info.seats.get(usize::from(mind.by)).map(|seat| seat.side.clone())
        });
        Some(view! {
            <section class="mind" data-test="mind">
                <h3>{format!("What the bot weighed for the {}", name.unwrap_or_default())}</h3>
                {mind_view(&mind.thoughts)}
            </section>
        })
    }
}

#[component]
fn Scrubber(film: Film, key: Key) -> impl IntoView {
    let desk = film.desk;
    let copied = RwSignal::new(false);
    let link = {
        let key = key.clone();
        move |_| {
            let hash =
                Route::Replay { id: key.id.clone(), token: key.token.clone(), moment: Some(film.at.get_untracked()) }
                    .hash();
            let base = window().location().href().unwrap_or_default();
            let base = base.split('#').next().unwrap_or_default().to_owned();
            let _ = window().navigator().clipboard().write_text(&format!("{base}{hash}"));
            let _ = window().location().set_hash(&hash);
            copied.set(true);
        }
    };
    let back = Route::Battle { id: key.id.clone(), token: key.token.clone() }.hash();
    let over = move || desk.with(Chair::is_over);
    view! {
        <div class="scrubber" role="group" aria-label="Replay" data-test="scrubber">
            <button aria-label="Back" on:click=move |_| film.step(-1)>"◀"</button>
            <button aria-label="Play or pause" data-test="play" on:click=move |_| film.play()>{move || if film.playing.get() { "❚❚" } else { "►" }}</button>
            <button aria-label="On" data-test="next" on:click=move |_| film.step(1)>"▶"</button>
            <input type="range" min="0" aria-label="Moment" data-test="moment"
                max=move || film.total.get().saturating_sub(1).to_string()
                prop:value=move || film.at.get().to_string()
                on:input=move |event| {
                    if let Ok(moment) = event_target_value(&event).parse() {
                        film.at.set(moment);
                    }
                }/>
            <span class="moment" data-test="moment-says">{move || format!("{} of {}", film.at.get(), film.total.get().saturating_sub(1))}</span>
            <button on:click=move |_| film.next_die() title="the next moment with a die (d)">"Next die"</button>
            <button on:click=link>{move || if copied.get() { "Link copied" } else { "Link here" }}</button>
            {move || if over() {
                let key = key.clone();
                view! { <button data-test="save-replay" on:click=move |_| ending::save(desk, key.clone())>"Save file"</button> }.into_any()
            } else {
                view! { <a class="button" href=back.clone()>"Back to the battle"</a> }.into_any()
            }}
        </div>
    }
}
