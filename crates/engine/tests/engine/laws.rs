//! House laws 2, 3 and 7 over random play, the guard against endless agendas, and forks.

use crate::toy::*;
use engine::battle::Keep;
use engine::{Battle, Lots, Motion, Ruleset, Seed, Side, SubmitError, UnitId, Viewer};
use table::Length;
use table::march::Leg;

fn now(battle: &Battle<Ambush>) -> engine::DecisionNo {
    battle.asked().unwrap().no
}

/// To a volley of the Gammas at the Alphas: the north marches, the south stands and fires.
fn to_the_volley(battle: &mut Battle<Ambush>) -> Result<(), SubmitError> {
    let no = now(battle);
    let ahead = Order::March { unit: UnitId(0), legs: vec![Leg::Ahead(Length::whole_inches(5))] };
    battle.submit(Side::A, no, ahead)?;
    battle.submit(Side::B, no, Order::Hold)?;
    let no = now(battle);
    battle.submit(Side::B, no, Order::Fire { with: UnitId(3) }).map(|_| ())
}

#[test]
fn law_2_events_alone_change_the_pieces() {
    let opening = state(MEADOW);
    let (mut volleys, mut losses, mut seen) = (0, 0, 0);
    for seed in 0..300 {
        let mut battle = battle(MEADOW, seed);
        assert!(opening.folded(battle.events()).same_pieces(battle.state()), "seed {seed}: the opening");
        let mut lots = Lots::new(seed);
        while let Some((side, order)) = random_order(&battle, &mut lots) {
            let (before, no) = (battle.state().clone(), now(&battle));
            let events = battle.submit(side, no, order.clone()).unwrap().to_vec();
            assert!(before.folded(&events).same_pieces(battle.state()), "seed {seed}: {order:?}");
            // A prefix is not enough: no event is superfluous to the fold and none is missing.
            assert!(!events.is_empty());
        }
        assert!(opening.folded(battle.events()).same_pieces(battle.state()), "seed {seed}: the whole battle");
        let deeds = battle.events().iter().map(|event| format!("{:?}", event.deed));
        deeds.for_each(|deed| {
            volleys += i32::from(deed.contains("Shot"));
            losses += i32::from(deed.starts_with("Removed"));
            seen += i32::from(deed.starts_with("Revealed"));
        });
    }
    assert!(
        volleys > 300 && losses > 50 && seen > 100,
        "random play should reach every deed: {volleys} {losses} {seen}"
    );
}

#[test]
fn a_fold_that_lacks_an_event_is_found_out() {
    let mut battle = battle(MEADOW, 11);
    battle.set_dice(script(&["2d6: 4 4"]));
    to_the_volley(&mut battle).unwrap();
    let (opening, events) = (state(MEADOW), battle.events().to_vec());
    let inert = |deed: &str| ["Committed", "Own(Held"].iter().any(|word| deed.starts_with(word));
    for left_out in 0..events.len() {
        let others = events.iter().enumerate().filter(|(n, _)| *n != left_out).map(|(_, event)| event);
        let same = opening.folded(others).same_pieces(battle.state());
        assert_eq!(same, inert(&format!("{:?}", events[left_out].deed)), "{:?}", events[left_out].deed);
    }
}

#[test]
fn every_event_and_refusal_cites_a_clause_and_rolls_travel_in_events() {
    let mut battle = battle(MEADOW, 11);
    battle.set_dice(script(&["2d6: 4 4"]));
    to_the_volley(&mut battle).unwrap();
    assert!(battle.events().iter().all(|event| event.cited().all(|clause| clause.as_str().starts_with("ambush."))));
    let rolls: Vec<_> = battle.events().iter().flat_map(|event| &event.rolls).map(ToString::to_string).collect();
    assert_eq!(rolls, ["2d6: 4 4"]);
    let shot = battle.events().iter().find(|event| !event.rolls.is_empty()).unwrap();
    assert_eq!(shot.reckoning.as_ref().unwrap().whole(), 8);
    assert_eq!((shot.rolls[0].by, battle.state().unit(UnitId(0)).own.hits), (Side::B, 1));
}

#[test]
fn law_3_dice_nobody_tells_of_and_told_dice_nobody_threw_are_faults() {
    let cases = [
        ("unclaimed", "was thrown and no event carries it"),
        ("half", "was thrown and no event carries it"),
        ("forged", "an event carries 2d6: 6 6, which was never thrown"),
        ("twice", "which was never thrown"),
        ("confesses", "the toy knows better"),
    ];
    for (slip, words) in cases {
        let text = slipping(slip);
        let mut battle = battle(&text, 3);
        let Err(SubmitError::Fault(fault)) = to_the_volley(&mut battle) else { panic!("{slip} went unnoticed") };
        assert!(fault.what.contains(words), "{slip}: {fault}");
        frozen(&mut battle, &text, 2);
    }
    // The same battle without a slip is fine.
    to_the_volley(&mut battle(MEADOW, 3)).unwrap();
}

