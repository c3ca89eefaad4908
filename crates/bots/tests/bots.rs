//! The careful player over whole battles: it wins, it is never refused, and the same seed plays the same battle.
#![allow(clippy::expect_used, clippy::panic)] // helpers of tests fail by panicking, as tests do

use bots::{Bot, Level, Opponents};
use engine::battle::Keep;
use engine::setup::{Mode, muster};
use engine::{Battle, BySide, Seed, Side, State, StateHash, Viewer};
use rules::awi::Awi;

/// A battle of more decisions than this is endless.
const MOST_DECISIONS: u32 = 20_000;

/// What came of a battle.
struct Fought {
    winner: Option<Side>,
    decisions: u32,
    hash: StateHash,
}

fn scenario(id: &str) -> State<Awi> {
    let scenario = rules::scenario(id).expect("a scenario of the house");
    match muster::<Awi>(scenario.text, None, Mode::Battle) {
        Ok(mustered) => mustered.state,
        Err(faults) => panic!("{id}: {faults}"),
    }
}

/// Fights a battle; a refused order or a fault fails the test.
fn fight(id: &str, start: &State<Awi>, number: u64, levels: BySide<Level>) -> Fought {
    let mut players: [Box<dyn Bot<Awi>>; 2] =
        Side::BOTH.map(|side| Awi::bot(levels[side], number * 2 + side.index() as u64));
    let mut battle = Battle::seeded(start.clone(), Seed::from_number(number), Keep::Events);
    while let (Some(side), Some(no)) = (battle.awaited(), battle.asked().map(|asked| asked.no)) {
        assert!(battle.decisions() < MOST_DECISIONS, "{id}, seed {number}: endless");
        let order = {
            let view = battle.view(Viewer::Side(side));
            let Some(asked) = battle.asked() else { break };
            players[side.index()].choose(&view, asked, side)
        };
        let told = format!("{order:?}");
        if let Err(error) = battle.submit(side, no, order) {
            panic!("{id}, seed {number}: {} gave {told}: {error}", levels[side]);
        }
    }
    let outcome = battle.outcome().unwrap_or_else(|| panic!("{id}, seed {number}: no end: {:?}", battle.fault()));
    Fought { winner: outcome.winner, decisions: battle.decisions(), hash: battle.hash() }
}

/// Battles the careful player wins against the random one, seats swapped after each.
fn wins(id: &str, battles: u64) -> u64 {
    let start = scenario(id);
    let won = |number: &u64| {
        let own = if number.is_multiple_of(2) { Side::A } else { Side::B };
        let levels = BySide::from_fn(|side| if side == own { Level::Careful } else { Level::Random });
        fight(id, &start, *number, levels).winner == Some(own)
    };
    (0..battles).filter(won).count() as u64
}

#[test]
fn the_careful_player_beats_the_random_one() {
    for id in ["awi/skirmish", "awi/cowpens"] {
        let won = wins(id, 20);
        assert!(won >= 16, "{id}: careful won {won} of 20");
    }
}

#[test]
fn it_wins_on_every_ground_and_is_never_refused() {
    for ground in rules::SCENARIOS.iter().filter(|scenario| scenario.ruleset == "awi") {
        let won = wins(ground.id, 4);
        assert!(won >= 3, "{}: careful won {won} of 4", ground.id);
    }
}

#[test]
fn two_careful_players_fight_the_same_battle_again_from_the_same_seed() {
    let both = BySide::from_fn(|_| Level::Careful);
    for ground in rules::SCENARIOS.iter().filter(|scenario| scenario.ruleset == "awi") {
        let start = scenario(ground.id);
        let (one, two) = (fight(ground.id, &start, 7, both), fight(ground.id, &start, 7, both));
        assert_eq!((one.decisions, one.hash), (two.decisions, two.hash), "{}", ground.id);
        let other = fight(ground.id, &start, 8, both);
        assert_ne!(one.hash, other.hash, "{}: another seed, another battle", ground.id);
    }
}
