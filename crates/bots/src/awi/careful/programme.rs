//! What each unit does with its turn, once it is settled who charges: load, close in, form the line, keep out of harm.

use super::Careful;
use super::charging::party;
use super::clash::{Party, ROUNDS};
use super::marching::{self, Aim};
use super::plan::{Posture, turns_left};
use super::scene::{Field, Scene, passes, steadiness, um};
use super::shooting::{best_after_closing, best_shell, best_shot, longest, nearest};
use engine::UnitId;
use rules::awi::field::{
    arc_half_angle, cover_against, facts, flag, in_arc, is_engaged, sees, soldiers, touching_enemies,
};
use rules::awi::movement::{self, March};
use rules::awi::order::{Allowance, Going, Order};
use rules::awi::unit::{Arm, Aspect, Class, Formation};
use table::march::Leg;
use table::{Angle, Zone, within_arc, zone};

impl Careful {
    /// A unit's programme, if it is to do anything.
    pub fn programme(&mut self, scene: &Scene<'_, '_>, unit: UnitId) -> Option<Order> {
        let field = scene.field();
        if is_engaged(field, unit) {
            return self.in_melee(scene, unit);
        }
        match facts(field, unit).arm {
            Arm::Artillery => self.guns(scene, unit),
            Arm::Cavalry => self.horse(scene, unit),
            _ => self.foot(scene, unit),
        }
    }

    /// A unit that fights: turn to a flank attacker, get out of a fight that is lost, else fight on.
    fn in_melee(&mut self, scene: &Scene<'_, '_>, unit: UnitId) -> Option<Order> {
        let field = scene.field();
        let enemies = touching_enemies(field, unit);
        let from_aside = enemies
            .iter()
            .copied()
            .find(|enemy| soldiers(field, *enemy).attack_on(unit).is_some_and(|attack| attack.aspect != Aspect::Front));
        if let Some(face) = from_aside {
            let order = Order::TurnInMelee { unit, face };
            if scene.allows(&order) {
                return Some(order);
            }
        }
        let &enemy = enemies.first()?;
        let friends = touching_enemies(field, enemy);
        let eye = &mut self.eye;
        let mut gather = |units: &[UnitId], against: UnitId| {
            units.iter().map(|id| party(field, eye, *id, against)).reduce(Party::joined)
        };
        let (own, theirs) = (gather(&friends, enemy)?, gather(&enemies, unit)?);
        let edge = self.standing_edge(field, unit, enemy);
        let value = self.clash.value(field, &own, &theirs, [edge; ROUNDS]);
        let gets_away = steadiness(field, &mut self.eye, unit);
        let order = Order::BreakOff { unit, half: false };
        (value < self.temper.too_bad && gets_away > 0.6 && scene.allows(&order)).then_some(order)
    }

    /// What a unit adds to its dice beyond an enemy's in a fight that is going on.
    fn standing_edge(&self, field: &Field, unit: UnitId, enemy: UnitId) -> i32 {
        let ours = rules::awi::melee::fighter(field, unit, &[enemy]);
        let theirs = rules::awi::melee::fighter(field, enemy, &[unit]);
        let sum = |fighter: &rules::awi::melee::Fighter| fighter.modifiers.iter().map(|line| line.2.value).sum::<i32>();
        sum(&ours) - sum(&theirs)
    }

