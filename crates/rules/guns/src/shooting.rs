//! One calculation for fire and close combat (method-a to -g, R07 to R13): the table, the factors in the order of their
//! list, the die, the fraction dropped. Then what the damage does, and to whom.

pub mod declared;
pub mod judgement;
mod table;
mod truths;

use super::Guns;
use super::charts::{Charts, plain};
use super::clause::Clause;
use super::event::{Cause, GunsEvent, Manner};
use super::field::{Field, facts, formation, is_there, spacing, troops};
use super::formation::{Shape, Spacing};
use super::unit::Action;
use super::{hidden, retreat, screen, zone};
use ::table::Length;
use engine::chart::Source;
use engine::reckoning::{Fixed, Step};
use engine::{Cited, Event, FeatureId, Leaving, Reckoning, Roll, Umpire, UnitId};
use smallvec::SmallVec;
use std::borrow::Cow;
pub use truths::{Shelter, of_fire, shelter};

/// Group A in the order of its list.
const HALVES: [(Clause, &str); 6] = [
    (Clause::TargetProne, "the target lies down"),
    (Clause::TargetHardCover, "the target is in hard cover"),
    (Clause::TargetSkirmishing, "the target skirmishes"),
    (Clause::FirerMoved, "the firer used more than half its move"),
    (Clause::FirerRanging, "the guns are ranging"),
    (Clause::CounterBatteryFire, "guns at guns in battery"),
];

/// Group B in the order of its list.
const ADDS: [(Clause, &str); 9] = [
    (Clause::FirerShelled, "under artillery fire"),
    (Clause::FirerSkirmished, "under skirmish fire"),
    (Clause::TargetCharging, "the target is charging"),
    (Clause::TargetLoose, "the target is in loose order"),
    (Clause::LooseAgainstClose, "loose order against close"),
    (Clause::TargetSoftCover, "the target is in soft cover"),
    (Clause::BeyondShortRange, "beyond short range"),
    (Clause::TargetMounted, "the target is mounted"),
    (Clause::BreechLoaders, "breech-loaders"),
];

/// Group C in the order of its list.
const DOUBLES: [(Clause, &str); 2] =
    [(Clause::MagazineWeapons, "magazine weapons"), (Clause::HowitzersAtTrenches, "howitzers at trenches")];

/// The clause of each face of the die, from 1.
const FACES: [Clause; 10] = [
    Clause::DieOne,
    Clause::DieTwo,
    Clause::DieThree,
    Clause::DieFour,
    Clause::DieFiveSix,
    Clause::DieFiveSix,
    Clause::DieSeven,
    Clause::DieEight,
    Clause::DieNine,
    Clause::DieTen,
];

/// What the line of the die is called.
const THE_DIE: &str = "the die";

/// Tenths in a whole point.
const POINT: i32 = 10;

/// Figures and truths of one calculation, in the order of the list; what is true is decided by the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Calculation {
    pub status: u8,
    pub counted: u8,
    /// Group A lines that are true.
    pub halves: SmallVec<[Clause; 2]>,
    /// Group B lines that are true.
    pub adds: SmallVec<[Clause; 4]>,
    /// Group C lines that are true.
    pub doubles: SmallVec<[Clause; 1]>,
    pub disordered: bool,
}

impl Calculation {
    /// Tenths and damage for a face of the die.
    pub fn result(&self, charts: &Charts, face: u8) -> (i16, u8) {
        let tenths = self.work_out(charts, face, None);
        let damage = u8::try_from(tenths.max(0) / POINT).unwrap_or(u8::MAX);
        (i16::try_from(tenths).unwrap_or(i16::MAX), damage)
    }

    /// Everything up to the die, and the die, line by line.
    pub fn reckoning(&self, charts: &Charts, face: u8) -> Reckoning {
        let mut sheet = Reckoning::new();
        let tenths = self.work_out(charts, face, Some(&mut sheet));
        sheet.total = fixed(tenths);
        sheet
    }

