//! What the battle is about: who holds which place, and which brigade goes for which.

use super::keepers;
use engine::{CommandId, FeatureId, Side, UnitId};
use rules::guns::candidates::middle_of;
use rules::guns::field::{Field, brigade, brigade_units, brigades, facts, forward, known, troops};
use rules::guns::settings::Objective;
use rules::guns::victory;
use table::Vec2;

/// What a brigade is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// A place that is not ours yet.
    Take(FeatureId),
    /// A place of ours.
    Hold(FeatureId),
    /// The enemy, wherever he is.
    Hunt,
}

impl Aim {
    /// The place it is about.
    pub fn place(self) -> Option<FeatureId> {
        match self {
            Aim::Take(place) | Aim::Hold(place) => Some(place),
            Aim::Hunt => None,
        }
    }
}

/// Who goes where.
#[derive(Debug, Default)]
pub struct Plan {
    aims: Vec<(CommandId, Aim)>,
    /// What our places are worth more than theirs.
    pub lead: i32,
    /// Places on which enemies stand.
    held: Vec<FeatureId>,
    /// Units that stay where they are so that a place remains ours, or at least nobody's.
    guards: Vec<(UnitId, FeatureId)>,
    /// Units sent to an empty place on their own.
    errands: Vec<(UnitId, FeatureId)>,
}

/// A place worth holding as it is now.
struct Place {
    feature: FeatureId,
    worth: f64,
    ours: bool,
    /// Nobody stands there.
    empty: bool,
    /// What is left for a brigade to do there; less with every one that is sent.
    need: f64,
}

/// Within this of a place, in micrometres, troops count as there.
const AROUND: f64 = 450_000.0;
/// The distance, in micrometres, that makes a place half as dear.
const FAR: f64 = 500_000.0;
/// Whoever is this near, in micrometres, stands on it.
const ON_IT: f64 = 80_000.0;

/// How much a place is in need of a brigade: ours and quiet, ours and threatened (times the odds, within bounds), empty
/// and out of the enemy's reach so that one unit will do, empty and disputed, the enemy's.
const QUIET: f64 = 0.12;
const THREATENED: (f64, f64, f64) = (0.5, 0.4, 1.2);
const UNDISPUTED: f64 = 0.5;
const DISPUTED: f64 = 1.2;
const THEIRS: f64 = 1.0;
/// Who is ahead need not go looking for trouble: so much of that is left.
const AHEAD: f64 = 0.35;
/// What a brigade that is sent leaves to do at a place of ours, and at another.
const SERVED: (f64, f64) = (0.5, 0.7);
/// A brigade that stands on a place of ours is worth so much more there than another.
const AT_HOME: f64 = 1.6;
/// A place farther behind a brigade than this, in micrometres, is as good as gone: brigades do not go back (R48).
const PASSED: f64 = 50_000.0;
const GONE: f64 = 0.1;

