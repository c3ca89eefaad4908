//! The careful player of `awi`: has a plan, minds the odds, and never gives an order that is refused.
//!
//! At the start of a turn it thinks the day over (`plan`), looks at every charge that could be made (`charging`) and
//! settles the turn in a fixed order: shots that should come before the charges, the charges, everybody else, the
//! commanders. Distances come through one `eye`, fights through exact odds (`clash`, `volley`).

mod answers;
mod charging;
mod clash;
mod command;
mod eye;
mod hiding;
mod marching;
mod plan;
mod programme;
mod scene;
mod shooting;
mod volley;

use crate::Bot;
use charging::{Rush, best_assault, survey};
use clash::Clash;
use engine::{Asked, CommanderId, Lots, Side, UnitId, View};
use eye::Eye;
use plan::Plan;
pub use plan::Posture;
use rules::awi::Awi;
use rules::awi::field::{facts, is_engaged, troops};
use rules::awi::movement;
use rules::awi::order::{Decision, Order};
use rules::awi::unit::Arm;
use rules::awi::victory;
use scene::Scene;

/// How bold a careful player is: the few figures its judgement turns on. Lengths in inches, gains in battalions.
#[derive(Clone, Copy, Debug)]
pub struct Temper {
    /// A charge must promise more than this.
    pub least_gain: f64,
    /// What sending a unit into a charge costs in itself.
    pub effort: f64,
    /// How much of what the odds promise comes true.
    pub trust: f64,
    /// What an enemy costs who could come into the fight next turn, and what a friend brings.
    pub their_reserve: f64,
    /// What a friend brings who could.
    pub our_reserve: f64,
    /// What a charge that falls short costs.
    pub short_cost: f64,
    /// A fight worth less than this is broken off.
    pub too_bad: f64,
    /// Attackers wait this far off until the line is formed.
    pub standoff: f64,
    /// Attackers then close to this.
    pub close_to: f64,
    /// And fire from here.
    pub fire_at: f64,
    /// Beyond this the line goes straight on, within it every unit for its own enemy.
    pub lane_until: f64,
    /// How much of its width an attack keeps as it comes on: less is a heavier blow on a narrower front.
    pub squeeze: f64,
    /// The less steady keep so much further off.
    pub hang_back: f64,
    /// Units with no more marks than this are taken out of musketry.
    pub save_at: f64,
    /// With no more rounds left than this after the way to the enemy nobody waits for the line any longer.
    pub patience: f64,
    /// So many inches further a unit goes to fall upon an enemy together with another.
    pub gang: f64,
    /// Horse waits this far off.
    pub horse_at: f64,
    /// A shot worth less than this is kept.
    pub least_shot: f64,
    /// Come on or stand, whatever the terms of the battle suggest.
    pub posture: Option<Posture>,
}

impl Default for Temper {
    fn default() -> Temper {
        Temper {
            least_gain: 0.05,
            effort: 0.1,
            trust: 0.5,
            their_reserve: 0.06,
            our_reserve: 0.02,
            short_cost: 0.3,
            too_bad: -0.15,
            standoff: 11.0,
            close_to: 6.5,
            fire_at: 3.7,
            lane_until: 15.0,
            squeeze: 0.7,
            hang_back: 2.0,
            save_at: 1.0,
            patience: 5.0,
            gang: 3.0,
            horse_at: 13.0,
            least_shot: 0.02,
            posture: None,
        }
    }
}

/// Where a turn's movement is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
enum Stage {
    #[default]
    Look,
    ShootFirst,
    Charge,
    March,
    Ride,
}

/// The notes of one turn.
#[derive(Clone, Default)]
struct Sheet {
    /// The turn and side they are for.
    of: Option<(u16, Side)>,
    stage: Stage,
    /// Units still to be given a programme, last first.
    queue: Vec<UnitId>,
    /// Units kept for a charge, and whom they are to charge.
    chargers: Vec<UnitId>,
    marked: Vec<UnitId>,
    /// Charges that were tried and may not be declared.
    refused: Vec<(UnitId, UnitId)>,
    /// Units found to have no shot worth taking.
    silent: Vec<UnitId>,
    rode: Vec<CommanderId>,
}

/// The careful player.
#[derive(Clone)]
pub struct Careful {
    lots: Lots,
    eye: Eye,
    clash: Clash,
    plan: Plan,
    sheet: Sheet,
    temper: Temper,
    /// The temper of this turn.
    mood: Temper,
}

impl Careful {
    /// The same seed plays the same way.
    pub fn new(seed: u64) -> Careful {
        Careful::with(seed, Temper::default())
    }

