//! What is told at the end of a quarter: who moved, changed formation, worked his guns, left or took up cover, halted.

use super::Mover;
use crate::Guns;
use crate::clause::Clause;
use crate::event::{GunsEvent, Halt};
use crate::field::{self, Field, is_there, troops};
use crate::formation::Shape;
use crate::order::Step;
use crate::plot::route::Done;
use crate::plot::{limits, post};
use crate::unit::Cycle;
use crate::{cycle, disorder, evolution, generals, hidden};
use engine::{Deed, Event, Umpire, UnitId};
use table::{Length, SLACK};

/// Tells a quarter.
pub fn quarter(umpire: &mut Umpire<'_, Guns>, movers: &mut [Mover]) {
    for mover in movers.iter_mut() {
        one(umpire, mover);
    }
    for mover in movers.iter_mut() {
        halted(umpire, mover);
    }
}

fn one(umpire: &mut Umpire<'_, Guns>, mover: &mut Mover) {
    if mover.now == mover.told {
        return;
    }
    let unit = mover.unit;
    set_off(umpire, unit);
    let done: Vec<Done> = mover
        .route
        .spans
        .get(mover.told.complete..mover.now.complete)
        .unwrap_or_default()
        .iter()
        .map(|span| span.done)
        .collect();
    for done in &done {
        works(umpire, unit, *done);
    }
    stands(umpire, mover);
    if let Some(Done::Lined(feature)) = done.iter().find(|done| matches!(done, Done::Lined(_))) {
        let event = GunsEvent::Defends { unit, feature: Some(*feature) };
        hidden::announce(umpire, unit, Event::own(Clause::DefendersLoose, event));
    }
    mover.told = mover.now;
    generals::follow(umpire, unit);
    disorder::settle(umpire, unit, false);
}

/// Whoever moves gets up, shows himself, and leaves the cover he held.
fn set_off(umpire: &mut Umpire<'_, Guns>, unit: UnitId) {
    hidden::reveal(umpire, unit, Clause::AmbushedSilent);
    let own = troops(umpire.state(), unit);
    let (prone, defending) = (own.prone, own.defending.is_some());
    if prone {
        umpire.announce(Event::own(Clause::FailedLiesDown, GunsEvent::Prone { unit, prone: false }));
    }
    if defending {
        umpire.announce(Event::own(Clause::DefendersLoose, GunsEvent::Defends { unit, feature: None }));
    }
}

/// Saddles and guns.
fn works(umpire: &mut Umpire<'_, Guns>, unit: UnitId, done: Done) {
    match done {
        Done::Mounted(mounted) => {
            let event = Event::own(Clause::DismountedCavalry, GunsEvent::Mounted { unit, mounted });
            hidden::announce(umpire, unit, event.also(Clause::OtherChanges));
        }
        Done::Cycled(next) => {
            let event = Event::own(Clause::GunCycle, GunsEvent::Cycled { battery: unit, cycle: next })
                .also(cycle::class_clause(umpire.state(), unit));
            hidden::announce(umpire, unit, event);
            let plan = cycle::plan_of(umpire.state(), unit);
            let fires = plan.is_some_and(|steps| steps.contains(&Step::Fire));
            if next == Cycle::Deployed && fires && !troops(umpire.state(), unit).bound.fired {
                cycle::may_fire(umpire, unit);
            }
        }
        Done::Walked | Done::Formed(_) | Done::Lined(_) => {}
    }
}

