//! Pursuers who did not rally go after the beaten enemy: A-65.

use super::super::Days;
use super::super::clause::Clause;
use super::super::event::{DaysEvent, Doing};
use super::super::field;
use super::super::unit::OrderState;
use super::super::{hidden, morale};
use super::{push, way};
use engine::{Event, Umpire, UnitId};

/// A pursuer moves its full rout distance straight after whom it pursues. It strikes nobody else: other enemies and
/// friends in the way stop it. Where the quarry is gone or has rallied the pursuit is over.
pub fn pursue(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let field = umpire.state();
    let Some(after) = field::troops(field, unit).pursuing else { return };
    if !field::is_there(field, after) || !field::is_routing(field, after) || field::is_routing(field, unit) {
        let event = Event::own(Clause::StoppingFlightOrPursuit, DaysEvent::Pursues { unit, after: None });
        hidden::announce(umpire, unit, event);
        return;
    }
    if !field::troops(field, unit).contact.is_empty() {
        return;
    }
    let towards = -way::away(field, unit, after);
    let by = super::distance(field, unit);
    let gone = push::straight(umpire, unit, towards, by, Some(after), Clause::MovesAfterTheFight);
    let did = DaysEvent::Did { unit, doing: Doing::Moved };
    hidden::announce(umpire, unit, Event::own(Clause::MovesAfterTheFight, did));
    if gone.struck == Some(after) {
        let contact = DaysEvent::Contact { unit, with: after };
        umpire.announce(Event::own(Clause::RunawaysWhoAreReached, contact).also(Clause::SheetRoutersRun));
    }
    morale::worsen(umpire, unit, OrderState::Disordered, Clause::OtherWaysToLoseOrder);
}
