//! What a unit that stood its test may do: stand, change formation or face, get out of the way. C-17, days.10.2-a,
//! 10.3-c, 17.2.7-f, 17.4.16, A-57, A-102, A-116, A-118.

use crate::Days;
use crate::charge::drive::is_in_the_open;
use crate::charge::{declined_or_misplaced, did, name};
use crate::charts::reach;
use crate::clause::Clause;
use crate::event::Doing;
use crate::field::{self, Field, facts, skirmishes, state, troops};
use crate::formation::{Formation, Shape};
use crate::ground::{self, Land};
use crate::order::Order;
use crate::unit::{Arm, Part, Trait};
use crate::{evolution, rout, settle, space};
use engine::{Deed, Event, Umpire, UnitId, Verdict, View};
use table::march::{Leg, Track};
use table::{Angle, Point, Pose};

/// Skirmishers in the open give way to formed chargers if they can (days.17.2.7-f).
pub fn must_evade(field: &Field, unit: UnitId, by: &[UnitId]) -> bool {
    skirmishes(field, unit)
        && facts(field, unit).part_kind() != Some(Part::Crew)
        && can_evade(field, unit).is_legal()
        && is_in_the_open(field, unit)
        && by.iter().any(|charger| field::is_formed(field, *charger))
}

/// All reasons why a unit cannot evade at all.
pub fn can_evade(field: &Field, unit: UnitId) -> Verdict {
    let mut verdict = Verdict::fine();
    let kind = facts(field, unit);
    let horse_guns = field::is_limbered(field, unit) && kind.is(Trait::Horse);
    let may = skirmishes(field, unit)
        || kind.part_kind() == Some(Part::Crew)
        || kind.arm == Arm::Engineers
        || (field::is_deployed(field, unit) && !state(field, unit).crew_away)
        || horse_guns;
    if !may {
        let (clause, text) = if field::is_limbered(field, unit) {
            (Clause::SavingTheGuns, "only horse artillery gets away with its guns")
        } else {
            (Clause::WhoCanEvade, "only skirmishers, gunners, staff and limbered horse artillery evade")
        };
        verdict.refuse(clause, text).about(unit);
    }
    if state(field, unit).to_ground {
        verdict.refuse(Clause::GettingUpAgain, "it has gone to ground and cannot evade").about(unit);
    }
    if troops(field, unit).charge.is_some() {
        verdict.refuse(Clause::WhoCanEvade, "it is charging itself").about(unit);
    }
    verdict
}

/// Foot gunners stand to their guns, or run behind something (days.10.2-a).
fn needs_shelter(field: &Field, unit: UnitId) -> bool {
    field::is_deployed(field, unit) && !facts(field, unit).is(Trait::Horse)
}

/// Whether there is anything to choose.
pub fn has_choice(field: &Field, unit: UnitId, by: &[UnitId]) -> bool {
    if must_evade(field, unit, by) {
        return is_shelter_near(field, unit);
    }
    let evades = can_evade(field, unit).is_legal() && (!needs_shelter(field, unit) || is_shelter_near(field, unit));
    evades || can_turn(field, unit) || formations(field, unit).next().is_some()
}

/// Whether trees, houses, broken ground or friends are near enough to run to.
fn is_shelter_near(field: &Field, unit: UnitId) -> bool {
    let far = rout::evading_distance(field, unit);
    let quad = field.unit(unit).quad();
    let skirmishers = skirmishes(field, unit);
    let shelters = |patch: &ground::Patch<'_>| {
        matches!(patch.land, Land::Wood | Land::Urban | Land::Obstacle) || (skirmishers && patch.difficult)
    };
    let mut friends = field::present(field, field.side_of(unit));
    ground::patches(field).any(|patch| shelters(&patch) && patch.shape.gap_to(quad) <= far.as_f64())
        || friends.any(|(id, friend)| {
            facts(field, id).arm == Arm::Infantry && id != unit && !field::surely_beyond(quad, friend.quad(), far)
        })
}

