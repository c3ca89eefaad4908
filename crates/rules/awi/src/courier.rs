//! Chapter 8: couriers and orders to brigades. R64, R65 and table E.3.

use super::Awi;
use super::clause::Clause;
use super::event::{AwiEvent, Courier};
use super::field::{Field, flag};
use super::movement::{Movement, Stage};
use super::order::{BrigadeOrder, Objective, Order, Standing, Verb};
use super::sequence::Phase;
use super::settings::Orders;
use super::unit::Level;
use engine::{Audience, CommandId, CommanderId, Event, Flow, Reckoning, Side, Umpire, UnitId, Verdict, View};
use table::march::Leg;
use table::{Length, Point, Pose, SLACK, Vec2};

/// Whether a side's brigades need orders.
pub fn is_structured(field: &Field, side: Side) -> bool {
    match field.settings().orders {
        Orders::Off => false,
        Orders::Structured => true,
        Orders::Auto => divisional(field, side).next().is_some(),
    }
}

/// A side's divisional commanders, dead ones included.
fn divisional(field: &Field, side: Side) -> impl Iterator<Item = CommanderId> {
    field.muster().commander_ids().filter(move |id| {
        let card = field.muster().commander(*id);
        card.side == side && card.facts.level == Level::Division
    })
}

/// The brigades of a side.
pub fn brigades(field: &Field, side: Side) -> impl Iterator<Item = CommandId> {
    field.muster().command_ids().filter(move |id| {
        let card = field.muster().command(*id);
        card.side == side
            && field.muster().commands.iter().all(|other| other.parent != Some(*id))
            && has_troops(field, *id)
    })
}

fn has_troops(field: &Field, brigade: CommandId) -> bool {
    field.muster().units.iter().any(|card| card.command == Some(brigade))
}

/// The divisional commander who may send to a brigade, if he lives.
pub fn sender(field: &Field, brigade: CommandId) -> Option<CommanderId> {
    let division = field.muster().command(brigade).parent?;
    let officer = field.muster().command(division).commander?;
    field.commander(officer).is_present().then_some(officer)
}

/// Where a courier for a brigade makes for: its commander, or its nearest unit if he is dead.
fn destination(field: &Field, brigade: CommandId, from: Vec2) -> Option<Vec2> {
    let commander = field.muster().command(brigade).commander.filter(|id| field.commander(*id).is_present());
    let places =
        field.muster().unit_ids().filter(|id| field.card(*id).command == Some(brigade) && field.unit(*id).is_present());
    commander.map(|id| field.commander(id).quad().centre).or_else(|| {
        places.map(|id| field.unit(id).quad().centre).min_by(|a, b| a.distance(from).total_cmp(&b.distance(from)))
    })
}

/// Whether the divisional commander can speak to the brigade commander himself.
fn in_person(field: &Field, brigade: CommandId) -> bool {
    let chief = sender(field, brigade);
    let officer = field.muster().command(brigade).commander.filter(|id| field.commander(*id).is_present());
    match (chief, officer) {
        (Some(chief), Some(officer)) => {
            table::quads_touch(field.commander(chief).quad(), field.commander(officer).quad())
        }
        _ => false,
    }
}

/// Whether a brigade can be sent an order now.
pub fn can_reach(field: &Field, brigade: CommandId) -> bool {
    let Some(chief) = sender(field, brigade) else { return false };
    let division = field.muster().commander(chief).commands;
    let left = field.ledger().pool.get(division.index()).copied().unwrap_or(0);
    in_person(field, brigade) || (left > 0 && destination(field, brigade, Vec2::default()).is_some())
}

/// Whether a side may send anything.
pub fn may_send(field: &Field, side: Side) -> bool {
    is_structured(field, side) && brigades(field, side).any(|brigade| can_reach(field, brigade))
}

