//! Judging distance. Nobody may measure before an act is committed (E.2), so every distance this player weighs for
//! fire, charge or shell comes through here: the truth with the error of a practised eye.

use super::scene::Field;
use engine::{CommanderId, Lots, UnitId};

/// Micrometres in an inch.
pub const INCH: f64 = 25_400.0;

/// A piece one looks from or at.
#[derive(Clone, Copy)]
pub enum Spot {
    /// A unit.
    Unit(UnitId),
    /// A commander.
    Commander(CommanderId),
}

/// The player's eye. An error is drawn once for a pair and a turn: looking twice does not make it smaller.
#[derive(Clone)]
pub struct Eye {
    lots: Lots,
    errors: Vec<(u32, f32)>,
    units: usize,
    pieces: usize,
    glance: u32,
    /// Deviation of the error as a share of the distance; nothing where the tape may be laid.
    deviation: f64,
}

impl Eye {
    /// An eye with errors of its own.
    pub fn new(lots: Lots) -> Eye {
        Eye { lots, errors: Vec::new(), units: 0, pieces: 0, glance: 0, deviation: 0.0 }
    }

    /// Looks over the field anew: errors of the last glance are forgotten.
    pub fn refresh(&mut self, field: &Field) {
        let (units, officers) = (field.muster().units.len(), field.muster().commanders.len());
        self.glance += 1;
        self.units = units;
        self.pieces = units + officers;
        self.errors.resize(self.pieces * self.pieces, (0, 0.0));
        let percent = field.charts().estimate.error_percent.value.get();
        self.deviation = if field.settings().no_premeasuring { f64::from(percent) / 100.0 } else { 0.0 };
    }

    fn index(&self, spot: Spot) -> usize {
        match spot {
            Spot::Unit(id) => id.index(),
            Spot::Commander(id) => self.units + id.index(),
        }
    }

    /// What a distance between two pieces looks like, in inches.
    pub fn judge(&mut self, from: Spot, to: Spot, truth: f64) -> f64 {
        let inches = truth / INCH;
        if self.deviation <= 0.0 {
            return inches;
        }
        let place = self.index(from) * self.pieces + self.index(to);
        let (lots, glance, deviation) = (&mut self.lots, self.glance, self.deviation);
        let Some(slot) = self.errors.get_mut(place) else { return inches };
        if slot.0 != glance {
            *slot = (glance, (lots.normal() * deviation) as f32);
        }
        inches * (1.0 + f64::from(slot.1))
    }

    /// How likely a distance that looks like this is no more than a reach, both in inches.
    pub fn within(&self, looks: f64, reach: f64) -> f64 {
        if self.deviation <= 0.0 || reach <= 0.0 {
            return if looks <= reach + 0.004 { 1.0 } else { 0.0 };
        }
        1.0 - below((looks / reach - 1.0) / self.deviation)
    }
}

/// The share of a normal error below so many deviations, by table: no logarithm rounds alike everywhere.
fn below(deviations: f64) -> f64 {
    const HALVES: [f64; 11] = [0.006, 0.023, 0.067, 0.159, 0.309, 0.5, 0.691, 0.841, 0.933, 0.977, 0.994];
    let at = (deviations * 2.0 + 5.0).clamp(0.0, 9.999);
    let left = at as usize;
    match (HALVES.get(left), HALVES.get(left + 1)) {
        (Some(low), Some(high)) if deviations > -2.5 && deviations < 2.5 => low + (high - low) * (at - left as f64),
        _ if deviations < 0.0 => 0.0,
        _ => 1.0,
    }
}
