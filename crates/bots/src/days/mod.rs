//! Players of `iron` and `empire`.

use crate::random::Random;
use crate::{Bot, Level, Opponents};
use rules::days::Days;

impl Opponents for Days {
    fn bot(_level: Level, seed: u64) -> Box<dyn Bot<Self>> {
        Box::new(Random::new(seed))
    }
}
