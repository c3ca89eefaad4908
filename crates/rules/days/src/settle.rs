//! What follows every move of a unit, whoever moved it.

use super::Days;
use super::field::is_there;
use super::{ground, hidden, passing, staff, works};
use engine::{Umpire, UnitId};
use table::Pose;

/// After a unit moved from a pose: generals come along, enemies on their own are ridden
/// down, the ground does its work, woods are found out, enemies remember
/// it passing, hidden troops are seen.
pub fn moved(umpire: &mut Umpire<'_, Days>, unit: UnitId, from: Pose) {
    if !is_there(umpire.state(), unit) {
        return;
    }
    staff::follow(umpire, unit);
    staff::ridden_over(umpire, unit, from);
    works::find_woods(umpire, unit);
    ground::settle(umpire, unit);
    passing::record(umpire, unit, from);
    hidden::discover(umpire);
}
