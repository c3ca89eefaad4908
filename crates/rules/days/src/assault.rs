//! skeleton: owner = assault
//! 5.1 to 5.4 and 2.2: close assault, reinforcement, results, compulsory moves, break-throughs. Section 17.5, C-18 to C-20, A-58 to.

use super::Days;
use super::order::Order;
use super::sequence::Given;
use engine::{Flow, Umpire, UnitId, Verdict, View};
use serde::{Deserialize, Serialize};

/// How far the fights have got.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Assault {}

/// 2.2: units struck by a break-through last turn test; who fails routs, and the victor goes on.
pub fn break_throughs(_umpire: &mut Umpire<'_, Days>) {}

/// 5.1: routers in contact, first and apart.
pub fn routers(_umpire: &mut Umpire<'_, Days>) {}

/// 5.2 to 5.4.
pub fn advance(_umpire: &mut Umpire<'_, Days>, _assault: Assault) -> Flow<Days> {
    Flow::Done
}

/// Judges who stays and who does not follow.
pub fn check(_view: &View<'_, Days>, _stay: &[UnitId], _follow: &[UnitId], _order: &Order) -> Verdict {
    Verdict::default()
}

/// Takes the choices down.
pub fn execute(_umpire: &mut Umpire<'_, Days>, _given: Given) {}

/// Judges the wheel of a victor whose enemy is gone.
pub fn check_go_on(_view: &View<'_, Days>, _unit: UnitId, _order: &Order) -> Verdict {
    Verdict::default()
}

/// Goes on.
pub fn execute_go_on(_umpire: &mut Umpire<'_, Days>, _unit: UnitId, _given: Given) {}
