//! Cavalry on foot, and those who hold its horses (empire.9.3-a and on, A-43, A-44).

use super::super::Days;
use super::super::charts::count as figure;
use super::super::clause::Clause;
use super::super::event::DaysEvent;
use super::super::field::{self, Field, by_book, facts, holders_kept, is_there, troops};
use super::super::hidden;
use super::super::staff::post;
use super::super::unit::{Arm, Part, Trait};
use super::split;
use engine::{Event, Umpire, UnitId, Verdict};

/// How many of so many stands hold the horses: one in four, one at least.
pub fn holders(field: &Field, stands: u8) -> u8 {
    if !holders_kept(field) {
        return 0;
    }
    let per = figure(field.charts().constant.holders_per).max(1);
    ((u32::from(stands) / per).max(1) as u8).min(stands.saturating_sub(1))
}

/// Whether a regiment may leave its horses at all: any in the one book, light ones and a few others in the other.
pub fn may_dismount(field: &Field, unit: UnitId) -> Verdict {
    let mut verdict = Verdict::fine();
    let facts = facts(field, unit);
    let skirmish = by_book(field, Clause::SkirmishingOnFootIron, Clause::SkirmishingOnFootEmpire);
    if facts.arm != Arm::Cavalry || !field::is_mounted(field, unit) {
        verdict.refuse(skirmish, "only cavalry in the saddle can dismount").about(unit);
        return verdict;
    }
    let allowed = !field.charts().switch.light_only.value || facts.is(Trait::Light) || facts.is(Trait::MayDismount);
    if !allowed {
        let clause = by_book(field, Clause::SkirmishingOnFootIron, Clause::LeavingTheHorses);
        verdict.refuse(clause, "this regiment stays in the saddle").about(unit);
    }
    if facts.part.is_some() || field::part_out(field, unit, Part::Squadron).is_some() {
        verdict.refuse(skirmish, "a regiment dismounts as a whole").about(unit);
    }
    verdict
}

/// The unit dismounts: holders stay where it was (empire.9.3-b). `mount` is the other way round.
pub fn dismount(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let field = umpire.state();
    if !is_there(field, unit) || !field::is_mounted(field, unit) {
        return;
    }
    let keep = holders(field, field::count(field, unit));
    let part = field::part(field, unit, Part::Holders).filter(|part| !is_there(field, *part) && keep > 0);
    let clause = by_book(field, Clause::SkirmishingOnFootIron, Clause::SkirmishingOnFootEmpire);
    let parted = part.zip(split::split(field, unit, keep, true));
    let mounted = DaysEvent::Mounted { unit, mounted: false };
    let event = Event::own(clause, mounted).also_if(holders_kept(field), Clause::LeavingTheHorses);
    hidden::announce(umpire, unit, event);
    if let Some((part, (stay, go))) = parted {
        split::send(umpire, unit, part, stay, go, Clause::OneInFourHoldsHorses);
        let waits = Event::new(Clause::WhereTheHorsesWait, engine::Deed::Noted);
        hidden::announce(umpire, unit, waits);
        super::super::staff::follow(umpire, unit);
    }
}

/// Whether a unit has its horses by it and may mount again.
pub fn may_mount(field: &Field, unit: UnitId) -> Verdict {
    let mut verdict = Verdict::fine();
    let skirmish = by_book(field, Clause::SkirmishingOnFootIron, Clause::SkirmishingOnFootEmpire);
    if facts(field, unit).arm != Arm::Cavalry || facts(field, unit).part.is_some() || troops(field, unit).mounted {
        verdict.refuse(skirmish, "only dismounted cavalry can mount").about(unit);
        return verdict;
    }
    if troops(field, unit).holders_lost {
        verdict.refuse(Clause::LosingTheHorses, "its horses are lost").about(unit);
        return verdict;
    }
    if let Some(holders) = field::part_out(field, unit, Part::Holders)
        && !post::units_touch(field, unit, holders)
    {
        verdict.refuse(Clause::WhereTheHorsesWait, "it has to reach its horses first").about(holders);
    }
    verdict
}

/// The unit mounts again.
pub fn mount(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let field = umpire.state();
    if !is_there(field, unit) || troops(field, unit).holders_lost {
        return;
    }
    let clause = by_book(field, Clause::SkirmishingOnFootIron, Clause::SkirmishingOnFootEmpire);
    if let Some(holders) = field::part_out(field, unit, Part::Holders)
        && !split::take_in(umpire, holders, Clause::OneInFourHoldsHorses)
    {
        return;
    }
    hidden::announce(umpire, unit, Event::own(clause, DaysEvent::Mounted { unit, mounted: true }));
}
