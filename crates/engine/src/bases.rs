//! Keeps where the stands of a body are, for rulebooks that ask for single stands all the time: laid out once when the
//! body moves, shared by every copy of the state.

use crate::ruleset::Ruleset;
use crate::stands::StandSet;
use std::sync::Arc;
use table::terrain::Ground;
use table::{Layout, Pose, Quad};

/// The stands of a body on the table. Follows from the body and is never written down.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bases(Option<Arc<Kept>>);

#[derive(PartialEq, Debug)]
struct Kept {
    layout: Layout,
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
        let layout = R::layout(facts, formation, stands);
        let quads: Vec<Quad> = layout.quads(pose).collect();
        let levels = quads.iter().map(|quad| ground.level_at(quad.centre)).collect();
        Bases(Some(Arc::new(Kept { layout, quads, levels })))
    }

    /// How they are drawn up; nothing where the rulebook does not want it kept.
    pub fn layout(&self) -> Option<&Layout> {
        self.0.as_ref().map(|kept| &kept.layout)
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
