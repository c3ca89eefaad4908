//! Players who look ahead: the orders that several manners of careful play would give are tried out in battles that
//! exist only in the player's head, fought on what it can see with dice of its own.
//!
//! Every way on is fought through a few times, all of them with the same dice; what does worse drops out, and whatever
//! time is left goes to those still in question.

mod edge;
mod fork;
mod mind;

pub use mind::{Mind, Weighed};

use crate::leash::Leash;
use crate::{Bot, Manners, Weight};
use edge::Edge;
use engine::{Asked, Lots, Seed, Side, View};
use fork::Fork;
use std::mem::Discriminant;

/// How a player looks ahead.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Style {
    /// Orders in imagined battles for one question, where nobody holds a watch.
    pub nodes: u32,
    /// Rounds an imagined battle goes on beyond this one.
    pub rounds: u16,
}

/// After so many rounds of tries the worse third drops out.
const ROUNDS: u32 = 2;
/// Another way must be better than one's own by so many times what chance explains.
const DOUBT: f64 = 0.7;

/// A player who looks ahead.
pub struct Ahead<R: Manners> {
    seed: u64,
    style: Style,
    /// A careful player of each manner, who knows the battle so far: one who sat down only now would begin the day's
    /// plan anew.
    hands: Vec<R::Hand>,
    /// The manner the battle is fought in now.
    manner: usize,
    /// The last turn in which a question of a kind that is thought about once a turn was met.
    met: Option<(u16, Discriminant<R::Decision>)>,
    /// While the past is recalled: the manners that would have ordered what was ordered this turn, and their players by
    /// now. Any of them may have been in hand.
    likely: Vec<(usize, R::Hand)>,
    mind: Option<Mind<R>>,
}

impl<R: Manners> Ahead<R> {
    /// The same seed plays the same way, as long as nobody holds a watch.
    pub fn new(seed: u64, style: Style) -> Ahead<R> {
        let hands = (0..R::MANNERS.len()).map(|manner| R::manner(manner, seed)).collect();
        Ahead { seed, style, hands, manner: 0, met: None, likely: Vec::new(), mind: None }
    }

    /// Lots for one question, so that nothing depends on how earlier ones were thought about.
    fn lots(&self, asked: &Asked<R>) -> Lots {
        Lots::new(self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(u64::from(asked.no.0)))
    }

    /// Whether a question is to be thought about; one that counts once a turn is met by asking.
    fn is_weighty(&mut self, view: &View<'_, R>, asked: &Asked<R>) -> bool {
        match R::weight(asked) {
            Weight::Light => false,
            Weight::Heavy => true,
            Weight::FirstOfTurn => {
                let now = Some((view.turn(), std::mem::discriminant(&asked.decision)));
                std::mem::replace(&mut self.met, now) != now
            }
        }
    }

    /// Goes on after the past was recalled, in the likeliest manner.
    fn resume(&mut self) {
        if let Some((manner, hand)) = self.likely.drain(..).next() {
            self.manner = manner;
            self.hands[manner] = hand;
        }
    }

    /// What each manner would order, that in hand first; it alone where nothing hangs on the question.
    fn ways(&mut self, view: &View<'_, R>, asked: &Asked<R>, side: Side, leash: &mut Leash<'_>) -> Vec<Weighed<R>> {
        self.resume();
        let own = self.hands[self.manner].choose(view, asked, side);
        let mut found = vec![Weighed::new(own, self.manner)];
        if !self.is_weighty(view, asked) {
            return found;
        }
        for manner in (0..self.hands.len()).filter(|manner| *manner != self.manner) {
            // A great army's plans alone may take all the time there is.
            if leash.is_over() {
                break;
            }
            let order = self.hands[manner].choose(view, asked, side);
            // Where the manner is chosen for a whole turn, two that begin alike may still go on differently.
            let is_new = R::weight(asked) == Weight::FirstOfTurn || found.iter().all(|known| known.order != order);
            if is_new && R::check(view, asked, side, &order).is_legal() {
                found.push(Weighed::new(order, manner));
            }
        }
        found
    }

