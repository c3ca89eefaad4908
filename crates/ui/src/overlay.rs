//! Over the map: what is selected, what it could do, the ghost of an order with everything the rules say against it,
//! and the tape.

use crate::desk::{Desk, Tape};
use crate::ghosts::Ghosts;
use crate::hand::{self, Hand, Making};
use crate::plan::is_staying;
use crate::pointer::wanted;
use crate::show::flags;
use engine::scene::{Gesture, PlanKind, Prompt, Scene, Sketch, SketchStroke};
use engine::{Mark, Note};
use leptos::prelude::*;
use picture::{Sheet, escape};
use table::{Outline, Point, Unit};

#[component]
pub fn Overlay(desk: Desk) -> impl IntoView {
    let view_box = move || {
        let (w, h) =
            desk.with(|chair| chair.scene.as_ref().map(|scene| Sheet::new(scene.size).page)).unwrap_or((1.0, 1.0));
        format!("0 0 {w:.1} {h:.1}")
    };
    // What is chosen changes rarely, the ghost with every move of the pointer: each listens to its own.
    let focus = Memo::new(move |_| {
        desk.hand.with(|hand| {
            let making = hand.making.as_ref().map(|(no, making)| match making {
                Making::Each { open, .. } => (*no, open.as_ref().map(|open| (open.piece, open.option))),
                _ => (*no, None),
            });
            (hand.selected.clone(), making)
        })
    });
    // In a plan those who could still be given something to do.
    let idle = Memo::new(move |_| {
        let prompt = desk.with(|chair| chair.prompt.clone())?;
        desk.hand.with(|hand| {
            let (options, chosen, _) = hand.planner(&prompt)?;
            let idle = options
                .iter()
                .zip(chosen)
                .filter(|((_, options), slot)| options.len() > 1 && is_staying(slot.as_ref()));
            Some(idle.map(|((key, _), _)| key.clone()).collect::<Vec<String>>())
        })
    });
    // In a plan those without whom it is refused.
    let owing = Memo::new(move |_| {
        desk.hand.with(|hand| {
            let among = hand.judged.as_ref().filter(|_| !hand.dragging).map(|judged| judged.among.concat());
            among.unwrap_or_default()
        })
    });
    let chosen = move || {
        // Read, not only tracked: what nobody reads is never looked at again.
        focus.with(|_| ());
        chosen(desk)
    };
    view! {
        <svg class="layer overlay" class:showing=move || desk.film.with(Option::is_some) viewBox=view_box aria-hidden="true">
            <g class="able" inner_html=move || idle.with(|idle| able(desk, idle.as_deref()))></g>
            <g class="owing" data-test="owing" inner_html=move || owing.with(|owing| ringed(desk, owing, "owing-piece"))></g>
            <g class="chosen" inner_html=chosen></g>
            <g class="aims" data-test="aims" inner_html=move || aims(desk)></g>
            <Ghosts desk/>
            <g class="intents" data-test="intents" inner_html=move || intents(desk)></g>
            <g class="flags" inner_html=move || flags(desk)></g>
            <g class="tape" inner_html=move || tape(desk)></g>
        </svg>
    }
}

fn scene_of(desk: Desk) -> Option<(std::rc::Rc<Scene>, Sheet)> {
    let scene = desk.with(|chair| chair.scene.clone())?;
    let sheet = Sheet::new(scene.size);
    Some((scene, sheet))
}

/// Where brigades are meant to go.
fn intents(desk: Desk) -> String {
    let Some((_, sheet)) = scene_of(desk) else { return String::new() };
    desk.intents.with(|intents| crate::advice::arrows(intents, &sheet))
}

/// A fine line around everything that can answer the question.
fn able(desk: Desk, idle: Option<&[String]>) -> String {
    let keys = match idle {
        Some(idle) => idle.to_vec(),
        None => desk
            .with(|chair| chair.prompt.as_ref().map(|prompt| crate::desk::able(&prompt.gestures, &[])))
            .unwrap_or_default(),
    };
    ringed(desk, &keys, "able-piece")
}

fn ringed(desk: Desk, keys: &[String], class: &str) -> String {
    let Some((scene, sheet)) = scene_of(desk) else { return String::new() };
    let wanted = scene.pieces.iter().filter(|piece| keys.contains(&piece.key));
    wanted.map(|piece| format!("<path class=\"{class}\" d=\"{}\"/>", sheet.stands(&piece.stands))).collect()
}

