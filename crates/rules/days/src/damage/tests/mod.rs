#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub(crate) mod bench;

use super::*;
use crate::charts::Blow;
use crate::formation::Shape;
use crate::unit::GunModel;
use bench::{at, field, unit};
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

fn crews(men: &[u8]) -> guns::Guns {
    men.iter().map(|crew| GunModel { crew: *crew, damaged: 0 }).collect()
}

#[test]
fn the_nearest_gun_is_hit_first() {
    let foot = unit(Side::A, Arm::Infantry, 2, 4, Shape::Line, at(20.0, 20.0, 0.0));
    let battery = unit(Side::B, Arm::Artillery, 2, 3, Shape::Deployed, at(30.0, 30.0, 180.0));
    let field = field(0, vec![foot, battery], Vec::new());
    // Looking south, the last model stands furthest west.
    assert_eq!(guns::nearest_first(&field, UnitId(1), UnitId(0)).as_slice(), [2, 1, 0]);
}

#[test]
fn men_are_taken_from_the_gun_that_is_hit_and_then_from_the_fullest() {
    let mut men = crews(&[4, 1, 3]);
    assert_eq!(guns::thin_out(&mut men, 1, 3), 3);
    assert_eq!(men, crews(&[2, 0, 3]));
    assert_eq!(guns::thin_out(&mut men, usize::MAX, 9), 5, "no more than there are");
    let mut men = crews(&[4, 1]);
    guns::take_in(&mut men, 2);
    assert_eq!(men, crews(&[4, 3]));
}

#[test]
fn small_arms_never_hurt_a_gun() {
    let battery = |shape| field(0, vec![unit(Side::B, Arm::Artillery, 2, 3, shape, at(30.0, 30.0, 0.0))], Vec::new());
    for shape in [Shape::Deployed, Shape::Limbered] {
        let field = battery(shape);
        let blows = guns::table_for(&field, UnitId(0), true);
        let harmless = |pip| matches!(blows.on(pip).value, Blow::Crew(_) | Blow::Horses(_));
        assert!((1..=6).all(harmless), "{shape:?}");
        assert_eq!(guns::table_for(&field, UnitId(0), false).on(6).value, Blow::GunDestroyed);
    }
}
