//! Who may make a normal move at all this turn, and why not.

use crate::charts::{BatteryActs, count as figure};
use crate::clause::Clause;
use crate::evolution;
use crate::field::{self, Field, by_book, facts, is_hidden, state, troops};
use crate::unit::{Arm, Health, Part, Trait};
use engine::{Side, UnitId, Whereabouts};
use smallvec::SmallVec;

/// Reasons with their clauses.
pub type Reasons = SmallVec<[(Clause, &'static str); 2]>;

/// Whether there is such a unit and it belongs to a side.
pub fn is_own(field: &Field, side: Side, unit: UnitId) -> bool {
    unit.index() < field.muster().units.len() && field.side_of(unit) == side
}

/// Whether a unit waits behind the edge to march on.
pub fn waits(field: &Field, unit: UnitId) -> bool {
    !field::is_there(field, unit) && troops(field, unit).waits_at.is_some()
}

/// Every reason why a unit makes no normal move this turn.
pub fn objections(field: &Field, unit: UnitId) -> Reasons {
    let mut reasons = Reasons::new();
    if !field::is_there(field, unit) && !waits(field, unit) {
        let away = field.unit(unit).whereabouts == Whereabouts::OffTable && facts(field, unit).part.is_none();
        if away {
            reasons.push((Clause::NoDustNoTroops, "it is off the table, and nobody has called it on"));
            reasons.push((Clause::NoArrivalWithoutNotice, "it was not announced in the Morale Phase of this turn"));
        } else {
            reasons.push((Clause::OrdinaryMoves, "it is not on the table"));
        }
        return reasons;
    }
    let (own, all) = (troops(field, unit), state(field, unit));
    let turn = &own.turn;
    let whole = &all.turn;
    let mut say = |applies: bool, clause: Clause, text: &'static str| {
        if applies {
            reasons.push((clause, text));
        }
    };
    say(
        is_hidden(field.unit(unit)),
        Clause::StillWhileHidden,
        "it is hidden, and stays where it is until it shows itself",
    );
    say(field::is_routing(field, unit), Clause::OrderOfAllMoves, "it runs, and runs when routers do");
    say(field::pursued(field, unit).is_some(), Clause::OrderOfAllMoves, "it pursues, and moves when routers do");
    say(!own.contact.is_empty(), Clause::TouchingMeansFighting, "it is locked with the enemy");
    say(own.charge.is_some(), Clause::ChargersMoveAhead, "it charges: impulses are all the moves it has");
    say(turn.charged && own.charge.is_none(), Clause::OrdinaryMoves, "its charge was its move");
    say(turn.stopped, Clause::StoppedTwoInchesShort, "it was stopped before its target and moves no more");
    say(turn.feinted, Clause::AfterAFeint, "it broke its charge off and moves no more");
    say(turn.evaded, Clause::HowToEvade, "it has got out of the way, and that was its move");
    say(whole.rallied, Clause::FacingAboutOnceRallied, "it has only just been brought to a halt");
    let lying = by_book(field, Clause::GettingUpAgain, Clause::HaltedByFire);
    say(all.to_ground, lying, "it lies on the ground and has to rally before it gets up");
    let caught = field::chargers(field, unit);
    let taken = caught.iter().any(|by| troops(field, *by).charge.as_ref().is_some_and(|charge| charge.caught));
    say(taken, Clause::CaughtAtShortDistance, "it is caught by a charge at short distance");
    say(
        !caught.is_empty() && !taken,
        Clause::TargetsTestOnceAllHaveMoved,
        "it is charged, and has chosen how to meet it",
    );
    say(turn.moved, Clause::OrdinaryMoves, "it has moved this turn");
    say(turn.worked, Clause::OrdinaryMoves, "it works, and does nothing else");
    say(own.attached.is_some(), Clause::OrdinaryMoves, "it goes with the unit it has joined");
    say(own.crew_away, Clause::GunsAreLeftStanding, "nobody is with the guns");
    let holders = facts(field, unit).part_kind() == Some(Part::Holders);
    say(
        holders,
        by_book(field, Clause::SkirmishingOnFootIron, Clause::WhereTheHorsesWait),
        "the horses stay where they were left",
    );
    reasons
}

/// Whether a unit has a normal move left; cheap.
pub fn may_move(field: &Field, unit: UnitId) -> bool {
    let own = troops(field, unit);
    // What is written on its own sheet is asked before what others are about.
    let done = own.turn.moved || own.turn.worked || own.charge.is_some() || own.attached.is_some();
    !done && objections(field, unit).is_empty()
}

/// Whether a unit may not get nearer to any enemy, and why.
pub fn keeps_off(field: &Field, unit: UnitId) -> Option<(Clause, &'static str)> {
    let turns = [&troops(field, unit).turn, &state(field, unit).turn];
    if turns.iter().any(|turn| turn.halted) {
        return Some((Clause::HaltedByFire, "it was halted by fire and goes no nearer to any enemy it sees"));
    }
    let failed = turns.iter().any(|turn| turn.charge_failed);
    failed.then_some((
        Clause::TheChargeThatNeverStarts,
        "its charge never started: it goes no nearer to any enemy it sees",
    ))
}

/// What its kind of battery may do in one turn (C-14b).
pub fn acts(field: &Field, battery: UnitId) -> &BatteryActs {
    let table = &field.charts().battery;
    let facts = facts(field, battery);
    if facts.is(Trait::Siege) {
        &table.siege
    } else if facts.is(Trait::Horse) && !evolution::short_of_horses(field, battery) {
        &table.horse
    } else {
        &table.foot
    }
}

/// Whether enough gunners are left to push every gun: a gun without them would stay behind.
pub fn can_push(field: &Field, battery: UnitId) -> bool {
    let least = figure(field.charts().damage.least_crew);
    troops(field, battery).guns.iter().all(|gun| u32::from(gun.crew) >= least)
}

/// Whether a side has anything left to order in this step.
pub fn has_choice(field: &Field, side: Side) -> bool {
    let general = field.commanders().any(|(id, general)| {
        field.muster().commander(id).side == side
            && general.is_present()
            && general.own.health == Health::Fit
            && !general.own.moved
            && !general.own.routing
            && !general.own.unhorsed
    });
    general
        || field.units().any(|(id, unit)| {
            unit.side == side
                && (is_hidden(unit)
                    || may_return(field, id)
                    || (may_move(field, id) && facts(field, id).part_kind() != Some(Part::Holders)))
        })
}

/// Whether a unit that evaded off the table may come back this turn.
pub fn may_return(field: &Field, unit: UnitId) -> bool {
    let wait = figure(field.charts().constant.evader_back);
    let off = troops(field, unit).evaded_off;
    !field::is_there(field, unit) && off.is_some_and(|(turn, _)| u32::from(field.turn()) >= u32::from(turn) + wait)
}

/// Why a unit may not lie down.
pub fn ground_objections(field: &Field, unit: UnitId) -> Reasons {
    let clause = by_book(field, Clause::LyingDownByChoice, Clause::HaltedByFire);
    let mut reasons = Reasons::new();
    if !field.charts().switch.to_ground.value {
        reasons.push((clause, "this book knows no going to ground"));
    }
    let facts = facts(field, unit);
    let foot = matches!(facts.arm, Arm::Infantry | Arm::Cavalry) && field::is_foot(field, unit);
    if !foot {
        reasons.push((clause, "only infantry goes to ground"));
    }
    if facts.part.is_some() {
        reasons.push((clause, "the whole unit lies down, not a part of it"));
    }
    reasons.extend(objections(field, unit));
    reasons
}
