//! Carrying a march out: what nobody could see may stop it on the way, and what it does to the unit is told.

use super::judge::{Judged, judge};
use super::{limits, passage};
use crate::Days;
use crate::clause::Clause;
use crate::event::{DaysEvent, Doing};
use crate::evolution;
use crate::field::{self, Field, by_book, facts, is_hidden, troops};
use crate::formation::{Formation, Shape};
use crate::ground::{self, Land, Mover};
use crate::order::Step;
use crate::settings::Weight;
use crate::space::Sweep;
use crate::unit::Crest;
use crate::{arrival, detachment, hidden, settle};
use engine::reckoning::{self, Fixed};
use engine::{Deed, Event, Reckoning, Umpire, UnitId};
use std::collections::VecDeque;
use table::march::{Leg, Track};
use table::{Angle, Length, Point};

/// How finely a leg is cut where something unseen stops it.
const PARTS: i32 = 16;

/// Carries a normal move out.
pub fn march(umpire: &mut Umpire<'_, Days>, unit: UnitId, steps: &[Step], crest: Option<Crest>) {
    let judged = judge(umpire.state(), unit, steps);
    enter(umpire, unit);
    if !field::is_there(umpire.state(), unit) {
        return;
    }
    part_from_relieved(umpire, unit);
    let mut reckoning = Some(reckon(&judged));
    let began = umpire.state().unit(unit).pose();
    for step in steps {
        let before = umpire.state().unit(unit).pose();
        let goes_on = match step {
            Step::March(legs) => go(umpire, unit, legs, &judged, &mut reckoning),
            Step::Form(to) => form(umpire, unit, *to, &judged, &mut reckoning),
            Step::Limber => form(umpire, unit, Formation::usual(Shape::Limbered), &judged, &mut reckoning),
            Step::Unlimber(shape) => form(umpire, unit, Formation::usual(*shape), &judged, &mut reckoning),
            Step::Mount => mount(umpire, unit, &judged, &mut reckoning),
            Step::Dismount(to) => dismount(umpire, unit, *to, &judged, &mut reckoning),
        };
        settle::moved_to_crest(umpire, unit, before, began, crest);
        if !goes_on || !field::is_there(umpire.state(), unit) {
            break;
        }
    }
    if field::is_there(umpire.state(), unit) {
        // A change of formation is a unit's move as well: it is given one order.
        remember(umpire, unit, Doing::Moved, Clause::OrdinaryMoves);
        arrival::entered(umpire, unit);
        after(umpire, unit, &judged);
    }
}

/// A waiting unit steps onto the table.
fn enter(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let field = umpire.state();
    let Some(pose) = arrival::entry_pose(field, unit).filter(|_| limits::waits(field, unit)) else { return };
    let formation = evolution::marching(field, unit);
    let placed = Deed::Placed { unit, pose, formation, hidden: false };
    umpire.announce(Event::new(Clause::TheBrigadeMarchesOn, placed));
}

/// Whoever moves is crowded no more, and crowds nobody.
pub fn part_from_relieved(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let field = umpire.state();
    let crowded: Vec<UnitId> = field
        .units()
        .filter(|(id, one)| one.own.relieved == Some(unit) || (*id == unit && one.own.relieved.is_some()))
        .map(|(id, _)| id)
        .collect();
    for one in crowded {
        umpire.announce(Event::own(Clause::CrowdedAfterRelief, DaysEvent::Relieved { unit: one, by: None }));
    }
}

/// Every figure of the move, in inches.
pub fn reckon(judged: &Judged) -> Reckoning {
    let mut sum = Reckoning::new();
    for line in &judged.costs {
        let value = if line.cost == Length::MAX { judged.allowance } else { line.cost };
        let value = Fixed((value.as_inches() * 100.0).round() as i32);
        sum.total = Fixed(sum.total.0.saturating_add(value.0));
        sum.line(line.clause.into(), line.label.clone(), reckoning::Step::Add, value, line.source);
    }
    sum
}

fn with(event: Event<Days>, reckoning: &mut Option<Reckoning>) -> Event<Days> {
    match reckoning.take() {
        Some(reckoning) => event.because(reckoning),
        None => event,
    }
}

