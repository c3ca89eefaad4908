//! Setting up, coming on, hiding and the final count, on a bare table with few troops.

use super::*;
use crate::charts::Charts;
use crate::event::Ledger;
use crate::formation::{Formation, Shape};
use crate::order::Arrival;
use crate::settings::{Scenario, Settings};
use crate::unit::{Arm, Facts, Health, Officer, OrderState, Quality, Rank, Serves, Staff, Traits, Troops};
use crate::{arrival, victory};
use engine::battle::Keep;
use engine::chart::ChartTree;
use engine::dice::Scripted;
use engine::event::Leaving;
use engine::state::{CommandCard, CommanderCard, Muster, SideCard, UnitCard};
use engine::{Battle, CommanderId, EditionNo, Ruleset, StandSet, State, Viewer};
use smallvec::SmallVec;
use std::sync::Arc;
use table::terrain::{Edge, Feature, Ground, TerrainKind};
use table::{Angle, Footprint, Outline, Point, Shape as Area};

type Deeds = Vec<Deed<Days>>;

fn inches(x: f64, y: f64) -> Point {
    Point::new(Length::inches(x), Length::inches(y))
}

fn pose(x: f64, y: f64, facing: Angle) -> Pose {
    Pose { at: inches(x, y), facing }
}

/// An army in the making.
struct Camp {
    muster: Muster<Days>,
    troops: Vec<(Formation, StandSet, Troops)>,
}

impl Camp {
    fn new(edition: u8) -> Camp {
        let book = &Days::EDITIONS[usize::from(edition)];
        let charts: Charts = ChartTree::printed(book.charts).and_then(|tree| tree.read()).unwrap();
        let side = |key: &str, edge| SideCard { key: key.into(), name: key.into(), edges: vec![edge], zones: vec![] };
        let size = (Length::whole_inches(72), Length::whole_inches(48));
        let scenario = Scenario { size: 800, attacker: Some(Side::A), ..Scenario::default() };
        let muster = Muster {
            edition: EditionNo(edition),
            title: String::new(),
            ground: Arc::new(Ground { size, features: Vec::new(), wind: None }),
            sides: Arc::new(BySide([side("blue", Edge::South), side("red", Edge::North)])),
            units: Vec::new(),
            commanders: Arc::new(Vec::new()),
            commands: Arc::new(Vec::new()),
            charts: Arc::new(charts),
            settings: Settings::default(),
            scenario,
            turn_limit: Some(1),
            digest: [0; 32],
        };
        Camp { muster, troops: Vec::new() }
    }

    fn general(&mut self, side: Side, rank: Rank, parent: Option<CommandId>, points: u32) -> CommandId {
        let n = self.muster.commands.len() as u16;
        let (key, inch) = (format!("g{n}"), Length::whole_inches(1));
        let facts = Officer {
            rank,
            serves: Serves::All,
            points,
            quality: None,
            table: "prussian".into(),
            stand: Footprint { width: inch, depth: inch },
            zones: Vec::new(),
        };
        let card = CommanderCard { key: key.clone(), name: key.clone(), side, commands: CommandId(n), facts };
        Arc::make_mut(&mut self.muster.commanders).push(card);
        let command = CommandCard { key: key.clone(), name: key, side, parent, commander: Some(CommanderId(n)) };
        Arc::make_mut(&mut self.muster.commands).push(command);
        let y = if side == Side::A { 2.0 } else { 46.0 };
        self.muster.scenario.commanders_at.push(Some(pose(60.0 + f64::from(n), y, Angle::NORTH)));
        self.muster.scenario.kept_off.push(false);
        CommandId(n)
    }

