//! Names and badges. Every name tries a few spots and takes the one that hides least.

use super::pen::{Cloth, Patch, Pen, escape, n};
use super::pieces::{livery, patch_of};
use engine::Side;
use engine::scene::{Badge, PieceKind, Scene, SceneFeature, ScenePiece, Sign, Tone};
use table::terrain::TerrainKind;
use table::{Outline, Vec2};

/// A letter is about this wide for its size.
const LETTER: f64 = 0.5;
const HALO: &str = "stroke=\"#f3ead4\" stroke-width=\"3.4\" stroke-linejoin=\"round\" paint-order=\"stroke\"";

/// Names of all pieces with their badges.
pub fn pieces(pen: &mut Pen, scene: &Scene, cloth: &mut Cloth) {
    // Signs are told by their drawing; their names wait under the pointer. Only troops that are to come are named.
    let is_named = |piece: &&ScenePiece| !matches!(piece.kind, PieceKind::Sign(sign) if sign != Sign::Waiting);
    for piece in scene.pieces.iter().filter(is_named) {
        if let Some(patch) = patch_of(pen, piece) {
            block(pen, piece, patch, cloth);
        }
    }
}

fn block(pen: &mut Pen, piece: &ScenePiece, patch: Patch, cloth: &mut Cloth) {
    let officer = matches!(piece.kind, PieceKind::General | PieceKind::ChiefGeneral);
    let size = if officer { pen.letter() * 0.92 } else { pen.letter() };
    let pill = size * 1.12;
    let name_wide = piece.name.chars().take(40).count() as f64 * size * LETTER + 2.0;
    let pills: Vec<f64> = piece.badges.iter().map(|badge| pill_width(badge, pill)).collect();
    let pills_wide: f64 = pills.iter().sum::<f64>() + 2.0 * pills.len().saturating_sub(1) as f64;
    let (wide, high) = (name_wide.max(pills_wide), size * 1.1 + if pills.is_empty() { 0.0 } else { pill + 2.0 });
    let middle = patch.centre();
    let gap = if officer { pen.px(0.3) } else { 3.0 };
    let spot = |x: f64, y: f64| Patch { x, y, w: wide, h: high };
    let spots = [
        spot(middle.x - wide / 2.0, patch.y + patch.h + gap),
        spot(middle.x - wide / 2.0, patch.y - gap - high),
        spot(patch.x + patch.w + gap + 3.0, middle.y - high / 2.0),
        spot(patch.x - gap - 3.0 - wide, middle.y - high / 2.0),
        spot(patch.x + patch.w * 0.6, patch.y + patch.h + gap),
        spot(patch.x + patch.w * 0.4 - wide, patch.y + patch.h + gap),
        spot(middle.x - wide / 2.0, patch.y + patch.h + gap + high * 0.7),
        spot(patch.x + patch.w + 4.0, patch.y + patch.h),
        spot(patch.x - 4.0 - wide, patch.y + patch.h),
        spot(patch.x + patch.w + 4.0, patch.y - high),
        spot(patch.x - 4.0 - wide, patch.y - high),
        spot(middle.x - wide / 2.0, patch.y - gap - high * 1.7),
    ];
    let Some(best) = least(pen, cloth, &spots) else { return };
    cloth.cover(best);
    let (x, y) = (best.centre().x, best.y + size * 0.9);
    let style = if officer { "font-style=\"italic\"" } else { "" };
    pen.put(&format!(
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" {style} text-anchor=\"middle\" fill=\"#241c10\" {HALO}>{}</text>",
        n(x),
        n(y),
        n(size),
        escape(&shortened(&piece.name))
    ));
    let mut left = x - pills_wide / 2.0;
    for (badge, width) in piece.badges.iter().zip(&pills) {
        put_badge(pen, badge, piece.side, Patch { x: left, y: best.y + size * 1.1 + 1.0, w: *width, h: pill });
        left += width + 2.0;
    }
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= 40 { name.to_owned() } else { name.chars().take(39).chain(['…']).collect() }
}

/// The spot that hides least; the first of equals.
fn least(pen: &Pen, cloth: &Cloth, spots: &[Patch]) -> Option<Patch> {
    let mut best: Option<(f64, Patch)> = None;
    for (no, spot) in spots.iter().enumerate() {
        // A later spot must be clearly better to be worth the odd place.
        let cost = cloth.cost(pen, spot) + no as f64 * 6.0;
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, *spot));
        }
    }
    best.map(|(_, spot)| spot)
}

