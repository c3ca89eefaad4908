//! Acts beside the rulebook: giving up, parting, taking back and settling a dispute.

use crate::toy::*;
use engine::game::{Game, TypedGame};
use engine::{Battle, DecisionNo, Deed, Fault, Motion, Side, SubmitError, UnitId, Viewer};
use serde_json::json;
use table::Length;
use table::march::Leg;

fn hold(game: &mut TypedGame<Ambush>, side: Side) {
    let no = game.awaited().unwrap().0;
    game.submit(side, no, &json!("hold")).unwrap();
}

fn replayed(game: &TypedGame<Ambush>) -> TypedGame<Ambush> {
    let replay = engine::replay::ReplayFile::parse(&game.replay().to_text()).unwrap();
    let again = TypedGame::<Ambush>::resume(&replay, None).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((again.hash(), again.outcome()), (game.hash(), game.outcome()));
    assert_eq!(again.battle.events(), game.battle.events());
    again
}

#[test]
fn conceding_ends_the_battle_at_once() {
    let mut game = game(MEADOW, 1);
    hold(&mut game, Side::A);
    assert_eq!(game.motion(Side::A, Motion::Concede), Ok(true));
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.clause.as_str()), (Some(Side::B), "ambush.custom"));
    assert_eq!((game.awaited(), game.battle.asked()), (None, None));
    assert_eq!(game.battle.state().sealed(Side::A), None, "a sealed plan dies with the battle");
    assert_eq!(game.submit(Side::B, DecisionNo(1), &json!("hold")), Err(SubmitError::Over));
    assert_eq!(game.motion(Side::B, Motion::Draw), Err(SubmitError::Over));
    assert!(game.board(Viewer::Side(Side::B)).prompt().is_none());
    replayed(&game);
}

#[test]
fn a_draw_needs_both() {
    let mut game = game(MEADOW, 1);
    assert_eq!(game.battle.offer(), None);
    assert_eq!(game.motion(Side::A, Motion::Draw), Ok(true));
    assert_eq!(game.battle.offer(), Some((Side::A, Motion::Draw)));
    let lines = game.replay().entries.len();
    assert_eq!(game.motion(Side::A, Motion::Draw), Ok(false), "asking again is not agreeing");
    assert_eq!(game.replay().entries.len(), lines, "and does not fill the record");
    assert!(game.outcome().is_none());
    replayed(&game);
    assert_eq!(game.motion(Side::B, Motion::Decline), Ok(true));
    assert_eq!(game.battle.offer(), None);
    assert_eq!(game.motion(Side::B, Motion::Decline), Ok(false));
    assert_eq!(game.motion(Side::B, Motion::Draw), Ok(true), "the old offer is gone, so this is a new one");
    assert!(game.outcome().is_none());
    hold(&mut game, Side::A);
    assert_eq!(game.battle.offer(), None, "an order answers every offer");
    assert_eq!(game.motion(Side::B, Motion::Draw), Ok(true));
    assert_eq!(game.motion(Side::A, Motion::Draw), Ok(true));
    assert_eq!(game.outcome().unwrap().winner, None);
    replayed(&game);
}

#[test]
fn an_order_is_taken_back_by_consent() {
    let mut game = game(MEADOW, 1);
    assert_eq!(game.motion(Side::A, Motion::TakeBack), Ok(false), "there is nothing to take back");
    let (opening, told) = (game.battle.state().clone(), game.events());
    let old = game.awaited().unwrap().0;
    game.submit(Side::A, old, &json!({ "march": { "unit": "@alpha", "legs": ["ahead 5in"] } })).unwrap();
    assert_eq!(game.motion(Side::A, Motion::TakeBack), Ok(true));
    assert_eq!(game.motion(Side::A, Motion::TakeBack), Ok(false), "one's own consent is not enough");
    assert!(game.battle.state().sealed(Side::A).is_some());
    assert_eq!(game.battle.offer(), Some((Side::A, Motion::TakeBack)));
    assert_eq!(game.motion(Side::B, Motion::TakeBack), Ok(true));

    assert!(game.battle.state().same_pieces(&opening));
    assert_eq!(game.battle.state().sealed(Side::A), None);
    assert_eq!((game.events(), game.battle.decisions(), game.battle.offer()), (told, 0, None));
    assert_eq!(game.motion(Side::B, Motion::TakeBack), Ok(false), "only the last order is taken back");
    // The question is asked again under a number of its own: answers under way are not meant for it.
    let fresh = game.awaited().unwrap().0;
    assert!(fresh > old);
    assert_eq!(game.submit(Side::B, old, &json!("hold")), Err(SubmitError::Stale { now: fresh }));
    hold(&mut game, Side::A);
    hold(&mut game, Side::B);
    assert_eq!(game.battle.state().turn(), 2);
    replayed(&game);
}

