//! skeleton: owner = words
//! The chronicle: every event in a sentence.

use crate::Days;
use crate::field::Field;
use engine::Event;

/// An event in a sentence.
pub fn tell(_field: &Field, event: &Event<Days>) -> String {
    format!("{:?}", event.deed)
}
