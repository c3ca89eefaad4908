//! The careful player of `iron` and `empire`: thinks in points won and lost, weighs every march by the fire it gives and
//! takes, every charge by its odds, and never gives an order that is refused.

mod answers;
mod arms;
mod clash;
mod marching;
mod plan;
mod rank;
mod route;
mod scene;
mod shooting;
mod staff;
mod volley;
mod ways;

use crate::Bot;
use engine::{Asked, CommanderId, Side, UnitId, View};
use plan::Plan;
use rules::days::Days;
use rules::days::field::{self, facts};
use rules::days::movement::limits;
use rules::days::order::{Decision, Declaration, Order};
use rules::days::unit::{Arm, ChargeKind};
use scene::Scene;
use volley::Smoke;

/// How bold a careful player is. Lengths in inches, the rest in points.
#[derive(Clone, Copy, Debug)]
pub struct Temper {
    /// A charge must promise more than this.
    pub least_gain: f64,
    /// A charge of opportunity, which no volley meets.
    pub least_chance: f64,
    /// How fire given weighs, and fire taken.
    pub give: f64,
    /// How fire taken weighs.
    pub take: f64,
    /// What a turn's delay costs.
    pub hurry: f64,
    /// So much of that for foot that outranges its enemy.
    pub calm: f64,
    /// The same for guns, which shoot from where they are.
    pub guns_hurry: f64,
    /// So many times that for those who go for a place that decides the battle.
    pub storm: f64,
    /// So many turns before the end those who go for it want to be there.
    pub early: f64,
    /// And are at most so many times in a hurry.
    pub haste: f64,
    /// What it costs to have to form up, in turns.
    pub forming: f64,
    /// So near its goal foot goes at the pace of those who fight, in inches.
    pub last: f64,
    /// How far inside its effective range foot goes where the enemy shoots as far.
    pub press: f64,
    /// The same where the enemy does not.
    pub press_far: f64,
    /// So many turns ahead guns think.
    pub outlook: f64,
    /// By how many degrees one may look beside one's enemy.
    pub slack: f64,
    /// What a wheel costs at most, in turns.
    pub wheeling: f64,
    /// Horse waits so far off those it can ride down.
    pub horse_at: f64,
    /// And so far off the others.
    pub horse_back: f64,
    /// What broken ground costs.
    pub broken_ground: f64,
    /// What it costs a column to stop in a heavy wood.
    pub entangled: f64,
    /// What it is worth to stand on a place that is to be held.
    pub hold: f64,
    /// What an inch from the enemy is worth to spent units.
    pub retire: f64,
    /// What a friend on each flank is worth.
    pub joined: f64,
    /// What part of itself a column of march risks near the enemy.
    pub marching: f64,
    /// How many turns' delay a jammed unit accepts to get out of it.
    pub patience: f64,
    /// How many more for each turn it has stood there.
    pub detour: f64,
}

impl Default for Temper {
    fn default() -> Temper {
        Temper {
            least_gain: 0.3,
            least_chance: 0.3,
            give: 2.2,
            take: 0.5,
            hurry: 12.0,
            calm: 0.3,
            guns_hurry: 0.3,
            storm: 1.6,
            early: 3.0,
            haste: 6.0,
            forming: 0.5,
            last: 3.0,
            press: 3.5,
            press_far: 2.5,
            outlook: 3.0,
            slack: 15.0,
            wheeling: 2.5,
            horse_at: 15.0,
            horse_back: 16.0,
            broken_ground: 1.0,
            entangled: 8.0,
            hold: 12.0,
            retire: 0.25,
            joined: 0.1,
            marching: 0.25,
            patience: 0.6,
            detour: 1.0,
        }
    }
}

/// The notes of one turn of moves.
#[derive(Clone, Default)]
struct Sheet {
    /// The turn they are for.
    of: Option<u16>,
    /// Whether moves have been queued.
    queued: bool,
    /// Units still to move, last first.
    queue: Vec<UnitId>,
    /// Units that were in each other's way, and try once more when the others have moved.
    later: Vec<UnitId>,
    /// Whether they do so now.
    again: bool,
    /// Generals still to ride.
    riders: Vec<CommanderId>,
}

/// The careful player.
#[derive(Clone)]
pub struct Careful {
    plan: Plan,
    sheet: Sheet,
    temper: Temper,
}

impl Careful {
    /// It needs no lots of its own: the same battle is played the same way.
    pub fn new(_seed: u64) -> Careful {
        Careful::with(Temper::default())
    }

    /// With a temper of one's own, to compare tempers.
    pub fn with(temper: Temper) -> Careful {
        Careful { plan: Plan::default(), sheet: Sheet::default(), temper }
    }

    fn turn_page(&mut self, scene: &Scene<'_, '_>) {
        let now = Some(scene.field().turn());
        if self.sheet.of != now {
            self.sheet = Sheet { of: now, ..Sheet::default() };
            self.plan.review(scene.field(), scene.side);
        }
    }

