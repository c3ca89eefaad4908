//! One move at a time: marches, evolutions, men sent out, rides, work.

use super::{ANY, Sieve, nearest_enemy, shuffled};
use crate::Days;
use crate::evolution;
use crate::field::{self, Field, facts, formation, is_hidden, is_mounted, present, troops};
use crate::formation::{Formation, Shape};
use crate::movement::{self, limits};
use crate::order::{ForcedMarch, Order, Step};
use crate::sequence;
use crate::unit::{Arm, Crest, Part, Task};
use engine::{Asked, CommandId, CommanderId, FeatureId, Lots, Side, UnitId, View};
use table::march::Leg;
use table::terrain::TerrainKind;
use table::{Angle, Flank, Length, Point, Vec2};

/// How many pieces are looked at in one go: the judge of marches has much to do.
const PIECES: usize = 6;

/// Some pieces that may still do something, in an order of chance, each with one or two orders.
pub(super) fn moves(sieve: &mut Sieve<'_, '_>, lots: &mut Lots) {
    let (field, side): (&Field, Side) = (sieve.view, sieve.side);
    let able: Vec<UnitId> = field.muster().unit_ids().filter(|id| has_something(field, side, *id)).collect();
    let riders: Vec<CommanderId> = riders(field, side).collect();
    for unit in shuffled(able, lots).into_iter().take(PIECES) {
        let mut kept = 0;
        for order in wishes(field, unit, lots) {
            kept += usize::from(sieve.offer(order));
            if kept == 2 || sieve.is_full() {
                break;
            }
        }
        if sieve.is_full() {
            return;
        }
        if let Some(general) = lots.pick(&riders).copied().filter(|_| lots.below(4) == 0) {
            rides(field, general, lots).into_iter().take(2).for_each(|order| {
                sieve.offer(order);
            });
        }
    }
    if let Some(general) = lots.pick(&riders).copied() {
        rides(field, general, lots).into_iter().for_each(|order| {
            sieve.offer(order);
        });
    }
    if let Some(order) = forced(field, side, lots) {
        sieve.offer(order);
    }
}

/// One of these orders by lot, or declining.
pub(super) fn one(view: &View<'_, Days>, asked: &Asked<Days>, side: Side, lots: &mut Lots) -> Order {
    let field: &Field = view;
    let allows = |order: &Order| sequence::allows(view, asked, side, order);
    if lots.below(ANY) == 0 {
        return Order::Pass;
    }
    let ride = |lots: &mut Lots| {
        let riders: Vec<CommanderId> = riders(field, side).collect();
        let general = lots.pick(&riders).copied()?;
        rides(field, general, lots).into_iter().find(allows)
    };
    if let Some(order) = (lots.below(RIDES) == 0).then(|| ride(lots)).flatten() {
        return order;
    }
    if let Some(order) = (lots.below(FORCED) == 0).then(|| forced(field, side, lots)).flatten().filter(allows) {
        return order;
    }
    let mut own: Vec<UnitId> = field.muster().unit_ids().filter(|id| field.side_of(*id) == side).collect();
    let mut asked_for = 0;
    for n in 0..own.len() {
        let drawn = n + lots.below(own.len() - n);
        own.swap(n, drawn);
        let unit = own[n];
        if !has_something(field, side, unit) {
            continue;
        }
        let mut wishes = wishes(field, unit, lots);
        // The second wish is as good as the first.
        let first = lots.below(2).min(wishes.len().saturating_sub(1));
        wishes.rotate_left(first);
        if let Some(order) = wishes.into_iter().find(allows) {
            return order;
        }
        asked_for += 1;
        if asked_for == PIECES {
            break;
        }
    }
    ride(lots).or_else(|| forced(field, side, lots).filter(allows)).unwrap_or(Order::Pass)
}

/// Once in so many moves a general rides, if one can.
const RIDES: usize = 8;
/// Once in so many a brigade marches hard, if one can.
const FORCED: usize = 16;

fn has_something(field: &Field, side: Side, unit: UnitId) -> bool {
    let there = field.unit(unit).is_present() || limits::waits(field, unit);
    field.side_of(unit) == side
        && ((there && limits::may_move(field, unit))
            || limits::may_return(field, unit)
            || (field.unit(unit).is_present() && (is_hidden(field.unit(unit)) || troops(field, unit).crew_away)))
}

