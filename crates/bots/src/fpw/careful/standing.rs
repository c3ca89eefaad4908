//! What a place is worth to a unit: the fire it would give and take there, the way still to go, places worth holding.

use super::scene::{Field, INCH, Mark, Piece, Survey, is_ahead, volley, volleys_a_turn};
use engine::Side;
use rules::fpw::unit::{Arm, Formation, Weapon};
use rules::fpw::victory;
use table::{Pose, Quad, Vec2};

/// Beyond this, in inches from middle to middle, nobody shoots at anybody.
const FURTHEST: f64 = 27.0;

/// Where a unit is to go, and how near.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The place.
    pub at: Vec2,
    /// Near enough, in inches.
    pub want: f64,
    /// What an inch too far costs.
    pub pull: f64,
}

/// A unit as it would stand.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Where its flag would be.
    pub pose: Pose,
    /// The ground it would cover.
    pub quad: Quad,
    /// How it would be drawn up.
    pub formation: Formation,
}

impl Place {
    /// Where a unit would stand.
    pub fn of(field: &Field, piece: &Piece, pose: Pose, formation: Formation) -> Place {
        Place { pose, quad: field.footprint(piece.id, formation).quad(pose), formation }
    }

    /// Where a unit stands.
    pub fn now(piece: &Piece) -> Place {
        Place { pose: piece.pose, quad: piece.quad, formation: piece.formation }
    }
}

/// What a place is worth to a unit, in points of loss a turn.
pub fn worth(field: &Field, survey: &Survey, piece: &Piece, place: &Place, goal: Option<Goal>) -> f64 {
    let shaped = Piece { formation: place.formation, quad: place.quad, pose: place.pose, ..piece.clone() };
    let half = place.quad.radius;
    let (mut given, mut nearest, mut taken) = (0.0_f64, f64::MAX, 0.0);
    for (foe, close) in survey.foes.iter().zip(&survey.close) {
        if (foe.quad.centre - place.quad.centre).length() > FURTHEST * INCH {
            continue;
        }
        let range = table::gap(&place.quad, &foe.quad).as_inches();
        if is_ahead(place.pose, half, foe.quad.centre) && !foe.engaged {
            let mark = mark_of(foe, is_ahead(foe.pose, foe.quad.radius, place.pose.at.vec()));
            let hits = volley(field, &shaped, range, mark) * volleys_a_turn(field, &shaped, range);
            let value = hits * foe.hit_cost(hits * 0.5);
            // Guns choose, foot must take the nearest.
            if piece.is_gun() {
                given = given.max(value);
            } else if range < nearest {
                (given, nearest) = (value, range);
            }
        }
        let rival = close.iter().find(|(id, _)| *id != Some(piece.id)).map_or(f64::MAX, |(_, apart)| *apart);
        taken += threat(field, survey, &shaped, foe, range, rival);
    }
    let far = goal.map_or(0.0, |goal| {
        let gap = table::convex::distance(place.quad.points(), goal.at) / INCH;
        goal.pull * (gap - goal.want).max(0.0)
    });
    survey.spirit * given - taken - far + held(field, survey, piece, &place.quad)
}

fn mark_of(target: &Piece, from_ahead: bool) -> Mark {
    let dense = target.formation.is_dense();
    Mark { horse: target.arm == Arm::Cavalry, dense, cover: target.cover, flanked: !from_ahead }
}

/// What an enemy would cost a unit there in a turn.
fn threat(field: &Field, survey: &Survey, shaped: &Piece, foe: &Piece, range: f64, rival: f64) -> f64 {
    if foe.engaged {
        return 0.0;
    }
    let mut cost = 0.0;
    if foe.weapon != Weapon::None {
        let faces = is_ahead(foe.pose, foe.quad.radius, shaped.quad.centre);
        let mark = mark_of(shaped, is_ahead(shaped.pose, shaped.quad.radius, foe.pose.at.vec()));
        let hits = volley(field, foe, range, mark) * volleys_a_turn(field, foe, range);
        // A stand shoots at one target; whoever is nearer draws the fire.
        let nearer = rival < range - 0.5;
        let share = if foe.is_gun() {
            0.35
        } else if nearer {
            0.3
        } else {
            0.9
        };
        cost += hits * share * if faces { 1.0 } else { 0.25 } * shaped.hit_cost(hits * 0.5);
    }
    // Long rifles keep out of reach of the bayonet, and so does whoever is shaken.
    let long = matches!(shaped.weapon, Weapon::Chassepot | Weapon::BreechLoader);
    if foe.arm == Arm::Infantry && range < 8.0 && foe.disruption < foe.stands {
        cost += if long { 0.08 } else { 0.0 } + survey.temper.fear * (shaped.disruption / shaped.stands).min(1.5);
    }
    let reach = if foe.arm == Arm::Cavalry { 12.0 } else { 7.0 };
    if shaped.is_gun() && !foe.is_gun() && range < reach {
        cost += 0.35;
    }
    cost
}

