//! The careful players over whole battles: it wins, it is never refused, and the same seed plays the same battle.
#![allow(clippy::expect_used, clippy::panic)] // helpers of tests fail by panicking, as tests do

use bots::{Bot, Level, Opponents};
use engine::battle::Keep;
use engine::setup::{Mode, muster};
use engine::{Battle, BySide, Seed, Side, State, StateHash, Viewer};
use rules::awi::Awi;
use rules::days::Days;
use rules::fpw::Fpw;
use rules::guns::Guns;

/// A battle of more decisions than this is endless.
const MOST_DECISIONS: u32 = 20_000;

/// What came of a battle.
struct Fought {
    winner: Option<Side>,
    decisions: u32,
    hash: StateHash,
}

fn scenario<R: Opponents>(id: &str) -> State<R> {
    let scenario = rules::scenario(id).expect("a scenario of the house");
    match muster::<R>(scenario.text, None, Mode::Battle) {
        Ok(mustered) => mustered.state,
        Err(faults) => panic!("{id}: {faults}"),
    }
}

/// Fights a battle; a refused order or a fault fails the test.
fn fight<R: Opponents>(id: &str, start: &State<R>, number: u64, levels: BySide<Level>) -> Fought {
    let mut players: [Box<dyn Bot<R>>; 2] =
        Side::BOTH.map(|side| R::bot(levels[side], number * 2 + side.index() as u64));
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
fn wins<R: Opponents>(id: &str, battles: u64) -> u64 {
    let start = scenario::<R>(id);
    let won = |number: &u64| {
        let own = if number.is_multiple_of(2) { Side::A } else { Side::B };
        let levels = BySide::from_fn(|side| if side == own { Level::Careful } else { Level::Random });
        fight(id, &start, *number, levels).winner == Some(own)
    };
    (0..battles).filter(won).count() as u64
}

fn beats_random<R: Opponents>(ids: &[&str]) {
    for id in ids {
        let won = wins::<R>(id, 20);
        assert!(won >= 16, "{id}: careful won {won} of 20");
    }
}

/// The scenarios of a rulebook.
fn grounds<R: Opponents>() -> impl Iterator<Item = &'static str> {
    rules::SCENARIOS.iter().filter(|scenario| R::edition_no(scenario.ruleset).is_some()).map(|scenario| scenario.id)
}

/// On every ground it is never refused, and wins so many of four at least.
fn wins_everywhere<R: Opponents>(least: impl Fn(&str) -> u64) {
    for id in grounds::<R>() {
        let won = wins::<R>(id, 4);
        assert!(won >= least(id), "{id}: careful won {won} of 4");
    }
}

fn fights_the_same_again<R: Opponents>() {
    let both = BySide::from_fn(|_| Level::Careful);
    for id in grounds::<R>() {
        let start = scenario::<R>(id);
        let (one, two) = (fight(id, &start, 7, both), fight(id, &start, 7, both));
        assert_eq!((one.decisions, one.hash), (two.decisions, two.hash), "{id}");
        let other = fight(id, &start, 8, both);
        assert_ne!(one.hash, other.hash, "{id}: another seed, another battle");
    }
}

#[test]
fn the_careful_player_beats_the_random_one() {
    beats_random::<Awi>(&["awi/skirmish", "awi/cowpens"]);
    beats_random::<Fpw>(&["fpw/vionville", "fpw/outposts"]);
    beats_random::<Guns>(&["guns/magenta", "guns/colombey"]);
    beats_random::<Days>(&["iron/mars-la-tour", "empire/lesson"]);
}

#[test]
fn it_wins_on_every_ground_and_is_never_refused() {
    wins_everywhere::<Awi>(|_| 3);
    // Two regiments a side and six turns leave most to the dice.
    wins_everywhere::<Fpw>(|id| if id == "fpw/brigade" { 1 } else { 3 });
    wins_everywhere::<Guns>(|_| 3);
    // In a battle for points fewer than 150 of them between the two are a draw.
    wins_everywhere::<Days>(|_| 2);
}

#[test]
fn two_careful_players_fight_the_same_battle_again_from_the_same_seed() {
    fights_the_same_again::<Awi>();
    fights_the_same_again::<Fpw>();
    fights_the_same_again::<Guns>();
    fights_the_same_again::<Days>();
}
