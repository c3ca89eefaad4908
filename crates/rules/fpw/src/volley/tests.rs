//! Volleys on small fields, with the dice written out.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::event::{FpwEvent, Manner};
use super::super::field::{Field, soldiers};
use super::super::fire::{self, Reaction};
use super::super::odds_fire;
use super::super::order::{Decision, Occasion, Order, Shot, StandRef, Target};
use super::super::sequence::{Opening, Phase};
use super::super::unit::{Absence, Formation};
use super::super::{Fpw, morale};
use super::Volleys;
use engine::battle::Keep;
use engine::setup::{Mode, muster};
use engine::{Battle, CommanderId, Deed, Scripted, Side, UnitId, Verdict, View, Viewer, Whereabouts};
use table::{Length, Point};

fn length(text: &str) -> Length {
    text.parse().unwrap()
}

const A: Side = Side::A;
const B: Side = Side::B;

/// Prussians from the south are side A, French from the north side B.
fn field(units: &str) -> Field {
    let text = format!(
        r#"
ruleset = "fpw"
title = "A range"
start = {{ active = "prussian", part = "deployment" }}
[table]
size = ["72in", "48in"]
[table.features.village]
kind = "town"
rectangle = [["50in", "30in"], ["60in", "40in"]]
[sides.prussian]
edges = ["south"]
[sides.french]
edges = ["north"]
{units}
"#
    );
    match muster::<Fpw>(&text, None, Mode::Case) {
        Ok(mustered) => mustered.state,
        Err(faults) => panic!("{faults}"),
    }
}

/// A unit as a set-up has it.
fn unit(key: &str, side: &str, arm: &str, pose: &str, more: &str) -> String {
    format!("[units.{key}]\nside = \"{side}\"\narm = \"{arm}\"\npose = {pose}\n{more}\n")
}

fn foot(key: &str, side: &str, pose: &str) -> String {
    unit(key, side, "infantry", pose, "")
}

fn guns(key: &str, side: &str, pose: &str) -> String {
    unit(key, side, "foot_artillery", pose, "")
}

fn id(field: &Field, key: &str) -> UnitId {
    field.muster().unit_ids().find(|id| field.card(*id).key == key).expect("a unit")
}

/// A battle that stands in a phase, over a question nobody answers here.
fn battle(field: Field, phase: Phase, dice: &[&str]) -> Battle<Fpw> {
    let mut script = Scripted::default();
    dice.iter().for_each(|throw| script.add(throw).unwrap());
    let resting = Phase::Opening(Opening::Deploy { done: 0 });
    Battle::begin(field.with_agenda(vec![resting, phase], 1), Box::new(script), Keep::Everything)
}

fn answer(battle: &mut Battle<Fpw>, side: Side, order: Order) {
    let no = battle.asked().expect("a question").no;
    battle.submit(side, no, order).unwrap();
    assert!(battle.fault().is_none(), "{:?}", battle.fault());
}

/// Disruption and degradation on a unit.
fn marks(battle: &Battle<Fpw>, key: &str) -> (u32, u32) {
    let own = soldiers(battle.state(), id(battle.state(), key));
    (own.disruption(), own.degradation())
}

fn react(field: Field, by: Side, mover: &str, dice: &[&str]) -> Battle<Fpw> {
    let targets = vec![id(&field, mover)];
    let phase = Phase::Reaction(Reaction { by, targets, occasion: Occasion::Moved });
    let mut battle = battle(field, phase, dice);
    answer(&mut battle, by, Order::ReactAll);
    battle
}

fn is_there(battle: &Battle<Fpw>, key: &str) -> bool {
    battle.state().unit(id(battle.state(), key)).whereabouts == Whereabouts::OnTable
}

