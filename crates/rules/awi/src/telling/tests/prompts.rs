//! Prompts whose drafts the rules accept, and what cards and ribbon say beside them.

use super::*;
use engine::blanks::fill as filled;
use engine::scene::{Gesture, PlanKind};
use engine::{Ruleset, facade};
use serde_json::{Value, json};

/// Every draft a gesture can make, with small figures in its blanks.
fn drafts(gesture: &Gesture, placed: &Value) -> Vec<Value> {
    match gesture {
        Gesture::Button { draft, .. } => vec![draft.clone()],
        Gesture::PickUnits { from, draft, .. } => from.iter().map(|key| filled(draft, "$piece", &json!(key))).collect(),
        Gesture::PickTarget { at, draft, .. } => at.iter().map(|key| filled(draft, "$target", &json!(key))).collect(),
        Gesture::DrawPath { draft, .. } => {
            vec![filled(&filled(draft, "$legs", &json!(["turn right 0"])), "$point", &json!(["20in", "20in"]))]
        }
        Gesture::PickFormation { into, draft, .. } => {
            let facing = |word: &String| filled(&filled(draft, "$formation", &json!(word)), "$facing", &json!(180));
            into.iter().map(facing).collect()
        }
        Gesture::LayBlocks { draft, .. } => {
            vec![filled(&filled(draft, "$bearing", &json!(180)), "$distance", &json!("12in"))]
        }
        Gesture::DealDice { .. } => Vec::new(),
        Gesture::Plan { kind, pieces, draft, .. } => match kind {
            PlanKind::Place { .. } => vec![placed.clone()],
            PlanKind::Spots => vec![filled(draft, "$plan", &json!([]))],
            PlanKind::Sequence | PlanKind::Subset { .. } => vec![filled(draft, "$plan", &json!(pieces))],
            PlanKind::Each { options } => {
                let most = options.iter().map(|(_, gestures)| gestures.len()).max().unwrap_or(0);
                let entry = |n: usize, gestures: &[Gesture]| drafts(&gestures[n % gestures.len()], placed)[0].clone();
                let plan = |n: usize| options.iter().map(|(_, gestures)| entry(n, gestures)).collect::<Vec<_>>();
                (0..most).map(|n| filled(draft, "$plan", &json!(plan(n)))).collect()
            }
        },
    }
}

/// The words on a gesture and the piece it is about.
fn label(gesture: &Gesture) -> (&str, Option<&str>) {
    match gesture {
        Gesture::Button { label, of, .. } => (label, of.as_deref()),
        Gesture::PickTarget { label, by, .. } => (label, Some(by)),
        Gesture::DrawPath { label, unit, .. }
        | Gesture::PickFormation { label, unit, .. }
        | Gesture::LayBlocks { label, unit, .. } => (label, Some(unit)),
        Gesture::PickUnits { label, .. } | Gesture::Plan { label, .. } => (label, None),
        Gesture::DealDice { .. } => ("Dice", None),
    }
}

/// Labels say the act, in a capital; a brigade alone is named, for it has no piece. A key presses one thing of a piece.
fn check_labels(field: &Field, prompt: &Prompt) {
    let mut keys: Vec<(Option<&str>, char)> = Vec::new();
    for gesture in &prompt.gestures {
        let (text, about) = label(gesture);
        assert!(text.starts_with(|letter: char| !letter.is_lowercase()), "{text}");
        let of_brigade = text.split_once(": ").is_some_and(|(name, _)| {
            name == "All brigades" || field.muster().commands.iter().any(|card| card.name == name)
        });
        assert!(of_brigade || !text.contains(": "), "{text}");
        let named = !of_brigade && field.muster().units.iter().any(|card| text.contains(&card.name));
        assert!(!named, "{text} names a unit that {about:?} says already");
        if let Gesture::Button { key: Some(key), of, .. } = gesture {
            let entry = (of.as_deref(), *key);
            assert!(!keys.contains(&entry), "{entry:?} twice");
            keys.push(entry);
        }
    }
}

fn check_prompt(battle: &Battle<Awi>) {
    let (asked, side) = (battle.asked().expect("a question"), battle.awaited().expect("somebody"));
    let view = battle.view(Viewer::Side(side));
    let prompt = Awi::prompt(&view, asked, side);
    assert!(!prompt.gestures.is_empty() && prompt.clause.starts_with("awi."), "{prompt:?}");
    check_labels(&view, &prompt);
    let first = Awi::candidates(&view, asked, side, &mut engine::Lots::new(1), 4).swap_remove(0);
    let placed = facade::encode::<Awi>(&view, &first);
    for gesture in &prompt.gestures {
        for draft in drafts(gesture, &placed) {
            let order = facade::decode::<Awi>(&view, &draft).unwrap_or_else(|error| panic!("{error}: {draft}"));
            let verdict = Awi::check(&view, asked, side, &order);
            let complete = matches!(
                gesture,
                Gesture::Button { .. } | Gesture::PickUnits { .. } | Gesture::PickTarget { .. } | Gesture::Plan { .. }
            );
            assert!(verdict.is_legal() || !complete, "{draft}: {verdict:?}");
        }
    }
}

