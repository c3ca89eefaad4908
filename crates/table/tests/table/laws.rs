//! Keeps the laws that hold for any table: measurements are mutual, and turning or shifting the whole table changes
//! nothing.

use proptest::prelude::*;
use table::{
    Angle, Feature, Footprint, Ground, Leg, Length, Outline, Point, Pose, Quad, Shape, SightRule, Sightline,
    TerrainKind, Track, Vec2, convex, is_clear, reach,
};

use crate::given::{any_angle, any_area, any_footprint, any_point, any_quad, ground, inches, near_point, near_pose};
use crate::marching::any_leg;

/// A turn of the whole table about the origin followed by a shift by whole micrometres.
#[derive(Clone, Copy, Debug)]
struct Moved {
    turn: Angle,
    shift: Point,
}

impl Moved {
    fn place(self, place: Vec2) -> Vec2 {
        place.turned(self.turn) + self.shift.vec()
    }

    fn quad(self, quad: &Quad) -> Quad {
        Quad {
            corners: quad.corners.map(|corner| self.place(corner)),
            centre: self.place(quad.centre),
            radius: quad.radius,
        }
    }

    fn pose(self, pose: Pose) -> Pose {
        Pose { at: Point::from_vec(self.place(pose.at.vec())), facing: pose.facing + self.turn }
    }

    fn ring(self, ring: &[Point]) -> Vec<Point> {
        ring.iter().map(|point| Point::from_vec(self.place(point.vec()))).collect()
    }
}

fn any_move() -> impl Strategy<Value = Moved> {
    (any_angle(), any_point()).prop_map(|(turn, shift)| Moved { turn, shift })
}

/// Turns for which whole micrometres stay whole.
fn exact_move() -> impl Strategy<Value = Moved> {
    (0..4_i32, any_point()).prop_map(|(quarters, shift)| Moved { turn: Angle::whole(90 * quarters), shift })
}

/// Rectangles along the axes with whole corners, for which all arithmetic is exact.
fn exact_quad() -> impl Strategy<Value = Quad> {
    (near_point(), any_footprint(), 0..4_i32).prop_map(|(at, footprint, quarters)| {
        let even = |length: Length| Length::um(length.as_um() / 2 * 2);
        let footprint = Footprint { width: even(footprint.width), depth: even(footprint.depth) };
        footprint.quad(Pose { at, facing: Angle::whole(90 * quarters) })
    })
}

struct Woods;

impl SightRule for Woods {
    fn feature_blocks(&self, _: &Feature, inside: Length, _: &Sightline) -> bool {
        inside > inches(2.0)
    }

    fn body_blocks(&self, _: u8, _: &Sightline) -> bool {
        true
    }
}

fn one_wood(ring: Vec<Point>) -> Option<Ground> {
    let shape = Shape::new(Outline::Area(ring)).ok()?;
    Some(ground(vec![crate::given::feature("W", TerrainKind::Woods, 0, shape)]))
}