/// Goes along legs until they end or something unseen stops it; says whether it may go on.
pub fn go(
    umpire: &mut Umpire<'_, Days>,
    unit: UnitId,
    legs: &[Leg],
    judged: &Judged,
    reckoning: &mut Option<Reckoning>,
) -> bool {
    let mut left: VecDeque<Leg> = legs.iter().copied().collect();
    let mut done: Vec<Leg> = Vec::new();
    let mut goes_on = true;
    while let Some(leg) = left.pop_front() {
        let field = umpire.state();
        let so_far = Track::plot(field.unit(unit).pose(), footprint(field, unit), &done);
        let stop = first_stop(field, unit, so_far.end(), leg);
        let Some((parts, stop)) = stop else {
            done.push(leg);
            continue;
        };
        let (part, rest) = cut(so_far.end().at, leg, parts);
        done.extend(part.filter(|_| parts > 0));
        announce(umpire, unit, std::mem::take(&mut done), judged, reckoning);
        let before = so_far.start();
        settle::moved(umpire, unit, before);
        let field = umpire.state();
        let barred = match stop {
            Stop::Enemy => true,
            Stop::Wood(wood) => {
                let kind = ground::mover(field, unit, field::formation(field, unit), field::is_mounted(field, unit));
                let rides = matches!(kind, Mover::Mounted | Mover::Limbered | Mover::Staff);
                ground::weight(field, wood) == Weight::Undefined
                    || (rides && ground::weight(field, wood) == Weight::Heavy)
            }
        };
        if barred || !field::is_there(field, unit) {
            let event = Event::new(Clause::ThroughHeavyWoods, Deed::Noted);
            if matches!(stop, Stop::Wood(_)) {
                umpire.announce(event.also(Clause::WoodsNobodyHasNamed));
            }
            goes_on = false;
            break;
        }
        if let Some(rest) = rest {
            left.push_front(rest);
        }
    }
    if !done.is_empty() {
        announce(umpire, unit, done, judged, reckoning);
    }
    goes_on
}

fn footprint(field: &Field, unit: UnitId) -> table::Footprint {
    field.footprint(unit, field::formation(field, unit))
}

/// What stops a march that nobody could foresee.
#[derive(Clone, Copy)]
enum Stop {
    /// Enemies nobody knew of.
    Enemy,
    /// A wood nobody had looked into.
    Wood(engine::FeatureId),
}

/// How many parts of a leg can be gone before something unforeseen, and what it is.
fn first_stop(field: &Field, unit: UnitId, from: table::Pose, leg: Leg) -> Option<(i32, Stop)> {
    let formation = field::formation(field, unit);
    let body = footprint(field, unit);
    let sweep_of = |leg: Option<Leg>| {
        let legs: Vec<Leg> = leg.into_iter().collect();
        Sweep::of(field, unit, formation, &Track::plot(from, body, &legs))
    };
    let standoff = field::standoff(field);
    let foes: Vec<_> = field
        .present(field.side_of(unit).other())
        .filter(|(_, foe)| is_hidden(foe))
        .map(|(id, _)| field::stands(field, id))
        .collect();
    let woods: Vec<_> = ground::patches(field)
        .filter(|patch| patch.land == Land::Wood && patch.weight == Weight::Undefined)
        .filter(|patch| {
            !field::stands_at(field, unit, from, formation).iter().any(|one| patch.shape.overlaps_quad(one))
        })
        .collect();
    let met = |sweep: &Sweep| {
        let near = |quads: &&[table::Quad]| quads.iter().any(|quad| sweep.nearest(quad, standoff) <= standoff);
        if foes.iter().any(near) {
            return Some(Stop::Enemy);
        }
        woods.iter().find(|wood| sweep.crosses(&wood.shape)).and_then(|wood| match wood.piece {
            ground::Piece::Feature(id) => Some(Stop::Wood(id)),
            _ => None,
        })
    };
    if foes.is_empty() && woods.is_empty() {
        return None;
    }
    let stop = met(&sweep_of(Some(leg)))?;
    // Whoever stands beside them already is stopped by them only if he goes nearer; the view will tell him.
    let clear = |parts: &i32| met(&sweep_of(cut(from.at, leg, *parts).0.filter(|_| *parts > 0))).is_none();
    let parts = (0..PARTS).rev().find(clear).unwrap_or(0);
    Some((parts, stop))
}