    fn unit(&mut self, side: Side, arm: Arm, points: u32, command: Option<CommandId>, at: Option<Pose>) -> UnitId {
        let n = self.troops.len() as u16;
        let inch = Length::whole_inches(1);
        let stand = Footprint { width: inch, depth: inch };
        let start = if arm == Arm::Artillery { 2 } else { 12 };
        let facts = Facts {
            arm,
            class: 2,
            traits: Traits::new(),
            weapon: String::new(),
            start,
            points,
            model_points: points / 2,
            independent: command.is_none(),
            part: None,
            parts: SmallVec::new(),
            stand,
            limbered: stand,
            gap: inch,
            zones: Vec::new(),
            entry: None,
        };
        let own = Troops::fresh(&facts);
        let shape = if arm == Arm::Artillery { Shape::Deployed } else { Shape::Line };
        let key = format!("u{n}");
        self.muster.units.push(Arc::new(UnitCard { key: key.clone(), name: key, side, command, facts }));
        self.troops.push((Formation::usual(shape), StandSet::first(u32::from(start)), own));
        self.muster.scenario.units_at.push(at);
        self.muster.scenario.drawn_up.push(None);
        self.muster.scenario.in_hiding.push(false);
        UnitId(n)
    }

    fn state(self) -> State<Days> {
        let staff = vec![Staff::default(); self.muster.commanders.len()];
        State::new(self.muster, self.troops, staff, Ledger::new(), vec![Phase::Opening(Setting::default())])
    }

    fn battle(self, throws: &[&str]) -> Battle<Days> {
        let mut dice = Scripted::default();
        throws.iter().for_each(|throw| dice.add(throw).unwrap());
        Battle::begin(self.state(), Box::new(dice), Keep::Events)
    }
}

fn with(state: &State<Days>, deeds: Deeds) -> State<Days> {
    let events: Vec<Event<Days>> = deeds.into_iter().map(|deed| Event::new(Clause::SetUpAndBegin, deed)).collect();
    state.folded(&events)
}

fn placed(unit: UnitId, at: Pose) -> Deed<Days> {
    Deed::Placed { unit, pose: at, formation: Formation::usual(Shape::Line), hidden: false }
}

fn qualities(battle: &Battle<Days>) -> Vec<Quality> {
    let told = battle.events().iter().filter_map(|event| match &event.deed {
        Deed::Own(DaysEvent::Quality { quality, .. }) => Some(*quality),
        _ => None,
    });
    told.collect()
}

/// PV-05, and the same dice by nation.
#[test]
fn generals_are_diced_for_but_the_player_is_capable() {
    let camp = |national| {
        let mut camp = Camp::new(0);
        camp.muster.scenario.deployed = true;
        camp.muster.settings.national_staff = national;
        let army = camp.general(Side::A, Rank::Army, None, 0);
        let division = camp.general(Side::A, Rank::Division, Some(army), 40);
        camp.general(Side::A, Rank::Brigade, Some(division), 30);
        camp.general(Side::A, Rank::Brigade, Some(division), 30);
        camp
    };
    use Quality::{Capable, Exceptional, Inept};
    let battle = camp(false).battle(&["1d6: 1", "1d6: 6", "1d6: 3"]);
    assert_eq!(qualities(&battle), [Capable, Inept, Exceptional, Capable]);
    let battle = camp(true).battle(&["1d6: 1", "1d6: 5", "1d6: 4"]);
    assert_eq!(qualities(&battle), [Capable, Inept, Exceptional, Capable], "a Prussian shines on a five");
}

