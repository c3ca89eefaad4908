//! Many battles at once: batches, statistics, pictures.

pub mod fight;