#[test]
fn both_answers_can_be_taken_back_as_long_as_no_die_has_fallen() {
    let mut game = game(MEADOW, 1);
    hold(&mut game, Side::A);
    let sealed = game.battle.state().clone();
    hold(&mut game, Side::B);
    assert_eq!(game.battle.state().turn(), 2);
    let later = game.awaited().unwrap().0;
    assert_eq!(game.motion(Side::B, Motion::TakeBack), Ok(true));
    assert_eq!(game.motion(Side::A, Motion::TakeBack), Ok(true));
    assert!(game.battle.state().same_pieces(&sealed));
    assert_eq!(game.battle.state().sealed(Side::A), Some(&Order::Hold), "the first answer still stands");
    assert!(game.awaited().unwrap().0 > later);
    assert_eq!(game.awaited().unwrap().1, Side::B);
    hold(&mut game, Side::B);
    assert_eq!(game.battle.state().turn(), 2);
    replayed(&game);
}

#[test]
fn declining_a_take_back_leaves_things_as_they_are() {
    let mut game = game(MEADOW, 1);
    hold(&mut game, Side::A);
    game.motion(Side::A, Motion::TakeBack).unwrap();
    game.motion(Side::B, Motion::Decline).unwrap();
    assert_eq!(game.motion(Side::B, Motion::TakeBack), Ok(true), "this is a new request");
    assert!(game.battle.state().sealed(Side::A).is_some());
    hold(&mut game, Side::B);
    assert_eq!(game.battle.offer(), None);
    replayed(&game);
}

fn fire(battle: &mut Battle<Ambush>) {
    let no = battle.asked().unwrap().no;
    let legs = vec![Leg::Ahead(Length::whole_inches(5))];
    battle.submit(Side::A, no, Order::March { unit: UnitId(0), legs }).unwrap();
    battle.submit(Side::B, no, Order::Hold).unwrap();
    let no = battle.asked().unwrap().no;
    battle.submit(Side::B, no, Order::Fire { with: UnitId(3) }).unwrap();
}

#[test]
fn once_a_die_has_fallen_nothing_is_taken_back() {
    let mut game = game(MEADOW, 1);
    fire(&mut game.battle);
    let before = (game.hash(), game.replay());
    for side in Side::BOTH {
        assert_eq!(game.motion(side, Motion::TakeBack), Ok(false));
    }
    assert_eq!((game.hash(), game.replay()), before);
    // A die thrown beside the rules counts as well, or a player could throw again until she likes it.
    hold(&mut game, Side::A);
    game.motion(Side::B, Motion::DisputeDie).unwrap();
    assert_eq!(game.motion(Side::A, Motion::TakeBack), Ok(false));
    hold(&mut game, Side::B);
    assert_eq!(game.motion(Side::A, Motion::TakeBack), Ok(true));
    replayed(&game);
}

#[test]
fn the_dispute_die_is_thrown_in_the_open_and_recorded() {
    let mut game = game(MEADOW, 1);
    let hash = game.hash();
    assert_eq!(game.motion(Side::B, Motion::DisputeDie), Ok(true));
    let event = game.battle.events().last().unwrap();
    assert_eq!((&event.deed, event.rolls.len()), (&Deed::DisputeDie { side: Side::B }, 1));
    assert_eq!(event.rolls[0].to_string().split(':').next(), Some("1d6"));
    assert_eq!(game.hash(), hash, "it settles words, not the table");
    let last = game.replay().entries.pop().unwrap();
    assert_eq!((last.side, last.motion), (Side::B, Some(Motion::DisputeDie)));
    for viewer in [Viewer::Side(Side::A), Viewer::Side(Side::B), Viewer::Spectator] {
        assert_eq!(game.chronicle(viewer, 0).last().unwrap().rolls.len(), 1);
    }
    // It comes from the battle's own dice, so the replay must throw it too to come to the same volley.
    fire(&mut game.battle);
    replayed(&game);
    let mut other = self::game(MEADOW, 1);
    fire(&mut other.battle);
    let rolls =
        |game: &TypedGame<Ambush>| game.battle.events().iter().rev().find_map(|event| event.rolls.first().cloned());
    assert_ne!(rolls(&game), rolls(&other));
}

#[test]
fn a_dispute_die_the_script_does_not_hold_is_a_fault() {
    let mut battle = battle(MEADOW, 1);
    battle.set_dice(script(&["2d6: 1 1"]));
    let Err(SubmitError::Fault(Fault { what, .. })) = battle.motion(Side::A, Motion::DisputeDie) else { panic!() };
    assert_eq!(what, "the rules throw 1d6, the script has 2d6 next");
    assert!(battle.fault().is_some());
}