/// PV-24.
#[test]
fn margins_go_with_the_size_of_the_battle() {
    let mut camp = Camp::new(0);
    let lost: Vec<UnitId> = [(Side::A, 300), (Side::B, 130)]
        .map(|(side, points)| camp.unit(side, Arm::Infantry, points, None, None))
        .into();
    let state = camp.state();
    let gone = lost.into_iter().map(|unit| Deed::Removed { unit, why: Leaving::Destroyed }).collect();
    let mut state = with(&state, gone);
    assert_eq!([Side::A, Side::B].map(|side| victory::lost_doubled(&state, side)), [600, 260]);
    let outcome = victory::at_limit(&state);
    assert_eq!((outcome.winner, outcome.why.contains("minor")), (Some(Side::B), true), "{}", outcome.why);
    let steps = |state: &State<Days>, points: [u32; 4]| points.map(|doubled| victory::margin(state, doubled));
    use victory::Margin::{Draw, Major, Massacre, Minor};
    assert_eq!(steps(&state, [300, 301, 501, 801]), [Draw, Minor, Major, Massacre]);
    state.muster_mut().scenario.size = 1200;
    assert_eq!(steps(&state, [450, 451, 751, 1201]), [Draw, Minor, Major, Massacre]);
    assert_eq!(victory::at_limit(&state).winner, None);
}

/// PV-25, and guns and generals.
#[test]
fn losses_count_in_full_or_half_but_never_twice() {
    let mut camp = Camp::new(0);
    camp.general(Side::A, Rank::Brigade, None, 30);
    let unit = camp.unit(Side::A, Arm::Infantry, 48, None, None);
    let state = with(&camp.state(), vec![placed(unit, pose(30.0, 10.0, Angle::NORTH))]);
    let lost = |deeds: Deeds| victory::lost_doubled(&with(&state, deeds), Side::A);
    let left = |count| Deed::StandsLost { unit, left: StandSet::first(count) };
    let routs = || Deed::Own(DaysEvent::OrderIs { unit, order: OrderState::Routing });
    assert_eq!(lost(vec![left(5)]), 48);
    assert_eq!(lost(vec![left(6)]), 0);
    assert_eq!(lost(vec![left(5), routs()]), 48);
    assert_eq!(lost(vec![Deed::Removed { unit, why: Leaving::Destroyed }]), 96);
    let captured = DaysEvent::Health { general: CommanderId(0), health: Health::Captured { since: 1 } };
    assert_eq!(lost(vec![Deed::Own(captured)]), 60);
    assert_eq!(victory::check(&with(&state, vec![routs()])).map(|outcome| outcome.winner), Some(None));
}

/// PV-26.
#[test]
fn no_more_than_a_third_stays_off_the_table() {
    let army = |second: u32| {
        let mut camp = Camp::new(0);
        let [one, two, rest] = [0; 3].map(|_| camp.general(Side::A, Rank::Brigade, None, 30));
        camp.unit(Side::A, Arm::Infantry, 120, Some(one), None);
        camp.unit(Side::A, Arm::Infantry, second - 30, Some(two), None);
        camp.unit(Side::A, Arm::Infantry, 800 - 150 - second - 30, Some(rest), None);
        camp.muster.scenario.off_board = true;
        let state = camp.state();
        let order = Order::Reserve { off: vec![one, two], hidden: Vec::new(), works: Vec::new() };
        check_reserves(&View::new(&state, Viewer::Side(Side::A)), Side::A, &order)
    };
    let refused = army(117);
    assert_eq!(refused.refusals.iter().map(|note| note.clause).collect::<Vec<_>>(), [Clause::AThirdInHand.into()]);
    assert!(army(116).is_legal());
}

/// Three brigades, one of them army troops, set up in turns.
fn two_brigades() -> (Camp, [UnitId; 5]) {
    let mut camp = Camp::new(0);
    let army = camp.general(Side::A, Rank::Army, None, 0);
    let first = camp.general(Side::A, Rank::Brigade, Some(army), 30);
    let second = camp.general(Side::B, Rank::Brigade, None, 30);
    let at = |x, y| Some(pose(x, y, Angle::NORTH));
    let horse = camp.unit(Side::A, Arm::Cavalry, 72, Some(first), at(10.0, 8.0));
    let foot = camp.unit(Side::A, Arm::Infantry, 36, Some(first), at(25.0, 8.0));
    let guns = camp.unit(Side::A, Arm::Artillery, 100, Some(army), at(40.0, 8.0));
    let enemy = camp.unit(Side::B, Arm::Infantry, 36, Some(second), Some(pose(20.0, 40.0, Angle::SOUTH)));
    let lone = camp.unit(Side::B, Arm::Infantry, 36, None, Some(pose(40.0, 40.0, Angle::SOUTH)));
    (camp, [horse, foot, guns, enemy, lone])
}

