//! Random play for the tests of this crate.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests fail by panicking, as tests do
#![allow(dead_code)] // each test uses some of them

use engine::battle::Keep;
use engine::setup::{self, Mode};
use engine::{Battle, Lots, Ruleset, Seed, Side, State, Viewer};
use rules::awi::Awi;
use rules::{SCENARIOS, Scenario};
use table::{Length, Point};

const SEEDS: u64 = 3;

/// The state a scenario starts from.
pub fn opening(scenario: &Scenario) -> State<Awi> {
    match setup::muster::<Awi>(scenario.text, None, Mode::Battle) {
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

/// Every scenario with a few seeds.
pub fn each_battle(mut test: impl FnMut(&Scenario, u64, Battle<Awi>)) {
    for scenario in SCENARIOS {
        for number in 0..SEEDS {
            test(scenario, number, Battle::seeded(opening(scenario), Seed::from_number(number), Keep::Everything));
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
pub fn begun(text: &str, seed: u64) -> Battle<Awi> {
    match setup::muster::<Awi>(text, None, Mode::Battle) {
        Ok(mustered) => Battle::seeded(mustered.state, Seed::from_number(seed), Keep::Everything),
        Err(faults) => panic!("{faults}"),
    }
}
