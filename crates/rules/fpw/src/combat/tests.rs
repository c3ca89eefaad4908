//! Charges and fights small enough to follow by hand, and many that are not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::Fpw;
use super::super::approach::{line_of, reachable, true_line};
use super::super::charge::{Answer, Charge, Charging, Stage};
use super::super::clause::Clause;
use super::super::event::FpwEvent;
use super::super::field::{Field, bodies, is_there, level, soldiers, touch};
use super::super::order::{Aim, Decision, Order, Step};
use super::super::sequence::Phase;
use super::super::strikes::strikes;
use super::super::unit::{Advance, Aspect};
use super::Combat;
use engine::battle::Keep;
use engine::setup::{Mode, muster};
use engine::{Battle, Deed, Event, Lots, Scripted, Seed, Side, UnitId};
use table::{Angle, quads_overlap};

const HEAD: &str = r#"
start = { active = "prussian", part = "combat" }
ruleset = "fpw"
title = "Hand to hand"
turn_limit = 6
[table]
size = ["48in", "36in"]
[sides.prussian]
name = "Prussians"
edges = ["south"]
zone = [["0in", "0in"], ["48in", "8in"]]
[sides.french]
name = "French"
edges = ["north"]
zone = [["0in", "28in"], ["48in", "36in"]]
"#;

fn field(units: &str) -> Field {
    match muster::<Fpw>(&format!("{HEAD}{units}"), None, Mode::Case) {
        Ok(mustered) => mustered.state,
        Err(faults) => panic!("{faults}"),
    }
}

fn unit(field: &Field, key: &str) -> UnitId {
    field.muster().unit_ids().find(|id| field.card(*id).key == key).expect("a unit")
}

/// Plays phases with scripted dice, answering what is asked; ends when the agenda is empty.
fn play(field: Field, phases: Vec<Phase>, dice: &[&str], answers: &[Order]) -> Battle<Fpw> {
    let mut script = Scripted::default();
    for throw in dice {
        script.add(throw).expect("a throw");
    }
    // Turning to the first page of an empty agenda is how the play ends.
    let mut battle = Battle::begin(field.with_agenda(phases, 1), Box::new(script), Keep::Everything);
    for answer in answers {
        let asked = battle.asked().unwrap_or_else(|| panic!("nothing asked: {:?}", battle.fault())).clone();
        let side = battle.awaited().expect("a side");
        let verdict = battle.check(side, answer);
        assert!(verdict.is_legal(), "{:?} {answer:?}: {verdict:?}", asked.decision);
        let _ = battle.submit(side, asked.no, answer.clone());
    }
    assert!(battle.asked().is_none(), "still asked: {:?}", battle.asked());
    assert_eq!(battle.fault().map(|fault| fault.phase.as_str()), Some("none"), "{:?}", battle.fault());
    battle
}

fn fight(field: Field, side: Side, dice: &[&str], answers: &[Order]) -> Battle<Fpw> {
    play(field, vec![Phase::Combat(Combat::new(side))], dice, answers)
}

/// The field and the phase as a charge begins.
fn charging(field: Field, aims: &[Aim]) -> (Field, Phase) {
    let mut events = Vec::new();
    let mut charges = Vec::new();
    for aim in aims {
        let line = true_line(&field, aim, false).expect("a line");
        let legs = line.legs(line.brink(&field));
        let advance = Some(Box::new(Advance { from: line.from, legs, within: true, toward: true }));
        let told = FpwEvent::Advanced { unit: aim.unit, advance };
        events.push(Event::own(Clause::AdvanceDeclared, told));
        if line.wheel.is_some() {
            let turned = Deed::Moved { unit: aim.unit, to: line.start, path: Vec::new() };
            events.push(Event::new(Clause::FormHalves, turned));
        }
        let level = level(&field, aim.unit);
        charges.push(Charge { line, level, answer: Answer::Unasked, under_fire: None, out: false });
    }
    let side = field.side_of(aims[0].unit);
    let charging = Charging { side, charges, forced: false, stage: Stage::React };
    (field.folded(&events), Phase::Charge(charging))
}

fn aim(field: &Field, by: &str, at: &str) -> Aim {
    Aim { unit: unit(field, by), at: unit(field, at), wheel: None, bearing: None }
}

fn charge(field: Field, by: &str, at: &str, dice: &[&str], answers: &[Order]) -> Battle<Fpw> {
    let aim = aim(&field, by, at);
    let (field, phase) = charging(field, &[aim]);
    play(field, vec![phase], dice, answers)
}

