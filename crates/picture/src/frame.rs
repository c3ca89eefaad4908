//! Paper, frame, title, compass, scale and the key of the sides.

use super::pen::{Cloth, FOOT, LEFT, Patch, Pen, TOP, escape, ink, lots_of, n, path_px};
use super::pieces::{livery, put_flag, star};
use engine::Side;
use engine::scene::Scene;
use table::{Length, Unit, Vec2};

/// Width of the graduated border.
const RULE: f64 = 6.0;

/// Everything under the ground.
pub fn open(pen: &mut Pen, scene: &Scene) {
    let (wide, high) = (pen.width + 2.0 * LEFT, pen.height + TOP + FOOT);
    let (w, h) = (n(wide), n(high));
    pen.put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    pen.put(&format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" font-family=\"'Palatino Linotype', Palatino, 'Book Antiqua', 'Liberation Serif', Georgia, serif\" role=\"img\">"
    ));
    pen.put(&format!("<title>{}</title>", escape(&format!("{} — {}", scene.title, scene.when))));
    definitions(pen);
    sheet(pen, true);
}

/// Paper and grass. The grain costs a screen dear and a print nothing.
pub fn sheet(pen: &mut Pen, grain: bool) {
    let (w, h) = (n(pen.width + 2.0 * LEFT), n(pen.height + TOP + FOOT));
    pen.put(&format!("<rect width=\"{w}\" height=\"{h}\" fill=\"#e9dcbd\"/>"));
    if grain {
        pen.put(&format!("<rect width=\"{w}\" height=\"{h}\" filter=\"url(#grain)\" opacity=\".5\"/>"));
    }
    let (x, y, mw, mh) = (n(LEFT), n(TOP), n(pen.width), n(pen.height));
    pen.put(&format!("<clipPath id=\"table\"><rect x=\"{x}\" y=\"{y}\" width=\"{mw}\" height=\"{mh}\"/></clipPath>"));
    pen.put(&format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"{mw}\" height=\"{mh}\" fill=\"{}\" opacity=\".62\"/>",
        ink::PAPER
    ));
    grass(pen);
    creases(pen);
}

/// Faint tufts on open ground, as engravers put them where there was nothing to show.
fn grass(pen: &mut Pen) {
    let mut lots = lots_of("grass");
    let count = (pen.width * pen.height / 9_000.0).clamp(20.0, 400.0) as usize;
    pen.put("<g opacity=\".3\" clip-path=\"url(#table)\">");
    for _ in 0..count {
        let (x, y) = (LEFT + lots.unit() * pen.width, TOP + lots.unit() * pen.height);
        pen.put(&format!("<use href=\"#tuft\" transform=\"translate({} {})\"/>", n(x), n(y)));
    }
    pen.put("</g>");
}

/// Where the sheet was folded for a saddlebag.
fn creases(pen: &mut Pen) {
    let (wide, high) = (pen.width + 2.0 * LEFT, pen.height + TOP + FOOT);
    let mut lines = String::new();
    for part in [1.0 / 3.0, 2.0 / 3.0] {
        lines.push_str(&format!("M{} 0V{}", n(wide * part), n(high)));
    }
    lines.push_str(&format!("M0 {}H{}", n(high / 2.0), n(wide)));
    pen.put(&format!(
        "<path d=\"{lines}\" stroke=\"#6d5736\" stroke-width=\"1.2\" opacity=\".16\"/>\
         <path d=\"{lines}\" stroke=\"#fffaf0\" stroke-width=\"1.4\" opacity=\".35\" transform=\"translate(1.4 1.4)\"/>"
    ));
}

