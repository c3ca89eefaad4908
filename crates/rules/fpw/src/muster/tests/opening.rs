//! Setting up, scouts, reinforcements, who begins.

use super::super::super::Fpw;
use super::super::super::deployment::{as_drawn_up, default_entry};
use super::super::super::order::{Decision, Order, Placement};
use super::super::super::unit::Formation;
use super::super::super::victory;
use super::{BATTLE, field, general, unit};
use engine::battle::Keep;
use engine::event::Audience;
use engine::setup::Mode;
use engine::{Battle, Deed, Seed, Side, Viewer, Whereabouts};
use table::Pose;

fn battle(text: &str) -> Battle<Fpw> {
    Battle::seeded(field(text, Mode::Battle), Seed::from_number(7), Keep::Events)
}

fn answer(battle: &mut Battle<Fpw>, order: Order) {
    let (side, no) = (battle.awaited().expect("somebody is asked"), battle.asked().expect("a question").no);
    battle.submit(side, no, order).expect("a legal order");
}

fn why_not(battle: &Battle<Fpw>, order: &Order) -> String {
    let verdict = battle.check(battle.awaited().expect("somebody is asked"), order);
    verdict.refusals.iter().map(|note| note.text.to_string()).collect::<Vec<_>>().join("; ")
}

#[test]
fn the_side_that_moves_second_sets_up_first() {
    let mut battle = battle(BATTLE);
    assert_eq!(battle.awaited(), Some(Side::B));
    let drawn_up = as_drawn_up(battle.state(), Side::B);
    answer(&mut battle, drawn_up);
    assert_eq!(battle.awaited(), Some(Side::A));
    answer(&mut battle, Order::Pass);
    let state = battle.state();
    assert_eq!(state.ledger().first, Side::A);
    assert!(state.present(Side::A).count() == 5 && state.present(Side::B).count() == 3);
    assert_eq!(state.unit(unit(state, "ligne76")).whereabouts, Whereabouts::OffTable);
    assert!(!state.commander(general(state, "verge")).is_present());
    assert!(battle.fault().is_none(), "{:?}", battle.fault());
}

#[test]
fn a_bad_place_is_refused_with_its_reason() {
    let mut battle = battle(BATTLE);
    answer(&mut battle, Order::Pass);
    let ir20 = unit(battle.state(), "ir20");
    let at = |x: f64, y: f64, formation| {
        let pose: Pose =
            serde_json::from_value(serde_json::json!([format!("{x}in"), format!("{y}in"), 0])).expect("a pose");
        Order::Deploy { units: vec![Placement { unit: ir20, pose, formation }], commanders: vec![], scouts: vec![] }
    };
    assert_eq!(why_not(&battle, &at(20.0, 7.9, Formation::Column)), "");
    assert!(why_not(&battle, &at(20.0, 9.0, Formation::Line)).contains("outside its zone"));
    assert!(why_not(&battle, &at(26.0, 7.2, Formation::Line)).contains("on the same ground"));
    assert!(why_not(&battle, &at(42.0, 3.5, Formation::Line)).contains("cannot stand on this ground"));
    assert!(why_not(&battle, &at(20.0, 7.0, Formation::Limbered)).contains("cannot form limbered"));
    let Order::Deploy { units, .. } = at(20.0, 7.0, Formation::Line) else { panic!("a deployment") };
    let scouts = Order::Deploy { units, commanders: vec![], scouts: vec![unit(battle.state(), "dragoons")] };
    assert!(why_not(&battle, &scouts).contains("without scouting cavalry"));
}

#[test]
fn scouts_ride_as_single_stands_and_count_for_nothing() {
    let text = BATTLE.replace("[table]", "[settings]\nscouting = true\nhidden_setup = true\n[table]");
    let mut battle = battle(&text);
    answer(&mut battle, Order::Pass);
    let dragoons = unit(battle.state(), "dragoons");
    let before = victory::share(battle.state(), Side::A).1;
    answer(&mut battle, Order::Deploy { units: vec![], commanders: vec![], scouts: vec![dragoons] });
    let state = battle.state();
    assert_eq!(state.unit(dragoons).whereabouts, Whereabouts::OffTable);
    let [one, two] = ["dragoons-scout-1", "dragoons-scout-2"].map(|key| state.unit(unit(state, key)));
    assert!(one.is_present() && two.is_present());
    assert!(table::gap(one.quad(), two.quad()) <= table::SLACK && !table::quads_overlap(one.quad(), two.quad()));
    assert!(!state.unit(unit(state, "uhlans-scout-1")).is_present());
    assert_eq!(victory::share(state, Side::A), (0, before - 4));
    let told = battle.events().iter().filter(|event| matches!(event.deed, Deed::Placed { .. }));
    assert!(told.clone().count() > 5 && told.clone().all(|event| event.audience != Audience::All));
    let seen = battle.view(Viewer::Side(Side::B));
    assert_eq!(seen.present(Side::A).count(), 0, "the enemy stands in hiding");
}

#[test]
fn the_higher_die_begins() {
    let battle = {
        let text = BATTLE.replace("first = \"prussian\"", "deployed = true");
        battle(&text)
    };
    let thrown =
        battle.events().iter().find(|event| event.rolls.len() == 2 && event.rolls[0].total() != event.rolls[1].total());
    let thrown = thrown.expect("both sides throw");
    let higher = if thrown.rolls[0].total() > thrown.rolls[1].total() { Side::A } else { Side::B };
    assert_eq!(battle.state().ledger().first, higher);
}

#[test]
fn reinforcements_come_on_in_march_column_when_they_are_due() {
    let early = BATTLE
        .replace("format = \"grognard/setup 1\"\n", "start = { active = \"french\", part = \"upkeep\", turn = 1 }\n");
    let early = field(&early, Mode::Case);
    assert!(default_entry(&early, Side::B).is_none(), "nobody is due in the first turn");
    assert_eq!(early.present(Side::B).count(), 3, "whoever comes on later is not there in a case either");
    let later = BATTLE
        .replace("turn = 2, zone", "turn = 1, zone")
        .replace("first = \"prussian\"", "first = \"french\"\ndeployed = true");
    let mut battle = battle(&later);
    assert_eq!(battle.asked().map(|asked| &asked.decision), Some(&Decision::Enter));
    let state = battle.state().clone();
    let (ligne76, verge) = (unit(&state, "ligne76"), general(&state, "verge"));
    let order = default_entry(&state, Side::B).expect("there is room");
    assert_eq!(why_not(&battle, &order), "");
    let Order::Deploy { units, .. } = &order else { panic!("an entry") };
    let in_line = units.iter().map(|place| Placement { formation: Formation::Line, ..*place }).collect();
    let in_line = Order::Deploy { units: in_line, commanders: vec![], scouts: vec![] };
    assert!(why_not(&battle, &in_line).contains("march column"));
    let ir20 = Placement { unit: unit(&state, "ir20"), ..units[0] };
    let not_his = Order::Deploy { units: vec![ir20], commanders: vec![], scouts: vec![] };
    assert!(why_not(&battle, &not_his).contains("does not come on now"));
    answer(&mut battle, order);
    let state = battle.state();
    assert!(state.unit(ligne76).is_present() && state.commander(verge).is_present());
    assert_eq!(state.unit(ligne76).body.formation, Formation::March);
}
