//! skeleton: owner = lead
use super::Fpw;
use super::order::{Going, Order};
use engine::{CommanderId, Flow, Side, Umpire, UnitId, Verdict, View};
use serde::{Deserialize, Serialize};
/// The command phase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Commanding {
    pub side: Side,
    pub current: Option<CommanderId>,
}
/// Units that obey, waiting to be told where to go or what to shoot at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Obeying {
    pub side: Side,
    pub units: Vec<UnitId>,
    pub task: Task,
}
/// What they do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Task {
    March(Going),
    Charge,
    Shoot,
}
pub fn begin(_umpire: &mut Umpire<'_, Fpw>, _side: Side) {}
pub fn advance(_umpire: &mut Umpire<'_, Fpw>, _commanding: Commanding) -> Flow<Fpw> {
    Flow::Done
}
pub fn advance_obey(_umpire: &mut Umpire<'_, Fpw>, _obeying: Obeying) -> Flow<Fpw> {
    Flow::Done
}
pub fn check(_view: &View<'_, Fpw>, _side: Side, _current: Option<CommanderId>, _order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute(_umpire: &mut Umpire<'_, Fpw>, _side: Side, _order: Order) {}
