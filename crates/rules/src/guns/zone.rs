//! skeleton: owner = fire. Combat zones: the trapezoid of R17, who in the first rank is eligible, range of a shot (R16).

use super::field::Field;
use engine::UnitId;
use table::Length;

/// What a unit can bring to bear on another by fire.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bearing {
    /// Elements or guns counted, rapid-fire elements multiplied (R12).
    pub counted: u8,
    /// The range of the shot.
    pub range: Length,
}

/// What a unit can bring to bear; nothing where no element can. `from`: elements of the firer where they stand for this
/// shot (a charger at its flinch point fires at where its target stood).
pub fn bearing(_field: &Field, _firer: UnitId, _target: UnitId) -> Bearing {
    Bearing::default()
}
