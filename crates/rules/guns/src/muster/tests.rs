//! Set-ups small enough to count by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod forces;
mod opening;

use super::super::Guns;
use super::super::charts::Charts;
use super::super::event::BoundStep;
use super::super::field::Field;
use super::super::order::{Matter, Posture};
use super::super::sequence::Phase;
use super::super::settings::{Scale, VictoryBy};
use super::super::unit::{Ability, Arm, Cycle, GunClass, Health, Level, Observer};
use super::armies::lists;
use super::quality::{self, Class, Given};
use super::terms::building_status;
use engine::chart::ChartTree;
use engine::setup::{Mode, muster};
use engine::{CommanderId, Ruleset, Side, UnitId, Whereabouts};
use table::{Length, Point};

/// A French division with a reserve in hiding against a Prussian brigade in a village.
pub(super) const BATTLE: &str = r#"
format = "grognard/setup 1"
ruleset = "guns"
title = "A corner of the field"
turn_limit = 6
year = 1870

[table]
size = ["180cm", "120cm"]
[table.features.village]
kind = "town"
rectangle = [["80cm", "95cm"], ["95cm", "105cm"]]
[table.features.wood]
kind = "woods"
rectangle = [["10cm", "5cm"], ["50cm", "20cm"]]
[table.features.wall]
kind = "wall"
line = [["120cm", "95cm"], ["150cm", "95cm"]]
[table.features.pond]
kind = "lake"
rectangle = [["150cm", "5cm"], ["160cm", "15cm"]]

[sides.french]
name = "French"
edges = ["south"]
zone = [["0cm", "0cm"], ["180cm", "30cm"]]
[sides.prussian]
name = "Prussians"
edges = ["north"]
zone = [["0cm", "90cm"], ["180cm", "120cm"]]

[armies.french]
list = "france-1870"
[armies.prussian]
list = "prussia-1870"

[generals.lorencez]
side = "french"
name = "de Lorencez"
level = "division"
pose = ["60cm", "5cm", 0]
[generals.pajol]
side = "french"
name = "Pajol"
command = "1st Brigade"
level = "brigade"
ability = "able"
superior = "lorencez"
pose = ["70cm", "15cm", 0]
order = { posture = "attack", objective = "@village" }
[generals.reserve]
side = "french"
command = "Horse and guns"
level = "brigade"
superior = "lorencez"
pose = ["100cm", "15cm", 0]
[generals.wrangel]
side = "prussian"
command = "36th Brigade"
level = "brigade"
ability = "average"
pose = ["90cm", "110cm", 180]

[units.chasseurs]
general = "pajol"
template = "chasseurs"
elements = 7
quality = "experienced"
formation = "loose"
pose = ["28cm", "18cm", 0]
hidden = true
[units.ligne]
general = "pajol"
name = "15e Ligne"
template = "line"
elements = 8
pose = ["70cm", "25cm", 0]
[units.hussars]
general = "reserve"
template = "cavalry"
elements = 3
pose = ["100cm", "25cm", 0]
[units.guns]
general = "reserve"
template = "field-battery"
guns = 6
pose = ["120cm", "25cm", 0]
[units.mitrailleuse]
general = "reserve"
template = "mitrailleuse"
elements = 3
pose = ["130cm", "25cm", 0]
[units.ir11]
general = "wrangel"
template = "line"
elements = 8
formation = "loose*4"
pose = ["87cm", "98cm", 180]
defend = "@village"
[units.ir85]
general = "wrangel"
template = "line"
elements = 9
pose = ["135cm", "96cm", 180]
defend = "@wall"
[units.krupps]
general = "wrangel"
template = "field-battery"
guns = 6
weapon = "krupp6"
formation = "limbered"
pose = ["60cm", "100cm", 180]

[victory]
breaks_at = { french = 40 }
objectives = [{ feature = "@village", worth = 3 }]
"#;

