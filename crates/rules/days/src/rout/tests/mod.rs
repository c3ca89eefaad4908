//! Flights over fields built by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::event::DaysEvent;
use super::super::field::{self, Field};
use super::super::formation::Shape;
use super::super::morale::tests::bench::{Raw, area, at, field, play, told, unit};
use super::super::sequence::Phase;
use super::super::unit::{Arm, OrderState};
use engine::battle::Battle;
use engine::{Side, UnitId, Whereabouts};
use table::terrain::{Feature, TerrainKind};

const RUNNER: UnitId = UnitId(0);
/// The step of the rout moves among those of a turn.
const ROUTS: u8 = 10;

/// Foot of A in a column two abreast that has been routing since last turn and looks south.
fn runner(x: f64, y: f64) -> Raw {
    unit(Side::A, Arm::Infantry, Shape::March, at(x, y, 180.0)).with(|raw| {
        raw.troops.order = OrderState::Routing;
        raw.troops.routed_before = true;
    })
}

/// Plays the rout step of a turn alone.
fn routs(units: Vec<Raw>, features: Vec<Feature>) -> Battle<super::Days> {
    let battle = play(field(0, units, features), vec![Phase::Turn { next: ROUTS }], &[], &[]);
    assert!(told(&battle).iter().any(|event| matches!(event, DaysEvent::Step { step } if step.word() == "routs")));
    battle
}

fn place(state: &Field, unit: UnitId) -> (f64, f64) {
    let at = state.unit(unit).pose().at.vec();
    let inch = table::Length::whole_inches(1).as_f64();
    ((at.x / inch * 100.0).round() / 100.0, (at.y / inch * 100.0).round() / 100.0)
}

#[test]
fn runners_make_for_their_own_edge() {
    let battle = routs(vec![runner(30.0, 30.0)], Vec::new());
    assert_eq!(place(battle.state(), RUNNER), (30.0, 22.0));
}

#[test]
fn half_a_rout_leaves_the_other_half() {
    let half = table::Length::whole_inches(4);
    let battle = routs(vec![runner(30.0, 30.0).with(|raw| raw.troops.turn.routed = half)], Vec::new());
    assert_eq!(place(battle.state(), RUNNER), (30.0, 26.0));
}

#[test]
fn friends_in_line_are_burst_through_and_columns_gone_round() {
    let line = unit(Side::A, Arm::Infantry, Shape::Line, at(30.0, 26.0, 0.0));
    let battle = routs(vec![runner(30.0, 30.0), line], Vec::new());
    let events = told(&battle);
    let burst = DaysEvent::BurstThrough { unit: UnitId(1), by: RUNNER };
    assert!(events.contains(&burst), "{events:?}");
    assert!(events.contains(&DaysEvent::OrderIs { unit: UnitId(1), order: OrderState::Disordered }));
    // The column of six ranks has to get wholly clear of the line it ran through.
    assert!(place(battle.state(), RUNNER).1 <= 19.01, "{:?}", place(battle.state(), RUNNER));

    let column = unit(Side::A, Arm::Infantry, Shape::Manoeuvre, at(31.0, 26.0, 0.0));
    let battle = routs(vec![runner(30.0, 30.0), column], Vec::new());
    let (x, y) = place(battle.state(), RUNNER);
    assert!(x < 28.1 && y < 27.0, "went round by the west: {x} {y}");
    assert_eq!(field::order(battle.state(), UnitId(1)), OrderState::Good);
}

#[test]
fn enemies_in_the_way_disperse_runners_unless_they_only_brush() {
    let enemy = |x| unit(Side::B, Arm::Infantry, Shape::Line, at(x, 26.0, 0.0));
    let flights = |x| {
        let battle = routs(vec![runner(30.0, 30.0), enemy(x)], Vec::new());
        let ran = battle.events().iter().find(|event| matches!(&event.deed, engine::Deed::Own(DaysEvent::Ran { .. })));
        ran.expect("a flight").cited().map(|clause| clause.0).collect::<Vec<_>>()
    };
    assert!(flights(30.0).contains(&"days.17.4.15-d"));
    assert!(!flights(36.5).contains(&"days.17.4.15-d"));
    assert!(flights(36.5).contains(&"days.17.4.15-e"));
}

#[test]
fn runners_leave_the_table_for_good() {
    let battle = routs(vec![runner(30.0, 5.0)], Vec::new());
    let cited: Vec<_> = battle.events().iter().flat_map(|event| event.cited().collect::<Vec<_>>()).collect();
    assert!(cited.iter().any(|clause| clause.0 == "days.17.4.14-g"));
}

#[test]
fn a_river_is_gone_along_to_its_bridge() {
    let river = area(TerrainKind::River, (0.0, 22.0), (72.0, 26.0));
    let bridge = area(TerrainKind::Bridge, (32.0, 21.5), (35.0, 26.5));
    let battle = routs(vec![runner(30.0, 30.0)], vec![river.clone(), bridge]);
    let (x, y) = place(battle.state(), RUNNER);
    assert!((x - 33.5).abs() < 0.02 && y < 26.0, "{x} {y}");
    let battle = routs(vec![runner(30.0, 30.0)], vec![river]);
    assert_eq!(place(battle.state(), RUNNER), (30.0, 26.0));
    assert_eq!(battle.state().unit(RUNNER).whereabouts, Whereabouts::OnTable);
}

/// The first bound of a line of B's at (36, 20) that looks south, away from a line of A's an inch before it.
fn first_bound(features: Vec<Feature>) -> (f64, bool) {
    let line = unit(Side::B, Arm::Infantry, Shape::Line, at(36.0, 20.0, 180.0));
    let cause = unit(Side::A, Arm::Infantry, Shape::Line, at(40.0, 19.0, 0.0));
    let state = field(0, vec![line, cause], features);
    let towards = super::way::flight(&state, RUNNER, Some(UnitId(1)));
    let half = state.charts().pace.first_rout.value.of(super::distance(&state, RUNNER));
    let flight = super::run::Flight { unit: RUNNER, towards, by: half, first: true, over: None };
    let (pose, is_left) = super::run::ends_at(&state, &flight);
    assert_eq!(pose.facing, table::Angle::NORTH);
    (((pose.at.y.as_inches() * 100.0).round()) / 100.0, is_left)
}

#[test]
fn pv_21_the_first_bound_is_half_and_straight_away() {
    // The last of six ranks stands four inches behind where the old front was.
    assert_eq!(first_bound(Vec::new()), (30.0, true));
}

#[test]
fn a_river_swallows_whoever_runs_into_it_at_first() {
    let river = area(TerrainKind::River, (0.0, 24.0), (72.0, 27.0));
    assert!(!first_bound(vec![river.clone()]).1);
    let ford = area(TerrainKind::Ford, (35.0, 23.5), (37.0, 27.5));
    assert!(first_bound(vec![river, ford]).1);
}
