//! The page of a battle: the map with everything around it.

use crate::chair::Chair;
use crate::chronicle::{Chronicle, Herald};
use crate::clauses::ClauseDrawer;
use crate::desk::{Desk, Place, Tab, Tape};
use crate::ending::Key;
use crate::keys;
use crate::link;
use crate::map::Map;
use crate::orbat::OrderOfBattle;
use crate::panel::Panel;
use crate::prefs::Prefs;
use crate::route::Route;
use crate::shelf;
use crate::show::{self, FilmAgain, FilmBar};
use engine::{Motion, Side};
use leptos::prelude::*;

/// A battle with one key, or two at one screen.
#[component]
pub fn TablePage(id: String, tokens: Vec<String>, #[prop(default = false)] lesson: bool) -> impl IntoView {
    let places = tokens.iter().map(|token| {
        let chair = RwSignal::new_local(Chair::default());
        Place { chair, mouth: Some(link::open(&id, token, chair, tokens.len() == 1)) }
    });
    let desk = Desk::new(places.collect());
    desk.battle.set_value(Some(id.clone()));
    provide_context(Key { id: id.clone(), token: tokens.first().cloned().unwrap_or_default() });
    remember(desk, &id, &tokens, lesson);
    announce_turn(desk);
    hand_over(desk);
    fresh_question(desk);
    shelf::keep_plans(desk);
    plan_comes_back(desk);
    show::start_by_itself(desk);
    keys::listen(desk);
    let share = Share { id, hot_seat: tokens.len() > 1 };
    view! {
        <div class="table-page" class:veiled=move || desk.curtain.with(Option::is_some) data-test="table-page">
            <TopBar desk share=Some(share)/>
            <aside class="left"><OrderOfBattle desk/></aside>
            <main class="middle">
                <Map desk/>
                <MapTools desk/>
                <FilmBar desk/>
                <Glance desk/>
                {lesson.then(|| view! { <crate::lesson::Coach desk/> })}
            </main>
            <aside class="right" class:up=move || desk.sheet_up.get()>
                <SheetTabs desk/>
                <div class="sheet-body" data-tab=move || tab_word(desk.tab.get())>
                    <Panel desk/>
                    <div class="army-tab"><OrderOfBattle desk/></div>
                    <Chronicle desk/>
                </div>
            </aside>
            <ClauseDrawer desk/>
            <Help desk/>
            <Toast desk/>
            <Herald desk/>
            <Curtain desk/>
        </div>
    }
}

/// What the menu needs to hand out links.
#[derive(Clone, PartialEq)]
pub struct Share {
    id: String,
    hot_seat: bool,
}

pub fn tab_word(tab: Tab) -> &'static str {
    match tab {
        Tab::Orders => "orders",
        Tab::Army => "army",
        Tab::Chronicle => "chronicle",
    }
}

/// Remembers the battle once its name is known.
fn remember(desk: Desk, id: &str, tokens: &[String], lesson: bool) {
    let route = match tokens {
        [a, b] => Route::HotSeat { id: id.to_owned(), tokens: [a.clone(), b.clone()] },
        [one] if lesson => Route::Lesson { id: id.to_owned(), token: one.clone() },
        [one] => Route::Battle { id: id.to_owned(), token: one.clone() },
        _ => return,
    };
    let (prefs, hot_seat) = (expect_context::<Prefs>(), tokens.len() > 1);
    Effect::new(move |done: Option<bool>| {
        if done == Some(true) {
            return true;
        }
        let known = desk.with(|chair| {
            let info = chair.info.as_ref()?;
            let side = chair.side().and_then(|side| info.seats.get(side.index()).map(|seat| seat.side.clone()));
            Some((info.title.clone(), side.unwrap_or_else(|| "watching".to_owned())))
        });
        match known {
            Some((title, role)) => {
                let role = if hot_seat { "both sides, one screen".to_owned() } else { role };
                prefs.keep(&route, &title, &role);
                true
            }
            None => false,
        }
    });
}

/// The browser's tab tells whose turn it is, for those who look elsewhere meanwhile.
fn announce_turn(desk: Desk) {
    Effect::new(move |_| {
        let words = desk.with(|chair| {
            let title = chair.info.as_ref().map(|info| info.title.clone())?;
            let mark = if chair.prompt.is_some() && !chair.is_over() { "● Your turn · " } else { "" };
            Some(format!("{mark}{title} · Grognard"))
        });
        if let Some(words) = words {
            document().set_title(&words);
        }
    });
}

