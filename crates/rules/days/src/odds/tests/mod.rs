//! Odds against the check values of the charts, and against every face of every die played through.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::fight::End;
use super::*;
use crate::charts::Throw;
use crate::damage::tests::bench::{Raw, at, field, unit};
use crate::event::TurnStep;
use crate::field::{self};
use crate::formation::Shape;
use crate::order::Shot;
use crate::sequence::Phase;
use crate::shooting::plan;
use crate::unit::{Arm, OrderState};
use engine::battle::Keep;
use engine::chart::ChartTree;
use engine::{Battle, Dice, DiceError, Pips, Ruleset, UnitId};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

fn charts(book: usize) -> Charts {
    ChartTree::printed(Days::EDITIONS[book].charts).and_then(|tree| tree.read()).unwrap()
}

fn per_cent<T: Ord + Clone>(spread: &Spread<T>, wanted: impl FnMut(&T) -> bool) -> i32 {
    (spread.chance(wanted) * 100.0).round() as i32
}

/// The table of pass chances under C-17, by class.
#[test]
fn tests_pass_as_often_as_the_chart_says() {
    for charts in [charts(0), charts(1)] {
        let class = [charts.factor.class1, charts.factor.class2, charts.factor.class3, charts.factor.class4];
        let pass =
            |base: i32| class.map(|cell| per_cent(&nerve::passes(&charts, base + cell.value.get()), |passed| *passed));
        let factor = &charts.factor;
        let shot = |stands: i32| pass(charts.test.casualties.value.get() + stands * factor.stand_shot.value.get());
        assert_eq!(pass(charts.test.to_charge.value.get()), [67, 83, 100, 100]);
        assert_eq!(pass(charts.test.being_charged.value.get()), [67, 83, 100, 100]);
        assert_eq!([shot(1), shot(2), shot(3)], [[67, 83, 100, 100], [50, 67, 83, 100], [33, 50, 67, 83]]);
        let home = charts.test.charging_home.value.get() + 2 * factor.stand_lost_charging.value.get();
        assert_eq!(pass(home), [33, 50, 67, 83]);
        let rally = |order: i32| pass(charts.test.rally.value.get() + order);
        assert_eq!(rally(factor.disordered.value.get()), [50, 67, 83, 100]);
        assert_eq!(rally(factor.shaken.value.get()), [33, 50, 67, 83]);
        assert_eq!(rally(factor.routing.value.get()), [17, 33, 50, 67]);
        assert_eq!(rally(factor.routing.value.get() + factor.general_rallies.value.get()), [50, 67, 83, 100]);
    }
}

/// The check values under C-19.
#[test]
fn fights_end_as_often_as_the_chart_says() {
    let charts = charts(0);
    let even = fight::in_words(&charts, 0);
    let either = |one: End, other: End| per_cent(&even, |end| *end == one || *end == other);
    assert_eq!(per_cent(&even, |end| *end == End::Locked), 17);
    assert_eq!(either(End::LostMarginal, End::WonMarginal), 28);
    assert_eq!(either(End::LostMinor, End::WonMinor), 39);
    assert_eq!(either(End::LostMajor, End::WonMajor), 17);
    let better = fight::in_words(&charts, 2);
    assert_eq!(per_cent(&better, |end| *end > End::Locked), 72);
    assert_eq!(per_cent(&better, |end| *end == End::WonMajor), 28);
    assert_eq!(assault(&charts, 0).bars.iter().map(|bar| bar.exact.as_str()).collect::<Vec<_>>()[3], "1/6");
}

#[test]
fn a_volley_in_words_is_counted_face_by_face() {
    let charts = charts(0);
    let faces = charts.effect.grade(3).column(4).value;
    let counted = Spread::of_pool(Pool::d6(3), |pips| pips.iter().map(|pip| faces.hits(*pip)).sum::<u8>());
    let told = volley::in_words(&charts, "chassepot", TargetClass::Line, Band::Effective, 12).unwrap();
    assert_eq!(told, counted);
    assert!(super::volley(&charts, "no such gun", TargetClass::Line, Band::Close, 4).is_none());
    assert_eq!(super::test(&charts, 2).bars.iter().map(|bar| bar.exact.as_str()).collect::<Vec<_>>(), ["1/3", "2/3"]);
    let Throw(dice) = charts.test.dice.value;
    assert_eq!(at_least(dice, plain(charts.work.bridge_falls).value).ways_of(&true), (1, 3), "5 or 6");
}

// --- Everything played through --------------------------------------------------------------

/// Dice that show what they are told, ones after that, and remember how many were thrown.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<(Vec<u8>, usize)>>);

impl Dice for Told {
    fn throw(&mut self, pool: Pool) -> Result<Pips, DiceError> {
        let mut told = self.0.lock().unwrap();
        Ok(pool
            .dice()
            .map(|_| {
                let pip = told.0.get(told.1).copied().unwrap_or(1);
                told.1 += 1;
                pip
            })
            .collect())
    }
}

