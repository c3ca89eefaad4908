//! Ghosts: where pieces would stand if an order were carried out, as far as no die and no enemy decides it.

use crate::Fpw;
use crate::approach;
use crate::deployment;
use crate::field::{Field, facts, formation};
use crate::firemove;
use crate::generals;
use crate::initiative;
use crate::movement::{self, MOST_LEGS, Plan};
use crate::order::{Aim, Decision, Going, Order, Step};
use crate::unit::Formation;
use book::telling::drawn::{officer, spent, stands, trail};
use engine::scene::Ghost;
use engine::{Asked, Side, UnitId, View};
use table::{Length, Pose};

/// Where the pieces of an order would stand.
pub fn ghosts(view: &View<'_, Fpw>, asked: &Asked<Fpw>, side: Side, order: &Order) -> Vec<Ghost> {
    let field: &Field = view;
    let ours = |unit: &UnitId| field.side_of(*unit) == side && field.unit(*unit).is_present();
    let step = |step: &Step, most: Length| stepped(field, step, most).into_iter().collect::<Vec<Ghost>>();
    let half = |unit: UnitId| movement::formed(field, movement::full_pace(field, unit));
    let mut ghosts: Vec<Ghost> = match (&asked.decision, order) {
        (Decision::Deploy, Order::Deploy { units, commanders, scouts }) => {
            placed(field, deployment::places(field, side, units, commanders, scouts))
        }
        (Decision::Deploy, Order::Pass) => placed(field, deployment::places(field, side, &[], &[], &[])),
        (Decision::Enter, Order::Deploy { units, commanders, .. }) => {
            placed(field, (units.clone(), commanders.clone()))
        }
        (Decision::March { going, .. }, Order::March { moves }) => {
            let moves = moves.iter().filter(|one| ours(&one.unit));
            moves.flat_map(|one| step(one, allowance(field, one, *going))).collect()
        }
        (Decision::March { units, going }, Order::Together { legs }) => {
            let steps = units.iter().filter(|unit| ours(unit)).map(|unit| Step {
                unit: *unit,
                formation: None,
                facing: None,
                after: false,
                legs: legs.clone(),
            });
            steps.flat_map(|one| step(&one, allowance(field, &one, *going))).collect()
        }
        (Decision::Initiative | Decision::FollowUp { .. }, Order::Reform(one)) if ours(&one.unit) => {
            step(one, half(one.unit))
        }
        (Decision::Initiative, Order::LimberBack(one)) if ours(&one.unit) => {
            step(&Step { formation: Some(Formation::Limbered), after: false, ..one.clone() }, half(one.unit))
        }
        (Decision::Initiative, Order::HalfAndUnlimber(one)) if ours(&one.unit) => {
            step(&Step { formation: Some(Formation::Deployed), after: true, ..one.clone() }, half(one.unit))
        }
        (Decision::Initiative, Order::Unlimber { unit, facing }) if ours(unit) => {
            let pose = field.unit(*unit).pose();
            let to = Pose { facing: facing.unwrap_or(pose.facing), ..pose };
            vec![stands(field, *unit, Formation::Deployed, to)]
        }
        (Decision::Initiative, Order::Retire { unit }) if ours(unit) => {
            initiative::retreat(field, *unit).map(|one| step(&one, Length::ZERO)).unwrap_or_default()
        }
        (Decision::Initiative, Order::Scout { unit, legs }) if ours(unit) => {
            let one = Step { unit: *unit, formation: None, facing: None, after: false, legs: legs.clone() };
            step(&one, field.charts().pace.scout.value.0)
        }
        (Decision::Initiative, Order::Charge(aim)) if ours(&aim.unit) => charging(field, aim).into_iter().collect(),
        (Decision::Charges { .. }, Order::Charges { charges }) => {
            charges.iter().filter(|aim| ours(&aim.unit)).filter_map(|aim| charging(field, aim)).collect()
        }
        (Decision::FallBack { unit, .. }, Order::FallBack) => {
            let back = firemove::pulled_back(field, *unit).filter(|(_, to)| *to != field.unit(*unit).pose());
            back.map(|(_, to)| stands(field, *unit, formation(field, *unit), to)).into_iter().collect()
        }
        (Decision::FollowUp { unit, .. }, Order::FollowUp { at: Some(at) }) if ours(unit) => {
            charging(field, &Aim { unit: *unit, at: *at, wheel: None, bearing: None }).into_iter().collect()
        }
        (Decision::Generals, order) => ridden(field, side, order).into_iter().collect(),
        _ => Vec::new(),
    };
    ghosts.retain(|ghost| !ghost.stands.is_empty());
    ghosts
}

fn placed(field: &Field, (units, officers): deployment::Places) -> Vec<Ghost> {
    let units = units.into_iter().map(|place| stands(field, place.unit, place.formation, place.pose));
    units.chain(officers.into_iter().map(|place| officer(field, place.commander, place.pose))).collect()
}

/// How far a step may go over the ground it crosses.
fn allowance(field: &Field, step: &Step, going: Going) -> Length {
    if step.legs.len() > MOST_LEGS {
        return Length::ZERO;
    }
    let plan = Plan::of(field, step);
    let have = movement::allowance(field, &plan, movement::ground_of(field, plan.on_the_way, &plan.track), false);
    let halved = matches!(going, Going::HalfPace | Going::Reform) && !plan.forms;
    if halved { movement::formed(field, have) } else { have }
}

/// A move worked out, with all generals who go along. A path of more legs than anybody may order is not drawn.
fn stepped(field: &Field, step: &Step, most: Length) -> Option<Ghost> {
    if step.legs.len() > MOST_LEGS {
        return None;
    }
    let count = field.unit(step.unit).body.stands.count() as u8;
    let fits = |shape: &Formation| facts(field, step.unit).formations(count).contains(shape);
    if step.formation.is_some_and(|shape| !fits(&shape)) {
        return None;
    }
    let plan = Plan::of(field, step);
    let ghost = stands(field, step.unit, plan.formation, plan.end);
    let cost = plan.track.length();
    let spent = if plan.moves() { spent(cost, (most > Length::ZERO).then_some(most)) } else { String::new() };
    Some(Ghost { trail: trail(&plan.track), spent, ..ghost })
}

/// Where a charge would touch its enemy; nowhere, where its line meets nobody.
fn charging(field: &Field, aim: &Aim) -> Option<Ghost> {
    if !field.unit(aim.at).is_present() {
        return None;
    }
    let line = approach::line_of(field, aim)?;
    let track = line.track(field);
    let spent = spent(line.gap, Some(line.allowance));
    let ghost = stands(field, aim.unit, formation(field, aim.unit), line.contact());
    Some(Ghost { trail: trail(&track), spent, ..ghost })
}

fn ridden(field: &Field, side: Side, order: &Order) -> Option<Ghost> {
    let (who, to) = match order {
        Order::Ride { commander, to } => (*commander, generals::ride_pose(field, *commander, *to)),
        Order::Join { commander, unit } if field.unit(*unit).is_present() => {
            (*commander, generals::join_pose(field, *commander, *unit)?)
        }
        _ => return None,
    };
    if field.muster().commander(who).side != side || !field.commander(who).is_present() {
        return None;
    }
    let cost = field.commander(who).pose.at.distance(to.at);
    Some(Ghost { spent: spent(cost, Some(generals::reach(field))), ..officer(field, who, to) })
}
