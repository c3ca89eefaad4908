//! A sentence for everything that happens.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::Days;
use crate::charts::{Band, TargetClass};
use crate::clause::Clause;
use crate::event::{Barrier, Cause, ChargeEnd, Crossing, DaysEvent as E, Doing, MeleeResult, Span, Test, TurnStep};
use crate::field::Field;
use crate::formation::{Formation, Shape};
use crate::settings::Weight;
use crate::telling::parse::stage::{field, general, unit};
use crate::unit::{Aspect, Charge, ChargeKind, ChargeStage, Crest, GunModel, Health, OrderState, Quality, Task, Work};
use engine::{BySide, CommandId, Deed, Event, FeatureId, Leaving, Side, StandSet, Telling};
use smallvec::smallvec;
use table::terrain::Edge;
use table::{Angle, Leg, Length, Point, Pose};

fn inch(n: i32) -> Length {
    Length::whole_inches(n)
}

fn spot() -> Point {
    Point::new(inch(10), inch(12))
}

fn check(text: &str) {
    let starts = text.starts_with(|letter: char| letter.is_uppercase() || letter.is_ascii_digit());
    assert!(starts && text.ends_with(['.', '!', '?']), "{text}");
    assert!(text.len() > 6 && !text.contains("unseen unit") && !text.contains("  "), "{text}");
    assert!(!text.contains('{') && !text.contains('_'), "{text}");
}

fn charge(field: &Field, counter: bool, kind: ChargeKind, aspect: Aspect) -> Box<Charge> {
    Box::new(Charge {
        at: unit(field, "ligne2"),
        kind,
        counter,
        stage: ChargeStage::Begun,
        from: Pose { at: spot(), facing: Angle::NORTH },
        aspect,
        apart: inch(8),
        way: inch(8),
        gone: inch(3),
        left: inch(4),
        caught: counter,
    })
}

