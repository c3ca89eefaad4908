//! Scores and secure flanks on fields built by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub(in super::super) mod bench;

use super::super::event::Test;
use super::super::formation::Shape;
use super::super::unit::{Arm, OrderState};
use super::{Occasion, are_secure, score};
use bench::{area, at, field, unit};
use engine::{Side, UnitId};
use table::terrain::TerrainKind;

const LINE: UnitId = UnitId(0);

/// A line of twelve in the middle with friends half an inch from either end, and two stands shot down.
fn three_abreast(edition: u16, left: bool) -> super::Field {
    let foot = |x| unit(Side::A, Arm::Infantry, Shape::Line, at(x, 20.0, 0.0));
    let mut units = vec![foot(36.0).with(|raw| raw.troops.turn.shot_down = 2), foot(48.5)];
    if left {
        units.push(foot(23.5));
    }
    field(edition, units, Vec::new())
}

#[test]
fn pv_06_secure_flanks_make_up_for_two_stands() {
    let occasion = Occasion::default();
    assert_eq!(score(&three_abreast(0, true), LINE, Test::Casualties, &occasion).whole(), 0);
    assert_eq!(score(&three_abreast(0, false), LINE, Test::Casualties, &occasion).whole(), 2);
}

#[test]
fn every_rung_counts_alone() {
    let with = |order| {
        let raw = unit(Side::A, Arm::Infantry, Shape::Line, at(36.0, 20.0, 0.0)).with(|raw| {
            raw.troops.order = order;
            raw.troops.routed_before = order == OrderState::Routing;
        });
        score(&field(0, vec![raw], Vec::new()), LINE, Test::Rally, &Occasion::default()).whole()
    };
    let ladder = [OrderState::Good, OrderState::Disordered, OrderState::Shaken, OrderState::Routing].map(with);
    assert_eq!(ladder, [1, 2, 3, 4]);
}

#[test]
fn classes_and_losses_count() {
    let with = |class, stands| {
        let raw = unit(Side::A, Arm::Infantry, Shape::Line, at(36.0, 20.0, 0.0)).with(|raw| {
            raw.facts.class = class;
            raw.stands = stands;
        });
        score(&field(1, vec![raw], Vec::new()), LINE, Test::Casualties, &Occasion::default()).whole()
    };
    assert_eq!([with(1, 12), with(2, 6), with(2, 5), with(4, 12)], [1, 0, 2, -2]);
}

#[test]
fn a_battery_counts_its_losses_in_pairs() {
    let battery = |lost| {
        let raw = unit(Side::A, Arm::Artillery, Shape::Deployed, at(36.0, 20.0, 0.0))
            .with(|raw| raw.troops.turn.shot_down = lost);
        score(&field(0, vec![raw], Vec::new()), LINE, Test::Casualties, &Occasion::default()).whole()
    };
    assert_eq!([battery(1), battery(2), battery(3)], [1, 1, 2]);
}

#[test]
fn woods_secure_a_flank_until_enemies_in_them_come_near() {
    let line = unit(Side::A, Arm::Infantry, Shape::Line, at(36.0, 20.0, 0.0));
    let woods = || {
        vec![
            area(TerrainKind::Woods, (20.0, 15.0), (29.0, 40.0)),
            area(TerrainKind::Difficult, (43.0, 15.0), (50.0, 25.0)),
        ]
    };
    assert!(are_secure(&field(0, vec![line.clone()], woods()), LINE, None));
    let enemy = |y| unit(Side::B, Arm::Infantry, Shape::March, at(27.0, y, 180.0));
    assert!(are_secure(&field(0, vec![line.clone(), enemy(26.0)], woods()), LINE, None));
    assert!(!are_secure(&field(0, vec![line.clone(), enemy(22.0)], woods()), LINE, None));
    // Beside the wood he spoils nothing; skirmishers have no flanks to secure.
    let beside = unit(Side::B, Arm::Infantry, Shape::March, at(33.0, 22.0, 180.0));
    assert!(are_secure(&field(0, vec![line.clone(), beside], woods()), LINE, None));
    let loose = line.with(|raw| raw.formation = super::super::formation::Formation::usual(Shape::Skirmish));
    assert!(!are_secure(&field(0, vec![loose], woods()), LINE, None));
}

#[test]
fn cavalry_and_runaways_secure_nobody() {
    let line = unit(Side::A, Arm::Infantry, Shape::Line, at(36.0, 20.0, 0.0));
    let friend = |arm, x| unit(Side::A, arm, Shape::Line, at(x, 20.0, 0.0));
    let foot = friend(Arm::Infantry, 48.5);
    let with = |left| are_secure(&field(0, vec![line.clone(), foot.clone(), left], Vec::new()), LINE, None);
    assert!(with(friend(Arm::Infantry, 23.5)));
    assert!(!with(friend(Arm::Infantry, 22.9)));
    assert!(!with(friend(Arm::Cavalry, 23.5)));
    assert!(!with(friend(Arm::Infantry, 23.5).with(|raw| raw.troops.order = OrderState::Routing)));
}

#[test]
fn pv_07_foot_lies_down_or_loses_its_order() {
    use super::super::charts::Condition as C;
    let results = |edition, on_foot| {
        let field = three_abreast(edition, false);
        [0, 1, 2, 3].map(|margin| super::under_fire(field.charts(), on_foot, margin))
    };
    assert_eq!(results(0, true), [C::ToGround, C::ToGround, C::Shaken, C::Routing]);
    assert_eq!(results(0, false), [C::Disordered, C::Disordered, C::Shaken, C::Routing]);
    assert_eq!(results(1, true), [C::Disordered, C::Disordered, C::Shaken, C::Routing]);
}
