//! skeleton: owner = command. How a forced retirement is made: dice, path (R05, R06, R42), supports (R43), leaving the table, dispersal (R40). Called from P3, P5 (alarm), P8 and P9.

use super::Guns;
use super::clause::Clause;
use super::event::Retreat;
use engine::{Flow, Leaving, Umpire, UnitId};
use serde::{Deserialize, Serialize};
use table::Length;

/// A retirement waiting for something; only needed where a question must be asked in the middle of one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Retreating {}

/// Turns the page.
pub fn advance(_umpire: &mut Umpire<'_, Guns>, _retreating: Retreating) -> Flow<Guns> {
    Flow::Done
}

/// Makes a unit retire now: rolls its distance where `why` asks for a die, announces `Retires`, the move, disorder,
/// `Broken` where it breaks, tests supports it goes through, removes what is dispersed or leaves the table. Returns
/// whether it is still on the table. `before`: the enemy it goes away from; the nearest one where there is none.
pub fn retire(_umpire: &mut Umpire<'_, Guns>, _unit: UnitId, _before: Option<UnitId>, _why: Retreat) -> bool {
    true
}

/// Moves a unit straight away from an enemy by a distance without a die and without counting as a retirement (evading
/// skirmishers, drawn cavalry, units put back to a standoff). Returns whether it is still on the table.
pub fn draw_off(_umpire: &mut Umpire<'_, Guns>, _unit: UnitId, _from: UnitId, _distance: Length) -> bool {
    true
}

/// Takes a unit off the table for good, unlocking it, counting the loss (`GunsEvent::Lost`, not for screens), freeing
/// generals with it; a screen's elements are lost with it.
pub fn remove(_umpire: &mut Umpire<'_, Guns>, _unit: UnitId, _why: Leaving, _clause: Clause) {}
