//! Small arithmetic: chance that can be repeated, and what most waited.

use serde::Serialize;
use std::time::Duration;

/// Repeatable chance, for choosing orders and moments; nobody's dice.
pub struct Chance(u64);

impl Chance {
    /// The same seed gives the same numbers.
    pub fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A time between two.
    pub fn between(&mut self, least: Duration, most: Duration) -> Duration {
        let span = most.saturating_sub(least).as_micros() as u64;
        least + Duration::from_micros(if span == 0 { 0 } else { self.next() % span })
    }
}

/// How long people waited, in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Waits {
    /// How many were counted.
    pub count: usize,
    /// Half of them waited no longer.
    pub p50: f64,
    /// All but one in a hundred waited no longer.
    pub p99: f64,
    /// The longest.
    pub most: f64,
}

impl Waits {
    /// Of a list of times.
    pub fn of(mut times: Vec<Duration>) -> Waits {
        times.sort_unstable();
        let at = |share: usize| {
            let n = (times.len() * share).div_ceil(100).saturating_sub(1);
            times.get(n).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        Waits { count: times.len(), p50: at(50), p99: at(99), most: at(100) }
    }
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn shares_are_counted_from_below() {
        let waits = Waits::of((1..=200).map(Duration::from_millis).collect());
        assert_eq!((waits.count, waits.p50.round() as u32, waits.p99.round() as u32), (200, 100, 198));
        assert_eq!(waits.most.round() as u32, 200);
        assert_eq!(Waits::of(Vec::new()), Waits::default());
    }
}
