//! Controls for the order being made, one kind for each gesture; all of them work by keyboard.

use crate::desk::Desk;
use crate::hand::{self, Hand, Making, Open, option_of};
use crate::pointer::{choose_key, wanted};
use crate::steer::{self, Tool};
use engine::blanks::{self as fill, blank};
use engine::scene::{Gesture, PlanKind};
use leptos::prelude::*;
use table::march::Leg;
use table::{Angle, Length, Unit};

/// What the controls show of the gesture in hand: legs still under the pointer belong to the map.
fn current(desk: Desk) -> Option<(usize, Making)> {
    let (no, mut making) = desk.hand.with(|hand| hand.making.clone())?;
    let work = match &mut making {
        Making::Each { open: Some(open), .. } => &mut open.inner,
        making => making,
    };
    if let Making::Path { live, .. } = work {
        live.clear();
    }
    Some((no, making))
}

#[component]
pub fn MakingControls(desk: Desk) -> impl IntoView {
    let now = Memo::new(move |_| current(desk));
    move || {
        let (no, making) = now.get()?;
        let gesture = desk.peek(|chair| chair.prompt.as_ref()?.gestures.get(no).cloned())?;
        Some(controls(desk, &gesture, making))
    }
}

/// The controls of one gesture; those of a plan hold those of the option being filled in.
pub fn controls(desk: Desk, gesture: &Gesture, making: Making) -> AnyView {
    match making {
        Making::Press => ().into_any(),
        Making::Piece(chosen) | Making::Target(chosen) => choices(desk, chosen.as_deref()),
        Making::Path { legs, tool, .. } => path(desk, &legs, tool),
        Making::Place(place) => {
            let words = if place.is_some() { "Click elsewhere to change it." } else { "Click the place on the map." };
            view! { <p class="tip">{words}</p> }.into_any()
        }
        Making::Form { into, facing } => formation(desk, gesture, into, facing),
        Making::Lay { bearing, distance } => lay(desk, bearing, distance),
        Making::Blocks { target, cells } => {
            let choose = (target.is_none()).then(|| choices(desk, None));
            view! { {choose}{crate::blocks::controls(desk, gesture, target.as_deref(), &cells)} }.into_any()
        }
        Making::Deal { owners, held } => crate::deal::controls(desk, gesture, &owners, held),
        Making::SetUp { draft, held } => set_up(desk, gesture, &draft, held.as_deref()),
        Making::Spots(spots) => spots_left(gesture, spots.len()),
        Making::Sequence(order) => sequence(desk, &order),
        Making::Subset(chosen) => subset(desk, gesture, &chosen),
        Making::Each { chosen, open } => each(desk, gesture, &chosen, open),
    }
}

fn choices(desk: Desk, chosen: Option<&str>) -> AnyView {
    let prompt = desk.peek(|chair| chair.prompt.clone());
    let keys = desk.hand.with_untracked(|hand| prompt.map(|prompt| wanted(&prompt, hand))).unwrap_or_default();
    view! {
        <p class="tip">"On the map, or here:"</p>
        <div class="choices" data-test="choices">{keys.into_iter().map(|key| {
            let is = chosen == Some(key.as_str());
            let name = desk.name_of(&key);
            view! {
                <button class="choice" class:chosen=is aria-pressed=is.to_string() data-test="choice" data-key=key.clone()
                    on:click=move |_| choose_key(desk, key.clone())>{name}</button>
            }
        }).collect_view()}</div>
    }
    .into_any()
}

