//! Cases: pieces without lists or generals, in any state.

use super::super::super::Days;
use super::super::super::event::TurnStep;
use super::super::super::field::{self, Field, facts};
use super::super::super::formation::Shape;
use super::super::super::sequence::Phase;
use super::super::super::unit::{Arm, Health, OrderState, Part, Quality};
use super::unit;
use engine::setup::{Mode, muster};
use engine::{CommanderId, Side};
use table::Length;

fn case(text: &str) -> Result<Field, String> {
    let whole = format!(
        "ruleset = \"iron\"\ntitle = \"A case\"\n{text}\n[table]\nsize = [\"72in\", \"48in\"]\n\
         [table.features.wood]\nkind = \"woods\"\nrectangle = [[\"1in\", \"1in\"], [\"5in\", \"5in\"]]\n\
         [sides.a]\nedges = [\"south\"]\n[sides.b]\nedges = [\"north\"]\n"
    );
    muster::<Days>(&whole, None, Mode::Case).map(|mustered| mustered.state).map_err(|faults| faults.to_string())
}

const FIGHT: &str = r#"
start = { step = "rally", turn = 3, initiative = "b" }
ledger = { fires = [{ feature = "@wood", since = 2 }] }
after = [{ fought_before = { unit = "@foot" } }]
units.foot = { side = "a", pose = ["20in", "20in", 0], order = "shaken", skirmishers = { pose = ["20in", "24in", 0], stands = 4 }, turn = { moved = true } }
units.horse = { side = "b", arm = "cavalry", stands = 9, left = 7, pose = ["20in", "30in", 180], pursuing = "@foot" }
units.guns = { side = "b", arm = "artillery", models = 3, guns = [{ crew = 2, damaged = 1 }, { crew = 4, damaged = 0 }], pose = ["40in", "30in", 180] }
units.far = { side = "b", entry = "pr-03" }
generals.x = { side = "a", rank = "brigade", pose = ["20in", "18in", 0], attached = "@foot" }
generals.y = { side = "a", rank = "brigade", quality = "inept", health = { killed = { since = 2 } } }
"#;

#[test]
fn a_case_says_how_everything_stands() {
    let field = case(FIGHT).unwrap();
    let (foot, horse, guns) = (unit(&field, "foot"), unit(&field, "horse"), unit(&field, "guns"));
    assert_eq!((field.turn(), field.ledger().initiative), (3, Side::B));
    assert!(matches!(field.agenda(), [Phase::Turn { next: 6 }]));
    assert_eq!(TurnStep::ALL[6], TurnStep::Rally);
    assert_eq!(field.ledger().fires.len(), 1);
    let own = &field.unit(foot).own;
    assert_eq!((own.order, own.fought_before, own.turn.moved), (OrderState::Shaken, true, true));
    let screen = field::part_out(&field, foot, Part::Screen).unwrap();
    assert_eq!((field::count(&field, foot), field::count(&field, screen), field::strength(&field, foot)), (8, 4, 12));
    assert_eq!(field::shape(&field, screen), Shape::Skirmish);
    assert_eq!((field::count(&field, horse), facts(&field, horse).start), (7, 9));
    assert_eq!(field.unit(horse).own.pursuing, Some(foot));
    assert_eq!((field::count(&field, guns), field::strength(&field, guns)), (2, 6));
    assert!(!field::is_there(&field, unit(&field, "far")));
    let (x, y) = (field.commander(CommanderId(0)), field.commander(CommanderId(1)));
    assert_eq!((x.own.attached, x.own.quality), (Some(foot), Some(Quality::Capable)));
    assert_eq!((y.own.health, y.own.quality), (Health::Killed { since: 2 }, Some(Quality::Inept)));
}

#[test]
fn engineers_come_whole_and_alone() {
    let text = "start = { step = \"first_moves\" }\nunits.p = { side = \"a\", arm = \"engineers\", left = 4, pose = [\"20in\", \"20in\", 0] }\nunits.e = { side = \"b\", pose = [\"20in\", \"40in\", 180] }";
    let field = case(text).unwrap();
    let party = unit(&field, "p");
    assert_eq!((facts(&field, party).start, field::count(&field, party)), (7, 4));
    assert_eq!(field.unit(party).own.pontoons, Length::whole_inches(4));
    let wagon = unit(&field, "p-wagon");
    assert_eq!((facts(&field, wagon).arm, field::is_there(&field, wagon)), (Arm::Wagon, true));
}

#[test]
fn what_a_case_gets_wrong_is_named() {
    let at = "pose = [\"20in\", \"20in\", 0]";
    for (text, words) in [
        (format!("units.u = {{ side = \"a\", {at} }}"), "a case says where it starts"),
        (format!("start = {{ step = \"tea\" }}\nunits.u = {{ side = \"a\", {at} }}"), "`tea` is no step"),
        (
            format!("start = {{ step = \"rally\" }}\nunits.u = {{ side = \"a\", {at}, state = {{ brave = true }} }}"),
            "no `brave`",
        ),
        (
            format!("start = {{ step = \"rally\" }}\nunits.u = {{ side = \"a\", {at}, turn = {{ danced = true }} }}"),
            "no `danced`",
        ),
        (
            format!(
                "start = {{ step = \"rally\" }}\nunits.u = {{ side = \"a\", class = 1, {at}, skirmishers = {{ {at} }} }}"
            ),
            "this unit has no screen [days.8.1-b]",
        ),
        (
            format!(
                "start = {{ step = \"rally\" }}\nunits.u = {{ side = \"a\", arm = \"cavalry\", {at}, holders = {{ {at} }} }}"
            ),
            "this unit has no holders",
        ),
        (
            format!("start = {{ step = \"rally\" }}\nunits.u = {{ side = \"a\", weapon = \"rifle\", {at} }}"),
            "has no `rifle`",
        ),
        (
            format!("start = {{ step = \"rally\" }}\nledger = {{ tea = 1 }}\nunits.u = {{ side = \"a\", {at} }}"),
            "no `tea`",
        ),
    ] {
        let found = case(&text).err().unwrap_or_default();
        assert!(found.contains(words), "{words}: {found}");
    }
}
