//! Room: who stands where when all is done, and ground nobody enters.

use super::route::{Route, Standing};
use crate::field::{self, Elements, Field, Ground};
use crate::nearby::Nearby;
use book::ground;
use engine::{FeatureId, Side, UnitId};
use std::collections::BTreeMap;
use table::terrain::{Feature, TerrainKind};
use table::{Length, Quad, quads_overlap};

/// The bodies of a side: where they stand, and where those that move will stand.
pub struct Bodies {
    standing: Nearby,
    ends: BTreeMap<UnitId, (Quad, Elements)>,
    /// How far anybody has gone so far.
    farthest: f64,
}

impl Bodies {
    /// Where everybody stands now.
    pub fn of(field: &Field, side: Side) -> Bodies {
        Bodies { standing: Nearby::present(field, side), ends: BTreeMap::new(), farthest: 0.0 }
    }

    /// Somebody will stand elsewhere.
    pub fn put(&mut self, field: &Field, unit: UnitId, end: Standing) {
        let quad = field.footprint(unit, end.formation).quad(end.pose);
        let elements = field::elements_at(field, unit, end.pose, end.formation);
        let now = field.unit(unit);
        let moved = now.quad().centre.distance(quad.centre) + quad.radius + now.quad().radius;
        if now.is_present() {
            self.farthest = self.farthest.max(moved);
        }
        self.ends.insert(unit, (quad, elements));
    }

    /// Somebody a body would stand on.
    pub fn in_the_way(&self, field: &Field, unit: UnitId, elements: &[Quad]) -> Option<UnitId> {
        elements.iter().find_map(|quad| {
            let near = self.standing.around(quad, Length::from_um(self.farthest)).map(|(id, _)| id);
            near.filter(|id| *id != unit).find(|id| self.is_on(field, *id, quad))
        })
    }

    fn is_on(&self, field: &Field, id: UnitId, quad: &Quad) -> bool {
        match self.ends.get(&id) {
            Some((around, elements)) => {
                quads_overlap(around, quad) && elements.iter().any(|element| quads_overlap(element, quad))
            }
            None => {
                quads_overlap(field.unit(id).quad(), quad)
                    && field::elements(field, id).iter().any(|element| quads_overlap(element, quad))
            }
        }
    }
}

/// The features with their numbers.
pub fn features(field: &Field) -> impl Iterator<Item = (FeatureId, &Feature)> {
    field.ground().numbered().map(|(id, feature)| (FeatureId(id.0), feature))
}

/// The feature with a number.
pub fn feature(field: &Field, id: FeatureId) -> Option<&Feature> {
    field.ground().features.get(id.index())
}

/// A feature's name for people.
pub fn called(field: &Field, id: FeatureId) -> &str {
    feature(field, id).map_or("that ground", field::feature_name)
}

/// Whether nobody goes there: deep water, cliffs, houses on fire.
pub fn is_closed(field: &Field, id: FeatureId, kind: TerrainKind) -> bool {
    field::ground(kind) == Ground::Impassable || field::is_ablaze(field, id)
}

/// Closed ground a way would sweep over, bridges and fords excepted.
pub fn closed_on_way(field: &Field, route: &Route) -> Option<FeatureId> {
    let start = field.unit(route.unit).quad();
    // Whoever was driven into such ground may at least leave it.
    let mut closed = features(field)
        .filter(|(id, feature)| is_closed(field, *id, feature.kind) && !feature.shape.overlaps_quad(start));
    closed.find_map(|(id, feature)| {
        let shut = |kind| field::ground(kind) == Ground::Impassable;
        let crossed = route.tracks.iter().any(|track| {
            track.crosses(&feature.shape) && !ground::is_bridged(field.ground(), track, shut, field::is_road)
        });
        crossed.then_some(id)
    })
}