    /// Foot: load, come within range and fire, form the line, or stand.
    fn foot(&mut self, scene: &Scene<'_, '_>, unit: UnitId) -> Option<Order> {
        let field = scene.field();
        let (card, own) = (facts(field, unit), soldiers(field, unit));
        let (near, gap) = nearest(field, &mut self.eye, unit)?;
        let attacks = self.plan.posture == Posture::Attack;
        if field.settings().column_restricted && field.unit(unit).body.formation == Formation::Column && gap < 20.0 {
            let order = Order::Reform { unit, formation: Formation::Line, facing: None, to_fire: false };
            return scene.allows(&order).then_some(order);
        }
        if let Some(order) = self.save(scene, unit, near, gap) {
            return Some(order);
        }
        if !own.loaded && (gap < 16.0 || !attacks) {
            return Some(Order::Load { unit });
        }
        let target = self.plan.target(unit).unwrap_or(near);
        let looks = super::scene::range(field, &mut self.eye, unit, target);
        let shot =
            if gap < longest(field, unit) * 1.15 { best_shot(field, &mut self.eye, unit, |_| 1.0) } else { None };
        if !attacks {
            return self.stand(scene, unit, near, gap, shot.is_some());
        }
        if own.loaded
            && card.class != Class::Raw
            && let Some(order) = self.close_in(scene, unit, shot.map_or(0.0, |shot| shot.value))
        {
            return Some(order);
        }
        if shot.is_some_and(|shot| shot.value >= self.temper.least_shot) {
            return None;
        }
        // Near enough to shoot and nothing to shoot at: something is in the way, so it goes on until it sees.
        let blind = gap < longest(field, unit) && shot.is_none();
        if blind {
            return self.find_sight(scene, unit, near);
        }
        let until = self.halt_at(field, unit, looks);
        if gap - until < 0.5 && in_arc(field, unit, flag(field, near)) {
            return None;
        }
        let aim = self.forward(field, unit, target, looks, gap - until);
        marching::march(scene, unit, false, aim)
    }

    /// A unit close to an enemy it does not see: a step aside and a shot, else a longer step, else straight on.
    fn find_sight(&mut self, scene: &Scene<'_, '_>, unit: UnitId, near: UnitId) -> Option<Order> {
        let field = scene.field();
        let raw = facts(field, unit).class == Class::Raw;
        for half in [true, false] {
            let going = if half { Going::Half } else { Going::Full };
            let step = movement::certain_allowance(field, unit, going).anywhere.as_f64();
            if half && (raw || !soldiers(field, unit).loaded) {
                continue;
            }
            // Turning to face him takes its part of the step.
            for share in [0.8, 0.5] {
                let Some(aim) = marching::place_to_see(field, unit, near, step * share) else { continue };
                if let Some(order) = marching::march(scene, unit, half, aim) {
                    return Some(order);
                }
            }
        }
        let aim = marching::approach(field, &mut self.eye, unit, near, 2.0);
        marching::march(scene, unit, false, aim)
    }

    /// A unit that the next hit would end gets out of musketry, facing the enemy, if its order lets it.
    fn save(&mut self, scene: &Scene<'_, '_>, unit: UnitId, near: UnitId, gap: f64) -> Option<Order> {
        let field = scene.field();
        let reach = field.charts().range.small_arms.long.value.0.as_inches();
        if soldiers(field, unit).marks > self.temper.save_at as u8
            || gap > reach + 3.0
            || facts(field, unit).class == Class::Raw
        {
            return None;
        }
        let (here, there) = (flag(field, unit), flag(field, near));
        let away = (here - there).normalised();
        let aim = Aim { to: here + away * um(8.0), face: there, tolerance: 45 };
        marching::march(scene, unit, false, aim)
    }

    /// A half move that makes for a better shot than the one at hand.
    fn close_in(&mut self, scene: &Scene<'_, '_>, unit: UnitId, at_hand: f64) -> Option<Order> {
        let field = scene.field();
        let (at, value) = self.better_close(field, unit)?;
        if value < at_hand * 1.15 || value < self.temper.least_shot {
            return None;
        }
        let aim = marching::approach(field, &mut self.eye, unit, at, self.temper.fire_at);
        let order = marching::march(scene, unit, true, aim)?;
        // A step that ends with something in the way is no step closer.
        let Order::Move { legs, .. } = &order else { return Some(order) };
        let end = movement::plot(field, unit, legs).end();
        let there = flag(field, at);
        let bears = within_arc(end, there, arc_half_angle(field)) && sees(field, end.at.vec(), there, &[unit, at]);
        let looks = super::scene::range_of(&mut self.eye, unit, at, end.at.vec().distance(there));
        (bears && self.eye.within(looks, longest(field, unit)) > 0.6).then_some(order)
    }

