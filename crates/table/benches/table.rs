//! Measures the tape measure on a 6 ft × 4 ft table with 200 stands and 30 pieces of terrain.
//!
//! Goals per second on one core: 1,000,000 lines of sight (later 3,000,000) and 40,000 nearest visible enemies (later
//! 200,000). `cargo bench -p grognard-table`; items per second are in the column of the throughput.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use table::{
    Angle, Feature, Flank, Footprint, Ground, Layout, Leg, Length, Outline, Point, Pose, Quad, Shape, SightRule,
    Sightline, TerrainKind, Track, Vec2, conform, gap, is_clear, look, reach,
};

fn main() {
    divan::main();
}

/// SplitMix64, so that every run measures the same table.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` up to but not including `high`.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }
}

/// Woods of more than two inches, buildings, high ground and bodies block, as in `awi`.
struct Usual;

impl SightRule for Usual {
    fn feature_blocks(&self, feature: &Feature, inside: Length, line: &Sightline) -> bool {
        match feature.kind {
            TerrainKind::Woods => inside > Length::whole_inches(2),
            TerrainKind::Building => true,
            TerrainKind::Hill => feature.level > line.from_level.max(line.to_level),
            _ => false,
        }
    }

    fn body_blocks(&self, level: u8, line: &Sightline) -> bool {
        line.from_level.max(line.to_level) <= level
    }

    fn pooled(&self, kind: TerrainKind) -> bool {
        kind == TerrainKind::Woods
    }
}

/// Nothing blocks, so that every line is followed past all 230.
struct Glass;

impl SightRule for Glass {
    fn feature_blocks(&self, _: &Feature, inside: Length, _: &Sightline) -> bool {
        black_box(inside) == Length::MAX
    }

    fn body_blocks(&self, level: u8, _: &Sightline) -> bool {
        black_box(level) == u8::MAX
    }
}

struct Field {
    ground: Ground,
    /// The first hundred are ours.
    stands: Vec<Quad>,
    poses: Vec<Pose>,
}

/// Twenty units of five stands a side in two rough lines, and thirty pieces of terrain.
fn field() -> Field {
    let mut dice = Dice(1781);
    let stand = Footprint { width: Length::inches(1.2), depth: Length::inches(0.8) };
    let layout = Layout::line(5, stand, Length::ZERO);
    let (mut stands, mut poses) = (Vec::new(), Vec::new());
    for unit in 0..40 {
        let (side, no) = (unit / 20, f64::from(unit % 20));
        let facing = if side == 0 { 0.0 } else { 180.0 } + dice.between(-20.0, 20.0);
        let (x, rank) = (4.0 + 7.0 * (no % 10.0), (no / 10.0).floor() * 5.0);
        let y = if side == 0 { 12.0 - rank } else { 36.0 + rank } + dice.between(-1.5, 1.5);
        let at = Point::new(Length::inches(x), Length::inches(y));
        poses.push(Pose { at, facing: Angle::degrees(facing) });
        stands.extend(layout.quads(Pose { at, facing: Angle::degrees(facing) }));
    }
    let features = (0..30).filter_map(|no| piece(no, &mut dice)).collect();
    let size = (Length::whole_inches(72), Length::whole_inches(48));
    Field { ground: Ground { size, features, wind: None }, stands, poses }
}

