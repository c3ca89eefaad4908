//! The army's plan in the panel: what the piece in hand may do, the moves so far by brigade, and the button that seals
//! them all.

use crate::desk::Desk;
use crate::hand::{self, Hand, Making, label_of};
use crate::making;
use crate::notice::ClauseLink;
use crate::plan::{Options, Tally, is_staying};
use engine::blanks::{self as fill, blank};
use engine::scene::{Gesture, Prompt, RosterLine, Scene};
use leptos::prelude::*;
use std::rc::Rc;

/// So many options of a piece are shown before one asks for more.
const MOST_OPTIONS: usize = 5;
/// So many suggestions of an aide are looked at.
const SUGGESTIONS: usize = 4;
/// So many pieces are named in one reason, and so many reasons are spelt out.
const MOST_NAMED: usize = 8;
const MOST_REASONS: usize = 20;
/// A window narrower than this shows the reasons when they are asked for.
const NARROW: f64 = 700.0;

/// A piece of the plan as the ledger shows it.
#[derive(Clone, PartialEq)]
struct Row {
    key: String,
    name: String,
    does: Option<String>,
    /// What it is to do otherwise.
    or_else: String,
    refused: bool,
    owing: bool,
}

/// A reason against the plan: about whom, by which clause, and whom it concerns together.
#[derive(Clone, PartialEq)]
struct Reason {
    of: Option<String>,
    clause: String,
    text: String,
    among: Vec<String>,
}

/// A brigade of the ledger.
#[derive(Clone, PartialEq)]
struct Brigade {
    name: String,
    rows: Vec<Row>,
}

/// What the panel shows of the piece in hand.
#[derive(Clone, PartialEq)]
struct Held {
    key: String,
    place: usize,
    option: usize,
    open: Option<(usize, Making)>,
    can_copy: bool,
}

fn prompt_of(desk: Desk) -> Option<Rc<Prompt>> {
    desk.peek(|chair| chair.prompt.clone())
}

/// Whether the hand plans for an army.
pub fn is_planning(desk: Desk) -> bool {
    desk.with(|chair| chair.prompt.clone()).is_some_and(|prompt| desk.hand.with(|hand| hand.planner(&prompt).is_some()))
}

fn held(desk: Desk, hand: &Hand) -> Option<Held> {
    let prompt = prompt_of(desk)?;
    let scene = desk.peek(|chair| chair.scene.clone())?;
    let key = hand.selected.clone()?;
    let place = hand.in_plan(&prompt, &key)?;
    let (_, chosen, open) = hand.planner(&prompt)?;
    let slot = chosen.get(place)?.as_ref();
    let open = open.filter(|open| open.piece == place).map(|open| {
        let mut inner = (*open.inner).clone();
        // Legs still under the pointer belong to the map.
        if let Making::Path { live, .. } = &mut inner {
            live.clear();
        }
        (open.option, inner)
    });
    let can_copy = !is_staying(slot) && !hand.brigade_of(&prompt, &scene, &key).is_empty();
    Some(Held { option: slot.map_or(0, |(option, _)| *option), key, place, open, can_copy })
}

/// The moves so far, by brigade, in the order of the plan.
fn ledger(desk: Desk, hand: &Hand) -> Vec<Brigade> {
    let (Some(prompt), Some(scene)) = (prompt_of(desk), desk.peek(|chair| chair.scene.clone())) else {
        return Vec::new();
    };
    let Some((options, chosen, _)) = hand.planner(&prompt) else { return Vec::new() };
    let mut brigades: Vec<Brigade> = Vec::new();
    for ((key, options), slot) in options.iter().zip(chosen) {
        let command = command_of(desk, &scene, key).unwrap_or_else(|| "The army".to_owned());
        let given = slot.as_ref().filter(|(_, entry)| !entry.is_null());
        let does = given.map(|(option, _)| {
            // What an aide has thought of need not be among the options.
            let label = options.get(*option).map_or_else(|| "as suggested".to_owned(), label_of);
            words(hand, key, label)
        });
        let or_else = options.first().map(label_of).unwrap_or_default().to_lowercase();
        let refused = hand.judged.as_ref().is_some_and(|judged| judged.is_against(key));
        let owing = hand.judged.as_ref().is_some_and(|judged| judged.is_owing(key));
        let row = Row { key: key.clone(), name: untrack(|| desk.name_of(key)), does, or_else, refused, owing };
        match brigades.iter_mut().find(|brigade| brigade.name == command) {
            Some(brigade) => brigade.rows.push(row),
            None => brigades.push(Brigade { name: command, rows: vec![row] }),
        }
    }
    brigades
}

