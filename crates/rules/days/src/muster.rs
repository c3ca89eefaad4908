//! skeleton: owner = muster
//! From a set-up to the opening state, with every fault of it written down. Sections 4 to 11, B.

use super::Days;
use engine::ruleset::Opening;
use engine::setup::Mode;
use engine::{Faults, SheetTable, State};

/// Builds the opening state.
pub fn muster(
    _root: &mut SheetTable<'_, '_>,
    _opening: Opening<Days>,
    _mode: Mode,
    _faults: &mut Faults,
) -> Option<State<Days>> {
    None
}
