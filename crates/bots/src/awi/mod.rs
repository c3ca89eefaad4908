//! Players of `awi`.

pub mod careful;

use crate::random::Random;
use crate::{Bot, Level, Opponents};
use careful::Careful;
use rules::awi::Awi;

impl Opponents for Awi {
    fn bot(level: Level, seed: u64) -> Box<dyn Bot<Awi>> {
        match level {
            Level::Random => Box::new(Random::new(seed)),
            Level::Careful => Box::new(Careful::new(seed)),
        }
    }
}