pub(super) fn field(text: &str, mode: Mode) -> Field {
    match muster::<Guns>(text, None, mode) {
        Ok(mustered) => mustered.state,
        Err(faults) => panic!("{faults}"),
    }
}

fn faults(text: &str) -> String {
    muster::<Guns>(text, None, Mode::Battle).err().expect("the set-up is faulty").to_string()
}

pub(super) fn unit(field: &Field, key: &str) -> UnitId {
    field.muster().unit_ids().find(|id| field.card(*id).key == key).expect("a unit")
}

pub(super) fn general(field: &Field, key: &str) -> CommanderId {
    field.muster().commander_ids().find(|id| field.muster().commander(*id).key == key).expect("a general")
}

fn long(text: &str) -> Length {
    text.parse().expect("a length")
}

fn charts() -> Charts {
    ChartTree::printed(Guns::EDITIONS[0].charts).expect("the chart").read().expect("the figures")
}

/// V07 and V05: status and limiters by class, and the rulebook's own illustration.
#[test]
fn quality_makes_status_and_limiters() {
    let charts = charts();
    let track = |count, given| quality::worth(&charts, given).map(|worth| quality::track(&charts, count, worth));
    let by_class = [(12, 7, 4), (10, 6, 3), (8, 5, 2), (6, 4, 1), (4, 3, 1)];
    for (class, expected) in Class::ALL.iter().zip(by_class) {
        assert_eq!(track(8, Given::Named(*class)), Some(expected), "{}", class.word());
    }
    assert_eq!((quality::limiter(10, 4), quality::limiter(10, 8)), (6, 2));
    // In between: the depths of the next lower class (R72).
    assert_eq!(track(8, Given::Number(3)), Some((11, 7, 4)));
    assert_eq!(track(8, Given::Number(-1)), Some((7, 5, 2)));
    assert_eq!(track(8, Given::Number(5)), None);
    // Never below 1.
    assert_eq!(track(3, Given::Named(Class::Militia)), Some((1, 1, 1)));
}

/// V30: bases and distances at the three scales; V04: a block of 10 by 15.
#[test]
fn the_three_scales_have_their_own_bases_and_distances() {
    let charts = charts();
    let fronts = [Scale::Small, Scale::Middle, Scale::Large].map(|scale| super::base(&charts, scale, 8).width);
    assert_eq!(fronts, ["16mm", "40mm", "80mm"].map(long));
    let gaps = Scale::ALL.iter().map(|scale| super::base(&charts, *scale, 0).width.half());
    assert_eq!(gaps.collect::<Vec<_>>(), ["10mm", "12.5mm", "20mm"].map(long));
    let alarm = Scale::ALL.iter().map(|scale| charts.charge.reform_alarm.value.at(*scale));
    assert_eq!(alarm.collect::<Vec<_>>(), [long("15.0cm"), long("19.0cm"), long("15in")]);
    let retire =
        |scale: Scale| charts.charge.retire_base.value.at(scale) + charts.charge.retire_pip.value.at(scale) * 3;
    assert_eq!(
        Scale::ALL.iter().map(|scale| retire(*scale)).collect::<Vec<_>>(),
        [long("17.0cm"), long("25.0cm"), long("431.8mm")]
    );
    let square = |width: Length, depth: Length| width.as_f64() * depth.as_f64();
    assert_eq!(building_status(square(long("10.0cm"), long("15.0cm")), Scale::Small), 15);
    assert_eq!(building_status(square(long("12.5cm"), long("18.75cm")), Scale::Middle), 15);
    assert_eq!(building_status(square(long("10in"), long("15in")), Scale::Large), 15);
    assert_eq!(building_status(square(long("2.0cm"), long("2.0cm")), Scale::Small), 1);
}

