//! Where a unit would like to stand, and the way there.

use super::plan::Aim;
use super::scene::Scene;
use super::shooting::at_distance;
use super::{batteries, clash};
use engine::{FeatureId, UnitId};
use rules::guns::defence;
use rules::guns::evolution;
use rules::guns::field::{
    Field, brigade, count, facts, flinch_distance, formation, forward, is_deployed, is_formed, is_mounted,
    is_perimeter, present, troops, uses_small_arms,
};
use rules::guns::formation::{Formation, Shape};
use rules::guns::order::{Move, Step};
use rules::guns::plot;
use rules::guns::plot::route::Route;
use rules::guns::plot::space::{Bodies, closed_on_way};
use table::march::Leg;
use table::{Angle, Flank, Length, Point, Pose, SLACK, Vec2};

/// Turns smaller than this are not worth ordering.
const STRAIGHT: f64 = 25.0;
/// On the way an enemy is faced only when he is farther off the front than this.
const TURNS: f64 = 45.0;
/// Nobody within this of a unit, in centimetres: it marches in column and looks at its goal only.
const CLEAR: f64 = 70.0;
/// Ways round that are tried where the straight one is blocked, in degrees, and shares of the way.
const AROUND: [f64; 5] = [0.0, 25.0, -25.0, 50.0, -50.0];
const SHARES: [f64; 3] = [1.0, 0.66, 0.33];
/// A place nearer than this, in micrometres, can be walked onto.
const STRIDE: f64 = 250_000.0;
/// The shortest way worth marching, in micrometres.
const STEP: f64 = 10_000.0;

/// What the army would like to do this bound.
pub fn wishes(scene: &Scene<'_, '_>) -> Vec<Move> {
    let field = scene.field();
    let mut wishes = clash::charges(scene);
    let charging: Vec<UnitId> = wishes.iter().filter_map(charger).collect();
    let mut bodies = Bodies::of(field, scene.side);
    let ahead = forward(field, scene.side);
    let mut units: Vec<(f64, UnitId)> = present(field, scene.side)
        .filter(|(id, _)| !charging.contains(id))
        .map(|(id, unit)| (unit.quad().centre.dot(ahead), id))
        .collect();
    units.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for (_, unit) in units {
        let moves = if scene.plan.guards.contains(&unit) { None } else { wish(scene, unit, &mut bodies) };
        wishes.extend(moves.or_else(|| stay(scene, unit)));
    }
    mended(scene, wishes)
}

/// Whoever is where he should be stays, although his brigade has an order to go on.
fn stay(scene: &Scene<'_, '_>, unit: UnitId) -> Option<Move> {
    let field = scene.field();
    let foot = !facts(field, unit).is_battery() && !facts(field, unit).screen;
    (foot && plot::allowance(field, unit).is_ok()).then(|| Move::March { unit, steps: Vec::new(), defend: None })
}

/// Brigades that owe more ground than their plan gains: those who would have stayed do their duty after all, guards of
/// places last.
fn mended(scene: &Scene<'_, '_>, wishes: Vec<Move>) -> Vec<Move> {
    let field = scene.field();
    let mut wishes = wishes;
    for spare_guards in [true, false] {
        let short = plot::short_of_duty(field, scene.side, &wishes);
        if short.is_empty() {
            break;
        }
        wishes.retain(|wish| match wish {
            Move::March { unit, steps, .. } if steps.is_empty() => {
                let owes = brigade(field, *unit).is_some_and(|brigade| short.contains(&brigade));
                !owes || spare_guards && scene.plan.guards.contains(unit)
            }
            _ => true,
        });
    }
    wishes
}

fn charger(one: &Move) -> Option<UnitId> {
    match one {
        Move::Charge { unit, .. } => Some(*unit),
        _ => None,
    }
}

fn wish(scene: &Scene<'_, '_>, unit: UnitId, bodies: &mut Bodies) -> Option<Move> {
    let field = scene.field();
    if facts(field, unit).is_battery() {
        return batteries::wish(scene, unit, bodies);
    }
    plot::allowance(field, unit).ok().filter(|most| *most > Length::ZERO)?;
    if facts(field, unit).screen {
        return None;
    }
    let near = scene.nearest(unit);
    match scene.aim(unit) {
        Aim::Hold(place) => hold(scene, unit, place, near, bodies),
        Aim::Take(place) => take(scene, unit, place, near, bodies),
        Aim::Hunt => near.and_then(|(enemy, gap)| close_with(scene, unit, enemy, gap, bodies)),
    }
}

/// At its place: into the houses where there are any, else in line against whoever comes.
fn hold(
    scene: &Scene<'_, '_>,
    unit: UnitId,
    place: FeatureId,
    near: Option<(UnitId, Length)>,
    bodies: &mut Bodies,
) -> Option<Move> {
    let field = scene.field();
    let feature = scene.feature(place)?;
    if troops(field, unit).defending.is_some() {
        return None;
    }
    let away = feature.shape.gap_to(field.unit(unit).quad());
    if let Some(inside) = garrison(scene, unit, place, bodies) {
        return Some(inside);
    }
    if away > Length::cm(12.0).as_f64() {
        return go_to(scene, unit, way_to(scene, unit, place)?, near, bodies);
    }
    near.and_then(|(enemy, gap)| settle_in(scene, unit, enemy, gap, bodies))
}

