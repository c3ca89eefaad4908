//! The map: the ground drawn once, the pieces one by one, the names over them, and the frame that catches the pointer.

use crate::camera::Camera;
use crate::desk::Desk;
use crate::overlay::Overlay;
use crate::pointer::Pointer;
use engine::scene::{PieceKind, Scene, ScenePiece};
use leptos::html::Div;
use leptos::prelude::*;
use picture::Sheet;
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// A piece ready to be drawn: its drawing is its identity, so that only what changed is drawn anew.
#[derive(Clone, PartialEq)]
struct Drawn {
    key: String,
    drawing: String,
    /// Where it stood before, so that it can slide from there.
    from: (f64, f64),
}

#[component]
pub fn Map(desk: Desk) -> impl IntoView {
    let frame = NodeRef::<Div>::new();
    let sheet =
        Signal::derive_local(move || desk.with(|chair| chair.scene.as_ref().map(|scene| Sheet::new(scene.size))));
    let pointer = Pointer::new(desk, frame);
    fit_once(desk, frame);

    let view_box = move || {
        let (w, h) = sheet.get().map_or((1.0, 1.0), |sheet| sheet.page);
        format!("0 0 {w:.1} {h:.1}")
    };
    let placed = move || {
        let camera = desk.camera.get();
        let (w, h) = sheet.get().map_or((1.0, 1.0), |sheet| sheet.page);
        format!(
            "transform:translate({:.1}px,{:.1}px);width:{:.1}px;height:{:.1}px;--shape:{:.4}",
            camera.x,
            camera.y,
            w * camera.zoom,
            h * camera.zoom,
            w / h
        )
    };
    view! {
        <div
            class="map-frame"
            node_ref=frame
            data-test="map"
            on:pointerdown=move |event| pointer.down(&event)
            on:pointermove=move |event| pointer.moved(&event)
            on:pointerup=move |event| pointer.up(&event)
            on:pointercancel=move |event| pointer.lost(&event)
            on:wheel=move |event| pointer.wheel(&event)
        >
            <div class="map-sheet" style=placed>
                <Ground desk/>
                <svg class="layer pieces" viewBox=view_box aria-hidden="true">
                    <Pieces desk/>
                    <Names desk/>
                </svg>
                <Overlay desk/>
            </div>
            <crate::notice::GhostNotice desk/>
            <p class="visually-hidden" role="img" aria-label=move || described(desk)></p>
        </div>
    }
}

/// The table in a sentence, for readers who do not see it.
fn described(desk: Desk) -> String {
    desk.with(|chair| match &chair.scene {
        Some(scene) => {
            let count = |side: engine::Side| scene.pieces.iter().filter(|piece| piece.side == side).count();
            format!(
                "The table of {}: {} pieces of {}, {} of {}. The order of battle lists them.",
                scene.title,
                count(engine::Side::A),
                scene.sides[0],
                count(engine::Side::B),
                scene.sides[1]
            )
        }
        None => "The table is being laid.".to_owned(),
    })
}

/// The ground never changes in a battle, so it is drawn when its features first come, and not again.
#[component]
fn Ground(desk: Desk) -> impl IntoView {
    let scene: RwSignal<Option<Rc<Scene>>, LocalStorage> = RwSignal::new_local(None);
    Effect::new(move |_| {
        let now = desk.with(|chair| chair.scene.clone());
        let same = |old: &Option<Rc<Scene>>| match (old, &now) {
            (Some(old), Some(now)) => old.size == now.size && old.title == now.title && old.features == now.features,
            (None, None) => true,
            _ => false,
        };
        if !scene.with_untracked(same) {
            scene.set(now);
        }
    });
    move || {
        let scene = scene.get()?;
        let sheet = Sheet::new(scene.size);
        let view_box = format!("0 0 {:.1} {:.1}", sheet.page.0, sheet.page.1);
        Some(view! {
            <svg class="layer ground" viewBox=view_box aria-hidden="true" data-ready="table" inner_html=sheet.ground(&scene)></svg>
        })
    }
}

#[component]
fn Pieces(desk: Desk) -> impl IntoView {
    let before: StoredValue<BTreeMap<String, (f64, f64)>> = StoredValue::new(BTreeMap::new());
    let drawn: RwSignal<Vec<Drawn>> = RwSignal::new(Vec::new());
    Effect::new(move |_| {
        let Some(scene) = desk.shown() else { return };
        let sheet = Sheet::new(scene.size);
        let mut places = BTreeMap::new();
        let old = before.get_value();
        let mut pieces: Vec<_> = scene.pieces.iter().collect();
        // Riders stand over the troops they ride with.
        pieces.sort_by_key(|piece| {
            !matches!(piece.kind, PieceKind::Foot | PieceKind::Horse | PieceKind::Guns | PieceKind::LimberedGuns)
        });
        let list = pieces.into_iter().map(|piece| {
            let at = sheet.at(piece.pose.at);
            let was = old.get(&piece.key).copied().unwrap_or((at.x, at.y));
            places.insert(piece.key.clone(), (at.x, at.y));
            Drawn { key: piece.key.clone(), drawing: sheet.piece(piece), from: (was.0 - at.x, was.1 - at.y) }
        });
        let list: Vec<Drawn> = list.collect();
        before.set_value(places);
        drawn.set(list);
    });
    view! {
        <For each=move || drawn.get() key=|piece| (piece.key.clone(), piece.drawing.clone()) let:piece>
            <g
                class="piece"
                data-test="piece"
                data-key=piece.key.clone()
                style=format!("--dx:{:.1}px;--dy:{:.1}px", piece.from.0, piece.from.1)
                inner_html=piece.drawing
            ></g>
        </For>
    }
}

