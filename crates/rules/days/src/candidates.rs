//! Orders worth considering: legal, repeatable from a seed, the fallback among them, best guess first. Every one has been
//! put to the judge of its question before it is offered.

mod charges;
mod fire;
mod moves;
mod places;
mod reactions;
#[cfg(test)]
mod tests;

use super::Days;
use super::field::{Field, known};
use super::order::{Decision, Order};
use super::sequence;
use super::unit::ChargeKind;
use engine::{Asked, Lots, Side, UnitId, View};
use table::Vec2;

pub use charges::suggested;
pub use fire::{able, at_the_nearest, at_will, everybody_fires};
pub use moves::{riders, span};
pub use places::drawn_up;
pub use reactions::{shelters, turns_to};

/// The fallback and whatever else is worth considering, best guess first.
pub fn candidates(view: &View<'_, Days>, asked: &Asked<Days>, side: Side, lots: &mut Lots, limit: usize) -> Vec<Order> {
    let mut sieve = Sieve { view, asked, side, limit: limit.max(1), kept: Vec::new() };
    match &asked.decision {
        Decision::Reserves => places::reserves(&mut sieve, lots),
        Decision::Deploy => places::everybody(&mut sieve, lots),
        Decision::DeployBrigade { left } => places::one_brigade(&mut sieve, left, lots),
        Decision::Replace { lost } => reactions::replacements(&mut sieve, lost),
        Decision::Arrive { absent } => places::arrivals(&mut sieve, absent, lots),
        Decision::Charges => charges::charges(&mut sieve, ChargeKind::Declared, lots),
        Decision::Opportunity => charges::charges(&mut sieve, ChargeKind::Opportunity, lots),
        Decision::Rally => reactions::rallies(&mut sieve, lots),
        Decision::Fire => fire::volleys(&mut sieve, lots),
        Decision::React { unit, by } => reactions::reactions(&mut sieve, *unit, by, lots),
        Decision::Feint { among } => reactions::feints(&mut sieve, among, lots),
        Decision::Defend => fire::defence(&mut sieve, lots),
        Decision::Move => moves::moves(&mut sieve, lots),
        Decision::Assault { stay, follow } => reactions::assaults(&mut sieve, &stay[side], &follow[side], lots),
        Decision::GoOn { unit } => reactions::wheels(&mut sieve, *unit),
        Decision::Surrender { units } => reactions::surrenders(&mut sieve, units, lots),
    }
    sieve.finish()
}

/// One legal answer by lot. Moves and fire are dear to judge, so there what to do is drawn first and judged after, instead
/// of judging several things of which one is drawn.
pub fn any(view: &View<'_, Days>, asked: &Asked<Days>, side: Side, lots: &mut Lots) -> Order {
    let drawn = match &asked.decision {
        Decision::Move => Some(moves::one(view, asked, side, lots)),
        Decision::Fire => fire::one(view, side, lots),
        _ => None,
    };
    drawn.unwrap_or_else(|| {
        let mut found = candidates(view, asked, side, lots, ANY);
        let pick = lots.below(found.len());
        if found.is_empty() { Order::Pass } else { found.swap_remove(pick) }
    })
}

/// So many answers one is drawn from, declining among them.
const ANY: usize = 6;

/// Keeps what is legal, each order once, with room left for declining.
pub(super) struct Sieve<'s, 'v> {
    pub view: &'s View<'v, Days>,
    asked: &'s Asked<Days>,
    pub side: Side,
    limit: usize,
    kept: Vec<Order>,
}

impl Sieve<'_, '_> {
    /// The battle as the one who is asked knows it.
    fn field(&self) -> &Field {
        self.view
    }

    fn is_full(&self) -> bool {
        let room_for_pass = usize::from(!self.kept.contains(&Order::Pass));
        self.kept.len() + room_for_pass >= self.limit
    }

    /// Whether the judge would let it pass.
    fn allows(&self, order: &Order) -> bool {
        sequence::allows(self.view, self.asked, self.side, order)
    }

    /// Keeps an order if it is legal and new; tells whether it was kept.
    fn offer(&mut self, order: Order) -> bool {
        !self.is_full() && self.allows(&order) && self.trust(order)
    }

    /// Keeps an order that is known to be legal, if it is new.
    fn trust(&mut self, order: Order) -> bool {
        let keep = !self.is_full() && !self.kept.contains(&order);
        if keep {
            self.kept.push(order);
        }
        keep
    }

    fn finish(mut self) -> Vec<Order> {
        if !self.kept.contains(&Order::Pass) {
            self.kept.push(Order::Pass);
        }
        self.kept
    }
}

/// The known enemy nearest to a place.
pub fn nearest_enemy(field: &Field, side: Side, to: Vec2) -> Option<UnitId> {
    let apart = |quad: &table::Quad| (quad.centre - to).length_squared();
    known(field, side.other()).min_by(|a, b| apart(a.1.quad()).total_cmp(&apart(b.1.quad()))).map(|(id, _)| id)
}

/// The same list in an order of chance.
fn shuffled<T>(mut list: Vec<T>, lots: &mut Lots) -> Vec<T> {
    for n in (1..list.len()).rev() {
        list.swap(n, lots.below(n + 1));
    }
    list
}
