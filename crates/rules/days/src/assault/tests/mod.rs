#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;
use crate::damage::tests::bench::{Raw, at, field, inches, play, told, unit};
use crate::formation::Shape;
use crate::unit::{OrderState, Trait};
use engine::Battle;
use table::Angle;

const A: UnitId = UnitId(0);
const B: UnitId = UnitId(1);

fn facing(arm: Arm, class: u8, stands: u8, shape: Shape) -> Raw {
    unit(Side::B, arm, class, stands, shape, at(30.0, 20.0, 180.0)).touching(0)
}

fn attacking(arm: Arm, class: u8, stands: u8, shape: Shape) -> Raw {
    unit(Side::A, arm, class, stands, shape, at(30.0, 20.0, 0.0)).charging(1)
}

fn fight(edition: u8, units: Vec<Raw>, dice: &[&str]) -> Battle<Days> {
    play(field(edition, units, Vec::new()), vec![Phase::Assault(Assault::default())], dice, &[])
}

fn sums(edition: u8, units: Vec<Raw>) -> [i32; 2] {
    let field = field(edition, units, Vec::new());
    let melees = melees(&field);
    assert_eq!(melees.len(), 1);
    scores(&field, &melees[0]).0.map(|sum| sum.whole())
}

fn left(battle: &Battle<Days>, unit: UnitId) -> Option<u8> {
    field::is_there(battle.state(), unit).then(|| field::count(battle.state(), unit))
}

#[test]
fn a_column_of_good_foot_beats_a_line_by_two() {
    let units = vec![attacking(Arm::Infantry, 3, 12, Shape::Manoeuvre), facing(Arm::Infantry, 2, 12, Shape::Line)];
    assert_eq!(sums(0, units.clone()), [5, 2]);
    let battle = fight(0, units, &["1d6: 4", "1d6: 5"]);
    let melee = told(&battle).into_iter().find_map(|event| match event {
        DaysEvent::Melee { scores, winner, result, .. } => Some((scores.0, winner, result)),
        _ => None,
    });
    assert_eq!(melee, Some(([9, 7], Some(Side::A), MeleeResult::Minor)));
    assert_eq!((left(&battle, A), left(&battle, B)), (Some(11), Some(10)));
    let charge = &field::troops(battle.state(), A).charge;
    assert!(charge.is_none(), "the charge ends with the fight: {charge:?}");
    let pushed = DaysEvent::PushedBack { unit: B, turn: 1 };
    assert!(told(&battle).contains(&pushed), "the loser is pushed back");
    let victor = Victor { unit: A, over: B, result: MeleeResult::Minor, charged: true };
    assert_eq!(moves::advance_of(battle.state(), &victor), Some(inches(2.0)));
    for unit in [A, B] {
        assert!(field::troops(battle.state(), unit).fought_before);
        assert!(field::troops(battle.state(), unit).contact.is_empty());
    }
}

#[test]
fn the_spare_loss_goes_to_the_worst_with_most_in_contact() {
    assert_eq!(results::shares(&[(2, 5), (3, 6), (2, 7)], 4, |_| panic!("no die is needed")), [1, 1, 2]);
    assert_eq!(results::shares(&[(2, 5), (2, 5)], 3, |tied| tied.last().copied()), [1, 2]);
    assert_eq!(results::shares(&[], 3, |_| None), Vec::<u8>::new());
}

#[test]
fn the_mean_of_classes_rounds_halves_up() {
    assert_eq!([factors::average(&[2, 3]), factors::average(&[2, 2, 3]), factors::average(&[4, 3, 3])], [3, 2, 3]);
}

#[test]
fn shattered_units_are_gone() {
    // Losing by four costs three stands, by two two.
    let units =
        |stands| vec![attacking(Arm::Infantry, 3, 12, Shape::Line), facing(Arm::Infantry, 2, stands, Shape::Line)];
    let battle = fight(0, units(5), &["1d6: 6", "1d6: 1"]);
    assert_eq!(left(&battle, B), None, "two of five are too few");
    let cavalry = vec![attacking(Arm::Cavalry, 2, 3, Shape::Line), facing(Arm::Cavalry, 2, 3, Shape::Line)];
    let battle = fight(0, cavalry, &["1d6: 1", "1d6: 6"]);
    assert_eq!(left(&battle, A), None, "horse that loses by three has one of three left");
    let foot = vec![attacking(Arm::Infantry, 2, 5, Shape::Line), facing(Arm::Infantry, 2, 5, Shape::Line)];
    let battle = fight(0, foot, &["1d6: 1", "1d6: 4"]);
    assert_eq!(left(&battle, A), Some(3), "three of five stand");
}

