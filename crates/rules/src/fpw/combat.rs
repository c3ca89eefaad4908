//! skeleton: owner = close-combat helper
use super::Fpw;
use super::order::Order;
use engine::{Flow, Side, Umpire, UnitId, Verdict};
use serde::{Deserialize, Serialize};
/// The combat phase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Combat {
    pub side: Side,
    pub fought: Vec<UnitId>,
}
impl Combat {
    pub fn new(side: Side) -> Combat {
        Combat { side, fought: Vec::new() }
    }
}
/// One group of touching enemies fighting its rounds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fight {
    pub side: Side,
    pub units: Vec<UnitId>,
    pub round: u8,
}
pub fn advance(_umpire: &mut Umpire<'_, Fpw>, _combat: Combat) -> Flow<Fpw> {
    Flow::Done
}
pub fn advance_fight(_umpire: &mut Umpire<'_, Fpw>, _fight: Fight) -> Flow<Fpw> {
    Flow::Done
}
pub fn check_next(_units: &[UnitId], _order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute_next(_umpire: &mut Umpire<'_, Fpw>, _units: &[UnitId], _order: &Order) {}
pub fn check_whom(_among: &[UnitId], _order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute_whom(_umpire: &mut Umpire<'_, Fpw>, _unit: UnitId, _stand: u8, _among: &[UnitId], _order: &Order) {}