/// A leg in two: the first so many sixteenths, and the rest. Turns are not cut.
fn cut(from: Point, leg: Leg, parts: i32) -> (Option<Leg>, Option<Leg>) {
    let share = |length: Length| length * parts / PARTS;
    match leg {
        Leg::Ahead(by) => (Some(Leg::Ahead(share(by))), Some(Leg::Ahead(by - share(by)))),
        Leg::Back(by) => (Some(Leg::Back(share(by))), Some(Leg::Back(by - share(by)))),
        Leg::Sideways(by) => (Some(Leg::Sideways(share(by))), Some(Leg::Sideways(by - share(by)))),
        Leg::Oblique { by, go } => {
            (Some(Leg::Oblique { by, go: share(go) }), Some(Leg::Oblique { by, go: go - share(go) }))
        }
        Leg::Wheel { pivot, by } => {
            let first = by.as_millidegrees() * parts / PARTS;
            let turn = |by| Leg::Wheel { pivot, by: Angle::millidegrees(by) };
            (Some(turn(first)), Some(turn(by.as_millidegrees() - first)))
        }
        Leg::Straight(to) => {
            let half_way = from.vec().lerp(to.vec(), f64::from(parts) / f64::from(PARTS));
            (Some(Leg::Straight(Point::from_vec(half_way))), Some(leg))
        }
        Leg::Turn(_) | Leg::About => (None, Some(leg)),
    }
}

/// Tells a march along legs.
fn announce(
    umpire: &mut Umpire<'_, Days>,
    unit: UnitId,
    legs: Vec<Leg>,
    judged: &Judged,
    reckoning: &mut Option<Reckoning>,
) {
    let field = umpire.state();
    let track = Track::plot(field.unit(unit).pose(), footprint(field, unit), &legs);
    let wheels = legs.iter().any(|leg| matches!(leg, Leg::Wheel { .. }));
    let turns = legs.iter().any(|leg| matches!(leg, Leg::Turn(_) | Leg::About));
    let guns = field::is_battery(field, unit);
    let through = |what: &dyn Fn(UnitId) -> bool| judged.passes.iter().any(|friend| what(*friend));
    let forced = judged.forced;
    let clause = if forced { Clause::ForcedMarching } else { Clause::OrdinaryMoves };
    let event = Event::new(clause, Deed::Moved { unit, to: track.end(), path: legs })
        .also_if(forced, Clause::TheWholeBrigadeMarches)
        .also_if(forced, Clause::KeepingClearWhileMarching)
        .also_if(forced, Clause::TheMarchColumn)
        .also(Clause::WhereMovesAreMeasured)
        .also(Clause::WhereAUnitFaces)
        .also(Clause::AllowanceFixedAtTheStart)
        .also(Clause::AnInchFromTheEnemy)
        .also_if(judged.spent() < judged.allowance, Clause::MovingLessIsFree)
        .also_if(wheels, Clause::TurningByWheels)
        .also_if(wheels, Clause::AWheelReckonedOut)
        .also_if(turns, Clause::WhatIsAFormationChange)
        .also_if(!judged.tolls.lines.is_empty(), Clause::GroundShortensTheMove)
        .also_if(judged.tolls.on_road, Clause::MarchingByRoad)
        .also_if(guns && evolution::short_of_horses(field, unit), Clause::TwoHorsesLost)
        .also_if(through(&|one| field::skirmishes(field, one)), Clause::ThroughOnesOwnScreen)
        .also_if(through(&|one| field::is_battery(field, one)), Clause::ThroughADeployedBattery)
        .also_if(through(&|one| field::shape(field, one) == Shape::Square), Clause::RefugeInASquare)
        .also_if(!judged.relieves.is_empty(), Clause::RelievingATiredLine);
    let event = with(event, reckoning);
    umpire.announce(event);
    remember(umpire, unit, Doing::Moved, clause);
    if turns && judged.reforms {
        remember(umpire, unit, Doing::Reformed, Clause::WhatIsAFormationChange);
    }
}

