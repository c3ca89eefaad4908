//! Laws of `days`: what is declared in secret stays secret, and so do those who hide or wait beyond the edge.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests fail by panicking, as tests do

mod common;

use common::{all_that_is_shown, begun, scenario_text, sealed_answers_tell_nothing, until};
use engine::{Ruleset, Side, Viewer, Whereabouts};
use rules::days::Days;
use rules::days::order::Decision;

/// Rallying, targets and fire kept back: whatever one side has sealed, the other is shown the same.
#[test]
fn a_sealed_answer_changes_nothing_that_is_shown() {
    for id in ["iron/lesson", "iron/mars-la-tour", "empire/lesson", "empire/balaclava"] {
        let compared = sealed_answers_tell_nothing::<Days>(id, 1, 4);
        assert!(compared > 1, "{id}: only {compared} sealed answers were compared");
    }
}

/// Whoever hides is on the table for his owner, and nowhere for the enemy and the watcher; and those whom a scenario
/// hides are not seen before anybody has moved.
#[test]
fn whoever_hides_is_not_given_away() {
    let mut looked = 0;
    for scenario in rules::SCENARIOS.iter().filter(|scenario| Days::edition_no(scenario.ruleset).is_some()) {
        let mut battle = begun::<Days>(&scenario_text(scenario.id), 4);
        until(&mut battle, |decision| matches!(decision, Decision::Charges | Decision::Fire | Decision::Move));
        let state = battle.state();
        for side in Side::BOTH {
            let hidden: Vec<String> = state
                .units()
                .filter(|(id, unit)| state.side_of(*id) == side && unit.whereabouts == Whereabouts::Hidden)
                .map(|(id, _)| format!("@{}", state.card(id).key))
                .collect();
            let meant = &state.muster().scenario.in_hiding;
            let meant =
                state.units().filter(|(id, _)| state.side_of(*id) == side && meant.get(id.index()) == Some(&true));
            assert_eq!(hidden.len(), meant.count(), "{}", scenario.id);
            looked += hidden.len();
            for viewer in [Viewer::Side(side.other()), Viewer::Spectator] {
                let told = all_that_is_shown(&battle, viewer, &[]);
                let given_away = hidden.iter().find(|key| told.contains(&format!("\"{key}\"")));
                assert_eq!(given_away, None, "{}", scenario.id);
            }
            let own = all_that_is_shown(&battle, Viewer::Side(side), &[]);
            assert!(hidden.iter().all(|key| own.contains(key.as_str())), "{}: {hidden:?}", scenario.id);
        }
    }
    assert!(looked > 2, "only {looked} hide");
}
