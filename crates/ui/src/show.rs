//! The film of a bound on the map: played once, step by step forward and back, and left at any time.

use crate::desk::Desk;
use crate::film::{Film, Shot};
use engine::scene::Scene;
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use picture::{Sheet, escape};
use std::rc::Rc;

/// How long each part is shown, in milliseconds.
const PACE: u32 = 1_500;
/// So many halts are spelt out under the film.
const SPELT: usize = 4;

/// A film being shown.
#[derive(Clone)]
pub struct Showing {
    film: Rc<Film>,
    at: usize,
    playing: bool,
    /// Tells one showing from another, so that an old one's clock stops.
    number: u32,
}

impl Showing {
    fn shot(&self) -> Option<&Shot> {
        self.film.shots.get(self.at)
    }
}

impl Desk {
    /// The table as the map draws it: that of the film while one is shown.
    pub fn shown(&self) -> Option<Rc<Scene>> {
        let film = self.film.with(|film| film.as_ref().and_then(|film| film.shot().map(|shot| Rc::clone(&shot.scene))));
        let film = film.or_else(|| self.about_to_show());
        film.or_else(|| self.with(|chair| chair.scene.clone()))
    }

    /// The beginning of a film that is only just to be shown, so that nobody sees the end first.
    fn about_to_show(&self) -> Option<Rc<Scene>> {
        let (filmed, film) = self.with(|chair| (chair.filmed, chair.film.clone()));
        let is_new = self.is_unseen(filmed);
        film.filter(|_| is_new && !is_still() && self.curtain.with(Option::is_none))
            .and_then(|film| film.shots.first().map(|shot| Rc::clone(&shot.scene)))
    }

    /// Whether the last film of the chair was not begun yet.
    fn is_unseen(&self, filmed: u32) -> bool {
        let at = self.at.get();
        self.films_seen.with(|seen| seen.get(at).is_some_and(|seen| *seen != filmed))
    }

    /// Whether a film lies over the table.
    pub fn is_showing(&self) -> bool {
        self.film.with_untracked(Option::is_some)
    }

    /// Shows the film of the last moves.
    pub fn show_film(&self, playing: bool) {
        let Some(film) = self.peek(|chair| chair.film.clone()) else { return };
        let number = self.film_number.get_value() + 1;
        self.film_number.set_value(number);
        self.film.set(Some(Showing { film, at: 0, playing, number }));
        if playing {
            self.run(number);
        }
    }

    /// Back to the table as it is.
    pub fn skip_film(&self) {
        if self.is_showing() {
            self.film.set(None);
        }
    }

    /// To another part; after the last one the table is as it is.
    pub fn step_film(&self, by: i32) {
        let now =
            self.film.with_untracked(|film| film.as_ref().map(|film| (film.at as i32 + by, film.film.shots.len())));
        let Some((next, count)) = now else { return };
        if next >= count as i32 {
            self.skip_film();
            return;
        }
        self.film.update(|film| {
            if let Some(film) = film {
                film.at = usize::try_from(next).unwrap_or(0);
                film.playing = false;
            }
        });
    }

    /// Plays on, or stops.
    pub fn pause_film(&self) {
        let mut number = None;
        self.film.update(|film| {
            if let Some(film) = film {
                film.playing = !film.playing;
                number = film.playing.then_some(film.number);
            }
        });
        if let Some(number) = number {
            self.run(number);
        }
    }

    fn run(self, number: u32) {
        spawn_local(async move {
            loop {
                TimeoutFuture::new(PACE).await;
                let going = self
                    .film
                    .try_with_untracked(|film| film.as_ref().is_some_and(|film| film.playing && film.number == number));
                if going != Some(true) {
                    return;
                }
                self.step_film(1);
                self.film.update(|film| {
                    if let Some(film) = film {
                        film.playing = true;
                    }
                });
            }
        });
    }
}