    /// With a temper of one's own, to compare tempers.
    pub fn with(seed: u64, temper: Temper) -> Careful {
        let mut lots = Lots::new(seed);
        let eye = Eye::new(Lots::new((lots.below(1 << 30) as u64) << 20 | lots.below(1 << 20) as u64));
        Careful {
            lots,
            eye,
            clash: Clash::default(),
            plan: Plan::default(),
            sheet: Sheet::default(),
            temper,
            mood: temper,
        }
    }

    /// Takes a fresh sheet at the start of a turn.
    fn turn_page(&mut self, scene: &Scene<'_, '_>) {
        let field = scene.field();
        let now = Some((field.turn(), field.ledger().active));
        if self.sheet.of == now {
            return;
        }
        self.sheet = Sheet { of: now, ..Sheet::default() };
        self.eye.refresh(field);
        if field.ledger().active == scene.side {
            self.plan.review(field, scene.side, self.temper.posture);
            self.plan.assign(
                field,
                &mut self.eye,
                scene.side,
                self.temper.standoff,
                self.temper.patience,
                self.temper.gang,
            );
            self.mood = Temper { least_gain: self.temper.least_gain + self.plan.caution, ..self.temper };
        }
    }

    fn answer(&mut self, scene: &Scene<'_, '_>) -> Order {
        let field = scene.field();
        let opening = matches!(
            scene.asked.decision,
            Decision::Deploy | Decision::PlaceSharpshooters { .. } | Decision::FirstOrders | Decision::ChooseFirst
        );
        if !opening {
            self.turn_page(scene);
        }
        match &scene.asked.decision {
            Decision::Deploy => Order::Pass,
            Decision::PlaceSharpshooters { .. } => self.hide(scene),
            Decision::FirstOrders => self.first_orders(scene),
            Decision::ChooseFirst => Order::Begin { me: true },
            Decision::RallyOrder { units } => self.rally_order(field, units),
            Decision::RallyFacing { .. } => Order::Pass,
            Decision::Pursuer { unit } => self.halt(field, *unit),
            Decision::SendCourier => self.courier(scene).unwrap_or(Order::Pass),
            Decision::Activate => self.activate(scene),
            Decision::Path { unit, going, allowance } => self.way(scene, *unit, *going, *allowance),
            Decision::FailedChargeVolley { unit, at } => self.volley_at_failed(field, *unit, *at),
            Decision::DefensiveGrape { .. } => Order::Grape,
            Decision::Support { charger, able, .. } => self.support(field, *charger, able),
            Decision::OfficerAttempt { able, .. } => self.attempt(scene, able),
            Decision::DivertHits { hits, able } => self.divert(scene, *hits, able),
            Decision::Pursue { unit, quarry } => self.pursue(field, *unit, *quarry),
            Decision::Fire => self.fire(scene),
            Decision::ShellTie { among } => self.tie(scene, among),
            Decision::MeleeNext { .. } => Order::Pass,
            Decision::UnopposedLoss { among } => self.strike(field, among),
        }
    }

    /// The next piece's programme.
    fn activate(&mut self, scene: &Scene<'_, '_>) -> Order {
        if self.sheet.stage == Stage::Look {
            self.look(scene);
        }
        loop {
            let found = match self.sheet.stage {
                Stage::Look | Stage::ShootFirst => self.shoot_first(scene),
                Stage::Charge => self.charge(scene),
                Stage::March => self.march_next(scene),
                Stage::Ride => match self.ride(scene) {
                    Some(order) => Some(order),
                    None => return Order::Pass,
                },
            };
            if let Some(order) = found {
                return order;
            }
            self.sheet.stage = match self.sheet.stage {
                Stage::Look | Stage::ShootFirst => Stage::Charge,
                Stage::Charge => {
                    self.queue_up(scene, |_| true);
                    Stage::March
                }
                _ => Stage::Ride,
            };
        }
    }

    /// Sees which charges may come, and keeps their units for them.
    fn look(&mut self, scene: &Scene<'_, '_>) {
        let field = scene.field();
        let rushes = survey(scene, &mut self.eye);
        let mut left: Vec<Rush> = rushes;
        while let Some(assault) = best_assault(field, &mut self.eye, &mut self.clash, &left, &self.mood) {
            let at = assault.rushes.first().map(|rush| rush.at);
            self.sheet.chargers.extend(assault.rushes.iter().map(|rush| rush.unit));
            self.sheet.marked.extend(at);
            let taken = &self.sheet.chargers;
            left.retain(|rush| Some(rush.at) != at && !taken.contains(&rush.unit));
        }
        self.queue_up(scene, |_| true);
        self.sheet.stage = Stage::ShootFirst;
    }

