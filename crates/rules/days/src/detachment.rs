//! Parts of units: skirmish screens, squadrons, horse holders, gunners away from their guns.,
//! sections 9 and 12.3.

pub mod split;

pub use split::{may_split, split_squadron};

use super::Days;
use super::field::Field;
use super::order::Order;
use engine::{Side, Umpire, UnitId, Verdict, View};
use table::Pose;

/// Judges `Screen`, `Recall`, `Man`, `Regroup`.
pub fn check(_view: &View<'_, Days>, _side: Side, _order: &Order) -> Verdict {
    Verdict::default()
}

/// Carries `Screen`, `Recall`, `Man`, `Regroup` out.
pub fn execute(_umpire: &mut Umpire<'_, Days>, _side: Side, _order: &Order) {}

/// After the Close Assault Phase: squadrons near their regiment reunite, screens whose parent charged are taken in.
pub fn reunite(_umpire: &mut Umpire<'_, Days>) {}

/// A screen runs back: half a rout distance; rejoins and disorders its parent if it reaches it.
pub fn screen_runs(_umpire: &mut Umpire<'_, Days>, _screen: UnitId, _from: UnitId) {}

/// Gunners leave their guns: the crew part is placed.
pub fn crew_leaves(_umpire: &mut Umpire<'_, Days>, _battery: UnitId, _to: Pose) {}

/// The unit dismounts: holders stay where it was (empire.9.3-b). `Mount` is the other way round.
pub fn dismount(_umpire: &mut Umpire<'_, Days>, _unit: UnitId) {}

/// The unit mounts again.
pub fn mount(_umpire: &mut Umpire<'_, Days>, _unit: UnitId) {}

/// Whether a unit has fighters by its horses and may mount again.
pub fn may_mount(_field: &Field, _unit: UnitId) -> Verdict {
    Verdict::default()
}
