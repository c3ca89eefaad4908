//! Whom a charge really meets, and how far off he is (R20, R22).

use super::super::field::{self, Field, is_hidden};
use super::super::formation::Spacing;
use super::super::unit::{ChargeStage, Cycle};
use super::perimeter;
use engine::{Side, UnitId};
use table::terrain::Feature;
use table::{Length, Quad, SLACK, Vec2, convex};

/// Chargers in a stage, in the order of the dice.
pub fn chargers(field: &Field, wanted: impl Fn(ChargeStage) -> bool) -> Vec<UnitId> {
    let in_stage = |id: UnitId| field::troops(field, id).charge.as_deref().is_some_and(|charge| wanted(charge.stage));
    let sides = Side::BOTH.into_iter();
    sides.flat_map(|side| field.present(side)).map(|(id, _)| id).filter(|id| in_stage(*id)).collect()
}

/// The stage of a unit's charge, if it charges.
pub fn stage(field: &Field, unit: UnitId) -> Option<ChargeStage> {
    field::troops(field, unit).charge.as_deref().map(|charge| charge.stage)
}

/// Whom a unit charges.
pub fn target(field: &Field, unit: UnitId) -> Option<UnitId> {
    field::troops(field, unit).charge.as_deref().map(|charge| charge.at)
}

/// What a charger has left of its move.
pub fn left(field: &Field, unit: UnitId) -> Length {
    field::troops(field, unit).charge.as_deref().map_or(Length::ZERO, |charge| charge.left)
}

/// Whether a unit passed its test and charges this enemy.
pub fn goes_in_on(field: &Field, unit: UnitId, at: UnitId) -> bool {
    field::is_there(field, unit) && stage(field, unit) == Some(ChargeStage::Passed) && target(field, unit) == Some(at)
}

/// Whether a charge at this enemy has to be tested (R22).
pub fn needs_test(field: &Field, at: UnitId) -> bool {
    if field::facts(field, at).is_battery() {
        return field::troops(field, at).cycle != Cycle::Abandoned;
    }
    !evades(field, at) && field::is_formed(field, at)
}

/// Whether an enemy falls back before a charge without being driven (R62).
pub fn evades(field: &Field, at: UnitId) -> bool {
    field::skirmishes(field, at) || field::facts(field, at).screen || is_drawn_out(field, at)
}

/// Foot or horse drawn up in extended order, whether or not it lines cover that would count as loosening it: such men do
/// not hold a position against a charge (passed-f).
pub fn is_drawn_out(field: &Field, unit: UnitId) -> bool {
    let (facts, formation) = (field::facts(field, unit), field::formation(field, unit));
    !facts.is_battery() && formation.spacing(facts.width(), field::count(field, unit)) == Spacing::Extended
}

/// Whether a unit may go for an enemy at all: horse does not ride at a perimeter (R22, close-m).
pub fn may_go_for(field: &Field, unit: UnitId, at: UnitId) -> bool {
    !field::is_mounted(field, unit) || !perimeter::stands_behind(field, at, unit)
}

/// The gap a charge is measured by: to the nearest element, or to the edge of the area he holds (R20).
pub fn gap(field: &Field, unit: UnitId, at: UnitId) -> Length {
    let gap = field::gap(field, unit, at);
    match edge(field, unit, at) {
        Some(feature) => {
            let own = field::elements(field, unit);
            let edge = own.iter().map(|quad| feature.shape.gap_to(quad)).min_by(f64::total_cmp);
            edge.map_or(gap, |edge| gap.min(Length::from_um(edge)))
        }
        None => gap,
    }
}

/// The area an enemy holds, if a charger has yet to enter it.
fn edge(field: &Field, unit: UnitId, at: UnitId) -> Option<&Feature> {
    let (_, feature) = perimeter::holds(field, at)?;
    (!feature.shape.is_line() && !perimeter::is_past(field, unit, at, feature)).then_some(feature)
}