    fn answer(&mut self, scene: &Scene<'_, '_>) -> Order {
        let field = scene.field();
        self.turn_page(scene);
        match &scene.asked.decision {
            Decision::Reserves | Decision::Deploy | Decision::DeployBrigade { .. } | Decision::Surrender { .. } => {
                Order::Pass
            }
            Decision::Replace { lost } => Order::Replace { generals: lost.clone() },
            Decision::Arrive { absent } => staff::arrive(scene, absent, &self.plan),
            Decision::Charges => self.charge(scene, ChargeKind::Declared),
            Decision::Opportunity => self.charge(scene, ChargeKind::Opportunity),
            Decision::Rally => staff::rally(scene),
            Decision::Fire => shooting::fire(scene, &self.plan),
            Decision::Defend => shooting::defend(scene),
            Decision::React { unit, by } => answers::react(scene, *unit, by),
            Decision::Feint { among } => {
                let units: Vec<UnitId> =
                    among.iter().copied().filter(|unit| clash::is_forlorn(field, &self.plan, *unit)).collect();
                if units.is_empty() { Order::Pass } else { Order::Feint { units } }
            }
            Decision::Move => self.next_move(scene),
            Decision::Assault { stay, follow } => {
                Order::Assault { stay: stay[scene.side].clone(), decline: follow[scene.side].clone() }
            }
            Decision::GoOn { unit } if self.plan.guards(field, *unit) => Order::Pass,
            Decision::GoOn { unit } => answers::go_on(scene, *unit),
        }
    }

    /// The charges worth making, no more than two upon one enemy.
    fn charge(&self, scene: &Scene<'_, '_>, kind: ChargeKind) -> Order {
        let (field, side) = (scene.field(), scene.side);
        let smoke = Smoke::of(field, side);
        let least = match kind {
            ChargeKind::Declared => self.temper.least_gain,
            ChargeKind::Opportunity => self.temper.least_chance,
        };
        let mut declarations: Vec<Declaration> = Vec::new();
        for rush in clash::survey(field, &smoke, &self.plan, side, kind) {
            let used = declarations.iter().any(|one| one.units.iter().any(|unit| unit.unit == rush.charger.unit));
            let upon = declarations.iter().filter(|one| one.at == rush.at).count();
            let most = if self.plan.prize(field, rush.at) > 0.0 { 3 } else { 2 };
            let strays = self.plan.strays(field, rush.charger.unit, rush.at);
            if rush.value < least || used || strays || upon >= most {
                continue;
            }
            declarations.push(Declaration { units: vec![rush.charger], at: rush.at });
            if !scene.allows(&Order::Charge { declarations: declarations.clone() }) {
                declarations.pop();
            }
        }
        if declarations.is_empty() { Order::Pass } else { Order::Charge { declarations } }
    }

    /// The next move; when everybody has moved, none.
    fn next_move(&mut self, scene: &Scene<'_, '_>) -> Order {
        let (field, side) = (scene.field(), scene.side);
        if !self.sheet.queued {
            self.sheet.queued = true;
            self.plan.review(field, side);
            self.plan.count_halts(field, side);
            self.queue_up(scene);
        }
        self.plan.going.note_taken(field, side);
        let smoke = Smoke::of(field, side);
        // Whoever has been asked on this very field would say the same again.
        let mut asked: Vec<UnitId> = Vec::new();
        while let Some(unit) = self.sheet.queue.pop() {
            if field::is_hidden(field.unit(unit)) {
                let order = Order::Reveal { unit };
                if scene.allows(&order) {
                    self.sheet.queue.push(unit);
                    return order;
                }
                continue;
            }
            if !asked.contains(&unit) {
                let found = answers::housekeeping(scene, unit)
                    .or_else(|| marching::march(scene, &smoke, &self.plan, &self.temper, unit));
                if let Some(order) = found {
                    return order;
                }
                asked.push(unit);
            }
            self.sheet.later.push(unit);
            if self.sheet.queue.is_empty() && !self.sheet.again {
                self.sheet.again = true;
                self.sheet.queue = std::mem::take(&mut self.sheet.later);
                self.sheet.queue.reverse();
            }
        }
        while let Some(general) = self.sheet.riders.pop() {
            if let Some(order) = staff::ride(scene, &self.plan, general) {
                return order;
            }
        }
        Order::Pass
    }

    /// Those in front move first: they clear the way.
    fn queue_up(&mut self, scene: &Scene<'_, '_>) {
        let (field, side) = (scene.field(), scene.side);
        let forward = self.plan.forward;
        let mut rows: Vec<(bool, f64, UnitId)> = field
            .units()
            .filter(|(id, unit)| unit.side == side && scene::is_fighter(field, *id))
            .filter(|(id, unit)| {
                field::is_hidden(unit) || limits::may_move(field, *id) || answers::has_chores(field, *id)
            })
            .map(|(id, unit)| {
                let guns = facts(field, id).arm == Arm::Artillery;
                (guns, unit.pose().at.vec().dot(forward), id)
            })
            .collect();
        rows.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)).then(b.2.cmp(&a.2)));
        self.sheet.queue = rows.into_iter().map(|(_, _, id)| id).collect();
        self.sheet.riders =
            field.muster().commander_ids().filter(|id| field.muster().commander(*id).side == side).collect();
    }
}

impl Bot<Days> for Careful {
    fn choose(&mut self, view: &View<'_, Days>, asked: &Asked<Days>, side: Side) -> Order {
        let scene = Scene { view, asked, side };
        let order = self.answer(&scene);
        // Marches, rides and fire have been put to the judge before they come here.
        let judged =
            matches!(asked.decision, Decision::Move | Decision::Fire | Decision::Charges | Decision::Opportunity);
        if order == Order::Pass || judged || scene.allows(&order) { order } else { Order::Pass }
    }
}
