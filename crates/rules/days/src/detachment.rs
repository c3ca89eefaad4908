//! Parts of units: skirmish screens, squadrons, horse holders, gunners away from their guns.,
//! sections 9 and 12.3.

pub mod crew;
pub mod horses;
pub mod screen;
pub mod split;
#[cfg(test)]
mod tests;

pub use crew::crew_leaves;
pub use horses::{dismount, may_mount, mount};
pub use screen::{rejoin, screen_runs};
pub use split::{may_split, split_squadron};

use super::Days;
use super::charts::reach;
use super::clause::Clause;
use super::field::{self, Field, facts, is_there, troops};
use super::order::Order;
use super::unit::Part;
use engine::{Side, Umpire, UnitId, Verdict, View};

/// Judges `Screen`, `Recall`, `Man`, `Regroup`.
pub fn check(view: &View<'_, Days>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    match order {
        Order::Screen { unit, stands, pose } => screen::judge(view, side, *unit, *stands, *pose, &mut verdict),
        Order::Recall { unit } => screen::judge_recall(view, side, *unit, &mut verdict),
        Order::Man { battery } => crew::judge_return(view, side, *battery, &mut verdict),
        Order::Regroup { battery, crew } => crew::judge_regroup(view, side, *battery, crew, &mut verdict),
        _ => drop(verdict.refuse(Clause::ASkirmishScreen, "this is no order for parts of units")),
    }
    verdict
}

/// Carries `Screen`, `Recall`, `Man`, `Regroup` out.
pub fn execute(umpire: &mut Umpire<'_, Days>, side: Side, order: &Order) {
    match order {
        Order::Screen { unit, stands, pose } if is_own(umpire.state(), side, *unit) => {
            screen::send_out(umpire, *unit, *stands, *pose);
        }
        Order::Recall { unit } if is_own(umpire.state(), side, *unit) => screen::recall(umpire, *unit),
        Order::Man { battery } if is_own(umpire.state(), side, *battery) => crew::come_back(umpire, *battery),
        Order::Regroup { battery, crew } if is_own(umpire.state(), side, *battery) => {
            crew::regroup(umpire, *battery, crew);
        }
        _ => {}
    }
}

/// Whether this is a unit of the side that stands on the table.
fn is_own(field: &Field, side: Side, unit: UnitId) -> bool {
    unit.index() < field.muster().units.len() && field.side_of(unit) == side && is_there(field, unit)
}

/// Parts of one kind that are out, in roster order.
fn out(field: &Field, kind: Part) -> Vec<UnitId> {
    field
        .units()
        .filter(|(_, unit)| unit.is_present())
        .map(|(id, _)| id)
        .filter(|id| facts(field, *id).part_kind() == Some(kind))
        .collect()
}

/// After the Close Assault Phase: squadrons near their regiment reunite, screens whose parent charged are taken in.
pub fn reunite(umpire: &mut Umpire<'_, Days>) {
    let within = reach(umpire.charts().constant.squadron_reunite);
    for squadron in out(umpire.state(), Part::Squadron) {
        let field = umpire.state();
        let regiment = field::whole(field, squadron);
        let busy = |id| !troops(field, id).contact.is_empty() || troops(field, id).broke_into.is_some();
        let near = is_there(field, regiment) && field::within(field, squadron, regiment, within);
        if near && !busy(squadron) && !busy(regiment) {
            split::take_in(umpire, squadron, Clause::FollowingIntoOneFight);
        }
    }
    for screen in out(umpire.state(), Part::Screen) {
        let field = umpire.state();
        let parent = troops(field, field::whole(field, screen));
        if parent.turn.charged && parent.contact.is_empty() {
            split::take_in(umpire, screen, Clause::ThroughOnesOwnScreen);
        }
    }
}
