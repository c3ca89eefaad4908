//! What is drawn around a selected piece, and what is neither unit nor general: fires, wind, works, fords, absent troops.
//! Where nobody may lay the tape beforehand only directions are shown.

use crate::Days;
use crate::arrival;
use crate::charts::{Band, reach};
use crate::evolution;
use crate::field::{self, Field, facts, formation, is_mounted, troops};
use crate::ground;
use crate::movement::limits;
use crate::shooting::arc::Arc;
use crate::shooting::weapon;
use book::telling::drawn::{around, clipped};
use book::telling::voice;
use engine::scene::{Badge, PieceKind, ScenePiece, Sign, Sketch, SketchStroke, Tone};
use engine::{CommandId, CommanderId, Side, UnitId, View, Viewer, facade};
use table::{Angle, Length, Outline, Point, Pose, Quad, Shape, Vec2};

/// Around a unit: its arc in three bands, how near a charge of it catches its target, its move.
pub fn of_unit(view: &View<'_, Days>, unit: UnitId) -> Vec<Sketch> {
    let field: &Field = view;
    if !field.unit(unit).is_present() {
        return Vec::new();
    }
    let mut sketches = ranges(field, unit);
    if field.settings().premeasuring {
        sketches.extend(catches(field, unit));
        sketches.extend(moves(field, unit));
    }
    sketches
}

/// The bands of its weapon, one outline for each; their distances are reconstructed by the house (see the rulings).
fn ranges(field: &Field, unit: UnitId) -> Vec<Sketch> {
    let Some(weapon) = weapon::weapon(field, unit) else { return Vec::new() };
    let (half, _) = weapon::half_arc(field, unit);
    let range = weapon.range();
    let turns = weapon::is_square(field, unit) || formation(field, unit).is_bent();
    let fronts: Vec<Quad> = if turns { field::stands(field, unit).to_vec() } else { vec![*field.unit(unit).quad()] };
    let outlined = |label: &str, out_to: Length| -> Vec<Sketch> {
        let areas = fronts.iter().map(|quad| clipped(field, Arc::of(quad, half).outline(out_to)));
        let areas = areas.filter(|area| area.len() > 2).map(Outline::Area);
        areas.map(|outline| Sketch { label: label.to_owned(), stroke: SketchStroke::Fire, outline }).collect()
    };
    if !field.settings().premeasuring {
        return outlined("Arc of fire", range);
    }
    let mut sketches = Vec::new();
    for (band, name) in [(Band::Close, "Close"), (Band::Effective, "Effective"), (Band::Long, "Long")] {
        let grades = match weapon {
            weapon::Weapon::Small(arm) => band_of((&arm.close, &arm.effective, arm.long.as_ref()), band),
            weapon::Weapon::Gun(gun) => band_of((&gun.close, &gun.effective, gun.long.as_ref()), band),
        };
        if let Some(most) = grades.map(|grades| reach(grades.max)) {
            sketches.extend(outlined(&format!("{name} range, to {} (reconstructed)", voice::inches(most)), most));
        }
    }
    sketches
}

type Bands<'f> = (&'f crate::charts::Grades, &'f crate::charts::Grades, Option<&'f crate::charts::Grades>);

fn band_of((close, effective, long): Bands<'_>, band: Band) -> Option<&crate::charts::Grades> {
    match band {
        Band::Close => Some(close),
        Band::Effective => Some(effective),
        Band::Long => long,
    }
}

/// How near its target has to be to be caught.
fn catches(field: &Field, unit: UnitId) -> Option<Sketch> {
    let constant = &field.charts().constant;
    let horse = is_mounted(field, unit);
    if !field::is_formed(field, unit) {
        return None;
    }
    let radius = reach(if horse { constant.caught_mounted } else { constant.caught_foot });
    let label = format!("Whoever it charges within {} is caught", voice::inches(radius));
    let outline = Outline::Area(clipped(field, around(field.unit(unit).quad(), radius)));
    Some(Sketch { label, stroke: SketchStroke::Zone, outline })
}

