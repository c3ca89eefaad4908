//! Fire under orders: who shoots at whom, and what that is worth.

use super::scene::{Field, Survey, chance};
use engine::UnitId;
use rules::fpw::aim;
use rules::fpw::field::facts;
use rules::fpw::fire;
use rules::fpw::order::{Order, Target};

/// Targets for units told to fire, and what each shot is worth.
pub struct Shoot {
    /// The lines of the order.
    pub shots: Vec<Target>,
    /// What each is worth, in points of loss.
    pub values: Vec<(UnitId, f64)>,
}

impl Shoot {
    /// As an order.
    pub fn order(self) -> Order {
        if self.shots.is_empty() { Order::Pass } else { Order::Shots { shots: self.shots } }
    }
}

/// The best targets for some units, each battery in turn minding what those before it will have done.
pub fn plan(field: &Field, survey: &Survey, units: &[UnitId]) -> Shoot {
    let mut shoot = Shoot { shots: Vec::new(), values: Vec::new() };
    let mut expected: Vec<(UnitId, f64)> = Vec::new();
    for &unit in units {
        let guns = facts(field, unit).arm.is_artillery();
        if guns {
            let mut best: Option<(f64, f64, UnitId)> = None;
            for at in fire::ordered_targets(field, unit) {
                let hits = hits_at(field, unit, Some(at), at);
                let before = expected.iter().find(|(id, _)| *id == at).map_or(0.0, |(_, hits)| *hits);
                let value = hits * survey.foe(at).map_or(0.1, |foe| foe.hit_cost(before));
                if best.is_none_or(|(known, _, _)| value > known) {
                    best = Some((value, hits, at));
                }
            }
            let Some((value, hits, at)) = best.filter(|best| best.0 > 0.0) else { continue };
            match expected.iter_mut().find(|(id, _)| *id == at) {
                Some((_, sum)) => *sum += hits,
                None => expected.push((at, hits)),
            }
            shoot.shots.push(Target { unit, at: Some(at) });
            shoot.values.push((unit, value * survey.spirit));
        } else {
            let targets = fire::ordered_targets(field, unit);
            if targets.is_empty() {
                continue;
            }
            let value: f64 = targets
                .iter()
                .map(|at| hits_at(field, unit, None, *at) * survey.foe(*at).map_or(0.1, |foe| foe.hit_cost(0.0)))
                .sum();
            if value > 0.0 {
                shoot.shots.push(Target { unit, at: None });
                shoot.values.push((unit, value * survey.spirit));
            }
        }
    }
    shoot
}

/// Hits a unit expects on a target.
fn hits_at(field: &Field, unit: UnitId, at: Option<UnitId>, target: UnitId) -> f64 {
    let shots = fire::shots_of(field, &Target { unit, at });
    let fire = aim::gather(field, target, &shots, None, None);
    fire.dice.iter().filter(|die| die.at == target).map(|die| chance(die.factor())).sum()
}