#[test]
fn a_regiment_that_stands_still_is_fired_at_when_the_phase_ends() {
    let units =
        foot("ir20", "prussian", "[\"24in\", \"14in\", 0]") + &foot("ligne8", "french", "[\"24in\", \"20in\", 180]");
    let battle = battle(field(&units), Phase::Standing { side: B, fired: false }, &["3d6: 5 4 6"]);
    assert!(battle.fault().is_none(), "{:?}", battle.fault());
    assert_eq!(marks(&battle, "ligne8"), (2, 0));
    assert!(matches!(battle.asked().unwrap().decision, Decision::Deploy), "nobody may fall back who stood still");
}

#[test]
fn two_regiments_fire_together_at_a_mover() {
    let units = foot("ir20", "prussian", "[\"21.6in\", \"17in\", 0]")
        + &foot("ir35", "prussian", "[\"26.4in\", \"17in\", 0]")
        + &foot("ligne8", "french", "[\"24in\", \"20in\", 180]");
    let battle = react(field(&units), A, "ligne8", &["6d6: 3 3 3 3 3 2", "1d6: 6", "1d6: 1"]);
    assert_eq!(marks(&battle, "ligne8"), (4, 1));
    let able = fire::able(battle.state(), A, &[id(battle.state(), "ligne8")], None);
    assert!(able.is_empty(), "every stand has fired this turn: {able:?}");
}

#[test]
fn the_question_is_put_only_to_those_who_can_fire() {
    let units =
        foot("ir20", "prussian", "[\"24in\", \"11in\", 0]") + &foot("ligne8", "french", "[\"24in\", \"20in\", 180]");
    let field = field(&units);
    let (ligne8, ir20) = (id(&field, "ligne8"), id(&field, "ir20"));
    assert!(fire::able(&field, A, &[ligne8], None).is_empty(), "nine inches is too far to react");
    // Chassepots reach it under orders, needle guns have to wait.
    assert_eq!(fire::ordered_targets(&field, ligne8), [ir20]);
    let (mut french, mut prussian) = (Verdict::fine(), Verdict::fine());
    fire::may_fire_ordered(&field, ligne8, &mut french);
    fire::may_fire_ordered(&field, ir20, &mut prussian);
    assert!(french.is_legal() && !prussian.is_legal());
    assert_eq!(fire::shots_of(&field, &Target { unit: ligne8, at: None }).len(), 3);
}

#[test]
fn a_battery_in_a_line_of_foot_takes_half_the_fire() {
    let mut units = String::new();
    for n in 0..4 {
        units += &guns(&format!("g{n}"), "prussian", &format!("[\"{}in\", \"10in\", 0]", 22.8 + 0.8 * f64::from(n)));
    }
    units += &foot("left", "french", "[\"26.8in\", \"24in\", 180]");
    units += &foot("right", "french", "[\"21.2in\", \"24in\", 180]");
    units += &guns("battery", "french", "[\"24in\", \"24in\", 180]");
    let field = field(&units);
    let at = id(&field, "battery");
    let guns: Vec<UnitId> = (0..4).map(|n| id(&field, &format!("g{n}"))).collect();
    assert!(fire::ordered_targets(&field, guns[0]).contains(&at));
    let shots = guns.iter().map(|unit| Shot { unit: *unit, stand: 0, at }).collect();
    let mut battle = battle(field, Phase::Volleys(Volleys::new(shots, Manner::Ordered, None)), &["4d6: 3 2 5 4"]);
    assert!(matches!(&battle.asked().unwrap().decision, Decision::Concentrate { most: 2, .. }));
    let no = battle.asked().unwrap().no;
    let all = guns.iter().map(|unit| StandRef { unit: *unit, stand: 0 });
    assert!(battle.submit(A, no, Order::Concentrate { stands: all.clone().collect() }).is_err());
    answer(&mut battle, A, Order::Concentrate { stands: all.take(2).collect() });
    assert_eq!((marks(&battle, "battery"), marks(&battle, "left"), marks(&battle, "right")), ((1, 0), (1, 0), (1, 0)));
    // The nearest stand of each regiment bears it: the last of the one, the first of the other.
    let struck = |key: &str| {
        let own = soldiers(battle.state(), id(battle.state(), key));
        own.stands.iter().position(|stand| stand.disruption > 0).unwrap()
    };
    assert_ne!(struck("left"), struck("right"));
    assert_ne!(struck("left"), 1);
}

