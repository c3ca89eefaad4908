//! Full moves by formation and arm (rate-a to -k, R57, R58), and what ground asks of each arm (terrain-a to -f, R54).

use super::charts::{Going, Measure};
use super::clause::Clause;
use super::field::{self, Few, Field, Ground, distance};
use super::formation::{Formation, Shape, Spacing};
use super::unit::{Arm, GunClass};
use engine::{Cited, UnitId};
use table::{Length, Pose, SLACK};

/// The full move of a unit as it stands, and its clause.
pub fn full_move(field: &Field, unit: UnitId) -> (Length, Clause) {
    let (formation, mounted) = (field::formation(field, unit), field::troops(field, unit).mounted);
    full_move_in(field, unit, formation, mounted)
}

/// The full move of a unit in another formation.
pub fn full_move_in(field: &Field, unit: UnitId, formation: Formation, mounted: bool) -> (Length, Clause) {
    let (measure, clause) = rate(field, unit, formation, mounted);
    (distance(field, measure), clause)
}

fn rate(field: &Field, unit: UnitId, formation: Formation, mounted: bool) -> (&Cited<Measure>, Clause) {
    let (facts, pace) = (field::facts(field, unit), &field.charts().pace);
    if facts.is_battery() {
        return match facts.class {
            Some(GunClass::Horse) => (&pace.horse_guns, Clause::HorseGunsPace),
            _ => (&pace.foot_guns, Clause::FootGunsPace),
        };
    }
    let spacing = formation.spacing(facts.width(), field::count(field, unit));
    if facts.arm == Arm::Cavalry && mounted {
        return match (formation.shape, spacing) {
            (Shape::Route, _) => (&pace.squadron_column, Clause::SquadronColumnPace),
            (Shape::Squadrons, _) if is_in_column(field, unit) => (&pace.squadron_column, Clause::SquadronColumnPace),
            (_, Spacing::Extended) => (&pace.cavalry_extended, Clause::CavalryExtendedPace),
            _ => (&pace.squadron_line, Clause::SquadronLinePace),
        };
    }
    match (formation.shape, spacing) {
        (Shape::Route, _) => (&pace.route, Clause::RoutePace),
        (Shape::Assault, _) => (&pace.assault, Clause::AssaultColumnPace),
        (_, Spacing::Extended) => (&pace.extended, Clause::ExtendedPace),
        (_, Spacing::Loose) => (&pace.loose, Clause::LoosePace),
        (_, Spacing::Close) => (&pace.line, Clause::LinePace),
    }
}

/// Whether a squadron in the shape of a column really stands in one: another of its brigade in the same shape is
/// straight ahead of it or behind it, no further off than an element is wide (R58).
pub fn is_in_column(field: &Field, unit: UnitId) -> bool {
    let piece = field.unit(unit);
    let brigade = field::brigade(field, unit);
    let width = field::facts(field, unit).width();
    let own = piece.quad();
    field.present(piece.side).any(|(id, other)| {
        id != unit
            && other.body.formation.shape == Shape::Squadrons
            && !field::surely_beyond(own, other.quad(), width)
            && field::brigade(field, id) == brigade
            && is_straight_behind(piece.pose(), other.pose(), width)
            && table::gap(own, other.quad()) <= width + SLACK
    })
}

/// A unit and the squadrons it is drawn up with: a column of them, or a line of them side by side, no further apart than
/// an element is wide (R58, R84). Everybody else stands alone.
pub fn drawn_up_with(field: &Field, unit: UnitId) -> Few {
    let mut mates: Few = Few::new();
    mates.push(unit);
    let shape = field::formation(field, unit).shape;
    if !field::is_there(field, unit) || !is_squadron(field, unit, shape) {
        return mates;
    }
    let (side, brigade) = (field.side_of(unit), field::brigade(field, unit));
    let mut next = 0;
    while let Some(&one) = mates.get(next) {
        next += 1;
        let found = field.present(side).map(|(id, _)| id).filter(|id| {
            !mates.contains(id)
                && is_squadron(field, *id, shape)
                && field::brigade(field, *id) == brigade
                && is_beside(field, one, *id, shape)
        });
        let found: Few = found.collect();
        mates.extend(found);
    }
    mates
}

