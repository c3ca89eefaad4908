//! Who shoots at whom, who keeps his fire back, who lays fires.

use super::Sieve;
use crate::field::{Field, anybody_charges, chargers, present, stands};
use crate::order::{Arson, Order, Reserve, Shot};
use crate::{ground, shooting};
use engine::{Lots, Side, UnitId};

/// What each unit of a side may shoot at, for those who may shoot at anything.
pub fn able(field: &Field, side: Side) -> Vec<(UnitId, Vec<Shot>)> {
    let all = present(field, side).map(|(id, _)| (id, shooting::targets(field, id)));
    all.filter(|(_, targets)| !targets.is_empty()).collect()
}

fn fire(shots: Vec<Shot>, reserve: Vec<Reserve>, arson: Vec<Arson>) -> Order {
    Order::Fire { shots, reserve, arson }
}

/// A shot at whoever is nearest.
pub fn at_will(unit: UnitId) -> Shot {
    Shot { unit, at: None, general: None, stands: None, passing: false }
}

/// A plan in which everybody who can fires at whoever is nearest.
pub fn everybody_fires(field: &Field, side: Side) -> Order {
    fire(at_the_nearest(&able(field, side)), Vec::new(), Vec::new())
}

/// A shot at will for each unit that has somebody before it.
pub fn at_the_nearest(able: &[(UnitId, Vec<Shot>)]) -> Vec<Shot> {
    let near = |shots: &[Shot]| shots.iter().any(|shot| shot.at.is_some() && !shot.passing);
    able.iter().filter(|(_, shots)| near(shots)).map(|(unit, _)| at_will(*unit)).collect()
}

/// Everybody fires; some wait for whoever charges them; some at other targets; one is silent; somebody lays a fire.
/// What is made of shots each of which is legal alone is legal, and need not be looked at again: fire is dear to judge.
pub(super) fn volleys(sieve: &mut Sieve<'_, '_>, lots: &mut Lots) {
    let (view, side) = (sieve.view, sieve.side);
    let able = able(view, side);
    let full = at_the_nearest(&able);
    let without = |unit: UnitId| full.iter().copied().filter(move |shot| shot.unit != unit).collect::<Vec<_>>();
    let keeps = |unit: UnitId| Reserve { unit, stands: None };
    if !full.is_empty() {
        sieve.trust(fire(full.clone(), Vec::new(), Vec::new()));
    }
    let random: Vec<Shot> = able.iter().filter_map(|(_, targets)| lots.pick(targets).copied()).collect();
    if !random.is_empty() {
        sieve.trust(fire(random, Vec::new(), Vec::new()));
    }
    let under = anybody_charges(view);
    let charged = present(view, side).map(|(id, _)| id).filter(|id| under && !chargers(view, *id).is_empty());
    let charged: Vec<UnitId> =
        charged.filter(|id| sieve.allows(&fire(Vec::new(), vec![keeps(*id)], Vec::new()))).collect();
    if !charged.is_empty() {
        let rest = full.iter().copied().filter(|shot| !charged.contains(&shot.unit)).collect();
        sieve.trust(fire(rest, charged.into_iter().map(keeps).collect(), Vec::new()));
    }
    if let Some(arson) = arson(view, side).filter(|_| lots.below(4) == 0) {
        let rest = full.iter().copied().filter(|shot| !arson.units.contains(&shot.unit)).collect();
        sieve.offer(fire(rest, Vec::new(), vec![arson]));
    }
    if let Some((unit, _)) = lots.pick(&able) {
        sieve.trust(fire(without(*unit), vec![keeps(*unit)], Vec::new()));
        sieve.trust(fire(without(*unit), Vec::new(), Vec::new()));
    }
}

/// One of these plans by lot; none in the rare cases that are left to [`volleys`]: where somebody is charged, or might lay
/// a fire.
pub(super) fn one(field: &Field, side: Side, lots: &mut Lots) -> Option<Order> {
    if anybody_charges(field) || lots.below(RARELY) == 0 {
        return None;
    }
    let what = lots.below(PLANS);
    if what == 0 {
        return Some(Order::Pass);
    }
    let units = present(field, side).map(|(id, _)| id);
    if what == 1 {
        let shots: Vec<Shot> = units.filter_map(|unit| shooting::some_target(field, unit, lots)).collect();
        return Some(if shots.is_empty() { Order::Pass } else { fire(shots, Vec::new(), Vec::new()) });
    }
    let mut shots: Vec<Shot> = units.filter(|unit| shooting::may_fire(field, *unit)).map(at_will).collect();
    let mut reserve = Vec::new();
    if what > 2 && !shots.is_empty() {
        let silent = shots.remove(lots.below(shots.len()));
        reserve.extend((what == 3).then_some(Reserve { unit: silent.unit, stands: None }));
    }
    Some(if shots.is_empty() && reserve.is_empty() { Order::Pass } else { fire(shots, reserve, Vec::new()) })
}

/// Silence, everybody at some target, everybody at the nearest, all but one who waits, all but one.
const PLANS: usize = 5;
/// Once in so many times somebody may lay a fire.
const RARELY: usize = 8;

/// A wood or village somebody of a side stands in.
fn arson(field: &Field, side: Side) -> Option<Arson> {
    present(field, side).find_map(|(unit, _)| {
        let inside = |quad: &table::Quad| ground::area_at(field, quad.centre).map(|(feature, _)| feature);
        let feature = stands(field, unit).iter().find_map(inside)?;
        (!ground::is_burning(field, feature)).then(|| Arson { feature, units: vec![unit] })
    })
}

/// Everybody with fire left, at all who charge it; or all but one.
pub(super) fn defence(sieve: &mut Sieve<'_, '_>, lots: &mut Lots) {
    let (view, side) = (sieve.view, sieve.side);
    let mut shots: Vec<Shot> = Vec::new();
    for (unit, _) in present(view, side) {
        for at in chargers(view, unit) {
            shots.push(Shot { unit, at: Some(at), general: None, stands: None, passing: false });
            if !sieve.allows(&fire(shots.clone(), Vec::new(), Vec::new())) {
                shots.pop();
            }
        }
    }
    if shots.is_empty() {
        return;
    }
    sieve.offer(fire(shots.clone(), Vec::new(), Vec::new()));
    shots.remove(lots.below(shots.len()));
    if !shots.is_empty() {
        sieve.offer(fire(shots, Vec::new(), Vec::new()));
    }
}
