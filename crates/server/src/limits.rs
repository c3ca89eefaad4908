//! How much of anything one server takes, and the bucket that keeps a rate.

use std::time::{Duration, Instant};

/// The limits of one server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Battles awake at once.
    pub live_battles: usize,
    /// Sockets at one battle, players and watchers together.
    pub connections_per_battle: usize,
    /// Sockets of the whole house.
    pub connections: usize,
    /// Messages a socket may send in a burst, and per second in the long run.
    pub messages: (u32, u32),
    /// Messages beyond that before the socket is hung up on.
    pub patience: u32,
    /// Battles called into being in a burst, and per second in the long run, by everybody together.
    pub new_battles: (u32, u32),
    /// Most bytes of an uploaded replay.
    pub replay_bytes: usize,
    /// Messages that may wait for a slow reader before he is asked to come back.
    pub waiting: usize,
    /// How long a socket may take to show its key.
    pub hello: Duration,
    /// How long a socket may be silent.
    pub silence: Duration,
    /// How long a battle stays awake with nobody at the table.
    pub idle: Duration,
    /// Between two orders of a battle that only bots fight, so that people can watch.
    pub bots_alone: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            live_battles: 10_000,
            connections_per_battle: 32,
            connections: 20_000,
            messages: (40, 20),
            patience: 100,
            new_battles: (400, 50),
            replay_bytes: 8 << 20,
            waiting: 64,
            hello: Duration::from_secs(10),
            silence: Duration::from_secs(120),
            idle: Duration::from_secs(120),
            bots_alone: Duration::from_millis(400),
        }
    }
}

/// A bucket of tokens: each act takes one, and they come back with time.
#[derive(Clone, Debug)]
pub struct Bucket {
    tokens: f64,
    most: f64,
    per_second: f64,
    seen: Instant,
}

impl Bucket {
    /// A full bucket: how many at once, how many per second.
    pub fn new((burst, per_second): (u32, u32), now: Instant) -> Bucket {
        Bucket { tokens: f64::from(burst), most: f64::from(burst), per_second: f64::from(per_second), seen: now }
    }

    /// Takes a token; false where none is left.
    pub fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.seen).as_secs_f64();
        self.tokens = (self.tokens + passed * self.per_second).min(self.most);
        self.seen = now;
        let enough = self.tokens >= 1.0;
        if enough {
            self.tokens -= 1.0;
        }
        enough
    }
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        let begun = Instant::now();
        let mut bucket = Bucket::new((3, 2), begun);
        assert_eq!((0..5).filter(|_| bucket.take(begun)).count(), 3);
        assert!(!bucket.take(begun + Duration::from_millis(400)));
        assert!(bucket.take(begun + Duration::from_millis(600)));
        assert_eq!((0..9).filter(|_| bucket.take(begun + Duration::from_secs(60))).count(), 3);
    }
}
