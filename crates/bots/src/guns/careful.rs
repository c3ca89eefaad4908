//! The careful player of `guns`: brings every unit to the range at which its fire gives more than it takes, names only
//! the brigades that want to go there, and charges what is likely to run.
//!
//! Before every answer it looks the field over (`scene`); `shooting` weighs fire, `clash` charges, `marching` places and
//! ways, `staff` generals and dice. A plan is a list of wishes that the house settles with duty and rules.

mod batteries;
mod clash;
mod drawn_up;
mod duty;
mod exposure;
mod houses;
mod keepers;
mod marching;
mod plan;
mod scene;
mod shooting;
mod staff;
mod ways;

use crate::Bot;
use engine::{Asked, Lots, Ruleset, Side, View};
use rules::guns::Guns;
use rules::guns::candidates;
use rules::guns::order::{Decision, Move, Order};
use scene::Scene;

/// How many candidates it looks at where its own answer is refused.
const LIMIT: usize = 4;

/// How bold a careful player is: the few figures its judgement turns on. Gains in points of status.
#[derive(Clone, Copy, Debug)]
pub struct Temper {
    /// The least chance at which it charges home.
    pub least_chance: f64,
    /// What a charge must promise.
    pub least_gain: f64,
    /// How much a point taken weighs against one given.
    pub caution: f64,
    /// What a centimetre nearer to the enemy is worth while nobody is hurt by it.
    pub pull: f64,
    /// What becomes of a unit driven off, as a share of its status.
    pub rout: f64,
    /// What a point of a place is worth when the enemy is driven from it.
    pub place: f64,
    /// What it costs to be out of order after a charge that went in, as a share of one's status.
    pub worn: f64,
    /// What it costs to leave cover, or a place that counts, for a charge.
    pub leave_post: f64,
    /// How much less a side that is ahead is drawn to the enemy.
    pub ease: f64,
    /// What it is worth to stand where a charge can start.
    pub ready: f64,
}

impl Default for Temper {
    fn default() -> Temper {
        Temper {
            least_chance: 0.5,
            least_gain: 0.4,
            caution: 0.8,
            pull: 0.05,
            rout: 0.5,
            place: 0.8,
            worn: 0.1,
            leave_post: 0.6,
            ease: 0.3,
            ready: 0.8,
        }
    }
}

/// The careful player.
#[derive(Clone)]
pub struct Careful {
    lots: Lots,
    temper: Temper,
}

impl Careful {
    /// The same seed plays the same way.
    pub fn new(seed: u64) -> Careful {
        Careful::with(seed, Temper::default())
    }

    /// With a temper of one's own, to compare tempers.
    pub fn with(seed: u64, temper: Temper) -> Careful {
        Careful { lots: Lots::new(seed), temper }
    }

    fn answer(&mut self, scene: &Scene<'_, '_>) -> Order {
        match &scene.asked.decision {
            Decision::Deploy => drawn_up::set_up(scene),
            Decision::Nominate => staff::nominate(scene),
            Decision::Allot { dice, brigades } => staff::deal(scene, &dice[scene.side], &brigades[scene.side]),
            Decision::Mark => shooting::mark(scene),
            Decision::Plot => {
                let mut wishes = marching::wishes(scene);
                let rides = staff::rides(scene, &wishes);
                wishes.extend(rides);
                settled(scene, wishes)
            }
            Decision::CounterCharge { able } => clash::counter(scene, &able[scene.side]),
            Decision::Guns => shooting::guns(scene),
            Decision::Musketry => shooting::musketry(scene),
            Decision::LieDown { units } => {
                let own = units.iter().copied().filter(|unit| scene.view.side_of(*unit) == scene.side);
                Order::LieDown { units: own.collect() }
            }
            Decision::Abandon { .. } => Order::Abandon,
            Decision::PressOn { unit, among } => clash::press_on(scene, *unit, among),
            Decision::RideThrough { .. } => Order::Pass,
        }
    }
}

/// The plan as the house settles it; where a charge spoils all of it, without charges.
fn settled(scene: &Scene<'_, '_>, wishes: Vec<Move>) -> Order {
    let peaceful: Vec<Move> = wishes.iter().filter(|wish| !matches!(wish, Move::Charge { .. })).cloned().collect();
    let charges = peaceful.len() < wishes.len();
    match candidates::settle(scene.view, scene.asked, scene.side, wishes) {
        Order::Pass if charges => candidates::settle(scene.view, scene.asked, scene.side, peaceful),
        order => order,
    }
}

impl Bot<Guns> for Careful {
    fn choose(&mut self, view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side) -> Order {
        let scene = Scene::take(view, asked, side, self.temper);
        let wished = self.answer(&scene);
        if wished == Order::Pass || scene.allows(&wished) {
            return wished;
        }
        let mut found = Guns::candidates(view, asked, side, &mut self.lots, LIMIT);
        if found.is_empty() { Order::Pass } else { found.swap_remove(0) }
    }
}
