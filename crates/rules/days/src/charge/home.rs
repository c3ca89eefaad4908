//! 4.12: charging home. Section 17.4.10, C-17, A-08, A-105, A-114.

use super::impulse::of_stage;
use super::{did, drive, end};
use crate::Days;
use crate::charts::{plain, reach};
use crate::clause::Clause;
use crate::event::{ChargeEnd, Doing, Test};
use crate::field::{self, Field, is_there, measured, troops};
use crate::morale::{self, Occasion, Tested};
use crate::sequence;
use crate::unit::{ChargeStage, OrderState};
use crate::{settle, space};
use engine::{Deed, Event, Umpire, UnitId};
use table::Length;
use table::march::Leg;

/// 4.12: charging home, whoever has the initiative first.
pub fn home(umpire: &mut Umpire<'_, Days>) {
    for side in sequence::in_turn(umpire.state()) {
        for unit in of_stage(umpire.state(), side, ChargeStage::Close) {
            bring_home(umpire, unit);
        }
    }
}

/// How far it still is to the target, where the charger can get there.
fn within_reach(field: &Field, unit: UnitId) -> Option<(UnitId, Length)> {
    let charge = troops(field, unit).charge.as_ref().filter(|charge| charge.stage == ChargeStage::Close)?;
    let far = drive::straight_to(field, unit, charge.at)?;
    let reachable = measured(far) <= charge.left.max(field::standoff(field)) && drive::is_clear(field, unit, far);
    reachable.then_some((charge.at, far))
}

fn bring_home(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let field = umpire.state();
    let Some(charge) = troops(field, unit).charge.clone().filter(|charge| charge.stage == ChargeStage::Close) else {
        return;
    };
    if !troops(field, unit).contact.is_empty() {
        // Met by somebody already: it fights him where it stands.
        stage_home(umpire, unit);
        return;
    }
    let Some((at, far)) = within_reach(field, unit) else {
        let gone = !is_there(field, charge.at) || field::is_routing(field, charge.at);
        end(umpire, unit, if gone { ChargeEnd::TargetGone } else { ChargeEnd::OutOfReach });
        return;
    };
    if drive::is_soft(field, at) {
        drive::close(umpire, unit, at, far, &[Clause::RunawaysWhoAreReached, Clause::ChargingHome]);
        return;
    }
    let mutual = troops(field, at).charge.as_ref();
    // Whoever has been met by somebody else does not come on.
    let free = troops(field, at).contact.is_empty();
    let mutual = free && mutual.is_some_and(|theirs| theirs.at == unit && theirs.stage == ChargeStage::Close);
    let own = test(umpire, unit, at);
    // Both charge: both test, and one pass is enough.
    let theirs = mutual.then(|| test(umpire, at, unit));
    let clauses = [Clause::ChargingHome, Clause::TheLastTestOfACharge];
    match (own.passed, theirs) {
        (true, _) => drive::close(umpire, unit, at, far, &clauses),
        (false, Some(theirs)) if theirs.passed => drive::close(umpire, at, unit, far, &clauses),
        (false, _) => halt(umpire, unit, at),
    }
    settle_accounts(umpire, unit, own);
    if let Some(theirs) = theirs {
        if !own.passed && !theirs.passed {
            halt(umpire, at, unit);
        }
        settle_accounts(umpire, at, theirs);
    }
}

fn test(umpire: &mut Umpire<'_, Days>, unit: UnitId, at: UnitId) -> Tested {
    morale::roll(umpire, unit, Test::ChargingHome, &Occasion { against: Some(at), ..Occasion::default() })
}

/// What a test does beside stopping the charge: whoever is met by the charger he charged fights as a charger all the same,
/// even if he would not have come home himself.
fn settle_accounts(umpire: &mut Umpire<'_, Days>, unit: UnitId, tested: Tested) {
    let badly = plain(umpire.charts().outcome.home_disordered_at).value;
    if !tested.passed && tested.margin >= badly {
        morale::worsen(umpire, unit, OrderState::Disordered, Clause::StoppedTwoInchesShort);
    }
    if !troops(umpire.state(), unit).contact.is_empty() {
        stage_home(umpire, unit);
    } else if !tested.passed {
        end(umpire, unit, ChargeEnd::FailedHome);
    }
}

/// A charger that was met half-way has come home too.
fn stage_home(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let close = troops(umpire.state(), unit).charge.as_ref().is_some_and(|charge| charge.stage == ChargeStage::Close);
    if close {
        drive::goes(umpire, unit, ChargeStage::Home, Length::ZERO, Clause::ChargingHome);
    }
}

/// Stopped short: it stands off its target and moves no more (days.17.4.10-c).
fn halt(umpire: &mut Umpire<'_, Days>, unit: UnitId, at: UnitId) {
    let field = umpire.state();
    let back = reach(field.charts().constant.halt_short) - field::gap(field, unit, at);
    let (pose, formation) = (field.unit(unit).pose(), field::formation(field, unit));
    let to = pose.ahead(-back);
    let is_free = field.ground().holds(&field.footprint(unit, formation).quad(to))
        && space::crowded(field, unit, to, formation).is_empty();
    if back > Length::ZERO && is_free {
        let deed = Deed::Moved { unit, to, path: vec![Leg::Back(back)] };
        umpire.announce(Event::new(Clause::StoppedTwoInchesShort, deed).also(Clause::TheLastTestOfACharge));
        settle::moved(umpire, unit, pose);
    }
    did(umpire, unit, Doing::Stopped, &[Clause::StoppedTwoInchesShort, Clause::TheLastTestOfACharge]);
}
