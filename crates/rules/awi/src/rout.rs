//! Chapter 3c: rout and pursuit. How far, which way, who is caught, who leaves the table. R32 to R36.

use super::Awi;
use super::clause::Clause;
use super::event::AwiEvent;
use super::field::{Field, all_troops, facts, flag, is_routing, soldiers, troops};
use super::officers;
use super::unit::{Arm, Attack, Condition};
use engine::{Deed, Event, Leaving, Pool, Roll, Umpire, UnitId};
use table::terrain::Edge;
use table::{Angle, Footprint, Length, Point, Pose, SLACK, convex, quads_overlap};

/// Further than any two bodies reach together: a way that surely leads out of a crowd.
// tidy: allow(a length to sweep along, not a figure of the book)
const FAR: Length = Length::whole_inches(60);

/// The dice an arm runs and rides with.
fn dice(field: &Field, unit: UnitId) -> (Pool, Clause) {
    match facts(field, unit).arm {
        Arm::Cavalry => (field.charts().rout.horse.value.0, Clause::RoutHorse),
        _ => (field.charts().rout.foot.value.0, Clause::RoutFoot),
    }
}

/// Thrown inches as a length.
pub fn inches(roll: &Roll) -> Length {
    Length::whole_inches(roll.total())
}

/// The friendly edge nearest to a unit's flag, with the way to it.
fn way_home(field: &Field, unit: UnitId) -> Angle {
    let edges = &field.muster().sides[field.side_of(unit)].edges;
    let here = flag(field, unit);
    let nearest = edges
        .iter()
        .min_by(|a, b| field.ground().edge_distance(**a, here).total_cmp(&field.ground().edge_distance(**b, here)));
    match nearest {
        Some(Edge::North) | None => Angle::NORTH,
        Some(Edge::East) => Angle::EAST,
        Some(Edge::South) => Angle::SOUTH,
        Some(Edge::West) => Angle::WEST,
    }
}

fn home_distance(field: &Field, unit: UnitId, from: Pose) -> Length {
    let edges = &field.muster().sides[field.side_of(unit)].edges;
    let nearest = edges.iter().map(|edge| field.ground().edge_distance(*edge, from.at.vec())).min_by(f64::total_cmp);
    Length::from_um(nearest.unwrap_or(0.0))
}

/// Turns to face a bearing: about first where that is the shorter turn, so that a unit facing the enemy turns on the
/// spot (R32).
fn turned_to(pose: Pose, depth: Length, bearing: Angle) -> Pose {
    let pose = if pose.facing.apart(bearing) > Angle::whole(90) { pose.about(depth) } else { pose };
    Pose { facing: bearing, ..pose }
}

/// A unit breaks, or goes on running: dice, move, perhaps off the table. Returns how far it ran if it is still there.
pub fn run(umpire: &mut Umpire<'_, Awi>, unit: UnitId, clause: Clause) -> Option<Length> {
    let field = umpire.state();
    let side = field.side_of(unit);
    if facts(field, unit).arm == Arm::Artillery {
        umpire.announce(Event::new(Clause::GunsCannotRout, Deed::Removed { unit, why: Leaving::Abandoned }));
        umpire.announce(Event::own(Clause::GunsCannotRout, AwiEvent::Disengaged { unit }));
        return None;
    }
    let (pool, arm_clause) = dice(field, unit);
    if !is_routing(field, unit) {
        let condition = AwiEvent::Condition { unit, to: Condition::Routing, quarry: None };
        umpire.announce(Event::own(clause, condition));
        umpire.announce(Event::own(clause, AwiEvent::Disengaged { unit }));
    }
    let roll = umpire.roll(pool, side);
    let distance = inches(&roll);
    let event = Event::own(arm_clause, AwiEvent::RoutMove { unit, distance }).also(Clause::RoutDiceReplaceMove);
    umpire.announce(event.rolled(roll));
    match flight(umpire.state(), unit, distance) {
        Flight::To(to) => {
            flee_to(umpire, unit, to);
            Some(distance)
        }
        Flight::Home(to) => {
            flee_to(umpire, unit, to);
            umpire.announce(Event::new(Clause::RoutedOffTable, Deed::Removed { unit, why: Leaving::LeftTable }));
            None
        }
        Flight::Trapped => {
            umpire.announce(Event::new(Clause::Caught, Deed::Removed { unit, why: Leaving::Caught }));
            None
        }
    }
}

fn flee_to(umpire: &mut Umpire<'_, Awi>, unit: UnitId, to: Pose) {
    let field = umpire.state();
    let depth = field.footprint(unit, field.unit(unit).body.formation).depth;
    let from = turned_to(field.unit(unit).pose(), depth, to.facing);
    umpire.announce(Event::new(Clause::RoutDirection, Deed::Moved { unit, to, path: Vec::new() }));
    officers::make_room(umpire);
    super::movement::tread_along(umpire, unit, from.at);
}