/// The selected piece, what is drawn around it, and what the gesture in hand may point at.
fn chosen(desk: Desk) -> String {
    let Some((scene, sheet)) = scene_of(desk) else { return String::new() };
    let (selected, wants, zones) = desk.hand.with_untracked(|hand| {
        let prompt = desk.peek(|chair| chair.prompt.clone());
        let wants = prompt.as_ref().filter(|_| hand.making.is_some()).map(|prompt| match hand.targets(prompt) {
            targets if targets.is_empty() => wanted(prompt, hand),
            targets => targets,
        });
        let zones =
            prompt.as_ref().zip(hand.making.as_ref()).and_then(|(prompt, (no, _))| match prompt.gestures.get(*no)? {
                Gesture::Plan { kind: PlanKind::Place { zones, .. }, .. } => Some(zones.clone()),
                _ => None,
            });
        (hand.selected.clone(), wants.unwrap_or_default(), zones.unwrap_or_default())
    });
    let mut out = String::new();
    for (a, b) in zones {
        let area = Outline::Area(vec![a, Point::new(b.x, a.y), b, Point::new(a.x, b.y)]);
        out.push_str(&format!("<path class=\"zone\" d=\"{}\"/>", sheet.outline(&area)));
    }
    if let Some(key) = &selected {
        let sketches = desk.with(|chair| chair.board.as_ref().map(|board| board.sketches(key))).unwrap_or_default();
        out.extend(sketches.iter().map(|one| sketch(one, &sheet)));
    }
    for piece in &scene.pieces {
        if wants.contains(&piece.key) {
            out.push_str(&format!("<path class=\"target\" d=\"{}\"/>", sheet.stands(&piece.stands)));
        }
        if selected.as_ref() == Some(&piece.key) {
            let d = sheet.stands(&piece.stands);
            out.push_str(&format!("<path class=\"selected-halo\" d=\"{d}\"/><path class=\"selected\" d=\"{d}\"/>"));
        }
    }
    for feature in scene.features.iter().filter(|feature| wants.contains(&feature.key)) {
        out.push_str(&format!("<path class=\"target ground-target\" d=\"{}\"/>", sheet.outline(&feature.outline)));
    }
    out
}

fn sketch(sketch: &Sketch, sheet: &Sheet) -> String {
    let class = match sketch.stroke {
        SketchStroke::Fire => "sketch fire",
        SketchStroke::Move => "sketch move",
        SketchStroke::Command => "sketch command",
        SketchStroke::Zone => "sketch zone-of",
        SketchStroke::Aim => "sketch aim",
    };
    let (way, label) = (sheet.outline(&sketch.outline), escape(&sketch.label));
    let tip = match (&sketch.outline, sketch.stroke) {
        (Outline::Line { points, .. }, SketchStroke::Aim) => arrowhead(points, sheet),
        _ => String::new(),
    };
    format!("<path class=\"{class}\" d=\"{way}\"><title>{label}</title></path>{tip}")
}

/// The head of an arrow at the end of a line.
fn arrowhead(points: &[Point], sheet: &Sheet) -> String {
    let [.., from, to] = points else { return String::new() };
    let (from, to) = (sheet.at(*from), sheet.at(*to));
    let length = (to - from).length();
    if length <= 0.0 {
        return String::new();
    }
    let back = (from - to) * (ARROW / length);
    let across = table::Vec2::new(-back.y, back.x) * 0.4;
    let (left, right) = (to + back + across, to + back - across);
    format!(
        "<path class=\"aim-head\" d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}z\"/>",
        to.x, to.y, left.x, left.y, right.x, right.y
    )
}

/// So long is the head of an arrow on the page.
const ARROW: f64 = 13.0;

/// Who would shoot at whom: by the order in hand, by the button under the pointer, or by the question alone.
fn aims(desk: Desk) -> String {
    let Some((_, sheet)) = scene_of(desk) else { return String::new() };
    let draw = |lines: &[Sketch]| lines.iter().map(|one| sketch(one, &sheet)).collect::<String>();
    let in_hand = desk.hand.with(|hand| hand.judged.as_ref().map(|judged| draw(&judged.aims)));
    let looked_at = || desk.glance.with(|glance| glance.as_ref().map(|judged| draw(&judged.aims)));
    let asked = || desk.with(|chair| chair.board.as_ref().map(|board| draw(&board.aims(None))));
    looked_at().or(in_hand).or_else(asked).unwrap_or_default()
}

/// What the gesture shows before there is a whole order: a bearing, spots, a place, a grid, dice beside their generals.
pub fn making(desk: Desk, hand: &Hand, prompt: Option<&Prompt>, scene: &Scene, sheet: &Sheet) -> String {
    let piece = hand.selected.as_ref().and_then(|key| scene.pieces.iter().find(|piece| piece.key == *key));
    match (hand.work(), piece) {
        (Some(Making::Lay { bearing, .. }), Some(piece)) => {
            // Only the direction: how far it is remains the player's guess.
            let way = table::Pose { at: piece.pose.at, facing: *bearing }.forward();
            let far = scene.size.0 + scene.size.1;
            let end = piece.pose.at.vec() + way * far.as_f64();
            let (a, b) = (sheet.at(piece.pose.at), sheet.at(Point::from_vec(end)));
            format!("<path class=\"bearing\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>", a.x, a.y, b.x, b.y)
        }
        (Some(Making::Spots(spots)), _) => spots.iter().map(|spot| spot_mark(*spot, sheet)).collect(),
        (Some(Making::Place(Some(place))), _) => spot_mark(*place, sheet),
        (Some(Making::Blocks { cells, .. }), _) => {
            let Some(grid) = prompt.and_then(|prompt| hand.grid(prompt, scene)) else { return String::new() };
            let cell = |cell: (i8, i8)| {
                let class = if cells.contains(&cell) { "block laid" } else { "block" };
                format!("<path class=\"{class}\" d=\"{}\"/>", sheet.stands(&[grid.cell(cell)]))
            };
            grid.cells().map(cell).collect()
        }
        (Some(Making::Deal { owners, held }), _) => dealt(desk, hand, prompt, owners, held.is_some(), scene, sheet),
        _ => String::new(),
    }
}

