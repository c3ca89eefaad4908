//! The half-move an activated brigade owes (R48): where some stay, others go farther.

use super::scene::Scene;
use super::ways::placed;
use engine::{CommandId, UnitId};
use rules::guns::field::{brigade, brigade_units, facts, flinch_distance, forward};
use rules::guns::order::{Move, Step};
use rules::guns::plot;
use rules::guns::plot::space::Bodies;
use table::march::Leg;
use table::{Length, Point};

/// Shares of what is missing that one unit tries to make up for.
const SHARES: [f64; 4] = [1.0, 0.75, 0.5, 0.25];

/// Wishes under which every brigade gains the ground it owes: whoever guards a place stays, his comrades go on for him.
pub fn made_up(scene: &Scene<'_, '_>, wishes: Vec<Move>, bodies: &mut Bodies) -> Vec<Move> {
    let mut wishes = wishes;
    for short in plot::short_of_duty(scene.field(), scene.side, &wishes) {
        make_up(scene, short, &mut wishes, bodies);
    }
    wishes
}

fn make_up(scene: &Scene<'_, '_>, short: CommandId, wishes: &mut Vec<Move>, bodies: &mut Bodies) {
    let field = scene.field();
    let (need, given) = plot::duty(field, short, wishes);
    let mut missing = need - given;
    let mut spare: Vec<(Length, UnitId)> = brigade_units(field, short)
        .filter(|unit| field.unit(*unit).is_present() && may_go_on(scene, *unit, wishes))
        .map(|unit| (scene.nearest(unit).map_or(Length::MAX, |(_, gap)| gap), unit))
        .collect();
    // Whoever is farthest from the enemy goes first: he has the most room and the least to fear.
    spare.sort_by(|a, b| b.cmp(a));
    for (gap, unit) in spare {
        if missing <= Length::ZERO {
            return;
        }
        let before = wishes.iter().find_map(|wish| gained(scene, unit, wish)).unwrap_or_default();
        let Some(onward) = go_on(scene, unit, before + missing, gap, bodies) else { continue };
        let after = gained(scene, unit, &onward).unwrap_or_default();
        if after > before {
            missing -= after - before;
            wishes.retain(|wish| !is_march_of(wish, unit));
            wishes.push(onward);
        }
    }
}

fn is_march_of(wish: &Move, id: UnitId) -> bool {
    matches!(wish, Move::March { unit, .. } if *unit == id)
}

/// Whether a unit could go farther than it wishes to, for the sake of its brigade.
fn may_go_on(scene: &Scene<'_, '_>, unit: UnitId, wishes: &[Move]) -> bool {
    let field = scene.field();
    let foot = !facts(field, unit).is_battery() && !facts(field, unit).screen;
    let free = scene.plan.guarded_by(unit).is_none() && scene.plan.errand_of(unit).is_none();
    let charges = || wishes.iter().any(|wish| matches!(wish, Move::Charge { unit: id, .. } if *id == unit));
    let settles =
        || wishes.iter().any(|wish| is_march_of(wish, unit) && matches!(wish, Move::March { defend: Some(_), .. }));
    foot && free && plot::allowance(field, unit).is_ok() && !charges() && !settles() && brigade(field, unit).is_some()
}

/// Ground toward the enemy's baseline a march of this unit gains.
fn gained(scene: &Scene<'_, '_>, unit: UnitId, wish: &Move) -> Option<Length> {
    let Move::March { unit: id, steps, .. } = wish else { return None };
    let field = scene.field();
    (*id == unit).then(|| {
        let (_, _, pose, into) = plot::move_cost(field, unit, steps);
        let to = field.footprint(unit, into).quad(pose).centre;
        Length::from_um((to - field.unit(unit).quad().centre).dot(forward(field, scene.side)))
    })
}

/// Straight on for so far, or as much of it as there is room for.
fn go_on(scene: &Scene<'_, '_>, unit: UnitId, far: Length, gap: Length, bodies: &mut Bodies) -> Option<Move> {
    let field = scene.field();
    let full = plot::allowance(field, unit).ok()?;
    let safe = scene.nearest(unit).map_or(full, |(enemy, _)| (gap - flinch_distance(field, enemy)).max(Length::ZERO));
    let from = field.unit(unit).pose().at.vec();
    let most = (far + Length::cm(0.1)).min(full).min(safe).as_f64();
    SHARES.into_iter().find_map(|share| {
        let to = Point::from_vec(from + forward(field, scene.side) * (most * share));
        placed(scene, unit, vec![Step::March(vec![Leg::Straight(to)])], None, bodies)
    })
}
