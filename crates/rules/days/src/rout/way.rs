//! Straight ways over the table: who and what is met on them, and how much of a base they meet with. C.9, A-78, A-96.

use super::super::Days;
use super::super::clause::Clause;
use super::super::event::DaysEvent;
use super::super::field::{self, Field, Stands};
use super::super::formation::Formation;
use super::super::ground::{self, Land, Mover, Patch, Piece};
use super::super::settings::Weight;
use super::super::{hidden, settle, space};
use engine::{Event, Umpire, UnitId};
use table::terrain::TerrainKind;
use table::{Angle, Bounds, Length, Point, Pose, Quad, SLACK, Shape, Vec2};

/// Somebody met on a straight way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Meeting {
    /// Who.
    pub unit: UnitId,
    /// How far along.
    pub at: Length,
    /// How wide the two bases meet.
    pub wide: Length,
}

/// The pose of a body whose middle is at a place.
pub fn centred(field: &Field, unit: UnitId, formation: Formation, middle: Vec2, facing: Angle) -> Pose {
    let depth = field::facts(field, unit).footprint(formation, field::count(field, unit)).depth;
    Pose { at: Point::from_vec(middle + facing.unit() * (depth.as_f64() * 0.5)), facing }
}

/// How far apart distances may be to count as one contact along a front.
const ONE_CONTACT: f64 = 300.0; // tidy: allow(a tolerance in micrometres, no figure of the book)

/// Meets one unit: the distance and the width of base that touches.
fn meet(field: &Field, mover: &[Quad], towards: Vec2, most: Length, id: UnitId) -> Option<Meeting> {
    let theirs = field::stands(field, id);
    let pairs = || mover.iter().flat_map(|own| theirs.iter().map(move |their| (own, their)));
    let reached = |(own, their): (&Quad, &Quad)| table::reach(own, towards, most, their);
    let at = pairs().filter_map(reached).min()?;
    let limit = Length::from_um((at.as_f64() + ONE_CONTACT).min(f64::from(i32::MAX)));
    let right = towards.perp_right();
    let mut wide = 0.0;
    for (own, their) in pairs() {
        if table::reach(own, towards, limit, their).is_none() {
            continue;
        }
        let ((a, b), (c, d)) = (space::extent([own], right), space::extent([their], right));
        wide += (b.min(d) - a.max(c)).max(0.0);
    }
    Some(Meeting { unit: id, at, wide: field::measured(Length::from_um(wide)) })
}

/// The first unit for which `counts` holds that is met on a straight way; of several at once the widest meeting.
pub fn first_met(
    field: &Field,
    mover: &[Quad],
    towards: Vec2,
    most: Length,
    counts: &dyn Fn(UnitId) -> bool,
) -> Option<Meeting> {
    let near = |quad: &Quad| {
        mover.iter().any(|own| {
            let room = own.radius + quad.radius + most.as_f64() + SLACK.as_f64();
            (quad.centre - own.centre).length_squared() <= room * room
        })
    };
    let units = field.units().filter(|(id, unit)| unit.is_present() && near(unit.quad()) && counts(*id));
    let met = units.filter_map(|(id, _)| meet(field, mover, towards, most, id));
    met.min_by(|a, b| a.at.cmp(&b.at).then(b.wide.cmp(&a.wide)))
}

/// Everybody for whom `counts` holds whose stands are swept over on a straight way.
pub fn swept(field: &Field, mover: &Quad, by: Vec2, counts: &dyn Fn(UnitId) -> bool) -> Vec<UnitId> {
    let over = |id: UnitId| {
        let reach = mover.radius + field.unit(id).quad().radius + by.length();
        (field.unit(id).quad().centre - mover.centre).length_squared() <= reach * reach
            && field::stands(field, id).iter().any(|stand| {
                let hull = table::convex::sweep(mover.points(), by, stand.points());
                hull.is_some() && (table::quads_overlap(mover, stand) || enters(mover, by, stand))
            })
    };
    field.units().filter(|(id, unit)| unit.is_present() && counts(*id) && over(*id)).map(|(id, _)| id).collect()
}

