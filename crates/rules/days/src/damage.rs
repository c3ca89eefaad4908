//! Losses: stands, guns, crews and horses; shattered units. Sections 17.3.5, 17.5.8, C-10, A-63, A-92, A-108.

pub mod guns;
#[cfg(test)]
pub(crate) mod tests;

use super::Days;
use super::charge;
use super::clause::Clause;
use super::event::{Cause, ChargeEnd, DaysEvent, TurnStep};
use super::field::{self, Field};
use super::formation::{Bend, Formation, MOST_BENDS};
use super::hidden;
use super::staff;
use super::unit::{Arm, ChargeStage, Part};
use engine::event::Leaving;
use engine::{Deed, Event, Side, StandSet, Umpire, UnitId, Whereabouts};
use table::{Pose, SLACK};

pub use guns::{hit_battery, lose_crew};

/// Takes stands off a unit, keeping its command stand where it is; shatters it if too few are left. Parts lose from
/// themselves; gunners away from their guns lose crew. Announces `ShotDown` for fire. Returns how many it lost.
pub fn lose_stands(umpire: &mut Umpire<'_, Days>, unit: UnitId, stands: u8, cause: Cause, by: Option<UnitId>) -> u8 {
    let field = umpire.state();
    if !field::is_there(field, unit) || stands == 0 {
        return 0;
    }
    let lost = if field::facts(field, unit).is_battery() {
        guns::lose_crew(umpire, unit, stands)
    } else {
        take_stands(umpire, unit, stands, cause)
    };
    if lost > 0 && by_fire(cause) {
        let event = DaysEvent::ShotDown { unit, stands: lost, by, cause };
        hidden::announce(umpire, unit, Event::own(Clause::OneHitOneStand, event));
    }
    shatter(umpire, unit);
    lost
}

/// Whether a cause counts for the tests that follow fire.
fn by_fire(cause: Cause) -> bool {
    matches!(cause, Cause::Fire | Cause::DefensiveFire | Cause::BouncingShot)
}

/// The clause a loss happens under.
const fn clause_of(cause: Cause) -> Clause {
    match cause {
        Cause::Fire | Cause::DefensiveFire | Cause::BouncingShot => Clause::OneHitOneStand,
        Cause::Assault => Clause::LossesByTheResult,
        Cause::Routers => Clause::RoutersLoseOutright,
        Cause::NoRoom => Clause::MovesAfterTheFight,
    }
}

/// The command stand of a body whose parts are out goes after all of them: what the body cannot pay, they pay.
fn take_stands(umpire: &mut Umpire<'_, Days>, unit: UnitId, stands: u8, cause: Cause) -> u8 {
    let field = umpire.state();
    let parts = field::parts_out(field, unit);
    let kept = u8::from(!parts.is_empty());
    let own = stands.min(field::count(field, unit).saturating_sub(kept));
    shrink(umpire, unit, own, clause_of(cause));
    let mut lost = own;
    for part in parts {
        let more = (stands - lost).min(field::count(umpire.state(), part));
        shrink(umpire, part, more, clause_of(cause));
        lost += more;
    }
    lost
}

/// Takes stands off one body; one without stands is gone.
fn shrink(umpire: &mut Umpire<'_, Days>, unit: UnitId, lost: u8, clause: Clause) {
    if lost == 0 {
        return;
    }
    let (left, after, to) = shrunk(umpire.state(), unit, lost);
    resize(umpire, unit, left, (after, to), clause);
    if left == 0 {
        remove(umpire, unit, Leaving::Destroyed);
    }
}

/// A body without so many stands: how many are left, how they stand and where their middle is.
pub(crate) fn shrunk(field: &Field, unit: UnitId, lost: u8) -> (u8, Formation, Pose) {
    let (facts, formation, count) =
        (field::facts(field, unit), field::formation(field, unit), field::count(field, unit));
    let left = count.saturating_sub(lost);
    let flag = facts.command_pose(formation, count, field.unit(unit).pose());
    let after = closed_up(formation, count, left);
    (left, after, facts.body_pose(after, left, flag))
}