fn marks(field: &Field, key: &str) -> (u32, u32) {
    let own = soldiers(field, unit(field, key));
    (own.disruption(), own.degradation())
}

fn place(field: &Field, key: &str) -> (f64, f64) {
    let at = field.unit(unit(field, key)).pose().at;
    (at.x.as_inches(), at.y.as_inches())
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.02
}

const FOOT: &str = r#"
[units.p]
side = "prussian"
arm = "infantry"
pose = ["24in", "10in", 0]
impetus = { level = true }
[units.f]
side = "french"
arm = "infantry"
pose = ["24in", "10in", 180]
markers = [[1, 0], [1, 0], [0, 0]]
"#;

#[test]
fn infantry_fights_two_rounds_and_the_loser_goes_back() {
    let dice = ["3d6: 2 3 5", "3d6: 4 5 4", "3d6: 6 5 3", "3d6: 5 6 1", "1d6: 4"];
    let battle = fight(field(FOOT), Side::A, &dice, &[Order::Pass]);
    let field = battle.state();
    assert_eq!((marks(field, "p"), marks(field, "f")), ((0, 3), (2, 4)));
    assert!(near(place(field, "f").1, 14.0), "{:?}", place(field, "f"));
    assert!(soldiers(field, unit(field, "p")).fight.contacts.is_empty());
}

#[test]
fn cavalry_breaks_on_formed_infantry() {
    let units = r#"
[units.c]
side = "prussian"
arm = "cavalry"
heavy = true
pose = ["24in", "10in", 0]
impetus = { level = true }
[units.f]
side = "french"
arm = "infantry"
pose = ["24in", "10in", 180]
"#;
    let battle = fight(field(units), Side::A, &["2d6: 2 4", "6d6: 3 1 2 6 2 4"], &[Order::Pass]);
    let field = battle.state();
    assert!(!is_there(field, unit(field, "c")));
    assert_eq!(marks(field, "f"), (0, 2));
}

#[test]
fn a_fight_without_bonuses_needs_fours_and_is_carried_over() {
    let units = FOOT.replace("impetus = { level = true }", "").replace("markers = [[1, 0], [1, 0], [0, 0]]", "");
    let dice = ["3d6: 4 3 3", "3d6: 3 4 3", "3d6: 3 3 3", "3d6: 1 2 3"];
    let battle = fight(field(&units), Side::B, &dice, &[]);
    let field = battle.state();
    assert_eq!((marks(field, "p"), marks(field, "f")), ((0, 1), (0, 1)));
    assert_eq!(soldiers(field, unit(field, "p")).fight.contacts.len(), 1);
}

#[test]
fn where_both_would_go_the_better_one_may_stay() {
    let units = r#"
[units.p]
side = "prussian"
arm = "infantry"
pose = ["24in", "10in", 0]
markers = [[0, 2], [0, 1], [0, 1]]
given = 5
taken = 4
[units.f]
side = "french"
arm = "infantry"
pose = ["24in", "10in", 180]
markers = [[0, 2], [0, 2], [0, 1]]
given = 4
taken = 5
"#;
    let none = ["3d6: 1 1 1", "3d6: 1 1 1"];
    let stays = fight(field(units), Side::A, &[none[0], none[1], "2d6: 2 3"], &[Order::Pass]);
    let after = stays.state();
    assert!(near(place(after, "p").1, 10.0) && near(place(after, "f").1, 15.0));
    let goes = fight(field(units), Side::A, &[none[0], none[1], "1d6: 2", "2d6: 2 3"], &[Order::Go]);
    assert!(near(place(goes.state(), "p").1, 8.0));
    let even = units.replace("given = 5", "given = 4").replace("taken = 5", "taken = 4");
    let both = fight(field(&even), Side::A, &[none[0], none[1], "1d6: 2", "2d6: 2 3"], &[]);
    assert!(near(place(both.state(), "f").1, 15.0));
}

const CHASE: &str = r#"
[units.p]
side = "prussian"
arm = "infantry"
pose = ["24in", "10in", 180]
markers = [[0, 2], [0, 1], [0, 1]]
[units.f]
side = "french"
arm = "infantry"
pose = ["24in", "10in", 0]
markers = [[1, 0], [1, 0], [1, 0]]
"#;