fn pill_width(badge: &Badge, high: f64) -> f64 {
    let letters = badge.sign.chars().take(6).count() as f64;
    (letters * high * 0.56 + high * 0.5).max(high)
}

/// Good news is round, neutral square, bad news has corners cut: shape says what colour says.
fn put_badge(pen: &mut Pen, badge: &Badge, side: Side, at: Patch) {
    let (fill, text) = match badge.tone {
        Tone::Calm => ("#f7efdc", "#2d2416"),
        Tone::Note => ("#e3b94f", "#2d2416"),
        Tone::Alarm => ("#a3231d", "#fff6e4"),
    };
    let border = livery(side).border;
    let (x, y, w, h) = (at.x, at.y, at.w, at.h);
    let shape = match badge.tone {
        Tone::Calm => format!("rx=\"{}\"", n(h / 2.0)),
        Tone::Note => "rx=\"1\"".to_owned(),
        Tone::Alarm => String::new(),
    };
    let cut = h * 0.32;
    let body = if badge.tone == Tone::Alarm {
        format!(
            "<path d=\"M{} {}h{}l{c} {c}v{}l-{c} {c}h-{}l-{c}-{c}v-{}z\" ",
            n(x + cut),
            n(y),
            n(w - 2.0 * cut),
            n(h - 2.0 * cut),
            n(w - 2.0 * cut),
            n(h - 2.0 * cut),
            c = n(cut)
        )
    } else {
        format!("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {shape} ", n(x), n(y), n(w), n(h))
    };
    let sign: String = badge.sign.chars().take(6).collect();
    pen.put(&format!(
        "<g><title>{}</title>{body}fill=\"{fill}\" stroke=\"{border}\" stroke-width=\".9\"/>\
         <text x=\"{}\" y=\"{}\" font-size=\"{}\" font-family=\"Helvetica, Arial, sans-serif\" font-weight=\"600\" text-anchor=\"middle\" fill=\"{text}\">{}</text></g>",
        escape(&badge.text),
        n(x + w / 2.0),
        n(y + h * 0.77),
        n(h * 0.76),
        escape(&sign)
    ));
}

/// How the name of a piece of ground is written: size, spacing, colour.
fn hand(kind: TerrainKind) -> (f64, f64, &'static str) {
    use TerrainKind as T;
    match kind {
        T::Hill => (1.32, 0.22, "#4d3f26"),
        T::Town => (1.25, 0.12, "#4a1d12"),
        T::Woods | T::Orchard => (1.12, 0.14, "#35401f"),
        T::River | T::Lake | T::Stream | T::Ford | T::Swamp | T::Marsh => (1.05, 0.14, "#2f535c"),
        T::Building | T::Redoubt => (1.0, 0.03, "#4a1d12"),
        T::Road | T::Track | T::Railway => (0.92, 0.08, "#5c4a2c"),
        _ => (0.94, 0.04, "#4d3f26"),
    }
}

/// Names of the ground, the broad ones first.
pub fn features(pen: &mut Pen, scene: &Scene, cloth: &mut Cloth) {
    let mut named: Vec<&SceneFeature> = scene.features.iter().filter(|feature| !feature.name.is_empty()).collect();
    named.sort_by(|a, b| hand(b.kind).0.total_cmp(&hand(a.kind).0));
    for feature in named {
        match &feature.outline {
            Outline::Line { points, .. } => {
                let places: Vec<Vec2> = points.iter().map(|point| pen.at(point.vec())).collect();
                along_line(pen, feature, &places, cloth);
            }
            Outline::Area(points) => {
                let patch = Patch::around(points.iter().map(|point| pen.at(point.vec())));
                on_area(pen, feature, patch, cloth);
            }
            Outline::Disc { centre, radius } => {
                let at = pen.at(centre.vec());
                let reach = pen.px(radius.as_inches());
                let patch = Patch { x: at.x - reach, y: at.y - reach, w: reach * 2.0, h: reach * 2.0 };
                on_area(pen, feature, Some(patch), cloth);
            }
        }
    }
}

fn written(pen: &Pen, feature: &SceneFeature) -> (f64, f64, f64, &'static str) {
    let (scale, spacing, colour) = hand(feature.kind);
    let size = pen.letter() * scale;
    let letters = feature.name.chars().take(40).count() as f64;
    (size, letters * size * (LETTER - 0.03 + spacing), spacing, colour)
}