fn course(field: &Field) -> Vec<E> {
    let (first, guns, party) = (unit(field, "first"), unit(field, "krupps"), unit(field, "pioneers"));
    let (general, brigade, place) = (general(field, "kirchbach"), CommandId(0), FeatureId(0));
    let mut all: Vec<E> = TurnStep::ALL.iter().map(|step| E::Step { step: *step }).collect();
    all.extend(Doing::ALL.iter().map(|doing| E::Did { unit: first, doing: *doing }));
    all.extend(Quality::ALL.iter().map(|quality| E::Quality { general, quality: *quality, successor: false }));
    all.extend(Weight::ALL.iter().map(|weight| E::WoodIs { feature: place, weight: *weight }));
    let tasks = [
        Task::Demolish { bridge: place },
        Task::Clear { obstacle: place, at: spot() },
        Task::Bridge { water: place, at: spot(), to: spot(), hands: vec![] },
        Task::Barricade,
    ];
    for task in tasks {
        all.extend(
            [1, 2].map(|phases| E::Works { unit: party, work: Some(Box::new(Work { task: task.clone(), phases })) }),
        );
        all.push(E::WorkDone { unit: party, task });
    }
    let healths = [
        Health::Fit,
        Health::Wounded { until: 4, step: 2, since: 2 },
        Health::Killed { since: 2 },
        Health::Captured { since: 2 },
    ];
    all.extend(healths.map(|health| E::Health { general, health }));
    for on in [true, false] {
        all.extend([
            E::AtRisk { general, hit: on },
            E::Unhorsed { general, unhorsed: on },
            E::Attached { general, unit: on.then_some(first) },
            E::PartyAttached { party, unit: on.then_some(first) },
            E::StaffRouts { general, routing: on },
            E::FordSought { river: place, at: spot(), found: on },
            E::BridgeMined { bridge: place, fell: on },
            E::Mounted { unit: unit(field, "hussars"), mounted: on },
            E::Relieved { unit: first, by: on.then_some(guns) },
            E::AtCrest { unit: first, crest: on.then_some(Crest::Behind) },
            E::AtCrest { unit: first, crest: Some(if on { Crest::Over } else { Crest::Behind }) },
            E::Scouted { points: BySide([3, 7]), outdone: on.then_some(Side::A) },
            E::Waits { unit: first, at: on.then_some((Edge::North, spot())) },
            E::Counted { lost: BySide([41, 60]), winner: on.then_some(Side::B) },
        ]);
    }
    let crossing = Crossing {
        seen_by: first,
        unit: unit(field, "ligne2"),
        at: inch(9),
        class: TargetClass::Dense,
        turn: 2,
        by: engine::StandSet::first(4),
    };
    let barrier = Barrier { from: spot(), to: spot(), weight: Weight::Light, wooden: true };
    all.extend([
        E::Initiative { side: Side::A },
        E::InitiativeTied,
        E::Quality { general, quality: Quality::Inept, successor: true },
        E::Wind { to: Angle::EAST },
        E::Seated { south: Side::B },
        E::Burnt { unit: first },
        E::Mustered { unit: first, points: 36, start: 12, class: 2, crew: 0, horses: 0 },
        E::Mustered { unit: guns, points: 100, start: 2, class: 3, crew: 8, horses: 4 },
        E::Engaged { general, points: 50 },
        E::Bought { side: Side::A, earthworks: inch(5), pontoons: inch(1), points: 30 },
        E::Bought { side: Side::A, earthworks: inch(0), pontoons: inch(0), points: 0 },
        E::DeploysFirst { side: Side::B },
        E::KeptOff { brigade },
        E::Announced { brigade, edge: Edge::West, at: spot() },
        E::ArrivedWhole { brigade },
        E::GeneralMoved { general },
        E::TriedToRally { general },
        E::Ablaze { feature: place, since: 2 },
        E::NoFire { feature: place },
        E::Works { unit: party, work: None },
        E::GapCleared { obstacle: place, at: spot() },
        E::Raised { barrier },
        E::Breached { barrier: 0, at: spot() },
        E::SpanMined { span: 0, fell: true },
        E::SpanMined { span: 0, fell: false },
        E::SpanLaid { span: Span { water: place, from: spot(), to: spot(), mined: false }, party, left: inch(2) },
        E::HoldersLost { unit: first },
        E::Crossed { crossing },
        E::CrossingsGone { seen_by: first },
        E::Cleared,
    ]);
    all
}