fn is_squadron(field: &Field, unit: UnitId, shape: Shape) -> bool {
    matches!(shape, Shape::Line | Shape::Squadrons)
        && field::formation(field, unit).shape == shape
        && field::is_mounted(field, unit)
}

fn is_beside(field: &Field, one: UnitId, other: UnitId, shape: Shape) -> bool {
    let width = field::facts(field, one).width();
    let (here, there) = (field.unit(one), field.unit(other));
    if field::surely_beyond(here.quad(), there.quad(), width) {
        return false;
    }
    let place = here.pose().to_local(there.pose().at.vec());
    let off = if shape == Shape::Squadrons { place.x } else { place.y };
    off.abs() <= width.half().as_f64()
        && here.pose().facing == there.pose().facing
        && table::gap(here.quad(), there.quad()) <= width + SLACK
}

/// Whether two flags lie on one line along the facing of the first, give or take half an element.
fn is_straight_behind(one: Pose, other: Pose, width: Length) -> bool {
    one.to_local(other.at.vec()).x.abs() <= width.half().as_f64()
}

/// How an arm takes to a kind of ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Toll {
    /// No deduction.
    Free,
    /// So much for each game unit inside.
    PerUnit(Length, Clause),
    /// So much each time it is crossed.
    Each(Length, Clause),
    /// By road only, or not at all.
    Barred(Clause),
}

/// Who pays: foot, horse or guns. Generals pay as horse, observers as foot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Payer {
    Foot,
    Horse,
    Guns,
}

/// As which arm a unit pays for ground.
pub fn payer(field: &Field, unit: UnitId, mounted: bool) -> Payer {
    let facts = field::facts(field, unit);
    match facts.arm {
        _ if facts.is_battery() => Payer::Guns,
        Arm::Cavalry if mounted => Payer::Horse,
        Arm::Artillery => Payer::Guns,
        _ => Payer::Foot,
    }
}

/// What a kind of ground asks of an arm.
pub fn toll(field: &Field, ground: Ground, payer: Payer) -> Toll {
    let terrain = &field.charts().terrain;
    let fee = |going: &Going| {
        let figure = match payer {
            Payer::Foot => &going.foot,
            Payer::Horse => &going.horse,
            Payer::Guns => &going.guns,
        };
        distance(field, figure)
    };
    match (ground, payer) {
        (Ground::Open, _) => Toll::Free,
        (Ground::Stream, _) => Toll::PerUnit(fee(&terrain.stream), Clause::Wading),
        (Ground::Rough, Payer::Guns) => Toll::Barred(Clause::RoughGround),
        (Ground::Rough, _) => Toll::PerUnit(fee(&terrain.rough), Clause::RoughGround),
        (Ground::Obstacle, Payer::Foot) => Toll::Each(fee(&terrain.obstacle), Clause::LinearObstacle),
        (Ground::Obstacle, _) => Toll::Barred(Clause::LinearObstacle),
        (Ground::Woods, Payer::Foot) => Toll::PerUnit(fee(&terrain.woods), Clause::Woods),
        (Ground::Woods, _) => Toll::Barred(Clause::Woods),
        (Ground::BuiltUp, Payer::Foot) => Toll::PerUnit(fee(&terrain.built_up), Clause::BuiltUpArea),
        (Ground::BuiltUp, _) => Toll::Barred(Clause::BuiltUpArea),
        (Ground::Impassable, _) => Toll::Barred(Clause::Wading),
    }
}

/// The share a road adds to a full move (R56).
pub fn with_road(field: &Field, full: Length) -> Length {
    full + field.charts().pace.road.value.of(full)
}
