//! The careful player of `fpw`: brings his line up together, minds what fire gives and takes at every range, and gives
//! the sure and important orders first.
//!
//! Before every order it looks the field over (`scene`), weighs places (`standing`), ways to get there (`marching`),
//! shots (`shooting`) and charges (`clash`), and hands the best of them to the general at hand (`commanding`). Whatever
//! is refused is left undone.

mod answers;
mod clash;
mod commanding;
mod marching;
mod scene;
mod shooting;
mod staff;
mod standing;

use crate::Bot;
use engine::{Asked, CommanderId, Lots, Ruleset, Side, UnitId, View};
use rules::fpw::Fpw;
use rules::fpw::generals;
use rules::fpw::order::{Decision, Order};
use scene::{Scene, Survey};

/// How many candidates it looks at where its own answer is refused.
const LIMIT: usize = 4;

/// How bold a careful player is: the few figures its judgement turns on. Gains in points of loss.
#[derive(Clone, Copy, Debug)]
pub struct Temper {
    /// A charge must promise more than this.
    pub least_gain: f64,
    /// What each friend brings who can fall upon the same enemy.
    pub helper: f64,
    /// How much a hit given weighs against one taken while the day is even.
    pub spirit: f64,
    /// How much more it weighs towards the end, unless one is well ahead.
    pub pressing: f64,
    /// How much the shaken fear to be charged.
    pub fear: f64,
    /// What an inch too far from the enemy costs foot that attacks.
    pub pull: f64,
    /// How near, in inches, foot with long rifles comes of its own accord.
    pub long_at: f64,
    /// What an inch too far costs it.
    pub long_pull: f64,
}

impl Default for Temper {
    fn default() -> Temper {
        Temper {
            least_gain: 0.8,
            helper: 0.3,
            spirit: 0.9,
            pressing: 0.5,
            fear: 0.25,
            pull: 0.09,
            long_at: 11.5,
            long_pull: 0.06,
        }
    }
}

/// The notes of one turn.
#[derive(Clone, Default)]
struct Sheet {
    /// The turn and side they are for.
    of: Option<(u16, Side)>,
    /// Generals with nothing useful left to order.
    idle: Vec<CommanderId>,
    /// Generals whose ride was thought over.
    rode: Vec<CommanderId>,
    /// Units whose initiative was thought over.
    settled: Vec<UnitId>,
    /// Units sent into a charge last.
    charging: Vec<UnitId>,
    /// What the generals have on their minds.
    board: commanding::Board,
}

/// The careful player.
#[derive(Clone)]
pub struct Careful {
    lots: Lots,
    sheet: Sheet,
    temper: Temper,
}

impl Careful {
    /// The same seed plays the same way.
    pub fn new(seed: u64) -> Careful {
        Careful::with(seed, Temper::default())
    }

    /// With a temper of one's own, to compare tempers.
    pub fn with(seed: u64, temper: Temper) -> Careful {
        Careful { lots: Lots::new(seed), sheet: Sheet::default(), temper }
    }

    fn turn_page(&mut self, scene: &Scene<'_, '_>) {
        let now = Some((scene.field().turn(), scene.side));
        if self.sheet.of != now {
            self.sheet = Sheet { of: now, ..Sheet::default() };
        }
    }

    fn answer(&mut self, scene: &Scene<'_, '_>) -> Option<Order> {
        let field = scene.field();
        match &scene.asked.decision {
            Decision::Deploy => Some(answers::deploy(field, scene.side)),
            Decision::Enter => rules::fpw::deployment::default_entry(field, scene.side),
            Decision::Initiative => Some(self.initiative(scene)),
            Decision::Command { current } => Some(self.command(scene, *current)),
            Decision::March { units, going } => {
                self.sheet.charging.clear();
                Some(answers::march(scene, units, *going))
            }
            Decision::Charges { units } => {
                self.sheet.charging.clone_from(units);
                Some(answers::charges(scene, units))
            }
            Decision::Shots { units } => Some(shooting::plan(field, &Survey::take(scene), units).order()),
            Decision::Blame { units } => answers::blame(field, units),
            Decision::Reaction { .. } => Some(Order::ReactAll),
            Decision::Concentrate { .. } => None,
            Decision::CavalryReaction { unit, charger, may_evade } => {
                Some(answers::horse(field, *unit, *charger, *may_evade))
            }
            Decision::FallBack { unit, markers, .. } => {
                let charging = self.sheet.charging.contains(unit);
                Some(answers::fall_back(field, *unit, *markers, charging))
            }
            Decision::NextFight { units } => units.first().map(|unit| Order::Fight { unit: *unit }),
            Decision::Whom { among, .. } => answers::strike(field, among),
            Decision::StayOrGo { .. } => Some(Order::Pass),
            Decision::FollowUp { unit, yielded, may_follow } => {
                Some(answers::follow_up(scene, *unit, yielded, *may_follow))
            }
            Decision::Generals => {
                let survey = Survey::take(scene);
                Some(staff::ride(scene, &survey, &mut self.sheet.rode).unwrap_or(Order::Pass))
            }
        }
    }

    /// What units near the enemy do without orders, one after another.
    fn initiative(&mut self, scene: &Scene<'_, '_>) -> Order {
        let field = scene.field();
        let survey = Survey::take(scene);
        let all = rules::fpw::field::troops(field, scene.side).map(|(id, _)| id);
        let left: Vec<UnitId> = all.filter(|id| !self.sheet.settled.contains(id)).collect();
        for unit in left {
            self.sheet.settled.push(unit);
            if !rules::fpw::initiative::may_act(field, unit) {
                continue;
            }
            if let Some(order) = answers::initiative(scene, &survey, unit, &mut self.lots).filter(|o| scene.allows(o)) {
                self.sheet.charging = if matches!(order, Order::Charge(_)) { vec![unit] } else { Vec::new() };
                return order;
            }
        }
        Order::Pass
    }

    /// The next order of the general at hand, or of the next one.
    fn command(&mut self, scene: &Scene<'_, '_>, current: Option<CommanderId>) -> Order {
        let field = scene.field();
        let survey = Survey::take(scene);
        let free = |id: &CommanderId| !field.commander(*id).own.done;
        let mut row: Vec<CommanderId> = current.into_iter().filter(free).collect();
        let mut others: Vec<CommanderId> =
            generals::present(field, scene.side).filter(free).filter(|id| Some(*id) != current).collect();
        // Those above come first, for what they pass down helps only those who come after.
        others.sort_by_key(|id| (std::cmp::Reverse(generals::level(field, *id)), *id));
        row.extend(others);
        for general in row {
            if self.sheet.idle.contains(&general) {
                continue;
            }
            if let Some(order) = self.sheet.board.next(scene, &survey, general) {
                return order;
            }
            self.sheet.idle.push(general);
        }
        Order::Pass
    }
}

impl Bot<Fpw> for Careful {
    fn choose(&mut self, view: &View<'_, Fpw>, asked: &Asked<Fpw>, side: Side) -> Order {
        let scene = Scene { view, asked, side, temper: self.temper };
        self.turn_page(&scene);
        let wished = self.answer(&scene).filter(|order| *order == Order::Pass || scene.allows(order));
        wished.unwrap_or_else(|| {
            let mut found = Fpw::candidates(view, asked, side, &mut self.lots, LIMIT);
            if found.is_empty() { Fpw::fallback(view, asked, side) } else { found.swap_remove(0) }
        })
    }
}