const QUALITIES: [&str; 2] = ["1d6: 3", "1d6: 3"];

fn answer(battle: &mut Battle<Days>, order: Order) {
    let (side, no) = (battle.awaited().unwrap(), battle.asked().unwrap().no);
    battle.submit(side, no, order).unwrap();
}

#[test]
fn brigades_are_set_up_in_turns_the_lower_throw_first_and_army_troops_last() {
    let (camp, [horse, foot, guns, enemy, lone]) = two_brigades();
    let mut battle = camp.battle(&[QUALITIES[0], QUALITIES[1], "1d6: 4", "1d6: 4", "1d6: 2", "1d6: 5"]);
    assert_eq!(battle.fault(), None);
    assert_eq!(battle.awaited(), Some(Side::A));
    let place = |unit, x, y| {
        let formation = Formation::usual(Shape::Line);
        Placement { unit, pose: pose(x, y, Angle::NORTH), formation, hidden: false, crest: None }
    };
    let order = |units| Order::Deploy { brigade: Some(CommandId(1)), units, commanders: Vec::new() };
    let clauses = |battle: &Battle<Days>, order: &Order| -> Vec<_> {
        battle.check(Side::A, order).refusals.iter().map(|note| note.clause).collect()
    };
    assert_eq!(
        clauses(&battle, &order(vec![place(foot, 25.0, 8.0), place(horse, 10.0, 8.0)])),
        [Clause::HorseGunsFoot.into()]
    );
    assert_eq!(clauses(&battle, &order(vec![place(horse, 10.0, 14.0)])), [Clause::WhereToSetUp.into()]);
    assert_eq!(clauses(&battle, &order(vec![place(horse, 24.0, 8.0)])), [Clause::WhereToSetUp.into()]);
    assert_eq!(clauses(&battle, &order(vec![place(guns, 60.0, 8.0)])), [Clause::SettingUpInTurns.into()]);
    let last = Order::Deploy { brigade: None, units: Vec::new(), commanders: Vec::new() };
    assert_eq!(clauses(&battle, &last), [Clause::SettingUpInTurns.into()]);
    // Where the battery would stand, so that it must give way when its turn comes.
    answer(&mut battle, order(vec![place(horse, 40.0, 8.0)]));
    assert!(battle.state().unit(horse).is_present() && battle.state().unit(foot).is_present());
    assert!(!battle.state().unit(enemy).is_present() && battle.awaited() == Some(Side::B));
    answer(&mut battle, Order::Pass);
    assert_eq!(battle.asked().map(|asked| asked.decision.clone()), Some(Decision::DeployBrigade { left: vec![None] }));
    answer(&mut battle, Order::Pass);
    answer(&mut battle, Order::Pass);
    assert_eq!(battle.fault(), None);
    let field: &Field = battle.state();
    assert!([horse, foot, guns, enemy, lone].iter().all(|unit| field.unit(*unit).is_present()));
    assert!(field.commanders().all(|(_, general)| general.is_present()));
    let ours = [horse, foot, guns];
    let stands = |unit: UnitId| crate::field::stands(field, unit);
    let meet = |a: UnitId, b: UnitId| {
        stands(a).iter().any(|one| stands(b).iter().any(|other| table::quads_overlap(one, other)))
    };
    assert!(ours.iter().all(|a| ours.iter().all(|b| a == b || !meet(*a, *b))), "nobody stands on another's spot");
    assert!(battle.events().iter().any(|event| event.deed == Deed::TurnBegan { turn: 1 }));
}

