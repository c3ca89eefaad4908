#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::bench::{at, field, unit};
use super::*;
use crate::formation::Shape;
use engine::Side;

fn formation(text: &str) -> Formation {
    text.parse().unwrap()
}

#[test]
fn a_bent_line_keeps_its_joints_beside_the_command_stand() {
    assert_eq!(closed_up(formation("line^4:30^8:30"), 12, 11), formation("line^3:30^7:30"));
    assert_eq!(closed_up(formation("line^4:30^8:30"), 12, 10), formation("line^3:30^7:30"));
    assert_eq!(closed_up(formation("line^3:30^7:30"), 10, 7), formation("line^5:30"), "a wing of one falls in");
    assert_eq!(closed_up(formation("line"), 12, 3), formation("line"));
}

#[test]
fn the_command_stand_keeps_its_place_in_every_formation() {
    for shape in [Shape::Line, Shape::March, Shape::Manoeuvre, Shape::Skirmish, Shape::Square] {
        let raw = unit(Side::A, Arm::Infantry, 3, 12, shape, at(20.0, 20.0, 30.0));
        let field = field(1, vec![raw], Vec::new());
        let facts = field::facts(&field, UnitId(0));
        let flag = field::command_pose(&field, UnitId(0));
        for left in 1..12 {
            let body = facts.body_pose(Formation::usual(shape), left, flag);
            let now = facts.command_pose(Formation::usual(shape), left, body);
            assert!(now.at.distance(flag.at) <= SLACK && now.facing == flag.facing, "{shape:?} {left}");
        }
    }
}

#[test]
fn units_are_shattered_at_the_strength_of_the_book() {
    let cases =
        [(Arm::Infantry, 2, true), (Arm::Infantry, 3, false), (Arm::Cavalry, 1, true), (Arm::Cavalry, 2, false)];
    for (arm, stands, gone) in cases {
        let raw = unit(Side::A, arm, 3, stands, Shape::Line, at(20.0, 20.0, 0.0));
        let field = field(0, vec![raw], Vec::new());
        let least = field::shattered_at(&field, UnitId(0)).unwrap();
        assert_eq!(field::strength(&field, UnitId(0)) <= least, gone, "{arm:?} of {stands}");
    }
}
