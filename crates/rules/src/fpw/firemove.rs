//! skeleton: owner = lead
use super::Fpw;
use super::order::Order;
use engine::{Flow, Umpire, UnitId, Verdict};
use serde::{Deserialize, Serialize};
/// Units that took fire while advancing, each asked in turn whether it falls back (R55 to R57).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pullback {
    pub units: Vec<UnitId>,
}
pub fn advance(_umpire: &mut Umpire<'_, Fpw>, _pullback: Pullback) -> Flow<Fpw> {
    Flow::Done
}
pub fn check(_order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute(_umpire: &mut Umpire<'_, Fpw>, _unit: UnitId, _order: &Order) {}
