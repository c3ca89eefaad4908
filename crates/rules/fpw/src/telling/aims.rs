//! Lines on the map while a question stands: who would shoot at whom, who charges whom, who orders whom.

use super::answers::aim_words;
use crate::field::Field;
use crate::fire;
use crate::odds;
use crate::order::{Decision, Order, Shot, Target};
use book::telling::voice;
use engine::scene::{Sketch, SketchStroke};
use engine::{CommanderId, UnitId};
use table::{Length, Outline, Point};

/// The lines of an order; without one, those of the question.
pub fn aims(field: &Field, decision: &Decision, order: Option<&Order>) -> Vec<Sketch> {
    match (decision, order) {
        (Decision::Reaction { able, .. }, None | Some(Order::ReactAll)) => volleys(field, able),
        (Decision::Reaction { able, .. }, Some(Order::React { units, stands })) => {
            volleys(field, &odds::chosen(able, units, stands))
        }
        (Decision::Shots { units }, None) => {
            let all: Vec<Target> = units.iter().map(|unit| Target { unit: *unit, at: None }).collect();
            volleys(field, &shots(field, &all))
        }
        (Decision::Shots { .. }, Some(Order::Shots { shots: targets })) => volleys(field, &shots(field, targets)),
        (Decision::Concentrate { at, stands, .. }, None | Some(Order::Pass)) => volleys(
            field,
            &stands.iter().map(|one| Shot { unit: one.unit, stand: one.stand, at: *at }).collect::<Vec<_>>(),
        ),
        (Decision::Concentrate { at, .. }, Some(Order::Concentrate { stands })) => volleys(
            field,
            &stands.iter().map(|one| Shot { unit: one.unit, stand: one.stand, at: *at }).collect::<Vec<_>>(),
        ),
        (Decision::CavalryReaction { unit, charger, .. }, _) => between(field, *charger, *unit).into_iter().collect(),
        (Decision::Command { .. }, Some(Order::Command { general, units, .. })) => {
            units.iter().filter_map(|unit| ordered(field, *general, *unit)).collect()
        }
        _ => Vec::new(),
    }
}

fn shots(field: &Field, targets: &[Target]) -> Vec<Shot> {
    targets.iter().flat_map(|target| fire::shots_of(field, target)).collect()
}

/// A line from each unit that would fire to each of its targets.
fn volleys(field: &Field, shots: &[Shot]) -> Vec<Sketch> {
    let mut pairs: Vec<(UnitId, UnitId)> = shots.iter().map(|shot| (shot.unit, shot.at)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let line = |(unit, at): (UnitId, UnitId)| {
        let own: Vec<Shot> = shots.iter().copied().filter(|shot| shot.unit == unit && shot.at == at).collect();
        let label = format!("{}: {}", voice::unit(field, unit), aim_words(field, &own, unit));
        Some(drawn(label, SketchStroke::Aim, field.unit(unit).pose().at, middle(field, at)?))
    };
    pairs.into_iter().filter_map(line).collect()
}

fn between(field: &Field, from: UnitId, to: UnitId) -> Option<Sketch> {
    let label = format!("{} at {}", voice::unit(field, from), voice::unit(field, to));
    let front = field.unit(from).is_present().then(|| field.unit(from).pose().at)?;
    Some(drawn(label, SketchStroke::Aim, front, middle(field, to)?))
}

/// From a general to a unit he would order.
fn ordered(field: &Field, general: CommanderId, unit: UnitId) -> Option<Sketch> {
    let rider = field.commander(general);
    let label = format!("{} to {}", voice::commander(field, general), voice::unit(field, unit));
    let from = rider.is_present().then(|| Point::from_vec(rider.quad().centre))?;
    Some(drawn(label, SketchStroke::Command, from, middle(field, unit)?))
}

fn middle(field: &Field, unit: UnitId) -> Option<Point> {
    let piece = field.unit(unit);
    piece.is_present().then(|| Point::from_vec(piece.quad().centre))
}

fn drawn(label: String, stroke: SketchStroke, from: Point, to: Point) -> Sketch {
    Sketch { label, stroke, outline: Outline::Line { points: vec![from, to], width: Length::ZERO } }
}