fn piece(no: usize, dice: &mut Dice) -> Option<Feature> {
    let at = Vec2::new(dice.between(3.0, 69.0), dice.between(3.0, 45.0)) * 25_400.0;
    let around = |corners: u32, dice: &mut Dice, least: f64, most: f64| {
        let corner = |no: u32| Angle::degrees(360.0 * f64::from(no) / f64::from(corners));
        let ring =
            (0..corners).map(|no| Point::from_vec(at + corner(no).unit() * (dice.between(least, most) * 25_400.0)));
        Outline::Area(ring.collect())
    };
    let chain = |dice: &mut Dice, width: f64| {
        let heading = dice.between(0.0, 360.0);
        let points = (0..4).map(|no| {
            let bend = Angle::degrees(heading + dice.between(-25.0, 25.0));
            Point::from_vec(at + bend.unit() * (f64::from(no) * 4.0 * 25_400.0))
        });
        Outline::Line { points: points.collect(), width: Length::inches(width) }
    };
    let (kind, level, outline) = match no % 6 {
        0 => (TerrainKind::Woods, 0, around(7, dice, 1.0, 2.5)),
        1 => (TerrainKind::Building, 0, around(4, dice, 0.8, 1.0)),
        2 => (TerrainKind::Hill, 1, around(9, dice, 2.0, 3.5)),
        3 => (TerrainKind::Hedge, 0, chain(dice, 0.0)),
        4 => (TerrainKind::Road, 0, chain(dice, 1.0)),
        _ => (TerrainKind::Crops, 0, Outline::Disc { centre: Point::from_vec(at), radius: Length::inches(2.0) }),
    };
    let shape = Shape::new(outline).ok()?;
    Some(Feature {
        key: no.to_string(),
        name: String::new(),
        kind,
        shape,
        level,
        crests: Vec::new(),
        nature: Vec::new(),
    })
}

/// Pairs of one stand of ours and one of theirs.
fn pairs(field: &Field) -> Vec<(usize, usize, Sightline)> {
    let mut dice = Dice(7);
    let pair = |_| {
        let (one, other) = (dice.below(100), 100 + dice.below(100));
        let line =
            Sightline { from: field.stands[one].centre, to: field.stands[other].centre, from_level: 0, to_level: 0 };
        (one, other, line)
    };
    (0..1_024).map(pair).collect()
}

fn bodies_but(stands: &[Quad], one: usize, other: usize) -> impl Iterator<Item = (usize, &Quad, u8)> {
    stands.iter().enumerate().filter(move |(no, _)| *no != one && *no != other).map(|(no, quad)| (no, quad, 0))
}

/// Lines of sight between two stands among 230 blockers, blocked or not as it happens.
#[divan::bench]
fn sight_among_230(bencher: Bencher) {
    let field = field();
    let pairs = pairs(&field);
    bencher.counter(ItemsCount::new(pairs.len())).bench_local(|| {
        let clear = |(one, other, line): &&(usize, usize, Sightline)| {
            is_clear(&field.ground, line, &Usual, bodies_but(&field.stands, *one, *other))
        };
        black_box(&pairs).iter().filter(clear).count()
    });
}

/// The worst case: every line is followed past all 230.
#[divan::bench]
fn sight_past_all_230(bencher: Bencher) {
    let field = field();
    let pairs = pairs(&field);
    bencher.counter(ItemsCount::new(pairs.len())).bench_local(|| {
        let clear = |(one, other, line): &&(usize, usize, Sightline)| {
            is_clear(&field.ground, line, &Glass, bodies_but(&field.stands, *one, *other))
        };
        black_box(&pairs).iter().filter(clear).count()
    });
}

/// The named answer, for people.
#[divan::bench]
fn look_among_230(bencher: Bencher) {
    let field = field();
    let pairs = pairs(&field);
    bencher.counter(ItemsCount::new(pairs.len())).bench_local(|| {
        let blocks = |(one, other, line): &(usize, usize, Sightline)| {
            let bodies = bodies_but(&field.stands, *one, *other).map(|(no, quad, level)| (no, *quad, level));
            look(&field.ground, line, &Usual, bodies).blocks.len()
        };
        black_box(&pairs).iter().map(blocks).sum::<usize>()
    });
}

/// The nearest visible enemy of a stand: candidates by distance, the first clear line wins.
fn nearest_visible(field: &Field, own: usize, order: &mut Vec<(u64, usize)>) -> Option<usize> {
    let from = field.stands[own].centre;
    order.clear();
    // The bits of positive numbers sort as the numbers do.
    order.extend((100..200).map(|no| ((field.stands[no].centre - from).length_squared().to_bits(), no)));
    order.sort_unstable();
    order.iter().map(|(_, no)| *no).find(|&no| {
        let line = Sightline { from, to: field.stands[no].centre, from_level: 0, to_level: 0 };
        is_clear(&field.ground, &line, &Usual, bodies_but(&field.stands, own, no))
    })
}