    /// The best shot a unit would have after a half move.
    pub fn better_close(&mut self, field: &Field, unit: UnitId) -> Option<(UnitId, f64)> {
        let step = movement::certain_allowance(field, unit, Going::Half).anywhere.as_inches();
        best_after_closing(field, &mut self.eye, unit, step, self.temper.fire_at)
    }

    /// The way forward: on its own lane while the enemy is far, straight at its target once he is near.
    fn forward(&mut self, field: &Field, unit: UnitId, target: UnitId, looks: f64, most: f64) -> Aim {
        if looks > self.temper.lane_until {
            let here = flag(field, unit);
            let to = self.plan.lane(here, most, self.temper.squeeze);
            return Aim { to, face: to + self.plan.forward * um(10.0), tolerance: 25 };
        }
        marching::approach(field, &mut self.eye, unit, target, (looks - most).max(0.0))
    }

    /// How far from its target an attacker stops: out of reach until the line is formed, then at close range; shaken
    /// units hang back, and nobody runs ahead of the rest.
    fn halt_at(&self, field: &Field, unit: UnitId, looks: f64) -> f64 {
        let own = soldiers(field, unit);
        let wait = self.temper.standoff;
        let shaken = passes(field, facts(field, unit).class, own.marks, 0) < 0.6;
        if shaken && facts(field, unit).class != Class::Raw {
            return wait.max(looks);
        }
        // The less steady follow a little behind.
        let behind = match facts(field, unit).class {
            Class::Elite | Class::Line => 0.0,
            Class::Inferior => self.temper.hang_back,
            Class::Raw => self.temper.hang_back * 1.5,
        };
        behind + if self.plan.assault { self.temper.close_to } else { wait }
    }

    /// A unit that lets the enemy come: faces him, and steps up to fire only from where it loses no cover.
    fn stand(&mut self, scene: &Scene<'_, '_>, unit: UnitId, near: UnitId, gap: f64, has_shot: bool) -> Option<Order> {
        let field = scene.field();
        let pose = field.unit(unit).pose();
        let there = flag(field, near);
        let raw = facts(field, unit).class == Class::Raw;
        let covered = cover_against(field, unit, there, flag(field, unit)).is_some();
        if has_shot {
            return None;
        }
        let footprint = field.footprint(unit, field.unit(unit).body.formation);
        let in_front = zone(pose, footprint, there) == Zone::Front && in_arc(field, unit, there);
        let long = longest(field, unit);
        if !raw && soldiers(field, unit).loaded && gap < long + 2.5 && (!covered || !in_front) {
            let aim = marching::approach(field, &mut self.eye, unit, near, long * 0.9);
            if let Some(order) = marching::march(scene, unit, true, aim) {
                return Some(order);
            }
        }
        if !in_front && gap < 15.0 && !raw {
            let aim = Aim { to: pose.at.vec(), face: there, tolerance: 20 };
            return marching::march(scene, unit, false, aim);
        }
        None
    }

    /// Horse: keeps out of musketry and near enough to strike.
    fn horse(&mut self, scene: &Scene<'_, '_>, unit: UnitId) -> Option<Order> {
        let field = scene.field();
        let target = self.plan.target(unit)?;
        let looks = super::scene::range(field, &mut self.eye, unit, target);
        let attacks = self.plan.posture == Posture::Attack;
        let until = if attacks { self.temper.horse_at } else { self.temper.horse_at + 6.0 };
        let ahead = in_arc(field, unit, flag(field, target));
        if looks - until < 1.0 && ahead {
            return None;
        }
        // Horse that stands waits for its chance behind the line.
        if !attacks && looks < 24.0 && ahead {
            return None;
        }
        // It never runs ahead of the foot.
        let until = until.max(if self.plan.assault { 0.0 } else { self.plan.front + 1.0 });
        let aim = self.forward(field, unit, target, looks, looks - until);
        marching::march(scene, unit, false, aim)
    }

