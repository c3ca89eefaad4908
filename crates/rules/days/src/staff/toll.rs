//! What the ground takes off a straight ride or walk of staff (C-13). Troops reckon their own legs elsewhere.

use super::super::charts::{Going, Grounds, Toll};
use super::super::field::Field;
use super::super::ground;
use super::super::settings::Weight;
use super::super::works::features;
use engine::FeatureId;
use table::terrain::{Feature, TerrainKind as K};
use table::{Length, Vec2};

/// Who goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rider {
    /// A general.
    Staff,
    /// Engineers.
    Engineers,
}

/// What a straight way costs; the feature that bars it where one does.
pub fn along(field: &Field, from: Vec2, to: Vec2, rider: Rider) -> Result<Length, FeatureId> {
    let crossed: Vec<(FeatureId, &Feature)> =
        features(field).filter(|(_, feature)| !feature.shape.clip((from, to)).is_empty()).collect();
    let mut sum = Length::ZERO;
    for (id, feature) in &crossed {
        let burns = ground::is_burning(field, *id) && !feature.shape.contains(from);
        let going = if burns { Some(&field.charts().ground.burning) } else { row(field, *id, feature) };
        let Some(going) = going else { continue };
        let toll = match rider {
            Rider::Staff => going.staff.value,
            Rider::Engineers => going.engineers.value,
        };
        match toll {
            Toll::Of(length) => sum += length,
            Toll::Whole | Toll::Barred if is_bridged(field, *id, feature, from, to, &crossed) => {}
            Toll::Whole | Toll::Barred => return Err(*id),
        }
    }
    Ok(sum)
}

/// The line of the chart a feature is charged by.
fn row<'f>(field: &'f Field, id: FeatureId, feature: &Feature) -> Option<&'f Going> {
    let rows: &Grounds = &field.charts().ground;
    let heavy = ground::weight(field, id) == Weight::Heavy;
    let nature = field.muster().scenario.natures.get(usize::from(id.0));
    let either = |light, heavy_row| Some(if heavy { heavy_row } else { light });
    match feature.kind {
        K::Woods | K::Orchard => either(&rows.wood_light, &rows.wood_heavy),
        K::Building | K::Town => either(&rows.urban_light, &rows.urban_heavy),
        K::Hedge | K::Fence | K::Wall | K::Abatis | K::Earthwork | K::Redoubt => {
            either(&rows.obstacle_light, &rows.obstacle_heavy)
        }
        K::Hill if nature.is_some_and(|nature| nature.steep) => Some(&rows.slope_steep),
        K::Hill => Some(&rows.slope_gentle),
        K::Difficult | K::Scrub => Some(&rows.difficult),
        K::Stream => Some(&rows.stream),
        K::River | K::Lake | K::Cliff => Some(&rows.river),
        K::Ford => Some(&rows.ford),
        K::Marsh | K::Swamp => Some(&rows.swamp),
        K::Clearing | K::Crops | K::Road | K::Track | K::Railway | K::Bridge | K::Pontoon => None,
    }
}

/// Whether the way over water or through heavy woods leads by a bridge, a ford, a span of boats or a road.
fn is_bridged(
    field: &Field,
    id: FeatureId,
    feature: &Feature,
    from: Vec2,
    to: Vec2,
    crossed: &[(FeatureId, &Feature)],
) -> bool {
    let ledger = field.ledger();
    let water = matches!(feature.kind, K::River | K::Lake | K::Stream);
    let helps = |(other, one): &&(FeatureId, &Feature)| match one.kind {
        K::Bridge | K::Ford | K::Pontoon => water && !ledger.broken.contains(other),
        K::Road | K::Track => !water && !ground::is_burning(field, id),
        _ => false,
    };
    let inside = |place: Vec2| {
        crossed.iter().filter(helps).any(|(_, one)| one.shape.contains(place))
            || (water && ledger.spans.iter().any(|span| over_span(field, span.from.vec(), span.to.vec(), place)))
            || (water
                && ledger.fords.iter().any(|ford| {
                    let width = super::super::charts::reach(field.charts().constant.ford_width);
                    let reach = width.half().as_f64();
                    ford.found && ford.river == id && is_across(ford.at.vec(), feature, place, reach)
                }))
    };
    let clips = feature.shape.clip((from, to));
    clips.iter().all(|(a, b)| [0.0, 0.5, 1.0].into_iter().all(|part| inside(from.lerp(to, a + (b - a) * part))))
}

fn over_span(field: &Field, from: Vec2, to: Vec2, place: Vec2) -> bool {
    let half = super::super::charts::reach(field.charts().work.pontoon_width).half().as_f64();
    let way = to - from;
    let along = (place - from).dot(way.normalised());
    let aside = (place - from).cross(way.normalised()).abs();
    aside <= half && along >= -table::SLACK.as_f64() && along <= way.length() + table::SLACK.as_f64()
}

/// Whether a place lies in the strip of a ford across a river: no further along the river than half its width.
fn is_across(ford: Vec2, river: &Feature, place: Vec2, half: f64) -> bool {
    let (a, b) = (super::super::works::along(river, ford), super::super::works::along(river, place));
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= half,
        _ => ford.distance(place) <= half,
    }
}
