//! The end of a turn: disruption comes off, degradation stays. P5 of section D, R83, R84.

use super::Fpw;
use super::charts::plain;
use super::clause::Clause;
use super::event::{FpwEvent, MarkCause};
use super::field::{Field, facts, soldiers, troops};
use super::hidden;
use super::unit::Quality;
use engine::{Event, Pool, Reckoning, Side, Umpire, UnitId};

/// A die for every disruption marker on the side's units, unit by unit in roster order, stand by stand.
pub fn recover(umpire: &mut Umpire<'_, Fpw>, side: Side) {
    for unit in disrupted(umpire.state(), side) {
        recover_unit(umpire, unit, side);
    }
}

/// Units with something to throw for; the markers of a stand that has joined another unit are thrown for there.
fn disrupted(field: &Field, side: Side) -> Vec<UnitId> {
    let units = troops(field, side)
        .filter(|(id, unit)| unit.own.disruption() > 0 && unit.own.host.is_none() && !facts(field, *id).is_scout());
    units.map(|(id, _)| id).collect()
}

fn recover_unit(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, side: Side) {
    let quality = facts(umpire.state(), unit).quality;
    let mut stands = soldiers(umpire.state(), unit).stands.clone();
    let (reckoning, needed) = reckon(umpire.state(), quality);
    let dice = soldiers(umpire.state(), unit).disruption().min(u32::from(u8::MAX)) as u8;
    let roll = umpire.roll(Pool::d6(dice), side);
    let mut pips = roll.pips.iter();
    let mut removed: i8 = 0;
    for stand in &mut stands {
        let gone = pips.by_ref().take(usize::from(stand.disruption)).filter(|pip| i32::from(**pip) >= needed).count();
        stand.disruption -= gone as u8;
        removed = removed.saturating_add(gone as i8);
    }
    let marks = FpwEvent::Marks { unit, cause: MarkCause::Recovery, stands, disruption: -removed, degradation: 0 };
    let event = Event::own(Clause::RecoveryRolls, marks).also(Clause::RecoveryScore);
    let degraded = soldiers(umpire.state(), unit).degradation() > 0;
    let event = event.also_if(degraded, Clause::NeverRecovered);
    hidden::announce(umpire, unit, event.rolled(roll).because(reckoning));
}

/// The sum a die must come to, and the lowest face that does.
fn reckon(field: &Field, quality: Quality) -> (Reckoning, i32) {
    let need = plain(field.charts().recovery.need);
    let mut reckoning = Reckoning::new();
    reckoning.look(Clause::RecoveryScore, "score needed", need);
    let modifier = field.charts().recovery_of(quality);
    if let Some(modifier) = modifier {
        match quality {
            Quality::Landwehr => reckoning.add(Clause::LandwehrRecovery, "landwehr", modifier),
            _ => reckoning.add(Clause::EliteRecovery, "elite", modifier),
        };
    }
    (reckoning, need.value - modifier.map_or(0, |modifier| modifier.value))
}