#[test]
fn every_list_names_weapons_of_the_chart_and_mixes_of_its_own() {
    let (charts, book) = (charts(), lists().expect("the lists"));
    for (key, list) in &book.armies {
        assert!(list.years.0 <= list.years.1 && (list.further || book.years.hold(list.years.0)), "{key}");
        for (name, template) in &list.units {
            let weapons = template.weapons.iter().chain(&template.organic_weapons);
            for weapon in weapons {
                assert!(charts.weapon.contains_key(weapon), "{key}.{name}: {weapon}");
            }
            let is_gun = template.arm == Arm::Artillery;
            assert_eq!(is_gun, template.elements.is_none(), "{key}.{name}");
            assert_eq!(template.class.is_empty(), template.guns.is_none(), "{key}.{name}");
            assert_eq!(is_gun, template.orders.is_empty(), "{key}.{name}");
            assert!(template.quality.0 >= template.quality.1, "{key}.{name}: the worst comes first");
            assert!(list.mixed(&[name.as_str()]), "{key}.{name} stands with nobody");
        }
        let mixed = list.mixes.iter().flatten();
        for name in mixed {
            assert!(list.units.contains_key(name), "{key}: {name}");
        }
    }
}

#[test]
fn a_set_up_becomes_units_commands_and_screens() {
    let field = field(BATTLE, Mode::Battle);
    let muster = field.muster();
    let facts = |key: &str| &field.card(unit(&field, key)).facts;
    let chasseurs = facts("chasseurs");
    assert_eq!((chasseurs.start, chasseurs.charge_limit, chasseurs.advance_limit), (9, 5, 2));
    assert_eq!((chasseurs.weapon.key.as_str(), chasseurs.loose), ("chassepot", true));
    // French line troops take to loose order in 1870.
    assert!(facts("ligne").loose && facts("ligne").extended);
    assert_eq!(
        (facts("guns").class, facts("guns").elements, facts("guns").indirect),
        (Some(GunClass::Field), 1, false)
    );
    assert_eq!(facts("guns").element.width, long("12.0mm"));
    assert_eq!(facts("mitrailleuse").arm, Arm::RapidFire);
    assert_eq!(field.unit(unit(&field, "guns")).own.cycle, Cycle::Deployed);
    assert_eq!(field.unit(unit(&field, "krupps")).own.cycle, Cycle::Limbered);
    // Two infantry brigades, two screens, one element for each battalion.
    let screen = facts("pajol-skirmishers");
    assert_eq!((screen.screen, screen.elements, screen.weapon.key.as_str()), (true, 2, "chassepot"));
    assert!(muster.units.iter().all(|card| card.key != "reserve-skirmishers"));
    assert_eq!(field.unit(unit(&field, "pajol-skirmishers")).whereabouts, Whereabouts::OffTable);
    assert_eq!((muster.scenario.strength[Side::A], muster.scenario.strength[Side::B]), (5, 3));
    // The tree of commands.
    let brigade = field.card(unit(&field, "ligne")).command.expect("a brigade");
    let above = muster.command(brigade).parent.expect("a division");
    let division = muster.command(above).commander.map(|id| muster.commander(id));
    assert_eq!(division.map(|card| (card.key.as_str(), card.facts.level)), Some(("lorencez", Level::Division)));
    assert_eq!(field.commander(general(&field, "pajol")).own.ability, Some(Ability::Able));
    assert_eq!(field.commander(general(&field, "reserve")).own.ability, None);
    // Orders, houses, terms.
    let order = |key: &str| muster.scenario.orders[muster.commander(general(&field, key)).commands.index()];
    let pajol = order("pajol").expect("an order");
    assert_eq!((pajol.posture, pajol.objective), (Posture::Attack, Matter::Feature(engine::FeatureId(0))));
    let middle = Point::new(long("90.0cm"), long("120.0cm"));
    let reserve = order("reserve").expect("an order");
    assert_eq!((reserve.posture, reserve.objective), (Posture::Advance, Matter::Point(middle)));
    assert_eq!(order("lorencez"), None);
    assert_eq!(field.ledger().buildings.iter().map(|block| block.start).collect::<Vec<_>>(), [15]);
    assert_eq!(muster.settings.victory, VictoryBy::Objectives);
    assert_eq!((muster.scenario.breaks_at[Side::A], muster.scenario.breaks_at[Side::B]), (40, 50));
}

