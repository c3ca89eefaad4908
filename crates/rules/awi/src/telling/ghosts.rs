//! Ghosts: where pieces would stand if an order were carried out, as far as no die and no enemy decides it. A charge
//! shows its line and never where it ends, for that would tell a distance (E.2).

use crate::Awi;
use crate::charge;
use crate::deployment;
use crate::field::{Field, facts};
use crate::movement::{self, MOST_LEGS, March};
use crate::officers;
use crate::order::{Decision, Going, OfficerPlacement, Order, Placement};
use crate::programme;
use crate::rally;
use crate::unit::Formation;
use book::telling::drawn::{officer, spent, stands, trail};
use engine::scene::Ghost;
use engine::{Asked, CommanderId, Side, UnitId, View};
use table::{Angle, Leg, Length, Point, Pose};

/// Where the pieces of an order would stand.
pub fn ghosts(view: &View<'_, Awi>, asked: &Asked<Awi>, side: Side, order: &Order) -> Vec<Ghost> {
    let field: &Field = view;
    let ours = |unit: UnitId| field.side_of(unit) == side && field.unit(unit).is_present();
    let mut ghosts = match (&asked.decision, order) {
        (Decision::Deploy, Order::Deploy { units, commanders }) => placed(field, side, units, commanders),
        (Decision::Deploy, Order::Pass) => placed(field, side, &[], &[]),
        (Decision::PlaceSharpshooters { .. }, Order::Sharpshooters { at }) => hidden(field, side, at),
        (Decision::RallyFacing { unit }, Order::Face { facing }) => {
            vec![stands(field, *unit, formation(field, *unit), rally::faced(field, *unit, *facing))]
        }
        (Decision::Path { unit, going, allowance }, Order::Path { legs, with }) => {
            marched(field, &March { unit: *unit, going: *going, allowance: *allowance }, legs, with)
        }
        (Decision::Activate, order) => match programme::subject(order) {
            Some(unit) if ours(unit) => activated(field, unit, order),
            Some(_) => Vec::new(),
            None => ridden(field, side, order),
        },
        _ => Vec::new(),
    };
    ghosts.retain(|ghost| !ghost.stands.is_empty());
    ghosts
}

fn formation(field: &Field, unit: UnitId) -> Formation {
    field.unit(unit).body.formation
}

fn placed(field: &Field, side: Side, units: &[Placement], officers: &[OfficerPlacement]) -> Vec<Ghost> {
    let (units, officers) = deployment::places(field, side, units, officers);
    let units = units.into_iter().map(|place| stands(field, place.unit, place.formation, place.pose));
    units.chain(officers.into_iter().map(|place| officer(field, place.commander, place.pose))).collect()
}

fn hidden(field: &Field, side: Side, at: &[Point]) -> Vec<Ghost> {
    let men = deployment::marksmen(field, side).zip(at);
    men.map(|(man, at)| stands(field, man, Formation::Line, deployment::hiding_pose(field, *at))).collect()
}

fn activated(field: &Field, unit: UnitId, order: &Order) -> Vec<Ghost> {
    let pose = field.unit(unit).pose();
    let reformed = |into: Formation, facing: &Option<Angle>| {
        vec![stands(field, unit, into, Pose { facing: facing.unwrap_or(pose.facing), ..pose })]
    };
    match order {
        Order::Move { half, legs, with, .. } => {
            let going = if *half { Going::Half } else { Going::Full };
            let allowance = movement::certain_allowance(field, unit, going);
            marched(field, &March { unit, going, allowance }, legs, with)
        }
        Order::Reform { formation, facing, .. } if facts(field, unit).formations().contains(formation) => {
            reformed(*formation, facing)
        }
        Order::Limber { facing, .. } => reformed(Formation::Limbered, facing),
        Order::Unlimber { facing, .. } => reformed(Formation::Unlimbered, facing),
        Order::TurnInMelee { face, .. } if field.unit(*face).is_present() => {
            vec![stands(field, unit, formation(field, unit), programme::turned_pose(field, unit, *face))]
        }
        Order::Charge { at, bearing, .. } if field.unit(*at).is_present() => vec![charging(field, unit, *at, *bearing)],
        _ => Vec::new(),
    }
}

/// The body pivoted where it stands, and the line it would run along until it is level with its target.
fn charging(field: &Field, unit: UnitId, at: UnitId, bearing: Option<Angle>) -> Ghost {
    let start = charge::pivoted(field, unit, at, bearing);
    let ahead = start.forward();
    let level = (field.unit(at).quad().centre - start.at.vec()).dot(ahead).max(0.0);
    let trail = vec![start.at, Point::from_vec(start.at.vec() + ahead * level)];
    Ghost { trail, ..stands(field, unit, formation(field, unit), start) }
}

fn ridden(field: &Field, side: Side, order: &Order) -> Vec<Ghost> {
    let Order::Ride { commander, to } = order else { return Vec::new() };
    if field.muster().commander(*commander).side != side || !field.commander(*commander).is_present() {
        return Vec::new();
    }
    let (track, end) = movement::ride_track(field, *commander, *to);
    let price = movement::price(field, &track, field.commander(*commander).quad(), false);
    let spent = spent(price.total(field), Some(movement::commander_move(field)));
    vec![Ghost { spent, ..officer(field, *commander, end) }]
}

/// A march with all who ride along. What a path of more legs than anybody may order costs is not reckoned.
fn marched(field: &Field, march: &March, legs: &[Leg], with: &[CommanderId]) -> Vec<Ghost> {
    let unit = march.unit;
    if legs.is_empty() || legs.len() > MOST_LEGS {
        return Vec::new();
    }
    let track = movement::plot(field, unit, legs);
    let price = movement::price(field, &track, field.unit(unit).quad(), facts(field, unit).woods_free);
    let most = movement::usable(field, march, &track);
    let spent = spent(price.total(field), (most > Length::ZERO).then_some(most));
    let ghost = stands(field, unit, formation(field, unit), track.end());
    let mut ghosts = vec![Ghost { trail: trail(&track), spent, ..ghost }];
    let along = with.iter().filter(|id| field.commander(**id).is_present());
    ghosts.extend(along.map(|id| officer(field, *id, officers::carried(field, *id, track.start(), track.end()))));
    ghosts
}
