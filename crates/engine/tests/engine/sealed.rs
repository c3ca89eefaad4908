//! Commit and reveal: a sealed answer is nobody else's business until both are in, and no stray answer changes a thing.

use crate::toy::*;
use engine::game::Game;
use engine::{Battle, DecisionNo, Deed, Side, SubmitError, UnitId, Viewer, Who};
use serde_json::json;
use table::march::Leg;
use table::{Length, Pose};

fn march(unit: u16, inches: i32) -> Order {
    Order::March { unit: UnitId(unit), legs: vec![Leg::Ahead(Length::whole_inches(inches))] }
}

fn now(battle: &Battle<Ambush>) -> DecisionNo {
    battle.asked().unwrap().no
}

fn seen_by(battle: &Battle<Ambush>, viewer: Viewer) -> String {
    serde_json::to_string(battle.view(viewer).state()).unwrap()
}

#[test]
fn the_first_answer_is_invisible_to_everybody_else() {
    let mut game = game(MEADOW, 1);
    let others = [Viewer::Side(Side::B), Viewer::Spectator];
    let before = others.map(|viewer| (seen_by(&game.battle, viewer), board_of(&game, viewer)));
    let told_before = game.events();
    let no = now(&game.battle);
    let told = game.submit(Side::A, no, &json!({ "march": { "unit": "@alpha", "legs": ["ahead 3in"] } })).unwrap();
    assert_eq!(told.len(), 1);

    assert_eq!(others.map(|viewer| (seen_by(&game.battle, viewer), board_of(&game, viewer))), before);
    for viewer in others {
        assert_eq!(game.battle.view(viewer).sealed(Side::A), None);
        let heard = game.chronicle(viewer, told_before);
        assert_eq!(heard.len(), 1);
        assert_eq!(heard[0].event, json!({ "event": "committed", "side": "a" }));
        assert_eq!(heard[0].text, "Northerners have made their plan");
    }
    assert_eq!(game.battle.view(Viewer::Side(Side::A)).sealed(Side::A), Some(&march(0, 3)));
    assert_eq!(game.battle.view(Viewer::Umpire).sealed(Side::A), Some(&march(0, 3)));
}

fn board_of(game: &impl Game, viewer: Viewer) -> String {
    let board = game.board(viewer);
    format!("{:?} {:?} {} {:?}", board.scene(), board.prompt(), board.dump(), board.candidates(3, 9))
}

#[test]
fn whoever_has_sealed_is_asked_nothing_more() {
    let mut game = game(MEADOW, 1);
    let no = now(&game.battle);
    assert!(game.board(Viewer::Side(Side::A)).prompt().is_some());
    game.submit(Side::A, no, &json!("hold")).unwrap();
    let board = game.board(Viewer::Side(Side::A));
    assert_eq!((board.prompt(), board.fallback(), board.candidates(1, 9)), (None, None, Vec::new()));
    assert!(board.check(&json!("hold")).is_err());
    assert!(game.board(Viewer::Side(Side::B)).prompt().is_some());
    assert!(game.board(Viewer::Spectator).prompt().is_none());
    assert_eq!(game.awaited(), Some((no, Side::B)));
    assert!(!game.battle.check(Side::A, &Order::Hold).is_legal());
    assert!(game.battle.check(Side::B, &Order::Hold).is_legal());
}

#[test]
fn nothing_is_executed_before_both_are_in() {
    for first in Side::BOTH {
        let mut battle = battle(MEADOW, 1);
        let (no, before) = (now(&battle), battle.state().clone());
        let order = |side| if side == Side::A { march(0, 3) } else { march(3, 2) };
        let events = battle.submit(first, no, order(first)).unwrap();
        assert!(matches!(events, [event] if event.deed == Deed::Committed { side: first } && event.rolls.is_empty()));
        assert!(battle.state().same_pieces(&before));
        assert_eq!((now(&battle), battle.awaited()), (no, Some(first.other())));
        battle.submit(first.other(), no, order(first.other())).unwrap();
        assert!(!battle.state().same_pieces(&before));
    }
}

