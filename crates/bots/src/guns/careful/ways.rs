//! Ways: what a unit can really march of what it would like to, and onto a place that counts.

use super::marching::{best_stop, horse_stop, is_bold, settle_in};
use super::plan::Aim;
use super::scene::Scene;
use engine::{FeatureId, UnitId};
use rules::guns::evolution;
use rules::guns::field::{
    Field, count, elements, facts, formation, forward, is_mounted, may_advance_by_status, may_charge_by_status,
};
use rules::guns::formation::{Formation, Shape};
use rules::guns::order::{Move, Step};
use rules::guns::pace;
use rules::guns::plot;
use rules::guns::plot::route::Route;
use rules::guns::plot::space::{Bodies, closed_on_way};
use table::march::Leg;
use table::{Angle, Flank, Length, Point, Quad, SLACK, Vec2};

/// On the way an enemy is faced only when he is farther off the front than this.
const TURNS: f64 = 45.0;
/// Ways round that are tried where the straight one is blocked, in degrees, and shares of the way.
const AROUND: [f64; 7] = [0.0, 25.0, -25.0, 45.0, -45.0, 65.0, -65.0];
const SHARES: [f64; 3] = [1.0, 0.66, 0.33];
/// The share of a move at which a way is good enough not to look for another.
const GOOD: f64 = 0.7;
/// A change of formation must save so many bounds on the way.
const SAVES: f64 = 0.4;
/// The shortest way worth marching, in micrometres.
const STEP: f64 = 10_000.0;
/// Directions in which a way onto a place is looked for, right round.
const POINTS: i32 = 16;
/// More than any table is long, in micrometres.
const FAR: f64 = 10_000_000.0;
/// How far onto a place foot goes, in micrometres; horse stops at the edge of what it cannot enter.
const ONTO: f64 = 25_000.0;
/// A centimetre straight back counts as so many more: a brigade may not go back on the whole (R48).
const BACK: f64 = 4.0;

/// The shortest way onto a place that does not lead back if that can be helped.
pub fn onto(scene: &Scene<'_, '_>, unit: UnitId, place: FeatureId) -> Option<Vec2> {
    let field = scene.field();
    let shape = &scene.feature(place)?.shape;
    let quad = field.unit(unit).quad();
    let ahead = forward(field, scene.side);
    let deep = if is_mounted(field, unit) { 0.0 } else { ONTO };
    let middle = (shape.centre() - quad.centre).normalised();
    let fan = (0..POINTS).map(|n| ahead.turned(Angle::degrees(f64::from(n) * 360.0 / f64::from(POINTS))));
    let mut best: Option<(f64, Vec2)> = None;
    for way in std::iter::once(middle).chain(fan) {
        let Some((first, _)) = shape.sweep(quad, way * FAR).first().copied() else { continue };
        let far = first * FAR + deep;
        let cost = far + (-way.dot(ahead)).max(0.0) * far * BACK;
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, way * far));
        }
    }
    best.map(|(_, way)| way)
}

/// A plan that can be carried out and ends where there is room.
pub fn placed(
    scene: &Scene<'_, '_>,
    unit: UnitId,
    steps: Vec<Step>,
    defend: Option<FeatureId>,
    bodies: &mut Bodies,
) -> Option<Move> {
    let field = scene.field();
    let route = Route::defending(field, unit, &steps, None, defend);
    let open = route.wrong.is_empty()
        && route.barred.is_empty()
        && route.cost <= route.limit
        && closed_on_way(field, &route).is_none()
        && route.tracks.iter().all(|track| track.stays_on(field.ground()));
    let elements = route.elements(field, route.end());
    let fits = open
        && elements.iter().all(|quad| field.ground().holds(quad))
        && bodies.in_the_way(field, unit, &elements).is_none()
        && dares(scene, unit, &route, &elements);
    fits.then(|| {
        bodies.put(field, unit, route.end());
        Move::March { unit, steps, defend }
    })
}

/// Whether a worn unit may still go where a way takes it: not at all toward the enemy, or no nearer than it can fire
/// (R73).
fn dares(scene: &Scene<'_, '_>, unit: UnitId, route: &Route, after: &[Quad]) -> bool {
    let field = scene.field();
    if may_charge_by_status(field, unit) || facts(field, unit).is_battery() {
        return true;
    }
    let from = field.unit(unit).quad().centre;
    let to = plot::duty::middle(field, unit, route.end());
    let onward = plot::limits::advance_of(field, scene.side, from, to);
    (may_advance_by_status(field, unit) || onward <= SLACK)
        && plot::limits::too_near(field, unit, &elements(field, unit), after, &scene.enemies).is_none()
}

/// The line a unit likes best: loose where it was taught to.
pub fn line_up(field: &Field, unit: UnitId) -> Option<Formation> {
    let allowed = evolution::allowed(field, unit);
    let find = |shape: Shape| allowed.iter().copied().find(|one| one.shape == shape);
    find(Shape::Loose).or_else(|| find(Shape::Line))
}

/// The formation a unit takes for going so far, if it is there sooner for the change.
fn marching_order(field: &Field, unit: UnitId, go: f64) -> Option<Formation> {
    if is_mounted(field, unit) {
        return None;
    }
    let (known, now) = (facts(field, unit), formation(field, unit));
    let full = pace::full_move(field, unit).0.as_f64();
    let charges = may_charge_by_status(field, unit);
    let shapes = [(Shape::Loose, known.loose), (Shape::Assault, charges && !known.loose)];
    let mut best = (go / full.max(1.0) - SAVES, None);
    for (shape, wanted) in shapes {
        let into = Formation::usual(shape);
        let can = evolution::objection(known, false, into, count(field, unit)).is_none();
        if !wanted || !can || now.shape == shape {
            continue;
        }
        let Ok((cost, _)) = evolution::cost(field, unit, now, into) else { continue };
        let pace = pace::full_move_in(field, unit, into, false).0.as_f64().max(1.0);
        let bounds = 1.0 + (go - (full - cost.as_f64()).max(0.0)).max(0.0) / pace;
        if bounds < best.0 {
            best = (bounds, Some(into));
        }
    }
    best.1
}