fn blows(field: &Field) -> Vec<E> {
    let (first, guns, foe) = (unit(field, "first"), unit(field, "krupps"), unit(field, "ligne2"));
    let party = unit(field, "pioneers");
    let mut all = Vec::new();
    for kind in ChargeKind::ALL {
        for aspect in Aspect::ALL {
            all.extend(
                [true, false]
                    .map(|counter| E::ChargeBegins { unit: first, charge: charge(field, counter, *kind, *aspect) }),
            );
        }
    }
    for stage in ChargeStage::ALL {
        all.push(E::ChargeGoes { unit: first, stage: *stage, gone: inch(3), left: inch(2) });
    }
    all.extend(ChargeEnd::ALL.iter().map(|why| E::ChargeEnds { unit: first, why: *why }));
    for test in Test::ALL {
        for (passed, margin) in [(true, -2), (false, 0), (false, 3)] {
            for against in [None, Some(foe)] {
                all.push(E::Tested { unit: first, test: *test, against, score: 4, passed, margin });
            }
        }
    }
    all.extend(OrderState::ALL.iter().map(|order| E::OrderIs { unit: first, order: *order }));
    for cause in Cause::ALL {
        all.push(E::ShotDown { unit: first, stands: 2, by: Some(foe), cause: *cause });
        all.push(E::ShotDown { unit: guns, stands: 1, by: None, cause: *cause });
    }
    for (result, winner) in MeleeResult::ALL.iter().zip([None, Some(Side::A), Some(Side::B), Some(Side::A)]) {
        let (a, b) = (smallvec![first, guns], smallvec![foe]);
        all.push(E::Melee { a, b, scores: BySide([5, 3]), winner, result: *result });
    }
    for on in [true, false] {
        for band in [Band::Close, Band::Effective, Band::Long] {
            let (by, class, grade, stands, hits) = (first, TargetClass::Heavy, 3, 8, 2);
            all.extend([true, false].map(|passing| E::Volley {
                by,
                at: Some(foe),
                general: None,
                band,
                class,
                grade,
                stands,
                hits,
                defensive: on,
                passing,
            }));
        }
        all.extend([
            E::Swamped { unit: first, swamped: on },
            E::ToGround { unit: first, down: on },
            E::Pursues { unit: first, after: on.then_some(foe) },
            E::Reserved { unit: first, stands: u8::from(on) * 3 },
            E::CrewAway { battery: guns, away: on },
            E::Routs { unit: first, from: on.then_some(foe) },
            E::EvadedOff { unit: first, off: on.then_some((2, Edge::South)) },
            E::BreaksInto { unit: first, into: on.then_some((foe, inch(2))) },
            E::Parted { unit: first, from: on.then_some(foe) },
            E::WonLast { unit: first, won: on },
            E::Captured { unit: first, by: on.then_some(foe) },
            E::Stays { unit: first, beaten: on },
            E::Fired { unit: first, stands: 1 + u8::from(on), by: engine::StandSet::first(1), at: None },
            E::BatteryHit { battery: guns, gun: 0, crew: u8::from(on), horses: 0, damaged: on, destroyed: false },
        ]);
        for (killed, pioneers) in [(true, 0), (true, 2), (false, 0), (false, 1)] {
            all.push(E::PartyHit { party, hit: on, killed, pioneers });
        }
    }
    all.extend([
        E::Declared { unit: first, at: foe },
        E::ChargeTurns { unit: first, at: foe },
        E::Bounces { by: guns, at: foe, hits: 1 },
        E::FirstFireSpent { unit: first },
        E::Guns { battery: guns, guns: smallvec![GunModel { crew: 3, damaged: 1 }], horses: 4 },
        E::Guns { battery: guns, guns: smallvec![], horses: 0 },
        E::BatteryHit { battery: guns, gun: 1, crew: 2, horses: 1, damaged: true, destroyed: true },
        E::Ran { unit: first, so_far: inch(6) },
        E::BurstThrough { unit: first, by: guns },
        E::PushedBack { unit: first, turn: 2 },
        E::Advances { unit: first, by: inch(2) },
        E::MustAdvance { unit: first, by: inch(4), towards: table::Angle::NORTH },
        E::Score { side: Side::A, units: smallvec![first], total: 5 },
        E::LossesShared { side: Side::A, shares: vec![(first, 1), (guns, 0)] },
        E::Contact { unit: first, with: foe },
        E::FoughtBefore { unit: first },
    ]);
    all
}

#[test]
fn every_event_is_told_in_a_sentence() {
    let field = field();
    let mut told = Vec::new();
    for event in course(&field).into_iter().chain(blows(&field)) {
        let text = Days::tell(&field, &Event::own(Clause::FivePhasesToATurn, event));
        check(&text);
        told.push(text);
    }
    for expected in [
        "I/7th fails to charge home on Line infantry battalion: more than 4 needed, three too few.",
        "I/7th is halted by the fire.",
        "I/7th stops short and moves no more this turn.",
        "Von Kirchbach is wounded and away until turn 4.",
        "The Prussians have lost 20.5, the French have lost 30 points: the French have won.",
    ] {
        assert!(told.iter().any(|text| text == expected), "{expected} among {told:#?}");
    }
}

