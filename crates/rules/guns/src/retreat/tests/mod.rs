//! Retirements by figures, and on a field built by hand.
#![allow(clippy::unwrap_used)]

pub mod bench;

use super::super::sequence::Phase;
use super::*;
use bench::{battalion, charger, charts, field};
use engine::battle::Keep;
use engine::{Battle, Scripted, Side};
use table::terrain::{Feature, TerrainKind};
use table::{Outline, Point};

fn retired(scale: Scale, why: Retreat, face: i32) -> Length {
    reckon(&charts(), scale, why, face).1
}

/// V16 and V30, and the case of its own for cavalry beaten twice.
#[test]
fn a_retirement_is_so_much_and_more_by_the_die() {
    assert_eq!(retired(Scale::Small, Retreat::Charged, 2), Length::cm(13.0));
    assert_eq!(retired(Scale::Small, Retreat::Charged, 6), Length::cm(29.0));
    assert_eq!(retired(Scale::Small, Retreat::Broken, 3), Length::cm(17.0));
    assert_eq!(retired(Scale::Middle, Retreat::Carried, 3), Length::cm(25.0));
    assert_eq!(retired(Scale::Large, Retreat::FellBack, 3), Length::mm(431.8));
    assert_eq!(retired(Scale::Small, Retreat::TwiceBeaten, 4), Length::cm(30.0));
    assert_eq!(retired(Scale::Middle, Retreat::TwiceBeaten, 4), Length::cm(39.0));
    assert_eq!(reckon(&charts(), Scale::Large, Retreat::Charged, 3).0.whole(), 17);
}

/// V17: supports of status 8, 6 and 10 behind a broken unit of 8.
#[test]
fn supports_no_better_than_the_runners_test_and_odd_rolls_carry_them_away() {
    assert!(must_test(8, 8) && is_carried(7));
    assert!(must_test(8, 6) && !is_carried(4));
    assert!(!must_test(8, 10));
    assert!(!is_carried(10) && is_carried(1));
}

/// V18: the third retirement running is the last.
#[test]
fn the_third_successive_retirement_disperses() {
    let most = charts().charge.disperse_after.value.get();
    assert!(!is_last(0, most));
    assert!(!is_last(1, most));
    assert!(is_last(2, most));
}

#[test]
fn only_charges_and_runners_break_a_unit() {
    assert!(breaks(Retreat::Charged) && breaks(Retreat::Carried) && breaks(Retreat::TwiceBeaten));
    assert!(!breaks(Retreat::FellBack) && !breaks(Retreat::Alarmed) && !breaks(Retreat::Broken));
}

/// Unit 0 retires before unit 1.
fn retire_first(field: Field, dice: &[&str]) -> Battle<Guns> {
    let mut script = Scripted::default();
    for throw in dice {
        script.add(throw).unwrap();
    }
    let phase = Phase::Retreat(Retreating { due: vec![(UnitId(0), Some(UnitId(1)), Retreat::Charged)] });
    let battle = Battle::begin(field.with_agenda(vec![phase], 1), Box::new(script), Keep::Everything);
    // Nothing follows the retirements on this agenda, and that is the only complaint.
    assert_eq!(battle.fault().map(|fault| fault.phase.as_str()), Some("none"), "{:?}", battle.fault());
    battle
}

fn south_of(battle: &Battle<Guns>, unit: u16) -> Length {
    battle.state().unit(UnitId(unit)).pose().at.y
}

/// V17 on the table: the nearest supports go too, the next stand, the best are not even asked.
#[test]
fn a_broken_battalion_carries_its_supports_away() {
    let units = [
        battalion(Side::A, 8, 800.0, 600.0),
        charger(10.0),
        battalion(Side::A, 8, 800.0, 560.0),
        battalion(Side::A, 6, 800.0, 520.0),
        battalion(Side::A, 10, 800.0, 480.0),
    ];
    let battle = retire_first(field(&units, Vec::new()), &["1d10: 10", "1d10: 7", "1d10: 3", "1d10: 4"]);
    let broken = |unit: u16| battle.state().unit(UnitId(unit)).own.broken;
    assert!(broken(0) && broken(2) && !broken(3) && !broken(4));
    assert_eq!(south_of(&battle, 0), Length::mm(150.0), "45 centimetres straight back");
    assert_eq!(south_of(&battle, 2), Length::mm(390.0), "17 centimetres straight back");
    let quads: Vec<_> = (0..5).map(|n| *battle.state().unit(UnitId(n)).quad()).collect();
    for (n, one) in quads.iter().enumerate() {
        assert!(!quads.iter().skip(n + 1).any(|other| table::quads_overlap(one, other)), "unit {n} stands on nobody");
    }
    let own = &battle.state().unit(UnitId(0)).own;
    assert_eq!((own.retirements, own.running), (1, 1));
}

#[test]
fn a_third_retirement_running_needs_no_die() {
    let mut first = battalion(Side::A, 8, 800.0, 600.0);
    first.troops.running = 2;
    let battle = retire_first(field(&[first, charger(10.0)], Vec::new()), &[]);
    assert!(!battle.state().unit(UnitId(0)).is_present());
    assert_eq!(battle.state().ledger().lost[Side::A], 1);
}

#[test]
fn over_the_edge_is_out_of_the_battle() {
    let units = [battalion(Side::A, 8, 800.0, 100.0), charger(10.0)];
    let battle = retire_first(field(&units, Vec::new()), &["1d10: 3"]);
    assert!(!battle.state().unit(UnitId(0)).is_present());
}

fn lake(west: f64, south: f64, east: f64, north: f64) -> Feature {
    let corner = |x: f64, y: f64| Point::new(Length::mm(x), Length::mm(y));
    let ring = vec![corner(west, south), corner(east, south), corner(east, north), corner(west, north)];
    let shape = table::Shape::new(Outline::Area(ring)).unwrap();
    Feature {
        key: "lake".into(),
        name: String::new(),
        kind: TerrainKind::Lake,
        shape,
        level: 0,
        crests: Vec::new(),
        nature: Vec::new(),
    }
}

#[test]
fn with_its_back_to_the_water_a_unit_in_reach_is_dispersed() {
    let units = |left: f64| [battalion(Side::A, 8, 800.0, 600.0), charger(left)];
    let water = || vec![lake(0.0, 0.0, 1600.0, 560.0)];
    let caught = retire_first(field(&units(20.0), water()), &["1d10: 2"]);
    assert!(!caught.state().unit(UnitId(0)).is_present());
    let clear = retire_first(field(&units(5.0), water()), &["1d10: 2"]);
    assert!(clear.state().unit(UnitId(0)).is_present(), "it has room to get out of reach");
}

#[test]
fn the_way_back_bends_round_a_pond() {
    let units = [battalion(Side::A, 8, 800.0, 600.0), charger(10.0)];
    let battle = retire_first(field(&units, vec![lake(860.0, 400.0, 1000.0, 500.0)]), &["1d10: 3"]);
    let to = battle.state().unit(UnitId(0)).pose().at;
    assert!(to.x < Length::mm(780.0), "past its corner: {to:?}");
    assert!(to.y < Length::mm(500.0));
}
