//! Fires burn for three turns and go with the wind.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::clause::Clause;
use super::super::event::{DaysEvent, Fire, TurnStep};
use super::super::field::Field;
use super::super::formation::Shape;
use super::super::sequence::Phase;
use super::super::staff::tests::bench::{Table, area, at, play, unit};
use super::super::unit::Arm;
use super::{doomed, reached};
use engine::{Event, FeatureId, Side, UnitId};
use table::Angle;
use table::terrain::TerrainKind;

/// A wood that burns since turn 4, with a battalion partly in it; a second wood so far to the east.
fn burning(turn: u16, apart: f64, inside: bool) -> Field {
    let x = if inside { 22.0 } else { 10.0 };
    let battalion = unit(Side::A, Arm::Infantry, 4, Shape::Line, at(x, 20.5, 0.0));
    let features = vec![
        area(TerrainKind::Woods, (20.0, 20.0), (30.0, 30.0)),
        area(TerrainKind::Woods, (30.0 + apart, 20.0), (40.0, 30.0)),
        area(TerrainKind::Woods, (10.0, 22.0), (19.0, 30.0)),
    ];
    let wind = Some(Angle::EAST);
    let field = Table { units: vec![battalion], features, wind, turn, ..Table::default() }.field();
    let fire = DaysEvent::Ablaze { feature: FeatureId(0), since: 4 };
    field.folded(&[Event::own(Clause::ShellsSetFires, fire)])
}

#[test]
fn whoever_is_inside_at_the_end_of_the_third_turn_is_lost() {
    assert!(doomed(&burning(5, 2.0, true)).is_empty());
    assert_eq!(doomed(&burning(6, 2.0, true)), [UnitId(0)]);
    assert!(doomed(&burning(6, 2.0, false)).is_empty());
}

#[test]
fn fire_leaps_two_inches_downwind_and_never_upwind() {
    assert_eq!(reached(&burning(4, 2.0, false)), [FeatureId(1)]);
    assert!(reached(&burning(4, 2.1, false)).is_empty());
}

#[test]
fn what_the_wind_sets_alight_counts_from_the_next_turn() {
    let next = TurnStep::ALL.iter().position(|step| *step == TurnStep::Fires).unwrap() as u8;
    let battle = play(burning(4, 2.0, false), vec![Phase::Turn { next }], &["1d6: 1", "1d6: 2"]);
    let expected = [Fire { feature: FeatureId(0), since: 4 }, Fire { feature: FeatureId(1), since: 5 }];
    assert_eq!(battle.state().ledger().fires[..2], expected);
}