/// Who may be given a die, and the dice given.
fn dealt(
    desk: Desk,
    hand: &Hand,
    prompt: Option<&Prompt>,
    owners: &[Option<usize>],
    holding: bool,
    scene: &Scene,
    sheet: &Sheet,
) -> String {
    let gesture = prompt.and_then(|prompt| prompt.gestures.get(hand.making.as_ref().map_or(0, |(no, _)| *no)));
    let Some(Gesture::DealDice { dice, to, .. }) = gesture else { return String::new() };
    let mut out = String::new();
    for (row, key) in to.iter().enumerate() {
        let Some(piece) = desk.piece_for(key) else { continue };
        let Some(piece) = scene.pieces.iter().find(|one| one.key == piece) else { continue };
        let class = if holding { "target" } else { "able-piece" };
        out.push_str(&format!("<path class=\"{class}\" d=\"{}\"/>", sheet.stands(&piece.stands)));
        let die = owners.iter().position(|owner| *owner == Some(row)).and_then(|die| dice.get(die));
        if let Some(pips) = die {
            let at = sheet.at(piece.pose.at);
            out.push_str(&format!(
                "<g class=\"dealt-die\"><rect x=\"{:.1}\" y=\"{:.1}\" width=\"20\" height=\"20\" rx=\"3\"/><text x=\"{:.1}\" y=\"{:.1}\">{pips}</text></g>",
                at.x + 10.0,
                at.y - 26.0,
                at.x + 20.0,
                at.y - 11.0
            ));
        }
    }
    out
}

fn spot_mark(place: Point, sheet: &Sheet) -> String {
    let at = sheet.at(place);
    format!("<circle class=\"spot\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"7\"/>", at.x, at.y)
}

pub fn mark(note: &Note, sheet: &Sheet, unit: Unit) -> String {
    let line = |a: Point, b: Point, figure: String| {
        let (a, b) = (sheet.at(a), sheet.at(b));
        let (x, y) = ((a.x + b.x) / 2.0, (a.y + b.y) / 2.0 - 6.0);
        format!(
            "<path class=\"mark\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/><text class=\"figure\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            a.x,
            a.y,
            b.x,
            b.y,
            escape(&figure)
        )
    };
    match &note.mark {
        Some(Mark::Spot(place)) => {
            let at = sheet.at(*place);
            format!("<path class=\"mark\" d=\"M{0:.1} {1:.1}m-8 -8l16 16m0 -16l-16 16\"/>", at.x, at.y)
        }
        Some(Mark::Line(a, b)) => line(*a, *b, String::new()),
        Some(Mark::Measured(a, b, length)) => line(*a, *b, length.show(unit)),
        None => String::new(),
    }
}

fn tape(desk: Desk) -> String {
    let Some((scene, sheet)) = scene_of(desk) else { return String::new() };
    match desk.tape.get() {
        Tape::Laid { from, to, says: Ok(length) } => {
            let (a, b) = (sheet.at(from), sheet.at(to));
            format!(
                "<path class=\"tape-line\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/><text class=\"figure\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                a.x,
                a.y,
                b.x,
                b.y,
                (a.x + b.x) / 2.0,
                (a.y + b.y) / 2.0 - 8.0,
                length.show(scene.unit)
            )
        }
        _ => String::new(),
    }
}

/// Where the notice of the order in hand is put: beside the first ghost, or the selected piece.
pub fn notice_place(desk: Desk) -> Option<(f64, f64)> {
    let (scene, sheet) = scene_of(desk)?;
    let at = desk.hand.with(|hand| {
        let planning = matches!(hand.making, Some((_, Making::Each { .. })));
        let ghost = hand.judged.as_ref().and_then(|judged| {
            let wanted = |ghost: &&engine::scene::Ghost| !planning || hand.selected.as_ref() == Some(&ghost.key);
            judged.ghosts.iter().find(wanted).map(|ghost| ghost.pose.at)
        });
        let held = hand.making.as_ref().and_then(|(_, making)| match making {
            Making::SetUp { held, draft } => {
                let key = held.as_ref()?;
                hand::placements(draft).into_iter().find(|(other, _)| other == key).map(|(_, pose)| pose.at)
            }
            _ => None,
        });
        let piece = || {
            let key = hand.selected.as_ref()?;
            scene.pieces.iter().find(|piece| piece.key == *key).map(|piece| piece.pose.at)
        };
        held.or(ghost).or_else(piece)
    })?;
    let (place, camera) = (sheet.at(at), desk.camera.get());
    Some((camera.x + place.x * camera.zoom, camera.y + place.y * camera.zoom))
}
