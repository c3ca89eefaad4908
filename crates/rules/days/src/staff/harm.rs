//! What becomes of generals and engineers: risk, wounds, capture, rout (days.14.3-a to 14.5, 17.3.5, 17.5.7, C-11).

use super::super::Days;
use super::super::charts::{Wound, plain};
use super::super::clause::Clause;
use super::super::damage;
use super::super::event::{DaysEvent, TurnStep};
use super::super::field::{self, Field, facts, is_there, stands, troops};
use super::super::hidden;
use super::super::unit::{Arm, Health, Part};
use super::command::formation_of;
use super::{evade, post};
use engine::event::Leaving;
use engine::{CommanderId, Deed, Event, Reckoning, Side, StandSet, Umpire, UnitId};
use smallvec::SmallVec;
use table::{Length, Pose, Vec2, convex, quads_touch};

/// The first steps of the six phases: wounds are counted from phase to phase.
const PHASES: [TurnStep; 6] = [
    TurnStep::Initiative,
    TurnStep::Arrivals,
    TurnStep::Shooting,
    TurnStep::FirstCharged,
    TurnStep::Routers,
    TurnStep::Surrender,
];

/// The place of a step in the turn.
fn number(step: TurnStep) -> u8 {
    TurnStep::ALL.iter().position(|one| *one == step).unwrap_or(0) as u8
}

/// The number of the first step of the phase a step belongs to.
fn phase_start(step: TurnStep) -> u8 {
    PHASES.into_iter().map(number).filter(|first| *first <= number(step)).max().unwrap_or(0)
}

/// Whether the step in progress belongs to close assault.
fn in_assault(field: &Field) -> bool {
    phase_start(field.ledger().step) >= number(TurnStep::Routers)
}

/// The generals and the engineers with a unit.
pub type Company = (SmallVec<[CommanderId; 2]>, field::Few);

/// Who is with a unit.
pub fn company_of(field: &Field, unit: UnitId) -> Company {
    (field::attached(field, unit), field::parties_with(field, unit))
}

/// Rolls for generals and engineers with a unit that lost stands to fire (once a phase) or fought (always).
pub fn risk(umpire: &mut Umpire<'_, Days>, unit: UnitId, by: Side) {
    let company = company_of(umpire.state(), unit);
    risk_of(umpire, &company, by);
}

/// The same for those who were with a unit of which nothing may be left.
pub fn risk_of(umpire: &mut Umpire<'_, Days>, (generals, parties): &Company, by: Side) {
    for general in generals.iter().copied() {
        let event = |hit| DaysEvent::AtRisk { general, hit };
        if throw(umpire, by, event) {
            wound(umpire, general, by);
        }
    }
    for party in parties.iter().copied() {
        let event = |hit| DaysEvent::PartyHit { party, hit, killed: false, pioneers: 0 };
        if throw(umpire, by, event) {
            hit_party(umpire, party, by);
        }
    }
}

/// The die that tells whether somebody with a unit is hit as well.
fn throw(umpire: &mut Umpire<'_, Days>, by: Side, event: impl Fn(bool) -> DaysEvent) -> bool {
    let (pool, need) = (umpire.charts().test.dice.value.0, plain(umpire.charts().constant.attached_hit));
    let fought = in_assault(umpire.state());
    let clause = if fought { Clause::TheirPriceForIt } else { Clause::AGeneralInTheFire };
    let mut reckoning = Reckoning::new();
    reckoning.look(clause, "hit as well from", need);
    let roll = umpire.roll(pool, by);
    let hit = roll.total() >= need.value;
    let event = Event::own(clause, event(hit)).also(Clause::RiskToAttachedStaff);
    let event = event.also_if(!fought, Clause::NotASecondHit).also_if(fought, Clause::StaffInTheThickOfIt);
    umpire.announce(event.rolled(roll).because(reckoning));
    hit
}

/// A hit on a general: the wound table.
pub fn wound(umpire: &mut Umpire<'_, Days>, general: CommanderId, by: Side) {
    let field = umpire.state();
    if !field.commander(general).is_present() {
        return;
    }
    let alone = field.commander(general).own.attached.is_none();
    let pool = field.charts().test.dice.value.0;
    let roll = umpire.roll(pool, by);
    let cell = umpire.charts().wound.general.on(roll.total().unsigned_abs() as u8);
    let happens = effect(umpire.state(), general, cell.value);
    let lost = matches!(cell.value, Wound::Away(_) | Wound::Killed);
    let clause = if alone { Clause::HitsOnLoneStaff } else { Clause::RiskToAttachedStaff };
    let event = Event::own(Clause::WhenGeneralsAreWounded, happens).also(clause).also(Clause::StaffDoNotTest);
    umpire.announce(event.also_if(lost, Clause::WithoutAGeneral).rolled(roll));
    if lost {
        umpire.announce(Event::new(Clause::WithoutAGeneral, Deed::CommanderLost { commander: general }));
    }
}