pub fn definitions(pen: &mut Pen) {
    pen.put("<defs>");
    pen.put(
        "<filter id=\"grain\" x=\"0\" y=\"0\" width=\"100%\" height=\"100%\"><feTurbulence type=\"fractalNoise\" baseFrequency=\".009 .012\" numOctaves=\"4\" seed=\"1777\"/>\
         <feColorMatrix values=\"0 0 0 0 .48  0 0 0 0 .36  0 0 0 0 .17  .9 0 0 0 -.36\"/></filter>",
    );
    pen.put(
        "<linearGradient id=\"shade\" x1=\"0\" y1=\"0\" x2=\"1\" y2=\"1\"><stop offset=\".45\" stop-color=\"#7a6440\" stop-opacity=\"0\"/>\
         <stop offset=\"1\" stop-color=\"#7a6440\" stop-opacity=\".3\"/></linearGradient>",
    );
    pen.put(
        "<radialGradient id=\"age\" cx=\".5\" cy=\".5\" r=\".75\"><stop offset=\".62\" stop-color=\"#5a4320\" stop-opacity=\"0\"/>\
         <stop offset=\"1\" stop-color=\"#5a4320\" stop-opacity=\".3\"/></radialGradient>",
    );
    for (name, turn) in [("furrow-a", 18), ("furrow-b", 72), ("furrow-c", 128)] {
        pen.put(&format!(
            "<pattern id=\"{name}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate({turn})\"><path d=\"M0 1.5h6\" stroke=\"#c4a765\" stroke-width=\".9\"/><path d=\"M0 4.5h6\" stroke=\"#d8c48d\" stroke-width=\".8\"/></pattern>"
        ));
    }
    for (name, crown, tint) in [
        (
            "tree-a",
            "M-4.6 1.6C-7-.6-5.6-4.4-2.8-4.4C-1.8-7.4 3.2-7 3.6-4C6.8-4 6.8 1 4.2 1.8C2 4-2.6 4-4.6 1.6z",
            ink::LEAF,
        ),
        (
            "tree-b",
            "M-4.4 2.2C-6.6.6-6-3-3.6-3.4C-3.6-6.4 1-7.6 2.4-5.2C5.6-5.4 6.8-1.6 5 .2C5 3.4-1.8 4.6-4.4 2.2z",
            ink::LEAF_LIGHT,
        ),
        (
            "tree-c",
            "M-5 .8C-6.2-2-3.8-4.6-2-4.2C-.6-7 4.2-5.8 4-3.2C6.6-2 6 2 3.4 2.2C1.4 4.4-3.4 3.8-5 .8z",
            ink::LEAF,
        ),
    ] {
        pen.put(&format!(
            "<g id=\"{name}\"><ellipse cx=\"2.2\" cy=\"3\" rx=\"5.4\" ry=\"2.6\" fill=\"#333b1e\" opacity=\".3\"/><path d=\"{crown}\" fill=\"{tint}\" stroke=\"{}\" stroke-width=\".8\"/>\
             <path d=\"M3.9-2.6C4.9-.4 3.6 1.2 1.6 1.8M.4-3.4C1.8-2.6 2-1.4 1.2-.4M-2.6-1.6C-1.8.2-.6.6.4.4\" fill=\"none\" stroke=\"{}\" stroke-width=\".65\" opacity=\".8\"/></g>",
            ink::BARK,
            ink::BARK
        ));
    }
    pen.put("<g id=\"bush\"><path d=\"M-3 1C-4-2-1-3.4 0-2C1-3.6 4-2 3 1z\" fill=\"#a3aa70\" stroke=\"#5a643a\" stroke-width=\".7\"/></g>");
    pen.put("<g id=\"tuft\"><path d=\"M-3 1L-1.6-2.4M-.6 1V-3.4M1.8 1L3-2.2M-4 1.4H4\" fill=\"none\" stroke=\"#8a7443\" stroke-width=\".8\" stroke-linecap=\"round\"/></g>");
    pen.put("<g id=\"stone\"><path d=\"M-2.4 1L-1.6-1.2L1-1.6L2.6 1z\" fill=\"#cbbd99\" stroke=\"#7d6d4b\" stroke-width=\".7\"/></g>");
    pen.put("<g id=\"sheaf\"><path d=\"M0 2V-3M-1.6 2L-.4-2.6M1.6 2L.4-2.6\" fill=\"none\" stroke=\"#b08d42\" stroke-width=\".8\" stroke-linecap=\"round\"/></g>");
    pen.put("<g id=\"reed\"><path d=\"M-2 1.6L-2.8-3M0 1.6V-4.4M2 1.6L3-2.6M-4 1.8H4\" fill=\"none\" stroke=\"#55683f\" stroke-width=\".9\" stroke-linecap=\"round\"/></g>");
    pen.put("</defs>");
}

/// Everything over the ground.
pub fn close(pen: &mut Pen, scene: &Scene) {
    furniture(pen, scene, true);
    pen.put("</svg>");
}

