//! What is asked, by whom, what he sees, and what things are worth to him: points, as victory counts them.

use engine::{Asked, Side, UnitId, View};
use rules::days::Days;
use rules::days::field::{self, facts, is_routing, shattered_at, start, strength, troops};
use rules::days::order::Order;
use rules::days::sequence;
use rules::days::unit::{Arm, Part};

pub use rules::days::field::Field;

/// An inch, in micrometres.
pub const INCH: f64 = 25_400.0;

/// Inches as micrometres.
pub fn um(inches: f64) -> f64 {
    inches * INCH
}

/// A question in the player's hands.
pub struct Scene<'a, 'v> {
    /// What he sees.
    pub view: &'a View<'v, Days>,
    /// The question.
    pub asked: &'a Asked<Days>,
    /// Who he is.
    pub side: Side,
}

impl<'a> Scene<'a, '_> {
    /// The field as he sees it.
    pub fn field(&self) -> &'a Field {
        self.view.state()
    }

    /// Whether an order may be given.
    pub fn allows(&self, order: &Order) -> bool {
        sequence::allows(self.view, self.asked, self.side, order)
    }
}

/// The chance that a die beats a score.
pub fn passes(score: i32) -> f64 {
    f64::from((6 - score).clamp(0, 6)) / 6.0
}

/// The lesser of two figures; neither is ever no number.
pub fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two figures.
pub fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Points of a unit that can still be lost: all of it, or the half that is left of it.
pub fn stake(field: &Field, unit: UnitId) -> f64 {
    let unit = field::whole(field, unit);
    let points = f64::from(facts(field, unit).points.max(1));
    let counted = is_routing(field, unit) || field::below_half(field, unit);
    if counted { points * 0.5 } else { points }
}

/// What one hit on a unit costs its side: half its points are gone when it falls below half, the rest when it is
/// shattered, and every hit is a step on the way.
pub fn hit_worth(field: &Field, unit: UnitId) -> f64 {
    let unit = field::whole(field, unit);
    let card = facts(field, unit);
    let points = f64::from(card.points.max(1));
    match card.arm {
        Arm::Artillery => {
            let crew = f64::from(troops(field, unit).crew().max(1));
            points * 0.9 / (crew + 1.0)
        }
        Arm::Engineers | Arm::Wagon => 4.0,
        Arm::Infantry | Arm::Cavalry => {
            let (now, full) = (f64::from(strength(field, unit)), f64::from(start(field, unit)));
            let half = ((full / 2.0).ceil() - 1.0).max(0.0);
            let gone = f64::from(shattered_at(field, unit).unwrap_or(0));
            if now > half {
                points * 0.5 / (now - half + 0.7) + points * 0.02
            } else {
                points * 0.5 / (now - gone + 0.5).max(0.7)
            }
        }
    }
}

/// What so many hits on a unit are worth.
pub fn hits_worth(field: &Field, unit: UnitId, hits: f64) -> f64 {
    lesser(hits * hit_worth(field, unit), stake(field, unit))
}

/// Whether a unit is worth an order of its own: no horse holders, crews away from their guns, wagons.
pub fn is_fighter(field: &Field, unit: UnitId) -> bool {
    let card = facts(field, unit);
    matches!(card.arm, Arm::Infantry | Arm::Cavalry | Arm::Artillery)
        && !matches!(card.part_kind(), Some(Part::Holders | Part::Crew))
}
