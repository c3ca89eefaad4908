//! Command, wounds, successors, rides.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub(in super::super) mod bench;

use super::super::charts::Wound;
use super::super::clause::Clause;
use super::super::event::{DaysEvent, TurnStep};
use super::super::formation::Shape;
use super::super::order::Order;
use super::super::sequence::Phase;
use super::super::unit::{Arm, Health, Quality, Rank, Serves};
use super::replace::Replacing;
use super::{command, harm, in_command, may_help, post, ride, with};
use bench::{Table, at, feature, general, inch, play, seen, spot, told, unit};
use engine::{CommanderId, Deed, Event, Side, UnitId};
use table::Outline;
use table::terrain::TerrainKind;

const BATTALION: UnitId = UnitId(0);
const BRIGADIER: CommanderId = CommanderId(0);
const DIVISION: CommanderId = CommanderId(1);
const PLAYER: CommanderId = CommanderId(2);

/// A battalion whose left end stand begins at x = 20, a brigadier to its left, the others far away.
fn brigade(apart: f64) -> Table {
    let battalion = unit(Side::A, Arm::Infantry, 4, Shape::Line, at(22.0, 20.0, 0.0));
    let beside = at(20.0 - apart - 0.5, 20.0, 0.0);
    let generals = vec![
        general(Some(1), Rank::Brigade, beside),
        general(Some(2), Rank::Division, at(60.0, 40.0, 0.0)),
        general(None, Rank::Army, at(60.0, 44.0, 0.0)),
    ];
    Table { units: vec![battalion], generals, ..Table::default() }
}

#[test]
fn a_general_commands_as_far_as_sixteen_inches() {
    assert!(in_command(&brigade(16.0).field(), BATTALION));
    assert!(!in_command(&brigade(16.1).field(), BATTALION));
    let mut table = brigade(16.1);
    table.generals[1].pose = at(20.0 - 12.5, 20.0, 0.0);
    let field = table.field();
    assert!(in_command(&field, BATTALION), "the division general is twelve inches away");
    assert!(may_help(&field, DIVISION, BATTALION) && !may_help(&field, BRIGADIER, BATTALION));
    assert!(command::help_clauses(&field, DIVISION, BATTALION).contains(&Clause::ASuperiorLendsAHand));
}

#[test]
fn a_general_with_one_unit_leads_no_other_and_no_other_arm() {
    let mut table = brigade(2.0);
    let second = unit(Side::A, Arm::Infantry, 4, Shape::Line, at(22.0, 24.0, 0.0));
    let horse = unit(Side::A, Arm::Cavalry, 4, Shape::Line, at(22.0, 28.0, 0.0));
    table.units.extend([second, horse]);
    let field = table.field();
    assert!(in_command(&field, UnitId(1)) && !in_command(&field, UnitId(2)), "an infantry general leads no horse");
    let joined = DaysEvent::Attached { general: BRIGADIER, unit: Some(BATTALION) };
    let field = field.folded(&[Event::own(Clause::JoiningAUnit, joined)]);
    assert!(in_command(&field, BATTALION) && !in_command(&field, UnitId(1)));
    assert_eq!(with(&field, BATTALION), Some((BRIGADIER, Quality::Capable)));
    let runs = DaysEvent::StaffRouts { general: BRIGADIER, routing: true };
    let field = field.folded(&[Event::own(Clause::CarriedAlongInRout, runs)]);
    assert_eq!(with(&field, BATTALION), None);
    assert!(!in_command(&field, BATTALION));
}

#[test]
fn independent_units_need_nobody_and_listen_to_the_player_alone() {
    let mut table = brigade(2.0);
    table.units[0].facts.independent = true;
    table.generals[2].pose = at(10.0, 20.0, 0.0);
    table.generals[2].serves = Serves::All;
    let field = table.field();
    assert!(in_command(&field, BATTALION));
    assert!(may_help(&field, PLAYER, BATTALION) && !may_help(&field, BRIGADIER, BATTALION));
}

#[test]
fn a_wounded_general_comes_back_in_the_phase_in_which_he_was_hit() {
    let mut table = brigade(2.0);
    (table.turn, table.step) = (5, Some(TurnStep::Shooting));
    let field = table.field();
    let chart = field.charts().wound.general.clone();
    let happens = harm::effect(&field, BRIGADIER, chart.on(4).value);
    let step = TurnStep::ALL.iter().position(|step| *step == TurnStep::Shooting).unwrap() as u8;
    let health = Health::Wounded { until: 7, step, since: 5 };
    assert_eq!(happens, DaysEvent::Health { general: BRIGADIER, health });
    let lost = [
        Event::own(Clause::WhenGeneralsAreWounded, happens),
        Event::new(Clause::WithoutAGeneral, Deed::CommanderLost { commander: BRIGADIER }),
        Event::new(Clause::FivePhasesToATurn, Deed::TurnBegan { turn: 7 }),
    ];
    let field = field.folded(&lost);
    assert!(!in_command(&field, BATTALION));
    // One step before the Shooting Phase of turn 7 he is still away; then he is back beside his battalion.
    let battle = play(field, vec![Phase::Turn { next: step - 1 }], &[]);
    let events = battle.events();
    let of_step = |wanted| {
        events.iter().position(|event| matches!(&event.deed, Deed::Own(DaysEvent::Step { step }) if *step == wanted))
    };
    let back = events
        .iter()
        .position(|event| matches!(&event.deed, Deed::Own(DaysEvent::Health { health: Health::Fit, .. })))
        .unwrap();
    assert!(of_step(TurnStep::Shooting).unwrap() < back && back < of_step(TurnStep::FirstCharged).unwrap());
    assert!(in_command(battle.state(), BATTALION));
    assert!(post::touches(battle.state(), BRIGADIER, BATTALION));
}