#[test]
fn the_outscouted_side_sets_up_first() {
    let (mut camp, _) = two_brigades();
    camp.muster.settings.scouting = true;
    let scouts = camp.unit(Side::A, Arm::Cavalry, 72, None, Some(pose(60.0, 8.0, Angle::NORTH)));
    let battle = camp.battle(&QUALITIES);
    assert_eq!(opening::scouting_points(battle.state(), Side::A), 24, "twelve stands each of {scouts:?} and another");
    assert_eq!(battle.fault(), None);
    assert_eq!(battle.awaited(), Some(Side::B));
}

#[test]
fn maps_are_drawn_by_both_and_opened_together() {
    let (mut camp, units) = two_brigades();
    camp.muster.settings.deployment = DeployBy::Maps;
    let mut battle = camp.battle(&QUALITIES);
    let drawn = as_drawn_up(battle.state(), Side::A);
    answer(&mut battle, drawn);
    assert!(units.iter().all(|unit| !battle.state().unit(*unit).is_present()));
    answer(&mut battle, Order::Pass);
    assert!(units.iter().all(|unit| battle.state().unit(*unit).is_present()));
    let field: &Field = battle.state();
    assert!(field.commanders().all(|(_, general)| general.is_present()));
}

/// A brigade off the table and an enemy in the middle of the field.
fn dust() -> (State<Days>, CommandId, UnitId) {
    let (mut camp, [horse, _, _, enemy, _]) = two_brigades();
    camp.muster.scenario.kept_off[1] = true;
    let state = with(
        &camp.state(),
        vec![placed(enemy, pose(60.0, 24.0, Angle::SOUTH)), Deed::Own(DaysEvent::KeptOff { brigade: CommandId(1) })],
    );
    (state, CommandId(1), horse)
}

#[test]
fn brigades_come_on_far_from_the_enemy_who_sees_them() {
    let (state, brigade, horse) = dust();
    let view = View::new(&state, Viewer::Side(Side::A));
    assert_eq!(arrival::absent(&state, Side::A), [brigade]);
    let judged = |edge, x, y| {
        let order = Order::Arrive { brigades: vec![Arrival { brigade, edge, at: inches(x, y) }] };
        let verdict = arrival::check(&view, Side::A, &[brigade], &order);
        verdict.refusals.iter().map(|note| note.clause).collect::<Vec<_>>()
    };
    // The enemy's line reaches from 54 to 66 inches, 23 to 24 inches up.
    assert_eq!(judged(Edge::South, 20.0, 0.0), []);
    assert_eq!(judged(Edge::South, 60.0, 0.0), [Clause::ComingOnAtHome.into()]);
    assert_eq!(judged(Edge::East, 72.0, 20.0), [Clause::NotTooNear.into()]);
    assert_eq!(judged(Edge::East, 71.0, 20.0), [Clause::TheHeadOfTheColumn.into()]);
    let waits = DaysEvent::Waits { unit: horse, at: Some((Edge::South, inches(20.0, 0.0))) };
    let state = with(&state, vec![Deed::Own(waits)]);
    let entry = arrival::entry(&state, horse);
    assert_eq!(entry, Some((pose(20.0, 0.0, Angle::NORTH), Formation::usual(Shape::Column))));
}

#[test]
fn what_stays_off_is_nobody_elses_business() {
    let (state, brigade, _) = dust();
    let seen = |side| View::new(&state, Viewer::Side(side)).ledger().absent.len();
    assert_eq!([seen(Side::A), seen(Side::B)], [1, 0]);
    assert!(!View::new(&state, Viewer::Side(Side::B)).muster().scenario.kept_off.contains(&true));
    let announced = DaysEvent::Announced { brigade, edge: Edge::South, at: inches(20.0, 0.0) };
    let state = with(&state, vec![Deed::Own(announced)]);
    assert_eq!(View::new(&state, Viewer::Side(Side::B)).ledger().absent.len(), 1);
}