/// The next courier of the side rides; then new ones may be sent.
pub fn ride_next(umpire: &mut Umpire<'_, Awi>, side: Side, number: usize) -> Flow<Awi> {
    let couriers = &umpire.state().ledger().couriers;
    let next = (number..couriers.len()).find(|n| couriers.get(*n).is_some_and(|courier| courier.side == side));
    let stage = match next {
        None => Stage::CouriersSent,
        Some(n) => {
            // One who falls or arrives leaves the list, and the next moves up into his place.
            let stays = ride(umpire, n);
            Stage::CouriersRide(if stays { n + 1 } else { n })
        }
    };
    umpire.replace(Phase::Movement(Movement { side, stage }));
    Flow::Again
}

/// One courier rides. Returns whether he is still on the road.
fn ride(umpire: &mut Umpire<'_, Awi>, number: usize) -> bool {
    let Some(courier) = umpire.state().ledger().couriers.get(number).cloned() else { return false };
    let chart = umpire.charts().courier.clone();
    let roll = umpire.roll(chart.dice.value.0, courier.side);
    let double = roll.pips.iter().all(|pip| Some(pip) == roll.pips.first());
    let fatal = double
        && chart.killed_on_double.value.iter().any(|face| Some(face.get()) == roll.pips.first().map(|p| i32::from(*p)));
    if fatal {
        let event = Event::own(Clause::CourierKilled, AwiEvent::CourierLost { number });
        umpire.announce(event.also(Clause::CourierPool).also(Clause::AnotherCourier).rolled(roll));
        return false;
    }
    let distance = chart.r#move.value.0 + Length::whole_inches(roll.total());
    let mut reckoning = Reckoning::new();
    reckoning.add(Clause::CourierMove, "always", chart.r#move.map(|reach| reach.0.as_inches().round() as i32));
    reckoning.add(Clause::CourierMove, "dice", engine::Cited::derived(roll.total()));
    let goal = courier.to.and_then(|brigade| destination(umpire.state(), brigade, courier.at.vec()));
    let Some(goal) = goal else {
        umpire.announce(Event::own(Clause::CourierMove, AwiEvent::CourierArrived { number }).rolled(roll));
        return false;
    };
    let way = goal - courier.at.vec();
    let arrives = way.length() <= (distance + SLACK).as_f64();
    let to = if arrives { goal } else { courier.at.vec() + way.normalised() * distance.as_f64() };
    let rode = AwiEvent::CourierRode { number, to: Point::from_vec(to) };
    umpire.announce(Event::own(Clause::CourierMove, rode).rolled(roll).because(reckoning));
    if let (true, Some(brigade), Some(order)) = (arrives, courier.to, courier.order) {
        umpire.announce(Event::own(Clause::CouriersCarryOrders, AwiEvent::CourierArrived { number }));
        in_force(umpire, brigade, order, courier.side);
    }
    !arrives
}

fn in_force(umpire: &mut Umpire<'_, Awi>, to: CommandId, order: Standing, side: Side) {
    let event = Event::own(Clause::OrdersToBrigades, AwiEvent::OrderInForce { to, order }).also(Clause::SimpleOrders);
    umpire.announce(Event { audience: Audience::Only(side), ..event });
}

/// Judges what is sent.
pub fn check_send(view: &View<'_, Awi>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    match order {
        Order::Pass => {}
        Order::Send { to, order } => {
            let field: &Field = view;
            if !brigades(field, side).any(|brigade| brigade == *to) {
                verdict.refuse(Clause::OrdersToBrigades, "orders go to brigades of your own, never to single units");
            } else if !can_reach(field, *to) {
                let text = "its divisional commander is dead or has no courier left";
                verdict.refuse(Clause::CourierPool, text);
            }
            check_standing(field, side, *to, order, &mut verdict);
        }
        _ => drop(verdict.refuse(Clause::CouriersCarryOrders, "the question is whether to send a courier")),
    }
    verdict
}

