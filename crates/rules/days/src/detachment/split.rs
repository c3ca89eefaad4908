//! Taking stands off a body, and giving them back, so that no stand jumps. A-106.

use super::super::Days;
use super::super::charts::count as figure;
use super::super::clause::Clause;
use super::super::event::{ChargeEnd, DaysEvent};
use super::super::field::{self, Field, facts, is_there, stands_at, troops};
use super::super::formation::{Bend, Formation, MOST_BENDS, Shape};
use super::super::hidden;
use super::super::staff;
use super::super::unit::{Arm, Facts, Part};
use engine::event::Leaving;
use engine::{Deed, Event, StandSet, Umpire, UnitId, Verdict};
use table::{Pose, quads_overlap};

/// A part of a body as it stands on its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wing {
    /// How many stands.
    pub stands: u8,
    /// How they stand.
    pub formation: Formation,
    /// Where they stand.
    pub pose: Pose,
}

/// Cuts the stands from `first` on, `stands` of them, out of a body; each stays where it is.
fn cut(facts: &Facts, formation: Formation, count: u8, pose: Pose, first: u8, stands: u8) -> Wing {
    let apart = Formation { bends: bends(formation, first, stands), ..formation };
    let (whole, part) = (facts.layout(formation, count), facts.layout(apart, stands));
    let (Some(here), Some(local)) = (whole.stands().get(usize::from(first)), part.stands().first()) else {
        return Wing { stands, formation: apart, pose };
    };
    let world = pose.to_world(here.pose.at.vec());
    let facing = pose.facing + here.pose.facing - local.pose.facing;
    let at = Pose { at: table::Point::from_vec(world), facing }.to_world(-local.pose.at.vec());
    Wing { stands, formation: apart, pose: Pose { at: table::Point::from_vec(at), facing } }
}

/// The joints that lie inside a part of a line.
fn bends(formation: Formation, first: u8, stands: u8) -> [Bend; MOST_BENDS] {
    let mut bends = [Bend::default(); MOST_BENDS];
    let inside = formation.joints().filter(|bend| bend.after > first && bend.after < first + stands);
    for (slot, bend) in bends.iter_mut().zip(inside) {
        *slot = Bend { after: bend.after - first, by: bend.by };
    }
    bends
}

/// What goes and what stays when so many stands leave a unit. The head of a column goes, the right wing of anything else;
/// `tail` takes the last stands of a column as well.
pub fn split(field: &Field, unit: UnitId, stands: u8, tail: bool) -> Option<(Wing, Wing)> {
    let (count, formation) = (field::count(field, unit), field::formation(field, unit));
    let rest = count.checked_sub(stands).filter(|rest| *rest > 0 && stands > 0)?;
    let (facts, pose) = (facts(field, unit), field.unit(unit).pose());
    let head = formation.is_column() && !tail;
    let (goes, stays) = if head { (0, stands) } else { (rest, 0) };
    let goes = cut(facts, formation, count, pose, goes, stands);
    Some((goes, cut(facts, formation, count, pose, stays, rest)))
}

/// Whether a unit may charge with so many stands and keep the others back.
pub fn may_split(field: &Field, unit: UnitId, stands: u8) -> Verdict {
    let mut verdict = Verdict::fine();
    let least = figure(field.charts().constant.squadron_least);
    let facts = facts(field, unit);
    let clause = Clause::ChargingWithASquadron;
    if facts.arm != Arm::Cavalry || facts.part.is_some() || !field::is_mounted(field, unit) {
        verdict.refuse(clause, "only whole regiments of mounted cavalry charge by squadrons").about(unit);
        return verdict;
    }
    if !matches!(field::shape(field, unit), Shape::Line | Shape::Column) {
        verdict.refuse(clause, "a regiment charges by squadrons from line or column").about(unit);
    }
    let rest = u32::from(field::count(field, unit).saturating_sub(stands));
    if u32::from(stands) < least || rest < least {
        let text = format!("a squadron has at least {least} stands, and as many stay with the regiment");
        verdict.refuse(clause, text).about(unit);
    }
    if field::part(field, unit, Part::Squadron).is_none_or(|part| is_there(field, part)) {
        verdict.refuse(clause, "its squadron is away already").about(unit);
    }
    let files = field::formation(field, unit).files_of(field::count(field, unit));
    if field::shape(field, unit) == Shape::Column && !stands.is_multiple_of(files.max(1)) {
        verdict.refuse(clause, "a column sends off whole ranks").about(unit);
    }
    verdict
}

/// Splits a squadron off for a charge: the squadron part stands where its stands stood; returns its id, or the unit's
/// own where it cannot be split.
pub fn split_squadron(umpire: &mut Umpire<'_, Days>, unit: UnitId, stands: u8) -> UnitId {
    let field = umpire.state();
    let free = field::part(field, unit, Part::Squadron).filter(|part| !is_there(field, *part));
    match (free, split(field, unit, stands, false)) {
        (Some(part), Some((goes, stays))) if is_there(field, unit) => {
            send(umpire, unit, part, goes, stays, Clause::ChargingWithASquadron);
            part
        }
        _ => unit,
    }
}

/// Sends a part out: what stays, what goes.
pub fn send(umpire: &mut Umpire<'_, Days>, unit: UnitId, part: UnitId, goes: Wing, stays: Wing, clause: Clause) {
    resize(umpire, unit, stays, clause);
    let left = StandSet::first(u32::from(goes.stands));
    hidden::announce(umpire, unit, Event::new(clause, Deed::StandsLost { unit: part, left }));
    if troops(umpire.state(), part).pursuing.is_some() {
        // Those who pursued under its name before are gone.
        hidden::announce(umpire, unit, Event::own(clause, DaysEvent::Pursues { unit: part, after: None }));
    }
    let hidden = field::is_hidden(umpire.state().unit(unit));
    let placed = Deed::Placed { unit: part, pose: goes.pose, formation: goes.formation, hidden };
    hidden::announce(umpire, unit, Event::new(clause, placed));
}

