//! Sketches around a selected piece. While nobody may lay the tape beforehand they show directions and no distance:
//! the arc of fire runs to the edge of the table, and neither move nor command is drawn (E.2).

use super::voice;
use crate::event::Band;
use crate::field::{Field, arc_half_angle, can_shoot_guns, facts, soldiers};
use crate::fire;
use crate::movement;
use crate::order::Going;
use crate::unit::Arm;
use book::telling::drawn::clipped;
use engine::scene::{Sketch, SketchStroke};
use engine::{CommanderId, UnitId};
use table::{Angle, Length, Outline, Point, Pose, Vec2};

/// An arc is drawn in steps of so many degrees.
const STEP: i32 = 5;

/// What is drawn around a unit.
pub fn of_unit(field: &Field, unit: UnitId) -> Vec<Sketch> {
    if !field.unit(unit).is_present() {
        return Vec::new();
    }
    let mut sketches = fire_sketches(field, unit);
    if !field.settings().no_premeasuring && facts(field, unit).is_troops() {
        sketches.extend(move_sketch(field, unit));
    }
    sketches
}

/// What is drawn around a commander.
pub fn of_commander(field: &Field, id: CommanderId) -> Vec<Sketch> {
    let officer = field.commander(id);
    if field.settings().no_premeasuring || !officer.is_present() {
        return Vec::new();
    }
    let centre = Point::from_vec(officer.quad().centre);
    let disc = |label: &str, stroke: SketchStroke, reach: Length, radius: Length| Sketch {
        label: format!("{label}, {}", voice::inches(reach)),
        stroke,
        outline: Outline::Disc { centre, radius },
    };
    let (reach, ride) = (field.charts().officer.reach.value.0, movement::commander_move(field));
    let half_stand = field.muster().commander(id).facts.stand.width.half();
    let command = disc("Command", SketchStroke::Command, reach, reach + half_stand);
    let own_turn = field.muster().commander(id).side == field.ledger().active;
    let rides = own_turn && movement::may_ride(field, field.ledger().active, id);
    std::iter::once(command).chain(rides.then(|| disc("Ride", SketchStroke::Move, ride, ride))).collect()
}

/// Where the flag may go over open ground, where no die decides it.
fn move_sketch(field: &Field, unit: UnitId) -> Option<Sketch> {
    let radius = movement::certain_allowance(field, unit, Going::Full).anywhere;
    if movement::throws_for_move(field, unit, false) || radius <= Length::ZERO {
        return None;
    }
    let label = format!("Move, {} over open ground", voice::inches(radius));
    let outline = Outline::Disc { centre: field.unit(unit).pose().at, radius };
    Some(Sketch { label, stroke: SketchStroke::Move, outline })
}

fn fire_sketches(field: &Field, unit: UnitId) -> Vec<Sketch> {
    let facts = facts(field, unit);
    let armed = (facts.arm != Arm::Artillery && facts.small_arms) || can_shoot_guns(field, unit);
    // A marksman looks all round and has no arc.
    if !armed || !facts.is_troops() {
        return Vec::new();
    }
    let (pose, half) = (field.unit(unit).pose(), arc_half_angle(field));
    let wedge = |label: String, from: Length, to: Length| Sketch {
        label,
        stroke: SketchStroke::Fire,
        outline: Outline::Area(clipped(field, sector(pose, half, from, to))),
    };
    if field.settings().no_premeasuring {
        let across = field.ground().size.0 + field.ground().size.1;
        return vec![wedge("Arc of fire".to_owned(), Length::ZERO, across)];
    }
    let mut from = Length::ZERO;
    let mut sketches = Vec::new();
    for (band, to) in fire::bands(field, unit) {
        sketches.push(wedge(format!("{} range, to {}", band_word(band), voice::inches(to)), from, to));
        from = to;
    }
    if fire::is_battery(field, unit) && soldiers(field, unit).grape_left > 0 {
        let reach = field.charts().grapeshot.reach.value.0;
        sketches.push(wedge(format!("Grapeshot, to {}", voice::inches(reach)), Length::ZERO, reach));
    }
    sketches
}

fn band_word(band: Band) -> &'static str {
    match band {
        Band::Short => "Short",
        Band::Medium => "Medium",
        Band::Long => "Long",
    }
}

/// The part of a ring that lies in an arc, seen from the flag.
fn sector(pose: Pose, half: Angle, from: Length, to: Length) -> Vec<Vec2> {
    let wide = half.as_degrees().round() as i32;
    let steps: Vec<Angle> = (-wide..wide).step_by(STEP as usize).chain([wide]).map(Angle::whole).collect();
    let arc = |by: &Angle, reach: Length| pose.at.vec() + (pose.facing + *by).unit() * reach.as_f64();
    let outer = steps.iter().map(|by| arc(by, to));
    if from <= Length::ZERO {
        return std::iter::once(pose.at.vec()).chain(outer).collect();
    }
    outer.chain(steps.iter().rev().map(|by| arc(by, from))).collect()
}
