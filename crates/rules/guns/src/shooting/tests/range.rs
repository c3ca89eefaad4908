//! Fire on the drill ground: who bears on whom, which lines are true, what is refused.

use super::drill::{FIRST, SECOND, THIRD, after, area, at, battery, defends, field, line, recruit, unit, with_guns};
use super::of_fire;
use crate::clause::Clause as C;
use crate::event::{FireKind, GunsEvent as E, Manner};
use crate::field::Field;
use crate::order::{Order, Shot};
use crate::unit::{Arm, Cycle, Observer, Registration};
use crate::zone::{bearing, body};
use crate::{artillery, blast, musketry, ranging};
use engine::{Side, UnitId, Verdict, View, Viewer};
use table::terrain::TerrainKind;
use table::{Angle, Length};

const A: Side = Side::A;
const B: Side = Side::B;
const NORTH: Angle = Angle::NORTH;
const SOUTH: Angle = Angle::SOUTH;

/// A battalion with a weapon, and an enemy battalion so many millimetres ahead of it.
fn face_to_face(key: &str, formation: &'static str, distance: f64, enemy: &'static str) -> Field {
    let foot = |key: &str| unit(Arm::Infantry, 8, key);
    field(
        Vec::new(),
        vec![
            recruit(A, foot(key), formation, 900.0, 500.0, NORTH),
            recruit(B, foot("minie"), enemy, 900.0, 500.0 + distance, SOUTH),
        ],
    )
}

fn clauses(verdict: &Verdict) -> Vec<&'static str> {
    verdict.refusals.iter().map(|note| note.clause.0).collect()
}

fn shoot(field: &Field, side: Side, unit: UnitId, at: UnitId) -> Verdict {
    let order = Order::Fire { shots: vec![Shot { unit, at }], hold: Vec::new() };
    musketry::check(&View::new(field, Viewer::Side(side)), side, &order)
}

#[test]
fn the_first_rank_fires_and_range_is_straight_ahead() {
    let line = face_to_face("minie", "line", 100.0, "line");
    let all = bearing(&line, FIRST, SECOND);
    assert_eq!((all.counted, all.range), (8, Length::mm(100.0)));
    let column = face_to_face("minie", "assault", 100.0, "line");
    assert_eq!(bearing(&column, FIRST, SECOND).counted, 2);
    let route = face_to_face("minie", "route", 100.0, "line");
    assert_eq!(bearing(&route, FIRST, SECOND).counted, 1);
    assert_eq!(musketry::targets(&line, FIRST), vec![SECOND]);
    assert_eq!(musketry::targets(&face_to_face("minie", "line", 301.0, "line"), FIRST), Vec::<UnitId>::new());
}

#[test]
fn only_elements_with_the_target_before_them_count() {
    // The enemy stands far to the right: its nearest element is reached by the right of the line alone.
    let foot = |side: Side, x: f64, y: f64, facing: Angle| {
        recruit(side, unit(Arm::Infantry, 8, "smoothbore"), "line", x, y, facing)
    };
    let field = field(Vec::new(), vec![foot(A, 900.0, 500.0, NORTH), foot(B, 1100.0, 580.0, SOUTH)]);
    // Zones lean outward by 46 mm in 80; the enemy's left end is at x = 1020, the right end of the line at 980.
    assert_eq!(bearing(&field, FIRST, SECOND).counted, 1);
    assert_eq!(musketry::targets(&field, FIRST), vec![SECOND]);
}

#[test]
fn rapid_fire_elements_count_two_or_four_within_their_own_range() {
    let infantry = with_guns(unit(Arm::Infantry, 9, "magazine"), 1, "mg");
    let target = |distance: f64| {
        vec![
            recruit(A, infantry.clone(), "line", 900.0, 200.0, NORTH),
            recruit(B, unit(Arm::Infantry, 8, "minie"), "line", 900.0, 200.0 + distance, SOUTH),
        ]
    };
    assert_eq!(bearing(&field(Vec::new(), target(400.0)), FIRST, SECOND).counted, 12);
    // Beyond the rifles only the machine-gun reaches.
    assert_eq!(bearing(&field(Vec::new(), target(550.0)), FIRST, SECOND).counted, 4);
    let own = unit(Arm::RapidFire, 2, "mg");
    let alone = field(
        Vec::new(),
        vec![
            recruit(A, own, "line", 900.0, 200.0, NORTH),
            recruit(B, unit(Arm::Infantry, 8, "minie"), "line", 900.0, 500.0, SOUTH),
        ],
    );
    let bearing = bearing(&alone, FIRST, SECOND);
    assert_eq!(bearing.counted, 8);
    let sums = of_fire(&alone, FIRST, SECOND, Manner::Musketry, bearing.counted, bearing.range);
    assert_eq!(sums.adds.as_slice(), [C::BeyondShortRange, C::BreechLoaders]);
    assert!(sums.doubles.is_empty(), "no magazine for machine-guns");
}

