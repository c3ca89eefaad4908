//! Orders to brigades, couriers, and where commanders ride.

use super::Careful;
use super::eye::{INCH, Spot};
use super::plan::Posture;
use super::scene::{Field, Scene, factor_of, um};
use super::shooting::nearest;
use engine::{CommandId, CommanderId, UnitId};
use rules::awi::courier;
use rules::awi::field::{facts, flag, is_engaged, is_routing, soldiers, troops};
use rules::awi::movement;
use rules::awi::officers;
use rules::awi::order::{BrigadeOrder, Objective, Order, Standing, Verb};
use rules::awi::settings::Victory;
use rules::awi::unit::{Arm, Class, Rating};
use table::{Point, Vec2};

/// A brigade's units on the table.
fn members(field: &Field, brigade: CommandId) -> impl Iterator<Item = UnitId> {
    field.muster().unit_ids().filter(move |id| field.card(*id).command == Some(brigade) && field.unit(*id).is_present())
}

fn centre(field: &Field, brigade: CommandId) -> Option<Vec2> {
    let (sum, count) = members(field, brigade).fold((Vec2::ZERO, 0.0), |(sum, n), id| (sum + flag(field, id), n + 1.0));
    (count > 0.0).then(|| sum * (1.0 / count))
}

/// What most of a brigade fights as.
fn arm(field: &Field, brigade: CommandId) -> Arm {
    let count = |arm: Arm| members(field, brigade).filter(|id| facts(field, *id).arm == arm).count();
    let all = [Arm::Infantry, Arm::Cavalry, Arm::Artillery];
    all.into_iter().max_by_key(|arm| (count(*arm), *arm == Arm::Infantry)).unwrap_or(Arm::Infantry)
}

impl Careful {
    /// The first orders of the day.
    pub fn first_orders(&mut self, scene: &Scene<'_, '_>) -> Order {
        let field = scene.field();
        if !courier::is_structured(field, scene.side) {
            return Order::FirstOrders { orders: Vec::new() };
        }
        self.plan.review(field, scene.side, self.temper.posture);
        let orders = courier::brigades(field, scene.side)
            .filter_map(|to| Some(BrigadeOrder { to, order: self.wanted(scene, to)? }))
            .collect();
        Order::FirstOrders { orders }
    }

    /// The order that fits the plan for a brigade.
    fn wanted(&self, scene: &Scene<'_, '_>, brigade: CommandId) -> Option<Standing> {
        let field = scene.field();
        let place = centre(field, brigade)?;
        let attacks = self.plan.posture == Posture::Attack;
        if arm(field, brigade) != Arm::Infantry
            && let Some(other) = self.foot_beside(scene, brigade, place)
        {
            // Horse and guns go with the foot beside them.
            return Some(Standing { verb: Verb::Support, objective: Objective::Brigade(other) });
        }
        if attacks {
            let point = Point::from_vec(self.plan.beyond(field, place));
            return Some(Standing { verb: Verb::Advance, objective: Objective::Point(point) });
        }
        if let Victory::HoldAll { features, within, .. } = &field.muster().scenario.victory {
            // Whoever stands by a strongpoint holds that.
            let near = features.iter().copied().find(|id| {
                let Some(ground) = field.ground().features.get(id.index()) else { return false };
                members(field, brigade).any(|unit| ground.shape.gap_to(field.unit(unit).quad()) <= within.as_f64())
            });
            if let Some(feature) = near {
                return Some(Standing { verb: Verb::Hold, objective: Objective::Feature(feature) });
            }
        }
        Some(Standing { verb: Verb::Hold, objective: Objective::Point(Point::from_vec(place)) })
    }

    fn foot_beside(&self, scene: &Scene<'_, '_>, brigade: CommandId, place: Vec2) -> Option<CommandId> {
        let field = scene.field();
        courier::brigades(field, scene.side)
            .filter(|other| *other != brigade && arm(field, *other) == Arm::Infantry)
            .filter_map(|other| Some((centre(field, other)?.distance(place), other)))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
            .map(|(_, other)| other)
    }

    /// A courier, where an order in force keeps a brigade from what it is to do.
    pub fn courier(&mut self, scene: &Scene<'_, '_>) -> Option<Order> {
        let field = scene.field();
        let ledger = field.ledger();
        for to in courier::brigades(field, scene.side).filter(|to| courier::can_reach(field, *to)) {
            if ledger.couriers.iter().any(|rider| rider.to == Some(to)) || members(field, to).next().is_none() {
                continue;
            }
            let now = ledger.orders.get(to.index()).copied().flatten();
            let Some(want) = self.wanted(scene, to) else { continue };
            let hinders = match now {
                None => true,
                Some(now) => match want.verb {
                    Verb::Advance => matches!(now.verb, Verb::Hold | Verb::Withdraw | Verb::Reserve),
                    Verb::Support => now.verb != Verb::Support || self.is_alone(field, now),
                    _ => false,
                },
            };
            let order = Order::Send { to, order: want };
            if hinders && scene.allows(&order) {
                return Some(order);
            }
        }
        None
    }

