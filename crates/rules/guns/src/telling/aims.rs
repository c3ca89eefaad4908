//! Lines on the map while a question stands: who would shoot at whom, who charges whom, what observers see, whom
//! generals order or join.

use super::answers::{Targets, aim_words, nearest_shots};
use super::sketches;
use crate::field::{Field, brigade_units, general_of};
use crate::order::{Decision, Marking, Matter, Move, Nomination, Order, Shot};
use crate::unit::Observer;
use crate::{artillery, blast, musketry, ranging};
use book::telling::voice;
use engine::scene::{Sketch, SketchStroke};
use engine::{CommanderId, Side, UnitId};
use table::{Length, Outline, Point};

/// The lines of an order; without one, those of the question.
pub fn aims(field: &Field, decision: &Decision, side: Side, order: Option<&Order>) -> Vec<Sketch> {
    match (decision, order) {
        (Decision::Nominate, Some(Order::Nominate { brigades, .. })) => {
            brigades.iter().flat_map(|one| ordered(field, one)).collect()
        }
        (Decision::Mark, Some(Order::Mark { shots })) => shots.iter().flat_map(|one| marked(field, one)).collect(),
        (Decision::Mark, None) => sights(field, side),
        (Decision::Plot, Some(Order::Plot { moves, .. })) => {
            moves.iter().filter_map(|one| moved(field, side, one)).collect()
        }
        (Decision::CounterCharge { able }, None) => {
            able[side].iter().filter_map(|shot| between(field, shot.at, shot.unit)).collect()
        }
        (Decision::CounterCharge { able }, Some(Order::CounterCharge { units })) => {
            let rides = able[side].iter().filter(|shot| units.contains(&shot.unit));
            rides.filter_map(|shot| between(field, shot.unit, shot.at)).collect()
        }
        (Decision::Guns, order) => volleys(field, side, order, artillery::targets),
        (Decision::Musketry, order) => volleys(field, side, order, musketry::targets),
        (Decision::PressOn { unit, .. }, Some(Order::PressOn { at })) => {
            between(field, *unit, *at).into_iter().collect()
        }
        (Decision::PressOn { unit, among }, None) => among.iter().filter_map(|at| between(field, *unit, *at)).collect(),
        _ => Vec::new(),
    }
}

/// Shots over open sights or with small arms, and what falls indirectly.
fn volleys(field: &Field, side: Side, order: Option<&Order>, targets: Targets) -> Vec<Sketch> {
    let (shots, hold) = match order {
        None => (nearest_shots(field, side, targets), Vec::new()),
        Some(Order::Fire { shots, hold }) => (shots.clone(), hold.clone()),
        Some(_) => (Vec::new(), Vec::new()),
    };
    let mut lines: Vec<Sketch> = shots.iter().filter_map(|shot| aimed(field, *shot)).collect();
    let keeps = |id: UnitId| !hold.contains(&id) && !shots.iter().any(|shot| shot.unit == id);
    for (id, unit) in field.present(side).filter(|(id, _)| keeps(*id)) {
        if let Some(registration) = unit.own.registration.as_ref().filter(|one| one.marked) {
            lines.extend(sketches::blocks(field, id, registration.point, &registration.blocks));
        }
    }
    lines
}

fn aimed(field: &Field, shot: Shot) -> Option<Sketch> {
    let label = format!("{}: {}", voice::unit(field, shot.unit), aim_words(field, shot));
    Some(drawn(label, SketchStroke::Aim, front(field, shot.unit)?, middle(field, shot.at)?))
}

/// A charge, a general on his way to a unit.
fn moved(field: &Field, side: Side, one: &Move) -> Option<Sketch> {
    match one {
        Move::Charge { unit, at, .. } if field.side_of(*unit) == side => between(field, *unit, *at),
        Move::Join { commander, unit } if field.side_of(*unit) == side => joins(field, *commander, *unit),
        _ => None,
    }
}