#[test]
fn whoever_follows_up_fast_enough_destroys_his_enemy() {
    let round = ["3d6: 1 1 1", "3d6: 1 1 1"];
    let follow = Order::FollowUp { at: None };
    let dice = [round[0], round[1], "1d6: 3", "1d6: 4"];
    let caught = fight(field(CHASE), Side::B, &dice, std::slice::from_ref(&follow));
    let after = caught.state();
    assert!(!is_there(after, unit(after, "p")));
    assert_eq!(marks(after, "f"), (3, 1));
    assert!(near(place(after, "f").1, 13.0), "{:?}", place(after, "f"));
    let away = fight(field(CHASE), Side::B, &[round[0], round[1], "1d6: 5", "1d6: 1"], &[follow]);
    let after = away.state();
    assert!(is_there(after, unit(after, "p")));
    assert_eq!(marks(after, "f"), (4, 0));
    assert!(near(place(after, "f").1, 14.0), "{:?}", place(after, "f"));
}

#[test]
fn a_victor_may_run_into_a_new_enemy_and_fights_at_once() {
    let units = format!(
        "{CHASE}{}",
        r#"
[units.r]
side = "prussian"
arm = "infantry"
pose = ["27in", "13.5in", 180]
"#
    );
    let field = field(&units);
    let at = Some(unit(&field, "r"));
    let dice = ["3d6: 1 1 1", "3d6: 1 1 1", "1d6: 6", "3d6: 1 2 3", "1d6: 1", "2d6: 6 6", "2d6: 1 1"];
    // The one that withdraws runs through its friend, who is confused; then the victor takes his marker and closes.
    let battle = fight(field, Side::B, &dice, &[Order::FollowUp { at }]);
    let after = battle.state();
    assert!(touch(after, unit(after, "f"), unit(after, "r")));
    assert_eq!(soldiers(after, unit(after, "f")).fight.rounds, 2);
    assert_eq!(soldiers(after, unit(after, "r")).fight.rounds, 1);
}

fn horse(gap: &str, more: &str) -> String {
    format!(
        r#"
[units.c]
side = "prussian"
arm = "cavalry"
weapon = "none"
pose = ["24in", "10in", 0]
[units.t]
side = "french"
pose = ["24in", "{gap}", 180]
{more}
"#
    )
}

#[test]
fn approach_fire_meets_a_charge_once_for_each_band() {
    let units = horse("21in", "arm = \"infantry\"");
    let battle = charge(field(&units), "c", "t", &["3d6: 4 2 1", "3d6: 3 2 2", "3d6: 2 1 1"], &[]);
    let after = battle.state();
    assert!(!is_there(after, unit(after, "c")));
    let needle = horse("21in", "arm = \"infantry\"\nweapon = \"needle\"");
    let dice = ["3d6: 1 1 1", "3d6: 1 1 1", "1d6: 1"];
    let battle = charge(field(&needle), "c", "t", &dice, &[]);
    let after = battle.state();
    assert!(touch(after, unit(after, "c"), unit(after, "t")));
    let charger = &soldiers(after, unit(after, "c")).fight;
    assert!(charger.impetus.is_some_and(|impetus| impetus.level));
    assert_eq!(charger.contacts[0].aspect, Aspect::Front);
}

#[test]
fn an_evader_gets_away_or_is_taken_in_rear() {
    let units = horse("19in", "arm = \"cavalry\"\nweapon = \"none\"");
    let away = charge(field(&units), "c", "t", &["3d6: 1 1 2"], &[Order::Evade]);
    let after = away.state();
    assert!(near(place(after, "c").1, 19.0), "{:?}", place(after, "c"));
    assert!(near(place(after, "t").1, 24.2), "{:?}", place(after, "t"));
    let caught = charge(field(&units), "c", "t", &["3d6: 1 1 1", "1d6: 1"], &[Order::Evade]);
    let after = caught.state();
    let (c, t) = (unit(after, "c"), unit(after, "t"));
    assert!(touch(after, c, t) && soldiers(after, t).fight.failed_evade);
    assert!(strikes(after, c, &[]).iter().all(|strike| strike.factor() == 4));
    assert!(strikes(after, t, &[]).iter().all(|strike| strike.factor() == 0));
}

#[test]
fn a_counter_charge_meets_the_charger_on_the_way() {
    let units = horse("20in", "arm = \"cavalry\"\nheavy = true");
    let battle = charge(field(&units), "c", "t", &["1d6: 1"], &[Order::CounterCharge]);
    let after = battle.state();
    assert!(near(place(after, "t").1, 18.0) && near(place(after, "c").1, 18.0));
    let factors = |key| strikes(after, unit(after, key), &[]).iter().map(|strike| strike.factor()).max();
    assert_eq!((factors("c"), factors("t")), (Some(2), Some(3)));
}

