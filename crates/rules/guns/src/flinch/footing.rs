//! The sum a unit tests against, line by line (flinch-c to -q, R23 to R27).

use super::super::charts::{Charts, Pair, plain};
use super::super::clause::Clause;
use super::super::field::{self, Field, Ground};
use super::super::formation::{Shape, Spacing};
use super::super::settings::FlinchDamage;
use super::super::unit::ChargeStage;
use super::perimeter;
use engine::{Cited, Reckoning, UnitId};

/// How a unit stands when it is tested.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Footing {
    pub status: u8,
    /// Cavalry in the saddle reads the second column.
    pub horse: bool,
    pub first_charge: bool,
    pub column: bool,
    pub led: bool,
    pub loose: bool,
    pub outnumbers: bool,
    pub barricade: bool,
    pub volleyed: bool,
    pub rough: bool,
    pub shelled: bool,
    pub skirmished: bool,
    /// Points that count again beside the status they have already lowered (R23).
    pub damage: u8,
    pub retirements: u8,
    pub disordered: bool,
}

impl Footing {
    /// The sum; lines that change nothing are left out.
    pub fn reckoning(&self, charts: &Charts) -> Reckoning {
        let table = &charts.flinch;
        let lines: [(Clause, &'static str, &Pair, u8); 13] = [
            (Clause::FirstCharge, "first charge of the battle", &table.first_charge, self.first_charge.into()),
            (Clause::FlinchColumn, "in assault column", &table.column, self.column.into()),
            (Clause::LedByGeneral, "led by its general", &table.led, self.led.into()),
            (Clause::FlinchLoose, "in loose order", &table.loose, self.loose.into()),
            (Clause::Outnumbering, "the chargers are more", &table.outnumber, self.outnumbers.into()),
            (Clause::FlinchBarricade, "behind a perimeter of its own", &table.barricade, self.barricade.into()),
            (Clause::FormedFireReceived, "shot at by formed foot", &table.volleyed, self.volleyed.into()),
            (Clause::PathCrossesRough, "stream or rough ground in the path", &table.rough, self.rough.into()),
            (Clause::FlinchShelled, "under artillery fire", &table.shelled, self.shelled.into()),
            (Clause::FlinchSkirmished, "under skirmish fire", &table.skirmished, self.skirmished.into()),
            (Clause::FlinchDamage, "points lost", &table.damage, self.damage),
            (Clause::FlinchRetirements, "bounds in which it retired", &table.retired, self.retirements),
            (Clause::FlinchDisordered, "disordered", &table.disordered, self.disordered.into()),
        ];
        let mut reckoning = Reckoning::new();
        reckoning.add(Clause::FlinchStatus, "combat status", Cited::derived(i32::from(self.status)));
        for (clause, label, pair, times) in lines {
            let figure = if self.horse { pair.horse } else { pair.foot };
            let value = plain(figure).map(|each| each * i32::from(times));
            if value.value != 0 {
                reckoning.add(clause, label, value);
            }
        }
        reckoning
    }

    /// How a unit of the battle stands now. `at`: whom it charges or storms.
    pub fn of(field: &Field, unit: UnitId, at: Option<UnitId>) -> Footing {
        let (facts, troops) = (field::facts(field, unit), field::troops(field, unit));
        let horse = facts.is_mounted(troops);
        let damage = match field.settings().flinch_damage {
            FlinchDamage::Cumulative => troops.damage(facts),
            FlinchDamage::ThisBound => troops.bound.damage,
        };
        Footing {
            status: troops.status,
            horse,
            first_charge: troops.charge.is_some() && troops.charges <= 1,
            column: field::formation(field, unit).shape == Shape::Assault,
            led: is_led(field, unit),
            loose: field::spacing(field, unit) == Spacing::Loose,
            outnumbers: at.is_some_and(|at| outnumber(field, unit, at)),
            barricade: !horse && perimeter::holds(field, unit).is_some(),
            volleyed: troops.bound.volleyed,
            rough: at.is_some_and(|at| crosses_rough(field, unit, at)),
            shelled: troops.bound.shelled,
            skirmished: troops.bound.skirmished,
            damage,
            retirements: troops.retirements,
            disordered: troops.disorder.any(),
        }
    }
}

/// Whether the general who was to lead the charge still does (R70).
fn is_led(field: &Field, unit: UnitId) -> bool {
    let charge = field::troops(field, unit).charge.as_deref();
    charge.and_then(|charge| charge.led_by).is_some_and(|general| {
        let staff = &field.commander(general).own;
        staff.is_fit() && staff.attached == Some(unit)
    })
}

/// Elements that count when numbers are compared: as deployed, without what is out in a screen; two guns are one (R24).
pub fn numbers(field: &Field, unit: UnitId) -> u32 {
    let (facts, troops) = (field::facts(field, unit), field::troops(field, unit));
    if facts.is_battery() {
        return u32::from(facts.guns).div_ceil(2);
    }
    let elements = if facts.screen { field::count(field, unit) } else { facts.elements };
    u32::from(elements.saturating_sub(u8::from(troops.lent)))
}

/// Whether all who go in against an enemy are enough more than he (R24).
fn outnumber(field: &Field, unit: UnitId, at: UnitId) -> bool {
    let goes_in = |id: UnitId| {
        let troops = field::troops(field, id);
        let charges = troops.charge.as_deref().is_some_and(|charge| {
            charge.at == at && matches!(charge.stage, ChargeStage::Tested | ChargeStage::Passed | ChargeStage::Home)
        });
        (charges || troops.locked.contains(&at)) && field::may_charge_by_status(field, id)
    };
    let side = field.side_of(unit);
    let attackers = field.present(side).filter(|(id, _)| *id == unit || goes_in(*id)).map(|(id, _)| numbers(field, id));
    outnumbers(field.charts(), attackers.sum(), numbers(field, at))
}

/// Whether so many are enough more than so many.
pub fn outnumbers(charts: &Charts, attackers: u32, defenders: u32) -> bool {
    let share = &charts.flinch.outnumber_share.value;
    let figure = |no: usize| share.get(no).map_or(1, |figure| figure.get().unsigned_abs());
    defenders > 0 && attackers * figure(1) >= defenders * figure(0)
}

/// Whether the way it has come and has yet to go leads over a stream or rough ground. Charges run straight after one
/// wheel (R22), so the way behind is the straight one.
fn crosses_rough(field: &Field, unit: UnitId, at: UnitId) -> bool {
    let piece = field.unit(unit);
    let begun = piece.own.charge.as_deref().and_then(|charge| charge.from);
    // What the way cost is more than its length where ground was paid for.
    let back = begun.map_or(piece.own.bound.used, |from| from.distance(piece.pose().at));
    let ahead = field::gap(field, unit, at);
    let forward = piece.pose().forward();
    let start = piece.quad().shifted(forward * -back.as_f64());
    let by = forward * (ahead + back).as_f64();
    let bad = |kind| matches!(field::ground(kind), Ground::Stream | Ground::Rough);
    field.ground().features.iter().any(|feature| bad(feature.kind) && !feature.shape.sweep(&start, by).is_empty())
}
