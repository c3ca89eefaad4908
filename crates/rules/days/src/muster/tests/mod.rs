//! Set-ups small enough to add up by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cases;
mod refusals;

use super::super::Days;
use super::super::charts::Charts;
use super::super::field::{Field, facts, part};
use super::super::force;
use super::super::formation::Shape;
use super::super::settings::{VictoryBy, Weight};
use super::super::unit::{Arm, Facts, Part, Quality, Rank, Serves, Trait};
use super::armies::{lists, scaled};
use engine::chart::ChartTree;
use engine::setup::{Mode, muster};
use engine::{CommanderId, Ruleset, Side, UnitId};
use smallvec::SmallVec;
use table::{Footprint, Length, Point};

pub(super) const IRON: &str = include_str!("iron.toml");
pub(super) const EMPIRE: &str = include_str!("empire.toml");

pub(super) fn battle(text: &str) -> Field {
    muster::<Days>(text, None, Mode::Battle).unwrap_or_else(|faults| panic!("{faults}")).state
}

pub(super) fn unit(field: &Field, key: &str) -> UnitId {
    field.muster().unit_ids().find(|id| field.card(*id).key == key).unwrap_or_else(|| panic!("no unit {key}"))
}

fn general(field: &Field, key: &str) -> CommanderId {
    field.muster().commander_ids().find(|id| field.muster().commander(*id).key == key).unwrap()
}

fn troops_of(arm: Arm, class: u8, start: u8, weapon: &str, traits: &[Trait]) -> Facts {
    Facts {
        arm,
        class,
        traits: traits.iter().copied().collect(),
        weapon: weapon.to_owned(),
        start,
        points: 0,
        model_points: 0,
        independent: false,
        part: None,
        parts: SmallVec::new(),
        stand: Footprint::default(),
        limbered: Footprint::default(),
        gap: Length::ZERO,
        zones: Vec::new(),
        entry: None,
    }
}

/// What a unit costs in one of the books.
fn cost(empire: bool, facts: &Facts) -> i32 {
    let edition = &Days::EDITIONS[usize::from(empire)];
    let charts: Charts = ChartTree::printed(edition.charts).and_then(|tree| tree.read()).unwrap();
    force::price(&charts, empire, facts).whole()
}

#[test]
fn prices_are_those_of_the_book() {
    let foot = |class, start, weapon| troops_of(Arm::Infantry, class, start, weapon, &[Trait::LineInfantry]);
    let horse = |class, start, traits: &[Trait]| troops_of(Arm::Cavalry, class, start, "carbine", traits);
    let guns = |start, weapon, traits: &[Trait]| troops_of(Arm::Artillery, 3, start, weapon, traits);
    let heavy = [Trait::Heavy, Trait::Cuirassier];
    let iron = [
        // PV-01, PV-03 and the sums of the book and of B.2.
        (foot(2, 14, "dreyse"), 42),
        (horse(3, 10, &heavy), 100),
        (horse(2, 10, &heavy), 80),
        (foot(3, 8, "dreyse"), 32),
        (foot(2, 12, "dreyse"), 36),
        (foot(2, 12, "chassepot"), 48),
        (foot(1, 10, "tabatiere"), 10),
        (horse(3, 8, &heavy), 80),
        (horse(2, 11, &[Trait::Light]), 66),
        (guns(2, "bl_field", &[Trait::Foot]), 100),
        (guns(2, "bl_field", &[Trait::Horse]), 120),
        (guns(2, "ml_field", &[Trait::Foot]), 80),
        (guns(1, "siege_gun", &[Trait::Siege]), 60),
    ];
    for (facts, points) in iron {
        assert_eq!(cost(false, &facts), points, "{facts:?}");
    }
    let empire = [
        // PV-02 and the sums of the book and of B.2.
        (guns(3, "field_gun", &[Trait::Horse]), 135),
        (foot(3, 8, "rifle"), 32),
        (foot(4, 12, "rifle"), 60),
        (foot(2, 16, "smoothbore"), 32),
        (horse(3, 9, &[Trait::Light]), 72),
        (guns(1, "siege_howitzer", &[Trait::Siege]), 50),
    ];
    for (facts, points) in empire {
        assert_eq!(cost(true, &facts), points, "{facts:?}");
    }
}

#[test]
fn works_are_paid_for_by_started_lengths() {
    let charts: Charts = ChartTree::printed(Days::EDITIONS[0].charts).and_then(|tree| tree.read()).unwrap();
    let price =
        |works, boats| force::extras_price(&charts, Length::whole_inches(works), Length::whole_inches(boats)).whole();
    assert_eq!([price(0, 0), price(4, 0), price(5, 0), price(8, 2), price(0, 3)], [0, 10, 20, 30, 20]);
}

