//! The pen: from the table to the page, numbers and names made safe, curves eased, and a cloth that remembers what is
//! covered.

use engine::Lots;
use std::fmt::Write;
use table::{Length, Vec2};

/// Micrometres of an inch.
pub const INCH: f64 = 25_400.0;
pub const LEFT: f64 = 46.0;
pub const TOP: f64 = 104.0;
pub const FOOT: f64 = 104.0;
/// The map is about this wide, so that lettering keeps its proportion on any table.
const GOAL: f64 = 1_240.0;

/// Colours of a hand-coloured engraving.
pub mod ink {
    pub const PAPER: &str = "#f0e6cd";
    pub const LINE: &str = "#4a3d28";
    pub const SEPIA: &str = "#6d5736";
    pub const HACHURE: &str = "#7a6440";
    pub const WOOD: &str = "#bcc28e";
    pub const LEAF: &str = "#8d9a5c";
    pub const LEAF_LIGHT: &str = "#a9b375";
    pub const BARK: &str = "#4f5a34";
    pub const WATER: &str = "#b4cccb";
    pub const BANK: &str = "#55757c";
    pub const ROOF: &str = "#b0462f";
    pub const ROOF_DARK: &str = "#8d3322";
    pub const STRAW: &str = "#cdb271";
    /// Dark and light of the first side.
    pub const FIRST: (&str, &str) = ("#8f2420", "#f6e9d6");
    /// Dark and light of the second side.
    pub const SECOND: (&str, &str) = ("#1f3c63", "#c3d0df");
}

/// Where drawing goes.
pub struct Pen {
    out: String,
    /// Pixels of an inch.
    pub unit: f64,
    /// The map in pixels.
    pub width: f64,
    pub height: f64,
    /// Names are written so many times larger than usual.
    pub lettering: f64,
}

impl Pen {
    pub fn new(size: (Length, Length)) -> Pen {
        let (wide, high) = (size.0.as_inches().max(1.0), size.1.as_inches().max(1.0));
        let unit = (GOAL / wide).clamp(6.0, 34.0);
        Pen { out: String::new(), unit, width: wide * unit, height: high * unit, lettering: 1.0 }
    }

    /// Writes a piece of SVG.
    pub fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    pub fn finish(self) -> String {
        self.out
    }

    /// From the table to the page; north is up.
    pub fn at(&self, place: Vec2) -> Vec2 {
        let scale = self.unit / INCH;
        Vec2::new(LEFT + place.x * scale, TOP + self.height - place.y * scale)
    }

    /// A length in pixels.
    pub fn px(&self, inches: f64) -> f64 {
        inches * self.unit
    }

    /// A line weight that grows a little with the map.
    pub fn weight(&self, pixels: f64) -> f64 {
        pixels * (self.unit / 17.0).clamp(0.7, 1.5)
    }

    /// A path through places of the table.
    pub fn path(&self, places: &[Vec2], closed: bool) -> String {
        let pixels: Vec<Vec2> = places.iter().map(|place| self.at(*place)).collect();
        path_px(&pixels, closed)
    }

    /// Size of names.
    pub fn letter(&self) -> f64 {
        (self.unit * 0.6).clamp(10.0, 13.5) * self.lettering
    }
}

/// A number for the page: a tenth of a pixel is finer than anybody sees.
pub fn n(value: f64) -> String {
    let tenths = (value * 10.0).round();
    let tenths = if tenths.is_finite() { tenths.clamp(-1e7, 1e7) as i64 } else { 0 };
    let sign = if tenths < 0 { "-" } else { "" };
    match (tenths.abs() / 10, tenths.abs() % 10) {
        (whole, 0) => format!("{sign}{whole}"),
        (whole, part) => format!("{sign}{whole}.{part}"),
    }
}

/// A path through places of the page.
pub fn path_px(pixels: &[Vec2], closed: bool) -> String {
    let mut text = String::new();
    for (no, place) in pixels.iter().enumerate() {
        let _ = write!(text, "{}{} {}", if no == 0 { "M" } else { "L" }, n(place.x), n(place.y));
    }
    if closed {
        text.push('z');
    }
    text
}

/// Adds one stroke to a path of many.
pub fn stroke(path: &mut String, from: Vec2, to: Vec2) {
    let _ = write!(path, "M{} {}L{} {}", n(from.x), n(from.y), n(to.x), n(to.y));
}

