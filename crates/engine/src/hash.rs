//! The state hash: canonical bytes through blake3, 128 bits.

use crate::ruleset::Ruleset;
use crate::state::State;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The fingerprint of a state, set-up and house rules included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateHash(pub [u8; 16]);

impl StateHash {
    /// The fingerprint of a state.
    pub fn of<R: Ruleset>(state: &State<R>) -> StateHash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&state.muster().digest);
        // A rulebook's types may hold what postcard cannot write (a flattened field, say). Hashing nothing then would
        // make all states look alike, so their printed form stands in.
        match postcard::to_allocvec(state) {
            Ok(bytes) => hasher.update(&bytes),
            Err(_) => hasher.update(format!("{state:?}").as_bytes()),
        };
        let mut short = [0; 16];
        short.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        StateHash(short)
    }
}

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for StateHash {
    type Err = String;
    fn from_str(text: &str) -> Result<StateHash, String> {
        let bad = || format!("`{text}` is not a hash of 32 hexadecimal digits");
        // Digits only: reading two by two would take `+0`.
        if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(bad());
        }
        let mut hash = [0; 16];
        for (n, byte) in hash.iter_mut().enumerate() {
            *byte = text.get(2 * n..2 * n + 2).and_then(|two| u8::from_str_radix(two, 16).ok()).ok_or_else(bad)?;
        }
        Ok(StateHash(hash))
    }
}

impl Serialize for StateHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for StateHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