/// Where its move could take it over open ground.
fn moves(field: &Field, unit: UnitId) -> Option<Sketch> {
    let radius = evolution::allowance(field, unit, formation(field, unit), is_mounted(field, unit));
    if radius <= Length::ZERO || !limits::may_move(field, unit) {
        return None;
    }
    let label = format!("Move, {} over open ground", voice::inches(radius));
    let outline = Outline::Disc { centre: field::command_pose(field, unit).at, radius };
    Some(Sketch { label, stroke: SketchStroke::Move, outline })
}

/// Around a general: how far his word goes, and how far he rides.
pub fn of_commander(view: &View<'_, Days>, commander: CommanderId) -> Vec<Sketch> {
    let field: &Field = view;
    let general = field.commander(commander);
    if !general.is_present() || !field.settings().premeasuring {
        return Vec::new();
    }
    let area = |what: &str, stroke: SketchStroke, radius: Length| Sketch {
        label: format!("{what}, {}", voice::inches(radius)),
        stroke,
        outline: Outline::Area(clipped(field, around(general.quad(), radius))),
    };
    let command = reach(field.charts().constant.command_radius);
    let mut sketches = vec![area("Reach of command", SketchStroke::Command, command)];
    if general.own.is_fit() && !general.own.moved {
        sketches.push(area("Ride", SketchStroke::Move, reach(field.charts().pace.staff.normal)));
    }
    sketches
}

/// Everything else on the table: what the battle has done to the ground, the wind, dust, and one's own absent brigades.
pub fn extras(view: &View<'_, Days>) -> Vec<ScenePiece> {
    let field: &Field = view;
    let mut pieces = Vec::new();
    burning(field, &mut pieces);
    works(field, &mut pieces);
    water(field, &mut pieces);
    pieces.extend(wind(field));
    absent(view, &mut pieces);
    pieces
}

/// A sign on the table, drawn in nobody's colours whosever side it is counted to.
fn sign(kind: Sign, key: String, name: String, pose: Pose, quad: &Quad, badge: (&str, &str)) -> ScenePiece {
    let badge = Badge { sign: badge.0.to_owned(), text: badge.1.to_owned(), tone: Tone::Note };
    ScenePiece {
        key: format!("@{key}"),
        name,
        side: Side::A,
        kind: PieceKind::Sign(kind),
        pose,
        stands: vec![facade::corners(quad)],
        formation: String::new(),
        command: None,
        badges: vec![badge],
        looks: Vec::new(),
    }
}

/// Half the side of a sign.
fn small(field: &Field) -> Length {
    field.muster().commanders.first().map_or(Length::ZERO, |card| card.facts.stand.depth.half())
}

fn mark(field: &Field, key: String, name: String, at: Vec2, badge: (&str, &str)) -> ScenePiece {
    let quad = Quad::of_square(at, small(field));
    let pose = Pose { at: Point::from_vec(at), facing: Angle::NORTH };
    sign(Sign::Mark, key, name, pose, &quad, badge)
}

/// Something that lies along a line.
fn strip(
    field: &Field,
    kind: Sign,
    key: String,
    name: String,
    ends: (Point, Point),
    badge: (&str, &str),
) -> ScenePiece {
    let (from, to) = (ends.0.vec(), ends.1.vec());
    let along = (to - from).normalised();
    let out = along.perp_right() * (small(field).as_f64() / 2.0);
    let mut piece = mark(field, key, name, (from + to) * 0.5, badge);
    piece.kind = PieceKind::Sign(kind);
    piece.pose.facing = Angle::of(out * -1.0);
    piece.stands = vec![[from - out, to - out, to + out, from + out].map(Point::from_vec)];
    piece
}