/// Formations a unit may take in the face of a charge.
fn formations(field: &Field, unit: UnitId) -> impl Iterator<Item = Formation> + '_ {
    let now = field::formation(field, unit);
    let shapes = Shape::ALL.iter().copied().map(Formation::usual);
    shapes.filter(move |to| *to != now && form(field, unit, *to).is_legal())
}

/// All reasons why it may not change formation now.
fn may_change(field: &Field, unit: UnitId) -> Verdict {
    let mut verdict = Verdict::fine();
    let mut refuse = |clause: Clause, text: &'static str| {
        verdict.refuse(clause, text).about(unit);
    };
    if troops(field, unit).turn.reformed {
        refuse(Clause::OneChangePerTurn, "it has changed formation this turn");
    }
    if state(field, unit).to_ground {
        refuse(Clause::GettingUpAgain, "it has gone to ground and cannot change formation");
    }
    if troops(field, unit).charge.is_some() {
        refuse(Clause::DeadStraightToTheEnd, "it is charging itself");
    }
    verdict
}

/// All reasons against a new formation.
fn form(field: &Field, unit: UnitId, to: Formation) -> Verdict {
    let mut verdict = may_change(field, unit);
    let pace = reach(evolution::pace(field, unit, field::formation(field, unit)).normal);
    match evolution::cost(field, unit, to) {
        None => {
            verdict.refuse(Clause::WhatIsAFormationChange, "there is no such change of formation").about(unit);
            return verdict;
        }
        Some(cost) if cost > pace => {
            let text = format!("there is no time for it: it takes {cost} of {pace}");
            verdict.refuse(Clause::WhatIsAFormationChange, text).about(unit);
        }
        Some(_) => {}
    }
    let allowed = evolution::may_form(field, unit, to);
    verdict.refusals.extend(allowed.refusals);
    let pose = evolution::reformed_pose(field, unit, to);
    among_trees(field, unit, pose, to, &mut verdict);
    room(field, unit, pose, to, &mut verdict);
    verdict
}

fn among_trees(field: &Field, unit: UnitId, pose: Pose, formation: Formation, verdict: &mut Verdict) {
    if evolution::changes_among_heavy_trees(field, unit, pose, formation) {
        verdict.refuse(Clause::ReFormingAmongTrees, "nobody changes formation in a heavy wood").about(unit);
    }
}

fn room(field: &Field, unit: UnitId, pose: Pose, formation: Formation, verdict: &mut Verdict) {
    for other in space::crowded(field, unit, pose, formation) {
        let text = format!("{} leaves no room for it", name(field, other));
        verdict.refuse(Clause::WhatIsAFormationChange, text).about(unit);
    }
    if !field.ground().holds(&field.footprint(unit, formation).quad(pose)) {
        verdict.refuse(Clause::WhatIsAFormationChange, "it would stand off the table").about(unit);
    }
}

/// Whether it may turn to face a charger.
fn can_turn(field: &Field, unit: UnitId) -> bool {
    let facing = field.unit(unit).pose().facing;
    let turns = [Angle::EAST, Angle::SOUTH, Angle::WEST];
    field::has_flanks(field, unit)
        && !field::is_battery(field, unit)
        && turns.into_iter().any(|by| turn(field, unit, facing + by).is_legal())
}

/// All reasons against turning on the spot: by a quarter or about.
fn turn(field: &Field, unit: UnitId, facing: Angle) -> Verdict {
    let mut verdict = may_change(field, unit);
    let (pose, formation) = (field.unit(unit).pose(), field::formation(field, unit));
    let quarters = [Angle::EAST, Angle::SOUTH, Angle::WEST];
    if !quarters.into_iter().any(|by| pose.facing + by == facing) {
        let text = "it may turn by a quarter or about, and no other way";
        verdict.refuse(Clause::WhatIsAFormationChange, text).about(unit);
        return verdict;
    }
    if field::is_battery(field, unit) {
        verdict.refuse(Clause::WhatIsAFormationChange, "guns are not turned in the face of a charge").about(unit);
    }
    let evolution = &field.charts().evolution;
    let cost = reach(if field::is_mounted(field, unit) { evolution.cavalry_turn } else { evolution.turn });
    let pace = reach(evolution::pace(field, unit, formation).normal);
    if cost > pace {
        let text = format!("there is no time for it: it takes {cost} of {pace}");
        verdict.refuse(Clause::WhatIsAFormationChange, text).about(unit);
    }
    let pose = turned(field, unit, facing);
    among_trees(field, unit, pose, formation, &mut verdict);
    room(field, unit, pose, formation, &mut verdict);
    verdict
}