#[test]
fn the_wound_table_kills_on_a_six_and_unhorses_on_a_two() {
    let field = brigade(2.0).field();
    let chart = field.charts().wound.general.clone();
    assert_eq!(chart.on(2).value, Wound::Unhorsed);
    let dead = DaysEvent::Health { general: BRIGADIER, health: Health::Killed { since: 1 } };
    assert_eq!(harm::effect(&field, BRIGADIER, chart.on(6).value), dead);
}

#[test]
fn a_successor_needs_a_turn_and_the_player_within_eight_inches() {
    let lost = |since| DaysEvent::Health { general: BRIGADIER, health: Health::Captured { since } };
    let begin = |since: u16, player: f64| {
        let mut table = brigade(2.0);
        table.turn = 3;
        table.generals[2].pose = at(24.5 + player, 20.0, 0.0);
        let field = table.field();
        let events = [
            Event::own(Clause::TakingAGeneral, lost(since)),
            Event::new(Clause::TakingAGeneral, Deed::CommanderLost { commander: BRIGADIER }),
        ];
        play(field.folded(&events), vec![Phase::Turn { next: 23 }, Phase::Replacing(Replacing::default())], &["1d6: 3"])
    };
    assert!(begin(3, 8.0).asked().is_none(), "lost this turn");
    assert!(begin(2, 8.1).asked().is_none(), "too far away");
    let mut battle = begin(2, 8.0);
    let asked = battle.asked().expect("a question").clone();
    let order = Order::Replace { generals: vec![BRIGADIER] };
    assert!(battle.check(Side::A, &order).is_legal());
    let wrong = battle.check(Side::A, &Order::Replace { generals: vec![PLAYER, BRIGADIER, BRIGADIER] });
    assert!(wrong.refusals.len() >= 3, "{wrong:?}");
    let _ = battle.submit(Side::A, asked.no, order);
    let new = &battle.state().commander(BRIGADIER);
    assert_eq!((new.own.quality, new.own.lost_before), (Some(Quality::Inept), 1));
    assert!(new.is_present() && post::touches(battle.state(), BRIGADIER, BATTALION));
    let cited = battle.events().iter().any(|event| event.cited().any(|id| id == Clause::ReplacingACaptive.into()));
    assert!(cited && told(&battle).iter().any(|event| matches!(event, DaysEvent::Quality { successor: true, .. })));
}

#[test]
fn generals_ride_sixteen_inches_less_what_the_ground_takes_off() {
    let legal = |table: Table, x: f64| {
        let field = table.field();
        let order = Order::Ride { general: BRIGADIER, to: spot(x, 30.5) };
        ride::check(&seen(&field), Side::A, &order).is_legal()
    };
    let start = |stream: bool| {
        let mut table = brigade(2.0);
        table.generals[0].pose = at(10.0, 31.0, 0.0);
        if stream {
            let points = vec![spot(18.0, 0.0), spot(18.0, 48.0)];
            table.features.push(feature(TerrainKind::Stream, Outline::Line { points, width: inch(1.0) }));
        }
        table
    };
    assert!(legal(start(false), 26.0) && !legal(start(false), 26.1));
    assert!(legal(start(true), 25.0) && !legal(start(true), 25.1), "a stream takes an inch");
    let mut near = start(false);
    near.units.push(unit(Side::B, Arm::Infantry, 4, Shape::Line, at(24.0, 29.0, 0.0)));
    assert!(!legal(near, 24.0), "within an inch of the enemy");
    let mut unhorsed = start(false);
    unhorsed.generals[0].staff.unhorsed = true;
    assert!(!legal(unhorsed, 12.0));
}

#[test]
fn generals_join_their_own_arm_and_chain() {
    let mut table = brigade(6.0);
    table.units.push(unit(Side::A, Arm::Cavalry, 4, Shape::Line, at(22.0, 24.0, 0.0)));
    let mut other = unit(Side::A, Arm::Infantry, 4, Shape::Line, at(22.0, 28.0, 0.0));
    other.command = Some(engine::CommandId(1));
    table.units.push(other);
    let field = table.field();
    let verdict = |unit| ride::check(&seen(&field), Side::A, &Order::Join { general: BRIGADIER, unit });
    assert!(verdict(BATTALION).is_legal(), "{:?}", verdict(BATTALION));
    let clauses = |unit| verdict(unit).refusals.into_iter().map(|note| note.clause).collect::<Vec<_>>();
    assert_eq!(clauses(UnitId(1)), [Clause::HorseAndFootGenerals.into()]);
    assert_eq!(clauses(UnitId(2)), [Clause::NoChangeOfMaster.into()]);
}

#[test]
fn a_lone_general_tests_by_his_quality() {
    let score = |quality| {
        let mut table = brigade(2.0);
        table.generals[0].staff.quality = Some(quality);
        super::evade::score(&table.field(), BRIGADIER).whole()
    };
    assert!(score(Quality::Inept) > score(Quality::Capable));
    assert!(score(Quality::Capable) > score(Quality::Exceptional));
}