impl Plan {
    pub fn make(field: &Field, side: Side, bounds_left: f64) -> Plan {
        let objectives = &field.muster().scenario.objectives;
        let guard_of = |side: Side, place: FeatureId| keepers::guard(field, side, place);
        let mut places: Vec<Place> = objectives.iter().map(|place| weigh(field, side, place)).collect();
        let [own, theirs] = [side, side.other()].map(|side| victory::held_worth(field, side) as i32);
        let lead = own - theirs;
        if lead > 0 {
            places.iter_mut().filter(|place| !place.ours && !place.empty).for_each(|place| place.need *= AHEAD);
        }
        let held = places.iter().map(|place| place.feature).filter(|id| guard_of(side.other(), *id).is_some());
        let mut plan = Plan { aims: Vec::new(), lead, held: held.collect(), guards: Vec::new(), errands: Vec::new() };
        for place in &places {
            plan.guards.extend(guard_of(side, place.feature).map(|unit| (unit, place.feature)));
        }
        plan.share_out(field, side, &mut places);
        places.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.feature.cmp(&b.feature)));
        for place in places.iter().filter(|place| place.empty) {
            let busy = plan.guards.iter().chain(&plan.errands).map(|(unit, _)| *unit);
            let busy: Vec<UnitId> = busy.collect();
            let heading = |unit: UnitId| plan.aim(brigade(field, unit)).place();
            let sent = keepers::sent(field, side, place.feature, bounds_left, &busy, heading);
            plan.errands.extend(sent.map(|unit| (unit, place.feature)));
        }
        plan
    }

    /// Every brigade to a place, the pair that suits best first.
    fn share_out(&mut self, field: &Field, side: Side, places: &mut [Place]) {
        let mut free: Vec<(CommandId, Vec2)> =
            brigades(field, side).filter_map(|id| Some((id, middle_of(field, id)?))).collect();
        while let Some((n, p)) = best_pair(field, side, &free, places) {
            let (brigade, _) = free.swap_remove(n);
            let Some(place) = places.get_mut(p) else { break };
            self.aims.push((brigade, if place.ours { Aim::Hold(place.feature) } else { Aim::Take(place.feature) }));
            if has_foot(field, brigade) {
                place.need *= if place.ours { SERVED.0 } else { SERVED.1 };
            }
        }
    }

    /// Whether enemies stand on a place.
    pub fn is_held(&self, place: FeatureId) -> bool {
        self.held.contains(&place)
    }

    /// The place a unit guards.
    pub fn guarded_by(&self, unit: UnitId) -> Option<FeatureId> {
        self.guards.iter().find(|(id, _)| *id == unit).map(|(_, place)| *place)
    }

    /// The empty place a unit is sent to on its own.
    pub fn errand_of(&self, unit: UnitId) -> Option<FeatureId> {
        self.errands.iter().find(|(id, _)| *id == unit).map(|(_, place)| *place)
    }

    /// What a brigade is about.
    pub fn aim(&self, brigade: Option<CommandId>) -> Aim {
        self.aims.iter().find(|(id, _)| Some(*id) == brigade).map_or(Aim::Hunt, |(_, aim)| *aim)
    }
}

/// A place as it is now.
fn weigh(field: &Field, side: Side, place: &Objective) -> Place {
    let ours = victory::holder(field, place) == Some(side);
    let empty = Side::BOTH.iter().all(|side| keepers::guard(field, *side, place.feature).is_none());
    let (own, theirs) = (strength(field, side, place.feature), strength(field, side.other(), place.feature));
    let need = match (ours, empty) {
        (true, _) if theirs <= 0.0 => QUIET,
        (true, _) => (THREATENED.0 * theirs / own.max(1.0)).clamp(THREATENED.1, THREATENED.2),
        (false, true) if theirs <= 0.0 => UNDISPUTED,
        (false, true) => DISPUTED,
        (false, false) => THEIRS,
    };
    Place { feature: place.feature, worth: f64::from(place.worth), ours, empty, need }
}

fn best_pair(field: &Field, side: Side, free: &[(CommandId, Vec2)], places: &[Place]) -> Option<(usize, usize)> {
    let mut best: Option<(f64, usize, usize)> = None;
    let ahead = forward(field, side);
    for (n, (_, middle)) in free.iter().enumerate() {
        for (p, place) in places.iter().enumerate() {
            let Some(feature) = field.ground().features.get(place.feature.index()) else { continue };
            let away = feature.shape.distance(*middle);
            let stands = if away < ON_IT && place.ours { AT_HOME } else { 1.0 };
            let lost = if !place.ours && keepers::back_to(feature, *middle, ahead) > PASSED { GONE } else { 1.0 };
            let score = place.worth * place.need * stands * lost / (1.0 + away / FAR);
            if best.is_none_or(|(most, ..)| score > most) {
                best = Some((score, n, p));
            }
        }
    }
    best.map(|(_, n, p)| (n, p))
}

fn has_foot(field: &Field, brigade: CommandId) -> bool {
    let there = |id: &UnitId| field.unit(*id).is_present() && !troops(field, *id).broken;
    brigade_units(field, brigade).filter(there).any(|id| !facts(field, id).is_battery() && !facts(field, id).screen)
}

/// Status of a side's formed troops around a place.
fn strength(field: &Field, side: Side, place: FeatureId) -> f64 {
    let Some(feature) = field.ground().features.get(place.index()) else { return 0.0 };
    let near = known(field, side).filter(|(id, unit)| {
        let own = troops(field, *id);
        !own.broken && !facts(field, *id).screen && feature.shape.distance(unit.quad().centre) < AROUND
    });
    near.map(|(id, _)| f64::from(troops(field, id).status)).sum()
}
