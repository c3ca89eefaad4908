//! Marches on a small field built by hand.

use super::*;
use crate::event::Ledger;
use crate::formation::{Formation, Shape};
use crate::ground::{self, Piece};
use crate::order::{ForcedMarch, Step};
use crate::settings::{Nature, Scenario, Settings, Weight};
use crate::unit::{Arm, Facts, GunModel, OrderState, Trait, Troops};
use crate::{Days, evolution};
use engine::battle::Keep;
use engine::chart::ChartTree;
use engine::state::{CommandCard, Muster, SideCard, UnitCard};
use engine::{Battle, BySide, CommandId, EditionNo, Ruleset, Scripted, StandSet, State};
use smallvec::SmallVec;
use std::sync::Arc;
use table::march::Leg;
use table::terrain::{Feature, TerrainKind};
use table::{Footprint, Ground, Outline, Shape as Land};

const INCH: Length = Length::whole_inches(1);

struct Piecemeal {
    side: Side,
    facts: Facts,
    formation: Formation,
    pose: Pose,
    troops: Troops,
}

fn at(x: i32, y: i32, facing: i32) -> Pose {
    Pose::new(Point::new(INCH * x, INCH * y), Angle::whole(facing))
}

fn unit(side: Side, arm: Arm, stands: u8, formation: &str, pose: Pose) -> Piecemeal {
    let stand = Footprint::new(INCH, INCH);
    let facts = Facts {
        arm,
        class: 2,
        traits: if arm == Arm::Infantry { SmallVec::from_slice(&[Trait::LineInfantry]) } else { SmallVec::new() },
        weapon: String::new(),
        start: stands,
        points: 0,
        model_points: 0,
        independent: false,
        part: None,
        parts: SmallVec::new(),
        stand,
        limbered: Footprint::new(INCH, INCH * 5 / 2),
        gap: INCH,
        zones: Vec::new(),
        entry: None,
    };
    let mut troops = Troops::fresh(&facts);
    if arm == Arm::Artillery {
        troops.guns = (0..stands).map(|_| GunModel { crew: 4, damaged: 0 }).collect();
        troops.horses = 6;
    }
    Piecemeal { side, facts, formation: formation.parse().unwrap(), pose, troops }
}

fn foot(formation: &str, pose: Pose) -> Piecemeal {
    unit(Side::A, Arm::Infantry, 12, formation, pose)
}

fn feature(kind: TerrainKind, corners: [(i32, i32); 2], width: Option<i32>, level: u8) -> Feature {
    let [(a, b), (c, d)] = corners;
    let point = |x: i32, y: i32| Point::new(INCH * x, INCH * y);
    let outline = match width {
        Some(width) => Outline::Line { points: vec![point(a, b), point(c, d)], width: INCH * width },
        None => Outline::Area(vec![point(a, b), point(c, b), point(c, d), point(a, d)]),
    };
    let shape = Land::new(outline).unwrap();
    Feature {
        key: kind.name().to_owned(),
        name: String::new(),
        kind,
        shape,
        level,
        crests: Vec::new(),
        nature: Vec::new(),
    }
}

fn field(edition: u8, units: Vec<Piecemeal>, features: Vec<Feature>, heavy: bool) -> Field {
    let side = |key: &str| SideCard { key: key.to_owned(), name: key.to_owned(), edges: Vec::new(), zones: Vec::new() };
    let cards = units.iter().enumerate().map(|(no, raw)| {
        let key = format!("u{no}");
        let command = (raw.side == Side::A).then_some(CommandId(0));
        Arc::new(UnitCard { name: key.clone(), key, side: raw.side, command, facts: raw.facts.clone() })
    });
    let weight = if heavy { Weight::Heavy } else { Weight::Light };
    let nature = Nature { weight, steep: false, difficult: false, wooden: false };
    let brigade =
        CommandCard { key: "b".to_owned(), name: "b".to_owned(), side: Side::A, parent: None, commander: None };
    let muster = Muster {
        edition: EditionNo(edition),
        title: String::new(),
        sides: Arc::new(BySide([side("a"), side("b")])),
        units: cards.collect(),
        commanders: Arc::new(Vec::new()),
        commands: Arc::new(vec![brigade]),
        charts: Arc::new(ChartTree::printed(Days::EDITIONS[usize::from(edition)].charts).unwrap().read().unwrap()),
        settings: Settings::default(),
        scenario: Scenario { natures: vec![nature; features.len()], ..Scenario::default() },
        ground: Arc::new(Ground { size: (INCH * 72, INCH * 48), features, wind: None }),
        turn_limit: None,
        digest: [0; 32],
    };
    let bodies = units
        .iter()
        .map(|raw| (raw.formation, StandSet::first(u32::from(raw.facts.start)), raw.troops.clone()))
        .collect();
    let placed: Vec<Event<Days>> = (0..)
        .zip(&units)
        .map(|(no, raw)| Deed::Placed { unit: UnitId(no), pose: raw.pose, formation: raw.formation, hidden: false })
        .map(|deed| Event::new(Clause::SetUpAndBegin, deed))
        .collect();
    State::new(muster, bodies, Vec::new(), Ledger::new(), Vec::new()).folded(&placed)
}