/// The command of a piece; of one that is not on the table yet, as the order of battle lists it.
fn command_of(desk: Desk, scene: &Scene, key: &str) -> Option<String> {
    if let Some(piece) = scene.pieces.iter().find(|piece| piece.key == key) {
        return piece.command.clone();
    }
    desk.peek(|chair| listed_under(&chair.roster, key))
}

/// The command whose heading stands above a line of the order of battle.
fn listed_under(roster: &[RosterLine], key: &str) -> Option<String> {
    let place = roster.iter().position(|line| line.key.as_deref() == Some(key))?;
    let depth = roster.get(place)?.depth;
    let above = roster.iter().take(place).rev().find(|line| line.command.is_some() && line.depth < depth);
    above.map(|line| line.name.clone())
}

/// What a piece is to do, with what it spends.
fn words(hand: &Hand, key: &str, label: String) -> String {
    let ghosts = hand.judged.as_ref().map(|judged| judged.ghosts.as_slice()).unwrap_or_default();
    let spent = ghosts.iter().find(|ghost| ghost.key == key).map(|ghost| ghost.spent.as_str()).unwrap_or_default();
    if spent.is_empty() { label } else { format!("{label}, {spent}") }
}

/// Whether the plan is one of moves on the map: paths are drawn, not only places pointed at.
fn moves(desk: Desk) -> bool {
    let Some(prompt) = prompt_of(desk) else { return false };
    desk.hand.with_untracked(|hand| hand.planner(&prompt).is_some_and(|(options, ..)| are_moves(options)))
}

fn are_moves(options: &Options) -> bool {
    let is_path = |option: &Gesture| matches!(option, Gesture::DrawPath { draft, .. } if fill::has(draft, blank::LEGS));
    options.iter().flat_map(|(_, options)| options).any(is_path)
}

#[component]
pub fn Planner(desk: Desk) -> impl IntoView {
    let tally = Memo::new(move |_| match prompt_of(desk) {
        Some(prompt) => desk.hand.with(|hand| hand.tally(&prompt)),
        None => Tally::default(),
    });
    let says = move || {
        let Tally { able, moving, owing } = tally.get();
        match moves(desk) {
            true if owing > 0 => format!("{moving} of {able} have a move; {owing} must still go."),
            true => format!("{moving} of {able} have a move; {} stay.", able.saturating_sub(moving)),
            false => format!("{moving} of {able} chosen."),
        }
    };
    let label = move || {
        let prompt = desk.with(|chair| chair.prompt.clone())?;
        desk.hand.with(|hand| hand.making.as_ref().and_then(|(no, _)| prompt.gestures.get(*no)).map(label_of))
    };
    view! {
        <div class="in-hand planner" data-test="in-hand">
            <h3>{label}</h3>
            <p class="tally"><span data-test="tally" role="status">{says}</span>
                <button class="plain small" data-test="next-idle" on:click=move |_| desk.step_piece(true)>"Next" <kbd>"Space"</kbd></button>
                <Clear desk/>
            </p>
            <InPlan desk/>
            <Aide desk/>
            <Ledger desk/>
            <Seal desk/>
        </div>
    }
}

