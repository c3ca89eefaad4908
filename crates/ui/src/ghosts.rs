//! Ghosts of the order in hand, one by one: in a plan for a whole army only those that changed are drawn anew.

use crate::desk::Desk;
use crate::hand::{Hand, Judged, Making};
use crate::map::is_crowded;
use crate::overlay;
use crate::pointer::handle_of;
use engine::scene::{Ghost, PieceKind, RosterLine, Scene, ScenePiece};
use leptos::prelude::*;
use picture::{Sheet, escape};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A ghost ready to be drawn.
#[derive(Clone, PartialEq)]
struct Drawn {
    key: String,
    drawing: String,
}

/// How a ghost is drawn, besides where it is.
#[derive(Clone, Copy, PartialEq)]
struct Manner {
    refused: bool,
    held: bool,
    spent: bool,
}

/// Drawings of ghosts that have not changed since.
#[derive(Clone, Default)]
struct Album {
    scene: Option<Rc<Scene>>,
    pages: BTreeMap<String, (Ghost, Manner, String)>,
}

#[component]
pub fn Ghosts(desk: Desk) -> impl IntoView {
    let album = StoredValue::new_local(Album::default());
    let drawn = Memo::new(move |_| {
        let mut list = Vec::new();
        album.update_value(|album| list = draw(desk, album));
        list
    });
    view! {
        <g class="ghosts" data-test="ghost">
            <g inner_html=move || beneath(desk)></g>
            <For each=move || drawn.get() key=|ghost| (ghost.key.clone(), ghost.drawing.clone()) let:ghost>
                <g data-ghost=ghost.key inner_html=ghost.drawing></g>
            </For>
            <g inner_html=move || above(desk)></g>
        </g>
    }
}

fn scene_of(desk: Desk) -> Option<(Rc<Scene>, Sheet)> {
    let scene = desk.with(|chair| chair.scene.clone())?;
    let sheet = Sheet::new(scene.size);
    Some((scene, sheet))
}

/// Whatever the hand or the button under the pointer would do.
fn with_judged<T: Default>(desk: Desk, read: impl FnOnce(&Hand, &Judged) -> T) -> T {
    desk.hand.with(|hand| {
        let glance = desk.glance.get();
        glance.as_ref().or(hand.judged.as_ref()).map(|judged| read(hand, judged)).unwrap_or_default()
    })
}

fn draw(desk: Desk, album: &mut Album) -> Vec<Drawn> {
    let Some((scene, sheet)) = scene_of(desk) else { return Vec::new() };
    if !album.scene.as_ref().is_some_and(|old| Rc::ptr_eq(old, &scene)) {
        *album = Album { scene: Some(Rc::clone(&scene)), pages: BTreeMap::new() };
    }
    let roster = desk.with(|chair| chair.roster.clone());
    with_judged(desk, |hand, judged| {
        let planning = matches!(hand.making, Some((_, Making::Each { .. })));
        let mut pages = BTreeMap::new();
        for ghost in &judged.ghosts {
            let selected = hand.selected.as_ref() == Some(&ghost.key);
            let held =
                matches!(&hand.making, Some((_, Making::SetUp { held, .. })) if held.as_ref() == Some(&ghost.key));
            // Of many pieces only those are red that are to blame: where nobody is named, the one just moved.
            let refused = match hand.making {
                Some((_, Making::Each { .. })) => judged.is_against(&ghost.key),
                Some((_, Making::SetUp { .. })) => judged.is_against(&ghost.key) || held && !judged.is_legal(),
                _ => !judged.is_legal(),
            };
            let manner = Manner { refused, held: held || planning && selected, spent: !planning || selected };
            let page = album.pages.remove(&ghost.key).filter(|(old, as_was, _)| old == ghost && *as_was == manner);
            let page = page.unwrap_or_else(|| {
                let drawing = one(ghost, manner, held, &scene, &roster, &sheet);
                (ghost.clone(), manner, drawing)
            });
            pages.insert(ghost.key.clone(), page);
        }
        album.pages = pages;
        album.pages.iter().map(|(key, (_, _, drawing))| Drawn { key: key.clone(), drawing: drawing.clone() }).collect()
    })
}

