//! skeleton: owner = muster. Ambush: hidden units, the veil, discovery (R74).

use super::Guns;
use super::clause::Clause;
use engine::{Event, State, Umpire, UnitId, Viewer};

/// Announces an event about a unit: to its own side alone while it is hidden.
pub fn announce(umpire: &mut Umpire<'_, Guns>, _unit: UnitId, event: Event<Guns>) {
    umpire.announce(event);
}

/// Uncovers a hidden unit (it fired, moved, or was come upon).
pub fn reveal(_umpire: &mut Umpire<'_, Guns>, _unit: UnitId, _clause: Clause) {}

/// Uncovers hidden units an enemy element has come near in sight; call it after every quarter and every move.
pub fn discover(_umpire: &mut Umpire<'_, Guns>) {}

/// Hides what the engine does not hide by itself.
pub fn veil(_state: &mut State<Guns>, _from: Viewer) {}

/// Whether anything is hidden from this viewer.
pub fn has_secrets(_state: &State<Guns>, _from: Viewer) -> bool {
    false
}
