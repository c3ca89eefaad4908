//! Whether places will do: table, zones, ground, friends in the way, crests, hiding places. Section 16.2, 16.4.

use super::{Places, brigades};
use crate::charts::reach;
use crate::clause::Clause;
use crate::field::{self, Field, Stands, base_edge, facts, is_mounted, measured, stands_at};
use crate::formation::Formation;
use crate::ground::Land;
use crate::order::{Placement, WorkPlacement};
use crate::settings::Disputed;
use crate::unit::Arm;
use crate::{evolution, ground, hidden};
use book::enlist::in_zones;
use book::placement::OfficerPlacement;
use engine::{Mark, Side, UnitId, Verdict, Whereabouts};
use table::terrain::Edge;
use table::{Length, Point, Quad, Vec2, quads_overlap};

/// A rectangle by two corners.
type Zone = (Point, Point);

/// Where a side sets up: where the set-up says, else along the whole of its edge (days.16.2-a).
pub fn zones(field: &Field, side: Side) -> Vec<Zone> {
    let drawn = &field.muster().sides[field::drawn_as(field, side)].zones;
    if !drawn.is_empty() {
        return drawn.clone();
    }
    let depth = reach(field.charts().constant.deployment_depth);
    let (width, height) = field.ground().size;
    let (low, high) = match base_edge(field, side) {
        Edge::North => (Point::new(Length::ZERO, height - depth), Point::new(width, height)),
        Edge::East => (Point::new(width - depth, Length::ZERO), Point::new(width, height)),
        Edge::South => (Point::default(), Point::new(width, depth)),
        Edge::West => (Point::default(), Point::new(depth, height)),
    };
    vec![(low, high)]
}

/// A piece's own zones, if it has any and sits where the set-up draws it; else its side's.
fn own_zones<'z>(field: &Field, side: Side, own: &'z [Zone], all: &'z [Zone]) -> &'z [Zone] {
    if own.is_empty() || field::drawn_as(field, side) != side { all } else { own }
}

/// The clause that draws a side's zones.
pub fn zone_clause(field: &Field, side: Side) -> Clause {
    let drawn = !field.muster().sides[side].zones.is_empty();
    if drawn { Clause::HowZonesAreDrawn } else { Clause::WhereToSetUp }
}

/// Ground troops can never stand on, with the clause; a road, a ford or a bridge leads through all of it (C-13).
pub fn closed_to(field: &Field, unit: UnitId, formation: Formation, quad: &Quad) -> Option<(Clause, String)> {
    let mover = ground::mover(field, unit, formation, is_mounted(field, unit));
    let closed = ground::patches(field).find_map(|patch| {
        let clause = if patch.shape.overlaps_quad(quad) { ground::bars(field, &patch, mover)? } else { return None };
        // Guns stand behind a wall they cannot be driven over.
        (patch.land != Land::Obstacle).then(|| (clause, format!("in {}", patch.name(field))))
    });
    closed.filter(|_| !is_led_through(field, quad.centre))
}

/// Whether a road, a ford or a bridge leads through a place.
fn is_led_through(field: &Field, place: Vec2) -> bool {
    let leads = |land: Land| matches!(land, Land::Road | Land::Ford | Land::Bridge);
    ground::patches(field).any(|patch| leads(patch.land) && patch.shape.contains(place))
}

/// Stands of a column for which there is no room wait beyond its own edge, if that was agreed (days.16.2-c).
pub fn is_tail(field: &Field, side: Side, formation: Formation, n: usize, stand: &Quad) -> bool {
    let beyond = stand.corners.iter().any(|corner| field.ground().edge_distance(base_edge(field, side), *corner) < 0.0);
    let bounds = field.ground().bounds();
    let along = match base_edge(field, side) {
        Edge::North | Edge::South => stand.centre.x >= bounds.min.x && stand.centre.x <= bounds.max.x,
        Edge::East | Edge::West => stand.centre.y >= bounds.min.y && stand.centre.y <= bounds.max.y,
    };
    field::agreed(field, Disputed::WaitingRoom) && formation.is_column() && n > 0 && beyond && along
}

/// Judges the places of units and generals that are set up together, among those who stand already.
pub fn judge(field: &Field, side: Side, places: &Places, named: &[OfficerPlacement], verdict: &mut Verdict) {
    let standing: Vec<(&Placement, Stands)> =
        places.units.iter().map(|place| (place, stands_at(field, place.unit, place.pose, place.formation))).collect();
    for (place, stands) in &standing {
        judge_unit(field, side, place, stands, verdict);
    }
    crowding(field, &standing, verdict);
    for place in named {
        judge_general(field, side, place, &standing, verdict);
    }
}