/// On the way to a place that is not ours yet.
fn take(
    scene: &Scene<'_, '_>,
    unit: UnitId,
    place: FeatureId,
    near: Option<(UnitId, Length)>,
    bodies: &mut Bodies,
) -> Option<Move> {
    let field = scene.field();
    let feature = scene.feature(place)?;
    let here = field.unit(unit).quad();
    let there = feature.shape.gap_to(here) <= SLACK.as_f64();
    if let Some(inside) = garrison(scene, unit, place, bodies) {
        return Some(inside);
    }
    if there {
        let (enemy, gap) = near?;
        return settle_in(scene, unit, enemy, gap, bodies);
    }
    let way = way_to(scene, unit, place)?;
    let Some((enemy, gap)) = near else { return go_to(scene, unit, way, None, bodies) };
    if gap > Length::cm(CLEAR) || is_bold(scene, unit, place) {
        return go_to(scene, unit, way, near, bodies);
    }
    let at_him = field.unit(enemy).quad().centre - here.centre;
    if at_him.normalised().dot(way.normalised()) > 0.4 {
        close_with(scene, unit, enemy, gap, bodies)
    } else {
        go_to(scene, unit, way, near, bodies)
    }
}

/// Whether a unit goes for its place whatever the enemy does: in the last bounds, or because it lies open before it.
fn is_bold(scene: &Scene<'_, '_>, unit: UnitId, place: FeatureId) -> bool {
    let near = || scene.feature(place).is_some_and(|it| it.shape.gap_to(scene.field().unit(unit).quad()) <= STRIDE);
    scene.is_late() || near() && !scene.plan.is_held(place)
}

/// How far a unit still is from its place, in micrometres.
pub fn way_left(scene: &Scene<'_, '_>, unit: UnitId, place: FeatureId) -> f64 {
    let quad = scene.field().unit(unit).quad();
    scene.feature(place).map_or(f64::MAX, |feature| feature.shape.gap_to(quad))
}

/// From a unit's middle onto a place.
fn way_to(scene: &Scene<'_, '_>, unit: UnitId, place: FeatureId) -> Option<Vec2> {
    let feature = scene.feature(place)?;
    let quad = scene.field().unit(unit).quad();
    let to_middle = feature.shape.centre() - quad.centre;
    let off = feature.shape.distance(quad.centre) + Length::cm(3.0).as_f64();
    let long = to_middle.length();
    Some(if long > off { to_middle * (off / long) } else { to_middle })
}

/// Into houses or a work that would hold it, in loose order.
fn garrison(scene: &Scene<'_, '_>, unit: UnitId, place: FeatureId, bodies: &mut Bodies) -> Option<Move> {
    let field = scene.field();
    let feature = scene.feature(place).filter(|feature| is_perimeter(feature.kind) && !feature.shape.is_line())?;
    if is_mounted(field, unit) || troops(field, unit).defending == Some(place) {
        return None;
    }
    let near = Length::cm(30.0).as_f64();
    if feature.shape.gap_to(field.unit(unit).quad()) > near {
        return None;
    }
    let middle = feature.shape.centre();
    let all = count(field, unit);
    (2..=all).rev().find_map(|files| {
        let into = Formation { shape: Shape::Loose, files, gap: None };
        let body = facts(field, unit).footprint(into, all);
        let facing = field.unit(unit).pose().facing;
        let flat = Pose { at: Point::from_vec(middle), facing };
        let pose = flat.shifted(middle - body.quad(flat).centre);
        if !defence::is_inside(feature, &rules::guns::field::elements_at(field, unit, pose, into)) {
            return None;
        }
        let steps = vec![Step::Form(into), Step::March(vec![Leg::Straight(pose.at)])];
        placed(scene, unit, steps, Some(place), bodies)
    })
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
        && bodies.in_the_way(field, unit, &elements).is_none();
    fits.then(|| {
        bodies.put(field, unit, route.end());
        Move::March { unit, steps, defend }
    })
}

/// The distance from an enemy at which a unit gives most for what it takes. Short steps outward from its flinch point.
pub fn best_stop(scene: &Scene<'_, '_>, unit: UnitId, enemy: UnitId, gap: Length) -> Length {
    let field = scene.field();
    let own = facts(field, unit).weapon.clone();
    let his = &facts(field, enemy).weapon;
    let nearest = flinch_distance(field, enemy);
    let cm = Length::cm(1.0);
    let charge = charge_reach(field, unit) - cm * 3;
    let mut places =
        vec![nearest + cm, own.short - cm, own.extreme - cm * 2, his.extreme + cm * 2, his.short + cm, charge, gap];
    places.retain(|place| *place >= nearest.min(gap) && *place <= gap);
    let mut best = (f64::NEG_INFINITY, gap);
    let pressing = (1.0 + 2.0 * scene.lateness()) * if scene.plan.lead > 0 { scene.temper.ease } else { 1.0 };
    let may_charge = rules::guns::field::may_charge_by_status(field, unit);
    for place in places {
        let gives = at_distance(field, unit, enemy, place);
        let fires = is_formed(field, enemy) || uses_small_arms(field, enemy);
        let takes = if fires { at_distance(field, enemy, unit, place) } else { 0.0 };
        let way = (gap - place).as_cm();
        let ready = if may_charge && place <= charge { scene.temper.ready } else { 0.0 };
        let score = gives - takes * scene.temper.caution + way * scene.temper.pull * pressing + ready;
        if score > best.0 {
            best = (score, place);
        }
    }
    best.1
}

