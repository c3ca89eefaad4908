//! Who may fire, and at whom: what holds for guns and small arms alike (D2, R14, R32, R74).

use crate::clause::Clause;
use crate::field::{Field, facts, is_hidden, is_there, troops};
use crate::nearby::Nearby;
use crate::order::Shot;
use crate::unit::BoundRecord;
use crate::zone::{self, Front, Obstacle};
use engine::verdict::Mark;
use engine::{Side, UnitId, Verdict};
use smallvec::SmallVec;
use table::{Point, gap};

/// Reasons against something.
pub type Reasons = SmallVec<[(Clause, &'static str); 2]>;

/// Keeps the reasons that are true.
pub fn reasons(all: &[(bool, Clause, &'static str)]) -> Reasons {
    all.iter().filter(|reason| reason.0).map(|reason| (reason.1, reason.2)).collect()
}

/// Why a unit may not fire, whatever it has to fire with.
pub fn silence(field: &Field, unit: UnitId) -> Reasons {
    let troops = troops(field, unit);
    let BoundRecord { fired, .. } = troops.bound;
    reasons(&[
        (!is_there(field, unit), Clause::EnemyInZone, "it is not on the table"),
        (troops.broken, Clause::GoesOnRetiring, "it is broken and does nothing but retire"),
        (troops.reforming, Clause::NoFireReforming, "it stands to reform and may not fire this bound"),
        (!troops.locked.is_empty(), Clause::BothSidesReckoned, "it fights at close quarters"),
        (fired, Clause::OneCalculation, "it has fired this bound"),
    ])
}

/// Why an enemy may not be fired at, wherever it stands.
pub fn spared(field: &Field, firer: UnitId, target: UnitId) -> Reasons {
    if !is_there(field, target) || is_hidden(field.unit(target)) {
        return reasons(&[(true, Clause::EnemyInZone, "the target is not to be seen on the table")]);
    }
    let enemy = troops(field, target);
    reasons(&[
        (field.side_of(target) == field.side_of(firer), Clause::EnemyInZone, "the target is a friend"),
        (!enemy.locked.is_empty(), Clause::BothSidesReckoned, "nobody fires at troops in close combat"),
        (enemy.bound.ambushed.contains(&firer), Clause::AmbushedSilent, "it was ambushed by them this bound"),
    ])
}

/// Enemies a front bears on, in roster order.
pub fn targets(field: &Field, unit: UnitId, enemies: &Nearby) -> Vec<UnitId> {
    let mut found: Vec<UnitId> = fair_game(field, unit, enemies).collect();
    found.sort_unstable();
    found
}

/// Everybody of a side who may fire and has somebody to fire at; the enemies are put in order once for all.
pub fn all_targets(
    field: &Field,
    side: Side,
    silent: impl Fn(&Field, UnitId) -> Reasons,
) -> Vec<(UnitId, Vec<UnitId>)> {
    let enemies = Nearby::known(field, side.other());
    let able = field.present(side).map(|(id, _)| id).filter(|id| silent(field, *id).is_empty());
    able.map(|id| (id, targets(field, id, &enemies))).filter(|(_, found)| !found.is_empty()).collect()
}

/// Whether a front bears on anybody.
pub fn has_target(field: &Field, unit: UnitId, enemies: &Nearby) -> bool {
    fair_game(field, unit, enemies).next().is_some()
}

fn fair_game<'f>(field: &'f Field, unit: UnitId, enemies: &'f Nearby) -> impl Iterator<Item = UnitId> + use<'f> {
    let front = Front::of(field, unit);
    let near = enemies.around(field.unit(unit).quad(), zone::farthest(field, unit)).map(|(id, _)| id);
    near.filter(move |id| spared(field, unit, *id).is_empty() && front.bears(field, *id))
}

/// Whether a number is that of a unit of this side on the table.
pub fn is_own(field: &Field, side: Side, unit: UnitId) -> bool {
    is_known(field, unit) && field.side_of(unit) == side && is_there(field, unit)
}

/// Whether there is such a unit at all.
pub fn is_known(field: &Field, unit: UnitId) -> bool {
    unit.index() < field.muster().units.len()
}

/// Judges shots with all reasons against each.
pub fn check_shots(
    field: &Field,
    side: Side,
    shots: &[Shot],
    silent: impl Fn(&Field, UnitId) -> Reasons,
    verdict: &mut Verdict,
) {
    for (n, shot) in shots.iter().enumerate() {
        if !is_own(field, side, shot.unit) {
            verdict.refuse(Clause::EnemyInZone, "whoever fires must be a unit of yours on the table");
            continue;
        }
        if shots[..n].iter().any(|other| other.unit == shot.unit) {
            verdict.refuse(Clause::OneCalculation, "it is told to fire two times").about(shot.unit);
            continue;
        }
        for (clause, text) in silent(field, shot.unit) {
            verdict.refuse(clause, text).about(shot.unit);
        }
        check_target(field, *shot, verdict);
    }
}

fn check_target(field: &Field, shot: Shot, verdict: &mut Verdict) {
    if !is_known(field, shot.at) {
        verdict.refuse(Clause::EnemyInZone, "there is no such target").about(shot.unit);
        return;
    }
    let spared = spared(field, shot.unit, shot.at);
    for (clause, text) in &spared {
        verdict.refuse(*clause, *text).about(shot.unit);
    }
    if !spared.is_empty() || !facts(field, shot.unit).weapon.fires() {
        return;
    }
    let Some(obstacle) = Front::of(field, shot.unit).obstacle(field, shot.at) else { return };
    let (clause, text) = in_words(field, shot, obstacle);
    verdict.refuse(clause, text).about(shot.unit).at(line(field, shot));
}

fn in_words(field: &Field, shot: Shot, obstacle: Obstacle) -> (Clause, &'static str) {
    let firer = facts(field, shot.unit);
    let limited = zone::reach(field, &firer.weapon) < firer.weapon.extreme;
    match obstacle {
        Obstacle::Weapon => (Clause::FirstRankFights, "nobody in its first rank has anything to fire"),
        Obstacle::Distance if limited => (Clause::DirectLimit, "the target is beyond the limit of direct fire"),
        Obstacle::Distance => (Clause::ZoneDepth, "the target is out of range"),
        Obstacle::Sides if firer.is_battery() => {
            (Clause::BatteryTraverse, "the target is outside the traverse of the guns")
        }
        Obstacle::Sides => (Clause::ZoneSides, "the target is outside the combat zone of every element"),
        Obstacle::Sight => (Clause::EnemyInZone, "no element in front of the target has it in sight"),
    }
}

/// The line of fire, measured where measuring ahead is allowed.
fn line(field: &Field, shot: Shot) -> Mark {
    let (from, to) = (field.unit(shot.unit), field.unit(shot.at));
    let (here, there) = (from.pose().at, Point::from_vec(to.quad().centre));
    if field.settings().premeasuring {
        Mark::Measured(here, there, gap(from.quad(), to.quad()))
    } else {
        Mark::Line(here, there)
    }
}
