//! Generals: which brigades are worth a die, who gets which, where the generals ride.

use super::clash;
use super::marching::best_stop;
use super::scene::Scene;
use engine::{CommandId, UnitId};
use rules::guns::candidates::{middle_of, nomination};
use rules::guns::command;
use rules::guns::field::{
    brigade_units, brigades, distance, facts, forward, general_of, is_deployed, is_mounted, troops,
};
use rules::guns::order::{Move, Order};
use rules::guns::pace;
use rules::guns::unit::{Cycle, Level};
use table::{Length, Point, Vec2};

/// How much a brigade wants to move: 1 is a unit that wants to go as far as duty would make it.
fn urge(scene: &Scene<'_, '_>, brigade: CommandId) -> f64 {
    let field = scene.field();
    let mut urge = 0.0;
    let mut idle = 0.0;
    for unit in brigade_units(field, brigade).filter(|id| field.unit(*id).is_present()) {
        let wants = unit_urge(scene, unit);
        if wants > 0.0 { urge += wants } else { idle += reluctance(scene, unit) }
    }
    urge - idle
}

/// What it costs to make a unit go forward that would rather stay.
fn reluctance(scene: &Scene<'_, '_>, unit: UnitId) -> f64 {
    let field = scene.field();
    let own = troops(field, unit);
    if facts(field, unit).is_battery() || own.pinned || own.disorder.combat || own.broken {
        return 0.0;
    }
    if own.defending.is_some() { 0.8 } else { 0.4 }
}

fn unit_urge(scene: &Scene<'_, '_>, unit: UnitId) -> f64 {
    let field = scene.field();
    let own = troops(field, unit);
    if own.broken || own.disorder.combat || !own.locked.is_empty() || facts(field, unit).screen {
        return 0.0;
    }
    let Some((enemy, gap)) = scene.nearest(unit) else { return 0.0 };
    if facts(field, unit).is_battery() {
        let limbered = own.cycle == Cycle::Limbered && gap > facts(field, unit).weapon.extreme * 9 / 10;
        let useless = is_deployed(field, unit) && gap > facts(field, unit).weapon.extreme;
        return if limbered || useless { 0.7 } else { 0.0 };
    }
    let full = pace::full_move(field, unit).0;
    let goal = if is_mounted(field, unit) { gap.min(Length::cm(40.0)) } else { best_stop(scene, unit, enemy, gap) };
    let way = (gap - goal).as_cm() / (full.as_cm() * 0.5).max(1.0);
    if gap <= full && clash::promise(scene, unit, enemy).0 > scene.temper.least_gain {
        return 1.5;
    }
    if way < 0.3 { 0.0 } else { way.min(1.0) }
}

pub fn nominate(scene: &Scene<'_, '_>) -> Order {
    let field = scene.field();
    let mut named = Vec::new();
    for brigade in brigades(field, scene.side) {
        if urge(scene, brigade) > 0.0 {
            named.extend(nomination(scene.view, scene.asked, scene.side, brigade));
        }
    }
    if named.is_empty() {
        return Order::Pass;
    }
    // Higher generals lend their weight to the brigade they ride with.
    for (id, general) in field.commanders() {
        let card = field.muster().commander(id);
        if card.side != scene.side || card.facts.level == Level::Brigade || !general.own.is_fit() {
            continue;
        }
        for n in 0..named.len() {
            named[n].present.push(id);
            let alone = Order::Nominate { brigades: vec![named[n].clone()], stay_disordered: Vec::new() };
            if scene.allows(&alone) {
                break;
            }
            named[n].present.pop();
        }
    }
    Order::Nominate { brigades: named, stay_disordered: Vec::new() }
}

/// The keenest brigades choose first; each takes the worst die that will do.
pub fn deal(scene: &Scene<'_, '_>, dice: &[u8], brigades: &[CommandId]) -> Order {
    let field = scene.field();
    let mut row: Vec<(usize, f64)> = brigades.iter().enumerate().map(|(n, id)| (n, urge(scene, *id))).collect();
    row.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut deal: Vec<Option<u8>> = vec![None; brigades.len()];
    let mut free: Vec<usize> = (0..dice.len()).collect();
    free.sort_by_key(|n| dice[*n]);
    for (n, _) in row {
        let fits = free.iter().position(|die| command::could_activate(field, brigades[n], dice[*die]));
        if let Some(place) = fits {
            deal[n] = Some(free.remove(place) as u8);
        }
    }
    Order::Allot { deal }
}

/// Brigadiers stay behind the middle of their brigade, higher generals behind the brigade in front.
pub fn rides(scene: &Scene<'_, '_>) -> Vec<Move> {
    let field = scene.field();
    let back = forward(field, scene.side) * -1.0;
    let mut rides = Vec::new();
    let own: Vec<CommandId> = brigades(field, scene.side).collect();
    for (id, general) in field.commanders() {
        let card = field.muster().commander(id);
        if card.side != scene.side || !general.is_present() || !general.own.is_fit() {
            continue;
        }
        let of = if card.facts.level == Level::Brigade {
            own.iter().copied().find(|brigade| general_of(field, *brigade) == Some(id))
        } else {
            own.iter().copied().filter(|brigade| rules::guns::field::chain(field, *brigade).contains(&id)).max_by(|a, b| {
                urge(scene, *a).total_cmp(&urge(scene, *b))
            })
        };
        let Some(middle) = of.and_then(|brigade| middle_of(field, brigade)) else { continue };
        let near = distance(field, &field.charts().zone.attach);
        let place = middle + back * (near.as_f64() * if card.facts.level == Level::Brigade { 1.0 } else { 0.6 });
        let off = (place - general.quad().centre).length();
        if off > near.as_f64() * 0.8 {
            let reach = distance(field, &field.charts().pace.general).as_f64() * 0.9;
            let from = general.quad().centre;
            let to: Vec2 = if off > reach { from + (place - from) * (reach / off) } else { place };
            rides.push(Move::Ride { commander: id, to: Point::from_vec(to) });
        }
    }
    rides
}
