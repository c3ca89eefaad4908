//! Setting up, ambushes, brigadiers diced for, the end of a battle.

use super::super::super::Guns;
use super::super::super::deployment::as_drawn_up;
use super::super::super::event::{GunsEvent, Ledger};
use super::super::super::field::Field;
use super::super::super::hidden;
use super::super::super::order::{BrigadeOrder, Decision, Matter, Move, OpeningOrder, Order, Placement, Posture};
use super::super::super::unit::Ability;
use super::super::super::victory;
use super::{BATTLE, field, general, unit};
use engine::battle::Keep;
use engine::event::Audience;
use engine::setup::Mode;
use engine::{Battle, Deed, Event, Seed, Side, View, Viewer, Whereabouts};
use table::Pose;

fn battle(text: &str) -> Battle<Guns> {
    Battle::seeded(field(text, Mode::Battle), Seed::from_number(7), Keep::Events)
}

fn answer(battle: &mut Battle<Guns>, side: Side, order: Order) {
    let no = battle.asked().expect("a question").no;
    battle.submit(side, no, order).expect("a legal order");
}

fn why_not(battle: &Battle<Guns>, side: Side, order: &Order) -> String {
    let verdict = battle.check(side, order);
    verdict.refusals.iter().map(|note| note.text.to_string()).collect::<Vec<_>>().join("; ")
}

fn pose(x: f64, y: f64, facing: i32) -> Pose {
    serde_json::from_value(serde_json::json!([format!("{x}cm"), format!("{y}cm"), facing])).expect("a pose")
}

#[test]
fn both_sides_set_up_at_once_and_nobody_sees_the_other() {
    let mut battle = battle(BATTLE);
    assert_eq!(battle.asked().map(|asked| &asked.decision), Some(&Decision::Deploy));
    let seen = battle.view(Viewer::Side(Side::B));
    assert!(seen.muster().scenario.units_at[unit(battle.state(), "ligne").index()].is_none());
    assert!(seen.muster().scenario.commanders_at[general(battle.state(), "pajol").index()].is_none());
    assert!(seen.muster().scenario.orders[1].is_none(), "nor what the other side is told to do");
    drop(seen);
    let drawn_up = as_drawn_up(battle.state(), Side::B);
    answer(&mut battle, Side::B, drawn_up);
    assert_eq!(battle.state().present(Side::B).count(), 0, "sealed until both are in");
    answer(&mut battle, Side::A, Order::Pass);
    let state = battle.state();
    assert_eq!((state.present(Side::A).count(), state.present(Side::B).count()), (5, 3));
    assert_eq!(state.unit(unit(state, "chasseurs")).whereabouts, Whereabouts::Hidden);
    assert!(state.unit(unit(state, "ir85")).own.defending.is_some());
    assert!(battle.fault().is_none(), "{:?}", battle.fault());
    // The brigadier nobody rated is diced for, once.
    let rated = battle.events().iter().filter(|event| matches!(event.deed, Deed::Own(GunsEvent::Ability { .. })));
    let rated: Vec<_> = rated.collect();
    assert_eq!(rated.len(), 1);
    assert_eq!(rated[0].rolls.len(), 1);
    let face = rated[0].rolls[0].total() as u8;
    let worth = state.charts().command.ability(face);
    assert_eq!(state.commander(general(state, "reserve")).own.ability, Some(worth));
    assert_eq!(
        [10, 9, 4, 2, 1].map(|face| state.charts().command.ability(face)),
        [Ability::Inspired, Ability::Able, Ability::Average, Ability::Inept, Ability::Incompetent]
    );
}

#[test]
fn a_bad_place_is_refused_with_its_reason() {
    let battle = battle(BATTLE);
    let state = battle.state();
    let standing = state.unit(unit(state, "ligne")).body.formation;
    let place = |key: &str, pose: Pose, hidden: bool| {
        let unit = unit(state, key);
        let units = vec![Placement { unit, pose, formation: standing, hidden, defend: None }];
        Order::Deploy { units, commanders: vec![], observers: vec![], orders: vec![] }
    };
    let no = |order: &Order| why_not(&battle, Side::A, order);
    assert_eq!(no(&place("ligne", pose(70.0, 28.0, 0), false)), "");
    assert!(no(&place("ligne", pose(70.0, 31.0, 0), false)).contains("outside its zone"));
    assert!(no(&place("ligne", pose(101.0, 25.0, 0), false)).contains("on the same ground"));
    assert!(no(&place("hussars", pose(20.0, 10.0, 0), false)).contains("in a wood off the road"));
    assert!(no(&place("ligne", pose(70.0, 25.0, 0), true)).contains("nothing to hide in"));
    assert_eq!(no(&place("ligne", pose(30.0, 10.0, 0), true)), "");
    assert!(no(&place("ir11", pose(70.0, 25.0, 0), false)).contains("not a unit of yours"));
    assert!(no(&place("pajol-skirmishers", pose(70.0, 25.0, 0), false)).contains("thrown out"));
    let told = |posture, objective| {
        let brigade = state.muster().commander(general(state, "pajol")).commands;
        let orders = vec![OpeningOrder { brigade, order: BrigadeOrder { posture, objective } }];
        Order::Deploy { units: vec![], commanders: vec![], observers: vec![], orders }
    };
    assert_eq!(no(&told(Posture::Hold, Matter::Point(pose(50.0, 50.0, 0).at))), "");
    assert!(no(&told(Posture::Hold, Matter::Point(pose(500.0, 50.0, 0).at))).contains("off the table"));
    assert!(no(&told(Posture::Attack, Matter::Unit(unit(state, "ir11")))).contains("nobody has seen"));
    assert!(no(&told(Posture::Withdraw, Matter::Point(pose(50.0, 50.0, 0).at))).contains("without orders to withdraw"));
    assert!(
        why_not(&battle, Side::B, &told(Posture::Hold, Matter::Point(pose(5.0, 5.0, 0).at)))
            .contains("no brigade of yours")
    );
}