/// Plays an order of side A with every face of every die, and tells how likely each end is.
fn played<T: Ord>(state: &Field, order: &Order, end: impl Fn(&Battle<Days>) -> T) -> BTreeMap<T, f64> {
    let mut found = BTreeMap::new();
    let mut pips: Vec<u8> = Vec::new();
    loop {
        let dice = Told(Arc::new(Mutex::new((pips.clone(), 0))));
        let mut battle = Battle::begin(state.clone(), Box::new(dice.clone()), Keep::Events);
        while let Some(no) = battle.asked().map(|asked| asked.no) {
            let side = battle.awaited().unwrap_or(Side::A);
            let given = if side == Side::A { order.clone() } else { Order::Pass };
            // A single step is played: that nothing comes after it is no fault.
            let _ = battle.submit(side, no, given);
            assert!(battle.asked().is_none_or(|asked| asked.no != no || battle.awaited() == Some(side.other())));
        }
        let thrown = dice.0.lock().unwrap().1;
        pips.resize(thrown, 1);
        *found.entry(end(&battle)).or_insert(0.0) += (0..thrown).fold(1.0, |chance, _| chance / 6.0);
        while pips.last() == Some(&6) {
            pips.pop();
        }
        match pips.last_mut() {
            Some(last) => *last += 1,
            None => return found,
        }
    }
}

fn shooting(book: u8, units: Vec<Raw>) -> Field {
    let mut state = field(book, units, Vec::new());
    state.ledger_mut().step = TurnStep::Shooting;
    state.with_agenda(vec![Phase::Shooting { asked: false }], 1)
}

fn armed(raw: Raw, weapon: &str) -> Raw {
    raw.with(|raw| {
        raw.facts.weapon = weapon.to_owned();
        raw.facts.independent = true;
    })
}

fn at_the_other() -> Order {
    let shot = Shot { unit: UnitId(0), at: Some(UnitId(1)), general: None, stands: None, passing: false };
    Order::Fire { shots: vec![shot], reserve: Vec::new(), arson: Vec::new() }
}

/// How the target ends: in which order, down or halted, or gone.
fn state_of(battle: &Battle<Days>) -> (OrderState, bool, bool) {
    let (state, it) = (battle.state(), UnitId(1));
    let own = field::troops(state, it);
    let gone = !field::is_there(state, it) && own.order != OrderState::Routing;
    if gone { (OrderState::Routing, true, true) } else { (own.order, own.turn.halted, false) }
}

/// The odds of side A's fire agree with all the battles there could be, in losses and in what they lead to.
fn agrees(state: &Field, losses: &[(&str, u8)]) {
    let (plan, verdict) = plan::read(state, Side::A, &at_the_other());
    assert!(verdict.is_legal(), "{verdict:?}");
    let told = fire::of_plan(state, &plan, Cause::Fire).remove(0);
    let before = field::strength(state, UnitId(1));
    let left = played(state, &at_the_other(), |battle| {
        let it = UnitId(1);
        if field::is_there(battle.state(), it) { before - field::strength(battle.state(), it) } else { u32::MAX }
    });
    for (label, lost) in losses {
        let chance = told.bars.iter().find(|bar| bar.label == *label).map_or(0.0, |bar| bar.chance);
        let counted = left.get(&u32::from(*lost)).copied().unwrap_or(0.0);
        assert!((chance - counted).abs() < 1e-9, "{label}: {chance} told, {counted} counted; {told:?} {left:?}");
    }
    let ends = played(state, &at_the_other(), state_of);
    let chance = |label: &str| {
        let bars = told.then[0].bars.iter().filter(|bar| bar.label.starts_with(label));
        bars.map(|bar| bar.chance).sum::<f64>()
    };
    let counted = |wanted: &dyn Fn(&(OrderState, bool, bool)) -> bool| {
        ends.iter().filter(|(end, _)| wanted(end)).map(|(_, chance)| *chance).sum::<f64>()
    };
    let pairs = [
        ("routs", counted(&|end| end.0 == OrderState::Routing && !end.2)),
        ("destroyed", counted(&|end| end.2)),
        ("steady", counted(&|end| !end.1 && end.0 == OrderState::Good)),
        ("halted and shaken", counted(&|end| end.1 && end.0 == OrderState::Shaken)),
    ];
    for (label, counted) in pairs {
        let told = chance(label);
        assert!((told - counted).abs() < 1e-9, "{label}: {told} told, {counted} counted; {ends:?}");
    }
}

#[test]
fn rifles_at_a_small_battalion() {
    let units = vec![
        armed(unit(Side::A, Arm::Infantry, 2, 6, Shape::Line, at(30.0, 10.0, 0.0)), "chassepot"),
        armed(unit(Side::B, Arm::Infantry, 1, 5, Shape::Line, at(30.0, 16.0, 180.0)), "dreyse"),
    ];
    agrees(&shooting(0, units), &[("no loss", 0), ("one stand", 1), ("two stands", 2)]);
}

#[test]
fn the_first_volley_of_crack_troops() {
    let units = vec![
        armed(unit(Side::A, Arm::Infantry, 4, 8, Shape::Line, at(30.0, 10.0, 0.0)), "rifle"),
        armed(unit(Side::B, Arm::Infantry, 2, 12, Shape::Line, at(30.0, 16.0, 180.0)), "smoothbore"),
    ];
    agrees(&shooting(1, units), &[("no loss", 0), ("one stand", 1), ("two stands", 2)]);
}

#[test]
fn guns_at_guns() {
    let units = vec![
        armed(unit(Side::A, Arm::Artillery, 2, 2, Shape::Deployed, at(30.0, 10.0, 0.0)), "ml_field"),
        armed(unit(Side::B, Arm::Artillery, 2, 2, Shape::Deployed, at(30.0, 17.0, 180.0)), "ml_field"),
    ];
    agrees(&shooting(0, units), &[]);
}
