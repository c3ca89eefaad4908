//! Where a unit would like to stand, and the way there.

use super::clash;
use super::scene::Scene;
use super::shooting::at_distance;
use engine::UnitId;
use rules::guns::evolution;
use rules::guns::field::{
    Field, count, facts, flinch_distance, formation, is_deployed, is_formed, is_mounted, present, troops,
    uses_small_arms,
};
use rules::guns::formation::{Formation, Shape};
use rules::guns::order::{Move, Step};
use rules::guns::pace;
use rules::guns::plot;
use rules::guns::unit::{Cycle, GunClass};
use table::march::{Leg, Track};
use table::{Angle, Flank, Footprint, Length, Pose, Vec2};

/// Wheels smaller than this are not worth ordering.
const STRAIGHT: f64 = 3.0;
/// And none wider than this in one bound.
const WIDEST: f64 = 60.0;

/// What the army would like to do this bound.
pub fn wishes(scene: &Scene<'_, '_>) -> Vec<Move> {
    let field = scene.field();
    let mut wishes = Vec::new();
    for (unit, _) in present(field, scene.side) {
        wishes.extend(wish(scene, unit));
    }
    wishes
}

fn wish(scene: &Scene<'_, '_>, unit: UnitId) -> Option<Move> {
    let field = scene.field();
    if facts(field, unit).is_battery() {
        return guns(scene, unit);
    }
    let allowance = plot::allowance(field, unit).ok().filter(|most| *most > Length::ZERO)?;
    if let Some((_, charge)) = clash::best(scene, unit) {
        return Some(charge);
    }
    let (enemy, gap) = scene.nearest(unit)?;
    let goal = if is_mounted(field, unit) { horse_stop(field, enemy) } else { best_stop(scene, unit, enemy, gap) };
    let go = gap - goal;
    if go <= Length::cm(1.0) {
        return settle_in(field, unit, enemy, gap);
    }
    approach(field, unit, enemy, go, allowance)
}

/// The distance from an enemy at which a unit gives most for what it takes. Short steps outward from its flinch point.
pub fn best_stop(scene: &Scene<'_, '_>, unit: UnitId, enemy: UnitId, gap: Length) -> Length {
    let field = scene.field();
    let own = facts(field, unit).weapon.clone();
    let his = &facts(field, enemy).weapon;
    let nearest = flinch_distance(field, enemy);
    let cm = Length::cm(1.0);
    let mut places = vec![nearest + cm, own.short - cm, own.extreme - cm * 2, his.extreme + cm * 2, his.short + cm];
    places.push(gap);
    places.retain(|place| *place >= nearest.min(gap) && *place <= gap);
    let mut best = (f64::NEG_INFINITY, gap);
    let pressing = 1.0 + scene.lateness();
    for place in places {
        let gives = at_distance(field, unit, enemy, place);
        let takes = if is_formed(field, enemy) || uses_small_arms(field, enemy) {
            at_distance(field, enemy, unit, place)
        } else {
            0.0
        };
        let way = (gap - place).as_cm();
        let score = gives - takes * scene.temper.caution + way * scene.temper.pull * pressing;
        if score > best.0 {
            best = (score, place);
        }
    }
    best.1
}

/// Horse waits out of reach of rifles until there is something to ride down.
fn horse_stop(field: &Field, enemy: UnitId) -> Length {
    let his = &facts(field, enemy).weapon;
    let reach = if facts(field, enemy).is_battery() { Length::cm(45.0) } else { his.extreme };
    reach.max(Length::cm(25.0)) + Length::cm(4.0)
}

/// In place: a column within range of the enemy shakes out, a line off its front wheels.
fn settle_in(field: &Field, unit: UnitId, enemy: UnitId, gap: Length) -> Option<Move> {
    let shape = formation(field, unit).shape;
    let in_range = gap <= facts(field, unit).weapon.extreme;
    if matches!(shape, Shape::Assault | Shape::Route) && in_range && !is_mounted(field, unit) {
        return line_up(field, unit).map(|into| march(unit, vec![Step::Form(into)]));
    }
    let by = off_front(field, unit, enemy);
    if by.abs() > 25.0 && troops(field, unit).defending.is_none() {
        let allowance = plot::allowance(field, unit).ok()?;
        let legs = fitted(field, unit, vec![wheel(by)], allowance);
        return (!legs.is_empty()).then(|| march(unit, vec![Step::March(legs)]));
    }
    None
}

/// The line a unit likes best: loose where it was taught to.
fn line_up(field: &Field, unit: UnitId) -> Option<Formation> {
    let allowed = evolution::allowed(field, unit);
    let find = |shape: Shape| allowed.iter().copied().find(|one| one.shape == shape);
    find(Shape::Loose).or_else(|| find(Shape::Line))
}