/// How far a unit gets straight ahead until it touches an enemy, or the edge of the area he holds.
pub fn contact_ahead(field: &Field, unit: UnitId, at: UnitId, most: Length) -> Option<Length> {
    let forward = field.unit(unit).pose().forward();
    let own = field::elements(field, unit);
    let foe = field::elements(field, at);
    let met = reach_of(&own, forward, most, &foe);
    let edge = edge(field, unit, at).and_then(|feature| {
        let far = most + SLACK;
        let by = forward * far.as_f64();
        let enters = own.iter().filter_map(|quad| feature.shape.sweep(quad, by).first().map(|span| span.0));
        enters.min_by(f64::total_cmp).map(|share| far.times(share.max(0.0)))
    });
    met.into_iter().chain(edge).min()
}

/// The shortest way straight on from one set of rectangles to another.
pub fn reach_of(own: &[Quad], towards: Vec2, most: Length, foe: &[Quad]) -> Option<Length> {
    own.iter().flat_map(|quad| foe.iter().filter_map(|other| table::reach(quad, towards, most, other))).min()
}

/// How far off an enemy is for a charge: straight ahead where he is met there, else by the shortest way.
pub fn distance_to(field: &Field, unit: UnitId, at: UnitId) -> Length {
    let straight = field::gap(field, unit, at);
    let slack = field::facts(field, at).width() + field::facts(field, unit).width();
    contact_ahead(field, unit, at, straight + straight + slack).unwrap_or(straight)
}

/// The direction and length of the way onto an enemy: straight ahead, or to his nearest point where he stands aside.
pub fn way_to(field: &Field, unit: UnitId, at: UnitId, most: Length) -> (Vec2, Length) {
    let forward = field.unit(unit).pose().forward();
    if let Some(way) = contact_ahead(field, unit, at, most) {
        return (forward, way);
    }
    let (own, foe) = (field::elements(field, unit), field::elements(field, at));
    let Some((one, other)) = perimeter::nearest(&own, &foe) else { return (forward, Length::ZERO) };
    let (from, to) = convex::nearest_points(one.points(), other.points());
    let way = (to - from).length();
    if way > 0.0 { ((to - from).normalised(), Length::from_um(way)) } else { (forward, Length::ZERO) }
}

/// Enemies a unit meets going straight ahead, the nearest first, with how far off they are. Those behind another are
/// left out.
pub fn ahead(field: &Field, unit: UnitId, most: Length) -> Vec<(Length, UnitId)> {
    on_the_way(field, unit, field.unit(unit).pose().forward(), most)
}

fn on_the_way(field: &Field, unit: UnitId, towards: Vec2, most: Length) -> Vec<(Length, UnitId)> {
    let own = field::elements(field, unit);
    let mut met: Vec<(Length, UnitId)> = field
        .present(field.side_of(unit).other())
        .filter(|(_, other)| !is_hidden(other) && !field::surely_beyond(field.unit(unit).quad(), other.quad(), most))
        .filter_map(|(id, _)| reach_of(&own, towards, most, &field::elements(field, id)).map(|distance| (distance, id)))
        .collect();
    met.sort();
    met
}

/// The enemy who has come to stand across the way to another, if one has.
pub fn across_the_way(field: &Field, unit: UnitId, at: UnitId) -> Option<UnitId> {
    let (towards, way) = way_to(field, unit, at, left(field, unit));
    let (nearest, id) = on_the_way(field, unit, towards, way).into_iter().find(|(_, id)| *id != at)?;
    (nearest + SLACK < way).then_some(id)
}

/// Whether a friendly formed unit stands between a unit and an enemy (R41, R62).
pub fn is_screened(field: &Field, quad: &Quad, unit: UnitId, enemy: UnitId) -> bool {
    let foe = field.unit(enemy).quad();
    let line = convex::nearest_points(quad.points(), foe.points());
    field.present(field.side_of(unit)).any(|(id, other)| {
        id != unit && field::is_formed(field, id) && convex::clip(line, other.quad().points()).is_some()
    })
}
