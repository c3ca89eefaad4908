//! Chapter 4c: fire in support of a charged friend. R31.

use super::Awi;
use super::clause::Clause;
use super::event::{AwiEvent, Cause};
use super::field::{Field, arc_half_angle, troops};
use super::fire::{Manner, Shot, can_fire};
use super::morale;
use super::order::Piece;
use super::sequence::Phase;
use engine::{Event, Umpire, UnitId};
use table::{Pose, SLACK, within_arc};

/// Units that may support a charged friend: able to fire, near enough to the melee, the charger crossing their arc
/// (R31).
pub fn supporters(field: &Field, charger: UnitId, target: UnitId, from: Pose, contact: Pose) -> Vec<UnitId> {
    let reach = field.charts().range.small_arms.short.value.0 + SLACK;
    let half = arc_half_angle(field);
    troops(field, field.side_of(target))
        .filter(|(id, _)| *id != target && *id != charger && can_fire(field, *id))
        .filter(|(_, unit)| unit.pose().at.distance(contact.at) <= reach)
        .filter(|(_, unit)| {
            (0..=24).any(|n| {
                let place = from.at.vec().lerp(contact.at.vec(), f64::from(n) / 24.0);
                within_arc(unit.pose(), place, half)
            })
        })
        .map(|(id, _)| id)
        .collect()
}

/// A supporter tests and, if it passes, fires.
pub fn support(umpire: &mut Umpire<'_, Awi>, unit: UnitId, charger: UnitId, contact: Pose) {
    if morale::test(umpire, unit, Cause::Support) {
        let distance = umpire.state().unit(unit).pose().at.distance(contact.at);
        let measured = AwiEvent::Measured { from: Piece::Unit(unit), to: Piece::Unit(charger), distance };
        umpire.announce(Event::own(Clause::SupportReach, measured).also(Clause::SupportArc));
        umpire.begin(Phase::Shot(Shot::of(Manner::Supporting, unit, charger, false, Some(contact))));
    }
}