fn on_area(pen: &mut Pen, feature: &SceneFeature, patch: Option<Patch>, cloth: &mut Cloth) {
    let Some(patch) = patch else { return };
    let (size, wide, spacing, colour) = written(pen, feature);
    let (middle, high) = (patch.centre(), size * 1.1);
    let spot = |x: f64, y: f64| Patch { x: x - wide / 2.0, y: y - high / 2.0, w: wide, h: high };
    let below = patch.y + patch.h + high * 0.55;
    let above = patch.y - high * 0.55;
    // A roof or a small field is named beside it, a hill or a wood upon it.
    let small = patch.w < wide * 1.1 || patch.h < high * 1.6 || feature.kind == TerrainKind::Building;
    let thirds = [patch.y + patch.h * 0.28, patch.y + patch.h * 0.74];
    let spots = if small {
        [
            spot(middle.x, below),
            spot(middle.x, above),
            spot(patch.x + patch.w + wide / 2.0 + 4.0, middle.y),
            spot(patch.x - wide / 2.0 - 4.0, middle.y),
            spot(middle.x, below + high * 0.6),
        ]
    } else {
        [
            spot(middle.x, middle.y),
            spot(middle.x, thirds[0]),
            spot(middle.x, thirds[1]),
            spot(middle.x, below),
            spot(middle.x, above),
        ]
    };
    if let Some(best) = least(pen, cloth, &spots) {
        cloth.cover(best);
        let at = Vec2::new(best.centre().x, best.y + high * 0.78);
        put_name(pen, feature, at, (size, spacing, colour), 0.0);
    }
}

/// Along the longest stretch, turned so that it reads from the left.
fn along_line(pen: &mut Pen, feature: &SceneFeature, places: &[Vec2], cloth: &mut Cloth) {
    let longest = places.windows(2).max_by(|a, b| a[0].distance(a[1]).total_cmp(&b[0].distance(b[1])));
    let Some(&[mut from, mut to]) = longest.map(|pair| [pair[0], pair[1]]).as_ref() else { return };
    if from.x > to.x || ((from.x - to.x).abs() < 1.0 && from.y < to.y) {
        (from, to) = (to, from);
    }
    let (size, wide, spacing, colour) = written(pen, feature);
    let way = (to - from).normalised();
    let up = Vec2::new(way.y, -way.x);
    let width = match &feature.outline {
        Outline::Line { width, .. } => pen.px(width.as_inches()),
        _ => 0.0,
    };
    let off = width / 2.0 + size * 0.45 + 3.0;
    let spots: Vec<(Vec2, Patch)> = [0.5, 0.25, 0.75, 0.12, 0.88]
        .into_iter()
        .flat_map(|part| [(part, 1.0), (part, -1.25)])
        .map(|(part, side)| {
            let middle = from.lerp(to, part) + up * (off * side);
            let (half, thick) = (wide / 2.0, size * 0.6);
            let reach =
                Vec2::new((way.x * half).abs() + (up.x * thick).abs(), (way.y * half).abs() + (up.y * thick).abs());
            (middle, Patch { x: middle.x - reach.x, y: middle.y - reach.y, w: reach.x * 2.0, h: reach.y * 2.0 })
        })
        .collect();
    let patches: Vec<Patch> = spots.iter().map(|spot| spot.1).collect();
    let Some(best) = least(pen, cloth, &patches) else { return };
    // A name along a wall that hides troops is worth less than none.
    if cloth.cost(pen, &best) > best.w * best.h * 0.5 {
        return;
    }
    cloth.cover(best);
    let middle = best.centre() - up * (size * 0.3);
    let turn = table::Angle::of(Vec2::new(way.x, -way.y)).as_degrees() - 90.0;
    put_name(pen, feature, middle, (size, spacing, colour), turn);
}

fn put_name(pen: &mut Pen, feature: &SceneFeature, at: Vec2, (size, spacing, colour): (f64, f64, &str), turn: f64) {
    let turned = if turn.abs() < 0.05 {
        String::new()
    } else {
        format!(" transform=\"rotate({} {} {})\"", n(turn), n(at.x), n(at.y))
    };
    pen.put(&format!(
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" font-style=\"italic\" letter-spacing=\"{}\" text-anchor=\"middle\" fill=\"{colour}\" {HALO} stroke-opacity=\".85\"{turned}>{}</text>",
        n(at.x),
        n(at.y),
        n(size),
        n(spacing * size),
        escape(&shortened(&feature.name))
    ));
}