/// From the general who gives an order to each unit of the brigade, and to what it is told to go for.
fn ordered(field: &Field, one: &Nomination) -> Vec<Sketch> {
    let issuer = one.new.and_then(|new| new.issuer).or(one.issuer).or_else(|| general_of(field, one.brigade));
    let Some(issuer) = issuer else { return Vec::new() };
    let mut lines: Vec<Sketch> =
        brigade_units(field, one.brigade).filter_map(|unit| joins(field, issuer, unit)).collect();
    if let (Some(new), Some(from)) = (&one.new, place_of(field, issuer)) {
        let to = match new.order.objective {
            Matter::Point(point) => Some(point),
            Matter::Unit(unit) => middle(field, unit),
            Matter::Feature(feature) => {
                field.ground().features.get(feature.index()).map(|found| Point::from_vec(found.shape.centre()))
            }
        };
        let label = format!("{}: {}", voice::command(field, one.brigade), super::speech::order_words(field, new.order));
        lines.extend(to.map(|to| drawn(label, SketchStroke::Aim, from, to)));
    }
    lines
}

/// The observer's sight, the line of fire and the blocks of one marking.
fn marked(field: &Field, one: &Marking) -> Vec<Sketch> {
    let Some(to) = one.point.or_else(|| middle(field, one.at)) else { return Vec::new() };
    let mut lines: Vec<Sketch> = sight(field, one.battery, one.at).into_iter().collect();
    if let Some(from) = front(field, one.battery) {
        let label = format!("{} on {}", voice::unit(field, one.battery), voice::unit(field, one.at));
        lines.push(drawn(label, SketchStroke::Aim, from, to));
    }
    let usual = || blast::usual_pattern(field, one.battery);
    let pattern = if one.blocks.is_empty() { usual() } else { one.blocks.clone() };
    lines.extend(sketches::blocks(field, one.battery, to, &pattern));
    lines
}

/// What the observers of a side see that their batteries could fire at.
fn sights(field: &Field, side: Side) -> Vec<Sketch> {
    let mut lines = Vec::new();
    for (battery, _) in field.present(side).filter(|(_, unit)| unit.own.observer.is_some()) {
        lines.extend(ranging::targets(field, battery).into_iter().filter_map(|at| sight(field, battery, at)));
    }
    lines
}

fn sight(field: &Field, battery: UnitId, at: UnitId) -> Option<Sketch> {
    let Some(Observer::At(eye)) = field.unit(battery).own.observer else { return None };
    let label = format!("The observer of {} sees {}", voice::unit(field, battery), voice::unit(field, at));
    Some(drawn(label, SketchStroke::Command, eye, middle(field, at)?))
}

fn between(field: &Field, from: UnitId, to: UnitId) -> Option<Sketch> {
    let label = format!("{} at {}", voice::unit(field, from), voice::unit(field, to));
    Some(drawn(label, SketchStroke::Aim, front(field, from)?, middle(field, to)?))
}

fn joins(field: &Field, general: CommanderId, unit: UnitId) -> Option<Sketch> {
    let label = format!("{} to {}", voice::commander(field, general), voice::unit(field, unit));
    Some(drawn(label, SketchStroke::Command, place_of(field, general)?, middle(field, unit)?))
}

fn place_of(field: &Field, general: CommanderId) -> Option<Point> {
    let rider = field.commander(general);
    rider.is_present().then(|| Point::from_vec(rider.quad().centre))
}

fn front(field: &Field, unit: UnitId) -> Option<Point> {
    let piece = field.unit(unit);
    piece.is_present().then(|| piece.pose().at)
}

fn middle(field: &Field, unit: UnitId) -> Option<Point> {
    let piece = field.unit(unit);
    piece.is_present().then(|| Point::from_vec(piece.quad().centre))
}

fn drawn(label: String, stroke: SketchStroke, from: Point, to: Point) -> Sketch {
    Sketch { label, stroke, outline: Outline::Line { points: vec![from, to], width: Length::ZERO } }
}