/// At one screen the chair of the side that is asked is shown; where the two boards differ, behind a curtain first.
fn hand_over(desk: Desk) {
    if desk.chairs() < 2 {
        return;
    }
    Effect::new(move |_| {
        let read = |n: usize| {
            desk.chair_at(n)
                .map(|chair| chair.with(|chair| (chair.prompt.is_some(), chair.scene.clone(), chair.board.clone())))
        };
        let (Some((a, scene_a, board)), Some((b, scene_b, _))) = (read(0), read(1)) else { return };
        let now = desk.at.get_untracked();
        let asked_now = if now == 0 { a } else { b };
        let next = 1 - now;
        let asked_next = if next == 0 { a } else { b };
        if asked_now || !asked_next {
            return;
        }
        let sealed = board.and_then(|board| board.awaited()).is_some_and(|(_, sides)| sides.len() > 1);
        let differ = scene_a.as_ref().map(|scene| &scene.pieces) != scene_b.as_ref().map(|scene| &scene.pieces);
        desk.hand.set(Default::default());
        if sealed || differ {
            let side = if next == 0 { Side::A } else { Side::B };
            let name = scene_a.and_then(|scene| scene.sides.get(side.index()).cloned()).unwrap_or_default();
            desk.curtain.set(Some(name));
        }
        desk.at.set(next);
    });
}

/// A new question empties the hand, and opens the plan where the question is nothing else.
fn fresh_question(desk: Desk) {
    let last = StoredValue::new(None::<(usize, u32)>);
    Effect::new(move |_| {
        let at = desk.at.get();
        let no = desk.with(|chair| chair.prompt.as_ref().map(|prompt| prompt.no.0));
        let now = no.map(|no| (at, no));
        if last.get_value() == now {
            return;
        }
        last.set_value(now);
        desk.look_away();
        desk.hand.update(|hand| {
            hand.drop_gesture();
        });
        // A question about one piece puts the hand on it.
        if let [only] = desk.able().as_slice() {
            desk.select(Some(only.clone()));
        }
        let gestures = untrack(|| desk.gestures());
        let plan = gestures.iter().find(|(_, gesture)| {
            matches!(gesture, engine::scene::Gesture::Plan { kind: engine::scene::PlanKind::Place { .. }, .. })
        });
        match plan {
            Some((no, _)) => desk.arm(*no),
            None => desk.take_up_plan(),
        }
        shelf::sweep(desk);
        // A phone shows what is asked without being asked to.
        if now.is_some() {
            desk.tab.set(Tab::Orders);
        }
    });
}

/// A plan the server would not take is taken up again as it was.
fn plan_comes_back(desk: Desk) {
    Effect::new(move |_| {
        let refused = desk.with(|chair| chair.refusal.is_some() && chair.prompt.is_some());
        if refused && desk.hand.with_untracked(|hand| hand.making.is_none()) {
            desk.take_up_plan();
        }
    });
}

#[component]
pub fn TopBar(desk: Desk, share: Option<Share>) -> impl IntoView {
    let title = move || desk.with(|chair| chair.scene.as_ref().map(|scene| scene.title.clone())).unwrap_or_default();
    let when = move || desk.with(|chair| chair.scene.as_ref().map(|scene| scene.when.clone())).unwrap_or_default();
    let ribbon = move || desk.with(|chair| chair.board.as_ref().map(|board| board.ribbon())).unwrap_or_default();
    let seats = move || desk.with(|chair| chair.info.as_ref().map(|info| info.seats.clone()));
    view! {
        <header class="top">
            <a class="brand" href="#/">"Grognard"</a>
            <h1>{title}</h1>
            <ol class="ribbon" aria-label="Parts of the turn">
                {move || {
                    let (parts, now) = ribbon();
                    parts.into_iter().enumerate().map(|(n, part)| view! {
                        <li class:now=Some(n) == now aria-current=(Some(n) == now).then_some("step")>{part}</li>
                    }).collect_view()
                }}
            </ol>
            <p class="when" data-test="when">{when}</p>
            <p class="seats">{move || seats().map(|seats| seats.into_iter().map(|seat| {
                let word = match (&seat.bot, seat.present) {
                    (Some(level), _) => format!("{}: {level}", seat.side),
                    (None, true) => format!("{}: at the table", seat.side),
                    (None, false) => format!("{}: away", seat.side),
                };
                view! { <span class:present=seat.present || seat.bot.is_some()>{word}</span> }
            }).collect_view())}</p>
            <button class="menu-button" aria-label="Menu" aria-expanded=move || desk.menu.get().to_string() data-test="menu"
                on:click=move |_| desk.menu.update(|open| *open = !*open)>"☰"</button>
            {move || desk.menu.get().then(|| view! { <Menu desk share=share.clone()/> })}
        </header>
    }
}