#[test]
fn brigaded_guns_spread_their_fire_over_brigaded_guns() {
    let mut units = String::from(
        "[generals.bataille]\nside = \"french\"\nlevel = \"division\"\npose = [\"24in\", \"40in\", 180]\n",
    );
    for n in 0..3 {
        let pose = format!("[\"{}in\", \"10in\", 0]", 23.2 + 0.8 * f64::from(n));
        units += &guns(&format!("g{n}"), "prussian", &pose);
        let pose = format!("[\"{}in\", \"24in\", 180]", 23.2 + 0.8 * f64::from(n));
        units += &unit(&format!("f{n}"), "french", "foot_artillery", &pose, "general = \"bataille\"");
    }
    let field = field(&units);
    let at = id(&field, "f0");
    let shots = (0..3).map(|n| Shot { unit: id(&field, &format!("g{n}")), stand: 0, at }).collect();
    let battle = battle(field, Phase::Volleys(Volleys::new(shots, Manner::Ordered, None)), &["3d6: 5 5 5"]);
    assert!(battle.fault().is_none(), "{:?}", battle.fault());
    for key in ["f0", "f1", "f2"] {
        assert_eq!(marks(&battle, key), (1, 0), "{key}");
    }
}

#[test]
fn sixes_carry_on_to_the_regiment_behind() {
    let mut units = String::new();
    for n in 0..3 {
        units += &guns(&format!("g{n}"), "prussian", &format!("[\"{}in\", \"10in\", 0]", 23.2 + 0.8 * f64::from(n)));
    }
    units += &foot("front", "french", "[\"24in\", \"25in\", 180]");
    units += &foot("rear", "french", "[\"24in\", \"27.3in\", 180]");
    let field = field(&units);
    let at = id(&field, "front");
    let shots: Vec<Shot> = (0..3).map(|n| Shot { unit: id(&field, &format!("g{n}")), stand: 0, at }).collect();
    let odds = odds_fire::volley_odds(&field, &shots, Manner::Ordered, None);
    assert_eq!(odds.bars.last().unwrap().exact, "8/27", "three dice at plus one all hit");
    let carried = odds.then.last().unwrap();
    assert_eq!((carried.title.as_str(), carried.bars.len()), ("hits carried on to rear", 4));
    let phase = Phase::Volleys(Volleys::new(shots, Manner::Ordered, None));
    let battle = battle(field, phase, &["3d6: 6 4 2", "1d6: 5"]);
    assert!(battle.fault().is_none(), "{:?}", battle.fault());
    assert_eq!((marks(&battle, "front"), marks(&battle, "rear")), ((2, 0), (1, 0)));
}

#[test]
fn a_stack_takes_hits_from_the_front() {
    let mut units = String::new();
    for n in 0..8 {
        units += &guns(&format!("g{n}"), "prussian", &format!("[\"{}in\", \"10in\", 0]", 21.2 + 0.8 * f64::from(n)));
    }
    units += &foot("front", "french", "[\"24in\", \"25in\", 180]");
    units += &foot("rear", "french", "[\"24in\", \"25.8in\", 180]");
    let shot = |dice: &[&str]| {
        let field = field(&units);
        let at = id(&field, "front");
        let shots = (0..8).map(|n| Shot { unit: id(&field, &format!("g{n}")), stand: 0, at }).collect();
        let battle = battle(field, Phase::Volleys(Volleys::new(shots, Manner::Ordered, None)), dice);
        assert!(battle.fault().is_none(), "{:?}", battle.fault());
        (marks(&battle, "front"), marks(&battle, "rear"))
    };
    assert_eq!(shot(&["8d6: 5 5 5 5 5 1 1 1"]), ((3, 0), (2, 0)));
    assert_eq!(shot(&["8d6: 5 5 5 5 5 5 5 5", "1d6: 4", "1d6: 1"]), ((3, 1), (4, 0)));
    assert_eq!(super::aim::stack_shares(3, 3, 9), (5, 4));
}

