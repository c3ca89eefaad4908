//! What is done as movement begins and when it is over: screens, generals, observers, gunners, men lying down.

use super::{Mover, back_in};
use crate::Guns;
use crate::clause::Clause;
use crate::event::GunsEvent;
use crate::field::{is_there, troops};
use crate::order::Move;
use crate::plot::post;
use crate::unit::{Cycle, Observer};
use crate::{generals, hidden, screen};
use engine::{Deed, Event, Side, Umpire, UnitId};
use table::Pose;

/// The plans of both sides, side A first.
fn plans(umpire: &Umpire<'_, Guns>) -> Vec<Move> {
    let plots = &umpire.state().ledger().plots;
    [Side::A, Side::B].into_iter().flat_map(|side| plots[side].iter().cloned()).collect()
}

/// Generals join or leave their units, screens are thrown out or called in, men lie down.
pub fn set_out(umpire: &mut Umpire<'_, Guns>) -> Vec<Mover> {
    let mut movers = Vec::new();
    for line in plans(umpire) {
        match line {
            Move::Ride { commander, .. } if umpire.state().commander(commander).own.attached.is_some() => {
                let event = GunsEvent::Attached { general: commander, unit: None };
                umpire.announce(Event::own(Clause::GeneralsPace, event));
            }
            Move::Join { commander, unit } => {
                let field = umpire.state();
                if is_there(field, unit) && field.commander(commander).own.is_fit() {
                    let (at, facing) = (post::meeting_place(field, commander, unit), field.unit(unit).pose().facing);
                    let to = Pose { at, facing };
                    umpire.announce(Event::new(Clause::GeneralsPace, Deed::CommanderMoved { commander, to }));
                    let event = GunsEvent::Attached { general: commander, unit: Some(unit) };
                    umpire.announce(Event::own(Clause::GeneralsPace, event));
                    generals::follow(umpire, unit);
                }
            }
            Move::Screen { screen, parents, pose } => movers.extend(screen::throw_out(umpire, screen, &parents, pose)),
            Move::Recall { screen } => movers.extend(screen::call_in(umpire.state(), screen)),
            Move::LieDown { unit } if post::lie_down_objection(umpire.state(), unit).is_none() => {
                let event = GunsEvent::Prone { unit, prone: true };
                hidden::announce(umpire, unit, Event::own(Clause::ProneAtWill, event));
            }
            _ => {}
        }
    }
    movers
}

/// Generals have ridden, observers have walked, gunners are back at their guns.
pub fn arrive(umpire: &mut Umpire<'_, Guns>, movers: &[Mover]) {
    back_in(umpire, movers);
    for line in plans(umpire) {
        match line {
            Move::Ride { commander, to } => {
                let general = umpire.state().commander(commander);
                if general.is_present() && general.own.is_fit() {
                    let to = Pose { at: to, facing: general.pose.facing };
                    umpire.announce(Event::new(Clause::GeneralsPace, Deed::CommanderMoved { commander, to }));
                }
            }
            Move::Observe { battery, to } => walk(umpire, battery, Observer::At(to)),
            Move::Return { battery } if post::may_return(umpire.state(), battery) => {
                let event = GunsEvent::Cycled { battery, cycle: Cycle::Deployed };
                umpire.announce(Event::own(Clause::GunnersTookCover, event));
                let field = umpire.state();
                let (formation, to) = (post::manned(), field.unit(battery).pose());
                if field.unit(battery).body.formation != formation {
                    let deed = Deed::Reformed { unit: battery, formation, to };
                    umpire.announce(Event::new(Clause::GunnersTookCover, deed));
                }
            }
            _ => {}
        }
    }
}

/// An observer who was not overrun on the way comes to his new post, unless the enemy stands on it.
fn walk(umpire: &mut Umpire<'_, Guns>, battery: UnitId, to: Observer) {
    let field = umpire.state();
    if is_there(field, battery) && matches!(troops(field, battery).observer, Some(Observer::At(_))) {
        let event = GunsEvent::ObserverMoved { battery, observer: Some(to) };
        hidden::announce(umpire, battery, Event::own(Clause::ObserverCounter, event));
        let taken = super::slices::is_observer_touched(umpire.state(), battery);
        if taken {
            super::overrun(umpire, &[battery]);
        }
    }
}