/// Whether a moving rectangle does more than brush along another.
fn enters(mover: &Quad, by: Vec2, stand: &Quad) -> bool {
    table::reach(mover, by.normalised(), Length::from_um(by.length()), stand).is_some()
}

/// Whether any of these rectangles overlaps a unit for which `counts` holds.
pub fn overlaps(field: &Field, stands: &Stands, counts: &dyn Fn(UnitId) -> bool) -> bool {
    let hit = |id: UnitId| {
        let around = field.unit(id).quad();
        let near = stands.iter().any(|stand| !field::surely_beyond(stand, around, Length::ZERO));
        near && field::stands(field, id).iter().any(|one| stands.iter().any(|own| table::quads_overlap(own, one)))
    };
    field.units().any(|(id, unit)| unit.is_present() && counts(id) && hit(id))
}

/// What a piece of ground is to troops that have to go straight on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bar {
    /// A river away from every ford and bridge.
    River,
    /// Anything else nobody, or not this unit, gets through.
    Other,
}

/// Impassable ground on a straight way, how far it reaches about, and how far off it is. Rivers are crossed at fords and on
/// bridges; whoever stands in bad ground gets out of it.
pub fn first_bar(field: &Field, unit: UnitId, mover: &[Quad], by: Vec2) -> Option<(Bounds, Bar, Length)> {
    let length = by.length();
    let kind = runs_as(field, unit);
    let mut first: Option<(Bounds, Bar, f64)> = None;
    for patch in ground::patches(field).filter(|patch| ground::bars(field, patch, kind).is_some()) {
        let bar = if is_river(field, &patch) { Bar::River } else { Bar::Other };
        if bar == Bar::Other && mover.iter().any(|quad| patch.shape.overlaps_quad(quad)) {
            continue;
        }
        let starts = mover.iter().filter_map(|quad| patch.shape.sweep(quad, by).first().map(|(from, _)| *from));
        let Some(at) = starts.reduce(f64::min).map(|share| share * length) else { continue };
        if bar == Bar::River && mover.iter().all(|quad| is_bridged(field, &patch.shape, quad.centre, by)) {
            continue;
        }
        if first.is_none_or(|(_, _, least)| at < least) {
            first = Some((patch.shape.bounds(), bar, at));
        }
    }
    first.map(|(bounds, bar, at)| (bounds, bar, Length::from_um(at)))
}

/// Water that takes whoever is driven into it; a lake is gone round.
fn is_river(field: &Field, patch: &Patch<'_>) -> bool {
    let Piece::Feature(id) = patch.piece else { return false };
    patch.land == Land::River && ground::feature(field, id).is_some_and(|feature| feature.kind == TerrainKind::River)
}

/// As what a unit goes over ground when it runs: gunners leave their guns behind.
fn runs_as(field: &Field, unit: UnitId) -> Mover {
    if field::is_deployed(field, unit) {
        return Mover::OpenOrder;
    }
    ground::mover(field, unit, field::formation(field, unit), field::is_mounted(field, unit))
}

/// Ground that would harm horsemen who follow a beaten enemy: they may rein in before it (days.17.5.1-d).
pub fn harms_horse(patch: &Patch<'_>) -> bool {
    match patch.land {
        Land::Urban | Land::Swamp => true,
        Land::Wood => patch.weight == Weight::Heavy,
        _ => false,
    }
}

/// How often a way through water is looked at.
const LOOKS: u32 = 6;

/// Whether the straight way of a place over a river lies on a ford or a bridge.
fn is_bridged(field: &Field, river: &Shape, from: Vec2, by: Vec2) -> bool {
    let dry = |place: Vec2| ground::on_bridge(field, place) || ground::in_ford(field, place);
    river.clip((from, from + by)).iter().all(|(start, end)| {
        (1..LOOKS).all(|n| dry(from + by * (start + (end - start) * f64::from(n) / f64::from(LOOKS))))
    })
}