fn path(desk: Desk, legs: &[Leg], tool: Tool) -> AnyView {
    let unit = desk.peek(|chair| chair.scene.as_ref().map(|scene| scene.unit)).unwrap_or_default();
    let pace = steer::pace(unit);
    let (sign, said) = match unit {
        Unit::Inch => ("½″", "half an inch"),
        Unit::Centimetre => ("1 cm", "a centimetre"),
    };
    let wheel = |left: bool| Leg::Wheel {
        pivot: if left { table::Flank::Left } else { table::Flank::Right },
        by: Angle::whole(5),
    };
    let step = move |label: String, title: String, leg: Leg| {
        view! {
            <button class="step" title=title.clone() aria-label=title on:click=move |_| desk.handle(|hand, _| hand.add_leg(leg))>{label}</button>
        }
    };
    let go = |arrow: &str, way: &str, leg: Leg| step(format!("{arrow} {sign}"), format!("{said} {way}"), leg);
    let listed: Vec<String> = legs.iter().map(|leg| steer::leg_words(leg, unit)).collect();
    view! {
        <p class="tip path-tip">"Drag the unit; drag its ghost on to add a leg. Arrow keys step."</p>
        <div class="tools" role="radiogroup" aria-label="How the pointer is read">{Tool::ALL.map(|one| view! {
            <button role="radio" aria-checked=(one == tool).to_string() class:chosen=one == tool title=one.about()
                on:click=move |_| desk.handle(|hand, _| {
                    if let Some(Making::Path { tool, .. }) = hand.work_mut() {
                        *tool = one;
                    }
                })>{one.label()}</button>
        })}</div>
        <div class="steps">
            {go("↑", "ahead", Leg::Ahead(pace))}
            {go("↓", "back", Leg::Back(pace))}
            {step("↶ 5°".to_owned(), "wheel left by five degrees".to_owned(), wheel(true))}
            {step("↷ 5°".to_owned(), "wheel right by five degrees".to_owned(), wheel(false))}
            {go("←", "to the left", Leg::Sideways(-pace))}
            {go("→", "to the right", Leg::Sideways(pace))}
            {step("⟲ 180°".to_owned(), "turn about".to_owned(), Leg::About)}
        </div>
        {(!listed.is_empty()).then(|| view! {
            <p class="legs" data-test="legs">{listed.join(", then ")}" "
                <button class="plain small" on:click=move |_| desk.handle(|hand, _| { hand.drop_leg(); })>"Undo leg" <kbd>"⌫"</kbd></button>
            </p>
        })}
    }
    .into_any()
}

fn formation(desk: Desk, gesture: &Gesture, into: usize, facing: Option<Angle>) -> AnyView {
    let words = match gesture {
        Gesture::PickFormation { into, .. } => into.clone(),
        _ => Vec::new(),
    };
    let may_face = fill::has(hand::draft_of(gesture), blank::FACING);
    let turn = move |by: i32| {
        desk.handle(|hand, at| turn_facing(hand, at.scene, by));
    };
    let says = facing.map_or("as it stands".to_owned(), |facing| format!("{:.0}°", facing.as_degrees()));
    view! {
        <div class="tools" role="radiogroup" aria-label="Formation">{words.into_iter().enumerate().map(|(n, word)| view! {
            <button role="radio" aria-checked=(n == into).to_string() class:chosen=n == into data-test="formation" data-formation=word.clone()
                on:click=move |_| desk.handle(|hand, _| {
                    if let Some(Making::Form { into, .. }) = hand.work_mut() {
                        *into = n;
                    }
                })>{word.replace('_', " ")}</button>
        }).collect_view()}</div>
        {may_face.then(|| view! {
            <p class="tip">"Facing: " {says} ". Drag on the map to turn it. "
                <button class="step" on:click=move |_| turn(-15)>"↶ 15°"</button>
                <button class="step" on:click=move |_| turn(15)>"↷ 15°"</button>
            </p>
        })}
    }
    .into_any()
}

/// Turns the facing of a change of formation, beginning from the facing the piece has.
pub fn turn_facing(hand: &mut Hand, scene: &engine::scene::Scene, by: i32) {
    let now = hand.selected.as_ref().and_then(|key| scene.pieces.iter().find(|piece| piece.key == *key));
    let now = now.map_or(Angle::NORTH, |piece| piece.pose.facing);
    if let Some(Making::Form { facing, .. }) = hand.work_mut() {
        *facing = Some(facing.unwrap_or(now) + Angle::whole(by));
    }
}

