//! Players of `iron` and `empire`.

pub mod careful;
mod manners;
