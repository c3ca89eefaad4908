//! P10: rally tests (R39, R41), end of reforming (R38), abandoned guns (R66), successors, whoever regrouped.

use super::Guns;
use super::clause::Clause;
use super::event::GunsEvent;
use super::field::{Field, distance, elements, facts, is_formed, is_there, known, surely_beyond, troops};
use super::unit::{Arm, Cycle};
use super::{generals, hidden, pace, retreat};
use engine::{Cited, Event, Leaving, Reckoning, Side, Umpire, UnitId};
use table::{Length, Quad, SLACK, Vec2, convex};

/// Carries out the step.
pub fn carry_out(umpire: &mut Umpire<'_, Guns>) {
    for unit in roster(umpire.state(), |field, unit| troops(field, unit).broken && may_test(field, unit)) {
        test(umpire, unit);
    }
    for unit in roster(umpire.state(), has_reformed) {
        let event = Event::own(Clause::StandStill, GunsEvent::Reformed { unit }).also(Clause::RallyTenth);
        let event = event.also(Clause::DisorderLasts);
        hidden::announce(umpire, unit, event);
    }
    for unit in roster(umpire.state(), |field, unit| troops(field, unit).cycle == Cycle::Abandoned) {
        look_after_guns(umpire, unit);
    }
    // Whoever rode through in the bound before and did not charge on has had his chance.
    for unit in
        roster(umpire.state(), |field, unit| troops(field, unit).rode_through && !troops(field, unit).bound.fought)
    {
        let event = Event::own(Clause::FreshContactNext, GunsEvent::RodeThrough { unit, rode: false });
        hidden::announce(umpire, unit, event);
    }
    generals::succeed(umpire);
    generals::make_room(umpire);
}

/// Units on the table of which something is true: side A before side B, in roster order (R79).
pub fn roster(field: &Field, wanted: impl Fn(&Field, UnitId) -> bool) -> Vec<UnitId> {
    let present = Side::BOTH.into_iter().flat_map(|side| field.present(side));
    present.map(|(id, _)| id).filter(|id| wanted(field, *id)).collect()
}

/// P10.1: the roll of a broken unit.
fn test(umpire: &mut Umpire<'_, Guns>, unit: UnitId) {
    let field = umpire.state();
    let (side, status) = (field.side_of(unit), i32::from(troops(field, unit).status));
    let mut reckoning = Reckoning::new();
    reckoning.add(Clause::RallyRoll, "combat status now", Cited::derived(status));
    let pool = umpire.charts().flinch.die.value.0;
    let roll = umpire.roll(pool, side);
    let passed = rallies(roll.total(), status);
    let event = Event::own(Clause::RallyRoll, GunsEvent::Rally { unit, passed })
        .also(Clause::MustTryToRally)
        .also(Clause::SafeToRally)
        .also_if(!passed, Clause::GoesOnRetiring);
    hidden::announce(umpire, unit, event.rolled(roll).because(reckoning));
}

/// Whether a roll rallies a unit of a status (rally-c).
pub fn rallies(roll: i32, status: i32) -> bool {
    roll <= status
}

/// Whether a broken unit may test (R41): every unbroken foot or horse of the enemy is farther off than it can march, or
/// friends in order stand between.
pub fn may_test(field: &Field, unit: UnitId) -> bool {
    let here = field.unit(unit).quad();
    let own = field.side_of(unit);
    known(field, own.other()).all(|(id, enemy)| {
        if !threatens(field, id) {
            return true;
        }
        let reach = pace::full_move(field, id).0;
        surely_beyond(here, enemy.quad(), reach) || is_out_of_reach(field, unit, id, reach)
    })
}

fn threatens(field: &Field, enemy: UnitId) -> bool {
    facts(field, enemy).arm != Arm::Artillery && !facts(field, enemy).is_battery() && !troops(field, enemy).broken
}

fn is_out_of_reach(field: &Field, unit: UnitId, enemy: UnitId, reach: Length) -> bool {
    let Some((gap, from, to)) = nearest(&elements(field, unit), &elements(field, enemy)) else { return true };
    gap > reach + SLACK || is_screened(field, unit, from, to)
}

/// The nearest places of two units and how far apart they are.
fn nearest(a: &[Quad], b: &[Quad]) -> Option<(Length, Vec2, Vec2)> {
    let pairs = a.iter().flat_map(|one| b.iter().map(move |other| (table::gap(one, other), one, other)));
    let (gap, one, other) = pairs.min_by_key(|(gap, _, _)| *gap)?;
    let (from, to) = convex::nearest_points(one.points(), other.points());
    Some((gap, from, to))
}

fn is_screened(field: &Field, unit: UnitId, from: Vec2, to: Vec2) -> bool {
    let mut friends = field.present(field.side_of(unit));
    friends.any(|(id, friend)| {
        id != unit
            && convex::clip((from, to), friend.quad().points()).is_some()
            && is_formed(field, id)
            && elements(field, id).iter().any(|element| convex::clip((from, to), element.points()).is_some())
    })
}

/// Whether a unit stood still all bound to reform (P10.2).
fn has_reformed(field: &Field, unit: UnitId) -> bool {
    let troops = troops(field, unit);
    let bound = &troops.bound;
    let undisturbed = !bound.moved && !bound.retired && !bound.fought && !bound.fired && !bound.alarmed;
    troops.reforming && troops.disorder.combat && !troops.broken && undisturbed
}

/// R66: enemies who stand on abandoned guns from one bound to the end of the next keep them. Troops that march up halt
/// at the standoff, so that near counts as touching.
fn look_after_guns(umpire: &mut Umpire<'_, Guns>, battery: UnitId) {
    let field = umpire.state();
    let (turn, since) = (field.turn(), troops(field, battery).touched);
    let touched = is_touched(field, battery);
    match (touched, since) {
        (true, Some(since)) if since < turn => retreat::remove(umpire, battery, Leaving::Caught, Clause::GunsOverrun),
        (true, None) => note_touched(umpire, battery, Some(turn)),
        (false, Some(_)) => note_touched(umpire, battery, None),
        _ => {}
    }
}

fn note_touched(umpire: &mut Umpire<'_, Guns>, battery: UnitId, since: Option<u16>) {
    umpire.announce(Event::own(Clause::GunnersTookCover, GunsEvent::GunsTouched { battery, since }));
}

/// Whether enemies in any order but broken are at abandoned guns.
pub fn is_touched(field: &Field, battery: UnitId) -> bool {
    if !is_there(field, battery) {
        return false;
    }
    let near = distance(field, &field.charts().pace.standoff);
    known(field, field.side_of(battery).other())
        .any(|(id, _)| threatens(field, id) && super::field::within(field, battery, id, near))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// V18: a broken unit of status 5 fails with 6 and 9 and rallies with 5.
    #[test]
    fn a_roll_of_no_more_than_the_status_rallies() {
        assert!(!rallies(6, 5));
        assert!(!rallies(9, 5));
        assert!(rallies(5, 5));
    }
}
