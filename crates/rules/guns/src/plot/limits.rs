//! Who may move at all, and how near worn troops go: R37, R49, R51, R73, D2.

use crate::clause::Clause;
use crate::field::{self, Field, facts, is_there, troops};
use crate::formation::{Formation, Shape};
use crate::nearby::Nearby;
use crate::sight;
use engine::{Side, UnitId};
use table::{Length, Quad, SLACK, Vec2};

/// A reason.
pub type Reason = (Clause, String);

/// A unit's name for people.
pub fn name(field: &Field, unit: UnitId) -> &str {
    &field.card(unit).name
}

fn because(clause: Clause, text: &str) -> Option<Reason> {
    Some((clause, text.to_owned()))
}

/// Why a unit does nothing of its own will, whatever it is told.
pub fn helpless(field: &Field, unit: UnitId) -> Option<Reason> {
    let reforms = || because(Clause::StandStill, "it stands still to reform");
    stuck(field, unit).or_else(|| if troops(field, unit).reforming { reforms() } else { None })
}

/// The same, reforming left aside.
pub fn stuck(field: &Field, unit: UnitId) -> Option<Reason> {
    let own = troops(field, unit);
    if !is_there(field, unit) {
        return because(Clause::UnitFinished, "it is not on the table");
    }
    if own.broken {
        return because(Clause::GoesOnRetiring, "it is broken and does nothing but retire");
    }
    if !own.locked.is_empty() {
        return because(Clause::FightInside, "it is locked in close combat");
    }
    None
}

/// Why a unit may not move by order; a charge of a unit that rode through is looked at elsewhere.
pub fn idle(field: &Field, unit: UnitId) -> Option<Reason> {
    let own = troops(field, unit);
    if let Some(reason) = helpless(field, unit) {
        return Some(reason);
    }
    if own.disorder.combat {
        return because(Clause::DisorderedDeaf, "it is disordered and answers no order");
    }
    if own.falls_back {
        return because(Clause::FallsBackAgain, "it is falling back");
    }
    if !responds(field, unit) {
        if !field::may_advance_by_status(field, unit) {
            return because(Clause::RetiringNeedsDie, "even to retire it needs its brigade's die");
        }
        return because(Clause::UnactivatedFights, "it was given no order it answers: it may only fire and fight");
    }
    None
}

/// Whether a unit obeys its brigade's order; a screen does if one of its battalions does.
pub fn responds(field: &Field, unit: UnitId) -> bool {
    let own = troops(field, unit);
    own.bound.responds || (facts(field, unit).screen && own.parents.iter().any(|id| troops(field, *id).bound.responds))
}

/// Whether a unit is too worn to charge and therefore keeps its distance: foot with something to fire (R73).
pub fn keeps_off(field: &Field, unit: UnitId) -> Option<Length> {
    let facts = facts(field, unit);
    let worn = !field::may_charge_by_status(field, unit) && !facts.screen;
    (worn && field::is_foot(field, unit) && facts.weapon.fires()).then_some(facts.weapon.extreme)
}

/// The formed enemy a worn unit would be too near to, if it went there: nearer than its own range, and nearer than
/// before.
pub fn too_near(field: &Field, unit: UnitId, before: &[Quad], after: &[Quad], enemies: &Nearby) -> Option<UnitId> {
    let range = keeps_off(field, unit)?;
    let around = after.first()?;
    let spread = Length::from_um(field.unit(unit).quad().radius * 2.0);
    let near = enemies.around(around, range + spread);
    near.map(|(id, _)| id).find(|id| {
        field::is_formed(field, *id) && {
            let theirs = field::elements(field, *id);
            let gap = field::gap_of(after, &theirs);
            gap + SLACK < range
                && gap + SLACK < field::gap_of(before, &theirs)
                && sight::sees_unit(field, &eyes(after), Some(unit), *id, false)
        }
    })
}

/// Where a body looks from: the middles of its front edges.
pub fn eyes(elements: &[Quad]) -> Vec<Vec2> {
    elements.iter().map(|quad| quad.corners[0].lerp(quad.corners[1], 0.5)).collect()
}

/// Whether a worn unit in column stands in range of formed enemies, so that it has to shake out (R73).
pub fn must_shake_out(field: &Field, unit: UnitId, enemies: &Nearby) -> Option<Formation> {
    let column = matches!(field::formation(field, unit).shape, Shape::Assault | Shape::Route);
    let range = keeps_off(field, unit).filter(|_| column)?;
    if idle(field, unit).is_some() || troops(field, unit).pinned {
        return None;
    }
    let own = field::elements(field, unit);
    let near = enemies.around(field.unit(unit).quad(), range).any(|(id, _)| {
        field::is_formed(field, id)
            && field::gap_of(&own, &field::elements(field, id)) <= range + SLACK
            && sight::sees_unit(field, &eyes(&own), Some(unit), id, false)
    });
    near.then(|| Formation::usual(Shape::Line))
}

/// The way a brigade's duty points: toward the enemy's baseline, or home where it is told to withdraw (R48, R49).
pub fn duty_way(field: &Field, unit: UnitId) -> Vec2 {
    let side = field.side_of(unit);
    let ahead = field::forward(field, side);
    if field::brigade(field, unit).is_some_and(|brigade| is_withdrawing(field, brigade)) { ahead * -1.0 } else { ahead }
}

fn is_withdrawing(field: &Field, brigade: engine::CommandId) -> bool {
    use crate::order::Posture;
    let order = field.ledger().brigades.get(brigade.index()).and_then(|record| record.order);
    field.settings().withdraw_orders && order.is_some_and(|order| order.posture == Posture::Withdraw)
}

/// Progress toward the enemy's baseline, whatever the order.
pub fn advance_of(field: &Field, side: Side, from: Vec2, to: Vec2) -> Length {
    Length::from_um((to - from).dot(field::forward(field, side)))
}
