//! Troops as on a staff map: stand by stand, at their real size, with the sign of their arm.
//!
//! The first side is filled dark with light signs, the second light with dark signs and a heavier border; their flags
//! differ in cut as well. Nothing depends on colour alone.

use super::pen::{Cloth, INCH, Patch, Pen, escape, ink, n, path_px, stroke};
use engine::Side;
use engine::scene::{PieceKind, Scene, ScenePiece};
use table::Vec2;

/// The colours of a side: body, sign on it, border.
#[derive(Clone, Copy)]
pub struct Livery {
    pub body: &'static str,
    pub sign: &'static str,
    pub border: &'static str,
}

pub const fn livery(side: Side) -> Livery {
    match side {
        Side::A => Livery { body: ink::FIRST.0, sign: ink::FIRST.1, border: "#3d100d" },
        Side::B => Livery { body: ink::SECOND.1, sign: ink::SECOND.0, border: ink::SECOND.0 },
    }
}

pub fn draw(pen: &mut Pen, scene: &Scene, cloth: &mut Cloth) {
    // Commanders and couriers stand over the troops they ride with.
    let mut pieces: Vec<&ScenePiece> = scene.pieces.iter().collect();
    pieces.sort_by_key(|piece| is_rider(piece.kind));
    for piece in pieces {
        super::effects::under(pen, piece);
        put(pen, piece);
        super::effects::over(pen, piece);
    }
    cover(pen, scene, cloth);
}

/// One piece with its description.
pub fn put(pen: &mut Pen, piece: &ScenePiece) {
    pen.put(&format!("<g><title>{}</title>", escape(&title(piece))));
    match piece.kind {
        PieceKind::General | PieceKind::ChiefGeneral => general(pen, piece),
        PieceKind::Courier => courier(pen, piece),
        PieceKind::Sharpshooter => marksman(pen, piece),
        PieceKind::Sign(sign) => super::signs::put(pen, piece, sign),
        _ => unit(pen, piece),
    }
    pen.put("</g>");
}

/// Remembers what the pieces cover, so that names keep off them.
pub fn cover(pen: &Pen, scene: &Scene, cloth: &mut Cloth) {
    for piece in &scene.pieces {
        if let Some(patch) = patch_of(pen, piece) {
            cloth.cover(patch.grown(1.5));
        }
        if !is_rider(piece.kind) {
            if let Some(foot) = flag_foot(pen, piece) {
                let size = flag_size(pen);
                cloth.cover(Patch { x: foot.x, y: foot.y - 15.0 * size, w: 10.0 * size, h: 9.0 * size });
            }
            let ahead = piece.pose.at.vec() + piece.pose.forward() * (0.24 * INCH);
            cloth.cover(Patch::around([pen.at(ahead)]).map_or(EMPTY, |patch| patch.grown(pen.px(0.2))));
        }
    }
}

const EMPTY: Patch = Patch { x: 0.0, y: 0.0, w: 0.0, h: 0.0 };

fn is_rider(kind: PieceKind) -> bool {
    !matches!(kind, PieceKind::Foot | PieceKind::Horse | PieceKind::Guns | PieceKind::LimberedGuns)
}

fn title(piece: &ScenePiece) -> String {
    let mut words = piece.name.clone();
    for more in std::iter::once(&piece.formation).filter(|word| !word.is_empty()) {
        words.push_str(&format!(", {more}"));
    }
    for badge in &piece.badges {
        words.push_str(&format!(" · {}", badge.text));
    }
    words
}

/// The box of a piece on the page.
pub fn patch_of(pen: &Pen, piece: &ScenePiece) -> Option<Patch> {
    Patch::around(piece.stands.iter().flatten().map(|corner| pen.at(corner.vec())))
}