#[component]
fn Menu(desk: Desk, share: Option<Share>) -> impl IntoView {
    let prefs = expect_context::<Prefs>();
    let key = use_context::<Key>();
    let seated = desk.peek(|chair| chair.side().is_some());
    let over = desk.peek(Chair::is_over);
    let may_take_back = desk.peek(|chair| chair.may_take_back.is_some());
    let act = move |motion: Motion| {
        desk.menu.set(false);
        desk.motion(motion);
    };
    let sure = RwSignal::new(false);
    let replay = key.clone().map(|key| Route::Replay { id: key.id, token: key.token, moment: None }.hash());
    let invitation = share.filter(|share| !share.hot_seat).and_then(|share| {
        let shelf = crate::muster::Invitations::load();
        shelf.of(&share.id).map(|links| view! { <Links links/> })
    });
    view! {
        <nav class="menu" aria-label="Menu" data-test="menu-list">
            {(seated && !over).then(|| view! {
                <button disabled=!may_take_back data-test="take-back" title="by consent, and only before a die was thrown"
                    on:click=move |_| act(Motion::TakeBack)>"Take the last order back"</button>
                <button data-test="offer-draw" on:click=move |_| act(Motion::Draw)>"Offer a draw"</button>
                <button data-test="dispute" on:click=move |_| act(Motion::DisputeDie)>"Throw the dispute die"</button>
                {move || if sure.get() {
                    view! { <button class="alarm" data-test="concede-sure" on:click=move |_| act(Motion::Concede)>"Really give the battle up"</button> }.into_any()
                } else {
                    view! { <button data-test="concede" on:click=move |_| sure.set(true)>"Concede"</button> }.into_any()
                }}
            })}
            {replay.map(|link| view! { <a href=link data-test="menu-replay">"From the beginning"</a> })}
            {invitation}
            <button on:click=move |_| { let _ = window().print(); }>"Print the table and the rosters"</button>
            <button on:click=move |_| prefs.0.update(|memory| memory.theme = memory.theme.next())>
                "Light: " {move || prefs.0.with(|memory| memory.theme.word())}</button>
            <button on:click=move |_| prefs.0.update(|memory| memory.still = !memory.still)>
                {move || if prefs.0.with(|memory| memory.still) { "Motion: off" } else { "Motion: on" }}</button>
            <button on:click=move |_| { desk.menu.set(false); desk.help.set(true); }>"Keys" <kbd>"?"</kbd></button>
            <a href="#/">"Leave the table"</a>
        </nav>
    }
}

/// Links to be given to a friend or to watchers.
#[component]
pub fn Links(links: Vec<(String, String)>) -> impl IntoView {
    let base = window().location().href().unwrap_or_default();
    let base = base.split('#').next().unwrap_or_default().to_owned();
    let rows = links.into_iter().map(|(label, hash)| {
        let link = format!("{base}{hash}");
        let copied = RwSignal::new(false);
        let text = link.clone();
        view! {
            <p class="link-row"><label>{label.clone()}<input readonly data-test="invitation" data-label=label prop:value=link/></label>
                <button class="small" on:click=move |_| {
                    let _ = window().navigator().clipboard().write_text(&text);
                    copied.set(true);
                }>{move || if copied.get() { "Copied" } else { "Copy" }}</button>
            </p>
        }
    });
    view! { <div class="links">{rows.collect_view()}</div> }
}

/// A length as the game says it.
fn measured(desk: Desk, length: table::Length) -> String {
    match desk.with(|chair| chair.scene.as_ref().map(|scene| scene.unit)) {
        Some(table::Unit::Centimetre) => length.show(table::Unit::Centimetre),
        _ => format!("{:.1} inches", length.as_inches()),
    }
}

