//! The rulebooks: one module per family, with charts, clause registries, scenarios and cases beside them.

pub mod awi;