/// Where and how it stands now.
fn stands(umpire: &mut Umpire<'_, Guns>, mover: &Mover) {
    let (unit, now, told) = (mover.unit, mover.now, mover.told);
    let field = umpire.state();
    let slowed = mover.route.deductions() > SLACK;
    let event = if now.formation != told.formation {
        let clause =
            evolution::cost(field, unit, told.formation, now.formation).map_or(Clause::GunCycle, |cost| cost.1);
        let deed = Deed::Reformed { unit, formation: now.formation, to: now.pose };
        Event::new(clause, deed).also(Clause::SameInReverse)
    } else if now.pose != told.pose {
        Event::new(mover.route.pace, Deed::Moved { unit, to: now.pose, path: Vec::new() })
    } else {
        return;
    };
    let advances = limits::advance_of(field, field.side_of(unit), told.pose.at.vec(), now.pose.at.vec()) > SLACK;
    let event = drawn_up(event, field, mover)
        .also(Clause::Simultaneous)
        .also_if(advances, Clause::AdvanceLimiter)
        .also_if(slowed, Clause::TerrainDeducted)
        .also_if(mover.route.held_back, Clause::SlowestSetsPace)
        .also_if(mover.route.by_road, Clause::RoadBonus);
    let event = mover.route.tolls.iter().fold(event, |event, clause| event.also(*clause));
    hidden::announce(umpire, unit, event);
}

/// The clauses by which a unit that has changed its formation stands now.
fn drawn_up(event: Event<Guns>, field: &Field, mover: &Mover) -> Event<Guns> {
    let (now, told) = (mover.now.formation, mover.told.formation);
    let facts = field::facts(field, mover.unit);
    if now == told || facts.is_battery() {
        return event;
    }
    let gaps = match now.shape {
        Shape::Loose => Clause::LooseGap,
        Shape::Extended => Clause::ExtendedGap,
        Shape::Assault | Shape::Route | Shape::Squadrons => Clause::ColumnsAreClose,
        Shape::Line | Shape::Limbered | Shape::Deployed => Clause::CloseTouches,
    };
    let count = field::count(field, mover.unit);
    let deeper = now.shape == told.shape && now.ranks_of(count) > told.ranks_of(count);
    let open = matches!(now.shape, Shape::Loose | Shape::Extended);
    event
        .also(gaps)
        .also_if(field::is_foot(field, mover.unit), Clause::ThreeOrders)
        .also_if(field::is_mounted(field, mover.unit), Clause::CavalryOrders)
        .also_if(open && deeper, Clause::DrawBackRanks)
}

fn halted(umpire: &mut Umpire<'_, Guns>, mover: &mut Mover) {
    let Some((why, by)) = mover.halt.filter(|_| !mover.halt_told) else { return };
    mover.halt_told = true;
    let unit = mover.unit;
    if let Some(by) = by {
        hidden::reveal(umpire, by, Clause::AmbushedSilent);
    }
    let clause = match why {
        Halt::FlinchPoint | Halt::MutualCharge => Clause::ChargesFourth,
        _ => Clause::QuarterBounds,
    };
    hidden::announce(umpire, unit, Event::own(clause, GunsEvent::Halted { unit, why, by }));
}

/// Tells what everybody has spent, and who holds a place by standing in it.
pub fn spent(umpire: &mut Umpire<'_, Guns>, movers: &[Mover]) {
    for mover in movers {
        let unit = mover.unit;
        if !is_there(umpire.state(), unit) {
            continue;
        }
        let before = troops(umpire.state(), unit).bound.used;
        let used = before + Length::from_um(mover.spent + if mover.spent > 0.0 { mover.late } else { 0.0 });
        let event = GunsEvent::Spent { unit, used, full: mover.route.full };
        hidden::announce(umpire, unit, Event::own(Clause::FirerMoved, event));
        let field = umpire.state();
        let holds = troops(field, unit).defending;
        let charging = troops(field, unit).charge.is_some();
        if holds.is_none()
            && !charging
            && let Some(feature) = post::garrisoned(field, unit)
        {
            let event = GunsEvent::Defends { unit, feature: Some(feature) };
            hidden::announce(umpire, unit, Event::own(Clause::DefendersLoose, event));
            disorder::settle(umpire, unit, false);
        } else if holds.is_none() && field::is_hidden(field.unit(unit)) {
            hidden::discover(umpire);
        }
    }
}