/// Where the body is after turning on its flag, or about on the spot.
fn turned(field: &Field, unit: UnitId, facing: Angle) -> Pose {
    let (pose, footprint) = (field.unit(unit).pose(), field.footprint(unit, field::formation(field, unit)));
    let leg = if facing == pose.facing.reversed() { Leg::About } else { Leg::Turn(facing - pose.facing) };
    Track::plot(pose, footprint, &[leg]).end()
}

/// Judges a reaction.
pub fn check(view: &View<'_, Days>, unit: UnitId, by: &[UnitId], order: &Order) -> Verdict {
    let field: &Field = view;
    let mut verdict = Verdict::fine();
    if must_evade(field, unit, by) && !matches!(order, Order::Evade { .. } | Order::Pass) {
        let text = "skirmishers in the open give way to formed troops";
        verdict.refuse(Clause::SkirmishersGiveWay, text).about(unit);
    }
    let more = match order {
        Order::Stand => Verdict::fine(),
        Order::Reform { formation, facing } => reforming(field, unit, *formation, *facing),
        Order::Evade { to } => evading_to(field, unit, by, *to),
        _ => declined_or_misplaced(order, Clause::TargetsTestOnceAllHaveMoved),
    };
    verdict.refusals.extend(more.refusals);
    verdict.cautions.extend(more.cautions);
    verdict
}

fn reforming(field: &Field, unit: UnitId, formation: Formation, facing: Option<Angle>) -> Verdict {
    let pose = field.unit(unit).pose();
    let facing = facing.filter(|facing| *facing != pose.facing);
    match (formation == field::formation(field, unit), facing) {
        (true, Some(facing)) => turn(field, unit, facing),
        (false, None) => form(field, unit, formation),
        (true, None) => Verdict::refused(Clause::WhatIsAFormationChange, "it stands so already"),
        (false, Some(_)) => {
            let mut verdict = form(field, unit, formation);
            let text = "a new formation and a turn are two changes";
            verdict.refuse(Clause::OneChangePerTurn, text).about(unit);
            verdict
        }
    }
}

fn evading_to(field: &Field, unit: UnitId, by: &[UnitId], to: Option<Point>) -> Verdict {
    let mut verdict = can_evade(field, unit);
    match (to, by.first()) {
        (Some(place), Some(charger)) => {
            let more = rout::may_evade_to(field, unit, *charger, place);
            verdict.refusals.extend(more.refusals);
            verdict.cautions.extend(more.cautions);
        }
        (None, _) if needs_shelter(field, unit) => {
            let text = "foot gunners stand to their guns, or run behind cover or friendly infantry";
            verdict.refuse(Clause::GunnersUnderACharge, text).about(unit);
        }
        _ => {}
    }
    verdict
}

/// Changes formation, or turns.
pub fn reform(umpire: &mut Umpire<'_, Days>, unit: UnitId, formation: Formation, facing: Option<Angle>) {
    let field = umpire.state();
    let from = field.unit(unit).pose();
    let turn = facing.filter(|facing| *facing != from.facing && formation == field::formation(field, unit));
    let to = match turn {
        Some(facing) => turned(field, unit, facing),
        None => evolution::reformed_pose(field, unit, formation),
    };
    let event = Event::new(Clause::TargetsTestOnceAllHaveMoved, Deed::Reformed { unit, formation, to });
    umpire.announce(event.also(Clause::WhatIsAFormationChange).also_if(turn.is_none(), Clause::FacingAfterReForming));
    settle::moved(umpire, unit, from);
    did(umpire, unit, Doing::Reformed, &[Clause::OneChangePerTurn]);
    did(umpire, unit, Doing::Stood, &[Clause::TargetsTestOnceAllHaveMoved, Clause::WhoHasToTest]);
}