/// Generals who may still ride.
pub fn riders(field: &Field, side: Side) -> impl Iterator<Item = CommanderId> + '_ {
    field.muster().commander_ids().filter(move |id| {
        let general = field.commander(*id);
        field.muster().commander(*id).side == side
            && general.is_present()
            && general.own.is_fit()
            && !general.own.moved
            && !general.own.unhorsed
    })
}

fn march(unit: UnitId, steps: Vec<Step>) -> Order {
    Order::March { unit, steps, crest: None }
}

fn legs(unit: UnitId, legs: Vec<Leg>) -> Order {
    march(unit, vec![Step::March(legs)])
}

/// What a unit might do, likeliest first.
fn wishes(field: &Field, unit: UnitId, lots: &mut Lots) -> Vec<Order> {
    let own = facts(field, unit);
    if is_hidden(field.unit(unit)) {
        // Whoever hides mostly goes on hiding.
        return if lots.below(4) == 0 { vec![Order::Reveal { unit }] } else { Vec::new() };
    }
    if limits::may_return(field, unit) {
        return vec![Order::Return { unit }];
    }
    let mut found = match own.arm {
        Arm::Artillery if own.part.is_none() => guns(field, unit, lots),
        Arm::Engineers => engineers(field, unit, lots),
        _ => Vec::new(),
    };
    if let Some((Part::Crew, battery)) = own.part {
        found.push(Order::Man { battery });
    }
    if own.part_kind() == Some(Part::Screen) && lots.below(2) == 0 {
        found.push(Order::Recall { unit });
    }
    let special = lots.below(4) == 0;
    let (odd, usual) = (oddities(field, unit, lots), marches(field, unit, lots));
    if special {
        found.extend(odd);
        found.extend(usual);
    } else {
        found.extend(usual);
        found.extend(odd);
    }
    found
}

/// Where a unit would like to go: to an objective, to the nearest enemy, or forward.
fn goal(field: &Field, unit: UnitId, lots: &mut Lots) -> Vec2 {
    let side = field.side_of(unit);
    let here = field.unit(unit).quad().centre;
    let places = &field.muster().scenario.objectives;
    let objective = lots.pick(places).and_then(|one| crate::ground::feature(field, one.feature));
    if let Some(feature) = objective.filter(|_| lots.below(3) == 0) {
        return feature.shape.bounds().centre();
    }
    match nearest_enemy(field, side, here) {
        Some(enemy) if lots.below(4) > 0 => field.unit(enemy).quad().centre,
        _ => here + field::forward(field, side) * field.ground().size.1.half().as_f64(),
    }
}

/// Marches of the usual kinds.
fn marches(field: &Field, unit: UnitId, lots: &mut Lots) -> Vec<Order> {
    let allowance = evolution::allowance(field, unit, formation(field, unit), is_mounted(field, unit));
    if limits::waits(field, unit) {
        return vec![legs(unit, vec![Leg::Ahead(allowance)]), legs(unit, vec![Leg::Ahead(allowance * 3 / 4)])];
    }
    let share = |n: i32| allowance * n / 4;
    let pivot = if lots.below(2) == 0 { Flank::Left } else { Flank::Right };
    // tidy: allow(angles bots try, no figures of the book)
    let by = Angle::whole(5 + 5 * lots.below(9) as i32);
    let ahead = |n: i32| legs(unit, vec![Leg::Ahead(share(n))]);
    let some = 1 + lots.below(4) as i32;
    match lots.below(8) {
        0 => vec![legs(unit, vec![Leg::Wheel { pivot, by }]), ahead(some)],
        1 => vec![legs(unit, vec![Leg::Wheel { pivot, by }, Leg::Ahead(share(2))]), ahead(some)],
        2 => vec![legs(unit, vec![Leg::Back(share(1))]), legs(unit, vec![Leg::About]), ahead(some)],
        3 => {
            let right = if lots.below(2) == 0 { Angle::EAST } else { Angle::WEST };
            vec![legs(unit, vec![Leg::Turn(right)]), ahead(some)]
        }
        4 => {
            let towards = goal(field, unit, lots);
            let straight = movement::suggest(field, unit, towards).map(|steps| march(unit, steps));
            straight.into_iter().chain([ahead(some)]).collect()
        }
        6 => {
            let crest = if lots.below(2) == 0 { Crest::Behind } else { Crest::Over };
            let there =
                Order::March { unit, steps: vec![Step::March(vec![Leg::Ahead(share(some))])], crest: Some(crest) };
            vec![there, ahead(1)]
        }
        _ => vec![ahead(4), ahead(2), ahead(1)],
    }
}