fn one(ghost: &Ghost, manner: Manner, handle: bool, scene: &Scene, roster: &[RosterLine], sheet: &Sheet) -> String {
    let mut out = String::new();
    if let Some((piece, _)) = as_piece(ghost, scene, roster) {
        out.push_str(&format!("<g class=\"ghost-piece\">{}</g>", sheet.piece(&piece)));
    }
    let class = if manner.refused { "ghost refused" } else { "ghost" };
    let more = if manner.held { " held" } else { "" };
    out.push_str(&format!(
        "<path class=\"trail\" d=\"{}\"/><g class=\"{class}{more}\"><path class=\"body\" d=\"{}\"/><path class=\"front\" d=\"{}\"/></g>",
        sheet.way(&ghost.trail),
        sheet.stands(&ghost.stands),
        sheet.fronts(&ghost.stands)
    ));
    if handle {
        let (at, flag) = (sheet.at(handle_of(ghost.pose)), sheet.at(ghost.pose.at));
        out.push_str(&format!(
            "<path class=\"handle-arm\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/><circle class=\"handle\" cx=\"{2:.1}\" cy=\"{3:.1}\" r=\"7\"/>",
            flag.x, flag.y, at.x, at.y
        ));
    }
    if manner.spent && !ghost.spent.is_empty() {
        let at = beside(ghost, sheet);
        out.push_str(&format!(
            "<text class=\"spent\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            at.0,
            at.1,
            escape(&ghost.spent)
        ));
    }
    out
}

/// What the gesture shows before there is a whole order.
fn beneath(desk: Desk) -> String {
    let Some((scene, sheet)) = scene_of(desk) else { return String::new() };
    let prompt = desk.with(|chair| chair.prompt.clone());
    desk.hand.with(|hand| overlay::making(desk, hand, prompt.as_deref(), &scene, &sheet))
}

/// Names of those not on the table yet, and marks where a rule speaks against the order.
fn above(desk: Desk) -> String {
    let Some((scene, sheet)) = scene_of(desk) else { return String::new() };
    let roster = desk.with(|chair| chair.roster.clone());
    with_judged(desk, |hand, judged| {
        let mut out = String::new();
        let newcomers = judged.ghosts.iter().filter_map(|ghost| {
            let (piece, is_new) = as_piece(ghost, &scene, &roster)?;
            is_new.then_some(piece)
        });
        let mut newcomers: Vec<ScenePiece> = newcomers.collect();
        if !newcomers.is_empty() {
            let zoom = desk.camera.with(|camera| camera.zoom);
            if is_crowded(newcomers.len(), zoom) {
                newcomers.retain(|piece| {
                    piece.kind == PieceKind::ChiefGeneral || hand.selected.as_ref() == Some(&piece.key)
                });
            }
            let size = (0.92 / zoom.max(0.1)).clamp(0.35, 2.6);
            out.push_str(&sheet.names(&Scene { pieces: newcomers, ..scene.as_ref().clone() }, size));
        }
        // In a plan only what speaks against the piece in hand is drawn: the others are red, and listed.
        let planning = matches!(hand.making, Some((_, Making::Each { .. })));
        if let Ok(verdict) = &judged.verdict {
            for (note, about) in verdict.refusals.iter().zip(&judged.about) {
                if !planning || about.is_none() || *about == hand.selected {
                    out.push_str(&overlay::mark(note, &sheet, scene.unit));
                }
            }
        }
        out
    })
}

/// A ghost as the piece it is of, and whether that piece is not on the table yet.
fn as_piece(ghost: &Ghost, scene: &Scene, roster: &[RosterLine]) -> Option<(ScenePiece, bool)> {
    if let Some(piece) = scene.pieces.iter().find(|piece| piece.key == ghost.key) {
        let there = ScenePiece { pose: ghost.pose, stands: ghost.stands.clone(), looks: Vec::new(), ..piece.clone() };
        return Some((there, false));
    }
    let line = roster.iter().find(|line| line.key.as_deref() == Some(ghost.key.as_str()))?;
    let piece = ScenePiece {
        key: ghost.key.clone(),
        name: line.name.clone(),
        side: line.side,
        kind: line.kind?,
        pose: ghost.pose,
        stands: ghost.stands.clone(),
        formation: String::new(),
        command: None,
        badges: Vec::new(),
        looks: Vec::new(),
    };
    Some((piece, true))
}

/// Just below a ghost on the page, whichever way it looks.
fn beside(ghost: &Ghost, sheet: &Sheet) -> (f64, f64) {
    let corners = ghost.stands.iter().flatten().map(|corner| sheet.at(*corner));
    let (mut left, mut right, mut low) = (f64::MAX, f64::MIN, f64::MIN);
    for corner in corners {
        (left, right, low) = (left.min(corner.x), right.max(corner.x), low.max(corner.y));
    }
    ((left + right) / 2.0, low + 15.0)
}