/// A plan to begin with, as an aide would make it.
#[component]
fn Aide(desk: Desk) -> impl IntoView {
    let nothing = Memo::new(move |_| {
        prompt_of(desk).is_some_and(|prompt| desk.hand.with(|hand| hand.tally(&prompt).moving == 0))
    });
    let seed = StoredValue::new(0_u64);
    let suggest = move |_| {
        seed.update_value(|seed| *seed += 1);
        let seed = seed.get_value();
        desk.handle(|hand, at| {
            // The first that has something in it, of what the aide has thought of.
            let _ = at.board.candidates(seed, SUGGESTIONS).iter().find(|order| hand.adopt(at.prompt, order) > 0);
        });
    };
    move || {
        nothing.get().then(|| {
            view! { <p><button class="plain small" data-test="aide" on:click=suggest>"Let an aide suggest something"</button></p> }
        })
    }
}

/// The options of the piece in hand.
#[component]
fn InPlan(desk: Desk) -> impl IntoView {
    let now = Memo::new(move |_| desk.hand.with(|hand| held(desk, hand)));
    move || {
        let Some(held) = now.get() else {
            let words = match moves(desk) {
                true => "Drag a unit to draw its path, or click it to see what it may do.",
                false => "Click a piece on the map, or in the list, to see what it may do.",
            };
            return view! { <p class="tip">{words}</p> }.into_any();
        };
        let Some(prompt) = prompt_of(desk) else { return ().into_any() };
        let options = desk.hand.with_untracked(|hand| {
            hand.planner(&prompt).and_then(|(options, ..)| options.get(held.place)).map(|(_, options)| options.clone())
        });
        let options = options.unwrap_or_default();
        let showing = held.open.as_ref().map_or(held.option, |(option, _)| *option);
        let place = held.place;
        let chip = |(n, option): (usize, &Gesture)| {
            let (label, is) = (label_of(option), n == showing);
            let word = label.clone();
            let key = (n < 9).then(|| view! { <kbd>{n + 1}</kbd> });
            view! {
                <button class="order" class:chosen=is aria-pressed=is.to_string() data-test="option" data-option=word
                    on:click=move |_| desk.handle(|hand, at| hand.open_option(at.board, at.prompt, at.scene, place, n))
                >{label}{key}</button>
            }
        };
        let most = if options.len() <= MOST_OPTIONS + 1 { options.len() } else { MOST_OPTIONS };
        let chips = options.iter().enumerate().take(most).map(chip).collect_view();
        let rest = options.len() - most;
        let more = (rest > 0).then(|| {
            let rest_open = showing >= most;
            let chips = options.iter().enumerate().skip(most).map(chip).collect_view();
            view! {
                <details class="more" open=rest_open><summary>{format!("{rest} more")}</summary><div class="orders">{chips}</div></details>
            }
        });
        let inner = held.open.as_ref().and_then(|(option, making)| {
            options.get(*option).map(|gesture| making::controls(desk, gesture, making.clone()))
        });
        let name = desk.name_of(&held.key);
        let scene = desk.peek(|chair| chair.scene.clone());
        let brigade = scene.and_then(|scene| command_of(desk, &scene, &held.key));
        let can_copy = held.can_copy;
        // A path says itself what it is.
        let phrase = !matches!(held.open, Some((_, Making::Path { .. })));
        view! {
            <section class="held-piece" data-test="held-piece" data-key=held.key.clone()>
                <h4>{name}{brigade.clone().map(|brigade| view! { " "<small>{brigade}</small> })}</h4>
                <div class="orders" role="group" aria-label="What it does">{chips}</div>
                {more}
                {brigade.map(|_| view! {
                    <div class="orders of-brigade">
                        <button class="small" data-test="copy-brigade" disabled=!can_copy on:click=move |_| copy(desk)>"Copy to the brigade" <kbd>"c"</kbd></button>
                        <button class="small" data-test="clear-brigade" on:click=move |_| clear(desk)>"Clear the brigade"</button>
                    </div>
                })}
                {inner}
                {phrase.then(|| view! { <Phrase desk/> })}
                <AgainstHeld desk/>
            </section>
        }
        .into_any()
    }
}

