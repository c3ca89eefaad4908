//! Setting up: as the scenario draws the army up, but nobody in the open within reach of magazine rifles, whose fire ends
//! a battle before it has begun.

use super::scene::Scene;
use engine::{Ruleset, UnitId};
use rules::guns::Guns;
use rules::guns::deployment::as_drawn_up;
use rules::guns::field::{elements_at, facts, forward};
use rules::guns::order::{Order, Placement};
use rules::guns::victory;
use table::{Length, Pose, Quad};

/// Shares of the way back out of reach that are tried, the whole of it first.
const SHARES: [f64; 4] = [1.0, 0.75, 0.5, 0.25];
/// How often a set-up is mended before it is left as it was drawn.
const MENDINGS: usize = 4;

pub fn set_up(scene: &Scene<'_, '_>) -> Order {
    let field = scene.field();
    let Some(reach) = murderous_reach(scene) else { return Order::Pass };
    let Order::Deploy { units, commanders, observers, orders } = as_drawn_up(field, scene.side) else {
        return Order::Pass;
    };
    let mut moved: Vec<Placement> = units.iter().filter_map(|one| out_of_reach(scene, one, reach)).collect();
    for _ in 0..MENDINGS {
        let stands = |one: &Placement| moved.iter().find(|other| other.unit == one.unit).copied().unwrap_or(*one);
        let order = Order::Deploy {
            units: units.iter().map(stands).collect(),
            commanders: commanders.clone(),
            observers: observers.clone(),
            orders: orders.clone(),
        };
        let verdict = Guns::check(scene.view, scene.asked, scene.side, &order);
        if verdict.is_legal() {
            return order;
        }
        let wrong: Vec<UnitId> = verdict.refusals.iter().filter_map(|note| note.about).collect();
        moved.retain(|one| !wrong.contains(&one.unit));
    }
    Order::Pass
}

/// The range of magazine rifles, if they are about. What the enemy has is not known yet; but an army that has them
/// meets them.
fn murderous_reach(scene: &Scene<'_, '_>) -> Option<Length> {
    let field = scene.field();
    let rifles = field.muster().unit_ids().map(|id| &facts(field, id).weapon);
    rifles.filter(|weapon| weapon.magazine && !weapon.artillery).map(|weapon| weapon.extreme).max()
}

/// The same unit so far back that nobody in the enemy's zone reaches it, but not off a place that counts.
fn out_of_reach(scene: &Scene<'_, '_>, one: &Placement, reach: Length) -> Option<Placement> {
    let field = scene.field();
    let ahead = forward(field, scene.side);
    let zones = &field.muster().sides[scene.side.other()].zones;
    let edge = zones.iter().flat_map(|(low, high)| [low.vec().dot(ahead), high.vec().dot(ahead)]).reduce(f64::min)?;
    let at = |pose: Pose| elements_at(field, one.unit, pose, one.formation);
    let front = at(one.pose).iter().flat_map(|quad| quad.corners).map(|corner| corner.dot(ahead)).reduce(f64::max)?;
    let back = reach.as_f64() + Length::cm(1.0).as_f64() - (edge - front);
    if back <= 0.0 || one.defend.is_some() {
        return None;
    }
    let holds = holds(scene, &at(one.pose));
    SHARES.into_iter().find_map(|share| {
        let pose = one.pose.shifted(ahead * (-back * share));
        let there = at(pose);
        let fits = there.iter().all(|quad| field.ground().holds(quad)) && (!holds || self::holds(scene, &there));
        fits.then_some(Placement { pose, ..*one })
    })
}

/// Whether somebody who stands so holds a place that counts.
fn holds(scene: &Scene<'_, '_>, elements: &[Quad]) -> bool {
    let mut places = scene.field().muster().scenario.objectives.iter().filter_map(|place| scene.feature(place.feature));
    places.any(|place| victory::touch(place, elements))
}