/// Buttons on the map itself.
#[component]
fn MapTools(desk: Desk) -> impl IntoView {
    let zoom = move |factor: f64| desk.camera.update(|camera| *camera = camera.zoom_at(factor, 360.0, 300.0));
    let tape_says = move || match desk.tape.get() {
        Tape::Away => None,
        Tape::Ready => Some(("Drag on the map to lay the tape.".to_owned(), None)),
        Tape::Laid { says: Ok(length), .. } => Some((measured(desk, length), None)),
        Tape::Laid { says: Err((why, clause)), .. } => Some((format!("The tape stays rolled up: {why}"), Some(clause))),
    };
    view! {
        <div class="map-tools" role="toolbar" aria-label="Map">
            <button aria-label="Nearer" on:click=move |_| zoom(1.25)>"+"</button>
            <button aria-label="Farther" on:click=move |_| zoom(0.8)>"−"</button>
            <button aria-label="Tape measure" data-test="tape" class:chosen=move || desk.tape.get() != Tape::Away
                on:click=move |_| keys::toggle_tape(desk)>"Tape"</button>
            <FilmAgain desk/>
        </div>
        {move || tape_says().map(|(words, clause)| view! {
            <p class="tape-says" role="status" data-test="tape-says">{words}" "
                {clause.map(|clause| view! { <crate::notice::ClauseLink desk clause/> })}</p>
        })}
    }
}

/// The odds of the button under the pointer, over the map so that no button moves away from the pointer.
#[component]
fn Glance(desk: Desk) -> impl IntoView {
    move || {
        let odds = desk.glance.with(|glance| glance.as_ref().and_then(|judged| judged.odds.clone()))?;
        Some(view! { <div class="glance" role="status" data-test="glance"><crate::dice::OddsPlot odds/></div> })
    }
}

/// Comes down when the table is handed to the other player.
#[component]
fn Curtain(desk: Desk) -> impl IntoView {
    move || {
        desk.curtain.get().map(|name| {
            view! {
                <div class="curtain" role="dialog" aria-label="Hand the table over" data-test="curtain">
                    <h2>"Hand the table to " {name.clone()}</h2>
                    <p>"The other army knows something you do not, or must not see what you are about to write."</p>
                    <button class="chief" data-test="raise-curtain" on:click=move |_| desk.curtain.set(None)>{format!("I lead {name}")}</button>
                </div>
            }
        })
    }
}

#[component]
pub fn SheetTabs(desk: Desk) -> impl IntoView {
    let tab = move |tab: Tab, label: &'static str| {
        view! {
            <button role="tab" aria-selected=move || (desk.tab.get() == tab).to_string() data-test=format!("tab-{}", tab_word(tab))
                on:click=move |_| {
                    if desk.tab.get_untracked() == tab {
                        desk.sheet_up.update(|up| *up = !*up);
                    } else {
                        desk.tab.set(tab);
                        desk.sheet_up.set(true);
                    }
                }>{label}</button>
        }
    };
    view! {
        <div class="sheet-tabs" role="tablist" aria-label="Sheet">
            {tab(Tab::Orders, "Orders")}
            {tab(Tab::Army, "Army")}
            {tab(Tab::Chronicle, "Chronicle")}
        </div>
    }
}

#[component]
fn Help(desk: Desk) -> impl IntoView {
    move || {
        desk.help.get().then(|| {
            view! {
                <div class="help" role="dialog" aria-label="Keys" data-test="help">
                    <h2>"Keys"</h2>
                    <dl>{keys::HELP.iter().map(|(key, what)| view! { <dt><kbd>{*key}</kbd></dt><dd>{*what}</dd> }).collect_view()}</dl>
                    <button on:click=move |_| desk.help.set(false)>"Close"</button>
                </div>
            }
        })
    }
}

#[component]
pub fn Toast(desk: Desk) -> impl IntoView {
    let refusal = move || desk.with(|chair| chair.refusal.clone());
    view! {
        {move || desk.toast.get().map(|words| view! {
            <div class="toast" role="alert" data-test="toast"><p>{words}</p><button class="plain" on:click=move |_| desk.toast.set(None)>"✕"</button></div>
        })}
        {move || refusal().map(|refusal| view! {
            <div class="toast" role="alert" data-test="server-refusal">
                <p>{refusal.why}</p>
                <ul>{refusal.reasons.into_iter().map(|reason| view! {
                    <li>{reason.text}" "<crate::notice::ClauseLink desk clause=reason.clause/></li>
                }).collect_view()}</ul>
                <button class="plain" on:click=move |_| desk.change(|chair| chair.refusal = None)>"✕"</button>
            </div>
        })}
    }
}
