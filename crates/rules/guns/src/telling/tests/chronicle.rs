//! A sentence for everything that happens.

use super::*;
use crate::deployment::rollcall::RollCall;
use crate::event::{Cause, DisorderKind, FireKind, GunsEvent as E, Halt, Manner, MeleeResult, Retreat as R};
use crate::unit::{Ability, Charge, Registration};
use engine::{Deed, Leaving};
use smallvec::smallvec;

fn charge(led: bool) -> Box<Charge> {
    let led_by = led.then_some(BRIGADIER);
    Box::new(Charge { at: ENEMY, stage: ChargeStage::Moving, left: cm(10), led_by, counter: false, from: None })
}

fn registration(ranged: bool, marked: bool) -> Option<Box<Registration>> {
    Some(Box::new(Registration { at: ENEMY, point: at(50, 70), ranged, marked, blocks: vec![(0, 0)] }))
}

/// Events of orders and movement, every way they can go.
fn first_half() -> Vec<E> {
    let (unit, battery, general, brigade, left) = (BATTALION, BATTERY, BRIGADIER, BRIGADE, cm(8));
    let order = BrigadeOrder { posture: Posture::Withdraw, objective: Matter::Point(at(1, 2)) };
    let mut events: Vec<E> = BoundStep::ALL.iter().map(|step| E::Step { step: *step }).collect();
    events.extend(Ability::ALL.iter().map(|ability| E::Ability { general, ability: *ability }));
    events.extend([(None, None), (Some(CHIEF), Some(Matter::Unit(ENEMY)))].map(|(issuer, cause)| E::Ordered {
        brigade,
        order,
        issuer,
        cause,
    }));
    events.push(E::Nominated { brigade, issuer: None, present: smallvec![] });
    events.push(E::Nominated { brigade, issuer: Some(CHIEF), present: smallvec![CHIEF] });
    events.push(E::Mustered(Box::new(RollCall {
        unit,
        status: 8,
        charge: 5,
        advance: 2,
        front: left,
        depth: left,
        frontage: left,
        short: left,
        extreme: left,
        orders: smallvec![],
        strength: 800,
        points: 35,
    })));
    events.push(E::ActivationDice { side: Side::A, dice: vec![6, 4, 3] });
    events.push(E::Discarded { side: Side::A, die: 2 });
    for (die, activated) in [(Some(5), true), (Some(2), false), (None, false), (None, true)] {
        events.push(E::Allotted { brigade, die, activated });
    }
    for on in [true, false] {
        events.push(E::Reforming { unit, reforming: on });
        events.push(E::Responds { unit, total: 4, responds: on });
        events.push(E::MayFire { battery, fires: on });
        events.push(E::GunsTouched { battery, since: on.then_some(2) });
        events.push(E::Mounted { unit: SQUADRON, mounted: on });
        events.push(E::Prone { unit, prone: on });
        events.push(E::Attached { general, unit: on.then_some(unit) });
        events.push(E::Defends { unit, feature: on.then_some(FeatureId(0)) });
        events.push(E::ScreenIn { screen: SCREEN, lost: on });
        events.push(E::AtRisk { general, disabled: on.then_some(3) });
        events.push(E::Successor { general, ability: on.then_some(Ability::Able) });
        events.push(E::ChargeDeclared { unit, charge: charge(on) });
        events.push(E::CounterCharges { unit: SQUADRON, charge: charge(on) });
        for marked in [true, false] {
            events.push(E::Registered { battery, registration: registration(on, marked) });
        }
        events.extend(DisorderKind::ALL.iter().map(|kind| E::Disorder { unit, kind: *kind, on }));
        for why in Halt::ALL {
            events.push(E::Halted { unit, why: *why, by: on.then_some(ENEMY) });
        }
    }
    events.push(E::Registered { battery, registration: None });
    events.push(E::Plotted { side: Side::A, moves: Vec::new(), groups: Vec::new() });
    events.push(E::Plotted { side: Side::A, moves: vec![Move::Recall { screen: SCREEN }], groups: Vec::new() });
    let stages = [
        ChargeStage::Moving,
        ChargeStage::Tested,
        ChargeStage::Passed,
        ChargeStage::Failed,
        ChargeStage::Short,
        ChargeStage::Home,
    ];
    events.extend(stages.map(|stage| E::ChargeStage { unit, stage, left }));
    events.push(E::ChargeTurns { unit, at: ENEMY });
    let goal = |contact| Some(crate::unit::Goal { by: left, contact });
    events.extend([None, goal(true), goal(false)].map(|goal| E::ChargeGoal { unit, goal }));
    events.extend([0, 3].map(|quarter| E::Quarter { quarter }));
    events.push(E::Spent { unit, used: left, full: cm(20) });
    events.extend([0, 1].map(|quarters| E::Wet { unit, quarters }));
    events.push(E::ScreenOut { screen: SCREEN, parents: smallvec![BATTALION, SECOND] });
    for observer in [None, Some(Observer::At(at(3, 4))), Some(Observer::Lost { until: 4 })] {
        events.push(E::ObserverMoved { battery, observer });
    }
    events.extend(Cycle::ALL.iter().map(|cycle| E::Cycled { battery, cycle: *cycle }));
    events.push(E::Lost { side: Side::B });
    events.push(E::Cleared);
    events
}