#[test]
fn every_deed_is_told_in_a_sentence() {
    let field = field();
    let (first, to) = (unit(&field, "first"), Pose { at: spot(), facing: Angle::EAST });
    let commander = general(&field, "kirchbach");
    let whys = [
        Leaving::Destroyed,
        Leaving::Caught,
        Leaving::LeftTable,
        Leaving::Abandoned,
        Leaving::Withdrawn,
        Leaving::Spent,
    ];
    let formation = Formation::usual(Shape::Line);
    let mut deeds: Vec<Deed<Days>> = whys.map(|why| Deed::Removed { unit: first, why }).into();
    deeds.extend([true, false].map(|hidden| Deed::Placed { unit: first, pose: to, formation, hidden }));
    deeds.push(Deed::Moved { unit: first, to, path: vec![Leg::Ahead(inch(3))] });
    deeds.push(Deed::Moved { unit: first, to, path: Vec::new() });
    deeds.extend(Shape::ALL.iter().map(|shape| Deed::Reformed {
        unit: first,
        formation: Formation::usual(*shape),
        to,
    }));
    deeds.extend([0, 1, 7].map(|left| Deed::StandsLost { unit: first, left: StandSet::first(left) }));
    deeds.extend([
        Deed::Withdrawn { unit: first },
        Deed::Revealed { unit: first },
        Deed::CommanderMoved { commander, to },
        Deed::CommanderConcealed { commander, to },
        Deed::CommanderLost { commander },
        Deed::TurnBegan { turn: 2 },
        Deed::Committed { side: Side::A },
        Deed::DisputeDie { side: Side::B },
        Deed::Noted,
    ]);
    for clause in Clause::ALL {
        for deed in &deeds {
            check(&Days::tell(&field, &Event::new(*clause, deed.clone())));
        }
    }
}

/// A piece the viewer knows nothing about stays without a name.
#[test]
fn what_is_hidden_is_not_named() {
    let field = field();
    let hidden = unit(&field, "ligne1");
    let pose = Pose { at: spot(), facing: Angle::SOUTH };
    let placed = Deed::Placed { unit: hidden, pose, formation: Formation::usual(Shape::Line), hidden: true };
    let field = field.folded(&[Event::new(Clause::SetUpAndBegin, placed)]);
    let battle = engine::Battle::seeded(field, engine::Seed::from_number(3), engine::battle::Keep::Events);
    let view = battle.view(engine::Viewer::Side(Side::A));
    let text = Days::tell(&view, &Event::own(Clause::FivePhasesToATurn, E::Routs { unit: hidden, from: None }));
    assert_eq!(text, "An unseen unit breaks in panic.");
    assert_eq!(Days::card(&view, hidden), ["Nothing is known of it."]);
    assert!(Days::badges(&view, hidden).is_empty() && Days::looks(&view, hidden).is_empty());
}

/// Whole battles, with every card and sentence looked at and every order typed again on the way.
#[test]
fn battles_are_told_from_beginning_to_end() {
    use engine::{Ruleset, Viewer};
    let texts = [include_str!("../../../muster/tests/iron.toml"), include_str!("../../../muster/tests/empire.toml")];
    for text in texts {
        let state = engine::setup::muster::<Days>(text, None, engine::setup::Mode::Battle).expect("a set-up").state;
        let mut battle = engine::Battle::seeded(state, engine::Seed::from_number(5), engine::battle::Keep::Events);
        let (mut lots, mut told) = (engine::Lots::new(9), 0);
        for _ in 0..120 {
            let Some(side) = battle.awaited() else { break };
            let view = battle.view(Viewer::Side(side));
            let asked = view.asked().expect("a question").clone();
            for (unit, _) in view.units() {
                assert!(!Days::card(&view, unit).is_empty());
                let _ = (Days::badges(&view, unit), Days::looks(&view, unit));
            }
            for (general, _) in view.commanders() {
                assert!(Days::officer_card(&view, general).len() > 3);
            }
            let orders = Days::candidates(&view, &asked, side, &mut lots, 6);
            let order = lots.pick(&orders).cloned().unwrap_or(crate::order::Order::Pass);
            let phrase = Days::phrase(&view, &order);
            assert_eq!(Days::parse(&view, &asked, side, &phrase), Ok(order.clone()), "{phrase}");
            battle.submit(side, asked.no, order).expect("a candidate is legal");
            for event in &battle.events()[told..] {
                check(&Days::tell(battle.state(), event));
            }
            told = battle.events().len();
        }
        assert!(told > 40, "only {told} events");
    }
}
