//! Skirmish screens (R61): thrown out, drawn in, status, losses to parents.

use super::Guns;
use super::clause::Clause;
use super::event::GunsEvent;
use super::field::{self, Field, distance, facts, is_there, troops};
use super::formation::{Formation, Shape};
use super::order::Step;
use super::pace::{self, Payer};
use super::plot::{ground, limits};
use super::quarters::Mover;
use super::retreat;
use super::unit::Arm;
use engine::{Deed, Event, Leaving, Mark, Side, StandSet, Umpire, UnitId, Verdict};
use smallvec::SmallVec;
use table::march::Leg;
use table::{Length, Point, Pose, Quad, SLACK, Vec2, convex};

/// The status a screen fires with: the mean of its parents', rounded down.
pub fn status(field: &Field, screen: UnitId) -> u8 {
    let parents = &troops(field, screen).parents;
    let sum: u32 = parents.iter().map(|parent| u32::from(troops(field, *parent).status)).sum();
    let mean = sum.checked_div(parents.len() as u32).unwrap_or(1);
    u8::try_from(mean).unwrap_or(u8::MAX).max(1)
}

/// Deals damage of a screen to its parents, the nearest to the firer first (screen-d, R61).
pub fn losses(field: &Field, screen: UnitId, firer: UnitId, points: u8) -> Vec<(UnitId, u8)> {
    let enemy = field::elements(field, firer);
    let near = |quad: &Quad| enemy.iter().map(|other| table::gap(quad, other)).min().unwrap_or(Length::MAX);
    let parents = &troops(field, screen).parents;
    let mut turn: Vec<(Length, UnitId)> =
        field::elements(field, screen).iter().zip(parents).map(|(quad, parent)| (near(quad), *parent)).collect();
    turn.sort();
    deal(turn.iter().map(|(_, parent)| (*parent, troops(field, *parent).status)).collect(), points)
}

/// Points dealt one by one in turn, nobody losing more than he has.
fn deal(turn: Vec<(UnitId, u8)>, points: u8) -> Vec<(UnitId, u8)> {
    let mut dealt: Vec<(UnitId, u8)> = Vec::new();
    let taken =
        |dealt: &[(UnitId, u8)], id: UnitId| dealt.iter().find(|(other, _)| *other == id).map_or(0, |one| one.1);
    let mut left = points;
    while left > 0 {
        let before = left;
        for (id, status) in &turn {
            if left == 0 || taken(&dealt, *id) >= *status {
                continue;
            }
            match dealt.iter_mut().find(|(other, _)| other == id) {
                Some((_, sum)) => *sum += 1,
                None => dealt.push((*id, 1)),
            }
            left -= 1;
        }
        if left == before {
            break;
        }
    }
    dealt
}

/// After a parent is gone: its element leaves the screen.
pub fn orphan(umpire: &mut Umpire<'_, Guns>, parent: UnitId) {
    let field = umpire.state();
    let screens: Vec<UnitId> = field
        .units()
        .filter(|(_, unit)| unit.is_present() && unit.own.parents.contains(&parent))
        .map(|(id, _)| id)
        .collect();
    for screen in screens {
        let parents = &troops(umpire.state(), screen).parents;
        let rest: SmallVec<[UnitId; 4]> = parents.iter().copied().filter(|other| *other != parent).collect();
        if rest.is_empty() {
            retreat::remove(umpire, screen, Leaving::Spent, Clause::ScreenLosses);
            continue;
        }
        let left = StandSet::first(rest.len() as u32);
        umpire.announce(Event::own(Clause::ScreenLosses, GunsEvent::ScreenOut { screen, parents: rest }));
        umpire.announce(Event::new(Clause::ScreenLosses, Deed::StandsLost { unit: screen, left }));
    }
}