/// Frame, title, scale, key and age. On a page that shows the hour elsewhere it is left off the map.
pub fn furniture(pen: &mut Pen, scene: &Scene, hour: bool) {
    let (wide, high) = (pen.width + 2.0 * LEFT, pen.height + TOP + FOOT);
    border(pen, scene.unit);
    title(pen, scene, hour);
    scale_bar(pen, scene.unit);
    key(pen, scene);
    pen.put(&format!(
        "<rect width=\"{}\" height=\"{}\" fill=\"url(#age)\" pointer-events=\"none\"/>",
        n(wide),
        n(high)
    ));
}

/// A thin line at the table's edge, a graduated rule of alternating bars, a stout line outside.
fn border(pen: &mut Pen, unit: Unit) {
    let (x, y, w, h) = (LEFT, TOP, pen.width, pen.height);
    let rect = |grow: f64, weight: f64| {
        format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>",
            n(x - grow),
            n(y - grow),
            n(w + 2.0 * grow),
            n(h + 2.0 * grow),
            ink::LINE,
            n(weight)
        )
    };
    pen.put(&rect(0.0, 1.0));
    pen.put(&rect(RULE, 1.0));
    pen.put(&rect(RULE + 4.5, 2.6));
    let step = match unit {
        Unit::Inch => pen.px(6.0),
        Unit::Centimetre => pen.px(Length::cm(10.0).as_inches()),
    };
    let mut bars = String::new();
    let mut place = 0.0;
    let mut dark = true;
    while place < w {
        let length = step.min(w - place);
        if dark {
            for top in [y - RULE, y + h] {
                bars.push_str(&format!("M{} {}h{}v{RULE}h-{}z", n(x + place), n(top), n(length), n(length)));
            }
        }
        place += step;
        dark = !dark;
    }
    (place, dark) = (0.0, true);
    while place < h {
        let length = step.min(h - place);
        if dark {
            for left in [x - RULE, x + w] {
                bars.push_str(&format!("M{} {}v-{}h{RULE}v{}z", n(left), n(y + h - place), n(length), n(length)));
            }
        }
        place += step;
        dark = !dark;
    }
    pen.put(&format!("<path d=\"{bars}\" fill=\"{}\"/>", ink::LINE));
}

fn title(pen: &mut Pen, scene: &Scene, hour: bool) {
    let middle = LEFT + pen.width / 2.0;
    let letters = scene.title.chars().count().max(1) as f64;
    let size = (pen.width * 1.25 / letters).clamp(16.0, 32.0);
    pen.put(&format!(
        "<text x=\"{}\" y=\"47\" font-size=\"{}\" letter-spacing=\"{}\" text-anchor=\"middle\" fill=\"#2d2416\">{}</text>",
        n(middle),
        n(size),
        n(size * 0.1),
        escape(&scene.title)
    ));
    let half = (letters * size * 0.32).min(pen.width * 0.46);
    let ornament = |from: f64, to: f64| format!("M{} 60H{}", n(middle + from), n(middle + to));
    let star = path_px(&star(Vec2::new(middle, 60.0), 4.6, 1.4, 4), true);
    pen.put(&format!(
        "<path d=\"{}{}\" stroke=\"{}\" stroke-width=\"1\"/><path d=\"{star}\" fill=\"{}\"/>",
        ornament(-half, -12.0),
        ornament(12.0, half),
        ink::LINE,
        ink::LINE
    ));
    if !hour {
        return;
    }
    pen.put(&format!(
        "<text x=\"{}\" y=\"81\" font-size=\"16\" font-style=\"italic\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
        n(middle),
        ink::LINE,
        escape(&scene.when)
    ));
}

