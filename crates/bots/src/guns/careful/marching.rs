//! Where a unit would like to stand.

use super::exposure::{bears, danger};
use super::houses::garrison;
use super::plan::Aim;
use super::scene::Scene;
use super::shooting::at_distance;
use super::ways::{go_to, line_up, off_front, onto, placed, wheel};
use super::{batteries, clash, duty};
use engine::{FeatureId, UnitId};
use rules::guns::field::{
    Field, elements_at, facts, flinch_distance, formation, forward, is_deployed, is_mounted, present, troops,
};
use rules::guns::formation::{Formation, Shape};
use rules::guns::order::{Move, Step};
use rules::guns::plot;
use rules::guns::plot::space::Bodies;
use rules::guns::victory;
use table::{Length, SLACK, Vec2};

/// Turns smaller than this are not worth ordering.
const STRAIGHT: f64 = 25.0;
/// Nobody within this of a unit, in centimetres: it marches in column and looks at its goal only.
pub const CLEAR: f64 = 70.0;
/// The share of a charge move from which an enemy is surely reached, wheel and all.
const SURE_REACH: f64 = 0.6;
/// The cosine of the angle within which an enemy counts as in the way.
const IN_THE_WAY: f64 = 0.4;
/// A place nearer than this, in micrometres, can be walked onto.
const STRIDE: f64 = 250_000.0;
/// A march takes so many bounds, as the dice go; and with so many left it is time to be there.
const BOUNDS_A_MARCH: f64 = 1.5;
const LAST_BOUNDS: f64 = 2.0;

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
    // Worn columns that have to shake out come first: the rules insist on it, and it takes room (R73).
    units.retain(|(_, unit)| {
        let into = plot::limits::must_shake_out(field, *unit, &scene.enemies);
        let line = into.and_then(|into| placed(scene, *unit, vec![Step::Form(into)], None, &mut bodies));
        let shaken = line.is_some();
        wishes.extend(line);
        !shaken
    });
    for (_, unit) in units {
        let moves = match scene.plan.guarded_by(unit) {
            Some(place) => watch(scene, unit, place, &mut bodies),
            None => wish(scene, unit, &mut bodies),
        };
        wishes.extend(moves.or_else(|| stay(scene, unit)));
    }
    duty::made_good(scene, wishes, &mut bodies)
}

/// Whoever is where he should be stays, although his brigade has an order to go on.
fn stay(scene: &Scene<'_, '_>, unit: UnitId) -> Option<Move> {
    let field = scene.field();
    let foot = !facts(field, unit).is_battery() && !facts(field, unit).screen;
    (foot && plot::allowance(field, unit).is_ok()).then(|| Move::March { unit, steps: Vec::new(), defend: None })
}

fn charger(one: &Move) -> Option<UnitId> {
    match one {
        Move::Charge { unit, .. } => Some(*unit),
        _ => None,
    }
}

/// On guard: into the houses, or in line against whoever comes, but never off the place.
fn watch(scene: &Scene<'_, '_>, unit: UnitId, place: FeatureId, bodies: &mut Bodies) -> Option<Move> {
    let field = scene.field();
    if facts(field, unit).is_battery() {
        return batteries::wish(scene, unit, bodies).filter(|_| !is_deployed(field, unit));
    }
    plot::allowance(field, unit).ok().filter(|most| *most > Length::ZERO)?;
    garrison(scene, unit, place, bodies).or_else(|| {
        let (enemy, gap) = scene.nearest(unit)?;
        settle_in(scene, unit, enemy, gap, bodies).filter(|one| still_touches(scene, unit, one, place))
    })
}

/// Whether a unit still stands on a place after a march.
fn still_touches(scene: &Scene<'_, '_>, unit: UnitId, one: &Move, place: FeatureId) -> bool {
    let Move::March { steps, .. } = one else { return false };
    let (_, _, pose, into) = plot::move_cost(scene.field(), unit, steps);
    let elements = elements_at(scene.field(), unit, pose, into);
    scene.feature(place).is_some_and(|it| victory::touch(it, &elements))
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
        return go_to(scene, unit, onto(scene, unit, place)?, near, bodies);
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
    let bold = there || is_bold(scene, unit, place);
    if bold && let Some(inside) = garrison(scene, unit, place, bodies) {
        return Some(inside);
    }
    if there {
        let (enemy, gap) = near?;
        return settle_in(scene, unit, enemy, gap, bodies);
    }
    let way = onto(scene, unit, place)?;
    let Some((enemy, gap)) = near else { return go_to(scene, unit, way, None, bodies) };
    if bold || !is_blocked(scene, unit, way, enemy, gap) {
        return go_to(scene, unit, way, near, bodies);
    }
    close_with(scene, unit, enemy, gap, bodies)
}

