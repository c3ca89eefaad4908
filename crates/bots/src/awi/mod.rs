//! Players of `awi`.

pub mod careful;
mod manners;