    /// Lines up the units that still have their turn, the nearest to the enemy to come first.
    fn queue_up(&mut self, scene: &Scene<'_, '_>, keep: impl Fn(UnitId) -> bool) {
        let field = scene.field();
        let forward = self.plan.forward;
        let mut rows: Vec<(f64, UnitId)> = troops(field, scene.side)
            .filter(|(id, _)| movement::may_act(field, *id) && keep(*id))
            .map(|(id, unit)| (unit.pose().at.vec().dot(forward), id))
            .collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        self.sheet.queue.clear();
        self.sheet.queue.extend(rows.into_iter().map(|(_, id)| id));
    }

    /// Shots to be fired before anybody charges.
    fn shoot_first(&mut self, scene: &Scene<'_, '_>) -> Option<Order> {
        let field = scene.field();
        while let Some(unit) = self.sheet.queue.pop() {
            if self.sheet.chargers.contains(&unit) || is_engaged(field, unit) {
                continue;
            }
            let marked = std::mem::take(&mut self.sheet.marked);
            let aim =
                shooting::shoots_first(field, &mut self.eye, unit, |at| if marked.contains(&at) { 1.5 } else { 1.0 });
            let Some(aim) = aim else {
                self.sheet.marked = marked;
                continue;
            };
            let prepares = marked.contains(&aim.at);
            self.sheet.marked = marked;
            let guns = facts(field, unit).arm == Arm::Artillery;
            // Whoever attacks and would shoot better from nearer goes nearer first.
            let closes = !guns
                && !prepares
                && self.plan.posture == Posture::Attack
                && self.better_close(field, unit).is_some_and(|closer| closer.1 > aim.value * 1.15);
            if closes || aim.value < self.temper.least_shot {
                continue;
            }
            let order = Order::FireThenMove { unit, at: aim.at, grape: aim.grape };
            if scene.allows(&order) {
                return Some(order);
            }
        }
        None
    }

    /// The next charge worth making.
    fn charge(&mut self, scene: &Scene<'_, '_>) -> Option<Order> {
        let field = scene.field();
        let mut rushes = survey(scene, &mut self.eye);
        let refused = &mut self.sheet.refused;
        rushes.retain(|rush| !refused.contains(&(rush.unit, rush.at)));
        while let Some(assault) = best_assault(field, &mut self.eye, &mut self.clash, &rushes, &self.mood) {
            let first = assault.rushes.first()?;
            let order = charging::order(first);
            if scene.allows(&order) {
                return Some(order);
            }
            let (unit, at) = (first.unit, first.at);
            refused.push((unit, at));
            rushes.retain(|rush| (rush.unit, rush.at) != (unit, at));
        }
        None
    }

    /// The next unit's programme that is not standing still.
    fn march_next(&mut self, scene: &Scene<'_, '_>) -> Option<Order> {
        let field = scene.field();
        while let Some(unit) = self.sheet.queue.pop() {
            if !movement::may_act(field, unit) {
                continue;
            }
            if let Some(order) = self.programme(scene, unit).filter(|order| scene.allows(order)) {
                return Some(order);
            }
        }
        None
    }

    /// The next shot of the Firing part.
    fn fire(&mut self, scene: &Scene<'_, '_>) -> Order {
        let least = self.temper.least_shot;
        shooting::next_shot(scene, &mut self.eye, &mut self.sheet.silent, least).unwrap_or(Order::Pass)
    }
}

impl Bot<Awi> for Careful {
    fn choose(&mut self, view: &View<'_, Awi>, asked: &Asked<Awi>, side: Side) -> Order {
        let scene = Scene { view, asked, side };
        let order = self.answer(&scene);
        if order == Order::Pass || scene.allows(&order) { order } else { Order::Pass }
    }
}

/// What it is worth at the very end to be the one who wins as things stand.
const VERDICT: f64 = 0.3;

/// How the battle stands, from 0 to 1.
pub fn standing(field: &scene::Field, side: Side) -> f64 {
    let (own, enemy) = (plan::used(field, side), plan::used(field, side.other()));
    let (strong, foes) = (plan::strength(field, side), plan::strength(field, side.other()));
    // Who would win if the light failed now counts for more the later it is.
    let late = field.muster().turn_limit.map_or(0.0, |limit| f64::from(field.turn()) / f64::from(limit.max(1)));
    let verdict = match victory::at_limit(field).winner {
        Some(winner) if winner == side => VERDICT * late * late,
        Some(_) => -VERDICT * late * late,
        None => 0.0,
    };
    let lead = (enemy - own) * 0.5 + (strong - foes) / (strong + foes).max(0.1) + verdict;
    0.5 + 0.5 * (lead * 2.0).clamp(-1.0, 1.0)
}
