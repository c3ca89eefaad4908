//! Keys, ids and seeds. A seat's key is 128 bits of the system's own chance; the house keeps only its hash, so that whoever
//! reads the database cannot sit down at a table.

use engine::Seed;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

/// How many characters a key has.
const LETTERS: usize = 32;

/// The system gave no chance.
#[derive(Debug, Error)]
#[error("the system gives no random bytes: {0}")]
pub struct NoChance(String);

/// The hash of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyHash(pub [u8; 32]);

impl KeyHash {
    /// Of a key as somebody shows it; nothing where it cannot be one.
    pub fn of(key: &str) -> Option<KeyHash> {
        let plausible = key.len() == LETTERS && key.bytes().all(|byte| byte.is_ascii_hexdigit());
        plausible.then(|| KeyHash(*blake3::hash(key.as_bytes()).as_bytes()))
    }

    /// Of bytes as the store has them.
    pub fn from_bytes(bytes: &[u8]) -> Option<KeyHash> {
        bytes.try_into().ok().map(KeyHash)
    }

    /// Whether both are the same, in a time that does not depend on where they differ.
    pub fn matches(&self, other: &KeyHash) -> bool {
        blake3::Hash::from_bytes(self.0) == blake3::Hash::from_bytes(other.0)
    }
}

/// Random bytes.
pub fn chance<const N: usize>() -> Result<[u8; N], NoChance> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| NoChance(error.to_string()))?;
    Ok(bytes)
}

/// Where the dice of battles come from for which nobody named a seed.
pub struct Seeds {
    /// The next number of a rehearsal; chance where it is none.
    rehearsal: Option<AtomicU64>,
}

impl Seeds {
    /// Chance, or numbers from this one on.
    pub fn new(rehearsal: Option<u64>) -> Seeds {
        Seeds { rehearsal: rehearsal.map(AtomicU64::new) }
    }

    /// The seed of the next battle.
    pub fn draw(&self) -> Result<Seed, NoChance> {
        match &self.rehearsal {
            Some(next) => Ok(Seed::from_number(next.fetch_add(1, Ordering::Relaxed))),
            None => Ok(Seed(chance()?)),
        }
    }
}

/// A fresh key.
pub fn key() -> Result<String, NoChance> {
    Ok(hex(&chance::<16>()?))
}

/// A fresh id of a battle: as hard to guess as a key, though it opens nothing by itself.
pub fn id() -> Result<String, NoChance> {
    Ok(hex(&chance::<12>()?))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn a_key_is_found_by_its_hash_and_nothing_else_is() {
        let key = key().unwrap();
        let hash = KeyHash::of(&key).unwrap();
        assert!(hash.matches(&KeyHash::of(&key).unwrap()));
        assert!(!hash.matches(&KeyHash::of(&super::key().unwrap()).unwrap()));
        assert_eq!(KeyHash::of(""), None);
        assert_eq!(KeyHash::of(&key[1..]), None);
        assert_eq!(KeyHash::from_bytes(&hash.0), Some(hash));
    }

    #[test]
    fn only_a_rehearsal_knows_its_dice() {
        let (one, other) = (Seeds::new(None), Seeds::new(None));
        let drawn = [one.draw().unwrap().0, one.draw().unwrap().0, other.draw().unwrap().0];
        assert!(drawn[0] != drawn[1] && drawn[0] != drawn[2] && drawn[1] != drawn[2]);
        let known = Seeds::new(Some(7));
        assert_eq!(known.draw().unwrap().0, Seed::from_number(7).0);
        assert_eq!(known.draw().unwrap().0, Seed::from_number(8).0);
    }
}
