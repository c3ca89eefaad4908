//! Sketches around a selected piece: the arc of fire with the weapon's bands, the reach of answering fire, the move, a
//! general's command. Where nobody may lay the tape beforehand only the direction of fire is shown.

use crate::field::{Field, facts, is_engaged, reactive_range};
use crate::generals;
use crate::movement;
use crate::unit::Level;
use book::telling::drawn::{around, clipped};
use book::telling::voice;
use engine::scene::{Sketch, SketchStroke};
use engine::{CommanderId, UnitId};
use table::{Angle, Length, Outline, Pose, Quad, Vec2};

/// An arc is drawn in steps of so many degrees.
const STEP: i32 = 5;

/// What is drawn around a unit.
pub fn of_unit(field: &Field, unit: UnitId) -> Vec<Sketch> {
    if !field.unit(unit).is_present() {
        return Vec::new();
    }
    let mut sketches = fire_sketches(field, unit);
    if field.settings().premeasuring && !facts(field, unit).is_scout() {
        let reach = reactive_range(field);
        sketches.push(Sketch {
            label: format!("Reactive fire, {}", voice::inches(reach)),
            stroke: SketchStroke::Zone,
            outline: Outline::Area(clipped(field, around(field.unit(unit).quad(), reach))),
        });
        sketches.extend(move_sketch(field, unit));
    }
    sketches
}

/// What is drawn around a general.
pub fn of_commander(field: &Field, id: CommanderId) -> Vec<Sketch> {
    let (general, card) = (field.commander(id), field.muster().commander(id));
    if !field.settings().premeasuring || !general.is_present() {
        return Vec::new();
    }
    let area = |label: &str, stroke: SketchStroke, reach: Length| Sketch {
        label: format!("{label}, {}", voice::inches(reach)),
        stroke,
        outline: Outline::Area(clipped(field, around(general.quad(), reach))),
    };
    let command = &field.charts().command;
    let radius = match card.facts.level {
        Level::Division => Some(command.division_radius.value.0),
        Level::Corps => Some(command.corps_radius.value.0),
        Level::Army => None,
    };
    let mut sketches: Vec<Sketch> =
        radius.map(|reach| area("Command", SketchStroke::Command, reach)).into_iter().collect();
    if field.ledger().active == card.side && !general.own.rode {
        let centre = general.pose.at;
        let outline = Outline::Disc { centre, radius: generals::reach(field) };
        let label = format!("Ride, {}", voice::inches(generals::reach(field)));
        sketches.push(Sketch { label, stroke: SketchStroke::Move, outline });
    }
    sketches
}

/// Where the flag may go over open ground.
fn move_sketch(field: &Field, unit: UnitId) -> Option<Sketch> {
    let radius = movement::full_pace(field, unit);
    if is_engaged(field, unit) || radius <= Length::ZERO {
        return None;
    }
    let label = format!("Move, {} over open ground", voice::inches(radius));
    let outline = Outline::Disc { centre: field.unit(unit).pose().at, radius };
    Some(Sketch { label, stroke: SketchStroke::Move, outline })
}

fn fire_sketches(field: &Field, unit: UnitId) -> Vec<Sketch> {
    let (facts, formation) = (facts(field, unit), field.unit(unit).body.formation);
    let bands = field.charts().bands(facts.weapon);
    if bands.is_empty() || formation.is_march() || facts.is_scout() {
        return Vec::new();
    }
    let (pose, quad) = (field.unit(unit).pose(), field.unit(unit).quad());
    let half = field.charts().fire.arc.value.get();
    let wedge = |label: String, from: Length, to: Length| Sketch {
        label,
        stroke: SketchStroke::Fire,
        outline: Outline::Area(clipped(field, sector(pose, quad, half, from, to))),
    };
    if !field.settings().premeasuring {
        let across = field.ground().size.0 + field.ground().size.1;
        return vec![wedge("Arc of fire".to_owned(), Length::ZERO, across)];
    }
    let mut from = Length::ZERO;
    let mut sketches = Vec::new();
    for band in bands {
        let to = band.to.value.0;
        let factor = match band.factor.value.get() {
            0 => String::new(),
            factor => format!(", {factor:+}"),
        };
        sketches.push(wedge(format!("To {}{factor}", voice::inches(to)), from, to));
        from = to;
    }
    sketches
}

/// What lies between two distances from the front edge within an arc that opens from its corners.
fn sector(pose: Pose, quad: &Quad, half: i32, from: Length, to: Length) -> Vec<Vec2> {
    let (left, right) = quad.front_edge();
    let edge = |reach: Length| {
        let swing = |corner: Vec2, by: i32| corner + (pose.facing + Angle::whole(by)).unit() * reach.as_f64();
        let to_left = (-half..0).step_by(STEP as usize).chain([0]).map(move |by| swing(left, by));
        let to_right = (0..half).step_by(STEP as usize).chain([half]).map(move |by| swing(right, by));
        to_left.chain(to_right).collect::<Vec<Vec2>>()
    };
    let outer = edge(to);
    let inner = if from > Length::ZERO { edge(from) } else { vec![left, right] };
    outer.into_iter().chain(inner.into_iter().rev()).collect()
}
