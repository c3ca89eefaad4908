//! Changes of formation: who may, what they cost, where they leave the command stand. Sections 8, 9, 12 and 17.4.7,
//! C-12, C-14, A-41 to.

use super::charts::{Pace, Toll, count as figure, reach};
use super::clause::Clause;
use super::field::{self, Field, by_book, facts, state, troops};
use super::formation::{Formation, Shape};
use super::ground;
use super::settings::Weight;
use super::unit::{Arm, Facts, Part, Trait};
use engine::{UnitId, Verdict};
use smallvec::SmallVec;
use table::{Length, Pose};

/// The allowances of a unit in a formation (C-12), as it is mounted now.
pub fn pace(field: &Field, unit: UnitId, formation: Formation) -> &Pace {
    pace_as(field, unit, formation, field::is_mounted(field, unit))
}

/// The same for a unit that is, or will be, in the saddle or not.
pub fn pace_as(field: &Field, unit: UnitId, formation: Formation, mounted: bool) -> &Pace {
    let paces = &field.charts().pace;
    let facts = facts(field, unit);
    match facts.arm {
        _ if facts.part_kind() == Some(Part::Crew) => &paces.crew,
        _ if facts.part_kind() == Some(Part::Holders) => &paces.cavalry_leading,
        Arm::Cavalry if mounted => match formation.shape {
            Shape::Column => &paces.cavalry_column,
            Shape::Skirmish => &paces.cavalry_skirmish,
            _ => &paces.cavalry_line,
        },
        Arm::Cavalry if formation.shape == Shape::Skirmish => &paces.cavalry_dismounted,
        Arm::Infantry | Arm::Cavalry => match formation.shape {
            Shape::March => &paces.infantry_march,
            Shape::Manoeuvre | Shape::Column => &paces.infantry_manoeuvre,
            Shape::Skirmish => &paces.infantry_skirmish,
            Shape::Square => &paces.infantry_square,
            _ => &paces.infantry_line,
        },
        Arm::Artillery if formation.is_deployed() => &paces.guns_by_hand,
        Arm::Artillery if facts.is(Trait::Siege) => &paces.guns_siege,
        Arm::Artillery if facts.is(Trait::Horse) && !short_of_horses(field, unit) => &paces.guns_horse,
        Arm::Artillery => &paces.guns_foot,
        Arm::Engineers => &paces.engineers,
        Arm::Wagon => &paces.wagon,
    }
}

/// Whether a horse battery has lost so many horses that it moves as foot artillery does (days.10.3-e).
pub fn short_of_horses(field: &Field, unit: UnitId) -> bool {
    facts(field, unit).is(Trait::Horse)
        && u32::from(troops(field, unit).horses) <= figure(field.charts().damage.as_foot_at)
}

/// Whether a battery has too few horses to move its guns at all.
pub fn is_stuck(field: &Field, unit: UnitId) -> bool {
    field::is_battery(field, unit) && u32::from(troops(field, unit).horses) <= figure(field.charts().damage.stuck_at)
}

/// What a unit may move in a formation: its pace, halved for a team that has lost too many horses.
pub fn allowance(field: &Field, unit: UnitId, formation: Formation, mounted: bool) -> Length {
    let normal = reach(pace_as(field, unit, formation, mounted).normal);
    halved_for_horses(field, unit, formation, normal)
}

/// A distance, or half of it for a team that has lost too many horses.
pub fn halved_for_horses(field: &Field, unit: UnitId, formation: Formation, distance: Length) -> Length {
    let drawn = field::is_battery(field, unit) && !formation.is_deployed();
    let horses = u32::from(troops(field, unit).horses);
    if !drawn || horses > figure(field.charts().damage.half_pace_at) {
        distance
    } else if is_stuck(field, unit) {
        Length::ZERO
    } else {
        distance.half()
    }
}

/// What a change of formation costs; none where there is no such change. The whole move is `Length::MAX`.
pub fn cost(field: &Field, unit: UnitId, to: Formation) -> Option<Length> {
    change(field, unit, field::formation(field, unit), to, field::is_mounted(field, unit)).map(|(cost, _)| cost)
}

