//! Who may work at what.

use super::super::charts::{count as figure, reach};
use super::super::clause::Clause;
use super::super::field::{self, Field, facts, is_there, stands, troops};
use super::super::formation::Shape;
use super::super::unit::{Arm, Task};
use super::{at_hand, barrier_at, clause_of, feature, fronts, is_idle, span_at};
use engine::verdict::Mark;
use engine::{FeatureId, Side, UnitId, Verdict};
use table::terrain::TerrainKind as K;
use table::{Length, Point, SLACK, Vec2};

/// Whether this is a unit of the side that stands on the table.
pub fn is_own(field: &Field, side: Side, unit: UnitId) -> bool {
    unit.index() < field.muster().units.len() && field.side_of(unit) == side && is_there(field, unit)
}

/// Judges `Work`.
pub fn work(field: &Field, side: Side, unit: UnitId, task: &Task, verdict: &mut Verdict) {
    let clause = clause_of(task);
    if !is_own(field, side, unit) {
        verdict.refuse(clause, "only units of your own on the table can work");
        return;
    }
    if !is_idle(field, unit) {
        verdict.refuse(clause, "whoever works does nothing else that turn").about(unit);
    }
    if troops(field, unit).turn.worked {
        verdict.refuse(clause, "it works already").about(unit);
    }
    conditions(field, unit, task, verdict);
    if let Task::Bridge { hands, .. } = task
        && hands.iter().any(|hand| troops_known(field, *hand) && troops(field, *hand).turn.worked)
    {
        verdict.refuse(clause, "these hands work elsewhere").about(unit);
    }
}

fn troops_known(field: &Field, unit: UnitId) -> bool {
    unit.index() < field.muster().units.len()
}

/// Whether work that was begun can go on where it is.
pub fn can_go_on(field: &Field, unit: UnitId, task: &Task) -> bool {
    let mut verdict = Verdict::fine();
    conditions(field, unit, task, &mut verdict);
    verdict.is_legal()
}

/// What has to hold as long as the work lasts.
fn conditions(field: &Field, unit: UnitId, task: &Task, verdict: &mut Verdict) {
    match task {
        Task::Demolish { bridge } => demolish(field, unit, *bridge, verdict),
        Task::Clear { obstacle, at } => clear(field, unit, *obstacle, *at, verdict),
        Task::Bridge { water, at, to, hands } => bridge(field, unit, *water, (*at, *to), hands, verdict),
        Task::Barricade => barricade(field, unit, verdict),
        Task::Breach { at } => breach(field, unit, *at, verdict),
        Task::Sever { at } => sever(field, unit, *at, verdict),
    }
}

/// A party of engineers with at least so many pioneers.
fn pioneers(field: &Field, unit: UnitId, least: u32, clause: Clause, verdict: &mut Verdict) {
    let have = u32::from(field::count(field, unit)).saturating_sub(1);
    if facts(field, unit).arm != Arm::Engineers {
        verdict.refuse(clause, "this is work for engineers").about(unit);
    } else if have < least {
        let text = format!("the officer needs {least} pioneers and has {have}");
        verdict.refuse(clause, text).about(unit);
    }
}

/// How far a place is from a unit.
fn apart(field: &Field, unit: UnitId, place: Vec2) -> Length {
    let gaps =
        stands(field, unit).iter().map(|stand| table::convex::distance(stand.points(), place)).fold(f64::MAX, f64::min);
    field::measured(Length::from_um(gaps))
}

fn demolish(field: &Field, unit: UnitId, bridge: FeatureId, verdict: &mut Verdict) {
    let clause = Clause::MiningABridge;
    pioneers(field, unit, 1, clause, verdict);
    let Some(found) = feature(field, bridge).filter(|found| matches!(found.kind, K::Bridge | K::Pontoon)) else {
        verdict.refuse(clause, "there is no such bridge");
        return;
    };
    let near = stands(field, unit).iter().map(|stand| found.shape.gap_to(stand)).fold(f64::MAX, f64::min);
    let hand = at_hand(field);
    if field::measured(Length::from_um(near)) > hand {
        verdict.refuse(clause, format!("the party has to be within {hand} of the bridge")).about(unit);
    }
    if field.ledger().broken.contains(&bridge) {
        verdict.refuse(clause, "the bridge is down");
    } else if field.ledger().mined.contains(&bridge) {
        verdict.refuse(Clause::OneTryAtEachBridge, "somebody has tried to blow this bridge up already");
    }
}

