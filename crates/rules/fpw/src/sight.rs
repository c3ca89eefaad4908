//! Visibility: whole edges, blocking ground, bodies in the way. Section E.4, R50, R98.
//!
//! An eye looks from the ends and the middle of its stand's front edge. It sees an edge of a base if the triangle
//! between them is free of everything that blocks; blockers are convex, so the triangle is an exact test.

use super::field::{Field, Stands, blocks_sight, bodies, known, stands};
use engine::UnitId;
use smallvec::SmallVec;
use table::terrain::{Feature, TerrainKind};
use table::{Bounds, Outline, Quad, SLACK, Vec2, convex};

/// Where a stand is about an area that hides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inside {
    /// Not in it.
    No,
    /// In it, and touching its edge or reaching over it.
    Edge,
    /// Wholly in it, away from the edge.
    Deep,
}

fn inside(feature: &Feature, stand: &Quad) -> Inside {
    let shape = &feature.shape;
    if !shape.bounds().meets(&stand.bounds()) || !shape.overlaps_quad(stand) {
        return Inside::No;
    }
    if stand.corners.iter().any(|corner| !shape.contains(*corner)) {
        return Inside::Edge;
    }
    let slack = SLACK.as_f64();
    let near = match shape.outline() {
        Outline::Area(points) => {
            let from = points.iter().map(|point| point.vec());
            let to = points.iter().cycle().skip(1).map(|point| point.vec());
            from.zip(to).any(|(a, b)| convex::gap(stand.points(), &[a, b]) <= slack)
        }
        Outline::Disc { centre, radius } => {
            let (centre, radius) = (centre.vec(), radius.as_f64());
            stand.corners.iter().any(|corner| corner.distance(centre) >= radius - slack)
        }
        Outline::Line { .. } => true,
    };
    if near { Inside::Edge } else { Inside::Deep }
}

/// Somebody looking, or looked at: which unit, and the rectangle of one stand, which need not be where the unit is now.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// Whose stand.
    pub unit: UnitId,
    /// Where.
    pub quad: Quad,
}

/// Whether one stand sees another (E.4).
pub fn stand_sees(field: &Field, eye: Spot, target: Spot) -> bool {
    let ground = field.ground();
    let mut blocking: SmallVec<[&Feature; 6]> = SmallVec::new();
    let around = joined_bounds(&eye.quad, &target.quad);
    for feature in &ground.features {
        if !feature.shape.bounds().meets(&around) {
            continue;
        }
        if blocks_sight(feature.kind) {
            match (inside(feature, &eye.quad), inside(feature, &target.quad)) {
                (Inside::No, Inside::No) => blocking.push(feature),
                (Inside::Edge, Inside::No) | (Inside::No, Inside::Edge) => {}
                (Inside::Deep, Inside::No) | (Inside::No, Inside::Deep) => return false,
                _ => {
                    let limit = field.charts().fire.sight_inside.value.0 + SLACK;
                    if table::gap(&eye.quad, &target.quad) > limit {
                        return false;
                    }
                }
            }
        } else if feature.kind == TerrainKind::Hill && feature.level > 0 {
            let ends = ground.level_at(eye.quad.centre).max(ground.level_at(target.quad.centre));
            if feature.level > ends {
                blocking.push(feature);
            }
        }
    }
    let bodies = in_the_way(field, eye, target, &around);
    let (left, right) = eye.quad.front_edge();
    let eyes = [(left + right) * 0.5, left, right];
    eyes.into_iter().any(|from| {
        facing_edges(&target.quad, from).into_iter().any(|(a, b)| {
            let view = [from, a, b];
            let around = Bounds::around(&view);
            let lane = Lane::new(from, a, b);
            !blocking.iter().any(|feature| {
                feature.shape.bounds().meets(&around) && feature.shape.parts().any(|part| convex::overlaps(&view, part))
            }) && !bodies.iter().any(|quad| lane.may_hold(quad) && convex::overlaps(&view, quad.points()))
        })
    })
}

/// The strip a view runs in: most bodies are beside it, and that is cheap to tell.
struct Lane {
    from: Vec2,
    along: Vec2,
    length: f64,
    half: f64,
}

impl Lane {
    fn new(from: Vec2, a: Vec2, b: Vec2) -> Lane {
        let way = (a + b) * 0.5 - from;
        Lane { from, along: way.normalised(), length: way.length(), half: a.distance(b) * 0.5 }
    }