/// Events of fire, nerve and close combat, every way they can go.
fn second_half() -> Vec<E> {
    let (unit, battery, by, at) = (BATTALION, BATTERY, BATTALION, ENEMY);
    let mut events = vec![
        E::Fired { unit },
        E::Ambush { unit, at },
        E::ChargeTurns { unit, at },
        E::Evades { unit, charger: ENEMY, distance: cm(6) },
        E::Blow { by, at, counted: 4, tenths: -3, damage: 0 },
        E::Fought { unit },
        E::Locked { unit, with: ENEMY },
        E::Unlocked { unit },
        E::Abandoned { battery },
        E::Reformed { unit },
    ];
    events.extend(FireKind::ALL.iter().map(|kind| E::UnderFire { unit, kind: *kind }));
    for manner in Manner::ALL {
        for damage in 0..3 {
            events.push(E::Shot { by, at, manner: *manner, counted: 6, tenths: 15, damage });
        }
    }
    events.extend(Cause::ALL.iter().map(|cause| E::Damage { unit, points: 2, cause: *cause }));
    events.extend(MeleeResult::ALL.iter().map(|result| E::Melee {
        attackers: smallvec![BATTALION, SECOND],
        defenders: smallvec![ENEMY],
        inflicted: 2,
        suffered: 1,
        result: *result,
    }));
    for on in [true, false] {
        events.push(E::Blast { battery, point: stage::at(5, 6), blocks: vec![(0, 0), (1, 0)], ranging: on });
        events.push(E::BuildingHit { feature: FeatureId(0), points: 2, ablaze: on });
        events.push(E::Flinch { unit, at: on.then_some(ENEMY), total: 8, passed: on, second: !on });
        events.push(E::Pinned { unit, pinned: on });
        events.push(E::Broken { unit, broken: on });
        events.push(E::FallsBack { unit, again: on });
        events.push(E::Beaten { unit, beaten: on });
        events.push(E::Supports { unit, by: SECOND, retires: on });
        events.push(E::BrokeIn { unit, inside: on });
        events.push(E::RodeThrough { unit: SQUADRON, rode: on });
        events.push(E::Rally { unit, passed: on });
        for why in R::ALL {
            events.push(E::Retires { unit, before: on.then_some(ENEMY), distance: cm(17), why: *why });
        }
    }
    events
}

pub fn check_sentence(text: &str) {
    let starts = text.starts_with(|letter: char| letter.is_uppercase() || letter.is_ascii_digit());
    assert!(starts && text.ends_with(['.', '!']), "{text}");
    assert!(text.len() > 6 && !text.contains("unseen unit") && !text.contains("  "), "{text}");
    assert!(!text.contains('{') && !text.contains('_') && !text.contains('″'), "{text}");
}

#[test]
fn every_event_is_told_in_a_sentence() {
    let field = field();
    let mut told: Vec<String> = Vec::new();
    for event in first_half().into_iter().chain(second_half()) {
        let text = Guns::tell(&field, &Event::own(Clause::BothSidesEachStep, event));
        check_sentence(&text);
        told.push(text);
    }
    for expected in [
        "Line Brigade gets the 5 and is activated.",
        "1st Battalion uses 8 cm of 20 cm.",
        "1st Battalion fires on Grenadiers with six elements: 1.5, one point of damage.",
        "1st Battalion retires before Grenadiers: 17 cm.",
        "1st Battalion must fall back once more in the next bound.",
        "Red Hussars ride right through the enemy.",
    ] {
        assert!(told.iter().any(|text| text == expected), "{expected} among {told:#?}");
    }
}

#[test]
fn every_deed_is_told_in_a_sentence() {
    let field = field();
    let (unit, to) = (BATTALION, Pose { at: at(10, 10), facing: Angle::EAST });
    let whys = [
        Leaving::Destroyed,
        Leaving::Caught,
        Leaving::LeftTable,
        Leaving::Abandoned,
        Leaving::Withdrawn,
        Leaving::Spent,
    ];
    let formation = Formation::usual(Shape::Line);
    let mut deeds: Vec<Deed<Guns>> = whys.map(|why| Deed::Removed { unit, why }).into();
    deeds.extend([true, false].map(|hidden| Deed::Placed { unit, pose: to, formation, hidden }));
    deeds.push(Deed::Moved { unit, to, path: vec![Leg::Ahead(cm(3))] });
    deeds.push(Deed::Moved { unit, to, path: Vec::new() });
    deeds.extend(Shape::ALL.iter().map(|shape| Deed::Reformed { unit, formation: Formation::usual(*shape), to }));
    deeds.push(Deed::Revealed { unit });
    deeds.push(Deed::CommanderMoved { commander: BRIGADIER, to });
    deeds.push(Deed::CommanderLost { commander: BRIGADIER });
    deeds.push(Deed::TurnBegan { turn: 2 });
    deeds.push(Deed::Committed { side: Side::A });
    deeds.push(Deed::Noted);
    for clause in Clause::ALL {
        for deed in deeds.iter().filter(|deed| matches!(deed, Deed::Moved { .. } | Deed::Removed { .. })) {
            check_sentence(&Guns::tell(&field, &Event::new(*clause, deed.clone())));
        }
    }
    for deed in deeds {
        check_sentence(&Guns::tell(&field, &Event::new(Clause::MovementFifth, deed)));
    }
}