/// The nearest visible enemy among 200 stands and 30 pieces.
#[divan::bench]
fn nearest_visible_enemy(bencher: Bencher) {
    let field = field();
    let mut order = Vec::new();
    bencher
        .counter(ItemsCount::new(100_usize))
        .bench_local(|| (0..100).filter_map(|own| nearest_visible(&field, black_box(own), &mut order)).sum::<usize>());
}

/// The gap between two rectangles at any angle.
#[divan::bench]
fn gap_of_two_quads(bencher: Bencher) {
    let field = field();
    let pairs = pairs(&field);
    bencher.counter(ItemsCount::new(pairs.len())).bench_local(|| {
        let gap = |(one, other, _): &(usize, usize, Sightline)| gap(&field.stands[*one], &field.stands[*other]);
        black_box(&pairs).iter().map(gap).max()
    });
}

/// Which of 200 stands a stand touches: mostly settled by the circles.
#[divan::bench]
fn touching_among_200(bencher: Bencher) {
    let field = field();
    bencher.counter(ItemsCount::new(200_usize * 200)).bench_local(|| {
        let stands = black_box(&field.stands);
        stands.iter().map(|one| stands.iter().filter(|other| table::quads_touch(one, other)).count()).sum::<usize>()
    });
}

/// A march of four legs plotted and checked against 200 stands, 30 pieces and the table edge.
#[divan::bench]
fn march_checked(bencher: Bencher) {
    let field = field();
    let footprint = Footprint { width: Length::inches(6.0), depth: Length::inches(0.8) };
    let legs = [
        Leg::Ahead(Length::inches(2.0)),
        Leg::Wheel { pivot: Flank::Left, by: Angle::whole(15) },
        Leg::Oblique { by: Angle::whole(30), go: Length::inches(2.0) },
        Leg::Turn(Angle::whole(-10)),
    ];
    bencher.counter(ItemsCount::new(20_usize)).bench_local(|| {
        let check = |start: &Pose| {
            let track = Track::plot(*start, footprint, black_box(&legs));
            let met = field.stands.iter().filter(|quad| track.meets(quad.points()).is_some()).count();
            let inside: Length = field.ground.features.iter().map(|feature| track.inside(&feature.shape)).sum();
            (met, inside, track.stays_on(&field.ground))
        };
        field.poses[..20]
            .iter()
            .map(check)
            .filter(|(met, inside, stays)| *met > 3 && *inside > Length::ZERO && *stays)
            .count()
    });
}

/// A straight charge to contact, and the front laid flush.
#[divan::bench]
fn charge_and_conform(bencher: Bencher) {
    let footprint = Footprint { width: Length::inches(6.0), depth: Length::inches(0.8) };
    let start = Pose { at: Point::new(Length::inches(30.0), Length::inches(20.0)), facing: Angle::degrees(12.0) };
    let target = footprint
        .quad(Pose { at: Point::new(Length::inches(31.0), Length::inches(27.0)), facing: Angle::degrees(190.0) });
    bencher.bench_local(|| {
        let start = black_box(start);
        let went = reach(&footprint.quad(start), start.forward(), Length::whole_inches(12), &target)?;
        Some(conform(start.ahead(went), footprint, &target))
    });
}

/// The bare conform.
#[divan::bench]
fn conform_only(bencher: Bencher) {
    let footprint = Footprint { width: Length::inches(6.0), depth: Length::inches(0.8) };
    let start = Pose { at: Point::new(Length::inches(30.0), Length::inches(26.8)), facing: Angle::degrees(12.0) };
    let target = footprint
        .quad(Pose { at: Point::new(Length::inches(31.0), Length::inches(27.0)), facing: Angle::degrees(190.0) });
    bencher.bench_local(|| conform(black_box(start), footprint, black_box(&target)));
}

/// Five stands laid out on the table.
#[divan::bench]
fn quads_of_a_layout(bencher: Bencher) {
    let stand = Footprint { width: Length::inches(1.2), depth: Length::inches(0.8) };
    let layout = Layout::line(5, stand, Length::ZERO);
    let pose = Pose { at: Point::new(Length::inches(30.0), Length::inches(26.8)), facing: Angle::degrees(12.0) };
    bencher.bench_local(|| layout.quads(black_box(pose)).map(|quad| quad.centre.x).sum::<f64>());
}
