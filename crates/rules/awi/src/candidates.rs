//! Orders worth considering: legal, repeatable from a seed, the fallback among them, best guess first.

use super::Awi;
use super::courier;
use super::field::{Field, facts, flag, is_engaged, soldiers, touching_enemies, troops};
use super::fire;
use super::movement::{self, March, may_act, may_ride};
use super::order::{BrigadeOrder, Decision, Going, Objective, Order, Piece, Standing, Verb};
use super::unit::{Arm, Class, Formation};
use engine::{Asked, CommandId, Lots, Ruleset, Side, UnitId, Verdict, View};
use table::march::{Leg, Track};
use table::{Angle, Length, Point, SLACK, Vec2};

/// Legal answers worth considering.
pub fn candidates(view: &View<'_, Awi>, asked: &Asked<Awi>, side: Side, lots: &mut Lots, limit: usize) -> Vec<Order> {
    let field: &Field = view;
    let mut found = match &asked.decision {
        Decision::Deploy => vec![super::deployment::as_drawn_up(field, side)],
        Decision::PlaceSharpshooters { most } => hiding_places(field, side, *most, lots),
        Decision::FirstOrders => vec![Order::FirstOrders { orders: first_orders(field, side, lots) }],
        Decision::ChooseFirst => vec![Order::Begin { me: true }, Order::Begin { me: false }],
        Decision::RallyOrder { units } => {
            let mut weakest = units.clone();
            weakest.sort_by_key(|unit| std::cmp::Reverse(soldiers(field, *unit).marks));
            vec![Order::Sequence { units: weakest }]
        }
        Decision::RallyFacing { .. } => vec![Order::Face { facing: Angle::whole(lots.below(8) as i32 * 45) }],
        Decision::Pursuer { .. } => vec![Order::TryHalt, Order::GoOn],
        Decision::SendCourier => new_orders(field, side, lots),
        Decision::Activate => activations(view, side, lots, limit),
        Decision::Path { unit, going, allowance } => {
            let march = March { unit: *unit, going: *going, allowance: *allowance };
            paths(view, &march, lots).into_iter().map(|legs| Order::Path { legs, with: Vec::new() }).collect()
        }
        Decision::FailedChargeVolley { .. } => vec![Order::Shoot],
        Decision::DefensiveGrape { .. } => vec![Order::Grape],
        Decision::Support { able, .. } => able.iter().map(|unit| Order::Support { unit: *unit }).collect(),
        Decision::OfficerAttempt { able, .. } => able.iter().map(|on| Order::Attempt { on: *on }).collect(),
        Decision::DivertHits { able, .. } => able.iter().map(|on| Order::Divert { on: vec![*on] }).collect(),
        Decision::Pursue { .. } => vec![Order::Pursue],
        Decision::Fire => shots(view, side, lots, limit),
        Decision::ShellTie { among } => among.iter().map(|piece| Order::Pick { piece: *piece }).collect(),
        Decision::MeleeNext { units } => units.iter().map(|unit| Order::Fight { unit: *unit }).collect(),
        Decision::UnopposedLoss { among } => among.iter().map(|unit| Order::Strike { unit: *unit }).collect(),
    };
    let checked = matches!(asked.decision, Decision::Activate | Decision::Path { .. } | Decision::Fire);
    if !checked {
        found.retain(|order| Awi::check(view, asked, side, order).is_legal());
    }
    found.truncate(limit.saturating_sub(1));
    found.push(Order::Pass);
    found
}

/// Keeps an order if nothing is against it.
fn keep(view: &View<'_, Awi>, side: Side, order: Order, into: &mut Vec<Order>) {
    if super::programme::check(view, side, &order).is_legal() {
        into.push(order);
    }
}

