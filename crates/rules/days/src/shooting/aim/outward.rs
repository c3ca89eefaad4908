//! The stands of a target one after another.

use super::Arc;
use crate::field::measured;
use smallvec::SmallVec;
use table::{Length, Quad, Vec2};

/// The stands of a target in an arc from the nearest outwards, each measured when it could be next.
pub(super) struct Outward<'s> {
    arc: &'s Arc,
    /// How far they are, or are at least while nobody has measured it, and where the nearest part is.
    left: SmallVec<[(Length, Option<Vec2>, &'s Quad); 16]>,
}

impl<'s> Outward<'s> {
    /// Some stands of a target, seen by whoever has this arc.
    pub(super) fn of(arc: &'s Arc, stands: impl Iterator<Item = &'s Quad>) -> Outward<'s> {
        Outward { arc, left: stands.map(|stand| (measured(arc.at_least(stand)), None, stand)).collect() }
    }
}

impl<'s> Iterator for Outward<'s> {
    type Item = (Length, Vec2, &'s Quad);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            // What is not measured yet comes first among equals: it may not be in the arc at all.
            let next = |(no, part): (usize, &(Length, Option<Vec2>, &Quad))| (part.0, part.1.is_some(), no);
            let (_, _, no) = self.left.iter().enumerate().map(next).min()?;
            let (at, aim, stand) = self.left[no];
            if let Some(aim) = aim {
                self.left.remove(no);
                return Some((at, aim, stand));
            }
            match self.arc.nearest(stand) {
                Some((aim, at)) => self.left[no] = (measured(at), Some(aim), stand),
                None => drop(self.left.remove(no)),
            }
        }
    }
}