/// What a wound does to a general: turns are counted from the phase in which he was hit.
pub fn effect(field: &Field, general: CommanderId, wound: Wound) -> DaysEvent {
    let (since, step) = (field.turn(), phase_start(field.ledger().step));
    let health = match wound {
        Wound::Unhorsed => return DaysEvent::Unhorsed { general, unhorsed: true },
        Wound::Unhurt | Wound::Pioneers(_) => Health::Fit,
        Wound::Away(turns) => Health::Wounded { until: since.saturating_add(u16::from(turns)), step, since },
        Wound::Killed => Health::Killed { since },
    };
    DaysEvent::Health { general, health }
}

/// A hit on an engineer party: pioneers fall, or its officer.
pub fn hit_party(umpire: &mut Umpire<'_, Days>, party: UnitId, by: Side) {
    if !is_there(umpire.state(), party) {
        return;
    }
    let pool = umpire.charts().test.dice.value.0;
    let roll = umpire.roll(pool, by);
    let cell = umpire.charts().wound.engineers.on(roll.total().unsigned_abs() as u8);
    let pioneers = field::count(umpire.state(), party).saturating_sub(1);
    let (killed, fall) = match cell.value {
        Wound::Killed => (true, 0),
        // Where no pioneer is left the officer falls.
        Wound::Pioneers(fall) => (fall > pioneers, fall.min(pioneers)),
        Wound::Unhurt | Wound::Unhorsed | Wound::Away(_) => (false, 0),
    };
    let happens = DaysEvent::PartyHit { party, hit: true, killed, pioneers: fall };
    let alone = troops(umpire.state(), party).attached.is_none();
    let clause = if alone { Clause::HitsOnLoneStaff } else { Clause::RiskToAttachedStaff };
    hidden::announce(umpire, party, Event::own(clause, happens).also(Clause::StaffDoNotTest).rolled(roll));
    if fall > 0 && !killed {
        let left = StandSet::first(u32::from(pioneers - fall) + 1);
        hidden::announce(umpire, party, Event::new(clause, Deed::StandsLost { unit: party, left }));
    }
    if killed {
        damage::remove(umpire, party, Leaving::Destroyed);
    }
}

/// After enemies came into contact with staff on their own: captured; engineers and pioneers removed. Wagons, guns
/// without a crew and horses without their riders are taken as well (A-125, empire.9.3-d).
pub fn overrun(umpire: &mut Umpire<'_, Days>, by: UnitId) {
    let to = umpire.state().unit(by).pose();
    ridden_over(umpire, by, to);
}

/// The same after a unit came from somewhere: what stood in the way of a charge was met on it.
pub fn ridden_over(umpire: &mut Umpire<'_, Days>, by: UnitId, from: Pose) {
    let field = umpire.state();
    if !is_there(field, by) || field::is_routing(field, by) || field::is_hidden(field.unit(by)) {
        return;
    }
    let takes = matches!(facts(field, by).arm, Arm::Infantry | Arm::Cavalry);
    if !takes || facts(field, by).part_kind() == Some(Part::Holders) {
        return;
    }
    let (enemy, own) = (field.side_of(by).other(), stands(field, by));
    let charges = troops(field, by).charge.is_some();
    let back = if charges { from.at.vec() - field.unit(by).pose().at.vec() } else { Vec2::ZERO };
    let met = |stand: &table::Quad, quad: &table::Quad| convex::sweep(stand.points(), back, quad.points()).is_some();
    let reaches = |quad: &table::Quad| {
        own.iter().any(|stand| quads_touch(stand, quad) || (back.length() > 0.0 && met(stand, quad)))
    };
    let lone = |id: &CommanderId| {
        let piece = field.commander(*id);
        let theirs = field.muster().commander(*id).side == enemy;
        theirs && piece.is_present() && piece.own.attached.is_none() && reaches(piece.quad())
    };
    let generals: Vec<CommanderId> = field.muster().commander_ids().filter(lone).collect();
    let helpless = |id: UnitId| match facts(field, id).arm {
        Arm::Engineers => troops(field, id).attached.is_none(),
        Arm::Wagon => true,
        Arm::Artillery => field::is_battery(field, id) && troops(field, id).crew_away,
        Arm::Cavalry => facts(field, id).part_kind() == Some(Part::Holders),
        Arm::Infantry => false,
    };
    let prey = field::known(field, enemy).filter(|(id, unit)| {
        helpless(*id)
            && !field::surely_beyond(unit.quad(), field.unit(by).quad(), Length::from_um(back.length()) + table::SLACK)
            && stands(field, *id).iter().any(reaches)
    });
    let prey: Vec<UnitId> = prey.map(|(id, _)| id).collect();
    for general in generals {
        if !evade::try_it(umpire, general, by) {
            capture(umpire, general);
        }
    }
    for unit in prey {
        take(umpire, unit, by);
    }
}