fn burning(field: &Field, pieces: &mut Vec<ScenePiece>) {
    for fire in &field.ledger().fires {
        let Some(feature) = ground::feature(field, fire.feature) else { continue };
        let name = format!("Fire in {}", voice::feature(field, fire.feature));
        let text = format!("burns since turn {}", fire.since);
        let places = flames(field, &feature.shape);
        let mut piece = mark(field, format!("fire-{}", feature.key), name, feature.shape.centre(), ("🔥", &text));
        piece.kind = PieceKind::Sign(Sign::Fire);
        piece.pose.facing = field.ground().wind.unwrap_or(Angle::NORTH);
        piece.stands = places.into_iter().map(|at| facade::corners(&Quad::of_square(at, small(field)))).collect();
        pieces.push(piece);
    }
}

/// So many flames stand over one piece of ground at most.
const MOST_FLAMES: usize = 24;

/// Where flames are drawn: spread over an area, one beside the other along a line.
fn flames(field: &Field, shape: &Shape) -> Vec<Vec2> {
    let bounds = shape.bounds();
    let wide = bounds.max - bounds.min;
    let step = (small(field).as_f64() * 3.0).max((wide.x * wide.y / MOST_FLAMES as f64).sqrt());
    let (across, up) = ((wide.x / step).ceil().max(1.0) as i32, (wide.y / step).ceil().max(1.0) as i32);
    let mut places = Vec::new();
    for row in 0..up {
        for column in 0..across {
            // Every other row is shifted, as trees and roofs are.
            let aside = if row % 2 == 0 { 0.3 } else { 0.7 };
            let at = bounds.min + Vec2 { x: (f64::from(column) + aside) * step, y: (f64::from(row) + 0.5) * step };
            if shape.contains(at) && places.len() < MOST_FLAMES {
                places.push(at);
            }
        }
    }
    if places.is_empty() {
        places.push(shape.centre());
    }
    places
}

fn works(field: &Field, pieces: &mut Vec<ScenePiece>) {
    let ledger = field.ledger();
    for (no, barrier) in ledger.barriers.iter().enumerate() {
        let (name, sign) = if barrier.wooden { ("Barricade", "B") } else { ("Earthwork", "E") };
        let text = format!("a {} obstacle", barrier.weight.word());
        let ends = (barrier.from, barrier.to);
        pieces.push(strip(field, Sign::Works, format!("barrier-{no}"), name.to_owned(), ends, (sign, &text)));
    }
    for (no, (feature, at)) in ledger.gaps.iter().enumerate() {
        let name = format!("Gap in {}", voice::feature(field, *feature));
        pieces.push(mark(field, format!("gap-{no}"), name, at.vec(), ("G", "cleared by engineers")));
    }
    for (no, (_, at)) in ledger.breaches.iter().enumerate() {
        let name = "Gap in the works".to_owned();
        pieces.push(mark(field, format!("breach-{no}"), name, at.vec(), ("G", "cleared by engineers")));
    }
    for bridge in &ledger.broken {
        let Some(feature) = ground::feature(field, *bridge) else { continue };
        let name = format!("{} is down", voice::feature(field, *bridge));
        let key = format!("broken-{}", feature.key);
        pieces.push(mark(field, key, name, feature.shape.centre(), ("✕", "blown up")));
    }
}

fn water(field: &Field, pieces: &mut Vec<ScenePiece>) {
    let ledger = field.ledger();
    for (no, span) in ledger.spans.iter().enumerate() {
        let name = format!("Boats over {}", voice::feature(field, span.water));
        pieces.push(strip(
            field,
            Sign::Boats,
            format!("span-{no}"),
            name,
            (span.from, span.to),
            ("P", "bridge of boats"),
        ));
    }
    for (no, search) in ledger.fords.iter().enumerate() {
        let (name, text) = match search.found {
            true => ("Ford", "found"),
            false => ("No ford", "looked for in vain"),
        };
        pieces.push(mark(field, format!("ford-{no}"), name.to_owned(), search.at.vec(), ("F", text)));
    }
}

