//! Dice dealt to commands: a die is dragged onto a command's row or onto its general, or taken up with one click and
//! put down with the next; the arrows do the same.

use crate::desk::Desk;
use crate::dice;
use crate::hand::{Hand, Making};
use engine::scene::{Gesture, Prompt};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::PointerEvent;

/// Dice that are dealt have so many faces.
const FACES: u32 = 6;

/// A press that moves less is a click.
const STILL: f64 = 6.0;

impl Hand {
    /// Takes a die up, or lets go of it.
    pub fn take_die(&mut self, die: Option<usize>) {
        if let Some((_, Making::Deal { held, .. })) = &mut self.making {
            *held = die;
        }
    }

    /// Whether dice are to be dealt and all of them lie there still.
    pub fn has_dealt_nothing(&self) -> bool {
        matches!(&self.making, Some((_, Making::Deal { owners, .. })) if owners.iter().all(Option::is_none))
    }

    /// Gives a die to a command, or to nobody; whatever die that command had goes back.
    pub fn give_die(&mut self, die: usize, to: Option<usize>) {
        if let Some((_, Making::Deal { owners, held })) = &mut self.making {
            for owner in owners.iter_mut().filter(|owner| owner.is_some() && **owner == to) {
                *owner = None;
            }
            if let Some(owner) = owners.get_mut(die) {
                *owner = to;
            }
            *held = None;
        }
    }

    /// The arrows: to the side another die, up and down another command for it.
    pub fn turn_die(&mut self, prompt: &Prompt, across: i32, up: i32) {
        let Some((no, Making::Deal { owners, held })) = &mut self.making else { return };
        let Some(Gesture::DealDice { to, .. }) = prompt.gestures.get(*no) else { return };
        let (dice, rows) = (owners.len() as i32, to.len() as i32 + 1);
        if dice == 0 {
            return;
        }
        let now = held.map_or(if across < 0 { 0 } else { -1 }, |die| die as i32);
        if across != 0 {
            *held = usize::try_from((now + across).rem_euclid(dice)).ok();
            return;
        }
        let die = held.unwrap_or(0);
        let row = owners.get(die).copied().flatten().map_or(0, |row| row as i32 + 1);
        // Commands that have a die are passed over, so that nobody is robbed on the way.
        let free = |row: &i32| *row == 0 || owners.iter().all(|owner| *owner != usize::try_from(*row - 1).ok());
        let next = (1..=rows).map(|step| (row - up * step).rem_euclid(rows)).find(free).unwrap_or(row);
        self.give_die(die, usize::try_from(next - 1).ok());
        self.take_die(Some(die));
    }
}

/// The number of a command among those dice are dealt to, by the piece that stands for it on the map.
fn command_of(desk: Desk, piece: &str) -> Option<usize> {
    let prompt = desk.peek(|chair| chair.prompt.clone())?;
    let no = desk.hand.with_untracked(|hand| hand.making.as_ref().map(|(no, _)| *no))?;
    let Some(Gesture::DealDice { to, .. }) = prompt.gestures.get(no) else { return None };
    to.iter().position(|key| desk.piece_for(key).as_deref() == Some(piece))
}

fn held(desk: Desk) -> Option<usize> {
    desk.hand.with_untracked(|hand| match &hand.making {
        Some((_, Making::Deal { held, .. })) => *held,
        _ => None,
    })
}

/// The die between two fingers is put down on a piece of the map; without one the piece is looked at.
pub fn drop_on_piece(desk: Desk, piece: &str) {
    match (held(desk), command_of(desk, piece)) {
        (Some(die), Some(to)) => desk.handle(|hand, _| hand.give_die(die, Some(to))),
        _ => desk.select(Some(piece.to_owned())),
    }
}

/// What lies under a die that is let go: the row of a command, or the place the dice lie in.
enum Under {
    Row(usize),
    Pool,
    Elsewhere,
}

fn under(x: f64, y: f64) -> Under {
    let hit = document().element_from_point(x as f32, y as f32);
    let row = hit.as_ref().and_then(|hit| hit.closest("[data-deal-to]").ok().flatten());
    let number = row.and_then(|row| row.get_attribute("data-deal-to")).and_then(|number| number.parse().ok());
    let pool = || hit.as_ref().and_then(|hit| hit.closest("[data-deal-pool]").ok().flatten());
    match number {
        Some(row) => Under::Row(row),
        None if pool().is_some() => Under::Pool,
        None => Under::Elsewhere,
    }
}

