//! What every rulebook is written with: cases, pieces enlisted from files, figures, ground, words and gestures.

pub mod case;
pub mod enlist;
pub mod figures;
pub mod ground;
mod macros;
pub mod placement;
pub mod telling;
