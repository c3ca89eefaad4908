//! Whole battles in which every way to answer is looked at: each draft, its blanks filled, can be read; presses are legal.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::Days;
use crate::order::{Decision, Order};
use engine::battle::Keep;
use engine::scene::{Gesture, PlanKind, Prompt};
use engine::setup::{Mode, muster};
use engine::{Asked, Battle, Lots, Ruleset, Seed, Side, Telling, View, Viewer, blanks, facade};
use serde_json::{Value, json};

const SETUPS: [&str; 2] =
    [include_str!("../../../muster/tests/iron.toml"), include_str!("../../../muster/tests/empire.toml")];

/// So many answers are looked at in each battle.
const ANSWERS: usize = 100;

/// Every draft a gesture can make, with small figures in its blanks.
fn drafts(gesture: &Gesture) -> Vec<Value> {
    let fill = |draft: &Value, blank: &str, with: Value| blanks::fill(draft, blank, &with);
    match gesture {
        Gesture::Button { draft, .. } => vec![draft.clone()],
        Gesture::PickUnits { from, draft, .. } => from.iter().map(|key| fill(draft, "$piece", json!(key))).collect(),
        Gesture::PickTarget { at, draft, .. } => at.iter().map(|key| fill(draft, "$target", json!(key))).collect(),
        Gesture::DrawPath { draft, .. } => {
            vec![fill(&fill(draft, "$legs", json!(["ahead 1in"])), "$point", json!(["20in", "20in"]))]
        }
        Gesture::PickFormation { into, draft, .. } => {
            into.iter().map(|word| fill(draft, "$formation", json!(word))).collect()
        }
        Gesture::LayBlocks { .. } | Gesture::DealDice { .. } => panic!("no such gesture in these games"),
        Gesture::Plan { kind, pieces, draft, .. } => match kind {
            PlanKind::Place { .. } | PlanKind::Spots => Vec::new(),
            PlanKind::Sequence | PlanKind::Subset { .. } => vec![fill(draft, "$plan", json!(pieces))],
            PlanKind::Each { options } => {
                assert_eq!(pieces, &options.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>());
                let entries = options.iter().flat_map(|(_, list)| list.iter().flat_map(drafts));
                let entries: Vec<Value> = entries.filter(|entry| !entry.is_null()).collect();
                entries.into_iter().map(|entry| fill(draft, "$plan", json!([entry]))).collect()
            }
        },
    }
}

/// Paths are drawn anywhere, so what they give may be refused; everything else that is offered is legal.
fn is_sure(gesture: &Gesture) -> bool {
    match gesture {
        Gesture::DrawPath { .. } => false,
        // Whether there is room for a formation is told when it is chosen.
        Gesture::PickFormation { draft, .. } => draft.get("march").is_none(),
        Gesture::Plan { kind: PlanKind::Each { options }, .. } => {
            !options.iter().any(|(_, list)| list.iter().any(|one| matches!(one, Gesture::DrawPath { .. })))
        }
        _ => true,
    }
}

fn look_at(view: &View<'_, Days>, asked: &Asked<Days>, side: Side, prompt: &Prompt) {
    assert!(prompt.question.contains('?') && prompt.question.len() > 10, "{}", prompt.question);
    assert!(prompt.clause.contains('.') && !prompt.gestures.is_empty(), "{prompt:?}");
    for gesture in &prompt.gestures {
        for draft in drafts(gesture) {
            let order = facade::decode::<Days>(view, &draft).unwrap_or_else(|error| panic!("{error}: {draft}"));
            let _ = Days::ghosts(view, asked, side, &order);
            let _ = Days::aims(view, asked, side, Some(&order));
            if is_sure(gesture) {
                let verdict = Days::check(view, asked, side, &order);
                assert!(verdict.is_legal(), "{:?}: {draft}: {verdict:?}", asked.decision);
            }
        }
    }
}

#[test]
fn every_way_to_answer_is_an_order() {
    let mut seen: Vec<String> = Vec::new();
    for (text, seed) in SETUPS.into_iter().flat_map(|text| [(text, 3), (text, 8)]) {
        let state = muster::<Days>(text, None, Mode::Battle).unwrap_or_else(|faults| panic!("{faults}")).state;
        let mut battle = Battle::seeded(state, Seed::from_number(seed), Keep::Events);
        let mut lots = Lots::new(seed);
        for answer in 0..ANSWERS {
            let Some(side) = battle.awaited() else { break };
            let view = battle.view(Viewer::Side(side));
            let asked = view.asked().unwrap().clone();
            let word = format!("{:?}", asked.decision);
            seen.push(word.split([' ', '{']).next().unwrap_or_default().to_owned());
            let prompt = Days::prompt(&view, &asked, side);
            look_at(&view, &asked, side, &prompt);
            if answer % 9 == 0 {
                view.units().for_each(|(unit, _)| {
                    let _ = Days::sketches(&view, unit);
                });
                view.commanders().for_each(|(general, _)| {
                    let _ = Days::officer_sketches(&view, general);
                });
            }
            let keys: Vec<String> = Days::extras(&view).into_iter().map(|piece| piece.key).collect();
            assert!(keys.iter().enumerate().all(|(no, key)| !keys[..no].contains(key)), "{keys:?}");
            let _ = Days::aims(&view, &asked, side, None);
            let orders = Days::candidates(&view, &asked, side, &mut lots, 6);
            let order = lots.pick(&orders).cloned().unwrap_or(Order::Pass);
            let _ = Days::ghosts(&view, &asked, side, &order);
            battle.submit(side, asked.no, order).unwrap();
        }
    }
    for question in ["Reserves", "DeployBrigade", "Charges", "Fire", "Move", "Rally"] {
        assert!(seen.iter().any(|one| one == question), "nobody was asked for {question}");
    }
}

#[test]
fn brigades_kept_off_are_drawn_for_their_owner_alone() {
    let state = muster::<Days>(SETUPS[0], None, Mode::Battle).unwrap_or_else(|faults| panic!("{faults}")).state;
    let mut battle = Battle::seeded(state, Seed::from_number(1), Keep::Events);
    let mut kept = None;
    for _ in 0..40 {
        let Some(side) = battle.awaited() else { break };
        let view = battle.view(Viewer::Side(side));
        let asked = view.asked().unwrap().clone();
        let off = |id: &engine::CommandId| {
            let order = Order::Reserve { off: vec![*id], hidden: Vec::new(), works: Vec::new() };
            Days::check(&view, &asked, side, &order).is_legal()
        };
        let brigade = view.muster().command_ids().find(off).filter(|_| asked.decision == Decision::Reserves);
        let order = match brigade {
            Some(id) => {
                kept = Some((side, format!("@absent-{}", view.muster().command(id).key)));
                Order::Reserve { off: vec![id], hidden: Vec::new(), works: Vec::new() }
            }
            None => Order::Pass,
        };
        battle.submit(side, asked.no, order).unwrap();
    }
    let Some((side, key)) = kept else { return };
    let drawn = |viewer| Days::extras(&battle.view(viewer)).iter().any(|piece| piece.key == key);
    assert!(drawn(Viewer::Side(side)));
    assert!(!drawn(Viewer::Side(side.other())) && !drawn(Viewer::Spectator));
}