/// An arrow in a corner of the table, where something burns or could.
fn wind(field: &Field) -> Option<ScenePiece> {
    let to = field.ground().wind?;
    let (width, depth) = field.ground().size;
    let half = small(field);
    let at = Vec2 { x: (width - half * 3).as_f64(), y: (depth - half * 3).as_f64() };
    let pose = Pose { at: Point::from_vec(at), facing: to };
    let (ahead, aside) = (to.unit() * (half.as_f64() * 2.0), to.unit().perp_right() * half.as_f64());
    let text = format!("the wind blows {}", voice::bearing(to));
    let mut piece = mark(field, "wind".to_owned(), "Wind".to_owned(), at, ("➤", &text));
    piece.kind = PieceKind::Sign(Sign::Wind);
    piece.pose = pose;
    piece.stands = vec![[at + ahead, at + ahead, at + aside - ahead, at - aside - ahead].map(Point::from_vec)];
    Some(piece)
}

/// Dust where a brigade was announced, for all to see; one's own brigades that wait, behind one's own edge.
fn absent(view: &View<'_, Days>, pieces: &mut Vec<ScenePiece>) {
    let field: &Field = view;
    let mut place = 0;
    for one in &field.ledger().absent {
        let card = field.muster().command(one.brigade);
        let own = is_his(view, card.side);
        if let Some((_, at)) = one.entry {
            let name = if own { format!("Dust of {}", card.name) } else { "Dust".to_owned() };
            let mut piece = mark(field, format!("dust-{}", card.key), name, at.vec(), ("D", "a brigade comes on here"));
            piece.side = card.side;
            piece.kind = PieceKind::Sign(Sign::Dust);
            pieces.push(piece);
        } else if own {
            pieces.push(waiting(field, one.brigade, card.side, place));
            place += 1;
        }
    }
    for (id, unit) in field.units().filter(|(_, unit)| !unit.is_present() && is_his(view, unit.side)) {
        let Some((pose, formation)) = arrival::entry(field, id).filter(|_| unit.own.waits_at.is_some()) else {
            continue;
        };
        let (count, side) = (field::count(field, id).max(1), field.side_of(id));
        let name = format!("{}, on its way", field.card(id).name);
        let quad = facts(field, id).footprint(formation, count).quad(pose);
        // It bears the unit's own key: whoever takes it up leads the unit onto the table.
        let key = field.card(id).key.clone();
        let mut piece = sign(Sign::Waiting, key, name, pose, &quad, ("…", "comes on here"));
        piece.side = side;
        pieces.push(piece);
    }
}

/// Whether the viewer may know all about a side.
fn is_his(view: &View<'_, Days>, side: Side) -> bool {
    match view.viewer() {
        Viewer::Side(own) => own == side,
        Viewer::Umpire => true,
        Viewer::Spectator => false,
    }
}

/// A brigade off the table, drawn on the edge behind its own side.
fn waiting(field: &Field, brigade: CommandId, side: Side, place: usize) -> ScenePiece {
    let card = field.muster().command(brigade);
    let (width, depth) = field.ground().size;
    let back = field::forward(field, side) * -1.0;
    let half = small(field);
    let middle = Vec2 { x: width.half().as_f64(), y: depth.half().as_f64() };
    let out = if back.x.abs() > 0.5 { middle.x } else { middle.y } - half.as_f64();
    let at = middle + back * out + back.perp_right() * (half.as_f64() * 3.0 * place as f64);
    let units = field::members(field, brigade).filter(|unit| troops(field, *unit).evaded_off.is_none()).count();
    let text = format!("{}, off the table", voice::count(units, "unit"));
    let mut piece = mark(field, format!("absent-{}", card.key), card.name.clone(), at, ("⌛", &text));
    piece.side = side;
    piece.kind = PieceKind::Sign(Sign::Waiting);
    piece
}
