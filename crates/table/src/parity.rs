//! Keeps the proof that measurements have the same bits natively and in WASM.
//!
//! A long mix of all measurements on a table drawn from a seed is folded into four numbers; whoever builds for another
//! target runs the same digest there and compares.

use crate::{
    Angle, Block, Feature, Flank, Footprint, FrontArc, Ground, Layout, Leg, Length, Outline, Point, Pose, Quad, Shape,
    SightRule, Sightline, TerrainKind, Track, Unit, Vec2, Zone, conform, convex, gap, is_clear, look, quads_overlap,
    quads_touch, reach, within_arc, zone,
};

/// Folds the bits of every result of many rounds into four numbers.
pub fn digest(seed: u64, rounds: u32) -> [u64; 4] {
    let mut dice = Dice(seed);
    let mut fold = Fold { lanes: [seed, !seed, seed.rotate_left(17), seed.rotate_left(41)], next: 0 };
    for _ in 0..rounds {
        numbers(&mut dice, &mut fold);
        pairs(&mut dice, &mut fold);
        arcs(&mut dice, &mut fold);
        layouts(&mut dice, &mut fold);
        let ground = ground(&mut dice);
        terrain(&ground, &mut dice, &mut fold);
        sight(&ground, &mut dice, &mut fold);
        marches(&ground, &mut dice, &mut fold);
    }
    fold.lanes
}

/// SplitMix64: small, well known and the same everywhere.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.0)
    }

    fn between(&mut self, low: i32, high: i32) -> i32 {
        let room = u64::from(high.abs_diff(low)).max(1);
        low.wrapping_add((self.next() % room) as i32)
    }

    fn length(&mut self, low: i32, high: i32) -> Length {
        Length::um(self.between(low, high))
    }

    fn angle(&mut self) -> Angle {
        // Half of all angles are whole degrees, because those are the ones on tables.
        let millidegrees = self.between(0, 360_000);
        if self.next() & 1 == 0 { Angle::whole(millidegrees / 1_000) } else { Angle::millidegrees(millidegrees) }
    }

    fn point(&mut self) -> Point {
        Point::new(self.length(0, 600_000), self.length(0, 600_000))
    }

    fn pose(&mut self) -> Pose {
        Pose { at: self.point(), facing: self.angle() }
    }

    fn footprint(&mut self) -> Footprint {
        Footprint { width: self.length(0, 150_000), depth: self.length(0, 60_000) }
    }

    fn quad(&mut self) -> Quad {
        self.footprint().quad(self.pose())
    }
}

fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// Four lanes, so that neighbouring results do not hide each other.
struct Fold {
    lanes: [u64; 4],
    next: usize,
}

impl Fold {
    fn bits(&mut self, bits: u64) {
        if let Some(lane) = self.lanes.get_mut(self.next % 4) {
            *lane = mixed(lane.rotate_left(23) ^ bits).wrapping_add(0x9E37_79B9_7F4A_7C15);
        }
        self.next = self.next.wrapping_add(1);
    }

    fn number(&mut self, number: f64) {
        // The payload of NaN is the one thing targets may choose freely.
        self.bits(if number.is_nan() { u64::MAX } else { number.to_bits() });
    }

    fn flag(&mut self, flag: bool) {
        self.bits(u64::from(flag));
    }

    fn length(&mut self, length: Length) {
        self.bits(u64::from(length.as_um().cast_unsigned()));
    }

    fn place(&mut self, place: Vec2) {
        self.number(place.x);
        self.number(place.y);
    }

    fn pose(&mut self, pose: Pose) {
        self.length(pose.at.x);
        self.length(pose.at.y);
        self.bits(u64::from(pose.facing.as_millidegrees().cast_unsigned()));
    }

    fn quad(&mut self, quad: &Quad) {
        quad.corners.iter().for_each(|&corner| self.place(corner));
        self.place(quad.centre);
        self.number(quad.radius);
    }

    fn interval(&mut self, interval: Option<(f64, f64)>) {
        let (enter, leave) = interval.unwrap_or((-1.0, -1.0));
        self.number(enter);
        self.number(leave);
    }

    fn text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.bits(u64::from(byte)));
    }
}