/// Letters keep a readable size on the screen: they are written anew when the map is shown much larger or smaller.
#[component]
fn Names(desk: Desk) -> impl IntoView {
    let size = Memo::new(move |_| {
        let zoom = desk.camera.with(|camera| camera.zoom);
        // Steps of a quarter, so that a pinch does not write every name sixty times a second.
        let wanted = (0.92 / zoom.max(0.1)).clamp(0.35, 2.6);
        (wanted * 4.0).round() as i32
    });
    // Where hundreds would write over each other, only the highest generals and the piece in hand are named.
    let crowded = Memo::new(move |_| {
        is_crowded(desk.shown().map_or(0, |scene| scene.pieces.len()), desk.camera.with(|camera| camera.zoom))
    });
    let held = Memo::new(move |_| crowded.get().then(|| desk.hand.with(|hand| hand.selected.clone())).flatten());
    move || {
        let scene = desk.shown()?;
        let (sheet, size) = (Sheet::new(scene.size), f64::from(size.get()) / 4.0);
        let names = if crowded.get() {
            let held = held.get();
            let named =
                |piece: &&ScenePiece| piece.kind == PieceKind::ChiefGeneral || Some(&piece.key) == held.as_ref();
            let pieces = scene.pieces.iter().filter(named).cloned().collect();
            sheet.names(&Scene { pieces, ..scene.as_ref().clone() }, size)
        } else {
            sheet.names(&scene, size)
        };
        Some(view! { <g class="names" inner_html=names></g> })
    }
}

/// Whether so many names would write over each other.
pub fn is_crowded(pieces: usize, zoom: f64) -> bool {
    pieces as f64 / (zoom * zoom).max(0.01) > CROWD
}

/// More pieces than this on a map shown at its own size are too many to be named.
const CROWD: f64 = 130.0;

/// The piece at a place of the screen, where the map lies there.
pub fn piece_on_screen(desk: Desk, x: f64, y: f64) -> Option<String> {
    let frame = document().query_selector(".map-frame").ok().flatten()?;
    let rect = frame.get_bounding_client_rect();
    let (x, y) = (x - rect.left(), y - rect.top());
    if x < 0.0 || y < 0.0 || x > rect.width() || y > rect.height() {
        return None;
    }
    crate::pointer::piece_near(desk, x, y)
}

/// Shows the whole map when the table is first seen, and again when the window changes a lot.
fn fit_once(desk: Desk, frame: NodeRef<Div>) {
    let fitted = StoredValue::new(false);
    Effect::new(move |_| {
        let ready = desk.with(|chair| chair.scene.is_some());
        if ready && frame.get().is_some() && !fitted.get_value() {
            fitted.set_value(true);
            fit(desk, frame);
        }
    });
    Effect::new(move |_| {
        if desk.whole_map.get() > 0 {
            fit(desk, frame);
        }
    });
    // A phone turned on its side is another window.
    let turned = Closure::<dyn Fn()>::new(move || fit(desk, frame));
    let _ = window().add_event_listener_with_callback("resize", turned.as_ref().unchecked_ref());
    on_cleanup({
        let turned = StoredValue::new_local(turned);
        move || {
            turned.try_with_value(|turned| {
                let _ = window().remove_event_listener_with_callback("resize", turned.as_ref().unchecked_ref());
            });
        }
    });
}

/// Shows the whole map.
pub fn fit(desk: Desk, frame: NodeRef<Div>) {
    let (Some(frame), Some(scene)) = (frame.get_untracked(), desk.peek(|chair| chair.scene.clone())) else { return };
    let screen = (f64::from(frame.client_width()), f64::from(frame.client_height()));
    let sheet = Sheet::new(scene.size);
    let (x, y, w, h) = sheet.map();
    // On a narrow screen the margins of the sheet are given up before the map is.
    let margin = if screen.0 < 700.0 { 8.0 } else { 24.0 };
    let rect = (x - margin, y - margin, w + 2.0 * margin, h + 2.0 * margin);
    desk.camera.set(Camera::fit(rect, screen));
}
