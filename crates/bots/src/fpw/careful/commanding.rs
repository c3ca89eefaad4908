//! Who is ordered what, and in which order: a general who fails gives no more orders, so sure and important ones come
//! first.

use super::clash;
use super::marching;
use super::scene::{Field, Scene, Survey};
use super::shooting;
use engine::{CommanderId, UnitId};
use rules::fpw::command;
use rules::fpw::field::{facts, furthest, general_quad, is_engaged, soldiers, troops};
use rules::fpw::generals;
use rules::fpw::march;
use rules::fpw::order::{Order, What};
use rules::fpw::unit::{Arm, Formation, Level};
use table::SLACK;

/// An order worth less than this is not given.
const LEAST: f64 = 0.04;
/// So many ways are tried before a move is given up.
const TRIES: usize = 4;

/// Something a general might order.
pub struct Task {
    /// The order.
    pub order: Order,
    /// What it is worth if it comes through.
    pub value: f64,
    /// How well it stands in a row that ends with the first failure.
    pub rank: f64,
}

/// The chance of a score or less on two dice.
fn two_dice(target: i32) -> f64 {
    let ways = |sum: i32| 6 - (7 - sum).abs();
    f64::from((2..=target.min(12)).map(ways).sum::<i32>()) / 36.0
}

fn task(field: &Field, general: CommanderId, what: What, values: &[(UnitId, f64)]) -> Option<Task> {
    let value: f64 = values.iter().map(|(_, value)| value).sum();
    if value < LEAST {
        return None;
    }
    let (mut expected, mut any) = (0.0, 0.0_f64);
    let units: Vec<UnitId> = values.iter().map(|(unit, _)| *unit).collect();
    for (unit, value) in values {
        let chance = two_dice(command::target(field, general, what, *unit, &units).value.min(11));
        expected += value * chance;
        any = any.max(chance);
    }
    let rank = expected / (1.03 - any);
    (any > 0.05).then_some(Task { order: Order::Command { general, what, units }, value: expected, rank })
}

/// The groups a general orders as one, and the units he orders singly.
fn bodies(field: &Field, general: CommanderId) -> Vec<Vec<UnitId>> {
    let side = field.muster().commander(general).side;
    let radius = command::radius(field, general).map(|reach| reach.value + SLACK);
    let quad = general_quad(field, general);
    let fit = |id: &UnitId| {
        let own = soldiers(field, *id);
        !own.turn.withdrew
            && own.host.is_none()
            && radius.is_none_or(|radius| furthest(field, quad, *id) <= radius)
            && !is_engaged(field, *id)
    };
    let mut found = command::groups(field, general);
    let mine = troops(field, side).map(|(id, _)| id).filter(|id| command::holder(field, *id) == Some(general));
    let single: Vec<UnitId> = mine.filter(|id| !found.iter().any(|group| group.contains(id))).collect();
    found.extend(single.into_iter().map(|id| vec![id]));
    found.iter_mut().for_each(|group| group.retain(fit));
    found.retain(|group| !group.is_empty());
    found
}

/// Everything a general might usefully order, best first.
pub fn tasks(scene: &Scene<'_, '_>, survey: &Survey, general: CommanderId) -> Vec<Task> {
    let field = scene.field();
    let mut found = Vec::new();
    for group in bodies(field, general) {
        if group.iter().any(|id| facts(field, *id).is_scout()) {
            let free = group.iter().filter(|id| facts(field, **id).is_scout() && !soldiers(field, **id).freed);
            found.extend(free.filter_map(|id| task(field, general, What::Scout, &[(*id, 0.25)])));
            continue;
        }
        fire(field, survey, general, &group, &mut found);
        charge(field, survey, general, &group, &mut found);
        moves(scene, survey, general, &group, &mut found);
    }
    if generals::level(field, general) != Level::Division {
        raises(scene, survey, general, &mut found);
    }
    found.sort_by(|a, b| b.rank.total_cmp(&a.rank));
    found
}

fn fire(field: &Field, survey: &Survey, general: CommanderId, group: &[UnitId], found: &mut Vec<Task>) {
    let ready = |id: &UnitId| {
        let turn = &soldiers(field, *id).turn;
        !turn.fired_ordered && !turn.deployed_late
    };
    let units: Vec<UnitId> = group.iter().copied().filter(ready).collect();
    let shoot = shooting::plan(field, survey, &units);
    if shoot.values.len() > 1 {
        found.extend(task(field, general, What::Fire, &shoot.values));
    } else {
        found.extend(shoot.values.iter().filter_map(|value| task(field, general, What::Fire, &[*value])));
    }
}

/// Charges of horse under orders; whoever begins near the enemy has had his chance without.
fn charge(field: &Field, survey: &Survey, general: CommanderId, group: &[UnitId], found: &mut Vec<Task>) {
    for id in group {
        let turn = &soldiers(field, *id).turn;
        if facts(field, *id).arm != Arm::Cavalry || turn.moves > 0 || turn.initiative || turn.halted {
            continue;
        }
        if let Some((_, gain)) = clash::best(field, survey, *id).filter(|(_, gain)| *gain > 0.25) {
            found.extend(task(field, general, What::Charge, &[(*id, gain)]));
        }
    }
}

fn moves(scene: &Scene<'_, '_>, survey: &Survey, general: CommanderId, group: &[UnitId], found: &mut Vec<Task>) {
    let field = scene.field();
    let able: Vec<UnitId> = group.iter().copied().filter(|id| may_move(field, *id)).collect();
    if able.is_empty() {
        return;
    }
    let before = found.len();
    found.extend(move_of(scene, survey, general, &able));
    if found.len() == before && able.len() > 1 {
        for id in able {
            found.extend(move_of(scene, survey, general, &[id]));
        }
    }
}

fn may_move(field: &Field, id: UnitId) -> bool {
    let turn = &soldiers(field, id).turn;
    let marching = matches!(field.unit(id).body.formation, Formation::March | Formation::Limbered);
    !turn.halted && !turn.initiative && turn.moves < if marching { 3 } else { 1 }
}

fn move_of(scene: &Scene<'_, '_>, survey: &Survey, general: CommanderId, units: &[UnitId]) -> Option<Task> {
    let field = scene.field();
    for way in marching::ways(field, survey, units, false).into_iter().take(TRIES) {
        let (what, going, gains) = (way.what(), way.going, way.gains.clone());
        if march::check(scene.view, units, going, &way.order()).is_legal() {
            return task(field, general, what, &gains);
        }
    }
    None
}

/// Raising those below: worth a share of what they still have to order.
fn raises(scene: &Scene<'_, '_>, survey: &Survey, general: CommanderId, found: &mut Vec<Task>) {
    let field = scene.field();
    for who in generals::present(field, scene.side).filter(|who| command::may_raise(field, general, *who)) {
        let stake: f64 = tasks(scene, survey, who).iter().map(|task| task.value).sum();
        let chance = two_dice(command::raise_target(field, general, who).value);
        let value = stake * 0.25 * chance;
        if value > LEAST {
            found.push(Task { order: Order::Raise { general, who }, value, rank: value / (1.03 - chance) });
        }
    }
}
