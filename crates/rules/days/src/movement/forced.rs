//! Forced marches: a whole brigade in column, far and in disorder. Section 17.4.5, A-50.

use super::carry;
use super::judge::{Judged, judge_forced};
use super::limits;
use crate::Days;
use crate::charts::reach;
use crate::clause::Clause;
use crate::event::{DaysEvent, Doing};
use crate::evolution;
use crate::field::{self, Few, Field, facts};
use crate::formation::Shape;
use crate::ground;
use crate::order::ForcedMarch;
use crate::settle;
use crate::unit::Arm;
use engine::{CommandId, Deed, Event, Side, Umpire, UnitId, Verdict};
use table::quads_overlap;

/// Units of a brigade that have to go along: all of it that stands on the table.
fn members(field: &Field, brigade: CommandId) -> Few {
    field::members(field, brigade).filter(|unit| field::is_there(field, *unit)).collect()
}

/// Judges a brigade's march, with the reasons of every unit.
pub fn check(field: &Field, side: Side, brigade: CommandId, marches: &[ForcedMarch]) -> Verdict {
    let mut verdict = Verdict::fine();
    if brigade.index() >= field.muster().command_ids().count() || marches.is_empty() {
        return Verdict::refused(Clause::TheWholeBrigadeMarches, "a whole brigade makes a forced march");
    }
    let all = members(field, brigade);
    for unit in &all {
        if !marches.iter().any(|march| march.unit == *unit) {
            verdict.refuse(Clause::TheWholeBrigadeMarches, "the whole brigade marches, or nobody").about(*unit);
        }
        if !field::parts_out(field, *unit).is_empty() {
            verdict.refuse(Clause::ForcedMarching, "men who were sent out have to be taken in first").about(*unit);
        }
    }
    let mut ends: Vec<(UnitId, field::Stands)> = Vec::new();
    for (no, march) in marches.iter().enumerate() {
        if !limits::is_own(field, side, march.unit) || !all.contains(&march.unit) {
            verdict.refuse(Clause::TheWholeBrigadeMarches, "it does not belong to that brigade").about(march.unit);
            continue;
        }
        if marches.iter().take(no).any(|other| other.unit == march.unit) {
            verdict.refuse(Clause::OrdinaryMoves, "nobody moves twice").about(march.unit);
            continue;
        }
        let judged = judge(field, march, &all);
        verdict.refusals.extend(judged.verdict.refusals);
        let stands = field::stands_at(field, march.unit, judged.end, judged.formation);
        let clash =
            |other: &field::Stands| other.iter().any(|one| stands.iter().any(|stand| quads_overlap(one, stand)));
        if let Some((other, _)) = ends.iter().find(|(_, other)| clash(other)) {
            let note = verdict.refuse(Clause::OrdinaryMoves, "two of them would stand in the same place");
            note.about(march.unit).among(vec![march.unit, *other]);
        }
        ends.push((march.unit, stands));
    }
    verdict
}

/// One unit's part of it.
fn judge(field: &Field, march: &ForcedMarch, brigade: &Few) -> Judged {
    let unit = march.unit;
    let mut judged = judge_forced(field, unit, &march.legs, brigade.clone());
    let formation = field::formation(field, unit);
    let on_foot = matches!(facts(field, unit).arm, Arm::Infantry) || !field::is_mounted(field, unit);
    let pace = evolution::pace(field, unit, formation);
    let column = match formation.shape {
        Shape::March => on_foot,
        Shape::Column | Shape::Limbered => true,
        _ => facts(field, unit).arm == Arm::Engineers,
    };
    if !column || reach(pace.forced) == table::Length::ZERO {
        judged.verdict.refuse(Clause::ForcedMarching, "it has to be in column of march, and fit for it").about(unit);
    }
    judged
}

/// Carries it out, one unit after another, as they were named. Enemies and woods nobody knew of stop a unit like any that
/// marches; whoever cannot go as he was told because of that stays where he is.
pub fn march(umpire: &mut Umpire<'_, Days>, marches: &[ForcedMarch]) {
    let all: Few = marches.iter().map(|march| march.unit).collect();
    let mut stopped = Few::new();
    for march in marches {
        let unit = march.unit;
        if !field::is_there(umpire.state(), unit) {
            continue;
        }
        let aside: Few = all.iter().copied().filter(|other| !stopped.contains(other)).collect();
        let judged = judge(umpire.state(), march, &aside);
        if !stopped.is_empty() && !judged.verdict.is_legal() {
            stopped.push(unit);
            continue;
        }
        let from = umpire.state().unit(unit).pose();
        carry::part_from_relieved(umpire, unit);
        let mut reckoning = Some(carry::reckon(&judged));
        if !carry::go(umpire, unit, &march.legs, &judged, &mut reckoning) {
            stopped.push(unit);
        }
        if !field::is_there(umpire.state(), unit) {
            continue;
        }
        umpire.announce(Event::own(Clause::ForcedMarching, DaysEvent::Did { unit, doing: Doing::Forced }));
        ground::disorder(umpire, unit, Clause::DisorderedByHardMarching);
        umpire.announce(Event::new(Clause::WearyFromMarching, Deed::Noted));
        settle::moved(umpire, unit, from);
        if field::is_there(umpire.state(), unit) {
            carry::after(umpire, unit, &judged);
        }
    }
}
