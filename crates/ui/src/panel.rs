//! The question, the card of the piece in hand, its possible orders, and the order being made.

use crate::advice::AdviceBox;
use crate::chair::{Chair, Line};
use crate::desk::Desk;
use crate::dice::OddsPlot;
use crate::hand::{self, Hand, Making};
use crate::making::MakingControls;
use crate::notice::{ClauseLink, Reasons};
use crate::planner::{self, Planner};
use engine::scene::{Gesture, PieceKind};
use engine::{Motion, Side};
use leptos::prelude::*;
use wire::Standing;

#[component]
pub fn Panel(desk: Desk) -> impl IntoView {
    let planning = Memo::new(move |_| planner::is_planning(desk));
    view! {
        <section class="panel" aria-label="Orders" data-test="panel">
            <LineNotice desk/>
            <Question desk/>
            <Offers desk/>
            {move || if planning.get() { view! { <Planner desk/> }.into_any() } else { view! { <InHand desk/> }.into_any() }}
            <Card desk/>
            <TypedOrder desk/>
        </section>
    }
}

/// Says when the line to the server is not what it should be.
#[component]
fn LineNotice(desk: Desk) -> impl IntoView {
    move || {
        let (line, unkept) = desk.with(|chair| (chair.line.clone(), chair.unkept));
        match line {
            Line::Open if unkept => Some(view! { <p class="line-notice small" role="status" data-test="unkept">"The server does not answer. The battle goes on here; its record waits in this browser."</p> }.into_any()),
            Line::Open => None,
            Line::Opening => {
                Some(view! { <p class="line-notice" role="status">"The table is being laid…"</p> }.into_any())
            }
            Line::Lost(why) => {
                Some(view! { <p class="line-notice lost" role="status" data-test="line-lost">{why}</p> }.into_any())
            }
            Line::Closed(why) => {
                Some(view! { <p class="line-notice lost" role="alert" data-test="line-closed">{why}</p> }.into_any())
            }
        }
    }
}

#[component]
fn Question(desk: Desk) -> impl IntoView {
    let ask = move || {
        desk.with(|chair| match (&chair.prompt, chair.info.as_ref().map(|info| &info.standing)) {
            (_, Some(Standing::Over { .. } | Standing::Frozen { .. })) => Ask::Over,
            (Some(prompt), _) => Ask::Mine { question: prompt.question.clone(), clause: prompt.clause.clone() },
            (None, _) => Ask::Waiting(waiting_words(chair)),
        })
    };
    // An order is on its way: the question still stands, but nothing more can be answered to it.
    let sending = move || desk.with(|chair| chair.waiting.is_some()).to_string();
    view! {
        <div class="question" aria-live="polite" aria-busy=sending data-test="question">
            {move || match ask() {
                Ask::Mine { question, clause } => view! {
                    <h2>{question}</h2>
                    <p class="under"><ClauseLink desk clause/>" "{move || hint(desk)}</p>
                    <AdviceBox desk/>
                    <GeneralOrders desk/>
                    <Officers desk/>
                }.into_any(),
                Ask::Waiting(words) => view! { <h2 class="waiting" data-test="waiting">{words}</h2> }.into_any(),
                Ask::Over => view! { <crate::ending::Ending desk/> }.into_any(),
            }}
        </div>
    }
}

#[derive(Clone, PartialEq)]
enum Ask {
    Mine { question: String, clause: String },
    Waiting(String),
    Over,
}

fn waiting_words(chair: &Chair) -> String {
    let Some(board) = &chair.board else { return String::new() };
    let name = |side: Side| chair.scene.as_ref().and_then(|scene| scene.sides.get(side.index()).cloned());
    match board.awaited() {
        Some((_, sides)) => {
            let others: Vec<Side> = sides.iter().copied().filter(|side| Some(*side) != chair.side()).collect();
            let names: Vec<String> = others.into_iter().filter_map(name).collect();
            format!("Waiting for {}", names.join(" and "))
        }
        None => "The umpire is at work".to_owned(),
    }
}

