//! What is nobody's: flames and their smoke, the wind, dust on the edge, works thrown up in the battle, boats over water.
//! All of it is drawn in ink and earth colours, so that it is never taken for troops of either side.

use super::pen::{INCH, Pen, ink, lots_of, n, path_px, stroke, wobble};
use super::pieces::{livery, patch_of};
use engine::scene::{ScenePiece, Sign};
use table::Vec2;

/// One sign.
pub fn put(pen: &mut Pen, piece: &ScenePiece, sign: Sign) {
    match sign {
        Sign::Fire => fire(pen, piece),
        Sign::Wind => wind(pen, piece),
        Sign::Dust => dust(pen, piece),
        Sign::Works => works(pen, piece),
        Sign::Boats => boats(pen, piece),
        Sign::Mark => mark(pen, piece),
        Sign::Waiting => waiting(pen, piece),
    }
}

/// The middle of each stand.
fn middles(piece: &ScenePiece) -> impl Iterator<Item = Vec2> + '_ {
    piece.stands.iter().map(|stand| stand[0].vec().lerp(stand[2].vec(), 0.5))
}

/// A flame over every stand, and smoke that drifts the way the sign faces.
fn fire(pen: &mut Pen, piece: &ScenePiece) {
    let mut lots = lots_of(&piece.key);
    let drift = piece.pose.forward();
    let (mut smoke, mut flames) = (String::new(), String::new());
    for at in middles(piece) {
        for puff in 1..4 {
            let far = f64::from(puff);
            let place = pen.at(at + drift * (INCH * 0.5 * far * wobble(&mut lots, 0.3)));
            let size = pen.px(0.2 + 0.13 * far) * wobble(&mut lots, 0.2);
            let faint = 0.42 - 0.09 * far;
            smoke.push_str(&format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" opacity=\"{faint:.2}\"/>",
                n(place.x),
                n(place.y),
                n(size)
            ));
        }
        let (foot, size) = (pen.at(at), pen.px(0.42).max(6.0) * wobble(&mut lots, 0.2) / 10.0);
        flames.push_str(&format!(
            "<g transform=\"translate({} {}) scale({})\">\
             <path d=\"M0 6C-6 6-7 1-4-3C-4-1-2-1-2-2C-2-6 0-8 2-11C2-7 6-5 6 0C6 4 4 6 0 6z\" fill=\"#c8451f\" stroke=\"#6f1d0d\" stroke-width=\".9\"/>\
             <path d=\"M0 5C-3 5-4 2-2-1C-1 0 0-1 1-4C2-1 3 0 3 2C3 4 2 5 0 5z\" fill=\"#f0b429\"/></g>",
            n(foot.x),
            n(foot.y),
            (size * 100.0).round() / 100.0
        ));
    }
    pen.put(&format!("<g fill=\"#4d463c\" pointer-events=\"none\">{smoke}</g>{flames}"));
}

/// Three strokes and a head, drawn along the wind.
fn wind(pen: &mut Pen, piece: &ScenePiece) {
    let (at, ahead, right) = (piece.pose.at.vec(), piece.pose.forward(), piece.pose.right());
    let mut strokes = String::new();
    for (aside, back) in [(-0.36, 0.5), (0.0, 0.9), (0.36, 0.5)] {
        let line = at + right * (aside * INCH);
        stroke(&mut strokes, pen.at(line - ahead * (back * INCH)), pen.at(line + ahead * (0.5 * INCH)));
    }
    let tip = at + ahead * (1.15 * INCH);
    let head =
        [tip, at + ahead * (0.45 * INCH) + right * (0.55 * INCH), at + ahead * (0.45 * INCH) - right * (0.55 * INCH)];
    let (head, weight) = (pen.path(&head, true), n(pen.weight(1.5)));
    pen.put(&format!(
        "<path d=\"{strokes}\" stroke=\"{0}\" stroke-width=\"{weight}\" stroke-linecap=\"round\" fill=\"none\"/>\
         <path d=\"{head}\" fill=\"{0}\"/>",
        ink::LINE
    ));
}