fn judge_unit(field: &Field, side: Side, place: &Placement, stands: &Stands, verdict: &mut Verdict) {
    let (unit, card) = (place.unit, field.card(place.unit));
    let mut refuse = |clause: Clause, text: &str| {
        verdict.refuse(clause, format!("{} {text}", card.name)).about(unit).at(Mark::Spot(place.pose.at));
    };
    let all = zones(field, side);
    let own = own_zones(field, side, &card.facts.zones, &all);
    let on_table = || stands.iter().enumerate().filter(|(n, one)| !is_tail(field, side, place.formation, *n, one));
    if on_table().any(|(_, quad)| !field.ground().holds(quad)) {
        let agreed = field::agreed(field, Disputed::WaitingRoom);
        let clause = if agreed { Clause::TailsOffTheTable } else { Clause::WhereToSetUp };
        refuse(clause, "stands beyond the table's edge");
    } else if on_table().any(|(_, quad)| !in_zones(own, quad)) {
        refuse(zone_clause(field, side), "stands outside its zone");
    }
    if let Some((clause, what)) = stands.iter().find_map(|quad| closed_to(field, unit, place.formation, quad)) {
        refuse(clause, &format!("cannot stand {what}"));
    }
    if place.crest.is_some() && !ground::near_crest(field, stands) {
        refuse(Clause::BehindTheCrestOrOver, "has no crest close by");
    }
    if place.hidden && !hidden::may_hide_at(field, unit, place.pose, place.formation, place.crest) {
        refuse(Clause::WhereTroopsCanHide, "has nothing to hide in or behind");
    }
    verdict.refusals.extend(evolution::may_form(field, unit, place.formation).refusals);
}

fn judge_general(
    field: &Field,
    side: Side,
    place: &OfficerPlacement,
    standing: &[(&Placement, Stands)],
    verdict: &mut Verdict,
) {
    let card = field.muster().commander(place.commander);
    let quad = card.facts.stand.quad(place.pose);
    let all = zones(field, side);
    let own = own_zones(field, side, &card.facts.zones, &all);
    let wet = |land: Land| matches!(land, Land::River | Land::Cliff);
    let in_water = || {
        ground::patches(field).any(|patch| wet(patch.land) && patch.shape.contains(quad.centre))
            && !is_led_through(field, quad.centre)
    };
    let (clause, what) = if !field.ground().holds(&quad) {
        (Clause::WhereToSetUp, "stands beyond the table's edge")
    } else if !in_zones(own, &quad) {
        (zone_clause(field, side), "stands outside his zone")
    } else if in_water() {
        (Clause::RiverOrStream, "cannot stand in the water")
    } else if standing.iter().any(|(_, stands)| stands.iter().any(|one| quads_overlap(one, &quad))) {
        (Clause::WhereToSetUp, "stands on top of his troops")
    } else {
        return;
    };
    verdict.refuse(clause, format!("{} {what}", card.name)).at(Mark::Spot(place.pose.at));
}

/// Two units on one spot.
fn crowding(field: &Field, standing: &[(&Placement, Stands)], verdict: &mut Verdict) {
    let around = |place: &Placement| field.footprint(place.unit, place.formation).quad(place.pose);
    let mut tell = |unit: UnitId, other: UnitId, at: Point| {
        let text = format!("{} and {} stand on the same ground", field.card(unit).name, field.card(other).name);
        verdict.refuse(Clause::WhereToSetUp, text).about(unit).at(Mark::Spot(at));
    };
    let overlap = |one: &[Quad], other: &[Quad]| one.iter().any(|a| other.iter().any(|b| quads_overlap(a, b)));
    for (n, (place, stands)) in standing.iter().enumerate() {
        let quad = around(place);
        for (other, there) in &standing[..n] {
            if !field::surely_beyond(&quad, &around(other), Length::ZERO) && overlap(stands, there) {
                tell(place.unit, other.unit, place.pose.at);
            }
        }
        for (id, unit) in field.units().filter(|(_, unit)| unit.is_present()) {
            let close = !field::surely_beyond(&quad, unit.quad(), Length::ZERO);
            if close && overlap(stands, field::stands(field, id)) {
                tell(place.unit, id, place.pose.at);
            }
        }
    }
}