    /// Guns: load, bear on somebody, come up if nothing is in reach.
    fn guns(&mut self, scene: &Scene<'_, '_>, unit: UnitId) -> Option<Order> {
        let field = scene.field();
        let own = soldiers(field, unit);
        let (near, gap) = nearest(field, &mut self.eye, unit)?;
        let long = longest(field, unit);
        let there = flag(field, near);
        if field.unit(unit).body.formation == Formation::Limbered {
            if gap < long * 0.75 {
                let facing = Some(Angle::of(there - flag(field, unit)));
                let order = Order::Unlimber { unit, facing };
                let plain = Order::Unlimber { unit, facing: None };
                return [order, plain].into_iter().find(|order| scene.allows(order));
            }
            let aim = marching::approach(field, &mut self.eye, unit, near, long * 0.65);
            return marching::march(scene, unit, false, aim);
        }
        if !own.loaded {
            return Some(Order::Load { unit });
        }
        let bears = best_shot(field, &mut self.eye, unit, |_| 1.0).is_some_and(|shot| shot.value > 0.02);
        if bears || best_shell(field, &mut self.eye, unit).is_some() {
            return None;
        }
        if gap < long + 2.0 {
            let turn = Aim { to: flag(field, unit), face: there, tolerance: 10 };
            let off_arc = !in_arc(field, unit, there);
            if off_arc {
                return marching::march(scene, unit, true, turn);
            }
            // In reach and in arc, and still no shot: something is in the way.
            return self.find_sight(scene, unit, near);
        }
        if self.plan.posture == Posture::Attack {
            let far = gap - long;
            if far > 8.0 && turns_left(field) > 5 {
                let order = Order::Limber { unit, facing: None };
                return scene.allows(&order).then_some(order);
            }
            let aim = marching::approach(field, &mut self.eye, unit, near, long * 0.9);
            return marching::march(scene, unit, false, aim);
        }
        None
    }

    /// Answers which way a unit goes once its dice are thrown.
    pub fn way(&mut self, scene: &Scene<'_, '_>, unit: UnitId, going: Going, allowance: Allowance) -> Order {
        let field = scene.field();
        let march = March { unit, going, allowance };
        if going.is_breaking_off() {
            let most = allowance.anywhere;
            let backs = [most, most.times(0.7), most.times(0.4), most.times(0.2)];
            let orders = backs.into_iter().map(|back| Order::Path { legs: vec![Leg::Back(back)], with: Vec::new() });
            return orders.into_iter().find(|order| scene.allows(order)).unwrap_or(Order::Pass);
        }
        if going == Going::AfterFire {
            return Order::Pass;
        }
        let Some(target) = self.plan.target(unit).or_else(|| nearest(field, &mut self.eye, unit).map(|near| near.0))
        else {
            return Order::Pass;
        };
        let looks = super::scene::range(field, &mut self.eye, unit, target);
        let aim = match going {
            Going::Half => marching::approach(field, &mut self.eye, unit, target, self.temper.fire_at),
            _ if self.plan.posture == Posture::Attack => {
                let gap = nearest(field, &mut self.eye, unit).map_or(looks, |near| near.1);
                let until = self.halt_at(field, unit, looks);
                self.forward(field, unit, target, looks, gap - until)
            }
            _ => return Order::Pass,
        };
        match marching::path(scene, &march, aim) {
            Some(legs) => Order::Path { legs, with: Vec::new() },
            None => Order::Pass,
        }
    }
}
