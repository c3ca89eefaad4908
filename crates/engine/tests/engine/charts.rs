//! Figures with their papers, house rules over them, and the registry of clauses.

use crate::toy::*;
use engine::battle::Keep;
use engine::chart::{Bounded, ChartTree, Cited, Source};
use engine::setup::{self, Mode};
use engine::{Battle, ClauseKind, Faults, Fixed, Reckoning, Registry, Ruleset, Side, State, UnitId};
use serde_json::json;
use table::Length;
use table::march::Leg;

fn inches(inches: i32) -> Length {
    Length::whole_inches(inches)
}

/// A set-up with house rules in it.
fn with_house(house: &str) -> String {
    format!("{MEADOW}\n{house}")
}

/// A house-rule file.
fn house_file(rules: &str) -> String {
    format!("format = \"grognard/house 1\"\nruleset = \"ambush\"\ntitle = \"Ours\"\nabout = \"A trial\"\n{rules}")
}

fn mustered(text: &str, house: Option<&str>) -> State<Ambush> {
    setup::muster::<Ambush>(text, house, Mode::Battle).unwrap_or_else(|faults| panic!("{faults}")).state
}

/// Line, entry and complaint of every fault.
fn listed(faults: &Faults) -> Vec<(usize, String, String)> {
    faults.faults.iter().map(|fault| (fault.line, fault.path.clone(), fault.what.clone())).collect()
}

#[test]
fn papers_are_inherited_and_overridden() {
    let state = state(MEADOW);
    let charts = state.charts();
    assert_eq!(charts.march.allowance, Cited::new(inches(6), Source::Printed));
    assert_eq!((charts.march.most_legs.value.get(), charts.march.most_legs.source), (3, Source::Ours(7)));
    assert_eq!(charts.sight.discovery, Cited::new(inches(4), Source::Reconstructed(4)));
    assert_eq!((charts.fire.endures.value.get(), charts.fire.endures.source), (2, Source::Derived));
    assert_eq!(charts.fire.range.close, Cited::new(inches(4), Source::Ours(9)));
    assert_eq!(charts.fire.bands.value.len(), 2);
    let cells = ChartTree::printed(Ambush::EDITIONS[0].charts).unwrap();
    assert_eq!(cells.cells()["fire"]["need"], json!({ "v": 8, "source": "printed" }));
    assert_eq!(cells.cells()["sight"]["discovery"], json!({ "v": "4in", "source": "reconstructed 4" }));
    assert!(cells.cells()["fire"].get("clause").is_none(), "papers are not figures");
}

#[test]
fn tables_inside_tables_inherit_until_they_say_otherwise() {
    let text = "source = \"derived\"\none = 1\n[a]\ntwo = 2\n[a.b]\nsource = \"ours\"\nruling = 5\nthree = 3\n[a.b.c]\nfour = 4\nfive = { v = 5, source = \"printed\" }\n";
    let tree = ChartTree::printed(text).unwrap();
    let source = |path: &[&str]| path.iter().fold(tree.cells(), |cell, key| &cell[*key])["source"].clone();
    assert_eq!(source(&["one"]), "derived");
    assert_eq!(source(&["a", "two"]), "derived");
    assert_eq!(source(&["a", "b", "three"]), "ours 5");
    assert_eq!(source(&["a", "b", "c", "four"]), "ours 5");
    assert_eq!(source(&["a", "b", "c", "five"]), "printed");
}

#[test]
fn papers_that_are_none_are_refused() {
    for (text, words) in [
        ("a = { v = 1, sorce = \"ours\" }", "`sorce` is not one of a figure's papers"),
        ("[t]\nsource = \"hearsay\"\na = 1", "`hearsay` is not a source"),
        ("[t]\nsource = 3\na = 1", "`source` is not a word"),
        ("a = { v = 1, source = \"ours\", ruling = \"iron-0003\" }", "`ruling` is not the number of a ruling"),
        ("a = { v = 1, source = \"ours\", ruling = 70000 }", "`70000` is not the number of a ruling"),
        ("a = { v = 1, ruling = 7 }", "`ruling` stands without `source`"),
        ("a = ", ""),
    ] {
        let faults = ChartTree::printed(text).unwrap_err();
        assert!(faults.to_string().contains(words), "{text}: {faults}");
    }
    for source in ["printed", "derived", "reconstructed 4", "ours 9", "house"] {
        assert_eq!(source.parse::<Source>().unwrap().to_string(), source);
    }
}

