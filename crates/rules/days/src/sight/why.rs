//! Why somebody is not seen, in clauses.

use super::{Body, Lane, edges};
use crate::charts::reach;
use crate::clause::Clause;
use crate::field::{self, Field};
use crate::ground;
use engine::UnitId;
use smallvec::SmallVec;
use table::terrain::TerrainKind;
use table::{Point, Vec2, convex};

/// The clauses of what a look passes over or runs into: woods, houses, crests.
pub fn ground_between(field: &Field, from: Vec2, to: Vec2) -> SmallVec<[Clause; 3]> {
    let mut found = SmallVec::new();
    for feature in &field.ground().features {
        let lies_between = !feature.shape.contains(from) && !feature.shape.contains(to);
        let crosses = |line: &Vec<Point>| edges(line).any(|(a, b)| convex::clip((from, to), &[a, b]).is_some());
        let clause = match feature.kind {
            TerrainKind::Woods | TerrainKind::Orchard if lies_between => Clause::SeeingPastAWood,
            TerrainKind::Town | TerrainKind::Building if lies_between => Clause::SeeingPastAVillage,
            TerrainKind::Hill if feature.crests.iter().any(crosses) => Clause::LookingOverACrest,
            _ => continue,
        };
        if !found.contains(&clause) && !feature.shape.clip((from, to)).is_empty() {
            found.push(clause);
        }
    }
    found
}

/// The clause by which a unit does not see another: the first of distance, field of vision, woods, crests and troops that
/// the middles of both run into.
pub fn why_unseen(field: &Field, viewer: UnitId, target: UnitId) -> Clause {
    let (eye, seen) = (field::command_pose(field, viewer), field.unit(target).quad().centre);
    let way = seen - eye.at.vec();
    if way.length() > reach(field.charts().constant.sight).as_f64() {
        return Clause::HowFarOneSees;
    }
    if way.dot(eye.forward()) <= 0.0 {
        return Clause::LookingToTheFront;
    }
    let lane = Lane::between(field, viewer, target);
    if ground::area_at(field, seen).is_some() {
        return if lane.to.loose { Clause::SkirmishersUnderTrees } else { Clause::FormedTroopsUnderTrees };
    }
    let between = ground_between(field, eye.at.vec(), seen);
    let trees = between.iter().find(|clause| **clause != Clause::LookingOverACrest);
    if let Some(clause) = trees.or(between.first()) {
        return *clause;
    }
    let crossed = |body: &Body| convex::clip((eye.at.vec(), seen), body.quad.points()).is_some();
    if lane.bodies.iter().any(crossed) { Clause::OverTheHeadsOfFoot } else { Clause::FromStandToStand }
}
