//! skeleton: owner = muster helper
use super::Fpw;
use engine::ruleset::Opening;
use engine::setup::Mode;
use engine::{Faults, SheetTable, State};
pub fn muster(
    _root: &mut SheetTable<'_, '_>,
    _opening: Opening<Fpw>,
    _mode: Mode,
    _faults: &mut Faults,
) -> Option<State<Fpw>> {
    None
}
