//! Lines drawn while a question stands: who would shoot at whom and at which range, who charges whom and how far each
//! impulse goes, whom generals help.

use super::gestures::{aim_words, band_words};
use crate::Days;
use crate::candidates;
use crate::charge::way;
use crate::defence;
use crate::field::{self, Field, troops};
use crate::order::{Charger, Decision, Declaration, Order, Shot};
use crate::shooting;
use crate::unit::ChargeKind;
use book::telling::voice;
use engine::scene::{Sketch, SketchStroke};
use engine::{Asked, CommanderId, Side, UnitId, View};
use table::{Length, Outline, Point};

/// Lines of an order, or of the question alone.
pub fn aims(view: &View<'_, Days>, asked: &Asked<Days>, side: Side, order: Option<&Order>) -> Vec<Sketch> {
    let field: &Field = view;
    match (&asked.decision, order) {
        (Decision::Fire, order) => {
            let usual = || candidates::everybody_fires(field, side);
            shots(field, side, &order.cloned().unwrap_or_else(usual))
        }
        (Decision::Defend, Some(order)) => defended(field, side, order),
        (Decision::Defend, None) => {
            let all = field.present(side).flat_map(|(id, _)| defence::targets(field, id));
            all.filter_map(|shot| aimed(field, shot.unit, shot.at?)).collect()
        }
        (Decision::Charges, Some(Order::Charge { declarations })) => {
            charges(field, ChargeKind::Declared, side, declarations)
        }
        (Decision::Opportunity, Some(Order::Charge { declarations })) => {
            charges(field, ChargeKind::Opportunity, side, declarations)
        }
        (Decision::Rally, Some(Order::Rally { help, .. })) => {
            help.iter().filter_map(|one| joins(field, one.general, one.unit)).collect()
        }
        (Decision::React { unit, by }, _) => by.iter().filter_map(|from| between(field, *from, *unit)).collect(),
        (Decision::Feint { among }, _) => {
            let going = among.iter().filter_map(|unit| Some((*unit, troops(field, *unit).charge.as_ref()?.at)));
            going.filter_map(|(unit, at)| between(field, unit, at)).collect()
        }
        (Decision::Move, Some(Order::Join { general, unit })) => joins(field, *general, *unit).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Volleys as they would be fired: who names no target fires at several.
fn shots(field: &Field, side: Side, order: &Order) -> Vec<Sketch> {
    let (plan, _) = shooting::plan::read(field, side, order);
    let lines = plan.aims.iter().filter_map(|aim| match (aim.quarry.unit(), aim.quarry.general()) {
        (Some(at), _) => aimed(field, aim.by, at),
        (None, Some(general)) => {
            let to = Point::from_vec(field.commander(general).quad().centre);
            let label = format!("{}: {}", voice::unit(field, aim.by), voice::commander(field, general));
            Some(drawn(label, SketchStroke::Aim, front(field, aim.by)?, to))
        }
        (None, None) => None,
    });
    lines.collect()
}

fn defended(field: &Field, side: Side, order: &Order) -> Vec<Sketch> {
    let Order::Fire { shots, .. } = order else { return Vec::new() };
    let own = |shot: &&Shot| is_there(field, shot.unit) && field.side_of(shot.unit) == side;
    let lines = shots.iter().filter(own).flat_map(|shot| match shot.at {
        Some(at) => vec![(shot.unit, at)],
        None => defence::targets(field, shot.unit).iter().filter_map(|one| Some((one.unit, one.at?))).collect(),
    });
    lines.filter_map(|(unit, at)| aimed(field, unit, at)).collect()
}

/// Both impulses of each charger: the first as a move, the rest of the way as an aim.
fn charges(field: &Field, kind: ChargeKind, side: Side, all: &[Declaration]) -> Vec<Sketch> {
    let mut lines = Vec::new();
    for declaration in all.iter().filter(|one| is_there(field, one.at)) {
        let own = |charger: &&Charger| is_there(field, charger.unit) && field.side_of(charger.unit) == side;
        for charger in declaration.units.iter().filter(own) {
            let Ok(way) = way::lay(field, kind, charger, declaration.at) else {
                lines.extend(between(field, charger.unit, declaration.at));
                continue;
            };
            let (name, target) = (voice::unit(field, charger.unit), voice::unit(field, declaration.at));
            let first = match kind {
                ChargeKind::Declared => charger.advance.unwrap_or_else(|| way.longest(field)),
                ChargeKind::Opportunity => Length::ZERO,
            };
            let first = first.max(Length::ZERO).min(way.straight);
            let halt = way.start.ahead(first).at;
            if first > Length::ZERO {
                let label = format!("{name}: 1st Impulse{}", measured(field, first));
                lines.push(drawn(label, SketchStroke::Move, way.start.at, halt));
            }
            let label = format!("{name} at {target}{}", measured(field, way.straight));
            lines.push(drawn(label, SketchStroke::Aim, halt, way.start.ahead(way.straight).at));
        }
    }
    lines
}

fn measured(field: &Field, length: Length) -> String {
    if field.settings().premeasuring { format!(", {}", voice::inches(length)) } else { String::new() }
}

fn is_there(field: &Field, unit: UnitId) -> bool {
    unit.index() < field.muster().units.len() && field::is_there(field, unit)
}

fn aimed(field: &Field, unit: UnitId, at: UnitId) -> Option<Sketch> {
    let (from, to) = (front(field, unit)?, middle(field, at)?);
    let band = band_words(field, unit, at).filter(|_| field.settings().premeasuring);
    let band = band.map(|band| format!(", {band}")).unwrap_or_default();
    let label = format!("{}: {}{band}", voice::unit(field, unit), aim_words(field, unit, at));
    Some(drawn(label, SketchStroke::Aim, from, to))
}

fn between(field: &Field, from: UnitId, to: UnitId) -> Option<Sketch> {
    let label = format!("{} at {}", voice::unit(field, from), voice::unit(field, to));
    Some(drawn(label, SketchStroke::Aim, front(field, from)?, middle(field, to)?))
}

fn joins(field: &Field, general: CommanderId, unit: UnitId) -> Option<Sketch> {
    let there = field.muster().commanders.len() > general.index() && field.commander(general).is_present();
    let from = Point::from_vec(field.commander(general).quad().centre);
    let label = format!("{} to {}", voice::commander(field, general), voice::unit(field, unit));
    Some(drawn(label, SketchStroke::Command, from, middle(field, unit)?)).filter(|_| there)
}

fn front(field: &Field, unit: UnitId) -> Option<Point> {
    is_there(field, unit).then(|| field.unit(unit).pose().at)
}

fn middle(field: &Field, unit: UnitId) -> Option<Point> {
    is_there(field, unit).then(|| Point::from_vec(field.unit(unit).quad().centre))
}

fn drawn(label: String, stroke: SketchStroke, from: Point, to: Point) -> Sketch {
    Sketch { label, stroke, outline: Outline::Line { points: vec![from, to], width: Length::ZERO } }
}
