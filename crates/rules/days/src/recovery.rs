//! skeleton: owner = morale
//! 5.6: disordered units that did nothing recover. days.17.2.8-f, D.5.

use super::Days;
use engine::Umpire;

/// Puts idle disordered units in order again; squadrons and screens reunite.
pub fn recover(umpire: &mut Umpire<'_, Days>) {
    super::detachment::reunite(umpire);
}