#[test]
fn the_lists_read_and_their_limits_grow_with_the_size() {
    let lists = lists().unwrap();
    assert_eq!((lists.of("iron").count(), lists.of("empire").count()), (5, 5));
    assert_eq!([scaled(3, 800), scaled(3, 400), scaled(3, 801), scaled(0, 800)], [3, 2, 4, 0]);
    for list in lists.armies.values() {
        let edition = usize::from(list.edition == "empire");
        let charts: Charts = ChartTree::printed(Days::EDITIONS[edition].charts).and_then(|tree| tree.read()).unwrap();
        assert!(charts.staff.contains_key(&list.staff), "{}", list.staff);
        for (key, entry) in &list.units {
            let known = |weapon: &String| match entry.arm {
                Arm::Artillery => charts.gun.contains_key(weapon),
                _ => charts.small_arms.contains_key(weapon),
            };
            assert!(entry.weapons.iter().all(known), "{key} has weapons nobody knows");
            assert!(!entry.classes.is_empty() && entry.size.0 >= 1 && entry.size.0 <= entry.size.1, "{key}");
        }
    }
}

#[test]
fn a_set_up_of_1870_musters() {
    let field = battle(IRON);
    let scenario = &field.muster().scenario;
    assert_eq!((scenario.size, scenario.attacker, scenario.off_board), (500, Some(Side::A), true));
    assert_eq!(field.settings().victory, VictoryBy::Objectives);
    // 36 + 42 + 20 + 40 + 120 + 48 + 30, a brigade general, 20 for works and 10 for boats.
    assert_eq!(force::points(&field, Side::A), 36 + 42 + 20 + 40 + 120 + 48 + 30 + 30 + 20 + 10);
    assert_eq!(force::points(&field, Side::B), 48 + 60 + 50 + 64 + 80 + 30);
    let brigade = field.card(unit(&field, "first")).command.unwrap();
    assert_eq!(force::command_points(&field, brigade), 36 + 42 + 20 + 40 + 120 + 30);
    let lines = force::lines(&field, Side::A);
    assert_eq!(lines.iter().filter_map(|line| line.points).sum::<i32>(), 366 + 30);
    let guns = field.unit(unit(&field, "krupps"));
    assert_eq!((guns.own.crew(), guns.own.horses, guns.body.stands.count()), (8, 6, 2));
    assert_eq!(facts(&field, unit(&field, "krupps")).model_points, 60);
    assert_eq!(field.unit(unit(&field, "guns")).own.horses, 4);
    let (army, brigadier) = (general(&field, "steinmetz"), general(&field, "kirchbach"));
    // Nobody's worth is known before the battle: it is told, or diced for, when it begins.
    assert_eq!((field.commander(army).own.quality, field.muster().commander(army).facts.quality), (None, None));
    assert_eq!(field.muster().commander(army).facts.table, "prussian");
    assert_eq!(field.muster().commander(brigadier).facts.quality, Some(Quality::Exceptional));
    assert_eq!(field.muster().commander(general(&field, "bataille")).facts.quality, None);
    assert_eq!(field.muster().commander(brigadier).facts.serves, Serves::Infantry);
    assert_eq!(field.muster().command(brigade).parent, Some(field.muster().commander(army).commands));
    assert!(scenario.in_hiding[unit(&field, "ligne1").index()]);
    assert!(scenario.at_crest[unit(&field, "guns").index()].is_some());
}

#[test]
fn a_set_up_of_the_crimea_musters() {
    let field = battle(EMPIRE);
    assert_eq!(force::points(&field, Side::A), 24 + 48 + 60 + 36 + 36 + 135 + 30);
    assert_eq!(force::points(&field, Side::B), 32 + 32 + 16 + 16 + 48 + 105 + 50 + 3 * 30);
    assert_eq!(field.muster().commander(general(&field, "horse")).facts.serves, Serves::Cavalry);
    assert_eq!(field.muster().commander(general(&field, "read")).facts.rank, Rank::Division);
    let russian = unit(&field, "ru1");
    assert_eq!(field.unit(russian).body.formation.shape, Shape::Manoeuvre, "their usual formation");
    assert!(facts(&field, unit(&field, "dragoons")).is(Trait::MayDismount));
    assert!(!facts(&field, unit(&field, "cuirassiers")).is(Trait::MayDismount));
}

