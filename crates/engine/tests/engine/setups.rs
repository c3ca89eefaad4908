//! Set-ups: what any game shares, and everything that can be wrong with it.

use crate::toy::*;
use engine::Faults;
use engine::setup::{self, Mode, slug};
use table::{Edge, Length};

fn complaints(changes: &[(&str, &str)]) -> Faults {
    faults(&swapped(changes), None)
}

/// The one fault of a set-up.
fn only(changes: &[(&str, &str)]) -> String {
    let faults = complaints(changes);
    assert_eq!(faults.faults.len(), 1, "{faults}");
    faults.to_string()
}

#[test]
fn a_good_set_up_reads() {
    let mustered = setup::muster::<Ambush>(MEADOW, None, Mode::Battle).unwrap_or_else(|faults| panic!("{faults}"));
    let muster = mustered.state.muster();
    assert_eq!((muster.title.as_str(), muster.turn_limit), ("A meadow", Some(6)));
    assert_eq!(muster.ground.size, (Length::whole_inches(48), Length::whole_inches(36)));
    assert_eq!(muster.ground.features.iter().map(|feature| feature.key.as_str()).collect::<Vec<_>>(), ["wood", "lane"]);
    let south = &muster.sides[engine::Side::B];
    assert_eq!(
        (south.key.as_str(), south.name.as_str(), south.edges.as_slice()),
        ("south", "Southerners", [Edge::South].as_slice())
    );
    assert_eq!(south.zones.len(), 1);
    assert!(mustered.cautions.cautions.is_empty());
}

#[test]
fn zones_are_turned_the_right_way_round() {
    let turned = swapped(&[(
        "zone = [[\"0in\", \"24in\"], [\"48in\", \"36in\"]]",
        "zones = [[[\"48in\", \"36in\"], [\"0in\", \"24in\"]]]",
    )]);
    assert_eq!(state(&turned).muster().sides, state(MEADOW).muster().sides);
}

#[test]
fn a_battle_without_a_limit_is_cautioned() {
    let open = swapped(&[("turn_limit = 6\n", "")]);
    let mustered = setup::muster::<Ambush>(&open, None, Mode::Battle).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(mustered.cautions.cautions.len(), 1);
    for limit in ["0", "201", "70000", "\"six\"", "-1"] {
        let what = only(&[("turn_limit = 6", &format!("turn_limit = {limit}"))]);
        assert!(what.starts_with("line 6, column 14: turn_limit: "), "{what}");
    }
}

#[test]
fn files_say_which_format_and_ruleset_they_follow() {
    assert!(only(&[("format = \"grognard/setup 1\"\n", "")]).contains("`format` is missing"));
    assert_eq!(
        only(&[("grognard/setup 1", "grognard/setup 9")]),
        "line 2, column 10: format: expected \"grognard/setup 1\", found \"grognard/setup 9\""
    );
    assert_eq!(
        only(&[("\"ambush\"", "\"chess\"")]),
        "line 3, column 11: ruleset: expected \"ambush\", found \"chess\""
    );
    assert_eq!(only(&[("title = \"A meadow\"\n", "")]), "line 1, column 1: `title` is missing");
    assert!(
        only(&[("title = \"A meadow\"\n", "title = \"A meadow\"\ntitel = \"x\"\n")])
            .contains("titel: nothing here knows")
    );
}

#[test]
fn tables_are_neither_tiny_nor_endless() {
    for size in ["[\"11in\", \"3ft\"]", "[\"4ft\", \"41ft\"]", "[\"-4ft\", \"3ft\"]"] {
        let what = only(&[("[\"4ft\", \"3ft\"]", size)]);
        assert_eq!(what, "line 9, column 8: table.size: a table is 12in to 480in long and wide", "{size}");
    }
    for (size, words) in [
        ("[\"4ft\"]", "length 1"),
        ("\"4ft\"", "invalid type"),
        ("[\"999ft\", \"3ft\"]", "at most 100 metres"),
        ("[4, 3]", "a length such as"),
    ] {
        let what = only(&[("[\"4ft\", \"3ft\"]", size)]);
        assert!(what.contains(words), "{size}: {what}");
    }
    let missing = complaints(&[("size = [\"4ft\", \"3ft\"]\n", "")]);
    assert_eq!(
        missing.to_string(),
        "line 8, column 1: table: `size` is missing",
        "and nothing about units nobody read"
    );
}

#[test]
fn the_number_of_sides_is_two() {
    let one = complaints(&[(
        "[sides.south]\nname = \"Southerners\"\nedges = [\"south\"]\nzone = [[\"0in\", \"0in\"], [\"48in\", \"12in\"]]\n",
        "",
    )]);
    assert_eq!(one.faults.len(), 1, "{one}");
    assert!(one.to_string().contains("sides: expected exactly two sides, found 1"), "{one}");
    let three = complaints(&[(
        "[powder]",
        "[sides.east]\nedges = [\"east\"]\nzone = [[\"0in\", \"0in\"], [\"1in\", \"1in\"]]\n[powder]",
    )]);
    assert!(three.to_string().contains("found 3"), "{three}");
    let none = faults(
        "format = \"grognard/setup 1\"\nruleset = \"ambush\"\ntitle = \"x\"\n[table]\nsize = [\"2ft\", \"2ft\"]\n",
        None,
    );
    assert!(none.to_string().contains("found 0"), "{none}");
    let bare = complaints(&[("edges = [\"north\"]\nzone = [[\"0in\", \"24in\"], [\"48in\", \"36in\"]]\n", "")]);
    assert!(
        bare.to_string().contains("needs at least one table edge")
            && bare.to_string().contains("needs a deployment zone"),
        "{bare}"
    );
    assert!(only(&[("edges = [\"north\"]", "edges = [\"up\"]")]).contains("unknown variant `up`"));
    let first = only(&[("turn_limit = 6", "turn_limit = 6\nfirst = \"east\"")]);
    assert!(first.ends_with("first: no side is called `east`"), "{first}");
}