/// As much of a way as the move, the ground, the enemy and friends leave.
pub fn go_to(
    scene: &Scene<'_, '_>,
    unit: UnitId,
    way: Vec2,
    near: Option<(UnitId, Length)>,
    bodies: &mut Bodies,
) -> Option<Move> {
    let field = scene.field();
    let mut far = way.length();
    if let Some((enemy, gap)) = near {
        // Not into somebody on the way.
        let toward = (field.unit(enemy).quad().centre - field.unit(unit).quad().centre).normalised();
        let closing = toward.dot(way.normalised());
        let bold = match scene.aim(unit) {
            Aim::Take(place) => is_bold(scene, unit, place),
            _ => false,
        };
        let keep = if bold {
            Length::cm(2.0)
        } else if is_mounted(field, unit) {
            horse_stop(field, enemy)
        } else {
            best_stop(scene, unit, enemy, gap).min(gap)
        };
        if closing > 0.2 {
            far = far.min((gap - keep).max(Length::ZERO).as_f64() / closing);
        }
    }
    if far < STEP {
        return near.and_then(|(enemy, gap)| settle_in(scene, unit, enemy, gap, bodies));
    }
    let order = marching_order(field, unit, far);
    let full = plot::allowance(field, unit).ok()?.as_f64();
    let mut best: Option<(f64, Move)> = None;
    for (n, by) in AROUND.into_iter().enumerate() {
        let ahead = way.normalised().turned(Angle::degrees(by));
        for share in SHARES {
            let formed = order.filter(|_| n == 0);
            let Some(found) = leg(scene, unit, ahead, far * share, formed, full, near, bodies) else { continue };
            let gained = gained(field, unit, way, &found);
            if best.as_ref().is_none_or(|(most, _)| gained > *most + STEP) {
                best = Some((gained, found));
            }
            break;
        }
        // A way that is nearly as good as on a plain is good enough.
        if n % 2 == 0 && best.as_ref().is_some_and(|(most, _)| order.is_some() || *most >= far.min(full) * GOOD) {
            break;
        }
    }
    match best {
        Some((_, Move::March { steps, .. })) => placed(scene, unit, steps, None, bodies),
        _ => None,
    }
}

/// How much nearer a march brings a unit along a way, in micrometres.
fn gained(field: &Field, unit: UnitId, way: Vec2, march: &Move) -> f64 {
    let Move::March { steps, .. } = march else { return 0.0 };
    let (_, _, pose, into) = plot::move_cost(field, unit, steps);
    let to = field.footprint(unit, into).quad(pose).centre;
    way.length() - (way - (to - field.unit(unit).quad().centre)).length()
}

/// One straight way, cut to what the unit can pay for.
#[allow(clippy::too_many_arguments)]
fn leg(
    scene: &Scene<'_, '_>,
    unit: UnitId,
    ahead: Vec2,
    far: f64,
    form: Option<Formation>,
    full: f64,
    near: Option<(UnitId, Length)>,
    bodies: &mut Bodies,
) -> Option<Move> {
    let field = scene.field();
    let from = field.unit(unit).pose().at.vec();
    let mut steps: Vec<Step> = form.map(Step::Form).into_iter().collect();
    let reach = facts(field, unit).weapon.extreme.max(Length::cm(20.0));
    let turn = near.filter(|(_, gap)| *gap < reach).map(|(enemy, _)| off_front(field, unit, enemy));
    let mut legs: Vec<Leg> = Vec::new();
    if let Some(by) = turn.filter(|by| by.abs() > TURNS && form.is_none()) {
        legs.push(Leg::Turn(Angle::degrees(by.clamp(-40.0, 40.0))));
    }
    let mut go = far.min(full);
    steps.push(Step::March(Vec::new()));
    for _ in 0..4 {
        let to = Point::from_vec(from + ahead * go);
        let mut all = legs.clone();
        all.push(Leg::Straight(to));
        if let Some(last) = steps.last_mut() {
            *last = Step::March(all);
        }
        let route = Route::plan(field, unit, &steps, None);
        let over = (route.cost - route.limit).as_f64();
        if over <= 0.0 {
            return placed(scene, unit, steps, None, bodies);
        }
        // Ground costs more than its length: what is over comes off the end.
        go = (go - over.max(STEP)).min(go * 0.9);
        if go < STEP {
            break;
        }
    }
    let alone = form.filter(|_| far > STEP)?;
    placed(scene, unit, vec![Step::Form(alone)], None, bodies)
}

/// From the front to an enemy in degrees, right positive.
pub fn off_front(field: &Field, unit: UnitId, enemy: UnitId) -> f64 {
    let pose = field.unit(unit).pose();
    let way: Vec2 = field.unit(enemy).quad().centre - pose.at.vec();
    f64::from((Angle::of(way) - pose.facing).signed()) / 1000.0
}

pub fn wheel(by: f64) -> Leg {
    let pivot = if by < 0.0 { Flank::Left } else { Flank::Right };
    Leg::Wheel { pivot, by: Angle::degrees(by.abs().round()) }
}