#[test]
fn answers_are_executed_in_fixed_order_whatever_the_order_of_arrival() {
    let run = |first: Side| {
        let mut battle = battle(MEADOW, 7);
        let no = now(&battle);
        for side in [first, first.other()] {
            battle.submit(side, no, if side == Side::A { march(0, 5) } else { march(3, 2) }).unwrap();
        }
        // Both are fired upon, so the dice have to fall in the same order too.
        for with in [3, 0] {
            let no = now(&battle);
            let side = battle.awaited().unwrap();
            battle.submit(side, no, Order::Fire { with: UnitId(with) }).unwrap();
        }
        let deeds: Vec<_> = battle.events().iter().filter(|event| !is_committed(&event.deed)).cloned().collect();
        (battle.hash(), deeds)
    };
    let (one, other) = (run(Side::A), run(Side::B));
    assert_eq!(one, other);
    let marched: Vec<_> = one
        .1
        .iter()
        .filter_map(|event| if let Deed::Moved { unit, .. } = event.deed { Some(unit.0) } else { None })
        .collect();
    assert_eq!(marched, [0, 3]);
}

fn is_committed(deed: &Deed<Ambush>) -> bool {
    matches!(deed, Deed::Committed { .. })
}

/// Everything that could have changed.
fn everything(battle: &Battle<Ambush>) -> impl PartialEq + std::fmt::Debug + use<> {
    (battle.hash(), battle.state().clone(), battle.events().to_vec(), battle.entries().to_vec(), battle.decisions())
}

#[test]
fn stray_answers_change_nothing_and_say_why() {
    let mut battle = battle(MEADOW, 1);
    let no = now(&battle);
    let try_it = |battle: &mut Battle<Ambush>, side, no, order: Order| {
        let before = everything(battle);
        let error = battle.submit(side, no, order).unwrap_err();
        assert_eq!(everything(battle), before);
        error
    };
    assert!(
        matches!(try_it(&mut battle, Side::A, DecisionNo(no.0 + 1), Order::Hold), SubmitError::Stale { now } if now == no)
    );
    assert!(matches!(try_it(&mut battle, Side::A, DecisionNo(0), Order::Hold), SubmitError::Stale { .. }));
    let SubmitError::Refused(verdict) = try_it(&mut battle, Side::A, no, march(3, 60)) else { panic!() };
    let clauses: Vec<&str> = verdict.refusals.iter().map(|note| note.clause.as_str()).collect();
    assert_eq!(
        clauses,
        ["ambush.plan-a", "ambush.march-a", "ambush.march-a", "ambush.march-a"],
        "all the reasons: {verdict:?}"
    );

    battle.submit(Side::A, no, march(0, 3)).unwrap();
    assert_eq!(try_it(&mut battle, Side::A, no, Order::Hold), SubmitError::Sealed);
    assert_eq!(try_it(&mut battle, Side::A, no, march(0, 3)), SubmitError::Sealed);
    battle.submit(Side::B, no, Order::Hold).unwrap();

    // The march is fired upon: only the passive side is asked, and the old number is gone.
    assert_eq!(battle.asked().unwrap().who, Who::One(Side::B));
    let fresh = now(&battle);
    assert!(matches!(try_it(&mut battle, Side::B, no, Order::Hold), SubmitError::Stale { now } if now == fresh));
    assert_eq!(try_it(&mut battle, Side::A, fresh, Order::Pass), SubmitError::NotYours);
    assert!(!battle.check(Side::A, &Order::Pass).is_legal());
    assert!(matches!(try_it(&mut battle, Side::B, fresh, Order::Hold), SubmitError::Refused(_)));
    battle.submit(Side::B, fresh, Order::Pass).unwrap();

    play_out(&mut battle, &mut engine::Lots::new(4));
    let last = DecisionNo(battle.decisions());
    assert_eq!(try_it(&mut battle, Side::A, last, Order::Hold), SubmitError::Over);
    assert_eq!(battle.motion(Side::A, engine::Motion::Concede), Err(SubmitError::Over));
    assert!(!battle.check(Side::A, &Order::Hold).is_legal());
}