    /// What counts before the die falls.
    pub fn before_the_die(&self, charts: &Charts) -> Reckoning {
        // The lowest face is as good as any: its line is left out again.
        let mut sheet = self.reckoning(charts, 1);
        sheet.lines.retain(|line| line.label != THE_DIE);
        sheet
    }

    /// The same calculation without one of the truths behind its lines.
    pub fn without(&self, line: &str) -> Calculation {
        let mut less = self.clone();
        let others = |clause: &Clause| engine::ClauseId::from(*clause).as_str() != line;
        less.halves.retain(|clause| others(clause));
        less.adds.retain(|clause| others(clause));
        less.doubles.retain(|clause| others(clause));
        less.disordered &= others(&Clause::DisorderHalves);
        less
    }

    /// Whether the table has this calculation's factor in print.
    pub fn is_in_print(&self, charts: &Charts) -> bool {
        table::tenths(charts, i32::from(self.status), u32::from(self.counted)).1
    }

    /// The one way the figures are worked, whether or not somebody wants to see the lines.
    fn work_out(&self, charts: &Charts, face: u8, mut sheet: Option<&mut Reckoning>) -> i32 {
        let mut note = |clause: Clause, label: &'static str, step: Step, tenths: i32, source: Source| {
            if let Some(sheet) = sheet.as_deref_mut() {
                sheet.line(clause.into(), Cow::Borrowed(label), step, fixed(tenths), source);
            }
        };
        let (status, counted) = (i32::from(self.status), i32::from(self.counted));
        note(Clause::StatusNow, "combat status", Step::Look, status * POINT, Source::Derived);
        note(Clause::CountElements, "counted", Step::Look, counted * POINT, Source::Derived);
        let (mut sum, printed) = table::tenths(charts, status, u32::from(self.counted));
        let (clause, source) = match printed {
            true => (Clause::LookUpFactor, charts.combat.table.source),
            // tidy: allow(the number of the ruling)
            false => (Clause::TableExtended, Source::Ours(8)),
        };
        note(clause, "combat factor", Step::Add, sum, source);
        let mut halved = false;
        for (clause, label) in HALVES.into_iter().filter(|line| self.halves.contains(&line.0)) {
            if halved {
                note(clause, label, Step::Look, 0, Source::Printed);
                continue;
            }
            halved = true;
            sum = sum.div_euclid(2);
            note(clause, label, Step::Halve, sum, Source::Printed);
        }
        for (clause, label) in ADDS.into_iter().filter(|line| self.adds.contains(&line.0)) {
            let figure = added(charts, clause);
            sum += figure.value;
            note(clause, label, Step::Add, figure.value, figure.source);
        }
        if let Some((clause, label)) = DOUBLES.into_iter().find(|line| self.doubles.contains(&line.0) && sum > 0) {
            sum *= 2;
            note(clause, label, Step::Double, sum, Source::Printed);
        }
        let (clause, figure) = die(charts, face);
        sum += figure.value;
        note(clause, THE_DIE, Step::Add, figure.value, figure.source);
        if self.disordered && sum > 0 {
            sum /= 2;
            note(Clause::DisorderHalves, "in disorder", Step::Halve, sum, Source::Printed);
        }
        sum
    }
}

/// Tenths as a reckoning writes them.
fn fixed(tenths: i32) -> Fixed {
    Fixed(tenths.saturating_mul(POINT))
}

/// The figure of a line of group B in tenths.
fn added(charts: &Charts, clause: Clause) -> Cited<i32> {
    let factor = &charts.combat.factor;
    plain(match clause {
        Clause::FirerShelled => factor.shelled,
        Clause::FirerSkirmished => factor.skirmished,
        Clause::TargetCharging => factor.charging,
        Clause::TargetLoose => factor.loose,
        Clause::LooseAgainstClose => factor.loose_v_close,
        Clause::TargetSoftCover => factor.soft_cover,
        Clause::BeyondShortRange => factor.long_range,
        Clause::TargetMounted => factor.mounted,
        Clause::BreechLoaders => factor.breech,
        _ => return Cited::derived(0),
    })
}