proptest! {
    #[test]
    fn measurements_are_mutual(a in any_quad(), b in any_quad()) {
        prop_assert_eq!(
            convex::gap(a.points(), b.points()).to_bits(),
            convex::gap(b.points(), a.points()).to_bits()
        );
        prop_assert_eq!(table::gap(&a, &b), table::gap(&b, &a));
        prop_assert_eq!(
            convex::penetration(a.points(), b.points()).to_bits(),
            convex::penetration(b.points(), a.points()).to_bits()
        );
        prop_assert_eq!(table::quads_overlap(&a, &b), table::quads_overlap(&b, &a));
        prop_assert_eq!(table::quads_touch(&a, &b), table::quads_touch(&b, &a));
    }

    #[test]
    fn winding_makes_no_difference(a in any_quad(), b in any_quad(), by in near_point()) {
        let mut reversed = a.corners;
        reversed.reverse();
        let close = |one: f64, other: f64| (one - other).abs() < 1e-6;
        prop_assert!(close(convex::gap(a.points(), b.points()), convex::gap(&reversed, b.points())));
        prop_assert!(close(convex::penetration(a.points(), b.points()), convex::penetration(&reversed, b.points())));
        let (one, other) = (convex::sweep(a.points(), by.vec(), b.points()), convex::sweep(&reversed, by.vec(), b.points()));
        prop_assert_eq!(one.is_some(), other.is_some());
    }

    #[test]
    fn turning_the_table_changes_no_gap(a in any_quad(), b in any_quad(), moved in any_move()) {
        let (turned_a, turned_b) = (moved.quad(&a), moved.quad(&b));
        let (before, after) = (convex::gap(a.points(), b.points()), convex::gap(turned_a.points(), turned_b.points()));
        prop_assert!((before - after).abs() < 1e-3, "{before} {after}");
        let before = convex::penetration(a.points(), b.points());
        let after = convex::penetration(turned_a.points(), turned_b.points());
        prop_assert!((before - after).abs() < 1e-3, "{before} {after}");
        let apart = (table::gap(&a, &b).as_um() - table::gap(&turned_a, &turned_b).as_um()).abs();
        prop_assert!(apart <= 1);
    }

    #[test]
    fn quarter_turns_and_whole_shifts_change_not_a_bit(a in exact_quad(), b in exact_quad(), by in near_point(), moved in exact_move()) {
        let (turned_a, turned_b) = (moved.quad(&a), moved.quad(&b));
        prop_assert_eq!(convex::gap(a.points(), b.points()).to_bits(), convex::gap(turned_a.points(), turned_b.points()).to_bits());
        prop_assert_eq!(
            convex::penetration(a.points(), b.points()),
            convex::penetration(turned_a.points(), turned_b.points())
        );
        let turned_by = by.vec().turned(moved.turn);
        prop_assert_eq!(
            convex::sweep(a.points(), by.vec(), b.points()),
            convex::sweep(turned_a.points(), turned_by, turned_b.points())
        );
        let (towards, turned_towards) = (by.vec().normalised(), turned_by.normalised());
        prop_assert_eq!(
            reach(&a, towards, inches(10.0), &b),
            reach(&turned_a, turned_towards, inches(10.0), &turned_b)
        );
    }

    #[test]
    fn quads_turn_with_their_pose(pose in near_pose(), footprint in any_footprint(), moved in exact_move()) {
        let (here, there) = (moved.quad(&footprint.quad(pose)), footprint.quad(moved.pose(pose)));
        for (one, other) in here.corners.iter().zip(there.corners) {
            prop_assert!(one.distance(other) < 1e-6);
        }
        prop_assert_eq!(here.radius, there.radius);
        prop_assert_eq!(pose.ahead(footprint.depth).about(footprint.depth).at.distance(pose.at) <= Length::um(1), true);
        let local = pose.to_local(pose.to_world(Vec2::new(123.0, -45.0)));
        prop_assert!(local.distance(Vec2::new(123.0, -45.0)) < 1e-6);
    }

    #[test]
    fn turning_the_table_changes_no_reach(start in near_pose(), footprint in any_footprint(), target in any_quad(), moved in any_move()) {
        let mover = footprint.quad(start);
        let (turned_mover, turned_target) = (moved.quad(&mover), moved.quad(&target));
        let depth = convex::penetration(mover.points(), target.points());
        prop_assume!(depth < -101.0);
        let most = Length::whole_inches(40);
        let before = reach(&mover, start.forward(), most, &target);
        let after = reach(&turned_mover, start.forward().turned(moved.turn), most, &turned_target);
        match (before, after) {
            (Some(before), Some(after)) => prop_assert!((before.as_um() - after.as_um()).abs() <= 3, "{before} {after}"),
            (before, after) => prop_assert_eq!(before, after),
        }
    }

    #[test]
    fn turning_the_table_changes_no_sight(from in any_point(), to in near_point(), ring in any_area(),
                                          bodies in prop::collection::vec(any_quad(), 0..3), moved in any_move()) {
        let line = Sightline { from: from.vec(), to: to.vec(), from_level: 0, to_level: 0 };
        let turned_line = Sightline { from: moved.place(line.from), to: moved.place(line.to), ..line };
        // Corners of terrain rest on whole micrometres, so a line that ends within a few of the limit may go either way.
        let shape = Shape::new(Outline::Area(ring.clone())).expect("star-shaped");
        let inside: f64 = shape.clip((line.from, line.to)).iter().map(|(enter, leave)| leave - enter).sum();
        let inside = inside * line.from.distance(line.to);
        prop_assume!((inside - inches(2.0).as_f64()).abs() > 50.0);
        for body in &bodies {
            let depth = convex::penetration(&[line.from, line.to], body.points());
            prop_assume!((depth - 100.0).abs() > 1.0);
        }
        let (Some(before), Some(after)) = (one_wood(ring.clone()), one_wood(moved.ring(&ring))) else {
            return Ok(());
        };
        let turned_bodies: Vec<Quad> = bodies.iter().map(|body| moved.quad(body)).collect();
        prop_assert_eq!(
            is_clear(&before, &line, &Woods, bodies.iter().map(|body| (0, body, 0))),
            is_clear(&after, &turned_line, &Woods, turned_bodies.iter().map(|body| (0, body, 0)))
        );
    }

    #[test]
    fn turning_the_table_changes_no_meeting(start in near_pose(), footprint in any_footprint(), leg in any_leg(),
                                            target in any_quad(), moved in any_move()) {
        // A place named in the order does not turn with the table.
        prop_assume!(!matches!(leg, Leg::Straight(_)));
        let track = Track::plot(start, footprint, &[leg]);
        let turned = Track::plot(moved.pose(start), footprint, &[leg]);
        prop_assert_eq!(track.length(), turned.length());
        prop_assert!(moved.pose(track.end()).at.distance(turned.end().at) <= Length::um(3));
        prop_assert_eq!(moved.pose(track.end()).facing, turned.end().facing);
        // Rounding the start to whole micrometres may decide a graze, so grazes are left out.
        let deepest = (0..=2_000)
            .map(|no| track.at(f64::from(no) / 2_000.0))
            .map(|pose| convex::penetration(footprint.quad(pose).points(), target.points()))
            .fold(f64::NEG_INFINITY, f64::max);
        prop_assume!((deepest - 100.0).abs() > 300.0);
        let (before, after) = (track.meets(target.points()), turned.meets(moved.quad(&target).points()));
        prop_assert_eq!(before.is_some(), after.is_some());
        if let (Some(before), Some(after)) = (before, after) {
            let apart = moved.pose(before.at).at.distance(after.at.at);
            prop_assert!(apart <= Length::um(60), "{apart}");
        }
    }

    #[test]
    fn turning_the_table_changes_no_zone(of in near_pose(), footprint in any_footprint(), point in near_point(), turn in 0..4_i32) {
        let moved = Moved { turn: Angle::whole(90 * turn), shift: Point::default() };
        let turned = moved.place(point.vec());
        let local = of.to_local(point.vec());
        prop_assume!(local.x.abs() > 1.0);
        prop_assert_eq!(table::zone(of, footprint, point.vec()), table::zone(moved.pose(of), footprint, turned));
        let half = Angle::whole(45);
        prop_assert_eq!(table::within_arc(of, point.vec(), half), table::within_arc(moved.pose(of), turned, half));
    }
}

#[test]
fn the_digest_is_the_same_every_time_and_differs_by_seed() {
    assert_eq!(table::parity::digest(7, 20), table::parity::digest(7, 20));
    assert_ne!(table::parity::digest(7, 20), table::parity::digest(8, 20));
}