/// Whether whoever looks at this page wants no motion.
fn is_still() -> bool {
    let root = document().document_element();
    let asked = root.and_then(|root| root.get_attribute("data-still")).is_some_and(|still| still == "yes");
    let reduced = window().match_media("(prefers-reduced-motion: reduce)").ok().flatten();
    asked || reduced.is_some_and(|reduced| reduced.matches())
}

/// Starts the film of new moves by itself, where motion is welcome and nobody is to be handed the table.
pub fn start_by_itself(desk: Desk) {
    Effect::new(move |_| {
        let filmed = desk.with(|chair| chair.filmed);
        if desk.curtain.with(Option::is_some) || !desk.is_unseen(filmed) {
            return;
        }
        if !is_still() {
            desk.show_film(true);
        }
        desk.films_seen.update(|seen| {
            if let Some(seen) = seen.get_mut(desk.at.get_untracked()) {
                *seen = filmed;
            }
        });
    });
}

/// Under the map while a film is shown.
#[component]
pub fn FilmBar(desk: Desk) -> impl IntoView {
    let now = move || {
        desk.film.with(|film| {
            let film = film.as_ref()?;
            let shot = film.shot()?;
            let halts: Vec<String> = shot.flags.iter().map(|flag| flag.says.clone()).collect();
            Some((shot.title.clone(), film.at, film.film.shots.len(), film.playing, halts))
        })
    };
    move || {
        let (title, at, count, playing, halts) = now()?;
        let more = halts.len().saturating_sub(SPELT);
        let halts = halts.into_iter().take(SPELT).map(|words| view! { <li>{words}</li> }).collect_view();
        Some(view! {
            <div class="film" role="group" aria-label="The moves of both sides" data-test="film" data-shot=at>
                <div class="film-tools">
                    <button aria-label="Back" data-test="film-back" disabled=at == 0 on:click=move |_| desk.step_film(-1)>"◀"</button>
                    <button aria-label="Play or pause" data-test="film-play" on:click=move |_| desk.pause_film()>{if playing { "❚❚" } else { "►" }}</button>
                    <button aria-label="On" data-test="film-on" on:click=move |_| desk.step_film(1)>"▶"</button>
                    <span class="film-title" role="status" data-test="film-title">{format!("{title} ({} of {count})", at + 1)}</span>
                    <button data-test="film-skip" on:click=move |_| desk.skip_film()>"Skip" <kbd>"Esc"</kbd></button>
                </div>
                <ul class="film-halts">{halts}{(more > 0).then(|| view! { <li>{format!("and {more} more halt")}</li> })}</ul>
            </div>
        })
    }
}

/// Looks at the last moves again.
#[component]
pub fn FilmAgain(desk: Desk) -> impl IntoView {
    move || {
        let there = desk.with(|chair| chair.film.is_some()) && desk.film.with(Option::is_none);
        there.then(|| {
            view! { <button data-test="film-again" title="the last moves of both sides, part by part" on:click=move |_| desk.show_film(!is_still())>"Moves" <kbd>"m"</kbd></button> }
        })
    }
}

/// The flags of the part that is shown.
pub fn flags(desk: Desk) -> String {
    desk.film.with(|film| {
        let Some(shot) = film.as_ref().and_then(Showing::shot) else { return String::new() };
        let sheet = Sheet::new(shot.scene.size);
        let flag = |flag: &crate::film::Flag| {
            let at = sheet.at(flag.at);
            let (words, says) = (escape(&flag.why), escape(&flag.says));
            let wide = flag.why.chars().count() as f64 * 6.6 + 12.0;
            format!(
                "<g class=\"halt\" transform=\"translate({:.1} {:.1})\"><title>{says}</title>\
                 <path class=\"pole\" d=\"M0 0V-34\"/><path class=\"cloth\" d=\"M0 -34H{wide:.1}L{:.1} -25L{wide:.1} -16H0z\"/>\
                 <text x=\"6\" y=\"-21\">{words}</text></g>",
                at.x,
                at.y,
                wide - 6.0
            )
        };
        shot.flags.iter().map(flag).collect()
    })
}