#[test]
fn every_fault_is_named() {
    let wrong = [
        ("year = 1870", "year = 1855", "guns.intro.period-a"),
        ("year = 1870", "year = 1930", "these are rules for 1850 to 1916"),
        ("list = \"france-1870\"", "list = \"france-1780\"", "there is no list `france-1780`"),
        ("list = \"france-1870\"", "list = \"union-1861\"", "guns.intro.period-b"),
        ("list = \"france-1870\"", "indirect_fire = true", "which army are French"),
        ("list = \"france-1870\"", "list = \"france-1870\"\nindirect_fire = true", "guns.combat.blast-f"),
        ("[armies.french]", "[armies.franks]", "no side is called `franks`"),
        ("level = \"division\"", "level = \"division\"\nability = \"able\"", "guns.command.ability-a"),
        ("superior = \"lorencez\"", "superior = \"reserve\"", "not of a higher rank"),
        ("superior = \"lorencez\"", "superior = \"nobody\"", "no general is called `nobody`"),
        ("general = \"pajol\"\ntemplate", "general = \"lorencez\"\ntemplate", "is no brigade-level general"),
        ("[units.hussars]\ngeneral = \"reserve\"", "[units.hussars]\nside = \"french\"", "guns.intro.level-c"),
        ("template = \"chasseurs\"", "template = \"kaiserjagers\"", "`kaiserjagers` is not in the list of france-1870"),
        ("template = \"chasseurs\"", "arm = \"infantry\"\nweapon = \"chassepot\"", "which unit of its army's list"),
        ("elements = 7", "elements = 12", "had 6 to 10 elements, not 12 [guns.units.history-a]"),
        ("quality = \"experienced\"", "quality = \"militia\"", "was regulars to elite"),
        ("quality = \"experienced\"", "quality = 9", "guns.app2.quality-f"),
        ("weapon = \"krupp6\"", "weapon = \"sb12\"", "carried krupp4 or krupp6"),
        ("weapon = \"krupp6\"", "weapon = \"bombard\"", "no weapon is called `bombard`"),
        ("weapon = \"krupp6\"", "weapon = \"dreyse\"", "artillery does not fight with `dreyse`"),
        ("weapon = \"krupp6\"", "class = \"heavy\"", "is field artillery"),
        ("weapon = \"krupp6\"", "observer = [\"60cm\", \"95cm\"]", "does not fire indirectly"),
        ("template = \"mitrailleuse\"\nelements = 3", "template = \"mitrailleuse\"\nguns = 6", "guns.units.carriage-a"),
        (
            "general = \"reserve\"\ntemplate = \"mitrailleuse\"",
            "general = \"pajol\"\ntemplate = \"mitrailleuse\"",
            "mixes units that never stood together",
        ),
        ("posture = \"attack\"", "posture = \"withdraw\"", "guns.ours.opt-b"),
        ("objective = \"@village\"", "objective = \"@ligne\"", "no enemy and no terrain feature is called `ligne`"),
        (
            "pose = [\"100cm\", \"25cm\", 0]",
            "pose = [\"100cm\", \"35cm\", 0]",
            "units.hussars.pose: Hussars, chasseurs and dragoons stands outside its zone",
        ),
        ("pose = [\"100cm\", \"25cm\", 0]", "pose = [\"30cm\", \"12cm\", 0]", "guns.movement.terrain-e"),
        ("pose = [\"100cm\", \"25cm\", 0]", "pose = [\"155cm\", \"10cm\", 0]", "where nobody can go"),
        ("pose = [\"100cm\", \"25cm\", 0]", "pose = [\"72cm\", \"25cm\", 0]", "stand on the same ground"),
        ("pose = [\"100cm\", \"25cm\", 0]", "pose = [\"1cm\", \"25cm\", 0]", "beyond the table's edge"),
        ("pose = [\"28cm\", \"18cm\", 0]", "pose = [\"20cm\", \"28cm\", 0]", "nothing to hide in or behind"),
        (
            "pose = [\"135cm\", \"96cm\", 180]",
            "pose = [\"135cm\", \"98cm\", 180]",
            "its front rank must stand within half an element of wall",
        ),
        ("defend = \"@wall\"", "defend = \"@fence\"", "no terrain feature is called `fence`"),
        (
            "rectangle = [[\"80cm\", \"95cm\"], [\"95cm\", \"105cm\"]]",
            "disc = { centre = [\"87cm\", \"100cm\"], radius = \"5cm\" }",
            "guns.combat.building-c",
        ),
        ("feature = \"@village\"", "feature = \"@barn\"", "no terrain feature is called `barn`"),
        ("french = 40", "french = 140", "1 to 100 per cent"),
        (
            "zone = [[\"0cm\", \"0cm\"], [\"180cm\", \"30cm\"]]",
            "zone = [[\"0cm\", \"0cm\"], [\"180cm\", \"95cm\"]]",
            "zones of the two sides meet",
        ),
        ("elements = 7", "elements = 7\ncolour = \"green\"", "nothing here knows this entry"),
    ];
    for (old, new, told) in wrong {
        assert!(BATTLE.contains(old), "{old}");
        let faults = faults(&BATTLE.replacen(old, new, 1));
        assert!(faults.contains(told), "expected `{told}` among:\n{faults}");
    }
}

