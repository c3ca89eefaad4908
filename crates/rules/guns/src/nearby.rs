//! Who is near: units in the order of their places from west to east, so that asking for a neighbourhood looks at few.

use super::field::{Field, is_hidden};
use engine::{Side, UnitId};
use table::{Bounds, Length, Quad};

/// Units of one side in the order of their places.
#[derive(Clone, Debug, Default)]
pub struct Nearby {
    entries: Vec<(f64, UnitId, Quad)>,
    widest: f64,
}

impl Nearby {
    /// All units of a side the enemy knows of.
    pub fn known(field: &Field, side: Side) -> Nearby {
        Nearby::of(field.present(side).filter(|(_, unit)| !is_hidden(unit)).map(|(id, unit)| (id, *unit.quad())))
    }

    /// All units of a side on the table.
    pub fn present(field: &Field, side: Side) -> Nearby {
        Nearby::of(field.present(side).map(|(id, unit)| (id, *unit.quad())))
    }

    /// Any units with the ground they cover.
    pub fn of(units: impl Iterator<Item = (UnitId, Quad)>) -> Nearby {
        let mut entries: Vec<(f64, UnitId, Quad)> = units.map(|(id, quad)| (quad.centre.x, id, quad)).collect();
        entries.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let widest = entries.iter().map(|entry| entry.2.radius).fold(0.0, f64::max);
        Nearby { entries, widest }
    }

    /// Units whose circle comes within a distance of a rectangle's; never fewer than are really that near.
    pub fn around<'n>(&'n self, quad: &Quad, distance: Length) -> impl Iterator<Item = (UnitId, &'n Quad)> + use<'n> {
        let (centre, reach) = (quad.centre, quad.radius + distance.as_f64() + 1.0);
        self.strip(centre.x - reach, centre.x + reach).filter(move |(_, other)| {
            let limit = reach + other.radius;
            (other.centre - centre).length_squared() <= limit * limit
        })
    }

    /// Units whose box meets a box.
    pub fn in_box<'n>(&'n self, around: Bounds) -> impl Iterator<Item = (UnitId, &'n Quad)> + use<'n> {
        self.strip(around.min.x, around.max.x).filter(move |(_, quad)| quad.bounds().meets(&around))
    }

    fn strip(&self, from: f64, to: f64) -> impl Iterator<Item = (UnitId, &Quad)> {
        let first = self.entries.partition_point(|entry| entry.0 < from - self.widest);
        let rest = self.entries.get(first..).unwrap_or_default();
        let last = to + self.widest;
        rest.iter().take_while(move |entry| entry.0 <= last).map(|entry| (entry.1, &entry.2))
    }
}