#[test]
fn charts_of_another_shape_do_not_read() {
    let read = |text: &str| ChartTree::printed(text).unwrap().read::<Charts>();
    assert!(read(Ambush::EDITIONS[0].charts).is_ok());
    let missing = read(&Ambush::EDITIONS[0].charts.replace("need = 8\n", "")).unwrap_err();
    assert!(missing.to_string().contains("missing field `need`"), "{missing}");
    let unknown = read(&Ambush::EDITIONS[0].charts.replace("need = 8\n", "need = 8\nneeed = 8\n")).unwrap_err();
    assert!(unknown.to_string().contains("unknown field `neeed`"), "{unknown}");
    let outside = read(&Ambush::EDITIONS[0].charts.replace("need = 8\n", "need = 13\n")).unwrap_err();
    assert!(outside.to_string().contains("13 is outside 2 to 12"), "{outside}");
}

#[test]
fn house_rules_replace_figures_and_mark_them() {
    let text = with_house(
        "[house.charts.fire]\nneed = 5\nrange.close = \"5in\"\n[house.charts.march]\nallowance = \"15.24cm\"\non_roads = true\n[house.settings]\nno_tape = true\n",
    );
    let state = mustered(&text, None);
    let (printed, charts) = (self::state(MEADOW), state.charts());
    assert_eq!((charts.fire.need.value.get(), charts.fire.need.source), (5, Source::House));
    assert_eq!(charts.fire.range.close, Cited::new(inches(5), Source::House));
    assert_eq!(charts.march.allowance, Cited::new(inches(6), Source::House), "the same figure is still a house rule");
    assert_eq!(charts.march.on_roads, Cited::new(true, Source::House));
    assert!(state.settings().no_tape && !printed.settings().no_tape);
    // What was not touched keeps its papers.
    assert_eq!(charts.fire.reach, printed.charts().fire.reach);
    assert_eq!(charts.fire.range.words, printed.charts().fire.range.words);
    assert_eq!(charts.sight, printed.charts().sight);
    assert_ne!(state.muster().digest, printed.muster().digest);
}

#[test]
fn a_house_file_lies_over_the_house_rules_of_the_set_up() {
    let text = with_house("[house.charts.fire]\nneed = 5\nreach = \"9in\"\n");
    let state = mustered(&text, Some(&house_file("[charts.fire]\nneed = 6\n[settings]\nno_tape = true\n")));
    assert_eq!(state.charts().fire.need.value.get(), 6);
    assert_eq!(state.charts().fire.reach, Cited::new(inches(9), Source::House));
    assert!(state.settings().no_tape);
}

#[test]
fn lists_keep_their_shape() {
    let bands = |bands: &str| with_house(&format!("[house.charts.fire]\nbands = {bands}\n"));
    let state = mustered(&bands("[{ to = \"3in\", modifier = 2 }, { to = \"12in\", modifier = -1 }]"), None);
    let read = &state.charts().fire.bands;
    assert_eq!((read.value[0].to, read.value[1].modifier.get(), read.source), (inches(3), -1, Source::House));
    for other in [
        "[]",
        "[{ to = \"3in\", modifier = 2 }]",
        "[1, 2]",
        "[{ to = 3, modifier = 2 }, { to = 4, modifier = 2 }]",
        "\"none\"",
    ] {
        let faults = faults(&bands(other), None);
        assert_eq!(listed(&faults)[0].2, "is of another kind than the printed figure", "{other}");
    }
    let wild = faults(&bands("[{ to = \"3in\", modifier = 9 }, { to = \"12in\", modifier = 0 }]"), None);
    assert!(listed(&wild)[0].2.contains("9 is outside -3 to 3"), "{wild}");
}