/// A rose of eight points in the emptiest corner.
pub fn compass(pen: &mut Pen, cloth: &mut Cloth) {
    let radius = (pen.width.min(pen.height) * 0.052).clamp(26.0, 52.0);
    let edge = radius * 1.75;
    let corners = [
        Vec2::new(LEFT + pen.width - edge, TOP + edge),
        Vec2::new(LEFT + edge, TOP + edge),
        Vec2::new(LEFT + pen.width - edge, TOP + pen.height - edge),
        Vec2::new(LEFT + edge, TOP + pen.height - edge),
    ];
    let around = |at: Vec2| {
        let reach = radius * 1.5;
        Patch { x: at.x - reach, y: at.y - reach, w: reach * 2.0, h: reach * 2.0 }
    };
    let cost = |at: &Vec2| cloth.cost(pen, &around(*at));
    let Some(at) = corners.into_iter().min_by(|a, b| cost(a).total_cmp(&cost(b))) else { return };
    cloth.cover(around(at));
    let ring = |size: f64, weight: f64| {
        format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{weight}\"/>",
            n(at.x),
            n(at.y),
            n(radius * size),
            ink::LINE
        )
    };
    pen.put(&format!("<g opacity=\".92\">{}{}", ring(0.72, 0.8), ring(0.66, 0.5)));
    for (turn, long, wide) in [(45, 0.78, 0.2), (0, 1.0, 0.22)] {
        for quarter in 0..4 {
            let way = table::Angle::whole(turn + quarter * 90).unit();
            let way = Vec2::new(way.x, -way.y);
            let side = Vec2::new(-way.y, way.x);
            let tip = at + way * (radius * long);
            let root = at + way * (radius * wide);
            let (left, right) = (root - side * (radius * wide), root + side * (radius * wide));
            for (corner, fill) in [(left, ink::PAPER), (right, ink::LINE)] {
                let path = path_px(&[at, corner, tip], true);
                pen.put(&format!("<path d=\"{path}\" fill=\"{fill}\" stroke=\"{}\" stroke-width=\".7\"/>", ink::LINE));
            }
        }
    }
    pen.put(&format!(
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"middle\" fill=\"{}\">N</text></g>",
        n(at.x),
        n(at.y - radius * 1.1),
        n(radius * 0.5),
        ink::LINE
    ));
}

/// A foot of the table in bars of three inches, or so many tens of centimetres.
fn scale_bar(pen: &mut Pen, unit: Unit) {
    let (x, y) = (LEFT, TOP + pen.height + 56.0);
    let (bar, figure, word) = match unit {
        Unit::Inch => (Length::whole_inches(3), 3, "inches of the table"),
        Unit::Centimetre => (Length::cm(10.0), 10, "centimetres of the table"),
    };
    let step = pen.px(bar.as_inches());
    let mut bars = String::new();
    let mut words = String::new();
    for part in 0..4 {
        let from = x + step * f64::from(part);
        let fill = if part % 2 == 0 { ink::LINE } else { ink::PAPER };
        bars.push_str(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"6\" fill=\"{fill}\" stroke=\"{}\" stroke-width=\"1\"/>",
            n(from),
            n(y),
            n(step),
            ink::LINE
        ));
    }
    for part in 0..=4 {
        let at = x + step * f64::from(part);
        words.push_str(&format!("<text x=\"{}\" y=\"{}\">{}</text>", n(at), n(y - 5.0), part * figure));
    }
    words.push_str(&format!(
        "<text x=\"{}\" y=\"{}\" font-style=\"italic\" font-size=\"13\">{word}</text>",
        n(x + step * 2.0),
        n(y + 22.0)
    ));
    pen.put(&format!("<g font-size=\"11.5\" text-anchor=\"middle\" fill=\"{}\">{bars}{words}</g>", ink::LINE));
}

/// A stand and a flag of each side with its name, at the right.
fn key(pen: &mut Pen, scene: &Scene) {
    let y = TOP + pen.height + 58.0;
    let mut right = LEFT + pen.width;
    for side in [Side::B, Side::A] {
        let name = scene.sides.get(side.index()).map_or("", String::as_str);
        let wide = name.chars().count().min(40) as f64 * 8.6 + 78.0;
        right -= wide;
        let livery = livery(side);
        let weight = if side == Side::A { "1" } else { "1.8" };
        pen.put(&format!(
            "<rect x=\"{x}\" y=\"{top}\" width=\"34\" height=\"18\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{weight}\"/>\
             <rect x=\"{}\" y=\"{}\" width=\"28\" height=\"4.6\" fill=\"{}\"/>\
             <text x=\"{}\" y=\"{}\" font-size=\"17\" fill=\"#2d2416\">{}</text>",
            livery.body,
            livery.border,
            n(right + 3.0),
            n(y - 9.0),
            livery.sign,
            n(right + 44.0),
            n(y + 5.0),
            escape(&name.chars().take(40).collect::<String>()),
            x = n(right),
            top = n(y - 12.0)
        ));
        put_flag(pen, Vec2::new(right + 17.0, y - 1.0), side, livery, 1.15 / (pen.unit / 17.0).clamp(0.8, 1.7));
        right -= 14.0;
    }
}
