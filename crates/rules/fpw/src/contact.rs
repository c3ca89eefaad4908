//! Who is in contact with whom, and on which side of each: kept true after every move that makes or breaks contact.
//! C.3, R76.

use super::Fpw;
use super::clause::Clause;
use super::event::FpwEvent;
use super::field::{Field, facts, formation, is_there, known, soldiers, touch, touching_enemies};
use super::unit::{Aspect, Contact, Impetus};
use super::{generals, hidden, markers};
use engine::{Deed, Event, Leaving, Side, Umpire, UnitId};
use table::march::{Leg, Track};
use table::{Pose, Vec2, Zone, zone};

/// On which side of a unit a place lies (C.3).
pub fn aspect(field: &Field, of: UnitId, place: Vec2) -> Aspect {
    match zone(field.unit(of).pose(), field.footprint(of, formation(field, of)), place) {
        Zone::Front => Aspect::Front,
        Zone::Flank(_) => Aspect::Flank,
        Zone::Rear => Aspect::Rear,
    }
}

/// Moves a unit, its generals with it, and uncovers what then is seen.
pub fn relocate(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, to: Pose, path: Vec<Leg>, clause: Clause) {
    let from = umpire.state().unit(unit).pose();
    if from == to {
        return;
    }
    hidden::announce(umpire, unit, Event::new(clause, Deed::Moved { unit, to, path }));
    generals::follow(umpire, unit, from, to);
    generals::make_room(umpire);
    hidden::discover(umpire);
}

/// How two units came together.
pub struct Meeting {
    /// The one that came.
    pub unit: UnitId,
    /// The one it met.
    pub with: UnitId,
    /// Where the one that came stood at first.
    pub from: Vec2,
    /// How each came in.
    pub impetus: Option<Impetus>,
    /// The same for the one that was met.
    pub other_impetus: Option<Impetus>,
    /// An evader that was caught is always taken in rear.
    pub caught: bool,
}

/// Tells that two units are in contact.
pub fn meet(umpire: &mut Umpire<'_, Fpw>, meeting: &Meeting, clause: Clause) {
    let other_aspect = if meeting.caught { Aspect::Rear } else { aspect(umpire.state(), meeting.with, meeting.from) };
    let event = FpwEvent::Contact {
        unit: meeting.unit,
        with: meeting.with,
        aspect: Aspect::Front,
        other_aspect,
        impetus: meeting.impetus,
        other_impetus: meeting.other_impetus,
    };
    umpire.announce(Event::own(clause, event).also(Clause::TouchingFight));
}

/// Enemy scouts a body has ridden over or come up against leave the table (scouting-f, -g).
pub fn scatter_scouts(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, track: &Track) {
    let field = umpire.state();
    let met: Vec<UnitId> = known(field, field.side_of(unit).other())
        .map(|(id, _)| id)
        .filter(|id| facts(field, *id).is_scout())
        .filter(|id| track.meets(field.unit(*id).quad().points()).is_some() || touch(field, unit, *id))
        .collect();
    for scout in met {
        markers::remove(umpire, scout, Leaving::Spent, Clause::ScoutsLeave);
    }
}

/// Enemies a unit touches and fights: scouts are none.
pub fn foes(field: &Field, unit: UnitId) -> super::field::Few {
    if !is_there(field, unit) || facts(field, unit).is_scout() {
        return super::field::Few::new();
    }
    touching_enemies(field, unit).into_iter().filter(|id| !facts(field, *id).is_scout()).collect()
}

/// Makes the records of contact true: pairs that touch have one, pairs that do not have none.
pub fn settle(umpire: &mut Umpire<'_, Fpw>, clause: Clause) {
    part(umpire, clause);
    record(umpire, clause);
}

/// Ends the contacts of units that touch nobody any more, then single contacts that have come apart.
fn part(umpire: &mut Umpire<'_, Fpw>, clause: Clause) {
    for unit in involved(umpire.state()) {
        let field = umpire.state();
        let contacts = soldiers(field, unit).fight.contacts.clone();
        let foes = foes(field, unit);
        if !contacts.is_empty() && !contacts.iter().any(|contact| foes.contains(&contact.with)) {
            umpire.announce(Event::own(clause, FpwEvent::Disengaged { unit }));
        }
    }
    for unit in involved(umpire.state()) {
        let field = umpire.state();
        let (contacts, foes) = (soldiers(field, unit).fight.contacts.clone(), foes(field, unit));
        if contacts.iter().all(|contact| foes.contains(&contact.with)) {
            continue;
        }
        let kept: Vec<(Contact, Aspect)> = contacts
            .iter()
            .filter(|contact| foes.contains(&contact.with))
            .map(|contact| (*contact, soldiers(field, contact.with).aspect_of(unit).unwrap_or(Aspect::Front)))
            .collect();
        umpire.announce(Event::own(clause, FpwEvent::Disengaged { unit }));
        for (contact, other_aspect) in kept {
            let event = FpwEvent::Contact {
                unit,
                with: contact.with,
                aspect: contact.aspect,
                other_aspect,
                impetus: None,
                other_impetus: None,
            };
            umpire.announce(Event::own(clause, event));
        }
    }
}

fn involved(field: &Field) -> Vec<UnitId> {
    field.units().filter(|(_, unit)| !unit.own.fight.contacts.is_empty()).map(|(id, _)| id).collect()
}

/// Pairs that touch without a record stand about each other as they stand now.
fn record(umpire: &mut Umpire<'_, Fpw>, clause: Clause) {
    let units: Vec<UnitId> = known(umpire.state(), Side::A).map(|(id, _)| id).collect();
    for unit in units {
        for with in foes(umpire.state(), unit) {
            let field = umpire.state();
            if soldiers(field, unit).aspect_of(with).is_some() {
                continue;
            }
            let event = FpwEvent::Contact {
                unit,
                with,
                aspect: aspect(field, unit, field.unit(with).pose().at.vec()),
                other_aspect: aspect(field, with, field.unit(unit).pose().at.vec()),
                impetus: None,
                other_impetus: None,
            };
            umpire.announce(Event::own(clause, event));
        }
    }
}
