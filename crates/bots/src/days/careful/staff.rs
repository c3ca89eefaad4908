//! Generals: who helps whom to rally, where they ride, and brigades that come on.

use super::plan::Plan;
use super::scene::{Scene, greater, lesser, passes, stake, um};
use engine::{CommandId, CommanderId, UnitId};
use rules::days::event::Test;
use rules::days::field::{self, base_edge, facts, is_routing, known};
use rules::days::morale::{self, Occasion};
use rules::days::order::{Arrival, Help, Order};
use rules::days::rally;
use rules::days::staff::command::formation_of;
use rules::days::unit::{Arm, OrderState, Rank};
use table::terrain::Edge;
use table::{Length, Point, Vec2};

/// Generals ride with units that have the enemy so many inches off.
const IN_REACH: f64 = 11.0;

/// Answers who helps whom: always the help that changes most.
pub fn rally(scene: &Scene<'_, '_>) -> Order {
    let (field, side) = (scene.field(), scene.side);
    let mut rows: Vec<(f64, Help)> = Vec::new();
    for unit in rally::triers(field, side) {
        let helpers = rally::helpers(field, unit);
        if helpers.is_empty() {
            continue;
        }
        let need = match field::order(field, unit) {
            OrderState::Routing => 0.5,
            OrderState::Shaken => 0.2,
            _ => 0.06,
        } * stake(field, unit);
        let chance = |helped_by: Option<CommanderId>| {
            let occasion = Occasion { helped_by, ..Occasion::default() };
            passes(morale::score(field, unit, Test::Rally, &occasion).whole())
        };
        let alone = chance(None);
        for general in helpers {
            rows.push(((chance(Some(general)) - alone) * need, Help { general, unit }));
        }
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.unit.cmp(&b.1.unit)));
    let mut help: Vec<Help> = Vec::new();
    for (gain, one) in rows {
        let free = help.iter().all(|other| other.general != one.general && other.unit != one.unit);
        if free && gain > 0.0 {
            help.push(one);
        }
    }
    if help.is_empty() { Order::Pass } else { Order::Rally { help, decline: Vec::new(), form: Vec::new() } }
}

/// The next general's ride; nothing where he is well placed.
pub fn ride(scene: &Scene<'_, '_>, plan: &Plan, general: CommanderId) -> Option<Order> {
    let field = scene.field();
    let commander = field.commander(general);
    if !commander.is_present() || !commander.own.is_fit() || commander.own.moved || commander.own.unhorsed {
        return None;
    }
    let card = field.muster().commander(general);
    let army = card.facts.rank == Rank::Army;
    let units: Vec<UnitId> =
        if army { known(field, scene.side).map(|(id, _)| id).collect() } else { formation_of(field, card.commands) };
    let places: Vec<(Vec2, f64)> = units
        .iter()
        .filter(|id| field::is_there(field, **id))
        .map(|id| {
            let weight = match field::order(field, *id) {
                OrderState::Routing => 1.5,
                OrderState::Shaken => 2.0,
                _ => 1.0,
            };
            (field.unit(*id).quad().centre, weight)
        })
        .collect();
    if places.is_empty() {
        return None;
    }
    if card.facts.rank == Rank::Brigade {
        let with = commander.own.attached.filter(|unit| is_led_well(scene, *unit));
        let host = host(scene, &units);
        match (with, host) {
            (Some(_), Some(_)) => return None,
            (None, Some(unit)) if scene.allows(&Order::Join { general, unit }) => {
                return Some(Order::Join { general, unit });
            }
            _ => {}
        }
    }
    let weight: f64 = places.iter().map(|(_, weight)| weight).sum();
    let mean = places.iter().fold(Vec2::new(0.0, 0.0), |sum, (place, weight)| sum + *place * *weight) * weight.recip();
    let ahead = plan.forward;
    let rear = units
        .iter()
        .filter(|id| field::is_there(field, **id) && !is_routing(field, **id))
        .map(|id| field.unit(*id).quad().centre.dot(ahead))
        .fold(f64::MAX, lesser);
    let back = if rear < f64::MAX { lesser(rear, mean.dot(ahead)) } else { mean.dot(ahead) } - um(2.5);
    let back = greater(back, mean.dot(ahead) - um(9.0));
    let goal = mean + ahead * (back - mean.dot(ahead));
    let here = commander.quad().centre;
    if here.distance(goal) < um(3.0) {
        return None;
    }
    let enemies: Vec<Vec2> = known(field, scene.side.other()).map(|(_, unit)| unit.quad().centre).collect();
    let safe = |place: Vec2| enemies.iter().all(|enemy| enemy.distance(place) > um(6.0));
    let across = ahead.perp_right();
    let asides = [0.0, 2.0, -2.0, 4.0, -4.0];
    for share in [1.0, 0.75, 0.5, 0.25] {
        let way = goal - here;
        let most = lesser(way.length(), um(15.9));
        let place = here + way.normalised() * (most * share);
        for aside in asides {
            let place = place + across * um(aside);
            if !safe(place) {
                continue;
            }
            let order = Order::Ride { general, to: Point::from_vec(place) };
            if scene.allows(&order) {
                return Some(order);
            }
        }
    }
    None
}