/// A die on its way, where the pointer carries it.
#[derive(Clone, Copy, PartialEq)]
struct Carried {
    die: usize,
    start: (f64, f64),
    at: (f64, f64),
}

impl Carried {
    fn is_dragged(&self) -> bool {
        (self.at.0 - self.start.0).abs().max((self.at.1 - self.start.1).abs()) > STILL
    }
}

fn spot(event: &PointerEvent) -> (f64, f64) {
    (f64::from(event.client_x()), f64::from(event.client_y()))
}

/// The dice, the commands, and the die under the pointer.
pub fn controls(desk: Desk, gesture: &Gesture, owners: &[Option<usize>], held: Option<usize>) -> AnyView {
    let Gesture::DealDice { dice: pips, to, notes, .. } = gesture else { return ().into_any() };
    let carried = RwSignal::new(None::<Carried>);
    let pips = pips.clone();
    let die_button = move |die: usize, pips: u8, dealt: bool| {
        let is_held = held == Some(die);
        view! {
            <button class="die-button" class:chosen=is_held aria-pressed=is_held.to_string() data-test="die" data-die=die
                aria-label=format!("a die showing {pips}{}", if dealt { ", dealt" } else { "" })
                on:pointerdown=move |event| {
                    if let Some(button) = event.current_target().and_then(|target| target.dyn_into::<web_sys::Element>().ok()) {
                        let _ = button.set_pointer_capture(event.pointer_id());
                    }
                    carried.set(Some(Carried { die, start: spot(&event), at: spot(&event) }));
                }
                on:pointermove=move |event| carried.update(|carried| {
                    if let Some(carried) = carried {
                        carried.at = spot(&event);
                    }
                })
                on:pointerup=move |event| {
                    let dragged = carried.get_untracked().is_some_and(|carried| carried.is_dragged());
                    carried.set(None);
                    if dragged {
                        let (x, y) = spot(&event);
                        let_go(desk, die, x, y);
                    } else {
                        desk.handle(|hand, _| hand.take_die((!is_held).then_some(die)));
                    }
                }
                on:pointercancel=move |_| carried.set(None)
                on:click=move |event| {
                    // What the pointer does was seen to when it was let go; this is the key that presses the button.
                    if event.detail() == 0 {
                        desk.handle(|hand, _| hand.take_die((!is_held).then_some(die)));
                    }
                }
            >{dice::die(FACES, u32::from(pips))}</button>
        }
    };
    let pool = pips.iter().copied().enumerate().filter(|(die, _)| owners.get(*die).copied().flatten().is_none());
    let pool = pool.map(|(die, pips)| die_button(die, pips, false)).collect_view();
    let rows = to.iter().enumerate().map(|(row, key)| {
        let name = desk.name_of(key);
        let has = owners.iter().position(|owner| *owner == Some(row));
        let die = has.and_then(|die| pips.get(die).map(|pips| die_button(die, *pips, true)));
        let piece = desk.piece_for(key);
        let note = notes.get(row).cloned();
        view! {
            <li class="deal-row" data-deal-to=row data-test="deal-row" data-key=key.clone()>
                <button class="deal-name" aria-label=format!("{name}{}", if held.is_some() { ": put the die here" } else { "" })
                    on:click=move |_| match held {
                        Some(die) => desk.handle(|hand, _| hand.give_die(die, Some(row))),
                        None => desk.select(piece.clone()),
                    }>{name.clone()}<small>{note}</small></button>
                <span class="deal-slot">{die}</span>
            </li>
        }
    });
    let rows = rows.collect_view();
    let undealt = owners.iter().filter(|owner| owner.is_none()).count();
    let ghost = move || {
        let carried = carried.get().filter(Carried::is_dragged)?;
        let pips = pips.get(carried.die).copied()?;
        let style = format!("left:{:.0}px;top:{:.0}px", carried.at.0, carried.at.1);
        Some(
            view! { <span class="die-carried" style=style aria-hidden="true">{dice::die(FACES, u32::from(pips))}</span> },
        )
    };
    view! {
        <p class="tip">"Drag a die to a command or onto its general, or click one, then the other. What is left over is lost."</p>
        <div class="deal-pool" data-deal-pool="yes" data-test="deal"
            on:click=move |event| {
                let on_pool = event.target() == event.current_target();
                if let Some(die) = held.filter(|_| on_pool) {
                    desk.handle(|hand, _| hand.give_die(die, None));
                }
            }>{pool}{(undealt == 0).then(|| view! { <span class="tip">"all dealt"</span> })}</div>
        <ul class="deal">{rows}</ul>
        {ghost}
    }
    .into_any()
}