/// What the piece in hand is to do, in words.
#[component]
fn Phrase(desk: Desk) -> impl IntoView {
    let words = move || {
        let board = desk.with(|chair| chair.board.clone())?;
        let prompt = prompt_of(desk)?;
        let draft = desk.hand.with(|hand| {
            let key = hand.selected.as_ref()?;
            let place = hand.in_plan(&prompt, key)?;
            let slot = hand.planner(&prompt)?.1.get(place)?.as_ref();
            hand.single_draft(&prompt).filter(|_| !is_staying(slot) && !hand.dragging)
        })?;
        Some(board.phrase(&draft))
    };
    view! { <p class="phrase" data-test="phrase">{words}</p> }
}

/// Gives the brigade what the piece in hand was given.
pub fn copy(desk: Desk) {
    let mut count = 0;
    desk.handle(|hand, at| count = hand.copy_to_brigade(at.prompt, at.scene));
    if count == 0 {
        desk.toast.set(Some("Nobody else of the brigade can do the same".to_owned()));
    }
}

/// The whole brigade stays.
pub fn clear(desk: Desk) {
    desk.handle(|hand, at| {
        if let Some(key) = hand.selected.clone() {
            let mut keys = hand.brigade_of(at.prompt, at.scene, &key);
            keys.push(key);
            hand.stay(at.prompt, &keys);
        }
    });
}

/// What the rules say against the plan: of the piece in hand first, then of nobody in particular, then of the others.
fn against(hand: &Hand) -> Option<Vec<Reason>> {
    let judged = hand.judged.as_ref()?;
    let verdict = match &judged.verdict {
        Ok(verdict) => verdict,
        Err(why) => {
            return Some(vec![Reason { of: None, clause: String::new(), text: why.clone(), among: Vec::new() }]);
        }
    };
    let whom = judged.about.iter().zip(&judged.among);
    let mut reasons: Vec<Reason> = verdict
        .refusals
        .iter()
        .zip(whom)
        .map(|(note, (about, among))| Reason {
            of: about.clone(),
            clause: note.clause.to_string(),
            text: note.text.to_string(),
            among: among.clone(),
        })
        .collect();
    reasons.sort_by_key(|reason| match &reason.of {
        of @ Some(_) if *of == hand.selected => 0,
        None => 1,
        Some(_) => 2,
    });
    Some(reasons)
}

/// What speaks against the piece in hand, beside what it may do.
#[component]
fn AgainstHeld(desk: Desk) -> impl IntoView {
    let mine = Memo::new(move |_| {
        desk.hand.with(|hand| {
            let mine = |reason: &Reason| reason.of.is_some() && reason.of == hand.selected;
            against(hand).unwrap_or_default().into_iter().filter(mine).collect::<Vec<Reason>>()
        })
    });
    move || {
        let lines = mine.get();
        (!lines.is_empty()).then(|| {
            let lines = lines.into_iter().map(|Reason { clause, text, .. }| {
                view! { <li class="refusal">{text}" "<ClauseLink desk clause/></li> }
            });
            view! { <ul class="reasons">{lines.collect_view()}</ul> }
        })
    }
}

/// A reason with the pieces it is about, each a short way to it.
fn reason_line(desk: Desk, Reason { of, clause, text, among }: Reason) -> AnyView {
    let button = move |key: String| {
        let name = desk.name_of(&key);
        view! {
            <button class="small refused-piece" data-test="refused-piece" data-key=key.clone()
                on:click=move |_| desk.select(Some(key.clone()))>{name}</button>
        }
    };
    let rest = among.len().saturating_sub(MOST_NAMED);
    let more = (rest > 0).then(|| format!(" and {rest} more"));
    let still = (!among.is_empty()).then(|| {
        let named = among.into_iter().take(MOST_NAMED).map(button).collect_view();
        view! { <span class="still">"Still to go: "{named}{more}</span> }
    });
    view! { <li class="refusal">{of.map(button)}{text}" "<ClauseLink desk clause/>{still}</li> }.into_any()
}