/// Judges a screen to be thrown out.
pub fn check_out(field: &Field, side: Side, screen: UnitId, parents: &[UnitId], pose: Pose, verdict: &mut Verdict) {
    let facts_of = facts(field, screen);
    if !facts_of.screen || field.side_of(screen) != side {
        verdict.refuse(Clause::ScreenIsUnit, "that is no skirmish screen of yours").about(screen);
        return;
    }
    if is_there(field, screen) {
        verdict.refuse(Clause::ScreenIsUnit, "the screen is out already").about(screen);
    }
    if parents.is_empty() || parents.len() > usize::from(facts_of.elements) {
        let text = format!("the screen takes one to {} elements", facts_of.elements);
        verdict.refuse(Clause::ScreenSize, text).about(screen);
    }
    let most = usize::from(field.settings().screen_elements);
    for (no, parent) in parents.iter().enumerate() {
        if parents.iter().filter(|other| *other == parent).count() > most {
            verdict.refuse(Clause::ScreenSize, "a battalion gives no more than was agreed").about(*parent);
        }
        check_parent(field, screen, *parent, verdict);
        if let (true, Some(quad)) = (is_there(field, *parent), place_of(field, screen, parents.len(), pose, no)) {
            check_reach(field, screen, *parent, &quad, verdict);
        }
    }
}

fn check_parent(field: &Field, screen: UnitId, parent: UnitId, verdict: &mut Verdict) {
    let (giver, own) = (facts(field, parent), troops(field, parent));
    let mut refuse = |clause: Clause, text: &str| {
        verdict.refuse(clause, text.to_owned()).about(parent);
    };
    if field::brigade(field, parent) != field::brigade(field, screen) {
        refuse(Clause::ScreenSize, "it is not of the screen's brigade");
    }
    if giver.arm != Arm::Infantry || giver.screen || !giver.extended {
        refuse(Clause::SkirmishersExtended, "it has no skirmishers to give");
    }
    if own.lent {
        refuse(Clause::ScreenSize, "its skirmishers are out already, or lost");
    }
    if let Some((clause, text)) = limits::idle(field, parent) {
        refuse(clause, &text);
    }
}

/// Where one element of a screen that is not out yet would stand.
fn place_of(field: &Field, screen: UnitId, count: usize, pose: Pose, no: usize) -> Option<Quad> {
    let layout = facts(field, screen).layout(Formation::usual(Shape::Extended), u8::try_from(count).ok()?);
    layout.quads(pose).nth(no)
}

fn check_reach(field: &Field, screen: UnitId, parent: UnitId, quad: &Quad, verdict: &mut Verdict) {
    if !field.ground().holds(quad) {
        verdict.refuse(Clause::ScreenActsAsOne, "there is no room on the table").about(screen);
    }
    let from = nearest_on(field.unit(parent).quad(), quad.centre);
    let charts = field.charts();
    let have = distance(field, &charts.pace.extended) - distance(field, &charts.evolution.line_open);
    let mark = Mark::Line(Point::from_vec(from), Point::from_vec(quad.centre));
    match ground::lone_way(field, Payer::Foot, from, quad.centre) {
        Ok(cost) if Length::from_um(cost) <= have + SLACK => {}
        Ok(_) => {
            let text = format!("skirmishers just thrown out go no further than {}", field::show(field, have));
            verdict.refuse(Clause::ExtendedPace, text).about(screen).at(mark);
        }
        Err((_, clause)) => drop(verdict.refuse(clause, "they cannot get there").about(screen).at(mark)),
    }
}

fn nearest_on(quad: &Quad, place: Vec2) -> Vec2 {
    convex::nearest_points(quad.points(), &[place]).0
}