fn let_go(desk: Desk, die: usize, x: f64, y: f64) {
    match under(x, y) {
        Under::Row(row) => desk.handle(|hand, _| hand.give_die(die, Some(row))),
        Under::Pool => desk.handle(|hand, _| hand.give_die(die, None)),
        Under::Elsewhere => {
            if let Some(to) = crate::map::piece_on_screen(desk, x, y).and_then(|piece| command_of(desk, &piece)) {
                desk.handle(|hand, _| hand.give_die(die, Some(to)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn dealing() -> (Prompt, Hand) {
        let gesture = Gesture::DealDice {
            dice: vec![6, 2, 4],
            to: vec!["@left".to_owned(), "@right".to_owned()],
            notes: vec![String::new(); 2],
            draft: json!({ "allot": { "deal": "$deal" } }),
        };
        let prompt = Prompt {
            no: engine::DecisionNo(1),
            side: engine::Side::A,
            question: String::new(),
            clause: String::new(),
            gestures: vec![gesture],
        };
        let making = Making::Deal { owners: vec![None; 3], held: None };
        (prompt, Hand { making: Some((0, making)), ..Hand::default() })
    }

    #[test]
    fn each_command_gets_one_die_at_most_and_a_die_may_be_left_over() {
        let (prompt, mut hand) = dealing();
        assert_eq!(hand.draft(&prompt), Some(json!({ "allot": { "deal": [null, null] } })));
        assert!(hand.has_dealt_nothing());
        hand.give_die(0, Some(1));
        assert!(!hand.has_dealt_nothing());
        hand.give_die(2, Some(0));
        assert_eq!(hand.draft(&prompt), Some(json!({ "allot": { "deal": [2, 0] } })));
        hand.give_die(1, Some(0));
        assert_eq!(hand.draft(&prompt), Some(json!({ "allot": { "deal": [1, 0] } })), "the four goes back");
        hand.give_die(1, None);
        assert_eq!(hand.draft(&prompt), Some(json!({ "allot": { "deal": [null, 0] } })));
    }

    #[test]
    fn arrows_choose_a_die_and_walk_it_down_the_commands() {
        let (prompt, mut hand) = dealing();
        hand.turn_die(&prompt, 1, 0);
        hand.turn_die(&prompt, 1, 0);
        hand.turn_die(&prompt, 0, -1);
        assert_eq!(hand.draft(&prompt), Some(json!({ "allot": { "deal": [1, null] } })));
        hand.turn_die(&prompt, 0, -1);
        assert_eq!(hand.draft(&prompt), Some(json!({ "allot": { "deal": [null, 1] } })));
        hand.turn_die(&prompt, 0, -1);
        assert_eq!(hand.draft(&prompt), Some(json!({ "allot": { "deal": [null, null] } })), "and off the end again");
    }

    #[test]
    fn a_die_walks_past_commands_that_have_one() {
        let (prompt, mut hand) = dealing();
        hand.turn_die(&prompt, 1, 0);
        hand.turn_die(&prompt, 0, -1);
        hand.turn_die(&prompt, 1, 0);
        hand.turn_die(&prompt, 0, -1);
        assert_eq!(hand.draft(&prompt), Some(json!({ "allot": { "deal": [0, 1] } })));
        hand.turn_die(&prompt, 0, -1);
        assert_eq!(hand.draft(&prompt), Some(json!({ "allot": { "deal": [0, null] } })), "off the end");
        hand.turn_die(&prompt, 0, 1);
        assert_eq!(hand.draft(&prompt), Some(json!({ "allot": { "deal": [0, 1] } })), "and back from below");
    }
}
