//! Ground that is a line: roads, water, walls, fences and hedges, each with a sign of its own.

use super::pen::{INCH, Pen, along, eased, ink, n, stroke, wobble};
use engine::Lots;
use engine::scene::SceneFeature;
use table::terrain::TerrainKind;
use table::{Outline, Vec2};

pub fn draw(pen: &mut Pen, feature: &SceneFeature, lots: &mut Lots) {
    use TerrainKind as T;
    let Outline::Line { points, width } = &feature.outline else { return };
    let places: Vec<Vec2> = points.iter().map(|point| point.vec()).collect();
    let inches = width.as_inches();
    match feature.kind {
        T::Road | T::Track => {
            let (path, wide) = road_path(pen, &places, inches);
            let edge = pen.weight(1.1);
            line(pen, &path, "#ecdfbf", wide - 2.0 * edge, "");
        }
        T::Railway => railway(pen, &places),
        T::Stream | T::River | T::Lake | T::Ford | T::Marsh | T::Swamp => stream(pen, &places, inches),
        T::Bridge | T::Pontoon => bridge(pen, &places, inches),
        T::Fence => fence(pen, &places),
        T::Hedge | T::Woods | T::Orchard | T::Scrub => hedge(pen, &places, lots),
        T::Abatis => abatis(pen, &places, lots),
        T::Earthwork | T::Redoubt | T::Cliff | T::Hill => bank(pen, &places, feature.kind == T::Cliff),
        _ => wall(pen, &places),
    }
}

fn line(pen: &mut Pen, path: &str, colour: &str, weight: f64, more: &str) {
    let weight = n(weight);
    pen.put(&format!("<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{weight}\" {more}/>"));
}

/// Both edges of a road as one broad line; the bed is laid over it later.
pub fn road_edges(pen: &mut Pen, feature: &SceneFeature) {
    let Outline::Line { points, width } = &feature.outline else { return };
    let dash = match feature.kind {
        TerrainKind::Road => "",
        TerrainKind::Track => "stroke-dasharray=\"7 5\"",
        _ => return,
    };
    let places: Vec<Vec2> = points.iter().map(|point| point.vec()).collect();
    let (path, wide) = road_path(pen, &places, width.as_inches());
    line(pen, &path, ink::SEPIA, wide, dash);
}

fn road_path(pen: &Pen, places: &[Vec2], inches: f64) -> (String, f64) {
    (pen.path(&eased(places, false, 2.0 * INCH), false), pen.px(inches.max(0.4)))
}

fn railway(pen: &mut Pen, places: &[Vec2]) {
    let path = pen.path(places, false);
    let (ties, rail) = (pen.px(0.5), pen.weight(1.6));
    line(pen, &path, ink::LINE, ties, "stroke-dasharray=\"1.5 6\"");
    line(pen, &path, ink::LINE, rail, "");
}

/// Water between hatched banks.
fn stream(pen: &mut Pen, places: &[Vec2], inches: f64) {
    let curve = eased(places, false, 2.4 * INCH);
    let path = pen.path(&curve, false);
    let wide = inches.max(0.3);
    let mut banks = String::new();
    for (place, way) in along(&curve, false, 0.16 * INCH) {
        for side in [way.perp_right(), way.perp_right() * -1.0] {
            let edge = place + side * (wide * 0.5 * INCH);
            stroke(&mut banks, pen.at(edge), pen.at(edge + side * (0.17 * INCH)));
        }
    }
    let (weight, body) = (pen.weight(0.6), pen.px(wide));
    line(pen, &banks, ink::HACHURE, weight, "opacity=\".75\"");
    line(pen, &path, ink::BANK, body + pen.weight(1.4), "");
    line(pen, &path, ink::WATER, body - pen.weight(1.0), "");
    line(pen, &path, ink::BANK, pen.weight(0.6), "stroke-dasharray=\"14 9\" opacity=\".6\"");
}

fn bridge(pen: &mut Pen, places: &[Vec2], inches: f64) {
    let path = pen.path(places, false);
    let wide = pen.px(inches.max(0.6));
    line(pen, &path, ink::LINE, wide + pen.weight(3.0), "");
    line(pen, &path, "#dcc896", wide, "");
    line(pen, &path, ink::SEPIA, wide, "stroke-dasharray=\"0.8 4\"");
}