fn numbers(dice: &mut Dice, fold: &mut Fold) {
    let (angle, other) = (dice.angle(), dice.angle());
    let (sin, cos) = angle.sin_cos();
    fold.number(sin);
    fold.number(cos);
    fold.number(crate::trig::sin(f64::from(dice.between(-90_000, 90_000)) * 1e-3));
    let vector = dice.point().vec() - dice.point().vec();
    fold.pose(Pose { at: Point::from_vec(vector.turned(angle)), facing: Angle::of(vector) });
    fold.number((angle + other).as_degrees());
    fold.bits(u64::from(angle.apart(other).signed().cast_unsigned()));
    fold.place(vector.normalised());
    let length = dice.length(-2_000_000, 2_000_000);
    fold.length(length.times(sin));
    fold.length(length.to_string().parse().unwrap_or_default());
    fold.text(&length.to_string());
    fold.text(&length.show(Unit::Inch));
    fold.text(&length.show(Unit::Centimetre));
}

fn pairs(dice: &mut Dice, fold: &mut Fold) {
    let (a_pose, a_footprint, b) = (dice.pose(), dice.footprint(), dice.quad());
    let a = a_footprint.quad(a_pose);
    let by = dice.point().vec() - a.centre;
    fold.quad(&a);
    fold.quad(&b);
    fold.length(gap(&a, &b));
    fold.flag(quads_overlap(&a, &b));
    fold.flag(quads_touch(&a, &b));
    fold.number(convex::gap(a.points(), b.points()));
    fold.number(convex::penetration(a.points(), b.points()));
    fold.flag(convex::contains(a.points(), b.centre));
    fold.number(convex::distance(a.points(), b.centre));
    let (on_a, on_b) = convex::nearest_points(a.points(), b.points());
    fold.place(on_a);
    fold.place(on_b);
    fold.interval(convex::sweep(a.points(), by, b.points()));
    fold.interval(convex::clip((a.centre, a.centre + by), b.points()));
    fold.interval(convex::clip((a.centre, b.centre), &[on_a, on_b]));
    fold.number(convex::gap(&[a.centre, on_a], &[b.centre]));
    let towards = by.normalised();
    let went = reach(&a, towards, dice.length(0, 800_000), &b);
    fold.length(went.unwrap_or(Length::MAX));
    let contact = a_pose.shifted(towards * went.unwrap_or_default().as_f64());
    fold.pose(conform(contact, a_footprint, &b));
    fold.pose(a_pose.about(a_footprint.depth).sideways(a_footprint.width));
}

fn arcs(dice: &mut Dice, fold: &mut Fold) {
    let (pose, footprint, half, target) = (dice.pose(), dice.footprint(), dice.angle(), dice.quad());
    fold.flag(within_arc(pose, target.centre, half));
    let arc = FrontArc::from_corners(pose, footprint, half);
    fold.flag(arc.contains(target.centre));
    fold.flag(arc.touches(target.points()));
    fold.bits(match zone(pose, footprint, target.centre) {
        Zone::Front => 0,
        Zone::Flank(Flank::Left) => 1,
        Zone::Flank(Flank::Right) => 2,
        Zone::Rear => 3,
    });
}

fn layouts(dice: &mut Dice, fold: &mut Fold) {
    let n = 1 + (dice.next() % 12) as usize;
    let stand = Footprint { width: dice.length(5_000, 50_000), depth: dice.length(5_000, 50_000) };
    let (gap, files, by, pose) = (dice.length(0, 20_000), 1 + n / 3, dice.angle(), dice.pose());
    let layout = match dice.next() % 6 {
        0 => Layout::line(n, stand, gap),
        1 => Layout::column(n, stand, gap),
        2 => Layout::blocks(n, stand, files, gap),
        3 => Layout::march_column(n, stand, gap),
        4 => Layout::square(n, stand),
        _ => Layout::bent_line(n, stand, files, by),
    };
    fold.length(layout.footprint().width);
    fold.length(layout.footprint().depth);
    layout.quads(pose).for_each(|quad| fold.quad(&quad));
}

/// A star-shaped wood, a wide road, a hedge and a pond.
fn ground(dice: &mut Dice) -> Ground {
    let centre = dice.point().vec();
    let corners = 5 + dice.between(0, 8);
    let spoke = |dice: &mut Dice, no: i32| {
        let bearing = Angle::millidegrees(360_000 / corners * no);
        Point::from_vec(centre + bearing.unit() * dice.length(20_000, 150_000).as_f64())
    };
    let star = Outline::Area((0..corners).map(|no| spoke(dice, no)).collect());
    let road = Outline::Line { points: (0..3).map(|_| dice.point()).collect(), width: dice.length(1, 30_000) };
    let hedge = Outline::Line { points: (0..3).map(|_| dice.point()).collect(), width: Length::ZERO };
    let pond = Outline::Disc { centre: dice.point(), radius: dice.length(1, 100_000) };
    let kinds = [TerrainKind::Woods, TerrainKind::Road, TerrainKind::Hedge, TerrainKind::Lake];
    let feature = |(kind, outline): (TerrainKind, Outline)| {
        let shape = Shape::new(outline).ok()?;
        Some(Feature {
            key: String::new(),
            name: String::new(),
            kind,
            shape,
            level: 1,
            crests: Vec::new(),
            nature: Vec::new(),
        })
    };
    let features = kinds.into_iter().zip([star, road, hedge, pond]).filter_map(feature).collect();
    Ground { size: (Length::um(600_000), Length::um(600_000)), features, wind: None }
}