#[test]
fn artillery_fires_into_a_village() {
    let units = guns("g0", "prussian", "[\"54.6in\", \"10in\", 0]")
        + &guns("g1", "prussian", "[\"55.4in\", \"10in\", 0]")
        + &foot("ligne8", "french", "[\"55in\", \"30in\", 180]");
    let field = field(&units);
    let at = id(&field, "ligne8");
    let shots = ["g0", "g1"].map(|key| Shot { unit: id(&field, key), stand: 0, at }).to_vec();
    let phase = Phase::Volleys(Volleys::new(shots, Manner::Ordered, None));
    let battle = battle(field, phase, &["2d6: 6 5"]);
    assert_eq!(marks(&battle, "ligne8"), (1, 0));
    let volley = battle.events().iter().find(|event| matches!(event.deed, Deed::Own(FpwEvent::Volley { .. }))).unwrap();
    assert_eq!(volley.reckoning.as_ref().unwrap().whole(), -2);
}

#[test]
fn the_mitrailleuse_throws_two_dice_close_by() {
    let units = unit("balls", "french", "foot_artillery", "[\"24in\", \"20in\", 180]", "weapon = \"mitrailleuse\"")
        + &unit("uhlans", "prussian", "cavalry", "[\"24in\", \"13in\", 0]", "formation = \"column\"");
    let battle = react(field(&units), B, "uhlans", &["2d6: 1 2"]);
    assert_eq!(marks(&battle, "uhlans"), (0, 2));
    assert!(is_there(&battle, "uhlans"));
}

#[test]
fn horse_is_shot_down_on_its_way() {
    let units = foot("ligne8", "french", "[\"24in\", \"30in\", 180]")
        + &unit("dragoons", "prussian", "cavalry", "[\"24in\", \"19in\", 0]", "");
    let field = field(&units);
    let (ligne8, dragoons) = (id(&field, "ligne8"), id(&field, "dragoons"));
    let shots = fire::approach_shots(&field, ligne8, &[dragoons]);
    assert_eq!(shots.len(), 3);
    let volley = |band| Phase::Volleys(Volleys::new(shots.clone(), Manner::Approach, Some(band)));
    let resting = Phase::Opening(Opening::Deploy { done: 0 });
    let agenda = vec![resting, volley(0), volley(1), volley(2)];
    let mut script = Scripted::default();
    ["3d6: 4 2 1", "3d6: 3 2 2", "3d6: 2 1 1"].iter().for_each(|throw| script.add(throw).unwrap());
    let battle = Battle::begin(field.with_agenda(agenda, 1), Box::new(script), Keep::Everything);
    assert!(battle.fault().is_none(), "{:?}", battle.fault());
    assert_eq!(marks(&battle, "dragoons"), (0, 3));
    assert!(!is_there(&battle, "dragoons"));
}

#[test]
fn worn_foot_gives_way_through_its_friends() {
    let worn = "markers = [[1, 1], [1, 1], [0, 1]]";
    let units = foot("ir20", "prussian", "[\"24in\", \"16in\", 0]")
        + &unit("ligne8", "french", "infantry", "[\"24in\", \"20in\", 180]", worn)
        + &foot("ligne23", "french", "[\"24in\", \"24in\", 180]");
    let give_way = |dice: &[&str]| react(field(&units), A, "ligne8", dice);
    let battle = give_way(&["3d6: 3 3 1", "2d6: 3 4", "3d6: 5 2 6"]);
    assert_eq!((marks(&battle, "ligne8"), marks(&battle, "ligne23")), ((4, 3), (2, 0)));
    let state = battle.state();
    let place = Point::new(length("24in"), length("27in"));
    assert_eq!(state.unit(id(state, "ligne8")).pose().at, place);
    assert_eq!(morale::surplus(state, id(state, "ligne8")), 1);
    assert!(!is_there(&give_way(&["3d6: 3 3 1", "2d6: 5 4"]), "ligne8"));
    // Four inches would end on the friends behind, so it goes on until it is clear of them.
    let battle = give_way(&["3d6: 3 3 1", "2d6: 2 2", "3d6: 1 1 1"]);
    let behind = battle.state().unit(id(battle.state(), "ligne8")).pose().at.y;
    assert!(behind >= length("24.8in") && behind < length("24.9in"), "{behind}");
}

