//! Over the map: what is selected, what it could do, the ghost of an order with everything the rules say against it,
//! and the tape.

use crate::desk::{Desk, Tape};
use crate::hand::{self, Making};
use crate::pointer::{handle_of, wanted};
use engine::scene::{Gesture, Ghost, PlanKind, RosterLine, Scene, ScenePiece, Sketch, SketchStroke};
use engine::{Mark, Note};
use leptos::prelude::*;
use picture::{Sheet, escape};
use table::{Outline, Point};

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
    let chosen = move || {
        // Read, not only tracked: what nobody reads is never looked at again.
        focus.with(|_| ());
        chosen(desk)
    };
    view! {
        <svg class="layer overlay" viewBox=view_box aria-hidden="true">
            <g class="able" inner_html=move || able(desk)></g>
            <g class="chosen" inner_html=chosen></g>
            <g class="aims" data-test="aims" inner_html=move || aims(desk)></g>
            <g class="ghosts" data-test="ghost" inner_html=move || ghosts(desk)></g>
            <g class="tape" inner_html=move || tape(desk)></g>
        </svg>
    }
}

fn scene_of(desk: Desk) -> Option<(std::rc::Rc<Scene>, Sheet)> {
    let scene = desk.with(|chair| chair.scene.clone())?;
    let sheet = Sheet::new(scene.size);
    Some((scene, sheet))
}

/// A fine line around everything that can answer the question.
fn able(desk: Desk) -> String {
    let Some((scene, sheet)) = scene_of(desk) else { return String::new() };
    let gestures = desk.with(|chair| chair.prompt.as_ref().map(|prompt| prompt.gestures.clone())).unwrap_or_default();
    let keys = crate::desk::able(&gestures, &[]);
    let able = scene.pieces.iter().filter(|piece| keys.contains(&piece.key));
    able.map(|piece| format!("<path class=\"able-piece\" d=\"{}\"/>", sheet.stands(&piece.stands))).collect()
}

/// The selected piece, what is drawn around it, and what the gesture in hand may point at.
fn chosen(desk: Desk) -> String {
    let Some((scene, sheet)) = scene_of(desk) else { return String::new() };
    let (selected, wants, zones) = desk.hand.with_untracked(|hand| {
        let prompt = desk.peek(|chair| chair.prompt.clone());
        let wants = prompt.as_ref().filter(|_| hand.making.is_some()).map(|prompt| wanted(prompt, hand));
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
    in_hand.or_else(looked_at).or_else(asked).unwrap_or_default()
}

/// The ghosts of the order in hand, with marks where a rule speaks against it.
fn ghosts(desk: Desk) -> String {
    let Some((scene, sheet)) = scene_of(desk) else { return String::new() };
    desk.hand.with(|hand| {
        let mut out = making(hand.making.as_ref().map(|(_, making)| making), hand.selected.as_deref(), &scene, &sheet);
        let glance = desk.glance.get();
        let Some(judged) = hand.judged.as_ref().or(glance.as_ref()) else { return out };
        let class = if judged.is_legal() { "ghost" } else { "ghost refused" };
        let roster = desk.with(|chair| chair.roster.clone());
        let mut newcomers = Vec::new();
        for ghost in &judged.ghosts {
            if let Some((piece, is_new)) = as_piece(ghost, &scene, &roster) {
                out.push_str(&format!("<g class=\"ghost-piece\">{}</g>", sheet.piece(&piece)));
                newcomers.extend(is_new.then_some(piece));
            }
            let held = matches!(&hand.making, Some((_, Making::SetUp { held, .. })) if held.as_deref() == Some(&ghost.key));
            let more = if held { " held" } else { "" };
            out.push_str(&format!(
                "<path class=\"trail\" d=\"{}\"/><g class=\"{class}{more}\"><path class=\"body\" d=\"{}\"/><path class=\"front\" d=\"{}\"/></g>",
                sheet.way(&ghost.trail),
                sheet.stands(&ghost.stands),
                sheet.fronts(&ghost.stands)
            ));
            if held {
                let (at, flag) = (sheet.at(handle_of(ghost.pose)), sheet.at(ghost.pose.at));
                out.push_str(&format!(
                    "<path class=\"handle-arm\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/><circle class=\"handle\" cx=\"{2:.1}\" cy=\"{3:.1}\" r=\"7\"/>",
                    flag.x, flag.y, at.x, at.y
                ));
            }
            if !ghost.spent.is_empty() {
                let at = beside(ghost, &sheet);
                out.push_str(&format!(
                    "<text class=\"spent\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                    at.0,
                    at.1,
                    escape(&ghost.spent)
                ));
            }
        }
        if !newcomers.is_empty() {
            let mut crowd = scene.as_ref().clone();
            let size = desk.camera.with(|camera| (0.92 / camera.zoom.max(0.1)).clamp(0.35, 2.6));
            crowd.pieces = newcomers;
            out.push_str(&sheet.names(&crowd, size));
        }
        if let Ok(verdict) = &judged.verdict {
            for note in &verdict.refusals {
                out.push_str(&mark(note, &sheet));
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

/// What the gesture shows before there is a whole order: a bearing, spots, a place.
fn making(making: Option<&Making>, selected: Option<&str>, scene: &Scene, sheet: &Sheet) -> String {
    let piece = selected.and_then(|key| scene.pieces.iter().find(|piece| piece.key == key));
    match (making, piece) {
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
        _ => String::new(),
    }
}

fn spot_mark(place: Point, sheet: &Sheet) -> String {
    let at = sheet.at(place);
    format!("<circle class=\"spot\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"7\"/>", at.x, at.y)
}

fn mark(note: &Note, sheet: &Sheet) -> String {
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
        Some(Mark::Measured(a, b, length)) => line(*a, *b, format!("{:.1}″", length.as_inches())),
        None => String::new(),
    }
}

fn tape(desk: Desk) -> String {
    let Some((_, sheet)) = scene_of(desk) else { return String::new() };
    match desk.tape.get() {
        Tape::Laid { from, to, says: Ok(length) } => {
            let (a, b) = (sheet.at(from), sheet.at(to));
            format!(
                "<path class=\"tape-line\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/><text class=\"figure\" x=\"{:.1}\" y=\"{:.1}\">{:.1}″</text>",
                a.x,
                a.y,
                b.x,
                b.y,
                (a.x + b.x) / 2.0,
                (a.y + b.y) / 2.0 - 8.0,
                length.as_inches()
            )
        }
        _ => String::new(),
    }
}

/// Where the notice of the order in hand is put: beside the first ghost, or the selected piece.
pub fn notice_place(desk: Desk) -> Option<(f64, f64)> {
    let (scene, sheet) = scene_of(desk)?;
    let at = desk.hand.with(|hand| {
        let ghost = hand.judged.as_ref().and_then(|judged| judged.ghosts.first()).map(|ghost| ghost.pose.at);
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