#[test]
fn units_have_their_parts() {
    let iron = battle(IRON);
    let key = |field: &Field, of: &str, kind| part(field, unit(field, of), kind).map(|id| field.card(id).key.clone());
    assert_eq!(key(&iron, "first", Part::Screen).as_deref(), Some("first-skirmishers"));
    assert_eq!(key(&iron, "third", Part::Screen), None, "Class 1 does not skirmish");
    assert_eq!(key(&iron, "hussars", Part::Squadron).as_deref(), Some("hussars-squadron"));
    assert_eq!(key(&iron, "hussars", Part::Holders), None, "nobody holds horses in 1870");
    assert_eq!(key(&iron, "krupps", Part::Crew).as_deref(), Some("krupps-crew"));
    let screen = part(&iron, unit(&iron, "first"), Part::Screen).unwrap();
    assert_eq!(facts(&iron, screen).part, Some((Part::Screen, unit(&iron, "first"))));
    assert_eq!((facts(&iron, screen).points, facts(&iron, screen).start), (0, 0));
    assert!(!iron.unit(screen).is_present());
    let party = unit(&iron, "pioneers");
    assert_eq!((facts(&iron, party).start, facts(&iron, party).arm), (7, Arm::Engineers));
    // Four inches of the package, one bought.
    assert_eq!(iron.unit(party).own.pontoons, Length::whole_inches(5));
    let wagon = unit(&iron, "pioneers-wagon");
    assert_eq!((facts(&iron, wagon).arm, facts(&iron, wagon).points), (Arm::Wagon, 0));
    let at = iron.muster().scenario.units_at[wagon.index()].unwrap().at;
    // Behind a column of two files and four ranks, an inch apart.
    assert_eq!(at, Point::new(Length::whole_inches(2), Length::whole_inches(5)));
    let empire = battle(EMPIRE);
    assert_eq!(key(&empire, "dragoons", Part::Holders).as_deref(), Some("dragoons-horses"));
    assert_eq!(key(&empire, "cuirassiers", Part::Holders), None, "heavies stay in the saddle");
    assert_eq!(key(&empire, "hussars", Part::Holders).as_deref(), Some("hussars-horses"));
}

#[test]
fn ground_is_what_it_says() {
    let field = battle(IRON);
    let find = |key: &str| {
        let (id, feature) = field.ground().numbered().find(|(_, feature)| feature.key == key).unwrap();
        (field.muster().scenario.natures[usize::from(id.0)], feature.clone())
    };
    let weight = |key: &str| find(key).0.weight;
    assert_eq!([weight("wood"), weight("copse"), weight("village")], [Weight::Heavy, Weight::Undefined, Weight::Light]);
    assert_eq!([weight("wall"), weight("fence")], [Weight::Heavy, Weight::Light]);
    let burns = |key: &str| find(key).0.wooden;
    assert_eq!([burns("wood"), burns("village"), burns("fence"), burns("wall")], [true, true, true, false]);
    assert!(burns("bridge"), "it is of wood");
    let (nature, hill) = find("hill");
    assert!(nature.steep && nature.difficult);
    let ends = |x: i32, y: i32| Point::new(Length::whole_inches(x), Length::whole_inches(y));
    let crests: Vec<Vec<Point>> = hill
        .crests
        .iter()
        .map(|crest| {
            let mut crest = crest.clone();
            crest.sort_unstable();
            crest
        })
        .collect();
    assert_eq!(crests, [vec![ends(20, 22), ends(28, 22)], vec![ends(24, 20), ends(24, 24)]]);
}

#[test]
fn the_roll_call_tells_what_everybody_costs() {
    let field = battle(IRON);
    let guns = force::unit_event(&field, unit(&field, "krupps")).unwrap();
    assert_eq!(guns.reckoning.as_ref().unwrap().whole(), 120);
    let cited: Vec<String> = guns.cited().map(|clause| clause.as_str().to_owned()).collect();
    for clause in ["days.6.1-d", "iron.5.2-b", "days.5.4-d", "days.5.2-e", "days.3.1-e", "iron.10.1-a", "days.6-d"] {
        assert!(cited.iter().any(|one| one == clause), "{clause}: {cited:?}");
    }
    assert!(force::unit_event(&field, unit(&field, "krupps-crew")).is_none());
    let works = force::extras_event(&field, Side::A).unwrap();
    assert_eq!(works.reckoning.as_ref().unwrap().whole(), 30);
    assert!(force::extras_event(&field, Side::B).is_none());
    let brigadier = force::general_event(&field, general(&field, "kirchbach"));
    assert_eq!((brigadier.clause.as_str(), brigadier.reckoning.unwrap().whole()), ("days.5.1-c", 30));
}
