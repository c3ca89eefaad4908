//! What follows every move of a unit, whoever moved it.

use super::Days;
use super::charts::reach;
use super::field::{is_there, troops};
use super::movement::carry;
use super::unit::Crest;
use super::{ground, hidden, passing, staff, works};
use engine::{Umpire, UnitId};
use table::Pose;

/// After a unit moved from a pose: generals come along, enemies on their own are ridden
/// down, the ground does its work, woods are found out, enemies remember
/// it passing, hidden troops are seen.
pub fn moved(umpire: &mut Umpire<'_, Days>, unit: UnitId, from: Pose) {
    moved_to_crest(umpire, unit, from, from, None);
}

/// The same for a part of a march that began in the pose `began`, of a unit whose owner has said where it stands if that
/// is at a crest. Where nobody said anything, whoever hardly stirred stays as he was and anybody else shows himself.
pub fn moved_to_crest(umpire: &mut Umpire<'_, Days>, unit: UnitId, from: Pose, began: Pose, crest: Option<Crest>) {
    if !is_there(umpire.state(), unit) {
        return;
    }
    let field = umpire.state();
    let stirred = field.unit(unit).pose().at.distance(began.at) > reach(field.charts().constant.crest);
    let kept = troops(field, unit).crest.filter(|_| !stirred);
    carry::at_crest(umpire, unit, crest.or(kept));
    staff::follow(umpire, unit);
    staff::ridden_over(umpire, unit, from);
    works::find_woods(umpire, unit);
    ground::settle(umpire, unit);
    passing::record(umpire, unit, from);
    hidden::discover(umpire);
}
