//! Ground that has an extent: woods, fields, water, marshes, roofs and ramparts.

use super::pen::{INCH, Pen, along, eased, ink, lots_of, n, path_px, stroke, wobble};
use super::relief::outward;
use engine::Lots;
use engine::scene::SceneFeature;
use table::terrain::TerrainKind;
use table::{Shape, Vec2};

/// More signs than this in one piece of ground would only be a grey wash.
const MOST_SIGNS: f64 = 2_200.0;

pub fn draw(pen: &mut Pen, feature: &SceneFeature, shape: &Shape, lots: &mut Lots) {
    use TerrainKind as T;
    match feature.kind {
        T::Woods => woods(pen, shape, lots),
        T::Orchard => orchard(pen, shape),
        T::Crops => crops(pen, feature, shape, lots),
        T::Scrub | T::Difficult => rough(pen, shape, lots, feature.kind == T::Scrub),
        T::Marsh => marsh(pen, shape, lots, false),
        T::Swamp => marsh(pen, shape, lots, true),
        T::River | T::Lake | T::Stream | T::Ford => water(pen, feature, shape),
        T::Building => building(pen, &shape.corners()),
        T::Town => town(pen, shape, lots),
        T::Redoubt | T::Earthwork | T::Abatis | T::Wall | T::Cliff => rampart(pen, shape),
        T::Bridge | T::Pontoon => wash(pen, shape, "#d9c79c", ink::LINE, 0.0),
        T::Road | T::Track | T::Railway => wash(pen, shape, ink::PAPER, ink::SEPIA, 0.4),
        T::Clearing => wash(pen, shape, ink::PAPER, "none", 0.8),
        T::Hedge | T::Fence => wash(pen, shape, ink::WOOD, ink::BARK, 0.2),
        T::Hill => {}
    }
}

/// A plain tint with a border.
fn wash(pen: &mut Pen, shape: &Shape, fill: &str, border: &str, ease: f64) {
    let path = pen.path(&eased(&shape.corners(), true, ease * INCH), true);
    let weight = n(pen.weight(1.0));
    pen.put(&format!("<path d=\"{path}\" fill=\"{fill}\" stroke=\"{border}\" stroke-width=\"{weight}\"/>"));
}

/// Places inside a shape, no two nearer than `spacing` (in inches): darts thrown on a jittered grid.
fn scattered(shape: &Shape, lots: &mut Lots, spacing: f64) -> Vec<Vec2> {
    let bounds = shape.bounds();
    let (wide, high) = (bounds.max.x - bounds.min.x, bounds.max.y - bounds.min.y);
    let step = (spacing * INCH).max((wide * high / MOST_SIGNS).sqrt()).max(1.0);
    let (columns, rows) = ((wide / step).ceil() as u32, (high / step).ceil() as u32);
    let mut places = Vec::new();
    for row in 0..=rows {
        for column in 0..=columns {
            let shift = if row % 2 == 0 { 0.0 } else { 0.5 };
            let x = f64::from(column) + shift + (lots.unit() - 0.5) * 0.9;
            let y = f64::from(row) + (lots.unit() - 0.5) * 0.9;
            let place = bounds.min + Vec2::new(x, y) * step;
            if shape.contains(place) {
                places.push(place);
            }
        }
    }
    // The north is drawn first, so that nearer trees stand before farther ones.
    places.sort_by(|a, b| b.y.total_cmp(&a.y));
    places
}

fn plant(pen: &mut Pen, place: Vec2, sign: &str, size: f64) {
    let at = pen.at(place);
    let size = (size * pen.unit / 17.0 * 100.0).round() / 100.0;
    pen.put(&format!("<use href=\"#{sign}\" transform=\"translate({} {}) scale({size})\"/>", n(at.x), n(at.y)));
}

fn woods(pen: &mut Pen, shape: &Shape, lots: &mut Lots) {
    let ring = eased(&shape.corners(), true, 0.9 * INCH);
    let path = pen.path(&ring, true);
    let weight = n(pen.weight(0.9));
    pen.put(&format!(
        "<path d=\"{path}\" fill=\"{}\" opacity=\".72\" stroke=\"{}\" stroke-width=\"{weight}\" stroke-dasharray=\"1.5 2\"/>",
        ink::WOOD,
        ink::BARK
    ));
    let out = outward(&ring);
    let border = along(&ring, true, 0.46 * INCH);
    let mut trees: Vec<Vec2> = border
        .into_iter()
        .map(|(place, way)| place - out(way) * (0.26 * wobble(lots, 0.3) * INCH))
        .filter(|place| shape.contains(*place))
        .collect();
    for place in scattered(shape, lots, 0.5) {
        if trees.iter().all(|tree| tree.distance(place) > 0.38 * INCH) {
            trees.push(place);
        }
    }
    trees.sort_by(|a, b| b.y.total_cmp(&a.y));
    for tree in trees {
        let sign = ["tree-a", "tree-b", "tree-c"][lots.below(3)];
        let size = 0.74 * wobble(lots, 0.18);
        plant(pen, tree, sign, size);
    }
}