/// What standing by a place worth holding brings.
fn held(field: &Field, survey: &Survey, piece: &Piece, quad: &Quad) -> f64 {
    let reach = field.charts().victory.objective_reach.value.0.as_f64();
    let mut worth = 0.0;
    for place in &field.muster().scenario.objectives {
        let Some(feature) = field.ground().features.get(place.feature.index()) else { continue };
        let near = |quad: &Quad| {
            feature.shape.bounds().meets(&quad.bounds().grown(reach)) && feature.shape.gap_to(quad) <= reach
        };
        if !near(quad) {
            continue;
        }
        let others = survey.own.iter().filter(|other| other.id != piece.id && near(&other.quad)).count();
        worth += points(field, field.side_of(piece.id), place.worth) * survey.elapsed / (1.0 + 2.0 * others as f64);
    }
    worth
}

/// What percentage points are worth in points of loss.
fn points(field: &Field, side: Side, worth: u8) -> f64 {
    f64::from(victory::share(field, side).1) * f64::from(worth) / 100.0 * 0.7
}

/// Where a group should go: the enemy most nearly ahead of it, or a place nobody else looks after.
pub fn goal_of(field: &Field, survey: &Survey, units: &[&Piece]) -> Option<Goal> {
    let first = units.first()?;
    let count = units.len() as f64;
    let centre = units.iter().fold(Vec2::ZERO, |sum, piece| sum + piece.quad.centre) * (1.0 / count);
    let eager = ((survey.spirit - 0.95) / 0.3).clamp(0.0, 1.6);
    if first.arm == Arm::Infantry
        && let Some(goal) = vacant(field, survey, units)
    {
        return Some(goal);
    }
    let facing = first.pose.forward();
    let dear = |foe: &Piece| {
        let way = foe.quad.centre - centre;
        let aside = way.length() - way.dot(facing).max(0.0);
        let soft = if foe.is_gun() { -1.0 } else { 0.0 } - foe.disruption.min(3.0) + f64::from(-foe.cover) * 2.0;
        let horse = if foe.arm == Arm::Cavalry { 6.0 } else { 0.0 };
        (way.length() + aside * 0.7) / INCH + soft + horse
    };
    let target = survey.foes.iter().min_by(|a, b| dear(a).total_cmp(&dear(b)));
    let Some(target) = target else {
        let at = rallying_point(field, survey, centre);
        return Some(Goal { at, want: 4.0, pull: 0.06 });
    };
    let shaken = target.disruption >= target.stands;
    let (want, pull) = match (first.arm, first.weapon) {
        (Arm::Cavalry, _) => (13.5, 0.05),
        (Arm::Infantry, Weapon::Chassepot | Weapon::BreechLoader) if survey.spirit > 1.35 || shaken => {
            (3.4, survey.temper.pull * eager)
        }
        (Arm::Infantry, Weapon::Chassepot | Weapon::BreechLoader) => {
            (survey.temper.long_at, survey.temper.long_pull * eager)
        }
        (Arm::Infantry, _) => (3.4, survey.temper.pull * eager),
        _ => (gun_range(first.weapon), 0.05),
    };
    Some(Goal { at: target.quad.centre, want, pull })
}

/// How near guns like to be.
pub fn gun_range(weapon: Weapon) -> f64 {
    match weapon {
        Weapon::PrussianGun => 15.0,
        Weapon::FrenchGun => 14.0,
        _ => 7.5,
    }
}

/// Where to go while no enemy is known: the nearest place worth holding, else the middle of the field.
fn rallying_point(field: &Field, survey: &Survey, from: Vec2) -> Vec2 {
    let places = field.muster().scenario.objectives.iter();
    let middles =
        places.filter_map(|place| Some(field.ground().features.get(place.feature.index())?.shape.bounds().centre()));
    let near = middles.min_by(|a, b| (*a - from).length().total_cmp(&(*b - from).length()));
    near.unwrap_or_else(|| field.ground().bounds().centre() + survey.forward * INCH)
}

/// A place nobody of ours holds that this group is the nearest to, once it is time to go there.
fn vacant(field: &Field, survey: &Survey, units: &[&Piece]) -> Option<Goal> {
    let side = field.side_of(units.first()?.id);
    for place in &field.muster().scenario.objectives {
        let feature = field.ground().features.get(place.feature.index())?;
        if victory::holder(field, place) == Some(side) {
            continue;
        }
        let at = feature.shape.bounds().centre();
        let away = |piece: &Piece| (piece.quad.centre - at).length() / INCH;
        let foot = survey.own.iter().filter(|piece| piece.arm == Arm::Infantry && !piece.joined && piece.stands > 1.0);
        let nearest = foot.min_by(|a, b| away(a).total_cmp(&away(b)))?;
        let late = survey.turns_left <= away(nearest) / 5.0 + 3.0;
        if late && units.iter().any(|piece| piece.id == nearest.id) {
            return Some(Goal { at, want: 2.5, pull: 0.12 });
        }
    }
    None
}
