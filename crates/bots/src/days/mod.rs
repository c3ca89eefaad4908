//! Players of `iron` and `empire`.

pub mod careful;

use crate::random::Random;
use crate::{Bot, Level, Opponents};
use careful::Careful;
use rules::days::Days;

impl Opponents for Days {
    fn bot(level: Level, seed: u64) -> Box<dyn Bot<Self>> {
        match level {
            Level::Random => Box::new(Random::new(seed)),
            Level::Careful => Box::new(Careful::new(seed)),
        }
    }
}
