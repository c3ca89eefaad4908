//! What the ground is and does: woods, houses, hills, water, obstacles, roads, and what was built or burnt in the battle.
//! Section 15, C-13, C.5, C.7, A-77 to.

mod cover;
mod patch;
#[cfg(test)]
mod tests;
mod toll;

pub use cover::{Shelter, may_shelter, stand_cover};
pub use patch::{Land, Patch, Piece, obstacles_near, patches, patches_near};
pub use toll::{Mover, TollLine, Tolls, Way, bars, mover, staff_toll, toll, tolls, tolls_along, tolls_until};

use super::Days;
use super::charts::reach;
use super::clause::Clause;
use super::event::DaysEvent;
use super::field::{self, Field, facts, stands, whole};
use super::formation::Shape as Drawn;
use super::hidden;
use super::settings::{Nature, Weight};
use super::unit::{Arm, OrderState};
use engine::{Event, FeatureId, Umpire, UnitId};
use smallvec::SmallVec;
use table::terrain::{Feature, TerrainKind};
use table::{Bounds, Length, Quad, Vec2, convex};

/// The level of the ground: table 0, Low Hill 1, High Hill 2.
pub fn level(field: &Field, place: Vec2) -> u8 {
    field.ground().level_at(place)
}

/// The level a unit stands on: that of its command stand.
pub fn level_of(field: &Field, unit: UnitId) -> u8 {
    let front = field::command_pose(field, unit);
    let depth = facts(field, unit).stand_in(field::formation(field, unit)).depth;
    level(field, front.ahead(-depth.half()).at.vec())
}

/// A feature by its number.
pub fn feature(field: &Field, id: FeatureId) -> Option<&Feature> {
    field.ground().features.get(id.index())
}

/// What a scenario says of a feature.
pub fn nature(field: &Field, id: FeatureId) -> Nature {
    let plain = Nature { weight: Weight::Light, steep: false, difficult: false, wooden: false };
    field.muster().scenario.natures.get(id.index()).copied().unwrap_or(plain)
}

/// Light, heavy or not known yet; discovered woods are what they were found to be.
pub fn weight(field: &Field, feature: FeatureId) -> Weight {
    let found = field.ledger().woods.iter().find(|(wood, _)| *wood == feature).map(|(_, weight)| *weight);
    found.unwrap_or_else(|| nature(field, feature).weight)
}

/// What a feature is in the terms of section 15.
pub fn land(field: &Field, id: FeatureId) -> Land {
    feature(field, id).map_or(Land::Open, |feature| land_of(field, feature))
}

/// What a kind of terrain is in the terms of section 15: water is a river or a stream by its width (days.15.3-a).
fn land_of(field: &Field, feature: &Feature) -> Land {
    use TerrainKind as K;
    match feature.kind {
        K::Woods | K::Orchard => Land::Wood,
        K::Building | K::Town => Land::Urban,
        K::Hill => Land::Hill,
        K::Difficult | K::Scrub => Land::Difficult,
        K::Swamp | K::Marsh => Land::Swamp,
        K::Hedge | K::Fence | K::Wall | K::Abatis | K::Earthwork | K::Redoubt => Land::Obstacle,
        K::Stream | K::River => match feature.shape.outline() {
            table::Outline::Line { width, .. } if *width > reach(field.charts().constant.river_wider) => Land::River,
            table::Outline::Line { .. } => Land::Stream,
            _ if feature.kind == K::River => Land::River,
            _ => Land::Stream,
        },
        K::Lake => Land::River,
        K::Cliff => Land::Cliff,
        K::Ford => Land::Ford,
        K::Bridge | K::Pontoon => Land::Bridge,
        K::Road | K::Track => Land::Road,
        K::Clearing | K::Crops | K::Railway => Land::Open,
    }
}

/// Whether a feature is houses.
pub fn is_urban(field: &Field, feature: FeatureId) -> bool {
    field.ground().features.get(feature.index()).is_some_and(|one| land_of(field, one) == Land::Urban)
}

/// The wood or urban area a place lies in, with its weight; burning ones too. The heaviest where several lie there; a
/// clearing is no wood.
pub fn area_at(field: &Field, place: Vec2) -> Option<(FeatureId, Weight)> {
    let here = |feature: &Feature| is_area(feature) && feature.shape.contains(place);
    let all = field.ground().numbered().filter(|(_, feature)| here(feature));
    heaviest(field, all.map(|(no, feature)| (FeatureId(no.0), feature)))
}