/// A low cloud.
fn dust(pen: &mut Pen, piece: &ScenePiece) {
    let mut lots = lots_of(&piece.key);
    let border = livery(piece.side).border;
    let mut puffs = String::new();
    for at in middles(piece) {
        for no in 0..7 {
            let aside = (f64::from(no) - 3.0) * 0.32 * INCH;
            let place = pen.at(at + Vec2::new(aside, INCH * 0.3 * (lots.unit() - 0.5)));
            let size = n(pen.px(0.38) * wobble(&mut lots, 0.25));
            puffs.push_str(&format!("<circle cx=\"{}\" cy=\"{}\" r=\"{size}\"/>", n(place.x), n(place.y)));
        }
    }
    pen.put(&format!("<g fill=\"#dcc897\" stroke=\"{border}\" stroke-width=\".6\" opacity=\".85\">{puffs}</g>"));
}

/// A bank with teeth on its outer edge.
fn works(pen: &mut Pen, piece: &ScenePiece) {
    for stand in &piece.stands {
        let corners = stand.map(|corner| corner.vec());
        let body = pen.path(&corners, true);
        let count = (corners[0].distance(corners[1]) / (0.4 * INCH)).max(1.0) as i32;
        let mut teeth = String::new();
        for no in 0..=count {
            let part = f64::from(no) / f64::from(count);
            stroke(&mut teeth, pen.at(corners[0].lerp(corners[1], part)), pen.at(corners[3].lerp(corners[2], part)));
        }
        let weight = n(pen.weight(1.1));
        pen.put(&format!(
            "<path d=\"{body}\" fill=\"{}\" stroke=\"{1}\" stroke-width=\"{weight}\"/>\
             <path d=\"{teeth}\" stroke=\"{1}\" stroke-width=\"{weight}\" fill=\"none\"/>",
            ink::STRAW,
            ink::LINE
        ));
    }
}

/// Planks over boats.
fn boats(pen: &mut Pen, piece: &ScenePiece) {
    for stand in &piece.stands {
        let [a, b, c, d] = stand.map(|corner| corner.vec());
        let count = (a.distance(b) / (0.5 * INCH)).max(2.0) as i32;
        let out = (a - d) * 0.5;
        let mut hulls = String::new();
        for no in 0..count {
            let part = (f64::from(no) + 0.5) / f64::from(count);
            stroke(&mut hulls, pen.at(a.lerp(b, part) + out), pen.at(d.lerp(c, part) - out));
        }
        let planks = pen.path(&[a, b, c, d], true);
        pen.put(&format!(
            "<path d=\"{hulls}\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\"/>\
             <path d=\"{planks}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>",
            ink::SEPIA,
            n(pen.px(0.2).max(2.0)),
            ink::STRAW,
            ink::LINE,
            n(pen.weight(0.9))
        ));
    }
}

/// A small disc with the letter of its badge.
fn mark(pen: &mut Pen, piece: &ScenePiece) {
    let Some(patch) = patch_of(pen, piece) else { return };
    let (at, radius) = (patch.centre(), pen.px(0.4).max(6.5));
    let letter = piece.badges.first().map(|badge| super::pen::escape(&badge.sign)).unwrap_or_default();
    pen.put(&format!(
        "<circle cx=\"{0}\" cy=\"{1}\" r=\"{2}\" fill=\"{3}\" stroke=\"{4}\" stroke-width=\"{5}\"/>\
         <text x=\"{0}\" y=\"{6}\" font-size=\"{7}\" font-family=\"Helvetica, Arial, sans-serif\" font-weight=\"600\" text-anchor=\"middle\" fill=\"{4}\">{letter}</text>",
        n(at.x),
        n(at.y),
        n(radius),
        ink::PAPER,
        ink::LINE,
        n(pen.weight(1.0)),
        n(at.y + radius * 0.42),
        n(radius * 1.2)
    ));
}

/// Troops of one's own that are not on the table yet: their outline in broken strokes.
fn waiting(pen: &mut Pen, piece: &ScenePiece) {
    let livery = livery(piece.side);
    for stand in &piece.stands {
        let body = path_px(&stand.map(|corner| pen.at(corner.vec())), true);
        pen.put(&format!(
            "<path d=\"{body}\" fill=\"{}\" fill-opacity=\".35\" stroke=\"{}\" stroke-width=\"{}\" stroke-dasharray=\"4 3\"/>",
            livery.body,
            livery.border,
            n(pen.weight(1.3))
        ));
    }
}