/// Judges the words of an order: a verb with an objective that fits it.
pub fn check_standing(field: &Field, side: Side, to: CommandId, order: &Standing, verdict: &mut Verdict) {
    let fits = match (order.verb, order.objective) {
        (Verb::Advance | Verb::Hold, Objective::Point(_) | Objective::Feature(_)) => true,
        (Verb::Attack, Objective::Unit(unit)) => field.side_of(unit) != side,
        (Verb::Attack, Objective::Feature(_)) => true,
        (Verb::Withdraw, Objective::Edge(edge)) => field.muster().sides[side].edges.contains(&edge),
        (Verb::Withdraw, Objective::Feature(_)) => true,
        (Verb::Support, Objective::Brigade(other)) => other != to && brigades(field, side).any(|id| id == other),
        (Verb::Reserve, Objective::Nothing) => true,
        _ => false,
    };
    if !fits {
        let text = "advance or hold a point or feature, attack an enemy unit or feature, withdraw to an edge of yours or a \
                    feature, support another brigade, or stay in reserve";
        verdict.refuse(Clause::SimpleOrders, text);
    }
}

/// Sends a courier, who rides at once; in person the order is in force without one.
pub fn execute_send(umpire: &mut Umpire<'_, Awi>, side: Side, order: Order) {
    let Order::Send { to, order } = order else {
        umpire.replace(Phase::Movement(Movement { side, stage: Stage::Activate }));
        return;
    };
    let field = umpire.state();
    if in_person(field, to) {
        return in_force(umpire, to, order, side);
    }
    let Some(chief) = sender(field, to) else { return umpire.fault("an order without a sender") };
    let at = Point::from_vec(field.commander(chief).quad().centre);
    let from = field.muster().commander(chief).commands;
    let courier = Courier { side, from, to: Some(to), order: Some(order), at };
    let number = field.ledger().couriers.len();
    // The enemy sees a rider leave, and nothing of what he carries.
    let sent = Event::own(Clause::CouriersCarryOrders, AwiEvent::CourierSent { courier }).also(Clause::CourierPool);
    umpire.announce(Event { audience: Audience::Only(side), ..sent });
    ride(umpire, number);
}

/// A place an order is about, as it is now.
fn nearest(field: &Field, objective: Objective, from: Vec2) -> Option<f64> {
    match objective {
        Objective::Point(point) => Some(point.vec().distance(from)),
        Objective::Feature(id) => field.ground().features.get(id.index()).map(|feature| feature.shape.distance(from)),
        Objective::Unit(id) => {
            let unit = field.unit(id);
            unit.is_present().then(|| table::convex::distance(unit.quad().points(), from))
        }
        Objective::Edge(edge) => Some(field.ground().edge_distance(edge, from)),
        Objective::Brigade(brigade) => field
            .muster()
            .unit_ids()
            .filter(|id| field.card(*id).command == Some(brigade) && field.unit(*id).is_present())
            .map(|id| table::convex::distance(field.unit(id).quad().points(), from))
            .min_by(f64::total_cmp),
        Objective::Nothing => None,
    }
}

/// The order a unit stands under; brigades without one hold where they stand (R65).
pub fn standing(field: &Field, unit: UnitId) -> Option<Standing> {
    let brigade = field.card(unit).command?;
    if !is_structured(field, field.side_of(unit)) {
        return None;
    }
    let given = field.ledger().orders.get(brigade.index()).copied().flatten();
    Some(given.unwrap_or(Standing { verb: Verb::Hold, objective: Objective::Point(field.unit(unit).pose().at) }))
}

/// Whether an order lets a basic move end here. The refusal tells no distance.
pub fn check_order(field: &Field, unit: UnitId, legs: &[Leg], end: Pose, verdict: &mut Verdict) {
    let Some(order) = standing(field, unit) else { return };
    let obeyed = match order.verb {
        // Reserves turn where they stand, and that is all.
        Verb::Reserve => legs.iter().all(|leg| matches!(leg, Leg::Turn(_) | Leg::About)),
        _ => obeys(field, order, field.unit(unit).pose(), end),
    };
    if !obeyed {
        let text = format!("its brigade's order ({}) forbids it", verb(order.verb));
        verdict.refuse(Clause::OrdersToBrigades, text).about(unit);
    }
}

