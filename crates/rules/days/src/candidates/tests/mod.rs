//! Whole battles of random choices: every candidate is legal, and every battle comes to its end.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::Days;
use crate::order::Order;
use engine::battle::Keep;
use engine::setup::{Mode, muster};
use engine::{Battle, Lots, Ruleset, Seed, Viewer};

pub(crate) const IRON: &str = include_str!("../../muster/tests/iron.toml");
pub(crate) const EMPIRE: &str = include_str!("../../muster/tests/empire.toml");

/// More answers than any battle of this size needs.
const MOST: usize = 6000;

fn play(text: &str, seed: u64) -> (Battle<Days>, usize) {
    let state = muster::<Days>(text, None, Mode::Battle).unwrap_or_else(|faults| panic!("{faults}")).state;
    let mut battle = Battle::seeded(state, Seed::from_number(seed), Keep::Events);
    let mut lots = Lots::new(seed);
    let mut answers = 0;
    while let Some(side) = battle.awaited() {
        let view = battle.view(Viewer::Side(side));
        let asked = view.asked().unwrap().clone();
        let orders = Days::candidates(&view, &asked, side, &mut lots, 6);
        assert!(orders.contains(&Order::Pass) && orders.len() <= 6, "{orders:?}");
        let order = lots.pick(&orders).cloned().unwrap();
        let told = format!("{:?}: {order:?}", asked.decision);
        battle.submit(side, asked.no, order).unwrap_or_else(|refused| panic!("{told}: {refused:?}"));
        assert!(battle.fault().is_none(), "{told}: {:?}", battle.fault());
        answers += 1;
        assert!(answers < MOST, "the battle does not end: {told}");
    }
    (battle, answers)
}

#[test]
fn random_battles_come_to_their_end() {
    for text in [IRON, EMPIRE] {
        for seed in 0..4 {
            let (battle, answers) = play(text, seed);
            assert!(battle.state().outcome().is_some() && answers > 40, "{answers} answers");
        }
    }
}