fn activations(view: &View<'_, Awi>, side: Side, lots: &mut Lots, limit: usize) -> Vec<Order> {
    let field: &Field = view;
    let able: Vec<UnitId> = troops(field, side).filter(|(id, _)| may_act(field, *id)).map(|(id, _)| id).collect();
    let mut found = Vec::new();
    // A few units at a time, another few each time one is asked: nobody looks at a whole army at once.
    let from = lots.below(able.len());
    for n in 0..able.len() {
        if found.len() >= limit {
            break;
        }
        let Some(&unit) = able.get((from + n) % able.len()) else { break };
        if is_engaged(field, unit) {
            keep(view, side, Order::BreakOff { unit, half: lots.below(2) == 0 }, &mut found);
            for enemy in touching_enemies(field, unit) {
                keep(view, side, Order::TurnInMelee { unit, face: enemy }, &mut found);
            }
            keep(view, side, Order::Hold { unit }, &mut found);
        } else {
            programmes(view, side, unit, lots, limit, &mut found);
        }
    }
    let riders: Vec<_> = field.muster().commander_ids().filter(|id| may_ride(field, side, *id)).collect();
    if let Some(&commander) = lots.pick(&riders) {
        let spot = field.commander(commander).quad().centre
            + Angle::whole(lots.below(24) as i32 * 15).unit() * (lots.unit() * 190_000.0);
        keep(view, side, Order::Ride { commander, to: Point::from_vec(spot) }, &mut found);
    }
    found
}

fn programmes(view: &View<'_, Awi>, side: Side, unit: UnitId, lots: &mut Lots, limit: usize, found: &mut Vec<Order>) {
    let field: &Field = view;
    let (card, own, formation) = (facts(field, unit), soldiers(field, unit), field.unit(unit).body.formation);
    let raw = card.class == Class::Raw;
    if card.arm != Arm::Artillery {
        for at in chargeable(field, unit).into_iter().take(if limit > 8 { 2 } else { 1 }) {
            keep(view, side, Order::Charge { unit, at, bearing: None, with: Vec::new() }, found);
        }
    }
    if !own.loaded {
        keep(view, side, Order::Load { unit }, found);
    }
    if movement::throws_for_move(field, unit, false) {
        keep(view, side, Order::Move { unit, half: false, by_road: false, legs: Vec::new(), with: Vec::new() }, found);
    } else {
        for going in [Going::Full, Going::Half] {
            let half = going == Going::Half;
            if half && (raw || !own.loaded) {
                continue;
            }
            if found.len() >= limit {
                return;
            }
            let march = March { unit, going, allowance: movement::certain_allowance(field, unit, going) };
            for legs in paths(view, &march, lots) {
                found.push(Order::Move { unit, half, by_road: false, legs, with: Vec::new() });
            }
        }
    }
    if found.len() >= limit {
        return;
    }
    if own.loaded && !raw && fire::can_fire(field, unit) {
        // Whoever stands nearest in the arc is tried, seen or not: looking at everybody would cost more than it finds.
        if let Some((_, at)) = in_arc(field, unit).into_iter().min_by(|a, b| a.0.total_cmp(&b.0)) {
            keep(view, side, Order::FireThenMove { unit, at, grape: false }, found);
        }
    }
    match card.arm {
        Arm::Artillery if formation == Formation::Limbered => {
            keep(view, side, Order::Unlimber { unit, facing: None }, found)
        }
        Arm::Artillery => keep(view, side, Order::Limber { unit, facing: None }, found),
        _ => {
            let others: Vec<Formation> =
                card.formations().iter().copied().filter(|other| *other != formation).collect();
            if let Some(&into) = lots.pick(&others) {
                keep(
                    view,
                    side,
                    Order::Reform { unit, formation: into, facing: None, to_fire: !raw && lots.below(2) == 0 },
                    found,
                );
            }
        }
    }
    found.push(Order::Hold { unit });
}

/// Enemies a unit could declare a charge at, nearest first to the eye.
pub fn chargeable(field: &Field, unit: UnitId) -> Vec<UnitId> {
    let pose = field.unit(unit).pose();
    let pivot = Angle::whole(field.charts().charge.pivot.value.get());
    let mut able: Vec<(f64, UnitId)> = troops(field, field.side_of(unit).other())
        .filter(|(_, enemy)| table::within_arc(pose, enemy.quad().centre, pivot))
        .map(|(id, _)| (flag(field, id).distance(pose.at.vec()), id))
        .collect();
    able.sort_by(|a, b| a.0.total_cmp(&b.0));
    able.truncate(2);
    able.into_iter().map(|(_, id)| id).collect()
}

/// Enemies in a unit's arc with their distance, in roster order.
fn in_arc(field: &Field, unit: UnitId) -> smallvec::SmallVec<[(f64, UnitId); 16]> {
    troops(field, field.side_of(unit).other())
        .filter(|(id, _)| super::field::in_arc(field, unit, flag(field, *id)))
        .map(|(id, _)| (flag(field, id).distance(flag(field, unit)), id))
        .collect()
}