/// The middle of every place where water can be crossed.
pub fn crossings(field: &Field) -> impl Iterator<Item = Vec2> {
    let ways = ground::patches(field).filter(|patch| matches!(patch.land, Land::Ford | Land::Bridge));
    ways.map(|patch| patch.shape.centre())
}

/// How far a rectangle can go straight on before a corner of it leaves the table; none if it does not.
pub fn to_edge(field: &Field, quad: &Quad, by: Vec2) -> Option<Length> {
    let bounds = field.ground().bounds();
    let length = by.length();
    let mut share = f64::INFINITY;
    for corner in quad.corners {
        for (from, step, least, most) in
            [(corner.x, by.x, bounds.min.x, bounds.max.x), (corner.y, by.y, bounds.min.y, bounds.max.y)]
        {
            let room = if step > 0.0 { most - from } else { from - least };
            if step.abs() > f64::EPSILON && room < step.abs() - SLACK.as_f64() {
                share = share.min(room.max(0.0) / step.abs());
            }
        }
    }
    share.is_finite().then(|| Length::from_um(share * length))
}

/// Which way is directly away from an enemy: from his nearest point to the middle of the unit (C.1), or where they touch
/// along the enemy's front.
pub fn away(field: &Field, unit: UnitId, from: UnitId) -> Vec2 {
    let (own, theirs) = (field.unit(unit).quad(), field.unit(from).quad());
    if table::convex::gap(own.points(), theirs.points()) > SLACK.as_f64() * 2.0 {
        let (middle, nearest) = table::convex::nearest_points(&[own.centre], theirs.points());
        return (middle - nearest).normalised();
    }
    let between = own.centre - theirs.centre;
    let facing = field.unit(from).pose().facing.unit();
    let ahead = between.dot(facing) > between.length() * 0.5;
    if ahead || between.length() < SLACK.as_f64() { facing } else { between.normalised() }
}

/// How far behind a place an inch ahead of an enemy's front some rectangles are left by a move, the way he looks; nothing
/// where they are clear of him.
pub fn behind<'q>(field: &Field, enemy: UnitId, quads: impl IntoIterator<Item = &'q Quad>, moved: f64) -> f64 {
    let ahead = field.unit(enemy).pose().forward();
    let (_, front) = space::extent([field.unit(enemy).quad()], ahead);
    let (last, _) = space::extent(quads, ahead);
    (front + field::standoff(field).as_f64() - last - moved).max(0.0)
}

/// Away from whoever caused it; else from the nearest enemy; else to the own edge.
pub fn flight(field: &Field, unit: UnitId, from: Option<UnitId>) -> Vec2 {
    let side = field.side_of(unit);
    let here = |id: &UnitId| field::is_there(field, *id);
    let own = field.unit(unit).quad().centre;
    let apart = |id: UnitId| (field.unit(id).quad().centre - own).length_squared();
    let nearest = || field::known(field, side.other()).map(|(id, _)| id).min_by(|a, b| apart(*a).total_cmp(&apart(*b)));
    match from.filter(here).or_else(nearest) {
        Some(enemy) => away(field, unit, enemy),
        None => -field::forward(field, side),
    }
}

/// Announces an arrival and what follows from it.
pub fn arrive(umpire: &mut Umpire<'_, Days>, unit: UnitId, event: Event<Days>, from: Pose) {
    hidden::announce(umpire, unit, event);
    settle::moved(umpire, unit, from);
}

/// Ends a unit's contact with whoever it no longer touches.
pub fn part(umpire: &mut Umpire<'_, Days>, unit: UnitId, clause: Clause) {
    let field = umpire.state();
    let contact = field::troops(field, unit).contact.clone();
    let near = |id: &UnitId| {
        field::is_there(field, *id) && field::is_there(field, unit) && field::within(field, unit, *id, SLACK)
    };
    let gone: Vec<UnitId> = contact.into_iter().filter(|id| !near(id)).collect();
    for other in gone {
        let event = Event::own(clause, DaysEvent::Parted { unit, from: Some(other) });
        umpire.announce(event);
    }
}