fn clear(field: &Field, unit: UnitId, obstacle: FeatureId, at: Point, verdict: &mut Verdict) {
    let clause = Clause::OpeningAnObstacle;
    let work = &field.charts().work;
    pioneers(field, unit, figure(work.clear_pioneers), clause, verdict);
    let kinds = |kind| matches!(kind, K::Hedge | K::Fence | K::Wall | K::Abatis | K::Earthwork | K::Redoubt);
    let Some(found) = feature(field, obstacle).filter(|found| kinds(found.kind)) else {
        verdict.refuse(clause, "there is no such obstacle");
        return;
    };
    let width = reach(work.clear_width);
    let (hand, mark) = (at_hand(field), Mark::Spot(at));
    if found.shape.distance(at.vec()) > width.half().as_f64() {
        verdict.refuse(clause, "the obstacle does not run there").at(mark.clone());
    }
    if apart(field, unit, at.vec()) > hand {
        let text = format!("the party has to be within {hand} of the place");
        verdict.refuse(clause, text).about(unit).at(mark.clone());
    }
    if field.ledger().gaps.iter().any(|(one, place)| *one == obstacle && place.distance(at) < width.half()) {
        verdict.refuse(clause, "that stretch is cleared").at(mark);
    }
}

fn breach(field: &Field, unit: UnitId, at: Point, verdict: &mut Verdict) {
    let clause = Clause::OpeningAnObstacle;
    let work = &field.charts().work;
    pioneers(field, unit, figure(work.clear_pioneers), clause, verdict);
    let Some(barrier) = barrier_at(field, at) else {
        verdict.refuse(clause, "no barricade and no works run there").at(Mark::Spot(at));
        return;
    };
    within_reach(field, unit, at, clause, verdict);
    let near = reach(work.clear_width).half();
    if field.ledger().breaches.iter().any(|(one, place)| usize::from(*one) == barrier && place.distance(at) < near) {
        verdict.refuse(clause, "that stretch is cleared").at(Mark::Spot(at));
    }
}

fn sever(field: &Field, unit: UnitId, at: Point, verdict: &mut Verdict) {
    let clause = Clause::MiningABridge;
    pioneers(field, unit, 1, clause, verdict);
    let Some(span) = span_at(field, at).and_then(|no| field.ledger().spans.get(no)) else {
        verdict.refuse(clause, "there is no bridge of boats").at(Mark::Spot(at));
        return;
    };
    within_reach(field, unit, at, clause, verdict);
    if span.mined {
        verdict.refuse(Clause::OneTryAtEachBridge, "somebody has tried to blow these boats up already");
    }
}

fn within_reach(field: &Field, unit: UnitId, at: Point, clause: Clause, verdict: &mut Verdict) {
    let hand = at_hand(field);
    if apart(field, unit, at.vec()) > hand {
        let text = format!("the party has to be within {hand} of the place");
        verdict.refuse(clause, text).about(unit).at(Mark::Spot(at));
    }
}