#[test]
fn a_locked_fight_goes_on_without_impetus() {
    let units = vec![attacking(Arm::Infantry, 2, 12, Shape::Line), facing(Arm::Infantry, 3, 12, Shape::Line)];
    let battle = fight(0, units, &["1d6: 3", "1d6: 3"]);
    assert_eq!((left(&battle, A), left(&battle, B)), (Some(11), Some(11)));
    let melees = melees(battle.state());
    assert_eq!(melees.len(), 1, "both stay in contact");
    for unit in [A, B] {
        assert_eq!(field::order(battle.state(), unit), OrderState::Disordered);
    }
    // Their classes less their lost order; nobody charges any more.
    assert_eq!(scores(battle.state(), &melees[0]).0.map(|sum| sum.whole()), [2 - 1, 3 - 1]);
}

#[test]
fn horse_rides_skirmishers_down_without_dice() {
    let units = vec![attacking(Arm::Cavalry, 2, 8, Shape::Line), facing(Arm::Infantry, 4, 6, Shape::Skirmish)];
    let battle = fight(0, units, &[]);
    assert_eq!((left(&battle, A), left(&battle, B)), (Some(8), Some(3)));
    let cited = battle.events().iter().any(|event| event.clause == Clause::HorseAmongSkirmishers.into());
    assert!(cited);
}

#[test]
fn both_books_weigh_horse_against_foot_in_their_own_way() {
    let units = || {
        vec![
            attacking(Arm::Cavalry, 3, 8, Shape::Line).being(Trait::Heavy),
            facing(Arm::Infantry, 3, 8, Shape::Line).with(|raw| raw.facts.weapon = "dreyse".to_owned()),
        ]
    };
    assert_eq!(sums(0, units()), [5, 5], "iron: horse charging; breech-loaders");
    assert_eq!(sums(1, units()), [8, 3], "empire: charging, heavy, foot in the open");
}

#[test]
fn order_numbers_and_formation_count_once_for_a_side() {
    let mut units = vec![
        attacking(Arm::Infantry, 3, 12, Shape::March).with(|raw| raw.troops.order = OrderState::Disordered),
        facing(Arm::Infantry, 2, 6, Shape::Line).with(|raw| raw.troops.order = OrderState::Shaken).touching(2),
    ];
    units.push(unit(Side::A, Arm::Infantry, 2, 12, Shape::Line, at(36.0, 20.0, 0.0)).touching(1));
    // Class 3 (two and three), foot charging, four to one, disordered, march column; class 2, shaken.
    assert_eq!(sums(0, units), [3 + 1 + 3 - 1 - 2, 2 - 2]);
}

#[test]
fn an_enemy_in_the_rear_replaces_one_on_the_flank() {
    let units = |aspect| {
        let mut attacker = attacking(Arm::Infantry, 2, 8, Shape::Line);
        attacker.troops.charge.as_mut().unwrap().aspect = aspect;
        vec![attacker, facing(Arm::Infantry, 2, 8, Shape::Line)]
    };
    use crate::unit::Aspect;
    assert_eq!(sums(0, units(Aspect::Flank)), [3, 0]);
    assert_eq!(sums(0, units(Aspect::Rear)), [3, -1]);
}

#[test]
fn a_unit_right_behind_a_line_fights_with_it() {
    let behind = unit(Side::B, Arm::Infantry, 3, 8, Shape::Line, at(30.0, 21.5, 180.0));
    let astray = unit(Side::B, Arm::Infantry, 3, 8, Shape::Line, at(50.0, 21.5, 180.0));
    let units =
        vec![attacking(Arm::Infantry, 2, 8, Shape::Line), facing(Arm::Infantry, 2, 8, Shape::Line), behind, astray];
    let field = field(0, units, Vec::new());
    let melees = melees(&field);
    assert_eq!(melees[0].supports[Side::B].as_slice(), [UnitId(2)]);
    // The mean of two and three is three, and they are twice as many.
    assert_eq!(scores(&field, &melees[0]).0.map(|sum| sum.whole()), [3, 5]);
}

