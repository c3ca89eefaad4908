//! skeleton: owner = words
//! The words that answer each question.

use crate::order::Decision;
use engine::telling::Usage;

/// How a question is answered in words.
pub fn usage(_decision: &Decision) -> Vec<Usage> {
    vec![Usage { words: "pass", what: "no, none, no more" }]
}