fn legs(text: &[&str]) -> Vec<Leg> {
    text.iter().map(|leg| leg.parse().unwrap()).collect()
}

fn go(text: &[&str]) -> Vec<Step> {
    vec![Step::March(legs(text))]
}

fn form(text: &str) -> Step {
    Step::Form(text.parse().unwrap())
}

/// The ids of all clauses that refuse it.
fn against(field: &Field, steps: &[Step]) -> Vec<String> {
    judge(field, UnitId(0), steps).verdict.refusals.iter().map(|note| note.clause.to_string()).collect()
}

fn assert_fine(field: &Field, steps: &[Step]) {
    assert_eq!(against(field, steps), Vec::<String>::new(), "{steps:?}");
}

fn assert_refused(field: &Field, steps: &[Step], clause: &str) {
    let reasons = against(field, steps);
    assert!(reasons.iter().any(|id| id == clause), "{steps:?}: {reasons:?}");
}

#[test]
fn a_line_goes_four_inches_and_wheels_dearly() {
    let field = field(0, vec![foot("line", at(30, 20, 0))], Vec::new(), false);
    assert_fine(&field, &go(&["ahead 4in"]));
    assert_refused(&field, &go(&["ahead 4.1in"]), "days.17.4.3-a");
    // The outer end of a twelve-inch line goes 2" in an arc of 9.549°: twice that is its whole move (A-51).
    let judged = judge(&field, UnitId(0), &go(&["wheel left 9.549"]));
    assert_eq!(field::measured(judged.spent()), INCH * 4);
    assert_fine(&field, &go(&["wheel left 9.549"]));
    assert_refused(&field, &go(&["wheel left 9.549", "ahead 1in"]), "days.17.4.3-a");
    assert_refused(&field, &go(&["back 1in"]), "days.17.4.6-a");
    assert_refused(&field, &go(&["ahead 29in"]), "days.17.4.3-a");
}

#[test]
fn what_is_left_after_a_change_is_reckoned_from_the_lower_allowance() {
    let field = field(0, vec![foot("march", at(30, 20, 0))], Vec::new(), false);
    assert_fine(&field, &[form("line"), Step::March(legs(&["ahead 2in"]))]);
    assert_refused(&field, &[form("line"), Step::March(legs(&["ahead 2.1in"]))], "days.17.4.3-b");
    assert_fine(&field, &[Step::March(legs(&["ahead 4in"])), form("manoeuvre")]);
    assert_refused(&field, &[form("line"), form("manoeuvre")], "days.17.4.7-a");
    assert_refused(&field, &[form("line"), Step::March(legs(&["about"]))], "days.17.4.7-a");
    assert_refused(&field, &[form("square")], "days.17.4.7-e");
    assert_refused(&field, &[form("column")], "days.12.1-a");
}

#[test]
fn an_endless_order_is_refused_like_a_short_one() {
    let field = field(0, vec![foot("line", at(20, 10, 0))], vec![], false);
    assert_refused(&field, &go(&["about"; 300]), "days.17.4.7-a");
}