fn bridge(
    field: &Field,
    unit: UnitId,
    water: FeatureId,
    ends: (Point, Point),
    hands: &[UnitId],
    verdict: &mut Verdict,
) {
    let clause = Clause::BuildingAPontoonBridge;
    let work = &field.charts().work;
    let (at, to) = ends;
    pioneers(field, unit, figure(work.pontoon_pioneers), clause, verdict);
    let Some(found) = feature(field, water).filter(|found| matches!(found.kind, K::River | K::Stream | K::Lake)) else {
        verdict.refuse(clause, "there is no such water");
        return;
    };
    let (hand, mark) = (at_hand(field), Mark::Line(at, to));
    let length = field::measured(at.distance(to));
    let (most, stock) = (reach(work.pontoon_length), troops(field, unit).pontoons);
    if length <= Length::ZERO || length > most {
        verdict.refuse(clause, format!("a span is at most {most} long")).at(mark.clone());
    }
    if length > stock {
        verdict.refuse(clause, format!("the train has {stock} of pontoons left")).about(unit);
    }
    let joins =
        |place: Point| {
            let near = SLACK + SLACK;
            field.ledger().spans.iter().any(|span| {
                span.water == water && (span.to.distance(place) <= near || span.from.distance(place) <= near)
            })
        };
    let bank = !found.shape.contains(at.vec()) && found.shape.distance(at.vec()) <= hand.as_f64();
    if !bank && !joins(at) {
        verdict.refuse(clause, "a span begins at the bank, or where the last one ends").at(mark.clone());
    }
    if found.shape.clip((at.vec(), to.vec())).is_empty() {
        verdict.refuse(clause, "it does not lead over the water").at(mark.clone());
    }
    let far = if joins(at) { most } else { hand };
    if apart(field, unit, at.vec()) > far {
        verdict.refuse(clause, format!("the party has to be within {far} of the place")).about(unit).at(mark);
    }
    lent(field, unit, hands, verdict);
}

/// Foot troops near the party that do nothing else: together enough stands.
fn lent(field: &Field, unit: UnitId, hands: &[UnitId], verdict: &mut Verdict) {
    let clause = Clause::BuildingAPontoonBridge;
    let work = &field.charts().work;
    let (near, need) = (reach(work.hands_near), figure(work.pontoon_hands));
    let mut have = 0;
    for (n, hand) in hands.iter().enumerate() {
        let known = troops_known(field, *hand) && is_own(field, field.side_of(unit), *hand) && *hand != unit;
        if !known || hands[..n].contains(hand) {
            verdict.refuse(clause, "only units of your own can lend hands, each of them once");
            continue;
        }
        if !field::is_foot(field, *hand) || !is_idle(field, *hand) {
            verdict.refuse(clause, "only troops on foot that do nothing else lend hands").about(*hand);
        }
        if !field::within(field, unit, *hand, near) {
            verdict.refuse(clause, format!("hands are lent from within {near}")).about(*hand);
        }
        let busy = |(other, one): (UnitId, &engine::Unit<super::super::Days>)| {
            let work = one.own.work.as_ref().filter(|_| other != unit);
            work.is_some_and(|work| matches!(&work.task, Task::Bridge { hands, .. } if hands.contains(hand)))
        };
        if field.units().any(busy) {
            verdict.refuse(clause, "it lends hands elsewhere").about(*hand);
        }
        have += u32::from(field::count(field, *hand));
    }
    if have < need {
        let text = format!("{need} further stands on foot have to lend a hand, and {have} do");
        verdict.refuse(clause, text).about(unit);
    }
}

fn barricade(field: &Field, unit: UnitId, verdict: &mut Verdict) {
    let clause = Clause::ThrowingUpBarricades;
    if facts(field, unit).arm != Arm::Infantry || facts(field, unit).part.is_some() {
        verdict.refuse(clause, "only infantry builds barricades").about(unit);
    }
    if field::shape(field, unit) != Shape::Line || !field::is_formed(field, unit) {
        verdict.refuse(clause, "a barricade runs along the front of a line").about(unit);
    }
    let sheltered = |place: Vec2| {
        let mut here = field.ground().at(place);
        here.any(|(_, feature)| matches!(feature.kind, K::Woods | K::Orchard | K::Town | K::Building))
    };
    if !stands(field, unit).iter().all(|stand| sheltered(stand.centre)) {
        verdict.refuse(clause, "barricades are built among trees or houses, with every stand of the line").about(unit);
    }
    let there = fronts(field, unit);
    if field.ledger().barriers.iter().any(|barrier| there.contains(&(barrier.from, barrier.to))) {
        verdict.refuse(Clause::SizeOfABarricade, "a barricade stands there").about(unit);
    }
}
