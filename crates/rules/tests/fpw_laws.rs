//! Laws of `fpw`: what is behind the veil of a hidden set-up.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests fail by panicking, as tests do

mod common;

use common::{all_that_is_shown, opening};
use engine::battle::Keep;
use engine::facade;
use engine::{Battle, Lots, Ruleset, Seed, Side, Viewer};
use rules::fpw::Fpw;
use rules::fpw::deployment;
use rules::fpw::order::{Decision, Order, What};
use serde_json::Value;
use table::Length;

/// The outposts up to the first side's second turn, with one of two sets of secrets of the second side: where its troops
/// stand, and whether they march in hiding.
fn with_secrets(variant: usize) -> Battle<Fpw> {
    let scenario = rules::scenario("fpw/outposts").unwrap();
    let mut battle = Battle::<Fpw>::seeded(opening(scenario), Seed::from_number(11), Keep::Everything);
    let first = battle.state().ledger().first;
    let mut marched = false;
    for _ in 0..60 {
        let Some(side) = battle.awaited() else { break };
        let asked = battle.asked().unwrap().clone();
        if battle.state().turn() == 2 && matches!(asked.decision, Decision::Command { .. }) && side == first {
            break;
        }
        let state = battle.state();
        let secret = side != first && variant == 1;
        let answer = match &asked.decision {
            Decision::Deploy if secret => deeper(deployment::as_drawn_up(state, side), first),
            Decision::Command { .. } if secret && !marched => {
                marched = true;
                let unit = state.present(side).map(|(id, _)| id).next().unwrap();
                let general = rules::fpw::command::holder(state, unit).unwrap();
                Order::Command { general, what: What::Reform, units: vec![unit] }
            }
            _ => Order::Pass,
        };
        if let Err(error) = battle.submit(side, asked.no, answer).map(|_| ()) {
            panic!("{error:?}");
        }
    }
    battle
}

/// The same deployment a little further from the enemy.
fn deeper(order: Order, enemy: Side) -> Order {
    let Order::Deploy { mut units, commanders, scouts } = order else { panic!("{order:?}") };
    let back = Length::inches(if enemy == Side::A { 0.2 } else { -0.2 });
    for placement in &mut units {
        placement.pose.at.y += back;
    }
    Order::Deploy { units, commanders, scouts }
}

#[test]
fn law_4_a_hidden_set_up_changes_nothing_that_is_shown() {
    let battles = [with_secrets(0), with_secrets(1)];
    assert_ne!(battles[0].hash(), battles[1].hash(), "the battles do differ behind the veil");
    let first = battles[0].state().ledger().first;
    assert_eq!(battles[0].awaited(), Some(first));
    let drafts: Vec<Value> = {
        let view = battles[0].view(Viewer::Side(first));
        let asked = battles[0].asked().unwrap();
        let found = Fpw::candidates(&view, asked, first, &mut Lots::new(3), 60);
        found.iter().map(|order| facade::encode(&view, order)).collect()
    };
    let hidden: Vec<String> = battles[0]
        .state()
        .units()
        .filter(|(_, unit)| unit.side != first && unit.whereabouts == engine::Whereabouts::Hidden)
        .map(|(id, _)| battles[0].state().card(id).key.clone())
        .collect();
    assert!(hidden.len() > 5, "nobody hides: {hidden:?}");
    for viewer in [Viewer::Side(first), Viewer::Spectator] {
        let shown = battles.each_ref().map(|battle| all_that_is_shown(battle, viewer, &drafts));
        for key in &hidden {
            assert!(!shown[0].contains(&format!("@{key}\"")), "{viewer:?} reads the name of {key}");
        }
        let shown = shown.each_ref().map(|text| numbered(text));
        let differs = shown[0].bytes().zip(shown[1].bytes()).position(|(a, b)| a != b);
        let around = |text: &str, at: usize| text.chars().skip(at.saturating_sub(300)).take(600).collect::<String>();
        if let Some(at) = differs {
            panic!("{viewer:?} could tell:\n{}\n\n{}", around(&shown[0], at), around(&shown[1], at));
        }
        assert_eq!(shown[0].len(), shown[1].len());
    }
    let own = battles.each_ref().map(|battle| all_that_is_shown(battle, Viewer::Side(first.other()), &[]));
    assert_ne!(own[0], own[1], "their owner sees them");
}

/// The text without the numbers of questions: how many the other side answered is no secret worth keeping.
fn numbered(shown: &str) -> String {
    let mut kept = String::new();
    let mut rest = shown;
    while let Some(at) = rest.find("\"no\":") {
        kept.push_str(&rest[..at]);
        rest = rest[at + 5..].trim_start_matches(|c: char| c.is_ascii_digit());
    }
    kept + rest
}
