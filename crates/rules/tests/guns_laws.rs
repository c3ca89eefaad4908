//! Laws of `guns`: a sealed plan is nobody's but its maker's, and an ambush is not given away.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests fail by panicking, as tests do

mod common;

use common::{opening, sealed_answers_tell_nothing, until};
use engine::battle::Keep;
use engine::{Battle, Ruleset, Seed, Side, Viewer};
use rules::guns::Guns;
use rules::guns::candidates;
use rules::guns::order::{Decision, Order};

/// Whatever one side has sealed, the other is shown the same: plans, deals of dice, targets.
#[test]
fn a_sealed_answer_changes_nothing_that_is_shown() {
    for id in ["guns/alma", "guns/le-cateau"] {
        for seed in 0..2 {
            let compared = sealed_answers_tell_nothing::<Guns>(id, seed, 3);
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