/// Announces how many stands are left, and where the body's middle is now.
fn resize(umpire: &mut Umpire<'_, Days>, unit: UnitId, left: u8, (formation, to): (Formation, Pose), clause: Clause) {
    let lost = Deed::StandsLost { unit, left: StandSet::first(u32::from(left)) };
    let event = Event::new(clause, lost).also(Clause::CommandStandGoesLast).also(Clause::TheCommandStand);
    hidden::announce(umpire, unit, event);
    let piece = umpire.state().unit(unit);
    let (pose, bent) = (piece.pose(), piece.body.formation != formation);
    let shifted = pose.at.distance(to.at) > SLACK || pose.facing != to.facing;
    if left == 0 || (!bent && !shifted) {
        return;
    }
    let closes = if bent { Deed::Reformed { unit, formation, to } } else { Deed::Moved { unit, to, path: Vec::new() } };
    hidden::announce(umpire, unit, Event::new(Clause::CommandStandGoesLast, closes));
    staff::follow(umpire, unit);
}

/// The formation when stands are gone: a bent line loses from the end of its longer wing, the right one where both are
/// equal, so its joints keep their places beside the command stand; wings of a single stand fall in with the rest.
fn closed_up(formation: Formation, count: u8, left: u8) -> Formation {
    if !formation.is_bent() {
        return formation;
    }
    let from_the_left = (left + 1..=count).filter(|stands| stands % 2 == 0).count() as u8;
    let mut bends = [Bend::default(); MOST_BENDS];
    let mut before = 0;
    let mut place = 0;
    for bend in formation.joints() {
        let after = bend.after.saturating_sub(from_the_left);
        let fits = after >= before + LEAST_WING && after + LEAST_WING <= left;
        if let Some(slot) = bends.get_mut(place).filter(|_| fits) {
            *slot = Bend { after, by: bend.by };
            before = after;
            place += 1;
        }
    }
    Formation { bends, ..formation }
}

/// Stands in the shortest straight piece of a bent line: a shape, not a figure that is reckoned with.
const LEAST_WING: u8 = 2;

/// Takes a unit off the table that has too few stands left, its parts counted in. True if it is gone.
pub fn shatter(umpire: &mut Umpire<'_, Days>, unit: UnitId) -> bool {
    let field = umpire.state();
    let id = field::whole(field, unit);
    let too_few = field::shattered_at(field, id).is_some_and(|least| field::strength(field, id) <= least);
    let no_crew = field::is_battery(field, id)
        && (field::troops(field, id).crew() == 0 || field::troops(field, id).guns.is_empty());
    if too_few || no_crew {
        remove(umpire, id, Leaving::Destroyed);
    }
    !is_in_play(umpire.state(), id)
}

/// Whether a unit is on the table or may still come to it.
fn is_in_play(field: &Field, unit: UnitId) -> bool {
    field.unit(unit).whereabouts != Whereabouts::Gone
}

/// Takes a unit off the table for good, its parts with it; generals with it are set free.
pub fn remove(umpire: &mut Umpire<'_, Days>, unit: UnitId, why: Leaving) {
    let clause = leaving_clause(umpire.state(), unit, why);
    remove_by(umpire, unit, why, clause);
}

/// The same under a clause that is known better.
pub fn remove_by(umpire: &mut Umpire<'_, Days>, unit: UnitId, why: Leaving, clause: Clause) {
    if !is_in_play(umpire.state(), unit) {
        return;
    }
    for part in field::parts_out(umpire.state(), unit) {
        take_off(umpire, part, why, clause);
    }
    take_off(umpire, unit, why, clause);
    let field = umpire.state();
    let lost = |of: &UnitId| why != Leaving::Spent && !field::troops(field, *of).holders_lost;
    if let Some((Part::Holders, of)) = field::facts(field, unit).part.filter(|(_, of)| lost(of)) {
        let event = Event::own(Clause::LosingTheHorses, DaysEvent::HoldersLost { unit: of });
        hidden::announce(umpire, of, event.also(Clause::OnFootForGood));
    }
}

