//! A book's charts can be taken out, corrected and played with.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests fail by panicking, as tests do

use engine::{Ruleset, Seed};

/// The first scenario of a book.
fn setup(id: &str) -> &'static str {
    rules::SCENARIOS.iter().find(|scenario| scenario.ruleset == id).unwrap().text
}

#[test]
fn exported_charts_left_alone_change_nothing() {
    for id in rules::IDS {
        let text = rules::charts_file(id).unwrap().unwrap_or_else(|faults| panic!("{id}: {faults}"));
        rules::dispatch!(*id, R => {
            let mustered = |house| engine::setup::muster::<R>(setup(id), house, engine::setup::Mode::Battle);
            let (plain, with) = (mustered(None).unwrap(), mustered(Some(text.as_str())).unwrap());
            assert!(plain.state.charts() == with.state.charts(), "{id}");
            assert_eq!(R::edition_no(id), Some(plain.state.muster().edition));
        });
        let figures = text.lines().filter(|line| line.contains(" # ")).count();
        assert!(figures > 50, "{id}: only {figures} figures with a source");
    }
}

#[test]
fn one_corrected_figure_is_played_and_a_bad_one_is_named_with_its_line() {
    let text = rules::charts_file("awi").unwrap().unwrap();
    let line = text.lines().position(|line| line.starts_with("marks = ")).unwrap();
    let old = text.lines().nth(line).unwrap();
    let corrected = text.replacen(old, "marks = 7", 1);
    rules::start(setup("awi"), Some(&corrected), Seed::from_number(1)).unwrap();
    let spoiled = text.replacen(old, "marks = 7000", 1);
    let Err(wrong) = rules::start(setup("awi"), Some(&spoiled), Seed::from_number(1)) else { panic!("taken") };
    let said = wrong.to_string();
    assert!(said.contains(&(line + 1).to_string()) && said.contains("7000"), "{said}");
}

/// Places of a set-up or a file of house rules, other than switches, by which players settle something.
const PLACES: [&str; 8] = [
    "settings",
    "turn_limit",
    "disputes",
    "table.size",
    "table.features",
    "table.features.*.nature",
    "sides.*.zone",
    "house.charts.stand",
];

#[test]
fn a_clause_names_a_setting_that_exists() {
    for id in rules::IDS {
        let registry = rules::registry(id).unwrap().unwrap_or_else(|faults| panic!("{id}: {faults}"));
        let switches = rules::dispatch!(*id, R => serde_json::to_value(<R as Ruleset>::Settings::default()).unwrap());
        let switches = switches.unwrap();
        let is_there = |name: &str| switches.get(name).is_some() || PLACES.contains(&name);
        for clause in &registry.clauses {
            let Some(setting) = clause.setting.as_deref() else { continue };
            assert!(is_there(setting), "{}: there is no setting {setting}", clause.id);
        }
    }
}