/// Whether a move from here to there obeys an order (E.3).
pub fn obeys(field: &Field, order: Standing, from: Pose, to: Pose) -> bool {
    let chart = &field.charts().orders;
    let (Some(before), Some(after)) =
        (nearest(field, order.objective, from.at.vec()), nearest(field, order.objective, to.at.vec()))
    else {
        // An objective that is gone binds nobody.
        return true;
    };
    let slack = SLACK.as_f64();
    match order.verb {
        Verb::Advance | Verb::Attack => after <= before + chart.advance_tolerance.value.0.as_f64() + slack,
        Verb::Hold => {
            let radius = chart.hold_radius.value.0.as_f64() + slack;
            if before <= radius { after <= radius } else { after <= before + slack }
        }
        Verb::Withdraw => after <= before + slack,
        Verb::Support => after <= chart.support_radius.value.0.as_f64() + slack || after < before,
        Verb::Reserve => true,
    }
}

/// Whether an order lets a unit charge.
pub fn check_charge(field: &Field, unit: UnitId, at: UnitId, verdict: &mut Verdict) {
    let Some(order) = standing(field, unit) else { return };
    let allowed = match order.verb {
        Verb::Advance | Verb::Attack | Verb::Support => true,
        Verb::Withdraw | Verb::Reserve => false,
        Verb::Hold => {
            let radius = field.charts().orders.hold_charge_radius.value.0 + SLACK;
            nearest(field, order.objective, flag(field, at)).is_none_or(|gap| gap <= radius.as_f64())
        }
    };
    if !allowed {
        let text = format!("its brigade's order ({}) forbids the charge", verb(order.verb));
        verdict.refuse(Clause::OrdersToBrigades, text).about(unit);
    }
}

/// A verb in a word.
pub fn verb(verb: Verb) -> &'static str {
    match verb {
        Verb::Advance => "advance",
        Verb::Attack => "attack",
        Verb::Hold => "hold",
        Verb::Withdraw => "withdraw",
        Verb::Support => "support",
        Verb::Reserve => "reserve",
    }
}

/// Judges the first orders of a side.
pub fn check_first(field: &Field, side: Side, orders: &[BrigadeOrder], verdict: &mut Verdict) {
    for (n, entry) in orders.iter().enumerate() {
        if !brigades(field, side).any(|brigade| brigade == entry.to) {
            verdict.refuse(Clause::OrdersToBrigades, "orders go to brigades of your own, never to single units");
        }
        if orders.iter().skip(n + 1).any(|other| other.to == entry.to) {
            verdict.refuse(Clause::SimpleOrders, "one order for each brigade");
        }
        check_standing(field, side, entry.to, &entry.order, verdict);
    }
}

/// Puts the first orders in force; brigades left out hold where their commander stands.
pub fn give_first(umpire: &mut Umpire<'_, Awi>, side: Side, orders: &[BrigadeOrder]) {
    if !is_structured(umpire.state(), side) {
        return;
    }
    for brigade in brigades(umpire.state(), side).collect::<Vec<_>>() {
        let given = orders.iter().find(|entry| entry.to == brigade).map(|entry| entry.order);
        let order = given.unwrap_or_else(|| hold_here(umpire.state(), brigade));
        in_force(umpire, brigade, order, side);
    }
}

fn hold_here(field: &Field, brigade: CommandId) -> Standing {
    let at = destination(field, brigade, Vec2::default()).map_or(Point::default(), Point::from_vec);
    Standing { verb: Verb::Hold, objective: Objective::Point(at) }
}