fn charge_reach(field: &Field, unit: UnitId) -> Length {
    let charging = match formation(field, unit).shape {
        Shape::Route | Shape::Extended => Formation::usual(Shape::Line),
        shape => Formation::usual(shape),
    };
    rules::guns::pace::full_move_in(field, unit, charging, troops(field, unit).mounted).0
}

/// Horse waits out of reach of rifles until there is something to ride down.
pub fn horse_stop(field: &Field, enemy: UnitId) -> Length {
    let his = &facts(field, enemy).weapon;
    let reach =
        if facts(field, enemy).is_battery() || is_mounted(field, enemy) { Length::cm(40.0) } else { his.extreme };
    reach.clamp(Length::cm(25.0), Length::cm(44.0)) + Length::cm(3.0)
}

/// Toward an enemy, as near as is good.
fn close_with(scene: &Scene<'_, '_>, unit: UnitId, enemy: UnitId, gap: Length, bodies: &mut Bodies) -> Option<Move> {
    let field = scene.field();
    let goal = if is_mounted(field, unit) { horse_stop(field, enemy) } else { best_stop(scene, unit, enemy, gap) };
    let go = gap - goal;
    if go <= Length::cm(1.0) {
        return settle_in(scene, unit, enemy, gap, bodies);
    }
    let way = (field.unit(enemy).quad().centre - field.unit(unit).quad().centre).normalised() * go.as_f64();
    go_to(scene, unit, way, Some((enemy, gap)), bodies)
}

/// In place: a column within range of the enemy shakes out unless it is about to charge, a line off its front wheels.
fn settle_in(scene: &Scene<'_, '_>, unit: UnitId, enemy: UnitId, gap: Length, bodies: &mut Bodies) -> Option<Move> {
    let field = scene.field();
    let own = troops(field, unit);
    if own.defending.is_some() || gap > Length::cm(CLEAR) {
        return None;
    }
    let shape = formation(field, unit).shape;
    let in_range = gap <= facts(field, unit).weapon.extreme;
    let column = matches!(shape, Shape::Assault | Shape::Route);
    let storms = shape == Shape::Assault && rules::guns::field::may_charge_by_status(field, unit);
    if column && in_range && !is_mounted(field, unit) && !(storms && scene.plan.lead <= 0) {
        let into = line_up(field, unit)?;
        return placed(scene, unit, vec![Step::Form(into)], None, bodies);
    }
    let by = off_front(field, unit, enemy);
    if by.abs() < STRAIGHT {
        return None;
    }
    [1.0, 0.5].into_iter().find_map(|share| {
        placed(scene, unit, vec![Step::March(vec![wheel(by.clamp(-80.0, 80.0) * share)])], None, bodies)
    })
}

/// The line a unit likes best: loose where it was taught to.
fn line_up(field: &Field, unit: UnitId) -> Option<Formation> {
    let allowed = evolution::allowed(field, unit);
    let find = |shape: Shape| allowed.iter().copied().find(|one| one.shape == shape);
    find(Shape::Loose).or_else(|| find(Shape::Line))
}

/// The formation a unit takes for going so far, if not the one it has.
fn marching_order(field: &Field, unit: UnitId, go: f64) -> Option<Formation> {
    if is_mounted(field, unit) {
        return None;
    }
    let shape = formation(field, unit).shape;
    let known = facts(field, unit);
    if known.loose {
        return (shape != Shape::Loose).then_some(Formation::usual(Shape::Loose));
    }
    let far = go > Length::cm(35.0).as_f64();
    let into = Formation::usual(Shape::Assault);
    let can = evolution::objection(known, false, into, count(field, unit)).is_none();
    let charges = rules::guns::field::may_charge_by_status(field, unit);
    (far && can && charges && !matches!(shape, Shape::Assault | Shape::Route)).then_some(into)
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
    for (n, by) in AROUND.into_iter().enumerate() {
        let ahead = way.normalised().turned(Angle::degrees(by));
        for share in SHARES {
            let formed = order.filter(|_| n == 0);
            if let Some(found) = leg(scene, unit, ahead, far * share, formed, full, near, bodies) {
                return Some(found);
            }
        }
    }
    None
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

/// Whether a unit stands where its brigade is to go.
pub fn has_arrived(scene: &Scene<'_, '_>, unit: UnitId, place: FeatureId) -> bool {
    let quad = scene.field().unit(unit).quad();
    scene.feature(place).is_some_and(|feature| feature.shape.gap_to(quad) <= Length::cm(12.0).as_f64())
        || is_deployed(scene.field(), unit)
}