/// Takes one body off the table for good.
fn take_off(umpire: &mut Umpire<'_, Days>, unit: UnitId, why: Leaving, clause: Clause) {
    staff::release(umpire, unit);
    forget(umpire, unit, clause);
    hidden::announce(umpire, unit, Event::new(clause, Deed::Removed { unit, why }));
    end_charges_at(umpire, unit);
}

/// Why a unit is gone, in the book's words.
fn leaving_clause(field: &Field, unit: UnitId, why: Leaving) -> Clause {
    match (why, field::facts(field, unit).arm) {
        (Leaving::LeftTable | Leaving::Withdrawn, _) => Clause::GoneForGood,
        (Leaving::Caught, Arm::Engineers) => Clause::StaffRiddenDown,
        (Leaving::Caught, Arm::Wagon) => Clause::TouchingMeansFighting,
        (Leaving::Caught, _) => Clause::RoutersLoseOutright,
        (Leaving::Abandoned, _) => Clause::GunsInRout,
        (_, Arm::Infantry) => Clause::ShatteredInfantry,
        (_, Arm::Cavalry) => Clause::ShatteredCavalry,
        (_, Arm::Artillery) => Clause::HitsOnGuns,
        (_, Arm::Engineers | Arm::Wagon) => Clause::StaffRiddenDown,
    }
}

/// Everything others remember of a unit, and it of them: contact, pursuit, break-throughs, its own charge and work.
fn forget(umpire: &mut Umpire<'_, Days>, unit: UnitId, clause: Clause) {
    let field = umpire.state();
    let own = field::troops(field, unit);
    let mut gone = Vec::new();
    if !own.contact.is_empty() {
        gone.push(DaysEvent::Parted { unit, from: None });
    }
    if own.charge.is_some() {
        gone.push(DaysEvent::ChargeEnds { unit, why: ChargeEnd::Broken });
    }
    if own.broke_into.is_some() {
        gone.push(DaysEvent::BreaksInto { unit, into: None });
    }
    if own.work.is_some() {
        gone.push(DaysEvent::Works { unit, work: None });
    }
    for (other, piece) in field.units() {
        if piece.own.pursuing == Some(unit) {
            gone.push(DaysEvent::Pursues { unit: other, after: None });
        }
        if piece.own.broke_into.is_some_and(|(into, _)| into == unit) {
            gone.push(DaysEvent::BreaksInto { unit: other, into: None });
        }
        if piece.own.relieved == Some(unit) {
            gone.push(DaysEvent::Relieved { unit: other, by: None });
        }
    }
    if field.ledger().crossings.iter().any(|crossing| crossing.seen_by == unit) {
        gone.push(DaysEvent::CrossingsGone { seen_by: unit });
    }
    for event in gone {
        hidden::announce(umpire, unit, Event::own(clause, event));
    }
}

/// Charges at a unit that is gone come to nothing; those that have come home end with their fight, and those whose 2nd
/// Impulse is still to come go straight on and strike whoever they meet.
pub fn end_charges_at(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let goes_on = umpire.state().ledger().step < TurnStep::SecondImpulse;
    for charger in field::chargers(umpire.state(), unit) {
        let charge = field::troops(umpire.state(), charger).charge.as_deref();
        let over = |stage: ChargeStage| match stage {
            ChargeStage::Begun => !goes_on,
            ChargeStage::Close => true,
            ChargeStage::Home => false,
        };
        if charge.is_some_and(|charge| over(charge.stage)) {
            charge::end(umpire, charger, ChargeEnd::TargetGone);
        }
    }
}

/// Whoever throws dice against a unit.
pub fn enemy_of(umpire: &Umpire<'_, Days>, unit: UnitId) -> Side {
    umpire.state().side_of(unit).other()
}
