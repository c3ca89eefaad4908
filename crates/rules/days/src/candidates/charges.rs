//! Charges, declared and of opportunity.

use super::{Sieve, shuffled};
use crate::charge;
use crate::charts::count as figure;
use crate::field::{self, Field, command, gap, known, present};
use crate::order::{Charger, Declaration, Order};
use crate::unit::ChargeKind;
use engine::{Lots, Side, UnitId};

/// Every charge the house would suggest to a side: who, and the enemies within reach, the nearest first.
pub fn suggested(field: &Field, side: Side, kind: ChargeKind) -> Vec<(UnitId, Vec<(Charger, UnitId)>)> {
    let enemies: Vec<UnitId> = known(field, side.other()).map(|(id, _)| id).collect();
    let ways = |unit: UnitId| {
        let found = enemies.iter().filter_map(|at| charge::suggest(field, kind, unit, *at).map(|way| (way, *at)));
        let mut found: Vec<(Charger, UnitId)> = found.collect();
        found.sort_by_cached_key(|(_, at)| gap(field, unit, *at));
        found
    };
    let all = present(field, side).map(|(id, _)| (id, ways(id)));
    all.filter(|(_, found)| !found.is_empty()).collect()
}

fn alone(charger: Charger, at: UnitId) -> Declaration {
    Declaration { units: vec![charger], at }
}

fn order(declarations: Vec<Declaration>) -> Order {
    Order::Charge { declarations }
}

/// Everybody at the nearest, friends together at one enemy, one alone, a squadron of it, some of them at random.
pub(super) fn charges(sieve: &mut Sieve<'_, '_>, kind: ChargeKind, lots: &mut Lots) {
    let found = suggested(sieve.field(), sieve.side, kind);
    if found.is_empty() {
        return;
    }
    let nearest = |(_, ways): &(UnitId, Vec<(Charger, UnitId)>)| ways.first().map(|(way, at)| alone(*way, *at));
    sieve.offer(order(found.iter().filter_map(nearest).collect()));
    if let Some(together) = together(sieve.field(), &found) {
        sieve.offer(order(vec![together]));
    }
    for (unit, ways) in shuffled(found.clone(), lots) {
        if sieve.is_full() {
            return;
        }
        let Some((way, at)) = lots.pick(&ways).copied() else { continue };
        sieve.offer(order(vec![alone(way, at)]));
        let least = figure(sieve.field().charts().constant.squadron_least) as u8;
        let split = field::is_mounted(sieve.field(), unit) && kind == ChargeKind::Declared && lots.below(2) == 0;
        if split {
            sieve.offer(order(vec![alone(Charger { squadron: Some(least), ..way }, at)]));
        }
    }
    let some = found.iter().filter(|_| lots.below(2) == 0).filter_map(nearest).collect::<Vec<_>>();
    if !some.is_empty() {
        sieve.offer(order(some));
    }
}

/// Units of one brigade that charge the same enemy, in one declaration; none where no two do.
fn together(field: &Field, found: &[(UnitId, Vec<(Charger, UnitId)>)]) -> Option<Declaration> {
    let targets = found.iter().flat_map(|(unit, ways)| ways.iter().map(|(way, at)| (*unit, *way, *at)));
    let all: Vec<(UnitId, Charger, UnitId)> = targets.collect();
    all.iter().find_map(|(first, _, at)| {
        let brigade = command(field, *first)?;
        let same = all.iter().filter(|(unit, _, other)| other == at && command(field, *unit) == Some(brigade));
        let units: Vec<Charger> = same.map(|(_, way, _)| *way).collect();
        (units.len() > 1).then_some(Declaration { units, at: *at })
    })
}
