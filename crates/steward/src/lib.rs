//! Looks after one battle for those who sit at it: takes their acts, says what each of them may hear, and answers for
//! the bots. The server does this for many battles and many people; the page's own worker does it for one battle and one
//! person. What both do stands here, once.
//!
//! It does no I/O and reads no clock: whoever asks brings both.

pub mod acts;
pub mod players;
pub mod solo;
pub mod words;

pub use acts::{Act, Refusal, RefusalKind, Taken, Untaken, take};
pub use solo::Solo;
