//! What the battle is about: who holds which place, and which brigade goes for which.

use engine::{CommandId, FeatureId, Side, UnitId};
use rules::guns::candidates::middle_of;
use rules::guns::field::{Field, brigade_units, brigades, facts, known, troops};
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

/// Who goes where.
#[derive(Debug, Default)]
pub struct Plan {
    aims: Vec<(CommandId, Aim)>,
    /// What our places are worth more than theirs.
    pub lead: i32,
    /// Places on which enemies stand.
    held: Vec<FeatureId>,
    /// Units that stay where they are so that a place remains ours.
    pub guards: Vec<UnitId>,
}

/// A place worth holding as it is now.
struct Place {
    feature: FeatureId,
    worth: f64,
    ours: bool,
    /// What is left for a brigade to do there; less with every one that is sent.
    need: f64,
}

/// Within this of a place, in micrometres, troops count as there.
const AROUND: f64 = 450_000.0;
/// The distance, in micrometres, that makes a place half as dear.
const FAR: f64 = 500_000.0;
/// Whoever is this near, in micrometres, touches it.
const TOUCH: f64 = 100.0;
/// Whoever is this near, in micrometres, stands on it.
const ON_IT: f64 = 80_000.0;

impl Plan {
    pub fn make(field: &Field, side: Side) -> Plan {
        let mut places: Vec<Place> = field
            .muster()
            .scenario
            .objectives
            .iter()
            .map(|place| {
                let ours = victory::holder(field, place) == Some(side);
                let (own, theirs) =
                    (strength(field, side, place.feature), strength(field, side.other(), place.feature));
                let need = match (ours, theirs > 0.0) {
                    (true, false) => 0.12,
                    (true, true) => (0.5 * theirs / own.max(1.0)).clamp(0.4, 1.2),
                    (false, false) => 1.3,
                    (false, true) => 1.0,
                };
                Place { feature: place.feature, worth: f64::from(place.worth), ours, need }
            })
            .collect();
        let [own, theirs] = [side, side.other()].map(|side| victory::held_worth(field, side) as i32);
        let lead = own - theirs;
        if lead > 0 {
            // Who is ahead need not go looking for trouble.
            places.iter_mut().filter(|place| !place.ours).for_each(|place| place.need *= 0.35);
        }
        let mut free: Vec<(CommandId, Vec2)> =
            brigades(field, side).filter_map(|id| Some((id, middle_of(field, id)?))).collect();
        let mut aims = Vec::new();
        while let Some((n, p)) = best_pair(field, &free, &places) {
            let (brigade, _) = free.swap_remove(n);
            let Some(place) = places.get_mut(p) else { break };
            aims.push((brigade, if place.ours { Aim::Hold(place.feature) } else { Aim::Take(place.feature) }));
            if has_foot(field, brigade) {
                place.need *= if place.ours { 0.5 } else { 0.7 };
            }
        }
        let held = places.iter().filter(|place| place.ours);
        let guards = held.filter_map(|place| guard(field, side, place.feature)).collect();
        let theirs = |place: &Place| guard(field, side.other(), place.feature).is_some();
        let held = places.iter().filter(|place| theirs(place)).map(|place| place.feature).collect();
        Plan { aims, lead, held, guards }
    }

    /// Whether enemies stand on a place.
    pub fn is_held(&self, place: FeatureId) -> bool {
        self.held.contains(&place)
    }

    pub fn aim(&self, brigade: Option<CommandId>) -> Aim {
        self.aims.iter().find(|(id, _)| Some(*id) == brigade).map_or(Aim::Hunt, |(_, aim)| *aim)
    }
}

fn best_pair(field: &Field, free: &[(CommandId, Vec2)], places: &[Place]) -> Option<(usize, usize)> {
    let mut best: Option<(f64, usize, usize)> = None;
    for (n, (_, middle)) in free.iter().enumerate() {
        for (p, place) in places.iter().enumerate() {
            let Some(feature) = field.ground().features.get(place.feature.index()) else { continue };
            let away = feature.shape.distance(*middle);
            let stands = if away < ON_IT && place.ours { 1.6 } else { 1.0 };
            let score = place.worth * place.need * stands / (1.0 + away / FAR);
            if best.is_none_or(|(most, ..)| score > most) {
                best = Some((score, n, p));
            }
        }
    }
    best.map(|(_, n, p)| (n, p))
}

/// Who stays on a place of ours: men in its houses, else whoever has least left in him.
fn guard(field: &Field, side: Side, place: FeatureId) -> Option<UnitId> {
    let feature = field.ground().features.get(place.index())?;
    let on_it = known(field, side).filter(|(id, unit)| {
        !troops(field, *id).broken && !facts(field, *id).screen && feature.shape.gap_to(unit.quad()) <= TOUCH
    });
    let rank = |id: UnitId| {
        let own = troops(field, id);
        (own.defending != Some(place), facts(field, id).is_battery(), own.status, id)
    };
    on_it.map(|(id, _)| id).min_by_key(|id| rank(*id))
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