fn terrain(ground: &Ground, dice: &mut Dice, fold: &mut Fold) {
    let (quad, place, by) = (dice.quad(), dice.point().vec(), dice.point().vec() - dice.point().vec());
    fold.bits(u64::from(ground.level_at(place)));
    fold.flag(ground.holds(&quad));
    for feature in &ground.features {
        let shape = &feature.shape;
        fold.flag(shape.contains(place));
        fold.number(shape.distance(place));
        fold.number(shape.gap_to(&quad));
        fold.flag(shape.overlaps_quad(&quad));
        fold.place(shape.centre());
        shape.parts().flatten().for_each(|&corner| fold.place(corner));
        shape.corners().into_iter().for_each(|corner| fold.place(corner));
        shape.clip((place, place + by)).into_iter().for_each(|interval| fold.interval(Some(interval)));
        shape.sweep(&quad, by).into_iter().for_each(|interval| fold.interval(Some(interval)));
    }
}

/// Long stretches and whole bodies block.
struct Rule;

impl SightRule for Rule {
    fn feature_blocks(&self, feature: &Feature, inside: Length, _: &Sightline) -> bool {
        feature.shape.is_thin() || inside > Length::whole_inches(2)
    }

    fn body_blocks(&self, level: u8, line: &Sightline) -> bool {
        level >= line.from_level
    }

    fn pooled(&self, kind: TerrainKind) -> bool {
        kind == TerrainKind::Woods
    }
}

fn sight(ground: &Ground, dice: &mut Dice, fold: &mut Fold) {
    let bodies = [dice.quad(), dice.quad(), dice.quad()];
    let (from, to) = (dice.point().vec(), dice.point().vec());
    let line = Sightline { from, to, from_level: ground.level_at(from), to_level: ground.level_at(to) };
    fold.flag(is_clear(ground, &line, &Rule, bodies.iter().enumerate().map(|(no, quad)| (no, quad, 1))));
    let seen = look(ground, &line, &Rule, bodies.into_iter().enumerate().map(|(no, quad)| (no, quad, 1)));
    for block in seen.blocks {
        let (no, from, to) = match block {
            Block::Feature { id, from, to } => (u64::from(id.0), from, to),
            Block::Body { no, from, to } => (1_000 + no as u64, from, to),
        };
        fold.bits(no);
        fold.place(from.vec());
        fold.place(to.vec());
    }
}

fn marches(ground: &Ground, dice: &mut Dice, fold: &mut Fold) {
    let legs = [leg(dice), leg(dice), leg(dice)];
    legs.iter().for_each(|leg| fold.text(&leg.to_string()));
    let track = Track::plot(dice.pose(), dice.footprint(), &legs);
    for stage in track.stages() {
        fold.pose(stage.to);
        fold.length(stage.travelled);
        fold.length(stage.outer_arc);
    }
    fold.pose(track.at(f64::from(dice.between(0, 1_000)) * 1e-3));
    if let Some(meeting) = track.meets(dice.quad().points()) {
        fold.bits(meeting.stage as u64);
        fold.number(meeting.fraction);
        fold.pose(meeting.at);
    }
    for feature in &ground.features {
        fold.length(track.inside(&feature.shape));
        fold.flag(track.crosses(&feature.shape));
    }
    fold.flag(track.stays_on(ground));
}

fn leg(dice: &mut Dice) -> Leg {
    let (length, angle) = (dice.length(-200_000, 200_000), dice.angle());
    let pivot = if dice.next() & 1 == 0 { Flank::Left } else { Flank::Right };
    match dice.next() % 8 {
        0 => Leg::Ahead(length),
        1 => Leg::Back(length),
        2 => Leg::Sideways(length),
        3 => Leg::Wheel { pivot, by: Angle::millidegrees(angle.as_millidegrees() / 2) },
        4 => Leg::Oblique { by: angle, go: length },
        5 => Leg::Turn(angle),
        6 => Leg::About,
        _ => Leg::Straight(dice.point()),
    }
}