#[test]
fn unusual_sizes_are_worth_a_second_look_and_lists_can_be_left() {
    let text = BATTLE.replacen("elements = 7", "elements = 12", 1).replacen(
        "[table]",
        "[settings]\nhistorical_lists = false\n[table]",
        1,
    );
    let mustered = muster::<Guns>(&text, None, Mode::Battle).unwrap_or_else(|faults| panic!("{faults}"));
    let told: Vec<String> = mustered.cautions.cautions.iter().map(ToString::to_string).collect();
    let told = told.join("; ");
    assert!(told.contains("guns.units.size-a") && told.contains("guns.units.history-a"), "{told}");
    assert_eq!(mustered.state.card(unit(&mustered.state, "chasseurs")).facts.start, 14);
}

#[test]
fn carriage_guns_and_new_weapons_are_switches_of_the_set_up() {
    let text = BATTLE
        .replacen("template = \"mitrailleuse\"\nelements = 3", "template = \"mitrailleuse\"\nguns = 6", 1)
        .replacen("weapon = \"krupp6\"", "weapon = \"krupp9\"", 1)
        .replacen(
            "[table]",
            "[settings]\ncarriage_guns = true\nscale = \"s15\"\n[weapons.krupp9]\nshort = \"60\"\nextreme = \"160 [180]\"\nkinds = [\"artillery\", \"breech\"]\n[table]",
            1,
        );
    let field = match muster::<Guns>(
        &text.replacen("pose = [\"135cm\", \"96cm\", 180]", "pose = [\"135cm\", \"96.2cm\", 180]", 1),
        None,
        Mode::Battle,
    ) {
        Ok(mustered) => mustered.state,
        Err(faults) => panic!("{faults}"),
    };
    let mitrailleuse = &field.card(unit(&field, "mitrailleuse")).facts;
    assert_eq!((mitrailleuse.is_battery(), mitrailleuse.start, mitrailleuse.class), (true, 6, Some(GunClass::Field)));
    let krupps = &field.card(unit(&field, "krupps")).facts;
    assert_eq!((krupps.weapon.short, krupps.weapon.extreme), (long("75.0cm"), long("180.0cm")));
    assert_eq!(krupps.element.width, long("30.0mm"));
}