    /// Whether a body might lie in it; when it says no, that is sure.
    fn may_hold(&self, quad: &Quad) -> bool {
        let off = quad.centre - self.from;
        let (beside, ahead) = (off.cross(self.along).abs(), off.dot(self.along));
        let room = self.half + quad.radius;
        beside <= room && ahead >= -room && ahead <= self.length + room
    }
}

/// The edges of a base that look toward a point; its own base hides the others.
fn facing_edges(target: &Quad, from: Vec2) -> SmallVec<[(Vec2, Vec2); 2]> {
    let outward = |(a, b): &(Vec2, Vec2)| {
        let middle = (*a + *b) * 0.5;
        (middle - target.centre).dot(from - middle) > 0.0
    };
    target.edges().into_iter().filter(outward).collect()
}

fn joined_bounds(a: &Quad, b: &Quad) -> Bounds {
    a.bounds().joined(&b.bounds())
}

/// Bodies that may block: everybody known on the table but the two stands themselves, unless one of the two looks over
/// them from higher ground.
fn in_the_way(field: &Field, eye: Spot, target: Spot, around: &Bounds) -> Stands {
    let ground = field.ground();
    let highest = ground.level_at(eye.quad.centre).max(ground.level_at(target.quad.centre));
    let mut blockers = Stands::new();
    for side in engine::Side::BOTH {
        for (id, unit) in known(field, side) {
            if super::field::facts(field, id).is_scout() || !unit.quad().bounds().meets(around) {
                continue;
            }
            if ground.level_at(unit.quad().centre) < highest {
                continue;
            }
            let own = id == eye.unit || id == target.unit;
            let quads = if own { stands(field, id) } else { bodies(field, id) };
            // A stand that is looked at where its unit is not now leaves its old place empty.
            let moved = own && {
                let spot = if id == eye.unit { eye.quad } else { target.quad };
                !quads.iter().any(|quad| same(quad, &spot))
            };
            if moved {
                continue;
            }
            blockers.extend(quads.into_iter().filter(|quad| !same(quad, &eye.quad) && !same(quad, &target.quad)));
        }
    }
    blockers
}

fn same(a: &Quad, b: &Quad) -> bool {
    (a.centre - b.centre).length_squared() < 1.0
}

/// Which stands of a unit one stand sees: bit n is stand n.
pub fn seen_by_stand(field: &Field, eye: Spot, at: UnitId) -> u16 {
    let mut mask = 0;
    for (n, quad) in stands(field, at).into_iter().enumerate() {
        if stand_sees(field, eye, Spot { unit: at, quad }) {
            mask |= 1 << n;
        }
    }
    mask
}

/// Whether a unit sees another: any stand any stand.
pub fn sees(field: &Field, by: UnitId, at: UnitId) -> bool {
    sees_at(field, by, &stands(field, by), at, &stands(field, at))
}

/// The same for stands that need not be where their units are now.
pub fn sees_at(field: &Field, by: UnitId, eyes: &[Quad], at: UnitId, targets: &[Quad]) -> bool {
    eyes.iter().any(|eye| {
        targets.iter().any(|target| stand_sees(field, Spot { unit: by, quad: *eye }, Spot { unit: at, quad: *target }))
    })
}

/// Known enemies a unit sees within a distance, nearest first.
pub fn seen_enemies(field: &Field, by: UnitId, distance: table::Length) -> Vec<(table::Length, UnitId)> {
    let quad = field.unit(by).quad();
    let mut seen: Vec<(table::Length, UnitId)> = known(field, field.side_of(by).other())
        .filter(|(_, enemy)| !super::field::surely_beyond(quad, enemy.quad(), distance))
        .map(|(id, _)| (super::field::gap(field, by, id), id))
        .filter(|(gap, _)| *gap <= distance + SLACK)
        .collect();
    seen.sort();
    seen.retain(|(_, id)| sees(field, by, *id));
    seen
}

/// Whether any known enemy a unit sees is within a distance.
pub fn enemy_near(field: &Field, by: UnitId, distance: table::Length) -> bool {
    known(field, field.side_of(by).other())
        .any(|(id, _)| super::field::within(field, by, id, distance) && sees(field, by, id))
}
