//! Keeps the figures of arcs and zones.

use table::{Angle, Flank, FrontArc, Pose, Zone, within_arc, zone};

use crate::given::{battalion, footprint, place, pose, quad};

#[test]
fn the_arc_of_45_degrees_includes_its_border() {
    let from = pose(10.0, 10.0, 0.0);
    let half = Angle::whole(45);
    assert!(within_arc(from, place(10.0, 20.0), half));
    assert!(within_arc(from, place(15.0, 15.0), half));
    assert!(within_arc(from, place(5.0, 15.0), half));
    assert!(!within_arc(from, place(15.1, 15.0), half));
    assert!(!within_arc(from, place(10.0, 9.0), half));
    assert!(!within_arc(from, place(10.0, 10.0), half));
    assert!(within_arc(pose(10.0, 10.0, 90.0), place(15.0, 5.0), half));
}

#[test]
fn an_arc_of_90_degrees_leaves_out_what_stands_beside() {
    for turn in [0.0, 17.3, 90.0, 211.007] {
        let from = pose(10.0, 10.0, turn);
        let beside = from.to_world(place(6.0, 0.0));
        assert!(!within_arc(from, beside, Angle::EAST), "facing {turn}");
        assert!(within_arc(from, from.to_world(place(6.0, 0.01)), Angle::EAST), "facing {turn}");
    }
}

#[test]
fn a_wide_arc_leaves_out_only_the_rear() {
    let from = pose(10.0, 10.0, 0.0);
    let half = Angle::whole(135);
    assert!(within_arc(from, place(15.0, 9.0), half));
    assert!(within_arc(from, place(15.0, 5.0), half));
    assert!(!within_arc(from, place(14.0, 5.0), half));
    assert!(within_arc(from, place(10.0, 5.0), Angle::SOUTH));
}

#[test]
fn the_arc_from_the_corners_is_wider_by_the_front() {
    let arc = FrontArc::from_corners(pose(10.0, 10.0, 0.0), battalion(), Angle::whole(45));
    assert!(arc.contains(place(15.25, 13.0)));
    assert!(!arc.contains(place(15.35, 13.0)));
    assert!(arc.contains(place(12.25, 10.1)));
    assert!(!arc.contains(place(10.0, 9.9)));
    // All corners of this wall of men lie outside, and yet it fills the arc.
    let wide = quad(40.0, 1.0, 10.0, 13.0, 180.0);
    assert!(wide.corners.iter().all(|&corner| !arc.contains(corner)));
    assert!(arc.touches(wide.points()));
    assert!(!arc.touches(quad(2.0, 1.0, 10.0, 9.9, 0.0).points()));
    assert!(!arc.touches(quad(2.0, 1.0, 18.0, 13.0, 0.0).points()));
    assert!(arc.touches(quad(2.0, 1.0, 16.0, 13.0, 0.0).points()));
    let all_but_rear = FrontArc::from_corners(pose(10.0, 10.0, 0.0), battalion(), Angle::whole(135));
    assert!(!all_but_rear.touches(quad(1.0, 1.0, 10.0, 7.0, 0.0).points()));
    assert!(all_but_rear.touches(quad(9.0, 1.0, 10.0, 9.0, 0.0).points()));
}

#[test]
fn straight_ahead_between_parallel_borders() {
    let arc = FrontArc::from_corners(pose(0.0, 0.0, 0.0), footprint(4.0, 1.0), Angle::NORTH);
    assert!(arc.contains(place(2.0, 30.0)));
    assert!(!arc.contains(place(2.1, 30.0)));
}

#[test]
fn zones_of_a_battalion_and_their_borders() {
    let of = pose(20.0, 20.0, 0.0);
    let at = |x: f64, y: f64| zone(of, battalion(), place(20.0 + x, 20.0 + y));
    assert_eq!(at(0.0, 5.0), Zone::Front);
    assert_eq!(at(3.25, 1.0), Zone::Front);
    assert_eq!(at(3.3, 1.0), Zone::Flank(Flank::Right));
    assert_eq!(at(-3.3, 1.0), Zone::Flank(Flank::Left));
    assert_eq!(at(-2.25, 0.0), Zone::Front);
    assert_eq!(at(3.0, -0.5), Zone::Flank(Flank::Right));
    assert_eq!(at(0.0, -1.0), Zone::Rear);
    assert_eq!(at(3.25, -2.0), Zone::Rear);
    assert_eq!(at(-3.3, -2.0), Zone::Flank(Flank::Left));
    assert_eq!(at(0.0, -9.0), Zone::Rear);
}

#[test]
fn the_border_belongs_to_the_front_whatever_the_facing() {
    for millidegrees in (0..360_000).step_by(1_237) {
        let of = Pose { facing: Angle::millidegrees(millidegrees), ..pose(20.0, 20.0, 0.0) };
        let border = of.to_world(place(2.25 + 3.0, 3.0));
        assert_eq!(zone(of, battalion(), border), Zone::Front);
        let corner = of.to_world(place(2.25, -1.0));
        assert_eq!(zone(of, battalion(), corner), Zone::Rear);
    }
}