#[test]
fn what_a_prompt_offers_the_rules_accept() {
    for scenario in ["skirmish", "cowpens", "freemans-farm", "birmingham-hill", "savannah"] {
        let mustered = setup::muster::<Awi>(&scenario_text(scenario), None, Mode::Battle).expect("a sound set-up");
        let mut battle = Battle::seeded(mustered.state, Seed::from_number(2), engine::battle::Keep::Events);
        for _ in 0..16 {
            check_prompt(&battle);
            let (side, no) = (battle.awaited().expect("somebody"), battle.asked().expect("a question").no);
            battle.submit(side, no, Order::Pass).expect("passing is legal");
        }
    }
}

#[test]
fn nothing_is_measured_beforehand() {
    let desk = Desk::new("skirmish");
    let view = desk.battle.view(Viewer::Side(Side::A));
    assert!(Awi::may_measure(&view).is_err_and(|note| note.clause.0 == "awi.12-a"));
    let lines = Awi::card(&view, desk.unit("regulars")).join("\n");
    assert!(lines.contains("40th Foot") && lines.contains("Marks:") && !lines.contains("would add"), "{lines}");
    assert_eq!(Awi::when(&view), "Round 1 of 12, British turn: Movement");
}

#[test]
fn cards_say_what_may_be_done_and_why_not() {
    let mut desk = Desk::new("skirmish");
    let unit = desk.unit("regulars");
    let last = |desk: &Desk, viewer: Viewer| Awi::card(&desk.battle.view(viewer), unit).pop().expect("a line");
    let may = last(&desk, Viewer::Side(Side::A));
    assert!(may.starts_with("May: move; half move, then fire; ") && may.ends_with("hold"), "{may}");
    assert!(!last(&desk, Viewer::Side(Side::B)).contains("May"), "nobody reads the enemy's mind");
    let no = desk.battle.asked().expect("a question").no;
    desk.battle.submit(Side::A, no, Order::Hold { unit }).expect("it may hold");
    let lines = last(&desk, Viewer::Side(Side::A));
    assert_eq!(lines, "May not act: it has held already this turn [awi.3d-e]");
    let theirs = desk.unit("militia");
    let card = Awi::card(&desk.battle.view(Viewer::Side(Side::B)), theirs).join("\n");
    assert!(card.ends_with("Waits: it is the enemy’s turn [awi.1-h]"), "{card}");
    let officer = Awi::officer_card(&desk.battle.view(Viewer::Side(Side::A)), desk.commander("Major Ashcombe"));
    assert_eq!(
        officer,
        [
            "Major Ashcombe",
            "Brigade commander, normal: +0 to tests near him, +1 to a unit he touches",
            "Commands Ashcombe's party",
            "May ride 8″ this turn"
        ]
    );
}

#[test]
fn the_ribbon_follows_the_battle() {
    let mustered = setup::muster::<Awi>(&scenario_text("skirmish"), None, Mode::Battle).expect("a sound set-up");
    let before = Battle::seeded(mustered.state, Seed::from_number(1), engine::battle::Keep::Events);
    assert_eq!(Awi::ribbon(before.state()), (vec!["Set-up", "Rally", "Movement", "Firing", "Melee"], Some(0)));
    let desk = Desk::new("skirmish");
    assert_eq!(Awi::ribbon(desk.field()), (vec!["Rally", "Movement", "Firing", "Melee"], Some(1)));
}

fn mustered_deployed(battle: &Battle<Awi>) -> bool {
    battle.state().muster().scenario.deployed
}

#[test]
fn a_deployment_lists_every_piece_with_its_formations() {
    for scenario in scenario_names() {
        let mustered = setup::muster::<Awi>(&scenario_text(&scenario), None, Mode::Battle).expect("a sound set-up");
        let battle = Battle::seeded(mustered.state, Seed::from_number(2), engine::battle::Keep::Events);
        let (asked, side) = (battle.asked().expect("a question"), battle.awaited().expect("somebody"));
        if mustered_deployed(&battle) {
            assert_ne!(asked.decision, Decision::Deploy, "{scenario}");
            continue;
        }
        let view = battle.view(Viewer::Side(side));
        let prompt = Awi::prompt(&view, asked, side);
        let Some(Gesture::Plan { kind: PlanKind::Place { formations, zones }, pieces, .. }) = prompt.gestures.first()
        else {
            panic!("{scenario}: {prompt:?}")
        };
        assert!(!zones.is_empty() && pieces.len() == formations.len(), "{scenario}");
        let first = Awi::candidates(&view, asked, side, &mut engine::Lots::new(1), 4).swap_remove(0);
        let Order::Deploy { units, commanders } = first else { panic!("{scenario}: {first:?}") };
        assert_eq!(units.len() + commanders.len(), pieces.len(), "{scenario}");
        for placement in units {
            let key = format!("@{}", view.card(placement.unit).key);
            let words = &formations.iter().find(|(piece, _)| *piece == key).expect("listed").1;
            assert!(words.iter().any(|word| word == placement.formation.word()), "{key}: {words:?}");
        }
    }
}