fn remember(umpire: &mut Umpire<'_, Days>, unit: UnitId, doing: Doing, clause: Clause) {
    let turn = &troops(umpire.state(), unit).turn;
    let known = match doing {
        Doing::Moved => turn.moved,
        Doing::Reformed => turn.reformed,
        _ => false,
    };
    if !known {
        umpire.announce(Event::own(clause, DaysEvent::Did { unit, doing }));
    }
}

/// The clauses a formation obeys.
fn drawn_up(field: &Field, formation: Formation) -> &'static [Clause] {
    let squares = field::by_book(field, Clause::WhatIsAFormationChange, Clause::HowSquaresAreFormed);
    match formation.shape {
        Shape::Line if formation.is_bent() => {
            &[Clause::HowALineStands, Clause::BendingALine, Clause::ShoulderToShoulder]
        }
        Shape::Line => &[Clause::HowALineStands, Clause::ShoulderToShoulder],
        Shape::Manoeuvre => &[Clause::KindsOfColumn, Clause::TheManoeuvreColumn, Clause::ShoulderToShoulder],
        Shape::March => &[Clause::KindsOfColumn, Clause::TheMarchColumn, Clause::ShoulderToShoulder],
        Shape::Column | Shape::Limbered => &[Clause::KindsOfColumn],
        Shape::Skirmish => &[Clause::WhoMaySkirmish, Clause::ASkirmishScreen],
        Shape::Square if squares == Clause::HowSquaresAreFormed => &[
            Clause::HowSquaresAreFormed,
            Clause::WhoMayFormSquare,
            Clause::TheSmallestSquare,
            Clause::ShoulderToShoulder,
        ],
        Shape::Square | Shape::Deployed | Shape::Massed => &[],
    }
}

/// Tells a change of formation.
fn form(
    umpire: &mut Umpire<'_, Days>,
    unit: UnitId,
    to: Formation,
    judged: &Judged,
    reckoning: &mut Option<Reckoning>,
) -> bool {
    let field = umpire.state();
    let from = field::formation(field, unit);
    let clause = evolution::change(field, unit, from, to, field::is_mounted(field, unit))
        .map_or(Clause::WhatIsAFormationChange, |(_, clause)| clause);
    reform(umpire, unit, to, clause, judged, reckoning);
    true
}

fn reform(
    umpire: &mut Umpire<'_, Days>,
    unit: UnitId,
    to: Formation,
    clause: Clause,
    judged: &Judged,
    reckoning: &mut Option<Reckoning>,
) {
    let field = umpire.state();
    let pose = evolution::reformed_pose(field, unit, to);
    let close = ground::disordering(field, field::stands(field, unit));
    let mut event = Event::new(clause, Deed::Reformed { unit, formation: to, to: pose })
        .also(Clause::FacingAfterReForming)
        .also(Clause::CommandStandInFront)
        .also(Clause::WhichAllowanceIsCut)
        .also(Clause::OneChangePerTurn)
        .also_if(judged.moves, Clause::ReFormingAndMovingOn)
        .also_if(matches!(close, Some((Land::Wood | Land::Urban, _))), Clause::ReFormingAmongTrees)
        .also_if(matches!(close, Some((Land::Urban, _))), Clause::FormedAmongHouses);
    for also in drawn_up(field, to) {
        event = event.also(*also);
    }
    let event = with(event, reckoning);
    umpire.announce(event);
    remember(umpire, unit, Doing::Reformed, clause);
}

fn mount(umpire: &mut Umpire<'_, Days>, unit: UnitId, judged: &Judged, reckoning: &mut Option<Reckoning>) -> bool {
    let to = evolution::mounted_as(umpire.state(), unit);
    let (_, clause) = evolution::mounting(umpire.state());
    reform(umpire, unit, to, clause, judged, reckoning);
    detachment::mount(umpire, unit);
    if !field::is_mounted(umpire.state(), unit) {
        umpire.announce(Event::own(clause, DaysEvent::Mounted { unit, mounted: true }));
    }
    true
}

