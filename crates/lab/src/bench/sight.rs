//! Sight among 230 blockers: the ground of the scenario and two hundred stands in two rough lines.

use super::{Better, Measure, rate};
use engine::{Lots, State};
use rules::awi::Awi;
use std::hint::black_box;
use table::terrain::TerrainKind;
use table::{
    Angle, Feature, Footprint, Ground, Layout, Length, Point, Pose, Quad, SightRule, Sightline, Vec2, is_clear,
};

/// Units a side, and stands of each.
const UNITS: u32 = 20;
const STANDS: usize = 5;

/// Woods deeper than two inches, buildings, higher ground and bodies block, as in the book.
struct Usual;

impl SightRule for Usual {
    fn feature_blocks(&self, feature: &Feature, inside: Length, line: &Sightline) -> bool {
        match feature.kind {
            TerrainKind::Woods | TerrainKind::Orchard => inside > Length::whole_inches(2),
            TerrainKind::Building | TerrainKind::Town => true,
            TerrainKind::Hill => feature.level > line.from_level.max(line.to_level),
            _ => false,
        }
    }

    fn body_blocks(&self, level: u8, line: &Sightline) -> bool {
        line.from_level.max(line.to_level) <= level
    }

    fn pooled(&self, kind: TerrainKind) -> bool {
        matches!(kind, TerrainKind::Woods | TerrainKind::Orchard)
    }
}

pub fn measure(opening: &State<Awi>, repeats: u16) -> Vec<Measure> {
    let ground = opening.ground();
    let stands = stands(ground);
    let half = stands.len() / 2;
    let mut lots = Lots::new(7);
    let pairs: Vec<(usize, usize)> = (0..1_024).map(|_| (lots.below(half), half + lots.below(half))).collect();
    let mut lines = Measure::new("lines of sight among 230 blockers", "per CPU s", [1e6, 3e6], Better::More);
    let mut nearest = Measure::new("nearest visible enemies, 200 stands", "per CPU s", [4e4, 2e5], Better::More);
    let mut order = Vec::new();
    for _ in 0..repeats {
        lines.add(rate(|| {
            let clear = |pair: &&(usize, usize)| sees(ground, &stands, pair.0, pair.1);
            black_box(black_box(&pairs).iter().filter(clear).count());
            pairs.len()
        }));
        nearest.add(rate(|| {
            let seen = (0..half).filter_map(|own| nearest_visible(ground, &stands, own, &mut order)).count();
            black_box(seen);
            half
        }));
    }
    vec![lines, nearest]
}

fn stands(ground: &Ground) -> Vec<Quad> {
    let mut lots = Lots::new(1777);
    let (wide, high) = (ground.size.0.as_inches(), ground.size.1.as_inches());
    let layout =
        Layout::line(STANDS, Footprint { width: Length::inches(1.2), depth: Length::inches(0.8) }, Length::ZERO);
    let mut stands = Vec::new();
    for unit in 0..2 * UNITS {
        let (north, no) = (unit >= UNITS, f64::from(unit % UNITS));
        let (file, rank) = (no % 10.0, (no / 10.0).floor() * 5.0);
        let x = wide * (file + 0.5) / 10.0;
        let y = if north { high * 0.72 + rank } else { high * 0.28 - rank } + (lots.unit() - 0.5) * 3.0;
        let facing = Angle::degrees(if north { 180.0 } else { 0.0 } + (lots.unit() - 0.5) * 40.0);
        stands.extend(layout.quads(Pose { at: Point::new(Length::inches(x), Length::inches(y)), facing }));
    }
    stands
}

fn sees(ground: &Ground, stands: &[Quad], one: usize, other: usize) -> bool {
    let line = Sightline { from: stands[one].centre, to: stands[other].centre, from_level: 0, to_level: 0 };
    let others = stands.iter().enumerate().filter(|(no, _)| *no != one && *no != other);
    is_clear(ground, &line, &Usual, others.map(|(no, quad)| (no, quad, 0)))
}

/// Enemies by distance; the first clear line wins.
fn nearest_visible(ground: &Ground, stands: &[Quad], own: usize, order: &mut Vec<(u64, usize)>) -> Option<usize> {
    let from: Vec2 = stands[own].centre;
    order.clear();
    // The bits of positive numbers sort as the numbers do.
    let half = stands.len() / 2;
    order.extend((half..stands.len()).map(|no| ((stands[no].centre - from).length_squared().to_bits(), no)));
    order.sort_unstable();
    order.iter().map(|(_, no)| *no).find(|&no| sees(ground, stands, own, no))
}
