//! Players of `fpw`.

use crate::random::Random;
use crate::{Bot, Level, Opponents};
use rules::fpw::Fpw;

impl Opponents for Fpw {
    fn bot(_level: Level, seed: u64) -> Box<dyn Bot<Self>> {
        Box::new(Random::new(seed))
    }
}
