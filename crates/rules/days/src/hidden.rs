//! skeleton: owner = deploy
//! Hidden and absent troops: who knows of them, when they are seen. Section 16.4, A-75.

use super::Days;
use super::field::Field;
use engine::{Event, State, Umpire, UnitId, Viewer};

/// Hides from a viewer what the engine does not hide by itself: brigades kept off, plans in the agenda.
pub fn veil(_state: &mut State<Days>, _from: Viewer) {}

/// Whether there is anything to hide.
pub fn has_secrets(_state: &State<Days>, _from: Viewer) -> bool {
    false
}

/// Announces an event about a unit: to its owner alone while it is hidden.
pub fn announce(umpire: &mut Umpire<'_, Days>, _unit: UnitId, event: Event<Days>) {
    umpire.announce(event);
}

/// Puts every hidden unit on the table that some enemy now sees.
pub fn discover(_umpire: &mut Umpire<'_, Days>) {}

/// Puts a hidden unit on the table because it shoots or shows itself.
pub fn reveal(_umpire: &mut Umpire<'_, Days>, _unit: UnitId) {}

/// Whether a place is one where a unit may hide.
pub fn may_hide(_field: &Field, _unit: UnitId) -> bool {
    false
}