/// A short hint how to go on.
fn hint(desk: Desk) -> &'static str {
    let gestures = desk.gestures();
    // A plan says itself how it is made.
    if gestures.iter().any(|(_, gesture)| crate::plan::is_planner(gesture)) && planner::is_planning(desk) {
        return "";
    }
    let selected = desk.hand.with(|hand| hand.selected.clone());
    let mine = |gesture: &Gesture| selected.is_some() && hand::piece_of(gesture) == selected.as_deref();
    let can = |wanted: fn(&Gesture) -> bool| gestures.iter().any(|(_, gesture)| mine(gesture) && wanted(gesture));
    let moves = can(
        |gesture| matches!(gesture, Gesture::DrawPath { draft, .. } if engine::blanks::has(draft, engine::blanks::blank::LEGS)),
    );
    let side = desk.side();
    let enemies = desk.with(|chair| {
        let foes = chair.roster.iter().filter(|line| Some(line.side) != side);
        foes.filter_map(|line| line.key.clone()).collect::<Vec<String>>()
    });
    let aims = gestures.iter().any(|(_, gesture)| {
        mine(gesture) && matches!(gesture, Gesture::PickTarget { at, .. } if at.iter().any(|key| enemies.contains(key)))
    });
    let pieces = gestures.iter().filter_map(|(_, gesture)| hand::piece_of(gesture)).count();
    match (moves, aims) {
        (true, true) => "Drag it to move; click an enemy to aim.",
        (true, false) => "Drag it to move.",
        (false, true) => "Click an enemy to aim.",
        (false, false) if pieces > 1 && selected.is_none() => {
            "Choose a unit on the map, or press Space for the next one."
        }
        (false, false) => "",
    }
}

/// Orders that belong to no single piece: pass, end the step, plans, choices. Where the whole question is a handful of
/// buttons, those of single pieces stand here too, so that nobody has to look for them on the map.
#[component]
fn GeneralOrders(desk: Desk) -> impl IntoView {
    move || {
        let gestures = desk.gestures();
        let simple = gestures.len() <= MOST_BUTTONS
            && !many_for_several(&gestures)
            && gestures
                .iter()
                .all(|(_, gesture)| matches!(gesture, Gesture::Button { .. } | Gesture::PickUnits { .. }));
        // What is taken up at once needs no button.
        let taken = desk.with(|chair| chair.prompt.as_ref().and_then(|prompt| crate::plan::at_once(&prompt.gestures)));
        let shown = gestures
            .into_iter()
            .filter(|(no, gesture)| Some(*no) != taken && (simple || hand::piece_of(gesture).is_none()));
        let buttons = shown.map(|(no, gesture)| order_button(desk, no, &gesture, true)).collect_view();
        view! { <div class="general-orders" data-test="general-orders">{buttons}</div> }
    }
}

/// Whether several pieces have several orders each: then each piece's own stand on its card.
fn many_for_several(gestures: &[(usize, Gesture)]) -> bool {
    let pieces: Vec<&str> = gestures.iter().filter_map(|(_, gesture)| hand::piece_of(gesture)).collect();
    let Some(first) = pieces.first() else { return false };
    let several = pieces.iter().any(|piece| piece != first);
    several && pieces.iter().any(|piece| pieces.iter().filter(|other| *other == piece).count() > 1)
}

/// The generals who can still do something, in the order of the army: a short way to their cards.
#[component]
fn Officers(desk: Desk) -> impl IntoView {
    move || {
        let prompt = desk.with(|chair| chair.prompt.clone())?;
        let roster = desk.with(|chair| std::rc::Rc::clone(&chair.roster));
        let is_officer = |key: &String| {
            let line = roster.iter().find(|line| line.key.as_ref() == Some(key));
            line.is_some_and(|line| matches!(line.kind, Some(PieceKind::General | PieceKind::ChiefGeneral)))
        };
        let officers: Vec<String> =
            crate::desk::able(&prompt.gestures, &roster).into_iter().filter(is_officer).collect();
        let chips = officers.iter().map(|key| {
            let (name, chosen, picked) = (desk.name_of(key), key.clone(), key.clone());
            view! {
                <button class="officer" data-test="officer" data-key=key.clone()
                    class:chosen=move || desk.hand.with(|hand| hand.selected.as_deref() == Some(chosen.as_str()))
                    on:click=move |_| desk.select(Some(picked.clone()))>"★ "{name}</button>
            }
        });
        let chips = chips.collect_view();
        (!officers.is_empty())
            .then(|| view! { <div class="officers" aria-label="Generals who can still act">{chips}</div> })
    }
}

