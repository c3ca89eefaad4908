//! Keeps the figures of contact: reach, conforming and touching.

use proptest::prelude::*;
use table::{Angle, Length, Vec2, conform, convex, gap, is_touching, quads_overlap, reach};

use crate::given::{any_footprint, any_quad, battalion, inches, near_pose, pose, quad};

const NORTH: Vec2 = Vec2::new(0.0, 1.0);

#[test]
fn a_straight_charge_reaches_at_the_gap() {
    let mover = battalion().quad(pose(30.0, 20.0, 0.0));
    let target = battalion().quad(pose(30.0, 26.0, 180.0));
    assert_eq!(gap(&mover, &target), inches(6.0));
    assert_eq!(reach(&mover, NORTH, inches(8.0), &target), Some(inches(6.0)));
    assert_eq!(reach(&mover, NORTH, inches(6.0), &target), Some(inches(6.0)));
    assert_eq!(reach(&mover, NORTH, inches(5.9), &target), None);
    assert_eq!(reach(&mover, -NORTH, inches(8.0), &target), None);
}

#[test]
fn what_lies_within_the_slack_of_the_reach_is_reached() {
    let mover = battalion().quad(pose(30.0, 20.0, 0.0));
    let target = battalion().quad(pose(30.0, 26.0, 180.0));
    let almost = inches(6.0) - Length::um(100);
    assert_eq!(reach(&mover, NORTH, almost, &target), Some(almost));
    assert_eq!(reach(&mover, NORTH, almost - Length::um(1), &target), None);
}

#[test]
fn passing_alongside_is_no_contact() {
    let mover = battalion().quad(pose(30.0, 20.0, 0.0));
    let beside = battalion().quad(pose(34.5, 26.0, 180.0));
    assert_eq!(reach(&mover, NORTH, inches(20.0), &beside), None);
    let overlapping_by_a_hair = battalion().quad(pose(34.4, 26.0, 180.0));
    assert_eq!(reach(&mover, NORTH, inches(20.0), &overlapping_by_a_hair), Some(inches(6.0)));
}

#[test]
fn who_touches_already_reaches_at_once_if_he_moves_closer() {
    let mover = battalion().quad(pose(30.0, 20.0, 0.0));
    let target = battalion().quad(pose(30.0, 20.0, 180.0));
    assert!(is_touching(&mover, &target));
    assert_eq!(reach(&mover, NORTH, inches(4.0), &target), Some(Length::ZERO));
    assert_eq!(reach(&mover, -NORTH, inches(4.0), &target), None);
    assert_eq!(reach(&mover, Vec2::new(1.0, 0.0), inches(4.0), &target), None);
}

#[test]
fn conforming_to_the_front_turns_and_steps_up() {
    // The right front corner of a line that faces 10° to the right of the enemy's front touches it first.
    let target = battalion().quad(pose(30.0, 26.0, 180.0));
    let start = pose(30.0, 20.0, 350.0);
    let mover = battalion().quad(start);
    let went = reach(&mover, start.forward(), inches(12.0), &target).expect("contact");
    let contact = start.ahead(went);
    let squared = conform(contact, battalion(), &target);
    assert_eq!(squared.facing, Angle::NORTH);
    assert_eq!(squared.at.y, inches(26.0));
    assert_eq!(squared.at.x, contact.at.x);
}

#[test]
fn conforming_to_a_flank_takes_the_edge_that_was_touched() {
    let target = quad(4.5, 1.0, 30.0, 26.0, 180.0);
    let start = pose(20.0, 26.6, 80.0);
    let went = reach(&battalion().quad(start), start.forward(), inches(12.0), &target).expect("contact");
    let squared = conform(start.ahead(went), battalion(), &target);
    assert_eq!(squared.facing, Angle::EAST);
    assert_eq!(squared.at.x, inches(27.75));
}

#[test]
fn a_corner_that_would_merely_graze_is_slid_along() {
    let target = quad(4.5, 1.0, 30.0, 26.0, 180.0);
    // Contact was made only by the turn: the flag stands well outside the edge.
    let squared = conform(pose(36.0, 26.0, 0.0), battalion(), &target);
    assert_eq!(
        squared,
        table::Pose { at: table::Point::new(Length::um(876_300 - 1_000), inches(26.0)), facing: Angle::NORTH }
    );
}

proptest! {
    #[test]
    fn conforming_touches_without_overlap(start in near_pose(), footprint in any_footprint(), target in any_quad()) {
        let mover = footprint.quad(start);
        prop_assume!(!is_touching(&mover, &target));
        let towards = (target.centre - mover.centre).normalised();
        let went = reach(&mover, towards, inches(40.0), &target);
        prop_assume!(went.is_some());
        let contact = start.shifted(towards * went.unwrap_or_default().as_f64());
        let at_contact = footprint.quad(contact);
        prop_assert!(is_touching(&at_contact, &target));
        prop_assert!(!quads_overlap(&at_contact, &target));
        let squared = footprint.quad(conform(contact, footprint, &target));
        prop_assert!(is_touching(&squared, &target));
        prop_assert!(convex::penetration(squared.points(), target.points()) < 2.0);
        // Flush: both front corners lie on one line with an edge of the target.
        let (left, right) = squared.front_edge();
        let flush = target.edges().into_iter().any(|(from, to)| {
            let along = (to - from).normalised();
            along.cross(left - from).abs() < 5.0 && along.cross(right - from).abs() < 5.0
        });
        prop_assert!(flush);
    }

    #[test]
    fn a_reach_is_the_first_touch(start in near_pose(), footprint in any_footprint(), target in any_quad()) {
        let mover = footprint.quad(start);
        let towards = start.forward();
        match reach(&mover, towards, inches(30.0), &target) {
            Some(Length::ZERO) => prop_assert!(gap(&mover, &target) <= Length::um(100)),
            Some(went) => {
                prop_assert!(gap(&mover.shifted(towards * went.as_f64()), &target) <= Length::um(1));
                for part in 1..20 {
                    let shorter = towards * (went.as_f64() * f64::from(part) / 20.0 - 1.0);
                    prop_assert!(convex::gap(mover.shifted(shorter).points(), target.points()) > 0.0);
                }
            }
            None => {
                for part in 1..=200 {
                    let further = towards * (inches(30.0).as_f64() * f64::from(part) / 200.0);
                    prop_assert!(
                        is_touching(&mover, &target) || !quads_overlap(&mover.shifted(further), &target)
                    );
                }
            }
        }
    }
}