/// A general falls into the enemy's hands.
pub fn capture(umpire: &mut Umpire<'_, Days>, general: CommanderId) {
    let since = umpire.state().turn();
    let health = Health::Captured { since };
    let event = Event::own(Clause::TakingAGeneral, DaysEvent::Health { general, health });
    umpire.announce(
        event.also(Clause::StaffRiddenDown).also(Clause::ACaptiveCostsPoints).also(Clause::StaffHaveNoFlanks),
    );
    let lost = Event::new(Clause::TakingAGeneral, Deed::CommanderLost { commander: general });
    umpire.announce(lost.also(Clause::AfterHeIsTaken));
}

/// Something that cannot fight is taken.
fn take(umpire: &mut Umpire<'_, Days>, unit: UnitId, by: UnitId) {
    if !is_there(umpire.state(), unit) {
        return;
    }
    let field = umpire.state();
    match facts(field, unit).arm {
        Arm::Engineers => {
            let pioneers = field::count(field, unit).saturating_sub(1);
            let happens = DaysEvent::PartyHit { party: unit, hit: true, killed: true, pioneers };
            umpire.announce(Event::own(Clause::StaffRiddenDown, happens));
            damage::remove(umpire, unit, Leaving::Caught);
        }
        Arm::Cavalry => damage::remove_by(umpire, unit, Leaving::Caught, Clause::LosingTheHorses),
        Arm::Artillery | Arm::Wagon | Arm::Infantry => {
            let happens = DaysEvent::Captured { unit, by: Some(by) };
            let event = Event::own(Clause::GunsAreLeftStanding, happens).also(Clause::TouchingMeansFighting);
            umpire.announce(event);
            damage::remove(umpire, unit, Leaving::Abandoned);
        }
    }
}

/// After a unit began to rout or stopped: those with it or with a part of it do the same (days.17.3.5-h).
pub fn rout_with(umpire: &mut Umpire<'_, Days>, unit: UnitId, routing: bool) {
    let mut generals = field::attached(umpire.state(), unit);
    for part in field::parts_out(umpire.state(), unit) {
        generals.extend(field::attached(umpire.state(), part));
    }
    for general in generals {
        if umpire.state().commander(general).own.routing != routing {
            let happens = DaysEvent::StaffRouts { general, routing };
            umpire.announce(Event::own(Clause::CarriedAlongInRout, happens));
        }
    }
}

/// A unit leaves the table: generals and engineers with it are on their own.
pub fn release(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    rout_with(umpire, unit, false);
    for general in field::attached(umpire.state(), unit) {
        umpire.announce(Event::own(Clause::WhatAttachedMeans, DaysEvent::Attached { general, unit: None }));
    }
    for party in field::parties_with(umpire.state(), unit) {
        umpire.announce(Event::own(Clause::WhatAttachedMeans, DaysEvent::PartyAttached { party, unit: None }));
    }
}

/// At the start of each step: wounded generals whose time is up resume command (they are put beside the nearest unit of
/// their command); unhorsed ones get a horse after a Movement Phase; nobody stays with a unit that is gone.
pub fn recover(umpire: &mut Umpire<'_, Days>) {
    let (turn, step) = (umpire.state().turn(), number(umpire.state().ledger().step));
    let generals: Vec<CommanderId> = umpire.state().muster().commander_ids().collect();
    for general in generals {
        let piece = umpire.state().commander(general);
        match piece.own.health {
            Health::Wounded { until, step: hit, .. } if (turn, step) >= (until, hit) => resume(umpire, general),
            Health::Fit if piece.is_present() => set_right(umpire, general),
            _ => {}
        }
    }
}

fn resume(umpire: &mut Umpire<'_, Days>, general: CommanderId) {
    let happens = DaysEvent::Health { general, health: Health::Fit };
    umpire.announce(Event::own(Clause::WhenGeneralsAreWounded, happens));
    let field = umpire.state();
    let (card, piece) = (field.muster().commander(general), field.commander(general));
    let units = formation_of(field, card.commands);
    let to = post::nearest(field, &units, piece.quad())
        .map_or(piece.pose, |unit| post::beside(field, unit, post::Who::General(general)));
    post::put(umpire, general, to, Clause::WhenGeneralsAreWounded);
}

fn set_right(umpire: &mut Umpire<'_, Days>, general: CommanderId) {
    let field = umpire.state();
    let staff = &field.commander(general).own;
    let with = staff.attached;
    let gone = with.is_some_and(|unit| !is_there(field, unit));
    let runs = with.is_some_and(|unit| is_there(field, unit) && field::is_routing(field, unit));
    let (routing, unhorsed) = (staff.routing, staff.unhorsed);
    let horse = unhorsed && field.ledger().step == TurnStep::Home;
    if gone {
        umpire.announce(Event::own(Clause::WhatAttachedMeans, DaysEvent::Attached { general, unit: None }));
    }
    if routing && !runs {
        let happens = DaysEvent::StaffRouts { general, routing: false };
        umpire.announce(Event::own(Clause::CarriedAlongInRout, happens));
    }
    if horse {
        let happens = DaysEvent::Unhorsed { general, unhorsed: false };
        umpire.announce(Event::own(Clause::WhenGeneralsAreWounded, happens));
    }
}