enum Flight {
    To(Pose),
    Home(Pose),
    Trapped,
}

/// Straight to the edge, or the least detour past enemies and impassable ground.
fn flight(field: &Field, unit: UnitId, distance: Length) -> Flight {
    let footprint = field.footprint(unit, field.unit(unit).body.formation);
    let home = way_home(field, unit);
    for detour in [0, 15, -15, 30, -30, 45, -45, 60, -60, 75, -75, 90, -90] {
        let bearing = home + Angle::whole(detour);
        let start = turned_to(field.unit(unit).pose(), footprint.depth, bearing);
        let to_edge = if detour == 0 { home_distance(field, unit, start) } else { Length::MAX };
        let go = distance.min(to_edge);
        if blocked(field, unit, start, footprint, go) {
            continue;
        }
        if distance + SLACK >= to_edge {
            return Flight::Home(start.ahead(to_edge));
        }
        match clear_of_friends(field, unit, start, footprint, go) {
            Some(end) if end == to_edge => return Flight::Home(start.ahead(to_edge)),
            Some(end) => return Flight::To(start.ahead(end)),
            None => continue,
        }
    }
    Flight::Trapped
}

fn blocked(field: &Field, unit: UnitId, start: Pose, footprint: Footprint, go: Length) -> bool {
    let quad = footprint.quad(start);
    let by = start.forward() * go.as_f64();
    let arm = facts(field, unit).arm;
    let enemy = troops(field, field.side_of(unit).other())
        .any(|(_, other)| table::reach(&quad, start.forward(), go, other.quad()).is_some());
    let ground = field.ground().features.iter().any(|feature| {
        super::field::is_closed(feature.kind, arm)
            && !feature.shape.overlaps_quad(&quad)
            && !feature.shape.sweep(&quad, by).is_empty()
    });
    enemy || ground
}

/// Goes on until clear of everybody; `None` where there is no room before running into enemies or bad ground.
fn clear_of_friends(field: &Field, unit: UnitId, start: Pose, footprint: Footprint, go: Length) -> Option<Length> {
    let to_edge = home_distance(field, unit, start);
    let mut go = go;
    for _ in 0..40 {
        let quad = footprint.quad(start.ahead(go));
        let crowd = all_troops(field).find(|(id, other)| *id != unit && quads_overlap(&quad, other.quad()));
        let Some((_, other)) = crowd else {
            return field.ground().holds(&quad).then_some(go).or(Some(to_edge).filter(|edge| *edge <= go));
        };
        let long = start.forward() * FAR.as_f64();
        let exit = convex::sweep(quad.points(), long, other.quad().points()).map_or(0.0, |(_, to)| to);
        go += Length::from_um(exit * FAR.as_f64()) + SLACK;
        if go >= to_edge {
            return Some(to_edge);
        }
        if blocked(field, unit, start, footprint, go) {
            return None;
        }
    }
    None
}

/// A unit runs after one it has just routed. `ran` is how far the quarry got.
pub fn pursue(umpire: &mut Umpire<'_, Awi>, unit: UnitId, quarry: UnitId, ran: Length, clause: Clause) {
    let side = umpire.state().side_of(unit);
    let condition = AwiEvent::Condition { unit, to: Condition::Pursuing, quarry: Some(quarry) };
    umpire.announce(Event::own(clause, condition));
    let (pool, _) = dice(umpire.state(), unit);
    let roll = umpire.roll(pool, side);
    let distance = inches(&roll);
    let event =
        Event::own(Clause::PursuitDice, AwiEvent::PursuitMove { unit, distance }).also(Clause::RoutDiceReplaceMove);
    umpire.announce(event.rolled(roll));
    // The pursuer starts in contact with where the quarry stood, so it catches by equal or better dice (R34).
    let catches = distance >= ran;
    let bearing = umpire.state().unit(quarry).pose().facing;
    let go = if catches { ran } else { distance };
    follow(umpire, unit, bearing, go, Some(quarry).filter(|_| catches));
}