#[test]
fn heavy_cavalry_may_not_evade() {
    let units = horse("20in", "arm = \"cavalry\"\nheavy = true");
    let field = field(&units);
    let aim = aim(&field, "c", "t");
    let (field, phase) = charging(field, &[aim]);
    let battle = Battle::begin(field.with_agenda(vec![phase], 1), Box::new(Scripted::default()), Keep::Everything);
    assert!(!battle.check(Side::B, &Order::Evade).is_legal());
    assert!(battle.check(Side::B, &Order::CounterCharge).is_legal());
}

#[test]
fn markers_keep_a_charger_from_closing() {
    let units = r#"
[units.p]
side = "prussian"
arm = "infantry"
pose = ["24in", "10in", 0]
markers = [[1, 1], [1, 0], [1, 0]]
[units.t]
side = "french"
arm = "cavalry"
heavy = true
pose = ["24in", "15in", 180]
"#;
    let closes = charge(field(units), "p", "t", &["1d6: 4"], &[]);
    assert!(near(place(closes.state(), "p").1, 15.0));
    let back = charge(field(units), "p", "t", &["1d6: 3"], &[]);
    assert!(near(place(back.state(), "p").1, 13.0), "{:?}", place(back.state(), "p"));
    assert_eq!(marks(back.state(), "p"), (3, 1));
}

#[test]
fn a_charge_slants_no_further_than_it_must() {
    let units = r#"
[units.p]
side = "prussian"
arm = "infantry"
pose = ["20in", "10in", 0]
[units.t]
side = "french"
arm = "infantry"
pose = ["26in", "15in", 180]
"#;
    let field = field(units);
    let line = line_of(&field, &aim(&field, "p", "t")).expect("a line");
    assert_eq!(line.meets, unit(&field, "t"));
    let slant = line.bearing.as_degrees();
    assert!((12.0..13.0).contains(&slant), "{slant}");
    assert_eq!(reachable(&field, unit(&field, "p")).len(), 1, "his middle lies too far aside");
}

#[test]
fn ranks_behind_fight_and_a_flank_tells() {
    let units = r#"
[units.p]
side = "prussian"
arm = "infantry"
formation = "column"
pose = ["24in", "10in", 0]
[units.f]
side = "french"
arm = "infantry"
pose = ["24.4in", "12.4in", 90]
"#;
    // The column stands against the right flank of a line that looks east.
    let battle = fight(field(units), Side::A, &["2d6: 3 2", "1d6: 4", "2d6: 1 1", "1d6: 1"], &[]);
    let after = battle.state();
    let (p, f) = (unit(after, "p"), unit(after, "f"));
    assert_eq!(soldiers(after, f).aspect_of(p), Some(Aspect::Flank));
    assert_eq!((marks(after, "p"), marks(after, "f")), ((0, 1), (0, 1)));
}

#[test]
fn a_brigade_that_charges_shares_the_fire() {
    let units = r#"
[units.a]
side = "prussian"
arm = "infantry"
pose = ["21in", "10in", 0]
[units.b]
side = "prussian"
arm = "infantry"
pose = ["26in", "10in", 0]
[units.t]
side = "french"
arm = "infantry"
pose = ["23.5in", "16in", 180]
"#;
    let field = field(units);
    let aims = [aim(&field, "a", "t"), aim(&field, "b", "t")];
    let (field, phase) = charging(field, &aims);
    let mut battle = Battle::seeded(field.with_agenda(vec![phase], 1), Seed::from_number(3), Keep::Everything);
    while let Some(asked) = battle.asked().cloned() {
        let side = battle.awaited().expect("a side");
        let _ = battle.submit(side, asked.no, Order::Pass);
    }
    let volleys = |at: UnitId| {
        let of = |event: &&Event<Fpw>| matches!(&event.deed, Deed::Own(FpwEvent::Volley { at: hit, .. }) if *hit == at);
        battle.events().iter().filter(of).count()
    };
    assert_eq!((volleys(aims[0].unit), volleys(aims[1].unit)), (2, 2), "both bands, some stands at either");
}

