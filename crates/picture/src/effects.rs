//! What the eye catches from afar: smoke before a front, men running, ranks out of line, a unit nobody has seen yet.

use super::pen::{INCH, Pen, lots_of, n, wobble};
use engine::scene::{Look, ScenePiece};
use table::Vec2;

/// What lies under a piece.
pub fn under(pen: &mut Pen, piece: &ScenePiece) {
    if piece.looks.contains(&Look::Rout) {
        streaks(pen, piece);
    }
    if piece.looks.contains(&Look::Hidden) {
        thicket(pen, piece);
    }
}

/// What hangs over it.
pub fn over(pen: &mut Pen, piece: &ScenePiece) {
    if piece.looks.contains(&Look::Disorder) {
        dust(pen, piece);
    }
    if piece.looks.contains(&Look::Smoke) {
        smoke(pen, piece);
    }
    for look in &piece.looks {
        if let Look::Markers { stand, light, heavy } = look {
            markers(pen, piece, usize::from(*stand), *light, *heavy);
        }
    }
}

/// The middle of each stand's front, in micrometres of the table.
fn fronts(piece: &ScenePiece) -> impl Iterator<Item = Vec2> + '_ {
    piece.stands.iter().map(|stand| stand[0].vec().lerp(stand[1].vec(), 0.5))
}

/// Powder smoke: soft puffs before the front rank.
fn smoke(pen: &mut Pen, piece: &ScenePiece) {
    let mut lots = lots_of(&piece.key);
    let (ahead, right) = (piece.pose.forward(), piece.pose.right());
    let line = piece.pose.at.vec();
    pen.put("<g class=\"smoke\" pointer-events=\"none\">");
    // Only the front rank fires: stands farther back than the flag by half an inch keep their powder.
    for front in fronts(piece).filter(|front| (*front - line).dot(ahead) > -0.5 * INCH) {
        for _ in 0..3 {
            let drift = ahead * (INCH * 0.34 * wobble(&mut lots, 0.6)) + right * (INCH * 0.5 * (lots.unit() - 0.5));
            let (at, size) = (pen.at(front + drift), pen.px(0.34 * wobble(&mut lots, 0.4)));
            pen.put(&format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"#fbf7ee\" stroke=\"#9b8d74\" stroke-width=\".5\" opacity=\".72\"/>",
                n(at.x),
                n(at.y),
                n(size)
            ));
        }
    }
    pen.put("</g>");
}

/// Markers as on a real table: round pale ones that come off again, square dark ones that stay. They lie in a row on
/// the rear half of their stand.
fn markers(pen: &mut Pen, piece: &ScenePiece, stand: usize, light: u8, heavy: u8) {
    let Some([front_left, front_right, rear_right, rear_left]) = piece.stands.get(stand) else { return };
    let (left, right) = (front_left.vec().lerp(rear_left.vec(), 0.7), front_right.vec().lerp(rear_right.vec(), 0.7));
    let count = f64::from(light) + f64::from(heavy);
    let mut out = String::new();
    for no in 0..light + heavy {
        let at = pen.at(left.lerp(right, (f64::from(no) + 0.5) / count));
        let half = pen.px(0.15).max(2.2);
        if no < light {
            out.push_str(&format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"#ffe08a\"/>",
                n(at.x),
                n(at.y),
                n(half)
            ));
        } else {
            let (x, y, side) = (n(at.x - half), n(at.y - half), n(2.0 * half));
            out.push_str(&format!("<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"#17130d\"/>"));
        }
    }
    pen.put(&format!("<g stroke=\"#fffaf0\" stroke-width=\".7\" pointer-events=\"none\">{out}</g>"));
}

/// Strokes trailing behind men who run.
fn streaks(pen: &mut Pen, piece: &ScenePiece) {
    let back = piece.pose.forward() * -1.0;
    let mut path = String::new();
    for stand in &piece.stands {
        for part in [0.2, 0.5, 0.8] {
            let from = stand[3].vec().lerp(stand[2].vec(), part) + back * (0.15 * INCH);
            super::pen::stroke(&mut path, pen.at(from), pen.at(from + back * (0.7 * INCH)));
        }
    }
    let weight = n(pen.weight(1.3));
    pen.put(&format!(
        "<path d=\"{path}\" stroke=\"#a3231d\" stroke-width=\"{weight}\" stroke-dasharray=\"4 3\" fill=\"none\" opacity=\".8\"/>"
    ));
}

/// Loose ranks kick up dust along both edges.
fn dust(pen: &mut Pen, piece: &ScenePiece) {
    let mut lots = lots_of(&piece.name);
    let mut dots = String::new();
    for stand in &piece.stands {
        for _ in 0..6 {
            let place = stand[0]
                .vec()
                .lerp(stand[1].vec(), lots.unit())
                .lerp(stand[3].vec().lerp(stand[2].vec(), lots.unit()), wobble(&mut lots, 1.0) - 0.5);
            let at = pen.at(place);
            dots.push_str(&format!("<circle cx=\"{}\" cy=\"{}\" r=\"1.3\"/>", n(at.x), n(at.y)));
        }
    }
    pen.put(&format!("<g fill=\"#e8d8ae\" stroke=\"#6d5736\" stroke-width=\".4\" pointer-events=\"none\">{dots}</g>"));
}

/// A ring of brush around troops only their owner sees.
fn thicket(pen: &mut Pen, piece: &ScenePiece) {
    let Some(patch) = super::pieces::patch_of(pen, piece) else { return };
    let patch = patch.grown(pen.px(0.2));
    pen.put(&format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"none\" stroke=\"#4f5a34\" stroke-width=\"1.4\" stroke-dasharray=\"2 3\"/>",
        n(patch.x),
        n(patch.y),
        n(patch.w),
        n(patch.h)
    ));
}