fn unit(pen: &mut Pen, piece: &ScenePiece) {
    let livery = livery(piece.side);
    chevron(pen, piece, livery);
    let (mut bodies, mut signs) = (String::new(), String::new());
    for stand in &piece.stands {
        let [fl, fr, rr, rl] = stand.map(|corner| pen.at(corner.vec()));
        bodies.push_str(&path_px(&[fl, fr, rr, rl], true));
        match piece.kind {
            PieceKind::Horse => {
                signs.push_str(&path_px(&[fl.lerp(rr, 0.04), fr.lerp(rl, 0.04), rl.lerp(fr, 0.04)], true));
            }
            PieceKind::Guns | PieceKind::LimberedGuns => {}
            // A bar along the front, clear of the border on all sides.
            _ => {
                let at = |across: f64, back: f64| fl.lerp(fr, across).lerp(rl.lerp(rr, across), back);
                signs.push_str(&path_px(&[at(0.1, 0.16), at(0.9, 0.16), at(0.9, 0.42), at(0.1, 0.42)], true));
            }
        }
    }
    let weight = n(pen.weight(if piece.side == Side::A { 0.8 } else { 1.5 }));
    let lift = n(pen.weight(1.3));
    pen.put(&format!("<path d=\"{bodies}\" fill=\"#2d2416\" opacity=\".28\" transform=\"translate({lift} {lift})\"/>"));
    pen.put(&format!(
        "<path d=\"{bodies}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{weight}\" stroke-linejoin=\"round\"/>",
        livery.body, livery.border
    ));
    if !signs.is_empty() {
        pen.put(&format!("<path d=\"{signs}\" fill=\"{}\"/>", livery.sign));
    }
    if matches!(piece.kind, PieceKind::Guns | PieceKind::LimberedGuns) {
        for stand in &piece.stands {
            gun(pen, &stand.map(|corner| corner.vec()), livery, piece.kind == PieceKind::LimberedGuns);
        }
    }
    flag(pen, piece, livery);
}

/// A barrel between two wheels; on the move it points to the rear, behind its team.
fn gun(pen: &mut Pen, corners: &[Vec2; 4], livery: Livery, limbered: bool) {
    let [fl, fr, rr, rl] = *corners;
    let (front, rear) = (fl.lerp(fr, 0.5), rl.lerp(rr, 0.5));
    let across = (fr - fl).normalised();
    let ahead = (front - rear).normalised() * if limbered { -1.0 } else { 1.0 };
    let size = front.distance(rear).min(fl.distance(fr));
    let hub = front.lerp(rear, if limbered { 0.68 } else { 0.5 });
    let (mut barrel, mut wheels) = (String::new(), String::new());
    stroke(&mut barrel, pen.at(hub - ahead * (size * 0.2)), pen.at(hub + ahead * (size * 0.46)));
    // The trail, forked where it meets the ground.
    stroke(&mut wheels, pen.at(hub), pen.at(hub - ahead * (size * 0.42)));
    for side in [-1.0, 1.0] {
        let wheel = hub + across * (side * size * 0.24);
        stroke(&mut wheels, pen.at(wheel - ahead * (size * 0.2)), pen.at(wheel + ahead * (size * 0.2)));
        stroke(&mut wheels, pen.at(hub), pen.at(wheel));
    }
    if limbered {
        let team = front.lerp(rear, 0.2);
        for side in [-0.16, 0.16] {
            let horse = team + across * (side * size);
            stroke(&mut wheels, pen.at(horse - ahead * (size * 0.16)), pen.at(horse + ahead * (size * 0.16)));
        }
    }
    let (thick, thin) = (n(pen.px(size / INCH * 0.17).max(2.4)), n(pen.px(size / INCH * 0.09).max(1.4)));
    pen.put(&format!(
        "<path d=\"{barrel}\" stroke=\"{0}\" stroke-width=\"{thick}\" stroke-linecap=\"round\"/>\
         <path d=\"{wheels}\" stroke=\"{0}\" stroke-width=\"{thin}\" stroke-linecap=\"round\" fill=\"none\"/>",
        livery.sign
    ));
}

/// A small arrowhead before the front, where the flag is measured from.
fn chevron(pen: &mut Pen, piece: &ScenePiece, livery: Livery) {
    let (at, ahead, right) = (piece.pose.at.vec(), piece.pose.forward(), piece.pose.right());
    let near = at + ahead * (0.12 * INCH);
    let points = [near - right * (0.17 * INCH), near + ahead * (0.24 * INCH), near + right * (0.17 * INCH)];
    let dark = if piece.side == Side::A { livery.body } else { livery.sign };
    let path = pen.path(&points, true);
    pen.put(&format!("<path d=\"{path}\" fill=\"{dark}\" opacity=\".9\"/>"));
}

/// The colours on the middle stand, upright on the page: a swallow-tail with a cross, or stripes under a canton.
fn flag(pen: &mut Pen, piece: &ScenePiece, livery: Livery) {
    if let Some(foot) = flag_foot(pen, piece) {
        put_flag(pen, foot, piece.side, livery, 1.0);
    }
}

/// Where a unit's flag stands; guns carry none.
fn flag_foot(pen: &Pen, piece: &ScenePiece) -> Option<Vec2> {
    if matches!(piece.kind, PieceKind::Guns | PieceKind::LimberedGuns) {
        return None;
    }
    let stand = piece.stands.get(piece.stands.len() / 2)?;
    let corners = stand.map(|corner| pen.at(corner.vec()));
    Some(if piece.stands.len().is_multiple_of(2) {
        pen.at(piece.pose.at.vec()).lerp(corners[2].lerp(corners[3], 0.5), 0.4)
    } else {
        corners[0].lerp(corners[2], 0.5)
    })
}

