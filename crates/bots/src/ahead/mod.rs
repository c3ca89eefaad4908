//! Players who look ahead: the orders that several manners of careful play would give are tried out in battles that
//! exist only in the player's head, fought on what it can see with dice of its own.
//!
//! Every way on is fought through a few times, all of them with the same dice; what is plainly worse is dropped, and
//! whatever time is left goes to those still in question.

mod fork;
mod mind;

pub use mind::{Mind, Weighed};

use crate::leash::Leash;
use crate::{Bot, Manners, Weight};
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
    /// Ways on that are looked at beside those of the manners.
    pub others: usize,
}

/// Every way on is tried at least so often before any is dropped.
const LEAST_TRIES: u32 = 3;
/// It is dropped when it is worse than the best by so many times what chance explains.
const PLAINLY_WORSE: f64 = 1.8;
/// Another way must be better than one's own by so many times what chance explains.
const DOUBT: f64 = 0.3;

/// A player who looks ahead.
pub struct Ahead<R: Manners> {
    seed: u64,
    style: Style,
    /// The manner in hand, and the careful player who has it.
    manner: usize,
    hand: Box<dyn Bot<R>>,
    /// The last turn in which a question of a kind that is thought about once a turn was met.
    met: Option<(u16, Discriminant<R::Decision>)>,
    mind: Option<Mind<R>>,
}

impl<R: Manners> Ahead<R> {
    /// The same seed plays the same way, as long as nobody holds a watch.
    pub fn new(seed: u64, style: Style) -> Ahead<R> {
        Ahead { seed, style, manner: 0, hand: R::manner(0, seed), met: None, mind: None }
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

    /// What each manner would order, each different order once; the one in hand comes first.
    fn ways(
        &mut self,
        view: &View<'_, R>,
        asked: &Asked<R>,
        side: Side,
        lots: &mut Lots,
        leash: &mut Leash<'_>,
    ) -> Vec<Weighed<R>> {
        let own = self.hand.choose(view, asked, side);
        let mut found = vec![Weighed::new(own, self.manner)];
        if !self.is_weighty(view, asked) {
            return found;
        }
        // Where the manner is chosen for a whole turn, two that begin alike may still go on differently.
        let whole_turn = R::weight(asked) == Weight::FirstOfTurn;
        let mut add = |order: R::Order, manner: usize, checked: bool| {
            let is_new = found.iter().all(|known| known.order != order || whole_turn && known.manner != manner);
            if is_new && (checked || R::check(view, asked, side, &order).is_legal()) {
                found.push(Weighed::new(order, manner));
            }
        };
        for manner in (0..R::MANNERS.len()).filter(|manner| *manner != self.manner) {
            // A great army's plans alone may take all the time there is.
            if leash.is_over() {
                break;
            }
            add(R::manner(manner, number(lots)).choose(view, asked, side), manner, false);
        }
        if self.style.others > 0 && !leash.is_over() {
            let others = R::candidates(view, asked, side, lots, self.style.others);
            others.into_iter().for_each(|order| add(order, self.manner, true));
        }
        found
    }

    /// Notes what was ordered: the manner that wanted it is in hand from now on.
    fn settle(&mut self, view: &View<'_, R>, asked: &Asked<R>, side: Side, manner: usize, as_wished: bool) {
        if as_wished && manner == self.manner {
            return;
        }
        self.manner = manner;
        self.hand = R::manner(manner, self.seed ^ u64::from(asked.no.0));
        // The new hand sees the question, so that it knows what it has ordered by now.
        let _ = self.hand.choose(view, asked, side);
    }
}

/// Tries the ways out until the leash is short or one is left, and puts the best first.
fn weigh<R: Manners>(fork: &Fork<'_, R>, ways: &mut [Weighed<R>], lots: &mut Lots, leash: &mut Leash<'_>) {
    let mut alive: Vec<usize> = (0..ways.len()).collect();
    let mut tries = 0;
    while alive.len() > 1 && !leash.is_over() {
        let seed = Seed::from_number(number(lots));
        for n in &alive {
            // A try that a watch cuts short counts for nothing; those before it in the row keep theirs, for where time
            // is so short one uneven try is still better than none.
            let Some(end) = fork.play(&ways[*n], seed, leash) else { break };
            ways[*n].note(&end);
        }
        tries += 1;
        let even = alive.iter().all(|n| ways[*n].tried == ways[alive[0]].tried);
        if tries >= LEAST_TRIES && even {
            drop_worse(ways, &mut alive);
        }
    }
    let best = alive.iter().copied().filter(|n| ways[*n].tried > 0).max_by(|a, b| {
        let (a, b) = (&ways[*a], &ways[*b]);
        a.worth().total_cmp(&b.worth())
    });
    if let Some(best) = best.filter(|best| ways[*best].leads(&ways[0], DOUBT)) {
        ways.swap(0, best);
    }
}

/// Leaves only those that may still be the best; one's own way stays as the measure of the others.
fn drop_worse<R: Manners>(ways: &[Weighed<R>], alive: &mut Vec<usize>) {
    let Some(best) = alive.iter().copied().max_by(|a, b| ways[*a].worth().total_cmp(&ways[*b].worth())) else { return };
    alive.retain(|n| *n == best || !ways[best].leads(&ways[*n], PLAINLY_WORSE));
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
        let mut ways = self.ways(view, asked, side, &mut lots, leash);
        if ways.len() > 1 {
            let fork = Fork::of(view, side, self.style.rounds);
            let own = ways[0].order.clone();
            weigh(&fork, &mut ways, &mut lots, leash);
            let as_wished = ways[0].order == own;
            self.settle(view, asked, side, ways[0].manner, as_wished);
        }
        let order = ways[0].order.clone();
        self.mind = Some(Mind { ways, spent: leash.spent() });
        order
    }

    fn recall(&mut self, view: &View<'_, R>, asked: &Asked<R>, side: Side, order: &R::Order) {
        let mut lots = self.lots(asked);
        let ways = self.ways(view, asked, side, &mut lots, &mut Leash::nodes(self.style.nodes));
        let as_wished = ways[0].order == *order;
        let manner = ways.iter().find(|way| way.order == *order).map_or(self.manner, |way| way.manner);
        if ways.len() > 1 {
            self.settle(view, asked, side, manner, as_wished);
        }
    }

    fn mind(&self) -> Option<&Mind<R>> {
        self.mind.as_ref()
    }
}
