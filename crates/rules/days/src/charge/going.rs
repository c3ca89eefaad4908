//! What the ground takes off a straight run, and what stops it altogether. C-13, days.15.6-a, 15.8-d, 15.9-d, A-80.

use crate::charts::{Going as Row, Toll};
use crate::clause::Clause;
use crate::field::{self, Field};
use crate::formation::Formation;
use crate::ground;
use crate::settings::Weight;
use engine::{FeatureId, UnitId};
use smallvec::SmallVec;
use table::march::{Leg, Track};
use table::terrain::{Feature, TerrainKind};
use table::{Footprint, Length, Pose, Vec2, convex};

/// The ground under a straight run.
#[derive(Clone, Debug, Default)]
pub struct Going {
    /// What it takes off the allowance.
    pub toll: Length,
    /// What nobody like this may enter.
    pub barred: SmallVec<[(Clause, String); 1]>,
    /// Obstacles are climbed.
    pub climbs: bool,
}

/// A straight run of a body.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// From where.
    pub from: Pose,
    /// The body that runs.
    pub body: Footprint,
    /// How far.
    pub far: Length,
}

impl Run {
    fn track(&self) -> Track {
        Track::plot(self.from, self.body, &[Leg::Ahead(self.far)])
    }
}

/// What a run costs a unit in a formation.
pub fn over(field: &Field, unit: UnitId, formation: Formation, run: Run) -> Going {
    let mut going = Going::default();
    let track = run.track();
    for (no, feature) in field.ground().numbered() {
        let id = FeatureId(no.0);
        if !track.crosses(&feature.shape) {
            continue;
        }
        if ground::is_burning(field, id) {
            bar(&mut going, Clause::LeavingTheFlames, feature, "is burning");
            continue;
        }
        let Some((row, clause)) = row_of(field, id, feature, &track) else { continue };
        going.climbs |= is_obstacle(feature.kind);
        pay(field, unit, formation, row, &mut going, |going| {
            bar(going, clause, feature, "is no ground to charge over")
        });
    }
    for barrier in &field.ledger().barriers {
        let line = [barrier.from.vec(), barrier.to.vec()];
        if !crosses_line(&run, line) {
            continue;
        }
        going.climbs = true;
        let charts = &field.charts().ground;
        let row = if barrier.weight == Weight::Heavy { &charts.obstacle_heavy } else { &charts.obstacle_light };
        let text = "works are in the way".to_owned();
        pay(field, unit, formation, row, &mut going, |going| going.barred.push((Clause::WallsWorksAndBarriers, text)));
    }
    going
}

/// Whether a run climbs an obstacle.
pub fn climbs(field: &Field, run: Run) -> bool {
    let track = run.track();
    let obstacles = field.ground().features.iter().filter(|feature| is_obstacle(feature.kind));
    let barriers = field.ledger().barriers.iter();
    obstacles.into_iter().any(|feature| track.crosses(&feature.shape))
        || barriers.into_iter().any(|barrier| crosses_line(&run, [barrier.from.vec(), barrier.to.vec()]))
}

fn crosses_line(run: &Run, line: [Vec2; 2]) -> bool {
    let by = run.from.forward() * run.far.as_f64();
    convex::sweep(run.body.quad(run.from).points(), by, &line).is_some()
}

fn pay(
    field: &Field,
    unit: UnitId,
    formation: Formation,
    row: &Row,
    going: &mut Going,
    refuse: impl FnOnce(&mut Going),
) {
    let toll = if field::is_mounted(field, unit) {
        row.mounted
    } else if field::skirmishes(field, unit) {
        row.open_order
    } else {
        row.formed
    };
    match toll.value {
        Toll::Of(length) if !row.column_only.value || formation.is_column() => going.toll += length,
        Toll::Of(_) | Toll::Whole | Toll::Barred => refuse(going),
    }
}

fn bar(going: &mut Going, clause: Clause, feature: &Feature, why: &str) {
    let what = if feature.name.is_empty() { feature.kind.name() } else { &feature.name };
    going.barred.push((clause, format!("{what} {why}")));
}

/// Walls, fences, works and the like.
pub fn is_obstacle(kind: TerrainKind) -> bool {
    use TerrainKind as K;
    matches!(kind, K::Hedge | K::Fence | K::Wall | K::Abatis | K::Earthwork | K::Redoubt)
}

/// The row of the chart for a feature that is crossed; none where it costs nothing.
fn row_of<'f>(field: &'f Field, id: FeatureId, feature: &Feature, track: &Track) -> Option<(&'f Row, Clause)> {
    use TerrainKind as K;
    let charts = &field.charts().ground;
    let heavy = || ground::weight(field, id) == Weight::Heavy;
    let nature = field.muster().scenario.natures.get(usize::from(id.0));
    match feature.kind {
        K::Woods | K::Orchard if heavy() => Some((&charts.wood_heavy, Clause::ThroughHeavyWoods)),
        K::Woods | K::Orchard => Some((&charts.wood_light, Clause::ThroughLightWoods)),
        K::Building | K::Town if heavy() => Some((&charts.urban_heavy, Clause::SlowGoingAmongHouses)),
        K::Building | K::Town => Some((&charts.urban_light, Clause::SlowGoingAmongHouses)),
        kind if is_obstacle(kind) && heavy() => Some((&charts.obstacle_heavy, Clause::WallsWorksAndBarriers)),
        kind if is_obstacle(kind) => Some((&charts.obstacle_light, Clause::WallsWorksAndBarriers)),
        K::Difficult | K::Scrub => Some((&charts.difficult, Clause::GroundThatDisorders)),
        K::Swamp | K::Marsh => Some((&charts.swamp, Clause::WhoMayEnterSwamps)),
        K::Stream if !is_bridged(field, track) => Some((&charts.stream, Clause::StreamsAreNoBar)),
        K::River | K::Lake if !is_bridged(field, track) => Some((&charts.river, Clause::IntoTheRiver)),
        K::Ford => Some((&charts.ford, Clause::FordsAreForColumns)),
        K::Bridge | K::Pontoon if !field.ledger().broken.contains(&id) => {
            Some((&charts.bridge, Clause::FordsAreForColumns))
        }
        K::Cliff => Some((&charts.river, Clause::IntoTheRiver)),
        K::Hill => {
            let (from, to) = (level(field, track.start()), level(field, track.end()));
            let steep = nature.is_some_and(|nature| nature.steep);
            let row = if steep { &charts.slope_steep } else { &charts.slope_gentle };
            (to > from || (steep && to < from)).then_some((row, Clause::GroundThatDisorders))
        }
        _ => None,
    }
}

fn level(field: &Field, pose: Pose) -> u8 {
    ground::level(field, pose.at.vec())
}

/// Whether the way leads over a bridge that stands, or through a ford.
fn is_bridged(field: &Field, track: &Track) -> bool {
    use TerrainKind as K;
    let ledger = field.ledger();
    let stands = |id: FeatureId, kind: K| match kind {
        K::Bridge | K::Pontoon => !ledger.broken.contains(&id),
        kind => kind == K::Ford,
    };
    field
        .ground()
        .numbered()
        .any(|(no, feature)| stands(FeatureId(no.0), feature.kind) && track.crosses(&feature.shape))
        || ledger.spans.iter().any(|span| track.meets(&[span.from.vec(), span.to.vec()]).is_some())
        || ledger.fords.iter().any(|ford| ford.found && track.meets(&[ford.at.vec()]).is_some())
}
