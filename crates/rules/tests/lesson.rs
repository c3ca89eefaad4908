//! The lesson: a battle joined with all pieces in place, in which the first two rounds hold everything a learner must
//! see; and what a set-up of that kind may not say.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests fail by panicking, as tests do

use engine::battle::Keep;
use engine::facade::{Board, TypedBoard};
use engine::setup::{self, Mode};
use engine::{Battle, Deed, Seed, Side, Viewer};
use rules::awi::Awi;
use rules::awi::event::AwiEvent;
use rules::awi::order::Decision;
use rules::awi::unit::Condition;
use serde_json::{Value, json};

fn text() -> &'static str {
    rules::scenario("lesson").unwrap().text
}

fn battle(seed: u64) -> Battle<Awi> {
    let mustered = setup::muster::<Awi>(text(), None, Mode::Battle).unwrap_or_else(|faults| panic!("{faults}"));
    Battle::seeded(mustered.state, Seed::from_number(seed), Keep::Everything)
}

fn give(battle: &mut Battle<Awi>, side: Side, draft: &Value) {
    let order = engine::facade::decode::<Awi>(battle.state(), draft).unwrap();
    let no = battle.asked().unwrap().no;
    battle.submit(side, no, order).unwrap_or_else(|error| panic!("{draft}: {error:?}"));
}

/// Whatever the dice say, the learner is asked first about a rally, then moves, and his charge and his volley are legal.
#[test]
fn the_first_turn_rallies_moves_charges_and_fires() {
    for seed in 0..40 {
        let mut battle = battle(seed);
        assert_eq!(battle.awaited(), Some(Side::A), "the learner begins");
        assert!(matches!(battle.asked().unwrap().decision, Decision::RallyFacing { .. }), "a rally comes first");
        let rolled = battle.events().iter().flat_map(|event| &event.rolls).count();
        assert_eq!(rolled, 1, "with one die to look at");
        give(&mut battle, Side::A, &json!({ "face": { "facing": 0 } }));
        {
            let board = TypedBoard::new(battle.view(Viewer::Side(Side::A)));
            for draft in [
                json!({ "charge": { "unit": "@grenadiers", "at": "@militia" } }),
                json!({ "move": { "unit": "@foot-33", "half": true, "legs": ["ahead 2in"] } }),
                json!({ "move": { "unit": "@foot-23", "legs": ["ahead 2in"] } }),
                json!({ "fire_then_move": { "unit": "@foot-33", "at": "@continentals" } }),
            ] {
                assert!(board.check(&draft).unwrap().is_legal(), "{draft}");
            }
        }
        give(&mut battle, Side::A, &json!("pass"));
        assert!(matches!(battle.asked().unwrap().decision, Decision::Fire), "{:?}", battle.asked());
        give(&mut battle, Side::A, &json!({ "fire": { "unit": "@foot-33", "at": "@continentals" } }));
        let volley = battle.events().iter().rev().find(|event| event.rolls.iter().any(|roll| roll.pips.len() == 3));
        assert!(volley.is_some(), "three dice are thrown, so the target is in range");
    }
}

/// The charge goes home or the militia run: it never falls short.
#[test]
fn the_charge_reaches() {
    for seed in 0..40 {
        let mut battle = battle(seed);
        give(&mut battle, Side::A, &json!("pass"));
        give(&mut battle, Side::A, &json!({ "charge": { "unit": "@grenadiers", "at": "@militia" } }));
        let short = |deed: &Deed<Awi>| matches!(deed, Deed::Own(AwiEvent::Condition { to: Condition::Disordered, .. }));
        assert!(!battle.events().iter().any(|event| short(&event.deed)), "seed {seed}");
    }
}

#[test]
fn what_such_a_set_up_may_not_say() {
    for (from, to, fault) in [
        ("condition = \"routing\"", "condition = \"pursuing\"", "steady or routing"),
        ("condition = \"routing\"", "condition = \"asleep\"", "asleep"),
        ("marks = 2", "marks = 9", "expected 1 to 5 marks"),
        ("marks = 2", "marks = 0", "expected 1 to 5 marks"),
        ("deployed = true", "deployed = false", "begins with 5 marks"),
        ("deployed = true", "", "condition"),
        ("deployed = true", "deployed = 3", "deployed"),
        (
            "pose = [\"14in\", \"21.5in\", 180]",
            "zone = [[\"0in\", \"0in\"], [\"48in\", \"36in\"]]\npose = [\"14in\", \"14in\", 180]",
            "touch before the battle has begun",
        ),
    ] {
        assert!(text().contains(from), "{from}");
        let spoiled = text().replacen(from, to, 1);
        let faults = match setup::muster::<Awi>(&spoiled, None, Mode::Battle) {
            Ok(_) => panic!("{to} is accepted"),
            Err(faults) => faults.to_string(),
        };
        assert!(faults.contains(fault), "{to}: {faults}");
    }
}