/// A crowd set down at random, clear of each other.
fn crowd(lots: &mut Lots) -> String {
    let mut text = String::new();
    let mut places: Vec<(usize, usize)> = Vec::new();
    for n in 0..12 {
        let place = (lots.below(6), lots.below(5));
        if places.contains(&place) {
            continue;
        }
        places.push(place);
        let side = if n % 2 == 0 { "prussian" } else { "french" };
        let arm = ["infantry", "cavalry", "infantry", "foot_artillery"][lots.below(4)];
        let formation = match arm {
            "infantry" => ["line", "dense", "column", "march"][lots.below(4)],
            "cavalry" => ["line", "column"][lots.below(2)],
            _ => "deployed",
        };
        let heavy = if arm == "cavalry" && lots.below(2) == 0 { "heavy = true" } else { "" };
        let facing = lots.below(24) * 15;
        let (x, y) = (9.0 + place.0 as f64 * 5.6, 7.0 + place.1 as f64 * 5.6);
        let stands = match arm {
            "infantry" => 3,
            "cavalry" => 2,
            _ => 1,
        };
        let markers: Vec<String> = (0..stands).map(|_| format!("[{}, {}]", lots.below(3), lots.below(2))).collect();
        text.push_str(&format!(
            "[units.u{n}]\nside = \"{side}\"\narm = \"{arm}\"\nformation = \"{formation}\"\n{heavy}\n\
             pose = [\"{x}in\", \"{y}in\", {facing}]\nmarkers = [{}]\n",
            markers.join(", ")
        ));
    }
    text
}

fn answers(field: &Field, decision: &Decision) -> Vec<Order> {
    let mut orders = vec![
        Order::Pass,
        Order::ReactAll,
        Order::CounterCharge,
        Order::Evade,
        Order::FallBack,
        Order::Go,
        Order::FollowUp { at: None },
    ];
    match decision {
        Decision::NextFight { units } => orders.extend(units.iter().map(|unit| Order::Fight { unit: *unit })),
        Decision::Whom { among, .. } => orders.extend(among.iter().map(|unit| Order::Strike { unit: *unit })),
        Decision::FollowUp { unit, .. } => {
            let new = super::super::followup::new_enemies(field, *unit);
            orders.extend(new.into_iter().map(|at| Order::FollowUp { at: Some(at) }));
            let facing = Some(field.unit(*unit).pose().facing + Angle::EAST);
            orders.push(Order::Reform(Step { unit: *unit, formation: None, facing, after: false, legs: Vec::new() }));
        }
        _ => {}
    }
    orders
}

/// Two enemies that stand on each other.
fn trampled(field: &Field) -> Option<(UnitId, UnitId)> {
    let there: Vec<UnitId> = field.units().filter(|(_, unit)| unit.is_present()).map(|(id, _)| id).collect();
    let pairs = there.iter().flat_map(|a| there.iter().map(move |b| (*a, *b)));
    { pairs }.find(|(a, b)| {
        let (own, theirs) = (bodies(field, *a), bodies(field, *b));
        let enemies = field.side_of(*a) != field.side_of(*b);
        enemies && own.iter().any(|one| theirs.iter().any(|other| quads_overlap(one, other)))
    })
}

fn assert_sound(field: &Field) {
    assert_eq!(trampled(field), None);
    for (id, unit) in field.units().filter(|(_, unit)| unit.is_present()) {
        for contact in &unit.own.fight.contacts {
            assert!(touch(field, id, contact.with), "{id} is said to touch {}", contact.with);
        }
    }
}

#[test]
fn any_charge_and_any_fight_comes_to_an_end() {
    let (mut charges, mut fights) = (0, 0);
    for seed in 0..400 {
        let mut lots = Lots::new(seed);
        let field = field(&crowd(&mut lots));
        let mut aims: Vec<Aim> = Vec::new();
        for id in field.muster().unit_ids().filter(|id| field.side_of(*id) == Side::A) {
            if let Some(aim) = lots.pick(&reachable(&field, id)) {
                aims.push(*aim);
            }
        }
        aims.truncate(1 + lots.below(3));
        if aims.is_empty() || trampled(&field).is_some() {
            continue;
        }
        charges += 1;
        let (field, phase) = charging(field, &aims);
        let phases = vec![Phase::Combat(Combat::new(Side::A)), phase];
        let mut battle = Battle::seeded(field.with_agenda(phases, 1), Seed::from_number(seed), Keep::Everything);
        for _ in 0..200 {
            let Some(asked) = battle.asked().cloned() else { break };
            let side = battle.awaited().expect("a side");
            let legal: Vec<Order> = answers(battle.state(), &asked.decision)
                .into_iter()
                .filter(|order| battle.check(side, order).is_legal())
                .collect();
            let order = lots.pick(&legal).expect("an answer").clone();
            let _ = battle.submit(side, asked.no, order);
        }
        assert_eq!(battle.fault().map(|fault| fault.phase.as_str()), Some("none"), "{seed}: {:?}", battle.fault());
        let fought = |event: &Event<Fpw>| matches!(event.deed, Deed::Own(FpwEvent::CombatDice { .. }));
        fights += usize::from(battle.events().iter().any(fought));
        assert_sound(battle.state());
    }
    assert!(charges > 100 && fights > 40, "{charges} charges, {fights} fights");
}
