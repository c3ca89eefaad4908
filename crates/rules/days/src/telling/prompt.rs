//! skeleton: owner = table
//! The question in words, with its clause and the ways to answer it.

use super::gestures;
use crate::Days;
use engine::scene::Prompt;
use engine::{Asked, Side, View};

/// The question.
pub fn prompt(view: &View<'_, Days>, asked: &Asked<Days>, side: Side) -> Prompt {
    Prompt {
        no: asked.no,
        side,
        question: format!("{:?}", asked.decision),
        clause: crate::clause::Clause::FivePhasesToATurn.id().to_owned(),
        gestures: gestures::gestures(view, asked, side),
    }
}