/// Whether a unit's stands are clear of everybody on the table, on it, in its zone and on ground it can stand on.
pub fn is_free(field: &Field, side: Side, place: &Placement) -> bool {
    let stands = stands_at(field, place.unit, place.pose, place.formation);
    let mut verdict = Verdict::fine();
    judge_unit(field, side, &Placement { hidden: false, crest: None, ..*place }, &stands, &mut verdict);
    crowding(field, &[(place, stands)], &mut verdict);
    verdict.is_legal()
}

/// Horse first, then guns, then foot; others whenever one likes (days.16.1-d).
pub const fn turn_of(arm: Arm) -> Option<u8> {
    match arm {
        Arm::Cavalry => Some(0),
        Arm::Artillery => Some(1),
        Arm::Infantry => Some(2),
        Arm::Engineers | Arm::Wagon => None,
    }
}

/// Units that are named must be a side's own, off the table, named once, of the brigade asked for, and in their order.
pub fn judge_names(
    field: &Field,
    side: Side,
    units: &[Placement],
    belongs: &dyn Fn(UnitId) -> bool,
    verdict: &mut Verdict,
) {
    for (n, place) in units.iter().enumerate() {
        let unit = place.unit;
        let own = field.side_of(unit) == side;
        let name = &field.card(unit).name;
        let brigade = brigades::brigade_of(field, unit);
        let (clause, text) = if !own {
            (Clause::WhereToSetUp, "this is not a unit of yours".to_owned())
        } else if facts(field, unit).part.is_some() {
            (Clause::WhereToSetUp, format!("{name} is part of another unit, and is sent out when the battle has begun"))
        } else if brigades::is_absent(field, brigade) {
            (Clause::WholeBrigadesOnly, format!("{name} is kept off the table with its brigade"))
        } else if field.unit(unit).whereabouts == Whereabouts::Hidden {
            (Clause::WritingItDown, format!("{name} lies hidden, and its place is on record"))
        } else if field.unit(unit).whereabouts != Whereabouts::OffTable {
            (Clause::SettingUpInTurns, format!("{name} is set up already"))
        } else if !belongs(unit) {
            (Clause::SettingUpInTurns, format!("{name} is not of the brigade that is set up"))
        } else if units[..n].iter().any(|other| other.unit == unit) {
            (Clause::WhereToSetUp, format!("{name} is set up twice"))
        } else if let Some(early) = out_of_order(field, units, n) {
            let other = &field.card(early).name;
            (Clause::HorseGunsFoot, format!("{name} is set up before {other}: horse, then guns, then foot"))
        } else {
            continue;
        };
        verdict.refuse(clause, text).about(unit).at(Mark::Spot(place.pose.at));
    }
}

/// Who of the same brigade is named before this one although it is set up after it.
fn out_of_order(field: &Field, units: &[Placement], n: usize) -> Option<UnitId> {
    let unit = units.get(n)?.unit;
    let turn = turn_of(facts(field, unit).arm)?;
    let brigade = brigades::brigade_of(field, unit);
    let later = units[..n].iter().map(|place| place.unit).filter(|id| brigades::brigade_of(field, *id) == brigade);
    later.into_iter().find(|id| turn_of(facts(field, *id).arm).is_some_and(|other| other > turn))
}

/// Judges where bought works are laid: no more than was bought, each in the side's own zone.
pub fn judge_works(field: &Field, side: Side, works: &[WorkPlacement], verdict: &mut Verdict) {
    let bought = field.muster().scenario.earthworks[side];
    let laid: Length = works.iter().map(|work| work.from.distance(work.to)).sum();
    if measured(laid) > bought {
        let text = format!("{laid} of works are laid, and {bought} were bought");
        verdict.refuse(Clause::PayingForEarthworks, text);
    }
    let zones = zones(field, side);
    for work in works {
        let mark = Mark::Line(work.from, work.to);
        let ends = [work.from, work.to].map(|end| Quad::of_square(end.vec(), Length::ZERO));
        if work.from == work.to {
            verdict.refuse(Clause::WhoMayBuyWorks, "a work of no length shelters nobody").at(mark);
        } else if ends.iter().any(|end| !in_zones(&zones, end) || !field.ground().holds(end)) {
            verdict.refuse(Clause::WhoMayBuyWorks, "works are laid in your own zone").at(mark);
        }
    }
}