/// Flags grow with the map, within reason.
fn flag_size(pen: &Pen) -> f64 {
    (pen.unit / 17.0).clamp(0.8, 1.7)
}

/// A flag on a pole with its foot here.
pub fn put_flag(pen: &mut Pen, foot: Vec2, side: Side, livery: Livery, size: f64) {
    let k = size * flag_size(pen);
    let dark = if side == Side::A { livery.body } else { livery.sign };
    let cloth = match side {
        Side::A => format!(
            "<path d=\"M0-14h10l-3 3.2 3 3.2h-10z\" fill=\"{dark}\" stroke=\"#3d100d\" stroke-width=\".6\"/>\
             <path d=\"M3.4-14v6.4M0-10.8h7.4\" stroke=\"#f6e9d6\" stroke-width=\"1.1\"/>"
        ),
        Side::B => format!(
            "<path d=\"M0-14h10v6.6h-10z\" fill=\"#f6efdf\" stroke=\"{dark}\" stroke-width=\".7\"/>\
             <path d=\"M0-12.4h10M0-10.1h10M0-7.9h10\" stroke=\"{dark}\" stroke-width=\"1\"/>\
             <path d=\"M0-14h4.4v3.6h-4.4z\" fill=\"{dark}\"/>"
        ),
    };
    pen.put(&format!(
        "<g transform=\"translate({} {}) scale({})\"><path d=\"M0 0V-15\" stroke=\"#2d2416\" stroke-width=\"1.1\" stroke-linecap=\"round\"/>{cloth}</g>",
        n(foot.x),
        n(foot.y),
        (k * 100.0).round() / 100.0
    ));
}

/// A star on a disc; higher commanders have a second ring.
fn general(pen: &mut Pen, piece: &ScenePiece) {
    let livery = livery(piece.side);
    let Some(patch) = patch_of(pen, piece) else { return };
    let (at, radius) = (patch.centre(), pen.px(0.5).max(6.5));
    let weight = n(pen.weight(1.4));
    let mut rings = format!(
        "<circle cx=\"{0}\" cy=\"{1}\" r=\"{2}\" fill=\"{3}\" stroke=\"{4}\" stroke-width=\"{weight}\"/>",
        n(at.x),
        n(at.y),
        n(radius),
        livery.body,
        livery.border
    );
    if piece.kind == PieceKind::ChiefGeneral {
        rings.push_str(&format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{weight}\"/>",
            n(at.x),
            n(at.y),
            n(radius * 1.32),
            livery.border
        ));
    }
    pen.put(&rings);
    let star = path_px(&star(at, radius * 0.78, radius * 0.32, 5), true);
    pen.put(&format!("<path d=\"{star}\" fill=\"{}\"/>", livery.sign));
}

/// A star of so many points, one of them up.
pub fn star(at: Vec2, outer: f64, inner: f64, points: i32) -> Vec<Vec2> {
    (0..points * 2)
        .map(|no| {
            let way = table::Angle::degrees(180.0 * f64::from(no) / f64::from(points)).unit();
            let reach = if no % 2 == 0 { outer } else { inner };
            at + Vec2::new(way.x, -way.y) * reach
        })
        .collect()
}

fn courier(pen: &mut Pen, piece: &ScenePiece) {
    let livery = livery(piece.side);
    let at = patch_of(pen, piece).map_or_else(|| pen.at(piece.pose.at.vec()), |patch| patch.centre());
    let size = pen.px(0.32).max(4.5);
    let diamond = path_px(&star(at, size, size * 0.62, 2), true);
    let weight = n(pen.weight(1.2));
    pen.put(&format!(
        "<path d=\"{diamond}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{weight}\"/>",
        livery.body, livery.border
    ));
}

fn marksman(pen: &mut Pen, piece: &ScenePiece) {
    let livery = livery(piece.side);
    let at = patch_of(pen, piece).map_or_else(|| pen.at(piece.pose.at.vec()), |patch| patch.centre());
    let (size, weight) = (pen.px(0.3).max(4.5), n(pen.weight(1.3)));
    let (x, y, s) = (n(at.x), n(at.y), n(size));
    let long = n(size * 1.5);
    pen.put(&format!(
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{s}\" fill=\"{}\" stroke=\"{1}\" stroke-width=\"{weight}\"/>\
         <path d=\"M{x} {y}m-{long} 0h{2}m-{long}-{long}v{2}\" stroke=\"{1}\" stroke-width=\"{weight}\"/>",
        livery.body,
        livery.border,
        n(size * 3.0)
    ));
}
