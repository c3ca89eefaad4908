//! skeleton: owner = lead
use super::Fpw;
use super::field::Field;
use engine::{Event, State, Umpire, UnitId, Viewer};
pub fn veil(_state: &mut State<Fpw>, _from: Viewer) {}
pub fn has_secrets(_state: &State<Fpw>, _from: Viewer) -> bool {
    false
}
/// Uncovers whatever the enemy has come to see. Call after every move and volley.
pub fn discover(_umpire: &mut Umpire<'_, Fpw>) {}
/// Announces an event about a unit: to its owner alone while it is hidden.
pub fn announce(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, event: Event<Fpw>) {
    let event = if is_secret(umpire.state(), unit) {
        let side = umpire.state().side_of(unit);
        event.only(side)
    } else {
        event
    };
    umpire.announce(event);
}
fn is_secret(field: &Field, unit: UnitId) -> bool {
    super::field::is_hidden(field.unit(unit))
}