/// Enemies in a unit's arc and sight, nearest first to the eye, of those nearest in the arc.
pub fn targets(field: &Field, unit: UnitId) -> Vec<UnitId> {
    let mut able = in_arc(field, unit);
    able.sort_by(|a, b| a.0.total_cmp(&b.0));
    let near = able.into_iter().take(6).filter(|(_, id)| super::field::sees_unit(field, unit, *id));
    near.take(3).map(|(_, id)| id).collect()
}

/// The nearest enemy's flag, by eye.
pub fn nearest_enemy(field: &Field, side: Side, from: Vec2) -> Option<(UnitId, Vec2)> {
    troops(field, side.other())
        .map(|(id, _)| (id, flag(field, id)))
        .min_by(|a, b| a.1.distance(from).total_cmp(&b.1.distance(from)))
}

/// A few ways a unit might go, each legal: toward the enemy, straight ahead, to a side.
fn paths(view: &View<'_, Awi>, march: &March, lots: &mut Lots) -> Vec<Vec<Leg>> {
    let field: &Field = view;
    let unit = march.unit;
    let most = march.allowance.anywhere;
    let mut ways: Vec<Vec<Leg>> = Vec::new();
    if march.going.is_breaking_off() {
        ways.push(vec![Leg::Back(most)]);
        ways.push(vec![Leg::Back(most.half())]);
    } else {
        if let Some((_, enemy)) = nearest_enemy(field, field.side_of(unit), flag(field, unit)) {
            ways.extend(toward(field, unit, enemy, most));
        }
        let part = most.times(0.25 + 0.75 * lots.unit());
        ways.push(match lots.below(5) {
            0 | 1 => vec![Leg::Ahead(part)],
            2 => vec![Leg::Back(part)],
            3 => vec![Leg::Sideways(if lots.below(2) == 0 { part } else { -part })],
            _ => {
                let by = Angle::whole(lots.below(13) as i32 * 15 - 90);
                turn_and_go(field, unit, by, most).unwrap_or_else(|| vec![Leg::Ahead(part)])
            }
        });
    }
    ways.retain(|legs| {
        let mut verdict = Verdict::fine();
        movement::check_path(view, march, legs, &[], &mut verdict);
        verdict.is_legal()
    });
    ways
}

/// Turns on the flag, then goes ahead with what is left.
pub fn turn_and_go(field: &Field, unit: UnitId, by: Angle, most: Length) -> Option<Vec<Leg>> {
    let pose = field.unit(unit).pose();
    let footprint = field.footprint(unit, field.unit(unit).body.formation);
    let turn = if by == Angle::NORTH { Vec::new() } else { vec![Leg::Turn(by)] };
    let spent = Track::plot(pose, footprint, &turn).length();
    let left = most - spent - SLACK;
    if left <= Length::ZERO {
        return (spent <= most && !turn.is_empty()).then_some(turn);
    }
    let mut legs = turn;
    legs.push(Leg::Ahead(left));
    Some(legs)
}

/// Turns toward a place and goes as far as the allowance lets it, stopping an inch short of where the place is.
pub fn toward(field: &Field, unit: UnitId, place: Vec2, most: Length) -> Option<Vec<Leg>> {
    let pose = field.unit(unit).pose();
    let way = place - pose.at.vec();
    let by = Angle::of(way) - pose.facing;
    let room = Length::from_um(way.length()) - Length::whole_inches(1);
    let mut legs = turn_and_go(field, unit, by, most)?;
    if let Some(Leg::Ahead(go)) = legs.last_mut() {
        *go = (*go).min(room.max(Length::ZERO));
    }
    Some(legs)
}

