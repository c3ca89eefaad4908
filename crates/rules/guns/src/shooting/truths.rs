//! Which lines of the list are true for a shot (A6.3), cover among them (R76).

use super::{Calculation, status};
use crate::clause::Clause;
use crate::event::Manner;
use crate::field::{
    Cover, Field, cover_of, defended, facts, is_deployed, is_foot, is_mounted, is_trench, skirmishes, spacing, troops,
};
use crate::formation::Spacing;
use crate::unit::ChargeStage;
use crate::zone;
use engine::UnitId;
use smallvec::SmallVec;
use table::{Length, SLACK};

/// The cover of a target against one firer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Shelter {
    pub soft: bool,
    pub hard: bool,
}

/// The cover a unit has against fire from another: that of the area it holds or stands in, and that of the wall it
/// lines where the line of fire crosses it (R76).
pub fn shelter(field: &Field, firer: UnitId, target: UnitId) -> Shelter {
    let mut shelter = Shelter::default();
    let mut gives = |cover: Cover| match cover {
        Cover::Soft => shelter.soft = true,
        Cover::Hard => shelter.hard = true,
    };
    zone::area_cover(field, target).for_each(&mut gives);
    if let Some((_, feature)) = defended(field, target) {
        let line = (field.unit(firer).pose().at.vec(), field.unit(target).quad().centre);
        let crossed = !feature.shape.is_line() || !feature.shape.clip(line).is_empty();
        cover_of(feature.kind).filter(|_| crossed).into_iter().for_each(&mut gives);
    }
    shelter
}

/// The calculation of a unit firing at another, everything as it stands now. `manner` says under which rules.
pub fn of_fire(
    field: &Field,
    firer: UnitId,
    target: UnitId,
    manner: Manner,
    counted: u8,
    range: Length,
) -> Calculation {
    let shells = matches!(manner, Manner::Direct | Manner::Ranging | Manner::Indirect);
    let shelter = shelter(field, firer, target);
    Calculation {
        status: status(field, firer),
        counted,
        halves: halves(field, firer, target, manner, shelter),
        adds: adds(field, firer, target, shells, shelter.soft, range),
        doubles: doubles(field, firer, target, shells),
        disordered: troops(field, firer).disorder.any(),
    }
}

/// Clauses whose line is true.
fn true_lines<A: smallvec::Array<Item = Clause>>(lines: &[(bool, Clause)]) -> SmallVec<A> {
    lines.iter().filter(|line| line.0).map(|line| line.1).collect()
}

fn halves(field: &Field, firer: UnitId, target: UnitId, manner: Manner, shelter: Shelter) -> SmallVec<[Clause; 2]> {
    let shells = matches!(manner, Manner::Direct | Manner::Ranging | Manner::Indirect);
    let foot = is_foot(field, target);
    let bound = &troops(field, firer).bound;
    true_lines(&[
        (foot && troops(field, target).prone, Clause::TargetProne),
        (foot && shelter.hard && !shells, Clause::TargetHardCover),
        (foot && skirmishes(field, target), Clause::TargetSkirmishing),
        (bound.used * 2 > bound.full + SLACK, Clause::FirerMoved),
        (manner == Manner::Ranging, Clause::FirerRanging),
        (shells && is_deployed(field, target), Clause::CounterBatteryFire),
    ])
}

fn adds(
    field: &Field,
    firer: UnitId,
    target: UnitId,
    shells: bool,
    soft_cover: bool,
    range: Length,
) -> SmallVec<[Clause; 4]> {
    let weapon = &facts(field, firer).weapon;
    let (own, enemy) = (troops(field, firer), troops(field, target));
    let short = weapon.short.min(if shells { weapon.extreme } else { zone::reach(field, weapon) });
    let charging = enemy.charge.as_ref().is_some_and(|charge| charge.stage != ChargeStage::Failed);
    true_lines(&[
        (own.bound.shelled, Clause::FirerShelled),
        (!shells && own.bound.skirmished && !skirmishes(field, firer), Clause::FirerSkirmished),
        (charging, Clause::TargetCharging),
        (is_foot(field, target) && spacing(field, target) == Spacing::Loose, Clause::TargetLoose),
        (soft_cover, Clause::TargetSoftCover),
        (range > short + SLACK, Clause::BeyondShortRange),
        (is_mounted(field, target), Clause::TargetMounted),
        (weapon.breech, Clause::BreechLoaders),
    ])
}

fn doubles(field: &Field, firer: UnitId, target: UnitId, shells: bool) -> SmallVec<[Clause; 1]> {
    let weapon = &facts(field, firer).weapon;
    let entrenched = defended(field, target).is_some_and(|(_, feature)| is_trench(feature.kind));
    true_lines(&[
        // The rate of fire of rapid-fire weapons is in their number (R12).
        (!shells && weapon.magazine && weapon.rapid.is_none(), Clause::MagazineWeapons),
        (shells && weapon.howitzer && entrenched, Clause::HowitzersAtTrenches),
    ])
}
