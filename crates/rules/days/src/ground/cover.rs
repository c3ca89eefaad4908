//! Cover: woods and houses around a stand, walls and works before it. C.7, days.15.2-b, 15.11-a.

use super::{Land, Patch, around, heaviest, is_area, land_of, obstacles_near, on_road};
use crate::charts::reach;
use crate::event::Barrier;
use crate::field::{self, Field};
use crate::settings::Weight;
use engine::{FeatureId, UnitId};
use smallvec::SmallVec;
use table::terrain::Feature;
use table::{Bounds, Quad, SLACK, Vec2};

/// Whether anything that could shelter these stands lies about: a quick look, for most troops stand in the open.
pub fn may_shelter(field: &Field, stands: &[Quad]) -> bool {
    let Some((first, rest)) = stands.split_first() else { return false };
    let near = (reach(field.charts().constant.cover) + SLACK + SLACK).as_f64();
    let around = rest.iter().fold(first.bounds(), |all, stand| all.joined(&stand.bounds())).grown(near);
    let shelters = |feature: &Feature| matches!(land_of(field, feature), Land::Wood | Land::Urban | Land::Obstacle);
    let barrier = |barrier: &Barrier| around.meets(&Bounds::around(&[barrier.from.vec(), barrier.to.vec()]));
    field.ground().features.iter().any(|feature| feature.shape.bounds().meets(&around) && shelters(feature))
        || field.ledger().barriers.iter().any(barrier)
}

/// The cover a stand has from fire or assault coming from a place: woods and houses around it (not on a road through
/// them in column), obstacles within 1" in front of it across the line from that place (C.7).
pub fn stand_cover(field: &Field, unit: UnitId, stand: &Quad, from: Vec2) -> Option<Weight> {
    Shelter::about(field, std::slice::from_ref(stand))?.of_stand(unit, stand, from)
}

/// What could shelter some stands, looked up once for all of them.
pub struct Shelter<'f> {
    field: &'f Field,
    areas: SmallVec<[(FeatureId, &'f Feature); 4]>,
    obstacles: SmallVec<[(Bounds, Patch<'f>); 2]>,
}

impl<'f> Shelter<'f> {
    /// What lies about some stands; nothing where none of them could be in cover.
    pub fn about(field: &'f Field, stands: &[Quad]) -> Option<Shelter<'f>> {
        if !may_shelter(field, stands) {
            return None;
        }
        let around = around(stands).grown(near(field));
        let close = |feature: &Feature| is_area(feature) && feature.shape.bounds().meets(&around);
        let areas = field.ground().numbered().filter(|(_, feature)| close(feature));
        let areas = areas.map(|(no, feature)| (FeatureId(no.0), feature)).collect();
        let obstacles = obstacles_near(field, around).map(|patch| (patch.shape.bounds(), patch)).collect();
        Some(Shelter { field, areas, obstacles })
    }

    /// The cover one of them has from a place.
    pub fn of_stand(&self, unit: UnitId, stand: &Quad, from: Vec2) -> Option<Weight> {
        let field = self.field;
        let in_the_street = || field::formation(field, unit).is_column() && on_road(field, stand);
        let here = self.areas.iter().copied().filter(|(_, area)| area.shape.contains(stand.centre));
        let area = heaviest(field, here);
        let around = area.filter(|_| !in_the_street()).map(|(_, weight)| settled(weight));
        if around == Some(Weight::Heavy) {
            return around;
        }
        let close = stand.bounds().grown(near(field) + SLACK.as_f64());
        let before = self.obstacles.iter().filter(|(bounds, _)| bounds.meets(&close)).map(|(_, patch)| patch);
        let before = before
            .filter(|patch| covers(field, patch, stand, from))
            .map(|patch| settled(patch.weight))
            .max_by_key(|weight| *weight == Weight::Heavy);
        match (around, before) {
            (_, Some(Weight::Heavy)) => before,
            (Some(_), _) => around,
            _ => before,
        }
    }
}

/// How near an obstacle is to whom it shelters, in micrometres.
fn near(field: &Field) -> f64 {
    (reach(field.charts().constant.cover) + SLACK).as_f64()
}

/// What is not known yet shelters like the lighter sort.
fn settled(weight: Weight) -> Weight {
    if weight == Weight::Heavy { Weight::Heavy } else { Weight::Light }
}

/// Whether an obstacle lies between a stand and a place, no further from the stand than the book says.
fn covers(field: &Field, patch: &Patch<'_>, stand: &Quad, from: Vec2) -> bool {
    let near = near(field);
    let way = from - stand.centre;
    let length = way.length();
    if length <= 0.0 {
        return false;
    }
    let leaves = edge_distance(stand, way * (1.0 / length));
    let crossed = patch.shape.clip((stand.centre, from));
    crossed.iter().any(|(enter, _)| enter * length - leaves <= near) && patch.shape.gap_to(stand) <= near
}

/// How far it is from the middle of a stand to its edge in a direction.
fn edge_distance(stand: &Quad, direction: Vec2) -> f64 {
    let [left, right, _, rear] = stand.corners;
    let (across, along) = (right - left, left - rear);
    let reach = |side: Vec2| {
        let part = direction.dot(side.normalised()).abs();
        if part > 1e-9 { side.length() * 0.5 / part } else { f64::INFINITY }
    };
    let (sideways, ahead) = (reach(across), reach(along));
    if sideways < ahead { sideways } else { ahead }
}
