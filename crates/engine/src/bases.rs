//! Keeps where the stands of a body are, for rulebooks that ask for single stands all the time: laid out once when the
//! body moves, shared by every copy of the state.

use crate::ruleset::Ruleset;
use crate::state::StandSet;
use std::sync::Arc;
use table::terrain::Ground;
use table::{Pose, Quad};

/// The stands of a body on the table. Follows from the body and is never written down.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bases(Option<Arc<Kept>>);

#[derive(PartialEq, Debug)]
struct Kept {
    quads: Vec<Quad>,
    levels: Vec<u8>,
}

impl Bases {
    /// Lays the stands of a body out; nothing where the rulebook does not want them kept.
    pub(crate) fn of<R: Ruleset>(
        facts: &R::Facts,
        formation: R::Formation,
        stands: StandSet,
        pose: Pose,
        ground: &Ground,
    ) -> Bases {
        if !R::KEEPS_BASES {
            return Bases(None);
        }
        let quads: Vec<Quad> = R::layout(facts, formation, stands).quads(pose).collect();
        let levels = quads.iter().map(|quad| ground.level_at(quad.centre)).collect();
        Bases(Some(Arc::new(Kept { quads, levels })))
    }

    /// The rectangles of the stands, in the order of the layout.
    pub fn quads(&self) -> &[Quad] {
        self.0.as_ref().map_or(&[], |kept| &kept.quads)
    }

    /// The level of the ground under the middle of each stand.
    pub fn levels(&self) -> &[u8] {
        self.0.as_ref().map_or(&[], |kept| &kept.levels)
    }
}
