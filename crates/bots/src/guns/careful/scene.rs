//! The field as the careful player sees it: his own view, both sides' units in order, who is nearest to whom.

use super::plan::{Aim, Plan};
use super::{Temper, exposure};
use engine::{Asked, FeatureId, Ruleset, Side, UnitId, View};
use rules::guns::Guns;
use rules::guns::field::{Field, brigade, facts, gap, surely_beyond, troops};
use rules::guns::nearby::Nearby;
use rules::guns::order::{Decision, Order};
use table::Length;
use table::terrain::Feature;

/// What is looked at for one answer.
pub struct Scene<'v, 's> {
    pub view: &'v View<'s, Guns>,
    pub asked: &'v Asked<Guns>,
    pub side: Side,
    pub temper: Temper,
    pub enemies: Nearby,
    pub plan: Plan,
    /// How many of ours each enemy with rifles could shoot at.
    pub choices: Vec<(UnitId, f64)>,
    /// The longest range of those rifles.
    pub rifles: Length,
}

/// Rings in which the nearest enemy is looked for, in centimetres; beyond the last everybody is far.
const RINGS: [f64; 4] = [25.0, 60.0, 150.0, 700.0];
/// So many bounds before the end it is time to run for the places that count.
const LAST_BOUNDS: u16 = 4;

impl<'v, 's> Scene<'v, 's> {
    pub fn take(view: &'v View<'s, Guns>, asked: &'v Asked<Guns>, side: Side, temper: Temper) -> Scene<'v, 's> {
        let plans = matches!(asked.decision, Decision::Nominate | Decision::Allot { .. } | Decision::Plot);
        let enemies = Nearby::known(view, side.other());
        let mut scene = Scene {
            view,
            asked,
            side,
            temper,
            enemies,
            plan: Plan::default(),
            choices: Vec::new(),
            rifles: Length::ZERO,
        };
        if plans {
            scene.choices = exposure::choices(view, side);
            let reaches = scene.choices.iter().map(|(id, _)| facts(view, *id).weapon.extreme);
            scene.rifles = reaches.max().unwrap_or_default();
            scene.plan = Plan::make(view, side, scene.bounds_left());
        }
        scene
    }

    pub fn field(&self) -> &'v Field {
        self.view
    }

    pub fn allows(&self, order: &Order) -> bool {
        Guns::check(self.view, self.asked, self.side, order).is_legal()
    }

    /// What a unit is about: its own errand first, then what its brigade is about.
    pub fn aim(&self, unit: UnitId) -> Aim {
        match self.plan.errand_of(unit) {
            Some(place) => Aim::Take(place),
            None => self.plan.aim(brigade(self.field(), unit)),
        }
    }

    pub fn feature(&self, id: FeatureId) -> Option<&'v Feature> {
        self.field().ground().features.get(id.index())
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

    fn limit(&self) -> u16 {
        self.field().muster().turn_limit.unwrap_or(20).max(1)
    }

    /// How late it is: 0 at the start, 1 at the limit.
    pub fn lateness(&self) -> f64 {
        f64::from(self.field().turn()) / f64::from(self.limit())
    }

    /// Bounds still to be played, this one among them.
    pub fn bounds_left(&self) -> f64 {
        f64::from((self.limit() + 1).saturating_sub(self.field().turn()))
    }

    /// Whether the last bounds have come.
    pub fn is_late(&self) -> bool {
        self.field().turn() + LAST_BOUNDS > self.limit()
    }

    /// What a place is worth.
    pub fn worth_of(&self, place: FeatureId) -> f64 {
        let mut places = self.field().muster().scenario.objectives.iter();
        places.find(|one| one.feature == place).map_or(0.0, |one| f64::from(one.worth))
    }

    /// What the place a unit stands on is worth, if any.
    pub fn worth_under(&self, unit: UnitId) -> f64 {
        let quad = self.field().unit(unit).quad();
        let places = self.field().muster().scenario.objectives.iter();
        let under = places.filter(|place| {
            self.feature(place.feature).is_some_and(|feature| {
                feature.shape.bounds().meets(&quad.bounds()) && feature.shape.overlaps_quad(quad)
            })
        });
        under.map(|place| f64::from(place.worth)).sum()
    }
}