/// A frozen battle takes nothing more, still shows itself, and keeps the record of its good orders.
fn frozen(battle: &mut Battle<Ambush>, text: &str, good: usize) {
    let fault = battle.fault().cloned().expect("the battle is frozen");
    let before = (battle.hash(), battle.events().len());
    for side in Side::BOTH {
        assert_eq!(battle.submit(side, engine::DecisionNo(1), Order::Hold), Err(SubmitError::Fault(fault.clone())));
        assert_eq!(battle.motion(side, Motion::Concede), Err(SubmitError::Fault(fault.clone())));
        let _ = battle.view(Viewer::Side(side));
    }
    assert_eq!((battle.hash(), battle.events().len()), before);
    assert_eq!(battle.entries().len(), good);
    assert!(battle.outcome().is_none());
    let replay = engine::replay::ReplayFile::of(battle, text, None, Seed::from_number(3));
    let again = engine::replay::play::<Ambush>(&replay, None).unwrap();
    assert_eq!((again.hash(), again.fault()), (battle.entries()[good - 1].hash, None));
}

#[test]
fn endless_agendas_are_faults_and_not_hangs() {
    for (slip, words) in [
        ("endless", "pages turned without a decision"),
        ("piles", "pages turned without a decision"),
        ("runs_out", "the agenda ran out before the battle ended"),
    ] {
        let text = slipping(slip);
        let mut battle = battle(&text, 3);
        let no = now(&battle);
        battle.submit(Side::A, no, Order::Hold).unwrap();
        let Err(SubmitError::Fault(fault)) = battle.submit(Side::B, no, Order::Hold) else { panic!("{slip} ran on") };
        assert!(fault.what.contains(words), "{slip}: {fault}");
        frozen(&mut battle, &text, 1);
    }
}

#[test]
fn a_battle_that_cannot_open_is_frozen_from_the_start() {
    let state = state(MEADOW).with_agenda(Vec::new(), 1);
    let mut battle: Battle<Ambush> = Battle::seeded(state, Seed::from_number(1), Keep::Everything);
    assert!(battle.fault().unwrap().what.contains("the agenda ran out"));
    assert!(matches!(battle.submit(Side::A, engine::DecisionNo(1), Order::Hold), Err(SubmitError::Fault(_))));
}

#[test]
fn scripted_dice_that_do_not_fit_freeze_the_battle() {
    for (throws, words) in [
        (&[] as &[&str], "the script has no dice left"),
        (&["1d6: 3"], "the script has 1d6 next"),
        (&["2d10: 9 9"], "the script has 2d10 next"),
    ] {
        let mut battle = battle(MEADOW, 3);
        battle.set_dice(script(throws));
        let Err(SubmitError::Fault(fault)) = to_the_volley(&mut battle) else { panic!("{throws:?} went unnoticed") };
        assert!(fault.what.contains(words), "{fault}");
    }
}

#[test]
fn law_7_every_decision_can_be_declined_and_every_candidate_is_legal() {
    for seed in 0..150 {
        let mut battle = battle(MEADOW, seed);
        let mut lots = Lots::new(seed + 1000);
        while let Some(asked) = battle.asked().cloned() {
            for side in Side::BOTH.into_iter().filter(|side| asked.who.includes(*side)) {
                let view = battle.view(Viewer::Side(side));
                let fallback = Ambush::fallback(&view, &asked, side);
                assert!(Ambush::check(&view, &asked, side, &fallback).is_legal());
                for limit in [0, 1, 20] {
                    let orders = Ambush::candidates(&view, &asked, side, &mut Lots::new(seed), limit);
                    assert!(orders.contains(&fallback) && orders.len() <= limit.max(1));
                    assert!(orders.iter().all(|order| Ambush::check(&view, &asked, side, order).is_legal()));
                    assert_eq!(orders, Ambush::candidates(&view, &asked, side, &mut Lots::new(seed), limit));
                }
            }
            let (side, order) = random_order(&battle, &mut lots).unwrap();
            battle.submit(side, asked.no, order).unwrap();
            assert!(battle.decisions() < 100, "seed {seed} never ends");
        }
        assert!(battle.outcome().is_some() && battle.fault().is_none());
    }
}

