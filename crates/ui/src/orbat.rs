//! The order of battle: a tree that selects, and tells at a glance how everybody is.

use crate::desk::Desk;
use engine::Side;
use engine::scene::{Badge, PieceKind, RosterLine, Tone};
use engine::state::Whereabouts;
use leptos::prelude::*;

#[component]
pub fn OrderOfBattle(desk: Desk) -> impl IntoView {
    let sides = move || {
        let (roster, names) = desk.with(|chair| {
            let names = chair.scene.as_ref().map(|scene| scene.sides.clone()).unwrap_or_default();
            (chair.roster.as_ref().clone(), names)
        });
        // One's own army first.
        let mut order = Side::BOTH;
        if desk.side() == Some(Side::B) {
            order.reverse();
        }
        order.map(|side| {
            let lines: Vec<RosterLine> = roster.iter().filter(|line| line.side == side).cloned().collect();
            let name = names.get(side.index()).cloned().unwrap_or_default();
            view! {
                <h3 class=if side == Side::A { "side first" } else { "side second" }>{name}</h3>
                <ul>{folded(lines).into_iter().map(|fold| match fold {
                    Fold::Line(line) => row(desk, line),
                    Fold::Away(lines) => away(desk, lines),
                }).collect_view()}</ul>
            }
        })
    };
    view! {
        <nav class="orbat" aria-label="Order of battle" data-test="orbat">
            <h2>"Order of battle"</h2>
            {sides}
        </nav>
    }
}

/// A line of its own, or several that are told as one.
enum Fold {
    Line(RosterLine),
    Away(Vec<RosterLine>),
}

/// Whoever of a command is not on the table while others of it are is folded away, so that the tree shows who fights:
/// skirmishers not sent out yet, guns still on the road.
fn folded(lines: Vec<RosterLine>) -> Vec<Fold> {
    let mut folds = Vec::new();
    let is_command = |line: &RosterLine| line.key.is_none();
    let is_away = |line: &RosterLine| !is_command(line) && line.whereabouts == Whereabouts::OffTable;
    let mut rest = lines.into_iter().peekable();
    while let Some(first) = rest.next() {
        let mut group = vec![first];
        while let Some(line) = rest.next_if(|line| !is_command(line) && line.depth >= group[0].depth) {
            group.push(line);
        }
        let fights = group.iter().any(|line| !is_command(line) && !is_away(line));
        let (off, there): (Vec<_>, Vec<_>) = group.into_iter().partition(|line| fights && is_away(line));
        folds.extend(there.into_iter().map(Fold::Line));
        match off.len() {
            0 => {}
            1 => folds.extend(off.into_iter().map(Fold::Line)),
            _ => folds.push(Fold::Away(off)),
        }
    }
    folds
}

fn away(desk: Desk, lines: Vec<RosterLine>) -> AnyView {
    let indent = lines.first().map(|line| format!("padding-left:{}rem", 0.7 * f32::from(line.depth)));
    let says = format!("{} not on the table yet", lines.len());
    let rows = lines.into_iter().map(|line| row(desk, line)).collect_view();
    view! { <li><details class="away"><summary style=indent>{says}</summary><ul>{rows}</ul></details></li> }.into_any()
}

fn row(desk: Desk, line: RosterLine) -> AnyView {
    let indent = format!("padding-left:{}rem", 0.7 * f32::from(line.depth));
    let Some(key) = line.key.clone() else {
        return view! { <li class="command" style=indent>{line.name}</li> }.into_any();
    };
    let away = match line.whereabouts {
        Whereabouts::OnTable => None,
        Whereabouts::Hidden => Some("hidden"),
        Whereabouts::OffTable => Some("not on the table yet"),
        Whereabouts::Gone => Some("gone"),
        Whereabouts::Unseen => Some("unseen"),
    };
    let gone = line.whereabouts == Whereabouts::Gone;
    let (chosen, pressed, picked) = (key.clone(), key.clone(), key.clone());
    view! {
        <li style=indent>
            <button
                class="unit"
                class:gone=gone
                class:chosen=move || desk.hand.with(|hand| hand.selected.as_deref() == Some(chosen.as_str()))
                aria-pressed=move || desk.hand.with(|hand| hand.selected.as_deref() == Some(pressed.as_str())).to_string()
                data-test="unit"
                data-key=key
                on:click=move |_| desk.select(Some(picked.clone()))
            >
                <span class=sign_class(line.kind, line.side) aria-hidden="true"></span>
                <span class="name">{line.name}</span>
                <span class="badges">
                    {away.map(|word| view! { <small>{word}</small> })}
                    {line.badges.into_iter().map(badge).collect_view()}
                </span>
            </button>
        </li>
    }
    .into_any()
}

/// A sign with its words, so that colour is never the only one.
pub fn badge(badge: Badge) -> AnyView {
    let tone = match badge.tone {
        Tone::Calm => "badge calm",
        Tone::Note => "badge note",
        Tone::Alarm => "badge alarm",
    };
    let words = badge.text.clone();
    view! { <span class=tone title=words><span aria-hidden="true">{badge.sign}</span><span class="visually-hidden">{badge.text}</span></span> }
        .into_any()
}

fn sign_class(kind: Option<PieceKind>, side: Side) -> String {
    let arm = match kind {
        Some(PieceKind::Horse) => "horse",
        Some(PieceKind::Guns | PieceKind::LimberedGuns) => "guns",
        Some(PieceKind::General | PieceKind::ChiefGeneral) => "general",
        Some(PieceKind::Courier) => "courier",
        Some(PieceKind::Sharpshooter) => "marksman",
        Some(PieceKind::Foot | PieceKind::Sign(_)) | None => "foot",
    };
    format!("sign {arm} {}", if side == Side::A { "first" } else { "second" })
}