/// A body has so many stands now, and stands so.
pub fn resize(umpire: &mut Umpire<'_, Days>, unit: UnitId, to: Wing, clause: Clause) {
    let left = StandSet::first(u32::from(to.stands));
    hidden::announce(umpire, unit, Event::new(clause, Deed::StandsLost { unit, left }));
    let reformed = Deed::Reformed { unit, formation: to.formation, to: to.pose };
    hidden::announce(umpire, unit, Event::new(clause, reformed));
}

/// A body grown or shrunk to so many stands: its command stand keeps its place and facing, joints of a line the stands
/// between which they lie.
pub fn resized(field: &Field, unit: UnitId, stands: u8, formation: Formation) -> Wing {
    let (facts, count) = (facts(field, unit), field::count(field, unit));
    let was = field::formation(field, unit);
    let command = facts.command_pose(was, count, field.unit(unit).pose());
    let shift = i16::from(count / 2) - i16::from(stands / 2);
    let mut formation = formation;
    if formation.is_bent() {
        let mut bends = [Bend::default(); MOST_BENDS];
        let kept = formation.joints().filter_map(|bend| {
            let after = u8::try_from(i16::from(bend.after) - shift).ok()?;
            (after > 0 && after < stands).then_some(Bend { after, by: bend.by })
        });
        for (slot, bend) in bends.iter_mut().zip(kept) {
            *slot = bend;
        }
        formation.bends = bends;
    }
    Wing { stands, formation, pose: facts.body_pose(formation, stands, command) }
}

/// Whether a unit could stand so: on the table and on nobody's feet but those of `but`.
pub fn has_room(field: &Field, unit: UnitId, wing: Wing, but: UnitId) -> bool {
    let layout = facts(field, unit).layout(wing.formation, wing.stands);
    let footprint = layout.footprint().quad(wing.pose);
    let stands: Vec<_> = layout.quads(wing.pose).collect();
    if !stands.iter().all(|stand| field.ground().holds(stand)) {
        return false;
    }
    !field.units().any(|(id, piece)| {
        id != unit
            && id != but
            && piece.is_present()
            && facts_of_party(field, id) != Some(unit)
            && quads_overlap(piece.quad(), &footprint)
            && stands_at(field, id, piece.pose(), piece.body.formation)
                .iter()
                .any(|other| stands.iter().any(|stand| quads_overlap(stand, other)))
    })
}

/// The unit a party is with: it makes room.
fn facts_of_party(field: &Field, id: UnitId) -> Option<UnitId> {
    troops(field, id).attached
}

/// A part goes back into its whole, if there is room: as the whole stands, or else in column. True if it did.
pub fn take_in(umpire: &mut Umpire<'_, Days>, part: UnitId, clause: Clause) -> bool {
    let field = umpire.state();
    let whole = field::whole(field, part);
    if !is_there(field, part) || !is_there(field, whole) || part == whole {
        return false;
    }
    let stands = field::count(field, whole).saturating_add(field::count(field, part));
    let column = match facts(field, whole).arm {
        Arm::Cavalry => Shape::Column,
        _ => Shape::Manoeuvre,
    };
    let was = field::formation(field, whole);
    let ways = [was, Formation::usual(column)].map(|formation| resized(field, whole, stands, formation));
    let Some(wing) = ways.into_iter().find(|wing| has_room(field, whole, *wing, part)) else { return false };
    join(umpire, part, wing, clause);
    true
}

/// The part is gone, its stands are with the whole again, and so are the generals who were with it.
pub fn join(umpire: &mut Umpire<'_, Days>, part: UnitId, wing: Wing, clause: Clause) {
    let whole = field::whole(umpire.state(), part);
    hand_over(umpire, part, whole, clause);
    if !troops(umpire.state(), part).contact.is_empty() {
        umpire.announce(Event::own(clause, DaysEvent::Parted { unit: part, from: None }));
    }
    if troops(umpire.state(), part).charge.is_some() {
        umpire.announce(Event::own(clause, DaysEvent::ChargeEnds { unit: part, why: ChargeEnd::Fought }));
    }
    if let Some(after) = troops(umpire.state(), part).pursuing {
        umpire.announce(Event::own(clause, DaysEvent::Pursues { unit: part, after: None }));
        umpire.announce(Event::own(clause, DaysEvent::Pursues { unit: whole, after: Some(after) }));
    }
    for charger in field::chargers(umpire.state(), part) {
        umpire.announce(Event::own(clause, DaysEvent::ChargeTurns { unit: charger, at: whole }));
    }
    hidden::announce(umpire, whole, Event::new(clause, Deed::Removed { unit: part, why: Leaving::Spent }));
    resize(umpire, whole, wing, clause);
    staff::follow(umpire, whole);
}

/// Generals and engineers with one body are now with another.
pub fn hand_over(umpire: &mut Umpire<'_, Days>, from: UnitId, to: UnitId, clause: Clause) {
    for general in field::attached(umpire.state(), from) {
        umpire.announce(Event::own(clause, DaysEvent::Attached { general, unit: Some(to) }));
    }
    for party in field::parties_with(umpire.state(), from) {
        umpire.announce(Event::own(clause, DaysEvent::PartyAttached { party, unit: Some(to) }));
    }
}
