//! What is asked, by whom, and what he sees: the things every part of the player needs at hand.

use engine::{Asked, CommanderId, Ruleset, Side, UnitId, View};
use rules::awi::Awi;
use rules::awi::field::{facts, soldiers};
use rules::awi::morale;
use rules::awi::officers;
use rules::awi::order::Order;
use rules::awi::unit::{Arm, Class, Rating};

use super::eye::{Eye, INCH, Spot};

pub use rules::awi::field::Field;

/// A question in the player's hands.
pub struct Scene<'a, 'v> {
    /// What he sees.
    pub view: &'a View<'v, Awi>,
    /// The question.
    pub asked: &'a Asked<Awi>,
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
        Awi::check(self.view, self.asked, self.side, order).is_legal()
    }
}

/// What a unit is worth with so many marks, a fresh battalion of the line being 1. The last mark weighs most: victory
/// counts units lost, not marks.
pub fn worth(field: &Field, unit: UnitId, marks: u8) -> f64 {
    let card = facts(field, unit);
    weight(card.class, card.arm) * share_left(f64::from(marks), f64::from(card.marks))
}

/// How a class weighs.
pub fn weight(class: Class, arm: Arm) -> f64 {
    let class = match class {
        Class::Elite => 1.1,
        Class::Line => 1.0,
        Class::Inferior => 0.85,
        Class::Raw => 0.75,
    };
    if arm == Arm::Artillery { class * 0.9 } else { class }
}

/// The share of its worth a unit keeps with so many of its marks: every further mark lost weighs more.
pub fn share_left(marks: f64, full: f64) -> f64 {
    let left = (marks / full.max(1.0)).clamp(0.0, 1.0);
    left * (1.75 - 0.75 * left)
}

/// The chance to pass a test with so many marks and an officer's factor.
pub fn passes(field: &Field, class: Class, marks: u8, factor: i32) -> f64 {
    let trial = morale::trial_with(field, class, marks, None);
    let Some(need) = trial.need else { return 1.0 };
    let faces = i32::from(trial.die.sides.max(1));
    f64::from((faces - (need.value - factor) + 1).clamp(0, faces)) / f64::from(faces)
}

/// What officers do for a unit, as far as the eye can tell: the best factor, and whether one of the better sort has it
/// in hand.
pub fn officer_help(field: &Field, eye: &mut Eye, unit: UnitId) -> (i32, bool) {
    let reach = field.charts().officer.reach.value.0.as_inches();
    let (mut best, mut firm) = (None, false);
    for (id, officer) in field.commanders() {
        if !officer.is_present() || !officers::commands(field, id, unit) {
            continue;
        }
        let gap = table::gap(field.unit(unit).quad(), officer.quad());
        let touching = gap <= table::SLACK;
        if !touching && eye.judge(Spot::Unit(unit), Spot::Commander(id), gap.as_f64()) > reach {
            continue;
        }
        let factor = factor_of(field, id, touching);
        firm |= field.muster().commander(id).facts.rating >= Rating::Good;
        best = Some(best.map_or(factor, |known: i32| known.max(factor)));
    }
    (best.unwrap_or(0), firm)
}

/// What an officer adds, near or touching.
pub fn factor_of(field: &Field, officer: CommanderId, touching: bool) -> i32 {
    let row = field.charts().rating(field.muster().commander(officer).facts.rating);
    row.value[usize::from(touching)].get()
}

/// The chance a unit passes a test now.
pub fn steadiness(field: &Field, eye: &mut Eye, unit: UnitId) -> f64 {
    let (factor, _) = officer_help(field, eye, unit);
    passes(field, facts(field, unit).class, soldiers(field, unit).marks, factor)
}

/// The distance between two flags as it looks, in inches.
pub fn range(field: &Field, eye: &mut Eye, from: UnitId, to: UnitId) -> f64 {
    let (a, b) = (field.unit(from).pose().at.vec(), field.unit(to).pose().at.vec());
    eye.judge(Spot::Unit(from), Spot::Unit(to), a.distance(b))
}

/// Inches as micrometres.
pub fn um(inches: f64) -> f64 {
    inches * INCH
}

/// A distance of one's own measuring between two units as it looks, in inches.
pub fn range_of(eye: &mut Eye, from: UnitId, to: UnitId, truth: f64) -> f64 {
    eye.judge(Spot::Unit(from), Spot::Unit(to), truth)
}
