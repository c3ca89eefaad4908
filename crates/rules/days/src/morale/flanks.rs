//! Secure flanks: friends or broken ground close to both sides of a unit (days.fac-k, A-17, C.3).

use super::super::charts::reach;
use super::super::field::{self, Field};
use super::super::target;
use super::super::unit::{Arm, Part};
use engine::UnitId;
use table::terrain::{Feature, TerrainKind};
use table::{FeatureId, Length, Outline, Pose, Vec2, convex};

/// One side of the rectangle around a unit.
type Edge = [Vec2; 2];

/// Whether both flanks of a unit are secure. Of a bent line the part nearest to the enemy counts.
pub fn are_secure(field: &Field, unit: UnitId, against: Option<UnitId>) -> bool {
    if !field::is_there(field, unit) || !field::has_flanks(field, unit) || target::in_square(field, unit) {
        return false;
    }
    let (pose, width, depth) = field::frame(field, unit, nearest_enemy(field, unit, against));
    let [left, right] = sides(pose, width, depth);
    is_supported(field, unit, left) && is_supported(field, unit, right)
}

/// The left and the right side of a frame.
fn sides(pose: Pose, width: Length, depth: Length) -> [Edge; 2] {
    let (half, rear) = (width.half().as_f64(), -depth.as_f64());
    [-half, half].map(|x| [Vec2 { x, y: 0.0 }, Vec2 { x, y: rear }].map(|corner| pose.to_world(corner)))
}

/// Where the enemy is whom the frame is measured from.
fn nearest_enemy(field: &Field, unit: UnitId, against: Option<UnitId>) -> Vec2 {
    let own = field.unit(unit).quad().centre;
    let centre = |id: UnitId| field.unit(id).quad().centre;
    if let Some(enemy) = against.filter(|enemy| field::is_there(field, *enemy)) {
        return centre(enemy);
    }
    if !field::formation(field, unit).is_bent() {
        return own;
    }
    let others = field::known(field, field.side_of(unit).other()).map(|(id, _)| centre(id));
    let apart = |place: &Vec2| (*place - own).length_squared();
    others.min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or(own)
}

fn is_supported(field: &Field, unit: UnitId, edge: Edge) -> bool {
    let near = reach(field.charts().constant.flank_near);
    friends_at(field, unit, edge, near) || ground_at(field, unit, edge, near)
}

/// Infantry or artillery of its side that does not run; not its own parts, nor guns without crew.
fn friends_at(field: &Field, unit: UnitId, edge: Edge, near: Length) -> bool {
    let whole = field::whole(field, unit);
    let supports = |id: UnitId| {
        let facts = field::facts(field, id);
        matches!(facts.arm, Arm::Infantry | Arm::Artillery)
            && facts.part_kind() != Some(Part::Crew)
            && !field::is_routing(field, id)
            && !field::troops(field, id).crew_away
            && field::whole(field, id) != whole
    };
    let close = |id: UnitId| {
        let body = field.unit(id).quad();
        let middle = (edge[0] + edge[1]) * 0.5;
        let room = body.radius + (edge[0] - middle).length() + near.as_f64() + table::SLACK.as_f64();
        (body.centre - middle).length_squared() <= room * room
            && field::stands(field, id)
                .iter()
                .any(|stand| field::measured(Length::from_um(convex::gap(&edge, stand.points()))) <= near)
    };
    field::present(field, field.side_of(unit)).any(|(id, _)| supports(id) && close(id))
}

/// Woods, houses and difficult ground, unless enemies are in it and close to the unit.
fn ground_at(field: &Field, unit: UnitId, edge: Edge, near: Length) -> bool {
    let close = |feature: &Feature| {
        let gap = match feature.shape.outline() {
            Outline::Disc { centre, radius } => (convex::distance(&edge, centre.vec()) - radius.as_f64()).max(0.0),
            _ => feature.shape.parts().map(|part| convex::gap(part, &edge)).fold(f64::INFINITY, f64::min),
        };
        gap.is_finite() && field::measured(Length::from_um(gap)) <= near
    };
    let mut features = field.ground().numbered();
    features.any(|(id, feature)| supports(field, id, feature) && close(feature) && !is_spoiled(field, unit, feature))
}

/// Whether a piece of ground is one a flank can lean on.
fn supports(field: &Field, id: FeatureId, feature: &Feature) -> bool {
    use TerrainKind as K;
    let hard = || field.muster().scenario.natures.get(usize::from(id.0)).is_some_and(|nature| nature.difficult);
    matches!(feature.kind, K::Woods | K::Orchard | K::Building | K::Town | K::Difficult) || hard()
}

/// Enemies in that ground and within 4" of the unit.
fn is_spoiled(field: &Field, unit: UnitId, feature: &Feature) -> bool {
    let near = reach(field.charts().constant.flank_enemy);
    let inside = |id: UnitId| field::stands(field, id).iter().any(|stand| feature.shape.overlaps_quad(stand));
    field::known(field, field.side_of(unit).other()).any(|(id, _)| field::within(field, unit, id, near) && inside(id))
}
