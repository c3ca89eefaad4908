//! Cards tell the state of things.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::Days;
use engine::scene::{Look, Tone};
use engine::setup::{Mode, muster};
use engine::{Side, Telling, View, Viewer};

const FIGHT: &str = r#"
ruleset = "iron"
title = "A case"
start = { step = "rally", turn = 3 }
[table]
size = ["72in", "48in"]
[sides.a]
name = "Blues"
edges = ["south"]
[sides.b]
name = "Reds"
edges = ["north"]
[units]
foot = { side = "a", name = "2nd Line", pose = ["20in", "20in", 0], order = "shaken", left = 5, turn = { halted = true, reserved = 3, fired = 2 } }
mud = { side = "a", pose = ["40in", "10in", 0], order = "disordered", swamped = true, to_ground = true, independent = true }
horse = { side = "b", arm = "cavalry", stands = 9, left = 7, pose = ["20in", "30in", 180], pursuing = "@foot", charge = { at = "@foot", kind = "declared", counter = false, stage = "begun", from = ["20in", "30in", 180], aspect = "front", apart = "9in", way = "9in", gone = "4in", left = "6in", caught = false } }
guns = { side = "b", arm = "artillery", models = 3, guns = [{ crew = 2, damaged = 1 }, { crew = 4, damaged = 0 }], pose = ["40in", "30in", 180], turn = { silenced = true } }
far = { side = "b", entry = "pr-03" }
[generals]
x = { side = "a", name = "Abel", rank = "brigade", pose = ["20in", "18in", 0], attached = "@foot" }
y = { side = "a", name = "Brun", rank = "brigade", quality = "inept", health = { killed = { since = 2 } } }
"#;

fn signs(field: &crate::field::Field, key: &str) -> Vec<(String, Tone)> {
    let unit = crate::telling::parse::stage::unit(field, key);
    Days::badges(field, unit).into_iter().map(|badge| (badge.sign, badge.tone)).collect()
}

#[test]
fn cards_badges_and_looks_tell_the_state() {
    let state = muster::<Days>(FIGHT, None, Mode::Case).unwrap_or_else(|faults| panic!("{faults}")).state;
    let view = View::new(&state, Viewer::Side(Side::A));
    let unit = |key| crate::telling::parse::stage::unit(&state, key);
    let card = |key| Days::card(&view, unit(key)).join("\n");
    let foot = card("foot");
    for line in [
        "2nd Line",
        "5 of 12 stands left, below half",
        "Dreyse, a breech-loader: close",
        "(reconstructed)",
        "Shaken: only a rally ends it",
        "Charged by horse",
        "Abel with it",
        "Out of command",
        "2 fired; 3 kept fire back",
        "halted by fire",
    ] {
        assert!(foot.contains(line), "{line}: {foot}");
    }
    let wanted = [("5/12", Tone::Alarm), ("S", Tone::Alarm), ("H", Tone::Note), ("F", Tone::Calm)];
    assert_eq!(signs(&state, "foot"), wanted.map(|(sign, tone)| (sign.to_owned(), tone)));
    let signs_of = |key| signs(&state, key).into_iter().map(|(sign, _)| sign).collect::<Vec<_>>().join(" ");
    assert_eq!(signs_of("mud"), "12/12 D G");
    assert_eq!(signs_of("horse"), "7/9 C P");
    assert_eq!(signs_of("guns"), "6/12 X 1x");
    assert!(card("mud").contains("a swamp did it") && card("mud").contains("Independent"), "{}", card("mud"));
    let horse = card("horse");
    assert!(
        horse.contains("Charging 2nd Line, on its way, 6″ in hand") && horse.contains("Pursues 2nd Line"),
        "{horse}"
    );
    let guns = card("guns");
    assert!(guns.contains("two of three models left, 6 of 12 crew"), "{guns}");
    assert!(guns.contains("Gun 1: 2 crew, damaged for one more Shooting Phase"), "{guns}");
    let theirs = View::new(&state, Viewer::Side(Side::B));
    let far = Days::card(&theirs, unit("far")).join("\n");
    assert!(far.contains("Not on the table yet"), "{far}");
    assert!(Days::looks(&state, unit("foot")).contains(&Look::Smoke));
    assert!(Days::looks(&state, unit("mud")).contains(&Look::Disorder));
}

#[test]
fn generals_have_their_cards() {
    let state = muster::<Days>(FIGHT, None, Mode::Case).unwrap_or_else(|faults| panic!("{faults}")).state;
    let view = View::new(&state, Viewer::Side(Side::A));
    let card = |key| Days::officer_card(&view, crate::telling::parse::stage::general(&state, key)).join("\n");
    let abel = card("x");
    assert!(abel.contains("Brigade general, capable") && abel.contains("With 2nd Line"), "{abel}");
    assert!(abel.contains("His word reaches 16″") && abel.contains("Rides up to"), "{abel}");
    let brun = card("y");
    assert!(brun.contains("inept") && brun.contains("Killed in turn 2"), "{brun}");
}
