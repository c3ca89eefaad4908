//! Activation on a field built by hand.
#![allow(clippy::unwrap_used)]

use super::super::retreat::tests::bench::{Raw, battalion, commanded};
use super::super::unit::{Ability, Health};
use super::*;
use engine::Viewer;
use engine::battle::Keep;
use engine::{Battle, Event, Scripted, View};
use table::Point;

/// Three brigades of one battalion each: two average, one inept; its fourth unit is far from the first brigade's
/// commander.
fn division() -> Field {
    let mut units: Vec<Raw> = [300.0, 700.0, 1100.0].map(|x| battalion(Side::A, 8, x, 300.0)).to_vec();
    units.push(battalion(Side::A, 8, 300.0, 900.0));
    for (unit, brigade) in units.iter_mut().zip([0, 1, 2, 0]) {
        unit.brigade = Some(brigade);
    }
    let average = Ability::Average;
    commanded(&units, Vec::new(), &[(average, 300.0, 250.0), (average, 700.0, 250.0), (Ability::Inept, 1100.0, 250.0)])
}

fn named(brigade: u16) -> Nomination {
    Nomination { brigade: CommandId(brigade), issuer: None, new: None, present: Vec::new() }
}

fn all_three() -> Order {
    Order::Nominate { brigades: vec![named(0), named(1), named(2)], stay_disordered: Vec::new() }
}

fn answers(battle: &Battle<Guns>) -> Vec<bool> {
    (0..4).map(|unit| battle.state().unit(UnitId(unit)).own.bound.responds).collect()
}

fn activate(field: Field, dice: &str, deal: Vec<Option<u8>>) -> Battle<Guns> {
    let mut script = Scripted::default();
    script.add(dice).unwrap();
    let agenda = vec![Phase::Activation(Activating::default())];
    let mut battle = Battle::begin(field.with_agenda(agenda, 2), Box::new(script), Keep::Everything);
    for order in [all_three(), Order::Allot { deal }] {
        let asked = battle.asked().unwrap().no;
        let verdict = battle.check(Side::A, &order);
        assert!(verdict.is_legal(), "{verdict:?}");
        let _ = battle.submit(Side::A, asked, order);
    }
    battle
}

/// V02 on the table; the unit out of the zone needs a 5, so that a 4 is not enough for it.
#[test]
fn dice_are_dealt_and_units_answer_for_themselves() {
    let battle = activate(division(), "3d6: 6 4 3", vec![Some(1), None, Some(0)]);
    assert_eq!(answers(&battle), [true, false, true, false]);
    let battle = activate(division(), "3d6: 6 4 3", vec![Some(0), Some(1), None]);
    assert_eq!(answers(&battle), [true, true, false, true]);
}

#[test]
fn a_usable_die_may_not_be_kept_back() {
    let field = division();
    let view = View::new(&field, Viewer::Side(Side::A));
    let brigades = [CommandId(0), CommandId(1), CommandId(2)];
    let check = |deal: Vec<Option<u8>>| check_allot(&view, &[6, 4, 3], &brigades, &Order::Allot { deal });
    assert!(!check(vec![Some(0), None, None]).is_legal());
    assert!(check(vec![Some(0), Some(1), None]).is_legal());
    assert!(check_allot(&view, &[6, 4, 3], &brigades, &Order::Pass).is_legal());
}

/// V19: with its brigadier down an average brigade needs a 5; who is out of his zone besides needs a 6.
#[test]
fn a_brigadier_down_costs_a_pip() {
    let field = division();
    assert_eq!(needed_face(&field, CommandId(0)), [(UnitId(0), Some(4)), (UnitId(3), Some(5))]);
    let down = GunsEvent::AtRisk { general: engine::CommanderId(0), disabled: Some(1) };
    let field = field.folded(&[Event::own(Clause::RiskRoll, down)]);
    assert_eq!(field.commander(engine::CommanderId(0)).own.health, Health::Disabled { bound: 1 });
    assert_eq!(needed_face(&field, CommandId(0)), [(UnitId(0), Some(5)), (UnitId(3), Some(6))]);
    assert!(!could_activate(&field, CommandId(0), 4) && could_activate(&field, CommandId(0), 5));
    assert_eq!(brigade_modifiers(&field, CommandId(0)).whole(), -1);
}

#[test]
fn an_order_may_not_be_walked_away_from() {
    let objective = Matter::Point(Point::new(Length::mm(700.0), Length::mm(900.0)));
    let order = super::super::order::BrigadeOrder { posture: Posture::Advance, objective };
    let event = GunsEvent::Ordered { brigade: CommandId(1), order, issuer: None, cause: None };
    let field = division().folded(&[Event::own(Clause::OpeningOrders, event)]);
    let centre = field.unit(UnitId(1)).quad().centre;
    let north = Vec2 { x: 0.0, y: 100_000.0 };
    assert!(drift(&field, CommandId(1), &[(UnitId(1), centre + north)]).is_none());
    assert!(drift(&field, CommandId(1), &[(UnitId(1), centre - north)]).is_some());
    assert!(drift(&field, CommandId(1), &[]).is_none());
}

#[test]
fn new_orders_need_a_cause_in_zone_and_sight() {
    let field = division();
    let view = View::new(&field, Viewer::Side(Side::A));
    let objective = Matter::Point(Point::new(Length::mm(700.0), Length::mm(900.0)));
    let told = |posture: Posture, cause: Matter| {
        let order = super::super::order::BrigadeOrder { posture, objective };
        let new = Some(super::super::order::NewOrder { issuer: None, cause, order });
        let brigades = vec![Nomination { new, ..named(0) }];
        check_nominate(&view, Side::A, &Order::Nominate { brigades, stay_disordered: Vec::new() }).is_legal()
    };
    assert!(told(Posture::Attack, Matter::Unit(UnitId(0))));
    assert!(!told(Posture::Attack, Matter::Unit(UnitId(2))), "too far off");
    assert!(!told(Posture::Attack, objective), "a mere place prompts nothing");
    assert!(!told(Posture::Withdraw, Matter::Unit(UnitId(0))), "not without the option");
    assert!(!told(Posture::Hold, Matter::Unit(UnitId(0))), "who holds is not named");
    assert!(!told(Posture::Attack, Matter::Unit(UnitId(99))), "nobody at all");
}
