//! skeleton: owner = lead
use super::Fpw;
use super::field::Field;
use super::order::Order;
use engine::{CommanderId, Flow, Side, Umpire, UnitId, Verdict, View};
use table::Pose;
/// Generals attached to a unit.
pub fn attached(field: &Field, unit: UnitId) -> impl Iterator<Item = CommanderId> {
    field
        .commanders()
        .filter(move |(_, general)| general.is_present() && general.own.attached == Some(unit))
        .map(|(id, _)| id)
}
/// Generals attached to a unit keep their place beside it; call after every move of it.
pub fn follow(_umpire: &mut Umpire<'_, Fpw>, _unit: UnitId, _from: Pose, _to: Pose) {}
/// A unit with generals is gone: they ride to the nearest friend. Call before or after its removal. Also moves lone generals
/// an enemy stands on (R65).
pub fn make_room(_umpire: &mut Umpire<'_, Fpw>) {}
pub fn advance(_umpire: &mut Umpire<'_, Fpw>, _side: Side) -> Flow<Fpw> {
    Flow::Done
}
pub fn check(_view: &View<'_, Fpw>, _side: Side, _order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute(_umpire: &mut Umpire<'_, Fpw>, _side: Side, _order: Order) {}
