//! skeleton: owner = muster. From a set-up to the opening state (section B, appendix 2, army lists as white-lists by year).

use super::Guns;
use engine::ruleset::Opening;
use engine::setup::Mode;
use engine::{Faults, SheetTable, State};

/// Builds the opening state.
pub fn muster(
    _root: &mut SheetTable<'_, '_>,
    _opening: Opening<Guns>,
    _mode: Mode,
    _faults: &mut Faults,
) -> Option<State<Guns>> {
    None
}
