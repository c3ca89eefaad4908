//! 5.6: disordered units that did nothing recover. days.17.2.8-f, D.5, A-120.

use super::Days;
use super::clause::Clause;
use super::event::DaysEvent;
use super::field::{self, Field};
use super::morale;
use super::unit::{OrderState, TurnRecord};
use super::{detachment, ground, hidden, sequence};
use engine::{Event, Side, Umpire, UnitId};
use table::Length;

/// Puts idle disordered units in order again; squadrons and screens reunite.
pub fn recover(umpire: &mut Umpire<'_, Days>) {
    detachment::reunite(umpire);
    for side in sequence::in_turn(umpire.state()) {
        for unit in resting(umpire.state(), side) {
            let good = DaysEvent::OrderIs { unit, order: OrderState::Good };
            hidden::announce(umpire, unit, Event::own(Clause::AQuietTurnHeals, good));
        }
    }
}

/// Units of a side whose disorder heals by itself.
fn resting(field: &Field, side: Side) -> Vec<UnitId> {
    let heals = |id: UnitId| {
        let own = field::troops(field, id);
        let bodies = morale::bodies(field, id);
        field::facts(field, id).part.is_none()
            && own.order == OrderState::Disordered
            && !own.swamped
            && field::pursued(field, id).is_none()
            && bodies.iter().all(|body| {
                let troops = field::troops(field, *body);
                was_quiet(&troops.turn) && troops.contact.is_empty() && !ground::disorders(field, *body)
            })
    };
    field::present(field, side).map(|(id, _)| id).filter(|id| heals(*id)).collect()
}

/// Neither moved, shot nor changed formation, nor was drawn into anything.
fn was_quiet(turn: &TurnRecord) -> bool {
    let stirred =
        turn.moved || turn.reformed || turn.charged || turn.evaded || turn.pushed || turn.fought || turn.forced;
    !stirred && turn.fired == 0 && turn.routed == Length::ZERO
}