/// Whether an enemy is so near, and so much in the way, that a unit deals with him first.
fn is_blocked(scene: &Scene<'_, '_>, unit: UnitId, way: Vec2, enemy: UnitId, gap: Length) -> bool {
    let field = scene.field();
    let at_him = field.unit(enemy).quad().centre - field.unit(unit).quad().centre;
    gap <= Length::cm(CLEAR) && at_him.normalised().dot(way.normalised()) > IN_THE_WAY
}

/// The same of the way to a place.
pub fn blocked(scene: &Scene<'_, '_>, unit: UnitId, place: FeatureId, enemy: UnitId, gap: Length) -> bool {
    onto(scene, unit, place).is_none_or(|way| is_blocked(scene, unit, way, enemy, gap))
}

/// Whether a unit goes for its place whatever the enemy does: time presses, or it is sent there or has it open before it
/// and would bear what it gets there.
pub fn is_bold(scene: &Scene<'_, '_>, unit: UnitId, place: FeatureId) -> bool {
    let sent = scene.plan.errand_of(unit).is_some() || way_left(scene, unit, place) <= STRIDE;
    time_presses(scene, unit, place) || sent && !scene.plan.is_held(place) && bears(scene, unit, place)
}

/// Whether a unit has to start now to be on its place at the end, every second bound being lost to the dice.
pub fn time_presses(scene: &Scene<'_, '_>, unit: UnitId, place: FeatureId) -> bool {
    let pace = plot::allowance(scene.field(), unit).map_or(0.0, Length::as_f64).max(STRIDE);
    let bounds = (way_left(scene, unit, place) / pace).ceil();
    scene.bounds_left() <= LAST_BOUNDS + BOUNDS_A_MARCH * bounds
}

/// How far a unit still is from its place, in micrometres.
pub fn way_left(scene: &Scene<'_, '_>, unit: UnitId, place: FeatureId) -> f64 {
    let quad = scene.field().unit(unit).quad();
    scene.feature(place).map_or(f64::MAX, |feature| feature.shape.gap_to(quad))
}

/// The distance from an enemy at which a unit gives most for what it takes. Short steps outward from its flinch point.
pub fn best_stop(scene: &Scene<'_, '_>, unit: UnitId, enemy: UnitId, gap: Length) -> Length {
    let field = scene.field();
    let own = facts(field, unit).weapon.clone();
    let his = &facts(field, enemy).weapon;
    let nearest = flinch_distance(field, enemy);
    let cm = Length::cm(1.0);
    let charge = charge_reach(field, unit).times(SURE_REACH);
    let mut places =
        vec![nearest + cm, own.short - cm, own.extreme - cm * 2, his.extreme + cm * 2, his.short + cm, charge, gap];
    places.retain(|place| *place >= nearest.min(gap) && *place <= gap);
    let mut best = (f64::NEG_INFINITY, gap);
    let here = field.unit(unit).quad().centre;
    let toward = (field.unit(enemy).quad().centre - here).normalised();
    let pressing = (1.0 + 2.0 * scene.lateness()) * if scene.plan.lead > 0 { scene.temper.ease } else { 1.0 };
    let may_charge = rules::guns::field::may_charge_by_status(field, unit);
    for place in places {
        let gives = at_distance(field, unit, enemy, place);
        let takes = danger(scene, unit, here + toward * (gap - place).as_f64());
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
pub fn settle_in(scene: &Scene<'_, '_>, unit: UnitId, enemy: UnitId, gap: Length, bodies: &mut Bodies) -> Option<Move> {
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

/// Whether a unit stands where its brigade is to go.
pub fn has_arrived(scene: &Scene<'_, '_>, unit: UnitId, place: FeatureId) -> bool {
    let quad = scene.field().unit(unit).quad();
    scene.feature(place).is_some_and(|feature| feature.shape.gap_to(quad) <= Length::cm(12.0).as_f64())
        || is_deployed(scene.field(), unit)
}