/// Woods, urban areas and clearings.
fn is_area(feature: &Feature) -> bool {
    use TerrainKind::{Building, Clearing, Orchard, Town, Woods};
    matches!(feature.kind, Clearing | Woods | Orchard | Building | Town)
}

/// The heaviest of the areas a place lies in.
fn heaviest<'f>(field: &Field, here: impl Iterator<Item = (FeatureId, &'f Feature)>) -> Option<(FeatureId, Weight)> {
    let mut best: Option<(FeatureId, Weight)> = None;
    for (id, feature) in here {
        if feature.kind == TerrainKind::Clearing {
            return None;
        }
        let found = weight(field, id);
        if best.is_none_or(|(_, weight)| found == Weight::Heavy && weight != Weight::Heavy) {
            best = Some((id, found));
        }
    }
    best
}

/// Whether a feature burns.
pub fn is_burning(field: &Field, feature: FeatureId) -> bool {
    field.ledger().fires.iter().any(|fire| fire.feature == feature)
}

/// A box no larger than a place.
pub fn spot(place: Vec2) -> Bounds {
    Bounds { min: place, max: place }
}

/// The box around stands.
pub fn around(stands: &[Quad]) -> Bounds {
    stands.iter().map(Quad::bounds).reduce(|one, other| one.joined(&other)).unwrap_or_default()
}

/// Whether a bridge, standing or laid, carries a place over water.
pub fn on_bridge(field: &Field, place: Vec2) -> bool {
    patches_near(field, spot(place)).any(|patch| patch.land == Land::Bridge && patch.shape.contains(place))
}

/// Whether water can be waded at a place: at a ford, known or found, or where a road meets it and there never was a
/// bridge (days.15.4-a).
pub fn in_ford(field: &Field, place: Vec2) -> bool {
    let bridge = |feature: &Feature| matches!(feature.kind, TerrainKind::Bridge | TerrainKind::Pontoon);
    let bridged = || field.ground().at(place).any(|(_, feature)| bridge(feature));
    patches_near(field, spot(place)).any(|patch| match patch.land {
        Land::Ford => patch.shape.contains(place),
        Land::Road => patch.shape.contains(place) && !bridged(),
        _ => false,
    })
}

/// Whether a stand touches a road.
pub fn on_road(field: &Field, stand: &Quad) -> bool {
    let slack = table::SLACK.as_f64();
    let around = stand.bounds().grown(slack * 2.0);
    // Most are told by how far the road is from the middle of the stand.
    let touches = |road: &Feature| {
        let away = road.shape.distance(stand.centre);
        away <= 0.0 || (away <= stand.radius + slack * 2.0 && road.shape.gap_to(stand) <= slack)
    };
    field.ground().features.iter().any(|feature| {
        matches!(feature.kind, TerrainKind::Road | TerrainKind::Track)
            && feature.shape.bounds().meets(&around)
            && touches(feature)
    })
}

/// Whether a unit is in column on a road, every stand of it.
pub fn marches_on_road(field: &Field, unit: UnitId) -> bool {
    field::formation(field, unit).is_column() && stands(field, unit).iter().all(|stand| on_road(field, stand))
}

/// Ground that disorders some of these stands, with the clause that says so.
pub fn disordering(field: &Field, stands: &[Quad]) -> Option<(Land, Clause)> {
    let mut found = None;
    for patch in patches_near(field, around(stands)) {
        let clause = match patch.land {
            Land::Swamp => Clause::DisorderInASwamp,
            Land::Wood => Clause::DisorderAmongTrees,
            Land::Urban => Clause::DisorderAmongHouses,
            Land::Difficult | Land::Ford | Land::River => Clause::GroundThatDisorders,
            Land::Hill if patch.difficult => Clause::GroundThatDisorders,
            _ => continue,
        };
        let open = |stand: &Quad| match patch.land {
            Land::River | Land::Ford => on_bridge(field, stand.centre),
            Land::Wood | Land::Urban => in_clearing(field, stand.centre),
            _ => false,
        };
        if stands.iter().any(|stand| patch.shape.overlaps_quad(stand) && !open(stand)) {
            if patch.land == Land::Swamp {
                return Some((Land::Swamp, clause));
            }
            found = found.or(Some((patch.land, clause)));
        }
    }
    found
}