fn approach(field: &Field, unit: UnitId, enemy: UnitId, go: Length, allowance: Length) -> Option<Move> {
    let drawn = formation(field, unit);
    let mut steps = Vec::new();
    let mut left = allowance;
    let taught_loose = facts(field, unit).loose && !is_mounted(field, unit);
    if taught_loose && drawn.shape != Shape::Loose {
        let into = Formation::usual(Shape::Loose);
        if let Ok((cost, _)) = evolution::cost(field, unit, drawn, into)
            && cost < allowance
        {
            steps.push(Step::Form(into));
            left = allowance - cost;
        }
    }
    let by = off_front(field, unit, enemy);
    let mut legs = Vec::new();
    if by.abs() > STRAIGHT {
        legs.push(wheel(by.clamp(-WIDEST, WIDEST)));
    }
    legs.push(Leg::Ahead(go));
    let legs = fitted(field, unit, legs, left);
    if !legs.is_empty() {
        steps.push(Step::March(legs));
    }
    (!steps.is_empty()).then(|| march(unit, steps))
}

/// From the front to an enemy in degrees, right positive.
fn off_front(field: &Field, unit: UnitId, enemy: UnitId) -> f64 {
    let pose = field.unit(unit).pose();
    let way: Vec2 = field.unit(enemy).quad().centre - pose.at.vec();
    f64::from((Angle::of(way) - pose.facing).signed()) / 1000.0
}

fn wheel(by: f64) -> Leg {
    let pivot = if by < 0.0 { Flank::Left } else { Flank::Right };
    Leg::Wheel { pivot, by: Angle::degrees(by.abs().round()) }
}

/// Takes the end off a path that costs more than there is. A wheel costs the way of the farthest corner.
fn fitted(field: &Field, unit: UnitId, legs: Vec<Leg>, most: Length) -> Vec<Leg> {
    let body: Footprint = facts(field, unit).footprint(formation(field, unit), count(field, unit));
    let corner = (body.width.as_f64().powi(2) + body.depth.as_f64().powi(2)).sqrt();
    let mut left = most.as_f64() * 0.98;
    let mut kept = Vec::new();
    for leg in legs {
        match leg {
            Leg::Wheel { pivot, by } => {
                let turn = by.as_degrees().to_radians();
                let can = (left / corner.max(1.0)).min(turn);
                if can < 0.02 {
                    break;
                }
                left -= can * corner;
                kept.push(Leg::Wheel { pivot, by: Angle::degrees(can.to_degrees().floor().max(1.0)) });
                if can < turn {
                    break;
                }
            }
            Leg::Ahead(go) => {
                let can = go.as_f64().min(left);
                if can > 5_000.0 {
                    kept.push(Leg::Ahead(Length::from_um((can / 1_000.0).floor() * 1_000.0)));
                    left -= can;
                }
            }
            other => kept.push(other),
        }
    }
    kept
}

/// What a battery does: up to where it can shoot, into action, and there it stays while there is something to shoot at.
fn guns(scene: &Scene<'_, '_>, battery: UnitId) -> Option<Move> {
    let field = scene.field();
    let own = troops(field, battery);
    match own.cycle {
        Cycle::Abandoned => return Some(Move::Return { battery }),
        Cycle::Unlimbering => return Some(march(battery, vec![Step::Unlimber])),
        Cycle::Limbering => return Some(march(battery, vec![Step::Limber])),
        _ => {}
    }
    let (enemy, gap) = scene.nearest(battery)?;
    let reach = gun_reach(field, battery);
    let faces_him = off_front(field, battery, enemy).abs() < 28.0;
    if is_deployed(field, battery) {
        let useless = rules::guns::artillery::targets(field, battery).is_empty() && !facts(field, battery).indirect;
        // Nobody to shoot at, and nobody coming: it is time to move up.
        return (useless && gap > reach).then(|| march(battery, vec![Step::Limber]));
    }
    if gap <= reach && faces_him {
        let quick = matches!(facts(field, battery).class, Some(GunClass::Horse | GunClass::Field));
        let steps = if quick { vec![Step::Unlimber, Step::Fire] } else { vec![Step::Unlimber] };
        return Some(march(battery, steps));
    }
    let by = off_front(field, battery, enemy);
    let full = plot::allowance(field, battery).ok().unwrap_or_else(|| pace::full_move(field, battery).0);
    let mut legs = Vec::new();
    if by.abs() > STRAIGHT {
        legs.push(wheel(by.clamp(-WIDEST, WIDEST)));
    }
    if gap > reach {
        legs.push(Leg::Ahead(gap - reach + Length::cm(2.0)));
    }
    let legs = fitted(field, battery, legs, full);
    let end: Pose = Track::plot(field.unit(battery).pose(), facts(field, battery).element, &legs).end();
    let mut steps = vec![Step::March(legs)];
    let after = (field.unit(enemy).quad().centre - end.at.vec()).length();
    let quick = matches!(facts(field, battery).class, Some(GunClass::Horse | GunClass::Field));
    if quick && after <= reach.as_f64() {
        steps.push(Step::Unlimber);
    }
    Some(march(battery, steps))
}

/// How near a battery goes: well inside its range, and outside that of rifles where it can.
fn gun_reach(field: &Field, battery: UnitId) -> Length {
    let limit = rules::guns::field::distance(field, &field.charts().combat.direct_limit);
    let extreme = facts(field, battery).weapon.extreme.min(limit);
    extreme * 9 / 10
}

fn march(unit: UnitId, steps: Vec<Step>) -> Move {
    Move::March { unit, steps, defend: None }
}