#[test]
fn guns_that_give_way_limber_up() {
    let units = foot("ir20", "prussian", "[\"24in\", \"16in\", 0]")
        + &unit("battery", "french", "foot_artillery", "[\"24in\", \"20in\", 180]", "markers = [[1, 1]]");
    let battle = react(field(&units), A, "battery", &["3d6: 1 3 1", "1d6: 2"]);
    let state = battle.state();
    assert_eq!(state.unit(id(state, "battery")).body.formation, Formation::Limbered);
    assert_eq!(state.unit(id(state, "battery")).pose().at.y, length("22in"));
}

#[test]
fn stands_behind_others_of_their_own_do_not_fire() {
    let dense = unit("ir20", "prussian", "infantry", "[\"24in\", \"14in\", 0]", "formation = \"dense\"");
    let field = field(&(dense + &foot("ligne8", "french", "[\"24in\", \"20in\", 180]")));
    let (ir20, ligne8) = (id(&field, "ir20"), id(&field, "ligne8"));
    let stands: Vec<u8> = fire::able(&field, A, &[ligne8], None).iter().map(|shot| shot.stand).collect();
    assert_eq!(stands, [0, 1]);
    assert_eq!(fire::able(&field, B, &[ir20], None).len(), 3);
}

#[test]
fn a_general_with_a_unit_under_fire_is_thrown_for() {
    let general = "[generals.bataille]\nside = \"french\"\nlevel = \"division\"\npose = [\"24in\", \"20.8in\", 180]\n";
    let units = format!("{general}attached = \"ligne8\"\n")
        + &foot("ir20", "prussian", "[\"24in\", \"17in\", 0]")
        + &foot("ligne8", "french", "[\"24in\", \"20in\", 180]");
    let fall = |face: &str| {
        let battle = react(field(&units), A, "ligne8", &["3d6: 3 4 5", face]);
        assert_eq!(marks(&battle, "ligne8"), (3, 0));
        let state = battle.state();
        let whereabouts = state.commander(CommanderId(0)).whereabouts;
        (whereabouts, state.commander(CommanderId(0)).own.absence)
    };
    assert_eq!(fall("3d6: 2 1 6"), (Whereabouts::Gone, Absence::Lost));
    assert_eq!(fall("3d6: 2 2 6"), (Whereabouts::OnTable, Absence::Present));
}

#[test]
fn guns_are_told_why_they_may_not_fire() {
    let units = guns("near", "prussian", "[\"55in\", \"20in\", 0]")
        + &unit("limbered", "prussian", "foot_artillery", "[\"57in\", \"20in\", 0]", "formation = \"limbered\"")
        + &foot("deep", "french", "[\"55in\", \"33in\", 180]")
        + &foot("beside", "french", "[\"20in\", \"22in\", 180]")
        + &foot("edge", "french", "[\"55in\", \"30in\", 180]");
    let field = field(&units);
    let near = id(&field, "near");
    assert_eq!(fire::ordered_targets(&field, near), [id(&field, "edge")]);
    let view = View::new(&field, Viewer::Side(A));
    let told = |unit: &str, at: &str| {
        let unit = id(&field, unit);
        let order = Order::Shots { shots: vec![Target { unit, at: Some(id(&field, at)) }] };
        let verdict = fire::check_shots(&view, &[unit], &order);
        verdict.refusals.iter().map(|note| note.clause.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(told("near", "edge"), Vec::<String>::new());
    assert_eq!(told("near", "deep"), ["fpw.visibility-c"]);
    assert_eq!(told("near", "beside"), ["fpw.targets-b", "fpw.weapons-e"]);
    assert_eq!(told("limbered", "edge"), ["fpw.movement-k"]);
}
