//! Chapter 4: what a pool of fire dice needs, looked up from what is true of firer and target, wherever that is known
//! from: a table, or a description in words. R08 to R11.

use super::charts::{Charts, plain};
use super::clause::Clause;
use super::event::Band;
use super::field::Cover;
use super::unit::{Class, Gun};
use engine::{Cited, Pool, Reckoning, Spread};
use smallvec::SmallVec;

/// What a pool of fire dice needs: the pure facts of a volley.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Volley {
    /// How many dice.
    pub dice: Cited<i32>,
    /// The score each must reach.
    pub need: Cited<i32>,
    /// Added to each.
    pub modifiers: SmallVec<[(Clause, &'static str, Cited<i32>); 3]>,
    /// The row of the table it comes from.
    pub row: Clause,
    /// The column.
    pub band: Band,
}

impl Volley {
    /// What is added to every die (R09).
    pub fn modifier(&self) -> i32 {
        self.modifiers.iter().map(|line| line.2.value).sum()
    }

    /// Hits of a throw: no natural hits or misses (R08).
    pub fn hits(&self, pips: &[u8]) -> u8 {
        let modifier = self.modifier();
        pips.iter().filter(|pip| i32::from(**pip) + modifier >= self.need.value).count() as u8
    }

    /// The pool.
    pub fn pool(&self) -> Pool {
        Pool::d6(self.dice.value.clamp(0, 60) as u8)
    }

    /// Exact odds of the hits: each die alone, summed.
    pub fn odds(&self) -> Spread<i32> {
        let die = Spread::of_pool(Pool::d6(1), |pips| i32::from(self.hits(pips)));
        Spread::sum_of(self.dice.value.max(0) as usize, &die)
    }

    /// The reckoning a player reads.
    pub fn reckoning(&self) -> Reckoning {
        let mut reckoning = Reckoning::new();
        reckoning.look(self.row, "dice", self.dice);
        reckoning.look(self.row, "score needed", self.need);
        for (clause, label, value) in &self.modifiers {
            reckoning.add(*clause, *label, *value);
        }
        reckoning
    }
}

/// The score a gun needs in a band; nothing where it does not reach so far.
pub fn gun_need(charts: &Charts, gun: Gun, band: Band) -> Option<Cited<i32>> {
    let needs = &charts.gun(gun).needs;
    needs.value.get(band as usize).map(|need| Cited::new(need.get(), needs.source))
}

/// What is true of a target of small arms, and of the volley.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Target {
    pub cover: Option<Cover>,
    pub skirmish: bool,
    pub failed_charge: bool,
    pub first_volley: bool,
}

/// A volley of small arms.
pub fn musketry(charts: &Charts, class: Class, band: Band, target: Target) -> Volley {
    let row = &charts.class(class).volley;
    let chart = &charts.volley.modifier;
    let mut modifiers: SmallVec<[(Clause, &'static str, Cited<i32>); 3]> = SmallVec::new();
    match target.cover {
        Some(Cover::Hard) => modifiers.push((Clause::HardCover, "target in hard cover", plain(chart.hard_cover))),
        Some(Cover::Soft) => modifiers.push((Clause::SoftCover, "target in soft cover", plain(chart.soft_cover))),
        None => {}
    }
    if target.failed_charge {
        modifiers.push((Clause::FailedChargeTarget, "target's charge failed", plain(chart.failed_charge)));
    }
    if target.first_volley {
        modifiers.push((Clause::FirstVolley, "first volley", plain(chart.first_volley)));
    }
    if target.skirmish {
        modifiers.push((Clause::SkirmishTarget, "target in skirmish order", plain(chart.skirmish_target)));
    }
    let need = if band == Band::Short { row.short } else { row.long };
    Volley { dice: plain(row.dice), need: plain(need), modifiers, row: class.volley_clause(), band }
}

/// A shot, which knows only grapeshot and skirmish order (R11); nothing where the gun does not reach so far.
pub fn gunnery(charts: &Charts, gun: Gun, band: Band, grape: bool, skirmish: bool) -> Option<Volley> {
    let row = charts.gun(gun);
    let chart = &charts.gun.modifier;
    let need = gun_need(charts, gun, band)?;
    let mut modifiers: SmallVec<[(Clause, &'static str, Cited<i32>); 3]> = SmallVec::new();
    if grape {
        modifiers.push((Clause::Grapeshot, "grapeshot", plain(chart.grapeshot)));
    }
    if skirmish {
        modifiers.push((Clause::ShotAtSkirmishers, "target in skirmish order", plain(chart.skirmish_target)));
    }
    Some(Volley { dice: plain(row.dice), need, modifiers, row: gun.clause(), band })
}
