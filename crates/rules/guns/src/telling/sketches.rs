//! Sketches around a selected piece: the combat zone at short and extreme range, the reach of its move, blast blocks,
//! a general's zone of command, how near an enemy disturbs who reforms. Where nobody may lay the tape beforehand only
//! the direction of fire is shown.

use super::speech::far;
use crate::blast;
use crate::field::{Field, distance, elements, facts, first_rank, is_deployed, troops, uses_small_arms};
use crate::pace;
use crate::plot;
use crate::unit::Level;
use book::telling::drawn::{around, clipped};
use book::telling::voice;
use engine::scene::{Sketch, SketchStroke};
use engine::{CommanderId, UnitId};
use table::{Angle, Length, Outline, Point, Pose, Vec2};

/// What is drawn around a unit.
pub fn of_unit(field: &Field, unit: UnitId) -> Vec<Sketch> {
    if !field.unit(unit).is_present() {
        return Vec::new();
    }
    let mut sketches = zones(field, unit);
    sketches.extend(splayed(field, unit));
    if let Some(registration) = &troops(field, unit).registration {
        sketches.extend(blocks(field, unit, registration.point, &registration.blocks));
    }
    if field.settings().premeasuring {
        sketches.extend(reach(field, unit));
        sketches.extend(alarm(field, unit));
    }
    sketches
}

/// What is drawn around a general.
pub fn of_commander(field: &Field, id: CommanderId) -> Vec<Sketch> {
    let (general, card) = (field.commander(id), field.muster().commander(id));
    if !field.settings().premeasuring || !general.is_present() {
        return Vec::new();
    }
    let centre = Point::from_vec(general.quad().centre);
    let disc = |label: &str, stroke: SketchStroke, radius: Length| Sketch {
        label: format!("{label}, {}", far(field, radius)),
        stroke,
        outline: Outline::Disc { centre, radius },
    };
    let charts = field.charts();
    let mut sketches = Vec::new();
    if !(card.facts.telephone && card.facts.level == Level::Army) {
        let radius = distance(field, charts.zone.radius(card.facts.level));
        sketches.push(disc("Zone of command", SketchStroke::Command, radius));
    }
    if matches!(card.facts.level, Level::Division | Level::Corps) {
        let near = distance(field, &charts.zone.attach);
        sketches.push(disc("Lends his weight to a brigade", SketchStroke::Zone, near));
    }
    if general.own.is_fit() {
        sketches.push(disc("Ride", SketchStroke::Move, distance(field, &charts.pace.general)));
    }
    sketches
}

/// A battery's base cut so that its sides show how far its guns traverse, where it is agreed to draw it so (artbase-e).
fn splayed(field: &Field, unit: UnitId) -> Option<Sketch> {
    if !field.settings().splayed_bases || !is_deployed(field, unit) {
        return None;
    }
    let [left, right, rear_right, rear_left] = field.unit(unit).quad().corners;
    let (sin, cos) = Angle::whole(field.charts().combat.zone_angle.value.get()).sin_cos();
    let splay = (right - left).normalised() * (left.distance(rear_left) * sin / cos.max(f64::EPSILON));
    let outline = Outline::Area(clipped(field, vec![left - splay, right + splay, rear_right, rear_left]));
    Some(Sketch { label: "Traverse of the guns".to_owned(), stroke: SketchStroke::Fire, outline })
}

/// Where a unit's move could take it over open ground.
fn reach(field: &Field, unit: UnitId) -> Option<Sketch> {
    let radius = plot::allowance(field, unit).unwrap_or_else(|_| pace::full_move(field, unit).0);
    if radius <= Length::ZERO || !troops(field, unit).locked.is_empty() {
        return None;
    }
    let label = format!("Move, {} over open ground", far(field, radius));
    let outline = Outline::Disc { centre: field.unit(unit).pose().at, radius };
    Some(Sketch { label, stroke: SketchStroke::Move, outline })
}

/// How near an enemy may come to who reforms.
fn alarm(field: &Field, unit: UnitId) -> Option<Sketch> {
    if !troops(field, unit).reforming {
        return None;
    }
    let radius = distance(field, &field.charts().charge.reform_alarm);
    let label = format!("An enemy nearer than {} disturbs its reforming", far(field, radius));
    let outline = Outline::Area(clipped(field, around(field.unit(unit).quad(), radius)));
    Some(Sketch { label, stroke: SketchStroke::Zone, outline })
}

/// The combat zone at short range, at extreme range, and beyond that of direct fire where shells go further.
fn zones(field: &Field, unit: UnitId) -> Vec<Sketch> {
    let facts = facts(field, unit);
    let weapon = &facts.weapon;
    let ready = if facts.is_battery() { is_deployed(field, unit) } else { uses_small_arms(field, unit) };
    if !ready || !weapon.fires() {
        return Vec::new();
    }
    let zone = |label: String, stroke: SketchStroke, range: Length| Sketch {
        label,
        stroke,
        outline: Outline::Area(clipped(field, trapezoid(field, unit, range))),
    };
    if !field.settings().premeasuring {
        let across = field.ground().size.0 + field.ground().size.1;
        return vec![zone("Combat zone".to_owned(), SketchStroke::Fire, across)];
    }
    let limit = if facts.is_battery() { distance(field, &field.charts().combat.direct_limit) } else { Length::MAX };
    let direct = weapon.extreme.min(limit);
    let mut sketches = Vec::new();
    if weapon.short < direct {
        let label = format!("Short range, {}", far(field, weapon.short));
        sketches.push(zone(label, SketchStroke::Fire, weapon.short));
    }
    let word = if facts.is_battery() { "Over open sights" } else { "Extreme range" };
    sketches.push(zone(format!("{word}, {}", far(field, direct)), SketchStroke::Fire, direct));
    if facts.indirect && weapon.extreme > direct {
        let label = format!("Indirect fire, {}", far(field, weapon.extreme));
        sketches.push(zone(label, SketchStroke::Zone, weapon.extreme));
    }
    sketches
}

/// What lies before the first rank between two sides that splay outward.
fn trapezoid(field: &Field, unit: UnitId, range: Length) -> Vec<Vec2> {
    let pose: Pose = field.unit(unit).pose();
    let front = elements(field, unit);
    let rank = front.iter().take(first_rank(field, unit).max(1));
    let half = rank.flat_map(|quad| quad.corners).map(|corner| pose.to_local(corner).x.abs()).fold(0.0, f64::max);
    let (sin, cos) = Angle::whole(field.charts().combat.zone_angle.value.get()).sin_cos();
    let far = range.as_f64();
    let splay = half + far * sin / cos.max(f64::EPSILON);
    let corner = |x: f64, y: f64| pose.to_world(Vec2 { x, y });
    vec![corner(-half, 0.0), corner(-splay, far), corner(splay, far), corner(half, 0.0)]
}

/// The blocks of a battery's indirect fire.
pub fn blocks(field: &Field, battery: UnitId, point: Point, pattern: &[(i8, i8)]) -> Vec<Sketch> {
    let label = format!("Shells of {}", voice::unit(field, battery));
    let area = |corners: [Vec2; 4]| Sketch {
        label: label.clone(),
        stroke: SketchStroke::Fire,
        outline: Outline::Area(clipped(field, corners.to_vec())),
    };
    let laid = blast::blocks(field, battery, point, pattern);
    laid.into_iter().map(|quad| area(quad.corners)).filter(is_there).collect()
}

/// A block beyond the edge of the table has nothing left of it.
fn is_there(sketch: &Sketch) -> bool {
    !matches!(&sketch.outline, Outline::Area(points) if points.len() < 3)
}