/// Sends a screen out: it is formed at its battalions' front and goes to its place with everybody else.
pub fn throw_out(umpire: &mut Umpire<'_, Guns>, screen: UnitId, parents: &[UnitId], pose: Pose) -> Option<Mover> {
    let field = umpire.state();
    let there = !parents.is_empty() && parents.iter().all(|parent| is_there(field, *parent));
    if !there || is_there(field, screen) {
        return None;
    }
    let places = parents.iter().enumerate().filter_map(|(no, parent)| {
        let quad = place_of(field, screen, parents.len(), pose, no)?;
        Some(quad.centre - nearest_on(field.unit(*parent).quad(), quad.centre))
    });
    let shift = places.fold(Vec2::ZERO, |sum, way| sum + way) * (1.0 / parents.len() as f64);
    let start = pose.shifted(shift * -1.0);
    let left = StandSet::first(parents.len() as u32);
    let formation = Formation::usual(Shape::Extended);
    let out = GunsEvent::ScreenOut { screen, parents: parents.iter().copied().collect() };
    umpire.announce(Event::own(Clause::ScreenIsUnit, out).also(Clause::ScreenSize));
    umpire.announce(Event::new(Clause::ScreenSize, Deed::StandsLost { unit: screen, left }));
    let placed = Deed::Placed { unit: screen, pose: start, formation, hidden: false };
    umpire.announce(Event::new(Clause::ScreenActsAsOne, placed));
    let field = umpire.state();
    let route = super::plot::route_of(field, screen, &[Step::March(vec![Leg::Straight(pose.at)])], None);
    Some(Mover::new(screen, route).late(distance(field, &field.charts().evolution.line_open)))
}

/// Judges the recall of a screen: its elements must be able to reach their battalions.
pub fn check_in(field: &Field, side: Side, screen: UnitId, verdict: &mut Verdict) {
    if !facts(field, screen).screen || field.side_of(screen) != side || !is_there(field, screen) {
        verdict.refuse(Clause::ScreenIsUnit, "there is no screen of yours to recall").about(screen);
        return;
    }
    if let Some((clause, text)) = limits::idle(field, screen) {
        verdict.refuse(clause, text).about(screen);
    }
    let have = pace::full_move(field, screen).0;
    for (quad, parent) in field::elements(field, screen).iter().zip(&troops(field, screen).parents) {
        let to = nearest_on(field.unit(*parent).quad(), quad.centre);
        let cost = ground::lone_way(field, Payer::Foot, quad.centre, to);
        if !cost.is_ok_and(|cost| Length::from_um(cost) <= have + SLACK) {
            verdict.refuse(Clause::ExtendedPace, "its skirmishers cannot get back so far").about(*parent);
        }
    }
}

/// Calls a screen in: it goes back toward the middle of its battalions.
pub fn call_in(field: &Field, screen: UnitId) -> Option<Mover> {
    let own = troops(field, screen);
    if !is_there(field, screen) || own.parents.is_empty() || own.broken {
        return None;
    }
    let places =
        own.parents.iter().map(|parent| nearest_on(field.unit(*parent).quad(), field.unit(screen).quad().centre));
    let middle = places.fold(Vec2::ZERO, |sum, place| sum + place) * (1.0 / own.parents.len() as f64);
    let route =
        super::plot::route_of(field, screen, &[Step::March(vec![Leg::Straight(Point::from_vec(middle))])], None);
    Some(Mover::new(screen, route))
}

/// A recalled screen is back: its elements rejoin their battalions.
pub fn rejoin(umpire: &mut Umpire<'_, Guns>, screen: UnitId) {
    if !is_there(umpire.state(), screen) {
        return;
    }
    umpire.announce(Event::own(Clause::ScreenIsUnit, GunsEvent::ScreenIn { screen, lost: false }));
    umpire.announce(Event::new(Clause::ScreenIsUnit, Deed::Removed { unit: screen, why: Leaving::Spent }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_go_round_from_the_nearest() {
        // V26: the nearest battalion first, then the next.
        let (a, b, c) = (UnitId(0), UnitId(1), UnitId(2));
        assert_eq!(deal(vec![(b, 7), (a, 8), (c, 6)], 2), vec![(b, 1), (a, 1)]);
        assert_eq!(deal(vec![(b, 7), (a, 8)], 3), vec![(b, 2), (a, 1)]);
        assert_eq!(deal(vec![(a, 1), (b, 2)], 9), vec![(a, 1), (b, 2)], "nobody loses more than he has");
    }
}