/// The moves so far by brigade.
#[component]
fn Ledger(desk: Desk) -> impl IntoView {
    let brigades = Memo::new(move |last: Option<&Vec<Brigade>>| {
        desk.hand.with(|hand| match last {
            // A piece under the pointer has no place in the book yet.
            Some(last) if hand.dragging => last.clone(),
            _ => ledger(desk, hand),
        })
    });
    // Where every brigade has one line, headings would only hide it.
    let flat = Memo::new(move |_| brigades.with(|list| list.iter().all(|brigade| brigade.rows.len() == 1)));
    let named = |one: Brigade| {
        let name = one.name;
        one.rows.into_iter().map(move |row| Row { name: format!("{}, {name}", row.name), ..row })
    };
    let rows = move || brigades.get().into_iter().flat_map(named).map(|row| line(desk, row)).collect_view();
    let names =
        Memo::new(move |_| brigades.with(|list| list.iter().map(|brigade| brigade.name.clone()).collect::<Vec<_>>()));
    let by_brigade = move || {
        names.get().into_iter().enumerate().map(|(n, name)| {
                let title = name.clone();
                let one = Memo::new(move |_| brigades.with(|list| list.get(n).cloned()));
                let says = move || one.with(|one| one.as_ref().map(|one| {
                    let moving = one.rows.iter().filter(|row| row.does.is_some()).count();
                    let owing = one.rows.iter().filter(|row| row.owing).count();
                    let owing = if owing > 0 { format!(", {owing} to go") } else { String::new() };
                    format!("{moving} of {}{owing}", one.rows.len())
                }));
                let wrong = move || one.with(|one| one.as_ref().is_some_and(|one| one.rows.iter().any(|row| row.refused || row.owing)));
                view! {
                    <details class="brigade" class:refused=wrong data-test="brigade" data-name=name>
                        <summary><span>{title}</span>" "<small>{says}</small></summary>
                        <ul>{move || one.get().map(|one| one.rows.into_iter().map(|row| line(desk, row)).collect_view())}</ul>
                    </details>
                }
            }).collect_view()
    };
    view! {
        <div class="ledger" data-test="ledger">
            {move || if flat.get() {
                view! { <ul class="flat">{rows}</ul> }.into_any()
            } else {
                by_brigade().into_any()
            }}
        </div>
    }
}

fn line(desk: Desk, row: Row) -> AnyView {
    let (key, idle) = (row.key.clone(), row.does.is_none());
    let does = match (row.does, row.owing) {
        (Some(does), false) => does,
        (Some(does), true) => format!("{does}: not enough"),
        (None, false) => row.or_else,
        (None, true) => "must still go".to_owned(),
    };
    view! {
        <li class:refused=row.refused class:owing=row.owing class:idle=idle>
            <button class="plain ledger-row" data-test="planned" data-key=row.key on:click=move |_| desk.select(Some(key.clone()))>
                <span>{row.name}</span>" "<small>{does}</small>
            </button>
        </li>
    }
    .into_any()
}

/// Clears the plan, at the second press.
#[component]
fn Clear(desk: Desk) -> impl IntoView {
    let sure = RwSignal::new(false);
    let nothing =
        Memo::new(move |_| prompt_of(desk).is_none_or(|prompt| desk.hand.with(|hand| hand.tally(&prompt).moving == 0)));
    let clear_all = move |_| {
        if sure.get_untracked() {
            desk.handle(|hand, at| {
                let keys = hand
                    .planner(at.prompt)
                    .map(|(options, ..)| options.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>());
                hand.stay(at.prompt, &keys.unwrap_or_default());
            });
        }
        sure.update(|sure| *sure = !*sure);
    };
    view! {
        <button class="plain small" data-test="clear-plan" disabled=move || nothing.get() on:click=clear_all>
            {move || if sure.get() { "Really clear it" } else { "Clear" }}</button>
    }
}

