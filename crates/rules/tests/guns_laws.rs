//! Laws of `guns`: a sealed plan is nobody's but its maker's, and an ambush is not given away.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests fail by panicking, as tests do

mod common;

use common::{all_that_is_shown, opening};
use engine::battle::Keep;
use engine::facade;
use engine::{Battle, Lots, Ruleset, Seed, Side, Viewer};
use rules::guns::Guns;
use rules::guns::candidates;
use rules::guns::order::{Decision, Order};
use serde_json::Value;

/// How many bounds are looked at.
const BOUNDS: u16 = 3;

/// Plays on until a side is asked the question wanted, with the answers the house would give.
fn until(battle: &mut Battle<Guns>, wanted: impl Fn(&Decision) -> bool) -> bool {
    for _ in 0..400 {
        let Some(side) = battle.awaited() else { return false };
        let asked = battle.asked().unwrap().clone();
        if side == Side::A && wanted(&asked.decision) {
            return true;
        }
        let order = {
            let view = battle.view(Viewer::Side(side));
            let mut lots = Lots::new(u64::from(asked.no.0));
            Guns::candidates(&view, &asked, side, &mut lots, 4).swap_remove(0)
        };
        if let Err(error) = battle.submit(side, asked.no, order).map(|_| ()) {
            panic!("{error:?}");
        }
    }
    false
}

/// Everything the other side and a watcher are shown.
fn shown_to_others(battle: &Battle<Guns>) -> [String; 2] {
    let view = battle.view(Viewer::Side(Side::B));
    let drafts: Vec<Value> = match battle.asked() {
        Some(asked) => {
            let found = Guns::candidates(&view, asked, Side::B, &mut Lots::new(3), 6);
            found.iter().map(|order| facade::encode::<Guns>(&view, order)).collect()
        }
        None => Vec::new(),
    };
    [Viewer::Side(Side::B), Viewer::Spectator].map(|viewer| all_that_is_shown(battle, viewer, &drafts))
}

/// Whatever one side has sealed, the other is shown the same: plans, deals of dice, targets.
#[test]
fn a_sealed_answer_changes_nothing_that_is_shown() {
    for id in ["guns/alma", "guns/le-cateau"] {
        let scenario = rules::scenario(id).unwrap();
        for seed in 0..2 {
            let mut battle = Battle::<Guns>::seeded(opening(scenario), Seed::from_number(seed), Keep::Everything);
            let mut compared = 0;
            while battle.state().turn() <= BOUNDS && until(&mut battle, |_| true) {
                let asked = battle.asked().unwrap().clone();
                let choices = {
                    let view = battle.view(Viewer::Side(Side::A));
                    Guns::candidates(&view, &asked, Side::A, &mut Lots::new(u64::from(asked.no.0)), 6)
                };
                if asked.who == engine::Who::Both && battle.state().sealed(Side::B).is_none() {
                    let told: Vec<[String; 2]> = choices
                        .iter()
                        .map(|order| {
                            let mut other =
                                Battle::<Guns>::seeded(battle.state().clone(), Seed::from_number(1), Keep::Everything);
                            if let Err(error) = other.submit(Side::A, asked.no, order.clone()).map(|_| ()) {
                                panic!("{error:?}");
                            }
                            shown_to_others(&other)
                        })
                        .collect();
                    compared += told.windows(2).filter(|pair| pair[0] == pair[1]).count();
                    assert!(told.windows(2).all(|pair| pair[0] == pair[1]), "{id}: {:?}", asked.decision);
                }
                let first = choices.into_iter().next().unwrap();
                battle.submit(Side::A, asked.no, first).map(|_| ()).unwrap();
            }
            assert!(compared > 3, "{id}: only {compared} sealed answers were compared");
        }
    }
}

/// A plan of the house is legal wherever it is asked for, and so is whatever wishes are settled into.
#[test]
fn wishes_are_settled_into_legal_plans() {
    let scenario = rules::scenario("guns/colombey").unwrap();
    let mut battle = Battle::<Guns>::seeded(opening(scenario), Seed::from_number(5), Keep::Everything);
    let mut plans = 0;
    while until(&mut battle, |decision| matches!(decision, Decision::Plot)) {
        let asked = battle.asked().unwrap().clone();
        let order = {
            let view = battle.view(Viewer::Side(Side::A));
            let dutiful = rules::guns::plot::dutiful(&view, Side::A);
            let settled = candidates::settle(&view, &asked, Side::A, dutiful);
            assert!(Guns::check(&view, &asked, Side::A, &settled).is_legal());
            assert!(Guns::check(&view, &asked, Side::A, &Order::Pass).is_legal());
            settled
        };
        plans += 1;
        battle.submit(Side::A, asked.no, order).map(|_| ()).unwrap();
    }
    assert!(plans > 5, "only {plans} plans were made");
}
