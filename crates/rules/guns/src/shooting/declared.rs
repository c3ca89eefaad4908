//! Declared fire: who has fired, whom an ambush surprises, who is under what fire. All of it before the first die (R15).

use crate::Guns;
use crate::clause::Clause;
use crate::event::{FireKind, GunsEvent};
use crate::field::{Field, brigade, facts, is_hidden, is_mounted, skirmishes, troops};
use crate::hidden;
use crate::unit::Arm;
use engine::{Event, Umpire, UnitId};

/// Writes down that a unit fires, and springs the ambush of one that fires out of hiding (R74). `direct`: over open
/// sights.
pub fn fires(umpire: &mut Umpire<'_, Guns>, unit: UnitId, at: UnitId, direct: bool) {
    if is_hidden(umpire.state().unit(unit)) {
        hidden::reveal(umpire, unit, Clause::FreeRound);
        let ambush = GunsEvent::Ambush { unit, at };
        umpire.announce(Event::own(Clause::FreeRound, ambush).also(Clause::AmbushedSilent));
    }
    let event = fired(umpire.state(), unit, direct);
    umpire.announce(event);
}

/// The event with the clauses by which the unit may fire at all.
fn fired(field: &Field, unit: UnitId, direct: bool) -> Event<Guns> {
    let facts = facts(field, unit);
    let idle = brigade(field, unit)
        .is_some_and(|id| field.ledger().brigades.get(id.index()).is_some_and(|record| !record.activated));
    let event = Event::own(Clause::EnemyInZone, GunsEvent::Fired { unit })
        .also(Clause::ZoneDepth)
        .also_if(idle, Clause::UnactivatedFights);
    if facts.is_battery() {
        return event
            .also(Clause::BatteryTraverse)
            .also(Clause::GunCycle)
            .also(Clause::DeployedIsExtended)
            .also_if(facts.arm == Arm::RapidFire, Clause::CarriageGuns)
            .also_if(direct && facts.weapon.artillery, Clause::OpenSights)
            .also_if(direct && facts.weapon.artillery, Clause::DirectChoosesUnit)
            .also_if(direct && facts.weapon.artillery, Clause::DirectLimit);
    }
    let horse = facts.arm == Arm::Cavalry;
    let mounted = is_mounted(field, unit);
    event
        .also(Clause::ZoneSides)
        .also(Clause::FirstRankFights)
        .also_if(skirmishes(field, unit), Clause::SkirmishersExtended)
        .also_if(mounted, Clause::MountedSkirmish)
        .also_if(horse, Clause::CavalrySameMethod)
        .also_if(horse && !mounted, Clause::DismountedCavalry)
        .also_if(facts.screen, Clause::ScreenIsUnit)
        .also_if(facts.screen, Clause::ScreenActsAsOne)
        .also_if(troops(field, unit).defending.is_some(), Clause::DefendersLoose)
}

/// Puts a unit under fire of a kind, unless it is so already.
pub fn under_fire(umpire: &mut Umpire<'_, Guns>, unit: UnitId, kind: FireKind) {
    let bound = &troops(umpire.state(), unit).bound;
    let (already, clause) = match kind {
        FireKind::Shelled => (bound.shelled, Clause::FirerShelled),
        FireKind::Skirmished => (bound.skirmished, Clause::FirerSkirmished),
        FireKind::Volleyed => (bound.volleyed, Clause::FormedFireReceived),
    };
    if !already {
        hidden::announce(umpire, unit, Event::own(clause, GunsEvent::UnderFire { unit, kind }));
    }
}

/// Writes down that a charger fires on those who run before it (R28).
pub fn fires_on_breakers(umpire: &mut Umpire<'_, Guns>, unit: UnitId) {
    let again = troops(umpire.state(), unit).bound.fired;
    let event = Event::own(Clause::RetiringFiredOn, GunsEvent::Fired { unit })
        .also(Clause::FirstRankFights)
        .also_if(again, Clause::ProcessRepeated);
    umpire.announce(event);
}