#[test]
fn unreadable_drafts_change_nothing() {
    let mut game = game(MEADOW, 1);
    let no = now(&game.battle);
    let wrong = [
        json!(null),
        json!("charge"),
        json!({ "march": { "unit": "@alpha" } }),
        json!({ "march": { "unit": "@nobody", "legs": [] } }),
        json!({ "march": { "unit": "u99", "legs": [] } }),
        json!({ "march": { "unit": "u+99", "legs": [] } }),
        json!({ "march": { "unit": "c0", "legs": [] } }),
        json!({ "march": { "unit": 0, "legs": [] } }),
        json!({ "march": { "unit": "@alpha", "legs": ["ahead 3 furlongs"] } }),
    ];
    for draft in wrong {
        let before = everything(&game.battle);
        assert!(matches!(game.submit(Side::A, no, &draft), Err(SubmitError::Unreadable(_))), "{draft}");
        assert!(game.board(Viewer::Side(Side::A)).check(&draft).is_err(), "{draft}");
        assert_eq!(everything(&game.battle), before);
    }
}

#[test]
fn an_opened_plan_still_waiting_is_veiled_by_the_rulebook() {
    let mut battle = battle(MEADOW, 1);
    let no = now(&battle);
    battle.submit(Side::A, no, march(0, 3)).unwrap();
    battle.submit(Side::B, no, march(3, 2)).unwrap();
    let waiting = |viewer| {
        battle.view(viewer).agenda().iter().any(|phase| matches!(phase, Phase::Act { order: Order::March { .. }, .. }))
    };
    assert!(waiting(Viewer::Side(Side::B)) && waiting(Viewer::Umpire));
    assert!(!waiting(Viewer::Side(Side::A)) && !waiting(Viewer::Spectator));
    assert_eq!(battle.view(Viewer::Side(Side::A)).ledger().marches.0, [1, 0]);
    assert_eq!(battle.view(Viewer::Side(Side::B)).muster().scenario.powder.0, [0, 22]);
    assert_eq!(battle.view(Viewer::Spectator).muster().scenario.powder.0, [0, 0]);
    assert_eq!(battle.state().muster().scenario.powder.0, [11, 22], "the veil hangs before the view, not the battle");
}

#[test]
fn where_nothing_is_hidden_a_view_is_the_state_itself() {
    let open = swapped(&[("[powder]\nnorth = 11\nsouth = 22\n", "")]).replace("hidden = true\n", "");
    let mut battle = battle(&open, 1);
    for viewer in [Viewer::Side(Side::A), Viewer::Spectator, Viewer::Umpire] {
        assert!(std::ptr::eq(battle.view(viewer).state(), battle.state()));
    }
    // A sealed answer alone is reason enough for a veil.
    let no = now(&battle);
    battle.submit(Side::A, no, march(0, 3)).unwrap();
    assert_eq!(battle.view(Viewer::Side(Side::B)).sealed(Side::A), None);
    assert_eq!(battle.view(Viewer::Spectator).sealed(Side::A), None);
    assert!(std::ptr::eq(battle.view(Viewer::Side(Side::A)).state(), battle.state()));
    let hidden = self::battle(MEADOW, 1);
    assert!(!std::ptr::eq(hidden.view(Viewer::Side(Side::A)).state(), hidden.state()));
    assert!(std::ptr::eq(hidden.view(Viewer::Umpire).state(), hidden.state()));
    assert_eq!(hidden.view(Viewer::Side(Side::A)).unit(UnitId(5)).pose(), Pose::default());
}