/// Dressed stones on a dark course.
fn wall(pen: &mut Pen, places: &[Vec2]) {
    let path = pen.path(places, false);
    let thick = pen.px(0.24).max(3.6);
    line(pen, &path, "#3f372b", thick, "stroke-linejoin=\"round\"");
    let stone = n(pen.px(0.3).max(4.0));
    line(pen, &path, "#bdb09a", thick - pen.weight(1.5), &format!("stroke-dasharray=\"{stone} 1.4\""));
}

/// A snake fence: rails laid zigzag.
fn fence(pen: &mut Pen, places: &[Vec2]) {
    let mut rails: Vec<Vec2> = Vec::new();
    rails.extend(places.first());
    for (no, (place, way)) in along(places, false, 0.34 * INCH).into_iter().enumerate() {
        let side = if no % 2 == 0 { 0.13 } else { -0.13 };
        rails.push(place + way.perp_right() * (side * INCH));
    }
    rails.extend(places.last());
    let path = pen.path(&rails, false);
    let weight = pen.weight(1.5);
    line(pen, &path, ink::SEPIA, weight, "stroke-linejoin=\"round\" stroke-linecap=\"round\"");
    let posts: String = rails
        .iter()
        .map(|place| {
            let at = pen.at(*place);
            format!("M{} {}h.01", n(at.x), n(at.y))
        })
        .collect();
    line(pen, &posts, ink::LINE, pen.weight(2.6), "stroke-linecap=\"round\"");
}

fn hedge(pen: &mut Pen, places: &[Vec2], lots: &mut Lots) {
    let path = pen.path(places, false);
    let under = pen.px(0.2);
    line(pen, &path, ink::BARK, under, "opacity=\".5\" stroke-linecap=\"round\"");
    let (radius, weight) = (pen.px(0.15), n(pen.weight(0.7)));
    let mut bushes = String::new();
    for (place, way) in along(places, false, 0.2 * INCH) {
        let at = pen.at(place + way.perp_right() * ((lots.unit() - 0.5) * 0.1 * INCH));
        let size = n(radius * wobble(lots, 0.2));
        let fill = if lots.below(2) == 0 { ink::LEAF } else { ink::LEAF_LIGHT };
        bushes.push_str(&format!("<circle cx=\"{}\" cy=\"{}\" r=\"{size}\" fill=\"{fill}\"/>", n(at.x), n(at.y)));
    }
    pen.put(&format!("<g stroke=\"{}\" stroke-width=\"{weight}\">{bushes}</g>", ink::BARK));
}

/// Felled trees, boughs to either side.
fn abatis(pen: &mut Pen, places: &[Vec2], lots: &mut Lots) {
    let mut boughs = String::new();
    for (no, (place, way)) in along(places, false, 0.26 * INCH).into_iter().enumerate() {
        let side = if no % 2 == 0 { 1.0 } else { -1.0 };
        let out = (way.perp_right() * side + way * ((lots.unit() - 0.5) * 0.7)).normalised();
        let tip = place + out * (0.42 * wobble(lots, 0.2) * INCH);
        stroke(&mut boughs, pen.at(place - out * (0.14 * INCH)), pen.at(tip));
        for turn in [-38, 38] {
            let twig = out.turned(table::Angle::whole(turn));
            let from = place.lerp(tip, 0.35);
            stroke(&mut boughs, pen.at(from), pen.at(from + twig * (0.24 * INCH)));
        }
    }
    let weight = pen.weight(1.1);
    line(pen, &boughs, "#56482c", weight, "stroke-linecap=\"round\"");
}

/// A thrown-up bank with its slope on both sides; a cliff falls to one.
fn bank(pen: &mut Pen, places: &[Vec2], cliff: bool) {
    let mut slope = String::new();
    for (place, way) in along(places, false, 0.16 * INCH) {
        let reach = way.perp_right() * (0.32 * INCH);
        let from = if cliff { place } else { place - reach };
        stroke(&mut slope, pen.at(from), pen.at(place + reach));
    }
    let weight = pen.weight(0.8);
    line(pen, &slope, ink::SEPIA, weight, "");
    let path = pen.path(places, false);
    let crest = pen.px(0.2).max(3.0);
    line(pen, &path, ink::LINE, crest, "stroke-linejoin=\"miter\"");
    line(pen, &path, "#cdb684", (crest - pen.weight(1.8)).max(0.8), "");
}