#[test]
fn an_element_out_in_the_screen_does_not_fire() {
    let field = face_to_face("minie", "line", 100.0, "line");
    let lent = after(&field, &[E::ScreenOut { screen: SECOND, parents: [FIRST].into_iter().collect() }]);
    assert_eq!(bearing(&lent, FIRST, SECOND).counted, 7);
}

#[test]
fn lines_of_the_list_follow_from_the_field() {
    let field = face_to_face("chassepot", "line", 200.0, "loose");
    let shot = |field: &Field| of_fire(field, FIRST, SECOND, Manner::Musketry, 8, Length::mm(200.0));
    assert_eq!(shot(&field).adds.as_slice(), [C::TargetLoose, C::BeyondShortRange, C::BreechLoaders]);
    let spent = E::Spent { unit: FIRST, used: Length::cm(11.0), full: Length::cm(20.0) };
    let half = E::Spent { unit: FIRST, used: Length::cm(10.0), full: Length::cm(20.0) };
    let fired_on = [
        E::UnderFire { unit: FIRST, kind: FireKind::Shelled },
        E::UnderFire { unit: FIRST, kind: FireKind::Skirmished },
        E::Prone { unit: SECOND, prone: true },
        spent,
    ];
    let later = shot(&after(&field, &fired_on));
    assert_eq!(later.halves.as_slice(), [C::TargetProne, C::FirerMoved]);
    assert_eq!(later.adds[..2], [C::FirerShelled, C::FirerSkirmished]);
    assert!(shot(&after(&field, &[half])).halves.is_empty(), "exactly half is not more than half");
}

#[test]
fn a_wall_covers_only_across_it() {
    let foot = |key: &str| unit(Arm::Infantry, 8, key);
    let wall = line(TerrainKind::Wall, (800.0, 590.0), (1000.0, 590.0));
    let field = field(
        vec![wall],
        vec![
            recruit(A, foot("chassepot"), "line", 900.0, 500.0, NORTH),
            recruit(B, foot("minie"), "line", 900.0, 595.0, SOUTH),
            recruit(A, foot("chassepot"), "line", 900.0, 700.0, SOUTH),
        ],
    );
    let field = after(&field, &[defends(SECOND)]);
    let front = of_fire(&field, FIRST, SECOND, Manner::Musketry, 8, Length::mm(95.0));
    // The eighth worked example: half for the wall, loose for its defenders, breech-loaders.
    assert_eq!(front.halves.as_slice(), [C::TargetHardCover]);
    assert_eq!(front.adds.as_slice(), [C::TargetLoose, C::BreechLoaders]);
    assert_eq!(front.result(field.charts(), 7), (11, 1));
    let rear = of_fire(&field, THIRD, SECOND, Manner::Musketry, 8, Length::mm(95.0));
    assert!(rear.halves.is_empty());
}

#[test]
fn a_garrison_fires_from_one_face_and_is_hit_as_a_whole() {
    let foot = || unit(Arm::Infantry, 8, "minie");
    let town = area(TerrainKind::Town, (850.0, 400.0), (950.0, 500.0));
    let field = field(
        vec![town],
        vec![
            recruit(A, foot(), "loose*3", 900.0, 480.0, NORTH),
            recruit(B, foot(), "line", 900.0, 560.0, SOUTH),
            recruit(B, foot(), "line", 1010.0, 450.0, Angle::WEST),
        ],
    );
    let field = after(&field, &[defends(FIRST)]);
    assert_eq!(body(&field, FIRST).len(), 1);
    // A face of 100 mm has room for three elements at 30 mm each.
    let north = bearing(&field, FIRST, SECOND);
    assert_eq!((north.counted, north.range), (3, Length::mm(60.0)));
    assert_eq!(bearing(&field, FIRST, THIRD).range, Length::mm(60.0));
    assert_eq!(bearing(&field, SECOND, FIRST).range, Length::mm(60.0));
    let shot = of_fire(&field, SECOND, FIRST, Manner::Musketry, 8, Length::mm(60.0));
    assert_eq!(shot.halves.as_slice(), [C::TargetHardCover]);
    assert_eq!(shot.adds.as_slice(), [C::TargetLoose]);
}

