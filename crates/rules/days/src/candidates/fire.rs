//! Who shoots at whom, who keeps his fire back, who lays fires.

use super::Sieve;
use crate::field::{Field, chargers, is_battery, present, stands};
use crate::order::{Arson, Order, Reserve, Shot};
use crate::{ground, shooting};
use engine::{Lots, Side, UnitId};

/// What each unit of a side may shoot at, for those who may shoot at anything.
fn able(field: &Field, side: Side) -> Vec<(UnitId, Vec<Shot>)> {
    let all = present(field, side).map(|(id, _)| (id, shooting::targets(field, id)));
    all.filter(|(_, targets)| !targets.is_empty()).collect()
}

fn fire(shots: Vec<Shot>, reserve: Vec<Reserve>, arson: Vec<Arson>) -> Order {
    Order::Fire { shots, reserve, arson }
}

/// A plan in which every unit fires all it has: foot at all who are nearest to some stand of it, guns at one target.
pub fn everybody_fires(view: &engine::View<'_, crate::Days>, side: Side) -> Order {
    let shots = able(view, side).into_iter().flat_map(|(unit, targets)| all_of(view, side, unit, &targets));
    fire(shots.collect(), Vec::new(), Vec::new())
}

/// As many of a unit's shots as it can fire together, the first ones first.
fn all_of(view: &engine::View<'_, crate::Days>, side: Side, unit: UnitId, targets: &[Shot]) -> Vec<Shot> {
    let mut shots: Vec<Shot> = Vec::new();
    let present = targets.iter().filter(|shot| shot.at.is_some() && !shot.passing);
    for shot in present.chain(targets.iter().filter(|shot| shot.passing || shot.at.is_none())) {
        if shots.iter().any(|other| other.at == shot.at && other.general == shot.general) {
            continue;
        }
        shots.push(*shot);
        let alone = fire(shots.clone(), Vec::new(), Vec::new());
        if shots.len() > 1 && !shooting::check(view, side, &alone).is_legal() {
            shots.pop();
        }
        if is_battery(view, unit) {
            break;
        }
    }
    shots
}

/// Everybody fires; some wait for whoever charges them; some at other targets; one is silent; somebody lays a fire.
pub(super) fn volleys(sieve: &mut Sieve<'_, '_>, lots: &mut Lots) {
    let (view, side) = (sieve.view, sieve.side);
    let able = able(view, side);
    let full: Vec<Shot> = able.iter().flat_map(|(unit, targets)| all_of(view, side, *unit, targets)).collect();
    let without = |unit: UnitId| full.iter().copied().filter(move |shot| shot.unit != unit).collect::<Vec<_>>();
    if !full.is_empty() {
        sieve.offer(fire(full.clone(), Vec::new(), Vec::new()));
    }
    let random: Vec<Shot> = able.iter().filter_map(|(_, targets)| lots.pick(targets).copied()).collect();
    sieve.offer(fire(random, Vec::new(), Vec::new()));
    let charged: Vec<UnitId> =
        present(view, side).map(|(id, _)| id).filter(|id| !chargers(view, *id).is_empty()).collect();
    let waits: Vec<Reserve> = charged.iter().map(|unit| Reserve { unit: *unit, stands: None }).collect();
    if !waits.is_empty() {
        let rest = full.iter().copied().filter(|shot| !charged.contains(&shot.unit)).collect();
        sieve.offer(fire(rest, waits, Vec::new()));
    }
    if let Some(arson) = arson(view, side).filter(|_| lots.below(4) == 0) {
        let rest = full.iter().copied().filter(|shot| !arson.units.contains(&shot.unit)).collect();
        sieve.offer(fire(rest, Vec::new(), vec![arson]));
    }
    if let Some((unit, _)) = lots.pick(&able) {
        sieve.offer(fire(without(*unit), vec![Reserve { unit: *unit, stands: None }], Vec::new()));
        sieve.offer(fire(without(*unit), Vec::new(), Vec::new()));
    }
}

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