/// Evolutions, men sent out or taken in, lying down, getting off, looking for fords, heaping up barricades.
fn oddities(field: &Field, unit: UnitId, lots: &mut Lots) -> Vec<Order> {
    let own = facts(field, unit);
    let mut found = Vec::new();
    let forms = evolution::choices(field, unit);
    if let Some(to) = lots.pick(&forms).copied() {
        found.push(march(unit, vec![Step::Form(to)]));
        let pace = evolution::allowance(field, unit, to, is_mounted(field, unit));
        let on = evolution::cost(field, unit, to).map(|cost| pace - cost).filter(|left| *left > Length::ZERO);
        found.extend(on.map(|left| march(unit, vec![Step::Form(to), Step::March(vec![Leg::Ahead(left.half())])])));
    }
    if own.arm == Arm::Infantry && own.part.is_none() {
        if field::part_out(field, unit, Part::Screen).is_some() {
            found.push(Order::Recall { unit });
        } else if field::part(field, unit, Part::Screen).is_some() {
            let stands = (field::count(field, unit) / 2).max(1);
            found.push(Order::Screen { unit, stands, pose: None });
            found.push(Order::Screen { unit, stands: 1 + lots.below(usize::from(stands)) as u8, pose: None });
        }
        found.push(Order::Work { unit, task: Task::Barricade });
        found.push(Order::ToGround { unit });
    }
    if own.arm == Arm::Cavalry && own.part.is_none() {
        found.push(march(unit, vec![Step::Mount]));
        found.push(march(unit, vec![Step::Dismount(Formation::usual(Shape::Skirmish))]));
    }
    let quad = field.unit(unit).quad();
    let rivers =
        features(field).filter(|(_, it)| it.kind == TerrainKind::River && it.shape.gap_to(quad) <= quad.radius);
    found.extend(rivers.map(|(river, _)| Order::SearchFord { unit, river }));
    let swap = lots.below(found.len().max(1));
    if swap < found.len() {
        found.swap(0, swap);
    }
    found
}

fn features(field: &Field) -> impl Iterator<Item = (FeatureId, &table::terrain::Feature)> {
    field.ground().features.iter().enumerate().filter_map(|(n, it)| u16::try_from(n).ok().map(|n| (FeatureId(n), it)))
}

/// Limber up or go into action, alone or after a drive; gunners back to their guns and from gun to gun.
fn guns(field: &Field, unit: UnitId, lots: &mut Lots) -> Vec<Order> {
    let own = troops(field, unit);
    if own.crew_away {
        return vec![Order::Man { battery: unit }];
    }
    let mut found = Vec::new();
    let crews: Vec<u8> = own.guns.iter().map(|gun| gun.crew).collect();
    if let (Some(least), Some(most)) = (crews.iter().min(), crews.iter().max())
        && most > &(least + 1)
    {
        let (all, guns) = (crews.iter().map(|crew| u32::from(*crew)).sum::<u32>(), crews.len() as u32);
        let even = (0..guns).map(|n| (all / guns + u32::from(n < all % guns)) as u8).collect();
        found.push(Order::Regroup { battery: unit, crew: even });
    }
    let allowance = evolution::allowance(field, unit, formation(field, unit), false);
    if field::is_limbered(field, unit) {
        let shape = if lots.below(4) == 0 { Shape::Massed } else { Shape::Deployed };
        let drive = Step::March(vec![Leg::Ahead(allowance / 4)]);
        if lots.below(2) == 0 {
            found.push(march(unit, vec![Step::Unlimber(shape)]));
        }
        if lots.below(3) == 0 {
            found.push(march(unit, vec![drive, Step::Unlimber(shape)]));
        }
    } else if lots.below(4) == 0 {
        found.push(march(unit, vec![Step::Limber]));
    }
    found
}

