//! Set-ups small enough to count by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod opening;
mod reckoned;

use super::super::Fpw;
use super::super::field::Field;
use super::super::unit::{Absence, Aspect, Level, Markers, Weapon};
use engine::setup::{Mode, muster};
use engine::{CommanderId, Side, UnitId, Whereabouts};

/// A corps with a division and corps guns against a division; a second French division comes on later.
pub(super) const BATTLE: &str = r#"
format = "grognard/setup 1"
ruleset = "fpw"
title = "A corner of the field"
turn_limit = 6
first = "prussian"

[table]
size = ["48in", "36in"]
[table.features.farm]
kind = "building"
rectangle = [["23in", "17in"], ["25in", "19in"]]
[table.features.pond]
kind = "lake"
rectangle = [["40in", "2in"], ["44in", "4in"]]

[sides.prussian]
name = "Prussians"
edges = ["south"]
zone = [["0in", "0in"], ["48in", "8in"]]
[sides.french]
name = "French"
edges = ["north"]
zone = [["0in", "28in"], ["48in", "36in"]]

[generals.buddenbrock]
side = "prussian"
name = "v. Buddenbrock"
command = "6th Division"
level = "division"
superior = "alvensleben"
pose = ["20in", "5in", 0]
[generals.alvensleben]
side = "prussian"
level = "corps"
cv = 9
pose = ["24in", "3in", 0]
[generals.bataille]
side = "french"
name = "Bataille"
level = "division"
pose = ["20in", "31in", 180]
[generals.verge]
side = "french"
level = "division"
pose = ["6in", "33in", 180]
enters = { turn = 2, zone = [["0in", "28in"], ["12in", "36in"]] }

[brigades.eleventh]
general = "buddenbrock"
name = "11th Brigade"
[brigades.pouget]
general = "bataille"

[units.ir20]
brigade = "eleventh"
name = "IR 20"
arm = "infantry"
pose = ["20in", "7in", 0]
[units.ir35]
brigade = "eleventh"
arm = "infantry"
formation = "dense"
quality = "landwehr"
pose = ["26in", "7in", 0]
[units.dragoons]
general = "buddenbrock"
arm = "cavalry"
pose = ["12in", "7in", 0]
[units.uhlans]
general = "buddenbrock"
arm = "cavalry"
heavy = true
pose = ["8in", "7in", 0]
[units.corps-guns]
general = "alvensleben"
arm = "foot_artillery"
pose = ["32in", "7in", 0]
[units.ligne8]
brigade = "pouget"
arm = "infantry"
pose = ["20in", "29in", 180]
[units.chasseurs]
general = "bataille"
arm = "infantry"
independent = true
quality = "elite"
pose = ["26in", "29in", 180]
[units.mitrailleuse]
general = "bataille"
arm = "foot_artillery"
weapon = "mitrailleuse"
pose = ["28in", "29in", 180]
[units.ligne76]
general = "verge"
arm = "infantry"
pose = ["4in", "30in", 180]

[victory]
breaks_at = { french = 30 }
objectives = [{ feature = "farm" }]
"#;

pub(super) fn field(text: &str, mode: Mode) -> Field {
    match muster::<Fpw>(text, None, mode) {
        Ok(mustered) => mustered.state,
        Err(faults) => panic!("{faults}"),
    }
}

fn faults(text: &str) -> String {
    muster::<Fpw>(text, None, Mode::Battle).err().expect("the set-up is faulty").to_string()
}

pub(super) fn unit(field: &Field, key: &str) -> UnitId {
    field.muster().unit_ids().find(|id| field.card(*id).key == key).expect("a unit")
}

pub(super) fn general(field: &Field, key: &str) -> CommanderId {
    field.muster().commander_ids().find(|id| field.muster().commander(*id).key == key).expect("a general")
}

#[test]
fn the_chain_of_command_goes_from_units_to_the_corps() {
    let field = field(BATTLE, Mode::Battle);
    let muster = field.muster();
    let brigade = field.card(unit(&field, "ir20")).command.expect("a brigade");
    assert_eq!((muster.command(brigade).key.as_str(), muster.command(brigade).commander), ("eleventh", None));
    let division = muster.command(brigade).parent.expect("a division");
    assert_eq!(
        (muster.command(division).key.as_str(), division),
        ("buddenbrock-command", muster.commander(general(&field, "buddenbrock")).commands)
    );
    let corps = muster.command(division).parent.expect("a corps");
    assert_eq!(muster.command(corps).commander, Some(general(&field, "alvensleben")));
    assert_eq!(field.card(unit(&field, "dragoons")).command, Some(division));
    assert_eq!(field.card(unit(&field, "corps-guns")).facts.level, Level::Corps);
    assert_eq!((muster.scenario.strength[Side::A], muster.scenario.strength[Side::B]), (11, 8));
    assert_eq!((muster.scenario.breaks_at[Side::A], muster.scenario.breaks_at[Side::B]), (40, 30));
    assert_eq!(muster.scenario.objectives[0].worth, 5);
}

#[test]
fn what_is_left_out_follows_nation_arm_and_command() {
    let field = field(BATTLE, Mode::Battle);
    let weapon = |key: &str| field.card(unit(&field, key)).facts.weapon;
    assert_eq!(weapon("ir20"), Weapon::NeedleGun);
    assert_eq!(weapon("ligne8"), Weapon::Chassepot);
    assert_eq!(weapon("dragoons"), Weapon::Carbine);
    assert_eq!(weapon("uhlans"), Weapon::None);
    assert_eq!(weapon("corps-guns"), Weapon::PrussianGun);
    assert_eq!(field.card(unit(&field, "ligne76")).facts.enters, Some(2));
    assert_eq!(field.card(unit(&field, "chasseurs")).facts.stands, 1);
    let values: Vec<u8> = field.muster().commanders.iter().map(|card| card.facts.value).collect();
    assert_eq!(values, [8, 9, 8, 8]);
}

