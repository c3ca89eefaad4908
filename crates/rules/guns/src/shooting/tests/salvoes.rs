//! Whole steps of fire on the drill ground, dice and all: declared together, damage taken together (R15).

use super::drill::{FIRST, SECOND, THIRD, after, at, battery, field, recruit, unit};
use crate::Guns;
use crate::event::{Cause, FireKind, GunsEvent as E, Manner};
use crate::field::{Field, troops};
use crate::order::{Order, Shot};
use crate::sequence::Phase;
use crate::unit::{Arm, Cycle, Observer, Registration};
use engine::battle::{Battle, Keep, SubmitError};
use engine::dice::Scripted;
use engine::{Deed, Side};
use table::Angle;

const A: Side = Side::A;
const B: Side = Side::B;

fn fire(shots: &[(engine::UnitId, engine::UnitId)]) -> Order {
    let shots = shots.iter().map(|(unit, at)| Shot { unit: *unit, at: *at }).collect();
    Order::Fire { shots, hold: Vec::new() }
}

/// One step of a bound: both sides asked together, or whoever is asked alone. The battle has no further page, so it ends
/// there.
fn play(field: &Field, step: Phase, orders: &[(Side, Order)], dice: &[&str]) -> (Battle<Guns>, Vec<E>) {
    let mut script = Scripted::default();
    dice.iter().for_each(|throw| script.add(throw).unwrap());
    let state = field.clone().with_agenda(vec![step], 1);
    let mut battle = Battle::begin(state, Box::new(script), Keep::Everything);
    for (side, order) in orders {
        let no = battle.asked().unwrap().no;
        if let Err(SubmitError::Refused(verdict)) = battle.submit(*side, no, order.clone()) {
            panic!("{:?}", verdict.refusals);
        }
    }
    assert_eq!(battle.fault().unwrap().what, "the agenda ran out before the battle ended");
    let own = battle.events().iter().filter_map(|event| match &event.deed {
        Deed::Own(own) => Some(own.clone()),
        _ => None,
    });
    let own = own.collect();
    (battle, own)
}

#[test]
fn both_sides_fire_before_anybody_falls() {
    let foot = |elements: u8| unit(Arm::Infantry, elements, "minie");
    let field = field(
        Vec::new(),
        vec![
            recruit(A, foot(8), "line", 900.0, 500.0, Angle::NORTH),
            recruit(B, foot(8), "line", 900.0, 580.0, Angle::SOUTH),
            recruit(B, foot(4), "extended", 1060.0, 590.0, Angle::SOUTH),
        ],
    );
    let asked = Phase::Musketry { asked: false };
    let orders = [(A, fire(&[(FIRST, SECOND)])), (B, fire(&[(SECOND, FIRST), (THIRD, FIRST)]))];
    let (battle, events) = play(&field, asked, &orders, &["1d10: 9", "1d10: 10", "1d10: 5"]);
    let skirmished = |event: &E| matches!(event, E::UnderFire { unit: FIRST, kind: FireKind::Skirmished });
    let shots: Vec<(u8, i16, u8)> = events
        .iter()
        .filter_map(|event| match event {
            E::Shot { counted, tenths, damage, manner: Manner::Musketry, .. } => Some((*counted, *tenths, *damage)),
            _ => None,
        })
        .collect();
    // The first fires under skirmish fire: 1.9 - 0.5 + 0.8. The second has 1.9 + 1.0 against it although it has lost two.
    assert_eq!(shots[..2], [(8, 22, 2), (8, 29, 2)]);
    assert_eq!(shots.len(), 3);
    let declared = events.iter().position(skirmished).unwrap();
    let first_shot = events.iter().position(|event| matches!(event, E::Shot { .. })).unwrap();
    let last_shot = events.iter().rposition(|event| matches!(event, E::Shot { .. })).unwrap();
    let first_loss = events.iter().position(|event| matches!(event, E::Damage { .. })).unwrap();
    assert!(declared < first_shot && last_shot < first_loss);
    assert_eq!(troops(battle.state(), SECOND).status, 6);
    assert!(troops(battle.state(), FIRST).bound.volleyed && troops(battle.state(), FIRST).bound.fired);
    let carried = battle.events().iter().filter(|event| !event.rolls.is_empty());
    assert!(carried.clone().all(|event| event.reckoning.is_some()));
    assert_eq!(carried.count(), 3);
}

#[test]
fn nobody_is_asked_who_has_nobody_before_him() {
    let foot = || unit(Arm::Infantry, 8, "smoothbore");
    let apart = field(
        Vec::new(),
        vec![
            recruit(A, foot(), "line", 900.0, 500.0, Angle::NORTH),
            recruit(B, foot(), "line", 900.0, 900.0, Angle::SOUTH),
        ],
    );
    for step in [Phase::Musketry { asked: false }, Phase::Guns { asked: false }, Phase::Ranging { asked: false }] {
        assert_eq!(play(&apart, step, &[], &[]).1, []);
    }
    // Only the side that can fire is asked: the enemy shows his back.
    let behind = field(
        Vec::new(),
        vec![
            recruit(A, foot(), "line", 900.0, 500.0, Angle::NORTH),
            recruit(B, foot(), "line", 900.0, 600.0, Angle::NORTH),
        ],
    );
    let (battle, _) = play(&behind, Phase::Musketry { asked: false }, &[(A, Order::Pass)], &[]);
    assert_eq!(battle.decisions(), 1);
}

#[test]
fn marked_guns_fire_unless_told_otherwise_and_are_ranged_afterwards() {
    let field = field(
        Vec::new(),
        vec![
            recruit(A, battery(6, "field14"), "deployed", 900.0, 100.0, Angle::NORTH),
            recruit(B, unit(Arm::Infantry, 6, "minie"), "loose*2", 900.0, 1600.0, Angle::SOUTH),
        ],
    );
    let blocks = vec![(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (0, 2)];
    let registration = Registration { at: SECOND, point: at(900.0, 1640.0), ranged: false, marked: true, blocks };
    let ready = after(
        &field,
        &[
            E::Cycled { battery: FIRST, cycle: Cycle::Deployed },
            E::MayFire { battery: FIRST, fires: true },
            E::ObserverMoved { battery: FIRST, observer: Some(Observer::At(at(900.0, 1200.0))) },
            E::Registered { battery: FIRST, registration: Some(Box::new(registration)) },
        ],
    );
    let asked = Phase::Guns { asked: false };
    let (battle, events) = play(&ready, asked.clone(), &[(A, Order::Pass)], &["1d10: 10"]);
    assert!(events.iter().any(|event| matches!(event, E::Blast { ranging: true, .. })));
    let hit = events.iter().find_map(|event| match event {
        E::Shot { at: SECOND, manner: Manner::Ranging, tenths, damage, .. } => Some((*tenths, *damage)),
        _ => None,
    });
    // Whatever the number of blocks, half of it less a half stays below the die's whole point and a little.
    assert!(hit.is_some_and(|(tenths, damage)| (10..20).contains(&tenths) && damage == 1));
    assert!(events.contains(&E::Damage { unit: SECOND, points: 1, cause: Cause::Shells }));
    assert!(troops(battle.state(), SECOND).bound.shelled);
    assert!(troops(battle.state(), FIRST).registration.as_ref().is_some_and(|registration| registration.ranged));
    let hold = Order::Fire { shots: Vec::new(), hold: vec![FIRST] };
    let (battle, events) = play(&ready, asked, &[(A, hold)], &[]);
    assert_eq!(events, []);
    assert!(!troops(battle.state(), FIRST).bound.fired);
}
