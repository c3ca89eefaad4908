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
const TRIES: usize = 12;

/// Something a general might order.
#[derive(Clone)]
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
    let mine = troops(field, side).map(|(id, _)| id).filter(|id| {
        let scouts = facts(field, *id).is_scout() && !soldiers(field, *id).freed;
        command::holder(field, *id) == Some(general) || scouts
    });
    let single: Vec<UnitId> = mine.filter(|id| !found.iter().any(|group| group.contains(id))).collect();
    found.extend(single.into_iter().map(|id| vec![id]));
    found.iter_mut().for_each(|group| group.retain(fit));
    found.retain(|group| !group.is_empty());
    found
}

/// Everything a general might usefully order, best first.
fn tasks(scene: &Scene<'_, '_>, survey: &Survey, general: CommanderId) -> Vec<Task> {
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
    found
}

/// What every general has on his mind this turn. It is thought out once and crossed off as orders are given; only
/// march columns, which may be ordered on, are thought over again.
#[derive(Clone, Default)]
pub struct Board {
    desks: Vec<(CommanderId, Vec<Task>)>,
}

impl Board {
    /// The best order left for a general.
    pub fn next(&mut self, scene: &Scene<'_, '_>, survey: &Survey, general: CommanderId) -> Option<Order> {
        if generals::level(scene.field(), general) != Level::Division
            && let Some(raise) = self.raise(scene, survey, general)
        {
            return Some(raise);
        }
        loop {
            let desk = self.desk(scene, survey, general);
            let best = desk.iter().enumerate().max_by(|a, b| a.1.rank.total_cmp(&b.1.rank)).map(|(n, _)| n)?;
            let task = desk.swap_remove(best);
            if scene.allows(&task.order) {
                self.cross_off(scene.field(), general, &task.order);
                return Some(task.order);
            }
        }
    }

    fn desk(&mut self, scene: &Scene<'_, '_>, survey: &Survey, general: CommanderId) -> &mut Vec<Task> {
        let known = self.desks.iter().position(|(id, _)| *id == general);
        let at = known.unwrap_or_else(|| {
            self.desks.push((general, tasks(scene, survey, general)));
            self.desks.len() - 1
        });
        &mut self.desks[at].1
    }

    /// Whatever asks the same of the same units is settled; march columns are looked at afresh.
    fn cross_off(&mut self, field: &Field, general: CommanderId, order: &Order) {
        let Order::Command { what, units, .. } = order else { return };
        let fires = |what: &What| *what == What::Fire;
        for (_, desk) in self.desks.iter_mut().filter(|(id, _)| *id == general) {
            desk.retain(|task| match &task.order {
                Order::Command { what: other, units: theirs, .. } => {
                    fires(other) != fires(what) || !theirs.iter().any(|unit| units.contains(unit))
                }
                _ => true,
            });
        }
        let columns = units.iter().any(|unit| field.unit(*unit).body.formation.is_march());
        if columns && *what == What::Move {
            self.desks.retain(|(id, _)| *id != general);
        }
    }
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

impl Board {
    /// Raising somebody below: worth a share of what he still has to order, as long as that beats what the general
    /// could order himself.
    fn raise(&mut self, scene: &Scene<'_, '_>, survey: &Survey, general: CommanderId) -> Option<Order> {
        let field = scene.field();
        let below: Vec<CommanderId> =
            generals::present(field, scene.side).filter(|who| command::may_raise(field, general, *who)).collect();
        let mut best: Option<(f64, Order)> = None;
        for who in below {
            let chance = two_dice(command::raise_target(field, general, who).value);
            let stake: f64 = self.desk(scene, survey, who).iter().map(|task| task.value).sum();
            let rank = stake * 0.25 * chance / (1.03 - chance);
            let order = Order::Raise { general, who };
            if rank > LEAST && best.as_ref().is_none_or(|(known, _)| rank > *known) && scene.allows(&order) {
                best = Some((rank, order));
            }
        }
        let own = self.desk(scene, survey, general).iter().map(|task| task.rank).fold(0.0, f64::max);
        best.filter(|(rank, _)| *rank > own).map(|(_, order)| order)
    }
}