fn lay(desk: Desk, bearing: Angle, distance: Length) -> AnyView {
    let set = move |change: fn(&mut Angle, &mut Length, f64), by: f64| {
        desk.handle(|hand, _| {
            if let Some(Making::Lay { bearing, distance }) = hand.work_mut() {
                change(bearing, distance, by);
            }
        });
    };
    let farther = |_: &mut Angle, distance: &mut Length, by: f64| {
        *distance = (*distance + Length::inches(by)).max(Length::inches(0.5));
    };
    let turn = |bearing: &mut Angle, _: &mut Length, by: f64| *bearing = *bearing + Angle::degrees(by);
    view! {
        <p class="tip">"Point on the map for the direction; the distance is your guess."</p>
        <div class="dial">
            <label for="guess">"Guess"</label>
            <input id="guess" data-test="guess" type="number" min="0.5" step="0.5" prop:value=format!("{:.1}", distance.as_inches())
                on:change=move |event| {
                    if let Ok(inches) = event_target_value(&event).parse::<f64>() {
                        desk.handle(|hand, _| {
                            if let Some(Making::Lay { distance, .. }) = hand.work_mut() {
                                *distance = Length::inches((inches.clamp(0.5, 200.0) * 2.0).round() / 2.0);
                            }
                        });
                    }
                }/>
            <span>"inches"</span>
            <button class="step" on:click=move |_| set(farther, -0.5)>"−½"</button>
            <button class="step" on:click=move |_| set(farther, 0.5)>"+½"</button>
        </div>
        <p class="tip">"Bearing " {format!("{:.0}°", bearing.as_degrees())} " "
            <button class="step" on:click=move |_| set(turn, -1.0)>"↶ 1°"</button>
            <button class="step" on:click=move |_| set(turn, 1.0)>"↷ 1°"</button>
        </p>
    }
    .into_any()
}

fn set_up(desk: Desk, gesture: &Gesture, draft: &serde_json::Value, held: Option<&str>) -> AnyView {
    let formations = match gesture {
        Gesture::Plan { kind: PlanKind::Place { formations, .. }, .. } => formations.clone(),
        _ => Vec::new(),
    };
    let seed = StoredValue::new(1_u64);
    let again = move |_| {
        seed.update_value(|seed| *seed += 1);
        let tries = seed.get_value();
        let mut found = false;
        desk.handle(|hand, at| {
            let other = at.board.candidates(tries, 2).into_iter().next_back();
            if let (Some(other), Some((_, Making::SetUp { draft, .. }))) = (other, &mut hand.making)
                && !hand::placements(&other).is_empty()
            {
                found = *draft != other;
                *draft = other;
            }
        });
        if !found {
            desk.toast.set(Some("The aide has no other idea: drag them where you want them".to_owned()));
        }
    };
    let of_held = held.map(|key| {
        let words = formations.iter().find(|(piece, _)| piece == key).map(|(_, words)| words.clone());
        let (name, key) = (desk.name_of(key), key.to_owned());
        view! {
            <p class="held"><b>{name}</b>" "
                {words.unwrap_or_default().into_iter().map(|word| {
                    let (key, shown) = (key.clone(), word.replace('_', " "));
                    view! { <button class="step" on:click=move |_| reform(desk, &key, &word)>{shown}</button> }
                }).collect_view()}
            </p>
        }
    });
    let count = hand::placements(draft).len();
    // Aides have ideas for the whole army only.
    let open = fill::has(hand::draft_of(gesture), blank::PLAN);
    view! {
        <p class="tip" data-test="set-up">{match count {
            0 => "They stand as the scenario places them.".to_owned(),
            _ => format!("{count} pieces set up as an aide suggests. Drag them; the round handle turns them. Give the order to take it as it stands."),
        }}</p>
        {of_held}
        {open.then(|| view! { <p><button class="plain small" on:click=again>"Another suggestion"</button></p> })}
    }
    .into_any()
}