#[test]
fn troops_hide_in_and_behind_things() {
    let (mut camp, [_, foot, ..]) = two_brigades();
    let corners = [(5.0, 4.0), (40.0, 4.0), (40.0, 12.0), (5.0, 12.0)].map(|(x, y)| inches(x, y));
    let wood = Feature {
        key: "wood".into(),
        name: String::new(),
        kind: TerrainKind::Woods,
        shape: Area::new(Outline::Area(corners.into())).unwrap(),
        level: 0,
        crests: Vec::new(),
        nature: Vec::new(),
    };
    Arc::make_mut(&mut camp.muster.ground).features.push(wood);
    let state = camp.state();
    let may = |x, y| {
        let line = Formation::usual(Shape::Line);
        crate::hidden::may_hide_at(&state, foot, pose(x, y, Angle::NORTH), line, None)
    };
    assert!(may(20.0, 8.0), "inside");
    assert!(may(20.0, 3.0), "behind");
    assert!(!may(60.0, 8.0), "in the open");
    assert!(!may(20.0, 15.0), "before it");
}

#[test]
fn what_the_set_up_has_on_fire_burns_before_anybody_is_set_up() {
    let text = include_str!("../../muster/tests/iron.toml");
    let text = text.replacen("off_board = true", "off_board = true\nburning = [\"@village\"]", 1);
    let mustered = engine::setup::muster::<Days>(&text, None, engine::setup::Mode::Battle).ok().unwrap();
    let village = mustered.state.muster().scenario.burning[0];
    let battle = Battle::<Days>::seeded(mustered.state, engine::Seed::from_number(1), Keep::Everything);
    let field = battle.state();
    assert_eq!(field.ledger().fires.iter().map(|fire| fire.feature).collect::<Vec<_>>(), [village]);
    // Houses on fire are no place to be set up in, and those beside them are.
    let ligne = brigades::wholes(field, Side::B).next().unwrap();
    let stands = |x, y| crate::field::stands_at(field, ligne, pose(x, y, Angle::SOUTH), Formation::usual(Shape::March));
    let closed = |x, y| {
        stands(x, y)
            .iter()
            .find_map(|quad| judge::closed_to(field, ligne, Formation::usual(Shape::March), quad))
            .map(|(clause, _)| clause)
    };
    assert_eq!(closed(13.0, 31.0), Some(Clause::LeavingTheFlames));
    assert_eq!(closed(30.0, 40.0), None);
}

/// Every set-up of the two books that ships with the house.
fn shipped() -> Vec<(String, State<Days>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios");
    let books = Days::EDITIONS.iter().map(|book| std::fs::read_dir(format!("{folder}/{}", book.id)).unwrap());
    let files = books.flatten().map(|file| file.unwrap().path());
    let read = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.display().to_string();
        match engine::setup::muster::<Days>(&text, None, engine::setup::Mode::Battle) {
            Ok(mustered) => (name, mustered.state),
            Err(faults) => panic!("{name}:\n{faults}"),
        }
    };
    files.map(read).collect()
}

#[test]
fn the_places_scenarios_give_are_places_their_owners_might_choose() {
    let all = shipped();
    assert!(all.len() > 10, "{} scenarios", all.len());
    for (name, field) in &all {
        for side in Side::BOTH {
            let places = places(field, side, None, Asked::default());
            let mut verdict = Verdict::fine();
            judge::judge(field, side, &places, &places.commanders, &mut verdict);
            homeless(field, side, None, &places, &mut verdict);
            let told: Vec<&str> = verdict.refusals.iter().map(|note| note.text.as_ref()).collect();
            assert!(told.is_empty(), "{name}: {told:#?}");
            for place in in_hiding(field, side, &[], &[]) {
                let hides = hidden::may_hide_at(field, place.unit, place.pose, place.formation, place.crest);
                assert!(hides, "{name}: {} cannot hide", field.card(place.unit).name);
            }
        }
    }
}
