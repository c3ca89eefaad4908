//! Who may charge at all, and whom: table D.2, A-10, A-93, A-95, A-101, A-102, A-106.

use super::name;
use crate::clause::Clause;
use crate::detachment;
use crate::field::{self, Field, facts, is_there, skirmishes, state, troops};
use crate::formation::Shape;
use crate::order::Charger;
use crate::unit::{Arm, ChargeKind, OrderState, Part};
use engine::{UnitId, Verdict};

/// All reasons why a unit may charge nobody as it stands.
pub fn able(field: &Field, kind: ChargeKind, unit: UnitId) -> Verdict {
    let mut verdict = Verdict::fine();
    if !is_there(field, unit) {
        verdict.refuse(Clause::NamingChargerAndTarget, "it is not on the table").about(unit);
        return verdict;
    }
    arm(field, unit, &mut verdict);
    condition(field, unit, &mut verdict);
    record(field, kind, unit, &mut verdict);
    verdict
}

/// Troops that never charge (days.17.2.4-c).
fn arm(field: &Field, unit: UnitId, verdict: &mut Verdict) {
    let facts = facts(field, unit);
    let refusal = match (facts.arm, facts.part_kind()) {
        (Arm::Artillery, _) => Some((Clause::GunsNeverCharge, "guns and gunners never charge")),
        (Arm::Engineers, _) => Some((Clause::NamingChargerAndTarget, "engineers do not charge")),
        (Arm::Wagon, _) => Some((Clause::NamingChargerAndTarget, "wagons do not charge")),
        (_, Some(Part::Holders)) => Some((Clause::NamingChargerAndTarget, "horse holders stay with the horses")),
        (_, Some(Part::Screen)) => Some((Clause::ASkirmishScreen, "a screen stays with its parent and charges nobody")),
        _ => None,
    };
    if let Some((clause, text)) = refusal {
        verdict.refuse(clause, text).about(unit);
    }
    if field::shape(field, unit) == Shape::Square {
        verdict.refuse(Clause::NoChargingFromSquare, "a square does not charge").about(unit);
    }
}

/// Troops in no state to charge.
fn condition(field: &Field, unit: UnitId, verdict: &mut Verdict) {
    let own = state(field, unit);
    let mut refuse = |clause: Clause, text: &'static str| {
        verdict.refuse(clause, text).about(unit);
    };
    match own.order {
        OrderState::Routing => refuse(Clause::StatesOfOrder, "it is routing"),
        OrderState::Shaken => refuse(Clause::ShakenUntilRallied, "it is shaken and has to rally first"),
        OrderState::Good | OrderState::Disordered => {}
    }
    if own.to_ground {
        refuse(Clause::GettingUpAgain, "it has gone to ground and has to get up first");
    }
    if field::pursued(field, unit).is_some() {
        refuse(Clause::OtherWaysToLoseOrder, "it is pursuing and has to be rallied first");
    }
    if !troops(field, unit).contact.is_empty() {
        refuse(Clause::NamingChargerAndTarget, "it is fighting already");
    }
    if troops(field, unit).charge.is_some() {
        refuse(Clause::NamingChargerAndTarget, "it is charging already");
    }
}

/// What it has done this turn that forbids it.
fn record(field: &Field, kind: ChargeKind, unit: UnitId, verdict: &mut Verdict) {
    let turn = &troops(field, unit).turn;
    let mut refuse = |clause: Clause, text: &'static str| {
        verdict.refuse(clause, text).about(unit);
    };
    if turn.passed_lines {
        refuse(Clause::NoChargeAfterRelief, "it took part in a passage of lines this turn");
    }
    if turn.tried_charge {
        if facts(field, unit).arm == Arm::Infantry || field::is_irregular(field, unit) {
            refuse(Clause::OneChargeForFoot, "it has tried a charge this turn already");
        }
        if kind == ChargeKind::Opportunity {
            refuse(Clause::OpportunityCharges, "it has declared a charge this turn already");
        }
    }
    if kind == ChargeKind::Declared {
        return;
    }
    if turn.feinted {
        refuse(Clause::AfterAFeint, "it feinted and moves no more this turn");
    }
    if turn.stopped || turn.rallied {
        refuse(Clause::OpportunityCharges, "it may not move again this turn");
    }
    if turn.evaded || turn.pushed {
        refuse(Clause::OpportunityCharges, "it has been driven off this turn");
    }
    if turn.halted || turn.charge_failed {
        refuse(Clause::TheChargeThatNeverStarts, "it may not go nearer to the enemy this turn");
    }
}

/// All reasons why this unit may not charge that one (D.2).
pub fn whom(field: &Field, unit: UnitId, at: UnitId) -> Verdict {
    let mut verdict = Verdict::fine();
    let target = field.unit(at);
    let clause = Clause::NamingChargerAndTarget;
    if !target.is_present() || field::is_hidden(target) || field.side_of(at) == field.side_of(unit) {
        verdict.refuse(clause, "there is no such enemy to charge").about(unit);
        return verdict;
    }
    let on_foot = !field::is_mounted(field, unit);
    if on_foot && field::is_mounted(field, at) {
        let text = format!("foot do not charge horsemen, and {} is mounted", name(field, at));
        verdict.refuse(Clause::FootDoNotChargeHorsemen, text).about(unit);
    }
    if skirmishes(field, unit) {
        skirmishers(field, unit, at, &mut verdict);
    }
    if let Some(squadron) = field::part_out(field, unit, Part::Squadron) {
        follow(field, unit, squadron, at, &mut verdict);
    }
    verdict
}

/// Skirmishers go for routers, skirmishers and guns alone (days.12.3-i, -j).
fn skirmishers(field: &Field, unit: UnitId, at: UnitId, verdict: &mut Verdict) {
    let target = facts(field, at);
    if field::is_routing(field, at) || target.is_battery() || (skirmishes(field, at) && !is_staff(field, at)) {
        return;
    }
    if field::is_formed(field, at) {
        let text = format!("skirmishers do not charge formed troops, and {} is formed", name(field, at));
        verdict.refuse(Clause::FormedTroopsAreTooMuch, text).about(unit);
    }
    let text = "skirmishers charge only routers, other skirmishers and artillery";
    verdict.refuse(Clause::WhomSkirmishersMayCharge, text).about(unit);
}

fn is_staff(field: &Field, at: UnitId) -> bool {
    matches!(facts(field, at).arm, Arm::Engineers | Arm::Wagon)
}

/// The rest of a regiment follows its squadron into the same fight, or goes nowhere (days.17.2.6-c).
fn follow(field: &Field, unit: UnitId, squadron: UnitId, at: UnitId, verdict: &mut Verdict) {
    let own = troops(field, squadron);
    let same = own.contact.contains(&at) || own.charge.as_ref().is_some_and(|charge| charge.at == at);
    if !same {
        let text = "the rest of the regiment may only follow its squadron into the same fight";
        verdict.refuse(Clause::FollowingIntoOneFight, text).about(unit);
    }
}

/// Whether a squadron of this size may be split off (days.17.2.6-a, A-106).
pub fn squadron(field: &Field, kind: ChargeKind, charger: &Charger) -> Verdict {
    let Some(stands) = charger.squadron else { return Verdict::fine() };
    let mut verdict = detachment::may_split(field, charger.unit, stands);
    if kind == ChargeKind::Opportunity {
        let text = "squadrons are sent off by declared charges only";
        verdict.refuse(Clause::ChargingWithASquadron, text).about(charger.unit);
    }
    verdict
}