fn reform(desk: Desk, key: &str, word: &str) {
    desk.handle(|hand, _| {
        if let Some((_, Making::SetUp { draft, .. })) = &mut hand.making {
            hand::replace(draft, key, &mut |fields| {
                if fields.contains_key("formation") {
                    fields.insert("formation".to_owned(), word.into());
                }
            });
        }
    });
}

fn spots_left(gesture: &Gesture, marked: usize) -> AnyView {
    let most = match gesture {
        Gesture::Plan { pieces, .. } => pieces.len(),
        _ => 0,
    };
    view! { <p class="tip">{format!("{marked} of {most} marked. Click the map to mark a spot, click a mark to lift it.")}</p> }.into_any()
}

fn sequence(desk: Desk, order: &[String]) -> AnyView {
    let rows = order.iter().enumerate().map(|(n, key)| {
        let name = desk.name_of(key);
        let raise = move |_| {
            desk.handle(|hand, _| {
                if let Some((_, Making::Sequence(order))) = &mut hand.making
                    && n > 0
                {
                    order.swap(n, n - 1);
                }
            });
        };
        view! { <li>{name}" "<button class="step" aria-label="earlier" disabled=n == 0 on:click=raise>"↑"</button></li> }
    });
    view! { <ol class="sequence">{rows.collect_view()}</ol> }.into_any()
}

/// Tick whoever is to do it; a click on the map ticks too.
fn subset(desk: Desk, gesture: &Gesture, chosen: &[String]) -> AnyView {
    let Gesture::Plan { kind: PlanKind::Subset { notes }, pieces, .. } = gesture else { return ().into_any() };
    let rows = pieces.iter().zip(notes).map(|(key, note)| {
        let (name, is) = (desk.name_of(key), chosen.contains(key));
        let (piece, note) = (key.clone(), note.clone());
        view! {
            <li><label>
                <input type="checkbox" data-test="subset" data-key=key.clone() prop:checked=is
                    on:change=move |_| desk.handle(|hand, at| hand.toggle(at.prompt, &piece))/>
                " "{name}" "<small class="tip">{note}</small>
            </label></li>
        }
    });
    let rows = rows.collect_view();
    view! {
        <p class="tip">{format!("{} of {} chosen. Click a unit on the map, or tick it here.", chosen.len(), pieces.len())}</p>
        <ul class="subset">{rows}</ul>
    }
    .into_any()
}

fn each(desk: Desk, gesture: &Gesture, chosen: &[Option<(usize, serde_json::Value)>], open: Option<Open>) -> AnyView {
    let options = match gesture {
        Gesture::Plan { kind: PlanKind::Each { options }, .. } => options.clone(),
        _ => Vec::new(),
    };
    let inner = open.as_ref().and_then(|open| {
        let option = option_of(gesture, open.piece, open.option)?;
        Some(controls(desk, option, (*open.inner).clone()))
    });
    let at = open.map(|open| (open.piece, open.option));
    let rows = options.into_iter().enumerate().map(|(piece, (key, options))| {
        let name = desk.name_of(&key);
        let now = chosen.get(piece).and_then(|slot| slot.as_ref().map(|(option, _)| *option));
        let waiting = at.filter(|(open, _)| *open == piece).map(|(_, option)| option);
        let list = options.iter().enumerate().map(|(n, option)| {
            view! { <option value=n.to_string() selected=now == Some(n) || waiting == Some(n)>{hand::label_of(option)}</option> }
        });
        let list = list.collect_view();
        view! {
            <li><span>{name}</span>" "
                <select data-test="each" on:change=move |event| {
                    if let Ok(option) = event_target_value(&event).parse() {
                        desk.handle(|hand, at| hand.open_option(at.board, at.prompt, at.scene, piece, option));
                    }
                }>
                    <option value="" selected=now.is_none() && waiting.is_none()>"which order?"</option>
                    {list}
                </select>
            </li>
        }
    });
    let rows = rows.collect_view();
    view! {
        <ul class="each">{rows}</ul>
        {inner}
    }
    .into_any()
}
