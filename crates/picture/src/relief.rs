//! Hills by hachures: strokes run downhill, heavier on the side away from the light, which comes from the north-west.

use super::pen::{INCH, Pen, along, eased, ink, n, stroke, wobble};
use engine::Lots;
use engine::scene::SceneFeature;
use table::{Shape, Vec2};

/// Weights of stroke; one path for each keeps the file small.
const WEIGHTS: usize = 5;

pub fn hill(pen: &mut Pen, feature: &SceneFeature, shape: &Shape, lots: &mut Lots) {
    let ring = eased(&shape.corners(), true, 1.2 * INCH);
    let path = pen.path(&ring, true);
    let tint = if feature.level > 1 { ".5" } else { ".62" };
    pen.put(&format!("<path d=\"{path}\" fill=\"#e2d2a4\" opacity=\"{tint}\"/>"));
    pen.put(&format!("<path d=\"{path}\" fill=\"url(#shade)\"/>"));
    let steep = if feature.level > 1 { 0.75 } else { 1.0 };
    // Strokes keep their distance on the page, whatever the scale.
    let close = (3.4 / pen.unit).clamp(0.09, 0.3);
    let out = outward(&ring);
    let mut paths = vec![String::new(); WEIGHTS];
    // Three rows of strokes, the upper ones wider apart, make a slope that rounds off at the top.
    for (row, (from, to, step)) in [(0.03, 0.6, 1.0), (0.5, 1.0, 1.25), (0.9, 1.35, 1.9)].into_iter().enumerate() {
        for (place, direction) in along(&ring, true, step * close * INCH) {
            let outward = out(direction);
            let light = outward.dot(Vec2::new(0.64, -0.77));
            if row == 2 && light < -0.15 {
                continue;
            }
            let jitter = (lots.unit() - 0.5) * 0.5 * close * INCH;
            let foot = place - outward * (from * steep * INCH) + direction * jitter;
            let top = place - outward * (to * steep * wobble(lots, 0.16) * INCH) + direction * jitter;
            if !shape.contains(top) {
                continue;
            }
            let dark = ((light + 1.0) / 2.0 * WEIGHTS as f64) as usize;
            if let Some(path) = paths.get_mut(dark.min(WEIGHTS - 1)) {
                stroke(path, pen.at(top), pen.at(foot));
            }
        }
    }
    for (no, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
        let weight = 0.55 + 0.32 * no as f64;
        pen.put(&format!(
            "<path d=\"{path}\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" fill=\"none\" opacity=\".8\"/>",
            ink::HACHURE,
            n(weight)
        ));
    }
}

/// Which way is out of a ring: to the right of its direction, or to the left.
pub fn outward(ring: &[Vec2]) -> impl Fn(Vec2) -> Vec2 + use<> {
    let next = ring.iter().cycle().skip(1);
    let doubled: f64 = ring.iter().zip(next).map(|(a, b)| a.cross(*b)).sum();
    let sign = if doubled > 0.0 { 1.0 } else { -1.0 };
    move |direction| direction.perp_right() * sign
}