/// Bridges blown up, obstacles cleared, hosts joined and left.
fn engineers(field: &Field, unit: UnitId, lots: &mut Lots) -> Vec<Order> {
    let quad = field.unit(unit).quad();
    let mut found = Vec::new();
    for (id, feature) in features(field).filter(|(_, it)| it.shape.gap_to(quad) <= 2.0 * quad.radius) {
        use TerrainKind as K;
        match feature.kind {
            K::Bridge | K::Pontoon => found.push(Order::Work { unit, task: Task::Demolish { bridge: id } }),
            K::Hedge | K::Fence | K::Wall | K::Abatis | K::Earthwork | K::Redoubt => {
                let at = Point::from_vec(quad.centre);
                found.push(Order::Work { unit, task: Task::Clear { obstacle: id, at } });
            }
            K::River | K::Stream => found.extend(span(field, unit, id, feature)),
            _ => {}
        }
    }
    for barrier in &field.ledger().barriers {
        let (at, _) = table::convex::nearest_points(&[barrier.from.vec(), barrier.to.vec()], quad.points());
        if at.distance(quad.centre) <= 2.0 * quad.radius {
            found.push(Order::Work { unit, task: Task::Breach { at: Point::from_vec(at) } });
        }
    }
    if troops(field, unit).attached.is_some() && lots.below(2) == 0 {
        found.push(Order::Attach { party: unit, to: None });
    }
    let near = present(field, field.side_of(unit))
        .filter(|(id, friend)| *id != unit && !field::surely_beyond(quad, friend.quad(), Length::ZERO))
        .map(|(id, _)| Order::Attach { party: unit, to: Some(id) });
    found.extend(near);
    found
}

/// A span of boats straight over the water ahead, with every pair of hands near.
pub fn span(field: &Field, unit: UnitId, water: FeatureId, river: &table::terrain::Feature) -> Option<Order> {
    let pose = field.unit(unit).pose();
    let long = crate::charts::reach(field.charts().work.pontoon_length).min(troops(field, unit).pontoons);
    // The near bank: the last step before the water.
    let step = field::facts(field, unit).stand.depth / 4;
    let bank = (0..16).map(|n| pose.ahead(step * n).at).take_while(|at| river.shape.distance(at.vec()) > 0.0).last()?;
    let to = Point::from_vec(bank.vec() + pose.forward() * long.as_f64());
    let near = field::facts(field, unit).stand.width * 12;
    let hands = present(field, field.side_of(unit))
        .filter(|(id, _)| *id != unit && field::is_foot(field, *id) && field::within(field, unit, *id, near))
        .map(|(id, _)| id)
        .collect();
    (long > Length::ZERO).then_some(Order::Work { unit, task: Task::Bridge { water, at: bank, to, hands } })
}

/// To one of his units, or near one.
fn rides(field: &Field, general: CommanderId, lots: &mut Lots) -> Vec<Order> {
    let side = field.muster().commander(general).side;
    let friends: Vec<UnitId> = present(field, side).map(|(id, _)| id).collect();
    let mine: Vec<UnitId> = friends.iter().copied().filter(|id| field::chain(field, *id).contains(&general)).collect();
    let from = if mine.is_empty() { &friends } else { &mine };
    let mut found = Vec::new();
    found.extend(lots.pick(from).map(|unit| Order::Join { general, unit: *unit }));
    if let Some(unit) = lots.pick(from) {
        let behind = field.unit(*unit).pose().at.vec() - field::forward(field, side) * field.unit(*unit).quad().radius;
        found.push(Order::Ride { general, to: Point::from_vec(behind) });
    }
    let here = field.commander(general).quad().centre;
    let ahead = field::forward(field, side) * (field.ground().size.1.as_f64() * 0.1);
    found.push(Order::Ride { general, to: Point::from_vec(here + ahead) });
    found
}

/// A whole brigade straight ahead on a forced march.
fn forced(field: &Field, side: Side, lots: &mut Lots) -> Option<Order> {
    let own = |id: &CommandId| field.muster().command(*id).side == side;
    let brigades: Vec<CommandId> = field.muster().command_ids().filter(own).collect();
    let brigade = *lots.pick(&brigades)?;
    let members: Vec<UnitId> = field::members(field, brigade).filter(|unit| field.unit(*unit).is_present()).collect();
    let column = |unit: &UnitId| formation(field, *unit).is_column();
    if members.is_empty() || !members.iter().all(column) {
        return None;
    }
    let far = |unit: UnitId| crate::charts::reach(evolution::pace(field, unit, formation(field, unit)).forced);
    let go = members.iter().map(|unit| far(*unit)).min()?;
    let marches = members.into_iter().map(|unit| ForcedMarch { unit, legs: vec![Leg::Ahead(go)] }).collect();
    Some(Order::ForcedMarch { brigade, marches })
}