/// So many buttons are shown without a piece being chosen first.
const MOST_BUTTONS: usize = 12;

/// A gesture's button with its key.
fn order_button(desk: Desk, no: usize, gesture: &Gesture, named: bool) -> AnyView {
    let key = match gesture {
        Gesture::Button { key, .. } => *key,
        _ => None,
    };
    let word = hand::label_of(gesture);
    let label = match hand::piece_of(gesture).filter(|_| named) {
        Some(piece) => format!("{}: {}", desk.name_of(piece), lowered(&word)),
        None => word.clone(),
    };
    let armed = move || desk.hand.with(|hand| matches!(hand.making, Some((making, _)) if making == no));
    let busy = move || desk.with(|chair| chair.waiting.is_some());
    view! {
        <button
            class="order"
            class:armed=armed
            data-test="order"
            data-order=word
            disabled=busy
            on:click=move |_| {
                desk.look_away();
                desk.arm(no);
            }
            on:pointerenter=move |event| {
                if event.pointer_type() == "mouse" {
                    desk.look_at(no);
                }
            }
            on:pointerleave=move |_| desk.look_away()
        >
            {label}
            {key.map(|key| view! { <kbd>{key.to_string()}</kbd> })}
        </button>
    }
    .into_any()
}

/// A label after a colon begins small.
fn lowered(label: &str) -> String {
    let mut letters = label.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// What the other side offers.
#[component]
fn Offers(desk: Desk) -> impl IntoView {
    move || {
        let (offer, side) = desk.with(|chair| (chair.offer, chair.side()));
        let (by, motion) = offer?;
        let side = side?;
        let what = match motion {
            Motion::Draw => "a draw",
            Motion::TakeBack => "to take the last order back",
            _ => return None,
        };
        Some(if by == side {
            view! { <p class="offer" role="status">"You asked for " {what} "; the other side is thinking."</p> }
                .into_any()
        } else {
            view! {
                <div class="offer" role="alert" data-test="offer">
                    <p>"The other side asks for " {what} "."</p>
                    <button on:click=move |_| desk.motion(motion)>"Agree"</button>
                    <button on:click=move |_| desk.motion(Motion::Decline)>"Decline"</button>
                </div>
            }
            .into_any()
        })
    }
}

/// The order being made: its controls, what the rules say, its odds, and the button that gives it.
#[component]
fn InHand(desk: Desk) -> impl IntoView {
    // Remembered, because the hand changes with every move of the pointer, and building the box anew each time costs
    // more than everything else that happens in a drag.
    let what = Memo::new(move |_| {
        desk.hand.with(|hand| {
            let asked = desk.peek(|chair| chair.prompt.clone());
            let gesture = |no: usize| asked.as_ref().and_then(|prompt| prompt.gestures.get(no));
            let label = hand.making.as_ref().and_then(|(no, _)| gesture(*no).map(hand::label_of));
            let kind = hand.making.as_ref().map(|(no, making)| (*no, std::mem::discriminant(making)));
            let typed = hand.making.is_none() && hand.judged.is_some();
            (label, typed, kind, asked.as_ref().map(|prompt| prompt.no.0))
        })
    });
    let phrase = move || {
        let draft = desk.hand.with(|hand| hand.judged.as_ref().map(|judged| judged.draft.clone()))?;
        let words = desk.peek(|chair| chair.board.as_ref().map(|board| board.phrase(&draft)))?;
        Some(words)
    };
    let legal = move || desk.hand.with(|hand| hand.judged.as_ref().is_some_and(crate::hand::Judged::is_legal));
    let odds = move || desk.hand.with(|hand| hand.judged.as_ref().and_then(|judged| judged.odds.clone()));
    move || {
        let (label, typed, ..) = what.get();
        (label.is_some() || typed).then(|| {
            view! {
                <div class="in-hand" data-test="in-hand">
                    <h3>{label.unwrap_or_else(|| "Typed order".to_owned())}</h3>
                    <MakingControls desk/>
                    <p class="phrase" data-test="phrase">{phrase}</p>
                    <Reasons desk/>
                    {move || odds().map(|odds| view! { <OddsPlot odds/> })}
                    <div class="give">
                        <button class="plain" data-test="cancel" on:click=move |_| desk.cancel()>"Cancel" <kbd>"Esc"</kbd></button>
                        <button
                            class="chief"
                            data-test="give"
                            disabled=move || !legal() || desk.with(|chair| chair.waiting.is_some())
                            on:click=move |_| desk.give_judged()
                        >
                            "Give the order" <kbd>"Enter"</kbd>
                        </button>
                    </div>
                </div>
            }
        })
    }
}

/// The card of the piece in hand.
#[component]
fn Card(desk: Desk) -> impl IntoView {
    let selected = Memo::new(move |_| desk.hand.with(|hand| hand.selected.clone()));
    move || {
        let key = selected.get()?;
        let (card, piece) = desk.with(|chair| {
            let card = chair.board.as_ref().and_then(|board| board.card(&key));
            let scene = chair.scene.as_ref();
            let piece = scene.and_then(|scene| scene.pieces.iter().find(|piece| piece.key == key).cloned());
            (card, piece)
        });
        let name = desk.name_of(&key);
        let badges = piece.map(|piece| piece.badges).unwrap_or_default();
        let orders: Vec<(usize, Gesture)> = desk
            .gestures()
            .into_iter()
            .filter(|(_, gesture)| hand::piece_of(gesture) == Some(key.as_str()) || picks(gesture, &key))
            .collect();
        // What it may do stands on its buttons already.
        let told = |line: &String| *line != name && (orders.is_empty() || !line.starts_with("May: "));
        let lines = card.unwrap_or_default().into_iter().filter(told).collect::<Vec<_>>();
        let filter_key = key.clone();
        Some(view! {
            <article class="card" data-test="card" data-key=key.clone()>
                <h3>{name}</h3>
                <p class="badges">{badges.into_iter().map(crate::orbat::badge).collect_view()}</p>
                <div class="orders">{orders.into_iter().map(|(no, gesture)| piece_order(desk, no, &gesture, &key)).collect_view()}</div>
                <ul class="facts">{lines.into_iter().map(|line| view! { <li>{line}</li> }).collect_view()}</ul>
                <button class="plain small" on:click=move |_| desk.filter.set(Some(filter_key.clone()))>"Its part in the chronicle"</button>
            </article>
        })
    }
}

fn picks(gesture: &Gesture, key: &str) -> bool {
    matches!(gesture, Gesture::PickUnits { from, .. } if from.iter().any(|one| one == key))
}

/// A gesture on a piece's card; where a piece is to be picked, this one is.
fn piece_order(desk: Desk, no: usize, gesture: &Gesture, key: &str) -> AnyView {
    if !picks(gesture, key) {
        return order_button(desk, no, gesture, false);
    }
    let (label, key) = (hand::label_of(gesture), key.to_owned());
    let word = label.clone();
    view! {
        <button class="order" data-test="order" data-order=word on:click=move |_| {
            desk.handle(|hand: &mut Hand, at| {
                hand.arm(at.board, at.prompt, at.scene, no);
                hand.making = Some((no, Making::Piece(Some(key.clone()))));
                hand.selected = Some(key.clone());
            });
        }>{label}</button>
    }
    .into_any()
}

/// For those who would rather write: the same words as in the terminal.
#[component]
fn TypedOrder(desk: Desk) -> impl IntoView {
    let words = RwSignal::new(String::new());
    let fault = RwSignal::new(None::<String>);
    let usage = move || desk.with(|chair| chair.board.as_ref().map(|board| board.usage())).unwrap_or_default();
    let asked = Memo::new(move |_| desk.with(|chair| chair.prompt.is_some()));
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        fault.set(desk.typed(words.get_untracked().trim()).err());
    };
    move || {
        asked.get().then(|| {
            view! {
                <details class="typed">
                    <summary>"Write the order"</summary>
                    <form on:submit=submit>
                        <label for="typed-order">"In words"</label>
                        <input id="typed-order" data-test="typed-order" autocomplete="off" prop:value=words
                            on:input=move |event| words.set(event_target_value(&event))/>
                        <button type="submit">"Read it"</button>
                    </form>
                    {move || fault.get().map(|why| view! { <p class="refusal" role="alert">{why}</p> })}
                    <dl>
                        {usage().into_iter().map(|(words, what)| view! { <dt><code>{words}</code></dt><dd>{what}</dd> }).collect_view()}
                    </dl>
                </details>
            }
        })
    }
}