#[test]
fn every_bad_figure_is_named_with_its_line_all_at_once() {
    let rules = r#"[charts.fire]
need = 13
nead = 8
reach = 12
at_close = "one"
endures = 99999999999
range2.close = "4in"
[charts.march]
allowance = "6 furlongs"
most_legs = 2.5
on_roads = 1
[charts.artillery]
reach = "60in"
[charts.sight]
discovery = 99999999999999999999999
[charts.fire.range]
words = ["a", "b"]
[settings]
slip = "up"
tape = true
"#;
    let faults = faults(MEADOW, Some(&house_file(rules)));
    let head = 4;
    let found = listed(&faults);
    let expected = [
        (head + 2, "charts.fire.need", "13 is outside 2 to 12"),
        (head + 3, "charts.fire.nead", "the chart has no such figure"),
        (head + 4, "charts.fire.reach", "is of another kind than the printed figure"),
        (head + 5, "charts.fire.at_close", "is of another kind than the printed figure"),
        (head + 6, "charts.fire.endures", "99999999999 is outside 1 to 5"),
        (head + 7, "charts.fire.range2.close", "the chart has no such figure"),
        (head + 9, "charts.march.allowance", "is no length"),
        (head + 10, "charts.march.most_legs", "invalid type"),
        (head + 11, "charts.march.on_roads", "is of another kind than the printed figure"),
        (head + 13, "charts.artillery.reach", "the chart has no such figure"),
        (head + 15, "charts.sight.discovery", "is too large a number"),
        (head + 17, "charts.fire.range.words", "is of another kind than the printed figure"),
        (head + 19, "settings.slip", "unknown variant `up`"),
        (head + 20, "settings.tape", "nothing here knows this entry"),
    ];
    for (line, path, words) in expected {
        assert!(
            found.iter().any(|fault| fault.0 == line && fault.1 == path && fault.2.contains(words)),
            "line {line}, {path}: {words}\nwas not among\n{faults}"
        );
    }
    assert_eq!(found.len(), expected.len(), "{faults}");
}

#[test]
fn tables_are_not_figures_and_figures_are_not_tables() {
    let faults = faults(MEADOW, Some(&house_file("[charts]\nfire = 3\n[charts.march.allowance]\nv = \"8in\"\n")));
    assert_eq!(
        listed(&faults).into_iter().map(|fault| fault.2).collect::<Vec<_>>(),
        ["is a table of the chart, not a figure", "the chart has no such figure"]
    );
}

#[test]
fn too_many_changes_are_a_fault_and_not_dropped() {
    let many: String = (0..600).map(|n| format!("x{n} = {n}\n")).collect();
    let faults = faults(MEADOW, Some(&house_file(&format!("[charts.fire]\n{many}need = 9\n"))));
    assert!(
        faults.faults.iter().any(|fault| fault.what == "more than 500 figures are changed"),
        "{}",
        faults.faults[0]
    );
    assert_eq!(faults.faults.len(), 200);
}

#[test]
fn overlays_deeper_than_any_chart_are_a_fault_and_not_the_end() {
    let path = vec!["a"; 70].join(".");
    let deep = format!("[charts.{path}]\n{path} = {}1{}\n", format!("{{ {path} = ").repeat(70), " }".repeat(70));
    let faults = faults(MEADOW, Some(&house_file(&deep)));
    assert!(faults.to_string().contains("no chart is that deep"), "{faults}");
}

#[test]
fn house_files_say_what_they_are() {
    for (text, words) in [
        ("ruleset = \"ambush\"", "`format` is missing"),
        ("format = \"grognard/setup 1\"\nruleset = \"ambush\"", "expected \"grognard/house 1\""),
        ("format = \"grognard/house 1\"\nruleset = \"chess\"", "expected \"ambush\", found \"chess\""),
        ("format = \"grognard/house 1\"\nruleset = \"ambush\"\n[units.new]\nside = 1", "nothing here knows this entry"),
        ("format = ", "line 1"),
    ] {
        let faults = faults(MEADOW, Some(text));
        assert!(faults.to_string().contains(words), "{faults}");
    }
}