#[test]
fn declining_everything_reaches_an_end() {
    let mut battle = battle(MEADOW, 1);
    while let (Some(asked), Some(side)) = (battle.asked().cloned(), battle.awaited()) {
        let order = Ambush::fallback(&battle.view(Viewer::Side(side)), &asked, side);
        battle.submit(side, asked.no, order).unwrap();
    }
    let outcome = battle.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.why.as_str(), outcome.clause.as_str()), (None, "night falls", "ambush.end-a"));
    assert_eq!((battle.decisions(), battle.state().turn()), (12, 7));
}

#[test]
fn forks_play_on_with_other_dice_and_never_touch_the_original() {
    let mut original = battle(MEADOW, 2);
    let mut lots = Lots::new(2);
    for _ in 0..5 {
        let (side, order) = random_order(&original, &mut lots).unwrap();
        let no = now(&original);
        original.submit(side, no, order).unwrap();
    }
    let before = (original.hash(), original.state().clone(), original.events().to_vec(), original.entries().to_vec());
    let ends = |viewer: Viewer, seed: u64| {
        let mut fork = original.fork(viewer, Seed::from_number(seed));
        assert_eq!(fork.asked(), original.asked());
        assert!(fork.events().is_empty() && fork.entries().is_empty());
        play_out(&mut fork, &mut Lots::new(9));
        assert!(fork.outcome().is_some() && fork.fault().is_none() && fork.entries().is_empty());
        fork.hash()
    };
    for viewer in [Viewer::Side(Side::A), Viewer::Side(Side::B), Viewer::Spectator, Viewer::Umpire] {
        assert_eq!(ends(viewer, 1), ends(viewer, 1), "a fork is repeatable");
        let different: std::collections::BTreeSet<_> = (0..12).map(|seed| ends(viewer, seed)).collect();
        assert!(different.len() > 1, "the dice of a fork are its own");
    }
    assert_eq!(
        (original.hash(), original.state().clone(), original.events().to_vec(), original.entries().to_vec()),
        before
    );
    // The original's own dice were not used up either.
    let end = |mut battle: Battle<Ambush>| {
        play_out(&mut battle, &mut Lots::new(77));
        battle.hash()
    };
    let mut twin = battle(MEADOW, 2);
    let mut lots = Lots::new(2);
    for _ in 0..5 {
        let (side, order) = random_order(&twin, &mut lots).unwrap();
        let no = now(&twin);
        twin.submit(side, no, order).unwrap();
    }
    assert_eq!(end(original), end(twin));
}

#[test]
fn a_fork_from_a_view_knows_no_more_than_the_view() {
    let mut battle = battle(MEADOW, 2);
    let no = now(&battle);
    battle
        .submit(Side::B, no, Order::March { unit: UnitId(3), legs: vec![Leg::Ahead(Length::whole_inches(1))] })
        .unwrap();
    let fork = battle.fork(Viewer::Side(Side::A), Seed::from_number(1));
    assert_eq!((fork.state().sealed(Side::B), fork.awaited()), (None, Some(Side::A)));
    assert_eq!(fork.state().card(UnitId(5)).key, "unseen-5");
    assert_eq!(fork.state().muster().digest, [0; 32], "the digest would confirm a guess at the hidden units");
    let own = battle.fork(Viewer::Side(Side::B), Seed::from_number(1));
    assert_eq!((own.state().sealed(Side::B).is_some(), own.awaited()), (true, Some(Side::A)));
}

#[test]
fn simulations_keep_events_and_no_entries() {
    for seed in 0..20 {
        let mut kept = battle(MEADOW, seed);
        let mut simulated: Battle<Ambush> = Battle::seeded(state(MEADOW), Seed::from_number(seed), Keep::Events);
        play_out(&mut kept, &mut Lots::new(seed));
        play_out(&mut simulated, &mut Lots::new(seed));
        assert!(simulated.entries().is_empty() && kept.entries().len() == kept.decisions() as usize);
        assert_eq!((simulated.hash(), simulated.events()), (kept.hash(), kept.events()));
        assert_eq!(simulated.decisions(), kept.decisions());
    }
    let mut simulated: Battle<Ambush> = Battle::seeded(state(MEADOW), Seed::from_number(1), Keep::Events);
    let no = now(&simulated);
    simulated.submit(Side::A, no, Order::Hold).unwrap();
    assert_eq!(simulated.motion(Side::A, Motion::TakeBack), Ok(false), "nothing to go back to was kept");
    assert_eq!(simulated.motion(Side::A, Motion::DisputeDie), Ok(true));
    assert!(simulated.entries().is_empty());
}