/// A pursuer rides on in its owner's Rally (R35).
pub fn ride_on(umpire: &mut Umpire<'_, Awi>, unit: UnitId) {
    let field = umpire.state();
    let side = field.side_of(unit);
    let (pool, _) = dice(field, unit);
    let roll = umpire.roll(pool, side);
    let distance = inches(&roll);
    let event =
        Event::own(Clause::PursuitDice, AwiEvent::PursuitMove { unit, distance }).also(Clause::RoutDiceReplaceMove);
    umpire.announce(event.rolled(roll));
    let field = umpire.state();
    let quarry = soldiers(field, unit).quarry.filter(|id| field.unit(*id).is_present() && is_routing(field, *id));
    let bearing = match quarry {
        Some(quarry) => Angle::of(field.unit(quarry).quad().centre - flag(field, unit)),
        None => field.unit(unit).pose().facing,
    };
    follow(umpire, unit, bearing, distance, None);
}

/// Moves a pursuer straight on: catches routers it reaches, stops in contact with anybody else, leaves at an edge.
fn follow(umpire: &mut Umpire<'_, Awi>, unit: UnitId, bearing: Angle, go: Length, caught: Option<UnitId>) {
    let field = umpire.state();
    let (side, old) = (field.side_of(unit), field.unit(unit).pose());
    let footprint = field.footprint(unit, field.unit(unit).body.formation);
    let start = turned_to(old, footprint.depth, bearing);
    let quad = footprint.quad(start);
    let mut reached: Vec<(Length, UnitId)> = troops(field, side.other())
        .filter(|(id, _)| Some(*id) != caught)
        .filter_map(|(id, other)| Some((table::reach(&quad, start.forward(), go, other.quad())?, id)))
        .collect();
    reached.sort();
    let stop = reached.iter().copied().find(|(_, id)| !is_routing(field, *id));
    let go = halt_before(field, unit, start, footprint, stop.map_or(go, |(at, _)| at));
    // Whoever else runs in the way is ridden down too; the quarry only if nobody stands in between.
    let mut run_down: Vec<UnitId> =
        reached.iter().filter(|(at, id)| *at <= go && is_routing(field, *id)).map(|(_, id)| *id).collect();
    run_down.extend(caught.filter(|_| stop.is_none()));
    for quarry in run_down {
        umpire.announce(Event::new(Clause::Caught, Deed::Removed { unit: quarry, why: Leaving::Caught }));
    }
    let to = start.ahead(go);
    umpire.announce(Event::new(Clause::PursuitDice, Deed::Moved { unit, to, path: Vec::new() }));
    super::movement::tread_along(umpire, unit, start.at);
    // Its leading edge on the table's edge is enough, as for a router.
    if !umpire.state().ground().holds(&footprint.quad(to.ahead(SLACK + SLACK))) {
        umpire.announce(Event::new(Clause::PursuedOffTable, Deed::Removed { unit, why: Leaving::LeftTable }));
        return;
    }
    if let Some((_, enemy)) = stop {
        run_into(umpire, unit, enemy, old.at);
    }
    officers::make_room(umpire);
}

fn run_into(umpire: &mut Umpire<'_, Awi>, unit: UnitId, enemy: UnitId, from: Point) {
    let steady = AwiEvent::Condition { unit, to: Condition::Steady, quarry: None };
    umpire.announce(Event::own(Clause::PursuitDice, steady));
    super::charge::close_in(umpire, unit, enemy);
    let field = umpire.state();
    let attack = Attack { on: enemy, aspect: super::charge::aspect(field, enemy, from), from };
    let level = field.ground().level_at(from.vec());
    let contact = AwiEvent::Contact { unit, attack, level, counter: false, by_pursuit: true };
    umpire.announce(Event::own(Clause::ChargeBonus, contact));
}

/// A pursuer halts before ground it cannot cross and before friends it would end upon.
fn halt_before(field: &Field, unit: UnitId, start: Pose, footprint: Footprint, go: Length) -> Length {
    let (quad, arm) = (footprint.quad(start), facts(field, unit).arm);
    let by = start.forward() * go.as_f64();
    let mut go = go;
    for feature in field.ground().features.iter().filter(|feature| super::field::is_closed(feature.kind, arm)) {
        if let Some((from, _)) = feature.shape.sweep(&quad, by).first() {
            go = go.min(Length::from_um(by.length() * from) - SLACK);
        }
    }
    for _ in 0..20 {
        let there = footprint.quad(start.ahead(go));
        let crowd = all_troops(field).find(|(id, other)| {
            *id != unit && field.side_of(*id) == field.side_of(unit) && quads_overlap(&there, other.quad())
        });
        match crowd {
            Some((_, other)) if go > Length::ZERO => {
                let back = convex::sweep(quad.points(), start.forward() * go.as_f64(), other.quad().points());
                let next = Length::from_um(go.as_f64() * back.map_or(0.0, |(from, _)| from)) - SLACK;
                go = if next < go { next } else { Length::ZERO };
            }
            _ => break,
        }
    }
    if go.is_negative() { Length::ZERO } else { go }
}