#[test]
fn guns_that_lose_are_taken_or_lose_their_men() {
    let units = || vec![attacking(Arm::Infantry, 2, 8, Shape::Line), facing(Arm::Artillery, 2, 2, Shape::Massed)];
    // Charging foot, four to one: five and one to six; guns in action.
    assert_eq!(sums(0, units()), [2 + 1 + 3, 2 - 2]);
    let battle = fight(0, units(), &["1d6: 1", "1d6: 6"]);
    assert_eq!(field::troops(battle.state(), B).crew(), 6, "a marginal defeat costs two men");
    let battle = fight(0, units(), &["1d6: 1", "1d6: 5"]);
    assert_eq!(left(&battle, B), None, "a minor one the guns");
    assert!(told(&battle).contains(&DaysEvent::Captured { unit: B, by: Some(A) }));
}

#[test]
fn squares_that_lose_a_little_to_horse_do_not_budge() {
    let units = vec![attacking(Arm::Cavalry, 4, 12, Shape::Line), facing(Arm::Infantry, 1, 12, Shape::Square)];
    let field = field(1, units, Vec::new());
    let melee = melees(&field).remove(0);
    assert_eq!(results::result_for(&field, &melee, B, MeleeResult::Marginal), MeleeResult::Marginal);
}

#[test]
fn the_difference_picks_the_row() {
    let field = field(0, Vec::new(), Vec::new());
    let results = &field.charts().result;
    let names: Vec<MeleeResult> = (0..6).map(|difference| results::result_of(results, difference)).collect();
    use MeleeResult::{Locked, Major, Marginal, Minor};
    assert_eq!(names, [Locked, Marginal, Minor, Minor, Major, Major]);
}

#[test]
fn a_victor_wheels_towards_an_enemy_within_reach_and_pays_for_it() {
    let victor = unit(Side::A, Arm::Cavalry, 2, 2, Shape::Line, at(30.0, 20.0, 0.0));
    let aside = unit(Side::B, Arm::Infantry, 2, 6, Shape::Line, at(33.0, 25.0, 180.0));
    let field = field(0, vec![victor, aside], Vec::new());
    let found = wheels(&field, A, inches(8.0));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].signed() > 0, "to the right");
    let judged = |degrees| moves::judge_wheel(&field, A, inches(8.0), Angle::whole(degrees));
    assert!(judged(20).is_legal());
    assert!(!judged(46).is_legal(), "no more than half a right angle");
    assert!(!judged(-20).is_legal(), "nobody is there");
    assert!(wheels(&field, A, inches(2.0)).is_empty(), "out of reach");
}

#[test]
fn whoever_was_struck_is_tested_once_and_may_shoot_if_his_friends_are_free() {
    let struck = |with: &[u16]| {
        let mut victor = unit(Side::A, Arm::Infantry, 2, 8, Shape::Line, at(30.0, 20.0, 0.0));
        for other in with {
            victor = victor.touching(*other);
        }
        victor.troops.broke_into = Some((B, inches(1.0)));
        let friend = unit(Side::B, Arm::Infantry, 2, 8, Shape::Line, at(40.0, 20.0, 180.0));
        field(0, vec![victor, facing(Arm::Infantry, 2, 8, Shape::Line), friend], Vec::new())
    };
    let field = struck(&[1]);
    assert_eq!(next_break_through(&field, &Few::new()), Some((A, B, inches(1.0))));
    assert_eq!(next_break_through(&field, &Few::from_slice(&[B])), None);
    assert!(may_still_shoot(&field, B) && !may_still_shoot(&field, A));
    assert!(!may_still_shoot(&struck(&[1, 2]), B), "the attackers touch its friends too");
    let melees = melees(&field);
    assert_eq!(scores(&field, &melees[0]).0.map(|sum| sum.whole()), [3, 2], "it counts as charging");
}