#[test]
fn the_command_stand_keeps_its_place_when_a_unit_changes_formation() {
    let field = field(1, vec![foot("line", at(30, 20, 90))], Vec::new(), false);
    let before = field::command_pose(&field, UnitId(0));
    for to in ["march", "march*1", "manoeuvre", "skirmish", "square", "line^4:30"] {
        let judged = judge(&field, UnitId(0), &[form(to)]);
        assert!(judged.verdict.is_legal(), "{to}: {:?}", judged.verdict);
        let facts = field::facts(&field, UnitId(0));
        let after = facts.command_pose(judged.formation, 12, judged.end);
        assert!(
            after.at.distance(before.at) < INCH / 100 && after.facing == before.facing,
            "{to}: {after:?} {before:?}"
        );
    }
    assert_eq!(evolution::cost(&field, UnitId(0), "square".parse().unwrap()), Some(INCH * 2));
}

#[test]
fn nobody_comes_within_an_inch_of_an_enemy_unless_he_is_there_already() {
    let enemy = |y| unit(Side::B, Arm::Infantry, 12, "line", at(30, y, 180));
    let far = field(0, vec![foot("line", at(30, 20, 0)), enemy(24)], Vec::new(), false);
    assert_fine(&far, &go(&["ahead 2.9in"]));
    assert_refused(&far, &go(&["ahead 3in"]), "days.17.4-f");
    let skirmish = field(0, vec![foot("skirmish", at(30, 20, 0)), enemy(21)], Vec::new(), false);
    assert_fine(&skirmish, &go(&["back 2in"]));
    assert_refused(&skirmish, &go(&["ahead 0.5in"]), "days.17.4-f");
}

#[test]
fn halted_troops_go_away_but_no_nearer() {
    let mut halted = foot("skirmish", at(30, 20, 0));
    halted.troops.turn.halted = true;
    let field = field(0, vec![halted, unit(Side::B, Arm::Infantry, 12, "line", at(30, 30, 180))], Vec::new(), false);
    assert_fine(&field, &go(&["back 4in"]));
    assert_refused(&field, &go(&["ahead 1in"]), "days.17.2.10-a");
}

#[test]
fn ground_takes_its_toll_once_for_each_feature() {
    let wood = feature(TerrainKind::Woods, [(20, 22), (40, 26)], None, 0);
    let wall = feature(TerrainKind::Wall, [(20, 21), (40, 21)], Some(0), 0);
    let light = field(0, vec![foot("manoeuvre", at(30, 20, 0))], vec![wood.clone(), wall.clone()], false);
    let judged = judge(&light, UnitId(0), &go(&["ahead 3in"]));
    let costs: Vec<_> = judged.tolls.lines.iter().map(|line| (line.piece, line.cost)).collect();
    assert_eq!(costs, [(Piece::Feature(engine::FeatureId(0)), INCH * 2), (Piece::Feature(engine::FeatureId(1)), INCH)]);
    assert!(judged.verdict.is_legal() && judged.tolls.over_obstacle);
    assert_refused(&light, &go(&["ahead 3.1in"]), "days.17.4.4-a");
    let rider = unit(Side::A, Arm::Cavalry, 8, "line", at(30, 20, 0));
    let heavy = field(0, vec![rider], vec![wood.clone(), wall], true);
    assert_refused(&heavy, &go(&["ahead 4in"]), "days.15.8-d");
    let inside = field(0, vec![foot("manoeuvre", at(30, 24, 0))], vec![wood], true);
    assert_refused(&inside, &[form("line")], "days.17.4.7-c");
    assert!(ground::disorders(&inside, UnitId(0)));
}

#[test]
fn columns_on_a_road_go_further_and_through_heavy_woods() {
    let wood = feature(TerrainKind::Woods, [(20, 22), (40, 24)], None, 0);
    let road = feature(TerrainKind::Road, [(30, 0), (30, 48)], Some(2), 0);
    let column = unit(Side::A, Arm::Cavalry, 8, "column", at(30, 20, 0));
    let by_road = field(0, vec![column], vec![wood, road], true);
    let judged = judge(&by_road, UnitId(0), &go(&["ahead 16in"]));
    assert!(judged.verdict.is_legal() && judged.tolls.on_road, "{:?}", judged.verdict);
    assert_eq!(judged.allowance, INCH * 16);
    assert_refused(&by_road, &go(&["wheel left 20", "ahead 4in"]), "days.15.8-d");
}