/// Whether a unit is close to the enemy and fit to be led against him.
fn is_led_well(scene: &Scene<'_, '_>, unit: UnitId) -> bool {
    let field = scene.field();
    let fit = field::is_there(field, unit)
        && matches!(facts(field, unit).arm, Arm::Infantry | Arm::Cavalry)
        && facts(field, unit).part.is_none()
        && field::order(field, unit) < OrderState::Shaken
        && !field::below_half(field, unit);
    fit && is_near_enemy(scene, unit, um(IN_REACH))
}

/// Whether an enemy who does not run is nearer than so much.
fn is_near_enemy(scene: &Scene<'_, '_>, unit: UnitId, reach: f64) -> bool {
    let field = scene.field();
    let (own, far) = (field.unit(unit).quad(), Length::from_um(reach));
    known(field, scene.side.other()).any(|(enemy, other)| {
        let close = !field::surely_beyond(own, other.quad(), far) && !is_routing(field, enemy);
        close && field::gap(field, unit, enemy).as_f64() < reach
    })
}

fn near_enemy(scene: &Scene<'_, '_>, unit: UnitId) -> f64 {
    let field = scene.field();
    let own = field.unit(unit).quad();
    let mut least = Length::MAX;
    for (enemy, other) in known(field, scene.side.other()) {
        // Only whoever may be nearer is measured.
        if !field::surely_beyond(own, other.quad(), least) && !is_routing(field, enemy) {
            least = least.min(field::gap(field, unit, enemy));
        }
    }
    if least == Length::MAX { f64::MAX } else { least.as_f64() }
}

/// The unit a brigade's general does best to ride with: the most that can be lost among those close to the enemy. Where
/// somebody has to be rallied he stays free to do it.
fn host(scene: &Scene<'_, '_>, brigade: &[UnitId]) -> Option<UnitId> {
    let field = scene.field();
    let beaten = |unit: &&UnitId| field::is_there(field, **unit) && field::order(field, **unit) >= OrderState::Shaken;
    if brigade.iter().any(|unit| beaten(&unit)) {
        return None;
    }
    let fit = brigade.iter().copied().filter(|unit| is_led_well(scene, *unit));
    let closeness = |unit: UnitId| stake(field, unit) - near_enemy(scene, unit) / um(1.0);
    fit.map(|unit| (closeness(unit), unit)).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, unit)| unit)
}

/// Brings absent brigades on as soon as there is a place for them, on one's own edge.
pub fn arrive(scene: &Scene<'_, '_>, absent: &[CommandId], plan: &Plan) -> Order {
    let (field, side) = (scene.field(), scene.side);
    let edge = base_edge(field, side);
    let bounds = field.ground().bounds();
    let mut brigades: Vec<Arrival> = Vec::new();
    for brigade in absent {
        for step in 0..24 {
            // From one's own middle to either side.
            let shift = f64::from((step + 1) / 2) * if step % 2 == 0 { 1.0 } else { -1.0 } * um(3.0);
            let (x, y) = (plan.middle.x + shift, plan.middle.y + shift);
            let place = match edge {
                Edge::North => Vec2::new(x, bounds.max.y),
                Edge::South => Vec2::new(x, bounds.min.y),
                Edge::East => Vec2::new(bounds.max.x, y),
                Edge::West => Vec2::new(bounds.min.x, y),
            };
            let mut more = brigades.clone();
            more.push(Arrival { brigade: *brigade, edge, at: Point::from_vec(place) });
            if scene.allows(&Order::Arrive { brigades: more.clone() }) {
                brigades = more;
                break;
            }
        }
    }
    if brigades.is_empty() { Order::Pass } else { Order::Arrive { brigades } }
}
