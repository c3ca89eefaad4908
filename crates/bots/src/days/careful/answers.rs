//! Answers to what the enemy does: charges met, victories followed, guns manned again.

use super::clash;
use super::scene::{Field, Scene};
use engine::UnitId;
use rules::days::assault;
use rules::days::field::{self, facts, is_mounted, troops};
use rules::days::formation::{Formation, Shape};
use rules::days::movement::limits;
use rules::days::order::Order;
use rules::days::unit::{Arm, Trait};
use table::Angle;

/// Meets a charge: skirmishers and horse guns get out of the way, foot forms square against horse or a line out of
/// column, everybody else stands.
pub fn react(scene: &Scene<'_, '_>, unit: UnitId, by: &[UnitId]) -> Order {
    let field = scene.field();
    let ridden_at = by.iter().any(|charger| is_mounted(field, *charger));
    let evades =
        field::skirmishes(field, unit) || (field::is_limbered(field, unit) && facts(field, unit).is(Trait::Horse));
    let mut wishes: Vec<Order> = Vec::new();
    if evades {
        wishes.push(Order::Evade { to: None });
    }
    if facts(field, unit).arm == Arm::Infantry {
        if ridden_at {
            wishes.push(reform(Shape::Square));
        }
        if field::shape(field, unit) == Shape::March {
            wishes.push(reform(Shape::Line));
            wishes.push(reform(Shape::Manoeuvre));
        }
    }
    wishes.push(Order::Stand);
    wishes.into_iter().find(|order| scene.allows(order)).unwrap_or(Order::Pass)
}

fn reform(shape: Shape) -> Order {
    Order::Reform { formation: Formation::usual(shape), facing: None }
}

/// A victor whose enemy is gone wheels upon the one it would beat best, or goes straight on.
pub fn go_on(scene: &Scene<'_, '_>, unit: UnitId) -> Order {
    let field = scene.field();
    let Some(most) = assault::reach_of(field, unit) else { return Order::Pass };
    let pose = field.unit(unit).pose();
    let side = field.side_of(unit);
    let promise = |by: Angle| {
        let near = field::known(field, side.other()).filter(|(id, _)| field::within(field, unit, *id, most));
        let met = near.min_by_key(|(_, enemy)| {
            let bearing = Angle::of(enemy.quad().centre - pose.at.vec()) - pose.facing;
            (bearing - by).signed().abs()
        });
        met.map_or(0.0, |(at, _)| {
            let aspect = field::aspect(field, at, pose.at.vec());
            clash::at_contact(field, unit, field::shape(field, unit), at, aspect, pose.at.vec())
        })
    };
    let best = assault::wheels(field, unit, most).into_iter().map(|by| (promise(by), by));
    let best = best.filter(|(value, _)| *value > 0.0).max_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(Order::Pass, |(_, by)| Order::GoOn { by })
}

/// Whether a unit has something to do that is no march.
pub fn has_chores(field: &Field, unit: UnitId) -> bool {
    field::is_battery(field, unit) && troops(field, unit).crew_away || limits::may_return(field, unit)
}

/// Gunners go back to their guns, evaders come back onto the table.
pub fn housekeeping(scene: &Scene<'_, '_>, unit: UnitId) -> Option<Order> {
    let field = scene.field();
    let wishes = [
        (field::is_battery(field, unit) && troops(field, unit).crew_away).then_some(Order::Man { battery: unit }),
        limits::may_return(field, unit).then_some(Order::Return { unit }),
    ];
    wishes.into_iter().flatten().find(|order| scene.allows(order))
}