/// A name made safe for XML.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars().take(200) {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&apos;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            letter => safe.push(letter),
        }
    }
    safe
}

/// Chance for drawing, the same for the same feature every time.
pub fn lots_of(key: &str) -> Lots {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    Lots::new(key.bytes().fold(0xcbf2_9ce4_8422_2325, mix))
}

/// A number around 1, off by at most `by`.
pub fn wobble(lots: &mut Lots, by: f64) -> f64 {
    1.0 + (lots.unit() * 2.0 - 1.0) * by
}

/// Takes the edge off corners: a hand does not draw them, and the tape never lies in one.
pub fn eased(points: &[Vec2], closed: bool, radius: f64) -> Vec<Vec2> {
    let count = points.len();
    if count < 3 {
        return points.to_vec();
    }
    let mut out = Vec::with_capacity(count * 6);
    for no in 0..count {
        let here = points[no];
        if !closed && (no == 0 || no + 1 == count) {
            out.push(here);
            continue;
        }
        let (before, after) = (points[(no + count - 1) % count], points[(no + 1) % count]);
        let reach = |other: Vec2| radius.min(here.distance(other) * 0.45);
        let enter = here + (before - here).normalised() * reach(before);
        let leave = here + (after - here).normalised() * reach(after);
        out.extend((0..=5).map(|step| {
            let t = f64::from(step) / 5.0;
            enter.lerp(here, t).lerp(here.lerp(leave, t), t)
        }));
    }
    out
}

/// Places along a chain, so far apart, with the direction of the chain there.
pub fn along(points: &[Vec2], closed: bool, step: f64) -> Vec<(Vec2, Vec2)> {
    const MOST: usize = 6_000;
    let mut chain = points.to_vec();
    if closed && let Some(first) = points.first() {
        chain.push(*first);
    }
    let total: f64 = chain.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let step = step.max(total / MOST as f64).max(1.0);
    let mut out = Vec::new();
    let mut left = step * 0.5;
    for pair in chain.windows(2) {
        let length = pair[0].distance(pair[1]);
        let direction = (pair[1] - pair[0]).normalised();
        while left < length {
            out.push((pair[0] + direction * left, direction));
            left += step;
        }
        left -= length;
    }
    out
}

/// A box of the page.
#[derive(Clone, Copy, Debug)]
pub struct Patch {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

impl Patch {
    pub fn around(pixels: impl IntoIterator<Item = Vec2>) -> Option<Patch> {
        let mut pixels = pixels.into_iter();
        let first = pixels.next()?;
        let (low, high) = pixels.fold((first, first), |(low, high), p| {
            (Vec2::new(low.x.min(p.x), low.y.min(p.y)), Vec2::new(high.x.max(p.x), high.y.max(p.y)))
        });
        Some(Patch { x: low.x, y: low.y, w: high.x - low.x, h: high.y - low.y })
    }

    pub fn centre(&self) -> Vec2 {
        Vec2::new(self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    pub fn grown(self, by: f64) -> Patch {
        Patch { x: self.x - by, y: self.y - by, w: self.w + 2.0 * by, h: self.h + 2.0 * by }
    }

    fn shared(&self, other: &Patch) -> f64 {
        let wide = (self.x + self.w).min(other.x + other.w) - self.x.max(other.x);
        let high = (self.y + self.h).min(other.y + other.h) - self.y.max(other.y);
        wide.max(0.0) * high.max(0.0)
    }
}

/// What is covered already.
#[derive(Default)]
pub struct Cloth(Vec<Patch>);

impl Cloth {
    pub fn cover(&mut self, patch: Patch) {
        self.0.push(patch);
    }

    pub fn cover_all(&mut self, patches: impl IntoIterator<Item = Patch>) {
        self.0.extend(patches);
    }

    /// How much of a box is covered, and how much of it lies off the map.
    pub fn cost(&self, pen: &Pen, patch: &Patch) -> f64 {
        let map = Patch { x: LEFT, y: TOP, w: pen.width, h: pen.height };
        let off = patch.w * patch.h - patch.shared(&map);
        self.0.iter().map(|other| patch.shared(other)).sum::<f64>() + off * 4.0
    }
}