#[test]
fn two_features_may_not_share_a_key() {
    let doubled = complaints(&[("[table.features.lane]", "[table.features.wood]")]);
    assert!(doubled.to_string().contains("duplicate key") && doubled.faults[0].line == 14, "{doubled}");
}

#[test]
fn every_bad_outline_is_named() {
    let wood = |outline: &str| only(&[("disc = { centre = [\"10in\", \"18in\"], radius = \"4in\" }", outline)]);
    let exactly = "needs exactly one of rectangle, polygon, line or disc";
    assert!(wood("").contains(exactly));
    assert!(
        wood(
            "disc = { centre = [\"1in\", \"1in\"], radius = \"1in\" }\nline = [[\"1in\", \"1in\"], [\"2in\", \"2in\"]]"
        )
        .contains(exactly)
    );
    for (outline, words) in [
        ("polygon = []", "0 different points: expected at least 3"),
        ("polygon = [[\"1in\", \"1in\"], [\"2in\", \"2in\"]]", "2 different points"),
        (
            "polygon = [[\"0in\", \"0in\"], [\"4in\", \"4in\"], [\"4in\", \"0in\"], [\"0in\", \"4in\"]]",
            "crosses or touches itself",
        ),
        ("polygon = [[\"0in\", \"0in\"], [\"4in\", \"0in\"], [\"8in\", \"0in\"]]", "encloses no area"),
        ("rectangle = [[\"1in\", \"1in\"], [\"1in\", \"5in\"]]", "different points"),
        ("line = [[\"1in\", \"1in\"]]", "1 different points: expected at least 2"),
        ("line = [[\"1in\", \"1in\"], [\"3in\", \"1in\"]]\nwidth = \"-1in\"", "expected zero or more"),
        ("disc = { centre = [\"1in\", \"1in\"], radius = \"0in\" }", "encloses no area"),
        ("disc = { centre = [\"1in\", \"1in\"] }", "`radius` is missing"),
        ("disc = { radius = \"1in\" }", "`centre` is missing"),
        ("disc = { centre = [\"1in\", \"1in\"], radius = \"1in\", depth = 3 }", "nothing here knows this entry"),
        ("disc = 3", "expected a table"),
        ("polygon = [[\"1in\"]]", "invalid length"),
    ] {
        let what = wood(outline);
        assert!(what.contains(words), "{outline}: {what}");
    }
    let fine: String = (0..600).map(|n| format!("[\"{n}mm\", \"{}mm\"], ", n % 7)).collect();
    assert!(wood(&format!("polygon = [{fine}]")).contains("600 points: expected at most 512"));
    let both = complaints(&[("disc = {", "polygon = {"), ("kind = \"road\"", "kind = \"canal\"")]);
    assert_eq!(both.faults.len(), 2, "{both}");
}

#[test]
fn a_table_has_room_for_four_hundred_features() {
    let many = |count: usize| {
        let features: String = (0..count)
            .map(|n| format!("[table.features.x{n}]\nkind = \"woods\"\ndisc = {{ centre = [\"1in\", \"1in\"], radius = \"1in\" }}\n"))
            .collect();
        swapped(&[("[sides.north]", &format!("{features}[sides.north]"))])
    };
    assert_eq!(state(&many(398)).ground().features.len(), 400);
    assert!(faults(&many(399), None).to_string().contains("more than 400 terrain features"));
}

#[test]
fn faults_of_all_chapters_come_together() {
    let faults = complaints(&[
        ("title = \"A meadow\"\n", ""),
        ("kind = \"woods\"", "kind = \"jungle\""),
        ("side = \"north\"\nname = \"The Alphas\"", "side = \"west\"\nname = \"The Alphas\""),
        ("arm = \"horse\"\npose = [\"30in\", \"26in\", 180]", "arm = \"camels\"\npose = [\"30in\", \"26in\", 180]"),
        ("pose = [\"12in\", \"10in\", 0]\n", "poze = [\"12in\", \"10in\", 0]\n"),
    ]);
    let found: Vec<&str> = faults.faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(
        found,
        ["", "table.features.wood.kind", "units.alpha.side", "units.beta.arm", "units.gamma", "units.gamma.poze"],
        "{faults}"
    );
}

#[test]
fn cases_are_read_less_strictly_than_battles() {
    let case = swapped(&[("format = \"grognard/setup 1\"\n", "")])
        .replace("zone = [[\"0in\", \"24in\"], [\"48in\", \"36in\"]]\n", "");
    assert!(setup::muster::<Ambush>(&case, None, Mode::Battle).is_err());
    // A case file has entries of its own, so it is the reader of cases who takes the format away.
    let case = case.replace("turn_limit = 6\n", "");
    assert!(setup::muster::<Ambush>(&case, None, Mode::Case).is_ok());
}

#[test]
fn slugs_are_keys() {
    for (name, key) in [
        ("The King's Own", "the-king-s-own"),
        ("  33rd -- Foot!", "33rd-foot"),
        ("Großgörschen", "großgörschen"),
        ("!!", ""),
    ] {
        assert_eq!(slug(name), key);
    }
}