/// What the change from one formation to another costs, and by which clause (C-14). Mounting and dismounting are no
/// changes of this kind: see [`mounting`].
pub fn change(field: &Field, unit: UnitId, from: Formation, to: Formation, mounted: bool) -> Option<(Length, Clause)> {
    let table = &field.charts().evolution;
    let facts = facts(field, unit);
    if from == to {
        return None;
    }
    if facts.arm == Arm::Cavalry && mounted {
        return change_mounted(field, from, to);
    }
    if facts.is_battery() {
        return limbering(field, unit, from, to);
    }
    let row = |cell, clause| Some((reach(cell), clause));
    let change = Clause::WhatIsAFormationChange;
    let square = by_book(field, Clause::WhatIsAFormationChange, Clause::HowSquaresAreFormed);
    let bend = if to.is_bent() { reach(table.bend) } else { Length::ZERO };
    let (cost, clause) = match pair(from.shape, to.shape) {
        (Shape::Line, Shape::Line) => return row(table.bend, Clause::BendingALine),
        (Shape::March, Shape::March) => return row(table.march_width, Clause::TheMarchColumn),
        (Shape::Line, Shape::Manoeuvre) => row(table.line_column, change),
        (Shape::March, Shape::Manoeuvre) => row(table.march_column, change),
        (Shape::Line, Shape::March) => row(table.march_line, change),
        (Shape::Line | Shape::March | Shape::Manoeuvre, Shape::Skirmish) => row(table.skirmish, change),
        (Shape::Line | Shape::Manoeuvre, Shape::Square) => row(table.square, square),
        (Shape::March, Shape::Square) => row(table.square_march, square),
        _ => None,
    }?;
    Some((cost + bend, clause))
}

/// Two shapes in the order of the enum, since every change costs the same both ways.
fn pair(a: Shape, b: Shape) -> (Shape, Shape) {
    if a <= b { (a, b) } else { (b, a) }
}

fn change_mounted(field: &Field, from: Formation, to: Formation) -> Option<(Length, Clause)> {
    let table = &field.charts().evolution;
    let skirmish = by_book(field, Clause::SkirmishingOnHorsebackIron, Clause::SkirmishingOnHorsebackEmpire);
    match pair(from.shape, to.shape) {
        (Shape::Column, Shape::Column) => Some((reach(table.march_width), Clause::KindsOfColumn)),
        (Shape::Line, Shape::Column) => Some((reach(table.cavalry_line_column), Clause::WhatIsAFormationChange)),
        (Shape::Line, Shape::Skirmish) | (Shape::Skirmish, Shape::Column) => {
            Some((reach(table.cavalry_skirmish), skirmish))
        }
        _ => None,
    }
}

/// Limbering up, unlimbering, or closing up and spreading out guns by hand.
fn limbering(field: &Field, unit: UnitId, from: Formation, to: Formation) -> Option<(Length, Clause)> {
    let table = &field.charts().evolution;
    let facts = facts(field, unit);
    let driven = [from, to].map(|formation| formation.shape == Shape::Limbered);
    match driven {
        [true, true] => None,
        // Guns are pushed together or apart as they are pushed about.
        [false, false] => Some((reach(table.pivot), Clause::ReFormingAndMovingOn)),
        _ if facts.is(Trait::Siege) => {
            let cost = match table.limber_siege.value {
                Toll::Of(length) => length,
                Toll::Whole | Toll::Barred => Length::MAX,
            };
            Some((cost, Clause::ReFormingAndMovingOn))
        }
        [false, true] if facts.is(Trait::Horse) => Some((reach(table.limber_horse), Clause::ShootAndBeOff)),
        [true, false] if facts.is(Trait::Horse) => Some((reach(table.limber_horse), Clause::DriveUpAndUnlimber)),
        _ => Some((reach(table.limber_foot), Clause::ReFormingAndMovingOn)),
    }
}

/// What mounting or dismounting costs.
pub fn mounting(field: &Field) -> (Length, Clause) {
    (
        reach(field.charts().evolution.mounting),
        by_book(field, Clause::SkirmishingOnFootIron, Clause::SkirmishingOnFootEmpire),
    )
}

/// What turning by a right angle or about costs.
pub fn turning(field: &Field, unit: UnitId) -> Length {
    let table = &field.charts().evolution;
    reach(if field::is_mounted(field, unit) { table.cavalry_turn } else { table.turn })
}

/// Whether a unit may ever stand in a formation, with all reasons against it.
pub fn may_form(field: &Field, unit: UnitId, to: Formation) -> Verdict {
    may_form_as(field, unit, to, field::is_mounted(field, unit))
}