#[test]
fn every_fault_is_named() {
    let wrong = [
        ("cv = 9", "cv = 8", "fpw.value-c"),
        ("superior = \"alvensleben\"", "superior = \"bataille\"", "Bataille is on the other side"),
        ("superior = \"alvensleben\"", "superior = \"nobody\"", "no general is called `nobody`"),
        (
            "[brigades.pouget]\ngeneral = \"bataille\"",
            "[brigades.pouget]\ngeneral = \"nobody\"",
            "no general is called `nobody`",
        ),
        ("arm = \"infantry\"\nformation = \"dense\"", "arm = \"cavalry\"", "fpw.command-h"),
        (
            "arm = \"infantry\"\nformation = \"dense\"",
            "arm = \"infantry\"\nformation = \"limbered\"",
            "fpw.formation-a",
        ),
        (
            "arm = \"cavalry\"\npose",
            "arm = \"cavalry\"\nweapon = \"chassepot\"\npose",
            "cavalry does not carry chassepots",
        ),
        ("arm = \"cavalry\"\npose", "arm = \"cavalry\"\nstands = 3\npose", "fpw.scale-d"),
        (
            "general = \"verge\"\narm = \"infantry\"",
            "general = \"verge\"\nformation = \"line\"\narm = \"infantry\"",
            "come on in march column",
        ),
        ("[units.uhlans]\ngeneral = \"buddenbrock\"", "[units.uhlans]", "fpw.command-c"),
        ("pose = [\"12in\", \"7in\", 0]", "pose = [\"12in\", \"9in\", 0]", "dragoons stands outside its zone"),
        ("pose = [\"12in\", \"7in\", 0]", "pose = [\"42in\", \"3.5in\", 0]", "dragoons cannot stand on this ground"),
        ("pose = [\"12in\", \"7in\", 0]", "pose = [\"20in\", \"7.1in\", 0]", "stand on the same ground"),
        ("pose = [\"4in\", \"30in\", 180]", "pose = [\"14in\", \"30in\", 180]", "ligne76 stands outside its zone"),
        ("feature = \"farm\"", "feature = \"barn\"", "no terrain feature is called `barn`"),
        ("french = 30", "french = 130", "1 to 100 per cent"),
        (
            "[[\"0in\", \"0in\"], [\"48in\", \"8in\"]]",
            "[[\"0in\", \"0in\"], [\"48in\", \"28in\"]]",
            "zones of the two sides meet",
        ),
        (
            "arm = \"infantry\"\nindependent",
            "arm = \"infantry\"\ncolour = \"green\"\nindependent",
            "nothing here knows this entry",
        ),
    ];
    for (old, new, told) in wrong {
        assert!(BATTLE.contains(old), "{old}");
        let text = BATTLE.replacen(old, new, 1);
        let faults = faults(&text);
        assert!(faults.contains(told), "expected `{told}` among:\n{faults}");
    }
}

#[test]
fn a_case_begins_where_it_says() {
    let text = r#"
ruleset = "fpw"
title = "In the middle of things"
start = { active = "french", part = "combat", turn = 3 }
contacts = [{ unit = "@ir20", with = "@ligne8", other_aspect = "flank", impetus = { level = true } }]
after = [{ penalty = { unit = "@ir20" } }]
[settings]
scouting = true
hidden_setup = true
[table]
size = ["48in", "36in"]
[sides.prussian]
edges = ["south"]
[sides.french]
edges = ["north"]
[generals.bataille]
side = "french"
level = "division"
pose = ["30in", "20in", 180]
attached = "ligne8"
bonus = 1
[generals.frossard]
side = "french"
level = "corps"
absence = "lost"
[units.ir20]
side = "prussian"
arm = "infantry"
pose = ["20in", "10in", 0]
markers = [[1, 0], [0, 1], [2, 0]]
orders = 2
fired = [0, 2]
[units.ligne8]
general = "bataille"
arm = "infantry"
pose = ["20in", "10in", 180]
hidden = true
[units.hussars]
side = "prussian"
arm = "cavalry"
scouts = [["2in", "2in", 0], ["5in", "2in", 0]]
freed = true
"#;
    let field = field(text, Mode::Case);
    let (ir20, ligne8) = (unit(&field, "ir20"), unit(&field, "ligne8"));
    let own = &field.unit(ir20).own;
    assert_eq!(own.stands[2], Markers { disruption: 2, degradation: 0 });
    assert_eq!((own.turn.orders, own.turn.fired, own.penalty), (2, 0b101, 1));
    assert!(own.fight.impetus.is_some_and(|impetus| impetus.level));
    assert_eq!(field.unit(ligne8).own.aspect_of(ir20), Some(Aspect::Flank));
    assert_eq!(field.unit(ligne8).whereabouts, Whereabouts::Hidden);
    let bataille = field.commander(general(&field, "bataille"));
    assert_eq!((bataille.own.attached, bataille.own.bonus), (Some(ligne8), 1));
    let frossard = field.commander(general(&field, "frossard"));
    assert_eq!((frossard.own.absence, frossard.is_present()), (Absence::Lost, false));
    let patrol = field.unit(unit(&field, "hussars-scout-2"));
    assert!(patrol.is_present() && patrol.own.freed && !field.unit(unit(&field, "hussars")).is_present());
    assert_eq!((field.ledger().active, field.turn()), (Side::B, 3));
}
