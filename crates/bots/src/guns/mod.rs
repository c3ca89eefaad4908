//! Players of `guns`.

pub mod careful;
mod manners;