#[test]
fn figures_travel_with_their_papers_into_the_event() {
    let state = mustered(&with_house("[house.charts.fire]\nneed = 5\n"), None);
    let mut battle: Battle<Ambush> = Battle::begin(state, script(&["2d6: 2 3"]), Keep::Everything);
    let no = battle.asked().unwrap().no;
    battle.submit(Side::A, no, Order::March { unit: UnitId(0), legs: vec![Leg::Ahead(inches(5))] }).unwrap();
    battle.submit(Side::B, no, Order::Hold).unwrap();
    let no = battle.asked().unwrap().no;
    let events = battle.submit(Side::B, no, Order::Fire { with: UnitId(3) }).unwrap();
    let reckoning = serde_json::to_value(&events[0].reckoning).unwrap();
    let line =
        json!({ "clause": "ambush.fire-a", "label": "score needed", "step": "add", "value": 5, "source": "house" });
    assert_eq!(reckoning, json!({ "lines": [line], "total": 5 }));
    assert_eq!(
        events[0].deed,
        engine::Deed::Own(Event::Shot { side: Side::B, by: UnitId(3), at: UnitId(0), hit: true })
    );
}

#[test]
fn reckonings_count_in_whole_hundredths() {
    let shown: Vec<String> = [0, 100, -100, 150, -5, 1234, 12_345].map(|n| Fixed(n).to_string()).into();
    assert_eq!(shown, ["0", "1", "-1", "1.5", "-0.05", "12.34", "123.45"]);
    for n in [0, 5, -5, 150, 1234, i32::MAX, i32::MIN] {
        let text = serde_json::to_string(&Fixed(n)).unwrap();
        assert_eq!(serde_json::from_str::<Fixed>(&text).unwrap(), Fixed(n), "{text}");
    }
    assert_eq!((Fixed(199).trunc(), Fixed(-199).trunc(), Fixed::whole(i32::MAX).0), (1, -1, i32::MAX));
    let mut reckoning = Reckoning::new();
    reckoning.look(Clause::Fire, "dice", Cited::derived(2));
    reckoning.add(Clause::Fire, "score", Cited::derived(8)).add(Clause::Fire, "close", Cited::derived(-1));
    assert_eq!((reckoning.whole(), reckoning.lines.len()), (7, 3), "what is merely looked up does not count");
}

#[test]
fn bounds_hold_at_both_ends() {
    let read = |number: i64| serde_json::from_value::<Bounded<-2, 3>>(json!(number)).map(Bounded::get).ok();
    assert_eq!((read(-2), read(3), read(-3), read(4)), (Some(-2), Some(3), None, None));
    assert_eq!((read(i64::MAX), read(i64::MIN), read(1 << 32)), (None, None, None));
}

#[test]
fn registries_read_and_name_every_fault() {
    let registry = Registry::parse(Ambush::EDITIONS[0].clauses).unwrap();
    assert_eq!(registry.clauses.len(), 2);
    let plan = registry.find("ambush.plan-a").unwrap();
    assert_eq!(
        (plan.kind, plan.rulings.as_slice(), plan.setting.as_deref()),
        (ClauseKind::Enforced, [3, 4].as_slice(), Some("plans"))
    );
    assert!(registry.find("ambush.plan-b").is_none());

    let faults = Registry::parse("[[clause]]\nkind = \"law\"\ntitle = \"T\"\nodd = 1\n[[clause]]\nid = \"a\"\nkind = \"info\"\ntitle = \"T\"\ntext = \"x\"\nsource = \"1\"\n[[clause]]\nid = \"a\"\nkind = \"info\"\ntitle = \"T\"\ntext = \"x\"\nsource = \"1\"\n").unwrap_err();
    let found = listed(&faults);
    let says = |line: usize, words: &str| found.iter().any(|fault| fault.0 == line && fault.2.contains(words));
    assert!(says(1, "`id` is missing") && says(1, "`text` is missing") && says(1, "`source` is missing"), "{faults}");
    assert!(
        says(2, "unknown variant `law`")
            && says(4, "nothing here knows this entry")
            && says(11, "clause a is listed twice"),
        "{faults}"
    );
    assert_eq!(found.len(), 6, "nothing that was there is called unknown: {faults}");
}
