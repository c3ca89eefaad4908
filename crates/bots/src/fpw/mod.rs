//! Players of `fpw`.

pub mod careful;
mod manners;
