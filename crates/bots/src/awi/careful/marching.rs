//! Marches: where a unit goes and by which path, so that the line comes on together and nobody walks into the fire alone.

use super::eye::{Eye, Spot};
use super::scene::{Field, Scene, um};
use engine::UnitId;
use rules::awi::field::{facts, flag, sees, troops};
use rules::awi::movement::{self, March};
use rules::awi::order::{Allowance, Going, Order};
use table::march::{Leg, Track};
use table::{Angle, Point, SLACK, Vec2, quads_overlap};

/// Steps shorter than this are not worth an order, in inches.
const LEAST_STEP: f64 = 0.4;

/// Where to go and whom to look at.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// The place the flag makes for.
    pub to: Vec2,
    /// The place the unit shall face.
    pub face: Vec2,
    /// By how many degrees it may face beside it.
    pub tolerance: i32,
}

/// A path that goes as far toward a place as an allowance and the ground let it, facing about right; nothing where there
/// is no such path worth the trouble. Where the ground is slow it looks to either side for a better way.
pub fn path(scene: &Scene<'_, '_>, march: &March, aim: Aim) -> Option<Vec<Leg>> {
    let field = scene.field();
    let pose = field.unit(march.unit).pose();
    let footprint = field.footprint(march.unit, field.unit(march.unit).body.formation);
    let mut start: Vec<Leg> = Vec::new();
    let mut turned = pose;
    let want = Angle::of(aim.face - aim.to);
    if want.apart(turned.facing) > Angle::whole(115) {
        turned = turned.about(footprint.depth);
        start.push(Leg::About);
    }
    if want.apart(turned.facing) > Angle::whole(aim.tolerance) {
        start.push(Leg::Turn(want - turned.facing));
    }
    let spent = Track::plot(pose, footprint, &start).length();
    let way = aim.to - turned.at.vec();
    let (full, left) = (way.length(), (march.allowance.anywhere - spent).as_f64());
    let mut best: Option<(f64, Vec<Leg>)> = None;
    if full >= um(LEAST_STEP) && left >= um(LEAST_STEP) {
        for detour in [0, 35, -35, 70, -70] {
            let direction = way.normalised().turned(Angle::whole(detour));
            let found = stretch(scene, march, &start, turned.at.vec(), direction, full.min(left));
            let Some((step, legs)) = found else { continue };
            // A detour must bring a good deal more than it seems: the way back costs as much again.
            let gain = step * direction.dot(way.normalised()) * if detour == 0 { 1.0 } else { 0.8 };
            if best.as_ref().is_none_or(|known| gain > known.0 + um(0.5)) {
                best = Some((gain, legs));
            }
            let enough = if detour == 0 { 0.65 } else { 0.3 };
            if gain > full.min(left) * enough {
                break;
            }
        }
    }
    match best {
        Some((_, legs)) => Some(legs),
        None => {
            (!start.is_empty() && spent <= march.allowance.anywhere && allows(scene, march, &start)).then_some(start)
        }
    }
}

fn allows(scene: &Scene<'_, '_>, march: &March, legs: &[Leg]) -> bool {
    let mut verdict = engine::Verdict::fine();
    movement::check_path(scene.view, march, legs, &[], &mut verdict);
    verdict.is_legal()
}

/// The longest step in a direction that the allowance pays for and that ends on nobody.
fn stretch(
    scene: &Scene<'_, '_>,
    march: &March,
    start: &[Leg],
    from: Vec2,
    direction: Vec2,
    most: f64,
) -> Option<(f64, Vec<Leg>)> {
    let field = scene.field();
    let (unit, allowance) = (march.unit, march.allowance.anywhere);
    let pose = field.unit(unit).pose();
    let footprint = field.footprint(unit, field.unit(unit).body.formation);
    let mut step = most;
    for _ in 0..7 {
        if step < um(LEAST_STEP) {
            return None;
        }
        let mut legs = start.to_vec();
        legs.push(Leg::Straight(Point::from_vec(from + direction * (step - SLACK.as_f64()))));
        let track = Track::plot(pose, footprint, &legs);
        let price = movement::price(field, &track, field.unit(unit).quad(), facts(field, unit).woods_free);
        let total = price.total(field);
        if total > allowance + SLACK {
            // Woods make every inch dearer, a fence is paid once: what is left after it buys so many inches. Where it
            // buys none, the unit goes up to the fence.
            let walked = price.walked.as_f64().max(1.0);
            let woods = price.woods.as_f64() * f64::from(field.charts().r#move.woods_factor.value.get() - 1);
            let tolls = total.as_f64() - walked - woods;
            let turn = walked - step;
            let bought = (allowance.as_f64() - tolls) / (1.0 + woods / walked) - turn;
            step = if bought > um(0.5) { bought.min(step * 0.97) } else { step * 0.6 };
            continue;
        }
        let end = footprint.quad(track.end());
        if troops(field, scene.side).any(|(id, friend)| id != unit && quads_overlap(&end, friend.quad())) {
            step -= um(1.2);
            continue;
        }
        if allows(scene, march, &legs) {
            return Some((step, legs));
        }
        step *= 0.6;
    }
    None
}

/// The order for a march whose path is known, or the declaration where dice come first.
pub fn march(scene: &Scene<'_, '_>, unit: UnitId, half: bool, aim: Aim) -> Option<Order> {
    let field = scene.field();
    if movement::throws_for_move(field, unit, false) {
        return Some(Order::Move { unit, half, by_road: false, legs: Vec::new(), with: Vec::new() });
    }
    let going = if half { Going::Half } else { Going::Full };
    let allowance: Allowance = movement::certain_allowance(field, unit, going);
    let legs = path(scene, &March { unit, going, allowance }, aim)?;
    Some(Order::Move { unit, half, by_road: false, legs, with: Vec::new() })
}

/// A place within a step from which a unit would see an enemy it cannot see now, not further off than it is.
pub fn place_to_see(field: &Field, unit: UnitId, enemy: UnitId, step: f64) -> Option<Aim> {
    let (here, there) = (flag(field, unit), flag(field, enemy));
    let way = there - here;
    let most = way.length().max(um(4.0)) + um(1.0);
    // Ahead first, then ever more to either side.
    for turn in [30, -30, 60, -60, 90, -90, 120, -120] {
        let to = here + way.normalised().turned(Angle::whole(turn)) * step;
        let away = to.distance(there);
        if away > um(1.5) && away < most && sees(field, to, there, &[unit, enemy]) {
            return Some(Aim { to, face: there, tolerance: 30 });
        }
    }
    None
}

/// Toward an enemy, until he looks so far off; facing him.
pub fn approach(field: &Field, eye: &mut Eye, unit: UnitId, enemy: UnitId, until: f64) -> Aim {
    let (here, there) = (flag(field, unit), flag(field, enemy));
    let way = there - here;
    let truth = way.length();
    let looks = eye.judge(Spot::Unit(unit), Spot::Unit(enemy), truth);
    // One steps off a length on the ground; how much is left is what the eye made of it.
    let step = um((looks - until).max(0.0)).min((truth - um(1.2)).max(0.0));
    Aim { to: here + way.normalised() * step, face: there, tolerance: 15 }
}