#[test]
fn all_reasons_against_a_shot_are_told() {
    let field = face_to_face("minie", "line", 400.0, "line");
    assert_eq!(clauses(&shoot(&field, A, FIRST, SECOND)), ["guns.combat.units-eligible-b"]);
    assert_eq!(clauses(&shoot(&field, A, SECOND, FIRST)), ["guns.combat.units-eligible-a"]);
    assert_eq!(clauses(&shoot(&field, A, UnitId(99), SECOND)), ["guns.combat.units-eligible-a"]);
    assert_eq!(clauses(&shoot(&field, A, FIRST, UnitId(99))), ["guns.combat.units-eligible-a"]);
    let spent = after(
        &field,
        &[E::Broken { unit: FIRST, broken: true }, E::Fired { unit: FIRST }, E::Locked { unit: SECOND, with: SECOND }],
    );
    let told = clauses(&shoot(&spent, A, FIRST, SECOND));
    assert_eq!(told, ["guns.morale.rally-d", "guns.combat.general-a", "guns.combat.close-a"]);
    let near = face_to_face("minie", "line", 100.0, "line");
    assert!(shoot(&near, A, FIRST, SECOND).is_legal());
    let ambushed = after(&near, &[E::Ambush { unit: SECOND, at: FIRST }]);
    assert_eq!(clauses(&shoot(&ambushed, A, FIRST, SECOND)), ["guns.combat.ambush-a"]);
    assert!(shoot(&ambushed, B, SECOND, FIRST).is_legal());
}

#[test]
fn mounted_troops_fire_only_as_skirmishers() {
    let horse = |formation: &'static str| {
        field(
            Vec::new(),
            vec![
                recruit(A, unit(Arm::Cavalry, 3, "carbine-bl"), formation, 900.0, 500.0, NORTH),
                recruit(B, unit(Arm::Infantry, 8, "minie"), "line", 900.0, 580.0, SOUTH),
            ],
        )
    };
    assert_eq!(musketry::targets(&horse("extended"), FIRST), vec![SECOND]);
    assert_eq!(clauses(&shoot(&horse("line"), A, FIRST, SECOND)), ["guns.order.cavalry-c"]);
    let on_foot = after(&horse("line"), &[E::Mounted { unit: FIRST, mounted: false }]);
    assert_eq!(musketry::targets(&on_foot, FIRST), vec![SECOND]);
}

fn guns_in_battery(distance: f64, key: &str, target: super::drill::Recruit) -> Field {
    let field = field(Vec::new(), vec![recruit(A, battery(6, key), "deployed", 900.0, 100.0, NORTH), target]);
    assert!(distance > 0.0);
    let ready = [E::Cycled { battery: FIRST, cycle: Cycle::Deployed }, E::MayFire { battery: FIRST, fires: true }];
    after(&field, &ready)
}

#[test]
fn guns_at_guns_as_in_the_worked_example() {
    let enemy = recruit(B, battery(8, "krupp4"), "deployed", 900.0, 800.0, SOUTH);
    let field = guns_in_battery(700.0, "krupp4", enemy);
    let field = after(&field, &[E::Cycled { battery: SECOND, cycle: Cycle::Deployed }]);
    assert_eq!(artillery::targets(&field, FIRST), vec![SECOND]);
    let shot = artillery::ready(&field, Shot { unit: FIRST, at: SECOND }, Manner::Direct, 0).unwrap();
    assert_eq!((shot.calculation.status, shot.calculation.counted), (6, 6));
    assert_eq!(shot.calculation.result(field.charts(), 8), (10, 1));
    let hit = after(&field, &[E::Damage { unit: SECOND, points: 1, cause: crate::event::Cause::Shells }]);
    let lost = crate::field::troops(&hit, SECOND);
    assert_eq!((lost.status, lost.guns), (7, 7));
}