    /// Tries the ways out until the leash is short, and puts the best first. The worse drop out one after the other, so
    /// that most tries go to those that may be the best; one's own stays as the measure of the others.
    fn weigh(&self, fork: &Fork<'_, R>, ways: &mut [Weighed<R>], lots: &mut Lots, leash: &mut Leash<'_>) {
        let mut edges = vec![Edge::default(); ways.len()];
        let mut alive: Vec<usize> = (1..ways.len()).collect();
        let mut rounds = 0;
        while !alive.is_empty() && !leash.is_over() {
            let seed = Seed::from_number(number(lots));
            // A try that a watch cuts short counts for nothing; those before it keep theirs.
            let Some(own) = self.tried(fork, &mut ways[0], seed, leash) else { break };
            for n in &alive {
                let Some(worth) = self.tried(fork, &mut ways[*n], seed, leash) else { break };
                edges[*n].note(worth - own);
            }
            rounds += 1;
            if rounds % ROUNDS == 0 && alive.len() > 1 {
                alive.sort_by(|a, b| edges[*b].mean().total_cmp(&edges[*a].mean()));
                alive.truncate((alive.len() * 2).div_ceil(3).min(alive.len() - 1));
            }
        }
        let best = (1..ways.len()).max_by(|a, b| edges[*a].lead(DOUBT).total_cmp(&edges[*b].lead(DOUBT)));
        if let Some(best) = best.filter(|best| edges[*best].lead(DOUBT) > 0.0) {
            ways.swap(0, best);
        }
    }

    /// What a way is worth with these dice; nothing where time ran out.
    fn tried(&self, fork: &Fork<'_, R>, way: &mut Weighed<R>, seed: Seed, leash: &mut Leash<'_>) -> Option<f64> {
        let end = fork.play(&way.order, &self.hands[way.manner], seed, leash)?;
        way.note(&end);
        Some(end.worth)
    }
}

/// A number for somebody who needs a seed.
pub(crate) fn number(lots: &mut Lots) -> u64 {
    (lots.below(1 << 30) as u64) << 30 | lots.below(1 << 30) as u64
}

impl<R: Manners> Bot<R> for Ahead<R> {
    fn choose(&mut self, view: &View<'_, R>, asked: &Asked<R>, side: Side) -> R::Order {
        self.ponder(view, asked, side, &mut Leash::nodes(self.style.nodes))
    }

    fn ponder(&mut self, view: &View<'_, R>, asked: &Asked<R>, side: Side, leash: &mut Leash<'_>) -> R::Order {
        let mut lots = self.lots(asked);
        let mut ways = self.ways(view, asked, side, leash);
        if ways.len() > 1 {
            let fork = Fork::of(view, side, self.style.rounds);
            self.weigh(&fork, &mut ways, &mut lots, leash);
            self.manner = ways[0].manner;
        }
        let order = ways[0].order.clone();
        self.mind = Some(Mind { ways, spent: leash.spent() });
        order
    }

    fn recall(&mut self, view: &View<'_, R>, asked: &Asked<R>, side: Side, order: &R::Order) {
        let met = self.met;
        if self.is_weighty(view, asked) {
            self.met = met;
            let ways = self.ways(view, asked, side, &mut Leash::nodes(self.style.nodes));
            let alike = ways.iter().filter(|way| way.order == *order).map(|way| way.manner);
            self.likely = alike.map(|manner| (manner, self.hands[manner].clone())).collect();
        } else if self.likely.is_empty() {
            let _ = self.hands[self.manner].choose(view, asked, side);
        } else {
            let would: Vec<bool> =
                self.likely.iter_mut().map(|(_, hand)| hand.choose(view, asked, side) == *order).collect();
            if would.contains(&true) {
                let mut would = would.into_iter();
                self.likely.retain(|_| would.next().unwrap_or(true));
            }
        }
    }

    fn mind(&self) -> Option<&Mind<R>> {
        self.mind.as_ref()
    }
}
