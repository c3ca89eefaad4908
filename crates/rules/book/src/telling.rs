//! What every rulebook needs to speak with people: names and verbs, typed words, gestures, things drawn.

pub mod drawn;
pub mod names;
pub mod offer;
pub mod voice;
pub mod words;
