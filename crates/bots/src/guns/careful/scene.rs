//! The field as the careful player sees it: his own view, both sides' units in order, who is nearest to whom.

use super::Temper;
use engine::{Asked, Ruleset, Side, UnitId, View};
use rules::guns::Guns;
use rules::guns::field::{Field, facts, gap, surely_beyond, troops};
use rules::guns::nearby::Nearby;
use rules::guns::order::Order;
use table::Length;

/// What is looked at for one answer.
pub struct Scene<'v, 's> {
    pub view: &'v View<'s, Guns>,
    pub asked: &'v Asked<Guns>,
    pub side: Side,
    pub temper: Temper,
    pub enemies: Nearby,
}

/// Rings in which the nearest enemy is looked for, in centimetres; beyond the last everybody is far.
const RINGS: [f64; 4] = [25.0, 60.0, 150.0, 700.0];

impl<'v, 's> Scene<'v, 's> {
    pub fn take(view: &'v View<'s, Guns>, asked: &'v Asked<Guns>, side: Side, temper: Temper) -> Scene<'v, 's> {
        Scene { view, asked, side, temper, enemies: Nearby::known(view, side.other()) }
    }

    pub fn field(&self) -> &'v Field {
        self.view
    }

    pub fn allows(&self, order: &Order) -> bool {
        Guns::check(self.view, self.asked, self.side, order).is_legal()
    }

    /// The nearest enemy worth minding, and how far off he is.
    pub fn nearest(&self, unit: UnitId) -> Option<(UnitId, Length)> {
        let field = self.field();
        let quad = field.unit(unit).quad();
        for ring in RINGS {
            let within = Length::cm(ring);
            let near = self.enemies.around(quad, within).filter(|(id, _)| !troops(field, *id).broken);
            let near = near.filter(|(id, other)| !facts(field, *id).screen && !surely_beyond(quad, other, within));
            let best = near.map(|(id, _)| (gap(field, unit, id), id)).min();
            if let Some((gap, id)) = best {
                return Some((id, gap));
            }
        }
        None
    }

    /// How late it is: 0 at the start, 1 at the limit.
    pub fn lateness(&self) -> f64 {
        let limit = self.field().muster().turn_limit.unwrap_or(20);
        f64::from(self.field().turn()) / f64::from(limit.max(1))
    }
}
