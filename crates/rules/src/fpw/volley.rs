//! skeleton: owner = fire helper
use super::Fpw;
use super::event::Manner;
use super::order::{Order, Shot, StandRef};
use engine::{Flow, Umpire, Verdict};
use serde::{Deserialize, Serialize};
/// Fire to resolve: target unit by target unit. `band`: the band approach fire is resolved at, counted from near.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Volleys {
    pub shots: Vec<Shot>,
    pub manner: Manner,
    pub band: Option<u8>,
    pub aimed: Option<Vec<StandRef>>,
}
impl Volleys {
    pub fn new(shots: Vec<Shot>, manner: Manner, band: Option<u8>) -> Volleys {
        Volleys { shots, manner, band, aimed: None }
    }
}
pub fn advance(_umpire: &mut Umpire<'_, Fpw>, _volleys: Volleys) -> Flow<Fpw> {
    Flow::Done
}
pub fn check_concentrate(_stands: &[StandRef], _most: u8, _order: &Order) -> Verdict {
    Verdict::fine()
}
pub fn execute_concentrate(_umpire: &mut Umpire<'_, Fpw>, _stands: &[StandRef], _most: u8, _order: &Order) {}