/// What a face of the die adds in tenths, and the clause that says so.
fn die(charts: &Charts, face: u8) -> (Clause, Cited<i32>) {
    let place = usize::from(face.saturating_sub(1));
    let faces = &charts.combat.faces;
    let value = faces.value.get(place).map_or(0, |tenths| tenths.get());
    (FACES.get(place).copied().unwrap_or(Clause::RollAdjustment), Cited::new(value, faces.source))
}

/// A calculation that has been thrown for: its damage is still to be taken.
#[derive(Clone, Debug)]
pub struct Struck {
    /// Who fired.
    pub by: UnitId,
    /// At whom.
    pub at: UnitId,
    /// Points to come off.
    pub damage: u8,
}

/// Throws for a shot and tells of it; the damage is left to the caller, who applies it when all have fired (R15).
pub fn throw(umpire: &mut Umpire<'_, Guns>, shot: &ReadyShot) -> Struck {
    let side = umpire.state().side_of(shot.by);
    let pool = umpire.charts().combat.die.value.0;
    let roll = umpire.roll(pool, side);
    let event = shot_event(umpire.state(), shot, roll);
    let damage = shot.calculation.result(umpire.charts(), event.1).1;
    hidden::announce(umpire, shot.at, event.0);
    Struck { by: shot.by, at: shot.at, damage }
}

/// A shot with all its figures, before the die.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct ReadyShot {
    pub by: UnitId,
    pub at: UnitId,
    pub manner: Manner,
    pub range: Length,
    pub calculation: Calculation,
}

/// The telling of a shot, and the face thrown.
fn shot_event(field: &Field, shot: &ReadyShot, roll: Roll) -> (Event<Guns>, u8) {
    let charts = field.charts();
    let face = u8::try_from(roll.single()).unwrap_or(u8::MAX);
    let sums = &shot.calculation;
    let (tenths, damage) = sums.result(charts, face);
    let guns_event =
        GunsEvent::Shot { by: shot.by, at: shot.at, manner: shot.manner, counted: sums.counted, tenths, damage };
    let firer = facts(field, shot.by);
    let clause = if firer.is_battery() { Clause::GunsCounted } else { Clause::OneCalculation };
    let mut event = Event::own(clause, guns_event)
        .also(Clause::ApplyTactical)
        .also(Clause::PrintedSequence)
        .also(Clause::RollAdjustment)
        .also(Clause::DropFraction)
        .also(Clause::TakenFromTarget)
        .also_if(sums.is_in_print(charts), Clause::FactorTable)
        .also_if(!sums.halves.is_empty(), Clause::HalvedOnce)
        .also_if(!sums.adds.is_empty(), Clause::EveryTrueLine)
        .also_if(firer.weapon.breech, Clause::LoaderLabels)
        .also_if(firer.is_battery(), Clause::OneCalculation)
        .also(if firer.weapon.artillery { Clause::GunRanges } else { Clause::ShortAndExtreme });
    for rapid in [firer.weapon.rapid, firer.organic_weapon.as_ref().and_then(|weapon| weapon.rapid)] {
        event = match rapid {
            Some(Action::Mechanical) => event.also(Clause::MechanicalCountsTwo),
            Some(Action::Gas) => event.also(Clause::GasCountsFour),
            None => event,
        };
    }
    let event = about_target(field, shot.at, event);
    (event.rolled(roll).because(sums.reckoning(charts, face)), face)
}

/// The clauses that say in which order a target counts as standing.
fn about_target(field: &Field, target: UnitId, event: Event<Guns>) -> Event<Guns> {
    let shape = formation(field, target).shape;
    let (declared, counts) = (shape.spacing(), spacing(field, target));
    let defending = troops(field, target).defending.is_some();
    let squeezed = !defending && counts < declared;
    event
        .also_if(shape == Shape::Limbered, Clause::LimberedIsClose)
        .also_if(shape == Shape::Deployed, Clause::DeployedIsExtended)
        .also_if(matches!(shape, Shape::Assault | Shape::Route), Clause::ColumnsAreClose)
        .also_if(defending, Clause::DefendersLoose)
        .also_if(squeezed, Clause::SqueezedOrder)
        .also_if(squeezed && declared == Spacing::Extended, Clause::ExtendedBecomesLoose)
        .also_if(squeezed && counts == Spacing::Close, Clause::LooseBecomesClose)
}