fn in_clearing(field: &Field, place: Vec2) -> bool {
    field.ground().at(place).any(|(_, feature)| feature.kind == TerrainKind::Clearing)
}

/// Engineers and those who march with them mind no ground.
fn minds_ground(field: &Field, unit: UnitId) -> bool {
    facts(field, unit).arm != Arm::Engineers
}

/// Whether any stand of the unit is in ground that disorders it: woods, houses, fords, swamps, difficult ground.
pub fn disorders(field: &Field, unit: UnitId) -> bool {
    minds_ground(field, unit) && disordering(field, stands(field, unit)).is_some()
}

/// Whether any of its stands is in a swamp.
pub fn in_swamp(field: &Field, unit: UnitId) -> bool {
    let stands = stands(field, unit);
    let mut near = patches_near(field, around(stands));
    near.any(|patch| patch.land == Land::Swamp && stands.iter().any(|stand| patch.shape.overlaps_quad(stand)))
}

/// More than measuring to a hundredth of an inch could hide, in micrometres.
const MEASURING: f64 = 300.0;

/// Whether some of these stands are within an inch of a crest line (days.15.1-c, A-113).
pub fn near_crest(field: &Field, stands: &[Quad]) -> bool {
    let near = reach(field.charts().constant.crest);
    let far = near.as_f64() + MEASURING;
    let boxes: SmallVec<[Bounds; 16]> = stands.iter().map(Quad::bounds).collect();
    let Some(around) = boxes.iter().copied().reduce(|all, one| all.joined(&one)) else { return false };
    crest_lines(field).any(|(from, to)| {
        let line = Bounds::around(&[from, to]);
        let beside = |around: &Bounds| around.gap_squared(&line) > far * far;
        let apart = |stand: &Quad| field::measured(Length::from_um(convex::gap(stand.points(), &[from, to])));
        !beside(&around) && stands.iter().zip(&boxes).any(|(stand, own)| !beside(own) && apart(stand) <= near)
    })
}

/// The stretches of all crest lines.
pub fn crest_lines(field: &Field) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    let crests = field.ground().features.iter().filter(|feature| feature.kind == TerrainKind::Hill);
    let lines = crests.flat_map(|feature| &feature.crests);
    lines.flat_map(|line| line.windows(2)).filter_map(|ends| Some((ends.first()?.vec(), ends.last()?.vec())))
}

/// After a unit came to stand somewhere: it is disordered where the ground disorders it (days.17.2.8-b, A-98), swamped
/// in a swamp.
pub fn settle(umpire: &mut Umpire<'_, Days>, unit: UnitId) {
    let field = umpire.state();
    if !field::is_there(field, unit) || !minds_ground(field, unit) {
        return;
    }
    let Some((land, clause)) = disordering(field, stands(field, unit)) else { return };
    let square = field::shape(field, unit) == Drawn::Square && matches!(land, Land::Wood | Land::Urban);
    let all = whole(field, unit);
    let state = field::state(field, unit);
    let (good, dry) = (state.order == OrderState::Good, !state.swamped);
    if good {
        let event = Event::own(clause, DaysEvent::OrderIs { unit: all, order: OrderState::Disordered })
            .also_if(clause != Clause::GroundThatDisorders, Clause::GroundThatDisorders)
            .also_if(square, Clause::SquaresAmongTreesAndHouses);
        hidden::announce(umpire, unit, event);
    }
    if land == Land::Swamp && dry {
        let event = Event::own(Clause::DisorderInASwamp, DaysEvent::Swamped { unit: all, swamped: true });
        hidden::announce(umpire, unit, event);
    }
}

/// Disorders a unit that was in good order, for what a clause says.
pub fn disorder(umpire: &mut Umpire<'_, Days>, unit: UnitId, clause: Clause) {
    let all = whole(umpire.state(), unit);
    if field::order(umpire.state(), unit) == OrderState::Good {
        let event = Event::own(clause, DaysEvent::OrderIs { unit: all, order: OrderState::Disordered });
        hidden::announce(umpire, unit, event);
    }
}
