//! Many battles at once: batches, statistics, pictures. Nothing here prints; the binary `grognard` is its face.

pub mod arena;
pub mod batch;
pub mod bench;
pub mod clock;
pub mod dice_stats;
pub mod duel;
pub mod fight;
pub mod stats;
pub mod textmap;
pub mod tuning;

pub use picture;