/// The same for a unit that is, or will be, in the saddle or not.
pub fn may_form_as(field: &Field, unit: UnitId, to: Formation, mounted: bool) -> Verdict {
    let mut verdict = Verdict::fine();
    let facts = facts(field, unit);
    let mut refuse = |clause: Clause, text: &'static str| {
        verdict.refuse(clause, text).about(unit);
    };
    match facts.arm {
        _ if matches!(facts.part_kind(), Some(Part::Screen | Part::Crew | Part::Holders)) => {
            if to.shape != Shape::Skirmish {
                refuse(Clause::ASkirmishScreen, "men sent out stand in open order and in nothing else");
            }
        }
        Arm::Artillery => {
            if !matches!(to.shape, Shape::Limbered | Shape::Deployed | Shape::Massed) {
                refuse(Clause::KindsOfColumn, "a battery is limbered or in action, nothing else");
            }
        }
        Arm::Engineers | Arm::Wagon => {
            if matches!(to.shape, Shape::Limbered | Shape::Deployed | Shape::Massed | Shape::Square | Shape::Column) {
                refuse(Clause::KindsOfColumn, "it does not form up like that");
            }
        }
        Arm::Cavalry if mounted => form_mounted(field, facts, to, &mut refuse),
        Arm::Cavalry => form_on_foot(field, unit, to, &mut refuse),
        Arm::Infantry => form_foot(field, facts, to, &mut refuse),
    }
    shape_of(field, unit, to, &mut refuse);
    verdict
}