#[test]
fn rivers_are_crossed_by_bridges_and_fords_in_column() {
    let river = feature(TerrainKind::River, [(0, 24), (72, 24)], Some(3), 0);
    let bridge = feature(TerrainKind::Bridge, [(30, 21), (30, 27)], Some(2), 0);
    let ford = feature(TerrainKind::Ford, [(30, 21), (30, 27)], Some(2), 0);
    let across =
        |formation: &str, features: Vec<Feature>| field(0, vec![foot(formation, at(30, 22, 0))], features, false);
    assert_refused(&across("march", vec![river.clone()]), &go(&["ahead 4in"]), "days.15.3-a");
    assert_fine(&across("march", vec![river.clone(), bridge.clone()]), &go(&["ahead 8in"]));
    assert_refused(&across("line", vec![river.clone(), bridge]), &go(&["ahead 4in"]), "days.15.3-a");
    let ford = across("march", vec![river, ford]);
    assert_fine(&ford, &go(&["ahead 6in"]));
    assert_refused(&ford, &go(&["ahead 6.1in"]), "days.17.4.4-a");
    let stream = feature(TerrainKind::Stream, [(0, 24), (72, 24)], Some(2), 0);
    assert_fine(&across("line", vec![stream]), &go(&["ahead 3in"]));
}

#[test]
fn batteries_do_what_their_kind_may() {
    let guns = |kind: Trait, formation: &str, fired: u8| {
        let mut guns = unit(Side::A, Arm::Artillery, 3, formation, at(30, 20, 0));
        guns.facts.traits.push(kind);
        guns.troops.turn.fired = fired;
        field(0, vec![guns], Vec::new(), false)
    };
    let off = [Step::Limber, Step::March(legs(&["ahead 3in"]))];
    assert_fine(&guns(Trait::Horse, "deployed", 3), &off);
    assert_fine(&guns(Trait::Horse, "deployed", 3), &[Step::Limber, Step::March(legs(&["ahead 8in"]))]);
    assert_fine(&guns(Trait::Foot, "deployed", 0), &off);
    assert_refused(&guns(Trait::Foot, "deployed", 3), &off, "days.10.3-a");
    assert_fine(&guns(Trait::Foot, "deployed", 3), &go(&["turn left 45"]));
    assert_refused(&guns(Trait::Foot, "deployed", 0), &go(&["turn left 50"]), "days.17.4.3-b");
    assert_refused(&guns(Trait::Siege, "deployed", 0), &off, "days.17.4.3-b");
    assert_fine(&guns(Trait::Siege, "deployed", 0), &[Step::Limber]);
    let up = [Step::March(legs(&["ahead 3in"])), Step::Unlimber(Shape::Deployed)];
    assert_fine(&guns(Trait::Foot, "limbered", 0), &up);
    assert_refused(
        &guns(Trait::Foot, "limbered", 0),
        &[Step::March(legs(&["ahead 3.1in"])), Step::Unlimber(Shape::Massed)],
        "days.17.4.3-b",
    );
}

#[test]
fn horses_lost_slow_a_battery_down() {
    let guns = |horses: u8| {
        let mut guns = unit(Side::A, Arm::Artillery, 3, "limbered", at(30, 20, 0));
        guns.facts.traits.push(Trait::Horse);
        guns.troops.horses = horses;
        field(0, vec![guns], Vec::new(), false)
    };
    let allowance = |horses| judge(&guns(horses), UnitId(0), &go(&["ahead 1in"])).allowance;
    assert_eq!([allowance(6), allowance(4), allowance(2)], [INCH * 12, INCH * 6, INCH * 3]);
    assert_refused(&guns(1), &go(&["ahead 1in"]), "days.10.3-e");
}

#[test]
fn friends_are_passed_relieved_or_in_the_way() {
    let behind = || foot("line", at(30, 20, 0));
    let with = |friend: Piecemeal| field(0, vec![behind(), friend], Vec::new(), false);
    let ahead = |shape: &str, y| unit(Side::A, Arm::Infantry, 6, shape, at(30, y, 0));
    assert_fine(&with(ahead("skirmish", 22)), &go(&["ahead 4in"]));
    assert_refused(&with(ahead("manoeuvre", 24)), &go(&["ahead 4in"]), "days.17.4.3-a");
    let guns = |shape: &str| unit(Side::A, Arm::Artillery, 3, shape, at(30, 22, 0));
    assert_fine(&with(guns("deployed")), &go(&["ahead 4in"]));
    assert_refused(&with(guns("massed")), &go(&["ahead 4in"]), "days.17.4.8-b");
    // A column relieves a line: two inches more, and wholly through.
    let relief = || unit(Side::A, Arm::Infantry, 4, "manoeuvre", at(30, 20, 0));
    let line = || foot("line", at(30, 21, 0));
    let iron = field(0, vec![relief(), line()], Vec::new(), false);
    assert_fine(&iron, &go(&["ahead 3in"]));
    assert_eq!(judge(&iron, UnitId(0), &go(&["ahead 3in"])).relieves.as_slice(), [UnitId(1)]);
    assert_refused(&iron, &go(&["ahead 1.5in"]), "iron.17.4.9-a");
    let empire = field(1, vec![relief(), line()], Vec::new(), false);
    assert_refused(&empire, &go(&["ahead 3in"]), "days.17.4.3-a");
}