fn orchard(pen: &mut Pen, shape: &Shape) {
    wash(pen, shape, "#cfd1a2", ink::BARK, 0.2);
    let bounds = shape.bounds();
    let (wide, high) = (bounds.max.x - bounds.min.x, bounds.max.y - bounds.min.y);
    let step = (0.8 * INCH).max((wide * high / MOST_SIGNS).sqrt());
    let mut y = bounds.max.y - step * 0.5;
    while y > bounds.min.y {
        let mut x = bounds.min.x + step * 0.5;
        while x < bounds.max.x {
            if shape.contains(Vec2::new(x, y)) {
                plant(pen, Vec2::new(x, y), "tree-a", 0.62);
            }
            x += step;
        }
        y -= step;
    }
}

/// Ploughland: furrows in strips that lie athwart each other.
fn crops(pen: &mut Pen, feature: &SceneFeature, shape: &Shape, lots: &mut Lots) {
    let path = pen.path(&eased(&shape.corners(), true, 0.25 * INCH), true);
    let furrow = ["furrow-a", "furrow-b", "furrow-c"][lots_of(&feature.key).below(3)];
    let weight = n(pen.weight(0.8));
    pen.put(&format!("<path d=\"{path}\" fill=\"#eadcae\" stroke=\"{}\" stroke-width=\"{weight}\"/>", ink::STRAW));
    pen.put(&format!("<path d=\"{path}\" fill=\"url(#{furrow})\"/>"));
    for place in scattered(shape, lots, 0.9) {
        plant(pen, place, "sheaf", 0.7);
    }
}

fn rough(pen: &mut Pen, shape: &Shape, lots: &mut Lots, bushes: bool) {
    let path = pen.path(&eased(&shape.corners(), true, 0.8 * INCH), true);
    pen.put(&format!("<path d=\"{path}\" fill=\"#ddcfa3\" opacity=\".7\"/>"));
    for place in scattered(shape, lots, 0.62) {
        let sign = if bushes { "bush" } else { ["tuft", "tuft", "stone"][lots.below(3)] };
        let size = 0.85 * wobble(lots, 0.2);
        plant(pen, place, sign, size);
    }
}

fn marsh(pen: &mut Pen, shape: &Shape, lots: &mut Lots, deep: bool) {
    let path = pen.path(&eased(&shape.corners(), true, 0.9 * INCH), true);
    let (fill, strength) = if deep { (ink::WATER, ".75") } else { ("#d3d6b4", ".7") };
    pen.put(&format!("<path d=\"{path}\" fill=\"{fill}\" opacity=\"{strength}\"/>"));
    let mut ripples = String::new();
    for place in scattered(shape, lots, 0.45) {
        let half = Vec2::new(0.3 * wobble(lots, 0.5) * INCH, 0.0);
        if shape.contains(place + half) && shape.contains(place - half) {
            stroke(&mut ripples, pen.at(place - half), pen.at(place + half));
        }
    }
    let weight = n(pen.weight(0.8));
    pen.put(&format!("<path d=\"{ripples}\" stroke=\"{}\" stroke-width=\"{weight}\" opacity=\".8\"/>", ink::BANK));
    for place in scattered(shape, lots, 1.1) {
        plant(pen, place, "reed", 0.9);
    }
}