#[test]
fn no_gun_fires_direct_beyond_the_limit() {
    let foot = |y: f64| recruit(B, unit(Arm::Infantry, 8, "minie"), "line", 900.0, y, SOUTH);
    let far = guns_in_battery(1001.0, "field14", foot(1101.0));
    let order = Order::Fire { shots: vec![Shot { unit: FIRST, at: SECOND }], hold: Vec::new() };
    let verdict = artillery::check(&View::new(&far, Viewer::Side(A)), A, &order);
    assert_eq!(clauses(&verdict), ["guns.combat.direct-a"]);
    let limbered = after(&far, &[E::Cycled { battery: FIRST, cycle: Cycle::Limbered }]);
    let verdict = artillery::check(&View::new(&limbered, Viewer::Side(A)), A, &order);
    assert_eq!(clauses(&verdict), ["guns.combat.artillery-c", "guns.combat.direct-a"]);
    assert_eq!(artillery::targets(&guns_in_battery(990.0, "field14", foot(1090.0)), FIRST), vec![SECOND]);
}

#[test]
fn indirect_fire_ranges_first_and_again_when_the_target_has_gone() {
    let target = recruit(B, unit(Arm::Infantry, 8, "minie"), "loose", 900.0, 1600.0, SOUTH);
    let field = guns_in_battery(1500.0, "field14", target);
    let seen = E::ObserverMoved { battery: FIRST, observer: Some(Observer::At(at(900.0, 1200.0))) };
    let field = after(&field, &[seen]);
    assert_eq!(ranging::targets(&field, FIRST), vec![SECOND]);
    let middle = ranging::middle(&field, SECOND);
    let marked = |ranged: bool, shift: f64| {
        let point = table::Point::from_vec(middle.vec() + table::Vec2 { x: shift * 1000.0, y: 0.0 });
        let blocks = blast::usual_pattern(&field, FIRST);
        let registration = Registration { at: SECOND, point, ranged, marked: true, blocks };
        after(&field, &[E::Registered { battery: FIRST, registration: Some(Box::new(registration)) }])
    };
    let first = ranging::strike(&marked(false, 0.0), FIRST).unwrap();
    assert_eq!(
        (first.manner, first.blocks.len(), first.after.is_some_and(|after| after.ranged)),
        (Manner::Ranging, 6, true)
    );
    assert_eq!(ranging::strike(&marked(true, 120.0), FIRST).unwrap().manner, Manner::Indirect);
    let again = ranging::strike(&marked(true, 310.0), FIRST).unwrap();
    assert_eq!((again.manner, again.point), (Manner::Ranging, middle));
    // Ranging on what has run away falls on the marker, and nothing is registered.
    let lost = ranging::strike(&marked(false, 310.0), FIRST).unwrap();
    assert_eq!((lost.manner, lost.after.is_none(), lost.point == middle), (Manner::Ranging, true, false));
    // Six blocks of 40 mm lie across a loose battalion 230 mm wide: all of them touch it.
    let area = blast::blocks(&field, FIRST, middle, &first.blocks);
    let under = blast::Everybody::of(&field).under(&field, &area);
    assert_eq!(under, vec![(SECOND, 6)]);
}

#[test]
fn patterns_and_observers_are_checked() {
    let target = recruit(B, unit(Arm::Infantry, 8, "minie"), "line", 900.0, 1300.0, SOUTH);
    let field = guns_in_battery(1200.0, "field14", target);
    let marking = |blocks: Vec<(i8, i8)>| {
        let marking = crate::order::Marking { battery: FIRST, at: SECOND, point: None, blocks };
        Order::Mark { shots: vec![marking] }
    };
    let judge =
        |field: &Field, order: &Order| clauses(&ranging::check(&View::new(field, Viewer::Side(A)), A, order)).join(" ");
    assert_eq!(judge(&field, &marking(Vec::new())), "guns.combat.indirect-b");
    let overrun = E::ObserverMoved { battery: FIRST, observer: Some(Observer::Lost { until: 3 }) };
    assert_eq!(judge(&after(&field, &[overrun]), &marking(Vec::new())), "guns.combat.indirect-i");
    let seen = E::ObserverMoved { battery: FIRST, observer: Some(Observer::At(at(900.0, 1200.0))) };
    let field = after(&field, &[seen]);
    assert_eq!(judge(&field, &marking(Vec::new())), "");
    assert_eq!(judge(&field, &marking(vec![(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (3, 2)])), "");
    let torn = marking(vec![(0, 0), (1, 0), (2, 0), (2, 1), (3, 2)]);
    assert_eq!(judge(&field, &torn), "guns.combat.blast-a guns.combat.blast-e");
}