/// Announces damage: to the parents of a screen, guns of a battery, the building around a garrison when shells do it.
/// Who is finished is removed at the end of the step ([`bury`]).
pub fn damage(umpire: &mut Umpire<'_, Guns>, firer: UnitId, target: UnitId, points: u8, cause: Cause) {
    let field = umpire.state();
    if points == 0 || !is_there(field, target) {
        return;
    }
    if facts(field, target).screen {
        for (parent, share) in screen::losses(field, target, firer, points) {
            take(umpire, parent, share, cause, true);
        }
        return;
    }
    let building = if cause == Cause::Shells { zone::occupied(field, target) } else { None };
    take(umpire, target, points, cause, false);
    if let Some(feature) = building {
        hit_building(umpire, target, feature, points);
    }
}

/// Strikes points off one unit's track.
fn take(umpire: &mut Umpire<'_, Guns>, unit: UnitId, points: u8, cause: Cause, from_screen: bool) {
    let field = umpire.state();
    let points = points.min(troops(field, unit).status);
    if points == 0 {
        return;
    }
    let battery = facts(field, unit).is_battery();
    let clause = if from_screen { Clause::ScreenLosses } else { Clause::DamageStrikesOff };
    let event = Event::own(clause, GunsEvent::Damage { unit, points, cause })
        .also_if(from_screen, Clause::DamageStrikesOff)
        .also(Clause::ElementsStay)
        .also_if(battery, Clause::BatteryLosesStatus)
        .also_if(battery, Clause::BatteryLosesGuns);
    hidden::announce(umpire, unit, event);
}

/// The houses suffer as much as the men in them, and burn when nothing is left of them (R69).
fn hit_building(umpire: &mut Umpire<'_, Guns>, unit: UnitId, feature: FeatureId, points: u8) {
    let field = umpire.state();
    let standing = field.ledger().buildings.iter().find(|building| building.feature == feature && !building.ablaze);
    let Some(building) = standing else { return };
    let points = u16::from(points).min(building.status);
    let ablaze = points >= building.status;
    let event = Event::own(Clause::BuildingDamaged, GunsEvent::BuildingHit { feature, points, ablaze })
        .also(Clause::ShelledGarrison)
        .also_if(ablaze, Clause::BuildingAblaze);
    hidden::announce(umpire, unit, event);
}

/// Removes every unit whose status is used up (R85); call it when a step's damage has been applied.
pub fn bury(umpire: &mut Umpire<'_, Guns>) {
    let finished: Vec<UnitId> =
        umpire.state().units().filter(|(id, _)| is_finished(umpire.state(), *id)).map(|(id, _)| id).collect();
    for unit in finished {
        // The end of one unit may have taken another with it.
        if !is_there(umpire.state(), unit) {
            continue;
        }
        let lent = troops(umpire.state(), unit).lent;
        retreat::remove(umpire, unit, Leaving::Destroyed, Clause::UnitFinished);
        if lent {
            screen::orphan(umpire, unit);
        }
    }
}

/// Whether nothing is left of a unit's status, or of its guns (R65). A screen lives on its battalions.
fn is_finished(field: &Field, unit: UnitId) -> bool {
    let (facts, troops) = (facts(field, unit), troops(field, unit));
    let worn_out = troops.status == 0 || (facts.is_battery() && troops.guns == 0);
    is_there(field, unit) && !facts.screen && worn_out
}

/// The status a unit fires with: its own, or the mean of a screen's battalions (R61).
pub fn status(field: &Field, unit: UnitId) -> u8 {
    if facts(field, unit).screen { screen::status(field, unit) } else { troops(field, unit).status }
}

#[cfg(test)]
#[path = "shooting/tests/drill.rs"]
mod drill;
#[cfg(test)]
#[path = "shooting/tests/range.rs"]
mod range;
#[cfg(test)]
#[path = "shooting/tests/salvoes.rs"]
mod salvoes;
#[cfg(test)]
pub(super) mod tests;