/// Standing water with the fine lines engravers drew along a shore.
fn water(pen: &mut Pen, feature: &SceneFeature, shape: &Shape) {
    let path = pen.path(&eased(&shape.corners(), true, 0.6 * INCH), true);
    let id = format!("w{}", lots_of(&feature.key).below(1 << 30));
    pen.put(&format!("<clipPath id=\"{id}\"><path d=\"{path}\"/></clipPath><g clip-path=\"url(#{id})\">"));
    pen.put(&format!("<path d=\"{path}\" fill=\"{}\"/>", ink::WATER));
    for (wide, strength) in [(0.9, 0.22), (0.56, 0.35), (0.28, 0.5)] {
        let (outer, inner) = (n(pen.px(wide) + pen.weight(1.0)), n(pen.px(wide)));
        pen.put(&format!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{outer}\" opacity=\"{strength}\"/>\
             <path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{inner}\"/>",
            ink::BANK,
            ink::WATER
        ));
    }
    pen.put("</g>");
    let weight = n(pen.weight(1.6));
    pen.put(&format!("<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{weight}\"/>", ink::BANK));
}

/// A roof seen from above, lit from the north-west; other than four corners get a flat one.
pub fn building(pen: &mut Pen, corners: &[Vec2]) {
    let pixels: Vec<Vec2> = corners.iter().map(|corner| pen.at(*corner)).collect();
    let lift = pen.px(0.14);
    let shadow: Vec<Vec2> = pixels.iter().map(|place| *place + Vec2::new(lift, lift)).collect();
    pen.put(&format!("<path d=\"{}\" fill=\"#2d2416\" opacity=\".3\"/>", path_px(&shadow, true)));
    let weight = n(pen.weight(1.0));
    let mut roof = |points: &[Vec2], fill: &str| {
        let path = path_px(points, true);
        pen.put(&format!(
            "<path d=\"{path}\" fill=\"{fill}\" stroke=\"#4d1d12\" stroke-width=\"{weight}\" stroke-linejoin=\"round\"/>"
        ));
    };
    let &[mut a, mut b, mut c, mut d] = pixels.as_slice() else {
        roof(&pixels, ink::ROOF);
        return;
    };
    if a.distance(b) < b.distance(c) {
        (a, b, c, d) = (b, c, d, a);
    }
    // The ridge runs along the longer side, hipped at both ends.
    let (left, right) = (a.lerp(d, 0.5), b.lerp(c, 0.5));
    let hip = (a.distance(d) * 0.5 / left.distance(right).max(1.0)).min(0.3);
    let (left, right) = (left.lerp(right, hip), right.lerp(left, hip));
    let lit = |from: Vec2, to: Vec2, ridge: Vec2| {
        let out = from.lerp(to, 0.5) - ridge;
        out.x + out.y < 0.0
    };
    for plane in [[a, b, right, left], [c, d, left, right]] {
        let light = lit(plane[0], plane[1], left.lerp(right, 0.5));
        roof(&plane, if light { "#c65b40" } else { ink::ROOF_DARK });
    }
    for plane in [[d, a, left], [b, c, right]] {
        roof(&plane, if lit(plane[0], plane[1], plane[2]) { ink::ROOF } else { "#9c3b28" });
    }
}

fn town(pen: &mut Pen, shape: &Shape, lots: &mut Lots) {
    let path = pen.path(&eased(&shape.corners(), true, 0.5 * INCH), true);
    pen.put(&format!("<path d=\"{path}\" fill=\"#e3c9a2\" opacity=\".8\"/>"));
    for place in scattered(shape, lots, 1.25) {
        let way = table::Angle::whole(lots.below(4) as i32 * 90 + lots.below(24) as i32 - 12).unit();
        let across = way.perp_right() * (0.26 * wobble(lots, 0.15) * INCH);
        let ahead = way * (0.42 * wobble(lots, 0.2) * INCH);
        let house = [place - across - ahead, place + across - ahead, place + across + ahead, place - across + ahead];
        if house.iter().all(|corner| shape.contains(*corner)) {
            building(pen, &house);
        }
    }
}

/// A closed work: bank, ditch and teeth that look outward.
fn rampart(pen: &mut Pen, shape: &Shape) {
    let ring = shape.corners();
    let path = pen.path(&ring, true);
    let thick = n(pen.weight(3.4));
    pen.put(&format!("<path d=\"{path}\" fill=\"#dcc896\" stroke=\"{}\" stroke-width=\"{thick}\"/>", ink::LINE));
    let out = outward(&ring);
    let mut teeth = String::new();
    for (place, way) in along(&ring, true, 0.2 * INCH) {
        stroke(&mut teeth, pen.at(place), pen.at(place + out(way) * (0.3 * INCH)));
    }
    let weight = n(pen.weight(0.9));
    pen.put(&format!("<path d=\"{teeth}\" stroke=\"{}\" stroke-width=\"{weight}\"/>", ink::LINE));
}