fn dismount(
    umpire: &mut Umpire<'_, Days>,
    unit: UnitId,
    to: Formation,
    judged: &Judged,
    reckoning: &mut Option<Reckoning>,
) -> bool {
    let (_, clause) = evolution::mounting(umpire.state());
    detachment::dismount(umpire, unit);
    if field::is_mounted(umpire.state(), unit) {
        umpire.announce(Event::own(clause, DaysEvent::Mounted { unit, mounted: false }));
    }
    if field::is_there(umpire.state(), unit) {
        let also = by_book(umpire.state(), Clause::SkirmishingOnFootIron, Clause::LeavingTheHorses);
        reform(umpire, unit, to, also, judged, reckoning);
    }
    true
}

/// What a march leaves behind: disorder and relief.
pub fn after(umpire: &mut Umpire<'_, Days>, unit: UnitId, judged: &Judged) {
    if judged.tolls.over_obstacle {
        ground::disorder(umpire, unit, Clause::OverAnObstacle);
    }
    if let Some(clause) = judged.tolls.disorders {
        ground::disorder(umpire, unit, clause);
    }
    let whole = field::whole(umpire.state(), unit);
    if judged.tolls.swamp
        && !field::state(umpire.state(), unit).swamped
        && facts(umpire.state(), unit).arm != crate::unit::Arm::Engineers
    {
        umpire.announce(Event::own(Clause::DisorderInASwamp, DaysEvent::Swamped { unit: whole, swamped: true }));
    }
    for line in &judged.relieves {
        relieve(umpire, unit, *line);
    }
    line_obstacle(umpire, unit, judged);
}

/// A unit that ends behind an obstacle it did not cross keeps its order (days.15.10-d).
fn line_obstacle(umpire: &mut Umpire<'_, Days>, unit: UnitId, judged: &Judged) {
    let field = umpire.state();
    let near = crate::charts::reach(field.charts().constant.cover).as_f64();
    let stands = field::stands(field, unit);
    let close = |patch: ground::Patch<'_>| stands.iter().any(|one| patch.shape.gap_to(one) <= near);
    let lines =
        !judged.tolls.over_obstacle && ground::obstacles_near(field, ground::around(stands).grown(near)).any(close);
    if lines {
        umpire.announce(Event::new(Clause::LiningAnObstacle, Deed::Noted));
    }
}

/// A worn line is relieved (iron.17.4.9-a).
fn relieve(umpire: &mut Umpire<'_, Days>, unit: UnitId, line: UnitId) {
    for one in [unit, line] {
        let event = DaysEvent::Did { unit: one, doing: Doing::PassedLines };
        umpire.announce(
            Event::own(Clause::RelievingATiredLine, event)
                .also(Clause::WhoMayPassLines)
                .also(Clause::CostOfPassingLines)
                .also(Clause::NoChargeAfterRelief),
        );
    }
    if passage::is_crowded(umpire.state(), unit, line) {
        umpire.announce(Event::own(Clause::CrowdedAfterRelief, DaysEvent::Relieved { unit, by: Some(line) }));
    }
    if passage::is_broken_by(umpire.state(), unit, line) {
        ground::disorder(umpire, unit, Clause::ThroughBetterMenBroken);
    }
}

/// Whoever ends within an inch of a crest stands behind it or over it: over it unless his owner says otherwise
/// (days.15.1-c, A-113).
pub fn at_crest(umpire: &mut Umpire<'_, Days>, unit: UnitId, crest: Option<Crest>) {
    let field = umpire.state();
    let near = ground::near_crest(field, field::stands(field, unit));
    let now = near.then(|| crest.unwrap_or(Crest::Over));
    if troops(field, unit).crest != now {
        let event = Event::own(Clause::BehindTheCrestOrOver, DaysEvent::AtCrest { unit, crest: now });
        hidden::announce(umpire, unit, event.also_if(near, Clause::TwoCrestsToAHill));
    }
}
