//! Random play for the tests of this crate.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests fail by panicking, as tests do
#![allow(dead_code)] // each test uses some of them

use engine::battle::Keep;
use engine::facade::{self, Board, TypedBoard};
use engine::setup::{self, Mode};
use engine::{Battle, Lots, Ruleset, Seed, Side, State, Telling, Viewer};
use rules::{SCENARIOS, Scenario};
use serde_json::{Value, json};
use table::{Length, Point};

const SEEDS: u64 = 3;
/// More units than this are a battle of corps.
const CROWD: usize = 100;

/// Runs generic tests for every game of the house.
#[macro_export]
macro_rules! in_every_game {
    ($($law:ident)*) => {
        mod awi {
            $(#[test] fn $law() { super::$law::<rules::awi::Awi>(); })*
        }
        mod fpw {
            $(#[test] fn $law() { super::$law::<rules::fpw::Fpw>(); })*
        }
        mod guns {
            $(#[test] fn $law() { super::$law::<rules::guns::Guns>(); })*
        }
        mod days {
            $(#[test] fn $law() { super::$law::<rules::days::Days>(); })*
        }
    };
}

/// The scenarios of a game.
pub fn scenarios<R: Ruleset>() -> impl Iterator<Item = &'static Scenario> {
    SCENARIOS.iter().filter(|scenario| R::edition_no(scenario.ruleset).is_some())
}

/// The state a scenario starts from.
pub fn opening<R: Ruleset>(scenario: &Scenario) -> State<R> {
    match setup::muster::<R>(scenario.text, None, Mode::Battle) {
        Ok(mustered) => mustered.state,
        Err(faults) => panic!("{}:\n{faults}", scenario.id),
    }
}

/// Plays a whole battle with random candidates, showing each step to a witness before it is taken.
pub fn play<R: Ruleset>(battle: &mut Battle<R>, seed: u64, mut witness: impl FnMut(&Battle<R>, Side, &R::Order)) {
    let mut lots = Lots::new(seed);
    for _ in 0..20_000 {
        let Some(side) = battle.awaited() else { break };
        let (no, order) = {
            let view = battle.view(Viewer::Side(side));
            let asked = battle.asked().unwrap();
            let mut found = R::candidates(&view, asked, side, &mut lots, 10);
            let pick = lots.below(found.len());
            (asked.no, found.swap_remove(pick))
        };
        witness(battle, side, &order);
        if let Err(error) = battle.submit(side, no, order).map(|_| ()) {
            panic!("{error:?}");
        }
    }
    assert!(battle.fault().is_none(), "{:?}", battle.fault());
    assert!(battle.outcome().is_some(), "the battle did not end");
}

/// Every scenario of a game with a few seeds; a battle of whole corps is as long as many small ones, and is fought once.
pub fn each_battle<R: Ruleset>(mut test: impl FnMut(&Scenario, u64, Battle<R>)) {
    for scenario in scenarios::<R>() {
        let start = opening::<R>(scenario);
        let seeds = if start.units().count() > CROWD { 1 } else { SEEDS };
        for number in 0..seeds {
            test(scenario, number, Battle::seeded(start.clone(), Seed::from_number(number), Keep::Everything));
        }
    }
}

/// A place in inches.
pub fn inches(x: f64, y: f64) -> Point {
    Point::new(Length::inches(x), Length::inches(y))
}

/// The text of a scenario.
pub fn scenario_text(id: &str) -> String {
    rules::scenario(id).unwrap().text.to_owned()
}

/// A battle from a set-up.
pub fn begun<R: Ruleset>(text: &str, seed: u64) -> Battle<R> {
    match setup::muster::<R>(text, None, Mode::Battle) {
        Ok(mustered) => Battle::seeded(mustered.state, Seed::from_number(seed), Keep::Everything),
        Err(faults) => panic!("{faults}"),
    }
}

/// Everything a viewer is shown, as one text.
pub fn all_that_is_shown<R: Telling>(battle: &Battle<R>, viewer: Viewer, drafts: &[Value]) -> String {
    let board = TypedBoard::new(battle.view(viewer));
    let verdicts: Vec<_> = drafts.iter().map(|draft| board.check(draft).map(|verdict| json!(verdict))).collect();
    let odds: Vec<_> = drafts.iter().map(|draft| board.odds(draft)).collect();
    let view = battle.view(viewer);
    let told: Vec<_> = battle.events().iter().filter_map(|event| facade::tell(&view, event)).collect();
    let ghosts: Vec<_> = drafts.iter().map(|draft| board.ghosts(draft)).collect();
    let keys: Vec<String> = board.roster().into_iter().filter_map(|line| line.key).collect();
    let drawn: Vec<_> = keys.iter().map(|key| (board.card(key), board.sketches(key))).collect();
    format!(
        "{}{}{}{verdicts:?}{odds:?}{}{}{ghosts:?}{drawn:?}{}{:?}",
        json!(board.scene()),
        json!(board.prompt()),
        board.dump(),
        json!(board.candidates(5, 30)),
        json!(told),
        json!(board.roster()),
        board.ribbon(),
    )
}

/// Plays on until side A is asked the question wanted, with the answers the house would give.
pub fn until<R: Ruleset>(battle: &mut Battle<R>, wanted: impl Fn(&R::Decision) -> bool) -> bool {
    for _ in 0..400 {
        let Some(side) = battle.awaited() else { return false };
        let asked = battle.asked().unwrap().clone();
        if side == Side::A && wanted(&asked.decision) {
            return true;
        }
        let order = {
            let view = battle.view(Viewer::Side(side));
            let mut lots = Lots::new(u64::from(asked.no.0));
            R::candidates(&view, &asked, side, &mut lots, 4).swap_remove(0)
        };
        if let Err(error) = battle.submit(side, asked.no, order).map(|_| ()) {
            panic!("{error:?}");
        }
    }
    false
}

/// Everything the other side and a watcher are shown.
fn shown_to_others<R: Telling>(battle: &Battle<R>) -> [String; 2] {
    let view = battle.view(Viewer::Side(Side::B));
    let drafts: Vec<Value> = match battle.asked() {
        Some(asked) => {
            let found = R::candidates(&view, asked, Side::B, &mut Lots::new(3), 6);
            found.iter().map(|order| facade::encode::<R>(&view, order)).collect()
        }
        None => Vec::new(),
    };
    [Viewer::Side(Side::B), Viewer::Spectator].map(|viewer| all_that_is_shown(battle, viewer, &drafts))
}

/// Whatever one side has sealed in the first turns of a scenario, the other is shown the same; how many answers were
/// compared.
pub fn sealed_answers_tell_nothing<R: Telling>(id: &str, seed: u64, turns: u16) -> usize {
    let mut battle =
        Battle::<R>::seeded(opening(rules::scenario(id).unwrap()), Seed::from_number(seed), Keep::Everything);
    let mut compared = 0;
    while battle.state().turn() <= turns && until(&mut battle, |_| true) {
        let asked = battle.asked().unwrap().clone();
        let choices = {
            let view = battle.view(Viewer::Side(Side::A));
            R::candidates(&view, &asked, Side::A, &mut Lots::new(u64::from(asked.no.0)), 6)
        };
        if asked.who == engine::Who::Both && battle.state().sealed(Side::B).is_none() {
            let sealed = |order: &R::Order| {
                let mut other = Battle::<R>::seeded(battle.state().clone(), Seed::from_number(1), Keep::Everything);
                if let Err(error) = other.submit(Side::A, asked.no, order.clone()).map(|_| ()) {
                    panic!("{error:?}");
                }
                shown_to_others(&other)
            };
            let told: Vec<[String; 2]> = choices.iter().map(sealed).collect();
            compared += told.windows(2).filter(|pair| pair[0] == pair[1]).count();
            assert!(told.windows(2).all(|pair| pair[0] == pair[1]), "{id}: {:?}", asked.decision);
        }
        let first = choices.into_iter().next().unwrap();
        if let Err(error) = battle.submit(Side::A, asked.no, first).map(|_| ()) {
            panic!("{error:?}");
        }
    }
    compared
}