#[test]
fn a_case_begins_where_it_says() {
    let text = r#"
ruleset = "guns"
title = "In the middle of things"
start = { step = "musketry", turn = 3 }
after = [{ nominated = { brigade = "@wood-command", issuer = "@wood", present = [] } }, { fired = { unit = "@mg" } }]
year = 1914
[table]
size = ["180cm", "120cm"]
[sides.a]
edges = ["south"]
[sides.b]
edges = ["north"]
[armies.b]
indirect_fire = true
[generals.wood]
side = "a"
level = "brigade"
pose = ["30cm", "20cm", 0]
attached = "@first"
screen = { pose = ["60cm", "40cm", 0], parents = ["@second"] }
[generals.black]
side = "b"
level = "brigade"
ability = "inept"
pose = ["30cm", "90cm", 180]
disabled = 2
[units.first]
general = "wood"
arm = "infantry"
weapon = "magazine"
elements = 8
organic = 1
organic_weapon = "mg"
pose = ["30cm", "30cm", 0]
status = 5
disorder = { combat = true }
charge = { at = "@battery", stage = "tested", left = "20cm", led_by = "@wood", counter = false }
bound = { used = "12cm", full = "20cm" }
[units.second]
general = "wood"
arm = "infantry"
weapon = "magazine"
elements = 8
pose = ["60cm", "30cm", 0]
[units.mg]
side = "a"
arm = "rapid_fire"
weapon = "mg"
elements = 2
pose = ["90cm", "30cm", 0]
hidden = true
[units.battery]
general = "black"
arm = "artillery"
weapon = "field14"
guns = 6
guns_left = 4
pose = ["30cm", "80cm", 180]
observer = ["40cm", "70cm"]
state = { registration = { at = "@first", point = ["30cm", "30cm"], ranged = true, marked = true, blocks = [[0, 0]] } }
"#;
    let field = field(text, Mode::Case);
    let (first, battery) = (unit(&field, "first"), unit(&field, "battery"));
    let own = &field.unit(first).own;
    assert_eq!((own.status, own.disorder.combat, own.disorder.terrain), (5, true, false));
    assert_eq!(
        own.charge.as_ref().map(|charge| (charge.at, charge.led_by)),
        Some((battery, Some(general(&field, "wood"))))
    );
    assert_eq!((own.bound.used, own.bound.fired), (long("12.0cm"), false));
    assert_eq!(field.commander(general(&field, "wood")).own.attached, Some(first));
    assert_eq!(field.commander(general(&field, "wood")).own.ability, Some(Ability::Average));
    assert_eq!(field.commander(general(&field, "black")).own.health, Health::Disabled { bound: 2 });
    let mg = field.unit(unit(&field, "mg"));
    assert_eq!((mg.whereabouts, mg.own.bound.fired), (Whereabouts::Hidden, true));
    let guns = &field.unit(battery).own;
    assert_eq!((guns.guns, guns.cycle), (4, Cycle::Deployed));
    assert_eq!(guns.observer, Some(Observer::At(Point::new(long("40.0cm"), long("70.0cm")))));
    assert!(guns.registration.as_ref().is_some_and(|one| one.at == first && one.marked));
    let screen = field.unit(unit(&field, "wood-skirmishers"));
    assert_eq!((screen.is_present(), screen.body.stands.count(), screen.own.parents.len()), (true, 1, 1));
    assert!(field.unit(unit(&field, "second")).own.lent && !own.lent);
    assert!(field.ledger().brigades[0].nominated && field.ledger().brigades[0].order.is_some());
    assert_eq!((field.turn(), field.agenda()), (3, [Phase::Bound { next: 6 }].as_slice()));
    assert_eq!(BoundStep::ALL[6], BoundStep::Musketry);
    let wrong = text.replacen("status = 5", "status = 5\nstate = { morale = 3 }", 1);
    let told = muster::<Guns>(&wrong, None, Mode::Case).err().expect("faulty").to_string();
    assert!(told.contains("a unit's state has no `morale`"), "{told}");
}
