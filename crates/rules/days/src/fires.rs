//! skeleton: owner = staff
//! Fires: set, spreading with the wind, killing who stays. Section 15.9, C-08, A-81.

use super::Days;
use engine::{FeatureId, Umpire};

/// Sets a feature alight in this turn; what is connected with it burns too.
pub fn ignite(_umpire: &mut Umpire<'_, Days>, _feature: FeatureId) {}

/// 4.13: fires spread downwind; work is counted.
pub fn spread(umpire: &mut Umpire<'_, Days>) {
    super::works::count_phases(umpire);
}

/// 5.6: whoever is still in a fire after three turns is lost.
pub fn burn(_umpire: &mut Umpire<'_, Days>) {}