/// The battle when both have set up, before anything else is asked.
fn set_up() -> Battle<Guns> {
    battle(&BATTLE.replacen("year = 1870", "year = 1870\ndeployed = true", 1))
}

#[test]
fn an_ambush_is_its_owners_secret() {
    let battle = set_up();
    let state = battle.state();
    let chasseurs = unit(state, "chasseurs");
    let placed =
        battle.events().iter().filter(|event| matches!(event.deed, Deed::Placed { unit, .. } if unit == chasseurs));
    assert!(placed.clone().count() == 1 && placed.clone().all(|event| event.audience == Audience::Only(Side::A)));
    let march = |unit| Move::March { unit, steps: vec![], defend: None };
    let plan = vec![march(chasseurs), march(unit(state, "ligne"))];
    let moved = GunsEvent::Plotted { side: Side::A, moves: plan, groups: vec![vec![chasseurs]] };
    let attached = GunsEvent::Attached { general: general(state, "pajol"), unit: Some(chasseurs) };
    let clause = super::super::super::clause::Clause::BothSidesEachStep;
    let state = state.folded(&[Event::own(clause, moved), Event::own(clause, attached)]);
    let seen = View::new(&state, Viewer::Side(Side::B));
    assert_eq!(seen.ledger().plots[Side::A], [march(unit(&state, "ligne"))]);
    assert!(seen.ledger().groups.is_empty());
    assert_eq!(seen.commander(general(&state, "pajol")).own.attached, None);
    assert!(
        seen.muster().scenario.units_at[chasseurs.index()].is_none()
            && !seen.muster().scenario.in_hiding[chasseurs.index()]
    );
    let own = View::new(&state, Viewer::Side(Side::A));
    assert_eq!((own.ledger().plots[Side::A].len(), own.ledger().groups.len()), (2, 1));
    assert_eq!(own.commander(general(&state, "pajol")).own.attached, Some(chasseurs));
    assert!(hidden::has_secrets(&state, Viewer::Side(Side::B)));
}

fn with_losses(field: &Field, a: u16, b: u16) -> Field {
    let clause = super::super::super::clause::Clause::BattleEnd;
    let lost = |side: Side, count: u16| (0..count).map(move |_| Event::<Guns>::own(clause, GunsEvent::Lost { side }));
    let events: Vec<_> = lost(Side::A, a).chain(lost(Side::B, b)).collect();
    let field = field.folded(&events);
    let Ledger { lost, .. } = field.ledger();
    assert_eq!((lost[Side::A], lost[Side::B]), (a, b));
    field
}

#[test]
fn losses_places_and_the_limit_decide() {
    let by_losses = BATTLE.replacen("[victory]", "[victory]\nkind = \"losses\"", 1);
    let losses = field(&by_losses.replacen("french = 40", "french = 60", 1), Mode::Battle);
    // Five French units against three Prussian ones; the French bear 60 per cent, the Prussians half.
    let winner = |a, b| victory::check(&with_losses(&losses, a, b)).map(|outcome| outcome.winner);
    assert_eq!(winner(2, 1), None);
    assert_eq!(winner(3, 1), Some(Some(Side::B)));
    assert_eq!(winner(2, 2), Some(Some(Side::A)));
    assert_eq!(winner(3, 2), Some(Some(Side::A)), "three of five is less than two of three");
    assert_eq!(winner(5, 3), Some(None), "both have lost everything");
    assert_eq!(victory::at_limit(&with_losses(&losses, 1, 1)).winner, Some(Side::A));
    assert_eq!(victory::at_limit(&losses).winner, None);
    // Places: the Prussians stand in the village.
    let battle = set_up();
    let state = battle.state();
    assert_eq!(victory::held_worth(state, Side::B), 3);
    assert_eq!(victory::at_limit(state).winner, Some(Side::B));
    assert!(victory::check(&with_losses(state, 3, 0)).is_none(), "losses alone do not decide here");
    let open = field(&BATTLE.replacen("[victory]", "[victory]\nkind = \"none\"", 1), Mode::Battle);
    assert_eq!(victory::at_limit(&with_losses(&open, 2, 0)).winner, None);
}

#[test]
fn an_enemy_close_by_finds_an_ambush() {
    let near = |distance: &str| {
        let text = BATTLE.replacen("year = 1870", "year = 1870\ndeployed = true", 1).replacen(
            "pose = [\"60cm\", \"100cm\", 180]",
            &format!("zone = [[\"0cm\", \"0cm\"], [\"180cm\", \"120cm\"]]\npose = [\"28cm\", \"{distance}\", 180]"),
            1,
        );
        let battle = battle(&text);
        let chasseurs = unit(battle.state(), "chasseurs");
        let told =
            battle.events().iter().any(|event| matches!(event.deed, Deed::Revealed { unit } if unit == chasseurs));
        (battle.state().unit(chasseurs).whereabouts, told)
    };
    assert_eq!(near("29cm"), (Whereabouts::Hidden, false));
    assert_eq!(near("28cm"), (Whereabouts::OnTable, true));
}