    /// Whether the brigade an order names is gone.
    fn is_alone(&self, field: &Field, order: Standing) -> bool {
        match order.objective {
            Objective::Brigade(other) => members(field, other).next().is_none(),
            _ => false,
        }
    }

    /// The next commander who has somewhere better to be.
    pub fn ride(&mut self, scene: &Scene<'_, '_>) -> Option<Order> {
        let field = scene.field();
        for commander in field.muster().commander_ids() {
            if !movement::may_ride(field, scene.side, commander) || self.sheet.rode.contains(&commander) {
                continue;
            }
            self.sheet.rode.push(commander);
            if let Some(order) = self.ride_of(scene, commander) {
                return Some(order);
            }
        }
        None
    }

    fn ride_of(&mut self, scene: &Scene<'_, '_>, commander: CommanderId) -> Option<Order> {
        let field = scene.field();
        let officer = field.commander(commander);
        let stand = field.muster().commander(commander).facts.stand;
        let here = officer.quad().centre;
        let most = movement::commander_move(field).as_f64() - um(0.05);
        let units: Vec<(UnitId, f64)> = troops(field, scene.side)
            .filter(|(id, _)| officers::commands(field, commander, *id))
            .map(|(id, _)| id)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|id| (id, self.need(field, id)))
            .collect();
        let mut best = (self.use_of(field, commander, &units, here) + 0.15, None);
        for (unit, _) in &units {
            let body = field.unit(*unit);
            let depth = field.footprint(*unit, body.body.formation).depth.as_f64();
            let behind =
                |room: f64| body.pose().to_world(Vec2 { x: 0.0, y: -(depth + stand.depth.as_f64() * 0.5 + room) });
            for room in [um(0.001), um(0.5)] {
                let mut spot = behind(room);
                let way = spot - here;
                if way.length() > most {
                    spot = here + way.normalised() * most;
                }
                let value = self.use_of(field, commander, &units, spot);
                if value > best.0 {
                    let order = Order::Ride { commander, to: Point::from_vec(spot) };
                    if scene.allows(&order) {
                        best = (value, Some(order));
                    }
                }
            }
        }
        best.1
    }

    /// How much a unit needs an officer: soon to test, and likely to fail.
    fn need(&mut self, field: &Field, unit: UnitId) -> f64 {
        let (card, own) = (facts(field, unit), soldiers(field, unit));
        let shaky = match (card.class, own.marks) {
            (Class::Elite | Class::Line, 0..=2) => 1.0,
            (Class::Elite | Class::Line, 3) => 0.6,
            (Class::Elite | Class::Line, 4) => 0.25,
            (Class::Elite | Class::Line, _) => 0.1,
            (Class::Inferior, 0..=3) => 1.0,
            (Class::Inferior, _) => 0.5,
            (Class::Raw, _) => 0.8,
        };
        let near = nearest(field, &mut self.eye, unit).map_or(99.0, |near| near.1);
        let press = match near {
            _ if is_routing(field, unit) => 1.6,
            _ if is_engaged(field, unit) => 1.2,
            _ if near < 9.0 => 1.0,
            _ if near < 14.0 => 0.7,
            _ => 0.15,
        };
        shaky * press
    }

    /// What an officer does for his units from a place, less what he risks there.
    fn use_of(&mut self, field: &Field, commander: CommanderId, units: &[(UnitId, f64)], spot: Vec2) -> f64 {
        let card = field.muster().commander(commander);
        let reach = field.charts().officer.reach.value.0.as_inches();
        let half = card.facts.stand.width.as_f64() * 0.5;
        let quad = table::Quad::of_square(spot, card.facts.stand.width);
        let mut sum = 0.0;
        for (unit, need) in units {
            let body = field.unit(*unit);
            if body.quad().centre.distance(spot) > um(reach + 5.0) {
                // Better on the way to his men than far from them.
                sum -= 0.02 * (body.quad().centre.distance(spot) / INCH) * need.max(0.1);
                continue;
            }
            let gap = table::gap(body.quad(), &quad);
            let touching = gap <= table::SLACK;
            // He keeps a little inside his reach, since nobody measures it for him.
            let looks = self.eye.judge(Spot::Unit(*unit), Spot::Commander(commander), gap.as_f64());
            let near = looks <= reach * 0.93;
            if touching || near {
                sum += need * (0.3 + f64::from(factor_of(field, commander, touching)));
                let firm = card.facts.rating >= Rating::Good && soldiers(field, *unit).loaded;
                sum += if firm { 0.15 } else { 0.0 };
            }
            if touching && is_engaged(field, *unit) {
                sum -= 0.35;
            }
        }
        for (enemy, body) in troops(field, card.side.other()) {
            if is_routing(field, enemy) {
                continue;
            }
            let away = body.quad().centre.distance(spot) - half;
            if away > um(7.0) {
                continue;
            }
            let looks = self.eye.judge(Spot::Unit(enemy), Spot::Commander(commander), away);
            sum -= if looks < 5.0 { 0.5 } else { 0.1 };
        }
        sum
    }
}