fn shots(view: &View<'_, Awi>, side: Side, lots: &mut Lots, limit: usize) -> Vec<Order> {
    let field: &Field = view;
    let mut found = Vec::new();
    let keep = |order: Order, verdict: Verdict, found: &mut Vec<Order>| {
        if verdict.is_legal() {
            found.push(order);
        }
    };
    let own: Vec<UnitId> = troops(field, side).map(|(id, _)| id).collect();
    let from = lots.below(own.len());
    for n in 0..own.len().min(limit) {
        if found.len() >= limit {
            break;
        }
        let unit = own[(from + n) % own.len()];
        let mut verdict = Verdict::fine();
        fire::check_task(field, unit, &mut verdict);
        if !verdict.is_legal() || !fire::can_fire(field, unit) {
            continue;
        }
        for at in targets(field, unit) {
            let battery = fire::is_battery(field, unit);
            for grape in if battery && soldiers(field, unit).grape_left > 0 { &[false, true][..] } else { &[false][..] }
            {
                let mut verdict = Verdict::fine();
                fire::check_fire(field, unit, at, *grape, &mut verdict);
                keep(Order::Fire { unit, at, grape: *grape }, verdict, &mut found);
            }
            if facts(field, unit).shell {
                let order = shell_at(field, unit, flag(field, at), lots);
                if let Order::Shell { bearing, estimate, .. } = order {
                    let mut verdict = Verdict::fine();
                    super::shell::check(field, unit, bearing, estimate, &mut verdict);
                    keep(order, verdict, &mut found);
                }
            }
        }
    }
    for (unit, _) in field.present(side).filter(|(id, _)| !facts(field, *id).is_troops()) {
        let officers =
            field.commanders().filter(|(_, officer)| officer.is_present()).map(|(id, _)| Piece::Commander(id));
        let units = troops(field, side.other()).map(|(id, _)| Piece::Unit(id));
        for at in officers.chain(units).take(8) {
            let mut verdict = Verdict::fine();
            super::shell::check_snipe(field, unit, at, side, &mut verdict);
            keep(Order::Snipe { unit, at }, verdict, &mut found);
        }
    }
    found
}

/// A guess by eye: true distance with an error, in half inches, less the drift to be expected (R70, item 9).
pub fn shell_at(field: &Field, unit: UnitId, place: Vec2, lots: &mut Lots) -> Order {
    let way = place - flag(field, unit);
    let error = 1.0 + lots.normal() * f64::from(field.charts().estimate.error_percent.value.get()) / 100.0;
    let guess = way.length() * error - Length::inches(5.0).as_f64();
    let step = field.charts().shell.estimate_step.value.0.as_f64().max(1.0);
    let estimate = Length::from_um((guess / step).round() * step);
    Order::Shell { unit, bearing: Angle::of(way), estimate }
}

fn hiding_places(field: &Field, side: Side, most: u8, lots: &mut Lots) -> Vec<Order> {
    let (width, height) = field.ground().size;
    let enemy = &field.muster().sides[side.other()].zones;
    let mut at = Vec::new();
    for _ in 0..400 {
        if at.len() >= usize::from(most) {
            break;
        }
        let spot = Point::new(width.times(0.02 + 0.96 * lots.unit()), height.times(0.02 + 0.96 * lots.unit()));
        let inside =
            |(low, high): &(Point, Point)| spot.x >= low.x && spot.x <= high.x && spot.y >= low.y && spot.y <= high.y;
        if super::deployment::is_hiding_place(field, spot) && !enemy.iter().any(inside) {
            at.push(spot);
        }
    }
    let have = field
        .units()
        .filter(|(id, _)| field.side_of(*id) == side && facts(field, *id).arm == Arm::Sharpshooter)
        .count();
    at.truncate(have);
    vec![Order::Sharpshooters { at }]
}

/// A plain plan: most brigades attack whoever is before them, some hold.
fn first_orders(field: &Field, side: Side, lots: &mut Lots) -> Vec<BrigadeOrder> {
    if !courier::is_structured(field, side) {
        return Vec::new();
    }
    courier::brigades(field, side).map(|to| BrigadeOrder { to, order: plain_order(field, side, to, lots) }).collect()
}

fn plain_order(field: &Field, side: Side, brigade: CommandId, lots: &mut Lots) -> Standing {
    let place = field
        .units()
        .find(|(id, unit)| field.card(*id).command == Some(brigade) && unit.is_present())
        .map(|(id, _)| flag(field, id))
        .unwrap_or_default();
    match (lots.below(4), nearest_enemy(field, side, place)) {
        (0, _) | (_, None) => Standing { verb: Verb::Hold, objective: Objective::Point(Point::from_vec(place)) },
        (1, Some((_, enemy))) => Standing { verb: Verb::Advance, objective: Objective::Point(Point::from_vec(enemy)) },
        (_, Some((enemy, _))) => Standing { verb: Verb::Attack, objective: Objective::Unit(enemy) },
    }
}

fn new_orders(field: &Field, side: Side, lots: &mut Lots) -> Vec<Order> {
    let able: Vec<CommandId> = courier::brigades(field, side).filter(|to| courier::can_reach(field, *to)).collect();
    let Some(&to) = lots.pick(&able) else { return Vec::new() };
    vec![Order::Send { to, order: plain_order(field, side, to, lots) }]
}