/// Gives the plan, or says why not. The reasons lie open while nobody is in hand.
#[component]
fn Seal(desk: Desk) -> impl IntoView {
    let legal = Memo::new(move |_| {
        desk.hand.with(|hand| !hand.dragging && hand.judged.as_ref().is_some_and(hand::Judged::is_legal))
    });
    let sealed = move || {
        desk.with(|chair| chair.board.as_ref().and_then(|board| board.awaited()))
            .is_some_and(|(_, sides)| sides.len() > 1)
    };
    // Holding fire with a whole army should not look like the thing to do.
    let nobody = Memo::new(move |_| {
        let prompt = desk.with(|chair| chair.prompt.clone());
        prompt.is_some_and(|prompt| desk.hand.with(|hand| hand.tally(&prompt).moving == 0) && !moves(desk))
    });
    let reasons = Memo::new(move |last: Option<&Vec<Reason>>| {
        desk.hand.with(|hand| against(hand).or_else(|| last.cloned()).unwrap_or_default())
    });
    let in_hand = Memo::new(move |_| desk.hand.with(|hand| hand.selected.is_some()));
    let wish = RwSignal::new(None::<bool>);
    Effect::new(move |_| {
        in_hand.track();
        wish.set(None);
    });
    let narrow = window().inner_width().ok().and_then(|width| width.as_f64()).is_some_and(|width| width <= NARROW);
    let open = Memo::new(move |_| wish.get().unwrap_or(!in_hand.get() && !narrow));
    let list = move || {
        let list = open.get().then(|| reasons.get()).filter(|reasons| !reasons.is_empty())?;
        let rest = list.len().saturating_sub(MOST_REASONS);
        let lines = list.into_iter().take(MOST_REASONS).map(|reason| reason_line(desk, reason)).collect_view();
        let rest = (rest > 0).then(|| view! { <li class="refusal">{format!("and {rest} more")}</li> });
        Some(view! { <ul class="reasons" data-test="reasons" role="status">{lines}{rest}</ul> })
    };
    let why = move || {
        let count = reasons.with(Vec::len);
        (count > 0).then(|| {
            let words = if count == 1 { "1 reason".to_owned() } else { format!("{count} reasons") };
            view! {
                <button class="plain small why" data-test="why" aria-expanded=move || open.get().to_string()
                    on:click=move |_| wish.set(Some(!open.get_untracked()))>{words}</button>
            }
        })
    };
    view! {
        <div class="give sealing">
            {list}
            {(!desk.plans_at_once()).then(|| view! {
                <button class="plain" data-test="cancel" on:click=move |_| desk.cancel()>"Cancel" <kbd>"Esc"</kbd></button>
            })}
            {why}
            <button class="last" class:chief=move || !nobody.get() data-test="give"
                disabled=move || !legal.get() || desk.with(|chair| chair.waiting.is_some())
                on:click=move |_| desk.give_judged()>
                {move || match (nobody.get(), sealed()) {
                    (true, _) => "With nobody chosen",
                    (false, true) => "Seal the plan",
                    (false, false) => "Give the orders",
                }} <kbd>"Enter"</kbd>
            </button>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Seed, Side, Viewer};

    /// Naming brigades points at places, too, and is no plan of moves.
    #[test]
    fn only_a_plan_with_paths_is_one_of_moves() {
        let path = |blank: &str| Gesture::DrawPath {
            label: String::new(),
            unit: "@a".to_owned(),
            allowance: table::Length::ZERO,
            draft: serde_json::json!({ "to": blank }),
        };
        let options = |gesture: Gesture| vec![("@a".to_owned(), vec![gesture])];
        assert!(are_moves(&options(path("$legs"))));
        assert!(!are_moves(&options(path("$point"))));
    }

    #[test]
    fn whoever_is_not_on_the_table_yet_is_listed_under_his_brigade() {
        let text = rules::scenario("guns/magenta").unwrap().text;
        let game = rules::start(text, None, Seed::from_number(1)).unwrap();
        let roster = game.board(Viewer::Side(Side::A)).roster();
        assert_eq!(listed_under(&roster, "@lefebvre-skirmishers").as_deref(), Some("1st Brigade"));
        assert_eq!(listed_under(&roster, "@motterouge").as_deref(), Some("Division La Motterouge"));
        assert_eq!(listed_under(&roster, "@nobody"), None);
    }
}