fn play(field: Field, orders: Vec<Order>) -> Battle<Days> {
    let state = field.with_agenda(vec![Phase::Moving(Moving::of(Side::A))], 1);
    let mut battle = Battle::begin(state, Box::new(Scripted::default()), Keep::Everything);
    for order in orders {
        let no = battle.asked().unwrap().no;
        let verdict = battle.check(Side::A, &order);
        assert!(verdict.is_legal(), "{order:?}: {verdict:?}");
        let _ = battle.submit(Side::A, no, order);
    }
    // A single step is played: that nothing comes after it is no fault.
    let fault = battle.fault().map(|fault| fault.what.clone()).unwrap_or_default();
    assert!(fault.is_empty() || fault.starts_with("the agenda ran out"), "{fault}");
    battle
}

#[test]
fn a_march_is_told_and_the_step_ends_when_nobody_is_left() {
    let wall = feature(TerrainKind::Wall, [(20, 21), (40, 21)], Some(0), 0);
    let field = field(0, vec![foot("manoeuvre", at(30, 20, 0))], vec![wall], false);
    let order = Order::March { unit: UnitId(0), steps: go(&["ahead 4in"]), crest: None };
    let battle = play(field, vec![order]);
    let state = battle.state();
    assert_eq!(state.unit(UnitId(0)).pose(), at(30, 24, 0));
    assert_eq!(field::order(state, UnitId(0)), OrderState::Disordered, "it came over a wall");
    assert!(troops(state, UnitId(0)).turn.moved);
    assert!(state.asked().is_none(), "nobody is left to move");
}

#[test]
fn a_brigade_marches_as_a_whole_and_in_disorder() {
    let column = |x| foot("march", at(x, 20, 0));
    let field = field(0, vec![column(20), column(30)], Vec::new(), false);
    let march = |no: u16| ForcedMarch { unit: UnitId(no), legs: legs(&["ahead 12in"]) };
    let all = [march(0), march(1)];
    assert!(super::forced::check(&field, Side::A, CommandId(0), &all).is_legal());
    assert!(!super::forced::check(&field, Side::A, CommandId(0), &all[..1]).is_legal());
    let battle = play(field, vec![Order::ForcedMarch { brigade: CommandId(0), marches: all.to_vec() }]);
    for no in [0, 1] {
        assert_eq!(field::order(battle.state(), UnitId(no)), OrderState::Disordered);
        assert_eq!(battle.state().unit(UnitId(no)).pose().at.y, INCH * 32);
    }
}

#[test]
fn foot_lies_down_where_the_book_knows_it() {
    let lie = || Order::ToGround { unit: UnitId(0) };
    let iron = field(0, vec![foot("line", at(30, 20, 0))], Vec::new(), false);
    let battle = play(iron, vec![lie()]);
    assert!(troops(battle.state(), UnitId(0)).to_ground);
    let empire = field(1, vec![foot("line", at(30, 20, 0))], Vec::new(), false);
    assert!(!limits::ground_objections(&empire, UnitId(0)).is_empty());
}

#[test]
fn obstacles_shelter_whoever_is_close_behind_them() {
    let wall = feature(TerrainKind::Wall, [(20, 21), (40, 21)], Some(0), 0);
    let near = field(0, vec![foot("line", at(30, 20, 0))], vec![wall], true);
    let foe = at(30, 30, 0).at.vec();
    let stands = field::stands(&near, UnitId(0));
    let cover = |from| ground::stand_cover(&near, UnitId(0), &stands[6], from);
    assert_eq!(cover(foe), Some(Weight::Heavy));
    assert_eq!(cover(at(30, 10, 0).at.vec()), None, "not from behind");
}