/// What numbers say about a shape.
fn shape_of(field: &Field, unit: UnitId, to: Formation, refuse: &mut dyn FnMut(Clause, &'static str)) {
    let count = field::count(field, unit);
    if to.shape == Shape::Square && u32::from(count) < figure(field.charts().constant.square_least) {
        refuse(square_clause(field, Clause::TheSmallestSquare), "too few stands are left for a square");
    }
    // At least two stands lie to either side of a joint.
    if to.joints().last().is_some_and(|bend| bend.after + 2 > count) {
        refuse(Clause::BendingALine, "at least two stands belong to each part of a bent line");
    }
}

fn square_clause(field: &Field, empire: Clause) -> Clause {
    by_book(field, Clause::WhatIsAFormationChange, empire)
}

fn form_foot(field: &Field, facts: &Facts, to: Formation, refuse: &mut dyn FnMut(Clause, &'static str)) {
    match to.shape {
        Shape::Skirmish => {
            if u32::from(facts.class) < figure(field.charts().constant.skirmish_class) {
                refuse(Clause::WhoMaySkirmish, "raw infantry does not skirmish");
            }
        }
        Shape::Square => {
            if !field::squares_allowed(field) {
                refuse(Clause::WhatIsAFormationChange, "this book knows no squares");
            }
            if !facts.is(Trait::LineInfantry) || facts.is(Trait::Irregular) {
                refuse(square_clause(field, Clause::WhoMayFormSquare), "only regular line infantry forms square");
            }
        }
        Shape::Column | Shape::Limbered | Shape::Deployed | Shape::Massed => {
            refuse(Clause::KindsOfColumn, "infantry has march and manoeuvre columns, lines and skirmish order");
        }
        Shape::Line | Shape::Manoeuvre if facts.is(Trait::SkirmishOnly) => {
            refuse(Clause::ShoulderToShoulder, "these men fight in open order only");
        }
        Shape::Line | Shape::March | Shape::Manoeuvre => {}
    }
}

fn form_mounted(field: &Field, facts: &Facts, to: Formation, refuse: &mut dyn FnMut(Clause, &'static str)) {
    match to.shape {
        Shape::Skirmish if field.charts().switch.light_only.value && !facts.is(Trait::Light) => {
            refuse(Clause::WhatHeaviesAreFor, "only light cavalry skirmishes on horseback");
        }
        Shape::Line if to.is_bent() => refuse(Clause::BendingALine, "mounted lines are straight"),
        Shape::Line | Shape::Column | Shape::Skirmish => {}
        _ => refuse(Clause::KindsOfColumn, "mounted cavalry has line, one kind of column and skirmish order"),
    }
}

/// Cavalry that has left its horses.
fn form_on_foot(field: &Field, unit: UnitId, to: Formation, refuse: &mut dyn FnMut(Clause, &'static str)) {
    let formed = field.charts().switch.light_only.value;
    let skirmish = by_book(field, Clause::SkirmishingOnFootIron, Clause::SkirmishingOnFootEmpire);
    match to.shape {
        Shape::Skirmish => {}
        _ if !formed => refuse(skirmish, "dismounted cavalry skirmishes"),
        _ if state(field, unit).holders_lost => {
            refuse(Clause::OnFootForGood, "without its horses it fights on as skirmishers");
        }
        Shape::Square => refuse(square_clause(field, Clause::WhoMayFormSquare), "dismounted cavalry forms no square"),
        Shape::Line | Shape::March | Shape::Manoeuvre => {}
        _ => refuse(Clause::LeavingTheHorses, "on foot it forms as infantry does"),
    }
}

/// Why a unit may not dismount, all reasons.
pub fn may_dismount(field: &Field, unit: UnitId) -> Verdict {
    let mut verdict = Verdict::fine();
    let facts = facts(field, unit);
    let clause = by_book(field, Clause::SkirmishingOnFootIron, Clause::LeavingTheHorses);
    if !field::is_mounted(field, unit) {
        verdict.refuse(clause, "only mounted cavalry has horses to leave").about(unit);
    } else if facts.part.is_some() {
        verdict.refuse(clause, "a squadron on its own does not dismount").about(unit);
    } else if field.charts().switch.light_only.value && !facts.is(Trait::Light) && !facts.is(Trait::MayDismount) {
        verdict.refuse(clause, "only light cavalry, and such heavies as were trained for it, dismounts").about(unit);
    }
    verdict
}

/// How cavalry sits when it mounts.
pub fn mounted_as(field: &Field, unit: UnitId) -> Formation {
    let usual = Formation::usual;
    match field::shape(field, unit) {
        Shape::Skirmish if may_form_as(field, unit, usual(Shape::Skirmish), true).is_legal() => usual(Shape::Skirmish),
        Shape::March | Shape::Manoeuvre | Shape::Column => usual(Shape::Column),
        _ => usual(Shape::Line),
    }
}

/// The column in which a unit marches.
pub fn marching(field: &Field, unit: UnitId) -> Formation {
    let now = field::formation(field, unit);
    if now.is_column() && now.shape != Shape::Manoeuvre {
        return now;
    }
    Formation::usual(match facts(field, unit).arm {
        Arm::Cavalry if field::is_mounted(field, unit) => Shape::Column,
        Arm::Artillery => Shape::Limbered,
        _ if facts(field, unit).part_kind().is_some() => Shape::Skirmish,
        Arm::Engineers | Arm::Wagon => now.shape,
        Arm::Infantry | Arm::Cavalry => Shape::March,
    })
}

/// Formations a unit could change into from the one it is in, plain ones: for prompts, reactions and candidates.
pub fn choices(field: &Field, unit: UnitId) -> SmallVec<[Formation; 6]> {
    let now = field::formation(field, unit);
    let single = |shape| Formation { files: 1, ..Formation::usual(shape) };
    let all = Shape::ALL.iter().map(|shape| Formation::usual(*shape)).chain([single(Shape::March)]);
    all.filter(|to| *to != now && cost(field, unit, *to).is_some() && may_form(field, unit, *to).is_legal()).collect()
}

/// Where the body is after the change: the command stand keeps its place and facing.
pub fn reformed_pose(field: &Field, unit: UnitId, to: Formation) -> Pose {
    pose_after(field, unit, field.unit(unit).pose(), field::formation(field, unit), to)
}

/// The same from any pose and formation.
pub fn pose_after(field: &Field, unit: UnitId, pose: Pose, from: Formation, to: Formation) -> Pose {
    let (facts, count) = (facts(field, unit), field::count(field, unit));
    facts.body_pose(to, count, facts.command_pose(from, count, pose))
}

/// Whether some stand of a unit, standing so, is in heavy wood, where no formation is changed (days.17.4.7-c).
pub fn among_heavy_trees(field: &Field, unit: UnitId, pose: Pose, formation: Formation) -> bool {
    let stands = field::stands_at(field, unit, pose, formation);
    ground::patches_near(field, ground::around(&stands)).any(|patch| {
        patch.land == ground::Land::Wood
            && patch.weight == Weight::Heavy
            && stands.iter().any(|stand| patch.shape.overlaps_quad(stand))
    })
}

/// Whether a change that leaves a unit standing so is made in a heavy wood, before or after (days.17.4.7-c).
pub fn changes_among_heavy_trees(field: &Field, unit: UnitId, pose: Pose, formation: Formation) -> bool {
    let now = field.unit(unit);
    among_heavy_trees(field, unit, now.pose(), now.body.formation) || among_heavy_trees(field, unit, pose, formation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_the_same_both_ways() {
        for a in Shape::ALL.iter().copied() {
            for b in Shape::ALL.iter().copied() {
                assert_eq!(pair(a, b), pair(b, a));
            }
        }
        assert_eq!(pair(Shape::Square, Shape::March), (Shape::March, Shape::Square));
        assert_eq!(pair(Shape::Column, Shape::Skirmish), (Shape::Skirmish, Shape::Column));
    }
}
