//! Sets of a unit's stands.

use serde::{Deserialize, Serialize};

/// Which of a unit's stands a body holds: bit n is stand n.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct StandSet(pub u64);

impl StandSet {
    /// The first `count` stands.
    pub const fn first(count: u32) -> StandSet {
        StandSet(if count >= 64 { u64::MAX } else { (1 << count) - 1 })
    }

    /// How many.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether a stand is one of them.
    pub const fn has(self, stand: u8) -> bool {
        stand < 64 && self.0 & (1 << stand) != 0
    }

    /// Those of either.
    #[must_use]
    pub const fn or(self, other: StandSet) -> StandSet {
        StandSet(self.0 | other.0)
    }
}

impl FromIterator<u8> for StandSet {
    fn from_iter<I: IntoIterator<Item = u8>>(stands: I) -> StandSet {
        let stands = stands.into_iter().filter(|stand| *stand < 64);
        StandSet(stands.fold(0, |set, stand| set | 1 << stand))
    }
}
