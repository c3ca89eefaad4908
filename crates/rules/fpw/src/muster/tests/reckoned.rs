//! What is counted: recovery, losses, places, points.

use super::super::super::event::{FpwEvent, MarkCause};
use super::super::super::settings::VictoryBy;
use super::super::super::victory::{at_limit, holder, share};
use super::super::super::{Fpw, force};
use super::{BATTLE, field, unit};
use engine::battle::Keep;
use engine::setup::Mode;
use engine::{Battle, Deed, Seed, Side};

/// The set-up of the battle as a case of the Prussians' turn, with more said of one unit.
fn case(part: &str, unit: &str, more: &str) -> String {
    let start = format!("start = {{ active = \"prussian\", part = \"{part}\" }}\n");
    let text = BATTLE.replace("format = \"grognard/setup 1\"\n", &start);
    text.replace(&format!("[units.{unit}]\n"), &format!("[units.{unit}]\n{more}\n"))
}

#[test]
fn disruption_comes_off_by_dice_and_quality() {
    for (key, bonus) in [("ir20", 0), ("ir35", -1), ("chasseurs", 1)] {
        let markers = if key == "chasseurs" { "markers = [[9, 0]]" } else { "markers = [[4, 1], [0, 0], [5, 0]]" };
        let mut text = case("recovery", key, markers);
        if key == "chasseurs" {
            text = text.replace("active = \"prussian\"", "active = \"french\"");
        }
        let state = field(&text, Mode::Case);
        let id = unit(&state, key);
        let degraded = state.unit(id).own.degradation();
        let battle = Battle::<Fpw>::seeded(state, Seed::from_number(3), Keep::Events);
        let marks = battle.events().iter().find_map(|event| match &event.deed {
            Deed::Own(FpwEvent::Marks { unit, cause: MarkCause::Recovery, stands, disruption, .. }) if *unit == id => {
                Some((event, stands.clone(), *disruption))
            }
            _ => None,
        });
        let (event, stands, taken_off) = marks.expect("the unit throws");
        let good: Vec<bool> = event.rolls[0].pips.iter().map(|pip| i32::from(*pip) + bonus >= 5).collect();
        assert_eq!(good.len(), 9);
        assert_eq!(-i32::from(taken_off), good.iter().filter(|good| **good).count() as i32);
        let left: u32 = stands.iter().map(|stand| u32::from(stand.disruption)).sum();
        assert_eq!(left as i32, 9 + i32::from(taken_off));
        if key != "chasseurs" {
            assert_eq!(usize::from(stands[0].disruption), good[..4].iter().filter(|good| !**good).count());
        }
        assert_eq!(stands.iter().map(|stand| u32::from(stand.degradation)).sum::<u32>(), degraded);
        assert_eq!(event.reckoning.as_ref().expect("a reckoning").whole(), bonus);
    }
}

#[test]
fn losses_are_degraded_stands_and_absent_generals() {
    let text = case("end", "ir20", "markers = [[0, 1], [0, 2], [3, 0]]");
    let text = text.replace("[generals.buddenbrock]\n", "[generals.buddenbrock]\nabsence = \"lost\"\n");
    let state = field(&text, Mode::Case);
    assert_eq!(share(&state, Side::A), (4, 22));
    assert_eq!(share(&state, Side::B), (0, 16));
    let battle = Battle::<Fpw>::seeded(state, Seed::from_number(3), Keep::Events);
    let told = battle.events().iter().find_map(|event| match &event.deed {
        Deed::Own(FpwEvent::Losses { a, b }) => Some((*a, *b)),
        _ => None,
    });
    assert_eq!(told, Some((18, 0)));
}

#[test]
fn an_army_breaks_at_its_own_share() {
    let broken = case("end", "ligne8", "markers = [[0, 1], [0, 1], [0, 1]]");
    let broken = broken.replace("[units.chasseurs]\n", "[units.chasseurs]\nmarkers = [[0, 1]]\n");
    let broken = broken.replace("[units.mitrailleuse]\n", "[units.mitrailleuse]\nmarkers = [[0, 1]]\n");
    for (limit, breaks) in [(31, true), (32, false)] {
        let text = broken.replace("french = 30", &format!("french = {limit}"));
        let state = field(&text, Mode::Case);
        assert_eq!(share(&state, Side::B), (5, 16));
        let battle = Battle::<Fpw>::seeded(state, Seed::from_number(3), Keep::Events);
        let won =
            battle.outcome().is_some_and(|outcome| outcome.winner == Some(Side::A) && outcome.why.contains("break"));
        assert_eq!(won, breaks);
    }
}

#[test]
fn a_place_held_alone_decides_a_level_battle() {
    let state = field(&case("end", "ir20", ""), Mode::Case);
    let place = state.muster().scenario.objectives[0];
    assert_eq!((holder(&state, &place), at_limit(&state).winner), (None, None));
    let text = case("end", "ir20", "").replace("pose = [\"20in\", \"7in\", 0]", "pose = [\"24in\", \"14in\", 0]");
    let state = field(&text, Mode::Case);
    assert_eq!((holder(&state, &place), at_limit(&state).winner), (Some(Side::A), Some(Side::A)));
    let both = text.replace("pose = [\"20in\", \"29in\", 180]", "pose = [\"24in\", \"22in\", 180]");
    let state = field(&both, Mode::Case);
    assert_eq!((holder(&state, &place), at_limit(&state).winner), (None, None));
    let unjudged = field(&text.replace("[victory]\n", "[victory]\nkind = \"none\"\n"), Mode::Case);
    assert_eq!((unjudged.settings().victory, at_limit(&unjudged).winner), (VictoryBy::None, None));
}

#[test]
fn points_add_up() {
    let state = field(BATTLE, Mode::Battle);
    // 15 + 28 for the generals; 42, 33, 22, 26 and 24 for the units.
    assert_eq!(force::total(&state, Side::A), 43 + 147);
    // Two generals; a line regiment, a stand of chasseurs, a mitrailleuse battery, and those who come on later.
    assert_eq!(force::total(&state, Side::B), 30 + 54 + 21 + 16 + 54);
}
